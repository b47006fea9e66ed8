"""A hub of sample skills laid into a folder and served like a router does: ``%2f`` is a slash, statuses are kept.

Tests of clients use only :class:`HubUnderTest`, so that a hub built by the real command can take this one's place.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote

from generator.model import Hub, Route
from tests.hubs import free_port


class HubUnderTest(Protocol):
    """What a client's test may know of a hub."""

    @property
    def url(self) -> str:
        """The public URL without a trailing slash."""
        ...

    def file(self, path: str) -> Path:
        """The file behind a route, to be damaged."""
        ...


@dataclass(slots=True)
class ServedHub:
    """Routes on loopback below ``base``. ``asked`` are the raw paths of all requests so far."""

    folder: Path
    base: str = ""
    port: int = field(default_factory=free_port)
    asked: list[str] = field(default_factory=list)
    _statuses: dict[str, int] = field(default_factory=dict)
    _server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        """The hub's URL."""
        return f"http://127.0.0.1:{self.port}{self.base}"

    @property
    def hub(self) -> Hub:
        """The hub as writers know it."""
        return Hub("Sample hub of tests", "Skills for tests", self.url)

    def file(self, path: str) -> Path:
        """The file behind a route."""
        return self.folder / path[1:]

    def lay(self, routes: Iterable[Route]) -> None:
        """Write what a build writes over what is there. Documents are replaced, archives stay."""
        for route in routes:
            file = self.file(route.path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(route.body)
            self._statuses[route.path] = route.status

    def start(self) -> None:
        """Serve until :meth:`stop`."""
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hub.asked.append(self.path)
                path = unquote(self.path.partition("?")[0])
                inside = path.removeprefix(hub.base) if path.startswith(f"{hub.base}/") else ""
                known = inside in hub._statuses and hub.file(inside).is_file()
                body = hub.file(inside).read_bytes() if known else b"Not found\n"
                self.send_response(hub._statuses[inside] if known else 404)
                kind = (
                    "text/plain"
                    if not known
                    else "application/gzip"
                    if inside.endswith(".tgz")
                    else "application/json"
                )
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """End the server."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
