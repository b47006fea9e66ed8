"""A skill's page: what it shows, and that it stays a page whatever authors write."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest

from generator.model import (
    Finding,
    InstallSpec,
    Manifest,
    PublishedSkill,
    ScanReport,
    ScanVerdict,
    Severity,
    Taxonomy,
    TimeMs,
)
from generator.write.site.install import list_install_ways
from generator.write.site.view import (
    format_count,
    format_date,
    format_size,
    link_license,
    link_web,
    shorten,
    show_hidden,
)
from tests.write.page_reader import PageFacts, read_page
from tests.write.site_samples import (
    BODY,
    HUB,
    make_chinese_skill,
    make_full_skill,
    make_listing,
    make_skill,
)
from tests.write.site_shell import make_page


def read_skill(skill: PublishedSkill) -> PageFacts:
    return read_page(make_page(skill).body)


def test_the_page_lies_where_links_expect_it() -> None:
    route = make_page(make_skill())
    assert (route.path, route.media_type) == ("/lab/skills/spreadsheet-review/", "text/html; charset=utf-8")


def test_the_page_shows_everything_there_is_to_know() -> None:
    skill = make_full_skill()
    facts = read_skill(skill)
    words = facts.words()
    for piece in (
        "Spreadsheet review", "Finds wrong formulas", "lab", "Version 1.2.0", "MIT", "office", "🧮",
        "python3", "soffice", "SHEET_TOKEN", "linux", "Bash(python:*)", "Needs network access", "teaching",
        "PostToolUse", "python3 scripts/inspect.py", "npx -y sheets-mcp", "checker no tools",
        "only for Write", "as sheets, with SHEET_TOKEN",
        "Always loaded", "Executable when its instructions say so scripts/inspect.py",
        "references/checklist.md", "23 B",
        "Worth a look", "examined by skillpress, rules 1+0123456789ab", "remote_pipe_shell", "SKILL.md:12",
        "assets/model.bin", "license-unknown", "spreadsheet-review/SKILL.md:4:10", "Write license: MIT",
        "missing.md", "1.1.0", "2025-11-30", "Checks named ranges too.", "Count the formulas.",
        skill.latest.hashes.fingerprint, skill.latest.hashes.tree, skill.latest.hashes.folder,
        skill.latest.archive.sha256,
    ):  # fmt: skip
        assert piece in words, piece
    assert facts.title == "Spreadsheet review - Open Skill Shelf"
    links = facts.links()
    assert "https://spdx.org/licenses/MIT.html" in links
    assert "https://lab.example/review" in links
    assert "../../../dl/lab/spreadsheet-review-1.2.0.zip" in links
    assert "../../../dl/lab/spreadsheet-review-1.1.0.zip" in links
    assert "https://hub.example/shelf/lab/skills/spreadsheet-review/" in links  # canonical
    copies = [a["data-sp-copy"] for _, a in facts.tags if "data-sp-copy" in a]
    assert skill.latest.hashes.fingerprint in copies


def test_the_page_is_well_formed_and_its_own_links_resolve() -> None:
    for skill in (make_full_skill(), make_skill(), make_chinese_skill()):
        facts = read_skill(skill)
        assert facts.unclosed == []
        ids = facts.ids()
        assert len(ids) == len(set(ids))
        assert not {link[1:] for link in facts.links() if link.startswith("#")} - set(ids)


def test_relative_links_lead_to_the_page_s_own_files_and_to_neighbours() -> None:
    page = make_page(make_skill(), {"charts": "lab/charts"})
    links = read_page(page.body).links()
    assert {"#text-2", "#text-3"} <= set(links)
    assert "../../../lab/skills/charts/" in links


def test_a_plain_skill_says_what_it_lacks() -> None:
    skill = make_skill("text", make_listing(license=None, emoji=None, topics=()), files=("SKILL.md",))
    words = read_skill(skill).words()
    assert "not stated" in words
    assert "No limit declared" in words
    assert "It brings no hooks, MCP servers, subagents, scripts or executable files." in words
    assert "For the author" not in words


@pytest.mark.parametrize(
    ("tools", "words"), [(None, "No limit declared"), ((), "None allowed"), (("Read",), "Tools Read")]
)
def test_missing_empty_and_listed_tools_are_three_things(tools: tuple[str, ...] | None, words: str) -> None:
    assert words in read_skill(make_skill(manifest=Manifest("x", "X", "d", allowed_tools=tools))).words()


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (ScanVerdict.ALLOW, "Nothing found"),
        (ScanVerdict.WARN, "Worth a look"),
        (ScanVerdict.BLOCK, "Blocked"),
        (ScanVerdict.ERROR, "Not examined"),
    ],
)
def test_the_verdict_claims_no_more_than_what_ran(verdict: ScanVerdict, words: str) -> None:
    error = "time limit" if verdict is ScanVerdict.ERROR else None
    facts = read_skill(make_skill(scan=ScanReport("engine-x", "7+abc", verdict, 1, error=error)))
    text = facts.words()
    assert words in text
    assert "engine-x" in text
    assert "7+abc" in text
    for claim in ("safe", "clean", "trusted", "secure", "verified"):
        assert claim not in text.lower()
    assert ("time limit" in text) == (verdict is ScanVerdict.ERROR)


def test_a_retained_skill_says_why_it_may_be_so() -> None:
    facts = read_skill(make_skill(listing=make_listing(retained=True)))
    assert "its folder is gone or its newer content is not published" in facts.words()
    assert "../../../not-published/" in [a.get("href") for tag, a in facts.tags if tag == "a"]
    assert "its folder is gone" not in read_skill(make_skill()).words()


def test_a_licence_outside_spdx_is_shown_as_the_author_s_words() -> None:
    own = Manifest("x", "X", "d", license_text="My <own> " + "terms " * 60)
    words = read_skill(make_skill(listing=make_listing(license=None), manifest=own)).words()
    assert "License My <own> terms" in words
    assert "… (not an SPDX licence)" in words
    assert "not stated" not in words


def test_what_is_to_be_installed_is_named() -> None:
    manifest = Manifest("x", "X", "d", install=(InstallSpec("brew", "poppler"), InstallSpec("uv", "pdf<2")))
    words = read_skill(make_skill("text", manifest=manifest, files=("SKILL.md",))).words()
    assert "brew poppler" in words
    assert "uv pdf<2" in words
    assert "It brings no" not in words


def test_what_the_scan_found_is_told_once() -> None:
    findings = (
        Finding("scan-warned", Severity.WARNING, "SKILL.md", "Told with the scan.", ""),
        Finding("license-unknown", Severity.WARNING, "SKILL.md", "Told to the author.", ""),
    )
    words = read_skill(make_skill(findings=findings)).words()
    assert "Told to the author." in words
    assert "Told with the scan." not in words
    assert "For the author" not in read_skill(make_skill(findings=findings[:1], body="text")).words()


def test_a_blocked_release_is_neither_installed_nor_downloaded_from_its_page() -> None:
    facts = read_skill(make_skill(scan=ScanReport("e", "r", ScanVerdict.BLOCK, 1)))
    assert "its archive is not served" in facts.words()
    assert "npx clawhub" not in facts.words()
    assert not [link for link in facts.links() if "/dl/" in link]


def test_a_chinese_skill_reads_well() -> None:
    facts = read_skill(make_chinese_skill())
    assert facts.title.startswith("教案设计")
    assert "s-一准备" in facts.ids()
    assert "#s-一准备" in facts.links()
    assert "../../../browse/?topic=%E6%95%99%E5%AD%A6" in facts.links()


@pytest.mark.parametrize(
    ("written", "lang"), [("zh", "zh"), ("zh-Hans", "zh-Hans"), ("x y", None), (None, None)]
)
def test_the_body_names_its_language_for_the_browser(written: str | None, lang: str | None) -> None:
    skill = make_skill(manifest=Manifest("x", "X", "d", taxonomy=Taxonomy(language=written)))
    body = next(a for tag, a in read_skill(skill).tags if tag == "div" and a.get("class") == "sp-body")
    assert body.get("lang") == lang


def test_install_commands_name_this_hub_and_this_version() -> None:
    ways = {way.client: way for way in list_install_ways(make_skill())}
    assert ways["clawhub"].commands.endswith(
        "npx clawhub@0.23.3 --registry https://hub.example/shelf install spreadsheet-review"
    )
    assert "CLAWHUB_CONFIG_PATH" in ways["clawhub"].commands
    assert ways["DeepTutor"].commands == "deeptutor skill install open-skill-shelf:spreadsheet-review"
    assert json.loads(ways["DeepTutor"].setup) == {
        "default": "open-skill-shelf",
        "hubs": {"open-skill-shelf": {"type": "clawhub", "base_url": "https://hub.example/shelf/api/v1"}},
    }
    assert "/dl/lab/spreadsheet-review-1.2.0.zip" in ways["Download"].commands
    assert f"echo '{make_skill().latest.archive.sha256}  " in ways["Download"].commands


def test_an_ambiguous_slug_is_asked_for_with_its_owner() -> None:
    ways = {way.client: way for way in list_install_ways(make_skill(listing=make_listing(holds_slug=False)))}
    assert ways["clawhub"].commands.endswith("install @lab/spreadsheet-review")
    assert ways["OpenClaw"].commands.endswith("install @lab/spreadsheet-review")
    assert ways["DeepTutor"].commands.endswith("open-skill-shelf:lab/spreadsheet-review")


def test_a_hub_address_with_shell_characters_is_quoted() -> None:
    hub = replace(HUB, url="https://hub.example/a;b")
    assert (
        "--registry 'https://hub.example/a;b' install" in list_install_ways(make_skill(hub=hub))[0].commands
    )


def test_the_source_view_shows_what_is_hidden() -> None:
    page = make_page(make_skill("a\u202eb\u200bc\x1b[31m <b>")).body.decode()
    assert "a&lt;U+202E&gt;b&lt;U+200B&gt;c&lt;U+001B&gt;[31m &lt;b&gt;" in page


def test_an_ordinary_page_is_cheap() -> None:
    skill = make_skill("# A\n\n" + "Some words with `code` and **bold** text, as people write.\n\n" * 60)
    make_page(skill)
    times = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(40):
            make_page(skill)
        times.append((time.process_time() - start) / 40)
    assert min(times) < 0.004  # 0.8 ms on an idle machine


def test_a_page_of_many_files_versions_and_headings_is_bounded() -> None:
    skill = make_skill("# h\n" * 3000, files=("SKILL.md", *(f"references/{n}.md" for n in range(3000))))
    skill = replace(skill, releases=skill.releases * 200)
    page = make_page(skill).body
    assert len(page) < 1_200_000
    assert b"more files are in the archive" in page
    assert b"ledger/lab/spreadsheet-review.jsonl" in page


def test_the_same_skill_gives_the_same_bytes() -> None:
    assert make_page(make_full_skill()) == make_page(make_full_skill())


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (34_567, "34.6 kB"), (1_200_000, "1.2 MB")],
)
def test_sizes(size: int, text: str) -> None:
    assert format_size(size) == text


def test_dates_and_counts() -> None:
    assert format_date(TimeMs(0)) == "1970-01-01"
    assert format_date(TimeMs(10**18)) == ""
    assert format_count(1, "skill", "skills") == "1 skill"
    assert format_count(12345, "skill", "skills") == "12,345 skills"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("MIT", True), ("Apache-2.0", True), ("GPL-2.0+", True), ("MIT OR Apache-2.0", False), ("../x", False),
     ("LicenseRef-mine", False), (None, False)],
)  # fmt: skip
def test_only_a_single_identifier_links_to_spdx(text: str | None, expected: bool) -> None:
    assert (link_license(text) is not None) == expected


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("https://a.example/x", True), ("HTTP://a.example", True), ("javascript:alert(1)", False),
        ("java\tscript:x", False), ("//a.example", False), ("https:///x", False), ("https://[", False),
        ("https://a.example/\n", False), ("data:text/html,x", False), ("", False), (None, False), ("a\\b", False),
    ],
)  # fmt: skip
def test_only_web_addresses_become_links(address: str | None, good: bool) -> None:
    assert (link_web(address) is not None) == good


def test_shortening_and_hidden_characters() -> None:
    assert shorten("a  b\nc", 10) == "a b c"
    assert shorten("abcdef", 4) == "abc…"
    assert len(shorten("x" * 10**6, 300)) == 300
    assert show_hidden("a\tb\n\u202e") == "a\tb\n<U+202E>"


def test_the_body_is_inside_its_own_container() -> None:
    page = make_page(make_skill("</div></div></section></main><h1>Hub</h1>" + BODY)).body
    facts = read_page(page)
    assert facts.unclosed == []
    start = page.index(b'<div class="sp-body">')
    assert page.index(b"Count the formulas") > start
    assert page.count(b"<h1") == 1
    assert page.count(b"</main>") == 1
