"""The table of finding codes: complete, in words, and the one place that says what bars a skill."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.findings import BARRING, CODES, bars, finding
from generator.model import Severity

LINT_RULES = frozenset(
    """
    skill-md-missing-exact-name frontmatter-missing frontmatter-not-on-first-line frontmatter-bom
    frontmatter-unterminated frontmatter-line-shape yaml-unquoted-colon yaml-indicator-start
    yaml-bracketed-argument-hint yaml-duplicate-key yaml-comment-truncation yaml-flow-style yaml-implicit-type
    yaml-invalid-timestamp yaml-stray-syntax encoding-not-utf8-or-control-char frontmatter-contains-triple-dash
    name-missing name-invalid-format name-directory-mismatch name-reserved-or-protected name-collision-in-registry
    name-contains-autoload-name description-empty description-too-long description-markup-or-invisible
    unknown-frontmatter-key allowed-tools-shape allowed-tools-foreign-names vendor-metadata-namespace
    metadata-not-mapping gate-wrong-type skill-md-too-large nested-skill-md link-or-unsafe-path package-budget
    scanner-conflict skill-ships-plugin-manifest hook-event-unknown agent-name-collision
    """.split()  # noqa: SIM905  # forty words are read more easily so
)
"""The rules read off the hosts' released code, each under the name it has there."""

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
    assert (made.severity, made.path, made.line, made.column) == (Severity.ERROR, "a/SKILL.md", 1, 2)
    with pytest.raises(KeyError):
        finding("no-such-code", "", "", "")


def test_a_finding_keeps_the_first_line_of_its_text_and_not_too_much_of_it() -> None:
    assert finding("frontmatter-bom", "", "", "", text="a\nb").text == "a"
    assert finding("frontmatter-bom", "", "", "", text="x" * 200).text == "x" * 120


@pytest.mark.parametrize("code", [code for code, info in CODES.items() if info.example])
def test_an_example_comes_with_its_mended_form_and_its_place(code: str) -> None:
    info = CODES[code]
    assert info.mended
    assert info.mended != info.example
    assert info.example_in in ("", "paths") or "." in info.example_in


def test_all_lint_rules_of_the_hosts_have_a_code() -> None:
    assert CODES.keys() >= LINT_RULES, sorted(LINT_RULES - CODES.keys())


def test_bars_looks_at_the_codes_alone() -> None:
    assert not bars((finding("frontmatter-bom", "", "", ""),))
    assert bars((finding("frontmatter-bom", "", "", ""), finding("description-empty", "", "", "")))


@pytest.mark.parametrize("layer", ["read", "judge"])
def test_every_code_of_a_layer_is_found_by_it(layer: str) -> None:
    written = set()
    for module in (GENERATOR / layer).rglob("*.py"):
        source = module.read_text("utf-8")
        written |= set(re.findall(r'"([a-z]+(?:-[a-z0-9]+)+)"', source))
    used = {c for c in CODES if CODES[c].layer == layer}
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
