"""The files of the full-text index, where the operator has switched it on."""

from __future__ import annotations

from collections.abc import Callable

from generator.model import Catalog, Listing, Route
from generator.read.frontmatter import split_front_matter
from generator.search.entries import tie_key
from generator.search.pagefind import FOLDER, find_program, full_text_files, record_of

_TYPES = {"js": "text/javascript; charset=utf-8", "json": "application/json"}


def full_text_routes(catalog: Catalog, read_text: Callable[[Listing], str | None]) -> tuple[Route, ...]:
    """What the Pagefind program makes of every skill that lists show, in the order of the search index.

    ``read_text`` gives the ``SKILL.md`` of a skill's latest release, None where nobody may have it: of such a skill
    names, topics and summary are found.

    Raises:
        PagefindError: the program is not there, or does not do what it should.
    """
    shown = sorted((one for one in catalog.listings if one.stance.listed), key=tie_key)
    records = (record_of(one, _body_of(read_text(one) or "")) for one in shown)
    return tuple(
        Route(f"{FOLDER}/{path}", data, _TYPES.get(path.rpartition(".")[2], "application/octet-stream"))
        for path, data in full_text_files(find_program(), records).items()
    )


def _body_of(text: str) -> str:
    """The text below the front matter, whose facts the record has already."""
    return split_front_matter(text.encode(), "SKILL.md").body
