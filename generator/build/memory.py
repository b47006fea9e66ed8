"""What a build remembers of the last one, so that an unchanged hub costs a look and no write.

It lies in the output's work folder. It is a memory, not a record: lost or from another version, the next
build does everything again and ends with the same files. The record is the ledger.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from generator.build.summary import Flagged, NotPublished, Shadowed
from generator.history.decision import Draft, SkillKey
from generator.jsondata import JsonShapeError, dump_bytes, from_plain, load_json, to_plain
from generator.model import Finding, Listing, Owner, Slug
from generator.write.layout import Layout, Naming, withheld_file
from generator.write.publish import ROOT_DOCUMENT, WORK_FOLDER, Publisher

if TYPE_CHECKING:
    from generator.write.protocols.atom import FeedEntry

MEMORY_FILE = f"{WORK_FOLDER}/memory.json"
DETAILS_FILE = f"{WORK_FOLDER}/details.jsonl"
_SCHEMA = "skillpress.memory.v3"


@dataclass(frozen=True, slots=True)
class Memory:
    """The outline of the last build.

    ``recipe`` covers everything but the skills: our own code, the hub's settings, the page shell.
    ``addresses`` is one over renames and reviews, ``overlay`` what was found about the operator's decisions,
    ``withheld`` the archives in the work folder that are held back, with their bytes.
    ``digests`` hold, for each source label, a digest for each folder; ``notes`` is one over what was found
    about the sources themselves; ``shadowed`` are skills that others stand in front of. ``published`` counts
    the skills.
    ``hub_files`` are the files that belong to no skill. ``file_count`` and
    ``tree_size`` (bytes) cover every file of the output, ``root_digest`` the root document, to notice when
    somebody removed, cut off or replaced one.
    """

    recipe: str
    layout: Layout
    naming: Naming
    digests: dict[str, dict[str, str]]
    notes: str
    shadowed: tuple[Shadowed, ...]
    published: int
    retained: int
    rejected: tuple[NotPublished, ...]
    flagged: tuple[Flagged, ...]
    with_findings: int
    hub_files: tuple[str, ...]
    file_count: int
    tree_size: int
    root_digest: str
    addresses: str = ""
    overlay: tuple[Finding, ...] = ()
    withheld: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Details:
    """Every draft and listing of the last build; read only when something has changed.

    ``entries`` are the releases of each listed skill as feeds show them.
    """

    drafts: tuple[Draft, ...] = ()
    listings: tuple[Listing, ...] = ()
    entries: Mapping[SkillKey, tuple[FeedEntry, ...]] = field(default_factory=dict)

    @cached_property
    def draft_at(self) -> dict[tuple[str, str], Draft]:
        """Drafts by source label and folder."""
        return {(draft.label, draft.folder): draft for draft in self.drafts}

    @cached_property
    def listing_of(self) -> dict[SkillKey, Listing]:
        """Listings by owner and slug."""
        return {(Owner(listing.owner), Slug(listing.slug)): listing for listing in self.listings}


def load_memory(root: str) -> Memory | None:
    """The outline of the last build, or None where there is none that we understand."""
    try:
        with open(f"{root}/{MEMORY_FILE}", "rb") as file:
            plain = load_json(file.read())
        if plain["schema"] != _SCHEMA:
            return None
        return Memory(
            recipe=plain["recipe"],
            layout=Layout(plain["layout"]),
            naming=Naming(plain["naming"]),
            digests=plain["digests"],
            notes=plain["notes"],
            shadowed=tuple(from_plain(Shadowed, item) for item in plain["shadowed"]),
            published=plain["published"],
            retained=plain["retained"],
            rejected=tuple(from_plain(NotPublished, item) for item in plain["rejected"]),
            flagged=tuple(from_plain(Flagged, item) for item in plain["flagged"]),
            with_findings=plain["with_findings"],
            hub_files=tuple(plain["hub_files"]),
            file_count=plain["file_count"],
            tree_size=plain["tree_size"],
            root_digest=plain["root_digest"],
            addresses=plain["addresses"],
            overlay=tuple(from_plain(Finding, item) for item in plain["overlay"]),
            withheld=tuple((str(path), int(size)) for path, size in plain["withheld"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def load_details(root: str) -> Details:
    """Everything the last build knew of each skill; empty where that cannot be read."""
    # Loaded only where something changed: an unchanged hub should not wait for it.
    from generator.write.protocols.atom import FeedEntry

    drafts: list[Draft] = []
    listings: list[Listing] = []
    entries: dict[SkillKey, tuple[FeedEntry, ...]] = {}
    try:
        with open(f"{root}/{DETAILS_FILE}", "rb") as file:
            for line in file:
                kind, plain = load_json(line)
                if kind == "draft":
                    drafts.append(from_plain(Draft, plain))
                elif kind == "entry":
                    entry = from_plain(FeedEntry, plain)
                    entries[entry.owner, entry.slug] = (*entries.get((entry.owner, entry.slug), ()), entry)
                else:
                    listings.append(from_plain(Listing, plain))
    except (OSError, ValueError, JsonShapeError):
        return Details()
    return Details(tuple(drafts), tuple(listings), entries)


def forget(publisher: Publisher) -> None:
    """Drop the outline before files change, so that a killed build is never taken for a finished one."""
    publisher.remove(MEMORY_FILE)


def store_memory(
    publisher: Publisher,
    memory: Memory,
    drafts: Iterable[Draft],
    listings: Iterable[Listing],
    entries: Mapping[SkillKey, tuple[FeedEntry, ...]],
) -> None:
    """Remember a finished build; the outline last."""
    lines = [dump_bytes(["draft", to_plain(draft)]) for draft in drafts]
    lines += [dump_bytes(["listing", to_plain(listing)]) for listing in listings]
    lines += [dump_bytes(["entry", to_plain(entry)]) for own in entries.values() for entry in own]
    publisher.write(DETAILS_FILE, b"\n".join(lines) + b"\n")
    outline = {
        "schema": _SCHEMA,
        "recipe": memory.recipe,
        "layout": memory.layout.value,
        "naming": memory.naming.value,
        "notes": memory.notes,
        "shadowed": to_plain(memory.shadowed),
        "published": memory.published,
        "retained": memory.retained,
        "rejected": to_plain(memory.rejected),
        "flagged": to_plain(memory.flagged),
        "with_findings": memory.with_findings,
        "hub_files": list(memory.hub_files),
        "file_count": memory.file_count,
        "tree_size": memory.tree_size,
        "root_digest": memory.root_digest,
        "addresses": memory.addresses,
        "overlay": to_plain(memory.overlay),
        "withheld": [list(one) for one in memory.withheld],
        "digests": memory.digests,
    }
    publisher.write(MEMORY_FILE, dump_bytes(outline))


def measure_tree(root: str) -> tuple[int, int]:
    """The number of files below an output folder and their bytes together, its work folder apart."""
    count = size = 0
    folders = [root]
    while folders:
        folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if folder != root or entry.name != WORK_FOLDER:
                        folders.append(entry.path)
                else:
                    count += 1
                    size += entry.stat(follow_symlinks=False).st_size
    return count, size


def list_withheld(root: str) -> tuple[tuple[str, int], ...]:
    """The archives that are held back, with their bytes, sorted. The work folder is in no published copy, so nothing
    else tells when one is lost."""
    found = [
        (os.path.relpath(path, root), os.lstat(path).st_size)
        for folder, _, names in os.walk(f"{root}/{withheld_file('')}")
        for path in (f"{folder}/{name}" for name in names)
    ]
    return tuple(sorted(found))


def digest_root(root: str) -> str:
    """The sha256 of the root document; empty where it cannot be read."""
    try:
        with open(f"{root}/{ROOT_DOCUMENT}", "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""
