"""The servers that the conformance suite runs against. **To add one, add an entry to** :data:`SERVERS`.

A server is the hosting that the hub is built for, the kind whose column of ``generator/hosting/expectations.py`` it
must prove, and a function that serves the built hub, with the configuration that the build wrote, for as long as its
context lasts.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator.hosting.profiles import Kind
from generator.write.publish import WORK_FOLDER
from tests.conformance.objects_server import serve_objects, upload
from tests.conformance.pages_server import serve_pages
from tests.deps import edges, webservers
from tests.hubs import COMMAND, free_port, minimal_environment

HERE = Path(__file__).parent
START_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server serves: the built tree with the configuration beside it, a folder for the server's own files, its
    port and the path of the hub's URL."""

    tree: Path
    work: Path
    port: int
    base: str

    @property
    def beside(self) -> Path:
        """The folder that holds the published one."""
        return self.tree.parent

    @property
    def url(self) -> str:
        """The hub's URL."""
        return f"http://127.0.0.1:{self.port}{self.base}"


Serve = Callable[[Place], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Server:
    """One server. ``hosting`` is None for a hub that was built for ``skillpress serve``, exploded."""

    kind: Kind
    hosting: str | None
    serve: Serve
    base: str


@contextmanager
def run_program(
    command: Sequence[str | Path], place: Place, *, port: int = 0, log: str = "log"
) -> Iterator[None]:
    """Run a server until the block ends, once it listens on ``port`` (the place's where 0)."""
    file = place.work / log
    with file.open("wb") as output:
        process = subprocess.Popen(
            [str(part) for part in command], cwd=place.work, stdin=subprocess.PIPE, stdout=output,
            stderr=subprocess.STDOUT, env=minimal_environment(place.work),
        )  # fmt: skip
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(port or place.port):
            assert process.poll() is None, f"{command[0]} ended:\n{file.read_text(errors='replace')[-3000:]}"
            assert time.monotonic() < deadline, f"{command[0]} does not listen:\n{file.read_text()[-3000:]}"
            time.sleep(0.02)
        yield
    finally:
        assert process.stdin is not None
        process.stdin.close()
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
def _container(place: Place) -> Iterator[None]:
    """What the image would hold and run, without the image: what is ignored is not copied."""
    recipe = (place.beside / "Containerfile").read_text()
    ignored = (place.beside / ".containerignore").read_text().split()
    copied = re.search(r"^COPY (\S+) /srv/hub$", recipe, re.MULTILINE)
    command = re.search(r"^CMD (\[.*\])$", recipe, re.MULTILINE)
    assert copied is not None
    assert command is not None
    image = place.work / "image"
    shutil.copytree(place.beside / copied[1], image, ignore=_ignore(place.beside, ignored))
    told = {
        "skillpress": str(COMMAND),
        "/srv/hub": str(image),
        "0.0.0.0": "127.0.0.1",
        "8000": str(place.port),
    }
    with run_program([told.get(word, word) for word in json.loads(command[1])], place):
        yield


@contextmanager
def _nginx(place: Place) -> Iterator[None]:
    need(*webservers.PRESENT)
    _configuration(place, "nginx", {"listen 80;": f"listen 127.0.0.1:{place.port};",
                                    "/etc/nginx/hub": f"{place.work}/nginx"})  # fmt: skip
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
    _configuration(place, "caddy", {"\n127.0.0.1 {": f"\nhttp://127.0.0.1:{place.port} {{"})
    config = place.work / "caddy" / "Caddyfile"
    config.write_text("{\n\tadmin off\n}\n" + config.read_text())
    with run_program([webservers.CADDY, "run", "--config", config, "--adapter", "caddyfile"], place):
        yield


def _configuration(place: Place, folder: str, changes: Mapping[str, str]) -> None:
    """Copy what the build wrote beside the hub, with what only this machine knows: ports and folders."""
    for file in sorted((place.beside / folder).iterdir()):
        text = file.read_text()
        for old, new in {**changes, "/srv/hub": str(place.tree)}.items():
            text = text.replace(old, new)
        target = place.work / folder / file.name
        target.parent.mkdir(exist_ok=True)
        target.write_text(text)


@contextmanager
def _pages(place: Place) -> Iterator[None]:
    assert (place.tree / ".nojekyll").is_file()
    with serve_pages(_published(place), place.port, place.base):
        yield


@contextmanager
def _objects(place: Place) -> Iterator[None]:
    store = place.work / "store"
    upload(place.beside / "upload-s3.sh", place.tree, store)
    with serve_objects(store, place.port, place.base):
        yield


@contextmanager
def _netlify_rules(place: Place) -> Iterator[None]:
    with _netlify_site(place, place.port):
        yield


@contextmanager
def _netlify_site(place: Place, port: int) -> Iterator[None]:
    need(webservers.NETLIFY)
    command = ["node", HERE / "netlify_server.cjs", webservers.NETLIFY, _published(place), str(port)]
    with run_program(command, place, port=port, log="site.log"):
        yield


@contextmanager
def _netlify_edge(place: Place) -> Iterator[None]:
    """The edge function in Deno; what it lets pass, Netlify's rules and files answer."""
    behind = free_port()
    entry = place.beside / "netlify" / "edge-functions" / "hub.js"
    with _netlify_site(place, behind), _deno(place, entry, f"http://127.0.0.1:{behind}"):
        yield


@contextmanager
def _vercel(place: Place) -> Iterator[None]:
    """The middleware in Deno; what it lets pass, the files of the output folder answer."""
    settings = json.loads((place.beside / "vercel.json").read_bytes())
    ignored = (place.beside / ".vercelignore").read_text().split()
    deployed = place.work / "deployed"
    shutil.copytree(
        place.beside / settings["outputDirectory"], deployed, ignore=_ignore(place.beside, ignored)
    )
    with _deno(place, place.beside / "middleware.js", str(deployed)):
        yield


@contextmanager
def _deno(place: Place, entry: Path, behind: str) -> Iterator[None]:
    need(edges.DENO)
    flags = [
        "--no-config",
        "--no-lock",
        "--no-prompt",
        "--no-remote",
        "--allow-net",
        "--allow-read",
        "--allow-env",
    ]
    script = HERE / "edge_site.mjs"
    with run_program([edges.DENO, "run", *flags, script, entry.as_uri(), behind, str(place.port)], place):
        yield


@contextmanager
def _cloudflare(place: Place) -> Iterator[None]:
    need(edges.WORKERD, edges.MODULES / "miniflare")
    script = HERE / "cloudflare_server.mjs"
    miniflare = edges.MODULES / "miniflare" / "dist" / "src" / "index.js"
    with run_program(["node", script, miniflare, place.beside / "wrangler.jsonc", str(place.port)], place):
        yield


def _ignore(beside: Path, ignored: Sequence[str]) -> Callable[[str, list[str]], set[str]]:
    """For ``copytree``: what a file of ignored paths names."""
    return lambda folder, names: {
        name for name in names if (Path(folder) / name).relative_to(beside).as_posix() in ignored
    }


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


SERVERS: Mapping[str, Server] = {
    "serve": Server(Kind.SERVE, "plain", _skillpress, "/hub"),
    "serve-exploded": Server(Kind.SERVE, None, _skillpress, "/hub"),
    "container": Server(Kind.SERVE, "container", _container, ""),
    "nginx": Server(Kind.NGINX, "nginx", _nginx, "/hub"),
    "nginx-root": Server(Kind.NGINX, "nginx", _nginx, ""),
    "caddy": Server(Kind.CADDY, "caddy", _caddy, "/hub"),
    "caddy-root": Server(Kind.CADDY, "caddy", _caddy, ""),
    "github-pages": Server(Kind.PAGES, "github-pages", _pages, "/hub"),
    "s3": Server(Kind.OBJECTS, "s3", _objects, "/hub"),
    "netlify-rules": Server(Kind.RULES, "netlify", _netlify_rules, ""),
    "netlify": Server(Kind.EDGE, "netlify", _netlify_edge, ""),
    "cloudflare": Server(Kind.EDGE, "cloudflare", _cloudflare, "/hub"),
    "vercel": Server(Kind.EDGE, "vercel", _vercel, ""),
}
"""Every server by name; ``netlify-rules`` is Netlify where the edge function was not deployed."""


def server_params(*names: str) -> list[object]:
    """Parameters of a test: servers by name (all where none is named). All tests of one run in one process, so each is
    built and started once."""
    return [
        pytest.param(name, marks=pytest.mark.xdist_group(f"conformance-{name}")) for name in names or SERVERS
    ]
