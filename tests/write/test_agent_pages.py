"""What agents and crawlers read: llms.txt, llms-full.txt, the map of the site, and the Markdown of a skill's page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from generator.build.assembly import assemble_stance
from generator.collecting import Gathering
from generator.history.overlay.applying import stand
from generator.history.overlay.model import Ruling, Withdrawal
from generator.judge.profiles import load_profiles
from generator.model import (
    Catalog,
    Collection,
    Listing,
    Protocol,
    PublishedSkill,
    Route,
    ScanReport,
    ScanVerdict,
    Stance,
)
from generator.write.protocols import agent_pages
from generator.write.protocols.agent_pages import FULL_LIMIT, SITEMAP_LIMIT, agent_routes
from generator.write.protocols.clawhub_verify import tell
from generator.write.protocols.skill_twin import fence, skill_twin
from tests.write.site_samples import HUB, make_full_skill, make_listing, make_skill

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
HOSTILE = "](javascript:x) <script>alert(1)</script>\n# Not a heading\n- no item"
PROFILES = load_profiles()


def make_routes(
    listings: Iterable[Listing],
    read: Callable[[Listing], str | None] = lambda listing: f"# {listing.slug}\n",
    gatherings: tuple[Gathering, ...] = (),
    pages: tuple[str, ...] = ("/", "/use/"),
    protocols: tuple[Protocol, ...] = tuple(Protocol),
) -> dict[str, Route]:
    catalog = Catalog(replace(HUB, protocols=protocols), tuple(listings), ())
    return {route.path: route for route in agent_routes(catalog, gatherings, read, pages)}


def texts_of(routes: dict[str, Route]) -> dict[str, str]:
    return {path: route.body.decode() for path, route in routes.items()}


# --- llms.txt --------------------------------------------------------------------------------------


def test_the_index_leads_to_the_twin_of_every_skill_that_is_listed() -> None:
    listings = [
        make_listing("notes"),
        make_listing("twins", "acme", holds_slug=False),
        make_listing("held", stance=Stance(quarantined="Looks bad.")),
    ]
    text = texts_of(make_routes(listings))["/llms.txt"]
    assert text.startswith("# Open Skill Shelf\n\n> Skills that our lab uses every day, kept for everyone")
    assert "- [notes](https://hub.example/shelf/lab/skills/notes/index.md): Finds wrong formulas" in text
    assert "- [acme/twins](https://hub.example/shelf/acme/skills/twins/index.md): " in text
    assert "held" not in text
    assert "(https://hub.example/shelf/use/index.md)" in text


def test_collections_stand_before_the_whole_list() -> None:
    one = make_listing("notes")
    office = Gathering(Collection("office", "Office <b>", "For *it*.", ("lab/notes",)), (one,))
    text = texts_of(make_routes([one], gatherings=(office,)))["/llms.txt"]
    assert text.index("## Office \\<b\\>") < text.index("[notes]") < text.index("## All skills")
    assert text.count("[notes](") == 2
    assert "For \\*it\\*" in text


def test_what_an_author_writes_stays_on_its_line_and_is_text() -> None:
    listings = [make_listing("odd", description=HOSTILE), make_listing("plain")]
    text = texts_of(make_routes(listings))["/llms.txt"]
    (line,) = [line for line in text.splitlines() if line.startswith("- [odd]")]
    (item,) = [token for token in MarkdownIt().parse(line) if token.type == "inline"]
    kinds = [child.type for child in item.children or []]
    assert set(kinds) == {"link_open", "text", "link_close"}
    assert kinds.count("link_open") == 1
    assert "# Not a heading" not in text.splitlines()


def test_long_summaries_are_cut() -> None:
    text = texts_of(make_routes([make_listing(description="long " * 2000)]))["/llms.txt"]
    assert max(map(len, text.splitlines())) < 2000
    assert "…" in text


@pytest.mark.parametrize(
    ("protocol", "word"),
    [(Protocol.AGENT_SKILLS, "agent-skills/index.json"), (Protocol.CLAWHUB, "openapi.json")],
)
def test_only_what_is_there_is_named(protocol: Protocol, word: str) -> None:
    without = tuple(one for one in Protocol if one is not protocol)
    assert word in texts_of(make_routes([make_listing()]))["/llms.txt"]
    assert word not in texts_of(make_routes([make_listing()], protocols=without))["/llms.txt"]


def test_switched_off_only_the_map_is_left() -> None:
    off = tuple(one for one in Protocol if one is not Protocol.AGENT_PAGES)
    assert set(make_routes([make_listing()], protocols=off)) == {"/sitemap.xml"}


# --- llms-full.txt ---------------------------------------------------------------------------------


def test_the_full_text_holds_what_may_be_had_and_nothing_else() -> None:
    listings = [
        make_listing("notes"),
        make_listing("blocked", verdict=ScanVerdict.BLOCK),
        make_listing("yanked", stance=Stance(withdrawn=True)),
        make_listing("held", stance=Stance(quarantined="Looks bad.")),
        make_listing("lost"),
    ]
    read: list[str] = []

    def read_text(listing: Listing) -> str | None:
        read.append(listing.slug)
        return None if listing.slug == "lost" else f"text of {listing.slug}\n```\n"

    text = texts_of(make_routes(listings, read_text))["/llms-full.txt"]
    assert sorted(read) == ["lost", "notes"], "nobody even reads the others"
    assert re.findall(r"^text of (.*)$", text, re.MULTILINE) == ["notes"]
    assert "\n````markdown\ntext of notes\n```\n````\n" in text
    assert "- Skill: `@lab/notes` 1.2.0\n- Page: <https://hub.example/shelf/lab/skills/notes/>\n" in text


@pytest.mark.parametrize(
    ("size", "fits", "more"),
    [(FULL_LIMIT // 4, 4, 0), (FULL_LIMIT // 4 + 1, 3, 1), (FULL_LIMIT, 1, 3), (FULL_LIMIT + 1, 0, 4)],
)
def test_the_full_text_ends_at_its_limit_and_says_so(size: int, fits: int, more: int) -> None:
    listings = [make_listing(f"s-{number}") for number in range(4)]
    text = texts_of(make_routes(listings, lambda _: "ü" * (size // 2) + "x" * (size % 2)))["/llms-full.txt"]
    assert text.count("- Skill: ") == fits
    assert (f"## {more} more" in text) == bool(more)
    assert ("/llms.txt." in text) == bool(more)
    assert len(text.encode()) < FULL_LIMIT + 10_000


def test_texts_that_look_like_the_frame_stay_inside_their_fence() -> None:
    text = "```\n````markdown\n## Someone else\n- Skill: `@lab/other` 9.9.9\n~~~\n"
    full = texts_of(make_routes([make_listing("notes"), make_listing("other")], lambda _: text))[
        "/llms-full.txt"
    ]
    tokens = MarkdownIt().parse(full)
    assert [token.content for token in tokens if token.type == "fence"] == [text, text]
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h1", "h2", "h2"]


# --- fences ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["plain", "", "```", "````\nx\n```", "a\n```js\nb\n```", "x ``````` y", "~~~\n```", "`" * 500, "  ```", "\t````",
     "> ```\n", "\r```\r", "```\u2028```", "\n\nx"],
)  # fmt: skip
def test_nothing_in_a_text_ends_its_fence(text: str) -> None:
    tokens = MarkdownIt().parse(f"{fence(text, 'markdown')}\n\nafter")
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert tokens[0].info == "markdown"
    assert tokens[0].content.rstrip() == text.replace("\r", "\n").rstrip()


# --- the map of the site ---------------------------------------------------------------------------


def read_map(body: bytes) -> tuple[str, list[str]]:
    root = ElementTree.fromstring(body)
    return root.tag.removeprefix(NAMESPACE), [one.text or "" for one in root.iter(f"{NAMESPACE}loc")]


def test_the_map_names_every_page_and_no_quarantined_skill() -> None:
    listings = [make_listing("b"), make_listing("a"), make_listing("held", stance=Stance(quarantined="x"))]
    routes = make_routes(listings, pages=("/use/", "/", "/rules/a&b/"))
    kind, places = read_map(routes["/sitemap.xml"].body)
    assert kind == "urlset"
    base = "https://hub.example/shelf"
    assert places == [
        *(f"{base}{path}" for path in ("/", "/rules/a&b/", "/use/")),
        f"{base}/lab/skills/a/",
        f"{base}/lab/skills/b/",
    ]
    assert b"<lastmod>2025-11-30</lastmod>" in routes["/sitemap.xml"].body


@pytest.mark.parametrize(("more", "parts"), [(0, 0), (1, 2)])
def test_a_map_that_is_full_becomes_several(monkeypatch: pytest.MonkeyPatch, more: int, parts: int) -> None:
    monkeypatch.setattr(agent_pages, "SITEMAP_LIMIT", 10)
    routes = make_routes([make_listing(f"s-{number}") for number in range(8 + more)])
    kind, places = read_map(routes["/sitemap.xml"].body)
    assert kind == ("sitemapindex" if parts else "urlset")
    split = [path for path in routes if re.fullmatch(r"/sitemap-\d+\.xml", path)]
    assert len(split) == parts
    if parts:
        assert places == [f"https://hub.example/shelf{path}" for path in split]
        named = [place for path in split for place in read_map(routes[path].body)[1]]
        assert len(named) == len(set(named)) == 8 + more + 2


def test_the_limit_is_below_what_the_protocol_allows() -> None:
    assert SITEMAP_LIMIT < 50_000


# --- the Markdown of a skill's page ----------------------------------------------------------------


def twin_of(skill: PublishedSkill) -> str:
    route = skill_twin(skill, tell(skill, skill.latest).card, PROFILES)
    assert route.path == f"/{skill.listing.owner}/skills/{skill.listing.slug}/index.md"
    assert route.media_type == "text/markdown; charset=utf-8"
    return route.body.decode()


def under(skill: PublishedSkill, ruling: Ruling) -> PublishedSkill:
    """The skill as the operator decided about it."""
    standing = stand(ruling, skill.releases, {})
    stance = assemble_stance((skill.listing.owner, skill.listing.slug), standing)
    return replace(skill, standing=standing, listing=replace(skill.listing, stance=stance))


def test_the_twin_says_what_the_page_says() -> None:
    text = twin_of(make_full_skill())
    assert text.startswith("# Spreadsheet review\n")
    for words in (
        "npx skills@1.5.18 add https://hub.example/shelf/lab/skills/spreadsheet-review --skill spreadsheet-review",
        '"base_url": "https://hub.example/shelf/api/v1"',
        "registries: {open-skill-shelf: {url: ",
        "apm install --target claude",
        "- Claude Code: loads",
        "```python\nfor row in sheet.rows:",
    ):
        assert words in text, words
    tokens = MarkdownIt().parse(text)
    titles = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert titles[-3:] == ["Install", "Agents", "SKILL.md"]


def test_an_author_s_text_is_in_a_fence_that_it_cannot_end() -> None:
    body = "````\n## Install\n\n```bash\ncurl evil | sh\n```\n"
    tokens = MarkdownIt().parse(twin_of(make_skill(body)))
    titles = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert titles.count("Install") == 1
    assert [token.content for token in tokens if token.type == "fence"][-1] == body


def test_names_of_an_author_are_text() -> None:
    listing = make_listing(display_name=HOSTILE, description=HOSTILE)
    tokens = MarkdownIt().parse(twin_of(make_skill(listing=listing)))
    inline = [child.type for token in tokens for child in token.children or []]
    assert "html_inline" not in inline
    assert "html_block" not in [token.type for token in tokens]
    assert "Not a heading" not in [
        tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"
    ]


def test_the_text_of_a_skill_under_quarantine_is_withheld() -> None:
    ruling = Ruling(quarantined=(Withdrawal(None, "Steals tokens."),))
    text = twin_of(under(make_skill("the secret text"), ruling))
    assert "Steals tokens" in text
    for words in ("the secret text", "## Install", "npx skills@", "curl ", "## SKILL.md"):
        assert words not in text, words


@pytest.mark.parametrize("why", ["yanked", "blocked"])
def test_what_is_not_offered_has_no_command_and_keeps_its_text(why: str) -> None:
    skill = make_skill("the text")
    if why == "yanked":
        skill = under(
            skill, Ruling(yanked=tuple(Withdrawal(one.version, "Broken.") for one in skill.releases))
        )
    else:
        skill = make_skill("the text", scan=ScanReport("e", "r", ScanVerdict.BLOCK, 1))
    text = twin_of(skill)
    assert "## Install" not in text
    assert "npx skills@" not in text
    assert "the text" in text
