"""The ASGI application: a built hub over HTTP, and the questions that files cannot answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketClose

from generator.serve.answers import Answerer, Reply, say
from generator.serve.media import HTML
from generator.serve.plans import ListSkills, Redirect, SearchSkills
from generator.serve.reload import RELOAD_EVENTS, RELOAD_SCRIPT, Reloader, inject_reload, reload_script
from generator.serve.responses import COMMON_HEADERS, respond
from generator.serve.router import Request, plan
from generator.serve.tree import Answer, Tree

BODY_MAX = 256 * 1024
"""Bytes of a request body; a hundred verdict targets fit many times over."""
_DISCOVERY = ("/.well-known/clawhub.json", "/.well-known/clawdhub.json")
_PREFLIGHT = {
    **COMMON_HEADERS,
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, If-None-Match, Range",
    "Access-Control-Max-Age": "86400",
}


def create_app(root: Path, *, base_path: str = "", reloader: Reloader | None = None) -> Starlette:
    """The application that serves the hub at ``root``.

    ``base_path`` is the path part of the hub's public URL (``/hub``, or empty); requests outside it are 404.
    With a ``reloader`` the sources are watched for as long as the application runs, and pages in a browser
    reload after each build.

    Raises:
        TreeError: ``root`` is not a built hub.
    """
    hub = _Hub(Answerer(Tree.open(root)), normal_base(base_path), reloader)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        if reloader is None:
            yield
            return
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(reloader.run)
            yield
            reloader.close()

    app = Starlette(lifespan=lifespan)
    app.router.default = hub
    return app


def normal_base(base_path: str) -> str:
    """A base path with one slash in front and none behind; empty for the root."""
    inner = base_path.strip("/")
    return f"/{inner}" if inner else ""


class _Hub:
    """One hub as an ASGI endpoint."""

    def __init__(self, answerer: Answerer, base: str, reloader: Reloader | None) -> None:
        self._answerer = answerer
        self._base = base
        self._reloader = reloader

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
            return
        response = await self._respond(HttpRequest(scope, receive))
        await response(scope, receive, send)

    async def _respond(self, request: HttpRequest) -> Response:
        headers, method = request.headers, request.method
        if method == "OPTIONS":
            return Response(b"", 204, _PREFLIGHT)
        path = request.scope["path"]
        if self._base and path in _DISCOVERY:
            # Clients look for it at the origin, whatever the base path of the hub.
            path = f"{self._base}{path}"
        if self._base and path in ("/", self._base):
            return self._redirect("/", request)
        if not path.startswith(f"{self._base}/"):
            return await self._send(say(404, "Not found"), request)
        path = path[len(self._base) :]
        if self._reloader and path == RELOAD_EVENTS:
            return self._reloader.events()
        if self._reloader and path == RELOAD_SCRIPT:
            return Response(reload_script(self._base), media_type="text/javascript", headers=COMMON_HEADERS)
        query: dict[str, str] = {}
        for name, value in request.query_params.multi_items():
            query.setdefault(name, value)
        body = await _body(request) if method == "POST" else b""
        if body is None:
            return await self._send(say(413, "The body is too large"), request)
        wanted = plan(Request(method, path, query, body), self._answerer.tree.index)
        if isinstance(wanted, Redirect):
            return self._redirect(wanted.path, request, 308)
        if isinstance(wanted, SearchSkills | ListSkills):
            # The first one after a build reads the whole search document: seconds on a very large hub.
            reply = await run_in_threadpool(self._answerer.answer, wanted)
        else:
            reply = self._answerer.answer(wanted)
        if reply.answer.status == 404 and not path.startswith("/api/") and method in ("GET", "HEAD"):
            if not path.endswith("/") and self._answerer.tree.read(f"{path}/"):
                return self._redirect(f"{path}/", request)
            reply = self._page_not_found(headers.get("accept", "")) or reply
        return await self._send(reply, request)

    def _redirect(self, path: str, request: HttpRequest, status: int = 301) -> Response:
        target = quote(f"{self._base}{path}", safe="/-._~") + (
            f"?{request.url.query}" if request.url.query else ""
        )
        return Response(b"", status, {**COMMON_HEADERS, "Location": target})

    def _page_not_found(self, accept: str) -> Reply | None:
        """The site's own 404 page for browsers; programs get the plain text they print as it is."""
        page = self._answerer.tree.read("/404.html") if "text/html" in accept else None
        return Reply(Answer(404, page.data(), HTML, page.cache, "")) if page else None

    async def _send(self, reply: Reply, request: HttpRequest) -> Response:
        answer = reply.answer
        if self._reloader and answer.media_type == HTML and isinstance(answer.body, bytes):
            answer = Answer(answer.status, inject_reload(answer.body, self._base), HTML, answer.cache, "")
        work: Callable[[], Response] = lambda: respond(answer, request.method, request.headers, reply.headers)  # noqa: E731
        large = isinstance(answer.body, bytes) and len(answer.body) > 64 * 1024
        return await run_in_threadpool(work) if large else work()


async def _body(request: HttpRequest) -> bytes | None:
    """The request's body, or None where it is too large."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY_MAX:
                return None
    except ClientDisconnect:
        return b""
    return body
