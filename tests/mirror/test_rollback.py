"""A copy may be all that is left: it does not follow a hub that goes back, unless whoever keeps it says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.mirror.remote import MirrorError
from generator.mirror.run import mirror
from tests.hubs import read_tree
from tests.mirror.hubs import PATIENCE, URL, FolderTransport, PlainHub, first_hub

LEDGER = "ledger/lab/demo-skill.jsonl"
OTHER = "ledger/lab/other.jsonl"
ARCHIVE = "dl/lab/demo-skill-1.0.0.zip"


def goes_back_a_change(hub: PlainHub) -> None:
    hub.build({ARCHIVE: None})
    hub.rebuild_from_nothing()


def rewrites_a_ledger(hub: PlainHub) -> None:
    hub.build({LEDGER: b"{1}\n{3}\n{4}\n", ARCHIVE: None})


def cuts_a_ledger(hub: PlainHub) -> None:
    hub.build({LEDGER: b"{1}\n", OTHER: b"{1}\n{2}\n"})


def loses_a_ledger(hub: PlainHub) -> None:
    hub.build({LEDGER: None, OTHER: b"{1}\n{2}\n"})


def has_a_folder_for_a_ledger(hub: PlainHub) -> None:
    hub.build({LEDGER: None})
    hub.build({f"{LEDGER}/index.html": b"x"})


def has_no_feed_now(hub: PlainHub) -> None:
    hub.build({ARCHIVE: None}, feed=False)


WAYS: dict[str, tuple[Callable[[PlainHub], None], str]] = {
    "a change back": (goes_back_a_change, r"at change 1, and this copy is of 2"),
    "a ledger rewritten": (rewrites_a_ledger, r"demo-skill\.jsonl does not go on"),
    "a ledger cut": (cuts_a_ledger, r"demo-skill\.jsonl does not go on"),
    "a ledger gone": (loses_a_ledger, r"has no ledger/lab/demo-skill\.jsonl now"),
    "a folder in a ledger's place": (has_a_folder_for_a_ledger, r"has no ledger/lab/demo-skill\.jsonl now"),
    "no feed": (has_no_feed_now, "no change feed now, and this copy is of change 2"),
}


def follow(hub: PlainHub, copy: Path, *, check: bool = False, allow_rollback: bool = False) -> None:
    mirror(
        URL, str(copy), FolderTransport(hub.root), check=check, allow_rollback=allow_rollback, policy=PATIENCE
    )


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("name", WAYS)
def test_a_hub_that_goes_back_is_not_followed(tmp_path: Path, name: str, check: bool) -> None:
    change, words = WAYS[name]
    hub, copy = first_hub(tmp_path / "hub"), tmp_path / "copy"
    hub.build({LEDGER: b"{1}\n{2}\n", OTHER: b"{1}\n"})
    follow(hub, copy)
    before = read_tree(copy, without={".skillpress"})
    change(hub)
    for _ in range(2):
        with pytest.raises(MirrorError, match=f"goes back: .*{words}.*--allow-rollback"):
            follow(hub, copy, check=check)
        assert read_tree(copy, without={".skillpress"}) == before, "nothing was removed or replaced"
    follow(hub, copy, check=check, allow_rollback=True)
    now = read_tree(copy, without={".skillpress"})
    assert now["hub.json"] == (hub.root / "hub.json").read_bytes()
    if name != "no feed":  # then only what is promised is looked at
        assert now == hub.files()
    follow(hub, copy, check=check)


def test_ledgers_that_go_on_are_followed(tmp_path: Path) -> None:
    hub, copy = first_hub(tmp_path / "hub"), tmp_path / "copy"
    follow(hub, copy)
    hub.build({LEDGER: b"{}\n{2}\n", OTHER: b"{1}\n"})
    follow(hub, copy)
    assert read_tree(copy, without={".skillpress"}) == hub.files()
