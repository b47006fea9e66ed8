"""The pages about rules, findings on pages, and what is not published."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from generator.findings import BARRING, CODES, finding
from generator.judge.examples import read_examples
from generator.judge.mends import MENDED_CODES
from generator.judge.profiles import load_profiles
from generator.model import Catalog, Finding, Outcome, Rejected, Route, Severity, Verdict
from generator.write.site.checks import finding_item
from generator.write.site.rejected import rejected_content
from generator.write.site.rules import rule_pages, rules_list, show_blanks
from generator.write.site.view import show_hidden
from tests.write.page_reader import PageFacts, read_page
from tests.write.site_samples import HUB, make_listing, make_skill
from tests.write.site_shell import make_hub_pages, make_page

PROFILES = load_profiles()
LABELS = {profile.id: profile.label for profile in PROFILES}
HOSTILE = "<script>x</script>\"'&\u202e{{ 1 }}"
LISTINGS = (make_listing("marked", codes=("frontmatter-bom", "version-missing")), make_listing("clean"))


@pytest.fixture(scope="module")
def routes() -> dict[str, Route]:
    return {route.path: route for route in make_hub_pages(Catalog(HUB, LISTINGS, ()))}


def facts_of(html: str) -> PageFacts:
    return read_page(html.encode())


def squeeze(text: str) -> str:
    return " ".join(text.split())


# --- a rule's page ---------------------------------------------------------------------------------


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_page_that_says_what_why_and_how(routes: dict[str, Route], code: str) -> None:
    info, facts = CODES[code], read_page(routes[f"/rules/{code}/"].body)
    assert facts.unclosed == []
    assert len(facts.ids()) == len(set(facts.ids()))
    words = facts.words()
    for piece in (info.title, info.why, info.fix, code, info.severity.value):
        assert squeeze(show_hidden(piece)) in words, piece
    assert ("is not published until it is mended" in words) == (code in BARRING)
    assert ("skillpress check --fix does it" in words) == (code in MENDED_CODES)
    assert ("example" in facts.ids()) == bool(info.example)
    assert {link[1:] for link in facts.links() if link.startswith("#")} - {"__toc"} <= set(facts.ids())


@pytest.mark.parametrize("code", sorted(code for code in CODES if CODES[code].example))
def test_every_example_is_shown_whole_and_what_is_unseen_is_seen(routes: dict[str, Route], code: str) -> None:
    info = CODES[code]
    body = routes[f"/rules/{code}/"].body
    blocks = re.findall(rb'<pre class="sp-example no-copy"><code>(.*?)\n</code></pre>', body, re.DOTALL)
    assert len(blocks) == 1 + bool(info.mended)
    for block, text in zip(blocks, (info.example, info.mended), strict=False):
        shown = "".join(facts_of(block.decode()).text)
        lines = shown.replace("→\t", "\t").split("\n")
        assert [re.sub(r"·+$", lambda dots: " " * len(dots.group()), line) for line in lines] == [
            show_hidden(line) for line in text.split("\n")
        ]
        assert not re.search(r"[ ]$", shown, re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("a\tb", 'a<span class="sp-unseen">→</span>\tb'),
        ("a  ", 'a<span class="sp-unseen">··</span>'),
        ("\ufeff---", "&lt;U+FEFF&gt;---"),
        ("<b> & 'c'", "&lt;b&gt; &amp; &#39;c&#39;"),
        ("a · →", "a · →"),
        ("", ""),
    ],
)
def test_blanks_are_shown(line: str, shown: str) -> None:
    assert show_blanks(line) == shown


def test_an_example_says_in_which_file_it_stands(routes: dict[str, Route]) -> None:
    for code, info in CODES.items():
        words = read_page(routes[f"/rules/{code}/"].body).words()
        if info.example_in == "paths":
            assert "The mistake as the name of a file" in words
        elif info.example_in:
            assert f"The mistake in {info.example_in}" in words


def test_a_rule_page_says_what_each_host_makes_of_the_example(routes: dict[str, Route]) -> None:
    for code, told in read_examples().items():
        page = read_page(routes[f"/rules/{code}/"].body)
        if not told:
            assert "All judged agents and tools load it" in page.words()
        for host, _, reason in told:
            assert squeeze(show_hidden(reason)) in page.words()
            assert f"../../hosts/{next(one.host for one in PROFILES if one.id == host)}/" in page.links()


def test_lines_that_differ_are_marked_on_both_sides() -> None:
    page = next(content for code, _, _, content in rule_pages(PROFILES, ()) if code == "yaml-unquoted-colon")
    assert page.count("sp-line--bad") == page.count("sp-line--good") == 1


def test_a_rule_page_names_the_skills_that_have_it(routes: dict[str, Route]) -> None:
    facts = read_page(routes["/rules/frontmatter-bom/"].body)
    assert "1 published skill has it." in facts.words()
    assert "../../lab/skills/marked/#findings" in facts.links()
    assert "On this hub" not in read_page(routes["/rules/yaml-anchor/"].body).words()


def test_the_list_holds_every_code_once_with_its_page() -> None:
    facts = facts_of(rules_list(LISTINGS))
    assert facts.unclosed == []
    pages = [link for link in facts.links() if not link.startswith("#")]
    assert sorted(pages) == sorted(f"{code}/" for code in CODES)
    assert {link[1:] for link in facts.links() if link.startswith("#")} <= set(facts.ids())


def test_hostile_skills_change_no_structure_of_a_rule_page() -> None:
    def pages(name: str) -> list[object]:
        listing = make_listing("s", display_name=name, codes=("frontmatter-bom", HOSTILE))
        return [facts_of(content).structure() for _, _, _, content in rule_pages(PROFILES, (listing,))]

    assert pages("plain") == pages(HOSTILE)


# --- findings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hosts", "words"),
    [
        ((), ""),
        (("codex/0.171.0",), "Matters to OpenAI Codex CLI"),
        (tuple(LABELS), "Matters everywhere"),
        (("codex/0.1",), "Matters to codex/0.1"),
        (tuple(LABELS)[:8], "and 2 more"),
    ],
)
def test_a_finding_names_the_hosts_it_matters_to(hosts: tuple[str, ...], words: str) -> None:
    found = replace(finding("frontmatter-bom", "a/SKILL.md", "m", "f", 1, 1), hosts=hosts)
    shown = facts_of(finding_item(found, LABELS, "../")).words()
    assert words in shown
    assert ("Matters" in shown) == bool(words)


def test_findings_of_a_page_lead_to_their_rules_gravest_first() -> None:
    codes = ("version-missing", "frontmatter-bom", "yaml-flow-style")
    skill = make_skill(findings=tuple(finding(code, "s/SKILL.md", f"About {code}", "f", 1) for code in codes))
    facts = read_page(make_page(skill).body)
    for code in codes:
        assert f"../../../rules/{code}/" in facts.links()
    order = sorted(codes, key=lambda code: list(Severity).index(CODES[code].severity))
    places = [facts.words().index(f"About {code}") for code in order]
    assert places == sorted(places)


def test_many_findings_are_counted_not_lost() -> None:
    skill = make_skill(
        findings=tuple(finding("link-broken", "s/SKILL.md", f"m{n}", "f", n) for n in range(1, 150))
    )
    words = read_page(make_page(skill).body).words()
    assert words.count("link-broken") == 100
    assert re.search(r"\b\d\d more\.", words)


# --- not published ---------------------------------------------------------------------------------


def rejected(name: str | None = "weather", reason: str = "Because.", text: str = "a: b: c") -> Rejected:
    return Rejected(
        "skills", "tools/weather", name,
        (
            finding("version-missing", "tools/weather/SKILL.md", "No version", "Add one"),
            finding("yaml-unquoted-colon", "tools/weather/SKILL.md", "A colon", "Quote it", 3, 5, text=text),
        ),
        tuple(
            Verdict(one.id, one.version, Outcome.REFUSE if one.host == "codex" else Outcome.LOAD, reason, (), name)
            for one in PROFILES
        ),
    )  # fmt: skip


def test_a_folder_that_is_not_published_says_where_what_bars_it_and_who_would_load_it() -> None:
    facts = facts_of(rejected_content((rejected(),), PROFILES))
    assert facts.unclosed == []
    words = facts.words()
    for piece in (
        "1 folder holds a skill", "weather", "skills/tools/weather", "skills/tools/weather/SKILL.md:3:5", "a: b: c",
        "A colon", "Quote it", f"{len(PROFILES) - 1} of {len(PROFILES)} agents and tools would load it", "Because.",
        "OpenAI Codex CLI 0.171.0 refuses it",
    ):  # fmt: skip
        assert piece in words, piece
    assert words.index("A colon") < words.index("No version"), "what bars it comes first"
    assert {"../rules/yaml-unquoted-colon/", "../report.json", "../hosts/codex/"} <= set(facts.links())


def test_what_bars_most_is_counted_first() -> None:
    other = Rejected("skills", "x", None, (finding("description-empty", "x/SKILL.md", "m", "f"),))
    words = facts_of(rejected_content((other, rejected(), rejected("two")), PROFILES)).words()
    assert words.index("yaml-unquoted-colon 2") < words.index("description-empty 1")


@pytest.mark.parametrize(("count", "jumps"), [(3, False), (4, True), (61, False)])
def test_a_longer_list_has_a_list_of_contents(count: int, jumps: bool) -> None:
    facts = facts_of(rejected_content((rejected(),) * count, PROFILES))
    assert ("#folder-1" in facts.links()) == jumps
    assert len(facts.ids()) == len(set(facts.ids())) == count


def test_a_folder_that_could_not_be_read_has_no_verdicts() -> None:
    facts = facts_of(rejected_content((replace(rejected(), verdicts=()),), PROFILES))
    assert "would load it" not in facts.words()


def test_hostile_folders_change_no_structure() -> None:
    def structure(text: str) -> object:
        found = Finding("yaml-unquoted-colon", Severity.ERROR, text, text, text, 1, 1, (), text)
        one = Rejected(text, text, text, (found,), rejected(text, text, text).verdicts)
        return facts_of(rejected_content((one,), PROFILES)).structure()

    assert structure("plain") == structure(HOSTILE)
    assert "\u202e" not in rejected_content((rejected(HOSTILE, HOSTILE, HOSTILE),), PROFILES)
