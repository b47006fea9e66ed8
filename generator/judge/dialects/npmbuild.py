"""The tree npm ``yaml`` 2 builds from its tokens; what is wrong in it is found when it is composed.

Facts of yaml 2.9 (dist/parse/parser.js).
"""

from __future__ import annotations

from generator.judge.dialects.npmcursor import Token
from generator.judge.dialects.npmstack import TreeStack
from generator.judge.dialects.npmtokens import cut_tokens
from generator.judge.dialects.npmtree import (
    FLOW_SCALARS,
    LINE_SPACE,
    Pair,
    Tree,
    first_solid,
    has_kind,
    props_of,
    settle_items,
    take_key_props,
)


def build_trees(text: str, lenient: bool) -> list[Tree | Token]:
    """What stands at the top of a text, in order: documents, errors, ends of documents, directives."""
    builder = _Builder()
    for token in cut_tokens(text, lenient):
        builder.take(token)
    builder.finish()
    return builder.found


class _Builder(TreeStack):
    def __init__(self) -> None:
        super().__init__()
        self._steps = {
            "document": self._document,
            "alias": self._scalar,
            "scalar": self._scalar,
            "single": self._scalar,
            "double": self._scalar,
            "block": self._block,
            "map": self._map,
            "seq": self._seq,
            "flow": self._flow,
            "doc-end": self._document_end,
        }

    def take(self, token: Token) -> None:
        token.indent = self._indent
        kind = token.kind
        if kind == "unknown":
            self._pop(Tree("error", token.at, source=token.source))
            return
        if kind == "scalar":
            self._new_line = False
        self._token = token
        self._step()
        if kind == "newline":
            self._new_line = True
            self._indent = 0
        elif kind == "space":
            if self._new_line and token.source[0] == " ":
                self._indent += len(token.source)
        elif kind in ("explicit", "colon", "item"):
            if self._new_line:
                self._indent += len(token.source)
        elif kind not in ("document", "flow-error", "scalar"):
            self._new_line = False

    def finish(self) -> None:
        while self._stack:
            self._pop()

    def _step(self) -> None:
        top = self._stack[-1] if self._stack else None
        if self._token.kind == "doc-end" and (top is None or top.kind != "doc-end"):
            self.finish()
            self._stack.append(Tree("doc-end", self._token.at, source=self._token.source))
        elif top is None:
            self._stream()
        else:
            self._steps[top.kind](top)

    def _stream(self) -> None:
        token = self._token
        if token.kind in ("document", "doc-start"):
            document = Tree("document", token.at)
            if token.kind == "doc-start":
                document.start.append(token)
            self._stack.append(document)
        elif token.kind in ("directive", "bom", "space", "comment", "newline"):
            self.found.append(token)
        else:
            self.found.append(Tree("error", token.at, source=token.source))

    def _document(self, document: Tree) -> None:
        token = self._token
        if document.value is not None:
            self._line_end(document)
        elif token.kind == "doc-start":
            if first_solid(document.start) >= 0:
                self._again()
            else:
                document.start.append(token)
        elif token.kind in ("anchor", "tag", "space", "comment", "newline"):
            document.start.append(token)
        elif (node := self._open(document)) is not None:
            self._stack.append(node)
        else:
            self.found.append(Tree("error", token.at, source=token.source))

    def _scalar(self, scalar: Tree) -> None:
        if self._token.kind != "colon":
            self._line_end(scalar)
            return
        start = take_key_props(props_of(self._stack[-2]) if len(self._stack) > 1 else [])
        middle = [*(scalar.end or []), self._token]
        scalar.end = None
        self._stack[-1] = Tree("map", scalar.at, scalar.indent, items=[Pair(start, scalar, middle)])
        self._key_line = True

    def _block(self, scalar: Tree) -> None:
        token = self._token
        if token.kind in LINE_SPACE:
            scalar.props.append(token)
        elif token.kind == "scalar":
            scalar.source = token.source
            self._new_line = True
            self._indent = 0
            self._pop()
        else:
            self._again()

    def _seq(self, node: Tree) -> None:
        token = self._token
        last = node.items[-1]
        if token.kind == "newline":
            if last.value is not None:
                self._map_line(node, last)
            else:
                last.start.append(token)
            return
        if token.kind in ("space", "comment"):
            if last.value is not None:
                node.items.append(Pair([token]))
            elif not self._joined_comment(node, last):
                last.start.append(token)
            return
        if token.kind in ("anchor", "tag"):
            if last.value is None and self._indent > node.indent:
                last.start.append(token)
                return
        elif token.kind == "item" and self._indent == node.indent:
            if last.value is not None or has_kind(last.start, "item"):
                node.items.append(Pair([token]))
            else:
                last.start.append(token)
            return
        elif self._indent > node.indent:
            opened = self._open(node)
            if opened is not None:
                self._stack.append(opened)
                return
        self._again()

    def _flow(self, node: Tree) -> None:
        token = self._token
        if token.kind == "flow-error":
            self._pop()
            while self._stack and self._stack[-1].kind == "flow":
                self._pop()
        elif node.end:
            self._after_flow(node)
        else:
            self._flow_entry(node, node.items[-1] if node.items else None)

    def _flow_entry(self, node: Tree, last: Pair | None) -> None:
        token = self._token
        if token.kind in ("comma", "explicit"):
            if last is None or last.middle is not None:
                node.items.append(Pair([token]))
            else:
                last.start.append(token)
        elif token.kind == "colon":
            if last is None or last.value is not None:
                node.items.append(Pair([], None, [token]))
            elif last.middle is not None:
                last.middle.append(token)
            else:
                last.key, last.middle = None, [token]
        elif token.kind in ("space", "comment", "newline", "anchor", "tag"):
            if last is None or last.value is not None:
                node.items.append(Pair([token]))
            else:
                (last.start if last.middle is None else last.middle).append(token)
        elif token.kind in FLOW_SCALARS:
            scalar = self._leaf()
            if last is None or last.value is not None:
                node.items.append(Pair([], scalar, []))
            elif last.middle is not None:
                self._stack.append(scalar)
            else:
                last.key, last.middle = scalar, []
        elif token.kind == "close":
            node.end = [token]
        elif (opened := self._open(node)) is not None:
            self._stack.append(opened)
        else:
            self._again()

    def _after_flow(self, node: Tree) -> None:
        token = self._token
        parent = self._stack[-2]
        assert node.end is not None
        if parent.kind == "map" and (
            (token.kind == "colon" and parent.indent == node.indent)
            or (token.kind == "newline" and parent.items[-1].middle is None)
        ):
            self._again()
        elif token.kind == "colon" and parent.kind != "flow":
            start = take_key_props(props_of(parent))
            settle_items(node)
            middle = [*node.end[1:], token]
            del node.end[1:]
            self._key_line = True
            self._stack[-1] = Tree("map", node.at, node.indent, items=[Pair(start, node, middle)])
        else:
            self._line_end(node)

    def _document_end(self, node: Tree) -> None:
        if self._token.kind != "document":
            node.end = [*(node.end or []), self._token]
            if self._token.kind == "newline":
                self._pop()
