"""Make a folder equal to a hub, and keep it so.

A mirror that has followed before asks for the root document, the index of changes, the changes it lacks, and the
files they name. Any other compares what it has with the hub's state. The root document is written last, so
what was mirrored before answers until all is there; a mirror that was killed goes on with what it has.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from generator.jsondata import load_json
from generator.mirror.local import change_files, load_feed, mark_file, mark_files, read_file
from generator.mirror.plan import Plan, check_path, follow, missing_changes, plan_mirror
from generator.mirror.promises import documents_of, fetch_ledgers, parse_root, promised_files
from generator.mirror.remote import MOST_FILE, MirrorError, MovedError, Remote
from generator.mirror.rollback import check_extends, goes_on, is_ledger, list_ledgers, went_back
from generator.read.sources.http.policy import Policy
from generator.read.sources.http.transport import Sink, Transport
from generator.write.layout import LEDGER_INDEX, archive_file
from generator.write.protocols.changes import (
    INDEX_FILE,
    STATE_FILE,
    ChangedFile,
    ChangesError,
    Index,
    State,
    change_file,
    read_change,
    read_index,
    read_state,
    write_state,
)
from generator.write.publish import ROOT_DOCUMENT, WORK_FOLDER, Publisher, open_output

UNFINISHED: Final = f"{WORK_FOLDER}/mirroring"
"""There while a mirror is changed: what the feed in the folder says is then not what the folder holds."""
STAGED: Final = f"{WORK_FOLDER}/tmp/ledgers"
"""Where longer ledgers wait until all of them have come."""
ATTEMPTS: Final = 3

Progress = Callable[[int, int], None]
"""Called with the files done and the files to do."""


class Way(StrEnum):
    """How a mirror became equal: it was, it followed the changes, it compared all, or the hub has no feed."""

    CURRENT = "current"
    CHANGES = "changes"
    COMPARED = "compared"
    PROMISES = "promises"


@dataclass(frozen=True, slots=True)
class MirrorReport:
    """What mirroring came to.

    ``whole`` is true where the folder now equals the hub byte for byte. A hub without a feed gives only what
    cannot be built anew. ``missing`` are archives that the ledgers know and the hub does not give. ``withheld`` are
    archives that the hub once gave and now holds back: they are in no copy, and whoever goes on from this one cannot
    offer them again.
    """

    way: Way
    sequence: int | None
    fetched: int
    removed: int
    requests: int
    received: int
    whole: bool = True
    missing: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()


def mirror(
    url: str,
    folder: str,
    transport: Transport,
    *,
    check: bool = False,
    allow_rollback: bool = False,
    policy: Policy | None = None,
    progress: Progress = lambda *_: None,
) -> MirrorReport:
    """Make ``folder`` equal to the hub at ``url``.

    Args:
        transport: one exchange, such as :class:`generator.read.sources.http.transport.HttpTransport`; repetitions,
            redirects and broken downloads are seen to here, as ``policy`` says.
        check: compare every file with the hub's state, also where the changes would say enough.
        allow_rollback: follow a hub that goes back: to an earlier change, or to another history of a skill.

    Raises:
        MirrorError: the hub does not answer with what it promises, the folder holds another hub, or the hub goes back.
            Nothing was removed or replaced then.
        PublishError: the folder cannot be written, or is in use.
    """
    remote = Remote(url, transport, policy or Policy())
    with open_output(folder) as publisher:
        for attempt in range(ATTEMPTS):
            try:
                return _mirror(remote, publisher, check or attempt > 0, allow_rollback, progress)
            except MovedError:
                # A build of the hub has ended in between: what is there now is read again from its root.
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError("the last attempt returns or raises")


def _mirror(
    remote: Remote, publisher: Publisher, check: bool, allow_rollback: bool, progress: Progress
) -> MirrorReport:
    body = remote.root_document()
    root = parse_root(body)
    here = publisher.root
    check = check or os.path.exists(f"{here}/{UNFINISHED}")
    before = read_file(here, ROOT_DOCUMENT)
    _check_same_hub(before, root)
    promised = documents_of(root).get(f"/{INDEX_FILE}")
    known = load_feed(here)
    if promised is None:
        if known is not None and not allow_rollback:
            raise went_back(f"it has no change feed now, and this copy is of change {known.index.sequence}")
        return _follow_promises(remote, publisher, body, root, allow_rollback, progress)
    local = None if check else known
    if before == body and local is not None and local.state is not None:
        return MirrorReport(
            Way.CURRENT, local.index.sequence, 0, 0, remote.requests, remote.received,
            withheld=_withheld(local.state),
        )  # fmt: skip
    index_body = remote.take(INDEX_FILE, promised)
    try:
        index = read_index(index_body)
        if known is not None and index.sequence < known.index.sequence and not allow_rollback:
            raise went_back(f"it is at change {index.sequence}, and this copy is of {known.index.sequence}")
        marks = missing_changes(local, index)
        bodies = {
            mark.sequence: remote.take(change_file(mark.sequence), mark.sha256, mark.size)
            for mark in marks or ()
        }
        state = None
        if local is not None and marks is not None:
            state = follow(local, index, [read_change(one, number) for number, one in bodies.items()])
        way = Way.CHANGES if state is not None else Way.COMPARED
        if state is None:
            state = read_state(remote.take(STATE_FILE, index.state.sha256, index.state.size))
    except ChangesError as error:
        raise MirrorError(f"{remote.url}: {error}") from None
    followed = local.state if way is Way.CHANGES and local is not None else None
    plan = plan_mirror(followed.files if followed is not None else mark_files(here), state)
    fetched = 0
    if not allow_rollback:
        fetched = _extend_ledgers(remote, publisher, plan)
    more, removed = _carry_out(remote, publisher, plan, progress)
    fetched += more
    _write_feed(remote, publisher, index, bodies, state, index_body)
    publisher.write(ROOT_DOCUMENT, body)
    publisher.remove(UNFINISHED)
    return MirrorReport(
        way, index.sequence, fetched, removed, remote.requests, remote.received, withheld=_withheld(state)
    )


def _withheld(state: State) -> tuple[str, ...]:
    """The archives of releases that are not among the files of the hub."""
    paths = (
        archive_file(owner, slug, release.version)
        for place, standing in sorted(state.standings.items())
        for owner, _, slug in [place.partition("/")]
        for release in standing.releases
        if release.archive is not None
    )
    return tuple(path for path in paths if path not in state.files)


def _check_same_hub(before: bytes | None, root: Mapping[str, Any]) -> None:
    if before is None:
        return
    try:
        known = load_json(before)["url"]
    except (ValueError, KeyError, TypeError):
        return
    if known != root.get("url"):
        raise MirrorError(
            f"The folder holds the hub {str(known)[:200]}, not {str(root.get('url'))[:200]}. "
            "Give each mirror a folder of its own."
        )


def _extend_ledgers(remote: Remote, publisher: Publisher, plan: Plan) -> int:
    """Replace the ledgers of a copy by the hub's, after all of them were seen to go on from what is here; how many.

    Raises:
        MirrorError: one is gone from the hub or tells another history. Nothing was removed or replaced.
    """
    for path in (*plan.in_the_way, *plan.removals):
        if is_ledger(path):
            raise went_back(f"it has no {path} now, and this copy has")
    longer = [
        file for file in plan.downloads if is_ledger(file.path) and mark_file(publisher.root, file.path)
    ]
    for number, file in enumerate(longer):
        with publisher.receive(f"{STAGED}/{number}") as opened:
            remote.save(file.path, file.sha256, file.size, Sink(opened))
        if not goes_on(f"{publisher.root}/{file.path}", f"{publisher.root}/{STAGED}/{number}"):
            raise went_back(f"its {file.path} does not go on from the one in this copy")
    if longer:
        publisher.write(UNFINISHED, b"")
    for number, file in enumerate(longer):
        publisher.move(f"{STAGED}/{number}", file.path)
    return len(longer)


def _carry_out(remote: Remote, publisher: Publisher, plan: Plan, progress: Progress) -> tuple[int, int]:
    """The files fetched and removed."""
    publisher.write(UNFINISHED, b"")
    for path in plan.in_the_way:
        _remove(publisher, path)
    fetched = sum(
        _fetch(remote, publisher, file, progress, number, len(plan.downloads))
        for number, file in enumerate(plan.downloads, 1)
    )
    for path in plan.removals:
        _remove(publisher, path)
    return fetched, len(plan.in_the_way) + len(plan.removals)


def _fetch(
    remote: Remote, publisher: Publisher, file: ChangedFile, progress: Progress, number: int, total: int
) -> bool:
    """Whether the file had to be fetched: one that a killed mirror left is there already."""
    mark = mark_file(publisher.root, file.path)
    there = mark is not None and (mark.sha256, mark.size) == (file.sha256, file.size)
    if not there:
        with publisher.receive(file.path) as opened:
            remote.save(file.path, file.sha256, file.size, Sink(opened))
    progress(number, total)
    return not there


def _remove(publisher: Publisher, path: str) -> None:
    """Remove a file and the folders that it leaves empty."""
    publisher.remove(path)
    folder = path.rpartition("/")[0]
    while folder:
        try:
            os.rmdir(f"{publisher.root}/{folder}")
        except OSError:
            return
        folder = folder.rpartition("/")[0]


def _write_feed(
    remote: Remote,
    publisher: Publisher,
    index: Index,
    bodies: Mapping[int, bytes],
    state: State,
    index_body: bytes,
) -> None:
    """The feed's own documents: the changes that are kept, the state, the index; others go."""
    kept = {change_file(mark.sequence): mark for mark in index.changes}
    for path, mark in kept.items():
        here = mark_file(publisher.root, path)
        if here is None or here.sha256 != mark.sha256:
            body = bodies.get(mark.sequence)
            publisher.write(path, body if body is not None else remote.take(path, mark.sha256, mark.size))
    publisher.write(STATE_FILE, write_state(state))
    publisher.write(INDEX_FILE, index_body)
    for path in change_files(publisher.root):
        if path not in kept and path not in (STATE_FILE, INDEX_FILE):
            publisher.remove(path)


def _follow_promises(
    remote: Remote,
    publisher: Publisher,
    body: bytes,
    root: Mapping[str, Any],
    allow_rollback: bool,
    progress: Progress,
) -> MirrorReport:
    """What cannot be built anew, of a hub without a feed: the promised documents, the ledgers, the archives."""
    promised = tuple(promised_files(root))
    for file in promised:
        check_path(file.path)
    fetched = 0
    missing: list[str] = []
    index = next((file for file in promised if file.path == LEDGER_INDEX), None)
    ledgers = remote.take(LEDGER_INDEX, index.sha256) if index is not None else b'{"heads":{}}'
    given: set[str] = set()
    for path, ledger, _ in fetch_ledgers(remote, ledgers):
        given.add(path)
        if not allow_rollback:
            check_extends(publisher.root, path, ledger)
    lost = sorted(set(list_ledgers(publisher.root)) - given)
    if lost and not allow_rollback:
        raise went_back(f"it has no {lost[0]} now, and this copy has")
    publisher.write(UNFINISHED, b"")
    # No feed leads to what is here any more.
    for path in (*change_files(publisher.root), *lost):
        publisher.remove(path)
    for path, ledger, archives in fetch_ledgers(remote, ledgers):
        fetched += publisher.write(path, ledger)
        for archive in archives:
            mark = mark_file(publisher.root, archive.path)
            if mark is not None and mark.sha256 == archive.sha256:
                continue
            try:
                with publisher.receive(archive.path) as opened:
                    remote.save(archive.path, archive.sha256, min(archive.most, MOST_FILE), Sink(opened))
                fetched += 1
            except MovedError:
                if archive.expected:
                    missing.append(archive.path)
    for number, file in enumerate(promised, 1):
        fetched += publisher.write(file.path, remote.take(file.path, file.sha256))
        progress(number, len(promised))
    publisher.write(ROOT_DOCUMENT, body)
    publisher.remove(UNFINISHED)
    return MirrorReport(
        Way.PROMISES, None, fetched, 0, remote.requests, remote.received, whole=False, missing=tuple(missing)
    )
