"""JSON Schemas (2020-12) of every JSON document a build writes, and the index that says which one a document has.

``/schemas/NAME.v1.json``, and ``/schemas/index.json`` from forms of addresses to schemas. Our own documents are closed:
a key that is not named is an error. Those whose format others own leave room, as their readers do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from generator.jsondata import dump_bytes
from generator.model import Route
from generator.write.protocols import agentskills_http, apm, bundles
from generator.write.protocols import clawhub_answers as answers
from generator.write.protocols import clawhub_packages as packages
from generator.write.protocols import clawhub_types as documents
from generator.write.protocols import schemas_formats as formats
from generator.write.protocols import schemas_search as searching
from generator.write.protocols import schemas_shapes as shapes
from generator.write.protocols.changes import Change, Index
from generator.write.protocols.schemas_types import Definitions, Schema

FOLDER: Final = "/schemas"
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
OPENAPI_SCHEMA: Final = "https://spec.openapis.org/oas/3.1/schema/2022-10-07"
_TYPE: Final = "application/schema+json"


@dataclass(frozen=True, slots=True)
class _Ours:
    """A document whose format is ours. ``whole``: dataclasses in it are written with every field."""

    shape: Any
    whole: bool = False


_OURS: Final[Mapping[str, _Ours]] = {
    "agreement": _Ours(shapes.AgreementDocument),
    "bundle-line": _Ours(shapes.BundleLine),
    "change": _Ours(Change),
    "changes": _Ours(Index),
    "diff": _Ours(shapes.DiffDocument),
    "hub": _Ours(shapes.HubDocument),
    "ledger-line": _Ours(shapes.LedgerLine),
    "ledgers": _Ours(shapes.LedgersDocument),
    "overlay": _Ours(shapes.OverlayFile),
    "pack": _Ours(shapes.PackDocument),
    "report": _Ours(shapes.ReportDocument, whole=True),
    "router": _Ours(shapes.RouterDocument),
    "schemas": _Ours(shapes.SchemaIndex),
    "state": _Ours(shapes.StateDocument),
}
_OTHERS: Final[Mapping[str, Any]] = {
    "agent-skills": formats.DiscoveryIndex,
    "agentskills-files": agentskills_http.FileList,
    "agentskills-names": formats.SkillNames,
    "ambiguous-slug": answers.AmbiguousSlug,
    "apm-problem": apm.Problem,
    "apm-versions": formats.RegistryVersions,
    "bundle": bundles.Bundle,
    "discovery": answers.Discovery,
    "install": answers.InstallAllowed | answers.InstallFromGitHub,
    "install-refused": answers.InstallRefused,
    "marketplace": formats.Marketplace,
    "moderation": documents.ModerationAnswer,
    "npm-problem": formats.NpmProblem,
    "package": packages.PackageAnswer,
    "package-list": packages.PackageList,
    "package-version": packages.PackageVersionAnswer,
    "package-versions": packages.PackageVersions,
    "packument": formats.Packument,
    "resolve": answers.ResolveAnswer,
    "scan": answers.ScanAnswer,
    "search-results": answers.SearchResults,
    "security-verdict": answers.VerdictItem,
    "skill-detail": documents.SkillDetail,
    "skill-list": answers.SkillList,
    "skill-service": formats.ServiceList,
    "trending": answers.Trending,
    "verify": answers.VerifyAnswer,
    "version": documents.VersionAnswer,
    "version-list": documents.VersionList,
    "well-known-skills": formats.LegacyIndex,
}
_SEARCH: Final[Mapping[str, Callable[[], Schema]]] = {
    "search.v2": searching.search_schema,
    "search-names.v2": searching.names_schema,
    "search-summaries.v2": searching.summaries_schema,
}
_Row = tuple[str, Mapping[int, str | None]]


def _same(name: str, *paths: str) -> tuple[_Row, ...]:
    return tuple((path, {200: name}) for path in paths)


def _skill_rows(base: str, more: Mapping[int, str | None]) -> tuple[_Row, ...]:
    """The documents of ClawHub's API about one skill."""
    refused: Mapping[int, str | None] = {403: "install-refused", 410: "install-refused"}
    judged = [
        row
        for at in (base, f"{base}/versions/{{version}}")
        for name in ("verify", "scan", "security-verdict")
        for row in _same(name, f"{at}/{name}")
    ]
    return (
        (base, {200: "skill-detail", **more}),
        *_same("version-list", f"{base}/versions"),
        *_same("version", f"{base}/versions/{{version}}"),
        (f"{base}/install", {200: "install", **refused}),
        *_same("moderation", f"{base}/moderation"),
        *_same("resolve", f"{base}/resolve", f"{base}/resolve/{{fingerprint}}"),
        *judged,
    )


def _package_rows(base: str) -> tuple[_Row, ...]:
    return (
        *_same("package", base),
        *_same("package-versions", f"{base}/versions"),
        *_same("package-version", f"{base}/versions/{{version}}"),
    )


_DISCOVERY_AT: Final = ("", "/{owner}", "/collections/{name}", "/{owner}/skills/{slug}")
_ROWS: Final[tuple[_Row, ...]] = (
    *_same("hub", "/hub.json"),
    *_same("router", "/router.json"),
    *_same("pack", "/packs/{owner}/{slug}.json"),
    *_same("ledgers", "/ledger/index.json"),
    *_same("bundle-line", "/ledger/collections/{name}.jsonl"),
    *_same("ledger-line", "/ledger/{owner}/{slug}.jsonl"),
    *_same("changes", "/changes/index.json"),
    *_same("state", "/changes/state.json"),
    *_same("change", "/changes/{sequence}.json"),
    *_same("search.v2", "/search/index.json"),
    *_same("search-names.v2", "/search/names.json"),
    *_same("search-summaries.v2", "/search/summaries-{number}.json"),
    *_same("report", "/report.json"),
    *_same("agreement", "/hosts/agreement.json"),
    *_same("schemas", f"{FOLDER}/index.json"),
    (f"{FOLDER}/{{name}}.json", {200: DRAFT}),
    *_same("diff", "/{owner}/skills/{slug}/diff/{old}...{new}.json"),
    *_same("discovery", "/.well-known/clawhub.json", "/.well-known/clawdhub.json"),
    *_same("agent-skills", "/.well-known/agent-skills/missing.json"),
    *(
        row
        for at in _DISCOVERY_AT
        for row in _same("agent-skills", f"{at}/.well-known/agent-skills/index.json")
    ),
    *_same("well-known-skills", "/.well-known/skills/index.json"),
    ("/.well-known/skills/{slug}/{+path}", {200: None}),
    *_same("agentskills-names", "/agentskills/index.json"),
    *_same("agentskills-files", "/agentskills/{slug}/index.json"),
    ("/agentskills/{slug}/{+path}", {200: None}),
    *_same("bundle", "/bundles/{slug}.json", "/bundles/{owner}/{slug}.json"),
    *_same("marketplace", "/claude/marketplace.json"),
    ("/npm/@{owner}/{slug}", {200: "packument", **dict.fromkeys((403, 404, 410), "npm-problem")}),
    (
        "/v1/packages/{owner}/{slug}/versions",
        {200: "apm-versions", **dict.fromkeys((403, 410), "apm-problem")},
    ),
    ("/api/v1/openapi.json", {200: OPENAPI_SCHEMA}),
    *_same("skill-list", "/api/v1/skills"),
    *_same("search-results", "/api/v1/search"),
    *_same("trending", "/api/v1/trending"),
    *_same("skill-service", "/api/v1/skill/list"),
    *_same("package-list", packages.PACKAGES, *packages.PLUGIN_LISTS),
    *_package_rows(f"{packages.PACKAGES}/@{{owner}}/{{slug}}"),
    *_package_rows(f"{packages.PACKAGES}/{{name}}"),
    *_skill_rows("/api/v1/skills/{slug}", {409: "ambiguous-slug"}),
    *_skill_rows("/api/v1/owners/{owner}/skills/{slug}", {}),
)


def schema_routes() -> tuple[Route, ...]:
    """The index, and every schema it names that lies on the hub; the same for every hub."""
    index: shapes.SchemaIndex = {"schema": "skillpress.schemas.v1", "documents": list(_rows())}
    made = {
        **{_full(name): _of(one.shape, closed=True, whole=one.whole) for name, one in _OURS.items()},
        **{_full(name): _of(shape) for name, shape in _OTHERS.items()},
        **{name: make() for name, make in _SEARCH.items()},
    }
    return (
        Route(f"{FOLDER}/index.json", dump_bytes(index), "application/json"),
        *(
            Route(
                f"{FOLDER}/{name}.json",
                dump_bytes({"$schema": DRAFT, "$id": f"urn:skillpress:{name}", **schema}),
                _TYPE,
            )
            for name, schema in sorted(made.items())
        ),
    )


def _full(name: str) -> str:
    """A schema's name with its version, which is the first where nothing is said."""
    return name if name in _SEARCH else f"{name}.v1"


def _of(shape: Any, *, closed: bool = False, whole: bool = False) -> Schema:
    definitions = Definitions(closed=closed, whole=whole)
    return {**definitions.schema(shape), "$defs": definitions.found}


def _rows() -> Iterable[shapes.DocumentRow]:
    for path, by_status in _ROWS:
        for status, name in by_status.items():
            elsewhere = name is None or "://" in name
            row: shapes.DocumentRow = {
                "path": path,
                "status": status,
                "schema": name if elsewhere else f"{FOLDER}/{_full(str(name))}.json",
            }
            if path.endswith(".jsonl"):
                row["lines"] = True
            yield row
