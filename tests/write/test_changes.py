"""The change feed: events, documents, and that a build's output follows from the last one's alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model import Archive, Route, TimeMs, Version
from generator.write.protocols.changefeed import advance, apply_change, open_feed
from generator.write.protocols.changes import (
    GENESIS,
    INDEX_FILE,
    KEPT,
    STATE_FILE,
    ChangesError,
    Feed,
    FileMark,
    State,
    change_file,
    is_listed,
    mark_of,
    read_change,
    read_index,
    read_state,
    write_index,
    write_state,
)
from generator.write.protocols.events import (
    ReleaseStanding,
    ReleaseStatus,
    SkillStanding,
    SkillStatus,
    apply_events,
    find_events,
)
from tests.samples import sha256

DIGEST = sha256(b"x")


def release(version: str, status: str = "offered", reason: str = "", at: int = 1) -> ReleaseStanding:
    archive = Archive(sha256(version.encode()), 100)
    return ReleaseStanding(Version(version), TimeMs(at), DIGEST, archive, ReleaseStatus(status), reason)


def skill(
    *releases: ReleaseStanding, status: str = "listed", to: str = "", reason: str = ""
) -> SkillStanding:
    offered = [one.version for one in releases if one.status is ReleaseStatus.OFFERED]
    return SkillStanding(releases, offered[-1] if offered else None, SkillStatus(status), to, reason)


ONE = skill(release("1.0.0"))
EVENTS: dict[str, tuple[SkillStanding | None, SkillStanding | None, list[str]]] = {
    "a new skill": (None, ONE, ["release-published 1.0.0", "skill-listed", "skill-latest 1.0.0"]),
    "a new version": (
        ONE, skill(release("1.0.0"), release("1.1.0")), ["release-published 1.1.0", "skill-latest 1.1.0"],
    ),
    "a new version that is blocked": (
        ONE, skill(release("1.0.0"), release("1.1.0", "blocked")),
        ["release-published 1.1.0", "release-blocked 1.1.0"],
    ),
    "yanked": (ONE, skill(release("1.0.0", "yanked", "Broken.")), ["release-yanked 1.0.0 Broken.", "skill-latest"]),
    "offered again": (
        skill(release("1.0.0", "yanked", "x")), ONE, ["release-offered 1.0.0", "skill-latest 1.0.0"],
    ),
    "another reason": (
        skill(release("1.0.0", "yanked", "a")), skill(release("1.0.0", "yanked", "b")), ["release-yanked 1.0.0 b"],
    ),
    "quarantined": (
        ONE, skill(release("1.0.0", "quarantined", "Malware.")),
        ["release-quarantined 1.0.0 Malware.", "skill-latest"],
    ),
    "an archive lost": (ONE, skill(release("1.0.0", "withdrawn")), ["release-withdrawn 1.0.0", "skill-latest"]),
    "retained": (ONE, skill(release("1.0.0"), status="retained"), ["skill-retained"]),
    "deprecated": (
        ONE, skill(release("1.0.0"), status="deprecated", to="a/new", reason="Old."), ["skill-deprecated a/new Old."],
    ),
    "renamed": (ONE, skill(release("1.0.0"), status="renamed", to="b/new"), ["skill-renamed b/new"]),
    "removed": (
        ONE, replace(skill(release("1.0.0", "withdrawn")), status=SkillStatus.REMOVED),
        ["release-withdrawn 1.0.0", "skill-removed", "skill-latest"],
    ),
    "other content, in a preview": (
        ONE,
        skill(replace(release("1.0.0"), fingerprint=sha256(b"other"), archive=Archive(DIGEST, 7))),
        ["release-replaced 1.0.0"],
    ),
    "blocked, then reviewed": (
        skill(replace(release("1.0.0", "blocked"), archive=None)), ONE,
        ["release-offered 1.0.0", "skill-latest 1.0.0"],
    ),
    "a review taken back": (
        ONE, skill(replace(release("1.0.0", "blocked"), archive=None)), ["release-blocked 1.0.0", "skill-latest"],
    ),
    "a review taken back for a quarantine": (
        ONE, skill(replace(release("1.0.0", "quarantined", "x"), archive=None)),
        ["release-quarantined 1.0.0 x", "skill-latest"],
    ),
    "reviewed, and yanked at once": (
        skill(replace(release("1.0.0", "blocked"), archive=None)), skill(release("1.0.0", "yanked", "x")),
        ["release-yanked 1.0.0 x"],
    ),
    "a ledger gone": (ONE, None, ["skill-forgotten"]),
    "nothing": (ONE, ONE, []),
}  # fmt: skip


@pytest.mark.parametrize("name", EVENTS)
def test_events(name: str) -> None:
    before, after, expected = EVENTS[name]
    was = {"a/demo": before} if before else {}
    now = {"a/demo": after} if after else {}
    events = find_events(was, now)
    assert [
        " ".join(filter(None, (one.type, one.version or "", one.to, one.reason))) for one in events
    ] == expected
    assert all((one.owner, one.slug) == ("a", "demo") for one in events)
    assert apply_events(was, events) == now


def test_a_published_event_says_all_a_mirror_of_archives_needs() -> None:
    event = find_events({}, {"a/demo": skill(release("1.0.0", at=5))})[0]
    assert (event.at, event.fingerprint, event.archive) == (5, DIGEST, Archive(sha256(b"1.0.0"), 100))


VERSIONS = ("1.0.0", "1.1.0", "2.0.0")
RELEASES = st.lists(
    st.tuples(st.sampled_from(list(ReleaseStatus)), st.sampled_from(["", "Why."]), st.integers(0, 2)),
    max_size=len(VERSIONS),
)
SKILLS = st.builds(
    lambda releases, latest, status, to, reason: SkillStanding(
        tuple(
            replace(release(version, kind, why), archive=Archive(DIGEST, size))
            for version, (kind, why, size) in zip(VERSIONS, releases, strict=False)
        ),
        latest, status, to, reason,
    ),
    RELEASES, st.sampled_from([None, *map(Version, VERSIONS)]), st.sampled_from(list(SkillStatus)),
    st.sampled_from(["", "b/x"]), st.sampled_from(["", "Why."]),
)  # fmt: skip
STANDINGS = st.dictionaries(st.sampled_from(["a/one", "a/two", "b/one"]), SKILLS)


@settings(max_examples=100, deadline=None)
@given(standings=STANDINGS)
def test_a_state_reads_as_it_was_written(standings: dict[str, SkillStanding]) -> None:
    state = State({"a": mark_of(b"1")}, standings)
    assert read_state(write_state(state)) == state


@settings(max_examples=300, deadline=None)
@given(before=STANDINGS, after=STANDINGS)
def test_events_carry_everything(before: dict[str, SkillStanding], after: dict[str, SkillStanding]) -> None:
    assert apply_events(before, find_events(before, after)) == after
    assert not find_events(after, after)


# --- builds ----------------------------------------------------------------------------------------


def marks(**files: str) -> dict[str, FileMark]:
    return {path.replace("__", "/"): mark_of(text.encode()) for path, text in files.items()}


def disk(routes: Iterable[Route], known: dict[str, bytes] | None = None) -> dict[str, bytes]:
    return {**(known or {}), **{route.path[1:]: route.body for route in routes}}


def opened(files: dict[str, bytes]) -> Feed:
    return open_feed(files[INDEX_FILE], files.get(STATE_FILE), files.get)


FIRST = advance(None, marks(a="1", dl__x="2"), (), {"a/demo": ONE}, TimeMs(5))


def test_the_first_change_is_whole() -> None:
    feed, routes, dropped = FIRST
    assert [route.path for route in routes] == [
        "/changes/1.json",
        "/changes/state.json",
        "/changes/index.json",
    ]
    assert dropped == ()
    change = read_change(routes[0].body, 1)
    assert (change.whole, change.previous, change.files, change.time) == (True, GENESIS, (), 5)
    assert len(change.events) == 3
    (mark,) = feed.index.changes
    assert (mark.files, mark.bytes) == (2, 2)


def test_a_change_lists_what_differs_and_nothing_else() -> None:
    feed = FIRST[0]
    seen = marks(a="1", b="new", dl__x="22")
    after, routes, _ = advance(feed, seen, ["a", "never"], {"a/demo": ONE}, TimeMs(3))
    change = read_change(routes[0].body, 2)
    assert [file.path for file in change.files] == ["b", "dl/x"], "a was seen, so it is not gone"
    assert change.removed == ()
    assert change.events == ()
    assert change.time == 5, "a feed's time never goes back"
    assert change.previous == feed.index.changes[0].sha256 == mark_of(FIRST[1][0].body).sha256
    gone, routes, _ = advance(after, {}, ["b"], {"a/demo": ONE}, TimeMs(9))
    assert read_change(routes[0].body, 3).removed == ("b",)
    assert gone.state is not None
    assert set(gone.state.files) == {"a", "dl/x"}


def test_nothing_changed_nothing_new() -> None:
    feed = FIRST[0]
    after, routes, dropped = advance(feed, marks(a="1"), ["never"], {"a/demo": ONE}, TimeMs(99))
    assert after == feed
    assert [route.body for route in routes] == [FIRST[1][-1].body]
    assert dropped == ()


@pytest.mark.parametrize(
    ("path", "listed"),
    [
        ("hub.json", False), ("changes/index.json", False), ("changes/7.json", False), (".skillpress/lock", False),
        ("api/hub.json", True), ("changes.json", True), ("dl/a/b-1.0.0.zip", True),
    ],
)  # fmt: skip
def test_which_files_are_listed(path: str, listed: bool) -> None:
    assert is_listed(path) == listed
    state = advance(None, {path: mark_of(b"")}, (), {}, TimeMs(0))[0].state
    assert state is not None
    assert (path in state.files) == listed


def test_changes_lead_from_state_to_state() -> None:
    feed, files = FIRST[0], disk(FIRST[1])
    for number in range(2, 6):
        seen = {f"f{number}": mark_of(b"x" * number), "a": mark_of(b"%d" % number)}
        before = feed.state
        standings = {"a/demo": skill(release("1.0.0"), *(release(f"1.{n}.0") for n in range(1, number)))}
        feed, routes, _ = advance(feed, seen, [f"f{number - 1}"], standings, TimeMs(number))
        files = disk(routes, files)
        assert before is not None
        made = apply_change(before, read_change(files[change_file(number)], number))
        assert made == feed.state
        assert mark_of(write_state(made)) == feed.index.state
        assert opened(files) == feed, "the next build reads what this one left"


def test_only_the_last_changes_are_kept() -> None:
    feed, dropped = FIRST[0], ()
    for number in range(2, KEPT + 3):
        feed, _, dropped = advance(feed, {"a": mark_of(b"%d" % number)}, (), {"a/demo": ONE}, TimeMs(0))
    assert len(feed.index.changes) == KEPT
    assert dropped == (change_file(2),)
    assert read_index(write_index(feed.index)) == feed.index


# --- builds that were killed -----------------------------------------------------------------------

SECOND = advance(FIRST[0], marks(a="changed"), (), {"a/demo": ONE}, TimeMs(6))


@pytest.mark.parametrize("written", [0, 1, 2, 3])
def test_a_build_killed_between_its_documents(written: int) -> None:
    """Whatever reached the disk, the next build ends with the documents that this one would have written."""
    files = disk(SECOND[1][:written], disk(FIRST[1]))
    feed, routes, _ = advance(opened(files), marks(a="changed"), (), {"a/demo": ONE}, TimeMs(6))
    assert feed == SECOND[0]
    assert disk(routes, files) == disk(SECOND[1], disk(FIRST[1]))


LOST = {
    "the state is missing": {STATE_FILE: None},
    "the state is cut off": {STATE_FILE: b'{"schema"'},
    "the state is another": {STATE_FILE: write_state(State(marks(z="z")))},
}


@pytest.mark.parametrize("name", LOST)
def test_a_lost_state_costs_no_sequence_number(name: str) -> None:
    files = disk(FIRST[1])
    for path, data in LOST[name].items():
        files.pop(path)
        if data is not None:
            files[path] = data
    feed = opened(files)
    assert feed.state is None
    after, routes, _ = advance(feed, marks(a="1", dl__x="2"), (), {"a/demo": ONE}, TimeMs(5))
    change = read_change(routes[0].body, 2)
    assert (change.whole, change.previous) == (True, FIRST[0].index.changes[0].sha256)
    assert after.state == FIRST[0].state


def test_a_change_of_another_row_is_not_taken_for_the_next() -> None:
    """Its state may be the same and its place in the row not."""
    files = disk(SECOND[1][:2], disk(FIRST[1]))
    alien = {**json.loads(files[change_file(2)]), "previous": "1" * 64}
    files[change_file(2)] = json.dumps(alien).encode()
    assert opened(files).state is None


# --- documents of others ---------------------------------------------------------------------------

GOOD_INDEX = json.loads(FIRST[1][2].body)
GOOD_CHANGE = json.loads(SECOND[1][0].body)
GOOD_STATE = json.loads(FIRST[1][1].body)
BROKEN = {
    "no JSON": b"{",
    "deep": b"[" * 100_000,
    "a list": b"[]",
    "another schema": b'{"schema":"other"}',
    "no UTF-8": b"\xff",
    "empty": b"",
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_document(name: str) -> None:
    for read in (read_index, read_state, lambda data: read_change(data, 2)):
        with pytest.raises(ChangesError):
            read(BROKEN[name])


INDEXES = {
    "no changes": {"changes": []},
    "a gap": {"sequence": 2},
    "a wrong type": {"time": "now"},
    "an unknown key": {"more": 1},
    "a negative size": {"state": {"sha256": DIGEST, "size": -1}},
    "no digest": {"state": {"sha256": "x", "size": 1}},
    "a truth for a number": {"sequence": True},
}


@pytest.mark.parametrize("name", INDEXES)
def test_indexes_that_are_none(name: str) -> None:
    with pytest.raises(ChangesError, match=r"changes/index\.json"):
        read_index(json.dumps({**GOOD_INDEX, **INDEXES[name]}).encode())


CHANGES = {
    "another number": {"sequence": 3},
    "a file without a digest": {"files": [{"path": "a", "sha256": "../..", "size": 1}]},
    "a file with an endless size": {"files": [{"path": "a", "sha256": DIGEST, "size": 1e400}]},
    "an unknown event key": {"events": [{"type": "x", "owner": "a", "slug": "b", "extra": 1}]},
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_that_are_none(name: str) -> None:
    with pytest.raises(ChangesError, match=r"changes/2\.json"):
        read_change(json.dumps({**GOOD_CHANGE, **CHANGES[name]}).encode(), 2)


GOOD_SKILL = {"status": "listed", "latest": None, "to": "", "reason": "", "releases": {}}
STATES = {
    "files as a list": {"files": []},
    "a mark of three": {"files": {"a": [DIGEST, 1, 2]}},
    "a mark that is a text": {"files": {"a": "xy"}},
    "no files": {"files": None},
    "skills as a list": {"skills": []},
    "no status": {"skills": {"a/b": {}}},
    "a skill as a list": {"skills": {"a/b": []}},
    "an unknown status": {"skills": {"a/b": {**GOOD_SKILL, "status": "x"}}},
    "releases as a list": {"skills": {"a/b": {**GOOD_SKILL, "releases": [1]}}},
    "a release of two": {"skills": {"a/b": {**GOOD_SKILL, "releases": {"1.0.0": ["offered", 1]}}}},
    "a release at no time": {
        "skills": {"a/b": {**GOOD_SKILL, "releases": {"1.0.0": ["offered", "now", DIGEST, None, 0, ""]}}}
    },
}


@pytest.mark.parametrize("name", STATES)
def test_states_that_are_none(name: str) -> None:
    with pytest.raises(ChangesError, match=r"changes/state\.json"):
        read_state(json.dumps({**GOOD_STATE, **STATES[name]}).encode())


EVENTS_OF_NONE = {
    "a status nobody knows": {"type": "release-lost", "owner": "a", "slug": "demo", "version": "1.0.0"},
    "a release without version": {"type": "release-yanked", "owner": "a", "slug": "demo"},
    "a release nobody published": {
        "type": "release-yanked",
        "owner": "a",
        "slug": "demo",
        "version": "9.0.0",
    },
    "a published one without time": {
        "type": "release-published",
        "owner": "a",
        "slug": "demo",
        "version": "9.0.0",
    },
    "a skill's status nobody knows": {"type": "skill-x", "owner": "a", "slug": "demo"},
}


@pytest.mark.parametrize("name", EVENTS_OF_NONE)
def test_changes_that_do_not_fit_their_state(name: str) -> None:
    change = read_change(json.dumps({**GOOD_CHANGE, "events": [EVENTS_OF_NONE[name]]}).encode(), 2)
    assert FIRST[0].state is not None
    with pytest.raises(ChangesError):
        apply_change(FIRST[0].state, change)
