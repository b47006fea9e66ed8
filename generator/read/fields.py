"""Typed access to the fields of a mapping: the right kind of value, or a finding with its place.

A field may be written in several places (front matter, ``metadata``, a vendor's namespace, a side file) and
under several keys. They are looked up in one documented order: the first one counts, and a later one that
says something else is a ``field-conflict``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from generator.findings import BARRING, finding
from generator.model import Finding
from generator.read.nodes import DocumentProblem, MappingNode, Node, ScalarNode, SequenceNode, kind_of

_BLANKS: Final = re.compile(r"[ \t\r\n]+")
_MOST_FINDINGS: Final = 200
"""Findings kept of one skill, those that bar it aside; a file made to cause thousands says no more."""
_TRUE: Final = frozenset({"true", "yes", "on"})
_FALSE: Final = frozenset({"false", "no", "off"})


@dataclass(slots=True)
class Notes:
    """Collects findings while one skill is read."""

    found: list[Finding] = field(default_factory=list)

    def add(self, code: str, path: str, node: Node | None, message: str, fix: str) -> None:
        """One finding at ``node`` of the file ``path`` (relative to the source's root)."""
        if len(self.found) >= _MOST_FINDINGS and code not in BARRING:
            return
        line, column = (node.line, node.column) if node is not None else (None, None)
        # Only a plain value stands in the file as it is read; the others are looked up there.
        text = node.value if isinstance(node, ScalarNode) and node.style == "plain" else ""
        self.found.append(finding(code, path, message, fix, line, column, text))

    def add_at(self, code: str, path: str, place: tuple[int, int], text: str, message: str, fix: str) -> None:
        """One finding at a line and column inside a value, where ``text`` is written."""
        if len(self.found) < _MOST_FINDINGS or code in BARRING:
            self.found.append(finding(code, path, message, fix, *place, text))

    def add_problem(self, code: str, path: str, problem: DocumentProblem) -> None:
        """A text of the file ``path`` that cannot be parsed, at the place where the parser stopped."""
        self.found.append(finding(code, path, problem.message, problem.fix, problem.line, problem.column))


@dataclass(frozen=True, slots=True)
class Place:
    """A mapping in which fields are looked up.

    ``path`` names the file in findings, ``file`` is its path in the package, and ``prefix`` is what stands
    before a key in messages (``metadata.openclaw.``).
    """

    root: MappingNode
    path: str
    file: str
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Spelled:
    """One place and key under which a field is written, with a value that is not null."""

    place: Place
    key: str
    node: Node

    @property
    def label(self) -> str:
        """The field as its author finds it."""
        return f"{self.place.prefix}{self.key}"


def look_up(places: Iterable[Place], keys: Sequence[str]) -> list[Spelled]:
    """Every spelling of a field that has a value, in order of places, then keys."""
    found = []
    for place in places:
        index = place.root.index
        for key in keys:
            node = index.get(key)
            if node is not None and not (isinstance(node, ScalarNode) and node.is_null):
                found.append(Spelled(place, key, node))
    return found


def fold(text: str) -> str:
    """One line of text: runs of blanks and line ends become one space, both ends are stripped."""
    return _BLANKS.sub(" ", text).strip()


def wrong_type(notes: Notes, spelled: Spelled, wanted: str, node: Node | None = None) -> None:
    """Say that a field, or the part ``node`` of it, is not what it should be."""
    at = node or spelled.node
    notes.add(
        "field-wrong-type",
        spelled.place.path,
        at,
        f"{spelled.label} holds {kind_of(at)} where {wanted} belongs",
        f"Write {wanted}.",
    )


def text_of(notes: Notes, spelled: Spelled) -> str | None:
    """The text of a field on one line; None (with a finding unless it is empty) where it is none."""
    if isinstance(spelled.node, ScalarNode):
        return fold(spelled.node.value) or None
    wrong_type(notes, spelled, "text")
    return None


def first_text(
    notes: Notes,
    places: Iterable[Place],
    keys: Sequence[str],
    read: Callable[[Notes, Spelled], str | None] = text_of,
    same: Callable[[str], str] = str,
) -> tuple[str, Spelled] | None:
    """The first spelling that holds a text, after telling of later ones that disagree.

    ``same`` gives what two texts are compared by.
    """
    first: tuple[str, Spelled] | None = None
    for spelled in look_up(places, keys):
        value = read(notes, spelled)
        if value is None:
            continue
        if first is None:
            first = (value, spelled)
        elif same(value) != same(first[0]):
            tell_conflict(notes, first[1], spelled)
    return first


def tell_conflict(notes: Notes, first: Spelled, other: Spelled) -> None:
    """Say that ``other`` disagrees with ``first``, which counts."""
    where = first.label if first.place.path == other.place.path else f"{first.label} in {first.place.file}"
    notes.add(
        "field-conflict",
        other.place.path,
        other.node,
        f"{other.label} says something else than {where}, which counts",
        "Keep one of the two, or make them equal.",
    )


def texts_of(notes: Notes, spelled: Spelled, wanted: str = "a list of texts") -> tuple[str, ...]:
    """A list of texts, or one text split at commas. Items of another kind are left out with a finding."""
    node = spelled.node
    if isinstance(node, ScalarNode):
        return _unique(fold(part) for part in re.split("[,，]", node.value))
    if isinstance(node, MappingNode):
        wrong_type(notes, spelled, wanted)
        return ()
    return _unique(_items(notes, spelled, node, wanted))


def _items(notes: Notes, spelled: Spelled, node: SequenceNode, wanted: str) -> list[str]:
    texts = []
    for item in node.items:
        if isinstance(item, ScalarNode) and not item.is_null:
            texts.append(fold(item.value))
        else:
            wrong_type(notes, spelled, wanted, item)
    return texts


def boolean_of(notes: Notes, spelled: Spelled) -> bool | None:
    """A yes or no: ``true``, ``yes``, ``on`` and their opposites in any case, as YAML 1.1 hosts read them.

    In quotes the word still counts as meant, with a finding: to hosts that test for truth, a quoted
    ``"false"`` is true (DeepTutor 1.5.11, ``always``).
    """
    node = spelled.node
    word = node.value.strip().lower() if isinstance(node, ScalarNode) else ""
    if word not in _TRUE and word not in _FALSE:
        wrong_type(notes, spelled, "true or false")
        return None
    # JSON's own words are plain scalars too; only an author's quotes make a text of it.
    if isinstance(node, ScalarNode) and node.style != "plain":
        notes.add(
            "gate-wrong-type",
            spelled.place.path,
            node,
            f"{spelled.label} is a quoted text, which some hosts take for true whatever it says",
            f"Write {spelled.key}: {'true' if word in _TRUE else 'false'} without quotes.",
        )
    return word in _TRUE


def first_boolean(notes: Notes, places: Iterable[Place], keys: Sequence[str]) -> bool:
    """The first spelling that holds a yes or no; False where there is none."""
    first: tuple[bool, Spelled] | None = None
    for spelled in look_up(places, keys):
        value = boolean_of(notes, spelled)
        if value is None:
            continue
        if first is None:
            first = (value, spelled)
        elif value != first[0]:
            tell_conflict(notes, first[1], spelled)
    return first is not None and first[0]


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))
