"""Find the facts about a description: is there one for the host, and does it show what was meant?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Protocol

from generator.judge.dialects.values import Boolean, Entries, Items, Null, Number
from generator.judge.matching import Intent, fold, is_same
from generator.judge.reading import HostReading
from generator.judge.reads import Reads
from generator.judge.texts import key_value, kind_of_value, text_of_value

_INVISIBLE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# What a terminal takes for a command, with the characters the command takes along.
_ESCAPED: Final = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|[^\\[])|[\x90\x98\x9d-\x9f].*", re.DOTALL)
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
    shown = _show(text or "", reads)
    seen.seen = shown or None
    if reads.compares:
        structured = isinstance(value, Items | Entries) and not invented
        _compare(seen, shown, text or "", reads, intent, invented, structured)


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
            return text if len(text) <= _LONGEST_HEADING else f"{text[: _LONGEST_HEADING - 3]}..."
        if text and not text.startswith("#"):
            return text
    return "Skill" if reads.description_fallback == "heading" else ""


def _show(text: str, reads: Reads) -> str:
    if reads.description_shown == "trimmed":
        # JavaScript counts the byte order mark among the blanks.
        text = text.strip().strip("\ufeff") if reads.description_type == "json" else text.strip()
    elif reads.description_shown == "visible":
        text = _INVISIBLE.sub(" ", _ESCAPED.sub("", text))
    elif reads.description_shown == "untagged":
        text = _TAG.sub("", text)
    if reads.description_cut and len(text) > reads.description_cut:
        text = text[: reads.description_cut - 1] + "…"
    return text


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
    elif reads.description_cut and len(text) > reads.description_cut:
        seen.add("lost-tail", length=f"{len(text):,}", limit=f"{reads.description_cut:,}")
    elif "\ufffd" in shown and intent.dirty:
        seen.add("lost-bytes")
    elif intent.dirty and _CONTROL.search(shown):
        seen.add("lost-controls")
    elif intent.tail and is_same(meant[: meant.find(intent.tail)], shown):
        seen.add("lost-comment", tail=_short(intent.tail))
    elif reads.description_shown == "visible" and _INVISIBLE.search(text):
        seen.add("lost-invisible")
    elif "---" in meant and is_same(meant[: meant.index("---")], shown):
        seen.add("lost-dashes", tail=_short(meant[meant.index("---") :]))
    else:
        seen.add("lost-other", shown=_short(shown))


def _short(text: str) -> str:
    folded = fold(text)
    return folded if len(folded) <= _SHOWN else folded[: _SHOWN - 1] + "…"
