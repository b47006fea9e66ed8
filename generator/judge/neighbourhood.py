"""What the rules over the whole catalog need to know of each skill.

A :class:`Member` is small, so that a build can keep one for each of its skills in memory while their files
are long forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.judge.model import Subject
from generator.judge.rules.links import UpwardLink, find_sibling_links
from generator.model import McpServer
from generator.read.nodes import ScalarNode
from generator.read.package import MANIFEST_NAME, join, manifest_file


@dataclass(frozen=True, slots=True)
class NamedFile:
    """Something with a name that hosts keep one of: a subagent or an MCP server.

    ``path`` is relative to the source's root. ``meaning`` is equal where two of one name do the same.
    """

    name: str
    path: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """One skill among its neighbours.

    ``owner`` and ``slug`` are empty where they are not decided (``skillpress check``). ``folder`` and ``path``
    (of its ``SKILL.md``) are relative to the root of ``source``. ``name`` is the front matter's, with the
    place of its first letter, or None. ``folder_name`` is what an installer calls the folder.
    """

    owner: str
    slug: str
    source: str
    folder: str
    folder_name: str
    path: str
    name: str | None
    name_line: int | None = None
    name_column: int | None = None
    agents: tuple[NamedFile, ...] = ()
    servers: tuple[NamedFile, ...] = ()
    siblings: tuple[UpwardLink, ...] = ()
    always: bool = False

    @property
    def label(self) -> str:
        """What messages call the skill."""
        if self.slug:
            return f"{self.owner}/{self.slug}" if self.owner else self.slug
        return self.folder or self.folder_name


def member_of(subject: Subject, owner: str = "", slug: str = "") -> Member:
    """The part of a skill that its neighbours matter to."""
    package, manifest = subject.skill.package, subject.skill.manifest
    file = manifest_file(package)
    node = subject.skill.front.get("name") if subject.skill.front is not None else None
    quoted = isinstance(node, ScalarNode) and node.style == "quoted"
    return Member(
        owner=owner,
        slug=slug,
        source=package.source,
        folder=package.folder,
        folder_name=subject.place.name,
        path=join(package.folder, file.path if file is not None else MANIFEST_NAME),
        name=manifest.name if manifest is not None else None,
        name_line=node.line if node is not None else None,
        name_column=node.column + quoted if node is not None else None,
        agents=tuple(NamedFile(a.name, join(package.folder, a.path)) for a in manifest.subagents)
        if manifest is not None
        else (),
        servers=tuple(
            NamedFile(s.name, join(package.folder, s.path), _start_of(s)) for s in manifest.mcp_servers
        )
        if manifest is not None
        else (),
        siblings=find_sibling_links(subject),
        always=manifest is not None and manifest.always,
    )


def _start_of(server: McpServer) -> str:
    return "\0".join((server.command or "", *server.args, server.url or ""))
