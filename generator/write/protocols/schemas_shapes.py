"""The shapes of our own documents whose writers build them out of plain dictionaries, as types to make schemas of.

Nothing is written through these types: that they say what is written is held by ``tests/write/test_schemas.py``, which
checks every document of built hubs.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from generator.history.diff.files import FileChange
from generator.history.diff.manifests import FieldChange
from generator.history.diff.powers import PowerChanges
from generator.model import Cache, Protocol, Rejected, Release, Sha256, TimeMs
from generator.write.layout import Layout, Naming
from generator.write.protocols.claude_code_ledger import Bundle
from generator.write.protocols.events import ReleaseStatus, SkillStatus

Word = Literal["load", "loss", "refuse", "crash"]
"""What a host does with a skill."""


# --- the hub ---------------------------------------------------------------------------------------


class SourceCount(TypedDict):
    """A source and the skill folders it gave."""

    label: str
    folders: int


class HubDocument(TypedDict):
    """The root document, written last: what the hub is, and the sha256 of the documents all else is found through."""

    schema: Literal["skillpress.hub.v1"]
    name: str
    description: str
    url: str
    api: str
    generator: str
    layout: Layout
    naming: Naming
    hosting: str | None
    protocols: list[Protocol]
    skills: int
    notPublished: int
    sources: list[SourceCount]
    updatedAt: TimeMs
    documents: dict[str, Sha256]


class RouterDocument(TypedDict):
    """What a router must know: who owns which slug (its holder first), where skills went, which routes answer other
    than 200."""

    schema: Literal["skillpress.router.v1"]
    layout: Layout
    naming: Naming
    clawhub: NotRequired[Literal[False]]
    slugs: dict[str, list[str]]
    moved: NotRequired[dict[str, str]]
    movedSlugs: NotRequired[dict[str, str]]
    statuses: dict[str, int]


class PackedAnswer(TypedDict):
    """One ready answer."""

    type: str
    cache: Cache
    status: int
    body: str


class PackDocument(TypedDict):
    """All ready answers of one skill by route, in the packed layout."""

    schema: Literal["skillpress.pack.v1"]
    answers: dict[str, PackedAnswer]


# --- ledgers and the change feed -------------------------------------------------------------------


class LedgerLine(TypedDict):
    """One line of a skill's ledger. ``prev`` is the sha256 of the line before, 64 zeros in the first."""

    prev: Sha256
    release: Release


class BundleLine(TypedDict):
    """One line of a collection's ledger. ``prev`` is the sha256 of the line before, 64 zeros in the first."""

    prev: Sha256
    bundle: Bundle


class LedgersDocument(TypedDict):
    """The sha256 of the last line of every ledger, by ``owner/slug`` and by the name of a collection."""

    schema: Literal["skillpress.ledgers.v1"]
    heads: dict[str, Sha256]
    collections: NotRequired[dict[str, Sha256]]


class SkillState(TypedDict):
    """Where a skill stands. ``releases`` by version: status, first-seen time, fingerprint, sha256 and size of the
    archive (null and 0 where there never was one), the operator's reason."""

    status: SkillStatus
    latest: str | None
    to: str
    reason: str
    releases: dict[str, tuple[ReleaseStatus, TimeMs, Sha256, Sha256 | None, int, str]]


class StateDocument(TypedDict):
    """Every file of the hub with its sha256 and size, and where every release stands."""

    schema: Literal["skillpress.state.v1"]
    skills: dict[str, SkillState]
    files: dict[str, tuple[Sha256, int]]


# --- the site --------------------------------------------------------------------------------------


class ReportDocument(TypedDict):
    """Every folder that is not published, and why."""

    schema: Literal["skillpress.report.v1"]
    rejected: list[Rejected]


class Probe(TypedDict):
    """One skill folder: for each host what its program did, what is computed, and a note; null where it was not run."""

    id: str
    cells: list[tuple[Word, Word, str] | None]


class AgreementDocument(TypedDict):
    """Computed verdicts beside what the released programs did."""

    schema: Literal["skillpress.agreement.v1"]
    hosts: list[str]
    probes: list[Probe]


class DiffDocument(TypedDict):
    """What differs between two versions of a skill; fields that hold their default are left out."""

    schema: Literal["skillpress.diff.v1"]
    owner: str
    slug: str
    old: str
    new: str
    powers: PowerChanges
    fields: list[FieldChange]
    files: list[FileChange]


class DocumentRow(TypedDict):
    """Documents at addresses of this form (``{x}`` one segment or a part of it, ``{+x}`` several), that answer with
    this status: their schema, null for files of others. ``lines`` says that each line is a document."""

    path: str
    status: int
    schema: str | None
    lines: NotRequired[Literal[True]]


class SchemaIndex(TypedDict):
    """Which schema the JSON documents of this hub have; the first row that fits an address is the one."""

    schema: Literal["skillpress.schemas.v1"]
    documents: list[DocumentRow]


# --- what an operator writes -----------------------------------------------------------------------


class Successor(TypedDict):
    """What to use instead of a skill, and why."""

    successor: NotRequired[str]
    reason: NotRequired[str | None]


class ReviewNote(TypedDict):
    """A scan finding that somebody looked into: the rule, the file it matched in, who and why."""

    rule: str
    sha256: Sha256
    by: str
    reason: str


class OverlayFile(TypedDict):
    """A file of the folder ``overlay/``, and the value of ``overlay:`` in ``hub.yml``: the operator's decisions, by
    ``owner/slug`` or ``owner/slug@version``."""

    yank: NotRequired[dict[str, str]]
    deprecate: NotRequired[dict[str, str | Successor | None]]
    archive: NotRequired[dict[str, str | None]]
    quarantine: NotRequired[dict[str, str]]
    rename: NotRequired[dict[str, str]]
    feature: NotRequired[list[str]]
    tags: NotRequired[dict[str, dict[str, str]]]
    categories: NotRequired[dict[str, str]]
    slugs: NotRequired[dict[str, str]]
    reviews: NotRequired[list[ReviewNote]]
