"""Rules over the whole catalog: what two skills cannot both have where hosts keep one of a name.

What each host then does is in ``docs/findings.md`` and in the hosts' files (facts: ``rules.json``, lint rules
name-collision-in-registry, agent-name-collision and name-contains-autoload-name).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from generator.findings import finding
from generator.judge.members import Member, NamedFile
from generator.judge.neighbourhood import member_of
from generator.model import Finding
from generator.read.paths import collision_key

__all__ = ["Member", "find_collisions", "member_of"]

_NAMED: Final = 3
"""Other skills that a message names; the rest is a number."""
_LONGEST_NAME: Final = 256
"""Characters of a name that are compared by part: longer ones are no names."""
_END: Final = ""

_Trie = dict[str, "_Trie"]


def find_collisions(members: Sequence[Member]) -> Mapping[int, tuple[Finding, ...]]:
    """Findings about several skills together, by the index of the skill they belong to.

    Skills without findings are left out. The order of the members changes nothing but the indices. Never
    raises; the time is near linear in the members.
    """
    order = sorted(
        range(len(members)), key=lambda i: (members[i].label, members[i].source, members[i].path, i)
    )
    found: dict[int, list[Finding]] = {}
    for rule in (_same_names, _same_agents, _same_servers, _contained_names, _same_folders, _lost_siblings):
        for index, note in rule(members, order):
            found.setdefault(index, []).append(note)
    return {
        index: tuple(
            sorted(found[index], key=lambda f: (f.path, f.line or 0, f.column or 0, f.code, f.message))
        )
        for index in sorted(found)
    }


_Told = Iterator[tuple[int, Finding]]


def _same_names(members: Sequence[Member], order: Sequence[int]) -> _Told:
    for name, group in _groups((members[i].name, i) for i in order):
        for index in group:
            member = members[index]
            others = _labels(members, group[: _NAMED + 1], index, len(group) - 1)
            yield (
                index,
                finding(
                    "name-collision-in-registry",
                    member.path,
                    f"The name {_shown(name)} is also that of {others}; most hosts keep only one of them, "
                    "OpenCode, Gemini CLI and DeerFlow the last, Hermes, VS Code and the skills CLI the first",
                    "Give one of them another name, for instance with the project's name in front.",
                    member.name_line,
                    member.name_column,
                    name,
                ),
            )


def _same_agents(members: Sequence[Member], order: Sequence[int]) -> _Told:
    for name, index, path, others in _shared_files(members, order, [members[i].agents for i in order]):
        yield (
            index,
            finding(
                "agent-name-collision",
                path,
                f"The subagent {_shown(name)} is also defined by {others}; hosts keep the last one they scan",
                "Rename it, for instance with the skill's name in front.",
                text=name,
            ),
        )


def _same_servers(members: Sequence[Member], order: Sequence[int]) -> _Told:
    for name, index, path, others in _shared_files(members, order, [members[i].servers for i in order]):
        yield (
            index,
            finding(
                "mcp-server-collision",
                path,
                f"The MCP server {_shown(name)} is another one in {others}; a host that keeps one of a name starts "
                "the same for both",
                "Rename the server, for instance with the skill's name in front.",
                text=name,
            ),
        )


def _shared_files(
    members: Sequence[Member], order: Sequence[int], files: Sequence[Iterable[NamedFile]]
) -> Iterator[tuple[str, int, str, str]]:
    """Names that several skills use with different meanings (or with none to compare)."""
    places: dict[str, dict[int, NamedFile]] = {}
    for index, named in zip(order, files, strict=True):
        for file in named:
            places.setdefault(file.name, {}).setdefault(index, file)
    for name in sorted(places):
        users = places[name]
        meanings = {file.meaning for file in users.values()}
        if len(users) > 1 and (len(meanings) > 1 or meanings == {""}):
            group = list(users)
            for index, file in users.items():
                others = _labels(members, group[: _NAMED + 1], index, len(group) - 1)
                yield name, index, file.path, others


def _contained_names(members: Sequence[Member], order: Sequence[int]) -> _Told:
    loaded: _Trie = {}
    carriers: dict[str, int] = {}
    for index in order:
        name = members[index].name
        if members[index].always and name and len(name) <= _LONGEST_NAME and name not in carriers:
            carriers[name] = index
            node = loaded
            for char in name:
                node = node.setdefault(char, {})
            node[_END] = {}
    if not loaded:
        return
    for index in order:
        member = members[index]
        name = member.name or ""
        inside = sorted(_names_inside(name, loaded) - {name})
        if inside:
            first = members[carriers[inside[0]]]
            more = f" (and of {len(inside) - 1} more)" if len(inside) > 1 else ""
            yield (
                index,
                finding(
                    "name-contains-autoload-name",
                    member.path,
                    f"The name {_shown(name)} contains {_shown(inside[0])}, the name of the always loaded "
                    f"skill {first.label}{more}; the skill-package service then leaves that one out",
                    "Choose a name that does not contain the other.",
                    member.name_line,
                    member.name_column,
                    member.name or "",
                ),
            )


def _names_inside(name: str, loaded: _Trie) -> set[str]:
    found: set[str] = set()
    name = name[:_LONGEST_NAME]
    for start in range(len(name)):
        node = loaded
        for end in range(start, len(name)):
            following = node.get(name[end])
            if following is None:
                break
            node = following
            if _END in node:
                found.add(name[start : end + 1])
    return found


def _same_folders(members: Sequence[Member], order: Sequence[int]) -> _Told:
    for _, group in _groups((collision_key(members[i].folder_name), i) for i in order):
        spellings: dict[str, list[int]] = {}
        for index in group:
            spellings.setdefault(members[index].folder_name, []).append(index)
        if len(spellings) == 1:
            continue
        # The first of each spelling are enough to name others, however many there are.
        examples = [own[0] for own in islice(spellings.values(), _NAMED + 1)]
        for name, own in spellings.items():
            unlike = [i for i in examples if members[i].folder_name != name]
            others = _labels(members, unlike, -1, len(group) - len(own))
            for index in own:
                yield (
                    index,
                    finding(
                        "folder-case-collision",
                        members[index].path,
                        f"On macOS and Windows the folder {_shown(name)} is that of {others} too",
                        "Rename one of the folders; lower-case words joined by hyphens never collide.",
                        text=name,
                    ),
                )


def _lost_siblings(members: Sequence[Member], order: Sequence[int]) -> _Told:
    folders = {(member.source, member.folder) for member in members}
    parents = Counter((source, _parent(folder)) for source, folder in folders)
    for index in order:
        member = members[index]
        for link in member.siblings:
            place = (member.source, _parent(link.folder))
            # A folder of which nothing else was read may hold anything.
            known = parents[place] - (_parent(member.folder) == place[1])
            if known > 0 and (member.source, link.folder) not in folders:
                yield (
                    index,
                    finding(
                        "link-sibling-missing",
                        member.path,
                        f"The link {link.text[:80]} leads to {link.folder[:80]}, which is no skill of this collection",
                        "Correct the folder's name, or remove the link.",
                        link.line,
                        link.column,
                        link.text,
                    ),
                )


def _parent(folder: str) -> str:
    return folder.rpartition("/")[0]


def _groups(pairs: Iterable[tuple[str | None, int]]) -> Iterator[tuple[str, list[int]]]:
    """Indices by key, sorted by key, of the keys that several have."""
    groups: dict[str, list[int]] = {}
    for key, index in pairs:
        if key:
            groups.setdefault(key, []).append(index)
    for key in sorted(groups):
        if len(groups[key]) > 1:
            yield key, groups[key]


def _labels(members: Sequence[Member], examples: Sequence[int], index: int, others: int) -> str:
    """The first skills of a group in words, ``index`` aside; ``others`` counts all of them but ``index``."""
    first = [members[i].label for i in examples if i != index][:_NAMED]
    more = others - len(first)
    if more > 0:
        return f"{', '.join(first)} and {more:,} more"
    return f"{', '.join(first[:-1])} and {first[-1]}" if len(first) > 1 else first[0]


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
