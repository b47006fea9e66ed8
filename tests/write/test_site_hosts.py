"""The pages about hosts, the sections of a skill's page about them, and the table of agreement."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from generator.judge.model import Judgement, PowerUse, Profile
from generator.judge.profiles import load_profiles
from generator.model import OUTCOME_LETTERS, Catalog, Outcome, PublishedSkill, Route, Verdict
from generator.write.site.agents import agents_section, code_link, verdict_roster
from generator.write.site.agreement import agreement_table
from generator.write.site.hosts import host_pages, say_in_words
from generator.write.site.needs import needs_section
from generator.write.site.roster import group_profiles, host_title, order_profiles
from generator.write.site.shares import hosts_list
from tests.write.page_reader import PageFacts, read_page
from tests.write.site_samples import HUB, make_full_skill, make_listing, make_skill
from tests.write.site_shell import make_hub_pages, make_page

PROFILES = load_profiles()
BY_ID = {profile.id: profile for profile in PROFILES}
HOSTS = sorted({profile.host for profile in PROFILES})
HOSTILE = "<script>x</script>\"'&\u202e{{ 1 }}"


def outcomes(**given: str) -> str:
    """Letters for a listing: ``load`` everywhere but for the hosts named (``_`` for what is no identifier)."""
    named = {key.replace("_", "-"): value for key, value in given.items()}
    return "".join(OUTCOME_LETTERS[Outcome(named.get(one.host, "load"))] for one in PROFILES)


LISTINGS = (
    make_listing("alone", outcomes=outcomes(), tools=("web_search", "obsidian_read")),
    make_listing("broken", outcomes=outcomes(codex="refuse", deeptutor="crash", nanobot="loss"), tools=None),
    make_listing("tooled", outcomes=outcomes(codex="refuse"), tools=("Read", "Bash(git:*)", "mcp__x__y")),
)


@pytest.fixture(scope="module")
def routes() -> dict[str, Route]:
    return {route.path: route for route in make_hub_pages(Catalog(HUB, LISTINGS, ()))}


def facts_of(html: str) -> PageFacts:
    return read_page(html.encode())


# --- the order of hosts ----------------------------------------------------------------------------


def test_every_host_is_in_one_group_and_agents_come_first() -> None:
    groups = group_profiles(PROFILES)
    assert [group.key for group in groups] == ["agents", "tools"]
    assert sorted(one.id for group in groups for one in group.profiles) == sorted(one.id for one in PROFILES)
    agents = [one.host for one in groups[0].profiles]
    assert agents[:3] == ["claude-code", "codex", "vscode-copilot"]
    for host in (
        "agentskills",
        "anthropic",
        "claude-ai-api",
        "clawhub",
        "skills-cli",
        "skill-package-service",
    ):
        assert host not in agents
    assert {"deeptutor", "deerflow", "hermes"} <= set(agents)


def test_the_order_does_not_hang_on_the_order_of_the_files() -> None:
    assert order_profiles(PROFILES) == order_profiles(tuple(reversed(PROFILES)))


def test_a_host_nobody_ranked_comes_last_of_its_group() -> None:
    new = replace(BY_ID["codex/0.171.0"], id="aaa/1", host="aaa", label="Aaa")
    assert group_profiles((new, *PROFILES))[0].profiles[-1] is new


# --- a skill's page --------------------------------------------------------------------------------


def test_a_skill_page_names_every_host_once_with_its_verdict_in_words() -> None:
    skill = make_skill()
    roster = verdict_roster(skill.judgement.verdicts, group_profiles(PROFILES), "../../../")
    facts = facts_of(roster)
    assert facts.unclosed == []
    items = [attributes["class"] for tag, attributes in facts.tags if tag == "li"]
    assert len(items) == len(PROFILES)
    for profile in PROFILES:
        assert f"../../../hosts/{profile.host}/" in facts.links()
        assert profile.label in facts.words()
    assert len(re.findall(r"\bloads\b|refuses it|loses something|breaks its list", facts.words())) == len(
        PROFILES
    )


@pytest.mark.parametrize(
    ("outcome", "codes", "word"),
    [
        (Outcome.LOAD, (), "loads"),
        (Outcome.LOAD, ("gate-wrong-type",), "loads, with a remark"),
        (Outcome.LOSS, ("frontmatter-bom",), "loses something"),
        (Outcome.REFUSE, ("frontmatter-bom",), "refuses it"),
        (Outcome.CRASH, ("yaml-invalid-timestamp",), "breaks its list"),
    ],
)
def test_an_outcome_is_a_word_and_what_is_not_plain_has_its_reason(
    outcome: Outcome, codes: tuple[str, ...], word: str
) -> None:
    page = agents_section(judged(make_skill(), "codex/0.171.0", outcome, codes, "Because."), PROFILES)
    words = facts_of(page).words()
    assert f"OpenAI Codex CLI 0.171.0 {word}" in words
    assert ("Because." in words) == (outcome is not Outcome.LOAD or bool(codes))
    for code in codes:
        assert f"../../../rules/{code}/" in facts_of(page).links()


def judged(
    skill: PublishedSkill, host: str, outcome: Outcome, codes: tuple[str, ...], reason: str, name: str = "x"
) -> Judgement:
    """The skill's judgement with everybody content but one host."""
    verdicts = tuple(
        Verdict(one.id, one.version, outcome, reason, codes, name)
        if one.id == host
        else Verdict(one.id, one.version, Outcome.LOAD, "", (), "usual")
        for one in PROFILES
    )
    return replace(skill.judgement, verdicts=verdicts)


def test_names_that_differ_name_the_hosts_that_use_them() -> None:
    page = agents_section(judged(make_skill(), "codex/0.171.0", Outcome.LOAD, (), "", "other"), PROFILES)
    assert "Most call it usual ; other in OpenAI Codex CLI." in facts_of(page).words()
    page = agents_section(judged(make_skill(), "codex/0.171.0", Outcome.LOAD, (), "", "usual"), PROFILES)
    assert "They call it usual ." in facts_of(page).words()


def test_a_skill_without_verdicts_still_has_its_section() -> None:
    page = agents_section(replace(make_skill().judgement, verdicts=()), PROFILES)
    assert facts_of(page).unclosed == []
    assert "agents" in facts_of(page).ids()


def test_what_runs_says_who_runs_it_and_how_without_a_tooltip() -> None:
    section = needs_section(make_full_skill(), PROFILES)
    facts = facts_of(section)
    assert facts.unclosed == []
    assert "What runs on your machine" in facts.words()
    assert not [attributes for _, attributes in facts.tags if "title" in attributes]
    acting = {
        answer.reason
        for power in make_full_skill().judgement.powers
        for answer in power.answers
        if answer.use is not PowerUse.IGNORES
    }
    assert acting
    for reason in acting:
        assert " ".join(reason.split())[:80] in facts.words()


def test_hostile_reasons_and_names_change_no_structure() -> None:
    skill = make_skill()
    plain = agents_section(
        judged(skill, "codex/0.171.0", Outcome.REFUSE, ("frontmatter-bom",), "x", "y"), PROFILES
    )
    hostile = agents_section(
        judged(skill, "codex/0.171.0", Outcome.REFUSE, ("frontmatter-bom",), HOSTILE, HOSTILE), PROFILES
    )
    assert facts_of(plain).structure() == facts_of(hostile).structure()
    assert "\u202e" not in hostile


def test_a_code_of_another_time_is_text() -> None:
    assert 'href="../rules/frontmatter-bom/">frontmatter-bom</a>' in code_link("frontmatter-bom", "../")
    assert code_link("gone-<b>", "../") == "gone-&lt;b&gt;"


# --- a host's page ---------------------------------------------------------------------------------


@pytest.mark.parametrize("host", HOSTS)
def test_every_host_has_a_page_that_says_everything_of_its_files(routes: dict[str, Route], host: str) -> None:
    facts = read_page(routes[f"/hosts/{host}/"].body)
    assert facts.unclosed == []
    assert len(facts.ids()) == len(set(facts.ids()))
    words = facts.words()
    for profile in (one for one in PROFILES if one.host == host):
        pieces = [
            profile.label.split(",")[0],
            profile.checked,
            profile.identity,
            profile.duplicates,
            profile.id,
        ]
        pieces += [profile.version] if profile.version else []
        pieces += [
            piece for limit in profile.limits for piece in (f"{limit.value:,} {limit.unit}", limit.meaning)
        ]
        pieces += [tool.name for tool in profile.tools] + [rule.reason for rule in profile.powers]
        pieces += [one.name for one in profile.capabilities] + [one.note for one in profile.capabilities]
        pieces += [*profile.notes, *profile.sources, *(effect.source for effect in profile.effects)]
        for piece in pieces:
            assert " ".join(piece.split()) in words, (profile.id, piece)
    assert not re.search(r"\{[a-z]+\}", words)


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_page_lists_its_parts_beside_it(routes: dict[str, Route], host: str) -> None:
    facts = read_page(routes[f"/hosts/{host}/"].body)
    anchors = [link[1:] for link in facts.links() if link.startswith("#")]
    assert set(anchors) - {"__toc"} <= set(facts.ids())
    for profile in (one for one in PROFILES if one.host == host):
        assert any(anchor.endswith("-effects") for anchor in anchors)
        assert any(anchor.endswith("-tools") for anchor in anchors) or not profile.tools


def test_placeholders_of_every_reason_are_words() -> None:
    for reason in {effect.reason for profile in PROFILES for effect in profile.effects}:
        shown = say_in_words(reason)
        assert "{" not in shown
        for word in re.findall(r"\{([a-z]+)\}", reason):
            assert f"<var>{word}</var>" not in shown, reason


def test_deeptutor_s_capabilities_are_two_lists_in_their_order(routes: dict[str, Route]) -> None:
    words = read_page(routes["/hosts/deeptutor/"].body).words()
    loop = [
        "mastery , 5 tools",
        "solve , 3 tools",
        "obsidian , 9 tools",
        "subagent , 1 tool",
        "explore_context , 0 tools",
    ]
    top = [
        "chat",
        "deep_solve",
        "deep_question",
        "deep_research",
        "math_animator",
        "visualize",
        "mastery_path",
    ]
    _, _, rest = words.partition("Loop capabilities, in this order")
    first, _, second = rest.partition("Top-level capabilities, in this order")
    places = [first.index(piece) for piece in loop]
    assert places == sorted(places)
    places = [second.index(f" {piece} ") for piece in top]
    assert places == sorted(places)
    owned = words.partition("By owner")[2]
    assert "consult_subagent" in owned
    assert (
        owned.index("obsidian_search")
        < owned.index("obsidian_set_property")
        < owned.index("consult_subagent")
    )


def test_skills_that_ask_for_a_tool_are_named_by_it() -> None:
    pages = {host: content for host, _, _, content in host_pages(PROFILES, LISTINGS)}
    asked = {host: page.partition("Asked for by skills of this hub")[2] for host, page in pages.items()}
    assert "/skills/alone/#needs" in asked["deeptutor"]
    assert "/skills/tooled/#needs" not in asked["deeptutor"]
    for tool in ("Read", "Bash"):
        assert f"<code>{tool}</code>" in asked["claude-code"]
    assert "No skill of this hub asks for one of these tools" in pages["opencode"]


def test_families_of_tools_are_asked_for_by_their_members() -> None:
    family = [tool.name for tool in BY_ID["claude-code/2.1.332"].tools if tool.name.endswith("*")]
    pages = {host: content for host, _, _, content in host_pages(PROFILES, LISTINGS)}
    for name in family:
        if "mcp__x__y".startswith(name[:-1]):
            assert f"<code>{name}</code>" in pages["claude-code"].partition("Asked for by")[2]


def test_shares_and_the_skills_behind_them(routes: dict[str, Route]) -> None:
    words = read_page(routes["/hosts/"].body).words()
    assert "OpenAI Codex CLI 0.171.0 The released program was run 1 of 3 (33 %) 2 refused" in words
    assert "DeepTutor 1.5.14 The released program was run 2 of 3 (66 %) 1 break its list" in words
    page = read_page(routes["/hosts/codex/"].body)
    assert "Skills of this hub that it refuses (2)" in page.words()
    assert "../../lab/skills/broken/#agents" in page.links()


def test_a_hub_where_nothing_is_judged_has_the_list_too() -> None:
    for listings in ((), (make_listing(outcomes=""),)):
        facts = facts_of(hosts_list(PROFILES, listings))
        assert facts.words().count("Nothing judged yet") == len(PROFILES)


def test_hostile_listings_change_no_structure() -> None:
    def pages(text: str, tool: str) -> list[object]:
        listing = make_listing("s", display_name=text, outcomes=outcomes(codex="refuse"), tools=(tool,))
        return [facts_of(content).structure() for _, _, _, content in host_pages(PROFILES, (listing,))]

    assert pages("plain", "nothing") == pages(HOSTILE, HOSTILE)


# --- agreement and the schema ----------------------------------------------------------------------


def test_the_table_of_agreement_has_a_cell_for_every_folder_and_program() -> None:
    facts = facts_of(agreement_table(PROFILES))
    assert facts.unclosed == []
    rows = sum(tag == "tr" for tag, _ in facts.tags) - 1
    columns = sum(tag == "th" and attributes.get("scope") == "col" for tag, attributes in facts.tags) - 1
    assert sum(tag == "td" for tag, _ in facts.tags) == rows * columns
    assert rows >= 85
    heads = [attributes["title"] for tag, attributes in facts.tags if tag == "a" and "title" in attributes]
    order = [f"{host_title(one)} {one.step} a skill" for one in order_profiles(PROFILES)]
    assert heads == [title for title in order if title in heads]


def test_a_profile_that_is_gone_keeps_its_column() -> None:
    some: tuple[Profile, ...] = tuple(one for one in PROFILES if one.host != "codex")
    assert "codex/0.171.0" in facts_of(agreement_table(some)).words()


def test_the_schema_of_a_check_is_published(routes: dict[str, Route]) -> None:
    route = routes["/schemas/check.v1.json"]
    assert route.media_type == "application/schema+json"
    assert b'"$id": "urn:skillpress:check.v1"' in route.body
    for page in ("/api/", "/publish/"):
        assert "../schemas/check.v1.json" in read_page(routes[page].body).links()


def test_the_judging_parts_of_a_page_are_in_its_contents() -> None:
    links = read_page(make_page(make_full_skill()).body).links()
    assert {"#agents", "#needs", "#checks"} <= set(links)
