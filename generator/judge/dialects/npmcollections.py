"""npm ``yaml`` 2's collections, composed from its tree.

Facts of yaml 2.9 (dist/compose/resolve-block-map.js, resolve-block-seq.js, resolve-flow-collection.js). A fault
does not stop it.
"""

from __future__ import annotations

from typing import Final

from generator.judge.dialects.npmcursor import Token
from generator.judge.dialects.npmleaves import Leaves, read_end
from generator.judge.dialects.npmnodes import NpmNode, Props, read_props
from generator.judge.dialects.npmtags import tag_seq_or_map
from generator.judge.dialects.npmtree import Pair, Tree
from generator.judge.dialects.values import Null, Text, Value

MAX_DEPTH: Final = 200
"""Deepest nesting composed; the library itself ends at about 900 levels."""


class Collections(Leaves):
    """Composes every node."""

    def compose(self, tree: Tree, props: Props) -> NpmNode:
        """The node of a tree, and its faults."""
        state = self._state
        if tree.kind == "error":
            self._faults.add(tree.at, "UNEXPECTED_TOKEN", f"Unexpected {tree.source[:20]!r}")
            return self.compose_empty(tree.at, None, props)
        if tree.kind == "alias":
            return self._alias(tree, props)
        if tree.kind not in ("map", "seq", "flow"):
            node = self._scalar(tree, props)
        elif state.depth > MAX_DEPTH:
            self._faults.add(tree.at, "RESOURCE_EXHAUSTION", "The text is nested too deeply")
            return self.compose_empty(tree.at, None, props)
        else:
            state.depth += 1
            node = self._collection(tree, props)
            state.depth -= 1
        if props.anchor is not None:
            node.anchor = props.anchor.source[1:]
            if not node.anchor:
                self._faults.add(props.anchor.at, "BAD_ALIAS", "An anchor without a name")
        return node

    def _collection(self, tree: Tree, props: Props) -> NpmNode:
        name = self._tag_name(props.tag)
        if tree.kind == "seq":
            last = max(filter(None, (props.anchor, props.tag)), key=lambda token: token.at, default=None)
            line = props.newline_after
            if last is not None and (line is None or line.at < last.at):
                self._faults.add(
                    last.at, "MISSING_CHAR", "A line end is missing after a list's tag or anchor"
                )
        self._state.at_root = self._state.at_root and tree.kind == "flow"
        node = (
            self._map(tree)
            if tree.kind == "map"
            else self._seq(tree)
            if tree.kind == "seq"
            else self._flow(tree)
        )
        strict = self._state.lenient is None
        if strict and name is not None and props.tag is not None and not tag_seq_or_map(name, node):
            self._faults.add(props.tag.at, "TAG_RESOLVE_FAILED", f"The tag {name[:60]} does not fit")
        return node

    def _map(self, tree: Tree) -> NpmNode:
        node = NpmNode("map", tree.at, tree.at)
        seen: set[object] = set()
        at = tree.at
        comment_end: int | None = None
        for pair in tree.items:
            key = pair.key
            after = key if key is not None else _first(pair.middle)
            props = read_props(
                pair.start,
                self._faults,
                sign="explicit",
                after=after,
                at=at,
                parent=tree.indent,
                new_line=True,
            )
            if not self._check_key(tree, pair, props, at):
                comment_end = props.end
                continue
            at = self._map_pair(tree, pair, props, node, seen)
        if comment_end is not None and comment_end < at:
            self._faults.add(comment_end, "IMPOSSIBLE", "A comment inside a mapping")
        node.end = comment_end if comment_end is not None else at
        return node

    def _check_key(self, tree: Tree, pair: Pair, props: Props, at: int) -> bool:
        """Whether there is a pair at all."""
        key = pair.key
        if props.found is not None:
            if props.found.indent != tree.indent:
                self._faults.add(at, "BAD_INDENT", "A key is not indented as the others are")
            return True
        if key is not None:
            if key.kind == "seq":
                self._faults.add(at, "BLOCK_AS_IMPLICIT_KEY", "A list cannot be a key")
            elif key.kind != "error" and key.indent != tree.indent:
                self._faults.add(at, "BAD_INDENT", "A key is not indented as the others are")
        if props.anchor is None and props.tag is None and pair.middle is None:
            return False
        if props.newline_after is not None or _has_newline(key):
            place = key.at if key is not None else pair.start[-1].at
            self._faults.add(place, "MULTILINE_IMPLICIT_KEY", "A key goes over several lines")
        return True

    def _map_pair(self, tree: Tree, pair: Pair, props: Props, node: NpmNode, seen: set[object]) -> int:
        faults = self._faults
        key, value = pair.key, pair.value
        if key is None and props.found is None and self._state.lenient is not None:
            self._check_place(tree, pair.middle or [])
        key_node = (
            self.compose(key, props) if key is not None else self.compose_empty(props.end, pair.start, props)
        )
        self._unique(key_node, seen, props.end)
        value_props = read_props(
            pair.middle or [],
            faults,
            sign="colon",
            after=value,
            at=key_node.end,
            parent=tree.indent,
            new_line=key is None or key.kind == "block",
        )
        found = value_props.found
        if found is None:
            if props.found is None:
                faults.add(key_node.at, "MISSING_CHAR", "A key without a colon")
            node.pairs.append((key_node, None))
            return value_props.end
        if props.found is None:
            if value is not None and value.kind == "map" and not value_props.has_newline:
                faults.add(value_props.end, "BLOCK_AS_IMPLICIT_KEY", "A mapping on the line of its key")
            if props.start < found.at - 1024:
                faults.add(key_node.at, "KEY_OVER_1024_CHARS", "A key over 1,024 characters")
        if value is not None:
            value_node = self.compose(value, value_props)
        else:
            value_node = self.compose_empty(value_props.end, pair.middle, value_props)
        node.pairs.append((key_node, value_node))
        return value_node.end

    def _check_place(self, tree: Tree, middle: list[Token]) -> None:
        """Bun: a colon without a key must stand where a key could."""
        text = self._state.lenient
        assert text is not None
        for token in middle[:1]:
            if token.at - text.rfind("\n", 0, token.at) - 1 != tree.indent:
                self._faults.add(token.at, "UNEXPECTED_TOKEN", "A colon without a key")

    def _unique(self, key: NpmNode, seen: set[object], at: int) -> None:
        if key.kind != "scalar":
            return
        mark = _identity(key.value)
        if mark in seen:
            self._faults.add(at, "DUPLICATE_KEY", "A key is written twice")
        seen.add(mark)

    def _seq(self, tree: Tree) -> NpmNode:
        faults = self._faults
        node = NpmNode("seq", tree.at, tree.at)
        at = tree.at
        comment_end: int | None = None
        for pair in tree.items:
            value = pair.value
            props = read_props(
                pair.start, faults, sign="item", after=value, at=at, parent=tree.indent, new_line=True
            )
            if props.found is None:
                if props.anchor is None and props.tag is None and value is None:
                    comment_end = props.end
                    continue
                if value is not None and value.kind == "seq":
                    faults.add(props.end, "BAD_INDENT", "A list item is not indented as the others are")
                else:
                    faults.add(at, "MISSING_CHAR", "A list item without a hyphen")
            item = (
                self.compose(value, props)
                if value is not None
                else self.compose_empty(props.end, pair.start, props)
            )
            at = item.end
            node.items.append(item)
        node.end = comment_end if comment_end is not None else at
        return node

    def _flow(self, tree: Tree) -> NpmNode:
        faults = self._faults
        mapping = tree.source == "{"
        node = NpmNode("map" if mapping else "seq", tree.at, tree.at)
        root = self._state.at_root
        self._state.at_root = False
        seen: set[object] = set()
        at = tree.at + 1
        for index, pair in enumerate(tree.items):
            after = pair.key if pair.key is not None else _first(pair.middle)
            props = read_props(
                pair.start,
                faults,
                sign="explicit",
                after=after,
                at=at,
                parent=tree.indent,
                new_line=False,
                flow=True,
            )
            if not self._check_flow(tree, index, pair, props, mapping):
                at = props.end
                continue
            if not mapping and pair.middle is None and props.found is None:
                value = pair.value
                item = (
                    self.compose(value, props)
                    if value is not None
                    else self.compose_empty(props.end, None, props)
                )
                node.items.append(item)
                at = item.end
                if value is not None and value.kind in ("map", "seq"):
                    faults.add(item.at, "BLOCK_IN_FLOW", "A block collection inside a flow collection")
            else:
                at = self._flow_pair(tree, pair, props, node, seen)
        node.end = self._close(tree, at, "}" if mapping else "]", root)
        return node

    def _check_flow(self, tree: Tree, index: int, pair: Pair, props: Props, mapping: bool) -> bool:
        faults = self._faults
        if props.found is None:
            if props.anchor is None and props.tag is None and pair.middle is None and pair.value is None:
                if index == 0 and props.comma is not None:
                    faults.add(props.comma.at, "UNEXPECTED_TOKEN", "A comma without an entry")
                elif index < len(tree.items) - 1:
                    faults.add(props.start, "UNEXPECTED_TOKEN", "An empty entry")
                return False
            if not mapping and _has_newline(pair.key):
                assert pair.key is not None
                faults.add(pair.key.at, "MULTILINE_IMPLICIT_KEY", "A key goes over several lines")
        if index == 0:
            if props.comma is not None:
                faults.add(props.comma.at, "UNEXPECTED_TOKEN", "A comma without an entry")
        elif props.comma is None:
            faults.add(props.start, "MISSING_CHAR", "A comma is missing between two entries")
        return True

    def _flow_pair(self, tree: Tree, pair: Pair, props: Props, node: NpmNode, seen: set[object]) -> int:
        faults = self._faults
        key, value = pair.key, pair.value
        key_node = (
            self.compose(key, props) if key is not None else self.compose_empty(props.end, pair.start, props)
        )
        if key is not None and key.kind in ("map", "seq"):
            faults.add(key_node.at, "BLOCK_IN_FLOW", "A block collection inside a flow collection")
        value_props = read_props(
            pair.middle or [],
            faults,
            sign="colon",
            after=value,
            at=key_node.end,
            parent=tree.indent,
            new_line=False,
            flow=True,
        )
        found = value_props.found
        if found is not None:
            if node.kind == "seq" and props.found is None:
                self._check_flow_key(pair, props, found)
        elif value is not None:
            words = "A comma, or a blank after the colon, is missing"
            faults.add(value.at if value.source[:1] == ":" else value_props.start, "MISSING_CHAR", words)
        value_node: NpmNode | None = None
        if value is not None:
            value_node = self.compose(value, value_props)
            if value.kind in ("map", "seq"):
                faults.add(value_node.at, "BLOCK_IN_FLOW", "A block collection inside a flow collection")
        elif found is not None:
            value_node = self.compose_empty(value_props.end, pair.middle, value_props)
        if node.kind == "map":
            self._unique(key_node, seen, props.end)
            node.pairs.append((key_node, value_node))
        else:
            end = (value_node or key_node).end
            node.items.append(NpmNode("map", key_node.at, end, pairs=[(key_node, value_node)]))
        return value_node.end if value_node is not None else value_props.end

    def _check_flow_key(self, pair: Pair, props: Props, found: Token) -> None:
        for token in pair.middle or []:
            if token is found:
                break
            if token.kind == "newline":
                self._faults.add(token.at, "MULTILINE_IMPLICIT_KEY", "A key goes over several lines")
                break
        if props.start < found.at - 1024:
            self._faults.add(found.at, "KEY_OVER_1024_CHARS", "A key over 1,024 characters")

    def _close(self, tree: Tree, at: int, closing: str, root: bool) -> int:
        end = list(tree.end or [])
        first = end.pop(0) if end else None
        if first is not None and first.source == closing:
            at = first.at + 1
        else:
            words = f"The closing {closing} is missing, or not indented enough"
            self._faults.add(at, "MISSING_CHAR" if root else "BAD_INDENT", words)
            if first is not None and len(first.source) != 1:
                end.insert(0, first)
        return read_end(end, at, True, self._faults) if end else at


def _first(tokens: list[Token] | None) -> Token | None:
    return tokens[0] if tokens else None


def _has_newline(tree: Tree | None) -> bool:
    if tree is None:
        return False
    if tree.kind in ("alias", "scalar", "single", "double"):
        return "\n" in tree.source or any(token.kind == "newline" for token in tree.end or [])
    if tree.kind != "flow":
        return True
    return any(
        any(token.kind == "newline" for token in [*pair.start, *(pair.middle or [])])
        or _has_newline(pair.key)
        or _has_newline(pair.value)
        for pair in tree.items
    )


def _identity(value: Value) -> object:
    if isinstance(value, Null):
        return None
    if isinstance(value, Text):
        return ("text", value.value)
    number = getattr(value, "value", None)
    # JavaScript tells true from 1, and NaN from itself.
    return (type(value).__name__, number if number == number else object())
