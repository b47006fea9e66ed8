"""Every page of a public collection, on a phone: nobody here wrote these texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Site, Visit
from tests.conftest import MakeHub, require
from tests.deps.install import COLLECTIONS
from tests.hubs import LiveHub

pytestmark = [pytest.mark.browser, pytest.mark.collection, pytest.mark.xdist_group("browser")]

_DUPLICATE_IDS = """() => { const seen = {};
  document.querySelectorAll('[id]').forEach(e => seen[e.id] = (seen[e.id] || 0) + 1);
  return Object.keys(seen).filter(id => seen[id] > 1); }"""
_DEAD_ANCHORS = """() => [...document.querySelectorAll('main a[href^="#"]')]
  .map(a => decodeURIComponent(a.getAttribute('href').slice(1)))
  .filter(id => id && !document.getElementById(id))"""


def test_every_page_of_a_collection_is_clean(make_hub: MakeHub, chromium: Browser) -> None:
    require("collections")
    collection = next(item for item in COLLECTIONS if item.name == "ai-labs-claude-skills")
    hub = make_hub("collection-site", base="/hub")
    hub.build(collection.folder, "--owner", "someone").check()
    hub.start()
    site = Site(hub, chromium, [])
    paths = [f"/someone/skills/{slug}/" for slug in _slugs(hub.out)]
    assert len(paths) > 20
    visit = site.open("/someone/", width=390, scheme="dark")
    found = {path: problems for path in paths if (problems := _look(visit, hub, path))}
    site.open_contexts[0].close()
    assert found == {}


def _slugs(out: Path) -> list[str]:
    return sorted(json.loads((out / "router.json").read_bytes())["slugs"])


def _look(visit: Visit, hub: LiveHub, path: str) -> list[str]:
    visit.problems.clear()
    visit.page.goto(f"{hub.url}{path}", wait_until="load")
    problems = list(visit.problems)
    checks: dict[str, Callable[[], object]] = {
        "pixels too wide": lambda: visit.page.evaluate("document.documentElement.scrollWidth - innerWidth"),
        "ids used twice": lambda: visit.page.evaluate(_DUPLICATE_IDS),
        "links to no anchor": lambda: visit.page.evaluate(_DEAD_ANCHORS),
        "h1 but one": lambda: visit.page.locator("h1:visible").count() - 1,
    }
    return problems + [f"{name}: {value}" for name, check in checks.items() if (value := check())]
