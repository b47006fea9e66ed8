"""What every family of rules stands on: the file a skill is written in, and findings at a place in it."""

from __future__ import annotations

from generator.findings import finding
from generator.judge.model import Subject
from generator.model import Finding
from generator.read.excerpts import excerpt
from generator.read.nodes import LINE_BREAK, MappingNode, Node, ScalarNode, SequenceNode, place_of
from generator.read.package import MANIFEST_NAME, join, manifest_file

_LONGEST_SHOWN = 60


def skill_path(subject: Subject) -> str:
    """The path of the skill's ``SKILL.md``, relative to the source, as findings name it."""
    package = subject.skill.package
    file = manifest_file(package)
    return join(package.folder, file.path if file is not None else MANIFEST_NAME)


def file_path(subject: Subject, path: str) -> str:
    """A file of the skill, relative to the source, as findings name it."""
    return join(subject.skill.package.folder, path)


def tell(subject: Subject, code: str, node: Node, message: str, fix: str) -> Finding:
    """A finding at a node of the front matter, with the text that is written there."""
    path = skill_path(subject)
    return finding(code, path, message, fix, node.line, node.column, written(subject, node))


def tell_body(subject: Subject, code: str, index: int, text: str, message: str, fix: str) -> Finding:
    """A finding at ``body[index]``, where ``text`` is written."""
    line, column = place_of(subject.skill.body, index)
    return finding(code, skill_path(subject), message, fix, subject.skill.body_line + line - 1, column, text)


def written(subject: Subject, node: Node) -> str:
    """A node of the front matter as its author wrote it (of several lines the first)."""
    if isinstance(node, ScalarNode) and node.style == "plain":
        return node.value
    lines = LINE_BREAK.split(subject.skill.front_text)
    # The front matter's first line is line 2 of the file.
    return excerpt(lines[node.line - 2], node.column) if 0 <= node.line - 2 < len(lines) else ""


def shown(text: str) -> str:
    """A piece of an author's text, short enough for a message."""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…")


def listed(names: list[str] | tuple[str, ...], most: int = 3) -> str:
    """The first names and how many more there are: ``a, b, c and 4 more``."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def scalar(root: MappingNode | None, key: str) -> ScalarNode | None:
    """The text under a key; None where there is none, or nothing is written."""
    node = root.index.get(key) if root is not None else None
    return node if isinstance(node, ScalarNode) and not node.is_null else None


def mapping(root: MappingNode | None, key: str) -> MappingNode | None:
    """The mapping under a key, or None."""
    node = root.index.get(key) if root is not None else None
    return node if isinstance(node, MappingNode) else None


def items(node: Node | None) -> tuple[Node, ...]:
    """The items of a list; of anything else none."""
    return node.items if isinstance(node, SequenceNode) else ()
