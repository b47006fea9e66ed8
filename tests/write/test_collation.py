"""The order of paths, against Node's own ``localeCompare``."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.write.collation import collation_key

NODE = shutil.which("node") or "node"

SORT_LISTS = """
const lists = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(lists.map((list) => list.slice().sort((a, b) => a.localeCompare(b)))));
"""
COMPARE_PAIRS = """
const pairs = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(pairs.map(([a, b]) => Math.sign(a.localeCompare(b)))));
"""
PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]


def run_node(script: str, value: object) -> list:
    assert NODE is not None
    done = subprocess.run(
        [NODE, "-e", script],
        input=json.dumps(value).encode(),
        capture_output=True,
        check=True,
        env={"LANG": "C"},
    )
    return json.loads(done.stdout)


def sort_backwards(paths: list[str]) -> list[str]:
    """``paths`` sorted from the opposite order, so that a key that ties is noticed."""
    backwards = paths[::-1]
    backwards.sort(key=collation_key)
    return backwards


def test_every_rule_of_the_contract_in_one_list():
    in_order = [
        "_meta.json", "a_b.md", "a-b.md", "a.md", "A.md", "a/b.md", "ab.md", "LICENSE", "README.md",
        "references/a.md", "scripts/x", "skill-card.md", "SKILL.md",
    ]  # fmt: skip
    assert sort_backwards(in_order) == in_order


def test_punctuation_comes_in_the_order_of_cldr():
    in_order = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789aAbBzZ"
    assert "".join(sorted(in_order, key=collation_key)) == in_order


@pytest.mark.parametrize("group", list(permutations(["a", "A", "aB", "Ab"])), ids="-".join)
def test_case_counts_only_after_all_letters(group):
    assert sorted(group, key=collation_key) == ["a", "A", "aB", "Ab"]


def test_ascii_paths_sort_as_node_sorts_them():
    chance = random.Random(20261130)
    words = [
        "SKILL.md",
        "skill.md",
        "Skill.MD",
        "a",
        "A",
        "a-b",
        "a_b",
        "a.b",
        "a b",
        "ab",
        "aB",
        "10",
        "9",
        "LICENSE",
    ]

    def name(alphabet: list[str], longest: int) -> str:
        return "".join(chance.choice(alphabet) for _ in range(chance.randint(1, longest)))

    lists = [[name(PRINTABLE, 12) for _ in range(20)] for _ in range(1000)]
    lists += [[name(list("aAbB-_./ 01"), 6) for _ in range(20)] for _ in range(1000)]
    lists += [["/".join(chance.sample(words, chance.randint(1, 3))) for _ in range(20)] for _ in range(1000)]
    lists += [[first + second for first in PRINTABLE for second in ("", "a", "A", "-")]]
    assert run_node(SORT_LISTS, lists) == [sorted(paths, key=collation_key) for paths in lists]


ALPHABETS = {
    "latin": ([chr(c) for c in range(0xC0, 0x180) if chr(c).isalpha() and c != 0x149] + list("abcdez"), 0.998),
    "greek": ([chr(c) for c in range(0x386, 0x3CF) if chr(c).isalpha()], 0.998),
    "cyrillic": ([chr(c) for c in range(0x400, 0x460)] + list("ґҐ"), 0.998),
    "kana": ([chr(c) for c in (*range(0x3041, 0x3097), *range(0x30A1, 0x30F7))], 0.995),
    "han": ([chr(c) for c in range(0x4E00, 0x9FA5)], 0.99),
    "hangul": ([chr(c) for c in range(0xAC00, 0xD7A3)], 0.998),
    "latin 1 with its symbols": (PRINTABLE + [chr(c) for c in range(0xA0, 0x100)], 0.97),
    "scripts mixed with file names": (
        list("abzAZ019-_./ ") + list("äöüéñßøåЖяфαβωあアん漢字文件翻译한글"), 0.99,
    ),
}  # fmt: skip


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_agreement_with_node_outside_ascii(alphabet):
    chars, least = ALPHABETS[alphabet]
    chance = random.Random(7)
    pairs = []
    for _ in range(4000):
        one, other = ("".join(chance.choices(chars, k=chance.randint(1, 4))) for _ in range(2))
        pairs.append((one, one[:-1] + chance.choice(chars) if chance.random() < 0.3 else other))
    agreed = 0
    for (one, other), sign in zip(pairs, run_node(COMPARE_PAIRS, pairs), strict=True):
        ours = (collation_key(one) > collation_key(other)) - (collation_key(one) < collation_key(other))
        agreed += sign in (0, ours)  # 0: Node has no opinion, ours is by code points
    assert agreed / len(pairs) >= least


@given(st.lists(st.text(max_size=8), max_size=8))
def test_any_text_has_one_order(paths):
    in_order = sorted(paths, key=collation_key)
    assert sort_backwards(in_order) == in_order


@given(st.text(max_size=8), st.text(max_size=8))
def test_two_paths_never_share_a_key(one, other):
    assert (collation_key(one) == collation_key(other)) == (one == other)
