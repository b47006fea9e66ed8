"""``/api/v1/openapi.json``, generated from the types the answers are written as.

A shape changes in one place: mypy then checks the writer, and this module the description. What is described is
:mod:`generator.write.protocols.openapi_operations`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from generator.model import Hub
from generator.write.protocols import clawhub_types as documents
from generator.write.protocols.openapi_operations import Answer, Operation, operations
from generator.write.protocols.schemas_types import Definitions, Schema

API_VERSION: Final = "2.0.0"
_STRING: Final[Schema] = {"type": "string"}
_FINGERPRINT: Final[Schema] = {"type": "string", "pattern": "^[0-9a-fA-F]{64}$"}
_NAME: Final[Schema] = {"type": "string", "pattern": "^[A-Za-z0-9._-]+$"}
_PATHS: Final[Mapping[str, Schema]] = {
    "slug": {"type": "string", "pattern": "^[a-z0-9-]{1,96}$"},
    "owner": {"type": "string", "pattern": "^[a-z0-9_-]+$"},
    "version": {"type": "string", "pattern": "^[0-9A-Za-z.-]{1,128}$"},
    "old": {"type": "string", "pattern": "^[0-9A-Za-z.-]{1,128}$"},
    "new": {"type": "string", "pattern": "^[0-9A-Za-z.-]{1,128}$"},
    "hash": _FINGERPRINT,
    "sequence": {"type": "integer", "minimum": 1},
    "name": _NAME,
    "path": {"type": "string", "minLength": 1},
}
_QUERIES: Final[Mapping[str, tuple[Schema, str]]] = {
    "limit": (
        {"type": "integer", "minimum": -999_999_999, "maximum": 999_999_999},
        "How many at most; brought into the range that the list allows (200, of the trending 100).",
    ),
    "cursor": ({"type": "string", "pattern": "^[0-9]{1,9}$"}, "`nextCursor` of the page before."),
    "sort": (
        {
            "type": "string",
            "enum": ["updated", "recommended", "createdAt", "newest", "downloads", "stars", "name", "installs",
                     "trending"],
        },
        "The order. Nothing is counted here: whatever counts is a tie, and ties go by the last release.",
    ),
    "mode": ({"type": "string", "enum": ["exact"]}, "Only the very slug or name."),
    "kind": ({"type": "string", "enum": ["skills"]}, "Of what."),
    "hash": (_FINGERPRINT, "A fingerprint of the files of an install."),
    "slug": ({"type": "string", "minLength": 1, "pattern": "\\S"}, "The skill."),
    "ownerHandle": (_STRING, "Whose skill; with or without `@`."),
    "owner": (_STRING, "The same as `ownerHandle`, for older programs."),
    "version": (_STRING, "Which version; the latest where neither version nor tag is given."),
    "tag": (_STRING, "A name that stands for a version, such as `latest`."),
    "path": ({"type": "string", "minLength": 1}, "The file's path in the package."),
    "q": (_STRING, "What to look for; everything where it is empty."),
    "prefix": (_STRING, "What slug or name start with."),
    "family": (_STRING, "The family of packages; any other than `skill` is empty here."),
    "isOfficial": (_STRING, "`1`, `true` or `yes`: only official ones, of which there is none here."),
    "nonSuspiciousOnly": (_STRING, "`1`, `true` or `yes`: only what the scan allows."),
}  # fmt: skip
_HEADERS: Final[Mapping[str, Schema]] = {
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "An `ETag` that is known already.",
        "schema": {"type": "string", "pattern": "^(W/)?\"[0-9a-f]{1,64}\"$"},
    },
    "Range": {
        "name": "Range",
        "in": "header",
        "description": "One part of the answer.",
        "schema": {"type": "string", "pattern": "^bytes=([0-9]{1,9}-[0-9]{0,9}|-[0-9]{1,9})$"},
    },
}  # fmt: skip


def openapi_document(hub: Hub) -> dict[str, Any]:
    """The OpenAPI 3.1 description of everything this hub answers but its pages."""
    definitions = Definitions("#/components/schemas/")
    paths: dict[str, Any] = {}
    for operation in operations(hub):
        method = "post" if operation.body else "get"
        paths[operation.path] = {method: _describe(operation, definitions)}
    definitions.schema(documents.SkillRow)
    if "VerdictRequest" in definitions.found:
        _narrow_request(definitions.found)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{hub.name}: skill registry",
            "version": API_VERSION,
            "description": "What a static hub of skills answers, in the shapes that ClawHub's and other installers "
            "read. Times are milliseconds since 1970 UTC. A method that is not described is answered with 405.",
        },
        "servers": [{"url": hub.url}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(definitions.found.items())),
            "parameters": dict(_HEADERS),
            "responses": {
                "NotModified": {"description": "What is known is still right"},
                "OutOfRange": {"description": "The answer has no such part"},
            },
        },
    }


def _narrow_request(schemas: dict[str, Schema]) -> None:
    """What the server insists on in a request for verdicts beyond its types."""
    schemas["VerdictRequest"]["properties"]["items"] |= {"minItems": 1, "maxItems": 100}
    for name, schema in schemas["VerdictTarget"]["properties"].items():
        text = {"type": "string", "minLength": 1, "maxLength": 200}
        schemas["VerdictTarget"]["properties"][name] = {**schema, **text}


def _describe(operation: Operation, definitions: Definitions) -> dict[str, Any]:
    described: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": re.sub(r"[^A-Za-z0-9-]+", ".", operation.path).strip("."),
        "parameters": [
            *(_path(name) for name in re.findall(r"\{([a-z]+)\}", operation.path)),
            *(_query(name, required=name in operation.required) for name in operation.query),
            *([_parameter("IfNoneMatch")] if operation.kept else []),
            *([_parameter("Range")] if operation.ranges else []),
        ],
    }
    if operation.body:
        content = {"application/json": {"schema": definitions.schema(operation.body)}}
        described["requestBody"] = {"required": True, "content": content}
    responses: dict[str, Any] = {
        str(one.status): _response(one, definitions)
        for one in sorted(operation.answers, key=lambda one: one.status)
    }
    if operation.ranges:
        whole = next(one for one in operation.answers if one.status == 200)
        responses["206"] = _response(Answer(206, "A part of the answer", whole.kinds), definitions)
        responses["416"] = {"$ref": "#/components/responses/OutOfRange"}
    if operation.kept:
        responses["304"] = {"$ref": "#/components/responses/NotModified"}
    described["responses"] = dict(sorted(responses.items()))
    return described


def _path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": dict(_PATHS[name])}


def _query(name: str, *, required: bool) -> dict[str, Any]:
    schema, text = _QUERIES[name]
    return {"name": name, "in": "query", "required": required, "description": text, "schema": dict(schema)}


def _parameter(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/parameters/{name}"}


def _response(answer: Answer, definitions: Definitions) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for kind in answer.kinds:
        if isinstance(kind, str):
            # Of JSON whose shape is told elsewhere nothing is said; everything else is bytes.
            content[kind] = {"schema": {} if kind == "application/json" else dict(_STRING)}
        else:
            content["application/json"] = {"schema": definitions.schema(kind)}
    return {"description": answer.text, "content": content}
