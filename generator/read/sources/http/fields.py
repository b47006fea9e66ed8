"""Single values of a stranger's JSON document, each proven or refused."""

from __future__ import annotations

import re
from typing import Any, Final

from generator.model import Owner, Sha256, Slug, TimeMs, Version
from generator.names import InvalidNameError, parse_owner, parse_slug
from generator.read.jsonbounds import JsonBoundError, load_bounded
from generator.versions import parse_version

_SHA256: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_LATEST_TIME: Final = 253_402_300_799_999  # the last millisecond of the year 9999
_LONGEST_VERSION: Final = 128
_LONGEST_CHANGELOG: Final = 20_000
_CONTROL: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)


class AnswerError(ValueError):
    """A document is not what the API promises; the message names the field."""


def read_object(data: bytes, most_bytes: int, most_values: int = 50_000) -> dict[str, Any]:
    """A JSON object, bounded. Raises :class:`AnswerError`."""
    try:
        value = load_bounded(data, most_bytes, most_values)
    except JsonBoundError as error:
        raise AnswerError(str(error)) from None
    return object_of(value, "the document")


def object_of(value: object, what: str) -> dict[str, Any]:
    """``value`` as an object. Raises :class:`AnswerError`."""
    if not isinstance(value, dict):
        raise AnswerError(f"{what} is not an object")
    return value


def list_of(value: object, what: str) -> list[Any]:
    """``value`` as a list. Raises :class:`AnswerError`."""
    if not isinstance(value, list):
        raise AnswerError(f"{what} is not a list")
    return value


def inner(value: object, key: str) -> object:
    """``value[key]``, None where ``value`` is no object or has no such key."""
    return value.get(key) if isinstance(value, dict) else None


def slug_of(value: object) -> Slug | None:
    """A slug that is usable here, or None."""
    try:
        return parse_slug(value) if isinstance(value, str) else None
    except InvalidNameError:
        return None


def owner_of(value: object) -> Owner | None:
    """An owner that is usable here, or None; handles are the same in any case of letters."""
    try:
        return parse_owner(value.removeprefix("@").lower()) if isinstance(value, str) else None
    except InvalidNameError:
        return None


def version_of(value: object) -> Version | None:
    """A strict semantic version, or None: another hub's version is an address, never put into another form."""
    parsed = parse_version(value) if isinstance(value, str) and len(value) <= _LONGEST_VERSION else None
    return parsed.version if parsed is not None and parsed.exact and parsed.version == value else None


def time_of(value: object) -> TimeMs | None:
    """A time in milliseconds that a calendar knows, or None."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return TimeMs(value) if 0 < value <= _LATEST_TIME else None


def sha256_of(value: object) -> Sha256 | None:
    """A sha256 in hexadecimal digits, or None."""
    text = value.lower() if isinstance(value, str) else ""
    return Sha256(text) if _SHA256.fullmatch(text) else None


def text_of(value: object) -> str:
    """A text without control and invisible characters, cut to a length; empty where it is none."""
    return _CONTROL.sub("", value[:_LONGEST_CHANGELOG]).strip() if isinstance(value, str) else ""
