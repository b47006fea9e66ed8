"""What a probe says of hosts that break a hub, each in one way; and that it never ends with a traceback."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from generator.cli.probe import command
from generator.hosting.expectations import Level
from generator.hosting.profiles import find_hosting
from generator.probe.model import ProbeReport, Weight
from generator.probe.run import probe
from generator.probe.sampling import ProbeError
from generator.read.sources.http.transport import HttpTransport
from generator.write.publish import WORK_FOLDER
from tests.build.hubs import LittleHub
from tests.conformance.pages_server import serve_pages
from tests.conformance.samples import NEW, build_hub
from tests.hubs import free_port

SCHEMA = Path(__file__).resolve().parents[2] / "generator" / "probe" / "schemas" / "probe.schema.json"


@pytest.fixture(scope="session")
def hub(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A published hub, and the port it was built for."""
    port = free_port()
    folder = tmp_path_factory.mktemp("probed")
    url = f"http://127.0.0.1:{port}/hub"
    return _publish(build_hub(folder / "hub", url, "github-pages"), folder / "published"), port


def _publish(built: LittleHub, published: Path) -> Path:
    """The output as the recipes publish it."""
    shutil.copytree(built.out, published, ignore=shutil.ignore_patterns(WORK_FOLDER))
    return published


def _probe(tree: Path, port: int, **options: Any) -> ProbeReport:
    hidden, missing = options.pop("hidden", True), options.pop("missing", 404)
    url = f"http://127.0.0.1:{port}/hub"
    with serve_pages(tree, port, "/hub", hidden=hidden, missing=missing):
        return probe(url, HttpTransport(url), skill="acme/alpha", **options)


def _naive_download(tree: Path) -> None:
    target = tree / "api/v1/download/index.html"
    target.parent.mkdir(parents=True)
    shutil.copy(tree / f"dl/acme/alpha-{NEW}.zip", target)


def _other_build(tree: Path) -> None:
    file = tree / "search" / "index.json"
    file.write_bytes(file.read_bytes().replace(b'"Conformance"', b'"Another"'))


def _stale_list(tree: Path) -> None:
    file = tree / "api/v1/skills/index.html"
    file.write_bytes(file.read_bytes() + b"\n")


def _active_file(tree: Path) -> None:
    for folder in ("agentskills/alpha", ".well-known/skills/alpha"):
        (tree / folder / "references/notes.md").unlink(missing_ok=True)
    file = tree / "agentskills/alpha/SKILL.md"
    file.rename(file.with_name("SKILL.md.html"))  # a host that "cleans" addresses


def _tampered_archive(tree: Path) -> None:
    file = tree / f"dl/acme/alpha-{NEW}.zip"
    data = bytearray(file.read_bytes())
    data[data.index(b"Anew")] ^= 1
    file.write_bytes(data)


def _html_not_found(tree: Path) -> None:
    (tree / "404.html").write_bytes(b"<!doctype html>\n<h1>Not found</h1>\n")


def _public_work_folder(tree: Path) -> None:
    (tree / WORK_FOLDER).mkdir()
    (tree / WORK_FOLDER / "memory.json").write_bytes(b"{}")


def _no_archives(tree: Path) -> None:
    shutil.rmtree(tree / "dl")


def _no_root(tree: Path) -> None:
    (tree / "hub.json").unlink()


def _moved(tree: Path) -> None:
    file = tree / "hub.json"
    file.write_bytes(file.read_bytes().replace(b"/hub", b"/elsewhere"))


HARMS: tuple[tuple[str, Callable[[Path], None]], ...] = (
    ("wrong-skill", _naive_download),
    ("stale", _other_build),
    ("stale", _stale_list),
    ("active-files", _active_file),
    ("html-not-found", _html_not_found),
    ("work-folder", _public_work_folder),
    ("no-archive", _no_archives),
    ("no-root", _no_root),
    ("address", _moved),
)


@pytest.mark.parametrize(("code", "harm"), HARMS, ids=[f"{code}-{harm.__name__}" for code, harm in HARMS])
def test_each_harm_is_named(
    code: str, harm: Callable[[Path], None], hub: tuple[Path, int], tmp_path: Path
) -> None:
    tree, port = hub
    before = _probe(tree, port)
    assert code not in {one.code for one in before.troubles}
    harmed = tmp_path / "harmed"
    shutil.copytree(tree, harmed)
    harm(harmed)
    after = _probe(harmed, port)
    found = {one.code: one for one in after.troubles}
    assert code in found
    assert found[code].fix[0].isupper()
    assert after.ok is (found[code].weight is not Weight.BROKEN)


def test_a_host_that_drops_dot_folders_is_told_so_and_nobody_is_called_absent_for_it(
    hub: tuple[Path, int],
) -> None:
    tree, port = hub
    report = _probe(tree, port, hidden=False)
    assert "dot-folders" in {one.code for one in report.troubles}
    assert not report.ok
    levels = {one.client: one.level for one in report.clients}
    assert levels["skills"] is Level.FAILS
    assert levels["hermes"] is Level.FAILS


@pytest.mark.parametrize(
    ("missing", "code", "ok"),
    [(403, "forbidden", True), (200, "catch-all", False), (500, "no-not-found", False)],
)
def test_a_host_without_a_404_is_told_so(missing: int, code: str, ok: bool, hub: tuple[Path, int]) -> None:
    tree, port = hub
    report = _probe(tree, port, missing=missing)
    assert code in {one.code for one in report.troubles}
    assert report.ok is ok


@pytest.mark.parametrize(
    ("client", "path"),
    [
        ("people", f"dl/acme/alpha-{NEW}.zip"),
        ("skills", f"dl/acme/alpha-{NEW}.zip"),
        ("claude-code", f"dl/acme/alpha-{NEW}.tgz"),
        ("skill-archives", f"dl/acme/alpha-{NEW}.skill"),
        ("hermes", ".well-known/skills/alpha/SKILL.md"),
        ("agentskills-http", "agentskills/alpha/SKILL.md"),
        ("qwenpaw", "bundles/acme/alpha.json"),
    ],
)
def test_one_tampered_byte_is_seen(client: str, path: str, hub: tuple[Path, int], tmp_path: Path) -> None:
    tree, port = hub
    harmed = tmp_path / "harmed"
    shutil.copytree(tree, harmed)
    file = harmed / path
    data = file.read_bytes()
    # The last byte of the text that is stored; a compressed stream is cut in its middle.
    at = data.find(b"Do the new thing")
    at = at if at >= 0 else len(data) // 2
    file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    levels = {one.client: one.level for one in _probe(tree, port).clients}
    assert levels[client] is Level.WORKS
    levels = {one.client: one.level for one in _probe(harmed, port).clients}
    assert levels[client] is Level.FAILS


def test_a_hosting_that_can_do_better_is_held_to_it(hub: tuple[Path, int]) -> None:
    tree, port = hub
    assert _probe(tree, port, hosting=find_hosting("github-pages")).worse == ()
    report = _probe(tree, port, hosting=find_hosting("nginx"))
    assert {"clawhub", "deeptutor", "apm"} <= set(report.worse)
    assert not report.ok


OFF = {
    "clawhub": {"clawhub", "clawhub-old", "deeptutor", "openclaw", "hermes-clawhub"},
    "well_known_skills": {"hermes"},
    "agent_skills": {"skills"},
    "claude_code": {"claude-code"},
    "apm": {"apm"},
    "bundles": {"qwenpaw"},
    "agentskills_http": {"agentskills-http"},
    "skill_archives": {"skill-archives"},
}
"""By protocol the clients that have nothing to read where it is switched off."""


@pytest.mark.parametrize("off", [*OFF, "all but clawhub", "all but claude_code", "all"])
def test_what_is_switched_off_is_not_offered_and_nothing_is_broken(off: str, tmp_path: Path) -> None:
    kept = off.removeprefix("all but ") if " " in off else None
    chosen = [off] if off in OFF else [one for one in OFF if one != kept]
    port = free_port()
    url = f"http://127.0.0.1:{port}/hub"
    lines = "".join(f"  {one}: no\n" for one in chosen)
    tree = _publish(build_hub(tmp_path / "hub", url, "github-pages", protocols=lines), tmp_path / "published")
    report = _probe(tree, port, hosting=find_hosting("github-pages"))
    absent = {one.client for one in report.clients if one.level is Level.ABSENT}
    assert absent == set().union(*(OFF[one] for one in chosen))
    assert report.worse == ()
    assert [one for one in report.troubles if one.weight is Weight.BROKEN] == []
    codes = {one.code for one in report.troubles}
    assert bool(codes & {"no-queries", "no-post", "redirects", "discovery"}) is ("clawhub" not in chosen)
    # Where no program can install, the hub serves people alone, and that is told as a failure.
    assert report.ok is (off not in ("all", "all but clawhub"))


@pytest.mark.parametrize(
    ("client", "path"),
    [
        ("hermes", ".well-known/skills/index.json"),
        ("skills", "acme/skills/alpha/.well-known/agent-skills/index.json"),
        ("claude-code", "claude/marketplace.json"),
        ("agentskills-http", "agentskills/index.json"),
        ("skill-archives", f"dl/acme/alpha-{NEW}.skill"),
    ],
)
def test_what_is_offered_and_missing_is_not_called_switched_off(
    client: str, path: str, hub: tuple[Path, int], tmp_path: Path
) -> None:
    tree, port = hub
    harmed = tmp_path / "harmed"
    shutil.copytree(tree, harmed)
    (harmed / path).unlink()
    report = _probe(harmed, port, hosting=find_hosting("github-pages"))
    levels = {one.client: one.level for one in report.clients}
    assert levels[client] is Level.FAILS
    assert client in report.worse


def test_a_skill_that_a_protocol_cannot_carry_is_told(hub: tuple[Path, int]) -> None:
    """A bundle holds texts only, and ``shared`` has a picture."""
    tree, port = hub
    url = f"http://127.0.0.1:{port}/hub"
    with serve_pages(tree, port, "/hub"):
        report = probe(url, HttpTransport(url), skill="bolt/shared")
    found = next(one for one in report.clients if one.client == "qwenpaw")
    assert found.level is Level.PART
    assert "no bundle" in found.reasons[0]


def test_the_command_prints_a_table_and_json_that_fits_its_schema(hub: tuple[Path, int]) -> None:
    tree, port = hub
    url = f"http://127.0.0.1:{port}/hub"
    with serve_pages(tree, port, "/hub"):
        plain = CliRunner().invoke(command, [f"{url}/", "--hosting", "github-pages"])
        typed = CliRunner().invoke(command, [f"{url}/hub.json", "--json", "--skill", "bolt/beta"])
        less = CliRunner().invoke(command, [url, "--hosting", "caddy"])
        none = CliRunner().invoke(command, [url, "--skill", "acme/none"])
    assert plain.exit_code == 0, plain.output
    assert "People with a browser" in plain.output
    assert "[no-queries]" in plain.output
    document = json.loads(typed.output)
    jsonschema.validate(document, json.loads(SCHEMA.read_bytes()))
    assert document["skill"] == "bolt/beta"
    assert less.exit_code == 1
    assert "this hosting can do better" in less.output
    assert isinstance(none.exception, ProbeError)
    assert "acme/none" in str(none.exception)


BODIES = (
    b"", b"[]", b"null", b"1", b'"x"', b"{", b"{}", b"\xff\xfe", b"[" * 100_000, b'{"items":1}',
    b'{"items":[1,null,{"slug":1}],"skills":[{}],"results":[[]],"plugins":[1],"versions":[[]]}',
    b'{"items":[{"slug":"alpha","ownerHandle":"../x","latestVersion":{"version":"1.0.0"}}]}',
    b'{"documents":{"/x":1,"y":2},"url":5,"skills":["a"],"files":{"a":1},"name":"x"}',
)  # fmt: skip


@contextmanager
def _liar(body: bytes, good: Path | None, port: int) -> Iterator[None]:
    """A server that gives one body for everything but the list and the documents of ``good``."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            path = self.path.partition("?")[0].removeprefix("/hub")
            file = good / path.lstrip("/") if good else None
            right = file is not None and path.startswith(("/search/", "/ledger/")) and file.is_file()
            self._send(file.read_bytes() if right and file else body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self._send(body)

        def _send(self, data: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_no_answer_ends_a_probe_with_a_traceback(body: bytes, hub: tuple[Path, int]) -> None:
    tree, port = hub
    url = f"http://127.0.0.1:{port}/hub"
    with _liar(body, None, port), pytest.raises(ProbeError, match=r"[.]$"):
        probe(url, HttpTransport(url))
    with _liar(body, tree, port):
        report = probe(url, HttpTransport(url), skill="acme/alpha")
    assert not report.ok
    assert all(one.level is not Level.WORKS for one in report.clients)


def test_where_nobody_answers_it_says_so() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(ProbeError, match="gives no answer"):
        probe(url, HttpTransport(url))
    for wrong in ("ftp://host/", "hub", "http://", "https://host/?q=1"):
        with pytest.raises(ProbeError):
            probe(wrong, HttpTransport(wrong))
