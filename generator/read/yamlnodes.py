"""A bounded YAML reader over PyYAML's *events*: no types, no anchors, no tags, no surprises.

Loading third-party YAML runs into alias bombs, dates that raise ValueError, and keys that overwrite each
other in silence (``security.md`` section 6, PyYAML 6.0.4). Events carry neither types nor references, so
everything is checked before a value exists, and every failure is one :class:`YamlProblem`.
"""

from __future__ import annotations

from typing import Final, Protocol, cast

import yaml

from generator.read.nodes import (
    CONTROL,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    DocumentProblem,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    Style,
    place_of,
)
from generator.read.yamladvice import Advice, explain

__all__ = ["MappingNode", "Node", "ScalarNode", "SequenceNode", "YamlProblem", "parse_yaml"]

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_STYLES: Final[dict[str | None, Style]] = {
    None: "plain",
    "": "plain",
    "'": "quoted",
    '"': "quoted",
    "|": "block",
    ">": "block",
}


class YamlProblem(DocumentProblem):
    """A YAML text that cannot be read. See :class:`~generator.read.nodes.DocumentProblem`."""


class _Events(Protocol):
    def get_event(self) -> yaml.Event | None: ...

    def dispose(self) -> None: ...


def parse_yaml(text: str, first_line: int = 1) -> Node | None:
    """Read one YAML document; None where it holds nothing but blanks and comments.

    ``first_line`` is the number of the text's first line in its file, for places. Bounded by
    :data:`~generator.read.nodes.MAX_BYTES`, ``MAX_DEPTH`` and ``MAX_NODES``. Raises :class:`YamlProblem`
    and nothing else, whatever the text.
    """
    _check_text(text, first_line)
    parser: _Events | None = None
    try:
        # The C parser reads (and may refuse) the first bytes in its constructor already.
        parser = cast("_Events", _Loader(text))
        return _Composer(parser, text, first_line).document()
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # PyYAML's pure Python scanner lets chr() complain about an impossible code point in its own words.
        raise _translate(error, text, first_line) from None
    finally:
        if parser is not None:
            parser.dispose()


def _check_text(text: str, first_line: int) -> None:
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise YamlProblem(
            "yaml-too-large",
            f"The YAML text is over {MAX_BYTES // 1024} kB",
            "Move data into a file of its own.",
            first_line,
            1,
        )
    found = CONTROL.search(text)
    # A byte order mark is an invisible character like any other, except as the very first one.
    at = found.start() if found else text.find("\ufeff", 1)
    if at >= 0:
        line, column = place_of(text, at)
        raise YamlProblem(
            "encoding-not-utf8-or-control-char",
            f"The text contains the character U+{ord(text[at]):04X}, which YAML does not allow",
            "Remove the character.",
            first_line + line - 1,
            column,
        )


def _translate(error: Exception, text: str, first_line: int) -> YamlProblem:
    """PyYAML's own error as ours, with advice read off the line it points to."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    context = getattr(error, "context_mark", None) or mark
    advice = explain(
        text,
        mark.line if mark else 0,
        mark.column if mark else 0,
        context.line if context else 0,
        context.column if context else 0,
        str(getattr(error, "problem", None) or getattr(error, "reason", None) or "it is not valid YAML"),
    )
    return _problem(advice, first_line)


def _problem(advice: Advice, first_line: int) -> YamlProblem:
    return YamlProblem(advice.code, advice.message, advice.fix, first_line + advice.line, advice.column + 1)


class _Composer:
    """Builds nodes from events; one use."""

    def __init__(self, parser: _Events, text: str, first_line: int) -> None:
        self._next = parser.get_event
        self._text = text
        self._first_line = first_line
        self._left = MAX_NODES

    def document(self) -> Node | None:
        self._next()  # the start of the stream
        event = self._next()
        if not isinstance(event, yaml.DocumentStartEvent):
            return None
        if event.version or event.tags:
            raise self._refuse(
                event,
                "yaml-indicator-start",
                "The YAML text starts with a % directive",
                "Remove the line that starts with %.",
            )
        first = self._next()
        assert first is not None
        root = self._node(first, 1, flow=False)
        self._next()  # the end of the document
        after = self._next()
        if isinstance(after, yaml.DocumentStartEvent):
            raise self._refuse(
                after,
                "yaml-multiple-documents",
                "A second YAML document starts here",
                "Keep one document: remove the line that starts with ---.",
            )
        # Nothing but comments makes an empty plain scalar without a place of its own.
        return None if isinstance(root, ScalarNode) and root.value == "" and root.style == "plain" else root

    def _node(self, event: yaml.Event, depth: int, flow: bool) -> Node:
        self._left -= 1
        if self._left < 0:
            raise self._refuse(
                event,
                "yaml-too-many-nodes",
                f"More than {MAX_NODES:,} keys and values",
                "Move data into a file of its own.",
            )
        kind = type(event)
        if kind is yaml.ScalarEvent:
            return self._scalar(cast("yaml.ScalarEvent", event), flow)
        if kind is yaml.AliasEvent:
            raise self._refuse_anchor(event)
        collection = cast("yaml.CollectionStartEvent", event)
        if collection.anchor is not None:
            raise self._refuse_anchor(event)
        if collection.tag is not None:
            raise self._refuse_tag(event, collection.tag)
        if depth > MAX_DEPTH:
            raise self._refuse(
                event, "yaml-too-deep", f"Nested deeper than {MAX_DEPTH} levels", "Flatten the structure."
            )
        inside = flow or bool(collection.flow_style)
        if kind is yaml.SequenceStartEvent:
            return self._sequence(event, depth, inside)
        return self._mapping(event, depth, inside)

    def _scalar(self, event: yaml.ScalarEvent, flow: bool) -> ScalarNode:
        if event.anchor is not None:
            raise self._refuse_anchor(event)
        if event.tag is not None:
            raise self._refuse_tag(event, event.tag)
        style = _STYLES[event.style]
        value = event.value
        if event.style == '"' and CONTROL.search(value):
            raise self._refuse(
                event,
                "encoding-not-utf8-or-control-char",
                "A quoted value spells out a control character",
                "Remove the escape from the value.",
            )
        mark = cast("yaml.Mark", event.start_mark)
        return ScalarNode(value, style, self._first_line + mark.line, mark.column + 1, flow)

    def _sequence(self, start: yaml.Event, depth: int, flow: bool) -> SequenceNode:
        items: list[Node] = []
        while True:
            event = self._next()
            assert event is not None
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self._node(event, depth + 1, flow))
        mark = cast("yaml.Mark", start.start_mark)
        return SequenceNode(tuple(items), self._first_line + mark.line, mark.column + 1)

    def _mapping(self, start: yaml.Event, depth: int, flow: bool) -> MappingNode:
        entries: list[tuple[ScalarNode, Node]] = []
        index: dict[str, Node] = {}
        while True:
            event = self._next()
            assert event is not None
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._node(event, depth + 1, flow)
            if not isinstance(key, ScalarNode):
                raise self._refuse(
                    event,
                    "yaml-complex-key",
                    "A list or a mapping is used as a key",
                    "Use a word as the key.",
                )
            if key.value == "<<" and key.style == "plain":
                raise self._refuse(
                    event, "yaml-merge-key", "Merge keys (<<) are not accepted", "Write the merged keys out."
                )
            if key.value in index:
                first = next(k for k, _ in entries if k.value == key.value)
                raise self._refuse(
                    event,
                    "yaml-duplicate-key",
                    f"The key {_shown(key.value)} is already written on line {first.line}",
                    "Keep one of the two lines.",
                )
            value_event = self._next()
            assert value_event is not None
            value = self._node(value_event, depth + 1, flow)
            index[key.value] = value
            entries.append((key, value))
        mark = cast("yaml.Mark", start.start_mark)
        return MappingNode(tuple(entries), self._first_line + mark.line, mark.column + 1, index)

    def _refuse(self, event: yaml.Event, code: str, message: str, fix: str) -> YamlProblem:
        mark = cast("yaml.Mark", event.start_mark)
        return YamlProblem(code, message, fix, self._first_line + mark.line, mark.column + 1)

    def _refuse_anchor(self, event: yaml.Event) -> YamlProblem:
        mark = cast("yaml.Mark", event.start_mark)
        advice = explain(self._text, mark.line, mark.column, mark.line, mark.column, "an anchor")
        fix = advice.fix if advice.code == "yaml-indicator-start" else "Write the value out where it is used."
        return self._refuse(event, "yaml-anchor", "Anchors (&) and aliases (*) are not accepted", fix)

    def _refuse_tag(self, event: yaml.Event, tag: str) -> YamlProblem:
        return self._refuse(
            event,
            "yaml-stray-syntax",
            f"The YAML tag {_shown(tag)} is not accepted",
            "Remove the tag, or quote the value if it should start with an exclamation mark.",
        )


def _shown(text: str) -> str:
    """A piece of an author's text, short enough for a message."""
    return repr(text if len(text) <= 40 else text[:39] + "…")
