"""Tags that state a version: ``v1.2.3`` for every skill; ``slug-v1.2.3``, ``slug@1.2.3``, ``slug/v1.2.3`` for one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from generator.model import Version
from generator.read.sources.git.objects import Damage, Objects
from generator.versions import parse_version

_PREFIX: Final = "refs/tags/"
_LONGEST: Final = 255
_SLUG: Final = re.compile("[a-z0-9][a-z0-9-]*")
_MARK: Final = re.compile("(?:-v|@|/v)(?=[0-9])")


@dataclass(frozen=True, slots=True)
class TagName:
    """What a tag's name says: a strict version, and the slug it is for (None: every skill)."""

    slug: str | None
    version: Version


@dataclass(frozen=True, slots=True)
class Tag:
    """A version tag and the commit behind it."""

    name: str
    slug: str | None
    version: Version
    commit: str


def parse_tag(name: str) -> TagName | None:
    """The version a tag's name states, or None. The version must be strict semver, without build metadata."""
    if len(name) > _LONGEST:
        return None
    if name.startswith("v") and (version := _strict(name[1:])) is not None:
        return TagName(None, version)
    for mark in _MARK.finditer(name):
        slug, version = name[: mark.start()], _strict(name[mark.end() :])
        if version is not None and _SLUG.fullmatch(slug):
            return TagName(slug, version)
    return None


def _strict(text: str) -> Version | None:
    parsed = parse_version(text)
    # parse_version forgives blanks around it, a tag's reader should not.
    return parsed.version if parsed is not None and parsed.exact and parsed.version == text else None


def read_tags(objects: Objects) -> tuple[Tag, ...]:
    """Every version tag, annotated or light, that leads to a commit, sorted by name."""
    named = [
        (ref.name.removeprefix(_PREFIX), parsed, ref.object_id)
        for ref in objects.repository.refs
        if ref.name.startswith(_PREFIX) and (parsed := parse_tag(ref.name.removeprefix(_PREFIX))) is not None
    ]
    headers = objects.describe(f"{object_id}^{{commit}}" for _, _, object_id in named)
    return tuple(
        Tag(name, parsed.slug, parsed.version, header.object_id)
        for (name, parsed, _), header in zip(named, headers, strict=True)
        if not isinstance(header, Damage)
    )
