"""Find the facts about a description: is there one for the host, and does it show what was meant?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Protocol

from generator.judge.dialects.values import Boolean, Entries, Items, Null, Number, Value
from generator.judge.invisible import replace_invisible
from generator.judge.matching import Intent, fold, is_same
from generator.judge.reading import HostReading
from generator.judge.reads import Reads
from generator.judge.texts import cut_script, key_value, kind_of_value, script_length, text_of_value

_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_TAG: Final = re.compile(r"<[^>]+>")
_HEADING: Final = re.compile(r"#+\s+(?=\S)")
_LONGEST_HEADING: Final = 100
_SHOWN: Final = 60


class Facts(Protocol):
    """What facts are noted in."""

    facts: dict[str, Mapping[str, str]]
    name: str
    seen: str | None

    def add(self, fact: str, **fills: str) -> None:
        """Note that a fact holds."""


def look_at_description(seen: Facts, reading: HostReading, reads: Reads, intent: Intent) -> None:
    """Note every fact about the description, and what the host would show."""
    block = reading.block
    assert block is not None
    value = key_value(reading.keys, "description", reads.description_type)
    text = None if value is None else text_of_value(value, "description", block.text, reads.description_type)
    blank = text is not None and not (text.strip() if reads.description_blank == "empty" else text)
    if value is None:
        if reading.has_keys:
            seen.add("description-missing")
    elif isinstance(value, Null) and text is None:
        seen.add("description-null")
    elif text is None:
        seen.add("description-not-text", kind=kind_of_value(value))
    elif blank:
        seen.add("description-empty")
    else:
        _look_at_written(seen, text, reads)
    invented = text is None or blank
    if invented:
        text = _fall_back(seen.name, reading, reads)
        if reads.description_type == "sized" and not text and isinstance(value, Number | Boolean | Null):
            # Nothing took its place, so its length is asked for after all.
            seen.add("description-not-text", kind=kind_of_value(value))
    text = text or ""
    tail = reading.keys.get(reads.description_tail) if reads.description_tail else None
    joined = _join(text, block.text, tail, reads)
    shown = _show(joined, reads)
    seen.seen = shown or None
    if reads.compares:
        if joined is not text and _length(joined, reads) <= reads.description_cut:
            shown = _show(text, reads)  # nothing of it is lost when more follows
        else:
            text = joined
        structured = isinstance(value, Items | Entries) and not invented
        _compare(seen, shown, text, reads, intent, invented, structured)


def _join(text: str, block: str, tail: Value | None, reads: Reads) -> str:
    """The description with what the host shows behind it, if it has such a key."""
    more = (
        None if tail is None else text_of_value(tail, reads.description_tail, block, reads.description_type)
    )
    return f"{text.strip()} - {more.strip()}" if more and more.strip() else text


def _look_at_written(seen: Facts, text: str, reads: Reads) -> None:
    length = len(text.strip() if reads.description_shown == "trimmed" else text)
    if reads.description_max and length > reads.description_max:
        seen.add("description-too-long", length=f"{length:,}", limit=f"{reads.description_max:,}")
    if "<" in text or ">" in text:
        seen.add("description-markup")


def _fall_back(name: str, reading: HostReading, reads: Reads) -> str:
    """What the host shows where it found no description."""
    if reads.description_fallback == "folder":
        return name
    if not reads.description_fallback or reading.block is None:
        return ""
    for line in reading.block.body.strip().split("\n"):
        text = line.strip()
        if text and reads.description_fallback == "heading":
            heading = _HEADING.match(text)
            text = text[heading.end() :] if heading else text
            if script_length(text) > _LONGEST_HEADING:
                text = f"{cut_script(text, _LONGEST_HEADING - 3)}..."
            return text
        if text and not text.startswith("#"):
            return text
    return "Skill" if reads.description_fallback == "heading" else ""


def _show(text: str, reads: Reads) -> str:
    if reads.description_shown == "trimmed":
        # JavaScript counts the byte order mark among the blanks.
        text = text.strip().strip("\ufeff") if reads.description_type == "json" else text.strip()
    elif reads.description_shown == "visible":
        text = replace_invisible(text)
    elif reads.description_shown == "untagged":
        text = _TAG.sub("", text)
    if reads.description_cut and _length(text, reads) > reads.description_cut:
        if reads.description_cut_unit == "utf-16":
            return f"{cut_script(text, reads.description_cut - 1)}…"
        return f"{text[: reads.description_cut - 3]}..."
    return text


def _length(text: str, reads: Reads) -> int:
    return script_length(text) if reads.description_cut_unit == "utf-16" else len(text)


def _compare(
    seen: Facts, shown: str, text: str, reads: Reads, intent: Intent, invented: bool, structured: bool
) -> None:
    """Note what is lost, if anything is: exactly one of the facts whose ids begin with ``lost-``."""
    meant = intent.text
    if intent.ambiguous and shown and not invented:
        seen.add("lost-first")
    elif meant is not None and is_same(meant, shown):
        return
    elif structured:
        seen.add("lost-structure")
    elif not shown.strip():
        seen.add("lost-all")
    elif invented:
        seen.add("lost-invented", shown=_short(shown))
    elif meant is None:
        seen.add("lost-other", shown=_short(shown))
    elif reads.description_cut and _length(text, reads) > reads.description_cut:
        seen.add("lost-tail", length=f"{_length(text, reads):,}", limit=f"{reads.description_cut:,}")
    elif "\ufffd" in shown and intent.dirty:
        seen.add("lost-bytes")
    elif intent.dirty and _CONTROL.search(shown):
        seen.add("lost-controls")
    elif intent.tail and is_same(meant[: meant.find(intent.tail)], shown):
        seen.add("lost-comment", tail=_short(intent.tail))
    elif reads.description_shown == "visible" and replace_invisible(text) != text:
        seen.add("lost-invisible")
    elif "---" in meant and is_same(meant[: meant.index("---")], shown):
        seen.add("lost-dashes", tail=_short(meant[meant.index("---") :]))
    else:
        seen.add("lost-other", shown=_short(shown))


def _short(text: str) -> str:
    folded = fold(text)
    return folded if len(folded) <= _SHOWN else folded[: _SHOWN - 1] + "…"
