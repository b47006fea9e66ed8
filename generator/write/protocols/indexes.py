"""What the indexes of several protocols share: which skills they hold, under which name and in which words.

An index that one bad entry voids must never hold one, so the rules of the strictest reader hold for all:
``skills`` 1.5.18 and 1.7.4 (``isValidSkillEntryV1``, ``isValidSkillEntryV2``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.jsondata import dump_bytes
from generator.model import Archive, Listing, PackagePath, Route
from generator.write.protocols.clawhub_rows import noted_summary

JSON: Final = "application/json"
MANIFEST: Final = "SKILL.md"
NAME_MAX: Final = 64
"""Characters of a name in an index (Agent Skills specification). A slug may have 96."""
DESCRIPTION_MAX: Final = 1024
"""Longest description of an entry, in UTF-16 units: the clients are JavaScript and count so."""

WRONG_MANIFEST_NAME: Final = "skill-md-missing-exact-name"
UNREADABLE: Final = frozenset(
    {"discovery-front-matter", "discovery-no-name", "discovery-no-description", WRONG_MANIFEST_NAME}
)
"""Codes of skills that ``skills`` drops without a word because of what their ``SKILL.md`` says."""
BINARY_IN_BUNDLE: Final = "bundle-binary-file"


@dataclass(frozen=True, slots=True)
class Indexed:
    """A skill as indexes know it: ``archive`` and ``paths`` are those of the latest release that is offered.

    ``paths`` are sorted. Both say nothing of a skill that is not offered.
    """

    listing: Listing
    archive: Archive
    paths: tuple[PackagePath, ...]


def is_offered(listing: Listing) -> bool:
    """Whether an index may lead to the skill's files: it is listed, not withdrawn and not blocked."""
    return listing.offered and listing.stance.listed


def is_flat(listing: Listing) -> bool:
    """Whether an index in which the slug alone is the name may hold the skill."""
    return is_offered(listing) and listing.holds_slug


def fits_name(listing: Listing) -> bool:
    """Whether the slug is a name that the specification allows; everything but its length always is."""
    return len(listing.slug) <= NAME_MAX


def is_readable(listing: Listing) -> bool:
    """Whether ``skills`` finds a name and a description in the skill's ``SKILL.md``."""
    return UNREADABLE.isdisjoint(listing.codes)


def describe(listing: Listing) -> str:
    """The description of an entry, what must be known before installing first, as long as clients take it."""
    return cut_units(noted_summary(listing).strip() or listing.display_name, DESCRIPTION_MAX)


def cut_units(text: str, limit: int) -> str:
    """``text`` with at most ``limit`` UTF-16 units; a text that was cut ends with an ellipsis."""
    if len(text) <= limit // 2:
        return text
    units = text.encode("utf-16-le", "replace")
    if len(units) <= 2 * limit:
        return text
    return units[: 2 * (limit - 1)].decode("utf-16-le", "ignore").rstrip() + "…"


def unique_names(skills: Sequence[Indexed]) -> tuple[Indexed, ...]:
    """Of skills with one slug the one that holds it, else none of them: an index knows no owners."""
    count = Counter(one.listing.slug for one in skills)
    return tuple(one for one in skills if count[one.listing.slug] == 1 or one.listing.holds_slug)


def json_route(path: str, document: object) -> Route:
    """A document of an index."""
    return Route(path, dump_bytes(document), JSON)
