"""Re-hash everything that a hub's root document promises.

The root document gives the sha256 of the hub's lists and of the index of ledgers; the index gives the last
line of each ledger; a ledger's lines are chained and give the sha256 of every archive, and of every file in
it. It gives the sha256 of the index of changes too, that the one of the state, and the state that of every file of
the hub. So one document vouches for all bytes that anybody can get.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from generator.history.ledger import LedgerError, head_of, read_ledger
from generator.jsondata import load_json
from generator.mirror.plan import is_safe
from generator.model import Release, ScanVerdict
from generator.names import InvalidNameError, parse_owner, parse_slug
from generator.verify.places import HubPlace, PlaceError
from generator.verify.report import Failure, Problem, Verification
from generator.write.archive import ArchiveError, read_archive
from generator.write.layout import LEDGER_INDEX, Naming, archive_file, file_for, ledger_file, withheld_file
from generator.write.protocols.changes import (
    INDEX_FILE,
    STATE_FILE,
    ChangesError,
    FileMark,
    change_file,
    mark_of,
    read_index,
    read_state,
)
from generator.write.publish import ROOT_DOCUMENT
from generator.write.root import ROUTER_FILE

ROOT_SCHEMA = "skillpress.hub.v1"


Progress = Callable[[int, int], None]
"""Called with the ledgers done and the ledgers to do."""

_WITHHELD = 410
_BUILD_AGAIN = (
    "Remove .skillpress/memory.json from the output folder and build again: documents are then made anew."
)
_UNFINISHED = "It goes on after that line, as where a build was ended: build again, and it is finished."
_REMOVE = "Remove it: nothing of the hub names it."
_RESTORE = "Restore the file from a copy of the published hub or from version control."


def verify(place: HubPlace, progress: Progress = lambda _done, _total: None) -> Verification:
    """Check a hub.

    Raises:
        PlaceError: there is no hub at the place, or it stops answering.
    """
    root = _read_root(place)
    run = _Run(place, _naming(root))
    index: Mapping[str, str] = {}
    for route, digest in sorted(_texts(root.get("documents")).items()):
        data = run.document(route, digest)
        if route == f"/{LEDGER_INDEX}" and data is not None:
            index = run.index(data)
        elif route == f"/{ROUTER_FILE}" and data is not None:
            run.withhold(data)
        elif route == f"/{INDEX_FILE}":
            run.feed = data
    for number, (key, head) in enumerate(sorted(index.items()), 1):
        run.ledger(key, head)
        progress(number, len(index))
    if run.feed is not None:
        run.tree(run.feed)
    return Verification(
        str(root.get("name", "")), run.documents, run.ledgers, run.releases, run.archives, run.files, run.size,
        tuple(run.failures),
    )  # fmt: skip


def _read_root(place: HubPlace) -> Mapping[str, Any]:
    data = place.get(f"/{ROOT_DOCUMENT}")
    if data is None:
        raise PlaceError(f"{place.name}: no hub is there ({ROOT_DOCUMENT} is missing).")
    try:
        root = load_json(data)
    except ValueError:
        root = None
    if not isinstance(root, dict) or root.get("schema") != ROOT_SCHEMA:
        raise PlaceError(f"{place.name}/{ROOT_DOCUMENT}: not the root document of a hub ({ROOT_SCHEMA}).")
    return root


def _naming(root: Mapping[str, Any]) -> Naming:
    try:
        return Naming(root.get("naming", Naming.INDEX_HTML))
    except ValueError:
        return Naming.INDEX_HTML


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {key: text for key, text in value.items() if isinstance(key, str) and isinstance(text, str)}


class _Run:
    """Counts and collects; one use."""

    def __init__(self, place: HubPlace, naming: Naming) -> None:
        self._place = place
        self._naming = naming
        self._ways = place.ways
        # What was read by its route is not read again by its path.
        self._marks: dict[str, FileMark] = {}
        self._failed: set[str] = set()
        self.feed: bytes | None = None
        self.documents = self.ledgers = self.releases = self.archives = self.files = self.size = 0
        self.failures: list[Failure] = []
        self.withheld: frozenset[str] = frozenset()

    def _fail(self, problem: Problem, path: str, message: str, mend: str) -> None:
        self.failures.append(Failure(problem, path, message, mend))
        self._failed.add(file_for(f"/{path}", self._naming))

    def _get(self, path: str, mend: str) -> bytes | None:
        data = self._place.get(f"/{path}")
        if data is None:
            self._fail(Problem.MISSING, path, f"{path} is promised and not there", mend)
        else:
            self._note(path, data)
        return data

    def _note(self, path: str, data: bytes) -> None:
        self.size += len(data)
        self._marks[file_for(f"/{path}", self._naming)] = mark_of(data)

    def document(self, route: str, digest: str) -> bytes | None:
        """Check a document against its promised digest; its bytes where they are as promised."""
        self.documents += 1
        path = route.removeprefix("/")
        mend = _RESTORE if path == LEDGER_INDEX else _BUILD_AGAIN
        found = list(self._answers(path, digest))
        if found and _sha256(found[-1]) == digest:
            self._note(path, found[-1])
            return found[-1]
        if found:
            self._fail(Problem.CHANGED, path, f"{path} has other bytes than {ROOT_DOCUMENT} promises", mend)
        else:
            self._fail(Problem.MISSING, path, f"{path} is promised and not there", mend)
        return None

    def _answers(self, path: str, digest: str) -> Iterator[bytes]:
        """What the place gives for a document, up to what was promised: a router may answer a route by itself, and has
        the document in a place of its own."""
        file = file_for(f"/{path}", self._naming)
        raw = (partial(self._place.raw, f"{way}{file}") for way in self._ways)
        for ask in (partial(self._place.get, f"/{path}"), *raw):
            data = ask()
            if data is not None:
                yield data
                if _sha256(data) == digest:
                    return

    def withhold(self, data: bytes) -> None:
        """Take note of the archives that the operator holds back: the router's index says so."""
        try:
            statuses = load_json(data)["statuses"].items()
        except (ValueError, KeyError, TypeError, AttributeError):
            self._fail(Problem.BROKEN, ROUTER_FILE, f"{ROUTER_FILE} cannot be read", _BUILD_AGAIN)
            return
        self.withheld = frozenset(
            path for path, status in statuses if status == _WITHHELD and path.startswith("/dl/")
        )

    def index(self, data: bytes) -> Mapping[str, str]:
        """The heads of all ledgers."""
        try:
            plain = load_json(data)["heads"]
            heads = _texts(plain)
            if len(heads) < len(plain):
                raise TypeError("a head that is no text")
            for key in heads:
                owner, _, slug = key.partition("/")
                parse_owner(owner), parse_slug(slug)
            return heads
        except (ValueError, KeyError, TypeError, RecursionError, InvalidNameError):
            self._fail(Problem.BROKEN, LEDGER_INDEX, f"{LEDGER_INDEX} cannot be read", _RESTORE)
            return {}

    def ledger(self, key: str, head: str) -> None:
        """Check one ledger, and every archive that it promises."""
        self.ledgers += 1
        owner, _, slug = key.partition("/")
        path = ledger_file(owner, slug)
        data = self._get(path, _RESTORE)
        if data is None:
            return
        try:
            releases = read_ledger(data, path)
        except LedgerError as error:
            self._fail(Problem.BROKEN, path, str(error).partition(". ")[0], _RESTORE)
            return
        if head_of(data) != head:
            ahead = _lines_behind(data, head)
            self._fail(
                Problem.CHANGED,
                path,
                f"{path} does not end with the line that {LEDGER_INDEX} names",
                _RESTORE if ahead is None else _UNFINISHED,
            )
            # What a build that was ended has appended is promised to nobody yet.
            releases = releases[: len(releases) - (ahead or 0)]
        for release in releases:
            self.releases += 1
            archive = archive_file(owner, slug, release.version)
            if f"/{archive}" in self.withheld:
                self._hidden(withheld_file(archive), release)
            elif release.scan.verdict is not ScanVerdict.BLOCK:
                self._archive(archive, release)

    def tree(self, body: bytes) -> None:
        """Check every file that the state names, the changes that are kept, and that nothing else is there."""
        try:
            index = read_index(body)
        except ChangesError as error:
            self._fail(Problem.BROKEN, INDEX_FILE, str(error).partition(". ")[0], _BUILD_AGAIN)
            return
        kept = {change_file(mark.sequence): FileMark(mark.sha256, mark.size) for mark in index.changes}
        for path, mark in sorted(kept.items()):
            self._file(path, mark, INDEX_FILE)
        state = self._file(STATE_FILE, index.state, INDEX_FILE)
        if state is None:
            return
        try:
            files = read_state(state).files
        except ChangesError as error:
            self._fail(Problem.BROKEN, STATE_FILE, str(error).partition(". ")[0], _BUILD_AGAIN)
            return
        for path, mark in files.items():
            self.files += 1
            if is_safe(path):
                self._file(path, mark, STATE_FILE)
            else:
                message = f"{STATE_FILE} names {path[:200]!r}, which no hub can have"
                self._fail(Problem.BROKEN, STATE_FILE, message, _BUILD_AGAIN)
        known = {ROOT_DOCUMENT, INDEX_FILE, STATE_FILE, *kept, *files}
        for path in sorted(set(self._place.names() or ()) - known):
            self._fail(Problem.EXTRA, path, f"{path} is no file of this hub", _REMOVE)

    def _file(self, path: str, mark: FileMark, promise: str) -> bytes | None:
        """Check one file by its path; its bytes where they were read now and are as promised."""
        mend = _RESTORE if path.startswith(("dl/", "ledger/")) else _BUILD_AGAIN
        if path in self._failed:
            return None
        known, data = self._marks.get(path), None
        for way in () if known is not None else self._ways:
            found = self._place.raw(f"{way}{path}")
            if found is None:
                continue
            known, data = mark_of(found), found
            if known == mark:
                # The way that works is the first to be tried from now on.
                self._ways = (way, *(other for other in self._ways if other != way))
                break
        self.size += len(data or b"")
        if known is None:
            self._fail(Problem.MISSING, path, f"{path} is promised and not there", mend)
        elif known != mark:
            self._fail(Problem.CHANGED, path, f"{path} has other bytes than {promise} promises", mend)
        return data if known == mark else None

    def _hidden(self, path: str, release: Release) -> None:
        """Check an archive that is held back, where it can be seen: a published copy does not have it."""
        if self._place.names() is None or (data := self._place.raw(path)) is None:
            return
        if _sha256(data) != release.archive.sha256:
            self._fail(Problem.CHANGED, path, f"{path} has other bytes than its ledger promises", _RESTORE)

    def _archive(self, path: str, release: Release) -> None:
        data = self._get(path, _RESTORE)
        if data is None:
            return
        self.archives += 1
        if _sha256(data) != release.archive.sha256 or len(data) != release.archive.size:
            self._fail(Problem.CHANGED, path, f"{path} has other bytes than its ledger promises", _RESTORE)
            return
        for message in _differences(data, release):
            self._fail(Problem.BROKEN, path, f"{path}: {message}", _RESTORE)


def _lines_behind(ledger: bytes, head: str) -> int | None:
    """How many lines follow the one with the digest ``head``; None where there is none."""
    lines = ledger.splitlines()
    return next((behind for behind, line in enumerate(reversed(lines)) if _sha256(line) == head), None)


def _differences(data: bytes, release: Release) -> Iterator[str]:
    """How the files of an archive differ from those its release lists: a defect of whoever wrote the ledger."""
    try:
        files = {str(file.path): file for file in read_archive(data)}
    except ArchiveError as error:
        yield f"cannot be unpacked: {error}"
        return
    promised = {str(entry.path): entry for entry in release.files}
    for name in sorted(files.keys() ^ promised.keys()):
        yield f"{name} is {'not in the ledger' if name in files else 'missing'}"
    for name in sorted(files.keys() & promised.keys()):
        if _sha256(files[name].data) != promised[name].sha256:
            yield f"{name} has other bytes than the ledger promises"


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
