"""``/api/v1/openapi.json``, generated from the typed dictionaries the answers are written as.

A shape changes in one place: mypy then checks the writer, and this module the description.
"""

from __future__ import annotations

import inspect
import types
import typing
from dataclasses import dataclass
from typing import Any, Literal, NotRequired

from generator.model import Hub
from generator.write.protocols import clawhub_answers as answers
from generator.write.protocols import clawhub_types as documents

API_VERSION = "1.0.0"
_HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


@dataclass(frozen=True, slots=True)
class _Operation:
    """One operation: its route below ``/api/v1``, what it answers, and what it takes."""

    path: str
    summary: str
    answer: type | str
    query: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    refused: type | None = None
    body: type | None = None


_OWNER, _WHICH = ("ownerHandle",), ("ownerHandle", "version", "tag")
_OPERATIONS = (
    _Operation("/skills", "Every skill", answers.SkillList, ("limit", "cursor", "sort", "prefix")),
    _Operation("/search", "Skills that match", answers.SearchResults, ("q", "limit", "mode"), ("q",)),
    _Operation("/trending", "The latest releases", answers.Trending, ("kind", "limit")),
    _Operation("/skills/{slug}", "One skill", documents.SkillDetail, _OWNER),
    _Operation("/skills/{slug}/versions", "Its versions", documents.VersionList, _OWNER),
    _Operation("/skills/{slug}/versions/{version}", "One version", documents.VersionAnswer, _OWNER),
    _Operation(
        "/skills/{slug}/install", "How to install it", answers.InstallAllowed, _OWNER,
        refused=answers.InstallRefused,
    ),
    _Operation("/skills/{slug}/verify", "The verdict", answers.VerifyAnswer, _WHICH),
    _Operation("/skills/{slug}/scan", "What the security scan found", answers.ScanAnswer, _WHICH),
    _Operation("/skills/{slug}/moderation", "Moderation", documents.ModerationAnswer, _OWNER),
    _Operation("/skills/{slug}/card", "The skill card", "text/markdown", _WHICH),
    _Operation(
        "/skills/{slug}/file", "One file", "application/octet-stream", ("path", *_WHICH), ("path",)
    ),
    _Operation(
        "/resolve", "The version with a fingerprint", answers.ResolveAnswer, ("slug", "hash", *_OWNER),
        ("slug", "hash"),
    ),
    _Operation("/download", "The archive of a version", "application/zip", ("slug", *_WHICH), ("slug",)),
    _Operation(
        "/skills/-/security-verdicts", "Verdicts on exact versions", answers.VerdictAnswer,
        body=answers.VerdictRequest,
    ),
)  # fmt: skip
_PARAMETERS: dict[str, dict[str, Any]] = {
    "limit": {"type": "integer", "minimum": 1, "maximum": 200},
    "sort": {
        "type": "string",
        "enum": ["updated", "recommended", "createdAt", "downloads", "stars", "name", "installs", "trending"],
    },
    "mode": {"type": "string", "enum": ["exact"]},
    "kind": {"type": "string", "enum": ["skills"]},
    "hash": _HASH,
}


def openapi_document(hub: Hub) -> dict[str, Any]:
    """The OpenAPI 3.1 description of the API of this hub."""
    schemas: dict[str, Any] = {}
    paths: dict[str, Any] = {}
    for operation in _OPERATIONS:
        paths[operation.path] = {
            "post" if operation.body else "get": _describe(operation, schemas),
        }
    schema_of(documents.SkillRow, schemas)
    schema_of(answers.AmbiguousSlug, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{hub.name}: skill registry",
            "version": API_VERSION,
            "description": "ClawHub-compatible API of a static hub. Times are milliseconds since 1970 UTC.",
        },
        "servers": [{"url": hub.api}],
        "paths": paths,
        "components": {"schemas": dict(sorted(schemas.items()))},
    }


def schema_of(hint: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of a type; named documents are added to ``schemas`` and referred to."""
    if typing.is_typeddict(hint):
        name = hint.__name__
        if name not in schemas:
            schemas[name] = {}
            schemas[name] = _object(hint, schemas)
        return {"$ref": f"#/components/schemas/{name}"}
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0], schemas)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(arguments[1], schemas)}
    if origin is Literal:
        kinds = {bool: "boolean", str: "string"}
        return {"type": kinds[type(arguments[0])], "enum": list(arguments)}
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [schema_of(option, schemas) for option in arguments]}
    if hint in (None, type(None)):
        return {"type": "null"}
    return {"type": {str: "string", int: "integer", float: "number", bool: "boolean"}[hint]}


def _object(document: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for key, hint in typing.get_type_hints(document, include_extras=True).items():
        if typing.get_origin(hint) is NotRequired:
            properties[key] = schema_of(typing.get_args(hint)[0], schemas)
        else:
            properties[key] = schema_of(hint, schemas)
            required.append(key)
    text = " ".join((inspect.getdoc(document) or "").split())
    return {"type": "object", "description": text, "properties": properties, "required": required}


def _describe(operation: _Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": operation.path.strip("/").replace("/", ".").replace("{", "").replace("}", ""),
        "parameters": [
            *(
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in ("slug", "version")
                if f"{{{name}}}" in operation.path
            ),
            *(
                {
                    "name": name,
                    "in": "query",
                    "required": name in operation.required,
                    "schema": _PARAMETERS.get(name, {"type": "string"}),
                }
                for name in operation.query
            ),
        ],
        "responses": {"200": _response("The answer", operation.answer, schemas)},
    }
    if operation.body:
        content = {"application/json": {"schema": schema_of(operation.body, schemas)}}
        described["requestBody"] = {"required": True, "content": content}
        described["responses"]["400"] = _response("A request that cannot be read", "text/plain", schemas)
        return described
    if operation.refused:
        described["responses"]["403"] = _response("Blocked by the scan", operation.refused, schemas)
    if "slug" in operation.path or "slug" in operation.query:
        described["responses"]["404"] = _response("`Skill not found`", "text/plain", schemas)
        described["responses"]["409"] = _response("Several owners", answers.AmbiguousSlug, schemas)
    return described


def _response(text: str, answer: type | str, schemas: dict[str, Any]) -> dict[str, Any]:
    if isinstance(answer, str):
        return {"description": text, "content": {answer: {"schema": {"type": "string"}}}}
    return {"description": text, "content": {"application/json": {"schema": schema_of(answer, schemas)}}}
