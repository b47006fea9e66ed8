"""Put the facts of one skill together: a release for the ledger, a listing for the lists."""

from __future__ import annotations

import hashlib

from generator.hidden import without_hidden
from generator.history.decision import Draft, Past, SkillKey
from generator.history.overlay.applying import LATEST, used_reviews
from generator.history.overlay.effects import WITHDRAWN, note_summary, refuse_install
from generator.history.overlay.model import Ruling, Standing
from generator.judge.model import Judgement
from generator.model import (
    OUTCOME_LETTERS,
    Archive,
    Deprecation,
    FileEntry,
    Handoff,
    Hashes,
    Listing,
    ManifestSummary,
    Release,
    ScanReport,
    Sha256,
    SkillFolder,
    Stance,
    TimeMs,
    Version,
    VersionTag,
)
from generator.write.archive import PackedArchive
from generator.write.mediatype import media_type


def assemble_release(
    origin: Draft | Past,
    label: str,
    version: Version,
    folder: SkillFolder,
    hashes: Hashes,
    packed: PackedArchive,
    report: ScanReport,
    first_seen: TimeMs,
) -> Release:
    """A new line of the ledger. ``origin`` says which folder it comes from, ``label`` of which source."""
    manifest = folder.manifest
    assert manifest is not None
    return Release(
        version=version,
        first_seen=first_seen,
        hashes=hashes,
        archive=Archive(Sha256(hashlib.sha256(packed.data).hexdigest()), len(packed.data)),
        files=tuple(
            FileEntry(
                path=file.path, size=file.size, sha256=file.sha256, media_type=media_type(file.path),
                executable=file.executable, offset=packed.offsets[file.path],
            )
            for file in folder.package.files
        ),
        scan=report,
        source=label,
        folder=origin.folder,
        description=manifest.description,
        license=manifest.license,
        changelog=origin.changelog,
        commit=origin.commit,
        summary=ManifestSummary(
            name=manifest.name, topics=manifest.topics, tools=manifest.allowed_tools, env=manifest.requires.env,
            bins=manifest.requires.bins, os=manifest.os,
            hooks=tuple(f"{hook.event}: {hook.command}" for hook in manifest.hooks),
            servers=tuple(server.name for server in manifest.mcp_servers),
            subagents=tuple(agent.name for agent in manifest.subagents),
        ),
    )  # fmt: skip


def assemble_stance(key: SkillKey, standing: Standing) -> Stance:
    """What lists tell of the operator's decisions about a skill."""
    ruling, refusal = standing.ruling, refuse_install(key, standing)
    deprecated = ruling.deprecated
    return Stance(
        withdrawn=refusal is not None and refusal.status == WITHDRAWN,
        quarantined=standing.quarantined,
        deprecated=Deprecation(
            deprecated.reason, "/".join(deprecated.successor) if deprecated.successor is not None else None
        )
        if deprecated is not None
        else None,
        archived=ruling.archived.reason if ruling.archived is not None else None,
        featured=ruling.featured,
        tags=tuple(VersionTag(tag.name, tag.version) for tag in standing.tags if tag.name != LATEST),
        note=note_summary(standing, "").strip(),
        reviewed=tuple(" ".join(used) for used in used_reviews(standing)),
        ruling=digest_ruling(ruling),
    )


def digest_ruling(ruling: Ruling) -> str:
    """Tells one set of decisions about a skill from another; empty where nothing is decided."""
    return hashlib.sha256(repr(ruling).encode()).hexdigest()[:32] if ruling != Ruling() else ""


def assemble_listing(
    key: SkillKey,
    folder: SkillFolder,
    releases: tuple[Release, ...],
    judgement: Judgement,
    holds_slug: bool,
    standing: Standing,
    *,
    retained: bool,
    handoff: Handoff | None = None,
) -> Listing:
    """What lists, search and cards may know of a skill."""
    manifest, latest = folder.manifest, releases[0]
    assert manifest is not None
    owner, slug = key
    return Listing(
        owner=owner,
        slug=slug,
        name=without_hidden(manifest.name or "") or slug,
        display_name=without_hidden(manifest.display_name) or slug,
        description=without_hidden(manifest.description),
        version=latest.version,
        created_at=min(release.first_seen for release in releases),
        updated_at=latest.first_seen,
        holds_slug=holds_slug,
        verdict=latest.scan.verdict,
        license=manifest.license,
        homepage=manifest.homepage,
        emoji=without_hidden(manifest.emoji or "") or None,
        topics=tuple(filter(None, map(without_hidden, manifest.topics))),
        category=without_hidden(standing.ruling.category or manifest.category or "") or None,
        taxonomy=manifest.taxonomy,
        setup=manifest.requires.env,
        os=manifest.os,
        changelog=latest.changelog,
        file_count=len(latest.files),
        size=sum(file.size for file in latest.files),
        findings=len(judgement.findings),
        retained=retained,
        outcomes="".join(OUTCOME_LETTERS[verdict.outcome] for verdict in judgement.verdicts),
        codes=tuple(sorted({found.code for found in judgement.findings})),
        tools=manifest.allowed_tools,
        stance=assemble_stance(key, standing),
        archive=latest.archive,
        paths=tuple(file.path for file in latest.files),
        handoff=handoff,
    )
