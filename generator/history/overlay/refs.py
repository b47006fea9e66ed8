"""How skills and versions are named in an overlay and on the command line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from generator.history.overlay.model import SkillKey
from generator.model import Owner, Sha256, Slug, Version
from generator.names import parse_owner, parse_slug
from generator.versions import parse_version

REASON_LIMIT: Final = 500
"""Characters of a reason: it is shown in lists, and printed by clients on one line."""
CATEGORY_LIMIT: Final = 40

_TAG = re.compile(r"[a-z][a-z0-9._-]{0,31}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_RULE = re.compile(r"[a-z][a-z0-9_.-]{0,79}")


@dataclass(frozen=True, slots=True)
class Reference:
    """``owner/slug@version``; owner and version are None where they were not named."""

    owner: Owner | None
    slug: Slug
    version: Version | None


def parse_reference(text: str) -> Reference:
    """``owner/slug``, ``@owner/slug`` or ``slug``, each with or without ``@version``.

    Raises:
        ValueError: it is none of these; the message says which part is wrong.
    """
    name, at, version = text.strip().removeprefix("@").partition("@")
    owner, slash, slug = name.partition("/")
    if not slash:
        owner, slug = "", name
    elif not owner:
        raise ValueError(f"{text!r} names no owner before the '/'")
    return Reference(
        parse_owner(owner) if slash else None,
        parse_slug(slug),
        parse_exact_version(version) if at else None,
    )


def parse_skill(text: str) -> SkillKey:
    """A skill by its whole address, without a version.

    Raises:
        ValueError: the owner is missing, a version is not, or a part is wrong.
    """
    reference = parse_reference(text)
    if reference.owner is None:
        raise ValueError(f"{text!r} names no owner. Write owner/slug")
    if reference.version is not None:
        raise ValueError(
            f"{text!r} names a version, but this is about the whole skill. Write {show_key(_key(reference))}"
        )
    return _key(reference)


def parse_release(text: str) -> tuple[SkillKey, Version]:
    """A version of a skill by its whole address.

    Raises:
        ValueError: owner or version are missing, or a part is wrong.
    """
    key, version = parse_skill_or_release(text)
    if version is None:
        raise ValueError(f"{text!r} names no version. Write {show_key(key)}@1.2.3")
    return key, version


def parse_skill_or_release(text: str) -> tuple[SkillKey, Version | None]:
    """A skill, or one version of it, by its whole address.

    Raises:
        ValueError: the owner is missing or a part is wrong.
    """
    reference = parse_reference(text)
    if reference.owner is None:
        raise ValueError(f"{text!r} names no owner. Write owner/slug")
    return _key(reference), reference.version


def _key(reference: Reference) -> SkillKey:
    assert reference.owner is not None
    return reference.owner, reference.slug


def parse_exact_version(text: str) -> Version:
    """A strict semantic version.

    Raises:
        ValueError: it is none; the normal form is named where there is one.
    """
    parsed = parse_version(text)
    if parsed is None:
        raise ValueError(f"{text!r} is not a version such as 1.2.3")
    if not parsed.exact or parsed.version != text:
        raise ValueError(f"{text!r} is not a whole version. Write {parsed.version}")
    return parsed.version


def parse_reason(text: str) -> str:
    """A reason on one line: white space folded.

    Raises:
        ValueError: it is empty, longer than :data:`REASON_LIMIT`, or holds characters that nobody sees.
    """
    return _parse_words(text, "a reason", REASON_LIMIT)


def parse_category(text: str) -> str:
    """A category's name. Raises ValueError as :func:`parse_reason` does."""
    return _parse_words(text, "a category", CATEGORY_LIMIT)


def _parse_words(text: str, what: str, limit: int) -> str:
    line = " ".join(text.split())
    if not line:
        raise ValueError(f"{what} must not be empty")
    if len(line) > limit:
        raise ValueError(f"{what} has {limit} characters at most, and this has {len(line)}")
    hidden = next((ch for ch in line if not ch.isprintable() and ch not in "\u200c\u200d"), None)
    if hidden is not None:
        raise ValueError(f"{what} must not hold the invisible character U+{ord(hidden):04X}")
    return line


def parse_tag(text: str) -> str:
    """The name of a dist-tag. It must not look like a version, for both are asked for in one place.

    Raises:
        ValueError: it breaks the rule.
    """
    if not _TAG.fullmatch(text) or parse_version(text) is not None:
        raise ValueError(
            f"tag {text!r} must be 1-32 of a-z, 0-9, '.', '_' and '-', start with a letter, and not look like a version"
        )
    return text


def parse_sha256(text: str) -> Sha256:
    """64 hexadecimal digits, in lower case.

    Raises:
        ValueError: it is something else.
    """
    if not _SHA256.fullmatch(text.lower()):
        raise ValueError(f"{text!r} is not a sha256: 64 hexadecimal digits")
    return Sha256(text.lower())


def parse_rule(text: str) -> str:
    """The id of a scan rule as reports print it.

    Raises:
        ValueError: no rule can have this id.
    """
    if not _RULE.fullmatch(text):
        raise ValueError(f"{text!r} is not the id of a rule, such as reverse_shell")
    return text


def show_key(key: SkillKey, version: str | None = None) -> str:
    """``owner/slug``, with ``@version`` where there is one."""
    return "/".join(key) + (f"@{version}" if version is not None else "")
