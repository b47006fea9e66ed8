"""What a mirror has to fetch and to remove, as pure functions of what it has and what the hub says."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from generator.mirror.remote import MOST_FILE, MirrorError
from generator.write.protocols.changefeed import apply_change
from generator.write.protocols.changes import (
    Change,
    ChangedFile,
    ChangeMark,
    ChangesError,
    Feed,
    Files,
    Index,
    State,
    is_listed,
    mark_of,
    write_state,
)

MAX_PATH: Final = 1024
_SEGMENT: Final = re.compile(r"[^\x00-\x1f\x7f\\/:]+")
_WELL_KNOWN: Final = ".well-known"


@dataclass(frozen=True, slots=True)
class Plan:
    """What makes a mirror equal to its hub.

    ``in_the_way`` are files where the hub has a folder now, or the other way round, which must go first.
    ``downloads`` are in the order they must reach the disk: what is named before what names it. ``removals``
    come last.
    """

    in_the_way: tuple[str, ...]
    downloads: tuple[ChangedFile, ...]
    removals: tuple[str, ...]


def missing_changes(local: Feed | None, remote: Index) -> tuple[ChangeMark, ...] | None:
    """The changes a mirror lacks, oldest first; None where they do not lead from what it has to what is there.

    That is so for a new mirror, one that is further behind than the changes that are kept, and one whose last
    change is not the hub's change of that number: the hub was built anew.
    """
    if local is None or local.state is None:
        return None
    last = local.index.changes[0]
    if last not in remote.changes:
        return None
    return tuple(mark for mark in reversed(remote.changes) if mark.sequence > last.sequence)


def follow(local: Feed, remote: Index, changes: Iterable[Change]) -> State | None:
    """The state after ``changes``, None where it is not the one that the index names."""
    state = local.state
    for change in changes:
        if state is None:
            return None
        try:
            state = apply_change(state, change)
        except ChangesError:
            return None
    return state if state is not None and mark_of(write_state(state)) == remote.state else None


def plan_mirror(present: Files, state: State) -> Plan:
    """What to fetch and to remove, given the files a mirror has and the hub's state.

    Raises:
        MirrorError: the state names a file that no hub can have, or one below another.
    """
    wanted = [
        ChangedFile(path, mark.sha256, mark.size)
        for path, mark in state.files.items()
        if present.get(path) != mark
    ]
    names = sorted(state.files)
    for file in wanted:
        check_path(file.path)
        if file.size > MOST_FILE:
            raise MirrorError(
                f"The hub promises {file.size:,} bytes of {file.path}, and no file of a hub has over {MOST_FILE:,}. "
                "Nothing was fetched."
            )
        if _has_below(names, file.path) or any(folder in state.files for folder in _folders(file.path)):
            raise MirrorError(
                f"The hub names the file {file.path[:200]!r} and another below it, or above. Nothing was fetched."
            )
    gone = {path for path in present if path not in state.files}
    blocking = {
        path
        for path in gone
        if _has_below(names, path) or any(folder in state.files for folder in _folders(path))
    }
    return Plan(
        tuple(sorted(blocking)),
        tuple(sorted(wanted, key=lambda file: (_rank(file.path), file.path))),
        tuple(sorted(gone - blocking)),
    )


def check_path(path: str) -> None:
    """Check that a file a hub names is not written outside of a mirror, or into what is its own.

    Raises:
        MirrorError: naming the path.
    """
    if not is_safe(path) or not is_listed(path):
        raise MirrorError(
            f"The hub names the file {path[:200]!r}, which no hub can have. Nothing was fetched."
        )


def is_safe(path: str) -> bool:
    """Whether ``path`` stays in its folder on every system, and names nothing hidden but ``.well-known``."""
    if len(path) > MAX_PATH or not path.isprintable():
        return False
    segments = path.split("/")
    return segments[-1] != _WELL_KNOWN and all(
        one == _WELL_KNOWN or (_SEGMENT.fullmatch(one) and not one.startswith(".")) for one in segments
    )


def _has_below(names: Sequence[str], path: str) -> bool:
    """Whether one of the sorted ``names`` lies in the folder ``path``."""
    start = f"{path}/"
    at = bisect_left(names, start)
    return at < len(names) and names[at].startswith(start)


def _folders(path: str) -> Iterable[str]:
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


def _rank(path: str) -> tuple[int, int]:
    """The order of a build: ledgers, archives, single documents (the deepest first), then what lists them."""
    top = path.partition("/")[0]
    if top == "ledger" and path.count("/") > 1:
        return 0, 0
    if top == "dl":
        return 1, 0
    depth = path.count("/")
    listing = depth < 2 or path.startswith(("api/v1/skills/index.", "api/v1/search/", "api/v1/trending/"))
    return (3, 0) if listing else (2, -depth)
