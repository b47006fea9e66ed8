"""Which type each library gives a plain scalar, and an explicit tag a scalar.

Facts: PyYAML lib/yaml/resolver.py and constructor.py; js-yaml lib/type/*.js of 3.14 and 4.1; yaml 2.9
dist/schema/core; serde_yaml 0.9 src/de.rs (visit_untagged_scalar).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final

from generator.judge.dialects.values import Boolean, Date, Null, Number, Text, Value

Resolver = Callable[[str], Value]

_TRUE: Final = frozenset({"true", "True", "TRUE"})
_FALSE: Final = frozenset({"false", "False", "FALSE"})
_NULL: Final = frozenset({"~", "null", "Null", "NULL"})
_CORE_FIRST: Final = frozenset("~nNtTfF+-.0123456789<=yYoO_")

# --- YAML 1.1, as PyYAML reads it ---------------------------------------------------------------

_PY_TRUE: Final = frozenset({"yes", "Yes", "YES", "on", "On", "ON"}) | _TRUE
_PY_FALSE: Final = frozenset({"no", "No", "NO", "off", "Off", "OFF"}) | _FALSE
_PY_INT: Final = re.compile(
    "[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+"
)
_PY_FLOAT: Final = re.compile(
    r"[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
PY_DATE: Final = re.compile(
    "[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}"
    r"(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9]{2})?))?"
)


def type_yaml11(text: str) -> Value:
    """PyYAML's implicit types; raises ValueError for a number it recognises and then cannot build."""
    if text == "" or text in _NULL:
        return Null(text)
    if text[0] not in _CORE_FIRST:
        return Text(text)
    if text in _PY_TRUE or text in _PY_FALSE:
        return Boolean(text in _PY_TRUE, text)
    if _PY_FLOAT.fullmatch(text):
        return Number(float_yaml11(text), text)
    if _PY_INT.fullmatch(text):
        return Number(int_yaml11(text), text)
    return Date(text) if PY_DATE.fullmatch(text) else Text(text)


def bool_yaml11(text: str) -> bool:
    """What ``!!bool`` makes of a text; KeyError where PyYAML raises one."""
    lower = text.lower()
    if lower in {"yes", "true", "on"}:
        return True
    if lower in {"no", "false", "off"}:
        return False
    raise KeyError(text)


def int_yaml11(text: str) -> int:
    """What PyYAML computes for an integer, ValueError included."""
    value = text.replace("_", "")
    sign = -1 if value[:1] == "-" else 1
    value = value[1:] if value[:1] in ("-", "+") else value
    if value == "0":
        return 0
    if value.startswith("0b"):
        return sign * int(value, 0)
    if value.startswith("0x"):
        return sign * int(value, 0)
    if value[:1] == "0":
        return sign * int(value, 8)
    if ":" in value:
        return sign * _sixty(value)
    return sign * _long_int(value)


def _long_int(digits: str) -> int:
    # Python itself refuses more digits than this, and so does PyYAML with it.
    if len(digits) > 4300:
        raise ValueError("too many digits")
    return int(digits)


def _sixty(value: str) -> int:
    total = 0
    for part in value.split(":"):
        total = total * 60 + int(part)
    return total


def float_yaml11(text: str) -> float:
    """What PyYAML computes for a float, ValueError included."""
    value = text.replace("_", "").lower()
    sign = -1.0 if value[:1] == "-" else 1.0
    value = value[1:] if value[:1] in ("-", "+") else value
    if value == ".inf":
        return sign * math.inf
    if value == ".nan":
        return math.nan
    if ":" in value:
        return sign * sum(float(part) * 60.0**power for power, part in enumerate(reversed(value.split(":"))))
    return sign * float(value)


# --- js-yaml -----------------------------------------------------------------------------------

_JS_DECIMAL: Final = re.compile("[-+]?[0-9][0-9_]*")
_JS_BASED: Final = re.compile("[-+]?0(?:b[01_]*[01][01_]*|x[0-9a-fA-F_]*[0-9a-fA-F][0-9a-fA-F_]*)")
_JS3_OCTAL: Final = re.compile("[-+]?0[0-7_]*[0-7][0-7_]*")
_JS3_SIXTY: Final = re.compile("[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+")
_JS4_OCTAL: Final = re.compile("[-+]?0o[0-7_]*[0-7][0-7_]*")
_JS3_FLOAT: Final = re.compile(
    r"[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_JS4_FLOAT: Final = re.compile(
    r"[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_JS_DATE: Final = re.compile(
    "[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}"
    r"(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9]{2})?))?"
)


def type_js3(text: str) -> Value:
    """js-yaml 3's implicit types."""
    return _type_js(text, old=True)


def type_js4(text: str) -> Value:
    """js-yaml 4's implicit types: no sexagesimals, ``0o17`` instead of ``017``."""
    return _type_js(text, old=False)


def _type_js(text: str, old: bool) -> Value:
    if text == "" or text in _NULL:
        return Null(text)
    if text[0] not in _CORE_FIRST:
        return Text(text)
    if text in _TRUE or text in _FALSE:
        return Boolean(text in _TRUE, text)
    number = _js_number(text, old)
    if number is not None:
        return Number(number, text)
    return Date(text) if _JS_DATE.fullmatch(text) else Text(text)


def is_js_int(text: str, old: bool) -> bool:
    """Whether js-yaml 3 (``old``) or 4 takes a text for an integer."""
    if text[-1:] == "_" or not text:
        return False
    if _JS_BASED.fullmatch(text):
        return True
    if not old:
        return bool(_JS_DECIMAL.fullmatch(text) or _JS4_OCTAL.fullmatch(text))
    if text.lstrip("+-")[:1] == "0":
        return text in {"0", "-0", "+0"} or bool(_JS3_OCTAL.fullmatch(text))
    return bool(_JS_DECIMAL.fullmatch(text) or _JS3_SIXTY.fullmatch(text))


def is_js_float(text: str, old: bool) -> bool:
    """Whether js-yaml 3 (``old``) or 4 takes a text for a float."""
    pattern = _JS3_FLOAT if old else _JS4_FLOAT
    return text[-1:] != "_" and bool(pattern.fullmatch(text))


def _js_number(text: str, old: bool) -> int | float | None:
    if is_js_int(text, old):
        return _js_int(text, old)
    return _js_float(text) if is_js_float(text, old) else None


def _js_int(text: str, old: bool) -> int | float:
    value = text.replace("_", "")
    sign = -1 if value[0] == "-" else 1
    value = value.lstrip("+-")
    if value[:2] == "0b":
        return _as_double(sign * int(value, 0))
    if value[:2] == "0x":
        return _as_double(sign * int(value, 0))
    if value[:2] == "0o":
        return _as_double(sign * int(value, 0))
    if old and value[:1] == "0" and len(value) > 1:
        return _as_double(sign * int(value, 8))
    if ":" in value:
        return sign * _sixty(value)
    return _decimal(value, sign)


def _js_float(text: str) -> float:
    value = text.replace("_", "").lower()
    sign = -1.0 if value[:1] == "-" else 1.0
    value = value.lstrip("+-")
    if value == ".inf":
        return sign * math.inf
    if value == ".nan" or not re.search("[0-9]", value):
        return math.nan
    if ":" in value:
        return sign * sum(float(part) * 60.0**power for power, part in enumerate(reversed(value.split(":"))))
    return sign * float(value)


def _decimal(digits: str, sign: int) -> int | float:
    # A JavaScript number is a double: past 2**53 digits are lost, past 1.8e308 it is infinite.
    return sign * int(digits) if len(digits) < 16 else sign * float(digits)


def _as_double(value: int) -> int | float:
    if abs(value) <= 2**53:
        return value
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


# --- yaml 2, core schema -----------------------------------------------------------------------

_CORE_FLOAT: Final = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+|[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)"
)
_CORE_INF: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_CORE_NAN: Final = frozenset({".nan", ".NaN", ".NAN"})
_CORE_INT: Final = re.compile("[-+]?[0-9]+")


def type_core(text: str) -> Value:
    """The implicit types of YAML 1.2's core schema, as npm ``yaml`` 2 has them."""
    if text == "" or text in _NULL:
        return Null(text)
    if text[0] not in _CORE_FIRST:
        return Text(text)
    if text in _TRUE or text in _FALSE:
        return Boolean(text in _TRUE, text)
    if re.fullmatch("0o[0-7]+", text):
        return Number(_as_double(int(text, 0)), text)
    if _CORE_INT.fullmatch(text):
        return Number(_decimal(text.lstrip("+-"), -1 if text[0] == "-" else 1), text)
    if re.fullmatch("0x[0-9a-fA-F]+", text):
        return Number(_as_double(int(text, 0)), text)
    if _CORE_INF.fullmatch(text):
        return Number(-math.inf if text[0] == "-" else math.inf, text)
    if text in _CORE_NAN:
        return Number(math.nan, text)
    return Number(float(text), text) if _CORE_FLOAT.fullmatch(text) else Text(text)


# --- serde_yaml --------------------------------------------------------------------------------

_SERDE_FLOAT: Final = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_SERDE_BASES: Final = (("0x", 16, "[0-9a-fA-F]+"), ("0o", 8, "[0-7]+"), ("0b", 2, "[01]+"))


def type_serde(text: str) -> Value:
    """serde_yaml 0.9's implicit types: 64-bit integers, no octal with a bare 0, no dates."""
    if text == "" or text in _NULL:
        return Null(text)
    if text[0] not in _CORE_FIRST:
        return Text(text)
    if text in _TRUE or text in _FALSE:
        return Boolean(text in _TRUE, text)
    sign = -1 if text[0] == "-" else 1
    digits = text[1:] if text[0] in "+-" else text
    for prefix, base, pattern in _SERDE_BASES:
        if digits.startswith(prefix) and re.fullmatch(pattern, digits[2:]):
            return Number(sign * int(digits[2:], base), text)
    if re.fullmatch("[0-9]+", digits):
        # A number with leading zeros is left a text.
        if len(digits) > 1 and digits[0] == "0":
            return Text(text)
        return Number(sign * int(digits) if len(digits) < 40 else sign * float(digits), text)
    if digits in {".inf", ".Inf", ".INF"}:
        return Number(sign * math.inf, text)
    if text in _CORE_NAN:
        return Number(math.nan, text)
    if _SERDE_FLOAT.fullmatch(text) and not re.match("0[0-9]", digits):
        return Number(float(text), text)
    return Text(text)
