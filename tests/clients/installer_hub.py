"""The hub that installers other than clawhub are run against.

:class:`InstallerHub` is all that their tests know of it: an address, the files each skill has, a byte that can be
tampered with, a next state. :class:`RouteHub` answers with the routes of the protocols as a host that sets types
and statuses would, without the build.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol
from urllib.parse import unquote, urlsplit

from generator.history.overlay.model import Ruling, Withdrawal
from generator.model import Hub, Route, Version
from generator.write.protocols import apm
from tests.write.protocols_skills.making import Files, Made, make, manifest, routes_of

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364f8"
    "cf500f000386018016358d6f0000000049454e44ae426082"
)


class InstallerHub(Protocol):
    """A hub that is served, as far as installers and their tests go."""

    @property
    def url(self) -> str:
        """The hub's public URL without a trailing slash."""

    @property
    def files(self) -> Mapping[str, Files]:
        """The files of the latest version of every skill that is offered, by ``owner/slug``."""

    def version(self, key: str) -> str:
        """The version of a skill that is offered."""

    def rebuild(self) -> None:
        """The second state: ``acme/field-notes`` is 1.1.0, with a file gone and one new."""

    def tampered(self, route: str) -> AbstractContextManager[None]:
        """While the block runs, one byte of this answer is another one."""

    @property
    def requests(self) -> Sequence[str]:
        """What was asked for since the start: paths below the host, in order."""


def notes(version: str) -> dict[str, bytes]:
    """Texts of every kind, a script, a binary, an empty and a Chinese-named file; 1.1.0 differs."""
    text = "---\nname: field-notes\ndescription: Keeps field notes — 野外记录 — in one form.\n---\n\n"
    files = {
        "SKILL.md": f"{text}# Field notes {version}\n\nSee references/format.md.\n".encode(),
        "LICENSE": b"MIT\n",
        "assets/pixel.png": PIXEL,
        "data/empty.txt": b"",
        "references/format.md": f"# Format\r\n\r\nOf {version}.\r\n".encode(),
        "references/说明.md": "# 说明\n".encode(),
        "scripts/check.py": b"#!/usr/bin/env python3\nprint('ok')\n",
    }
    if version == "1.0.0":
        files["references/old.md"] = b"Gone later.\n"
    else:
        files["references/new file.md"] = b"New.\n"
    return files


def sources(state: int, hub: Hub) -> list[Made]:
    """Every skill of the hub in its first or second state."""
    versions: dict[str, Files] = {"1.0.0": notes("1.0.0")}
    if state == 2:
        versions["1.1.0"] = notes("1.1.0")
    plain = {
        "SKILL.md": manifest("plain-text", "Nothing but texts."),
        "references/more.md": "# Mehr – 更多\n".encode(),
        "scripts/run.sh": b"#!/bin/sh\necho hi\n",
    }
    gone = Ruling(yanked=(Withdrawal(Version("1.0.0"), "Loses the last line"),))
    locked = Ruling(quarantined=(Withdrawal(None, "Reported"),))
    made = [
        make("acme/field-notes", versions, hub=hub),
        make("beta/plain-text", plain, hub=hub),
        make("acme/twins", {"SKILL.md": manifest("twins", "Ours.")}, holds_slug=False, hub=hub),
        make("beta/twins", {"SKILL.md": manifest("twins", "Theirs.")}, holds_slug=False, hub=hub),
        make("acme/blocked", {"SKILL.md": manifest("blocked")}, blocked=["1.0.0"], hub=hub),
        make("acme/yanked", {"SKILL.md": manifest("yanked")}, ruling=gone, hub=hub),
        make("acme/locked-away", {"SKILL.md": manifest("locked-away")}, ruling=locked, hub=hub),
        make("gone/alone", {"SKILL.md": manifest("alone")}, blocked=["1.0.0"], hub=hub),
    ]
    return sorted(made, key=lambda one: (one.skill.listing.slug, one.skill.listing.owner))


COLLECTIONS = {"office": ("acme/field-notes", "beta/plain-text"), "nothing": ("acme/blocked",)}


class RouteHub:
    """Serves the routes of these protocols below ``base`` of a port of the loopback interface."""

    def __init__(self, base: str = "", *, scoped_missing: bool = False) -> None:
        """``scoped_missing``: answer as a router does where the index of a page that does not exist is asked for."""
        self._asked: list[str] = []
        self._routes: dict[str, Route] = {}
        self._tampered: set[str] = set()
        self._base = base
        self._scoped_missing = scoped_missing
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._build(1)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """The hub's public URL without a trailing slash."""
        return f"http://127.0.0.1:{self._server.server_port}{self._base}"

    @property
    def files(self) -> Mapping[str, Files]:
        """The files of the latest version of every skill that is offered."""
        return {
            key: {file.path: file.data for file in made.skill.folder.package.files}
            for key, made in self._made.items()
            if made.skill.listing.offered and made.skill.listing.stance.listed
        }

    @property
    def requests(self) -> Sequence[str]:
        """What was asked for."""
        return tuple(self._asked)

    def version(self, key: str) -> str:
        """The version of a skill that is offered."""
        return self._made[key].skill.listing.version

    def rebuild(self) -> None:
        """The second state."""
        self._build(2)

    @contextmanager
    def tampered(self, route: str) -> Iterator[None]:
        """While the block runs, one byte of this answer is another one."""
        assert route in self._routes, f"{route} is no route of this hub"
        self._tampered.add(route)
        try:
            yield
        finally:
            self._tampered.discard(route)

    def stop(self) -> None:
        """End the server."""
        self._server.shutdown()
        self._server.server_close()

    def _build(self, state: int) -> None:
        hub = Hub("Sample hub", "Skills for tests", self.url)
        made = sources(state, hub)
        self._made = {f"{one.skill.listing.owner}/{one.skill.listing.slug}": one for one in made}
        routes = routes_of(made, hub, COLLECTIONS)
        for key, one in self._made.items():
            owner, _, slug = key.partition("/")
            for version in one.archives:
                target = routes[apm.download_target(owner, slug, version)]
                routes[apm.download_route(owner, slug, version)] = target
        self._routes = routes

    def _answer(self, path: str) -> tuple[int, str, bytes]:
        below = unquote(path)
        route = self._routes.get(below.removeprefix(self._base)) if below.startswith(self._base) else None
        if route is None and self._scoped_missing and below.endswith("/.well-known/agent-skills/index.json"):
            route = self._routes["/.well-known/agent-skills/missing.json"]
        if route is None:
            return 404, "text/plain; charset=utf-8", b"Not found"
        body = route.body
        if route.path in self._tampered or below.removeprefix(self._base) in self._tampered:
            at = _payload_of(body)
            body = body[:at] + bytes((body[at] ^ 1,)) + body[at + 1 :]
        return route.status, route.media_type, body

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path = urlsplit(self.path).path
                hub._asked.append(unquote(path))
                status, kind, body = hub._answer(path)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler


def _payload_of(body: bytes) -> int:
    """Where a byte can be changed so that the file stays readable: in a text of a zip, else in the middle."""
    at = body.find(b"# ")
    return at + 2 if at >= 0 else len(body) // 2
