"""Versions: strict semantic versioning (semver.org 2.0.0), its order, and the near misses authors write.

Build metadata (``+build``) is never published: ``+`` reads as a space in some object stores, and two
versions that differ only in it have no order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.model import Version

FIRST_VERSION = Version("1.0.0")
"""What a skill without any version is published as."""

_NUMBER = r"(?:0|[1-9][0-9]{0,15})"
_PRE_PART = rf"(?:{_NUMBER}|[0-9]{{0,32}}[A-Za-z-][0-9A-Za-z-]{{0,63}})"
_STRICT = re.compile(rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-({_PRE_PART}(?:\.{_PRE_PART}){{0,15}}))?")
_OTHER_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?[eE][-+]?[0-9]+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")
"""Numbers in a notation that no version has: YAML readers differ in what they make of them."""
_NEAR = re.compile(
    r"[vV=]?\s*([0-9]{1,15})(?:\.([0-9]{1,15}))?(?:\.([0-9]{1,15}))?"
    r"(?:[-.]?([A-Za-z][0-9A-Za-z.-]{0,63}))?(?:\+[0-9A-Za-z.-]{1,64})?"
)


@dataclass(frozen=True, slots=True)
class ParsedVersion:
    """A version in normal form. ``exact`` is true where the author wrote just that."""

    version: Version
    exact: bool


def parse_version(text: str) -> ParsedVersion | None:
    """The normal form of what an author wrote, or None where it is no version at all.

    Strict semver stays as it is. ``1`` -> ``1.0.0``, ``1.10`` -> ``1.10.0``, ``v2`` -> ``2.0.0``,
    ``01.2.3`` -> ``1.2.3``, ``1.0beta`` -> ``1.0.0-beta``, ``1.2.3+build`` -> ``1.2.3``.
    A number in another notation (``1e3``, ``0x10``) is none: nobody means ``1.0.0-e3``.
    """
    text = text.strip()
    if _STRICT.fullmatch(text):
        return ParsedVersion(Version(text), exact=True)
    near = _NEAR.fullmatch(text)
    if near is None or _OTHER_NUMBER.fullmatch(text):
        return None
    numbers = ".".join(str(int(part or "0")) for part in near.group(1, 2, 3))
    pre = near.group(4)
    normal = f"{numbers}-{pre.rstrip('.-')}" if pre else numbers
    return ParsedVersion(Version(normal), exact=False) if _STRICT.fullmatch(normal) else None


Precedence = tuple[int, int, int, bool, tuple[tuple[bool, int, str], ...]]


def precedence(version: Version) -> Precedence:
    """A key that sorts versions by semver precedence, lowest first."""
    match = _STRICT.fullmatch(version)
    assert match is not None, version
    major, minor, patch, pre = match.groups()
    parts = pre.split(".") if pre else ()
    return (
        int(major), int(minor), int(patch),
        not pre,
        tuple((not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts),
    )  # fmt: skip


def is_prerelease(version: Version) -> bool:
    """Whether the version has a pre-release part."""
    return "-" in version


def newest_first(versions: list[Version]) -> list[Version]:
    """Sort so that the first is what an installer gets: highest stable, pre-releases after all stable ones
    only where there is a stable one at all; the rest by precedence."""
    ordered = sorted(versions, key=precedence, reverse=True)
    latest = next((version for version in ordered if not is_prerelease(version)), None)
    if latest is None:
        return ordered
    return [latest, *(version for version in ordered if version != latest)]


def next_patch(version: Version) -> Version:
    """The next patch version after a stable one; the stable version itself after a pre-release."""
    match = _STRICT.fullmatch(version)
    assert match is not None, version
    major, minor, patch, pre = match.groups()
    return Version(f"{major}.{minor}.{patch if pre else int(patch) + 1}")
