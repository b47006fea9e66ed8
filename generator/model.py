"""The nouns of Skillpress as frozen dataclasses, and nothing else.

Every layer speaks in these words: *read* makes packages, manifests and findings; *decide* makes
releases and listings; *write* makes routes. Nothing here reads a file, knows a clock or holds a dict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from generator.history.overlay.model import Standing
    from generator.judge.model import Judgement
    from generator.read.nodes import MappingNode

Owner = NewType("Owner", str)
"""A publisher's handle, proven by :func:`generator.names.parse_owner`."""
Slug = NewType("Slug", str)
"""A skill's name in URLs, proven by :func:`generator.names.parse_slug` (ClawHub server rule: 3-96 of
``[a-z0-9-]``, no ``--``, no dash at either end)."""
Version = NewType("Version", str)
"""A strict semantic version without build metadata, proven by :mod:`generator.versions`."""
PackagePath = NewType("PackagePath", str)
"""A file's path inside its package: relative, ``/``-separated, NFC, proven by :mod:`generator.read.paths`."""
Sha256 = NewType("Sha256", str)
"""64 lower-case hexadecimal digits."""
TimeMs = NewType("TimeMs", int)
"""Milliseconds since 1970-01-01 UTC, as the ClawHub API counts time."""


# --- what read finds -------------------------------------------------------------------------------


class Severity(StrEnum):
    """How much a finding matters to the author."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing an author should know.

    ``path`` is relative to the root of the source and ``/``-separated. ``line`` and ``column`` count
    from 1, columns in code points; both are None where a finding is about a whole file or folder.
    ``fix`` says in words what to do. ``text`` is the offending text at that place as it stands in the file
    (at most 120 characters), empty where there is none to show. ``hosts`` are the ids of the host profiles
    that the finding matters to; empty where it matters to all or the hosts were not asked. Codes are
    documented in :mod:`generator.findings`.
    """

    code: str
    severity: Severity
    path: str
    message: str
    fix: str
    line: int | None = None
    column: int | None = None
    hosts: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class PackageFile:
    """One file of a package, exactly as the source holds it."""

    path: PackagePath
    data: bytes
    sha256: Sha256
    executable: bool = False

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.data)


@dataclass(frozen=True, slots=True)
class Package:
    """The files of one skill folder at one moment.

    ``source`` is the label of the source (the path written in ``hub.yml`` or on the command line, never
    an absolute machine path). ``folder`` is relative to the source's root, ``""`` where the skill *is* the
    root. ``files`` are sorted by path (code points).
    """

    source: str
    folder: str
    files: tuple[PackageFile, ...]

    def file(self, path: str) -> PackageFile | None:
        """The file at exactly ``path``, or None."""
        return next((f for f in self.files if f.path == path), None)

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(f.size for f in self.files)


@dataclass(frozen=True, slots=True)
class Requirements:
    """What must be there before a host offers the skill."""

    bins: tuple[str, ...] = ()
    any_bins: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    config: tuple[str, ...] = ()
    sandbox: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.bins or self.any_bins or self.env or self.config or self.sandbox)


@dataclass(frozen=True, slots=True)
class InstallSpec:
    """One way to install a requirement, as vendors write it under ``metadata.openclaw.install``.

    ``target`` is the formula, package, module or URL the ``kind`` works on.
    """

    kind: str
    target: str
    label: str | None = None
    bins: tuple[str, ...] = ()
    os: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hook:
    """A command a host runs by itself at an event."""

    event: str
    command: str
    path: str
    matcher: str | None = None


@dataclass(frozen=True, slots=True)
class McpServer:
    """A Model Context Protocol server the skill brings. ``env`` holds names only, never values."""

    name: str
    path: str
    command: str | None = None
    args: tuple[str, ...] = ()
    url: str | None = None
    env: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subagent:
    """A subagent defined by ``agents/*.md``. ``tools`` is None where the key is missing."""

    name: str
    path: str
    description: str = ""
    tools: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """DeepTutor's education taxonomy (tokens; empty where the author wrote none)."""

    track: str | None = None
    language: str | None = None
    domains: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    audiences: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(
            self.track or self.language or self.domains or self.stages or self.forms or self.audiences
        )


@dataclass(frozen=True, slots=True)
class Manifest:
    """The normalised meaning of ``SKILL.md`` front matter and its side files.

    ``name`` is the front matter name as written (None where missing); ``slug`` and ``version`` are raw
    declarations, None where the author made none; ``decide`` turns them into proven values.
    ``version_from`` names the file the version was found in. ``license`` is an SPDX expression or None;
    ``license_text`` is what the author wrote. ``allowed_tools``: None = key missing = no limit,
    ``()`` = no tool at all, else only these. ``topics`` merges tags, topics and keywords in written order.
    """

    name: str | None
    display_name: str
    description: str
    slug: str | None = None
    version: str | None = None
    version_from: str | None = None
    license: str | None = None
    license_text: str | None = None
    author: str | None = None
    homepage: str | None = None
    emoji: str | None = None
    topics: tuple[str, ...] = ()
    category: str | None = None
    taxonomy: Taxonomy = Taxonomy()
    allowed_tools: tuple[str, ...] | None = None
    requires: Requirements = Requirements()
    os: tuple[str, ...] = ()
    install: tuple[InstallSpec, ...] = ()
    always: bool = False
    compatibility: str | None = None
    hooks: tuple[Hook, ...] = ()
    mcp_servers: tuple[McpServer, ...] = ()
    subagents: tuple[Subagent, ...] = ()


@dataclass(frozen=True, slots=True)
class SkillFolder:
    """One skill folder, read: its bytes, their meaning, and what the author should know.

    ``manifest`` is None where the front matter cannot be read; ``findings`` then say why. ``body`` is the
    Markdown after the front matter, decoded with replacement; ``body_line`` is the line it starts on.
    ``front`` is the front matter as a tree of texts with places (None as for the manifest), ``front_text`` its
    text without the fences, which starts on line 2 of the file.
    """

    package: Package
    manifest: Manifest | None
    body: str
    body_line: int
    findings: tuple[Finding, ...]
    front: MappingNode | None = None
    front_text: str = ""


# --- what hosts do ---------------------------------------------------------------------------------


class Outcome(StrEnum):
    """What a host does with a skill.

    LOAD: as the author meant it. LOSS: it loads, but something the author wrote is lost on the way. REFUSE:
    not loaded, or rejected. CRASH: the host's whole list of skills fails.
    """

    LOAD = "load"
    LOSS = "loss"
    REFUSE = "refuse"
    CRASH = "crash"


OUTCOME_LETTERS: Mapping[Outcome, str] = MappingProxyType(
    {Outcome.LOAD: "l", Outcome.LOSS: "p", Outcome.REFUSE: "r", Outcome.CRASH: "c"}
)
"""How :attr:`Listing.outcomes` writes an outcome (loss: part of it loads)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one host does with one skill.

    ``host`` is the profile's ``id``. ``reason`` is one sentence. ``codes`` are the finding codes behind it,
    the deciding one first; a skill that loads may still have some (a gate that is misread). ``name`` is the
    name the host uses for the skill, None where it does not load it. ``seen`` is the description the host
    shows, None where it does not load the skill or shows none.
    """

    host: str
    version: str | None
    outcome: Outcome
    reason: str
    codes: tuple[str, ...] = ()
    name: str | None = None
    seen: str | None = None


# --- what the scan says ----------------------------------------------------------------------------


class ScanVerdict(StrEnum):
    """What the security scan says of one package. An error or a time-out is ERROR, never ALLOW."""

    ALLOW = "allow"
    WARN = "warn"
    BLOCK = "block"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class ScanHit:
    """One rule that matched. ``evidence`` is trimmed to 120 characters, controls stripped, secrets redacted."""

    rule: str
    level: ScanVerdict
    path: str
    line: int | None
    message: str
    evidence: str


@dataclass(frozen=True, slots=True)
class ScanReport:
    """What ran and what it found; claims nothing else.

    ``ruleset`` is ``<ruleset version>+<first 12 hex digits of the sha256 of the rules>``. ``files`` counts
    the files examined, ``skipped`` names those that were not, with the reason.
    """

    engine: str
    ruleset: str
    verdict: ScanVerdict
    files: int
    hits: tuple[ScanHit, ...] = ()
    skipped: tuple[str, ...] = ()
    error: str | None = None


# --- what decide makes -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a release. ``offset`` is where its bytes start in the stored (uncompressed) archive."""

    path: PackagePath
    size: int
    sha256: Sha256
    media_type: str
    executable: bool
    offset: int


@dataclass(frozen=True, slots=True)
class Hashes:
    """Every identity of one release's content.

    ``fingerprint``: ClawHub's, over all files. ``aliases``: other fingerprints older clients compute for an
    untouched install of the same release (old white-list of files, with ``_meta.json``...). ``folder``: the
    GitHub folder content hash. ``tree``: ours, over sorted ``mode sha256 size path`` lines.
    """

    fingerprint: Sha256
    aliases: tuple[Sha256, ...]
    folder: Sha256
    tree: Sha256


@dataclass(frozen=True, slots=True)
class Archive:
    """The served zip: says which bytes we serve, where :class:`Hashes` say what the skill is."""

    sha256: Sha256
    size: int


@dataclass(frozen=True, slots=True)
class ManifestSummary:
    """What a release's manifest said, as far as somebody may ask about an old version without its archive.

    ``tools`` is None where no limit was declared. ``hooks`` are ``event: command``, ``servers`` and
    ``subagents`` names.
    """

    name: str | None
    topics: tuple[str, ...] = ()
    tools: tuple[str, ...] | None = None
    env: tuple[str, ...] = ()
    bins: tuple[str, ...] = ()
    os: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    subagents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Release:
    """One immutable version of one skill, as the ledger keeps it.

    ``source`` and ``folder`` say where it came from, ``commit`` in which commit where that is a repository.
    ``summary`` is what its manifest asks of a machine: tools, variables, programs, what runs by itself.
    """

    version: Version
    first_seen: TimeMs
    hashes: Hashes
    archive: Archive
    files: tuple[FileEntry, ...]
    scan: ScanReport
    source: str
    folder: str
    description: str
    license: str | None
    changelog: str = ""
    commit: str = ""
    summary: ManifestSummary | None = None


@dataclass(frozen=True, slots=True)
class RouteStatus:
    """A route that answers with a status other than 200."""

    path: str
    status: int


@dataclass(frozen=True, slots=True)
class VersionTag:
    """A name of the operator's that stands for a version."""

    name: str
    version: Version


@dataclass(frozen=True, slots=True)
class Deprecation:
    """That a skill should no longer be used. ``reason`` may be empty, ``successor`` is ``owner/slug``."""

    reason: str
    successor: str | None = None


@dataclass(frozen=True, slots=True)
class Stance:
    """What the operator decided about a skill, as far as lists tell it; all empty for most.

    ``withdrawn`` is true where nothing can be chosen since the operator withdrew it; ``quarantined`` and ``archived``
    are reasons, None where it is not; ``featured`` is its place among the featured, from 1. ``tags`` are those besides
    ``latest``. ``note`` stands before the description. ``reviewed`` are rules and files (``rule sha256``) whose hits
    count as allowed. ``ruling`` tells one set of decisions from another.
    """

    withdrawn: bool = False
    quarantined: str | None = None
    deprecated: Deprecation | None = None
    archived: str | None = None
    featured: int | None = None
    tags: tuple[VersionTag, ...] = ()
    note: str = ""
    reviewed: tuple[str, ...] = ()
    ruling: str = ""

    @property
    def listed(self) -> bool:
        """Whether lists and search hold the skill. One under quarantine keeps only its page."""
        return self.quarantined is None

    @property
    def recommended(self) -> bool:
        """Whether the hub may put the skill forward."""
        return not self.withdrawn and self.deprecated is None and self.archived is None


@dataclass(frozen=True, slots=True)
class Handoff:
    """Where a public GitHub repository has the files of a release, and no others.

    ``repository`` is ``owner/name``, ``commit`` 40 hexadecimal digits, ``path`` the skill's folder without slashes at
    its ends (never the root: OpenClaw 2026.9.6 refuses that), ``content_hash`` ClawHub's hash of a GitHub folder.
    """

    repository: str
    commit: str
    path: str
    content_hash: Sha256


@dataclass(frozen=True, slots=True)
class Listing:
    """One published skill in a list: everything that lists, search and cards may know of it.

    ``setup`` are the environment variables its latest release requires. ``holds_slug`` is true where the bare
    slug resolves to this skill (no other owner has it). ``retained`` is true where no source holds the skill
    any longer and the hub serves what it once published. ``statuses`` name
    the skill's routes that do not answer 200: a file alone cannot say so.

    ``outcomes`` are the hosts' verdicts, one letter for each profile in their order (see
    :data:`OUTCOME_LETTERS`). ``codes`` are the codes of all findings, sorted, each once; ``tools`` the tools
    the skill asks for, None where it sets no limit. ``stance`` is what the operator decided. ``archive`` and ``paths``
    are the archive of the latest release and the files in it; ``handoff`` where GitHub has the very same files.
    """

    owner: Owner
    slug: Slug
    name: str
    display_name: str
    description: str
    version: Version
    created_at: TimeMs
    updated_at: TimeMs
    holds_slug: bool
    verdict: ScanVerdict
    license: str | None = None
    homepage: str | None = None
    emoji: str | None = None
    topics: tuple[str, ...] = ()
    category: str | None = None
    taxonomy: Taxonomy = Taxonomy()
    setup: tuple[str, ...] = ()
    os: tuple[str, ...] = ()
    changelog: str = ""
    file_count: int = 0
    size: int = 0
    findings: int = 0
    retained: bool = False
    statuses: tuple[RouteStatus, ...] = ()
    outcomes: str = ""
    codes: tuple[str, ...] = ()
    tools: tuple[str, ...] | None = None
    stance: Stance = Stance()
    archive: Archive | None = None
    paths: tuple[PackagePath, ...] = ()
    handoff: Handoff | None = None

    @property
    def offered(self) -> bool:
        """Whether an installer that names no version gets one."""
        return not self.stance.withdrawn and self.verdict is not ScanVerdict.BLOCK

    @property
    def recommended(self) -> bool:
        """Whether the hub may put the skill forward."""
        return self.offered and self.stance.recommended


@dataclass(frozen=True, slots=True)
class Rejected:
    """A skill folder that is not published, and why. ``findings`` holds at least one barring finding.

    ``verdicts`` say what hosts would do with the folder as it is; empty where it could not be read at all.
    """

    source: str
    folder: str
    name: str | None
    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...] = ()


class Protocol(StrEnum):
    """One family of consumers and the files they read; each can be switched off in ``hub.yml``."""

    CLAWHUB = "clawhub"
    AGENT_SKILLS = "agent_skills"
    WELL_KNOWN_SKILLS = "well_known_skills"
    CLAUDE_CODE = "claude_code"
    APM = "apm"
    BUNDLES = "bundles"
    SKILL_ARCHIVES = "skill_archives"
    AGENTSKILLS_HTTP = "agentskills_http"
    SKILL_SERVICE = "skill_service"
    AGENT_PAGES = "agent_pages"


@dataclass(frozen=True, slots=True)
class Collection:
    """Skills that the operator puts together. ``members`` are ``owner/slug``, ``slug`` or ``owner/*`` as written."""

    name: str
    title: str
    description: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the host that serves the hub can do, as far as documents depend on it.

    ``routes_queries``: it looks at the query, so that ``/api/v1/download?slug=`` finds an archive.
    ``answers_posts``: it answers OpenClaw's question before an install. ``sets_headers``: it sends the media types and
    policies we ask for, so that an author's page cannot run on the hub's origin.
    """

    routes_queries: bool = True
    answers_posts: bool = True
    sets_headers: bool = True


@dataclass(frozen=True, slots=True)
class ClientSupport:
    """How far a client gets on the host that the hub is built for: ``works``, ``part``, ``fails`` or ``absent``.

    ``reason`` is empty where it works.
    """

    name: str
    title: str
    level: str
    reason: str


@dataclass(frozen=True, slots=True)
class Hub:
    """What the writers may know about the hub itself.

    ``url`` is the public URL without a trailing slash, with its base path if it has one. ``hosting`` is the title of
    the kind of host it is built for, empty where the operator named none; ``clients`` say how far each gets there.
    ``full_text``: the whole text of its skills can be searched, not only names, topics and summaries.
    """

    name: str
    description: str
    url: str
    protocols: tuple[Protocol, ...] = tuple(Protocol)
    collections: tuple[Collection, ...] = ()
    hosting: str = ""
    abilities: Abilities = Abilities()
    clients: tuple[ClientSupport, ...] = ()
    full_text: bool = False

    @property
    def api(self) -> str:
        """The API's base URL without a trailing slash."""
        return f"{self.url}/api/v1"

    def speaks(self, protocol: Protocol) -> bool:
        """Whether the operator left a protocol switched on."""
        return protocol in self.protocols


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything the writers of lists may know. ``listings`` are sorted by (slug, owner)."""

    hub: Hub
    listings: tuple[Listing, ...]
    rejected: tuple[Rejected, ...]


@dataclass(frozen=True, slots=True)
class PublishedSkill:
    """Everything the writers of one skill's routes may know.

    ``releases`` are in the order of ``standing``, ``releases[0]`` is the latest, and the verdicts in them are those
    after reviews. ``folder`` is the content of the latest release, ``judgement`` what hosts and rules say about it,
    ``standing`` what the operator's decisions come to. ``compared`` are the pairs of versions, the older first, whose
    differences have a page.
    """

    hub: Hub
    listing: Listing
    releases: tuple[Release, ...]
    folder: SkillFolder
    judgement: Judgement
    standing: Standing
    compared: tuple[tuple[Version, Version], ...] = ()

    @property
    def latest(self) -> Release:
        """The release that an installer gets when it asks for no version."""
        return self.releases[0]

    @property
    def manifest(self) -> Manifest:
        """The manifest of the latest release; a published skill always has one."""
        assert self.folder.manifest is not None
        return self.folder.manifest


# --- what write makes ------------------------------------------------------------------------------


class Cache(StrEnum):
    """What a browser or a CDN may keep."""

    IMMUTABLE = "public, max-age=31536000, immutable"
    REVALIDATE = "public, max-age=60, must-revalidate"


@dataclass(frozen=True, slots=True)
class Route:
    """One ready answer: a URL path below the hub's base (absolute, unescaped), and its bytes.

    A path ending in ``/`` is a page. ``status`` other than 200 is kept by the publisher beside the bytes,
    so that ``serve`` and the edges can answer with it.
    """

    path: str
    body: bytes
    media_type: str
    cache: Cache = Cache.REVALIDATE
    status: int = 200


@dataclass(frozen=True, slots=True)
class SkillRoutes:
    """All routes of one skill. Laid out exploded each is a file; packed, ``answers`` share one pack.

    ``files`` are those that no program asks the API for: differences and the feed.
    """

    owner: Owner
    slug: Slug
    page: Route
    answers: tuple[Route, ...]
    ledger: Route
    archives: tuple[Route, ...]
    files: tuple[Route, ...] = ()
