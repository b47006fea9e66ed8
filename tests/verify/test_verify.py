"""A hub is as its root document promises, or every promise that is not kept is named."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from generator.verify.places import FolderPlace, PlaceError, UrlPlace, open_place
from generator.verify.run import Problem, verify
from tests.build.hubs import LittleHub, skill_text

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


DAMAGES = {
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
        edit("search.json", lambda data: data.replace(b"docx", b"dock")), {(Problem.CHANGED, "search.json")}
    ),
    "the router's index gone": (remove("router.json"), {(Problem.MISSING, "router.json")}),
}  # fmt: skip


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
