"""The table of finding codes: complete, in words, and the one place that says what bars a skill."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.findings import BARRING, CODES, bars, finding
from generator.model import Severity

GENERATOR = Path(__file__).parents[1] / "generator"


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_is_documented(code: str) -> None:
    info = CODES[code]
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", code)
    assert info.layer in ("read", "decide", "judge")
    for text in (info.title, info.why, info.fix):
        assert len(text) > 10
    assert not info.title.endswith(".")
    assert info.why.endswith(".")
    assert info.fix.endswith(".")


def test_what_bars_is_an_error_and_known() -> None:
    assert CODES.keys() >= BARRING
    assert {CODES[code].severity for code in BARRING} == {Severity.ERROR}


@pytest.mark.parametrize(
    "code",
    [
        "skill-md-missing-exact-name",
        "description-too-long",
        "name-missing",
        "name-invalid-format",
        "nested-skill-md",
        "frontmatter-bom",
        "body-not-utf8",
        "gate-wrong-type",
        "metadata-not-mapping",
        "symlink-skipped",
        "path-non-ascii",
        "path-windows-char",
    ],
)
def test_a_mistake_that_a_host_survives_does_not_bar(code: str) -> None:
    assert code in CODES
    assert code not in BARRING


def test_a_finding_takes_its_severity_from_the_table() -> None:
    made = finding("frontmatter-bom", "a/SKILL.md", "message", "fix", 1, 2)
    assert (made.severity, made.path, made.line, made.column) == (Severity.WARNING, "a/SKILL.md", 1, 2)
    with pytest.raises(KeyError):
        finding("no-such-code", "", "", "")


def test_bars_looks_at_the_codes_alone() -> None:
    assert not bars((finding("frontmatter-bom", "", "", ""),))
    assert bars((finding("frontmatter-bom", "", "", ""), finding("description-empty", "", "", "")))


def test_every_code_of_the_read_layer_is_in_the_table() -> None:
    written = set()
    for module in (GENERATOR / "read").rglob("*.py"):
        source = module.read_text("utf-8")
        written |= set(re.findall(r'"([a-z]+(?:-[a-z0-9]+)+)"', source))
    used = {c for c in CODES if CODES[c].layer == "read"}
    assert used <= written, f"in the table, but emitted nowhere: {sorted(used - written)}"


def test_every_code_that_the_read_layer_names_is_in_the_table() -> None:
    call = re.compile(
        r"(?:\bfinding|\.add|\.add_problem|PathProblem|YamlProblem|JsonProblem|Advice|_refuse|_skip)\("
        r"\s*(?:event,\s*|after,\s*)?\"([a-z]+(?:-[a-z0-9]+)+)\""
    )
    named = {
        code
        for module in (GENERATOR / "read").rglob("*.py")
        for code in call.findall(module.read_text("utf-8"))
    }
    assert len(named) > 50
    assert named <= CODES.keys()
