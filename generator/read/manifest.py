"""From a package to its meaning: ``SKILL.md`` and its side files as one :class:`~generator.model.Manifest`.

The order in which places count, for every field: the front matter, its ``metadata``, the vendors' namespaces
in ``metadata`` (openclaw, clawdbot, clawdis, moltbot), ``skill.yaml``, ``.claude-plugin/plugin.json``,
``_meta.json``. Reading never raises for what a package holds; it returns findings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from generator.findings import finding
from generator.hidden import HIDDEN
from generator.model import Finding, Manifest, Package, PackageFile, SkillFolder
from generator.read.classification import read_taxonomy, read_topics
from generator.read.excerpts import fill_texts
from generator.read.extensions import read_hooks, read_mcp_servers, read_subagents
from generator.read.fields import Notes, Place, Spelled, first_boolean, first_text, fold
from generator.read.frontmatter import SplitText, split_front_matter
from generator.read.identity import (
    prettify,
    read_author,
    read_description,
    read_emoji,
    read_homepage,
    read_license,
    read_name,
)
from generator.read.jsonnodes import JsonProblem, parse_json
from generator.read.nodes import MappingNode, ScalarNode, kind_of, place_inside, walk_scalars
from generator.read.package import MANIFEST_NAME, join, manifest_file
from generator.read.requirements import read_install, read_os, read_requirements, read_tools
from generator.read.sidefiles import META_JSON, PLUGIN_JSON, SKILL_YAML, read_side_file

_VENDORS: Final = ("openclaw", "clawdbot", "clawdis", "moltbot")
_UNREAD_VENDORS: Final = ("clawdis", "moltbot", "clawdhub")
_TITLE_KEYS: Final = ("displayName", "display_name", "display-name", "title")
_TOOL_KEYS: Final = ("allowed-tools", "allowed_tools", "allowedTools")
_FLOW_COLON: Final = re.compile(r"[\[{,]\s*[A-Za-z_][\w.-]*:[A-Za-z_]")


def read_skill(package: Package, package_findings: tuple[Finding, ...] = ()) -> SkillFolder:
    """What one package says. ``package_findings`` (about its files) come first in the result's findings.

    The manifest is None where the front matter cannot be read; a finding then says why and bars the skill.
    """
    file = manifest_file(package)
    if file is None:
        known = any(f.code == "skill-md-not-regular" for f in package_findings)
        missing = () if known else (_no_manifest(package),)
        return SkillFolder(package, None, "", 1, (*package_findings, *missing))
    path = join(package.folder, file.path)
    split = split_front_matter(file.data, path)
    notes = Notes()
    if file.path != MANIFEST_NAME:
        notes.found.append(_wrong_case(package.folder, file, path))
    notes.found.extend(split.findings)
    manifest = None if split.root is None else _read_manifest(notes, package, split, split.root, file, path)
    found = (*package_findings, *fill_texts(notes.found, package)) if notes.found else package_findings
    return SkillFolder(package, manifest, split.body, split.body_line, found, split.root, split.text)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the fields of one skill are looked up."""

    front: Place
    metadata: Place | None
    vendors: tuple[Place, ...]
    skill_yaml: Place | None
    plugin: Place | None
    meta: Place | None

    @property
    def nested(self) -> tuple[Place, ...]:
        """What lies below ``metadata``."""
        return (*((self.metadata,) if self.metadata else ()), *self.vendors)

    @property
    def side(self) -> tuple[Place, ...]:
        """The side files that describe the skill."""
        return tuple(p for p in (self.skill_yaml, self.plugin) if p is not None)


def _read_manifest(
    notes: Notes, package: Package, split: SplitText, root: MappingNode, file: PackageFile, path: str
) -> Manifest:
    places = _find_places(notes, package, Place(root, path, file.path))
    front, nested = places.front, places.nested
    written: tuple[Place, ...] = (front, *nested)
    described = (*written, *places.side)
    if not split.text.isascii() or "\\" in split.text:
        _tell_hidden(notes, root, path, split.text)
    if _FLOW_COLON.search(split.text):
        _tell_parser_dependent(notes, root, path)
    name = read_name(notes, front, package.folder)
    title = first_text(notes, described, _TITLE_KEYS)
    folder_name = package.folder.rpartition("/")[2]
    license_id, license_text = read_license(notes, described)
    version = _read_version(notes, places)
    slug = first_text(notes, (front,), ("slug",))
    category = first_text(notes, described, ("category",))
    compatibility = first_text(notes, written, ("compatibility",))
    return Manifest(
        name=name,
        display_name=title[0] if title else prettify(name or fold(folder_name) or package.source),
        description=read_description(notes, front, split.text),
        slug=slug[0] if slug else None,
        version=version[0] if version else None,
        version_from=version[1].place.file if version else None,
        license=license_id,
        license_text=license_text,
        author=read_author(notes, described),
        homepage=read_homepage(notes, described),
        emoji=read_emoji(notes, written),
        topics=read_topics(notes, described),
        category=category[0] if category else None,
        taxonomy=read_taxonomy(notes, front, places.metadata),
        allowed_tools=read_tools(notes, (front,), _TOOL_KEYS),
        requires=read_requirements(notes, front, nested),
        os=read_os(notes, front, nested),
        install=read_install(notes, nested),
        always=first_boolean(notes, written, ("always",)),
        compatibility=compatibility[0] if compatibility else None,
        hooks=read_hooks(notes, package, (*written, *places.side)),
        mcp_servers=read_mcp_servers(notes, package, (*written, *places.side)),
        subagents=read_subagents(notes, package),
    )


def _tell_hidden(notes: Notes, root: MappingNode, path: str, text: str) -> None:
    description = root.index.get("description")  # has a finding of its own
    for hidden in walk_scalars(root):
        found = HIDDEN.search(hidden.value.replace("\n", " "))
        if found is None or hidden is description:
            continue
        notes.add_at(
            "text-hidden-character", path, place_inside(text, hidden, found.group(), 2), found.group(),
            f"A value holds the invisible character U+{ord(found.group()):04X}, which is left out wherever it is shown",
            "Delete the character; retyping the line is the easiest way.",
        )  # fmt: skip
        return


def _find_places(notes: Notes, package: Package, front: Place) -> _Places:
    metadata = _read_metadata(notes, front)
    vendors: list[Place] = []
    if metadata is not None:
        for vendor in _VENDORS:
            node = metadata.root.index.get(vendor)
            if isinstance(node, MappingNode):
                vendors.append(Place(node, metadata.path, metadata.file, f"metadata.{vendor}."))
            elif node is not None and not (isinstance(node, ScalarNode) and node.is_null):
                message = f"metadata.{vendor} holds {kind_of(node)}, not keys and values"
                notes.add("metadata-not-mapping", front.path, node, message, "Write it as a YAML mapping.")
        _tell_unread_vendors(notes, metadata)
    by_path = {str(f.path): f for f in package.files if f.path in (SKILL_YAML, PLUGIN_JSON, META_JSON)}
    side = {name: read_side_file(notes, package, file) for name, file in sorted(by_path.items())}
    return _Places(
        front, metadata, tuple(vendors), side.get(SKILL_YAML), side.get(PLUGIN_JSON), side.get(META_JSON)
    )


def _read_metadata(notes: Notes, front: Place) -> Place | None:
    node = front.root.index.get("metadata")
    if node is None or (isinstance(node, ScalarNode) and node.is_null):
        return None
    if isinstance(node, MappingNode):
        return Place(node, front.path, front.file, "metadata.")
    message = f"metadata holds {kind_of(node)}, not keys and values; several hosts drop the skill"
    notes.add("metadata-not-mapping", front.path, node, message, "Write metadata as a YAML mapping.")
    if not isinstance(node, ScalarNode):
        return None
    try:
        # OpenClaw and ClawHub read JSON inside the text, so we do too.
        inner = parse_json(node.value, node.line, node.column + 1)
    except JsonProblem:
        return None
    return Place(inner, front.path, front.file, "metadata.") if isinstance(inner, MappingNode) else None


def _tell_unread_vendors(notes: Notes, metadata: Place) -> None:
    index = metadata.root.index
    if "openclaw" in index or "clawdbot" in index:
        return
    for vendor in _UNREAD_VENDORS:
        if isinstance(index.get(vendor), MappingNode):
            readers = "read by ClawHub only" if vendor == "clawdis" else "read by no host"
            notes.add(
                "vendor-metadata-namespace",
                metadata.path,
                metadata.root.key(vendor),
                f"metadata.{vendor} is {readers}, so what is gated there is not gated",
                "Rename the key to openclaw.",
            )


def _read_version(notes: Notes, places: _Places) -> tuple[str, Spelled] | None:
    order = (places.front, places.metadata, places.skill_yaml, places.plugin, places.meta)
    return first_text(notes, [p for p in order if p is not None], ("version",))


def _tell_parser_dependent(notes: Notes, root: MappingNode, path: str) -> None:
    for scalar in walk_scalars(root):
        if scalar.flow and scalar.style == "plain" and re.search(r":[A-Za-z_]", scalar.value):
            shown = scalar.value[:60]
            message = f"Other YAML parsers read {shown!r} in brackets as a mapping, or reject the file"
            notes.add("yaml-parser-dependent", path, scalar, message, f'Write "{shown}" in double quotes.')


def _no_manifest(package: Package) -> Finding:
    return finding(
        "frontmatter-missing",
        join(package.folder, MANIFEST_NAME),
        f"The folder holds no {MANIFEST_NAME}",
        f"Add a {MANIFEST_NAME} that starts with ---, name:, description:, ---.",
    )


def _wrong_case(folder: str, file: PackageFile, path: str) -> Finding:
    target = join(folder, MANIFEST_NAME)
    return finding(
        "skill-md-missing-exact-name",
        path,
        f"The file is called {file.path}, and most hosts and installers only look for {MANIFEST_NAME}",
        f"git mv {_shell_word(path)} {_shell_word(target)}",
        text=file.path,
    )


def _shell_word(path: str) -> str:
    return path if re.fullmatch(r"[\w./@%+=:,-]+", path, re.ASCII) else "'" + path.replace("'", "'\\''") + "'"
