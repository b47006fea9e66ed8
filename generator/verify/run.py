"""Re-hash everything that a hub's root document promises.

The root document gives the sha256 of the hub's lists and of the index of ledgers; the index gives the last
line of each ledger; a ledger's lines are chained and give the sha256 of every archive, and of every file in
it. So one document vouches for all bytes that an installer can get.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from generator.history.ledger import LedgerError, head_of, read_ledger
from generator.model import Release, ScanVerdict
from generator.verify.places import HubPlace, PlaceError
from generator.write.archive import ArchiveError, read_archive
from generator.write.layout import LEDGER_INDEX, archive_file, ledger_file
from generator.write.publish import ROOT_DOCUMENT
from generator.write.root import ROUTER_FILE

ROOT_SCHEMA = "skillpress.hub.v1"


class Problem(StrEnum):
    """What can be wrong with something a hub promises."""

    MISSING = "missing"
    CHANGED = "changed"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Failure:
    """One promise that is not kept. ``mend`` says how to get the hub whole again."""

    problem: Problem
    path: str
    message: str
    mend: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked, by kind, and what is wrong, in the order of the checks."""

    name: str
    documents: int
    ledgers: int
    releases: int
    archives: int
    size: int
    failures: tuple[Failure, ...]


Progress = Callable[[int, int], None]
"""Called with the ledgers done and the ledgers to do."""

_WITHHELD = 410
_BUILD_AGAIN = "Build again from the same ledgers; documents are made anew."
_RESTORE = "Restore the file from a copy of the published hub or from version control."


def verify(place: HubPlace, progress: Progress = lambda _done, _total: None) -> Verification:
    """Check a hub.

    Raises:
        PlaceError: there is no hub at the place, or it stops answering.
    """
    root = _read_root(place)
    run = _Run(place)
    index: Mapping[str, str] = {}
    for route, digest in sorted(_texts(root.get("documents")).items()):
        data = run.document(route, digest)
        if route == f"/{LEDGER_INDEX}" and data is not None:
            index = run.index(data)
        elif route == f"/{ROUTER_FILE}" and data is not None:
            run.withhold(data)
    for number, (key, head) in enumerate(sorted(index.items()), 1):
        run.ledger(key, head)
        progress(number, len(index))
    return Verification(
        str(root.get("name", "")), run.documents, run.ledgers, run.releases, run.archives, run.size,
        tuple(run.failures),
    )  # fmt: skip


def _read_root(place: HubPlace) -> Mapping[str, Any]:
    data = place.get(f"/{ROOT_DOCUMENT}")
    if data is None:
        raise PlaceError(f"{place.name}: no hub is there ({ROOT_DOCUMENT} is missing).")
    try:
        root = json.loads(data)
    except ValueError:
        root = None
    if not isinstance(root, dict) or root.get("schema") != ROOT_SCHEMA:
        raise PlaceError(f"{place.name}/{ROOT_DOCUMENT}: not the root document of a hub ({ROOT_SCHEMA}).")
    return root


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {key: text for key, text in value.items() if isinstance(key, str) and isinstance(text, str)}


class _Run:
    """Counts and collects; one use."""

    def __init__(self, place: HubPlace) -> None:
        self._place = place
        self.documents = self.ledgers = self.releases = self.archives = self.size = 0
        self.failures: list[Failure] = []
        self.withheld: frozenset[str] = frozenset()

    def _fail(self, problem: Problem, path: str, message: str, mend: str) -> None:
        self.failures.append(Failure(problem, path, message, mend))

    def _get(self, path: str, mend: str) -> bytes | None:
        data = self._place.get(f"/{path}")
        if data is None:
            self._fail(Problem.MISSING, path, f"{path} is promised and not there", mend)
        else:
            self.size += len(data)
        return data

    def document(self, route: str, digest: str) -> bytes | None:
        """Check a document against its promised digest; its bytes where they are as promised."""
        self.documents += 1
        path = route.removeprefix("/")
        mend = _RESTORE if path == LEDGER_INDEX else _BUILD_AGAIN
        data = self._get(path, mend)
        if data is not None and _sha256(data) != digest:
            self._fail(Problem.CHANGED, path, f"{path} has other bytes than {ROOT_DOCUMENT} promises", mend)
            return None
        return data

    def withhold(self, data: bytes) -> None:
        """Take note of the archives that the operator holds back: the router's index says so."""
        try:
            statuses = json.loads(data)["statuses"]
        except (ValueError, KeyError, TypeError):
            self._fail(Problem.BROKEN, ROUTER_FILE, f"{ROUTER_FILE} cannot be read", _BUILD_AGAIN)
            return
        self.withheld = frozenset(
            path for path, status in statuses.items() if status == _WITHHELD and path.startswith("/dl/")
        )

    def index(self, data: bytes) -> Mapping[str, str]:
        """The heads of all ledgers."""
        try:
            return _texts(json.loads(data)["heads"])
        except (ValueError, KeyError, TypeError):
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
            self._fail(
                Problem.CHANGED,
                path,
                f"{path} does not end with the line that {LEDGER_INDEX} names",
                _RESTORE,
            )
        for release in releases:
            self.releases += 1
            archive = archive_file(owner, slug, release.version)
            if release.scan.verdict is not ScanVerdict.BLOCK and f"/{archive}" not in self.withheld:
                self._archive(archive, release)

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
