"""Where the answer of a URL path lies: in a skill's pack, in a file, inside an archive, or nowhere.

One small table says which paths belong to one skill. ``portable/places.js`` holds the same table for the edges, and
``tests/serve/places.json`` holds both to the same cases.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from generator.serve.media import RAW
from generator.write.layout import Layout, Naming, file_for, pack_file, page_file

if TYPE_CHECKING:
    from generator.serve.router import SlugIndex  # the router itself asks for claims


class Kind(StrEnum):
    """What kind of place an answer lies in."""

    PACK = "pack"
    """In the skill's pack; where the pack does not hold it, in the file."""
    PAGE = "page"
    """The skill's page, a file of its own."""
    FILE = "file"
    SLICE = "slice"
    """A file of the skill's latest release, cut out of the stored archive."""
    ARCHIVE = "archive"
    """The archive of one release, under a second address."""
    NONE = "none"


TABLE: Final = (
    ("/api/v1/skills/{slug}", Kind.PACK),
    ("/api/v1/skills/{slug}/{rest}", Kind.PACK),
    ("/api/v1/owners/{owner}/skills/{slug}", Kind.PACK),
    ("/api/v1/owners/{owner}/skills/{slug}/{rest}", Kind.PACK),
    ("/api/v1/packages/@{owner}/{slug}", Kind.PACK),
    ("/api/v1/packages/@{owner}/{slug}/{rest}", Kind.PACK),
    ("/api/v1/packages/{slug}", Kind.PACK),
    ("/api/v1/packages/{slug}/{rest}", Kind.PACK),
    ("/{owner}/skills/{slug}/", Kind.PAGE),
    ("/{owner}/skills/{slug}/diff/{rest}", Kind.FILE),
    ("/{owner}/skills/{slug}/{rest}", Kind.PACK),
    ("/npm/@{owner}/{slug}", Kind.PACK),
    ("/v1/packages/{owner}/{slug}/versions", Kind.PACK),
    ("/v1/packages/{owner}/{slug}/versions/{version}/download", Kind.ARCHIVE),
    ("/bundles/{owner}/{slug}.json", Kind.PACK),
    ("/bundles/{slug}.json", Kind.PACK),
    ("/agentskills/{slug}/index.json", Kind.PACK),
    ("/agentskills/{slug}/{rest}", Kind.SLICE),
    ("/.well-known/skills/{slug}/{rest}", Kind.SLICE),
)
"""The paths that belong to one skill, most special first. A path without ``{owner}`` means the slug's holder."""

_PIECES: Final = {
    "{owner}": "(?P<owner>[a-z0-9_-]+)",
    "{slug}": "(?P<slug>[a-z0-9-]+)",
    "{version}": "(?P<rest>[0-9A-Za-z.-]+)",
    "{rest}": "(?P<rest>.+)",
}
_PIECE: Final = re.compile(r"\{[a-z]+\}")
_SEGMENT: Final = re.compile(r"[^\x00-\x1f\x7f\\/]+")
_BARE_BUNDLE: Final = "/bundles/{slug}.json"
_STORAGE: Final = ("/packs/", "/pages/")
PATH_MAX: Final = 1024
"""Characters of a path; a hub has none that is longer."""


@dataclass(frozen=True, slots=True)
class Claim:
    """That a path belongs to one skill: the row of the table, and what stands in its braces.

    ``owner`` is None where the path names only a slug. ``rest`` is a file's path, or a version.
    """

    kind: Kind
    owner: str | None
    slug: str
    rest: str
    template: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer lies. ``file`` is relative to the output; ``pack`` is the pack to look into first."""

    kind: Kind
    file: str = ""
    pack: str = ""


NOWHERE: Final = Place(Kind.NONE)


def _compile(template: str) -> re.Pattern[str]:
    pieces = re.split(r"(\{[a-z]+\})", template)
    return re.compile("".join(_PIECES.get(piece) or re.escape(piece) for piece in pieces))


_ROWS: Final = tuple((_compile(template), template, kind) for template, kind in TABLE)


def claim_of(path: str) -> Claim | None:
    """The skill that a path (decoded, below the hub's base) would belong to; whether there is one is not asked."""
    for pattern, template, kind in _ROWS:
        if match := pattern.fullmatch(path):
            found = match.groupdict()
            return Claim(kind, found.get("owner"), found["slug"], found.get("rest") or "", template)
    return None


def place_of(path: str, index: SlugIndex, layout: Layout, naming: Naming) -> Place:
    """Where the answer of ``path`` (decoded, below the hub's base) lies.

    A slice and an archive have no file here: which one it is, only the skill's documents say. Nowhere is where no
    route can be (see :func:`is_safe`), and the storage of a packed hub.
    """
    if path.startswith(RAW):
        relative = path.removeprefix(RAW)
        return Place(Kind.FILE, relative) if is_safe(f"/{relative}") and not path.endswith("/") else NOWHERE
    api = path.startswith("/api/")
    if path.endswith("/index.html") and not api:
        path = path.removesuffix("index.html")
    if not is_safe(path) or path.startswith(_STORAGE):
        return NOWHERE
    if path.startswith("/api/v1/") and path.endswith(("/index.html", "/index.json")):
        return NOWHERE
    claim = claim_of(path)
    if claim is not None and claim.kind in (Kind.SLICE, Kind.ARCHIVE):
        return Place(claim.kind)
    file = file_for(path, naming)
    if claim is None or layout is not Layout.PACKED:
        return Place(Kind.FILE, file)
    owner = claim.owner or index.holder(claim.slug)
    if owner is None or owner not in index.slugs.get(claim.slug, ()):
        return Place(Kind.FILE, file)
    if claim.kind is Kind.PAGE:
        return Place(Kind.PAGE, page_file(owner, claim.slug))
    if claim.template == _BARE_BUNDLE:
        # A packed hub has it once, below its owner.
        file = f"bundles/{owner}/{claim.slug}.json"
    if claim.kind is Kind.PACK:
        return Place(Kind.PACK, file, pack_file(owner, claim.slug))
    return Place(Kind.FILE, file)


def present_path(path: str, index: SlugIndex) -> str | None:
    """The path that a skill's answer has now, where ``path`` has the skill's former address; else None.

    Only for what lies in packs outside the API: its router follows moves itself, and pages redirect. A path that names
    a bare slug leads on only where the skill holds its present slug too.
    """
    claim = None if path.startswith("/api/") else claim_of(path)
    if claim is None or claim.kind is not Kind.PACK or not index.is_former(claim.owner, claim.slug):
        return None
    former = index.moved_slugs if claim.owner is None else index.moved
    present = former[claim.slug if claim.owner is None else f"{claim.owner}/{claim.slug}"]
    owner, _, slug = present.partition("/")
    if claim.owner is None and index.holder(slug) != owner:
        return None
    values = {"{owner}": owner, "{slug}": slug}
    return _PIECE.sub(lambda piece: values.get(piece[0], claim.rest), claim.template)


def is_safe(path: str) -> bool:
    """Whether a decoded URL path can be a route of a hub at all.

    No empty, ``.`` or ``..`` segment, no backslash, no control character, nothing hidden but ``.well-known``.
    """
    if not path.startswith("/") or len(path) > PATH_MAX:
        return False
    segments = path[1:].split("/")
    if segments[-1] == "":
        segments.pop()
    return all(
        _SEGMENT.fullmatch(one) and (not one.startswith(".") or one == ".well-known") for one in segments
    )
