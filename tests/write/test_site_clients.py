"""What each client can do on this hub, its set-up, and which client gets how far on which host."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator.collecting import gather_collections
from generator.hosting.expectations import EXPECTED, REASONS, TESTED, TITLES, Level, support
from generator.hosting.profiles import HOSTINGS, Kind, Queries
from generator.model import (
    Abilities,
    Catalog,
    Collection,
    Handoff,
    Hook,
    Hub,
    Listing,
    Manifest,
    McpServer,
    PackageFile,
    PackagePath,
    Protocol,
    PublishedSkill,
    Route,
    ScanVerdict,
    Stance,
    Subagent,
)
from generator.write.site.clients import client_blocks
from generator.write.site.collections import collection_pages
from generator.write.site.install import list_install_ways, list_left_out
from generator.write.site.use import use_blocks
from tests.write.page_reader import read_page
from tests.write.site_samples import HUB, digest, make_listing, make_skill
from tests.write.site_shell import make_hub_pages, make_page, sample_shell

DEPS = Path(__file__).parents[1] / "deps"
SECTIONS = {
    "skills": "USE_SKILLS", "claude-code": "USE_CLAUDE_CODE", "clawhub": "USE_CLAWHUB", "openclaw": "USE_OPENCLAW",
    "deeptutor": "USE_DEEPTUTOR", "hermes": "USE_HERMES", "apm": "USE_APM", "qwenpaw": "USE_QWENPAW",
    "skill-archives": "USE_SKILL_FILES", "agentskills-http": "USE_AGENTSKILLS_HTTP", "people": "USE_DOWNLOAD",
}  # fmt: skip
"""Where the page speaks of each client whose set-up it has."""
HANDOFF = Handoff("lab/skills", "0" * 40, "spreadsheet-review", digest("folder"))


def make_hub(name: str | None, protocols: tuple[Protocol, ...] = tuple(Protocol)) -> Hub:
    """The hub as the build makes it for a host."""
    if name is None:
        return replace(HUB, protocols=protocols, clients=support(Kind.SERVE, protocols))
    host = HOSTINGS[name]
    able = Abilities(host.queries is not Queries.NONE, host.answers_post, host.sets_headers)
    return replace(
        HUB, protocols=protocols, hosting=host.title, abilities=able, clients=support(host.kind, protocols)
    )


def blocks_of(hub: Hub, *listings: Listing) -> dict[str, str]:
    """The words of each block of the page."""
    made = use_blocks(Catalog(hub, listings, ()), listings)
    return {name: read_page(html.encode()).words() for name, html in made.items()}


# --- this hub --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [None, *HOSTINGS])
def test_every_client_is_told_before_it_is_tried(name: str | None) -> None:
    hub = make_hub(name)
    blocks = blocks_of(hub, make_listing())
    table = read_page(use_blocks(Catalog(hub, (), ()), ())["CLIENTS"].encode())
    assert table.unclosed == []
    for client in hub.clients:
        assert client.title in blocks["CLIENTS"]
        if client.reason:
            assert " ".join(client.reason[1:].replace("`", " ").split()) in blocks["CLIENTS"]
    for level, word in (("works", "Works"), ("part", "In part"), ("fails", "Does not work")):
        assert blocks["CLIENTS"].count(f" {word}") == sum(one.level == level for one in hub.clients)
    assert " ".join((hub.hosting or "skillpress serve").replace("`", " ").split()) in blocks["CLIENTS"]


@pytest.mark.parametrize("name", [None, *HOSTINGS])
@pytest.mark.parametrize("client", SECTIONS)
def test_a_client_that_cannot_install_has_a_sentence_and_no_command(name: str | None, client: str) -> None:
    hub = make_hub(name)
    known = next(one for one in hub.clients if one.name == client)
    html = use_blocks(Catalog(hub, (), ()), (make_listing(),))[SECTIONS[client]]
    assert ("<pre>" in html) == (known.level != "fails")
    assert ("cannot install from this hub" in html) == (known.level == "fails")
    assert read_page(html.encode()).unclosed == []


@pytest.mark.parametrize("client", ["clawhub", "openclaw"])
def test_what_github_has_too_can_be_installed_from_a_host_of_plain_files(client: str) -> None:
    hub = make_hub("github-pages")
    listings = (make_listing("alone"), make_listing("shared", handoff=HANDOFF))
    words = blocks_of(hub, *listings)[SECTIONS[client]]
    assert "from there" in words
    assert "install shared" in words


PROTOCOLS = {
    Protocol.AGENT_SKILLS: ["USE_SKILLS"],
    Protocol.CLAUDE_CODE: ["USE_CLAUDE_CODE"],
    Protocol.CLAWHUB: ["USE_CLAWHUB", "USE_OPENCLAW", "USE_DEEPTUTOR"],
    Protocol.WELL_KNOWN_SKILLS: ["USE_HERMES"],
    Protocol.APM: ["USE_APM"],
    Protocol.BUNDLES: ["USE_QWENPAW"],
    Protocol.SKILL_ARCHIVES: ["USE_SKILL_FILES"],
    Protocol.AGENTSKILLS_HTTP: ["USE_AGENTSKILLS_HTTP"],
    Protocol.AGENT_PAGES: ["USE_AGENT_PAGES"],
    Protocol.SKILL_SERVICE: [],
}


@pytest.mark.parametrize("off", Protocol)
def test_what_is_switched_off_is_said_and_not_explained(off: Protocol) -> None:
    hub = make_hub(None, tuple(one for one in Protocol if one is not off))
    made = use_blocks(Catalog(hub, (), ()), (make_listing(),))
    for name, html in made.items():
        if name.startswith("USE_"):
            assert ("switched off" in html) == (name in PROTOCOLS[off]), name
            assert ("<pre>" in html) == (name not in PROTOCOLS[off]), name
    written = client_blocks(hub)["PROTOCOLS"]
    assert written != client_blocks(make_hub(None))["PROTOCOLS"] or off is Protocol.CLAWHUB


def test_the_commands_are_those_of_a_skill_that_the_client_can_install() -> None:
    listings = (
        make_listing("binary", codes=("bundle-binary-file", "raw-tree-path", "discovery-no-name"),
                     paths=(PackagePath("SKILL.md"), PackagePath("a#b"))),
        make_listing("plain"),
    )  # fmt: skip
    blocks = blocks_of(make_hub(None), *listings)
    assert "--skill plain" in blocks["USE_SKILLS"]
    assert "/bundles/lab/plain.json" in blocks["USE_QWENPAW"]
    assert "/.well-known/skills/plain" in blocks["USE_HERMES"]
    assert "binary-1.2.0.skill" in blocks["USE_SKILL_FILES"]
    only = blocks_of(make_hub(None), listings[0])
    assert "No skill of this hub is in a form that this client takes" in only["USE_QWENPAW"]


def test_an_empty_hub_has_its_set_up() -> None:
    blocks = blocks_of(make_hub(None))
    assert "owner/skill" in blocks["USE_APM"]
    assert "the-sha256-on-its-page" in blocks["USE_DOWNLOAD"]


def test_a_hub_s_name_and_address_are_text() -> None:
    hub = replace(make_hub(None), name="A <b>`x`</b>", url="https://hub.example/a;b'c")
    for name, html in use_blocks(Catalog(hub, (), ()), (make_listing(),)).items():
        facts = read_page(html.encode())
        assert facts.unclosed == [], name
        assert "b" not in [tag for tag, _ in facts.tags], name
    words = blocks_of(hub, make_listing())
    assert "export OPENCLAW_CLAWHUB_URL='https://hub.example/a;b'\"'\"'c'" in words["USE_OPENCLAW"]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        (None, "npx clawhub@0.23.3 explore"),
        ("github-pages", "npx skills@1.5.18 add"),
        ("nginx", "npx clawhub@0.23.3 explore"),
    ],
)
def test_home_begins_with_a_client_that_works_here(name: str | None, first: str) -> None:
    start = blocks_of(make_hub(name), make_listing())["START"]
    assert first in start
    assert start.startswith("#")


def test_home_of_a_hub_that_speaks_nothing_begins_with_a_download() -> None:
    assert "curl -fLO" in blocks_of(make_hub("s3", ()), make_listing())["START"]


# --- all hosts -------------------------------------------------------------------------------------


def test_the_matrix_has_every_client_on_every_kind_of_host() -> None:
    html = client_blocks(HUB)["CLIENT_MATRIX"]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', html)
    assert [title for title, _ in rows] == list(TITLES.values())
    words = {Level.WORKS: "works", Level.PART: "in part", Level.FAILS: "no"}
    for (client, _), (_, cells) in zip(TITLES.items(), rows, strict=True):
        shown = [cell.strip() for cell in re.findall(r"</span>(.*?)</td>", cells)]
        assert shown == [words[EXPECTED[kind][client]] for kind in EXPECTED]
    text = read_page(html.encode()).words()
    for reason in REASONS.values():
        assert " ".join(reason[1:].replace("`", " ").split()) in text
    for host in HOSTINGS.values():
        assert " ".join(host.title.replace("`", " ").split()) in text


def test_every_version_that_is_said_to_be_run_is_pinned_for_the_tests() -> None:
    pins: set[str] = set()
    for file in DEPS.glob("*/package.json"):
        pins |= {
            f"{name} {version}" for name, version in json.loads(file.read_bytes())["dependencies"].items()
        }
    for file in (*DEPS.glob("*/requirements.txt"), DEPS / "deeptutor-wheel.txt"):
        pins |= {" ".join(pin) for pin in re.findall(r"^([a-z-]+)==(\S+)", file.read_text(), re.MULTILINE)}
    assert {one for programs in TESTED.values() for one in programs} <= pins
    assert set(TESTED) <= set(TITLES)


# --- a skill's page --------------------------------------------------------------------------------


def make_plugin() -> PublishedSkill:
    skill = make_skill(
        manifest=Manifest(
            "x", "X", "d",
            hooks=(Hook("PostToolUse", "echo", "hooks/hooks.json", "Write"),),
            mcp_servers=(McpServer("sheets", ".mcp.json", "npx", (), None, ()),),
            subagents=(Subagent("checker", "agents/checker.md", "Checks.", ()),),
        )
    )  # fmt: skip
    files = (
        (".mcp.json", b'{"mcpServers":{"sheets":{"command":"npx"}}}'),
        ("agents/checker.md", b"---\nname: checker\n---\n"),
    )
    package = skill.folder.package
    more = tuple(PackageFile(PackagePath(path), data, digest(path)) for path, data in files)
    return replace(
        skill, folder=replace(skill.folder, package=replace(package, files=(*package.files, *more)))
    )


def test_a_plugin_says_what_it_brings_that_a_folder_does_not() -> None:
    note = next(way.note for way in list_install_ways(make_plugin()) if way.client == "Claude Code")
    assert "also brings hooks, MCP servers and subagents, which the skill's folder alone does not" in note
    plain = next(way.note for way in list_install_ways(make_skill()) if way.client == "Claude Code")
    assert plain == "The first line is needed once."


LEFT_OUT = {
    "nothing": ({}, []),
    "a file that is no text": ({"codes": ("bundle-binary-file",)}, [("QwenPaw", ("bundle-binary-file",))]),
    "no name": ({"codes": ("discovery-no-name",)}, [("npx skills", ("discovery-no-name",))]),
    "a shared name": ({"holds_slug": False}, [("Hermes", ("slug-shared",))]),
    "a finding that does not keep it out here": ({"codes": ("raw-tree-active-file",)}, []),
}


@pytest.mark.parametrize(("changes", "left"), LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_who_cannot_install_a_skill_is_named_with_the_finding(
    changes: dict[str, Any], left: list[tuple[str, tuple[str, ...]]]
) -> None:
    skill = make_skill(listing=make_listing(**changes))
    assert list(list_left_out(skill)) == left
    facts = read_page(make_page(skill).body)
    assert ("it is left out of what they read" in facts.words()) == bool(left)
    for client, codes in left:
        assert client not in [way.client for way in list_install_ways(skill)]
        assert f"../../../rules/{codes[0]}/" in facts.links()


def test_an_active_file_keeps_a_skill_out_where_no_headers_are_set() -> None:
    listing = make_listing(codes=("raw-tree-active-file",))
    files = ("SKILL.md", "assets/page.html")
    skill = make_skill(listing=listing, files=files, hub=make_hub("github-pages"))
    assert list(list_left_out(skill)) == [("Hermes", ("raw-tree-active-file",))]
    off = tuple(one for one in Protocol if one is not Protocol.WELL_KNOWN_SKILLS)
    assert list_left_out(make_skill(listing=listing, files=files, hub=make_hub("github-pages", off))) == ()


@pytest.mark.parametrize("name", [None, *HOSTINGS])
def test_the_tabs_of_a_skill_are_the_clients_that_install_from_here(name: str | None) -> None:
    hub = make_hub(name)
    ways = [way.client for way in list_install_ways(make_skill(hub=hub))]
    levels = {one.name: one.level for one in hub.clients}
    tabs = {"clawhub": "clawhub", "skills": "npx skills", "claude-code": "Claude Code", "deeptutor": "DeepTutor",
            "openclaw": "OpenClaw", "hermes": "Hermes", "apm": "APM", "qwenpaw": "QwenPaw",
            "skill-archives": ".skill", "people": "Download"}  # fmt: skip
    assert ways == [tab for client, tab in tabs.items() if levels[client] != "fails"]
    page = make_page(make_skill(hub=hub)).body.decode()
    assert page.count('name="__tabbed_1"') == len(ways) <= 12, "the style sheet marks twelve"
    assert page.count('<div class="tabbed-block">') == len(ways)


def test_a_skill_page_leads_to_its_other_forms() -> None:
    links = read_page(make_page(make_skill()).body).links()
    assert {"index.md", "../../../dl/lab/spreadsheet-review-1.2.0.skill", "../../../use/"} <= set(links)
    off = replace(HUB, protocols=())
    links = read_page(make_page(make_skill(hub=off)).body).links()
    assert not {"../../../dl/lab/spreadsheet-review-1.2.0.skill"} & set(links)


# --- publishers and collections --------------------------------------------------------------------


def pages_of(hub: Hub, *listings: Listing) -> dict[str, Route]:
    gatherings, _ = gather_collections(hub.collections, listings)
    routes = (*make_hub_pages(Catalog(hub, listings, ())), *collection_pages(sample_shell(), hub, gatherings))
    return {route.path: route for route in routes}


@pytest.mark.parametrize(
    ("listing", "protocols", "told"),
    [
        (make_listing(), tuple(Protocol), True),
        (make_listing(verdict=ScanVerdict.BLOCK), tuple(Protocol), False),
        (make_listing(stance=Stance(withdrawn=True)), tuple(Protocol), False),
        (make_listing(), (Protocol.CLAWHUB,), False),
    ],
    ids=["offered", "blocked", "withdrawn", "switched off"],
)
def test_a_publisher_s_page_installs_from_it(
    listing: Listing, protocols: tuple[Protocol, ...], told: bool
) -> None:
    words = read_page(pages_of(replace(HUB, protocols=protocols), listing)["/lab/"].body).words()
    assert ("npx skills@1.5.18 add https://hub.example/shelf/lab" in words) == told


OFFICE = Collection("office", "Office <work>", "For *the* office.", ("lab/notes", "lab/gone"))
EMPTY = Collection("empty", "Empty", "", ("lab/nothing",))


def test_a_collection_is_reached_from_home_and_installed_at_once() -> None:
    hub = replace(HUB, collections=(OFFICE, EMPTY))
    gone = make_listing("gone", stance=Stance(withdrawn=True))
    pages = pages_of(hub, make_listing("notes"), gone)
    home = read_page(pages["/"].body)
    assert {"collections/", "collections/office/"} <= set(home.links())
    assert "Office <work> For *the* office. 2 skills" in home.words()
    shelf = read_page(pages["/collections/"].body)
    assert {"office/", "empty/", "../browse/"} <= set(shelf.links())
    page = read_page(pages["/collections/office/"].body)
    assert page.unclosed == []
    for words in (
        "npx skills@1.5.18 add https://hub.example/shelf/collections/office",
        "claude plugin install collections--office@open-skill-shelf",
        "1 of these skills is not offered at the moment",
    ):
        assert words in page.words(), words
    assert {"../", "../../browse/", "../../lab/skills/notes/"} <= set(page.links())
    assert "npx" not in read_page(pages["/collections/empty/"].body).words()


def test_without_collections_nothing_speaks_of_them() -> None:
    pages = pages_of(HUB, make_listing())
    assert "collections" not in " ".join(read_page(pages["/"].body).links())
    assert "/collections/" not in pages
