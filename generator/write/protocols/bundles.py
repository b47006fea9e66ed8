"""QwenPaw's and CoPaw's bundle: a skill as one JSON document with the text of every file.

Read by ``qwenpaw skills install URL`` (2.2.2.post1). A text is all it can carry, so a skill with a file that is
no UTF-8 text has no bundle: half a skill would be the wrong one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypedDict

from generator.jsondata import dump_bytes
from generator.model import PackageFile, PublishedSkill, Route
from generator.write.protocols.indexes import JSON, MANIFEST, is_offered

FOLDER: Final = "/bundles"


class Bundle(TypedDict):
    """``name`` becomes the folder; ``files`` maps path to text."""

    name: str
    files: dict[str, str]


def skill_files(skill: PublishedSkill) -> tuple[Route, ...]:
    """The bundle below the owner, and below the bare slug where the skill holds it; none where it has none."""
    listing = skill.listing
    if not is_offered(listing):
        return ()
    body = bundle_of(listing.slug, skill.folder.package.files)
    if body is None:
        return ()
    names = [f"{listing.owner}/{listing.slug}", *([str(listing.slug)] if listing.holds_slug else [])]
    return tuple(Route(f"{FOLDER}/{name}.json", body, JSON) for name in names)


def bundle_of(name: str, files: Iterable[PackageFile]) -> bytes | None:
    """The bundle of these files; None where one of them is no text, and without a ``SKILL.md`` spelt so."""
    texts: dict[str, str] = {}
    for file in files:
        text = text_of(file.data)
        if text is None:
            return None
        texts[file.path] = text
    if MANIFEST not in texts:
        return None
    bundle: Bundle = {"name": name, "files": texts}
    return dump_bytes(bundle)


def text_of(data: bytes) -> str | None:
    """``data`` as the text that gives the same bytes again; None where it is no UTF-8 text."""
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
