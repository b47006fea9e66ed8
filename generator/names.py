"""Owners and slugs: the names that become URLs.

A slug follows the ClawHub server rule (``^[a-z0-9](?:(?!--)[a-z0-9-])*[a-z0-9]$``, 3-96 characters), an
owner the rule OpenClaw checks handles by (``^[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?$``), without dots, so
that an owner can never look like a file of the site.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from generator.model import Owner, Slug

SLUG_MIN, SLUG_MAX = 3, 96

_SLUG = re.compile(r"[a-z0-9](?:(?!--)[a-z0-9-])*[a-z0-9]")
_OWNER = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")

RESERVED_SLUGS = frozenset({"resolve", "export"})
"""Slugs that are routes of the API below ``/api/v1/skills/``. (``-`` cannot be a slug at all.)"""

RESERVED_OWNERS = frozenset(
    {
        # folders and documents of the hub itself
        "agentskills", "api", "assets", "browse", "bundles", "changes", "claude", "clients", "collections",
        "dl", "docs", "feeds", "git", "hosts", "index", "ledger", "llms", "llms-full", "not-published", "npm",
        "npmr", "owners", "packs", "pages", "publish", "rules", "schemas", "search", "skills", "static", "tree",
        "trust", "use", "v1",
        # what browsers, crawlers and hosts ask for
        "404", "admin", "favicon", "login", "robots", "sitemap", "well-known",
    }
)  # fmt: skip
"""Owner names that would collide with the hub's own top-level paths. A test compares this with a built hub."""


class InvalidNameError(ValueError):
    """A text is not a valid owner or slug; the message says which rule it breaks."""


def parse_owner(text: str) -> Owner:
    """Prove that ``text`` is a usable owner.

    Raises:
        InvalidNameError: it breaks the rule, or names a path of the hub itself.
    """
    if not _OWNER.fullmatch(text):
        raise InvalidNameError(
            f"owner {text!r} must be 1-40 of a-z, 0-9, '-', '_', and start and end with a letter or digit"
        )
    if text in RESERVED_OWNERS:
        raise InvalidNameError(f"owner {text!r} is a path of the hub itself; choose another name")
    return Owner(text)


def parse_slug(text: str) -> Slug:
    """Prove that ``text`` is a usable slug.

    Raises:
        InvalidNameError: it breaks the rule, or names a route of the API.
    """
    if not SLUG_MIN <= len(text) <= SLUG_MAX or not _SLUG.fullmatch(text):
        raise InvalidNameError(
            f"slug {text!r} must be {SLUG_MIN}-{SLUG_MAX} of a-z, 0-9 and single dashes, "
            "and start and end with a letter or digit"
        )
    if text in RESERVED_SLUGS:
        raise InvalidNameError(f"slug {text!r} is a route of the API")
    return Slug(text)


class SlugFit(StrEnum):
    """How a slug came from the text an author chose."""

    EXACT = "exact"
    ADJUSTED = "adjusted"
    HASHED = "hashed"


@dataclass(frozen=True, slots=True)
class FittedSlug:
    """A text made to fit the slug rule. ``slug`` may still be reserved: :func:`parse_slug` tells."""

    slug: str
    fit: SlugFit


def fit_slug(text: str) -> FittedSlug:
    """Make any text fit the slug rule, always the same way.

    Letters lose case and accents, everything else becomes a single dash, a short name gains ``-skill``, a
    long one is cut. A text without one ASCII letter or digit (a Chinese folder name, say) becomes
    ``skill-`` and 8 hex digits of its sha256, so that two such names never share a slug by accident.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    slug = _NOT_SLUG.sub("-", plain).strip("-")
    letters_lost = any(ch.isalnum() and ord(ch) > 0x24F for ch in unicodedata.normalize("NFC", text))
    if not slug or (letters_lost and len(slug) < SLUG_MIN):
        digest = hashlib.sha256(unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass"))
        return FittedSlug(f"skill-{digest.hexdigest()[:8]}", SlugFit.HASHED)
    if len(slug) < SLUG_MIN:
        slug = f"{slug}-skill"
    slug = slug[:SLUG_MAX].rstrip("-")
    return FittedSlug(slug, SlugFit.EXACT if slug == text else SlugFit.ADJUSTED)
