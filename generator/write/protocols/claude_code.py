"""Claude Code: ``marketplace.json`` by URL over an npm-shaped tree, one plugin a skill and one a collection.

Measured with Claude Code 2.1.197 and 2.1.332: every plugin's ``source`` is of kind ``npm`` with this hub as registry
and one pinned version; npm checks the tarball's sha512 against the packument. The same tree serves ``npm install``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from generator.hidden import without_hidden
from generator.history.overlay.model import SkillKey
from generator.jsondata import dump_bytes
from generator.model import Catalog, Hub, Listing, PublishedSkill, Route, Version
from generator.write.protocols.claude_code_bundle import BundleListing, bundle_package
from generator.write.protocols.claude_code_manifest import is_address
from generator.write.protocols.claude_code_names import bundle_name, marketplace_name, plugin_names
from generator.write.protocols.clawhub_rows import noted_summary
from generator.write.protocols.npm_packument import REGISTRY, package_name, skill_packument, tarball_route
from generator.write.protocols.npm_tarball import Tarball

MARKETPLACE: Final = "/claude/marketplace.json"
_JSON: Final = "application/json"


def skill_answers(skill: PublishedSkill, tarballs: Mapping[Version, Tarball]) -> tuple[Route, ...]:
    """The skill's packument, or why there is none; ``tarballs`` are those of its releases."""
    return (skill_packument(skill, tarballs),)


def skill_files(skill: PublishedSkill, tarballs: Mapping[Version, bytes]) -> tuple[Route, ...]:
    """The tarballs that are given out of those in ``tarballs``."""
    return tuple(
        tarball_route(skill.listing.owner, skill.listing.slug, one.version, tarballs[one.version])
        for one in skill.standing.releases
        if one.servable and one.version in tarballs
    )


def hub_routes(catalog: Catalog, bundles: Iterable[BundleListing] = ()) -> tuple[Route, ...]:
    """The marketplace: every skill that a user who names no version may have, then the collections."""
    offered = tuple(one for one in catalog.listings if is_offered(one))
    names = plugin_names(offered)
    plugins = [
        {
            **describe_plugin(listing, names[key]),
            "version": listing.version,
            "source": _source(catalog.hub, listing),
        }
        for listing in offered
        if (key := (listing.owner, listing.slug)) in names
    ]
    plugins += [_bundle(catalog.hub, one, names) for one in sorted(bundles, key=lambda one: one.name)]
    document = describe_marketplace(catalog.hub, marketplace_name(catalog.hub), plugins)
    return (Route(MARKETPLACE, dump_bytes(document), _JSON),)


def is_offered(listing: Listing) -> bool:
    """Whether the marketplace holds the skill: not withdrawn, not blocked by the scan, not under quarantine."""
    return listing.offered and listing.stance.listed


def describe_marketplace(hub: Hub, name: str, plugins: list[dict[str, Any]]) -> dict[str, Any]:
    """A marketplace document."""
    owner = without_hidden(hub.name).strip() or name
    about = without_hidden(hub.description).strip() or owner
    return {"name": name, "owner": {"name": owner}, "description": about, "plugins": plugins}


def describe_plugin(listing: Listing, name: str) -> dict[str, Any]:
    """What a marketplace entry says of a skill, without its source: facts that are known, nothing else."""
    entry: dict[str, Any] = {"name": name}
    if listing.display_name not in ("", name):
        entry["displayName"] = listing.display_name
    entry["description"] = without_hidden(noted_summary(listing))
    entry["author"] = {"name": listing.owner}
    if listing.homepage and is_address(listing.homepage):
        entry["homepage"] = listing.homepage
    if listing.license:
        entry["license"] = listing.license
    if listing.topics:
        entry["keywords"] = [without_hidden(topic) for topic in listing.topics]
    if listing.category:
        entry["category"] = without_hidden(listing.category)
    return entry


def _bundle(hub: Hub, bundle: BundleListing, names: Mapping[SkillKey, str]) -> dict[str, Any]:
    entry = {
        "name": bundle_name(bundle.name),
        "displayName": without_hidden(bundle.title) or bundle.name,
        "description": without_hidden(bundle.description or bundle.title),
        "version": bundle.version,
    }
    return {
        **entry,
        **_dependencies(bundle, names),
        "source": _npm_source(hub, bundle_package(hub, bundle.name), bundle.version),
    }


def _dependencies(bundle: BundleListing, names: Mapping[SkillKey, str]) -> dict[str, list[str]]:
    known = [names[key] for key in bundle.dependencies if key in names]
    return {"dependencies": known} if known else {}


def _source(hub: Hub, listing: Listing) -> dict[str, str]:
    return _npm_source(hub, package_name(listing.owner, listing.slug), listing.version)


def _npm_source(hub: Hub, package: str, version: str) -> dict[str, str]:
    return {"source": "npm", "package": package, "version": version, "registry": f"{hub.url}{REGISTRY}"}
