"""The stack of open nodes npm ``yaml`` 2 builds its tree with, and its block mappings.

Facts of yaml 2.9 (dist/parse/parser.js): the indentation of a token decides to which open node it belongs.
"""

from __future__ import annotations

from typing import Final

from generator.judge.dialects.npmcursor import Token
from generator.judge.dialects.npmtree import (
    FLOW_SCALARS,
    Pair,
    Tree,
    hand_up,
    has_kind,
    is_flow,
    loosen,
    props_of,
    settle_items,
    take_key_props,
)

_ENDS: Final = frozenset({"comma", "doc-start", "doc-end", "close", "colon"})


class TreeStack:
    """The open nodes, the innermost last, and the token at hand."""

    def __init__(self) -> None:
        self.found: list[Tree | Token] = []
        self._stack: list[Tree] = []
        self._new_line = True
        self._indent = 0
        self._key_line = False
        self._token = Token("", 0, "")

    def _step(self) -> None:
        raise NotImplementedError

    def _again(self) -> None:
        self._pop()
        self._step()

    def _pop(self, error: Tree | None = None) -> None:
        node = error if error is not None else self._stack.pop()
        if not self._stack:
            self.found.append(node)
            return
        top = self._stack[-1]
        if node.kind == "block":
            node.indent = 0 if top.kind == "document" else top.indent
        elif node.kind == "flow" and top.kind == "document":
            node.indent = 0
        if node.kind == "flow":
            settle_items(node)
        if top.kind in ("map", "flow"):
            if self._place(top, node):
                return
        elif top.kind == "document":
            top.value = node
        elif top.kind == "block":
            top.props.append(node)
        elif top.kind == "seq":
            last = top.items[-1]
            if last.value is not None:
                top.items.append(Pair(value=node))
            else:
                last.value = node
        else:
            self._pop()
            self._pop(node)
        if top.kind in ("document", "map", "seq") and node.kind in ("map", "seq"):
            hand_up(top, node)

    def _place(self, top: Tree, node: Tree) -> bool:
        """Put a node into a mapping or flow collection; true where nothing more is to be done."""
        last = top.items[-1] if top.items else None
        if last is None or last.value is not None:
            top.items.append(Pair(key=node, middle=[]))
            self._key_line = self._key_line or top.kind == "map"
            return True
        if last.middle is not None:
            last.value = node
            return top.kind == "flow"
        last.key, last.middle = node, []
        if top.kind == "map":
            self._key_line = not last.explicit
        return True

    def _leaf(self) -> Tree:
        token = self._token
        return Tree(token.kind, token.at, self._indent, token.source)

    def _open(self, parent: Tree) -> Tree | None:
        token = self._token
        if token.kind in FLOW_SCALARS:
            return self._leaf()
        if token.kind == "header":
            return Tree("block", token.at, self._indent, props=[token])
        if token.kind == "open":
            return Tree("flow", token.at, self._indent, token.source)
        if token.kind == "item":
            return Tree("seq", token.at, self._indent, items=[Pair([token])])
        if token.kind in ("explicit", "colon"):
            self._key_line = True
            start = take_key_props(props_of(parent))
            pair = (
                Pair([*start, token], explicit=True)
                if token.kind == "explicit"
                else Pair(start, None, [token])
            )
            return Tree("map", token.at, self._indent, items=[pair])
        return None

    def _line_end(self, node: Tree) -> None:
        if self._token.kind in _ENDS:
            self._again()
            return
        if self._token.kind == "newline":
            self._key_line = False
        if node.end is None:
            node.end = []
        node.end.append(self._token)
        if self._token.kind == "newline":
            self._pop()

    def _push_map(self, start: list[Token], key: Tree | None, middle: list[Token]) -> None:
        self._stack.append(Tree("map", self._token.at, self._indent, items=[Pair(start, key, middle)]))

    def _map(self, node: Tree) -> None:
        token = self._token
        last = node.items[-1]
        if token.kind == "newline":
            self._key_line = False
            self._map_line(node, last)
            return
        if token.kind in ("space", "comment"):
            self._map_space(node, last)
            return
        if self._indent >= node.indent and self._map_entry(node, last):
            return
        self._again()

    def _map_line(self, node: Tree, last: Pair) -> None:
        if last.value is not None:
            end = last.value.end
            if end and end[-1].kind == "comment":
                end.append(self._token)
            else:
                node.items.append(Pair([self._token]))
        elif last.middle is not None:
            last.middle.append(self._token)
        else:
            last.start.append(self._token)

    def _map_space(self, node: Tree, last: Pair) -> None:
        if last.value is not None:
            node.items.append(Pair([self._token]))
        elif last.middle is not None:
            last.middle.append(self._token)
        elif not self._joined_comment(node, last):
            last.start.append(self._token)

    def _joined_comment(self, node: Tree, last: Pair) -> bool:
        """Whether an indented comment was put to the end of the value before it."""
        if self._token.kind != "comment" or self._indent <= node.indent or len(node.items) < 2:
            return False
        if any(token.kind not in ("newline", "space") for token in last.start):
            return False
        before = node.items[-2].value
        if before is None or before.end is None:
            return False
        before.end += [*last.start, self._token]
        node.items.pop()
        return True

    def _map_entry(self, node: Tree, last: Pair) -> bool:
        """A token that is no space; false where it does not belong to this mapping."""
        token = self._token
        here = not self._key_line and self._indent == node.indent
        fresh = here and (last.middle is not None or last.explicit) and token.kind != "item"
        start: list[Token] = []
        if fresh and last.middle is not None and last.value is None:
            start = loosen(last.middle, node.indent)
        if token.kind in ("anchor", "tag"):
            if fresh or last.value is not None:
                node.items.append(Pair([*start, token]))
                self._key_line = True
            else:
                (last.start if last.middle is None else last.middle).append(token)
        elif token.kind == "explicit":
            self._explicit_key(node, last, start, fresh)
        elif token.kind == "colon":
            self._colon(node, last, start, fresh)
            self._key_line = True
        elif token.kind in FLOW_SCALARS:
            scalar = self._leaf()
            if fresh or last.value is not None:
                node.items.append(Pair(start, scalar, []))
                self._key_line = True
            elif last.middle is not None:
                self._stack.append(scalar)
            else:
                last.key, last.middle = scalar, []
                self._key_line = True
        else:
            return self._collection_in_map(node, last, start, here)
        return True

    def _collection_in_map(self, node: Tree, last: Pair, start: list[Token], here: bool) -> bool:
        opened = self._open(node)
        if opened is None:
            return False
        if opened.kind == "seq":
            if not last.explicit and last.middle is not None and not has_kind(last.middle, "newline"):
                self._pop(Tree("error", self._token.at, source=self._token.source))
                return True
        elif here:
            node.items.append(Pair(start))
        self._stack.append(opened)
        return True

    def _explicit_key(self, node: Tree, last: Pair, start: list[Token], fresh: bool) -> None:
        token = self._token
        if last.middle is None and not last.explicit:
            last.start.append(token)
            last.explicit = True
        elif fresh or last.value is not None:
            node.items.append(Pair([*start, token], explicit=True))
        else:
            pair = Pair([token], explicit=True)
            self._stack.append(Tree("map", token.at, self._indent, items=[pair]))
        self._key_line = True

    def _colon(self, node: Tree, last: Pair, start: list[Token], fresh: bool) -> None:
        token = self._token
        if last.explicit:
            self._colon_after_explicit(node, last, start)
        elif last.middle is None:
            last.key, last.middle = None, [token]
        elif last.value is not None or fresh:
            node.items.append(Pair(start, None, [token]))
        elif has_kind(last.middle, "colon"):
            self._push_map([], None, [token])
        else:
            last.middle.append(token)

    def _colon_after_explicit(self, node: Tree, last: Pair, start: list[Token]) -> None:
        token = self._token
        if last.middle is None:
            if has_kind(last.start, "newline"):
                last.key, last.middle = None, [token]
            else:
                self._push_map(take_key_props(last.start), None, [token])
        elif last.value is not None:
            node.items.append(Pair([], None, [token]))
        elif has_kind(last.middle, "colon"):
            self._push_map(start, None, [token])
        elif last.key is not None and is_flow(last.key) and not has_kind(last.middle, "newline"):
            props = take_key_props(last.start)
            key, middle = last.key, [*last.middle, token]
            last.key = last.middle = None
            self._push_map(props, key, middle)
        else:
            last.middle += [*start, token]
