"""Every rule by which hosts find a front matter, in small tables; and none of them is slow."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.judge.fences import FENCES

PLAIN = "---\nname: x\n---\nbody\n"
CASES: dict[str, tuple[str, dict[str, str | None]]] = {
    # name: (text, rule -> front matter, None where the rule finds none)
    "plain": (
        PLAIN,
        {
            "prefix": "name: x", "exact": "name: x", "anywhere": "name: x\n", "split": "name: x\n",
            "trimmed": "name: x", "gray-matter": "name: x", "crlf-exact": "name: x", "blank-ended": "name: x",
            "loose-open": "name: x", "bare-lines": "name: x", "to-the-end": "name: x",
        },
    ),
    "no fence at all": ("# Title\n", dict.fromkeys(FENCES)),
    "blank line first": ("\n" + PLAIN, dict.fromkeys(FENCES)),
    "byte order mark kept": (
        "\ufeff" + PLAIN,
        {"trimmed": None, "crlf-exact": None, "prefix": None, "bare-lines": None},
    ),
    "never closed": (
        "---\nname: x\n\n# Body\n",
        {
            "prefix": None, "exact": None, "anywhere": None, "split": None, "trimmed": None, "crlf-exact": None,
            "blank-ended": None, "loose-open": None, "bare-lines": None,
            "gray-matter": "name: x\n\n# Body\n", "to-the-end": "name: x\n\n# Body\n",
        },
    ),
    "four dashes": (
        "----\nname: x\n----\n",
        {
            "prefix": None, "exact": None, "split": "-\nname: x\n", "trimmed": None, "gray-matter": None,
            "crlf-exact": None, "blank-ended": None, "bare-lines": None, "anywhere": None,
        },
    ),
    "blanks after the opening": (
        "---  \nname: x\n---\n",
        {
            "prefix": "name: x", "exact": None, "anywhere": "name: x\n", "trimmed": "name: x",
            "gray-matter": "  \nname: x",
            "crlf-exact": None, "blank-ended": "name: x", "bare-lines": "name: x",
        },
    ),
    "closing indented": (
        "---\nname: x\n ---\nb\n",
        {
            "prefix": None, "exact": None, "anywhere": "name: x\n ", "split": "name: x\n ", "trimmed": "name: x",
            "gray-matter": "name: x\n ---\nb\n", "crlf-exact": None, "blank-ended": None, "loose-open": None,
            "bare-lines": None,
        },
    ),
    "closing with a word behind it": (
        "---\nname: x\n---foo\nb\n",
        {
            "prefix": "name: x", "exact": "name: x", "anywhere": "name: x\n", "trimmed": None,
            "gray-matter": "name: x",
            "crlf-exact": "name: x", "blank-ended": None, "loose-open": None, "bare-lines": None,
        },
    ),
    "dashes in a value": (
        "---\nname: a --- b\n---\n",
        {"prefix": "name: a --- b", "anywhere": "name: a ", "split": "name: a ", "trimmed": "name: a --- b"},
    ),
    "closed by the end of the file": (
        "---\nname: x\n---",
        {
            "prefix": "name: x", "trimmed": "name: x", "blank-ended": "name: x", "loose-open": None,
            "bare-lines": "name: x",
        },
    ),
    "nothing between": (
        "---\n---\n",
        {
            "prefix": None, "exact": None, "anywhere": "", "trimmed": None, "blank-ended": "", "loose-open": "",
            "bare-lines": "",
        },
    ),
    "a blank line between": ("---\n\n---\n", {"prefix": "", "exact": "", "crlf-exact": "", "trimmed": ""}),
    "blank lines after the opening": (
        "---\n\n\nname: x\n---\n",
        {"prefix": "name: x", "anywhere": "name: x\n", "exact": "\n\nname: x", "crlf-exact": "\n\nname: x"},
    ),
    "CRLF": (
        "---\r\nname: x\r\n---\r\n",
        {"anywhere": "name: x\r\n", "trimmed": "name: x", "crlf-exact": "name: x", "gray-matter": "name: x\r"},
    ),
    "lone CR": (
        PLAIN.replace("\n", "\r"),
        {"anywhere": None, "trimmed": None, "crlf-exact": None, "gray-matter": None},
    ),
    "a language behind the opening": ("---yaml\nname: x\n---\n", {"gray-matter": "name: x", "prefix": None}),
    "a language nobody knows": ("---toml\nname = 1\n---\n", {"gray-matter": None}),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "rule", "front"),
    [
        pytest.param(text, rule, front, id=f"{name} / {rule}")
        for name, (text, rules) in CASES.items()
        for rule, front in rules.items()
    ],
)
def test_a_rule_finds_the_front_matter_its_host_finds(text: str, rule: str, front: str | None) -> None:
    block = FENCES[rule].find(text)
    assert (block.text if block.state == "found" else None) == front


def test_every_rule_says_where_its_text_starts() -> None:
    for rule in FENCES.values():
        block = rule.find("---\nname: x\n---\nbody\n")
        lines = ["---", "name: x", "---", "body"]
        first = block.text.split("\n")[0]
        assert lines[block.line - 1].endswith(first)


HOSTILE = {
    "blank lines only": "---" + "\n" * 300_000,
    "blanks only": "---" + " " * 300_000,
    "openings only": "---\n" * 75_000,
    "dashes only": "-" * 300_000,
    "closings with blanks": "---\na: b\n" + "--- x\n" * 50_000,
    "closings with long blanks": "---\n" + ("\n---" + " " * 300 + "x") * 1_000,
}


@pytest.mark.parametrize("rule", FENCES)
@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_makes_a_rule_slow(rule: str, name: str) -> None:
    start = time.perf_counter()
    FENCES[rule].find(HOSTILE[name])
    assert time.perf_counter() - start < 1.0


@given(st.text(alphabet=st.sampled_from("-\n\r .:ax\ufeff\x85\u2028"), max_size=40))
def test_any_text_gives_a_block_made_of_its_own_parts(text: str) -> None:
    for rule in FENCES.values():
        block = rule.find(text)
        assert block.state in ("found", "missing", "open", "program")
        assert block.state != "found" or block.text.replace("\r", "").replace("\n", "") in text.replace(
            "\r", ""
        ).replace("\n", "")
