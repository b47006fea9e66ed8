"""More documents of the ClawHub API: installing, resolving and judging one skill, and the hub's own.

The second half of :mod:`generator.write.protocols.clawhub_types`, under the same rules.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from generator.write.protocols.clawhub_types import (
    Decision,
    Evidence,
    ReviewedFile,
    SecurityStatus,
    SkillReference,
    SkillRow,
)


class InstallArchive(TypedDict):
    """Where the archive lies. OpenClaw fetches the URL as it is; the CLI reads only the version."""

    version: str
    downloadUrl: str


class InstallAllowed(TypedDict):
    """``GET /skills/{slug}/install`` where the latest release is served."""

    ok: Literal[True]
    slug: str
    installKind: Literal["archive"]
    archive: InstallArchive


class GitHubHandoff(TypedDict):
    """Where GitHub has the files. ``contentHash`` is required by the client's schema and not checked (CLI 0.23.3)."""

    repo: str
    path: str
    commit: str
    contentHash: str
    sourceUrl: str


class InstallFromGitHub(TypedDict):
    """``GET /skills/{slug}/install`` where the hub's host cannot answer what an install from it needs."""

    ok: Literal[True]
    slug: str
    installKind: Literal["github"]
    github: GitHubHandoff


class InstallRefused(TypedDict):
    """``GET /skills/{slug}/install`` where it is not. The CLI knows seven reasons and no others."""

    ok: Literal[False]
    slug: str
    reason: Literal["archive_version_missing"]
    message: str
    status: int


class VersionName(TypedDict):
    """A version by its name alone."""

    version: str


class ResolveAnswer(TypedDict):
    """``GET /resolve``: which version has this fingerprint, and which is the latest."""

    slug: str
    match: VersionName | None
    latestVersion: VersionName | None


class CardReference(TypedDict):
    """The skill card. The CLI fetches ``url`` as it is, so it is absolute."""

    available: bool
    path: str
    url: str
    sha256: str
    size: int
    contentType: str


class ArtifactFile(TypedDict):
    """One file of the examined artifact."""

    path: str
    sha256: str
    size: int


class Artifact(TypedDict):
    """What was examined. ``bundleFingerprints`` are the fingerprints of an untouched install."""

    sourceFingerprint: str
    bundleFingerprints: list[str]
    files: list[ArtifactFile]


class Provenance(TypedDict):
    """Where the content came from. Nothing is claimed that this build did not see for itself."""

    source: Literal["unavailable"]
    reason: str


class GitHubProvenance(TypedDict):
    """A commit of a public repository whose folder this build read, and found to hold these files and no others.

    OpenClaw 2026.9.6 makes a link of it.
    """

    source: Literal["server-resolved-github-import"]
    repo: str
    ref: str
    commit: str
    path: str


class StaticScan(TypedDict):
    """The scan by rules: what ran and what it found."""

    status: SecurityStatus
    reasonCodes: list[str]
    engine: str
    ruleset: str
    filesExamined: int
    filesSkipped: list[str]
    reviewed: NotRequired[list[ReviewedFile]]


class Signals(TypedDict):
    """One entry a scanner; null is a scanner that did not run."""

    staticScan: StaticScan
    virusTotal: None
    skillSpector: None
    dependencyRegistry: None


class Security(TypedDict):
    """The verdict. ``confidence``, ``model`` and ``checkedAt`` are not known and therefore null."""

    status: SecurityStatus
    passed: bool
    rawStatus: Literal["allow", "warn", "block", "error"]
    verdict: SecurityStatus
    confidence: None
    summary: str
    model: None
    checkedAt: None
    signals: Signals


class Signature(TypedDict):
    """Releases are not signed yet, and say so."""

    status: Literal["unsigned"]


class VerifyAnswer(TypedDict):
    """``GET /skills/{slug}/verify``. DeepTutor installs without a word only where ``ok`` is true."""

    schema: Literal["clawhub.skill.verify.v1"]
    ok: bool
    decision: Decision
    reasons: list[str]
    slug: str
    displayName: str
    pageUrl: str
    publisherHandle: str | None
    publisherDisplayName: str | None
    publisherProfileUrl: str | None
    version: str
    resolvedFrom: Literal["latest", "version"]
    tag: str | None
    createdAt: int
    card: CardReference
    artifact: Artifact
    provenance: Provenance | GitHubProvenance
    security: Security
    signature: Signature
    yanked: NotRequired[str]


class ScanModeration(TypedDict):
    """Which version a scan speaks of."""

    scope: Literal["version"]
    sourceVersion: VersionName
    matchesRequestedVersion: bool
    isPendingScan: bool
    isMalwareBlocked: bool
    isSuspicious: bool
    reasonCodes: list[str]


class ScanAnswer(TypedDict):
    """``GET /skills/{slug}/scan``, with the evidence of every rule that matched."""

    skill: SkillReference
    version: VersionName
    moderation: ScanModeration
    security: Security
    evidence: list[Evidence]


class VerdictError(TypedDict):
    """Why there is no verdict for an item."""

    code: str
    message: str


class VerdictItem(TypedDict):
    """One verdict. The router adds the three ``requested`` echoes.

    OpenClaw 2026.9.6 needs ``overview`` and ``securityAuditUrl`` not empty and ``publisherHandle`` equal to
    the owner it asked for.
    """

    requestedSlug: NotRequired[str]
    requestedOwnerHandle: NotRequired[str]
    requestedVersion: NotRequired[str]
    ok: bool
    decision: Decision
    reasons: list[str]
    slug: NotRequired[str]
    version: NotRequired[str]
    displayName: NotRequired[str]
    publisherHandle: NotRequired[str]
    publisherDisplayName: NotRequired[str]
    createdAt: NotRequired[int]
    checkedAt: NotRequired[None]
    skillUrl: NotRequired[str]
    securityAuditUrl: NotRequired[str]
    overview: NotRequired[str]
    security: NotRequired[Security]
    error: NotRequired[VerdictError]


class VerdictAnswer(TypedDict):
    """``POST /skills/-/security-verdicts``: one item for each asked, in the same order."""

    schema: Literal["clawhub.skill.security-verdicts.v1"]
    items: list[VerdictItem]


class VerdictTarget(TypedDict):
    """One exact release to judge."""

    slug: str
    version: str
    ownerHandle: NotRequired[str]


class VerdictRequest(TypedDict):
    """The body of ``POST /skills/-/security-verdicts``: 1 to 100 items."""

    items: list[VerdictTarget]


class SkillList(TypedDict):
    """``GET /skills``. On a host that ignores the query: everything, and never a cursor."""

    items: list[SkillRow]
    nextCursor: str | None


class SearchResults(TypedDict):
    """``GET /search``. On a host that ignores the query: everything."""

    results: list[SkillRow]


class TrendingRow(SkillRow):
    """A row with its place. The lane says what the place rests on: the time of the last release."""

    rank: int
    lane: Literal["recent"]


class Trending(TypedDict):
    """``GET /trending``: the latest releases first, for nothing is counted here; 0 hours is no window."""

    kind: Literal["skills"]
    snapshotId: str
    snapshotCursor: None
    generatedAt: int
    windowHours: int
    rankingVersion: Literal["recent-v1"]
    totalItems: int
    items: list[TrendingRow]
    nextCursor: None


class AmbiguousMatch(TypedDict):
    """One of the skills that share a slug."""

    ownerHandle: str
    slug: str
    ref: str
    url: str


class AmbiguousSlug(TypedDict):
    """The 409 answer for a slug that several owners have."""

    code: Literal["AMBIGUOUS_SKILL_SLUG"]
    message: str
    slug: str
    matches: list[AmbiguousMatch]


class Discovery(TypedDict):
    """``/.well-known/clawhub.json``: the registry's base, without ``/api/v1``."""

    apiBase: str
    registry: str
