"""Which folders beside a skill its text may link to."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote

_UPWARD = re.compile(r"""\.\./[^\s()<>"'`\]\\#?]{1,300}""")
_MOST = 100


def find_neighbours(body: str, folder: str) -> tuple[str, ...]:
    """Folders of the same source that relative links in ``body`` could mean, sorted.

    Every upward path in the text counts, whatever its markup, with all its parent folders: which of them are
    skills is known only when all sources are read. ``folder`` is the skill's own, relative to the source.
    """
    if "../" not in body:
        return ()
    found: set[str] = set()
    for match in _UPWARD.finditer(body):
        place = posixpath.normpath(posixpath.join(folder, unquote(match.group())))
        while place not in ("", ".", "..", "/") and not place.startswith("../") and len(found) < _MOST:
            if place != folder:
                found.add(place)
            place = posixpath.dirname(place)
    return tuple(sorted(found))
