"""A hub is as its root document promises, or every promise that is not kept is named."""

from __future__ import annotations

import functools
import hashlib
import http.server
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from generator.verify.places import FolderPlace, PlaceError, UrlPlace, open_place
from generator.verify.report import Problem
from generator.verify.run import verify
from generator.write.layout import Naming, file_for, withheld_file
from tests.build.hubs import LittleHub, skill_text
from tests.cli.test_commands import serving

LAYOUTS = ("exploded", "packed")


def built(tmp_path: Path, layout: str) -> LittleHub:
    hub = LittleHub(tmp_path, layout=layout)
    hub.put("skills/pdf", {"SKILL.md": skill_text("pdf", version="1.0.0"), "a.txt": "one"})
    hub.put("skills/docx", {"SKILL.md": skill_text("docx", version="2.0.0")})
    hub.build()
    hub.put("skills/pdf", {"SKILL.md": skill_text("pdf", version="1.1.0"), "a.txt": "two"})
    hub.build()
    return hub


def edit(path: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def damage(out: Path) -> None:
        (out / path).write_bytes(change((out / path).read_bytes()))

    return damage


def remove(path: str) -> Callable[[Path], None]:
    return lambda out: (out / path).unlink()


def write(path: str, data: bytes) -> Callable[[Path], None]:
    def damage(out: Path) -> None:
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(data)

    return damage


def instead(make: Callable[[Path], None]) -> Callable[[Path], None]:
    def damage(out: Path) -> None:
        (out / "404.html").unlink()
        make(out / "404.html")

    return damage


DAMAGES: dict[str, tuple[Callable[[Path], None], set[tuple[Problem, str]]]] = {
    # name: damage, what is wrong and where
    "an archive gone": (remove("dl/local/pdf-1.0.0.zip"), {(Problem.MISSING, "dl/local/pdf-1.0.0.zip")}),
    "an archive changed": (
        edit("dl/local/pdf-1.1.0.zip", lambda data: data[:-1] + b"x"), {(Problem.CHANGED, "dl/local/pdf-1.1.0.zip")}
    ),
    "an archive cut off": (
        edit("dl/local/docx-2.0.0.zip", lambda data: data[:40]), {(Problem.CHANGED, "dl/local/docx-2.0.0.zip")}
    ),
    "a ledger gone": (remove("ledger/local/pdf.jsonl"), {(Problem.MISSING, "ledger/local/pdf.jsonl")}),
    "a ledger edited": (
        edit("ledger/local/pdf.jsonl", lambda data: data.replace(b"1.0.0", b"1.0.9", 1)),
        {(Problem.BROKEN, "ledger/local/pdf.jsonl")},
    ),
    "a ledger's last line gone": (
        edit("ledger/local/pdf.jsonl", lambda data: data[: data.index(b"\n") + 1]),
        {(Problem.CHANGED, "ledger/local/pdf.jsonl")},
    ),
    "the index of ledgers edited": (
        edit("ledger/index.json", lambda data: data.replace(b"local/pdf", b"local/pde")),
        {(Problem.CHANGED, "ledger/index.json")},
    ),
    "a list edited": (
        edit("search/index.json", lambda data: data.replace(b"docx", b"dock")),
        {(Problem.CHANGED, "search/index.json")},
    ),
    "the router's index gone": (remove("router.json"), {(Problem.MISSING, "router.json")}),
    "a page changed, as long as before": (
        edit("404.html", lambda data: data.replace(b"html", b"htmk")), {(Problem.CHANGED, "404.html")}
    ),
    "a page gone": (remove("browse/index.html"), {(Problem.MISSING, "browse/index.html")}),
    "a link in the place of a file": (
        instead(lambda path: path.symlink_to("index.html")), {(Problem.CHANGED, "404.html")},
    ),
    "a pipe in the place of a file": (
        instead(os.mkfifo), {(Problem.CHANGED, "404.html")},
    ),
    "a feed changed": (
        edit("feeds/hub.xml", lambda data: data.replace(b"PDF", b"FDP")), {(Problem.CHANGED, "feeds/hub.xml")}
    ),
    "a change gone": (remove("changes/1.json"), {(Problem.MISSING, "changes/1.json")}),
    "a change edited": (edit("changes/1.json", lambda data: data + b" "), {(Problem.CHANGED, "changes/1.json")}),
    "the state edited": (
        edit("changes/state.json", lambda data: data.replace(b"404.html", b"405.html")),
        {(Problem.CHANGED, "changes/state.json")},
    ),
    "the index of changes edited": (
        edit("changes/index.json", lambda data: data + b" "), {(Problem.CHANGED, "changes/index.json")}
    ),
    "an archive nobody knows": (
        write("dl/local/pdf-9.0.0.zip", b"PK"), {(Problem.EXTRA, "dl/local/pdf-9.0.0.zip")}
    ),
    "a page nobody knows": (write("login/index.html", b"x"), {(Problem.EXTRA, "login/index.html")}),
    "a ledger nobody knows": (write("ledger/local/more.jsonl", b""), {(Problem.EXTRA, "ledger/local/more.jsonl")}),
    "a change nobody knows": (write("changes/99.json", b"{}"), {(Problem.EXTRA, "changes/99.json")}),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_single_file_is_promised(tmp_path: Path, layout: str) -> None:
    """No file can be changed without being named, whatever its length."""
    hub = built(tmp_path, layout)
    naming = {"hub.json", "changes/index.json", "changes/state.json", "ledger/index.json", "router.json"}
    changed = set(hub.files()) - naming
    assert len(changed) > 50
    for path in changed:
        (hub.out / path).write_bytes(b"x" * (hub.out / path).stat().st_size)
    # Documents are named by their route, all others by their path.
    told = {one.path for one in verify(open_place(str(hub.out))).failures}
    assert {path if path in changed else file_for(f"/{path}", Naming.INDEX_HTML) for path in told} == changed


QUARANTINE = "quarantine: {local/pdf@1.0.0: Sends the environment to a server.}\n"
HELD = "dl/local/pdf-1.0.0.zip"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_archives_that_are_held_back(tmp_path: Path, layout: str) -> None:
    hub = built(tmp_path, layout)
    (hub.root / "overlay").mkdir()
    (hub.root / "overlay/decisions.yml").write_text(QUARANTINE)
    hub.build()
    hidden = hub.out / withheld_file(HELD)
    body = hidden.read_bytes()
    assert verify(open_place(str(hub.out))).failures == ()
    # A plain host would give it out.
    (hub.out / HELD).write_bytes(body)
    found = verify(open_place(str(hub.out)))
    assert [(one.problem, one.path) for one in found.failures] == [(Problem.EXTRA, HELD)]
    (hub.out / HELD).unlink()
    hidden.write_bytes(body + b"x")
    found = verify(open_place(str(hub.out)))
    assert [(one.problem, one.path) for one in found.failures] == [(Problem.CHANGED, withheld_file(HELD))]
    hidden.unlink()  # as in a copy that was published
    assert verify(open_place(str(hub.out))).failures == ()


@pytest.mark.parametrize(
    "body",
    [b"[" * 99_999, b'{"schema":"skillpress.hub.v1","x":' + b"[" * 99_999, b"\xff", b"null", b'"x"', b"1e999"],
    ids=["deep", "deep below", "no text", "null", "text", "infinite"],
)  # fmt: skip
def test_a_hostile_root_document_ends_in_one_sentence(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "hub.json").write_bytes(body)
    with pytest.raises(PlaceError):
        verify(open_place(str(tmp_path)))


HOSTILE = {
    "ledgers outside of the hub": ("ledger/index.json", b'{"heads":{"../../etc/x":"' + b"0" * 64 + b'"}}'),
    "ledgers that are a list": ("ledger/index.json", b'{"heads":[1]}'),
    "a deep index of ledgers": ("ledger/index.json", b'{"heads":' + b"[" * 200_000),
    "statuses that are a list": ("router.json", b'{"statuses":[410]}'),
    "a deep router": ("router.json", b"[" * 200_000),
    "a deep index of changes": ("changes/index.json", b"[" * 200_000),
    "changes that are no list": ("changes/index.json", b'{"schema":"skillpress.changes.v1","changes":{}}'),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hub_that_promises_nonsense_is_told_of(tmp_path: Path, name: str) -> None:
    path, body = HOSTILE[name]
    hub = built(tmp_path, "packed")
    (hub.out / path).write_bytes(body)
    root = json.loads((hub.out / "hub.json").read_bytes())
    root["documents"][f"/{path}"] = hashlib.sha256(body).hexdigest()
    (hub.out / "hub.json").write_text(json.dumps(root))
    found = verify(open_place(str(hub.out)))
    assert path in {one.path for one in found.failures if one.problem is Problem.BROKEN}, found.failures


def test_a_state_that_names_files_elsewhere_reads_none_of_them(tmp_path: Path) -> None:
    hub = built(tmp_path, "packed")
    state = json.loads((hub.out / "changes/state.json").read_bytes())
    paths = ["../secret", "/etc/passwd", ".skillpress/lock", "a/../../b", "..", "", "hub.json"]
    for path in paths:
        state["files"][path] = ["0" * 64, 1]
    body = json.dumps(state).encode()
    (hub.out / "changes/state.json").write_bytes(body)
    index = json.loads((hub.out / "changes/index.json").read_bytes())
    index["state"] = {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body)}
    (hub.out / "changes/index.json").write_text(json.dumps(index))
    root = json.loads((hub.out / "hub.json").read_bytes())
    digest = hashlib.sha256((hub.out / "changes/index.json").read_bytes()).hexdigest()
    root["documents"]["/changes/index.json"] = digest
    (hub.out / "hub.json").write_text(json.dumps(root))
    told = [one.message for one in verify(open_place(str(hub.out))).failures if one.problem is Problem.BROKEN]
    assert told, "nothing is said of the paths"
    assert all("changes/state.json" in one for one in told)


def test_a_hub_behind_our_server_is_verified_to_the_last_file(tmp_path: Path) -> None:
    hub = built(tmp_path, "packed")
    with serving("public", "--no-build", cwd=hub.root) as url:
        found = verify(open_place(url))
        assert (found.failures, found.files > 50) == ((), True)
        (hub.out / "packs/local/pdf.json").write_bytes(b"{}")
        assert "packs/local/pdf.json" in {one.path for one in verify(open_place(url)).failures}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_hub_that_was_built_keeps_every_promise(tmp_path: Path, layout: str) -> None:
    found = verify(open_place(str(built(tmp_path, layout).out)))
    assert found.failures == ()
    assert (found.ledgers, found.releases, found.archives) == (2, 3, 3)
    assert found.documents >= 5


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", DAMAGES)
def test_every_damage_is_named(tmp_path: Path, name: str, layout: str) -> None:
    damage, expected = DAMAGES[name]
    hub = built(tmp_path, layout)
    damage(hub.out)
    found = verify(open_place(str(hub.out)))
    assert {(one.problem, one.path) for one in found.failures} == expected
    assert all(one.message and one.mend for one in found.failures)


def test_an_archive_that_its_ledger_never_described_is_told(tmp_path: Path) -> None:
    """Somebody rewrote archive, ledger and index alike: the files still differ from the list."""
    hub = built(tmp_path, "packed")
    ledger = hub.out / "ledger/local/docx.jsonl"
    document = json.loads(ledger.read_bytes())
    document["release"]["files"][0]["path"] = "OTHER.md"
    ledger.write_bytes(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    found = verify(FolderPlace(str(hub.out), "hub"))
    assert {one.path for one in found.failures} == {"ledger/local/docx.jsonl", "dl/local/docx-2.0.0.zip"}
    assert any("OTHER.md is missing" in one.message for one in found.failures)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_a_hub_is_verified_over_http(tmp_path: Path) -> None:
    hub = built(tmp_path, "exploded")
    with served(hub.out) as url:
        assert verify(open_place(url)).failures == ()
        assert verify(open_place(f"{url}/hub.json")).failures == ()
        DAMAGES["an archive changed"][0](hub.out)
        assert [one.path for one in verify(open_place(url)).failures] == ["dl/local/pdf-1.1.0.zip"]


NO_HUBS = {
    "an empty folder": ("", "hub.json is missing"),
    "another scheme": ("ftp://hub.example", "not an http or https URL"),
    "nobody listens": ("http://127.0.0.1:9/", "no answer"),
}


@pytest.mark.parametrize("name", NO_HUBS)
def test_where_there_is_no_hub(tmp_path: Path, name: str) -> None:
    where, words = NO_HUBS[name]
    with pytest.raises(PlaceError, match=words):
        verify(open_place(where or str(tmp_path)))


def test_a_root_document_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "hub.json").write_text("[]")
    with pytest.raises(PlaceError, match="not the root document of a hub"):
        verify(open_place(str(tmp_path)))


def test_a_server_that_fails_is_no_verdict(tmp_path: Path) -> None:
    class Failing(_Quiet):
        def do_GET(self) -> None:
            self.send_error(500)

    handler = functools.partial(Failing, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(PlaceError, match="answers 500"):
            verify(UrlPlace(f"http://127.0.0.1:{server.server_address[1]}"))
        server.shutdown()


def test_what_a_build_left_that_was_ended_is_told_as_such(tmp_path: Path) -> None:
    """Its ledgers are longer than the index says, and lack archives that nobody was promised."""
    hub = built(tmp_path, "packed")
    path = "ledger/local/pdf.jsonl"
    before = (hub.out / path).read_bytes()
    whole = shutil.copytree(hub.out, tmp_path / "whole")
    hub.put("skills/pdf", {"SKILL.md": skill_text("pdf", version="1.2.0"), "a.txt": "three"})
    hub.build()
    after = (hub.out / path).read_bytes()
    assert after.startswith(before)
    (whole / path).write_bytes(after)
    (found,) = verify(open_place(str(whole))).failures
    assert (found.problem, found.path) == (Problem.CHANGED, path)
    assert "build again" in found.mend


@pytest.mark.parametrize(
    "target",
    [
        "file:///etc/passwd",
        "http://169.254.169.254/latest/meta-data",
        "http://127.0.0.1:9/hub.json",
        "ftp://127.0.0.1/x",
    ],
)
def test_a_hub_leads_nowhere_but_to_itself(target: str, tmp_path: Path) -> None:
    class Leading(_Quiet):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", target)
            self.end_headers()

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Leading) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(PlaceError, match=r"redirects to|the server answers 302"):
            verify(UrlPlace(f"http://127.0.0.1:{server.server_address[1]}"))
        server.shutdown()


def test_a_redirect_within_the_hub_is_followed(tmp_path: Path) -> None:
    hub = built(tmp_path, "packed")

    class Adding(_Quiet):
        """As hosts that answer for a file of a folder with the folder."""

        def do_GET(self) -> None:
            if self.path.endswith("/index.html"):
                self.send_response(301)
                self.send_header("Location", self.path.removesuffix("index.html"))
                self.end_headers()
            else:
                super().do_GET()

    handler = functools.partial(Adding, directory=str(hub.out))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert verify(UrlPlace(f"http://127.0.0.1:{server.server_address[1]}")).failures == ()
        server.shutdown()
