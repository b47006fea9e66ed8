"""The schemas of the search index, whose columns are written in the shortest of three forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from generator.model import ScanVerdict, TimeMs
from generator.write.protocols.schemas_types import Definitions, Schema

_TAXONOMY: Final = tuple[str | None, str | None, list[str], list[str], list[str], list[str]]
NAMES: Final[Mapping[str, Any]] = {
    "slug": str,
    "owner": str,
    "name": str | None,
    "title": str | None,
    "version": str,
    "updated": TimeMs,
    "age": int,
    "shared": bool,
    "topics": list[str],
    "category": str | None,
    "taxonomy": _TAXONOMY | None,
    "license": str | None,
    "verdict": ScanVerdict,
    "outcomes": str,
    "emoji": str | None,
    "homepage": str | None,
    "setup": list[str],
    "os": list[str],
    "files": int,
    "size": int,
    "findings": int,
    "retained": bool,
    "withdrawn": bool,
    "deprecated": tuple[str, str | None] | None,
    "archived": str | None,
    "featured": int | None,
    "tags": list[tuple[str, str]],
}
"""What the values of each column of names are."""
TEXTS: Final[Mapping[str, Any]] = {"summary": str, "changelog": str}
"""What the values of each column of texts are."""
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_TEXT: Final[Schema] = {"type": "string"}
_MARK: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
_BUILD: Final[Mapping[str, Schema]] = {
    "schema": {"type": "string", "enum": ["skillpress.search.v2"]},
    "build": _MARK,
}
_HOST: Final[Schema] = {
    "type": "array",
    "prefixItems": [_TEXT, _TEXT, _TEXT, {"type": "boolean"}, _COUNT],
    "items": False,
    "minItems": 5,
}


def search_schema() -> Schema:
    """``/search/index.json``: all columns, or the documents that hold them."""
    head: Mapping[str, Schema] = {
        **_BUILD,
        "hub": _closed({"name": _TEXT, "description": _TEXT, "url": _TEXT}),
        "skills": _COUNT,
        "snapshot": _MARK,
        "hosts": {"type": "array", "items": _HOST},
    }
    parts: Mapping[str, Schema] = {
        "names": _TEXT,
        "summaries": {"type": "array", "items": _TEXT},
        "chunk": {"type": "integer", "minimum": 1},
    }
    return {"oneOf": [_closed({**head, "columns": _columns({**NAMES, **TEXTS})}), _closed({**head, **parts})]}


def names_schema() -> Schema:
    """``/search/names.json``."""
    return _closed({**_BUILD, "columns": _columns(NAMES)})


def summaries_schema() -> Schema:
    """``/search/summaries-N.json``."""
    return _closed({**_BUILD, "from": _COUNT, "columns": _columns(TEXTS)})


def _columns(values: Mapping[str, Any]) -> Schema:
    return _closed({name: _column(Definitions().schema(hint)) for name, hint in values.items()})


def _column(value: Schema) -> Schema:
    """Every value; those that are not the default, by their place; or the different ones and where each stands."""
    places = {"type": "object", "propertyNames": {"pattern": "^[0-9]+$"}, "additionalProperties": value}
    every = {"type": "array", "items": value}
    return {
        "anyOf": [
            every,
            _closed({"only": places}),
            _closed({"of": every, "at": {"type": "array", "items": _COUNT}}),
        ]
    }


def _closed(properties: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
