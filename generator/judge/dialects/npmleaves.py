"""npm ``yaml`` 2's scalars, aliases and tags, composed from its tree.

Facts of yaml 2.9 (dist/compose/compose-scalar.js, compose-node.js, dist/doc/directives.js), strict, core schema.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from generator.judge.dialects.npmcursor import Token
from generator.judge.dialects.npmnodes import Faults, NpmNode, Props
from generator.judge.dialects.npmscalars import (
    is_bad_header,
    unfold_block,
    unfold_double,
    unfold_plain,
    unfold_single,
)
from generator.judge.dialects.npmtags import tag_bun, tag_scalar
from generator.judge.dialects.npmtree import Tree
from generator.judge.dialects.scalartypes import type_core
from generator.judge.dialects.values import Text, Value

_YAML: Final = "tag:yaml.org,2002:"
_HALF: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]"
)


@dataclass(slots=True)
class State:
    """What is known of the document while it is composed."""

    lenient: str | None
    """The text, where Bun's rules hold."""
    faults: Faults = field(default_factory=Faults)
    handles: dict[str, str] = field(default_factory=lambda: {"!!": _YAML})
    at_root: bool = True
    depth: int = 0


def read_end(end: list[Token] | None, at: int, need_space: bool, faults: Faults) -> int:
    """Check what follows a node on its line; where that ends."""
    space = False
    for token in end or []:
        if token.kind in ("space", "newline"):
            space = True
        elif token.kind == "comment":
            if need_space and not space:
                faults.add(token.at, "MISSING_CHAR", "A blank is missing before a comment")
        else:
            faults.add(token.at, "UNEXPECTED_TOKEN", f"Unexpected {token.source[:20]!r}")
        at += len(token.source)
    return at


class Leaves:
    """Composes what holds no other node."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._faults = state.faults

    def _alias(self, tree: Tree, props: Props) -> NpmNode:
        name = tree.source[1:]
        if not name:
            self._faults.add(tree.at, "BAD_ALIAS", "An alias without a name")
        end = read_end(tree.end, tree.at + len(tree.source), True, self._faults)
        if props.anchor or props.tag:
            self._faults.add(tree.at, "ALIAS_PROPS", "An alias can have neither tag nor anchor")
        return NpmNode("alias", tree.at, end, name=name)

    def compose_empty(self, at: int, before: list[Token] | None, props: Props) -> NpmNode:
        """The scalar that stands where nothing is written."""
        if before:
            index = len(before)
            while index and before[index - 1].kind in ("space", "comment", "newline"):
                index -= 1
                at -= len(before[index].source)
            while index < len(before) and before[index].kind == "space" and index > 0:
                at += len(before[index].source)
                index += 1
        return self._scalar_of_empty(at, props)

    def _scalar_of_empty(self, at: int, props: Props) -> NpmNode:
        node = self._scalar(Tree("scalar", at, -1), props)
        if props.anchor is not None:
            node.anchor = props.anchor.source[1:]
            if not node.anchor:
                self._faults.add(props.anchor.at, "BAD_ALIAS", "An anchor without a name")
        return node

    def _scalar(self, tree: Tree, props: Props) -> NpmNode:
        text, end = self._unfold(tree)
        name = self._tag_name(props.tag)
        value: Value
        if name is not None and props.tag is not None:
            made = tag_scalar(name, text) if self._state.lenient is None else tag_bun(name, text, tree.kind)
            if made is None:
                self._faults.add(props.tag.at, "TAG_RESOLVE_FAILED", f"The tag {name[:60]} does not fit")
            value = made if made is not None else Text(text)
        else:
            value = type_core(text) if tree.kind == "scalar" else Text(text)
        return NpmNode("scalar", tree.at, end, value, tag=name)

    def _unfold(self, tree: Tree) -> tuple[str, int]:
        faults = self._faults

        def report(offset: int, code: str) -> None:
            faults.add(tree.at + offset, code, "A scalar that the library does not accept")

        if tree.kind == "block":
            return self._unfold_block(tree)
        if self._state.lenient is not None and self._passes(tree):
            return tree.source, read_end(tree.end, tree.at + len(tree.source), True, faults)
        unfold = {"single": unfold_single, "double": unfold_double}.get(tree.kind, unfold_plain)
        source = tree.source
        if self._state.lenient is not None and tree.kind != "scalar":
            # Bun counts CRLF twice between quotes.
            source = source.replace("\r\n", "\n\n")
        text = unfold(source, report)
        return text, read_end(tree.end, tree.at + len(tree.source), True, faults)

    def _passes(self, tree: Tree) -> bool:
        """Bun: half a character spelled out is a fault, a comma at the start of a plain scalar is none."""
        if tree.kind == "double":
            found = _HALF.search(tree.source)
            if found is not None:
                self._faults.add(tree.at + found.start(), "BAD_DQ_ESCAPE", "Half a character is spelled out")
        return tree.kind == "scalar" and tree.source[:1] == "," and "\n" not in tree.source

    def _unfold_block(self, tree: Tree) -> tuple[str, int]:
        faults = self._faults
        header = tree.props[0].source
        if is_bad_header(header):
            faults.add(tree.at + 1, "UNEXPECTED_TOKEN", "A block scalar's header with more than its signs")
        length = len(header)
        space = False
        for token in tree.props[1:]:
            if token.kind == "space":
                space = True
            elif token.kind == "comment":
                if not space:
                    faults.add(token.at, "MISSING_CHAR", "A blank is missing before a comment")
            elif token.kind != "newline":
                faults.add(token.at, "UNEXPECTED_TOKEN", f"Unexpected {token.source[:20]!r}")
            length += len(token.source)
        at = tree.at + length

        def report(offset: int, code: str) -> None:
            faults.add(at + offset, code, "A line of a block scalar is not indented as it must be")

        text = unfold_block(tree.source, header, tree.indent, self._state.at_root, report)
        return text, at + len(tree.source)

    def _tag_name(self, tag: Token | None) -> str | None:
        """A tag's long form; None where there is none or it cannot be resolved (a fault)."""
        if tag is None:
            return None
        source = tag.source
        if source == "!":
            return "!"
        name: str | None = None
        wrong = False
        if source[1] == "<":
            name = source[2:-1]
            wrong = name in ("!", "!!") or not source.endswith(">")
            name = None if name in ("!", "!!") else name
        else:
            handle, suffix = source[: source.rindex("!") + 1], source[source.rindex("!") + 1 :]
            wrong = not suffix
            prefix = self._state.handles.get(handle)
            if prefix:
                name = prefix + unquote(suffix)
            elif handle == "!":
                name = source
            else:
                wrong = True
        if wrong:
            self._faults.add(tag.at, "TAG_RESOLVE_FAILED", f"The tag {source[:60]} cannot be resolved")
        return name
