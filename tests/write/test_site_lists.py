"""Home, browse, publishers, what was not published, and the small indexes."""

from __future__ import annotations

import json
import posixpath
import re
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from generator.model import Cache, Catalog, Route, ScanVerdict, TimeMs
from generator.write.site.install import CLAWHUB
from generator.write.site.lists import MAX_STATIC_CARDS
from generator.write.site.rejected import MAX_REJECTED
from tests.write.page_reader import read_page
from tests.write.site_samples import HUB, make_catalog, make_listing
from tests.write.site_shell import make_hub_pages

WRITTEN_BY_OTHERS = re.compile(
    r"/api/v1/openapi\.json|/[a-z0-9-]+/skills/[a-z0-9-]+/|/dl/.+|/ledger/.+|/feeds/.+|/search/.+|/llms-full\.txt"
    r"|/(?:.+/)?index\.md"
)
"""Routes that the site links to and other writers make; tests/browser asks for them."""


def routes_of(catalog: Catalog) -> dict[str, Route]:
    return {route.path: route for route in make_hub_pages(catalog)}


@pytest.fixture(scope="module")
def routes() -> dict[str, Route]:
    return routes_of(make_catalog(30))


def test_every_route_once_and_in_order() -> None:
    paths = [route.path for route in make_hub_pages(make_catalog(30))]
    assert paths == sorted(set(paths))
    for path in (
        "/", "/404.html", "/api/", "/browse/", "/lab/", "/not-published/", "/publish/", "/report.json",
        "/robots.txt", "/trust/", "/use/", "/xuetang/", "/assets/skillpress.css",
    ):  # fmt: skip
        assert path in paths


def test_every_link_of_every_page_resolves(routes: dict[str, Route]) -> None:
    for path, route in routes.items():
        if not route.media_type.startswith("text/html"):
            continue
        facts = read_page(route.body)
        assert facts.unclosed == [], path
        for link in facts.links():
            parts = urlsplit(link)
            if link.startswith("#"):
                assert link[1:] in (*facts.ids(), "__toc"), (path, link)
            elif parts.scheme:
                assert parts.scheme == "https", (path, link)
            else:
                target = posixpath.normpath(posixpath.join(path, parts.path)) if parts.path else path
                target = (
                    target.replace("//", "/").removeprefix("/shelf" if path == "/404.html" else "") or "/"
                )
                target += "/" if parts.path.endswith(("/", "..", ".")) and target != "/" else ""
                assert target in routes or WRITTEN_BY_OTHERS.fullmatch(target), (path, link, target)


def test_home_shows_the_newest_skills_and_the_counts(routes: dict[str, Route]) -> None:
    facts = read_page(routes["/"].body)
    words = facts.words()
    assert "30 skills from 6 publishers" in words
    assert words.index("Pdf 29") < words.index("Docx 28")
    assert "browse/?topic=office" in facts.links()
    assert facts.title == "Open Skill Shelf"
    assert "npx clawhub@0.23.3 install pdf-29" in words


def test_a_blocked_skill_is_listed_and_not_recommended() -> None:
    blocked = make_listing("bad-one", verdict=ScanVerdict.BLOCK, updated_at=TimeMs(1_900_000_000_000))
    routes = routes_of(replace(make_catalog(0), listings=(blocked, make_listing())))
    assert "../lab/skills/bad-one/" in read_page(routes["/browse/"].body).links()
    assert "lab/skills/bad-one/" not in read_page(routes["/"].body).links()
    assert "install bad-one" not in read_page(routes["/use/"].body).words()


def test_browse_lists_all_where_scripts_are_off(routes: dict[str, Route]) -> None:
    links = read_page(routes["/browse/"].body).links()
    for listing in make_catalog(30).listings:
        assert f"../{listing.owner}/skills/{listing.slug}/" in links


def test_browse_stays_small_with_many_skills() -> None:
    catalog = make_catalog(10_000)
    routes = routes_of(catalog)
    assert len(routes["/browse/"].body) < 100_000
    assert len(routes["/lab/"].body) < 400_000
    assert "../search/index.json" in read_page(routes["/browse/"].body).links()
    assert b"browse/?owner=lab" in routes["/lab/"].body
    assert routes["/lab/"].body.count(b'class="sp-card"') == MAX_STATIC_CARDS


def test_what_is_not_published_is_told_with_place_and_fix(routes: dict[str, Route]) -> None:
    words = read_page(routes["/not-published/"].body).words()
    for piece in (
        "half-done/SKILL.md:1:1",
        "There is no description.",
        "Add a line such as",
        "community/tools/weather",
    ):
        assert piece in words
    report = json.loads(routes["/report.json"].body)
    assert [entry["folder"] for entry in report["rejected"]] == ["half-done", "tools/weather"]
    assert report["rejected"][0]["findings"][0] == {
        "code": "description-missing",
        "severity": "error",
        "path": "half-done/SKILL.md",
        "message": "There is no description.",
        "fix": "Add a line such as description: What the skill does and when to use it.",
        "line": 1,
        "column": 1,
        "hosts": [],
        "text": "",
    }


def test_many_rejected_folders_are_all_in_the_report_and_some_on_the_page() -> None:
    catalog = make_catalog(0)
    routes = routes_of(replace(catalog, rejected=catalog.rejected * 1000))
    assert len(json.loads(routes["/report.json"].body)["rejected"]) == 2000
    assert routes["/not-published/"].body.count(b'class="sp-rejected"') == MAX_REJECTED
    assert b"1,500 more are in" in routes["/not-published/"].body


def test_an_empty_hub_is_a_hub() -> None:
    routes = routes_of(Catalog(HUB, (), ()))
    assert "0 skills from 0 publishers" in read_page(routes["/"].body).words()
    assert "Nothing is published yet." in read_page(routes["/browse/"].body).words()
    nothing_left_out = read_page(routes["/not-published/"].body).words()
    assert "Every skill folder that was found is published." in nothing_left_out
    assert "cannot be published" not in nothing_left_out


def test_the_list_of_what_is_not_published_is_no_part_of_publish(routes: dict[str, Route]) -> None:
    facts = read_page(routes["/not-published/"].body)
    assert "cannot be published as it is" in facts.words()
    assert not [a for _, a in facts.tags if "aria-current" in a]
    assert [a["href"] for _, a in read_page(routes["/publish/"].body).tags if "aria-current" in a] == ["./"]


def test_a_lost_author_is_led_to_the_reason(routes: dict[str, Route]) -> None:
    assert "/shelf/not-published/" in read_page(routes["/404.html"].body).links()


@pytest.mark.parametrize(
    ("times", "title"),
    [((), "Skills"), ((5,), "Skills"), ((5, 5, 5), "Skills"), ((5, 5, 6), "Recently published")],
)
def test_only_what_differs_in_time_is_called_recent(times: tuple[int, ...], title: str) -> None:
    listings = tuple(make_listing(f"s-{n}", updated_at=TimeMs(time)) for n, time in enumerate(times))
    home = routes_of(replace(make_catalog(0), listings=listings))["/"].body.decode()
    assert f'<h2 id="recent">{title}</h2>' in home


def test_every_page_asks_for_the_client_that_is_tested(routes: dict[str, Route]) -> None:
    for path, route in routes.items():
        if route.media_type.startswith("text/html"):
            words = read_page(route.body).words()
            assert words.count("npx clawhub") == words.count(f"npx {CLAWHUB} "), path


def test_assets_have_types_and_only_hashed_names_are_kept_for_ever(routes: dict[str, Route]) -> None:
    assets = {path: route for path, route in routes.items() if path.startswith("/assets/")}
    assert assets["/assets/skillpress.js"].media_type == "text/javascript; charset=utf-8"
    assert assets["/assets/skillpress.css"].cache is Cache.REVALIDATE
    assert assets["/assets/mark.svg"].media_type == "image/svg+xml"
    for path, route in assets.items():
        assert (route.cache is Cache.IMMUTABLE) == bool(re.search(r"\.[0-9a-f]{8}\.min\.", path)), path


def test_the_example_in_the_commands_is_a_skill_that_exists(routes: dict[str, Route]) -> None:
    words = read_page(routes["/use/"].body).words()
    assert "/dl/xuetang/pdf-29-1.4.0.zip" in words.replace(" ", "")
    only = replace(make_catalog(0), listings=(make_listing(holds_slug=False),))
    assert (
        "npx clawhub@0.23.3 install @lab/spreadsheet-review"
        in read_page(routes_of(only)["/use/"].body).words()
    )
