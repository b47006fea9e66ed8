"""Front matter that can be read, but means another thing to another YAML library.

PyYAML (DeerFlow, DeepTutor, Hermes, quick_validate) resolves plain values by YAML 1.1, the JavaScript and
Rust hosts by YAML 1.2; strictyaml (skills-ref) accepts block style only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from generator.judge.model import Subject
from generator.judge.rules.ground import shown, tell
from generator.model import Finding
from generator.read.nodes import LINE_BREAK, MappingNode, Node, ScalarNode, SequenceNode, walk_scalars
from generator.read.yamladvice import quoted

_TEXT_KEYS: Final = ("name", "description", "compatibility")
"""Keys whose value a host refuses unless it is a text."""

_BOOLEANS: Final = frozenset(
    form
    for word in ("yes", "no", "true", "false", "on", "off")
    for form in (word, word.title(), word.upper())
)
_NUMBER: Final = re.compile(
    r"[-+]?(?:0b[01_]+|0o[0-7]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
    r"|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN)"
)
_DATE: Final = re.compile(
    r"(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)"
    r"(?P<time>(?:[Tt]|[ \t]+)(?P<H>\d\d?):(?P<M>\d\d):(?P<S>\d\d)(?:\.\d*)?"
    r"(?:[ \t]*(?:Z|[-+](?P<zh>\d\d?)(?::(?P<zm>\d\d))?))?)?",
    re.ASCII,
)
_DATE_LIKE: Final = re.compile(r"\d{4}-\d", re.ASCII)
_BAD_NUMBER: Final = re.compile(r"[-+]?0[bx]_+")
_LONG_NUMBER: Final = re.compile(r"[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])*")
_MOST_DIGITS: Final = 4300
"""Most digits of a number that Python makes of a text."""
_MONTH_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def find(subject: Subject) -> Iterator[Finding]:
    """Flow style, plain values that are no texts, and dates and numbers that crash a parser."""
    front = subject.skill.front
    if front is None:
        return
    yield from _find_untyped(subject, front)
    text = subject.skill.front_text
    if "[" in text or "{" in text:
        yield from _find_flow(subject, front, text)
    if _DATE_LIKE.search(text) or "_" in text or len(text) > _MOST_DIGITS or "=" in text or "<<" in text:
        yield from _find_crashing(subject, front)


def type_of(value: str) -> str | None:
    """What a plain value is to a YAML library, in words; None where it is a text to all of them."""
    if value in _BOOLEANS:
        return "a yes or no"
    if not value or value[0] not in "+-.0123456789":
        return None
    if _NUMBER.fullmatch(value):
        return "a number"
    return "a date" if _is_date(value) else None


def _is_date(value: str) -> bool:
    found = _DATE.fullmatch(value)
    # Without a time, month and day must have two digits each.
    return found is not None and (found["time"] is not None or len(value) == len("2026-01-31"))


def _find_untyped(subject: Subject, front: MappingNode) -> Iterator[Finding]:
    for key in _TEXT_KEYS:
        node = front.index.get(key)
        if isinstance(node, ScalarNode) and node.style == "plain" and (kind := type_of(node.value)):
            yield tell(
                subject, "yaml-implicit-type", node,
                f"The value of {key}, {node.value[:60]}, is {kind} to YAML, not a text; DeerFlow, Hermes and "
                "OpenCode drop the "
                "skill or read another value",
                f"Put it in quotes: {key}: {quoted(node.value[:60])}",
            )  # fmt: skip


def _find_flow(subject: Subject, front: MappingNode, text: str) -> Iterator[Finding]:
    lines = LINE_BREAK.split(text)
    found = [(key, node) for key, node in _collections(front) if _starts_in_flow(node, lines)]
    if not found:
        return
    key, node = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    yield tell(
        subject, "yaml-flow-style", node,
        f"The value of {shown(key)}{more} is written with brackets on one line, which the reference validator "
        "skills-ref "
        "refuses; "
        "every agent reads it",
        f"Write it in block style: {_block(key, node)}",
    )  # fmt: skip


def _collections(node: Node, key: str = "") -> Iterator[tuple[str, Node]]:
    if isinstance(node, MappingNode):
        for name, value in node.entries:
            if not isinstance(value, ScalarNode):
                yield name.value, value
                yield from _collections(value, name.value)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            if not isinstance(item, ScalarNode):
                yield key, item
                yield from _collections(item, key)


def _starts_in_flow(node: Node, lines: list[str]) -> bool:
    line = lines[node.line - 2] if 0 <= node.line - 2 < len(lines) else ""
    return line[node.column - 1 : node.column] in ("[", "{")


def _block(key: str, node: Node) -> str:
    """How to write a short flow collection in block style, in words on one line."""
    if isinstance(node, SequenceNode) and node.items and all(isinstance(i, ScalarNode) for i in node.items):
        parts = [f"`  - {item.value[:30]}`" for item in node.items[:3] if isinstance(item, ScalarNode)]
        tail = " and so on" if len(node.items) > 3 else ""
        return f"`{key}:`, and below it a line each: {', '.join(parts)}{tail}"
    return f"`{key}:`, and below it each part on a line of its own, indented by two spaces"


def _find_crashing(subject: Subject, front: MappingNode) -> Iterator[Finding]:
    for node in walk_scalars(front):
        if node.style != "plain" or not node.value:
            continue
        if node.value[0] in "+-0123456789":
            yield from _find_bad_date(subject, node)
            yield from _find_bad_number(subject, node)
        elif node.value in ("=", "<<"):
            yield tell(
                subject, "yaml-implicit-type", node,
                f"A plain {node.value} has a meaning of its own in YAML 1.1, and PyYAML refuses the whole block for it",
                f"Put it in quotes: {quoted(node.value)}",
            )  # fmt: skip


def _find_bad_date(subject: Subject, node: ScalarNode) -> Iterator[Finding]:
    found = _DATE.fullmatch(node.value)
    if found is None or not _is_date(node.value):
        return
    year, month, day = int(found["y"]), int(found["m"]), int(found["d"])
    wrong = ""
    if not year or not 1 <= month <= 12 or not 1 <= day <= _days(year, month):
        wrong = "there is no such day"
    elif found["time"] and (int(found["H"]) > 23 or int(found["M"]) > 59 or int(found["S"]) > 59):
        wrong = "there is no such time of day"
    elif found["zh"] and int(found["zh"]) * 60 + int(found["zm"] or 0) >= 24 * 60:
        wrong = "there is no such time zone"
    if wrong:
        yield tell(
            subject, "yaml-invalid-timestamp", node,
            f"The value {node.value} looks like a date, but {wrong}: DeepTutor then shows none of its skills, DeerFlow "
            "drops this one",
            f"Correct it, or put it in quotes: {quoted(node.value)}",
        )  # fmt: skip


def _days(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _MONTH_DAYS[month - 1] - (month == 2 and not leap)


def _find_bad_number(subject: Subject, node: ScalarNode) -> Iterator[Finding]:
    value = node.value
    long = len(value) > _MOST_DIGITS and _LONG_NUMBER.fullmatch(value) is not None
    if (long and sum(c.isdigit() for c in value.partition(":")[0]) > _MOST_DIGITS) or _BAD_NUMBER.fullmatch(
        value
    ):
        yield tell(
            subject, "yaml-invalid-number", node,
            f"The value {value[:40]} looks like a number to YAML 1.1 and cannot be made into one: DeepTutor then "
            "shows none "
            "of its "
            "skills, DeerFlow drops this one",
            f"Put it in quotes: {quoted(value[:40])}",
        )  # fmt: skip
