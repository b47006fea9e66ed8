"""A host of plain files as GitHub Pages is one: what the contract knows of it, and nothing it does not do.

``/folder`` is redirected to ``/folder/``, keeping the query, which nothing else looks at; ``/both`` is ``both.html``
where there is one. Types go by suffix. Whatever is missing is ``404.html``, as a page. A POST is 405
(contract/clawhub.md 7, contract/other-clients.md 0.7).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

TYPES = {
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "json": "application/json; charset=utf-8",
    "js": "application/javascript; charset=utf-8", "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8", "xml": "application/xml", "svg": "image/svg+xml", "png": "image/png",
    "zip": "application/zip", "tgz": "application/gzip",
}  # fmt: skip
_NOT_FOUND = b"<!DOCTYPE html>\n<html><body><h1>404</h1><p>File not found</p></body></html>\n"


@contextmanager
def serve_pages(
    tree: Path, port: int, base: str = "", *, hidden: bool = True, missing: int = 404
) -> Iterator[None]:
    """Serve ``tree`` below ``base``. Without ``hidden`` nothing whose name starts with a dot was published. ``missing``
    is the status of what is not there, as other hosts of files have it."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            inner = (
                path.removeprefix(base) if base and path.startswith(f"{base}/") else ("" if base else path)
            )
            segments = inner.split("/")
            if not inner.startswith("/") or ".." in segments:
                return self._missing()
            if not hidden and any(one.startswith(".") for one in segments):
                return self._missing()
            file = tree / inner.lstrip("/")
            if inner.endswith("/"):
                return self._file(file / "index.html") if (file / "index.html").is_file() else self._missing()
            if file.is_file():
                return self._file(file)
            if file.with_name(f"{file.name}.html").is_file():
                return self._file(file.with_name(f"{file.name}.html"))
            if (file / "index.html").is_file():
                query = urlsplit(self.path).query
                return self._send(301, "text/html", b"", f"{path}/" + (f"?{query}" if query else ""))
            return self._missing()

        do_HEAD = do_GET  # noqa: N815

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self._send(405, "text/html", b"<html><body><h1>405 Not Allowed</h1></body></html>")

        def _file(self, file: Path) -> None:
            kind = TYPES.get(file.suffix[1:].lower(), "application/octet-stream")
            self._send(200, kind, file.read_bytes())

        def _missing(self) -> None:
            page = tree / "404.html"
            self._send(missing, TYPES["html"], page.read_bytes() if page.is_file() else _NOT_FOUND)

        def _send(self, status: int, kind: str, body: bytes, location: str = "") -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Cache-Control", "max-age=600")
            if location:
                self.send_header("Location", location)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    with _running(ThreadingHTTPServer(("127.0.0.1", port), Handler)):
        yield


@contextmanager
def _running(server: ThreadingHTTPServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
