"""npm ``yaml`` 2's documents: the first one of a text, composed, and every fault in the library's order.

Facts of yaml 2.9 (dist/compose/composer.js, compose-doc.js, dist/public-api.js).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.judge.dialects.npmbuild import build_trees
from generator.judge.dialects.npmcollections import Collections
from generator.judge.dialects.npmcursor import Token
from generator.judge.dialects.npmleaves import State, read_end
from generator.judge.dialects.npmnodes import NpmFault, NpmNode, read_props
from generator.judge.dialects.npmtree import Tree


@dataclass(slots=True)
class NpmDocument:
    """The first document of a text: its root (None where there is none) and its faults."""

    root: NpmNode | None
    faults: list[NpmFault]


def compose_npm(text: str, lenient: bool = False) -> NpmDocument:
    """What ``parseDocument(text, {schema: "core"})`` gives; ``lenient``: with what Bun's parser lets pass."""
    state = State(text if lenient else None)
    faults = state.faults
    document: NpmNode | None = None
    tail: list[NpmFault] = []
    seen = directives = False
    for tree in build_trees(text, lenient):
        if isinstance(tree, Token):
            if tree.kind == "directive":
                _read_directive(tree, state)
                directives = True
        elif tree.kind == "document":
            if seen:
                tail.append(NpmFault("MULTIPLE_DOCS", tree.at, "A second document begins here"))
                break
            seen = True
            document = _compose_document(tree, state)
            started = any(token.kind == "doc-start" for token in tree.start)
            if directives and not started:
                faults.add(tree.at, "MISSING_CHAR", "A directive must be followed by ---")
            directives = False
        elif tree.kind == "doc-end":
            if not seen:
                faults.add(tree.at, "UNEXPECTED_TOKEN", "An end of a document without a document")
            else:
                read_end(tree.end, tree.at + len(tree.source), True, faults)
        elif directives or not seen:
            faults.add(tree.at, "UNEXPECTED_TOKEN", f"Unexpected {tree.source[:20]!r}")
        else:
            tail.append(NpmFault("UNEXPECTED_TOKEN", tree.at, f"Unexpected {tree.source[:20]!r}"))
    if directives and not seen:
        faults.add(len(text), "MISSING_CHAR", "A directive must be followed by ---")
    return NpmDocument(document, [*faults.found, *tail])


def _read_directive(token: Token, state: State) -> None:
    parts = re.split("[ \t]+", token.source.strip())
    if parts[0] == "%TAG":
        if len(parts) != 3:
            state.faults.add(token.at, "BAD_DIRECTIVE", "%TAG takes two parts")
        if len(parts) >= 3:
            state.handles[parts[1]] = parts[2]
    elif parts[0] == "%YAML":
        if len(parts) != 2:
            state.faults.add(token.at, "BAD_DIRECTIVE", "%YAML takes one part")
        elif not re.fullmatch("[0-9]+\\.[0-9]+", parts[1]):
            state.faults.add(token.at + 6, "BAD_DIRECTIVE", "No version that the library knows")


def _compose_document(tree: Tree, state: State) -> NpmNode:
    composer = Collections(state)
    faults = state.faults
    value = tree.value
    after = value if value is not None else tree.end[0] if tree.end else None
    props = read_props(
        tree.start,
        faults,
        sign="doc-start",
        after=after,
        at=tree.at,
        parent=0,
        new_line=True,
        root_tabs=state.lenient is not None,
    )
    if props.found and value is not None and value.kind in ("map", "seq") and not props.has_newline:
        faults.add(props.end, "MISSING_CHAR", "A block collection cannot start on the line of ---")
    node = (
        composer.compose(value, props)
        if value is not None
        else composer.compose_empty(props.end, tree.start, props)
    )
    read_end(tree.end, node.end, False, faults)
    return node
