"""What the configuration of a host must know of a hub, and nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from generator.model import Catalog, RouteStatus
from generator.write.layout import Layout, Naming
from generator.write.root import Moves


@dataclass(frozen=True, slots=True)
class SkillFact:
    """One skill as far as routing goes.

    ``holds_slug``: the bare slug means it. ``latest`` is None where nothing is offered. ``tags`` are names of the
    operator's, each with its version.
    """

    owner: str
    slug: str
    holds_slug: bool
    latest: str | None
    tags: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class HubFacts:
    """A hub as far as routing goes.

    ``base`` is the path of its public URL (``/hub``, or empty), ``host`` the name in it. ``shared`` are slugs of
    several owners of whom none holds it. ``moved`` are former addresses (``owner/slug``) with the present ones,
    ``moved_slugs`` slugs that only a former address has. ``statuses`` are the routes that do not answer 200.
    """

    name: str
    host: str
    base: str
    layout: Layout
    naming: Naming
    skills: tuple[SkillFact, ...]
    shared: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    moved_slugs: tuple[tuple[str, str], ...] = ()
    statuses: tuple[RouteStatus, ...] = ()


def hub_facts(
    catalog: Catalog, layout: Layout, naming: Naming, statuses: Mapping[str, int], moves: Moves | None = None
) -> HubFacts:
    """The facts of a catalog. ``statuses`` are those of the hub's own routes that are not 200."""
    parts = urlsplit(catalog.hub.url)
    skills = tuple(
        SkillFact(
            one.owner,
            one.slug,
            one.holds_slug,
            one.version if one.offered else None,
            tuple((tag.name, tag.version) for tag in one.stance.tags),
        )
        for one in catalog.listings
    )
    held = {one.slug for one in skills if one.holds_slug}
    own = (RouteStatus(path, status) for path, status in statuses.items())
    moves = moves or Moves()
    return HubFacts(
        name=catalog.hub.name,
        host=parts.hostname or "",
        base=parts.path.rstrip("/"),
        layout=layout,
        naming=naming,
        skills=skills,
        shared=tuple(sorted({one.slug for one in skills} - held)),
        moved=tuple(("/".join(old), "/".join(now)) for old, now in moves.addresses),
        moved_slugs=tuple((slug, "/".join(now)) for slug, now in sorted(moves.slugs.items())),
        statuses=tuple(sorted({*own, *(status for one in catalog.listings for status in one.statuses)},
                              key=lambda one: one.path)),
    )  # fmt: skip
