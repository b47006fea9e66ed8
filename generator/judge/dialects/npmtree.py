"""The nodes npm ``yaml`` 2 builds from its tokens, right or wrong, and how their parts are moved about.

Facts of yaml 2.9 (dist/parse/parser.js).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from generator.judge.dialects.npmcursor import Token

FLOW_SCALARS: Final = frozenset({"alias", "scalar", "single", "double"})
LINE_SPACE: Final = frozenset({"space", "comment", "newline"})
_KEY_BORDER: Final = frozenset({"doc-start", "explicit", "colon", "item", "newline"})


@dataclass(slots=True, eq=False)
class Pair:
    """One entry of a collection: what stands before the key, the key, what stands before the value, the value.

    ``middle`` is None until something stands between key and value (in a list: until there is a key).
    """

    start: list[Token] = field(default_factory=list)
    key: Tree | None = None
    middle: list[Token] | None = None
    value: Tree | None = None
    explicit: bool = False


@dataclass(slots=True, eq=False)
class Tree:
    """A node: ``kind`` is that of a scalar token, or block, flow, map, seq, document, doc-end, error.

    ``end`` is what follows on the line; ``props`` is a block scalar's header.
    """

    kind: str
    at: int
    indent: int = 0
    source: str = ""
    items: list[Pair] = field(default_factory=list)
    end: list[Token] | None = None
    start: list[Token] = field(default_factory=list)
    props: list[Token | Tree] = field(default_factory=list)
    value: Tree | None = None


def has_kind(tokens: list[Token], kind: str) -> bool:
    """Whether a token of a kind is among ``tokens``."""
    return any(token.kind == kind for token in tokens)


def is_flow(node: Tree) -> bool:
    """Whether a node is written in flow style, scalars included."""
    return node.kind in FLOW_SCALARS or node.kind == "flow"


def first_solid(tokens: list[Token]) -> int:
    """Where the first token that is no space stands, or -1."""
    return next((index for index, token in enumerate(tokens) if token.kind not in LINE_SPACE), -1)


def props_of(parent: Tree) -> list[Token]:
    """The tokens before what is read next in ``parent``."""
    if parent.kind == "document":
        return parent.start
    if parent.kind == "map":
        last = parent.items[-1]
        return last.start if last.middle is None else last.middle
    return parent.items[-1].start if parent.kind == "seq" else []


def take_key_props(tokens: list[Token]) -> list[Token]:
    """Take the tags and anchors that belong to a key off the end of ``tokens``."""
    at = len(tokens)
    while at > 0 and tokens[at - 1].kind not in _KEY_BORDER:
        at -= 1
    while at < len(tokens) and tokens[at].kind == "space":
        at += 1
    taken = tokens[at:]
    del tokens[at:]
    return taken


def loosen(middle: list[Token], indent: int) -> list[Token]:
    """Take the empty lines after a key without a value off ``middle``: they belong to the next key."""
    lines: list[int] = []
    for index, token in enumerate(middle):
        if token.kind == "newline":
            lines.append(index)
        elif token.kind == "comment":
            if token.indent > indent:
                lines = []
        elif token.kind != "space":
            lines = []
    if len(lines) < 2:
        return []
    taken = middle[lines[1] :]
    del middle[lines[1] :]
    return taken


def settle_items(node: Tree) -> None:
    """In ``[...]`` a key without a colon is a value."""
    if node.source != "[":
        return
    for pair in node.items:
        if pair.middle is None or pair.value is not None:
            continue
        if has_kind(pair.start, "explicit") or has_kind(pair.middle, "colon"):
            continue
        pair.value, pair.key = pair.key, None
        if pair.value is not None and is_flow(pair.value):
            pair.value.end = [*(pair.value.end or []), *pair.middle]
        else:
            pair.start += pair.middle
        pair.middle = None


def hand_up(top: Tree, node: Tree) -> None:
    """Empty lines and comments at the end of a collection belong to what holds it."""
    last = node.items[-1]
    if last.middle is not None or last.value is not None or not last.start:
        return
    if first_solid(last.start) >= 0:
        return
    if node.indent and any(t.kind == "comment" and t.indent >= node.indent for t in last.start):
        return
    if top.kind == "document":
        top.end = last.start
    else:
        top.items.append(Pair(last.start))
    node.items.pop()
