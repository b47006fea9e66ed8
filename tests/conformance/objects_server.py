"""An object store that serves a website, as S3 does: keys and nothing else, filled by our own upload script.

The script calls a program ``aws``; :func:`upload` gives it one that keeps each object with its metadata in a folder,
and takes of the real one's options what the script uses.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from tests.conformance.pages_server import _running

_DENIED = b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>"


def upload(script: Path, tree: Path, store: Path) -> None:
    """Run the upload script over ``tree``; the objects land in ``store``."""
    programs = store / "bin"
    programs.mkdir(parents=True)
    program = programs / "aws"
    stub = Path(__file__).with_name("aws_program.py")
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{stub}" "{store}" "$@"\n')
    program.chmod(0o755)
    environment = {
        "PATH": f"{programs}:/usr/bin:/bin", "PUBLIC": str(tree), "BUCKET": "s3://bucket",
    }  # fmt: skip
    done = subprocess.run(
        ["sh", str(script)], env=environment, cwd=store, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def stored(store: Path) -> dict[str, dict[str, str]]:
    """Every key with its metadata."""
    lines = (store / "objects.jsonl").read_text().splitlines()
    return {entry["key"]: entry for entry in map(json.loads, lines)}


@contextmanager
def serve_objects(store: Path, port: int, base: str = "", *, listed: bool = True) -> Iterator[None]:
    """Serve the bucket as a website below nothing: ``base`` is part of the keys. Without ``listed`` the public may
    not list the bucket, and what is missing is 403."""
    objects = stored(store)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            key = unquote(urlsplit(self.path).path)[1:]
            if key.endswith("/") or not key:
                key += "index.html"
            elif key not in objects and f"{key}/index.html" in objects:
                return self._send(302, "text/html", b"", location=f"/{quote(key)}/")
            if key in objects:
                entry = objects[key]
                body = Path(entry["file"]).read_bytes()
                return self._send(200, entry["type"], body, cache=entry["cache"])
            error = objects.get(f"{base.strip('/')}/404.html".lstrip("/")) if listed else None
            if error is None:
                return self._send(403, "application/xml", _DENIED)
            return self._send(404, error["type"], Path(error["file"]).read_bytes())

        do_HEAD = do_GET  # noqa: N815

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self._send(405, "application/xml", b"<Error><Code>MethodNotAllowed</Code></Error>")

        def _send(self, status: int, kind: str, body: bytes, *, cache: str = "", location: str = "") -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Access-Control-Allow-Origin", "*")
            if cache:
                self.send_header("Cache-Control", cache)
            if location:
                self.send_header("Location", location)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    with _running(ThreadingHTTPServer(("127.0.0.1", port), Handler)):
        yield
