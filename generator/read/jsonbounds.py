"""JSON from strangers, bounded before it is parsed: bytes, values, depth and the length of numbers."""

from __future__ import annotations

import json
from typing import Any, Final

_MOST_DEPTH: Final = 64
_LONGEST_NUMBER: Final = 32


class JsonBoundError(ValueError):
    """A document is no JSON, or passes a limit; the message says which, without naming the document."""


def load_bounded(data: bytes, most_bytes: int, most_values: int) -> Any:
    """The value of a UTF-8 JSON document.

    Stricter than ``json.loads``: no NaN or Infinity, no number of over 32 characters, no key twice in one object.
    ``most_values`` bounds lists, objects and their items before any is made.
    Raises :class:`JsonBoundError` and nothing else.
    """
    if len(data) > most_bytes:
        raise JsonBoundError(f"the document has over {most_bytes:,} bytes")
    if data.count(b"[") + data.count(b"{") + data.count(b",") > most_values:
        raise JsonBoundError(f"the document holds over {most_values:,} values")
    try:
        value = _DECODER.decode(data.decode("utf-8-sig"))
        _check_depth(value)
        return value
    except JsonBoundError:
        raise
    except UnicodeDecodeError:
        raise JsonBoundError("the document is not UTF-8") from None
    except RecursionError:
        raise JsonBoundError("the document is nested too deeply") from None
    except ValueError:
        raise JsonBoundError("the document is not JSON") from None


def _check_depth(value: object) -> None:
    level: list[object] = [value]
    for _ in range(_MOST_DEPTH):
        level = [
            inner
            for one in level
            if isinstance(one, (dict, list))
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return
    raise JsonBoundError("the document is nested too deeply")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise JsonBoundError("an object in the document has a key twice")
    return made


def _number(text: str) -> int | float:
    if len(text) > _LONGEST_NUMBER:
        raise JsonBoundError("the document holds a number of absurd length")
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _no_constant(name: str) -> Any:
    raise JsonBoundError(f"the document holds {name}, which is not JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_number, parse_float=_number, parse_constant=_no_constant
)
