"""The pages as a person meets them, in Debian's Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PAGES = {
    "home": "/",
    "browse": "/browse/",
    "skill": "/acme/skills/field-notes/",
    "chinese skill": "/acme/skills/zhongwen-biji/",
    "wide skill": "/acme/skills/wide-tables/",
    "blocked skill": "/acme/skills/odd-helper/",
    "hostile skill": "/acme/skills/script-page/",
    "publisher": "/acme/",
    "not published": "/not-published/",
    "use": "/use/",
    "publish": "/publish/",
    "trust": "/trust/",
    "api": "/api/",
    "agents": "/hosts/",
    "agent with tools": "/hosts/deeptutor/",
    "agreement": "/hosts/agreement/",
    "rules": "/rules/",
    "rule": "/rules/yaml-stray-syntax/",
}

_LUMINANCE = """
colour => {
  const channel = value => { value /= 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
  const parts = getComputedStyle(document.querySelector(colour[0]))[colour[1]].match(/[\\d.]+/g).map(Number);
  return 0.2126 * channel(parts[0]) + 0.7152 * channel(parts[1]) + 0.0722 * channel(parts[2]);
}
"""


@pytest.mark.parametrize("site", [""], ids=["root"], indirect=True)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_clean(site: Site, name: str, width: int, scheme: str) -> None:
    _check_page(site, name, width, scheme)


@pytest.mark.parametrize("site", ["/hub"], ids=["base-path"], indirect=True)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_clean_below_a_base_path(site: Site, name: str) -> None:
    _check_page(site, name, 390, "dark")


def _check_page(site: Site, name: str, width: int, scheme: str) -> None:
    visit = site.open(PAGES[name], width=width, scheme=scheme)
    site.keep_screenshot(visit.page, f"{name}-{width}-{scheme}")
    assert visit.problems == []
    assert visit.page.title() not in ("", "owned")
    assert visit.page.locator("h1:visible").count() == 1
    inner, whole = visit.page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
    assert whole <= inner, f"{whole - inner} px wider than the window: {_widest(visit.page)}"
    background, text = (
        _luminance(visit.page, *part) for part in (("body", "backgroundColor"), ("h1", "color"))
    )
    assert (background < 0.25) == (scheme == "dark")
    lighter, darker = max(background, text), min(background, text)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def _luminance(page: Page, selector: str, prop: str) -> float:
    return float(page.evaluate(_LUMINANCE, [selector, prop]))


def _widest(page: Page) -> str:
    found = page.evaluate(
        """[...document.querySelectorAll('body *')]
        .filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5)
        .map(e => e.tagName + '.' + e.className)"""
    )
    return ", ".join(map(str, found))


@pytest.mark.parametrize("name", PAGES)
def test_every_link_of_our_own_leads_somewhere(site: Site, name: str) -> None:
    page = site.open(PAGES[name]).page
    links: set[str] = set(page.eval_on_selector_all("a[href]", "all => all.map(a => a.href.split('#')[0])"))
    own = sorted(link for link in links if link.startswith(f"{site.hub.origin}/"))
    assert own
    assert [link for link in own if not link.startswith(f"{site.hub.url}/")] == []
    answers = {link: page.request.get(link).status for link in own}
    assert {link: status for link, status in answers.items() if status != 200} == {}


def test_home_leads_to_a_skill(site: Site) -> None:
    visit = site.open("/")
    visit.page.locator('a[href*="skills/field-notes/"]:visible').first.click()
    visit.page.wait_for_url(f"{site.hub.url}/acme/skills/field-notes/")
    expect(visit.page.locator("h1:visible")).to_contain_text(re.compile("field", re.IGNORECASE))
    assert visit.problems == []


def test_home_search_leads_to_the_filtered_list(site: Site) -> None:
    visit = site.open("/")
    box = visit.page.locator('main input[type="search"], main input[name="q"]').first
    box.fill("课堂")
    box.press("Enter")
    visit.page.wait_for_url(f"{site.hub.url}/browse/?q=*")
    _expect_cards(visit.page, ["zhongwen-biji"])
    assert visit.problems == []


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ("field", ["field-notes"]),
        ("课堂笔记", ["zhongwen-biji"]),
        ("qqzzxx", []),
        ("two publishers", ["shared-tool", "shared-tool"]),
    ],
)
def test_the_browse_filter_narrows_the_list(site: Site, query: str, slugs: list[str]) -> None:
    visit = site.open("/browse/")
    visit.page.locator('main input[type="search"]').fill(query)
    _expect_cards(visit.page, slugs)
    site.keep_screenshot(visit.page, f"browse-filter-{'-'.join(sorted(set(slugs))) or 'none'}")
    assert visit.problems == []


def _expect_cards(page: Page, slugs: list[str]) -> None:
    """Wait until the visible cards of the list lead to exactly these skills."""
    page.wait_for_function(
        """wanted => {
          const links = [...document.querySelectorAll('main a[href*="/skills/"]')];
          const shown = links.filter(a => a.checkVisibility());
          const places = [...new Set(shown.map(a => a.pathname))];
          const slugs = places.map(p => p.split('/skills/')[1].split('/')[0]).sort();
          return JSON.stringify(slugs) === JSON.stringify(wanted);
        }""",
        arg=sorted(slugs),
        timeout=5000,
    )


def test_a_copy_button_copies_the_install_command(site: Site) -> None:
    visit = site.open("/acme/skills/field-notes/")
    visit.page.evaluate("navigator.clipboard.writeText('before')")
    button = visit.page.locator("main").get_by_role("button", name=re.compile("copy", re.IGNORECASE)).first
    button.click()
    visit.page.wait_for_function(
        "navigator.clipboard.readText().then(text => text !== 'before')", timeout=5000
    )
    copied = visit.page.evaluate("navigator.clipboard.readText()")
    assert "clawhub" in copied
    assert "field-notes" in copied
    assert site.hub.url in copied
    assert copied == copied.strip()
    shown = visit.page.eval_on_selector_all("main code, main pre", "all => all.map(e => e.innerText.trim())")
    assert copied in shown
    assert visit.problems == []


def test_every_visible_copy_button_copies_something_of_its_own(site: Site) -> None:
    visit = site.open("/acme/skills/field-notes/")
    buttons = visit.page.locator("main").get_by_role("button", name=re.compile("copy", re.IGNORECASE))
    copied = []
    for button in buttons.all():
        if not button.is_visible():
            continue
        visit.page.evaluate("navigator.clipboard.writeText('before')")
        button.click()
        visit.page.wait_for_function(
            "navigator.clipboard.readText().then(text => text !== 'before')", timeout=5000
        )
        copied.append(visit.page.evaluate("navigator.clipboard.readText()"))
    assert copied
    assert all(text.strip() for text in copied)
    assert visit.problems == []


def test_a_skill_page_shows_its_facts(site: Site) -> None:
    page = site.open("/acme/skills/field-notes/").page
    main = page.locator("main")
    for text in ("1.0.0", "acme", "Apache-2.0", "scripts/check.py", "python3", "FIELD_NOTES_HOME"):
        expect(main).to_contain_text(text)
    expect(main).to_contain_text("Keep field notes of measurements in one format")
    expect(main.locator("pre").filter(has_text="print(").first).to_be_visible()


def test_a_chinese_page_shows_chinese_text_in_a_chinese_font(site: Site) -> None:
    page = site.open("/acme/skills/zhongwen-biji/").page
    expect(page.locator("main")).to_contain_text("整理中文课堂笔记")
    expect(page.locator("main")).to_contain_text("references/说明.md")
    # A missing font draws every ideograph as the same box.
    widths = page.evaluate(
        """() => { const c = document.createElement('canvas').getContext('2d'); c.font = '40px sans-serif';
        const ink = t => { c.clearRect(0, 0, 300, 150); c.fillText(t, 5, 60);
          return c.getImageData(0, 0, 60, 80).data.reduce((a, b) => a + b, 0); };
        return [ink('笔'), ink('一')]; }"""
    )
    assert widths[0] != widths[1]


def test_a_hostile_page_is_only_text(site: Site) -> None:
    visit = site.open("/acme/skills/script-page/")
    page = visit.page
    assert "owned" not in page.title() or "<script>" in page.title()
    article = page.locator("main article")
    for selector in (
        "iframe",
        "style",
        "form[action*='elsewhere']",
        "[onerror]",
        "[onload]",
        "script",
    ):
        assert article.locator(selector).count() == 0, selector
    assert page.locator("a[href^='javascript:']").count() == 0
    assert page.locator("#__search.md-overlay").count() <= 1
    assert visit.problems == []


def test_not_published_names_folder_and_reason(site: Site) -> None:
    main = site.open("/not-published/").page.locator("main")
    for folder in ("no-description", "broken-yaml"):
        expect(main).to_contain_text(folder)
    expect(main).to_contain_text(re.compile("description", re.IGNORECASE))


def test_the_blocked_skill_says_so(site: Site) -> None:
    main = site.open("/acme/skills/odd-helper/").page.locator("main")
    expect(main).to_contain_text(re.compile(r"block|malicious|not be installed", re.IGNORECASE))
    expect(main).to_contain_text("scripts/setup.sh")


def test_a_reader_can_choose_dark_and_the_choice_stays(site: Site) -> None:
    visit = site.open("/", scheme="light")
    page = visit.page
    assert _luminance(page, "body", "backgroundColor") > 0.5
    for _ in range(3):
        page.locator("label[for^='__palette']:visible").first.click()
        if _luminance(page, "body", "backgroundColor") < 0.25:
            break
    assert _luminance(page, "body", "backgroundColor") < 0.25
    page.goto(f"{site.hub.url}/acme/skills/field-notes/", wait_until="networkidle")
    assert _luminance(page, "body", "backgroundColor") < 0.25
    assert visit.problems == []


def test_the_keyboard_reaches_the_content(site: Site) -> None:
    page = site.open("/acme/skills/field-notes/").page
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.tagName")
    assert focused in ("A", "BUTTON", "INPUT", "LABEL")


def test_what_does_not_exist_is_a_plain_404(site: Site) -> None:
    page = site.open("/browse/").page
    for path in ("/no-such-page/", "/acme/skills/no-such-skill/", "/nobody/"):
        answer = page.request.get(f"{site.hub.url}{path}")
        assert answer.status == 404, path
