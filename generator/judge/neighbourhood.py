"""Read off a skill what the rules over the whole catalog need to know of it."""

from __future__ import annotations

from generator.judge.members import Member, NamedFile
from generator.judge.model import Subject
from generator.judge.rules.links import find_sibling_links
from generator.model import McpServer
from generator.read.nodes import ScalarNode
from generator.read.package import MANIFEST_NAME, join, manifest_file


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
