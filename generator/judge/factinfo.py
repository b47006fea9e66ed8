"""What one fact is, as data; and which finding codes tell an author about an error of YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class FactInfo:
    """What one fact means: a sentence, the finding codes behind it, its family, and its placeholders.

    ``fills`` are the words that a reason may hold in braces for this fact, beside ``{folder}`` and ``{name}``.
    """

    meaning: str
    codes: tuple[str, ...]
    family: str
    fills: tuple[str, ...] = ()


YAML_CODES: Final = (
    "yaml-unquoted-colon",
    "yaml-indicator-start",
    "yaml-bracketed-argument-hint",
    "yaml-unterminated-quote",
    "yaml-duplicate-key",
    "yaml-anchor",
    "yaml-merge-key",
    "yaml-multiple-documents",
    "yaml-complex-key",
    "yaml-too-deep",
    "yaml-too-many-nodes",
    "yaml-too-large",
    "yaml-stray-syntax",
    "encoding-not-utf8-or-control-char",
    "frontmatter-line-shape",
    "yaml-invalid-timestamp",
    "yaml-flow-style",
    "yaml-parser-dependent",
    "yaml-syntax",
)
"""Codes of what can be wrong with YAML, the telling ones first."""

FENCE_CODES: Final = (
    "frontmatter-bom",
    "frontmatter-not-on-first-line",
    "frontmatter-line-shape",
    "frontmatter-missing",
)
CLOSING_CODES: Final = ("frontmatter-unterminated", "frontmatter-line-shape", "frontmatter-too-large")
FAULT_CODES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "alias": ("yaml-anchor", "yaml-indicator-start"),
        "anchor": ("yaml-anchor",),
        "colon": ("yaml-unquoted-colon",),
        "complex-key": ("yaml-complex-key",),
        "control-character": ("encoding-not-utf8-or-control-char",),
        "date": ("yaml-invalid-timestamp",),
        "documents": ("yaml-multiple-documents",),
        "duplicate-key": ("yaml-duplicate-key",),
        "flow": ("yaml-flow-style", "yaml-indicator-start", "yaml-bracketed-argument-hint"),
        "indicator": ("yaml-indicator-start",),
        "merge-key": ("yaml-merge-key",),
        "number": ("yaml-implicit-type",),
        "quote": ("yaml-unterminated-quote", "yaml-indicator-start"),
        "tab": ("yaml-stray-syntax",),
        "tag": ("yaml-stray-syntax",),
        "too-deep": ("yaml-too-deep",),
        "too-large": ("yaml-too-large",),
    }
)
"""The finding codes that fit a kind of fault best; for other kinds any code of :data:`YAML_CODES` that was found."""
