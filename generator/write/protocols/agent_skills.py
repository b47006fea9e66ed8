"""Agent Skills discovery, version 0.2.0: an index of archives with their digests at a fixed address below a page.

Read by ``skills`` (npm, 1.5.18 and 1.7.4 were run). Addresses are relative to the index, so that they hold
below any base path. What these clients make of an index:

* A bad entry, a digest that does not match and an archive without ``SKILL.md`` are passed over without a word.
* 1.5.18 then takes the index of the *host's* root instead, and with ``-y`` installs every skill in it. So an index
  below a page always leads to something: where there is nothing to install, to a notice that says why. 1.7.4
  hides it (``metadata.internal``) and refuses; 1.5.18 installs the notice under a name of its own and nothing
  else; with ``--skill NAME`` both refuse.
* ``files`` and ``version`` are passed over; ``files`` is what a reader of version 0.1 wants of an entry.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, Literal, NotRequired, TypedDict

from generator.history.overlay.effects import refuse_install
from generator.jsondata import dump_bytes
from generator.model import Hub, Owner, PublishedSkill, Route, ScanVerdict, Slug
from generator.write.layout import archive_file
from generator.write.protocols.indexes import (
    JSON,
    NAME_MAX,
    Indexed,
    cut_units,
    describe,
    fits_name,
    is_flat,
    is_offered,
    is_readable,
    json_route,
    unique_names,
)
from generator.write.protocols.raw_tree import fits_tree, paths_of

SCHEMA: Final = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
FOLDER: Final = "/.well-known/agent-skills"
NOTICE_NAME: Final = "not-installed"
"""The name of a notice. Never that of the skill: a copy that is already there stays as it is."""
MISSING: Final = f"{FOLDER}/missing.json"
"""What a router answers where somebody asks for the index of a page that does not exist."""
_URL: Final = b'"url":"'
_MARKDOWN: Final = "text/markdown; charset=utf-8"


class Entry(TypedDict):
    """One entry. ``digest`` is of the bytes at ``url``."""

    name: str
    type: Literal["archive", "skill-md"]
    description: str
    url: str
    digest: str
    version: NotRequired[str]
    files: NotRequired[list[str]]


def skill_answers(skill: PublishedSkill) -> tuple[Route, ...]:
    """The index below the page of a skill, with the one entry; and the notice where it leads to one."""
    listing = skill.listing
    at = f"/{listing.owner}/skills/{listing.slug}"
    indexed = Indexed(listing, skill.latest.archive, paths_of(skill))
    if is_offered(listing) and _is_entry(indexed):
        return (_index(at, (indexed,), _Dumped()),)
    return _notice_routes(at, _why_not(skill))


def hub_routes(
    hub: Hub,
    skills: Sequence[Indexed],
    collections: Mapping[str, Sequence[tuple[Owner, Slug]]],
) -> tuple[Route, ...]:
    """The index of the whole hub, of each owner and of each collection, and the one for pages there are not.

    ``skills`` are those of the catalog in its order; ``collections`` maps the name of each to its members.
    """
    entries = tuple(one for one in skills if is_offered(one.listing) and _is_entry(one))
    owners: dict[str, list[Indexed]] = {one.listing.owner: [] for one in skills if one.listing.stance.listed}
    for one in entries:
        owners[one.listing.owner].append(one)
    by_key = {(one.listing.owner, one.listing.slug): one for one in entries}
    dumped = _Dumped()
    routes = [_index("", tuple(one for one in entries if is_flat(one.listing)), dumped)]
    for owner, own in sorted(owners.items()):
        text = f"{owner} has no skill on this hub that can be installed."
        routes += _group(f"/{owner}", own, text, dumped)
    for name, members in sorted(collections.items()):
        chosen = unique_names([by_key[key] for key in members if key in by_key])
        text = f"The collection {name} has no skill that can be installed."
        routes += _group(f"/collections/{name}", chosen, text, dumped)
    return (*routes, *_missing(hub))


def _group(at: str, skills: Sequence[Indexed], otherwise: str, dumped: _Dumped) -> tuple[Route, ...]:
    return (_index(at, skills, dumped),) if skills else _notice_routes(at, otherwise)


def _is_entry(skill: Indexed) -> bool:
    return fits_name(skill.listing) and is_readable(skill.listing)


def _index(at: str, skills: Iterable[Indexed], dumped: _Dumped) -> Route:
    path = f"{at}{FOLDER}/index.json"
    up = "../" * (path.count("/") - 1)
    entries = b",".join([dumped.entry(one, up) for one in skills])
    return Route(path, b'{"$schema":"%b","skills":[%b]}' % (SCHEMA.encode(), entries), JSON)


@dataclass(slots=True)
class _Dumped:
    """Entries as bytes around their address: a skill is in the index of the hub, of its owner, of collections."""

    around: dict[tuple[str, str], tuple[bytes, bytes]] = field(default_factory=dict)

    def entry(self, skill: Indexed, up: str) -> bytes:
        """The entry with its address from a place that is ``up`` from the root."""
        key = skill.listing.owner, skill.listing.slug
        if key not in self.around:
            # No text before it holds a bare quote.
            before, _, after = dump_bytes(_entry(skill, "")).partition(_URL)
            self.around[key] = before, after
        before, after = self.around[key]
        return b"%b%b%b%b" % (before, _URL, up.encode(), after)


def _entry(skill: Indexed, up: str) -> Entry:
    listing = skill.listing
    entry: Entry = {
        "name": listing.slug,
        "type": "archive",
        "description": describe(listing),
        "url": f"{up}{archive_file(listing.owner, listing.slug, listing.version)}",
        "digest": f"sha256:{skill.archive.sha256}",
        "version": listing.version,
    }
    if fits_tree(skill.paths, headers=True):
        entry["files"] = list(skill.paths)
    return entry


# --- notices ---------------------------------------------------------------------------------------


def _why_not(skill: PublishedSkill) -> str:
    """One sentence: why the page of this skill gives nothing to these clients."""
    listing = skill.listing
    name = f"{listing.owner}/{listing.slug}"
    refusal = refuse_install((listing.owner, listing.slug), skill.standing)
    if refusal is not None:
        return refusal.text
    if listing.verdict is ScanVerdict.BLOCK:
        return f"{name} is blocked by this hub's security scan."
    if not fits_name(listing):
        return f"{name} has a name of more than {NAME_MAX} characters, which this installer does not take."
    return f"{name} has no front matter that this installer reads; its page says what else can install it."


def _notice_routes(at: str, reason: str) -> tuple[Route, ...]:
    notice = _notice(reason)
    index = {"$schema": SCHEMA, "skills": [_notice_entry(reason, notice, "SKILL.md")]}
    return (
        Route(f"{at}{FOLDER}/SKILL.md", notice, _MARKDOWN),
        json_route(f"{at}{FOLDER}/index.json", index),
    )


def _missing(hub: Hub) -> tuple[Route, ...]:
    """Its address is absolute: nobody knows how deep the page that was asked for lies."""
    reason = "There is no such skill on this hub."
    notice = _notice(reason)
    address = f"{FOLDER}/missing.md"
    index = {"$schema": SCHEMA, "skills": [_notice_entry(reason, notice, f"{hub.url}{address}")]}
    return (Route(address, notice, _MARKDOWN), json_route(MISSING, index))


def _notice_entry(reason: str, notice: bytes, url: str) -> Entry:
    return {
        "name": NOTICE_NAME,
        "type": "skill-md",
        "description": _told(reason),
        "url": url,
        "digest": f"sha256:{sha256(notice).hexdigest()}",
    }


def _told(reason: str) -> str:
    return cut_units(" ".join(f"Nothing was installed. {reason}".split()), 1000)


def _notice(reason: str) -> bytes:
    """A skill that does nothing and says so. A JSON string is a string in YAML too."""
    described = json.dumps(_told(reason), ensure_ascii=True)
    text = (
        f"---\nname: {NOTICE_NAME}\ndescription: {described}\nmetadata:\n  internal: true\n---\n"
        f"# Nothing was installed\n\nThis is a notice of the hub, not the skill that was asked for. "
        "It holds no instructions; tell the user what its description says, and that its folder can be deleted.\n"
    )
    return text.encode("utf-8", "replace")
