"""The YAML libraries of the hosts, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from generator.judge.dialects.bunyaml import read_bun
from generator.judge.dialects.depth import refuse_depth, shorten_runs
from generator.judge.dialects.jsyaml import read_jsyaml
from generator.judge.dialects.lines import read_lines
from generator.judge.dialects.npmyaml import read_npm
from generator.judge.dialects.pyyaml import read_pyyaml
from generator.judge.dialects.serdeyaml import read_serde
from generator.judge.dialects.simpletext import is_simple, value_of
from generator.judge.dialects.strictyaml import read_strictyaml
from generator.judge.dialects.values import Entries, Text, YamlReading
from generator.read.nodes import MappingNode

LIBRARIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "pyyaml": "PyYAML 6, yaml.safe_load: YAML 1.1 types, the last of two equal keys wins",
        "libyaml": "PyYAML 6 with its C parser, yaml.load(text, Loader=CSafeLoader)",
        "strictyaml": "strictyaml 1.7, load without a schema: every scalar is a text",
        "js-yaml-3": "js-yaml 3 (gray-matter), safeLoad: YAML 1.2 core types and dates",
        "js-yaml-4": "js-yaml 4, load: as js-yaml 3 but for octal numbers, tabs and empty flow entries",
        "yaml-2": "npm yaml 2, core schema",
        "serde-yaml": "serde_yaml 0.9: libyaml's grammar, core types, duplicates left to the caller",
        "claude-code": "Bun.YAML.parse of Bun 1.4, which Claude Code reads front matter with",
        "vscode": "An approximation of the editor's own reader, which never refuses: as Bun, or else line by line",
    }
)

_LONGEST: Final = 64 * 1024
"""Longest text read, in characters; no host's verdict depends on more front matter than that."""


def read_yaml(library: str, text: str, tree: MappingNode | None = None) -> YamlReading:
    """What ``library`` (a key of :data:`LIBRARIES`) makes of ``text``, for any text, without raising.

    ``tree`` is the tree our own strict reader made of this text, where it accepted it: a shortcut that changes
    no answer. Empty lines before and after the text may differ from what was read. Places in faults count
    from 1 in ``text``. A text over 64 k characters is read up to there.
    """
    if tree is not None and is_simple(text):
        value = value_of(library, tree, "[" in text)
        if value is not None:
            return YamlReading(value)
    text = text[:_LONGEST]
    fault = refuse_depth(library, text)
    if fault is not None:
        return YamlReading(None, fault)
    return _READERS[library](shorten_runs(text))


def _read_tolerant(text: str) -> YamlReading:
    reading = read_bun(text)
    if reading.fault is None:
        return reading
    pairs = read_lines("openclaw", text.replace("\r\n", "\n"))
    return YamlReading(Entries(tuple((Text(key), Text(value)) for key, value in pairs.items())))


_READERS: Final[Mapping[str, Callable[[str], YamlReading]]] = MappingProxyType(
    {
        "pyyaml": partial(read_pyyaml, pure=True),
        "libyaml": partial(read_pyyaml, pure=False),
        "strictyaml": read_strictyaml,
        "js-yaml-3": partial(read_jsyaml, old=True),
        "js-yaml-4": partial(read_jsyaml, old=False),
        "yaml-2": read_npm,
        "serde-yaml": read_serde,
        "claude-code": read_bun,
        "vscode": _read_tolerant,
    }
)
