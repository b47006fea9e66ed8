"""What an author meant by the description, and what became of it on a host.

The meaning is read from the raw text, leniently, as a person would read it: quotes are taken away, a plain
value is all that stands on its lines (a host that takes ' #' for a comment loses something), broken YAML is
read past. Nothing is meant where there is no description, an empty one, a list or a mapping.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from generator.model import PackageFile, SkillFolder
from generator.read.nodes import ScalarNode

_FENCE: Final = re.compile(r"\s*-{3,}\s*")
_OPENING: Final = re.compile(r"\s*-{3,}\s*(?:#.*|[A-Za-z]*)\s*")
_KEY: Final = re.compile(
    r"""(?P<quote>["']?)(?P<key>[A-Za-z_][\w-]*)(?P=quote)[ \t]*:(?:[ \t]+|$)(?P<value>.*)"""
)
_TIGHT_KEY: Final = re.compile(r"description:(?P<value>[^ \t].*)", re.IGNORECASE)
_ONE_WORD: Final = re.compile(r"[\w.-]+")
_BLOCK: Final = re.compile(r"[|>][0-9+-]{0,2}[ \t]*(?:#.*)?")
_DOUBLE: Final = re.compile(r'"((?:[^"\\]|\\.)*)"[ \t]*(?:#.*)?', re.DOTALL)
_SINGLE: Final = re.compile(r"'((?:[^']|'')*)'[ \t]*(?:#.*)?", re.DOTALL)
# Apostrophes inside a word, which should have been doubled.
_APOSTROPHES: Final = re.compile(r"'((?:[^']|''|(?<=\w)'(?=\w))*)'")
_TAG: Final = re.compile(r"!![a-z]+[ \t]+(?=\S)")
_ANCHOR: Final = re.compile(r"&(?P<name>[^\s\[\]{},]+)[ \t]+(?P<value>[^\n]*)")
_NULL: Final = frozenset({"", "~", "null", "Null", "NULL"})
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
_ESCAPES: Final = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "0": "",
    "/": "/",
    "_": "\xa0",
    "N": "\n",
    " ": " ",
    "e": "",
    '"': '"',
    "\\": "\\",
}
_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[0-9a-fA-F]{4})"
    r"|U([0-9a-fA-F]{8})|\n[ \t]*|(.))",
    re.DOTALL,
)
_LARGEST: Final = 128 * 1024
_LEADING_LINES: Final = 40


@dataclass(frozen=True, slots=True)
class Intent:
    """What the author meant. ``text`` is None where no description was meant; ``ambiguous`` where two were
    written. ``tail`` is what stands behind the first ' #' of a plain value, empty where there is none."""

    text: str | None
    ambiguous: bool = False
    structured: bool = False
    tail: str = ""
    dirty: bool = False


def fold(text: str) -> str:
    """A text as descriptions are compared: every run of white space is one space."""
    return " ".join(text.split())


def find_intent(skill: SkillFolder, file: PackageFile | None) -> Intent:
    """What the author of a skill meant by its description."""
    if skill.front is not None:
        node = skill.front.index.get("description")
        # Without '#' our own reader's answer is the same as a person's, and cheaper.
        if isinstance(node, ScalarNode) and (node.style != "plain" or "#" not in skill.front_text):
            return Intent(None if node.is_null or not node.value.strip() else node.value)
    return Intent(None) if file is None else read_intent(file.data[:_LARGEST])


def read_intent(data: bytes) -> Intent:
    """What the author of this ``SKILL.md`` meant, whatever is wrong with it."""
    text = data.decode("utf-8", "ignore").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = _front_lines(text.split("\n"))
    found = [intent for intent in _descriptions(lines) if intent is not None]
    dirty = b"\xef\xbf\xbd" not in data and _is_dirty(data)
    if not found:
        return Intent(None, dirty=dirty)
    if len({intent.text for intent in found}) > 1:
        return Intent(found[-1].text, ambiguous=True, dirty=dirty)
    first = found[0]
    clean = None if first.text is None else _CONTROL.sub("", first.text)
    return Intent(clean, False, first.structured, first.tail, dirty or clean != first.text)


def _is_dirty(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _front_lines(lines: list[str]) -> list[str]:
    """The lines a person takes for the front matter; none where no line looks like its start."""
    start = next((n for n, line in enumerate(lines[:_LEADING_LINES]) if _OPENING.fullmatch(line)), None)
    if start is None:
        return []
    rest = lines[start + 1 :]
    end = next((n for n, line in enumerate(rest) if _FENCE.fullmatch(line) or line.rstrip() == "..."), None)
    if end is not None:
        return rest[:end]
    # Never closed: the text starts where a blank line is followed by something that is no key.
    for number, line in enumerate(rest):
        if not line.strip() and not any(_KEY.match(later) for later in rest[number : number + 3]):
            return rest[:number]
    return rest


def _descriptions(lines: list[str]) -> list[Intent | None]:
    found: list[Intent | None] = []
    for number, line in enumerate(_aligned(lines)):
        match = _KEY.match(line)
        value = match["value"] if match and match["key"].lower() == "description" else None
        if value is None and (tight := _TIGHT_KEY.fullmatch(line)):
            value = tight["value"]
        if value is not None:
            found.append(_read_value(value, _below(lines, number + 1), lines))
    return found


def _aligned(lines: list[str]) -> list[str]:
    """The lines without what indents all of them, or a key below one that has a value of its own already."""
    common = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    if common:
        return [line[common:] for line in lines]
    aligned = list(lines)
    for number, line in enumerate(lines[1:], 1):
        above = _KEY.match(lines[number - 1])
        if (
            line[:1] == " "
            and above is not None
            and _ONE_WORD.fullmatch(above["value"].strip())
            and _KEY.match(line.lstrip(" "))
        ):
            aligned[number] = line.lstrip(" ")
    return aligned


def _below(lines: list[str], start: int) -> list[str]:
    """The lines that belong to the key before: indented or blank ones, list items at its own level too."""
    end = start
    while end < len(lines) and (not lines[end].strip() or lines[end][0] in " \t"):
        end += 1
    return lines[start:end]


def _read_value(value: str, below: list[str], lines: list[str]) -> Intent:
    head = value.strip()
    if (anchor := _ANCHOR.match(head)) is not None and any(f"*{anchor['name']}" in line for line in lines):
        head = head[anchor.start("value") :]
    if head.startswith("!!binary"):
        return Intent(None)
    if (tag := _TAG.match(head)) is not None:
        head = head[tag.end() :]
    if _BLOCK.fullmatch(head):
        return _meant("\n".join(line.strip() for line in below))
    whole = "\n".join([head, *(line.strip() for line in below)]).strip()
    if (double := _DOUBLE.fullmatch(whole)) is not None:
        return _meant(_ESCAPE.sub(_unescape, double[1]))
    if (single := _SINGLE.fullmatch(whole)) is not None:
        return _meant(single[1].replace("''", "'"))
    if (single := _APOSTROPHES.fullmatch(whole)) is not None:
        return _meant(single[1].replace("''", "'"))
    if head.startswith(("[", "{")) and _is_closed(whole):
        return Intent(None, structured=True)
    if (
        not head
        and below
        and re.match(r"\s*(?:- |-$|[\w\"'-]+:(?: |$))", next((b for b in below if b.strip()), ""))
    ):
        return Intent(None, structured=True)
    if head in _NULL and not "".join(below).strip():
        return Intent(None)
    if re.fullmatch(r"\*[\w-]+", head):
        return _aliased(head[1:], lines)
    if re.match(r"#+(?:\s|$)", whole):
        return Intent(None)
    cut = re.search(r"(?:^|[ \t]|\n)#", whole)
    return Intent(whole, tail=whole[cut.start() :].strip() if cut else "")


def _meant(text: str) -> Intent:
    return Intent(text if text.strip() else None)


def _aliased(name: str, lines: list[str]) -> Intent:
    for anchor in _ANCHOR.finditer("\n".join(lines)):
        if anchor["name"] == name:
            return _meant(anchor["value"].strip().strip("\"'"))
    return Intent(f"*{name}")


def _is_closed(text: str) -> bool:
    """True where brackets opened at the start close exactly at the end."""
    depth = 0
    quote = ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and text[index - 1] in " \t\n,:[{":
            quote = char
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
            if depth == 0:
                rest = text[index + 1 :].strip()
                return not rest or rest.startswith("#")
    return False


def _unescape(match: re.Match[str]) -> str:
    for digits in match.groups()[:3]:
        if digits and "\\" in digits:
            high, low = int(digits[:4], 16), int(digits[6:], 16)
            return chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)
        if digits:
            number = int(digits, 16)
            return chr(number) if number <= 0x10FFFF and not 0xD800 <= number < 0xE000 else ""
    # What is no escape is what somebody wanted to see: a pattern, a path of Windows.
    return "" if match[4] is None else _ESCAPES.get(match[4], f"\\{match[4]}")


def is_same(meant: str, shown: str) -> bool:
    """True where a host shows what was meant, white space aside."""
    return meant == shown or fold(meant) == fold(shown)
