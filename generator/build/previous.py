"""Carry forward what was published before: from another copy of the hub, or from committed ledgers.

The output folder itself is the usual memory of what was published. A fresh machine has none, so a build can
be given the last one (a folder or a URL), and an operator can keep the ledgers in version control. Ledgers are
compared, never merged: one must be the beginning of the other.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from generator.build.ledgers import read_ledger_file
from generator.collecting import COLLECTION_NAME
from generator.errors import SkillpressError
from generator.findings import finding
from generator.history.ledger import LedgerError, head_of, read_ledger
from generator.jsondata import load_json
from generator.mirror.local import mark_file
from generator.model import Finding, Release, ScanVerdict
from generator.names import InvalidNameError, parse_owner, parse_slug
from generator.verify.places import HubPlace, PlaceError
from generator.write.layout import COLLECTIONS, LEDGER_INDEX, archive_file, ledger_file, withheld_file
from generator.write.publish import ROOT_DOCUMENT, Publisher


class PreviousError(SkillpressError):
    """What was published before cannot be carried forward."""


@dataclass(frozen=True, slots=True)
class Absent:
    """An archive that a ledger knows and a copy of the hub does not give. ``path`` is where it would be published."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Carried:
    """What came from another copy of the hub, called ``name``: how many files, and the archives that did not."""

    name: str
    brought: int
    absent: tuple[Absent, ...] = ()


def carry_forward(place: HubPlace, publisher: Publisher) -> Carried:
    """Bring the ledgers and archives of another copy of the hub into the output folder.

    Every byte is checked against what that hub promises before it is kept; what the output folder already
    holds is not fetched again.

    Raises:
        PlaceError: there is no hub at the place, or it stops answering.
        PreviousError: something there is not as promised, or contradicts the output folder.
    """
    brought = 0
    absent: list[Absent] = []
    for owner, slug, head in _read_heads(place):
        path = ledger_file(owner, slug)
        ledger = place.get(f"/{path}")
        if ledger is None or head_of(ledger) != head:
            wrong = "missing" if ledger is None else "does not end with the line its index names"
            raise PreviousError(
                f"{place.name}/{path}: {wrong}. See what differs with `skillpress verify {place.name}`, restore it "
                "from another copy, and build again."
            )
        releases = _read(ledger, f"{place.name}/{path}")
        brought += adopt_ledger(publisher, path, ledger, place.name)
        for release in releases:
            path = archive_file(owner, slug, release.version)
            came = _bring_archive(place, publisher, path, release)
            brought += came is True
            # One that the scan blocks is published only where a review lets it through.
            if came is None and release.scan.verdict is not ScanVerdict.BLOCK:
                absent.append(Absent(f"{owner}/{slug}@{release.version}", path))
    brought += _bring_collections(place, publisher)
    return Carried(place.name, brought + _bring_feed(place, publisher), tuple(absent))


def find_left_behind(root: str, carried: Carried, told: Collection[str]) -> tuple[Finding, ...]:
    """What an operator should know after a build that went on from another copy: archives that are nowhere in the
    output folder ``root`` now. A source may have given the same content again.

    What the operator holds back is in no published copy, so it is lost on a machine that continues from an address.
    ``told`` are paths that the build has said are missing.
    """
    return tuple(
        finding(
            "archive-missing", one.path,
            f"{carried.name} does not give the archive of {one.name}: it is held back there, or lost. It could not be "
            "brought, and cannot be offered here when what holds it back is undone",
            f"Copy {withheld_file(one.path)} from the output folder of the machine that built that hub, or name that "
            "folder with --previous",
        )
        for one in carried.absent
        if one.path not in told
        and not any(os.path.isfile(f"{root}/{path}") for path in (one.path, withheld_file(one.path)))
    )  # fmt: skip


def adopt_ledger(publisher: Publisher, path: str, theirs: bytes, name: str) -> bool:
    """Make the output folder's ledger at ``path`` at least as long as another copy; True where it grew.

    Raises:
        PreviousError: the two contradict each other.
    """
    ours = read_ledger_file(publisher.root, path) or b""
    if ours.startswith(theirs):
        return False
    if not theirs.startswith(ours):
        line = next(
            (
                number
                for number, (one, other) in enumerate(
                    zip(ours.splitlines(), theirs.splitlines(), strict=False), 1
                )
                if one != other
            ),
            min(ours.count(b"\n"), theirs.count(b"\n")) + 1,
        )
        raise PreviousError(
            f"{path}, line {line}: the output folder and {name} tell different histories of this skill. One of them "
            "is not a copy of the other: build into an empty folder with the one that was published."
        )
    return publisher.write(path, theirs)


def adopt_folder(folder: str, publisher: Publisher) -> int:
    """Bring committed ledgers into the output folder; the number of those that were longer there.

    Raises:
        PreviousError: a ledger contradicts the output folder's.
        LedgerError: a ledger is broken.
    """
    grown = 0
    for path in _list_ledgers(folder):
        theirs = read_ledger_file(folder, path) or b""
        if not path.startswith(f"{COLLECTIONS}/"):
            _read(theirs, f"{folder}/{path}")
        grown += adopt_ledger(publisher, f"ledger/{path}", theirs, folder)
    return grown


def keep_folder(folder: str, publisher: Publisher) -> int:
    """Write the output folder's ledgers to the folder of committed ones, each whole and only where it grew."""
    os.makedirs(folder, exist_ok=True)
    scratch = tempfile.mkdtemp(prefix=".skillpress-", dir=folder)
    try:
        keeper = Publisher(folder, fresh=False, scratch=os.path.basename(scratch))
        root = f"{publisher.root}/ledger"
        return sum(keeper.write(path, read_ledger_file(root, path) or b"") for path in _list_ledgers(root))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _read_heads(place: HubPlace) -> Iterator[tuple[str, str, str]]:
    index = place.get(f"/{LEDGER_INDEX}")
    root = place.get(f"/{ROOT_DOCUMENT}")
    if root is None:
        raise PlaceError(f"{place.name}: no hub is there ({ROOT_DOCUMENT} is missing).")
    try:
        promised = load_json(root)["documents"][f"/{LEDGER_INDEX}"]
        if index is None or hashlib.sha256(index).hexdigest() != promised:
            raise PreviousError(
                f"{place.name}/{LEDGER_INDEX}: not what {ROOT_DOCUMENT} promises; a ledger may be missing unnoticed. "
                "Restore it from another copy, or wait until the hub is published completely."
            )
        heads = sorted(load_json(index)["heads"].items())
    except (ValueError, KeyError, TypeError, AttributeError):
        raise PreviousError(f"{place.name}/{ROOT_DOCUMENT}: not the root document of a hub.") from None
    for key, head in heads:
        owner, _, slug = str(key).partition("/")
        try:
            yield parse_owner(owner), parse_slug(slug), str(head)
        except InvalidNameError as error:
            raise PreviousError(f"{place.name}/{LEDGER_INDEX}: {error}.") from None


def _bring_collections(place: HubPlace, publisher: Publisher) -> int:
    """Bring the ledgers of collections; their packages are made again."""
    try:
        heads = sorted(load_json(place.get(f"/{LEDGER_INDEX}") or b"{}").get("collections", {}).items())
    except (ValueError, TypeError, AttributeError):
        raise PreviousError(f"{place.name}/{LEDGER_INDEX}: not an index of ledgers.") from None
    brought = 0
    for name, head in heads:
        path = ledger_file(COLLECTIONS, str(name))
        ledger = place.get(f"/{path}") if COLLECTION_NAME.fullmatch(str(name)) else None
        if ledger is None or head_of(ledger) != head:
            raise PreviousError(
                f"{place.name}/{path}: missing, or not what {LEDGER_INDEX} names. Restore it from another copy."
            )
        brought += adopt_ledger(publisher, path, ledger, place.name)
    return brought


def _bring_archive(place: HubPlace, publisher: Publisher, path: str, release: Release) -> bool | None:
    """Whether it had to be brought; None where the place does not give it."""
    hidden = withheld_file(path)
    for one in (path, hidden):
        mark = mark_file(publisher.root, one)
        if mark is not None and mark.sha256 == release.archive.sha256:
            return False
    data = place.get(f"/{path}", release.archive.size)
    if data is None:
        # Only a folder of this machine has what the operator holds back.
        path, data = hidden, place.get(f"/{hidden}", release.archive.size)
    if data is None:
        return None
    if hashlib.sha256(data).hexdigest() != release.archive.sha256:
        raise PreviousError(
            f"{place.name}/{path}: other bytes than its ledger promises. Restore it from another copy."
        )
    return publisher.write(path, data)


def _bring_feed(place: HubPlace, publisher: Publisher) -> int:
    """Bring the change feed, so that its numbers go on; an output folder that has one goes on with its own."""
    from generator.write.protocols.changes import (
        INDEX_FILE,
        STATE_FILE,
        ChangesError,
        change_file,
        read_index,
    )

    promised = _promised(place, INDEX_FILE)
    if promised is None or os.path.isfile(f"{publisher.root}/{INDEX_FILE}"):
        return 0
    body = _take(place, INDEX_FILE, promised)
    try:
        index = read_index(body)
    except ChangesError as error:
        raise PreviousError(f"{place.name}: {error}") from None
    files = {change_file(mark.sequence): mark.sha256 for mark in index.changes}
    files[STATE_FILE] = index.state.sha256
    # The index last: without it there is no feed.
    brought = sum(publisher.write(path, _take(place, path, digest)) for path, digest in files.items())
    return brought + publisher.write(INDEX_FILE, body)


def _promised(place: HubPlace, path: str) -> str | None:
    try:
        promised = load_json(place.get(f"/{ROOT_DOCUMENT}") or b"")["documents"].get(f"/{path}")
    except (ValueError, KeyError, TypeError, AttributeError):
        return None  # said already by whoever read the ledgers
    return str(promised) if promised is not None else None


def _take(place: HubPlace, path: str, digest: str) -> bytes:
    data = place.get(f"/{path}")
    if data is None or hashlib.sha256(data).hexdigest() != digest:
        wrong = "missing" if data is None else "other bytes than the hub promises"
        raise PreviousError(
            f"{place.name}/{path}: {wrong}. Restore it from another copy, or wait until the hub is published "
            "completely."
        )
    return data


def _read(ledger: bytes, name: str) -> tuple[Release, ...]:
    try:
        return read_ledger(ledger, name)
    except LedgerError as error:
        raise PreviousError(str(error)) from None


def _list_ledgers(folder: str) -> list[str]:
    """``owner/slug.jsonl`` of every ledger below a folder, sorted; none where there is no folder.

    Raises:
        PreviousError: the folder, or one below it, is something else, or is a link.
    """
    if not os.path.lexists(folder):
        return []
    found = []
    for owner in sorted(_names(folder)):
        place = f"{folder}/{owner}"
        if owner.startswith(".") or not (os.path.isdir(place) or os.path.islink(place)):
            continue  # the index, what version control keeps, a note of the operator's
        if os.path.islink(place):
            raise PreviousError(
                f"{place}: a symbolic link, which a build never follows. Put the folder itself there."
            )
        found += [f"{owner}/{name}" for name in sorted(_names(place)) if name.endswith(".jsonl")]
    return found


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError as error:
        raise PreviousError(
            f"{folder}: the folder of ledgers cannot be read ({error.strerror}). Name a folder, or one that is not "
            "there yet, as `ledger` in hub.yml."
        ) from None
