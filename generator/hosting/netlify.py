"""Netlify: redirect rules for an exploded hub, which hold also where the edge function is not deployed.

A rule whose file is missing answers 404 and no later rule is tried (contract/clawhub.md 7), so ``/resolve`` chooses
by slug alone. A rule marked ``!`` goes before a file that is there. Rules are tried from the top.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.hosting.addresses import moved_pages
from generator.hosting.facts import HubFacts, SkillFact
from generator.hosting.texts import NOT_FOUND
from generator.write.publish import WORK_FOLDER

MISSING = "skill-not-found.txt"
"""A file of the tree whose text answers for everything that is missing below ``/api``."""
MANY_RULES = 10_000
"""From here on Netlify advises an edge function instead (its documentation, looked up 2026-11-30)."""


def redirects_file(facts: HubFacts) -> bytes:
    """A ``_redirects`` file for an exploded hub at the site's root."""
    return "".join(f"{rule}\n" for rule in redirect_rules(facts)).encode()


def netlify_toml(folder: str) -> bytes:
    """A ``netlify.toml`` that publishes the folder as it is."""
    return (
        "# Written by `skillpress build --hosting netlify`.\n"
        "[build]\n"
        f'  publish = "{folder}"\n'
        "  # The build's own notes stay at home; archives under quarantine lie there.\n"
        f'  command = "rm -rf {folder}/{WORK_FOLDER}"\n'
        "\n"
        "[build.processing]\n"
        "  # Every byte of a hub has a digest somewhere: nothing may be rewritten on the way.\n"
        "  skip_processing = true\n"
    ).encode()


def missing_file() -> bytes:
    """The text of :data:`MISSING`."""
    return NOT_FOUND.encode()


def redirect_rules(facts: HubFacts) -> Iterator[str]:
    """All rules, in the order they must stand."""
    base, document = facts.base, str(facts.naming)
    api, missing = f"{base}/api/v1", f"{base}/{MISSING}"
    yield f"{base}/{WORK_FOLDER}/* {missing} 404!"
    for old, present in moved_pages(facts):
        yield f"{base}{old} {base}{present} 301"
    for route in facts.statuses:
        if route.path.startswith("/api/") and not _is_shared(route.path, facts):
            yield f"{base}{route.path} {base}{route.path}/{document} {route.status}!"
    for one in facts.skills:
        if not one.holds_slug:
            yield from _owned(one, base, document)
    for slug in facts.shared:
        yield f"{api}/skills/{slug} {api}/skills/{slug}/{document} 409!"
    for name in ("verify", "scan", "card"):
        yield f"{api}/skills/:slug/{name} version=:version {api}/skills/:slug/versions/:version/{name}/{document} 200!"
    yield f"{api}/download slug=:slug ownerHandle=:owner version=:version {base}/dl/:owner/:slug-:version.zip 200"
    yield f"{api}/download slug=:slug ownerHandle=:owner {missing} 404"
    for one in facts.skills:
        if one.holds_slug:
            yield from _downloads(one, base, missing)
    yield f"{api}/resolve slug=:slug {api}/skills/:slug/resolve/{document} 200"
    yield f"{base}/v1/packages/:owner/:slug/versions/:version/download {base}/dl/:owner/:slug-:version.zip 200"
    yield f"{base}/v1/packages/* {missing} 404"
    yield f"{base}/api/* {missing} 404"


def _owned(one: SkillFact, base: str, document: str) -> Iterator[str]:
    """Rules of a skill that is only found with its owner."""
    api = f"{base}/api/v1"
    own = f"{api}/owners/{one.owner}/skills/{one.slug}"
    asked = f"ownerHandle={one.owner}"
    for name in ("verify", "scan", "card"):
        yield f"{api}/skills/{one.slug}/{name} {asked} version=:version {own}/versions/:version/{name}/{document} 200!"
    yield f"{api}/skills/{one.slug} {asked} {own}/{document} 200!"
    yield f"{api}/skills/{one.slug}/* {asked} {own}/:splat/{document} 200!"
    yield f"{api}/resolve slug={one.slug} {asked} {own}/resolve/{document} 200"
    if one.latest:
        archive = f"{base}/dl/{one.owner}/{one.slug}-{one.latest}.zip"
        yield f"{api}/download slug={one.slug} {asked} tag=latest {archive} 200"


def _downloads(one: SkillFact, base: str, missing: str) -> Iterator[str]:
    """Rules of a skill whose slug alone is enough."""
    ask = f"{base}/api/v1/download slug={one.slug}"
    archive = f"{base}/dl/{one.owner}/{one.slug}"
    yield f"{ask} version=:version {archive}-:version.zip 200"
    for name, version in one.tags:
        yield f"{ask} tag={name} {archive}-{version}.zip 200"
    if one.latest:
        yield f"{ask} tag=latest {archive}-{one.latest}.zip 200"
        yield f"{ask} tag=:tag {missing} 404"
        yield f"{ask} {archive}-{one.latest}.zip 200"


def _is_shared(path: str, facts: HubFacts) -> bool:
    return path.removeprefix("/api/v1/skills/") in facts.shared
