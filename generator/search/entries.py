"""What the index keeps of a skill, and how it is read back.

An entry is a :class:`~generator.model.Listing` without what no row of the ClawHub API and no filter needs: findings,
tools and statuses are gone, the description is cut as rows cut it, and the operator's note stands before it.
``expand`` of ``search.js`` is :func:`expand` again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.model import (
    Deprecation,
    Hub,
    Listing,
    Owner,
    ScanVerdict,
    Slug,
    Stance,
    Taxonomy,
    TimeMs,
    Version,
    VersionTag,
)
from generator.write.protocols.clawhub_rows import SUMMARY_LIMIT, list_row, noted_summary
from generator.write.protocols.clawhub_types import SkillRow


@dataclass(frozen=True, slots=True)
class Column:
    """One fact of every skill: its name in the document, the value that is most skills' and is seldom written, and
    how a listing gives it."""

    name: str
    default: Any
    take: Callable[[Listing], Any]


NAME_COLUMNS: Sequence[Column] = (
    Column("slug", "", lambda one: one.slug),
    Column("owner", "", lambda one: one.owner),
    Column("name", None, lambda one: None if one.name == one.slug else one.name),
    Column("title", None, lambda one: None if one.display_name == one.name else one.display_name),
    Column("version", "", lambda one: one.version),
    Column("updated", 0, lambda one: one.updated_at),
    Column("age", 0, lambda one: one.updated_at - one.created_at),
    Column("shared", False, lambda one: not one.holds_slug),
    Column("topics", [], lambda one: list(one.topics)),
    Column("category", None, lambda one: one.category),
    Column("taxonomy", None, lambda one: _taxonomy(one.taxonomy)),
    Column("license", None, lambda one: one.license),
    Column("verdict", "allow", lambda one: one.verdict.value),
    Column("outcomes", "", lambda one: one.outcomes),
    Column("emoji", None, lambda one: one.emoji),
    Column("homepage", None, lambda one: one.homepage),
    Column("setup", [], lambda one: list(one.setup)),
    Column("os", [], lambda one: list(one.os)),
    Column("files", 0, lambda one: one.file_count),
    Column("size", 0, lambda one: one.size),
    Column("findings", 0, lambda one: one.findings),
    Column("retained", False, lambda one: one.retained),
    Column("withdrawn", False, lambda one: one.stance.withdrawn),
    Column("deprecated", None, lambda one: _deprecation(one.stance.deprecated)),
    Column("archived", None, lambda one: one.stance.archived),
    Column("featured", None, lambda one: one.stance.featured),
    Column("tags", [], lambda one: [[tag.name, tag.version] for tag in one.stance.tags]),
)
"""What the document of names holds. ``age`` is how long before ``updated`` a skill was made; ``shared`` is true where
the bare slug means another skill or none."""
TEXT_COLUMNS: Sequence[Column] = (
    Column("summary", "", lambda one: _summary(one)),
    Column("changelog", "", lambda one: one.changelog),
)
"""What is long, and lies in documents of its own in a large hub."""


def restore(facts: Mapping[str, Any]) -> Listing:
    """An entry out of the values of all columns.

    Raises:
        KeyError, TypeError, ValueError: they are none.
    """
    name = facts["slug"] if facts["name"] is None else facts["name"]
    deprecated = facts["deprecated"]
    return Listing(
        owner=Owner(facts["owner"]),
        slug=Slug(facts["slug"]),
        name=name,
        display_name=name if facts["title"] is None else facts["title"],
        description=facts["summary"],
        version=Version(facts["version"]),
        created_at=TimeMs(facts["updated"] - facts["age"]),
        updated_at=TimeMs(facts["updated"]),
        holds_slug=not facts["shared"],
        verdict=ScanVerdict(facts["verdict"]),
        license=facts["license"],
        homepage=facts["homepage"],
        emoji=facts["emoji"],
        topics=tuple(facts["topics"]),
        category=facts["category"],
        taxonomy=_restore_taxonomy(facts["taxonomy"]),
        setup=tuple(facts["setup"]),
        os=tuple(facts["os"]),
        changelog=facts["changelog"],
        file_count=facts["files"],
        size=facts["size"],
        findings=facts["findings"],
        retained=facts["retained"],
        outcomes=facts["outcomes"],
        stance=Stance(
            withdrawn=facts["withdrawn"],
            deprecated=None if deprecated is None else Deprecation(deprecated[0], deprecated[1]),
            archived=facts["archived"],
            featured=facts["featured"],
            tags=tuple(VersionTag(name, Version(version)) for name, version in facts["tags"]),
        ),
    )


def expand(entry: Listing, hub: Hub) -> SkillRow:
    """The row of the ClawHub API, exactly as the build writes it for the listing that the entry comes from."""
    return list_row(entry, hub)


def tie_key(entry: Listing) -> tuple[int, str, str]:
    """The order of what is equal otherwise, and of the index: the newest release, then the slug, then the owner."""
    return (-entry.updated_at, entry.slug, entry.owner)


def _summary(listing: Listing) -> str:
    summary = noted_summary(listing)
    return summary if len(summary) <= SUMMARY_LIMIT else f"{summary[: SUMMARY_LIMIT - 1]}…"


def _deprecation(deprecated: Deprecation | None) -> list[str | None] | None:
    return None if deprecated is None else [deprecated.reason, deprecated.successor]


def _taxonomy(taxonomy: Taxonomy) -> list[Any] | None:
    if not taxonomy:
        return None
    groups = (taxonomy.domains, taxonomy.stages, taxonomy.forms, taxonomy.audiences)
    return [taxonomy.track, taxonomy.language, *map(list, groups)]


def _restore_taxonomy(values: list[Any] | None) -> Taxonomy:
    if values is None:
        return Taxonomy()
    track, language, *groups = values
    domains, stages, forms, audiences = map(tuple, groups)
    return Taxonomy(track, language, domains, stages, forms, audiences)
