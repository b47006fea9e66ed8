"""JSON Schemas (2020-12) out of the types that documents are written as.

Typed dictionaries, frozen dataclasses as :func:`generator.jsondata.to_plain` writes them, enums, ``Literal``, lists,
tuples (``tuple[X, ...]`` a list, ``tuple[X, Y]`` a row of fixed places) and new types of texts and numbers. A shape
changes in one place: mypy checks the writer there, and the schema follows.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Literal, NotRequired

from generator.model import Sha256, TimeMs

Schema = dict[str, Any]

HASH: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
TIME: Final[Schema] = {"type": "integer", "minimum": 0}
"""Milliseconds since 1970 UTC."""
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_ADDRESS: Final[Schema] = {"type": "string", "format": "uri"}
_BASIC: Final[Mapping[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_NEW_TYPES: Final[Mapping[Any, Schema]] = {Sha256: HASH, TimeMs: TIME}
_BY_KEY: Final[Mapping[str, Schema]] = {
    **dict.fromkeys(
        ("sha256", "sha256hash", "fingerprint", "folderHash", "treeHash", "sourceFingerprint", "contentHash"), HASH
    ),
    **dict.fromkeys(("createdAt", "updatedAt", "generatedAt", "first_seen", "time"), TIME),
    **dict.fromkeys(
        ("size", "offset", "line", "files", "findings", "total", "totalItems", "filesExamined", "skills", "events",
         "notPublished", "folders", "downloads", "stars", "bytes"),
        _COUNT,
    ),
    **dict.fromkeys(
        ("canonicalUrl", "downloadUrl", "download_url", "pageUrl", "publisherProfileUrl", "skillUrl",
         "securityAuditUrl", "htmlUrl", "apiBase", "registry", "api", "canonical", "tarball"),
        _ADDRESS,
    ),
    "digest": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
    "integrity": {"type": "string", "pattern": "^sha512-[A-Za-z0-9+/]{86}==$"},
    "shasum": {"type": "string", "pattern": "^[0-9a-f]{40}$"},
    "published_at": {"type": "string", "format": "date-time"},
}  # fmt: skip
"""What more than its type is known of a text or number under these keys, wherever they stand."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """The named schemas that a document refers to, collected while its own is made.

    ``prefix`` is where references point. ``closed`` leaves no room for keys that are not named. ``whole`` says that
    dataclasses are written with every field, as :func:`dataclasses.asdict` does.
    """

    prefix: str = "#/$defs/"
    closed: bool = False
    whole: bool = False
    found: dict[str, Schema] = field(default_factory=dict)
    _kinds: dict[str, Any] = field(default_factory=dict)

    def schema(self, hint: Any) -> Schema:
        """The schema of a type.

        Raises:
            ValueError: two types have one name, or a type that no document is made of.
        """
        if isinstance(hint, typing.NewType):
            return dict(_NEW_TYPES[hint]) if hint in _NEW_TYPES else self.schema(hint.__supertype__)
        if typing.is_typeddict(hint):
            return self._named(hint, self._typed_dict)
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            return self._named(hint, self._dataclass)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return {"type": "string", "enum": [one.value for one in hint]}
        if hint in (None, type(None)):
            return {"type": "null"}
        if hint in _BASIC:
            return {"type": _BASIC[hint]}
        return self._composed(hint, typing.get_origin(hint), typing.get_args(hint))

    def _composed(self, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Schema:
        if origin is list or (origin is tuple and arguments[-1] is Ellipsis):
            return {"type": "array", "items": self.schema(arguments[0])}
        if origin is tuple:
            places = [self.schema(one) for one in arguments]
            return {"type": "array", "prefixItems": places, "items": False, "minItems": len(places)}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.schema(arguments[1])}
        if origin is Literal:
            kinds = {bool: "boolean", str: "string", int: "integer"}
            return {"type": kinds[type(arguments[0])], "enum": list(arguments)}
        if origin in (types.UnionType, typing.Union):
            return {"anyOf": [self.schema(option) for option in arguments]}
        raise ValueError(f"{hint!r} is nothing that a document is made of")

    def _named(self, hint: Any, make: Callable[[Any], Schema]) -> Schema:
        name = hint.__name__
        if self._kinds.setdefault(name, hint) is not hint:
            raise ValueError(f"two types are called {name}")
        if name not in self.found:
            self.found[name] = {}
            self.found[name] = make(hint)
        return {"$ref": f"{self.prefix}{name}"}

    def _typed_dict(self, hint: Any) -> Schema:
        keys: dict[str, tuple[Any, bool]] = {}
        for key, written in typing.get_type_hints(hint, include_extras=True).items():
            optional = typing.get_origin(written) is NotRequired
            keys[key] = (typing.get_args(written)[0] if optional else written, optional)
        return self._object(hint, keys)

    def _dataclass(self, hint: Any) -> Schema:
        hints = typing.get_type_hints(hint)
        return self._object(
            hint,
            {
                one.name: (hints[one.name], not self.whole and one.default is not dataclasses.MISSING)
                for one in dataclasses.fields(hint)
            },
        )

    def _object(self, hint: Any, keys: Mapping[str, tuple[Any, bool]]) -> Schema:
        made: Schema = {"type": "object"}
        if text := " ".join((hint.__doc__ or "").split()):
            made["description"] = text
        made["properties"] = {key: self._property(key, kind) for key, (kind, _) in keys.items()}
        made["required"] = [key for key, (_, optional) in keys.items() if not optional]
        if self.closed:
            made["additionalProperties"] = False
        return made

    def _property(self, key: str, hint: Any) -> Schema:
        """The schema of a value, narrowed by what its key says of a text or number."""
        made = self.schema(hint)
        known = _BY_KEY.get(key)
        if known is None:
            return made
        if made == {"type": known["type"]}:
            return dict(known)
        if made.get("anyOf") == [{"type": known["type"]}, {"type": "null"}]:
            return {"anyOf": [dict(known), {"type": "null"}]}
        return made
