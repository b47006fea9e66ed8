"""The name a host uses for a skill, and what is wrong with a name for a host that asks for a form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

_KEBAB: Final = re.compile(r"[a-z0-9-]+")
_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_NOT_SLUG: Final = re.compile(r"[^a-z0-9-]+")
_UNSAFE: Final = re.compile(r'[:\\/<>*?"|]')
_LONGEST_SLUG: Final = 64


def make_slug(name: str) -> str:
    """DeepTutor's slug: lower case, everything but a-z, 0-9 and - becomes one -, at most 64 characters."""
    text = _NOT_SLUG.sub("-", name.strip().lower())
    return re.sub(r"-{2,}", "-", text).strip("-")[:_LONGEST_SLUG]


def _cut(name: str) -> str:
    return name[:64]


def _single_line(name: str) -> str:
    return " ".join(name.split())


def _dashed(name: str) -> str:
    return _UNSAFE.sub("-", name)


_SHOWN: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {
        "as-is": str,
        "trimmed": str.strip,
        "single-line": _single_line,
        "cut": _cut,
        "dashed": _dashed,
        "slug": make_slug,
    }
)


def show_name(name: str, shown: str) -> str:
    """The name as a host with ``name-shown`` ``shown`` uses it."""
    return _SHOWN[shown](name)


def name_problem(name: str, form: str) -> str:
    """What is wrong with a name for a host with ``name-form`` ``form``, in words; empty where nothing is."""
    if form == "any":
        return ""
    if form == "slug":
        return "" if _SLUG.fullmatch(make_slug(name)) else "no letter or digit of it can be part of a slug"
    text = name.strip()
    if form == "kebab":
        if not text:
            return ""
        if not _KEBAB.fullmatch(text):
            return "only lower-case letters a-z, digits and hyphens are accepted"
        return _hyphen_problem(text)
    text = unicodedata.normalize("NFKC", text)
    if text != text.lower():
        return "only lower-case letters are accepted"
    if problem := _hyphen_problem(text):
        return problem
    if not all(char.isalnum() or char == "-" for char in text):
        return "only letters, digits and hyphens are accepted"
    return ""


def same_as_folder(name: str, folder: str) -> bool:
    """True where name and folder are one under Unicode's NFKC, as skills-ref compares them."""
    if name == folder:
        return True
    return unicodedata.normalize("NFKC", name.strip()) == unicodedata.normalize("NFKC", folder)


def _hyphen_problem(text: str) -> str:
    if text.startswith("-") or text.endswith("-"):
        return "a hyphen at its start or end is not accepted"
    return "two hyphens in a row are not accepted" if "--" in text else ""
