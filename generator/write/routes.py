"""All routes of the hub, gathered from the protocols and the site."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from generator.collecting import Gathering
from generator.judge.model import Profile
from generator.model import Cache, Catalog, Listing, Protocol, PublishedSkill, Route, SkillRoutes, Version
from generator.search.index import script_route, search_routes
from generator.write.layout import Layout, archive_file, ledger_file
from generator.write.protocols import (
    agent_skills,
    agent_skills_legacy,
    agentskills_http,
    apm,
    bundles,
    claude_code,
    clawhub,
    skill_service,
)
from generator.write.protocols.agent_pages import agent_routes
from generator.write.protocols.claude_code_bundle import BundleListing
from generator.write.protocols.clawhub_verify import tell
from generator.write.protocols.indexes import Indexed
from generator.write.protocols.npm_tarball import Tarball
from generator.write.protocols.schemas import schema_routes
from generator.write.protocols.skill_twin import skill_twin
from generator.write.site import lists, pages
from generator.write.site.collections import collection_pages
from generator.write.site.shell import Shell


def skill_routes(
    shell: Shell,
    skill: PublishedSkill,
    ledger: bytes,
    archives: Mapping[Version, bytes],
    neighbours: Mapping[str, str],
    profiles: Sequence[Profile],
    tarballs: Mapping[Version, Tarball],
    layout: Layout,
    files: tuple[Route, ...] = (),
) -> SkillRoutes:
    """Every route of one skill.

    ``archives`` holds those that are not on the hub yet, ``tarballs`` the digests of all npm packages; ``neighbours``
    maps folders that the text links to to the ``owner/slug`` they are published under; ``profiles`` are the hosts the
    skill was judged by; ``files`` are what was made from the archives, its differences and its feed.
    """
    owner, slug = skill.listing.owner, skill.listing.slug
    return SkillRoutes(
        owner=owner,
        slug=slug,
        page=pages.skill_page(shell, skill, profiles, neighbours),
        answers=_answers(skill, profiles, tarballs, layout),
        ledger=Route(f"/{ledger_file(owner, slug)}", ledger, "application/x-ndjson"),
        archives=tuple(
            Route(f"/{archive_file(owner, slug, version)}", data, "application/zip", Cache.IMMUTABLE)
            for version, data in archives.items()
        ),
        files=(*_files(skill, layout), *files),
    )


def _answers(
    skill: PublishedSkill, profiles: Sequence[Profile], tarballs: Mapping[Version, Tarball], layout: Layout
) -> tuple[Route, ...]:
    """The small documents about one skill, of every protocol that is switched on.

    A router cuts files out of archives by what the ClawHub documents say of them, so a pack always holds those.
    """
    hub, headers = skill.hub, skill.hub.abilities.sets_headers
    answers: tuple[Route, ...] = ()
    if hub.speaks(Protocol.CLAWHUB) or layout is Layout.PACKED:
        answers = clawhub.skill_answers(skill)
    if hub.speaks(Protocol.AGENT_SKILLS):
        answers += agent_skills.skill_answers(skill)
    if hub.speaks(Protocol.AGENTSKILLS_HTTP):
        answers += agentskills_http.skill_answers(skill, headers=headers)
    if hub.speaks(Protocol.CLAUDE_CODE):
        answers += claude_code.skill_answers(skill, tarballs)
    if hub.speaks(Protocol.APM):
        answers += apm.skill_answers(skill)
    if hub.speaks(Protocol.AGENT_PAGES):
        answers = (*answers, skill_twin(skill, tell(skill, skill.latest).card, profiles))
    return answers


def _files(skill: PublishedSkill, layout: Layout) -> tuple[Route, ...]:
    """Files of their own. Raw trees are only laid out where no router takes them out of the archives."""
    hub, headers = skill.hub, skill.hub.abilities.sets_headers
    files: tuple[Route, ...] = ()
    if hub.speaks(Protocol.BUNDLES):
        # The second is the same below the bare slug, which a router knows to find.
        files = bundles.skill_files(skill)[: 1 if layout is Layout.PACKED else 2]
    if layout is Layout.EXPLODED and hub.speaks(Protocol.WELL_KNOWN_SKILLS):
        files += agent_skills_legacy.skill_files(skill, headers=headers)
    if layout is Layout.EXPLODED and hub.speaks(Protocol.AGENTSKILLS_HTTP):
        files += agentskills_http.skill_files(skill, headers=headers)
    return files


def hub_routes(
    shell: Shell,
    catalog: Catalog,
    profiles: Sequence[Profile],
    gatherings: Sequence[Gathering],
    bundled: Sequence[BundleListing],
    read_text: Callable[[Listing], str | None],
    twin_of: Callable[[Route], Route | None],
) -> tuple[Route, ...]:
    """Every route that belongs to no single skill, except what the publisher itself writes.

    ``bundled`` are the collections that are plugins; ``read_text`` gives the ``SKILL.md`` of a skill's latest release,
    ``twin_of`` the Markdown twin of a page.
    """
    hub = catalog.hub
    headers = hub.abilities.sets_headers
    indexed = [Indexed(one, one.archive, one.paths) for one in catalog.listings if one.archive is not None]
    search = (*search_routes(catalog, profiles), script_route())
    site = (*lists.hub_pages(shell, catalog, profiles), *collection_pages(shell, hub, gatherings))
    routes: tuple[Route, ...] = clawhub.hub_routes(catalog) if hub.speaks(Protocol.CLAWHUB) else ()
    if hub.speaks(Protocol.AGENT_SKILLS):
        members = {
            one.collection.name: [(listing.owner, listing.slug) for listing in one.listings]
            for one in gatherings
        }
        routes += agent_skills.hub_routes(hub, indexed, members)
    if hub.speaks(Protocol.WELL_KNOWN_SKILLS):
        routes += agent_skills_legacy.hub_routes(indexed, headers=headers)
    if hub.speaks(Protocol.AGENTSKILLS_HTTP):
        routes += agentskills_http.hub_routes(indexed, headers=headers)
    if hub.speaks(Protocol.CLAUDE_CODE):
        routes += claude_code.hub_routes(catalog, bundled)
    if hub.speaks(Protocol.SKILL_SERVICE):
        routes += skill_service.hub_routes(hub, indexed)
    shown = [route for route in site if route.path.endswith("/")]
    if hub.speaks(Protocol.AGENT_PAGES):
        routes += tuple(twin for page in shown if (twin := twin_of(page)) is not None)
    return (
        *routes,
        *search,
        *schema_routes(),
        *agent_routes(catalog, gatherings, read_text, [page.path for page in shown]),
        *site,
    )
