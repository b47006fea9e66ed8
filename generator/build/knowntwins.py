"""Markdown twins of the hub's pages: read again where the page is the one that lies there, for most never change."""

from __future__ import annotations

from dataclasses import dataclass

from generator.model import Route
from generator.write.protocols.skill_twin import MARKDOWN
from generator.write.site.twins import page_twin


@dataclass(frozen=True, slots=True)
class KnownTwins:
    """``root`` is the output folder; ``trusting``: what lies there was written by this very code."""

    root: str
    trusting: bool

    def of(self, page: Route) -> Route | None:
        """The twin of a page of the hub, None where it has none."""
        if (
            self.trusting
            and page.path.endswith("/")
            and _read(f"{self.root}{page.path}index.html") == page.body
        ):
            twin = _read(f"{self.root}{page.path}index.md")
            if twin:
                return Route(f"{page.path}index.md", twin, MARKDOWN)
        return page_twin(page)


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
