"""The site in Debian's Chromium: nothing is blocked, nothing overflows, the small conveniences work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright import sync_api

from generator.judge.profiles import load_profiles
from generator.search.index import script_route, search_routes
from tests.hostile.test_markdown_vectors import VECTORS
from tests.write.site_samples import (
    make_catalog,
    make_chinese_skill,
    make_full_skill,
    make_listing,
    make_skill,
)
from tests.write.site_shell import make_hub_pages, make_page

pytestmark = pytest.mark.browser
WIDE = (
    "| "
    + " | ".join(f"column {n}" for n in range(40))
    + " |\n"
    + "| - " * 40
    + "|\n"
    + "| value " * 40
    + "|\n\n"
)
WIDE += "`" + "x" * 400 + "` " + "y" * 400 + "\n\n```text\n" + "z" * 400 + "\n```\n"
PAGES = {
    "home": "/",
    "browse": "/browse/",
    "install": "/use/",
    "publish": "/publish/",
    "trust": "/trust/",
    "api": "/api/",
    "not published": "/not-published/",
    "lost": "/404.html",
    "publisher": "/lab/",
    "skill": "/lab/skills/spreadsheet-review/",
    "Chinese skill": "/xuetang/skills/lesson-plan/",
    "wide skill": "/lab/skills/wide/",
    "hostile skill": "/lab/skills/hostile-5/",
}


_LOOK = """(() => {
    const inside = [...document.querySelectorAll('.sp-body *')];
    for (const element of inside) for (const type of ['mouseover', 'focus', 'toggle', 'click'])
        element.dispatchEvent(new Event(type));
    const live = '.sp-body :is(script, style, iframe, object, embed, img, svg, math, form, input, textarea, video)';
    return {
        links: [...document.querySelectorAll('.sp-body a')].map((a) => a.href),
        live: document.querySelectorAll(live).length,
    };
})()"""


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name is the base class's
        pass


@dataclass(slots=True)
class Visit:
    """One page in one browser, with what the browser complained of."""

    page: Any
    base: str
    complaints: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)
        if path.startswith("/browse/"):
            self.page.wait_for_selector(".sp-filters--ready")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a served sample hub, below a base path."""
    root = tmp_path_factory.mktemp("site")
    hostile = [
        make_skill(text, make_listing(f"hostile-{number}", display_name=text, topics=()))
        for number, text in enumerate(VECTORS.values())
    ]
    skills = [make_full_skill(), make_chinese_skill(), make_skill(WIDE, make_listing("wide")), *hostile]
    catalog = make_catalog(80)
    catalog = replace(catalog, listings=(*catalog.listings, *(skill.listing for skill in skills[:4])))
    routes = [
        *make_hub_pages(catalog),
        *search_routes(catalog, load_profiles()),
        script_route(),
        *(make_page(skill) for skill in skills),
    ]
    for route in routes:
        path = root / "shelf" / (route.path.lstrip("/") + ("index.html" if route.path.endswith("/") else ""))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(route.body)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietHandler, directory=root))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/shelf"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(params=["desktop", "phone"])
def visit(request: pytest.FixtureRequest, chromium: sync_api.Browser, base: str) -> Iterator[Visit]:
    size = {"width": 1280, "height": 900} if request.param == "desktop" else {"width": 360, "height": 780}
    scheme = "light" if request.param == "desktop" else "dark"
    context = chromium.new_context(
        viewport=size, color_scheme=scheme, permissions=["clipboard-read", "clipboard-write"]
    )
    page = context.new_page()
    visit = Visit(page, base)
    page.on("console", lambda message: visit.complaints.append(message.text))
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.on("dialog", lambda dialog: (visit.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith(base) else visit.complaints.append(f"asked {request.url}")
        ),
    )
    yield visit
    context.close()


def test_no_page_complains_or_scrolls_sideways(visit: Visit, tmp_path: Path) -> None:
    for name, path in PAGES.items():
        visit.go(path)
        width = visit.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1], name
        visit.page.screenshot(path=str(tmp_path / f"{name}.png"))
    assert visit.complaints == []


def test_a_wide_table_scrolls_in_its_own_box(visit: Visit) -> None:
    visit.go(PAGES["wide skill"])
    box = visit.page.evaluate(
        "(() => { const b = document.querySelector('.sp-body .sp-scroll'); return [b.scrollWidth, b.clientWidth] })()"
    )
    assert box[0] > box[1]


def test_a_hash_and_a_command_can_be_copied(visit: Visit) -> None:
    visit.go(PAGES["skill"])
    button = visit.page.get_by_label("Copy Fingerprint")
    button.click()
    sync_api.expect(button).to_have_text("Copied")
    copied = visit.page.evaluate("navigator.clipboard.readText()")
    assert copied == make_full_skill().latest.hashes.fingerprint
    visit.page.locator(".tabbed-block [data-md-type=copy], .tabbed-block .md-clipboard").first.click()
    visit.page.wait_for_timeout(200)
    command = visit.page.evaluate("navigator.clipboard.readText()")
    assert command.endswith(
        "npx clawhub@0.23.3 --registry https://hub.example/shelf install spreadsheet-review"
    )
    assert visit.complaints == []


def test_a_link_in_the_instructions_opens_the_text_it_names(visit: Visit) -> None:
    visit.go(PAGES["skill"])
    text = visit.page.locator("details[id^=text-]", has_text="scripts/inspect.py")
    assert not text.locator("pre").is_visible()
    visit.page.locator(".sp-body a", has_text="inspector").click()
    sync_api.expect(text.locator("pre")).to_be_visible()
    assert visit.complaints == []


def test_the_names_in_tables_and_all_tabs_can_be_read_whole(visit: Visit) -> None:
    for name in ("publish", "trust", "install"):
        visit.go(PAGES[name])
        broken = visit.page.evaluate(
            "[...document.querySelectorAll('td:first-child code')].filter((c) => c.getClientRects().length > 1).length"
        )
        assert broken == 0, name
    visit.go(PAGES["skill"])
    width = visit.page.evaluate(
        "(() => { const t = document.querySelector('.tabbed-labels'); return [t.scrollWidth, t.clientWidth] })()"
    )
    assert width[0] <= width[1]


def test_the_install_tabs_show_one_client_at_a_time(visit: Visit) -> None:
    visit.go(PAGES["skill"])
    visit.page.get_by_text("Download", exact=True).first.click()
    shown = [block for block in visit.page.locator(".tabbed-block").all() if block.is_visible()]
    assert len(shown) == 1
    assert "sha256sum -c" in shown[0].inner_text()


def test_the_scheme_follows_the_system_and_then_the_visitor(visit: Visit) -> None:
    visit.go("/")
    body = visit.page.locator("body")
    system = body.get_attribute("data-md-color-scheme")
    dark = visit.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert system == ("slate" if dark else "default")
    for _ in range(2 if not dark else 1):
        visit.page.locator("[data-md-component=palette] label:not([hidden])").click()
    chosen = body.get_attribute("data-md-color-scheme")
    assert chosen != system
    visit.go("/trust/")
    assert visit.page.locator("body").get_attribute("data-md-color-scheme") == chosen
    assert visit.complaints == []


def test_nothing_hostile_acts_even_without_the_policy(chromium: sync_api.Browser, base: str) -> None:
    """The sanitiser alone must hold: the policy of the page is switched off, and every link is followed."""
    context = chromium.new_context(bypass_csp=True)
    acted: list[str] = []
    page = context.new_page()
    page.on("dialog", lambda dialog: (acted.append(dialog.message), dialog.dismiss()))
    page.route(
        "**/*", lambda route: route.continue_() if route.request.url.startswith(base) else route.abort()
    )
    for number, name in enumerate(VECTORS):
        page.goto(f"{base}/lab/skills/hostile-{number}/", wait_until="domcontentloaded")
        found = page.evaluate(_LOOK)
        assert not [link for link in found["links"] if not link.startswith(("https:", "mailto:", base))], name
        assert found["live"] == 0, name
    assert acted == []
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x: onerror=\"alert(\\'seen\\')\">')"
    )
    page.wait_for_timeout(300)
    assert acted == ["seen"]  # this browser would have told us
    context.close()


def test_pages_work_without_scripts(chromium: sync_api.Browser, base: str) -> None:
    context = chromium.new_context(java_script_enabled=False, viewport={"width": 1000, "height": 800})
    page = context.new_page()
    page.goto(f"{base}/browse/")
    assert page.locator(".sp-card").count() == 84
    page.goto(base + PAGES["skill"])
    assert page.get_by_text("npx clawhub@0.23.3 --registry").first.is_visible()
    assert not page.locator("[data-sp-copy]").first.is_visible()
    context.close()
