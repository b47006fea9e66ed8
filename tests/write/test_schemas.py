"""Every JSON document of a built hub has a schema by the hub's own index, and fits it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate as validate_openapi

from generator.history.overlay.reading import KINDS
from generator.judge.profiles import load_profiles
from generator.model import Abilities, Handoff, Sha256
from generator.search.entries import NAME_COLUMNS, TEXT_COLUMNS
from generator.search.index import search_routes
from generator.write.layout import Layout
from generator.write.protocols.clawhub import skill_answers
from generator.write.protocols.schemas import DRAFT, OPENAPI_SCHEMA, schema_routes
from generator.write.protocols.schemas_search import NAMES, TEXTS
from generator.write.publish import WORK_FOLDER
from tests.build.hubs import LittleHub
from tests.build.test_overlay import DECISIONS
from tests.golden.samples import catalog_of, sample, samples
from tests.write.rich_hub import DECISIONS as RICH_DECISIONS
from tests.write.rich_hub import build_rich_hub

ROUTES = {route.path: route for route in schema_routes()}
INDEX = json.loads(ROUTES["/schemas/index.json"].body)


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON document at an address, with the status it answers with."""

    path: str
    status: int
    value: Any


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> dict[str, LittleHub]:
    return {
        layout.value: build_rich_hub(tmp_path_factory.mktemp("rich") / layout.value, layout.value)
        for layout in Layout
    }


@pytest.fixture(scope="module")
def found(rich: dict[str, LittleHub]) -> dict[str, list[Document]]:
    """The documents of the rich hub in both layouts, and of one so large that its search index is split."""
    split = search_routes(catalog_of(samples()), load_profiles(), split_above=0, chunk=3)
    return {
        **{layout: list(documents_of(hub.out)) for layout, hub in rich.items()},
        "large": [Document(route.path, 200, json.loads(route.body)) for route in split],
    }


@pytest.fixture(scope="module")
def each(found: dict[str, list[Document]]) -> dict[str, Document]:
    return sample_of_each(found)


def documents_of(root: Path) -> Iterator[Document]:
    """Every JSON document below a hub's root, of packs their answers too; lines of a ledger one by one."""
    statuses = json.loads((root / "router.json").read_bytes())["statuses"]
    for file in sorted(root.rglob("*")):
        relative = file.relative_to(root).as_posix()
        if not file.is_file() or relative.startswith(WORK_FOLDER):
            continue
        path = address_of(relative)
        if relative.endswith(".jsonl"):
            yield from (Document(path, 200, json.loads(line)) for line in file.read_bytes().splitlines())
            continue
        try:
            value = json.loads(file.read_bytes())
        except ValueError:
            assert not relative.endswith(".json"), relative
            continue
        yield Document(path, statuses.get(path, 200), value)
        for route, answer in value["answers"].items() if relative.startswith("packs/") else ():
            if answer["type"].startswith("application/json"):
                yield Document(route, answer["status"], json.loads(answer["body"]))


def address_of(relative: str) -> str:
    """The address of a file: documents of the APIs lie in ``index.html``."""
    if relative.startswith(("api/v1/", "v1/packages/")):
        relative = relative.removesuffix("/index.html")
    return f"/{relative}"


def row_of(path: str, status: int) -> dict[str, Any] | None:
    """The row of the index for a document."""
    rows = (row for row in INDEX["documents"] if row["status"] == status)
    return next((row for row in rows if pattern_of(row["path"]).fullmatch(path)), None)


@cache
def pattern_of(path: str) -> re.Pattern[str]:
    parts = re.split(r"(\{\+?[a-z]+\})", path)
    return re.compile(
        "".join(
            (".+" if part.startswith("{+") else "[^/]+") if part.startswith("{") else re.escape(part)
            for part in parts
        )
    )


def name_of(address: str) -> str:
    """A schema's name without its version."""
    return address.removeprefix("/schemas/").partition(".")[0]


@cache
def validator(address: str, *, close: bool = False) -> Draft202012Validator:
    schema = Draft202012Validator.META_SCHEMA if address == DRAFT else json.loads(ROUTES[address].body)
    return Draft202012Validator(closed(schema) if close else schema)


def closed(node: Any) -> Any:
    """The same schemas without room for keys they do not name, so that a misspelt key shows."""
    if isinstance(node, dict):
        copy = {key: closed(value) for key, value in node.items()}
        return {**copy, "additionalProperties": False} if isinstance(node.get("required"), list) else copy
    return [closed(item) for item in node] if isinstance(node, list) else node


def faults(document: Document, *, close: bool = True) -> list[str]:
    """What is wrong with a document, by the schema the index gives it."""
    row = row_of(document.path, document.status)
    if row is None:
        return [f"{document.path} ({document.status}): no schema"]
    if row["schema"] is None:
        return []
    if row["schema"] == OPENAPI_SCHEMA:
        validate_openapi(document.value)
        return []
    close = close and row["schema"] != DRAFT
    return [
        f"{document.path} ({document.status}): {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
        for error in validator(row["schema"], close=close).iter_errors(document.value)
    ]


# --- the schemas -----------------------------------------------------------------------------------


@pytest.mark.parametrize("address", [one for one in ROUTES if not one.endswith("index.json")])
def test_it_is_a_schema(address: str) -> None:
    schema = json.loads(ROUTES[address].body)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == DRAFT
    assert schema["$id"] == f"urn:skillpress:{address.removeprefix('/schemas/').removesuffix('.json')}"
    assert references(schema) <= {f"#/$defs/{name}" for name in schema.get("$defs", ())}


def references(node: Any) -> set[str]:
    if isinstance(node, dict):
        own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
        return own.union(*map(references, node.values()))
    return set().union(*map(references, node)) if isinstance(node, list) else set()


def test_the_index_names_every_schema_and_no_other() -> None:
    named = {row["schema"] for row in INDEX["documents"]} - {None, DRAFT, OPENAPI_SCHEMA}
    not_documents = {"/schemas/index.json", "/schemas/overlay.v1.json"}
    assert named == set(ROUTES) - not_documents


OURS = [address for address in ROUTES if b'"additionalProperties":false' in ROUTES[address].body]


def test_our_own_documents_have_no_room_for_more() -> None:
    names = {name_of(address) for address in OURS}
    assert names == {
        "agreement", "bundle-line", "change", "changes", "diff", "hub", "ledger-line", "ledgers", "overlay",
        "pack", "report", "router", "schemas", "search", "search-names", "search-summaries", "state",
    }  # fmt: skip


def test_the_columns_of_the_search_index_are_known() -> None:
    assert list(NAMES) == [column.name for column in NAME_COLUMNS]
    assert list(TEXTS) == [column.name for column in TEXT_COLUMNS]


# --- what builds write -----------------------------------------------------------------------------


@pytest.mark.parametrize("layout", [*Layout, "large"])
def test_every_document_fits_its_schema(found: dict[str, list[Document]], layout: str) -> None:
    told = [fault for document in found[layout] for fault in faults(document)]
    assert not told, "\n".join(told[:40])


def test_a_handoff_to_github_fits() -> None:
    """What a build of a public repository for a host of plain files writes."""
    skill = sample().skill
    place = Handoff("acme/skills", "a" * 40, "skills/demo", Sha256("b" * 64))
    elsewhere = replace(
        skill,
        hub=replace(skill.hub, abilities=Abilities(routes_queries=False, answers_posts=False)),
        listing=replace(skill.listing, handoff=place),
    )
    documents = [
        Document(route.path, route.status, json.loads(route.body))
        for route in skill_answers(elsewhere)
        if route.media_type == "application/json"
    ]
    assert [fault for document in documents for fault in faults(document)] == []
    (install,) = (one.value for one in documents if one.path.endswith("/install"))
    assert install["installKind"] == "github"


@pytest.mark.parametrize("layout", list(Layout))
def test_the_hub_serves_its_schemas(rich: dict[str, LittleHub], layout: Layout) -> None:
    for path, route in ROUTES.items():
        assert (rich[layout].out / path[1:]).read_bytes() == route.body, path


def test_every_schema_was_needed(found: dict[str, list[Document]]) -> None:
    """A schema that no document of the rich hub has was not tested here."""
    used = {
        row["schema"]
        for documents in found.values()
        for document in documents
        if (row := row_of(document.path, document.status)) is not None
    }
    assert {row["schema"] for row in INDEX["documents"]} - used - {None} == set()


# --- that they can fail ----------------------------------------------------------------------------


def sample_of_each(found: dict[str, list[Document]]) -> dict[str, Document]:
    """For each schema the document with the most keys, long lists and maps cut short."""
    kept: dict[str, tuple[int, Document]] = {}
    for document in [one for documents in found.values() for one in documents]:
        row = row_of(document.path, document.status)
        if row is None or row["schema"] not in ROUTES:
            continue
        short = Document(document.path, document.status, shorten(document.value))
        keys = sum(1 for _ in misspelt(short.value))
        if keys > kept.get(row["schema"], (-1, short))[0]:
            kept[row["schema"]] = (keys, short)
    return {address: document for address, (_, document) in kept.items()}


def shorten(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shorten(one) for key, one in list(value.items())[: 3 if len(value) > 40 else None]}
    return [shorten(one) for one in value[:1]] if isinstance(value, list) and len(value) > 20 else value


def test_a_misspelt_key_anywhere_is_a_fault(each: dict[str, Document]) -> None:
    """Every key of a sample of every kind of document, one after the other, but for keys of maps."""
    tried, missed = 0, []
    for address, document in each.items():
        name = name_of(address)
        assert not faults(document)
        for place, value in misspelt(document.value):
            if not is_map(MAPS.get(name, ()), place):
                tried += 1
                if not faults(Document(document.path, document.status, value)):
                    missed.append(f"{address}: {place}")
    assert not missed, "\n".join(missed[:40])
    assert tried > 700


def test_a_missing_key_is_a_fault_of_the_served_schema(each: dict[str, Document]) -> None:
    """Of the top level, in the schemas as they are served, with room where a format is another's."""
    checked = 0
    for address, document in each.items():
        schema = json.loads(ROUTES[address].body)
        if "$ref" not in schema:
            continue
        for key in schema["$defs"][schema["$ref"].rpartition("/")[2]]["required"]:
            short = {name: value for name, value in document.value.items() if name != key}
            assert faults(Document(document.path, document.status, short), close=False), (address, key)
            checked += 1
    assert checked > 150


Place = tuple[str | int, ...]


def misspelt(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    """The document again and again, each time with one other key misspelt; of a list only in its first item."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*at, key), {f"{name}x" if name == key else name: one for name, one in value.items()}
            for place, changed in misspelt(inner, (*at, key)):
                yield place, {**value, key: changed}
    elif isinstance(value, list) and value:
        for place, changed in misspelt(value[0], (*at, 0)):
            yield place, [changed, *value[1:]]


ANY = "*"
MAPS: dict[str, tuple[Place, ...]] = {
    "bundle": (("files",),),
    "hub": (("documents",),),
    "ledgers": (("heads",), ("collections",)),
    "pack": (("answers",),),
    "package": (("package", "tags"),),
    "packument": (("dist-tags",), ("versions",), ("time",)),
    "router": (("slugs",), ("moved",), ("movedSlugs",), ("statuses",)),
    "search": tuple(("columns", name, "only") for name in (*NAMES, *TEXTS)),
    "search-names": tuple(("columns", name, "only") for name in NAMES),
    "search-summaries": tuple(("columns", name, "only") for name in TEXTS),
    "search-results": (("results", 0, "tags"),),
    "skill-detail": (("skill", "tags"), ("distTags",)),
    "skill-list": (("items", 0, "tags"),),
    "state": (("skills",), ("skills", ANY, "releases"), ("files",)),
    "trending": (("items", 0, "tags"),),
}
"""Where the keys are names that a document may choose."""


def is_map(maps: tuple[Place, ...], place: Place) -> bool:
    """Whether the last key of a place is such a name."""
    return any(
        len(one) == len(place) - 1 and all(a in (ANY, b) for a, b in zip(one, place, strict=False))
        for one in maps
    )


# --- the overlay -----------------------------------------------------------------------------------

OVERLAYS = {
    **DECISIONS,
    "all": RICH_DECISIONS,
    "a successor alone": "deprecate: {acme/pdf: {successor: acme/docx}}\n",
    "reviews": f"reviews: [{{rule: reverse_shell, sha256: {'a' * 64}, by: Us, reason: Fine.}}]\n",
}


@pytest.mark.parametrize("text", OVERLAYS.values(), ids=OVERLAYS)
def test_an_overlay_file_fits(text: str) -> None:
    validator("/schemas/overlay.v1.json").validate(yaml.safe_load(text))


WRONG_OVERLAYS = {
    "an unknown kind": "yanks: {}\n",
    "an unknown key": "deprecate: {acme/pdf: {succesor: acme/docx}}\n",
    "a list": "[]\n",
    "a review without a name": f"reviews: [{{rule: reverse_shell, sha256: {'a' * 64}, reason: Fine.}}]\n",
    "a digest that is none": "reviews: [{rule: reverse_shell, sha256: abc, by: Us, reason: Fine.}]\n",
}


@pytest.mark.parametrize("text", WRONG_OVERLAYS.values(), ids=WRONG_OVERLAYS)
def test_a_wrong_overlay_file_does_not(text: str) -> None:
    assert not validator("/schemas/overlay.v1.json").is_valid(yaml.safe_load(text))


def test_the_overlay_schema_knows_every_kind() -> None:
    schema = json.loads(ROUTES["/schemas/overlay.v1.json"].body)
    kinds = schema["$defs"]["OverlayFile"]["properties"]
    assert list(kinds) == list(KINDS)
