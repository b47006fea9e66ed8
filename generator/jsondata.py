"""The JSON edge: frozen dataclasses to JSON documents and back.

Only dataclasses made of strings, numbers, booleans, None, enums, tuples and other such dataclasses pass;
that is all :mod:`generator.model` uses. The bytes are the same for the same value: keys stay in field order.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from enum import Enum
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


class JsonShapeError(ValueError):
    """A JSON document does not have the shape of the dataclass it should become."""


def dump_bytes(value: object) -> bytes:
    """One JSON document in UTF-8, compact, keys in the order given, no final newline.

    ``<`` is written as an escape: a plain file host may serve a document named ``index.html`` as a page, and an
    author's text must stay inert even there.
    """
    return _ENCODER.encode(value).replace("<", "\\u003c").encode("utf-8", "replace")


def load_json(data: bytes | str, *, most_values: int | None = None) -> Any:
    """The value of a JSON document that somebody else may have written or damaged.

    ``most_values`` bounds lists, objects and their items before any is made: a list takes two bytes to write and sixty
    to hold.

    Raises:
        ValueError: it is no JSON, passes the bound, or is nested more deeply than can be read (``json.loads`` has an
            error of another kind for that, which no reader expects).
    """
    if most_values is not None and _count_values(data) > most_values:
        raise ValueError(f"over {most_values:,} values")
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _count_values(data: bytes | str) -> int:
    if isinstance(data, str):
        return sum(data.count(mark) for mark in "[{,")
    return sum(data.count(mark) for mark in (b"[", b"{", b","))


def to_plain(value: object) -> Any:
    """A dataclass as dicts and lists; fields that hold their default are left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        plain: dict[str, Any] = {}
        for name, default in _defaults(type(value)):
            field = getattr(value, name)
            if default is dataclasses.MISSING or field != default:
                plain[name] = to_plain(field)
        return plain
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    return value


def from_plain(kind: type[T], plain: object, where: str = "") -> T:
    """A dataclass from dicts and lists, every field checked.

    Unknown keys are refused: a document of a newer Skillpress must not be half understood.

    Raises:
        JsonShapeError: naming the field that does not fit.
    """
    return typing.cast(T, _convert(kind, plain, where or kind.__name__))


@cache
def _defaults(kind: type) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in dataclasses.fields(kind))


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _convert(hint: Any, plain: object, where: str) -> object:
    if isinstance(hint, typing.NewType):
        return _convert(hint.__supertype__, plain, where)
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        options = [option for option in typing.get_args(hint) if option is not type(None)]
        return None if plain is None else _convert(options[0], plain, where)
    if origin is tuple:
        if not isinstance(plain, list):
            raise JsonShapeError(f"{where}: expected a list")
        item = typing.get_args(hint)[0]
        return tuple(_convert(item, value, f"{where}[{index}]") for index, value in enumerate(plain))
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _convert_dataclass(hint, plain, where)
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(plain)
        except ValueError:
            raise JsonShapeError(f"{where}: unknown value {plain!r}") from None
    if not isinstance(plain, hint) or (hint is int and isinstance(plain, bool)):
        raise JsonShapeError(f"{where}: expected {hint.__name__}")
    return plain


def _convert_dataclass(kind: type, plain: object, where: str) -> object:
    if not isinstance(plain, dict):
        raise JsonShapeError(f"{where}: expected an object")
    hints = _hints(kind)
    if unknown := [key for key in plain if key not in hints]:
        raise JsonShapeError(f"{where}: unknown key {unknown[0]!r}")
    values = {key: _convert(hints[key], value, f"{where}.{key}") for key, value in plain.items()}
    missing = [
        name for name, default in _defaults(kind) if default is dataclasses.MISSING and name not in values
    ]
    if missing:
        raise JsonShapeError(f"{where}: {missing[0]!r} is missing")
    return kind(**values)
