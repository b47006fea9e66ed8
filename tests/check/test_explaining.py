"""A rule's page names the hosts whose facts list its code, and an unknown code the nearest."""

from __future__ import annotations

import pytest

from generator.check.explaining import UnknownCodeError, explain, list_document, page_document, page_lines
from generator.check.hosts import UnknownHostError, choose_profiles, matters_to
from generator.findings import CODES
from generator.judge.facts import FACTS
from generator.judge.profiles import load_profiles
from tests.check.reports import UNQUOTED


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_page(code: str) -> None:
    page = explain(code, load_profiles())
    lines = list(page_lines(page))
    assert lines[0].startswith(f"{code} ({CODES[code].severity.value}")
    assert f"Fix: {CODES[code].fix}" in lines
    assert all("{" not in effect.reason for effect in page.hosts)
    assert page_document(page)["code"] == code
    facts = {fact for fact, info in FACTS.items() if code in info.codes}
    known = {(p.id, e.fact) for p in load_profiles() for e in p.effects if e.fact in facts}
    assert {(effect.host, effect.fact) for effect in page.hosts} == known


def test_the_list_holds_every_code() -> None:
    assert [row["code"] for row in list_document()["codes"]] == sorted(CODES)


def test_a_page_shows_example_and_mended_text() -> None:
    page = explain(" YAML-unquoted-colon ", ())
    assert page.code == "yaml-unquoted-colon"
    text = "\n".join(page_lines(page))
    assert "Example:\n    description: Use when: testing\n" in text
    assert 'Mended:\n    description: "Use when: testing"\n' in text
    assert text.endswith("No host's verdict rests on it.")


EXAMPLES = {
    "frontmatter-bom": ("codex/0.171.0: refuse. ", "openclaw/2026.9.6: "),
    "allowed-tools-shape": ("deerflow/load: refuse. ", "codex/0.171.0: "),
    "yaml-unquoted-colon": ("deerflow/load: refuse. ", "gemini-cli-core/0.61.0: "),
}
"""A host that minds the example, and one that loads it."""


@pytest.mark.parametrize(("code", "minds", "loads"), [(code, *pair) for code, pair in EXAMPLES.items()])
def test_a_page_says_what_hosts_do_with_the_example(code: str, minds: str, loads: str) -> None:
    page = explain(code, load_profiles())
    text = "\n".join(page_lines(page)).partition("With the example:")[2].partition("\n\n")[0]
    assert minds in text
    assert loads not in text
    assert "load: the other" in text
    told = page_document(page)["onExample"]
    assert {host: one["verdict"] for host, one in told.items()} == {
        verdict.host: verdict.outcome.value for verdict in page.on_example
    }
    assert told.keys() == {profile.id for profile in load_profiles()}


@pytest.mark.parametrize(
    ("code", "nearest"),
    [("yaml-unqoted-colon", "'yaml-unquoted-colon'"), ("zzz", "lists all"), ("", "lists all")],
)
def test_an_unknown_code_names_the_nearest(code: str, nearest: str) -> None:
    with pytest.raises(UnknownCodeError, match=nearest):
        explain(code, ())


HOSTS = {
    "a family": (("codex",), {"codex/0.171.0"}),
    "a column": (("deeptutor/list",), {"deeptutor/list"}),
    "a column with a blank": (("agentskills/skills-ref validate",), {"agentskills/skills-ref validate"}),
    "several, with commas": (("codex, deeptutor",), {"codex/0.171.0", "deeptutor/list", "deeptutor/hub-import"}),
    "several, twice": (("codex", "deerflow/load", "codex"), {"codex/0.171.0", "deerflow/load"}),
    "any case": (("Codex",), {"codex/0.171.0"}),
}  # fmt: skip


@pytest.mark.parametrize(("wanted", "ids"), HOSTS.values(), ids=HOSTS)
def test_hosts_by_name(wanted: tuple[str, ...], ids: set[str]) -> None:
    chosen = choose_profiles(wanted, load_profiles())
    assert {profile.id for profile in chosen} == ids
    assert [p for p in load_profiles() if p in chosen] == list(chosen)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("codecs", "'codex'"), ("deeptutr", "'deeptutor'"), ("codex/0.171", "'codex/0.171.0'"), (",", "no host is named")],
)  # fmt: skip
def test_an_unknown_host_names_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(UnknownHostError, match=nearest):
        choose_profiles((name,), load_profiles())


def test_findings_of_other_hosts_are_left_out() -> None:
    assert matters_to(UNQUOTED, frozenset({"codex/0.171.0"}))
    assert not matters_to(UNQUOTED, frozenset({"deeptutor/list"}))
    from dataclasses import replace

    assert matters_to(replace(UNQUOTED, hosts=()), frozenset({"deeptutor/list"}))
