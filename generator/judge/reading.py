"""Read one skill the way a host does: bytes, text, front matter, keys.

Hosts that read alike share the work: one :class:`Readings` is made for a skill, and every step is done once for
each combination of parameters it depends on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from generator.judge.dialects.libraries import read_yaml
from generator.judge.dialects.lines import read_lines
from generator.judge.dialects.repairs import repair_text
from generator.judge.dialects.values import Entries, Fault, Items, Null, Text, Value, YamlReading
from generator.judge.fences import FENCES, Block
from generator.judge.model import Subject
from generator.judge.reads import Reads
from generator.model import PackageFile

_BOM: Final = "\ufeff"
_MOST_REPAIRS: Final = 3
# How deep a reader of ours gets depends on who called it, so none can promise never to run out of stack.
_TOO_DEEP: Final = Fault("too-deep", 1, 1, "The text is nested too deeply")
_MISFIT: Final = Fault("syntax", 1, 1, "A value has a type that is not accepted")


@dataclass(frozen=True, slots=True)
class HostReading:
    """What one host has in hand once it has read a skill's file.

    ``block`` is None where the file cannot be decoded, ``keys`` are the top-level keys and values it goes on
    with (empty where the front matter is not there or not readable). ``fault`` is the error its YAML library
    stopped at, ``repaired`` tells that a repair or the line reader (``by_lines``) made up for it. ``root`` is
    what the front matter is where it is no mapping. ``cut`` is true where only a part of the file was read.
    """

    block: Block | None
    keys: Mapping[str, Value]
    fault: Fault | None = None
    repaired: bool = False
    by_lines: bool = False
    root: Value | None = None
    duplicates: tuple[str, ...] = ()
    odd_keys: bool = False
    cut: bool = False

    @property
    def has_keys(self) -> bool:
        """True where the host goes on with keys and values that it read somehow."""
        if self.by_lines:
            return True
        return (
            self.block is not None
            and self.block.state == "found"
            and self.root is None
            and (self.fault is None or self.repaired)
        )


_NOTHING: Final[Mapping[str, Value]] = {}


@dataclass(slots=True)
class Readings:
    """Every reading of one skill's file so far, by what it depends on."""

    subject: Subject
    _decoded: dict[str, str | None] = field(default_factory=dict)
    _texts: dict[tuple[str, str, str, int], tuple[str | None, bool]] = field(default_factory=dict)
    _blocks: dict[tuple[str, str, str, int, str], Block] = field(default_factory=dict)
    _yaml: dict[tuple[str, str], YamlReading] = field(default_factory=dict)
    _keys: dict[tuple[str, str], tuple[Mapping[str, Value], bool]] = field(default_factory=dict)

    def read(self, file: PackageFile, reads: Reads) -> HostReading:
        """What a host with these parameters has in hand; never raises for what the file holds."""
        text, cut = self._text(file, reads)
        if text is None:
            return HostReading(None, _NOTHING)
        block = self._block(text, reads)
        if block.state != "found":
            return HostReading(block, _NOTHING, cut=cut)
        reading, fault, repaired = self._parse(file, block.text, reads)
        if reading.fault is not None:
            return self._after_fault(block, reading.fault, reads)
        root = reading.value
        if not isinstance(root, Entries):
            shown = Null("") if root is None else root
            return self._lines(HostReading(block, _NOTHING, root=shown), reads)
        keys, odd = self._index(reads.yaml, block.text, root, fault is None)
        found = HostReading(
            block, keys, fault if repaired else None, repaired, duplicates=root.duplicates, odd_keys=odd
        )
        if reads.lines_if_not_text and not all(
            isinstance(keys.get(key), Text) for key in ("name", "description")
        ):
            return self._lines(found, reads)
        return found

    def _text(self, file: PackageFile, reads: Reads) -> tuple[str | None, bool]:
        wanted = (reads.encoding, reads.bom, reads.newlines, reads.prefix)
        if wanted not in self._texts:
            if reads.encoding not in self._decoded:
                self._decoded[reads.encoding] = _decode(file.data, reads.encoding)
            self._texts[wanted] = _prepare(self._decoded[reads.encoding], reads)
        return self._texts[wanted]

    def _block(self, text: str, reads: Reads) -> Block:
        wanted = (reads.encoding, reads.bom, reads.newlines, reads.prefix, reads.fence)
        if wanted not in self._blocks:
            self._blocks[wanted] = FENCES[reads.fence].find(text)
        return self._blocks[wanted]

    def _parse(self, file: PackageFile, text: str, reads: Reads) -> tuple[YamlReading, Fault | None, bool]:
        """The reading, the first fault, and whether a repair made up for it."""
        reading = self._library(reads.yaml, text)
        first = reading.fault
        if not reads.repair or (first is None and _fits(reading, reads)) or not self._repairs(file, reads):
            return reading, first, False
        for _ in range(_MOST_REPAIRS):
            better = _repair(reads.repair, text)
            if better is None or better == text:
                break
            text = better
            repaired = self._library(reads.yaml, text)
            if repaired.fault is None and _fits(repaired, reads):
                return repaired, first or _MISFIT, True
        return reading, first, False

    def _repairs(self, file: PackageFile, reads: Reads) -> bool:
        """True where the host's repair finds the front matter by its own rule."""
        if not reads.repair_fence:
            return True
        raw = replace(reads, bom="kept", fence=reads.repair_fence)
        text, _ = self._text(file, raw)
        return text is not None and self._block(text, raw).state == "found"

    def _library(self, library: str, text: str) -> YamlReading:
        text = _trim(text)
        wanted = (library, text)
        if wanted not in self._yaml:
            skill = self.subject.skill
            tree = skill.front if skill.front is not None and text == _trim(skill.front_text) else None
            try:
                self._yaml[wanted] = read_yaml(library, text, tree)
            except RecursionError:
                self._yaml[wanted] = YamlReading(None, _TOO_DEEP)
        return self._yaml[wanted]

    def _index(self, library: str, text: str, root: Entries, as_is: bool) -> tuple[Mapping[str, Value], bool]:
        wanted = (library, text)
        if not as_is or wanted not in self._keys:
            keys = {key.value: value for key, value in root.entries if isinstance(key, Text)}
            indexed = keys, len(keys) < len(root.entries)
            if not as_is:
                return indexed
            self._keys[wanted] = indexed
        return self._keys[wanted]

    def _after_fault(self, block: Block, fault: Fault, reads: Reads) -> HostReading:
        return self._lines(HostReading(block, _NOTHING, fault), reads)

    def _lines(self, reading: HostReading, reads: Reads) -> HostReading:
        """The same reading with what the host's line reader finds, where it has one."""
        block = reading.block
        if not reads.lines or block is None:
            return reading
        if reading.fault is None and not reads.lines_if_not_text:
            return reading
        keys: dict[str, Value] = {
            key: Text(value) for key, value in read_lines(reads.lines, block.text).items()
        }
        return HostReading(block, keys, reading.fault, by_lines=True, root=reading.root)


def _repair(name: str, text: str) -> str | None:
    try:
        return repair_text(name, text)
    except RecursionError:
        return None


def _trim(text: str) -> str:
    """The text without the line end after it, which rules of fences keep or not, where it means nothing."""
    return text[:-1] if text.endswith("\n") and "|" not in text and ">" not in text else text


def _fits(reading: YamlReading, reads: Reads) -> bool:
    """True where a reader that insists on types takes what was read."""
    root = reading.value
    if not reads.typed:
        return True
    if not isinstance(root, Entries):
        return False
    metadata = root.get("metadata")
    single = [root.get("name"), root.get("description")]
    if isinstance(metadata, Entries):
        single.append(metadata.get("short-description"))
    elif metadata is not None and not is_blank(metadata):
        return False
    keys = {} if metadata is None else {"metadata": metadata}
    return not any(isinstance(value, Items | Entries) for value in single) and not unique_twice(
        root.duplicates, keys, reads
    )


def is_blank(value: Value) -> bool:
    """True where nothing at all stands behind a key; a reader that insists on types refuses a written ``null``."""
    return isinstance(value, Null) and not value.written


def unique_twice(duplicates: Sequence[str], keys: Mapping[str, Value], reads: Reads) -> list[str]:
    """The keys that are written twice and that the host insists on being unique; in metadata too."""
    twice = [key for key in duplicates if key in reads.unique_keys]
    metadata = keys.get("metadata")
    if reads.typed and isinstance(metadata, Entries) and "short-description" in metadata.duplicates:
        twice.append("metadata.short-description")
    return twice


def _decode(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode("utf-8", encoding)
    except UnicodeDecodeError:
        return None


def _prepare(text: str | None, reads: Reads) -> tuple[str | None, bool]:
    """The file's text as the host has it, None where its bytes are an error; whether more follows."""
    if text is None:
        return None, False
    if reads.newlines == "universal" and "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    cut = bool(reads.prefix) and len(text) > reads.prefix
    if cut:
        text = text[: reads.prefix]
    if reads.bom != "kept" and text.startswith(_BOM):
        text = text[1:] if reads.bom == "dropped" else text.lstrip(_BOM)
    return text, cut
