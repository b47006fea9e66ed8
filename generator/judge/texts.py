"""How hosts turn a YAML value into a text, and what they call a value that is none.

Dates and sets are shown as written, which is all an author needs to see of them.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from generator.judge.dialects.values import Binary, Boolean, Date, Entries, Items, Null, Number, Text, Value

_LINE_KEY: Final = r"^{key}:[^\S\n]*(.*)$"
_DATE: Final = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"
    r"(?:(?:[Tt]|[ \t]+)(?P<hour>\d{1,2}):(?P<minute>\d\d):(?P<second>\d\d)(?:\.(?P<fraction>\d*))?"
    r"[ \t]*(?P<zone>Z|[-+]\d{1,2}(?::?\d\d)?)?)?",
    re.ASCII,
)
_DEEPEST: Final = 32
_WHOLE: Final = 1e21


def kind_of_value(value: Value | None) -> str:
    """What a value is, in a word an author understands."""
    match value:
        case None:
            return "missing"
        case Text():
            return "text"
        case Number():
            return "a number"
        case Boolean():
            return "true or false"
        case Null():
            return "nothing"
        case Date():
            return "a date"
        case Binary():
            return "binary data"
        case Items():
            return "a list"
        case Entries():
            return "a mapping"


def is_empty(value: Value | None) -> bool:
    """True for what Python's and JavaScript's programs count as nothing."""
    match value:
        case None | Null():
            return True
        case Text(value=text):
            return not text
        case Number(value=number):
            return number == 0
        case Boolean(value=flag):
            return not flag
        case Items(items=items):
            return not items
        case Entries(entries=entries):
            return not entries
        case _:
            return False


def _plain_text(value: Value, _key: str, _block: str) -> str | None:
    return value.value if isinstance(value, Text) else None


def _written_text(value: Value, _key: str, _block: str) -> str | None:
    match value:
        case Text(value=text):
            return text
        case Number(written=text) | Boolean(written=text) | Date(written=text):
            return text
        case _:
            return None


def _script_text(value: Value, _key: str, _block: str) -> str | None:
    """Scalars as JavaScript prints them."""
    match value:
        case Boolean(value=flag):
            return "true" if flag else "false"
        case Number(value=number):
            return script_number(number)
        case _:
            return _written_text(value, _key, _block)


def _python_text(value: Value, _key: str, _block: str) -> str | None:
    """``str(value or "")``: what counts as nothing is the empty text."""
    if isinstance(value, Text):
        return value.value
    return "" if is_empty(value) else _python_literal(value, 0)


def _sized_text(value: Value, _key: str, _block: str) -> str | None:
    """Hermes takes the length of a description: what has none makes it skip the skill."""
    if is_empty(value):
        return ""
    return _python_text(value, _key, _block) if isinstance(value, Text | Items | Entries | Binary) else None


def _json_text(value: Value, key: str, block: str) -> str | None:
    """OpenClaw: scalars as JavaScript prints them, lists and mappings as JSON, nothing as its line has it."""
    match value:
        case Null():
            return _line_of(key, block)
        case Items() | Entries():
            line = _line_of(key, block)
            if line is not None and ":" in line:
                return line
            return json.dumps(_plain(value, 0), ensure_ascii=False, separators=(",", ":"))
        case Binary(written=text):
            return text
        case _:
            return _script_text(value, key, block)


def script_number(number: int | float) -> str:
    """A number as JavaScript's String() prints it."""
    if isinstance(number, float):
        if number != number:
            return "NaN"
        if number in (float("inf"), float("-inf")):
            return "Infinity" if number > 0 else "-Infinity"
    if abs(number) >= _WHOLE:
        return repr(float(number)).replace("e+", "e+") if abs(number) < 1e308 else "Infinity"
    if number == int(number):
        return str(int(number))
    return repr(number)


def script_length(text: str) -> int:
    """How many characters JavaScript counts in a text: one outside the basic plane counts as two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut_script(text: str, length: int) -> str:
    """The first ``length`` characters of a text as JavaScript counts; half a character is none."""
    units = text.encode("utf-16-le", "surrogatepass")[: length * 2]
    return units.decode("utf-16-le", "ignore")


def _line_of(key: str, block: str) -> str | None:
    found = re.search(_LINE_KEY.format(key=re.escape(key)), block, re.MULTILINE)
    if found is None:
        return None
    text = found[1].strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return text or None


def _python_literal(value: Value, depth: int) -> str:
    if depth > _DEEPEST:
        return "..."
    match value:
        case Text(value=text):
            return text if depth == 0 else repr(text)
        case Number(value=number):
            return _python_number(number)
        case Boolean(value=flag):
            return str(flag)
        case Null():
            return "None"
        case Date(written=text):
            return _python_date(text)
        case Binary(written=text):
            return _python_bytes(text)
        case Items(items=items):
            return f"[{', '.join(_python_literal(one, depth + 1) for one in items)}]"
        case Entries(entries=entries):
            pairs = (f"{_python_literal(k, depth + 1)}: {_python_literal(v, depth + 1)}" for k, v in entries)
            return f"{{{', '.join(pairs)}}}"


def _python_date(written: str) -> str:
    """A date, or a date and time, as Python prints it."""
    found = _DATE.fullmatch(written.strip())
    if found is None:
        return written
    day = f"{found['year']}-{int(found['month']):02}-{int(found['day']):02}"
    if found["hour"] is None:
        return day
    fraction = f".{found['fraction'][:6]:0<6}" if found["fraction"] else ""
    zone = found["zone"] or ""
    if zone and zone != "Z":
        hours, _, minutes = zone[1:].partition(":")
        zone = f"{zone[0]}{int(hours):02}:{int(minutes or 0):02}"
    shown = "+00:00" if zone == "Z" else zone
    return f"{day} {int(found['hour']):02}:{found['minute']}:{found['second']}{fraction}{shown}"


def _python_bytes(written: str) -> str:
    try:
        return repr(base64.b64decode(written))
    except ValueError:
        return written


def _python_number(number: int | float) -> str:
    # Python refuses to print integers of more than 4,300 digits.
    return str(number) if isinstance(number, float) or abs(number) < 1 << 4096 else "a very long number"


def _plain(value: Value, depth: int) -> object:
    if depth > _DEEPEST:
        return "..."
    match value:
        case Text(value=text):
            return text
        case Number(value=number):
            return number if isinstance(number, float) or abs(number) < 1 << 4096 else 0
        case Boolean(value=flag):
            return flag
        case Null():
            return None
        case Date(written=text) | Binary(written=text):
            return text
        case Items(items=items):
            return [_plain(one, depth + 1) for one in items]
        case Entries(entries=entries):
            return {str(_python_literal(key, 0)): _plain(one, depth + 1) for key, one in entries}


_AS_TEXT: Final[Mapping[str, Callable[[Value, str, str], str | None]]] = MappingProxyType(
    {
        "text": _plain_text,
        "written": _written_text,
        "script": _script_text,
        "python": _python_text,
        "sized": _sized_text,
        "json": _json_text,
    }
)


def key_value(keys: Mapping[str, Value], key: str, kind: str) -> Value | None:
    """The value under ``key``; where OpenClaw's YAML has no such key it still looks for a line of it."""
    value = keys.get(key)
    return Null("") if value is None and kind == "json" and keys else value


def text_of_value(value: Value, key: str, block: str, kind: str) -> str | None:
    """The text a host with ``name-type`` or ``description-type`` ``kind`` makes of a value, None for none.

    ``block`` is the front matter's text: one host looks back at the line of ``key``.
    """
    return _AS_TEXT[kind](value, key, block)
