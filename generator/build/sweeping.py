"""Files that a build left which nobody remembers: one that was killed, or whose memory was removed.

Everything below these places is ours. What an operator puts elsewhere in the output folder (a ``CNAME``, a page of
their own) is never touched.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

_OURS = (
    "agentskills", "api", "bundles", "collections", "dl/collections", "feeds", "npm", "packs", "pages", "search", "v1",
    ".well-known/agent-skills", ".well-known/skills",
)  # fmt: skip


def find_strays(root: str, owned: Collection[str]) -> list[str]:
    """Every file in our places that a build which wrote everything did not write."""
    known = set(owned)
    return sorted(path for place in _places(root) for path in _files(root, place) if path not in known)


def _places(root: str) -> Iterator[str]:
    yield from _OURS
    with os.scandir(root) as entries:
        owners = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    for owner in owners:
        if owner not in _OURS and not owner.startswith("."):
            yield f"{owner}/skills"
            yield f"{owner}/.well-known"


def _files(root: str, place: str) -> Iterator[str]:
    way = root
    for name in place.split("/"):
        way += f"/{name}"
        if os.path.islink(way):
            return
    for folder, _, names in os.walk(way):
        for name in names:
            yield os.path.relpath(f"{folder}/{name}", root).replace(os.sep, "/")
