"""A server on the loopback interface that answers as it is told to, and lies byte by byte where it must."""

from __future__ import annotations

import json
import socketserver
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Ask:
    """A request: path with query, and headers in lower case."""

    target: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. ``raw`` replaces all of it; ``cut`` are the bytes of the body that are sent before the line breaks;
    ``drip`` is the pause in seconds after each byte."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    drip: float = 0.0
    raw: bytes | None = None

    def wire(self) -> bytes:
        if self.raw is not None:
            return self.raw
        told = {"Content-Length": str(len(self.body)), **self.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in told.items())
        sent = self.body if self.cut is None else self.body[: self.cut]
        return f"HTTP/1.1 {self.status} X\r\n{head}\r\n".encode() + sent


def json_reply(value: object, **headers: str) -> Reply:
    return Reply(body=json.dumps(value).encode(), headers={"Content-Type": "application/json", **headers})


@dataclass(slots=True)
class Scripted:
    """Answers by target: a reply for ever, or a list of which each is used once, the last for ever."""

    routes: dict[str, Reply | list[Reply] | Callable[[Ask], Reply]]
    port: int = 0
    asked: list[Ask] = field(default_factory=list)
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answer(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        found = self.routes.get(ask.target)
        if found is None:
            found = self.routes.get(ask.target.partition("?")[0], Reply(404, b"Skill not found"))
        if isinstance(found, list):
            return found.pop(0) if len(found) > 1 else found[0]
        return found if isinstance(found, Reply) else found(ask)

    def count(self, start: str) -> int:
        return sum(ask.target.startswith(start) for ask in self.asked)


@contextmanager
def served(script: Scripted) -> Iterator[Scripted]:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            script.connections += 1
            while self._one():
                pass

        def _one(self) -> bool:
            line = self.rfile.readline(65536).decode("latin-1").split(" ")
            if len(line) != 3:
                return False
            headers: dict[str, str] = {}
            while text := self.rfile.readline(65536).decode("latin-1").strip():
                name, _, value = text.partition(":")
                headers[name.lower()] = value.strip()
            reply = script.answer(Ask(line[1], headers))
            try:
                if reply.drip:
                    for byte in reply.wire():
                        self.wfile.write(bytes([byte]))
                        time.sleep(reply.drip)
                else:
                    self.wfile.write(reply.wire())
            except OSError:
                return False
            return reply.raw is None and reply.cut is None

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that hangs up is what some tests are about."""

    with Server(("127.0.0.1", 0), Handler) as server:
        script.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield script
        finally:
            server.shutdown()
