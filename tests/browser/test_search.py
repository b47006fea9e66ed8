"""The browse page on the hub's search index, in Debian's Chromium: ranking, filters, typing, large hubs, full text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from generator.judge.profiles import load_profiles
from generator.model import Listing
from generator.search.index import search_routes
from tests.browser.conftest import Site
from tests.conftest import MakeHub, require
from tests.deps.pagefind_part import BIN
from tests.hubs import LiveHub, write_tree
from tests.write.site_samples import make_catalog

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

BOX = 'main input[name="q"]'
CARDS = "[data-sp-list] .sp-card"
COUNT = "[data-sp-count]"


def slugs(page: Page, within: str = "[data-sp-list] > .sp-cards") -> list[str]:
    """The skills that are shown, in their order."""
    links: list[str] = page.eval_on_selector_all(
        f"{within} .sp-card__name", "all => all.map(a => a.pathname)"
    )
    return [link.rstrip("/").rpartition("/")[2] for link in links]


def ask(page: Page, question: str) -> None:
    """Type a question and wait until it is in the address, which is when it has been answered."""
    page.fill(BOX, question)
    page.wait_for_function(
        "asked => new URLSearchParams(location.search).get('q') === asked.trim()", arg=question, timeout=5000
    )


def address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


# --- ranking and filters ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question", ["field notes", "skill", "notse", "笔记", "课堂", "two publishers", "helper"]
)
def test_results_are_those_of_the_api_in_its_order(site: Site, question: str) -> None:
    visit = site.open("/browse/")
    ask(visit.page, question)
    rows = visit.page.request.get(f"{site.hub.url}/api/v1/search", params={"q": question}).json()["results"]
    assert rows
    assert slugs(visit.page) == [row["slug"] for row in rows]
    expect(visit.page.locator(COUNT)).to_have_text(f"{len(rows)} of 7 skills")
    assert visit.problems == []


FILTERS = {
    "owner": ("owner", "rival", "owner:rival", ["shared-tool"]),
    "topic": ("topic", "笔记", "tag:笔记", ["zhongwen-biji"]),
    "agent": ("agent", "codex", "host:codex", None),
    "licence": ("license", "Apache-2.0", "license:apache-2.0", ["field-notes"]),
    "no licence": ("license", "none", "license:none", None),
    "verdict": ("verdict", "block", "verdict:block", None),
}


@pytest.mark.parametrize(("field", "value", "typed", "wanted"), FILTERS.values(), ids=FILTERS)
def test_a_filter_is_chosen_or_typed_and_stays_in_the_address(
    site: Site, field: str, value: str, typed: str, wanted: list[str] | None
) -> None:
    visit = site.open("/browse/")
    page = visit.page
    everything = slugs(page)
    page.select_option(f"main select[name={field}]", value)
    page.wait_for_function("() => location.search !== ''")
    chosen = slugs(page)
    assert address(page) == {field: value}
    assert 0 < len(chosen) <= len(everything)
    if wanted is not None:
        assert chosen == wanted
    option = page.locator(f"main select[name={field}] option:checked").inner_text()
    if option.endswith(")"):
        assert option.endswith(f"({len(chosen)})")
    page.reload(wait_until="networkidle")
    assert slugs(page) == chosen
    expect(page.locator(f"main select[name={field}]")).to_have_value(value)
    page.goto(f"{site.hub.url}/browse/", wait_until="networkidle")
    ask(page, typed)
    assert slugs(page) == chosen
    ask(page, f"-{typed}")
    assert sorted(slugs(page) + chosen) == sorted(everything)
    assert visit.problems == []


def test_a_question_and_filters_come_from_the_address(site: Site) -> None:
    visit = site.open("/browse/?q=tool+-owner:acme&verdict=allow")
    assert slugs(visit.page) == ["shared-tool"]
    expect(visit.page.locator(BOX)).to_have_value("tool -owner:acme")
    expect(visit.page.locator("main select[name=verdict]")).to_have_value("allow")
    assert visit.problems == []


def test_an_empty_result_says_what_to_try(site: Site) -> None:
    visit = site.open("/browse/?owner=rival", width=390)
    page = visit.page
    expect(page.locator(".sp-filters__help")).to_contain_text("owner:")
    ask(page, "author:me 课堂")
    note = page.locator(".sp-empty")
    expect(note).to_contain_text("author:me 课堂")
    expect(note).to_contain_text("“author:” is no filter")
    expect(page.locator(COUNT)).to_have_text("0 of 7 skills")
    site.keep_screenshot(page, "search-nothing-390")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ask(page, "课堂")
    note.get_by_role("button", name="Leave the filters out: 1 skill").click()
    assert slugs(page) == ["zhongwen-biji"]
    assert address(page) == {"q": "课堂"}
    ask(page, "qqzzxx")
    expect(note).to_contain_text("Try fewer words")
    assert visit.problems == []


def test_the_header_leads_to_the_results(site: Site) -> None:
    visit = site.open("/acme/skills/field-notes/")
    visit.page.keyboard.press("/")
    visit.page.keyboard.type("课堂")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url(f"{site.hub.url}/browse/?q=*")
    visit.page.wait_for_load_state("networkidle")
    assert slugs(visit.page) == ["zhongwen-biji"]
    assert visit.problems == []


def test_an_authors_words_stay_words(site: Site) -> None:
    visit = site.open("/browse/?q=script-page")
    assert "script-page" in slugs(visit.page)
    assert visit.page.locator("[data-sp-list] script, [data-sp-list] img").count() == 0
    assert "owned" not in visit.page.title()
    assert visit.problems == []


# --- without ---------------------------------------------------------------------------------------


def test_without_scripts_the_whole_list_is_there(site: Site) -> None:
    context = site.browser.new_context(java_script_enabled=False)
    site.open_contexts.append(context)
    page = context.new_page()
    page.goto(f"{site.hub.url}/browse/?q=anything")
    assert page.locator(CARDS).count() == 7
    expect(page.locator(".sp-filters")).to_be_hidden()


def test_an_index_that_cannot_be_read_leaves_the_list(site: Site) -> None:
    context = site.browser.new_context()
    site.open_contexts.append(context)
    page = context.new_page()
    page.route("**/search/index.json", lambda route: route.fulfill(status=200, body='{"schema":"other"}'))
    page.goto(f"{site.hub.url}/browse/", wait_until="networkidle")
    expect(page.locator(COUNT)).to_contain_text("The search index cannot be read")
    assert page.locator(CARDS).count() == 7
    expect(page.locator(".sp-filters")).to_be_hidden()


# --- typing ----------------------------------------------------------------------------------------


def test_an_input_method_is_left_alone_until_it_has_chosen(site: Site) -> None:
    visit = site.open("/browse/")
    page = visit.page
    everything = slugs(page)
    page.focus(BOX)
    keyboard = page.context.new_cdp_session(page)
    for typed in ("k", "ke", "ke t", "ke tang"):
        keyboard.send("Input.imeSetComposition", {"text": typed, "selectionStart": 1, "selectionEnd": 1})
        page.wait_for_timeout(150)
    assert page.input_value(BOX) == "ke tang"
    assert slugs(page) == everything
    assert address(page) == {}
    keyboard.send("Input.insertText", {"text": "课堂"})
    page.wait_for_function("() => location.search.includes('q=')")
    assert slugs(page) == ["zhongwen-biji"]
    assert address(page) == {"q": "课堂"}
    assert visit.problems == []


def _listings(count: int) -> tuple[Listing, ...]:
    """As many skills as a large hub has, with words enough in their summaries."""
    words = " ".join(make_catalog(8).listings[number].description for number in range(8)).split()
    return tuple(
        replace(
            one,
            description=" ".join(
                [one.description, *(words[(place * 7 + k * k) % len(words)] for k in range(20))]
            ),
        )
        for place, one in enumerate(make_catalog(count).listings)
    )


@pytest.fixture(scope="module")
def hub_of(make_hub: MakeHub) -> Callable[..., LiveHub]:
    """A served hub whose search index is of as many skills as asked for; it has pages of two of them only."""
    made: dict[tuple[int, int], LiveHub] = {}

    def get(count: int, split_above: int) -> LiveHub:
        if (count, split_above) not in made:
            hub = make_hub("large", layout="exploded", base="/hub")
            hub.configure({"skills": "acme"})
            for name in ("one", "two"):
                write_tree(
                    hub.folder / "skills",
                    {f"{name}/SKILL.md": f"---\nname: {name}\ndescription: D.\n---\nDo.\n"},
                )
            hub.build().check()
            catalog = replace(make_catalog(0), listings=_listings(count))
            for route in search_routes(catalog, load_profiles(), split_above=split_above, chunk=400):
                (hub.out / route.path[1:]).write_bytes(route.body)
            hub.start()
            made[count, split_above] = hub
        return made[count, split_above]

    return get


@pytest.fixture
def open_large(chromium: Browser, hub_of: Callable[..., LiveHub]) -> Iterator[Callable[..., Site]]:
    sites: list[Site] = []

    def get(count: int, split_above: int) -> Site:
        sites.append(Site(hub_of(count, split_above), chromium, []))
        return sites[-1]

    yield get
    for site in sites:
        for context in site.open_contexts:
            context.close()


def test_typing_is_smooth_with_ten_thousand_skills(
    open_large: Callable[..., Site], record_property: Callable[[str, object], None]
) -> None:
    visit = open_large(10_000, 20_000).open("/browse/")
    page = visit.page
    expect(page.locator(COUNT)).to_have_text("10,000 skills")
    assert page.locator(CARDS).count() == 60
    page.wait_for_timeout(1000)
    page.evaluate(
        """() => { window.long = []; window.shown = 0;
        new PerformanceObserver(list => long.push(...list.getEntries().map(e => e.duration)))
          .observe({type: 'longtask'});
        new MutationObserver(() => { shown += 1; })
          .observe(document.querySelector('[data-sp-list]'), {childList: true});
        }"""
    )
    page.focus(BOX)
    question = "deep research sources"
    page.keyboard.type(question, delay=30)
    page.wait_for_function("asked => new URLSearchParams(location.search).get('q') === asked", arg=question)
    long, shown = page.evaluate("[long, shown]")
    times = page.evaluate(
        """async () => { const {loadIndex, search} = await import('../search/search.js');
        const index = loadIndex(await (await fetch('../search/index.json')).json());
        const took = asked => { const t = performance.now(); search(index, asked, {limit: Infinity});
          return performance.now() - t; };
        return ['x', 'd', 'deep', 'deep research sources', 'reserch', '翻译', 'tag:office'].map(a => [a, took(a)]); }"""
    )
    told = ", ".join(f"{asked} {took:.0f} ms" for asked, took in times[1:])
    record_property(
        "printed",
        f"browse page, 10,000 skills: {len(question)} keys 30 ms apart gave {shown} lists, long tasks "
        f"{[round(one) for one in long]} ms; words of all skills once {times[0][1]:.0f} ms; {told}",
    )
    assert shown < len(question) / 2, "every key is answered"
    assert page.locator(CARDS).count() == 60
    page.get_by_role("button", name="Show more").click()
    assert page.locator(CARDS).count() == 180
    assert visit.problems == []


def test_a_large_hub_gives_names_first_and_summaries_where_needed(open_large: Callable[..., Site]) -> None:
    whole, split = open_large(1000, 20_000), open_large(1000, 100)
    asked: list[str] = []
    visit = split.open("/browse/?owner=lab")
    page = visit.page
    page.on("request", lambda request: asked.append(urlsplit(request.url).path.rpartition("/search/")[2]))
    page.goto(f"{split.hub.url}/browse/", wait_until="networkidle")
    assert [name for name in asked if name.endswith(".json")] == [
        "index.json",
        "names.json",
        "summaries-1.json",
    ]
    expect(page.locator(f"{CARDS} .sp-card__text").first).not_to_be_empty()
    release: list[Any] = []
    page.route("**/summaries-*.json", lambda route: release.append(route))
    ask(page, "charts")
    expect(page.locator(COUNT)).to_contain_text("reading their summaries")
    assert slugs(page)[0].startswith("charts")
    for route in release:
        route.continue_()
    expect(page.locator(COUNT)).not_to_contain_text("reading")
    other = whole.open("/browse/?q=charts").page
    for question in ("charts", "claim source", "翻译", "tag:office report"):
        ask(page, question)
        ask(other, question)
        expect(page.locator(COUNT)).to_have_text(other.locator(COUNT).inner_text())
        assert slugs(page) == slugs(other)
    assert visit.problems == []


# --- full text -------------------------------------------------------------------------------------

_TEXTS = {
    "pdf/SKILL.md": "---\nname: pdf\ndescription: Reads and joins documents.\nlicense: MIT\n---\n"
    "# PDF\n\nRepair a damaged file with qpdf <img src=x onerror=alert(1)> before anything else.\n",
    "pack/SKILL.md": "---\nname: pack\ndescription: Packs folders.\n---\n# Pack\n\nIt runs qpdf too, never -q.\n",
    "fanyi/SKILL.md": "---\nname: fanyi\ndescription: 把技术文档翻译成通顺的中文。\n---\n"
    "# 翻译\n\n先建立术语表，再逐段翻译，最后请另一位译者校对全文，并保留原文的排版。\n",
}  # fmt: skip


@pytest.fixture(scope="module", params=["packed", "exploded"])
def full_text(request: pytest.FixtureRequest, make_hub: MakeHub, chromium: Browser) -> Iterator[Site]:
    require("pagefind")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
        hub = make_hub("fulltext", layout=request.param, base="/hub" if request.param == "packed" else "")
        hub.configure({"skills": "acme"}, more="search: {full_text: yes}\n")
        write_tree(hub.folder / "skills", _TEXTS)
        hub.build().check()
    hub.start()
    site = Site(hub, chromium, [])
    yield site
    for context in site.open_contexts:
        context.close()


QUESTIONS = {
    "a word of two texts": ("qpdf", [], ["pack", "pdf"]),
    "a filter typed": ("qpdf license:MIT", [], ["pdf"]),
    "a filter typed and turned round": ("qpdf -license:MIT", [], ["pack"]),
    "Chinese": ("校对全文", [], ["fanyi"]),
    "what the index finds is not said twice": ("翻译", ["fanyi"], []),
    "in no text": ("quantum", [], []),
}


@pytest.mark.parametrize(("question", "first", "more"), QUESTIONS.values(), ids=QUESTIONS)
def test_the_text_of_skills_is_found_below(
    full_text: Site, question: str, first: list[str], more: list[str]
) -> None:
    visit = full_text.open("/browse/", width=390, scheme="dark")
    ask(visit.page, question)
    visit.page.wait_for_load_state("networkidle")
    if more:
        expect(visit.page.locator(".sp-fulltext .sp-card mark").first).to_be_visible()
    full_text.keep_screenshot(visit.page, f"search-full-text-{len(more)}")
    assert slugs(visit.page) == first
    assert sorted(slugs(visit.page, ".sp-fulltext")) == more
    assert visit.page.locator(".sp-fulltext img").count() == 0
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert visit.problems == []


def test_only_the_browse_page_may_compile_and_fetches_full_text_when_asked(full_text: Site) -> None:
    visit = full_text.open("/browse/")
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    visit.page.reload(wait_until="networkidle")
    assert not [url for url in asked if "pagefind" in url]
    policy = "meta[http-equiv='Content-Security-Policy']"
    assert "wasm-unsafe-eval" in (visit.page.locator(policy).get_attribute("content") or "")
    other = full_text.open("/").page
    assert "wasm-unsafe-eval" not in (other.locator(policy).get_attribute("content") or "")
