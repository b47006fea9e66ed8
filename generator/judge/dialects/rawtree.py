"""What libyaml or PyYAML parse a text into, before any type is given: nodes with tags, aliases resolved.

PyYAML's parsers are run for their events only; nothing is constructed by them. An alias is the very node it
names (a mapping may hold itself), so that nothing is ever expanded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias, cast

import yaml

from generator.judge.dialects.faults import Stopped
from generator.judge.dialects.values import Fault

MAX_DEPTH: Final = 200
"""Deepest nesting read here; deeper runs of brackets are shortened before (see ``depth``)."""


@dataclass(slots=True, eq=False)
class RawScalar:
    """A scalar; ``plain`` without quotes, ``tag`` in its long form, or None.

    ``marked`` is "anchor" or "tag" where one is written, even a lone ``!`` (the anchor counts if both are).
    """

    value: str
    plain: bool
    tag: str | None
    line: int
    column: int
    style: str = ""
    marked: str = ""


@dataclass(slots=True, eq=False)
class RawItems:
    """A list."""

    items: list[Raw] = field(default_factory=list)
    tag: str | None = None
    line: int = 1
    column: int = 1
    flow: bool = False
    marked: str = ""


@dataclass(slots=True, eq=False)
class RawMap:
    """A mapping, every pair as written."""

    pairs: list[tuple[Raw, Raw]] = field(default_factory=list)
    tag: str | None = None
    line: int = 1
    column: int = 1
    flow: bool = False
    marked: str = ""


Raw: TypeAlias = RawScalar | RawItems | RawMap


class _Events(Protocol):
    def get_event(self) -> Any: ...

    def dispose(self) -> None: ...


def compose(text: str, pure: bool, redefine: bool = False) -> Raw | None:
    """The one document of a text, or None where there is none; raises :class:`Stopped` with the fault.

    ``pure`` runs PyYAML's own scanner, else libyaml (PyYAML's where libyaml is not built in). ``redefine``:
    an anchor may be used again for another node.
    """
    loader = yaml.SafeLoader if pure else getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parser: _Events | None = None
    try:
        parser = cast("_Events", loader(text))
        return _Composer(parser, redefine).document()
    except yaml.YAMLError as error:
        raise Stopped(_fault(error)) from None
    except (ValueError, OverflowError, RecursionError) as error:
        # PyYAML's scanner lets chr() complain about an impossible escape in its own words.
        kind = "control-character" if isinstance(error, UnicodeError) else "escape"
        raise Stopped(Fault(kind, 1, 1, f"A character that cannot be ({error})", escapes=True)) from None
    finally:
        if parser is not None:
            parser.dispose()


def _fault(error: yaml.YAMLError) -> Fault:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "it is no valid YAML")
    return Fault(_kind(error, problem), line, column, problem[:1].upper() + problem[1:])


_KINDS: Final = (
    ("control characters", "control-character"),
    ("special characters", "control-character"),
    ("invalid", "control-character"),
    ("mapping values", "colon"),
    ("could not find expected ':'", "colon"),
    ("alphabetic or numeric", "alias"),
    ("alias", "alias"),
    ("anchor", "anchor"),
    ("tag", "tag"),
    ("directive", "directive"),
    ("quoted", "quote"),
    ("unexpected end of stream", "quote"),
    ("escape", "escape"),
    ("cannot start any token", "indicator"),
    ("indent", "indentation"),
    ("nesting", "too-deep"),
    ("',' or", "flow"),
)


def _kind(error: yaml.YAMLError, problem: str) -> str:
    if isinstance(error, yaml.reader.ReaderError):
        return "control-character"
    if "\\t" in problem or "'\t'" in problem:
        return "tab"
    return next((kind for words, kind in _KINDS if words in problem), "syntax")


class _Composer:
    def __init__(self, parser: _Events, redefine: bool) -> None:
        self._next = parser.get_event
        self._redefine = redefine
        self._anchors: dict[str, Raw] = {}

    def document(self) -> Raw | None:
        self._next()
        event = self._next()
        if isinstance(event, yaml.StreamEndEvent):
            return None
        root = self._node(self._next(), 0)
        self._next()
        after = self._next()
        if not isinstance(after, yaml.StreamEndEvent):
            raise _stop("documents", after, "A second document begins here")
        return root

    def _node(self, event: Any, depth: int) -> Raw:
        if depth > MAX_DEPTH:
            raise _stop("too-deep", event, "The text is nested too deeply")
        anchor = event.anchor
        if isinstance(event, yaml.AliasEvent):
            if anchor not in self._anchors:
                raise _stop("alias", event, f"Found undefined alias {str(anchor)[:60]!r}")
            return self._anchors[anchor]
        if anchor in self._anchors and not self._redefine:
            raise _stop("anchor", event, f"Found duplicate anchor {str(anchor)[:60]!r}")
        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        tag = None if event.tag == "!" else event.tag
        marked = "anchor" if anchor is not None else "tag" if event.tag is not None else ""
        node: Raw
        if isinstance(event, yaml.ScalarEvent):
            style = event.style or ""
            # What a lone ! means to a plain scalar is where the two parsers differ.
            plain = bool(event.implicit[0]) if event.tag == "!" else style == ""
            node = RawScalar(event.value, plain, tag, line, column, style, marked)
            if anchor is not None:
                self._anchors[anchor] = node
            return node
        if isinstance(event, yaml.SequenceStartEvent):
            node = RawItems([], tag, line, column, bool(event.flow_style), marked)
            self._anchor(anchor, node)
            while not isinstance(event := self._next(), yaml.SequenceEndEvent):
                node.items.append(self._node(event, depth + 1))
            return node
        node = RawMap([], tag, line, column, bool(event.flow_style), marked)
        self._anchor(anchor, node)
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._node(event, depth + 1)
            node.pairs.append((key, self._node(self._next(), depth + 1)))
        return node

    def _anchor(self, anchor: str | None, node: Raw) -> None:
        if anchor is not None:
            self._anchors[anchor] = node


def _stop(kind: str, event: Any, message: str) -> Stopped:
    return Stopped(Fault(kind, event.start_mark.line + 1, event.start_mark.column + 1, message))
