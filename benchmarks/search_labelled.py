"""How often search finds what somebody looked for: the labelled questions over public collections of skills.

``tests/search/labelled.json`` names for every question the skills that should be among the first five. A bare slug
means the skill in any language: a translation of what is wanted is what is wanted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.model import Catalog, Hub, Listing, Owner, ScanVerdict, Slug, TimeMs, Version
from generator.names import fit_slug
from generator.read.guarded import read_guarded
from generator.read.package import Limits
from generator.read.sources.folder import find_skill_folders, read_package

ROOT = Path(__file__).resolve().parent.parent
LABELLED = ROOT / "tests" / "search" / "labelled.json"
_DEPS = ROOT / ".testdeps"
_ECC = _DEPS / "collections" / "ecc-universal"
SOURCES = (
    ("ecc", _ECC / "skills"),
    ("ecc-ja", _ECC / "docs" / "ja-JP" / "skills"),
    ("ecc-ko", _ECC / "docs" / "ko-KR" / "skills"),
    ("ecc-zh", _ECC / "docs" / "zh-CN" / "skills"),
    ("labs", _DEPS / "collections" / "ai-labs-claude-skills"),
    ("deeptutor", _DEPS / "deeptutor" / "deeptutor" / "skills" / "builtin"),
)
"""Owners and the folders of their skills; installed by ``make deps``."""
FIRST = 5

Ask = Callable[[str], Sequence[str]]
"""A question to ``owner/slug`` of what is found, best first."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One question and what should be found: ``slug`` or ``owner/slug``."""

    kind: str
    query: str
    wanted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """How much of what is wanted is among the first five, by question."""

    asked: tuple[Labelled, ...]
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Over all questions."""
        return sum(self.shares) / len(self.shares)

    def of_kind(self, kind: str) -> float:
        """Over the questions of one kind."""
        shares = [share for one, share in zip(self.asked, self.shares, strict=True) if one.kind == kind]
        return sum(shares) / len(shares)

    @property
    def missed(self) -> tuple[Labelled, ...]:
        """The questions that do not find everything."""
        return tuple(one for one, share in zip(self.asked, self.shares, strict=True) if share < 1)


def read_labelled() -> tuple[Labelled, ...]:
    """The labelled questions."""
    rows = json.loads(LABELLED.read_text(encoding="utf-8"))
    return tuple(Labelled(row["kind"], row["query"], tuple(row["wanted"])) for row in rows)


def collections_catalog() -> Catalog:
    """The skills of the public collections as a hub would list them; of one name, an owner's first."""
    listings: dict[tuple[str, str], Listing] = {}
    for owner, root in SOURCES:
        if not root.is_dir():
            raise FileNotFoundError(f"{root.relative_to(ROOT)} is not installed; run `make deps`")
        for folder in find_skill_folders(str(root), ()).folders:
            listing = _read(owner, str(root), folder)
            if listing is not None:
                listings.setdefault((listing.owner, listing.slug), listing)
    ordered = sorted(listings.values(), key=lambda one: (one.slug, one.owner))
    return Catalog(Hub("Collections", "", "https://hub.example"), tuple(ordered), ())


def measure_recall(asked: Iterable[Labelled], ask: Ask) -> Recall:
    """Ask every question. A question that wants more than five is answered by any five of them."""
    rows = tuple(asked)
    return Recall(rows, tuple(_share(one.wanted, ask(one.query)[:FIRST]) for one in rows))


def _share(wanted: Sequence[str], found: Sequence[str]) -> float:
    slugs = {name.rpartition("/")[2] for name in found}
    hits = sum(name in found if "/" in name else name in slugs for name in wanted)
    return hits / min(len(wanted), FIRST)


def _read(owner: str, root: str, folder: str) -> Listing | None:
    package, problems = read_package(root, owner, folder, Limits())
    manifest = read_guarded(package, problems).manifest if package is not None else None
    if manifest is None:
        return None
    slug = fit_slug(manifest.slug or manifest.name or folder.rpartition("/")[2]).slug
    return Listing(
        owner=Owner(owner),
        slug=Slug(slug),
        name=manifest.name or slug,
        display_name=manifest.display_name,
        description=manifest.description,
        version=Version("1.0.0"),
        created_at=TimeMs(0),
        updated_at=TimeMs(0),
        holds_slug=False,
        verdict=ScanVerdict.ALLOW,
        license=manifest.license,
        topics=manifest.topics,
        category=manifest.category,
        taxonomy=manifest.taxonomy,
    )
