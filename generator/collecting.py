"""Collections: skills that the operator puts together, as hub.yml names them and as the catalog has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.findings import finding
from generator.model import Collection, Finding, Listing
from generator.read.nodes import MappingNode, Node, ScalarNode
from generator.settings import Settings, mapping_of, setting_error, texts_of

COLLECTION_KEYS: Mapping[str, str] = {
    "title": "What people read (default: the collection's name).",
    "description": "One sentence about it.",
    "skills": "Its skills: owner/slug, a slug that one owner has, or owner/* for all of one owner.",
}
COLLECTION_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MEMBER = re.compile(r"(?:[a-z0-9_-]+/)?(?:[a-z0-9-]+|\*)")


@dataclass(frozen=True, slots=True)
class Gathering:
    """A collection with the skills it has in the catalog, in the order of its members, each once."""

    collection: Collection
    listings: tuple[Listing, ...]


def read_collections(file: str, node: Node | None) -> tuple[Collection, ...]:
    """The mapping under ``collections:``, from name to title, description and skills.

    Raises:
        ConfigError: naming the place of what is wrong.
    """
    if node is None:
        return ()
    mapping = mapping_of(file, "collections", node)
    return tuple(_collection(file, key, value) for key, value in mapping.entries)


def _collection(file: str, key: ScalarNode, node: Node) -> Collection:
    name = key.value
    if not COLLECTION_NAME.fullmatch(name) or len(name) > 64:
        raise setting_error(
            file, key, f"collections.{name}",
            "a collection is named by 1 to 64 lower-case letters and digits, in words joined by single dashes.",
        )  # fmt: skip
    if not isinstance(node, MappingNode):
        raise setting_error(
            file, node, f"collections.{name}", "expected `title`, `description` and `skills`."
        )
    settings = Settings(file, f"collections.{name}.", node, COLLECTION_KEYS)
    skills = settings.node("skills")
    members = texts_of(file, f"collections.{name}.skills", skills) if skills is not None else ()
    if not members:
        raise setting_error(
            file, node, f"collections.{name}", "a collection needs `skills`. Write `skills: [owner/slug]`."
        )
    for member in members:
        if not _MEMBER.fullmatch(member) or member == "*":
            raise setting_error(
                file, skills or node, f"collections.{name}.skills",
                f"{member!r} is not owner/slug, a slug, or owner/*.",
            )  # fmt: skip
    return Collection(name, settings.text("title", name), settings.text("description", ""), members)


def gather_collections(
    collections: Sequence[Collection], listings: Sequence[Listing]
) -> tuple[tuple[Gathering, ...], tuple[Finding, ...]]:
    """Every collection with its skills, and a note for each member that names none."""
    by_key = {f"{one.owner}/{one.slug}": one for one in listings if one.stance.listed}
    by_slug = {str(one.slug): one for one in by_key.values() if one.holds_slug}
    gatherings: list[Gathering] = []
    notes: list[Finding] = []
    for collection in collections:
        found: dict[str, Listing] = {}
        for member in collection.members:
            named = list(_named(member, by_key, by_slug))
            if not named:
                notes.append(_unknown(collection, member))
            found |= {f"{one.owner}/{one.slug}": one for one in named}
        gatherings.append(Gathering(collection, tuple(found.values())))
    return tuple(gatherings), tuple(notes)


def _named(member: str, by_key: Mapping[str, Listing], by_slug: Mapping[str, Listing]) -> Iterator[Listing]:
    if member.endswith("/*"):
        yield from (one for key, one in sorted(by_key.items()) if key.startswith(member[:-1]))
    elif "/" in member:
        if member in by_key:
            yield by_key[member]
    elif member in by_slug:
        yield by_slug[member]


def _unknown(collection: Collection, member: str) -> Finding:
    return finding(
        "collection-member-unknown", collection.name,
        f"The collection {collection.name} names {member}, and no skill on this hub is called so",
        "Write it as owner/slug, or take it out of the collection",
    )  # fmt: skip
