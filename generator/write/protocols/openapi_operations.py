"""Every question a hub answers, as data: the address, what it takes, and what it answers with which status.

``skillpress serve`` and the routers answer all of them; ``tests/serve/test_schemathesis.py`` asks a real server.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from generator.model import Hub, Protocol
from generator.write.protocols import agentskills_http, apm, bundles
from generator.write.protocols import clawhub_answers as answers
from generator.write.protocols import clawhub_packages as packages
from generator.write.protocols import clawhub_types as documents
from generator.write.protocols import schemas_formats as formats
from generator.write.protocols import schemas_shapes as shapes
from generator.write.protocols.changes import Change, Index

TEXT: Final = "text/plain"
JSON_LINES: Final = "application/x-ndjson"
ZIP: Final = "application/zip"
BYTES: Final = "application/octet-stream"
MARKDOWN: Final = "text/markdown"
XML: Final = "application/xml"
OTHER_JSON: Final = "application/json"
"""A document whose schema is elsewhere: below ``/schemas/``, or a standard's."""
RAW: Final = (BYTES, TEXT, "image/gif", "image/jpeg", "image/png", "image/webp")
"""The types an author's file may have where it is served by itself: none that acts."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. ``kinds`` are media types, or the type of a JSON document."""

    status: int
    text: str
    kinds: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One question. ``query`` are the parameters it takes, ``required`` those it cannot do without, ``body`` the type
    of a POST's. ``ranges``: parts of the answer can be had. ``kept``: the answer has an ``ETag``."""

    path: str
    summary: str
    answers: tuple[Answer, ...]
    query: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    body: type | None = None
    ranges: bool = False
    kept: bool = True


_OWNER: Final = ("ownerHandle", "owner")
_WHICH: Final = (*_OWNER, "version", "tag")
_FAMILY: Final = ("family", "isOfficial")
_SHOWN: Final = (*_OWNER, "nonSuspiciousOnly")
_MISSING: Final = Answer(404, "There is none", (TEXT,))
_NO_FILE: Final = Answer(404, "There is none; a browser gets a page", (TEXT, "text/html"))
_UNREADABLE: Final = Answer(400, "A parameter is missing or cannot be read; says which", (TEXT,))
_SHARED: Final = Answer(409, "Several owners have the slug; names them", (answers.AmbiguousSlug,))
_WITHHELD: Final = Answer(410, "The operator gives it out no more; says why", (TEXT,))
_BLOCKED: Final = Answer(403, "The security scan blocks it", (TEXT,))


def operations(hub: Hub) -> tuple[Operation, ...]:
    """Every operation of a hub that speaks these protocols."""
    by_protocol: tuple[tuple[Protocol, Iterable[Operation]], ...] = (
        (Protocol.CLAWHUB, (*_CLAWHUB, *_about_skill("/api/v1/skills/{slug}", _OWNER))),
        (Protocol.CLAWHUB, _about_skill("/api/v1/owners/{owner}/skills/{slug}", ())),
        (Protocol.CLAWHUB, (*_PACKAGES, *_package("/api/v1/packages/{name}"))),
        (Protocol.CLAWHUB, _package("/api/v1/packages/@{owner}/{slug}")),
        (Protocol.AGENT_SKILLS, _AGENT_SKILLS),
        (Protocol.WELL_KNOWN_SKILLS, _WELL_KNOWN_SKILLS),
        (Protocol.AGENTSKILLS_HTTP, _AGENTSKILLS_HTTP),
        (Protocol.CLAUDE_CODE, _CLAUDE_CODE),
        (Protocol.APM, _APM),
        (Protocol.BUNDLES, _BUNDLES),
        (Protocol.SKILL_ARCHIVES, (_archive("skill", "The archive with a folder", ZIP),)),
        (Protocol.SKILL_SERVICE, (_file("/api/v1/skill/list", "Every skill", formats.ServiceList),)),
        (Protocol.AGENT_PAGES, _AGENT_PAGES),
    )
    return (*_FILES, *(one for protocol, some in by_protocol if hub.speaks(protocol) for one in some))


def _got(*kinds: Any) -> Answer:
    return Answer(200, "The answer", kinds)


def _file(path: str, summary: str, *kinds: Any) -> Operation:
    """A document that lies there as a file; the API says less where there is none."""
    return Operation(path, summary, (_got(*kinds), _MISSING if path.startswith("/api/") else _NO_FILE))


def _archive(suffix: str, summary: str, kind: str) -> Operation:
    path = f"/dl/{{owner}}/{{slug}}-{{version}}.{suffix}"
    return Operation(path, f"{summary} of a version", (_got(kind), _NO_FILE, _WITHHELD), ranges=True)


def _raw_file(tree: str) -> Operation:
    """A file of a skill's latest release."""
    too_large = Answer(413, "The file is larger than 10 MB", (TEXT,))
    answered = (_got(*RAW), _BLOCKED, _NO_FILE, _SHARED, _WITHHELD, too_large)
    return Operation(f"{tree}/{{slug}}/{{path}}", "A file of a skill", answered)


def _about_skill(base: str, owner: tuple[str, ...]) -> tuple[Operation, ...]:
    """ClawHub's documents about one skill. Where the address names the owner, no slug is ambiguous."""
    shared = (_SHARED,) if owner else ()
    which = (*owner, "version", "tag")
    at = f"{base}/versions/{{version}}"
    refused = Answer(410, "Nothing is offered; says why", (answers.InstallRefused,))
    blocked = Answer(403, "The security scan blocks it", (answers.InstallRefused,))

    def ask(path: str, summary: str, kind: Any, query: tuple[str, ...] = owner, *more: Answer) -> Operation:
        return Operation(path, summary, (_got(kind), *more, _MISSING, *shared), query)

    return (
        ask(base, "One skill", documents.SkillDetail),
        ask(f"{base}/versions", "Its versions", documents.VersionList),
        ask(at, "One version", documents.VersionAnswer, owner, _WITHHELD),
        ask(
            f"{base}/install", "How to install it", answers.InstallAllowed | answers.InstallFromGitHub, owner,
            blocked, refused,
        ),
        ask(f"{base}/moderation", "Moderation", documents.ModerationAnswer),
        ask(f"{base}/resolve", "The latest version", answers.ResolveAnswer),
        ask(
            f"{base}/resolve/{{hash}}", "The version with a fingerprint", answers.ResolveAnswer, owner, _UNREADABLE
        ),
        *(
            ask(f"{place}/{name}", summary, kind, query)
            for place, query in ((base, which), (at, owner))
            for name, summary, kind in (
                ("verify", "The verdict", answers.VerifyAnswer),
                ("scan", "What the security scan found", answers.ScanAnswer),
                ("card", "The skill card", MARKDOWN),
                ("security-verdict", "One verdict as the POST gives it", answers.VerdictItem),
            )
        ),
        Operation(
            f"{base}/file", "One file of a version",
            (
                _got(*RAW), _UNREADABLE, _BLOCKED, _MISSING, *shared, _WITHHELD,
                Answer(413, "The file is larger than 10 MB", (TEXT,)),
            ),
            ("path", *which), ("path",),
        ),
    )  # fmt: skip


def _package(base: str) -> tuple[Operation, ...]:
    return (
        Operation(base, "One skill as a package", (_got(packages.PackageAnswer), _MISSING)),
        Operation(f"{base}/versions", "Its versions", (_got(packages.PackageVersions), _MISSING)),
        Operation(
            f"{base}/versions/{{version}}", "One version", (_got(packages.PackageVersionAnswer), _MISSING)
        ),
        Operation(
            f"{base}/file",
            "One file of a version",
            (
                _got(*RAW),
                _UNREADABLE,
                _BLOCKED,
                _MISSING,
                _WITHHELD,
                Answer(413, "The file is larger than 10 MB", (TEXT,)),
            ),
            ("path", "version", "tag"),
            ("path",),
        ),
    )


_FILES: Final = (
    _file("/hub.json", "What this hub is", shapes.HubDocument),
    _file("/router.json", "What a router must know", shapes.RouterDocument),
    _file("/search/index.json", "The search index", OTHER_JSON),
    _file("/report.json", "Every folder that is not published", shapes.ReportDocument),
    _file("/hosts/agreement.json", "Verdicts beside what programs did", shapes.AgreementDocument),
    _file("/ledger/index.json", "The last line's digest of every ledger", shapes.LedgersDocument),
    _file("/ledger/{owner}/{slug}.jsonl", "The ledger of a skill", JSON_LINES),
    _file("/changes/index.json", "The change feed", Index),
    _file("/changes/state.json", "Every file, and where every release stands", shapes.StateDocument),
    _file("/changes/{sequence}.json", "What one build changed", Change),
    _file("/schemas/index.json", "Which document has which schema", shapes.SchemaIndex),
    _file("/schemas/{name}.json", "A JSON Schema", OTHER_JSON),
    _file("/feeds/hub.xml", "Releases as an Atom feed", "application/atom+xml"),
    _file("/{owner}/skills/{slug}/diff/{old}...{new}.json", "What differs between versions", shapes.DiffDocument),
    _file("/tree/{path}", "A file as it lies on disk, for mirrors", BYTES),
    _archive("zip", "The archive", ZIP),
)  # fmt: skip
_CLAWHUB: Final = (
    _file("/.well-known/clawhub.json", "Where the API is", answers.Discovery),
    _file("/.well-known/clawdhub.json", "Where the API is", answers.Discovery),
    _file("/api/v1/openapi.json", "This document", OTHER_JSON),
    Operation(
        "/api/v1/skills", "Every skill", (_got(answers.SkillList), _UNREADABLE),
        ("limit", "cursor", "sort", "prefix", *_SHOWN),
    ),
    Operation(
        "/api/v1/search", "Skills that match, best first", (_got(answers.SearchResults), _UNREADABLE),
        ("q", "limit", "mode", *_SHOWN),
    ),
    Operation(
        "/api/v1/trending", "The latest releases", (_got(answers.Trending), _UNREADABLE), ("kind", "limit")
    ),
    *(
        Operation(
            path, "The version with a fingerprint", (_got(answers.ResolveAnswer), _UNREADABLE, _MISSING, _SHARED),
            ("slug", "hash", *_OWNER), ("slug", "hash"),
        )
        for path in ("/api/v1/resolve", "/api/v1/skills/resolve")
    ),
    Operation(
        "/api/v1/download", "The archive of a version",
        (_got(ZIP), _UNREADABLE, _BLOCKED, _MISSING, _SHARED, _WITHHELD),
        ("slug", *_WHICH), ("slug",), ranges=True,
    ),
    Operation(
        "/api/v1/skills/-/security-verdicts", "Verdicts on up to 100 exact versions",
        (
            _got(answers.VerdictAnswer),
            Answer(400, "A request that cannot be read", (TEXT,)),
            Answer(413, "The body is too large", (TEXT,)),
        ),
        body=answers.VerdictRequest, kept=False,
    ),
)  # fmt: skip
_PACKAGES: Final = (
    Operation(
        "/api/v1/packages", "Every skill as a package", (_got(packages.PackageList), _UNREADABLE),
        ("limit", "cursor", *_FAMILY),
    ),
    Operation(
        "/api/v1/packages/search", "Packages that match, best first", (_got(packages.PackageSearch), _UNREADABLE),
        ("q", "limit", *_FAMILY),
    ),
    *(Operation(path, "None", (_got(packages.PackageList), _MISSING)) for path in packages.PLUGIN_LISTS),
)  # fmt: skip
_DISCOVERY: Final = ".well-known/agent-skills/index.json"
_AGENT_SKILLS: Final = (
    _file(f"/{_DISCOVERY}", "Agent Skills discovery: every skill", formats.DiscoveryIndex),
    *(
        # Where there is no such page the index leads to a notice: a 404 would send clients to the index of all.
        Operation(f"{at}/{_DISCOVERY}", summary, (_got(formats.DiscoveryIndex),))
        for at, summary in (
            ("/{owner}", "One owner's skills"),
            ("/collections/{name}", "A collection's skills"),
            ("/{owner}/skills/{slug}", "One skill"),
        )
    ),
)
_WELL_KNOWN_SKILLS: Final = (
    _file("/.well-known/skills/index.json", "Agent Skills discovery 0.1.0", formats.LegacyIndex),
    _raw_file("/.well-known/skills"),
)
_AGENTSKILLS_HTTP: Final = (
    _file("/agentskills/index.json", "The names of all skills", formats.SkillNames),
    _file("/agentskills/{slug}/index.json", "The files of a skill", agentskills_http.FileList),
    _raw_file("/agentskills"),
)
_CLAUDE_CODE: Final = (
    _file("/claude/marketplace.json", "The marketplace of Claude Code", formats.Marketplace),
    Operation(
        "/npm/@{owner}/{slug}", "The packument of a package",
        (
            _got(formats.Packument),
            Answer(403, "The security scan blocks it", (formats.NpmProblem,)),
            Answer(404, "There is none, or no version of it", (formats.NpmProblem, TEXT, "text/html")),
            Answer(410, "Nothing is offered; says why", (formats.NpmProblem,)),
        ),
    ),
    _archive("tgz", "The npm tarball", "application/gzip"),
    _file("/ledger/collections/{name}.jsonl", "The ledger of a collection", JSON_LINES),
)  # fmt: skip
_APM: Final = (
    Operation(
        "/v1/packages/{owner}/{slug}/versions", "Microsoft APM: the versions of a package",
        (
            _got(formats.RegistryVersions),
            Answer(403, "The security scan blocks it", (apm.Problem,)),
            _NO_FILE,
            Answer(410, "Nothing is offered; says why", (apm.Problem,)),
        ),
    ),
    Operation(
        "/v1/packages/{owner}/{slug}/versions/{version}/download", "The archive of a version",
        (_got(ZIP), _BLOCKED, _NO_FILE, _WITHHELD), ranges=True,
    ),
)  # fmt: skip
_BUNDLES: Final = (
    _file("/bundles/{slug}.json", "A skill as one document", bundles.Bundle),
    _file("/bundles/{owner}/{slug}.json", "A skill as one document", bundles.Bundle),
)
_AGENT_PAGES: Final = (
    _file("/llms.txt", "What an agent should read first", TEXT),
    _file("/llms-full.txt", "The texts of the skills", TEXT),
    _file("/sitemap.xml", "Every page", XML),
    _file("/{owner}/skills/{slug}/index.md", "The page of a skill as Markdown", MARKDOWN),
)
