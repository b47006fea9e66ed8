"""What a mirror plans, and what it refuses to write."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.mirror.plan import Plan, is_safe, missing_changes, plan_mirror
from generator.mirror.remote import MirrorError
from generator.model import TimeMs
from generator.write.protocols.changefeed import advance
from generator.write.protocols.changes import KEPT, Feed, FileMark, State, mark_of


def marks(*paths: str, data: bytes = b"new") -> dict[str, FileMark]:
    return {path: mark_of(data) for path in paths}


def names(plan: Plan) -> tuple[list[str], list[str], list[str]]:
    return list(plan.in_the_way), [file.path for file in plan.downloads], list(plan.removals)


PLANS = {
    "nothing to do": (marks("a", "b/c"), marks("a", "b/c"), ([], [], [])),
    "everything": ({}, marks("a"), ([], ["a"], [])),
    "changed, new and gone": (
        marks("a", data=b"old") | marks("gone"), marks("a", "b"), ([], ["a", "b"], ["gone"]),
    ),
    "a file became a folder": (marks("a"), marks("a/b"), (["a"], ["a/b"], [])),
    "a folder became a file": (marks("a/b", "a/c"), marks("a"), (["a/b", "a/c"], ["a"], [])),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANS)
def test_plans(name: str) -> None:
    present, wanted, expected = PLANS[name]
    assert names(plan_mirror(present, State(wanted))) == expected


def test_what_is_named_comes_before_what_names_it() -> None:
    ordered = [
        "ledger/lab/demo.jsonl", "dl/lab/demo-1.0.0.zip", "api/v1/skills/demo/versions/1.0.0/index.html",
        "api/v1/skills/demo/index.html", "lab/skills/demo/index.html", "packs/lab/demo.json",
        "api/v1/skills/index.html", "index.html", "ledger/index.json", "router.json",
    ]  # fmt: skip
    plan = plan_mirror({}, State(marks(*ordered)))
    found = [file.path for file in plan.downloads]
    for before, after in (
        (ordered[0], ordered[1]), (ordered[1], ordered[2]), (ordered[2], ordered[3]), (ordered[3], ordered[6]),
        (ordered[4], ordered[7]), (ordered[5], ordered[9]), (ordered[0], ordered[8]),
    ):  # fmt: skip
        assert found.index(before) < found.index(after), (before, after)


UNSAFE = [
    "", "/etc/passwd", "../x", "a/../b", "a//b", "a/", "./a", ".ssh/id", "a/.git/config", ".skillpress/lock",
    ".well-known", ".well-known/../x", ".well-known.evil/x", "a\\b", "C:/x", "a:b", "a\0b", "a\nb", "a\u202eb",
    "x" * 1025, "a/" * 200 + "..", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("path", UNSAFE)
def test_paths_no_hub_can_have(path: str) -> None:
    assert not is_safe(path)
    with pytest.raises(MirrorError, match="no hub can have"):
        plan_mirror({}, State(marks("index.html", path)))


@pytest.mark.parametrize("path", ["hub.json", "changes/index.json", "changes/1.json"])
def test_paths_that_are_the_feeds_own(path: str) -> None:
    with pytest.raises(MirrorError, match="no hub can have"):
        plan_mirror({}, State(marks(path)))


@pytest.mark.parametrize(
    "path", ["a", "a/b.html", ".well-known/clawhub.json", "dl/a/b-1.0.0-rc.1.zip", "con/x", "页.html"]
)
def test_paths_a_hub_can_have(path: str) -> None:
    assert is_safe(path)


@pytest.mark.parametrize("present", [(), ("a",), ("a/b/c",)])
def test_a_file_below_a_file(present: tuple[str, ...]) -> None:
    with pytest.raises(MirrorError, match="another below it"):
        plan_mirror(marks(*present), State(marks("a", "a/b/c")))


def test_files_that_only_look_alike() -> None:
    assert names(plan_mirror(marks("a-b"), State(marks("a", "a.b", "a0")))) == (
        [],
        ["a", "a.b", "a0"],
        ["a-b"],
    )


# --- which changes are missing ---------------------------------------------------------------------


def feeds(count: int, first: bytes = b"0") -> list[Feed]:
    """The feed after each of ``count`` builds."""
    made: list[Feed] = []
    for number in range(count):
        seen = {"a": mark_of(first + b"%d" % number)}
        made.append(advance(made[-1] if made else None, seen, (), {}, TimeMs(number))[0])
    return made


ROW = feeds(KEPT + 5)
OTHERS = feeds(8, b"other")


@pytest.mark.parametrize(
    ("local", "remote", "missing"),
    [
        (None, ROW[0], None),
        (ROW[3], ROW[3], []),
        (ROW[3], ROW[6], [5, 6, 7]),
        (ROW[6], ROW[3], None),
        (OTHERS[3], ROW[6], None),
        (OTHERS[7], ROW[3], None),
        (ROW[5], ROW[KEPT + 4], list(range(7, KEPT + 6))),
        (ROW[4], ROW[KEPT + 4], None),
        (replace(ROW[3], state=None), ROW[6], None),
    ],
)
def test_missing_changes(local: Feed | None, remote: Feed, missing: list[int] | None) -> None:
    found = missing_changes(local, remote.index)
    assert (None if found is None else [mark.sequence for mark in found]) == missing
