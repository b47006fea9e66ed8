"""Ledgers that lie in the wrong place, or are no files: nothing is read through them, and nothing waits for them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.errors import SkillpressError
from generator.history.ledger import LedgerError
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text

LATER = FIRST_TIME + 1000


def put(hub: LittleHub, version: str) -> None:
    for name in ("one", "two"):
        hub.put(f"skills/{name}", skill_text(name, version=version))


@pytest.fixture
def hub(tmp_path: Path) -> LittleHub:
    made = LittleHub(tmp_path)
    put(made, "1.0.0")
    made.build()
    put(made, "1.1.0")
    return made


def ledger(hub: LittleHub, name: str) -> Path:
    return hub.out / f"ledger/local/{name}.jsonl"


def edit_index(hub: LittleHub, change: Callable[[dict[str, str]], object]) -> None:
    path = hub.out / "ledger/index.json"
    index = json.loads(path.read_bytes())
    change(index["heads"])
    path.write_text(json.dumps(index))


def swap(heads: dict[str, str]) -> None:
    heads["local/one"], heads["local/two"] = heads["local/two"], heads["local/one"]


def test_two_ledgers_that_changed_places_with_their_heads(hub: LittleHub) -> None:
    one, two = ledger(hub, "one").read_bytes(), ledger(hub, "two").read_bytes()
    good = (hub.out / "ledger/index.json").read_bytes()
    ledger(hub, "one").write_bytes(two)
    ledger(hub, "two").write_bytes(one)
    edit_index(hub, swap)
    before = hub.files()
    with pytest.raises(LedgerError, match=r"ledger/local/one\.jsonl: .*another's place.*Restore"):
        hub.build(LATER)
    assert hub.files() == before
    ledger(hub, "one").write_bytes(one)
    ledger(hub, "two").write_bytes(two)
    (hub.out / "ledger/index.json").write_bytes(good)
    hub.build(LATER)
    assert ledger(hub, "one").read_bytes().startswith(one)


def test_a_ledger_that_is_gone_from_the_index_too(hub: LittleHub) -> None:
    ledger(hub, "two").unlink()
    edit_index(hub, lambda heads: heads.pop("local/two"))
    shutil.rmtree(hub.root / "skills/two")
    with pytest.raises(LedgerError, match=r"ledger/local/two\.jsonl"):
        hub.build(LATER)


@pytest.mark.parametrize(
    "older", ["hub.json", "hub.json changes/index.json", "hub.json changes/index.json changes/state.json"]
)
def test_an_index_newer_than_the_root_document_is_what_an_ended_build_leaves(
    hub: LittleHub, older: str
) -> None:
    kept = {path: (hub.out / path).read_bytes() for path in older.split()}
    hub.build(LATER)
    whole = hub.files()
    for path, data in kept.items():
        (hub.out / path).write_bytes(data)
    (hub.out / ".skillpress/memory.json").unlink()
    hub.build(LATER)
    assert hub.files() == whole


def test_an_index_that_was_edited_and_loses_nothing_is_written_anew(hub: LittleHub) -> None:
    edit_index(hub, lambda heads: heads.pop("local/two"))
    hub.build(LATER)
    assert ledger(hub, "two").read_bytes().count(b"\n") == 2
    assert b"local/two" in (hub.out / "ledger/index.json").read_bytes()


def link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


PLACES: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo, "a folder": os.mkdir, "a link": link, "a link to itself": link_to_itself,
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_a_committed_ledger_that_is_no_file(tmp_path: Path, name: str) -> None:
    hub = committed(tmp_path)
    path = tmp_path / "led/acme/one.jsonl"
    path.unlink()
    PLACES[name](path)
    before = hub.files()
    with pytest.raises(SkillpressError, match=r"led/acme/one\.jsonl: not a regular file"):
        hub.build(LATER)
    assert hub.files() == before


@pytest.mark.parametrize("name", PLACES)
def test_a_ledger_of_the_hub_that_is_no_file(hub: LittleHub, name: str) -> None:
    path = ledger(hub, "one")
    path.unlink()
    PLACES[name](path)
    with pytest.raises(
        LedgerError, match=r"ledger/local/one\.jsonl: (this ledger is missing|not a regular file)"
    ):
        hub.build(LATER)


FOLDERS: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "a file for the folder": ("led", lambda path: path.write_text("x"), r"led: the folder of ledgers cannot be read"),
    "a pipe for the folder": ("led", os.mkfifo, r"led: the folder of ledgers cannot be read"),
    "a link for an owner": ("led/acme", lambda path: path.symlink_to("/etc"), r"led/acme: a symbolic link"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_of_committed_ledgers_that_is_none(tmp_path: Path, name: str) -> None:
    path, make, words = FOLDERS[name]
    hub = committed(tmp_path)
    shutil.rmtree(tmp_path / path)
    make(tmp_path / path)
    with pytest.raises(SkillpressError, match=words):
        hub.build(LATER)


def committed(root: Path) -> LittleHub:
    (root / "hub.yml").write_text("owner: acme\nsources: [skills]\nledger: led\n")
    hub = LittleHub(root, paths=(), config=str(root / "hub.yml"))
    put(hub, "1.0.0")
    hub.build()
    assert (root / "led/acme/one.jsonl").is_file()
    put(hub, "1.1.0")
    return hub
