"""Every ready answer of the ClawHub API about one skill.

One function from a published skill to its routes; the query forms (``/resolve?slug=``, ``/verify?version=``,
``/file?path=``) are mapped to these routes by a router.
"""

from __future__ import annotations

from generator.history.overlay.effects import refuse_release
from generator.jsondata import dump_bytes
from generator.model import PublishedSkill, Route, ScanVerdict
from generator.write.protocols.clawhub_install import (
    JSON,
    archive_url,
    install_route,
    json_route,
    resolve_routes,
)
from generator.write.protocols.clawhub_packages import package_answers
from generator.write.protocols.clawhub_rows import (
    client_license,
    latest_of,
    list_row,
    metadata_of,
    noted_summary,
    owner_of,
    skill_base,
    tags_of,
)
from generator.write.protocols.clawhub_security import list_reviewed
from generator.write.protocols.clawhub_types import (
    ModerationAnswer,
    SkillDetail,
    SkillReference,
    VersionAnswer,
    VersionList,
)
from generator.write.protocols.clawhub_verify import (
    CARD_TYPE,
    Told,
    scan_answer,
    tell,
    verdict_item,
    verify_answer,
)
from generator.write.quoting import quote_text

TEXT = "text/plain; charset=utf-8"


def skill_answers(skill: PublishedSkill) -> tuple[Route, ...]:
    """All answers of one skill, of every release, in a fixed order."""
    base = skill_base(skill.listing)
    latest = tell(skill, skill.latest)
    about: SkillReference = {
        "slug": skill.listing.slug,
        "displayName": skill.listing.display_name,
        "ownerHandle": skill.listing.owner,
    }
    told = [latest, *(tell(skill, release) for release in skill.releases[1:])]
    routes = [
        Route(base, _detail_body(skill, latest), JSON),
        json_route(f"{base}/versions", _versions(told)),
        install_route(skill, base),
        json_route(f"{base}/moderation", _moderation(latest)),
        *resolve_routes(skill, base),
    ]
    for one in told:
        at = f"{base}/versions/{one.release.version}"
        scan = dump_bytes(scan_answer(about, one))
        verdict = dump_bytes(verdict_item(skill, one, one.judgement))
        verify = dump_bytes(verify_answer(skill, one, one.judgement, f"{skill.hub.url}{at}/card"))
        routes += [
            _version_route(skill, about, one, at),
            Route(f"{at}/verify", verify, JSON),
            Route(f"{at}/scan", scan, JSON),
            Route(f"{at}/card", one.card, CARD_TYPE),
            Route(f"{at}/security-verdict", verdict, JSON),
        ]
        if one is latest:
            if one.chosen is not one.judgement:
                verdict = dump_bytes(verdict_item(skill, one, one.chosen))
                verify = dump_bytes(verify_answer(skill, one, one.chosen, f"{skill.hub.url}{at}/card"))
            # No text of an author holds these bytes: in JSON its quotes are escaped.
            by_latest = verify.replace(b'"resolvedFrom":"version"', b'"resolvedFrom":"latest"', 1)
            routes += [
                Route(f"{base}/verify", by_latest, JSON),
                Route(f"{base}/scan", scan, JSON),
                Route(f"{base}/card", one.card, CARD_TYPE),
                Route(f"{base}/security-verdict", verdict, JSON),
            ]
    return (*routes, *package_answers(skill))


def _detail_body(skill: PublishedSkill, latest: Told) -> bytes:
    """DeepTutor shows ``skill.description`` as the skill's body, so it is the whole ``SKILL.md``."""
    # The long text goes in last. The first such key is the row's: no text before it holds a bare quote.
    text = quote_text(_skill_text(skill).encode("utf-8"))
    return dump_bytes(_detail(skill, latest)).replace(b'"description":""', b'"description":"%b"' % text, 1)


def _detail(skill: PublishedSkill, latest: Told) -> SkillDetail:
    """The detail with an empty ``skill.description``."""
    listing = skill.listing
    row = list_row(listing, skill.hub)
    withdrawn = listing.stance.withdrawn
    offered = None if withdrawn else latest_of(listing, latest.release.first_seen)
    row["summary"] = noted_summary(listing)
    row["description"] = ""
    if offered is not None:
        row["latestVersion"] = offered
    # A CLI that is told no version asks how to install, and is sent to GitHub: all it can do on a host of plain files.
    elsewhere = listing.handoff is not None and not skill.hub.abilities.routes_queries
    return {
        "skill": row,
        "latestVersion": None if elsewhere else offered,
        "metadata": metadata_of(listing),
        "owner": owner_of(listing, skill.hub),
        "moderation": latest.chosen.moderation,
        "distTags": tags_of(listing),
        "keywords": list(listing.topics),
    }


def _skill_text(skill: PublishedSkill) -> str:
    if skill.standing.quarantined is not None:
        return skill.listing.stance.note or skill.standing.quarantined  # the text is what is withheld
    package = skill.folder.package
    file = package.file("SKILL.md") or next((f for f in package.files if f.path.lower() == "skill.md"), None)
    return file.data.decode("utf-8", "replace").removeprefix("\ufeff") if file else ""


def _versions(told: list[Told]) -> VersionList:
    return {"items": [one.summary for one in told], "nextCursor": None}


def _version_route(skill: PublishedSkill, about: SkillReference, one: Told, path: str) -> Route:
    """The version, or why it is not given out: as text, which clients print, and which no host's 200 turns into
    a version."""
    refusal = refuse_release((skill.listing.owner, skill.listing.slug), one.standing)
    if refusal is not None and one.standing.quarantined is not None:
        return Route(path, refusal.text.encode("utf-8", "replace"), TEXT, status=refusal.status)
    return json_route(path, _version(skill, about, one))


def _version(skill: PublishedSkill, about: SkillReference, one: Told) -> VersionAnswer:
    release, judgement = one.release, one.judgement
    served = release.scan.verdict is not ScanVerdict.BLOCK
    answer: VersionAnswer = {
        "version": {
            "version": release.version,
            "createdAt": release.first_seen,
            "changelog": one.summary["changelog"],
            "changelogSource": one.summary["changelogSource"],
            "license": client_license(release.license),
            "spdxLicense": release.license,
            "files": [
                {
                    "path": file.path,
                    "size": file.size,
                    "sha256": file.sha256,
                    "contentType": file.media_type,
                    "executable": file.executable,
                    "offset": file.offset,
                }
                for file in release.files
            ],
            "security": {
                "status": judgement.status,
                "hasWarnings": judgement.status in ("suspicious", "error"),
                "checkedAt": None,
                "model": None,
                "hasScanResult": release.scan.verdict is not ScanVerdict.ERROR,
                "sha256hash": release.archive.sha256,
                "virustotalUrl": None,
                "scanners": {"vt": None, "skillspector": None, "llm": None},
                "engine": release.scan.engine,
                "ruleset": release.scan.ruleset,
            },
            "fingerprint": release.hashes.fingerprint,
            "folderHash": release.hashes.folder,
            "treeHash": release.hashes.tree,
            "archive": {
                "url": archive_url(skill, release),
                "sha256": release.archive.sha256,
                "size": release.archive.size,
            }
            if served
            else None,
        },
        "skill": about,
    }
    assert answer["version"] is not None
    if one.standing.yanked is not None:
        answer["version"]["yanked"] = one.standing.yanked
    if one.standing.reviewed:
        answer["version"]["reviews"] = list_reviewed(one.standing.reviewed)
    return answer


def _moderation(latest: Told) -> ModerationAnswer:
    held = latest.chosen.moderation
    return {
        "moderation": {
            "isSuspicious": held["isSuspicious"],
            "isMalwareBlocked": held["isMalwareBlocked"],
            "verdict": latest.chosen.moderation_verdict,
            "reasonCodes": held["reasonCodes"],
            "updatedAt": None,
            "engineVersion": held["engineVersion"],
            "summary": held["summary"],
            "legacyReason": None,
            "evidence": latest.judgement.evidence,
        }
    }
