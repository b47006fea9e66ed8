"""The pages about clients in Debian's Chromium: tabs that wrap, what works where, collections, Markdown twins.

Two hubs: one as ``skillpress serve`` serves it, one built for a host of plain files with two protocols switched off and
served as such a host does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.clients.installer_hub import manifest, notes
from tests.conformance.pages_server import serve_pages
from tests.conftest import MakeHub
from tests.hubs import LiveHub, write_tree

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

_HOOKS = '{"hooks":{"PostToolUse":[{"matcher":"Write","hooks":[{"type":"command","command":"echo hi"}]}]}}'
_MORE = """\
collections:
  office: {title: Office work, description: For the office., skills: [acme/field-notes, acme/plug, beta/plain-text]}
  nothing: {title: "Nothing <b>yet</b>", skills: [acme/nothing]}
"""
PAGES = {
    "home": "/",
    "use": "/use/",
    "clients": "/clients/",
    "api": "/api/",
    "skill": "/acme/skills/plug/",
    "skill left out": "/acme/skills/web-parts/",
    "shared name": "/acme/skills/twins/",
    "publisher": "/beta/",
    "collections": "/collections/",
    "collection": "/collections/office/",
    "empty collection": "/collections/nothing/",
}
TABS = [
    "clawhub", "npx skills", "Claude Code", "DeepTutor", "OpenClaw", "Hermes", "APM", "QwenPaw", ".skill", "Download",
]  # fmt: skip
PLAIN_TABS = ["npx skills", "Claude Code", ".skill", "Download"]


def _write(hub: LiveHub, more: str) -> None:
    hub.configure({"acme-skills": "acme", "beta-skills": "beta"}, name="Field & Study", more=more)
    write_tree(
        hub.folder,
        {
            **{f"acme-skills/field-notes/{path}": data for path, data in notes("1.0.0").items()},
            "acme-skills/plug/SKILL.md": manifest("plug", "Brings hooks."),
            "acme-skills/plug/hooks/hooks.json": _HOOKS,
            "acme-skills/web-parts/SKILL.md": manifest("web-parts"),
            "acme-skills/web-parts/assets/a#b.txt": "x",
            "acme-skills/web-parts/assets/logo.bin": b"\0\1",
            "acme-skills/twins/SKILL.md": manifest("twins"),
            "beta-skills/twins/SKILL.md": manifest("twins"),
            "beta-skills/plain-text/SKILL.md": manifest("plain-text"),
        },
    )


@pytest.fixture(scope="module")
def served(make_hub: MakeHub) -> LiveHub:
    hub = make_hub("protocol-pages", base="/hub")
    _write(hub, _MORE)
    hub.build().check()
    hub.start()
    return hub


@pytest.fixture(scope="module")
def plain(make_hub: MakeHub) -> Iterator[LiveHub]:
    hub = make_hub("protocol-pages-plain", layout="exploded")
    _write(hub, f"{_MORE}protocols: {{bundles: false, well_known_skills: false}}\n")
    hub.build("--hosting", "github-pages").check()
    with serve_pages(hub.out, hub.port):
        yield hub


@pytest.fixture
def look(chromium: Browser) -> Iterator[Callable[[LiveHub], Site]]:
    """A function from a hub to its site."""
    sites: list[Site] = []

    def get(hub: LiveHub) -> Site:
        sites.append(Site(hub, chromium, []))
        return sites[-1]

    yield get
    for site in sites:
        for context in site.open_contexts:
            context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_clean(
    served: LiveHub, look: Callable[[LiveHub], Site], name: str, width: int, scheme: str
) -> None:
    _check_clean(look(served), name, width, scheme)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_clean_on_a_host_of_plain_files(
    plain: LiveHub, look: Callable[[LiveHub], Site], name: str
) -> None:
    _check_clean(look(plain), name, 390, "light")


def _check_clean(site: Site, name: str, width: int, scheme: str) -> None:
    visit = site.open(PAGES[name], width=width, scheme=scheme)
    site.keep_screenshot(visit.page, f"clients-{name}-{width}-{scheme}")
    assert visit.problems == []
    assert visit.page.locator("h1:visible").count() == 1
    assert visit.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    links: set[str] = set(
        visit.page.eval_on_selector_all("a[href]", "all => all.map(a => a.href.split('#')[0])")
    )
    own = [link for link in links if link.startswith(f"{site.hub.origin}/")]
    answers = {link: visit.page.request.get(link).status for link in own}
    assert {link: status for link, status in answers.items() if status != 200} == {}
    anchors: list[str] = visit.page.evaluate(
        """[...document.querySelectorAll('main a[href^="#"]')].map(a => a.getAttribute('href').slice(1))
        .filter(id => id && !document.getElementById(id))"""
    )
    assert anchors == []


def _tabs(page: Page) -> list[str]:
    return [label.strip() for label in page.locator(".tabbed-labels > label").all_inner_texts()]


@pytest.mark.parametrize("width", [1280, 390])
def test_all_tabs_can_be_seen_and_reached(
    served: LiveHub, look: Callable[[LiveHub], Site], width: int
) -> None:
    page = look(served).open("/acme/skills/field-notes/", width=width).page
    assert _tabs(page) == [tab for tab in TABS if tab != "QwenPaw"], "it has a picture, so no bundle"
    labels = page.locator(".tabbed-labels > label")
    for number in range(labels.count()):
        box = labels.nth(number).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width, "none is cut off"
        assert box["height"] >= 24, "a finger finds it (WCAG 2.2, 2.5.8)"
        labels.nth(number).click()
        expect(page.locator(".tabbed-block").nth(number)).to_be_visible()
        assert page.locator(".tabbed-block:visible").count() == 1


def test_the_keyboard_goes_through_the_tabs(served: LiveHub, look: Callable[[LiveHub], Site]) -> None:
    page = look(served).open("/acme/skills/plug/", width=390).page
    assert _tabs(page) == TABS
    page.locator("#__tabbed_1_1").focus()
    for number in range(1, len(TABS)):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".tabbed-block").nth(number)).to_be_visible()
        outline = page.evaluate(
            f"getComputedStyle(document.querySelectorAll('.tabbed-labels > label')[{number}]).outlineStyle"
        )
        assert outline == "solid", f"the focus on tab {number + 1} cannot be seen"


def test_the_chosen_tab_is_marked_without_scripts(served: LiveHub, chromium: Browser) -> None:
    context = chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{served.url}/acme/skills/plug/")
    labels = page.locator(".tabbed-labels > label")
    colour = "e => getComputedStyle(e).backgroundColor"
    chosen, other = str(labels.nth(0).evaluate(colour)), str(labels.nth(1).evaluate(colour))
    assert chosen != other
    for number in range(labels.count()):
        labels.nth(number).click()
        expect(page.locator(".tabbed-block").nth(number)).to_be_visible()
        for at in range(len(TABS)):
            expect(labels.nth(at)).to_have_css("background-color", chosen if at == number else other)
    context.close()


def test_a_plugin_says_what_comes_with_it(served: LiveHub, look: Callable[[LiveHub], Site]) -> None:
    page = look(served).open("/acme/skills/plug/").page
    page.locator(".tabbed-labels > label").nth(TABS.index("Claude Code")).click()
    expect(page.locator(".tabbed-block:visible")).to_contain_text("The plugin also brings hooks")


def test_who_is_left_out_is_said_with_the_finding(served: LiveHub, look: Callable[[LiveHub], Site]) -> None:
    page = look(served).open("/acme/skills/web-parts/").page
    assert {"Hermes", "QwenPaw"}.isdisjoint(_tabs(page))
    expect(page.locator("main")).to_contain_text(
        "Not for Hermes (raw-tree-path); QwenPaw (bundle-binary-file)"
    )
    for words in ("web-parts/assets/a#b.txt", "is no UTF-8 text"):
        expect(page.locator("section[aria-labelledby=checks]")).to_contain_text(words)


def test_a_host_of_plain_files_offers_what_works_there(
    plain: LiveHub, look: Callable[[LiveHub], Site]
) -> None:
    site = look(plain)
    assert _tabs(site.open("/acme/skills/field-notes/").page) == PLAIN_TABS
    main = site.open("/use/").page.locator("main")
    expect(main).to_contain_text("This hub is built for this kind of host: GitHub Pages.")
    rows = main.locator(".sp-clients tbody tr")
    shown = {row[0]: row[1] for row in (text.split("\t") for text in rows.all_inner_texts())}
    assert shown["OpenClaw"] == "Does not work"
    assert shown["npx skills"] == "Works"
    assert shown["QwenPaw"] == "Switched off"
    expect(main).to_contain_text("DeepTutor cannot install from this hub: it asks /api/v1/download?slug=...")
    assert "clawhub@" not in main.inner_text()
    assert "npx skills@" in site.open("/").page.locator(".sp-start").inner_text()


def test_home_leads_to_a_collection_that_is_installed_at_once(
    served: LiveHub, look: Callable[[LiveHub], Site]
) -> None:
    visit = look(served).open("/")
    visit.page.get_by_role("link", name="Office work").click()
    visit.page.wait_for_url(f"{served.url}/collections/office/")
    main = visit.page.locator("main")
    expect(main).to_contain_text(f"add {served.url}/collections/office")
    visit.page.evaluate("navigator.clipboard.writeText('before')")
    main.get_by_role("button", name="Copy").first.click()
    visit.page.wait_for_function(
        "navigator.clipboard.readText().then(text => text !== 'before')", timeout=5000
    )
    assert visit.page.evaluate("navigator.clipboard.readText()").startswith("npx skills@")
    visit.page.get_by_role("link", name="Collections").click()
    visit.page.wait_for_url(f"{served.url}/collections/")
    expect(visit.page.locator("main")).to_contain_text("Nothing <b>yet</b>")
    assert visit.problems == []


def test_every_page_has_its_twin(served: LiveHub, look: Callable[[LiveHub], Site]) -> None:
    page = look(served).open("/").page
    for path in PAGES.values():
        page.goto(f"{served.url}{path}")
        address = page.evaluate("document.querySelector('link[type=\"text/markdown\"]').href")
        assert address == f"{served.url}{path}index.md"
        answer = page.request.get(address)
        kind = answer.headers["content-type"]
        assert (path, answer.status, kind) == (path, 200, "text/markdown; charset=utf-8")
        title = str(page.locator("h1:visible").inner_text())
        assert f"# {title}\n" in answer.text().replace("\\", "")
