"""The change feed's own work: what a build changed, and what a change makes of a state.

A build reads the index and the state that the last one left. Nothing else, and no clock, decides the sequence
numbers and contents of what it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from generator.jsondata import dump_bytes, to_plain
from generator.model import Route, TimeMs
from generator.write.protocols.changes import (
    CHANGE_SCHEMA,
    GENESIS,
    INDEX_FILE,
    INDEX_SCHEMA,
    KEPT,
    STATE_FILE,
    Change,
    ChangedFile,
    ChangeMark,
    ChangesError,
    Feed,
    FileMark,
    Files,
    Index,
    State,
    broken,
    change_file,
    is_listed,
    mark_of,
    read_change,
    read_index,
    read_state,
    write_index,
    write_state,
)
from generator.write.protocols.events import Standings, apply_events, find_events

_JSON: Final = "application/json"


def advance(
    feed: Feed | None,
    seen: Files,
    removed: Iterable[str],
    standings: Standings,
    time: TimeMs,
) -> tuple[Feed, tuple[Route, ...], tuple[str, ...]]:
    """The feed after a build, the documents to write, and the files to remove.

    Args:
        feed: what :func:`open_feed` gave, None where there is none. Without a feed or its state ``seen`` must
            name every file of the output.
        seen: every file this build wrote or found to be right already, at least. What the feed knows with the
            same mark is no change, so a build after a killed one loses nothing.
        removed: files that are gone.
        standings: where every release stands now, of the whole hub.
        time: the newest first-seen time of the hub.

    The documents are in the order they must reach the disk; the index, which names the others, is the last.
    Where nothing differs the feed is the same and only the index is given, which is there already unless a
    build was killed before it.
    """
    known = feed.state if feed is not None else None
    before = known or State()
    listed = {path: mark for path, mark in seen.items() if is_listed(path)}
    gone = {path for path in removed if path in before.files and path not in listed}
    differ = {path: mark for path, mark in listed.items() if before.files.get(path) != mark}
    if feed is not None and known is not None and not differ and not gone and standings == known.standings:
        return feed, (_index_route(feed.index),), ()
    state = State({path: mark for path, mark in before.files.items() if path not in gone} | differ, standings)
    state_body = write_state(state)
    last = feed.index.changes[0] if feed is not None else None
    files = sorted(differ.items()) if known is not None else ()
    change = Change(
        schema=CHANGE_SCHEMA,
        sequence=last.sequence + 1 if last is not None else 1,
        previous=last.sha256 if last is not None else GENESIS,
        time=max(time, last.time) if last is not None else time,
        state=mark_of(state_body).sha256,
        whole=known is None,
        events=find_events(before.standings, standings),
        files=tuple(ChangedFile(path, mark.sha256, mark.size) for path, mark in files),
        removed=tuple(sorted(gone)),
    )
    body = dump_bytes(to_plain(change))
    index, dropped = _next_index(feed.index if feed is not None else None, change, body, state, state_body)
    routes = (
        Route(f"/{change_file(change.sequence)}", body, _JSON),
        Route(f"/{STATE_FILE}", state_body, _JSON),
        _index_route(index),
    )
    return Feed(index, state), routes, tuple(change_file(mark.sequence) for mark in dropped)


def open_feed(
    index_body: bytes, state_body: bytes | None, next_change: Callable[[str], bytes | None]
) -> Feed:
    """The feed as the last build left it, finished or killed.

    Args:
        next_change: reads a file of the hub by its path, None where there is none; asked only where the state
            is not the index's, as after a build that was killed between the two.

    Raises:
        ChangesError: the index is not readable.
    """
    index = read_index(index_body)
    try:
        if state_body is None:
            return Feed(index, None)
        if mark_of(state_body) == index.state:
            return Feed(index, read_state(state_body))
        path = change_file(index.sequence + 1)
        body = next_change(path)
        if body is None:
            return Feed(index, None)
        change, state = read_change(body, index.sequence + 1), read_state(state_body)
    except ChangesError:
        return Feed(index, None)
    if change.previous != index.changes[0].sha256 or change.state != mark_of(state_body).sha256:
        return Feed(index, None)
    return Feed(_next_index(index, change, body, state, state_body)[0], state)


def _next_index(
    before: Index | None, change: Change, body: bytes, state: State, state_body: bytes
) -> tuple[Index, tuple[ChangeMark, ...]]:
    """The index with one change more, and the changes it no longer keeps."""
    sizes = [one.size for one in (state.files.values() if change.whole else change.files)]
    mark = ChangeMark(
        change.sequence,
        mark_of(body).sha256,
        len(body),
        change.time,
        len(change.events),
        len(sizes),
        sum(sizes),
    )
    changes = (mark, *(before.changes if before is not None else ()))
    index = Index(INDEX_SCHEMA, change.sequence, change.time, mark_of(state_body), changes[:KEPT])
    return index, changes[KEPT:]


def _index_route(index: Index) -> Route:
    return Route(f"/{INDEX_FILE}", write_index(index), _JSON)


def apply_change(state: State, change: Change) -> State:
    """The state after one change: its document has the sha256 that the change names.

    Raises:
        ChangesError: the change is not one of this state.
    """
    if change.whole:
        raise broken(change_file(change.sequence), "it knows of no state before it")
    removed = set(change.removed)
    files = {path: mark for path, mark in state.files.items() if path not in removed}
    files.update({file.path: FileMark(file.sha256, file.size) for file in change.files})
    try:
        return State(files, apply_events(state.standings, change.events))
    except ValueError as error:
        raise broken(change_file(change.sequence), str(error)[:200]) from None
