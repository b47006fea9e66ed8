"""The servers that the conformance suite runs against. **To add one, add an entry to** :data:`SERVERS`.

A server is a name, the kind whose column of ``generator/hosting/expectations.py`` it must prove, and a function that
serves a built hub for as long as its context lasts.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from generator.hosting.configure import ServerSettings, Where, configure
from generator.hosting.expectations import Level
from generator.hosting.facts import HubFacts
from generator.hosting.profiles import HOSTINGS, Kind
from generator.write.layout import Layout, Naming
from generator.write.publish import WORK_FOLDER
from tests.conformance.objects_server import serve_objects, upload
from tests.conformance.pages_server import serve_pages
from tests.deps import webservers
from tests.deps.install import DEPS
from tests.hosting.facts import read_facts
from tests.hubs import COMMAND, minimal_environment

ENGINE = DEPS / "netlify-redirector" / "node_modules" / "netlify-redirector"
START_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server serves: the built tree, a folder for its own files, its port and the path of the hub's URL."""

    tree: Path
    work: Path
    port: int
    base: str

    @property
    def url(self) -> str:
        """The hub's URL."""
        return f"http://127.0.0.1:{self.port}{self.base}"

    def facts(self) -> HubFacts:
        """What the configuration must know."""
        return read_facts(self.tree, self.url)


Serve = Callable[[Place], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Server:
    """One server. ``pending`` are clients that do not get as far as the table says yet, because our own server does
    not know their protocol; ``packages_at`` see ``samples``."""

    kind: Kind
    layout: Layout
    naming: Naming
    serve: Serve
    base: str
    packages_at: str
    pending: Mapping[str, Level] = field(default_factory=dict)


def lay_configuration(name: str, place: Place, **settings: str) -> HubFacts:
    """Write the configuration of a hosting: into the tree, and beside it into the work folder."""
    facts = place.facts()
    said = replace(ServerSettings(root=str(place.tree), configuration=str(place.work / "nginx")), **settings)
    for file in configure(HOSTINGS[name], facts, said):
        target = (place.tree if file.where is Where.TREE else place.work) / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)
    return facts


@contextmanager
def run_program(command: Sequence[str | Path], place: Place, **environment: str) -> Iterator[None]:
    """Run a server until the block ends, once it listens on the place's port."""
    log = place.work / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(part) for part in command], cwd=place.work, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, env=minimal_environment(place.work, **environment),
        )  # fmt: skip
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(place.port):
            assert process.poll() is None, f"{command[0]} ended:\n{log.read_text(errors='replace')[-3000:]}"
            assert time.monotonic() < deadline, f"{command[0]} does not listen:\n{log.read_text()[-3000:]}"
            time.sleep(0.02)
        yield
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
        if process.poll() is None:
            process.kill()
            process.wait(timeout=10)


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@contextmanager
def _skillpress(place: Place) -> Iterator[None]:
    command = [COMMAND, "serve", place.tree, "--no-build", "--host", "127.0.0.1", "--port", str(place.port)]
    with run_program(command, place):
        yield


@contextmanager
def _nginx(place: Place) -> Iterator[None]:
    need(*webservers.PRESENT)
    lay_configuration("nginx", place, listen=f"127.0.0.1:{place.port}")
    (place.work / "tmp").mkdir(exist_ok=True)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {place.work}/tmp/{kind};" for kind in kinds)
    user = "user root;" if os.geteuid() == 0 else ""
    (place.work / "nginx.conf").write_text(
        f"{user} daemon off; worker_processes 1; pid {place.work}/pid; error_log stderr;\nevents {{ }}\n"
        f"http {{ access_log off; {folders} include {place.work}/nginx/hub.conf; }}\n"
    )
    with run_program([webservers.NGINX, "-p", place.work, "-c", place.work / "nginx.conf"], place):
        yield


@contextmanager
def _caddy(place: Place) -> Iterator[None]:
    need(*webservers.PRESENT)
    lay_configuration("caddy", place, address=f"http://127.0.0.1:{place.port}")
    config = place.work / "caddy" / "Caddyfile"
    config.write_text("{\n\tadmin off\n}\n" + config.read_text())
    with run_program([webservers.CADDY, "run", "--config", config, "--adapter", "caddyfile"], place):
        yield


@contextmanager
def _pages(place: Place) -> Iterator[None]:
    lay_configuration("github-pages", place)
    with serve_pages(_published(place), place.port, place.base):
        yield


@contextmanager
def _objects(place: Place) -> Iterator[None]:
    lay_configuration("s3", place)
    store = place.work / "store"
    upload(place.work / "upload-s3.sh", place.tree, store)
    with serve_objects(store, place.port, place.base):
        yield


@contextmanager
def _netlify(place: Place) -> Iterator[None]:
    need(ENGINE)
    lay_configuration("netlify", place)
    script = Path(__file__).with_name("netlify_server.cjs")
    with run_program(["node", script, ENGINE, _published(place), str(place.port)], place):
        yield


def _published(place: Place) -> Path:
    """A copy of the tree as the recipes publish it: the work folder stays at home."""
    published = place.work / "published"
    shutil.copytree(place.tree, published, ignore=shutil.ignore_patterns(WORK_FOLDER))
    return published


def need(*files: Path) -> None:
    """Fail, never skip, where a program is not there."""
    gone = [file.name for file in files if not file.exists()]
    if gone:
        pytest.fail(f"not installed: {', '.join(gone)}; run `make test`", pytrace=False)


_JSON, _HTML = "versions/index.json", "versions/index.html"
_PENDING: Mapping[str, Level] = {"apm": Level.ABSENT, "skills": Level.FAILS}
_PACKED, _EXPLODED = Layout.PACKED, Layout.EXPLODED
SERVERS: Mapping[str, Server] = {
    "serve-packed": Server(
        Kind.SERVE, _PACKED, Naming.INDEX_HTML, _skillpress, "/hub", "versions.json", _PENDING
    ),
    "serve-exploded": Server(
        Kind.SERVE, _EXPLODED, Naming.INDEX_HTML, _skillpress, "/hub", "versions.json", _PENDING
    ),
    "nginx": Server(Kind.NGINX, _EXPLODED, Naming.INDEX_JSON, _nginx, "/hub", _JSON),
    "nginx-root": Server(Kind.NGINX, _EXPLODED, Naming.INDEX_HTML, _nginx, "", _HTML),
    "caddy": Server(Kind.CADDY, _EXPLODED, Naming.INDEX_JSON, _caddy, "/hub", _JSON),
    "caddy-root": Server(Kind.CADDY, _EXPLODED, Naming.INDEX_HTML, _caddy, "", _HTML),
    "github-pages": Server(Kind.PAGES, _EXPLODED, Naming.INDEX_HTML, _pages, "/hub", _HTML),
    "s3": Server(Kind.OBJECTS, _EXPLODED, Naming.INDEX_HTML, _objects, "/hub", _HTML),
    "netlify-rules": Server(Kind.RULES, _EXPLODED, Naming.INDEX_HTML, _netlify, "", _HTML),
}
"""Every server by name. The edges (workerd, Deno) register here."""
