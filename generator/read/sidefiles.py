"""The files beside ``SKILL.md`` that hosts read: found, parsed, never executed.

``skill.yaml``, ``.claude-plugin/plugin.json`` and ``agents/*.md`` are the skill-package service's,
``.mcp.json`` and ``hooks/hooks.json`` Claude Code's, ``_meta.json`` is what installers leave behind.
"""

from __future__ import annotations

from typing import Final

from generator.findings import finding
from generator.model import Package, PackageFile
from generator.read.fields import Notes, Place
from generator.read.jsonnodes import parse_json
from generator.read.nodes import MAX_BYTES, DocumentProblem, MappingNode, Node, kind_of, place_of
from generator.read.package import join
from generator.read.yamlnodes import parse_yaml

SKILL_YAML: Final = "skill.yaml"
PLUGIN_JSON: Final = ".claude-plugin/plugin.json"
META_JSON: Final = "_meta.json"
HOOKS_JSON: Final = "hooks/hooks.json"
MCP_JSON: Final = ".mcp.json"


def read_side_file(notes: Notes, package: Package, file: PackageFile | None) -> Place | None:
    """A JSON or YAML side file as a place to look fields up in; None (with a finding) where it is none."""
    if file is None:
        return None
    path = join(package.folder, file.path)
    node = _parse(notes, file, path)
    if node is None:
        return None
    if not isinstance(node, MappingNode):
        message = f"The file holds {kind_of(node)}, not keys and values"
        notes.add("side-file-invalid", path, node, message, "Write keys and values at the top.")
        return None
    return Place(node, path, file.path, "")


def _parse(notes: Notes, file: PackageFile, path: str) -> Node | None:
    if file.size > MAX_BYTES:
        message = f"The file has {file.size:,} bytes; it is only read up to {MAX_BYTES // 1024} kB"
        notes.add("side-file-invalid", path, None, message, "Shorten the file.")
        return None
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = place_of(file.data[: error.start].decode("utf-8-sig", "replace"), error.start)
        message = f"The byte 0x{file.data[error.start]:02x} is not UTF-8"
        notes.found.append(
            finding("side-file-invalid", path, message, "Save the file as UTF-8.", line, column)
        )
        return None
    try:
        return parse_json(text) if file.path.endswith(".json") else parse_yaml(text)
    except DocumentProblem as problem:
        notes.add_problem("side-file-invalid", path, problem)
        return None
