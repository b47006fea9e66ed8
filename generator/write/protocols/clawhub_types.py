"""The documents of the ClawHub API about one skill, as typed dictionaries.

They are the one source of the shapes: the writers are checked against them by mypy, and
:mod:`generator.write.protocols.openapi` generates ``/api/v1/openapi.json`` from them. ``NotRequired`` is a
key that may be missing; ``| None`` is a value that may be null. The two are not the same to the clients.
Sources: ClawHub CLI 0.23.3 (required keys), OpenClaw 2026.9.6, DeepTutor 2026-08-19. All times are integer
milliseconds since 1970 UTC. Fields no client knows are ignored by all of them; ours are ``spdxLicense``,
``skillpress`` and the taxonomy.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

SecurityStatus = Literal["clean", "suspicious", "malicious", "error"]
Decision = Literal["pass", "fail"]


class Stats(TypedDict):
    """Counters. A static hub counts nothing: always 0. DeepTutor converts them with ``int()``."""

    downloads: int
    stars: int


Tags = dict[str, str]
"""Names that stand for a version: ``latest`` where one is chosen, and the operator's own."""


class DeprecatedFacts(TypedDict):
    """That a skill should no longer be used, and the page of what to use instead where there is something."""

    reason: str
    successor: str | None
    url: str | None


class ArchivedFacts(TypedDict):
    """That no new version of a skill is expected."""

    reason: str


class ReviewedBy(TypedDict):
    """Who looked into a rule that matched, and why it is fine."""

    by: str
    reason: str


class ReviewedFile(TypedDict):
    """A rule that matched in a file, and that somebody looked into."""

    rule: str
    sha256: str
    file: str
    line: int
    by: str
    reason: str


class LatestVersion(TypedDict):
    """The release an installer gets. ``license`` other than ``MIT-0`` or null kills every CLI since 0.8.0."""

    version: str
    createdAt: int
    changelog: str
    license: Literal["MIT-0"] | None


class SetupKey(TypedDict):
    """An environment variable the skill needs."""

    key: str
    required: bool


class SkillMetadata(TypedDict):
    """Requirements. CLI 0.23.3 refuses the object without ``setup``."""

    setup: list[SetupKey]
    os: list[str] | None
    systems: list[str] | None


class SkillOwner(TypedDict):
    """The publisher, as CLI and DeepTutor read it. ``image`` and ``kind`` are not known to this hub."""

    handle: str
    displayName: str
    image: None
    htmlUrl: str
    kind: Literal["user", "org"]


class Publisher(TypedDict):
    """The publisher, as search rows and cards carry it; all five keys or none."""

    kind: Literal["user", "org"]
    handle: str
    displayName: str
    image: None
    official: bool


class InstallReference(TypedDict):
    """How a search row is installed. OpenClaw drops rows whose kind it does not know."""

    kind: Literal["clawhub"]
    reference: str
    sourceUrl: str | None


class Links(TypedDict):
    """Web pages of a row; ``source`` is the author's homepage."""

    canonical: str
    source: str | None


class Metrics(TypedDict):
    """Usage of a row. Nothing is counted, so both counters are null; OpenClaw needs ``updatedAt``."""

    rolling60DayInstalls: None
    bookmarks: None
    updatedAt: int


class HubFacts(TypedDict):
    """What this hub adds to a row: the scan's verdict, sizes, and whether a source still holds the skill."""

    verdict: Literal["allow", "warn", "block", "error"]
    emoji: str | None
    category: str | None
    homepage: str | None
    files: int
    size: int
    findings: int
    retained: bool
    deprecated: NotRequired[DeprecatedFacts]
    archived: NotRequired[ArchivedFacts]
    quarantined: NotRequired[str]
    featured: NotRequired[int]


class SkillRow(TypedDict):
    """One skill in the list, in search, among the trending, and inside the detail.

    The same row serves ClawHub's CLI (``latestVersion`` missing or an object, never null), DeepTutor
    (``version`` beside it, ``stats``, ``owner.htmlUrl``, the taxonomy) and OpenClaw (``source``,
    ``ownerHandle``, ``install.kind``, ``publisher``, ``metrics``).
    """

    slug: str
    displayName: str
    name: str
    summary: str
    description: str
    version: str
    latestVersion: NotRequired[LatestVersion]
    tags: Tags
    stats: Stats
    topics: list[str]
    keywords: list[str]
    createdAt: int
    updatedAt: int
    ownerHandle: str
    owner: SkillOwner
    publisher: Publisher
    source: Literal["clawhub"]
    score: int | float
    official: bool
    canonicalUrl: str
    install: InstallReference
    links: Links
    metrics: Metrics
    metadata: SkillMetadata
    spdxLicense: str | None
    track: NotRequired[str]
    language: NotRequired[str]
    domains: NotRequired[list[str]]
    stages: NotRequired[list[str]]
    forms: NotRequired[list[str]]
    audiences: NotRequired[list[str]]
    featured: NotRequired[Literal[True]]
    skillpress: HubFacts


class Moderation(TypedDict):
    """What the hub holds against a skill's latest release.

    A client refuses ``isMalwareBlocked`` always, and ``isSuspicious`` unless the user insists.
    """

    isSuspicious: bool
    isMalwareBlocked: bool
    verdict: NotRequired[Literal["clean", "suspicious", "malicious"]]
    reasonCodes: list[str]
    updatedAt: None
    engineVersion: str
    summary: str


class Evidence(TypedDict):
    """One rule that matched. ``line`` is 0 where a finding is about a whole file."""

    code: str
    severity: Literal["warn", "critical", "info"]
    file: str
    line: int
    message: str
    evidence: str
    reviewed: NotRequired[ReviewedBy]


class ModerationDetail(TypedDict):
    """:class:`Moderation` with its evidence; ``clawhub inspect`` with a token asks for it."""

    isSuspicious: bool
    isMalwareBlocked: bool
    verdict: Literal["clean", "suspicious", "malicious"]
    reasonCodes: list[str]
    updatedAt: None
    engineVersion: str
    summary: str
    legacyReason: None
    evidence: list[Evidence]


class ModerationAnswer(TypedDict):
    """``GET /skills/{slug}/moderation``."""

    moderation: ModerationDetail


class SkillDetail(TypedDict):
    """``GET /skills/{slug}``. ``latestVersion`` and ``owner`` are required, and null is allowed."""

    skill: SkillRow
    latestVersion: LatestVersion | None
    metadata: SkillMetadata
    owner: SkillOwner | None
    moderation: Moderation | None
    distTags: Tags
    keywords: list[str]


class VersionSummary(TypedDict):
    """One version in the list of versions."""

    version: str
    createdAt: int
    changelog: str
    changelogSource: Literal["auto", "user"] | None
    yanked: NotRequired[str]
    quarantined: NotRequired[str]


class VersionList(TypedDict):
    """``GET /skills/{slug}/versions``: every version, newest first, always one page."""

    items: list[VersionSummary]
    nextCursor: None


class VersionFile(TypedDict):
    """One file of a version. Its bytes are ``size`` bytes of the archive from ``offset`` on."""

    path: str
    size: int
    sha256: str
    contentType: str
    executable: bool
    offset: int


class Scanners(TypedDict):
    """The scanners ClawHub knows. This hub runs none of them."""

    vt: None
    skillspector: None
    llm: None


class VersionSecurity(TypedDict):
    """The scan of a version, as ``clawhub inspect`` prints it."""

    status: SecurityStatus
    hasWarnings: bool
    checkedAt: None
    model: None
    hasScanResult: bool
    sha256hash: str
    virustotalUrl: None
    scanners: Scanners
    engine: str
    ruleset: str


class ArchiveFacts(TypedDict):
    """The archive of a version; null where the scan blocked it and none is served."""

    url: str
    sha256: str
    size: int


class VersionDetail(TypedDict):
    """One version with its files and every identity of its content."""

    version: str
    createdAt: int
    changelog: str
    changelogSource: Literal["auto", "user"] | None
    license: Literal["MIT-0"] | None
    spdxLicense: str | None
    files: list[VersionFile]
    security: VersionSecurity
    fingerprint: str
    folderHash: str
    treeHash: str
    archive: ArchiveFacts | None
    yanked: NotRequired[str]
    reviews: NotRequired[list[ReviewedFile]]


class SkillReference(TypedDict):
    """The skill an answer is about."""

    slug: str
    displayName: str
    ownerHandle: str


class VersionAnswer(TypedDict):
    """``GET /skills/{slug}/versions/{version}``."""

    version: VersionDetail | None
    skill: SkillReference | None
