"""Live reload: watch the sources, build again, and tell the browsers that look at the hub.

The old tree is served until a build has finished; a build that fails is reported and changes nothing.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import anyio
from anyio import to_thread
from starlette.responses import StreamingResponse
from watchfiles import Change, DefaultFilter, awatch

RELOAD_EVENTS = "/-/reload"
RELOAD_SCRIPT = "/-/reload.js"
_HEARTBEAT_SECONDS = 15
_SCRIPT = """new EventSource("{events}").addEventListener("rebuilt", function () {{ location.reload(); }});
"""


class Reloader:
    """Watches ``paths`` and calls ``rebuild`` in a thread after each change.

    ``ignored`` are folders whose changes are the build's own (the output). ``report`` gets one line for each
    build, in words for the operator.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        rebuild: Callable[[], object],
        report: Callable[[str], None],
        ignored: Sequence[Path] = (),
    ) -> None:
        self._paths = tuple(paths)
        self._rebuild = rebuild
        self._report = report
        self._filter = _SourceFilter(ignored)
        self._rebuilt = asyncio.Event()
        self._closed = asyncio.Event()

    async def run(self) -> None:
        """Watch until closed."""
        async for _changes in awatch(*self._paths, watch_filter=self._filter, stop_event=self._closed):
            await self.build()

    async def build(self) -> None:
        """Build once and tell the browsers, or report why not."""
        try:
            await to_thread.run_sync(self._rebuild)
        except Exception as error:
            self._report(f"Build failed, the old hub stays up: {error}")
            return
        self._report("Rebuilt after a change.")
        self._rebuilt.set()
        self._rebuilt = asyncio.Event()

    def close(self) -> None:
        """Stop watching and end all streams of events, so that a server can shut down in order."""
        self._closed.set()
        self._rebuilt.set()

    def events(self) -> StreamingResponse:
        """The stream of events a browser listens to."""
        return StreamingResponse(
            self._stream(), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )

    async def _stream(self) -> AsyncIterator[bytes]:
        yield b"retry: 500\n\n"
        while True:
            rebuilt = self._rebuilt
            with anyio.move_on_after(_HEARTBEAT_SECONDS):
                await rebuilt.wait()
            if self._closed.is_set():
                return
            yield b"event: rebuilt\ndata: {}\n\n" if rebuilt.is_set() else b": still here\n\n"


class _SourceFilter(DefaultFilter):
    """What editors and caches leave behind does not count, nor does the output of the build itself."""

    def __init__(self, ignored: Sequence[Path]) -> None:
        super().__init__()
        self._ignored = tuple(os.path.realpath(folder) for folder in ignored)

    def __call__(self, change: Change, path: str) -> bool:
        real = os.path.realpath(path)
        if any(real == folder or real.startswith(folder + os.sep) for folder in self._ignored):
            return False
        return super().__call__(change, path)


def reload_script(base: str) -> str:
    """The script that listens. It is a file of our own origin, so the site's strict policy allows it."""
    return _SCRIPT.format(events=base + RELOAD_EVENTS)


def inject_reload(page: bytes, base: str) -> bytes:
    """A page that loads the script; before ``</body>``, or at the end where there is none."""
    tag = f'<script src="{base}{RELOAD_SCRIPT}" defer></script>'.encode()
    head, closing, tail = page.rpartition(b"</body>")
    return head + tag + closing + tail if closing else page + tag
