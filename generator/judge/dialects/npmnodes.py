"""What npm ``yaml`` 2 composes a text into: nodes, and the faults it found on the way, in its order."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.judge.dialects.npmcursor import Token
from generator.judge.dialects.npmtree import Tree
from generator.judge.dialects.values import Null, Value


@dataclass(frozen=True, slots=True)
class NpmFault:
    """One fault: the library's own code, and where (an index into the text)."""

    code: str
    at: int
    words: str = ""


@dataclass(slots=True, eq=False)
class NpmNode:
    """A node: ``kind`` is scalar, seq, map or alias; ``end`` is where it ends with its comment."""

    kind: str
    at: int
    end: int
    value: Value = field(default_factory=lambda: Null(""))
    items: list[NpmNode] = field(default_factory=list)
    pairs: list[tuple[NpmNode, NpmNode | None]] = field(default_factory=list)
    anchor: str | None = None
    name: str = ""
    tag: str | None = None


@dataclass(slots=True)
class Faults:
    """The faults of one document."""

    found: list[NpmFault] = field(default_factory=list)

    def add(self, at: int, code: str, words: str = "") -> None:
        """Note a fault."""
        self.found.append(NpmFault(code, at, words))


@dataclass(slots=True)
class Props:
    """What stands before a node: its tag and anchor, the sign that was looked for, and whether lines ended."""

    end: int
    start: int
    found: Token | None = None
    comma: Token | None = None
    anchor: Token | None = None
    tag: Token | None = None
    has_newline: bool = False
    newline_after: Token | None = None


def read_props(
    tokens: list[Token],
    faults: Faults,
    *,
    sign: str,
    after: Token | Tree | None,
    at: int,
    parent: int,
    new_line: bool,
    flow: bool = False,
    root_tabs: bool = False,
) -> Props:
    """Read the tokens before a node; ``sign`` is what announces it, ``after`` what follows them.

    ``root_tabs``: a tab may stand before a scalar that is the whole document.
    """
    reader = _Props(faults, sign, flow, new_line)
    for token in tokens:
        reader.take(token, after)
    return reader.finish(tokens, after, at, parent, root_tabs)


class _Props:
    def __init__(self, faults: Faults, sign: str, flow: bool, new_line: bool) -> None:
        self._faults = faults
        self._sign = sign
        self._flow = flow
        self._new_line = new_line
        self._space = new_line
        self._need_space = False
        self._tab: Token | None = None
        self._start: int | None = None
        self._props = Props(0, 0)

    def take(self, token: Token, after: Token | Tree | None) -> None:
        kind = token.kind
        if self._need_space:
            if kind not in ("space", "newline", "comma"):
                self._faults.add(token.at, "MISSING_CHAR", "A blank is missing after a tag or anchor")
            self._need_space = False
        if self._tab is not None:
            if self._new_line and kind not in ("comment", "newline"):
                self._faults.add(self._tab.at, "TAB_AS_INDENT", "Tabs are not allowed as indentation")
            self._tab = None
        if kind == "space":
            whole_flow = self._sign == "doc-start" and isinstance(after, Tree) and after.kind == "flow"
            if not self._flow and not whole_flow and "\t" in token.source:
                self._tab = token
            self._space = True
        elif kind == "comment":
            if not self._space:
                self._faults.add(token.at, "MISSING_CHAR", "A blank is missing before a comment")
            self._new_line = False
        elif kind == "newline":
            self._new_line = self._space = self._props.has_newline = True
            if self._props.anchor or self._props.tag:
                self._props.newline_after = token
        elif kind in ("anchor", "tag"):
            self._take_property(token)
        elif kind == self._sign:
            self._take_sign(token)
        elif kind == "comma" and self._flow:
            if self._props.comma:
                self._faults.add(token.at, "UNEXPECTED_TOKEN", "A comma too many")
            self._props.comma = token
            self._new_line = self._space = False
        else:
            self._faults.add(token.at, "UNEXPECTED_TOKEN", f"Unexpected {token.source[:20]!r}")
            self._new_line = self._space = False

    def _take_property(self, token: Token) -> None:
        props = self._props
        if token.kind == "anchor":
            if props.anchor:
                self._faults.add(token.at, "MULTIPLE_ANCHORS", "A node can have one anchor")
            props.anchor = token
        else:
            if props.tag:
                self._faults.add(token.at, "MULTIPLE_TAGS", "A node can have one tag")
            props.tag = token
        if self._start is None:
            self._start = token.at
        self._new_line = self._space = False
        self._need_space = True

    def _take_sign(self, token: Token) -> None:
        props = self._props
        if props.anchor or props.tag:
            self._faults.add(token.at, "BAD_PROP_ORDER", f"A tag or anchor must follow {token.source!r}")
        if props.found:
            self._faults.add(token.at, "UNEXPECTED_TOKEN", f"Unexpected {token.source!r}")
        props.found = token
        self._new_line = self._sign in ("item", "explicit")
        self._space = False

    def finish(
        self, tokens: list[Token], after: Token | Tree | None, at: int, parent: int, root_tabs: bool
    ) -> Props:
        props = self._props
        props.end = tokens[-1].at + len(tokens[-1].source) if tokens else at
        props.start = props.end if self._start is None else self._start
        kind = after.kind if after is not None else ""
        empty = after is None or (kind == "scalar" and after.source == "")
        if self._need_space and not empty and kind not in ("space", "newline", "comma"):
            place = after.at if after is not None else props.end
            self._faults.add(place, "MISSING_CHAR", "A blank is missing after a tag or anchor")
        if self._tab is not None:
            low = (
                self._new_line
                and self._tab.indent <= parent
                and not (root_tabs and self._sign == "doc-start")
            )
            if low or kind in ("map", "seq"):
                self._faults.add(self._tab.at, "TAB_AS_INDENT", "Tabs are not allowed as indentation")
        return props
