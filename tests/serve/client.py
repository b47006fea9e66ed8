"""A client that calls an ASGI application directly and normalises nothing on the way."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from starlette.types import ASGIApp, Message


@dataclass(frozen=True, slots=True)
class Got:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


def ask(
    app: ASGIApp,
    target: str,
    method: str = "GET",
    *,
    headers: dict[str, str] | None = None,
    body: bytes = b"",
) -> Got:
    """Send one request. ``target`` is what stands in the request line: escaped, with its query."""
    raw_path, _, query = target.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote_to_bytes(raw_path).decode("utf-8", "replace"),
        "raw_path": raw_path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(k.lower().encode(), v.encode()) for k, v in (headers or {}).items()],
        "client": ("127.0.0.1", 1),
        "server": ("hub.example", 80),
    }
    return asyncio.run(_call(app, scope, body))


async def _call(app: ASGIApp, scope: dict[str, Any], body: bytes) -> Got:
    sent: list[Message] = []
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if not waiting:
            await asyncio.Event().wait()  # a client that stays until it has the answer
        return waiting.pop()

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = next(m for m in sent if m["type"] == "http.response.start")
    return Got(
        start["status"],
        {k.decode().lower(): v.decode() for k, v in start["headers"]},
        b"".join(m.get("body", b"") for m in sent if m["type"] == "http.response.body"),
    )
