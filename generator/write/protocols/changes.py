"""The change feed: what each build changed, so that a mirror follows in a few requests.

Three kinds of documents below ``/changes/``. ``state.json`` names every file of the hub with size and sha256,
and where every release stands. ``{n}.json``, one a build, says what build n changed in it. ``index.json``, which
the root document promises, names the state and the changes that are kept, with their sha256. A build reads
the index and the state of the last one; nothing else, and no clock, decides sequence numbers and contents.

The files of a hub are all but ``hub.json``, what lies below ``changes/`` and the build's own folder: those
are found through each other. The format is described in ``docs/feeds.md``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from generator.errors import SkillpressError
from generator.jsondata import JsonShapeError, dump_bytes, from_plain, load_json, to_plain
from generator.model import Sha256, TimeMs
from generator.write.protocols.events import Event, Standings, read_standings, write_standings
from generator.write.publish import ROOT_DOCUMENT, WORK_FOLDER

T = TypeVar("T")

FOLDER: Final = "changes"
INDEX_FILE: Final = "changes/index.json"
STATE_FILE: Final = "changes/state.json"
INDEX_SCHEMA: Final = "skillpress.changes.v1"
CHANGE_SCHEMA: Final = "skillpress.change.v1"
STATE_SCHEMA: Final = "skillpress.state.v1"
KEPT: Final = 100
"""Changes that are kept. A mirror that is further behind compares with the state."""
GENESIS: Final = Sha256("0" * 64)

_MOST_VALUES: Final = 10_000_000
"""Values in a document of another hub's feed, at most: a state has three for each file."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class ChangesError(SkillpressError):
    """A document of a change feed is not what a build wrote."""


@dataclass(frozen=True, slots=True)
class FileMark:
    """What a file holds: sha256 and bytes."""

    sha256: Sha256
    size: int


Files = Mapping[str, FileMark]
"""Files by path, relative to the hub, ``/``-separated."""


@dataclass(frozen=True, slots=True)
class State:
    """Every file of a hub, and where every release stands."""

    files: Files = field(default_factory=dict)
    standings: Standings = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file as it is after a build."""

    path: str
    sha256: Sha256
    size: int


@dataclass(frozen=True, slots=True)
class Change:
    """What one build changed.

    ``previous`` is the sha256 of the change before it (:data:`GENESIS` where there is none), ``time`` the newest
    first-seen time of the hub, ``state`` the sha256 of ``state.json`` after it. A change that knows of no state
    before it, as the first, is ``whole``: its events tell of everything, and it lists no files, for all of them
    are in the state.
    """

    schema: str
    sequence: int
    previous: Sha256
    time: TimeMs
    state: Sha256
    whole: bool = False
    events: tuple[Event, ...] = ()
    files: tuple[ChangedFile, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeMark:
    """One change as the index names it: its document's sha256 and size, and what to expect of it.

    ``bytes`` are those of the files it lists.
    """

    sequence: int
    sha256: Sha256
    size: int
    time: TimeMs
    events: int
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Index:
    """The index. ``state`` is the mark of ``state.json``; ``changes`` are those kept, the newest first."""

    schema: str
    sequence: int
    time: TimeMs
    state: FileMark
    changes: tuple[ChangeMark, ...]


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed as a build finds it and leaves it. ``state`` is None where it is lost, its place in the row not."""

    index: Index
    state: State | None


def is_listed(path: str) -> bool:
    """Whether a file of the output belongs to the state."""
    top = path.partition("/")[0]
    return path != ROOT_DOCUMENT and top not in (FOLDER, WORK_FOLDER)


def mark_of(data: bytes) -> FileMark:
    """The mark of a file that holds ``data``."""
    return FileMark(Sha256(hashlib.sha256(data).hexdigest()), len(data))


def change_file(sequence: int) -> str:
    """The file of one change; also its route without the leading slash."""
    return f"{FOLDER}/{sequence}.json"


# --- the JSON edge ---------------------------------------------------------------------------------


def write_index(index: Index) -> bytes:
    """The index as its document."""
    return dump_bytes(to_plain(index))


def write_state(state: State) -> bytes:
    """The state as its document; files and skills sorted, so that the same state has the same bytes."""
    return dump_bytes(
        {
            "schema": STATE_SCHEMA,
            "skills": write_standings(state.standings),
            "files": {path: [mark.sha256, mark.size] for path, mark in sorted(state.files.items())},
        }
    )


def read_index(data: bytes) -> Index:
    """The index from its document.

    Raises:
        ChangesError: it is none, or of a newer Skillpress.
    """
    index = _read(Index, data, INDEX_FILE, INDEX_SCHEMA)
    numbers = [mark.sequence for mark in index.changes]
    if not numbers or numbers != list(range(index.sequence, index.sequence - len(numbers), -1)):
        raise broken(INDEX_FILE, "its changes are not in one row up to its sequence")
    if numbers[-1] < 1:
        raise broken(INDEX_FILE, "a sequence number below 1")
    _check_mark(INDEX_FILE, index.state.sha256, index.state.size)
    for mark in index.changes:
        _check_mark(INDEX_FILE, mark.sha256, mark.size)
    return index


def read_change(data: bytes, sequence: int) -> Change:
    """One change from its document.

    Raises:
        ChangesError: it is none, or of a newer Skillpress.
    """
    name = change_file(sequence)
    change = _read(Change, data, name, CHANGE_SCHEMA)
    if change.sequence != sequence:
        raise broken(name, f"it says that it is change {change.sequence}")
    for file in change.files:
        _check_mark(name, file.sha256, file.size)
    return change


def read_state(data: bytes) -> State:
    """The state from its document.

    Raises:
        ChangesError: it is none, or of a newer Skillpress.
    """
    plain = _load(data, STATE_FILE, STATE_SCHEMA)
    files: dict[str, FileMark] = {}
    try:
        for path, (digest, size) in plain["files"].items():
            _check_mark(STATE_FILE, digest, size)
            files[path] = FileMark(Sha256(digest), size)
        return State(files, read_standings(plain["skills"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise broken(STATE_FILE, "not the shape of a state") from None


def _load(data: bytes, name: str, schema: str) -> dict[str, Any]:
    try:
        plain = load_json(data, most_values=_MOST_VALUES)
    except ValueError:
        raise broken(name, "no JSON") from None
    found = plain.get("schema") if isinstance(plain, dict) else None
    if found != schema:
        raise broken(name, f"its schema is {found!r}, not {schema!r}"[:200])
    assert isinstance(plain, dict)
    return plain


def _read(kind: type[T], data: bytes, name: str, schema: str) -> T:
    try:
        return from_plain(kind, _load(data, name, schema))
    except JsonShapeError as error:
        raise broken(name, str(error)[:200]) from None


def _check_mark(name: str, digest: object, size: object) -> None:
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise broken(name, "a sha256 that is none")
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise broken(name, "a size that is none")


def broken(name: str, reason: str) -> ChangesError:
    """The error for a document that cannot be used."""
    return ChangesError(f"{name}: {reason}. It is not what a build of this Skillpress writes.")
