"""Texts nested deeper than a reader can go: what each library makes of them without going there.

Measured (tests/live/yaml_libraries.py): the depth of brackets at which each library gives up. Long runs of
brackets are shortened for our own readers; how deep the list is does not matter to any host.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from generator.judge.dialects.values import Fault

_KEPT: Final = 60
_LONG: Final = 100

_CHAIN: Final = re.compile(r"(?:^|[:\-][ \n]) *((?:[\[{] *(?:[\w\"]++: *)?)++)", re.MULTILINE)
"""Brackets that open one right after the other, where a value may begin."""

MOST_BRACKETS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "pyyaml": 490,
        "libyaml": 999,
        "strictyaml": 240,
        "js-yaml-3": 7_500,
        "js-yaml-4": 1_800,
        "yaml-2": 1_200,
        "serde-yaml": 60_000,
        "claude-code": 4_900,
        "vscode": 4_900,
    }
)
"""Deepest nesting of brackets each library reads, in the host that uses it (OpenCode for js-yaml 3)."""


def refuse_depth(library: str, text: str) -> Fault | None:
    """The fault of a text in which more brackets open one in the other than ``library`` reads, or None."""
    most = MOST_BRACKETS[library]
    if text.count("[") + text.count("{") <= most:
        return None
    for found in _CHAIN.finditer(text):
        opened = [at for at in range(found.start(1), found.end(1)) if text[at] in "[{"]
        if len(opened) > most:
            at = opened[most]
            line = text.count("\n", 0, at) + 1
            column = at - text.rfind("\n", 0, at)
            return Fault("too-deep", line, column, "The text is nested too deeply", library == "pyyaml")
    return None


def shorten_runs(text: str) -> str:
    """The text with a long run of ``[`` and one as long of ``]`` both cut to the same length."""
    if text.count("[") <= _LONG:
        return text
    opening = max((len(found) for found in re.findall("\\[+", text)), default=0)
    closing = max((len(found) for found in re.findall("\\]+", text)), default=0)
    if opening <= _LONG or closing <= _LONG:
        return text
    cut = min(opening, closing) - _KEPT
    for bracket, length in (("[", opening), ("]", closing)):
        text = text.replace(bracket * length, bracket * (length - cut), 1)
    return text
