"""All routes of the hub, gathered from the protocols and the site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.judge.model import Profile
from generator.model import Cache, Catalog, PublishedSkill, Route, SkillRoutes, Version
from generator.write.layout import archive_file, ledger_file
from generator.write.protocols import clawhub
from generator.write.site import lists, pages
from generator.write.site.shell import Shell


def skill_routes(
    shell: Shell,
    skill: PublishedSkill,
    ledger: bytes,
    archives: Mapping[Version, bytes],
    neighbours: Mapping[str, str],
    profiles: Sequence[Profile],
    files: tuple[Route, ...] = (),
) -> SkillRoutes:
    """Every route of one skill.

    ``archives`` holds those that are not on the hub yet; ``neighbours`` maps folders that the text links to
    to the ``owner/slug`` they are published under; ``profiles`` are the hosts the skill was judged by;
    ``files`` are its differences and its feed.
    """
    owner, slug = skill.listing.owner, skill.listing.slug
    return SkillRoutes(
        owner=owner,
        slug=slug,
        page=pages.skill_page(shell, skill, profiles, neighbours),
        answers=clawhub.skill_answers(skill),
        ledger=Route(f"/{ledger_file(owner, slug)}", ledger, "application/x-ndjson"),
        archives=tuple(
            Route(f"/{archive_file(owner, slug, version)}", data, "application/zip", Cache.IMMUTABLE)
            for version, data in archives.items()
        ),
        files=files,
    )


def hub_routes(shell: Shell, catalog: Catalog, profiles: Sequence[Profile]) -> tuple[Route, ...]:
    """Every route that belongs to no single skill, except what the publisher itself writes."""
    return (*clawhub.hub_routes(catalog), *lists.hub_pages(shell, catalog, profiles))
