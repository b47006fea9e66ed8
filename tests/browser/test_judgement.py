"""What the judge says, as a person meets it: on pages of skills, hosts and rules, by keyboard and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from generator.judge.profiles import load_profiles
from generator.search.filters import keep
from generator.search.index import read_index
from generator.search.query import parse_query
from tests.browser.conftest import Site

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.parametrize("site", ["/hub"], ids=["base-path"], indirect=True),
]

SKILL = "/acme/skills/field-notes/"

_CONTRAST = """selector => {
  const luminance = colour => { const channel = value => { value /= 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number);
    return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
  const ground = element => { for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor;
      if (!/, 0\\)$|transparent/.test(colour)) return colour; }
    return 'rgb(255, 255, 255)'; };
  return Math.min(...[...document.querySelectorAll(selector)].filter(e => e.checkVisibility()).map(element => {
    const both = [luminance(getComputedStyle(element).color), luminance(ground(element))];
    const [dark, light] = both.sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05); })); }"""
"""The lowest contrast of the visible elements a selector finds; Infinity where it finds none."""


@pytest.mark.parametrize("width", [390, 1280])
def test_every_host_can_be_taken_in_at_a_glance(site: Site, width: int) -> None:
    visit = site.open(SKILL, width=width)
    hosts = visit.page.locator(".sp-roster .sp-host")
    assert hosts.count() == len(load_profiles())
    boxes = [box for host in hosts.all() if (box := host.bounding_box()) is not None]
    assert len(boxes) == hosts.count()
    columns = {round(box["x"]) for box in boxes}
    assert len(columns) == (2 if width == 390 else 3)
    first, last = min(box["y"] for box in boxes), max(box["y"] + box["height"] for box in boxes)
    assert last - first < 844, "more than a phone's height"
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    assert visit.problems == []


def test_a_mark_is_not_read_aloud_and_a_word_is(site: Site) -> None:
    page = site.open(SKILL).page
    item = page.locator(".sp-host--load").first
    assert "loads" in (item.text_content() or "")
    assert "✓" not in item.aria_snapshot()


def test_how_something_runs_unfolds_by_keyboard(site: Site) -> None:
    visit = site.open(SKILL, width=390, scheme="dark")
    how = visit.page.locator("#needs ~ * .sp-how, .sp-powers .sp-how").first
    reason = how.locator("li").first
    expect(reason).to_be_hidden()
    how.locator("summary").focus()
    visit.page.keyboard.press("Enter")
    expect(reason).to_be_visible()
    site.keep_screenshot(visit.page, "skill-how-390-dark")
    wide, whole = visit.page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
    assert whole <= wide
    assert visit.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("path", "selectors"),
    [
        (
            SKILL,
            (".sp-host a", ".sp-host small", ".sp-host__word", ".sp-verdict", ".sp-dim", ".sp-roster__head"),
        ),
        ("/hosts/", (".sp-shares td", ".sp-shares small")),
        (
            "/hosts/deeptutor/",
            (".sp-source", ".sp-code", "var", ".sp-verdict", ".sp-owners code", ".sp-facts dt"),
        ),
        ("/hosts/agreement/", (".sp-agreement td", ".sp-agreement th", ".sp-legend li")),
        ("/rules/", (".sp-tag", ".sp-verdict", ".sp-code")),
        ("/rules/yaml-stray-syntax/", (".sp-example code", ".sp-line", ".sp-unseen", ".sp-examples p")),
        ("/not-published/", (".sp-finding p", ".sp-finding code", ".sp-tally li", "summary")),
    ],
)
def test_every_word_can_be_read(site: Site, path: str, selectors: tuple[str, ...], scheme: str) -> None:
    page = site.open(path, scheme=scheme).page
    lowest = {selector: float(page.evaluate(_CONTRAST, selector)) for selector in selectors}
    assert {selector: ratio for selector, ratio in lowest.items() if not 4.5 <= ratio <= 21} == {}


def test_a_finding_leads_to_its_rule_and_back_to_the_skill(site: Site) -> None:
    visit = site.open("/acme/skills/wide-tables/")
    link = visit.page.locator(".sp-finding .sp-code").first
    code = link.text_content()
    link.click()
    visit.page.wait_for_url(f"{site.hub.url}/rules/{code}/")
    expect(visit.page.locator("h1:visible")).to_be_visible()
    visit.page.locator('main a[href*="/skills/wide-tables/#findings"]').click()
    visit.page.wait_for_url(f"{site.hub.url}/acme/skills/wide-tables/#findings")
    assert visit.problems == []


def test_a_host_leads_to_its_page_and_its_parts(site: Site) -> None:
    visit = site.open(SKILL)
    visit.page.locator(".sp-host a", has_text="DeepTutor").first.click()
    visit.page.wait_for_url(f"{site.hub.url}/hosts/deeptutor/")
    visit.page.locator('main a[href$="-tools"]').first.click()
    heading = visit.page.get_by_role("heading", name="Its tools")
    expect(heading).to_be_in_viewport()
    assert _is_below_header(visit.page, heading.evaluate("e => e.getBoundingClientRect().top"))
    assert visit.problems == []


def _is_below_header(page: Page, top: float) -> bool:
    return top >= float(page.evaluate("document.querySelector('.md-header').getBoundingClientRect().bottom"))


@pytest.mark.parametrize(("width", "beside"), [(1280, True), (390, False)])
def test_mistake_and_mended_stand_beside_each_other_where_there_is_room(
    site: Site, width: int, beside: bool
) -> None:
    page = site.open("/rules/yaml-stray-syntax/", width=width).page
    before, after = (box.bounding_box() for box in page.locator(".sp-example").all())
    assert before is not None
    assert after is not None
    assert (before["y"] == after["y"]) == beside
    assert page.locator("main .sp-examples button").count() == 0, "signs for blanks must not be copied"


def test_the_table_of_agreement_scrolls_by_keyboard_and_keeps_the_folder_in_view(site: Site) -> None:
    visit = site.open("/hosts/agreement/", width=390)
    table = visit.page.get_by_role("region", name="Verdicts on every folder")
    table.focus()
    for _ in range(5):
        visit.page.keyboard.press("ArrowRight")
    visit.page.wait_for_function("() => document.querySelector('.sp-scroll').scrollLeft > 40")
    box = visit.page.locator(".sp-agreement tbody th").first.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert visit.problems == []


def test_what_is_not_published_says_who_would_load_it(site: Site) -> None:
    visit = site.open("/not-published/", width=390)
    entry = visit.page.locator(".sp-rejected", has_text="broken-yaml")
    expect(entry).to_contain_text("SKILL.md:")
    entry.locator("summary").first.click()
    expect(entry.locator(".sp-host").first).to_be_visible()
    site.keep_screenshot(visit.page, "not-published-open-390")
    wide, whole = visit.page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
    assert whole <= wide
    assert visit.problems == []


def test_skills_can_be_filtered_by_the_agent_that_loads_them(site: Site) -> None:
    visit = site.open("/browse/", width=390)
    shown = visit.page.locator(".sp-card:visible")
    every = shown.count()
    visit.page.get_by_label("Agent that loads it").select_option(label="Loads in Hermes Agent")
    expect(visit.page.locator("[data-sp-count]")).to_have_text(f"{every} skills")
    assert visit.page.url == f"{site.hub.url}/browse/?agent=hermes"
    visit.page.get_by_label("Agent that loads it").select_option(label="Loads in DeerFlow")
    index = read_index(lambda route: visit.page.request.get(f"{site.hub.url}{route}").body())
    expect(shown).to_have_count(len(keep(index, parse_query("host:deerflow").filters)))
    wide, whole = visit.page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
    assert whole <= wide
    assert visit.problems == []
