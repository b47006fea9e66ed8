"""The body of ``POST /api/v1/skills/-/security-verdicts``."""

from __future__ import annotations

from generator.jsondata import load_json
from generator.serve.plans import Say, VerdictTarget

TARGETS_MAX = 100
_TEXT_MAX = 200
"""Characters of a slug, owner or version; nothing real comes near."""


def parse_verdicts(body: bytes) -> tuple[VerdictTarget, ...] | Say:
    """The 1 to 100 targets of a request, or the refusal that says what is wrong with it."""
    try:
        document = load_json(body)
    except ValueError:
        return Say(400, "The body must be JSON")
    items = document.get("items") if isinstance(document, dict) else None
    if not isinstance(items, list) or not 1 <= len(items) <= TARGETS_MAX:
        return Say(400, f"items must be a list of 1 to {TARGETS_MAX}")
    targets: list[VerdictTarget] = []
    for item in items:
        target = _target(item)
        if target is None:
            return Say(400, "Each item must be {slug, version} with an optional ownerHandle, all texts")
        targets.append(target)
    return tuple(targets)


def _target(item: object) -> VerdictTarget | None:
    if not isinstance(item, dict):
        return None
    slug, version, owner = item.get("slug"), item.get("version"), item.get("ownerHandle")
    if not _is_name(slug) or not _is_name(version) or not (owner is None or _is_name(owner)):
        return None
    return VerdictTarget(str(slug), str(version), None if owner is None else str(owner))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _TEXT_MAX
