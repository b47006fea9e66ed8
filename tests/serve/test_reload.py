"""Live reload: pages listen only while somebody watches, and a build that fails changes nothing."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from watchfiles import Change

from generator.errors import SkillpressError
from generator.serve.app import create_app
from generator.serve.reload import Reloader, inject_reload
from tests.serve.client import ask
from tests.serve.conftest import Hubs


def silent(_line: str) -> None:
    """A report nobody reads."""


def test_pages_listen_only_while_somebody_watches(hubs: Hubs) -> None:
    watching = create_app(hubs.packed, base_path="/hub", reloader=Reloader((), lambda: None, silent))
    page = ask(watching, "/hub/acme/skills/demo/")
    assert b'<script src="/hub/-/reload.js" defer></script></body>' in page.body
    assert "etag" not in page.headers
    script = ask(watching, "/hub/-/reload.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert 'EventSource("/hub/-/reload")' in script.text
    assert b"<script" not in ask(watching, "/hub/api/v1/skills/demo/card").body

    plain = create_app(hubs.packed)
    assert b"reload.js" not in ask(plain, "/acme/skills/demo/").body
    assert ask(plain, "/-/reload.js").status == ask(plain, "/-/reload").status == 404


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (b"<body>x</body></html>", b'<body>x<script src="/-/reload.js" defer></script></body></html>'),
        (b"<p>x", b'<p>x<script src="/-/reload.js" defer></script>'),
        (b"a</body>b</body>", b'a</body>b<script src="/-/reload.js" defer></script></body>'),
    ],
    ids=["before the end", "no body", "the last one"],
)
def test_where_the_script_goes(page: bytes, expected: bytes) -> None:
    assert inject_reload(page, "") == expected


async def next_event(reloader: Reloader) -> bytes:
    stream = reloader.events().body_iterator
    hello = await anext(aiter(stream))
    assert hello == b"retry: 500\n\n"
    waiting = asyncio.ensure_future(anext(aiter(stream)))
    await asyncio.sleep(0.05)
    await reloader.build()
    event = await asyncio.wait_for(waiting, 2)
    assert isinstance(event, bytes)
    return event


def test_browsers_hear_of_a_build() -> None:
    lines: list[str] = []
    threads: list[int] = []
    reloader = Reloader((), lambda: threads.append(threading.get_ident()), lines.append)
    assert asyncio.run(next_event(reloader)).startswith(b"event: rebuilt\n")
    assert threads != [threading.get_ident()]
    assert lines == ["Rebuilt after a change."]


def test_a_build_that_fails_is_reported_and_browsers_hear_nothing() -> None:
    lines: list[str] = []

    def fail() -> None:
        raise SkillpressError("hub.yml:3: unknown key")

    reloader = Reloader((), fail, lines.append)
    with pytest.raises(TimeoutError):
        asyncio.run(next_event(reloader))
    assert lines == ["Build failed, the old hub stays up: hub.yml:3: unknown key"]


def test_a_change_in_a_watched_folder_builds(tmp_path: Path) -> None:
    built = threading.Event()
    reloader = Reloader((tmp_path,), built.set, silent)

    async def watch() -> None:
        task = asyncio.create_task(reloader.run())
        for number in range(50):
            (tmp_path / "SKILL.md").write_text(str(number))
            await asyncio.sleep(0.1)
            if built.is_set():
                break
        reloader.close()
        await asyncio.wait_for(task, 3)

    asyncio.run(watch())
    assert built.is_set()


def test_the_builds_own_output_does_not_build_again(tmp_path: Path) -> None:
    reloader = Reloader((tmp_path,), lambda: None, silent, ignored=(tmp_path / "public",))
    counts = reloader._filter
    assert counts(Change.modified, str(tmp_path / "skills/a/SKILL.md"))
    assert counts(Change.modified, str(tmp_path / "public-notes/SKILL.md"))
    assert not counts(Change.modified, str(tmp_path / "public"))
    assert not counts(Change.modified, str(tmp_path / "public/packs/a/b.json"))
    assert not counts(Change.modified, str(tmp_path / "skills/.git/index"))
