"""Find the facts of one skill as one host meets them: where it lies, its file, its fences, its YAML, its keys.

The result says only what is so; what the host makes of it stands in the host's data file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from generator.judge import describing, gates
from generator.judge.dialects.values import Null
from generator.judge.matching import Intent
from generator.judge.model import Outcome, Place, Profile, Subject
from generator.judge.naming import name_problem, same_as_folder, show_name
from generator.judge.reading import HostReading, Readings, unique_twice
from generator.judge.reads import Reads
from generator.judge.texts import is_empty, key_value, kind_of_value, text_of_value
from generator.model import PackageFile

_NO_FILLS: Final[Mapping[str, str]] = {}
_RESERVED: Final = re.compile("anthropic|claude", re.IGNORECASE | re.ASCII)
_SLASH: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SLASH_TAKEN: Final = frozenset({"bootstrap", "goal", "help", "memory", "models", "new", "status"})


@dataclass(slots=True)
class Observation:
    """What is so for one host. ``facts`` maps fact ids to what fills their reasons; ``name`` is what the host
    would call the skill, ``seen`` the description it would show (None where it shows none)."""

    facts: dict[str, Mapping[str, str]] = field(default_factory=dict)
    name: str = ""
    seen: str | None = None

    def add(self, fact: str, **fills: str) -> None:
        """Note that a fact holds; the first one of an id stands."""
        self.facts.setdefault(fact, fills or _NO_FILLS)


def observe(subject: Subject, profile: Profile, readings: Readings, intent: Intent) -> Observation:
    """The facts of ``subject`` for the host of ``profile``; never raises for what a skill holds."""
    reads = profile.reads
    seen = Observation(name=subject.place.name)
    if reads.scans:
        _look_at_place(seen, subject, reads)
    _look_at_links(seen, subject)
    file = _find_file(seen, subject, reads)
    if file is None:
        return seen
    if reads.max_bytes and file.size > reads.max_bytes:
        seen.add("manifest-too-large", length=f"{file.size:,}", limit=f"{reads.max_bytes:,}")
        effect = profile.effect("manifest-too-large")
        if effect is not None and effect.outcome in (Outcome.REFUSE, Outcome.CRASH):
            return seen  # a host that does not open the file says nothing about what is in it
    _look_at_package(seen, subject, reads)
    reading = readings.read(file, reads)
    if reading.block is None:
        seen.add("not-utf8")
        return seen
    _look_at_front(seen, reading, reads)
    _look_at_name(seen, subject, reading, reads)
    gates.look_at_keys(seen, reading, reads)
    _look_at_description(seen, reading, reads, intent)
    if not reading.block.body.strip():
        seen.add("body-empty")
    limit = profile.limit("read-characters")
    if limit is not None and file.size > limit:
        seen.add("body-cut", length=f"{file.size:,}", limit=f"{limit:,}")
    return seen


def _look_at_place(seen: Observation, subject: Subject, reads: Reads) -> None:
    place = subject.place
    parts = place.folder.split("/")
    if len(parts) > 1 or parts[0].startswith(".") or parts[0] in reads.skipped_folders:
        _look_at_way(seen, place, parts, reads)
    if reads.folder_pattern and re.match(reads.folder_pattern, place.name) is None:
        seen.add("folder-name-form", pattern=reads.folder_pattern)


def _look_at_way(seen: Observation, place: Place, parts: list[str], reads: Reads) -> None:
    if not reads.hidden and (hidden := next((part for part in parts if part.startswith(".")), None)):
        seen.add("folder-hidden", part=hidden)
    if reads.skipped_folders and (skipped := next((p for p in parts if p in reads.skipped_folders), None)):
        seen.add("folder-skipped", part=skipped)
    if place.inside is not None:
        below = place.folder.removeprefix(place.inside).strip("/").partition("/")[0]
        if not reads.nested or below in reads.nested_skipped:
            seen.add("skill-nested", inside=place.inside)
    level = len(parts) - _levels_of_root(place.folder, reads)
    if level > reads.depth:
        seen.add("folder-too-deep", length=str(level), limit=str(reads.depth))


def _levels_of_root(folder: str, reads: Reads) -> int:
    """How many levels the innermost folder of skills above ``folder`` lies below the outermost one."""
    return max((root.count("/") + 1 for root in reads.roots if folder.startswith(f"{root}/")), default=0)


def _look_at_package(seen: Observation, subject: Subject, reads: Reads) -> None:
    package = subject.skill.package
    for what, number, limit in (
        ("files", len(package.files), reads.max_files),
        ("bytes", package.size if reads.max_package_bytes else 0, reads.max_package_bytes),
    ):
        if limit and number > limit:
            seen.add("package-over-limits", what=what, length=f"{number:,}", limit=f"{limit:,}")


def _look_at_links(seen: Observation, subject: Subject) -> None:
    if subject.place.folder_link:
        seen.add("folder-link")
    if subject.place.manifest_link:
        seen.add("manifest-link")
        seen.add("package-link", file="SKILL.md")
    if subject.place.hard_link:
        seen.add("manifest-hard-link")
    for finding in subject.skill.findings:
        if finding.code == "symlink-skipped":
            inner = finding.path.removeprefix(subject.skill.package.folder).strip("/")
            if not any(part.startswith(".") for part in inner.split("/")):
                seen.add("package-link", file=inner)


def _find_file(seen: Observation, subject: Subject, reads: Reads) -> PackageFile | None:
    package = subject.skill.package
    for name in reads.files:
        if (file := package.file(name)) is not None:
            return file
    if subject.place.manifest_link or subject.place.folder_link:
        return None
    wanted = {name.lower() for name in (*reads.files, "skill.md")}
    others = [file for file in package.files if file.path.lower() in wanted]
    if not others:
        seen.add("manifest-missing")
        return None
    if reads.any_case:
        return others[0]
    seen.add("manifest-other-case", file=others[0].path)
    return None


def _look_at_description(seen: Observation, reading: HostReading, reads: Reads, intent: Intent) -> None:
    if not (reads.withheld and any(fact in seen.facts for fact in reads.withheld)):
        describing.look_at_description(seen, reading, reads, intent)
        return
    # A description that is shown to nobody cannot be lost.
    aside = Observation(name=seen.name)
    describing.look_at_description(aside, reading, reads, intent)
    seen.seen = aside.seen


def _look_at_front(seen: Observation, reading: HostReading, reads: Reads) -> None:
    block = reading.block
    assert block is not None
    if block.state == "program":
        seen.add("fence-program")
        return
    if block.state != "found":
        if reading.cut and block.state == "open":
            seen.add("beyond-prefix", limit=f"{reads.prefix:,}")
        seen.add("fence-missing" if block.state == "missing" else "fence-open")
        return
    if reading.fault is not None:
        fault = reading.fault
        where = {"message": fault.message, "line": str(block.line + fault.line - 1), "fault": fault.kind}
        if reading.repaired:
            seen.add("yaml-repaired", **where)
        else:
            seen.add("yaml-escapes" if fault.escapes else "yaml-refused", **where)
    elif reading.root is not None:
        seen.add("frontmatter-not-mapping", kind=kind_of_value(reading.root))
    if reading.by_lines:
        seen.add("lines-read")
    if reads.unique_keys and (twice := unique_twice(reading.duplicates, reading.keys, reads)):
        seen.add("key-twice", keys=", ".join(twice))
    if reads.allowed_keys:
        unknown = sorted(key for key in reading.keys if key not in reads.allowed_keys)
        if unknown or reading.odd_keys:
            seen.add("key-unknown", keys=", ".join(unknown) or "a key that is no text")


def _look_at_name(seen: Observation, subject: Subject, reading: HostReading, reads: Reads) -> None:
    folder = subject.place.name
    text = _written_name(seen, reading, reads)
    called = folder if text is None else text
    if (text is not None or reads.name_form == "slug") and (problem := name_problem(called, reads.name_form)):
        seen.add("name-form", problem=problem)
    if text is not None:
        _look_at_written_name(seen, text, folder, reads)
    elif reads.scans and reads.name_max and len(folder) > reads.name_max:
        # The folder's name takes the place of the one that is not there.
        seen.add("name-too-long", length=f"{len(folder):,}", limit=str(reads.name_max))
    shown = folder if reads.identity == "folder" else show_name(called, reads.name_shown)
    seen.name = shown
    if text is not None and shown != text:
        seen.add("name-changed", shown=shown)


def _written_name(seen: Observation, reading: HostReading, reads: Reads) -> str | None:
    """The name in the front matter as the host reads it; None (and a fact) where it reads none."""
    value = key_value(reading.keys, "name", reads.name_type)
    if value is None:
        if reading.has_keys:
            seen.add("name-missing")
        return None
    block = reading.block.text if reading.block is not None else ""
    text = text_of_value(value, "name", block, reads.name_type)
    if isinstance(value, Null) and (text is None or reads.name_type == "python"):
        seen.add("name-null")
        return None
    if text is None:
        seen.add("name-not-text", kind=kind_of_value(value))
        return None
    trims = reads.name_shown in ("trimmed", "single-line")
    if not (text.strip() if trims else text) or (reads.name_type == "python" and is_empty(value)):
        seen.add("name-empty")
        return text if not trims and reads.identity == "name" and reads.name_type == "text" else None
    if text != text.strip(" \t"):
        seen.add("name-padded")
    return text


def _look_at_written_name(seen: Observation, text: str, folder: str, reads: Reads) -> None:
    length = len(show_name(text, "trimmed" if reads.name_shown == "as-is" else reads.name_shown))
    if reads.name_max and length > reads.name_max:
        seen.add("name-too-long", length=f"{length:,}", limit=str(reads.name_max))
    if not same_as_folder(text, folder):
        seen.add("name-not-folder")
    if reserved := _RESERVED.search(text):
        seen.add("name-reserved", word=reserved[0].lower())
    if text.strip() in _SLASH_TAKEN or _SLASH.fullmatch(text.strip()) is None:
        seen.add("name-slash")
