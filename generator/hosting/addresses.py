"""The tables by which rules find what a question means: which skill, which version, which document."""

from __future__ import annotations

from collections.abc import Iterator

from generator.hosting.facts import HubFacts

WITHDRAWN = "withdrawn"
"""Stands for a latest version where none is offered; no version is called so."""


def resolve_addresses(facts: HubFacts) -> Iterator[tuple[str, str]]:
    """From what was asked (``owner/slug``, ``/slug``) to ``owner/slug``; ``?/slug`` where several owners have it."""
    known, taken = set(), set()
    for one in facts.skills:
        name = f"{one.owner}/{one.slug}"
        known.add(name)
        taken.add(one.slug)
        yield name, name
        if one.holds_slug:
            yield f"/{one.slug}", name
    for slug in facts.shared:
        yield f"/{slug}", f"?/{slug}"
    for old, present in facts.moved:
        if old not in known:
            yield old, present
    for slug, present in facts.moved_slugs:
        if slug not in taken:
            yield f"/{slug}", present


def others(facts: HubFacts) -> Iterator[tuple[str, str]]:
    """The route of each skill that does not hold its slug."""
    for one in facts.skills:
        if not one.holds_slug:
            yield f"{one.owner}/{one.slug}", f"/api/v1/owners/{one.owner}/skills/{one.slug}"


def resolve_latest(facts: HubFacts) -> Iterator[tuple[str, str]]:
    """The version that an installer gets who names none."""
    for one in facts.skills:
        yield f"{one.owner}/{one.slug}", one.latest or WITHDRAWN


def resolve_tags(facts: HubFacts) -> Iterator[tuple[str, str]]:
    """The version of each tag, by ``owner/slug tag``."""
    for one in facts.skills:
        for name, version in one.tags:
            yield f"{one.owner}/{one.slug} {name}", version


def moved_pages(facts: HubFacts) -> Iterator[tuple[str, str]]:
    """From the page of a former address to that of the present one."""
    for old, present in facts.moved:
        (owner, slug), (new_owner, new_slug) = old.split("/"), present.split("/")
        yield f"/{owner}/skills/{slug}/", f"/{new_owner}/skills/{new_slug}/"
