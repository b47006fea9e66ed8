"""What the commands change in an overlay: which file of the operator's, and its new bytes. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from generator.errors import ConfigError
from generator.history.overlay.merging import merge_overlays
from generator.history.overlay.model import Overlay, SkillKey
from generator.history.overlay.reading import (
    OVERLAY_FOLDER,
    parse_settings,
    read_overlay,
)
from generator.history.overlay.refs import parse_skill_or_release, show_key
from generator.history.overlay.yamltext import UneditableError, drop_entry, put_entry
from generator.history.overlay.yamlwriting import Value, write_scalar
from generator.model import Version
from generator.names import InvalidNameError
from generator.read.nodes import MappingNode, Node, ScalarNode, kind_of

FIRST_FILE: Final = f"{OVERLAY_FOLDER}/decisions.yml"
"""The file that is made in an overlay folder that holds none."""
EDITABLE: Final = ("yank", "deprecate", "quarantine")
"""The kinds of decisions that commands make and take back."""
_KEY: Final = "overlay"
_BOM: Final = "\ufeff"

Subject = tuple[SkillKey, Version | None]
"""What a decision is about: a skill, or one version of it."""


@dataclass(frozen=True, slots=True)
class OverlayFile:
    """A file that may hold decisions: ``hub.yml``, or ``overlay/NAME.yml``; ``data`` is empty where it is not there.

    ``name`` is how errors and messages call it, ``inside`` are the keys under which its decisions stand.
    """

    name: str
    data: bytes
    inside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision as it is written: ``value`` is a reason, or the entries of a mapping."""

    kind: str
    subject: Subject
    value: Value


def hub_file(name: str, data: bytes) -> OverlayFile:
    """``hub.yml`` as an overlay file."""
    return OverlayFile(name, data, (_KEY,))


def make_decision(
    files: Sequence[OverlayFile], decision: Decision, *, in_folder: bool
) -> tuple[OverlayFile, ...]:
    """The files that change, with their new bytes; none where the decision stands there already.

    ``files`` are hub.yml and then the overlay's files in their order; ``in_folder`` says whether there is an overlay
    folder. A decision about the same subject is replaced where it stands; entries of a mapping are added to those
    already there. A new one goes where decisions of its kind are, else where any are, else into the overlay folder
    where there is one, else into ``hub.yml``.

    Raises:
        ConfigError: a file cannot be read, its layout does not allow the change, or the decision contradicts others.
    """
    for file in files:
        read_overlay_file(file)
    value = decision.value
    put = put_entry if isinstance(value, str) else _put_all
    edited = [
        (file, _edit(file, partial(put, path=(*file.inside, decision.kind, key), value=value), decision))
        for file in files
        for key in _keys(file, decision.kind, decision.subject)
    ]
    if not edited:
        file = _choose_file(files, decision.kind, in_folder)
        path = (*file.inside, decision.kind, show_key(*decision.subject))
        edited = [(file, _edit(file, partial(put_entry, path=path, value=value), decision))]
    now = {file.name: file for file in (*files, *(after for _, after in edited))}
    merge_overlays(read_overlay_file(file) for file in now.values())
    return tuple(after for before, after in edited if after is not before)


def take_back(files: Sequence[OverlayFile], kind: str, subject: Subject) -> tuple[OverlayFile, ...]:
    """Every file that holds the decision, without it; none where nobody made it.

    Raises:
        ConfigError: a file cannot be read, or its layout does not allow the change.
    """
    for file in files:
        read_overlay_file(file)
    changed: list[OverlayFile] = []
    for file in files:
        now = file
        for key in _keys(file, kind, subject):
            path = (*file.inside, kind, key)
            now = _edit(now, partial(drop_entry, path=path), Decision(kind, subject, ""))
        if now is not file:
            changed.append(now)
    return tuple(changed)


def list_decisions(files: Sequence[OverlayFile], skill: SkillKey) -> tuple[tuple[str, Subject], ...]:
    """The decisions of the :data:`EDITABLE` kinds about a skill or any of its versions, as they are written.

    Raises:
        ConfigError: a file cannot be read.
    """
    return tuple(one for one in _decisions(files) if one[1][0] == skill)


def decided_skills(files: Sequence[OverlayFile]) -> frozenset[SkillKey]:
    """Every skill that a decision of the :data:`EDITABLE` kinds is about.

    Raises:
        ConfigError: a file cannot be read.
    """
    return frozenset(subject[0] for _, subject in _decisions(files))


def _decisions(files: Sequence[OverlayFile]) -> Iterator[tuple[str, Subject]]:
    for file in files:
        for kind in EDITABLE:
            for _, subject in _subjects(file, kind):
                yield kind, subject


def read_overlay_file(file: OverlayFile) -> Overlay:
    """The decisions of a file.

    Raises:
        ConfigError: something in it is not understood.
    """
    return read_overlay(_section(file), file.name, "".join(f"{key}." for key in file.inside))


# --- inside ----------------------------------------------------------------------------------------


def _section(file: OverlayFile) -> Node | None:
    node = parse_settings(file.data, file.name)
    for key in file.inside:
        if node is not None and not isinstance(node, MappingNode):
            raise ConfigError(
                f"{file.name}, line {node.line}: expected `key: value` lines, not {kind_of(node)}."
            )
        node = node.get(key) if node is not None else None
    return node


def _subjects(file: OverlayFile, kind: str) -> Iterator[tuple[str, Subject]]:
    """Each key of a kind as it is written, and what it means."""
    section = _section(file)
    entries = section.get(kind) if isinstance(section, MappingNode) else None
    if isinstance(entries, MappingNode):
        for key, _ in entries.entries:
            try:
                yield key.value, parse_skill_or_release(key.value)
            except (InvalidNameError, ValueError):
                continue


def _keys(file: OverlayFile, kind: str, subject: Subject) -> list[str]:
    return [key for key, about in _subjects(file, kind) if about == subject]


def _choose_file(files: Sequence[OverlayFile], kind: str, in_folder: bool) -> OverlayFile:
    sections = [(file, _section(file)) for file in files]
    for file, section in sections:
        if isinstance(section, MappingNode) and isinstance(section.get(kind), MappingNode):
            return file
    for file, section in sections:
        if isinstance(section, MappingNode):
            return file
    if in_folder:
        return next((file for file in files if not file.inside), OverlayFile(FIRST_FILE, b""))
    return files[0]


def _put_all(text: str, path: tuple[str, ...], value: Value) -> str:
    """Add entries to a mapping, which may be written as a mere reason so far."""
    assert not isinstance(value, str)
    node = parse_settings(text.encode(), "")
    for key in path:
        assert isinstance(node, MappingNode)
        node = node.get(key)
    if isinstance(node, MappingNode) and node.entries:
        for key, entry in value.items():
            text = put_entry(text, (*path, key), entry)
        return text
    reason = {"reason": node.value} if isinstance(node, ScalarNode) and not node.is_null else {}
    merged = {**reason, **value}
    if set(merged) == {"reason"}:
        return put_entry(text, path, merged["reason"])
    return put_entry(text, path, merged) if merged else text


def _edit(file: OverlayFile, change: Callable[[str], str], decision: Decision) -> OverlayFile:
    text = file.data.decode("utf-8")
    mark = _BOM if text.startswith(_BOM) else ""
    try:
        changed = change(text.removeprefix(_BOM))
    except UneditableError as reason:
        where = "".join(f"{key}: " for key in (*file.inside, decision.kind))
        raise ConfigError(
            f"{file.name}: this file is laid out so that a program cannot change it safely ({reason}). "
            f"Edit it by hand: {where}{show_key(*decision.subject)}: {write_scalar(str(decision.value))}"
        ) from None
    data = (mark + changed).encode("utf-8")
    if data == file.data:
        return file
    edited = OverlayFile(file.name, data, file.inside)
    read_overlay_file(edited)
    return edited
