"""Every reader of JSON that others wrote, or a disk damaged, takes a document that is nested without end."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from generator.build.federating import gather_hub
from generator.build.ledgers import Ledgers
from generator.build.memory import DETAILS_FILE, MEMORY_FILE
from generator.build.previous import carry_forward
from generator.build.shelf import open_shelf
from generator.errors import SkillpressError
from generator.jsondata import load_json
from generator.mirror.run import mirror
from generator.model import Owner
from generator.read.package import Limits
from generator.read.sources.http.fetching import Remembered
from generator.read.sources.http.transport import HttpTransport
from generator.serve.tree import Tree
from generator.sources import HubSource
from generator.verify.places import open_place
from generator.verify.run import verify
from generator.write.publish import open_output
from tests.build.hubs import LittleHub, skill_text
from tests.mirror.hubs import PATIENCE
from tests.verify.test_verify import served

DEEP = b"[" * 200_000
OBJECTS = b'{"a":' * 100_000


@pytest.mark.parametrize("data", [DEEP, OBJECTS, DEEP.decode(), b"{", b"", b"\xff", b"9" * 5000, "\x00"])
def test_what_is_no_json_is_a_value_error(data: bytes | str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # the kind is the promise
        load_json(data)


def test_values_are_counted_before_they_are_made() -> None:
    assert load_json(b"[1,[2]]", most_values=3) == [1, [2]]
    with pytest.raises(ValueError, match="over 2 values"):
        load_json(b"[1,[2]]", most_values=2)


def build(hub: LittleHub) -> None:
    hub.put("skills/more", skill_text("more"))
    hub.build()


def read_tree(hub: LittleHub) -> None:
    tree = Tree.open(hub.out)
    tree.read("/api/v1/skills/pdf")


def read_ledgers(hub: LittleHub) -> None:
    for key in (ledgers := Ledgers(str(hub.out), trusting=False)).skills():
        ledgers.releases(key)


def bring(hub: LittleHub) -> None:
    with served(hub.out) as url, open_output(str(hub.root / "other")) as publisher:
        carry_forward(open_place(url), publisher)


def copy(hub: LittleHub) -> None:
    with served(hub.out) as url:
        mirror(url, str(hub.root / "copy"), HttpTransport(url), policy=PATIENCE)


def follow(hub: LittleHub) -> None:
    """Into a folder whose own documents are damaged."""
    good = LittleHub(hub.root / "good", layout=hub.layout)
    good.put("skills/pdf", skill_text("pdf"))
    good.build()
    with served(good.out) as url:
        mirror(url, str(hub.out), HttpTransport(url), check=True, policy=PATIENCE)


def check(hub: LittleHub) -> None:
    verify(open_place(str(hub.out)))


def federate(hub: LittleHub) -> None:
    with served(hub.out) as url:
        gather_hub(HubSource(url, url, Owner("acme")), str(hub.root / "work"), Limits())


INDEXES = ("hub.json", "ledger/index.json")
FEED = ("changes/index.json", "changes/state.json")
LEDGER = "ledger/local/pdf.jsonl"
READERS: dict[Callable[[LittleHub], None], tuple[str, ...]] = {
    build: (*INDEXES, *FEED, LEDGER, MEMORY_FILE, DETAILS_FILE, "router.json", ".skillpress/hosting.json"),
    read_tree: ("router.json", "packs/local/pdf.json"),
    read_ledgers: (*INDEXES, *FEED, LEDGER),
    bring: (*INDEXES, *FEED, LEDGER),
    copy: (*INDEXES, *FEED, LEDGER),
    follow: (*INDEXES, *FEED, LEDGER),
    check: (*INDEXES, *FEED, LEDGER, "router.json"),
    federate: (*INDEXES, LEDGER),
}
CASES = [(reader, path) for reader, paths in READERS.items() for path in paths]


@contextmanager
def only_clear_errors() -> Iterator[None]:
    try:
        yield
    except SkillpressError as error:
        if not str(error):
            pytest.fail("an error without words")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> LittleHub:
    hub = LittleHub(tmp_path_factory.mktemp("deep"))
    hub.put("skills/pdf", skill_text("pdf"))
    hub.build()
    return hub


@pytest.mark.parametrize(("reader", "path"), CASES, ids=[f"{one.__name__} {path}" for one, path in CASES])
def test_no_reader_falls_over_depth(
    made: LittleHub, tmp_path: Path, reader: Callable[[LittleHub], None], path: str
) -> None:
    shutil.copytree(made.root, tmp_path / "hub")
    hub = LittleHub(tmp_path / "hub")
    target = hub.out / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(DEEP)
    with only_clear_errors():
        reader(hub)


@pytest.mark.parametrize("name", ["state.json", "documents"])
def test_a_shelf_that_is_damaged_is_empty(tmp_path: Path, name: str) -> None:
    shelf = open_shelf(str(tmp_path))
    shelf["https://hub.example/a"] = Remembered(b"x")
    shelf.store()
    for file in [tmp_path / name] if name == "state.json" else (tmp_path / name).iterdir():
        file.write_bytes(DEEP + b"\nx")
    again = open_shelf(str(tmp_path))
    assert again.receipts == {}
    assert name == "state.json" or again.get("https://hub.example/a") is None
