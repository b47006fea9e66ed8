"""One Chromium for all tests of the site, and a served hub with ordinary, Chinese and hostile skills."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, sync_playwright

from tests.clients import samples
from tests.conftest import MakeHub, require
from tests.deps.install import CHROMIUM
from tests.hubs import LiveHub, write_tree

SCREENSHOTS = Path(__file__).resolve().parents[2] / "artifacts" / "screenshots"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # a container's is too small for full-page pictures
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

_WIDE = f"""\
---
name: wide-tables
description: {"A long description without an end, so that cards must cut it or wrap it. " * 6}
version: 1.0.0-rc.1
---

# Wide tables

| {" | ".join(f"column {number}" for number in range(16))} |
|{"---|" * 16}
| {" | ".join("value" for _ in range(16))} |

{"unbroken" * 40}

`{"inline_code_without_a_space_" * 12}`

```text
{"a very long line of code " * 20}
```

## {"A heading that is much too long for a phone " * 3}

- [ ] to do
- [x] done

> A quotation with <kbd>Ctrl</kbd>.
"""

_HOSTILE_PAGE = """\
---
name: script-page
description: Inert test data <script>document.title='owned'</script> & "quotes" in every place.
version: 1.0.0
homepage: javascript:document.title='owned'
tags: ["<img src=x onerror=document.title='owned'>", plain]
---

# Page <script>document.title='owned'</script>

<img src=x onerror="document.title='owned'">
<svg onload="document.title='owned'"></svg>
<iframe src="https://elsewhere.example/"></iframe>
<style>body { display: none }</style>
<form action="https://elsewhere.example/"><input name=q></form>
<a href="javascript:document.title='owned'" id="bad">link</a>

[link](javascript:document.title='owned') and [another](//elsewhere.example/x)

![picture](https://elsewhere.example/pixel.png) ![vector](data:image/svg+xml;base64,PHN2Zy8+)

<div id="__search" class="md-overlay" style="position:fixed;inset:0">covered</div>
"""


@dataclass  # without slots: Playwright keeps a note on whoever listens
class Visit:
    """A page that was opened, with everything that must not have happened."""

    page: Page
    origin: str
    problems: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Note console errors, page errors, failed or foreign requests and policy violations."""
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.on("request", self._request)
        self.page.on(
            "response",
            lambda answer: (
                self.problems.append(f"{answer.status}: {answer.url}") if answer.status >= 400 else None
            ),
        )
        self.page.add_init_script(
            "addEventListener('securitypolicyviolation', event => console.error("
            "`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`))"
        )

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"console {message.type}: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.origin}/", "data:", "blob:")):
            self.problems.append(f"left the origin: {request.url}")


@dataclass(frozen=True, slots=True)
class Site:
    """A served site and the browser that looks at it."""

    hub: LiveHub
    browser: Browser
    open_contexts: list[BrowserContext]

    def open(self, path: str, *, width: int = 1280, scheme: str = "light") -> Visit:
        """Open ``path`` below the hub's base in a fresh profile."""
        context = self.browser.new_context(
            viewport={"width": width, "height": 844 if width < 600 else 900},
            color_scheme="dark" if scheme == "dark" else "light",
            accept_downloads=False,
            locale="en-GB",
        )
        self.open_contexts.append(context)
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=self.hub.origin)
        visit = Visit(context.new_page(), self.hub.origin)
        visit.watch()
        visit.page.goto(f"{self.hub.url}{path}", wait_until="networkidle")
        return visit

    def keep_screenshot(self, page: Page, name: str) -> Path:
        """A picture of the whole page, kept for people."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        base = self.hub.base.strip("/") or "root"
        file = SCREENSHOTS / f"{base}-{re.sub(r'[^a-z0-9-]+', '-', name.lower()).strip('-')}.png"
        page.screenshot(path=file, full_page=True)
        return file


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; Playwright's own browsers are not used."""
    require("browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site_hub(make_hub: MakeHub) -> Callable[[str], LiveHub]:
    """A function from a base path to the served hub, each built once."""
    made: dict[str, LiveHub] = {}

    def get(base: str) -> LiveHub:
        if base not in made:
            hub = make_hub("site", layout="packed", base=base)
            hub.configure(samples.SOURCES, name="Field & Study")
            samples.write_first(hub.folder)
            write_tree(
                hub.folder / "acme-skills",
                {
                    "wide-tables/SKILL.md": _WIDE,
                    "script-page/SKILL.md": _HOSTILE_PAGE,
                    "no-description/SKILL.md": "---\nname: no-description\n---\nNothing says what this is.\n",
                    "broken-yaml/SKILL.md": "---\nname: [broken\n---\n<b>bold</b>\n",
                },
            )
            hub.build().check()
            hub.start()
            made[base] = hub
        return made[base]

    return get


@pytest.fixture(params=["", "/hub"], ids=["root", "base-path"])
def site(
    request: pytest.FixtureRequest, chromium: Browser, site_hub: Callable[[str], LiveHub]
) -> Iterator[Site]:
    """The site at the root of its host and below a base path."""
    site = Site(site_hub(request.param), chromium, [])
    yield site
    for context in site.open_contexts:
        context.close()
