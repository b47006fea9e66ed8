"""Answers an installer asks for before it downloads: which archive, and which version a folder is."""

from __future__ import annotations

from urllib.parse import quote

from generator.history.overlay.effects import Refusal, refuse_install
from generator.jsondata import dump_bytes
from generator.model import PublishedSkill, Release, Route, ScanVerdict
from generator.write.protocols.clawhub_answers import (
    InstallAllowed,
    InstallFromGitHub,
    InstallRefused,
    ResolveAnswer,
)
from generator.write.protocols.clawhub_rows import archive_route

JSON = "application/json"


def json_route(path: str, document: object, status: int = 200) -> Route:
    """A route that answers with a JSON document."""
    return Route(path, dump_bytes(document), JSON, status=status)


def archive_url(skill: PublishedSkill, release: Release) -> str:
    """The absolute URL of a release's archive."""
    return skill.hub.url + archive_route(skill.listing.owner, skill.listing.slug, release.version)


def refuse(skill: PublishedSkill) -> Refusal | None:
    """Why an installer that names no version gets none; None where it gets one."""
    latest = skill.latest
    if skill.listing.stance.withdrawn:
        return refuse_install((skill.listing.owner, skill.listing.slug), skill.standing)
    if latest.scan.verdict is ScanVerdict.BLOCK:
        return Refusal(403, f"{skill.listing.slug} {latest.version} is blocked by this hub's security scan.")
    return None


def install_route(skill: PublishedSkill, base: str) -> Route:
    """How the latest release is installed.

    Static on purpose: OpenClaw fetches ``downloadUrl`` as it is, so no query has to be routed. It also asks for
    verdicts with a POST first, except where it is sent to GitHub: so it is, where the host answers no POST and GitHub
    has the same files.
    """
    latest, refusal = skill.latest, refuse(skill)
    if refusal is not None:
        refused: InstallRefused = {
            "ok": False,
            "slug": skill.listing.slug,
            "reason": "archive_version_missing",
            "message": refusal.text,
            "status": refusal.status,
        }
        return json_route(f"{base}/install", refused, status=refusal.status)
    handoff = skill.listing.handoff
    if handoff is not None and not skill.hub.abilities.answers_posts:
        url = f"https://github.com/{handoff.repository}/tree/{handoff.commit}/{quote(handoff.path)}"
        github: InstallFromGitHub = {
            "ok": True,
            "slug": skill.listing.slug,
            "installKind": "github",
            "github": {
                "repo": handoff.repository,
                "path": handoff.path,
                "commit": handoff.commit,
                "contentHash": handoff.content_hash,
                "sourceUrl": url,
            },
        }
        return json_route(f"{base}/install", github)
    allowed: InstallAllowed = {
        "ok": True,
        "slug": skill.listing.slug,
        "installKind": "archive",
        "archive": {"version": latest.version, "downloadUrl": archive_url(skill, latest)},
    }
    return json_route(f"{base}/install", allowed)


def resolve_routes(skill: PublishedSkill, base: str) -> list[Route]:
    """One answer for each known fingerprint, and one for all others.

    A full fingerprint names the newest release with that content. An alias sees only some of the files, so
    two releases can share it: the oldest is named, for then no update is ever missed.
    """
    known: dict[str, str] = {}
    for release in skill.releases:
        known.setdefault(release.hashes.fingerprint, release.version)
    for release in reversed(skill.releases):
        for alias in release.hashes.aliases:
            known.setdefault(alias, release.version)
    answer: ResolveAnswer = {
        "slug": skill.listing.slug,
        "match": None,
        "latestVersion": None if skill.listing.stance.withdrawn else {"version": skill.latest.version},
    }
    routes = [json_route(f"{base}/resolve", answer)]
    bodies: dict[str, bytes] = {}
    for fingerprint, version in known.items():
        if version not in bodies:
            answer["match"] = {"version": version}
            bodies[version] = dump_bytes(answer)
        routes.append(Route(f"{base}/resolve/{fingerprint}", bodies[version], JSON))
    return routes
