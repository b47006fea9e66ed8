"""js-yaml 3 and 4, as their hosts call them (``safeLoad`` and ``load``): a reader that follows their rules.

Facts of js-yaml 3.14 and 4.1 (lib/loader.js). Version 4 refuses tabs that indent a key or a list item, and
empty flow entries; it knows other number forms. Keys become texts, as JavaScript objects have it.
"""

from __future__ import annotations

from typing import Final

from generator.judge.dialects.faults import Refused, fault_at
from generator.judge.dialects.jscursor import BLANKS, END, SPACES
from generator.judge.dialects.jsprops import JsNames, JsNode, Properties
from generator.judge.dialects.jstags import MERGE, construct, key_text, type_plain
from generator.judge.dialects.shares import Draft, DraftItems, DraftMap, freeze
from generator.judge.dialects.values import Date, Null, Text, YamlReading

MAX_DEPTH: Final = 200
"""Deepest nesting read here. The library itself goes on to some thousands of levels."""
_BLOCK_IN: Final = "block-in"
_BLOCK_OUT: Final = "block-out"
_FLOW_IN: Final = "flow-in"
_FLOW_OUT: Final = "flow-out"


def read_jsyaml(text: str, old: bool) -> YamlReading:
    """What js-yaml 3 (``old``) or 4 makes of a text."""
    source = text if text[-1:] in ("", "\n", "\r") else text + "\n"
    shift = 1 if source[:1] == "\ufeff" else 0
    source = source[shift:]
    try:
        nul = source.find(END)
        if nul >= 0:
            raise Refused("control-character", nul, "A NUL byte stands in the text")
        documents = _Reader(source, old).documents()
        if len(documents) > 1:
            raise Refused("documents", documents[1][0], "A second document begins here")
        return YamlReading(freeze(documents[0][1]) if documents else None)
    except Refused as refused:
        return YamlReading(None, fault_at(source, refused, "\n\r"))


class _Reader(Properties):
    def documents(self) -> list[tuple[int, Draft]]:
        while self.text[self.at] == " ":
            self.indent += 1
            self.at += 1
        found = []
        while self.at < len(self.text) - 2:
            place = self.at
            found.append((place, self._document()))
        return found

    def _document(self) -> Draft:
        self._names = JsNames()
        directives = self._directives()
        self.skip_space(comments=True)
        if self.indent == 0 and self.text.startswith("---", self.at):
            self.at += 3
            self.skip_space(comments=True)
        elif directives:
            raise self.refuse("directive", "A directive must be followed by ---")
        node = self._node(self.indent - 1, _BLOCK_OUT, seek=False, compact=True)
        self.skip_space(comments=True)
        if self.at == self.line_start and self.at_document_mark():
            if self.text[self.at] == ".":
                self.at += 3
                self.skip_space(comments=True)
        elif self.at < len(self.text) - 2:
            raise self.refuse("syntax", "The text goes on where the value has ended")
        return node.value

    def _node(self, parent: int, context: str, seek: bool, compact: bool) -> JsNode:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.refuse("too-deep", "The text is nested too deeply")
        node = JsNode()
        block = context in (_BLOCK_OUT, _BLOCK_IN)
        collections = block
        status = 1
        new_line = False
        if seek and self.skip_space(comments=True):
            new_line = True
            status = _compare(self.indent, parent)
        if status == 1:
            while self._read_tag(node) or self._read_anchor(node):
                if self.skip_space(comments=True):
                    new_line = True
                    collections = block
                    status = _compare(self.indent, parent)
                else:
                    collections = False
        collections = collections and (new_line or compact)
        if status == 1 or context == _BLOCK_OUT:
            flow_indent = parent if context in (_FLOW_IN, _FLOW_OUT) else parent + 1
            column = self.at - self.line_start
            if status == 1:
                self._content(node, context, flow_indent, column, collections, block)
            elif status == 0 and collections:
                node.found = self._sequence(node, column)
        self._resolve(node)
        self._depth -= 1
        node.found = node.found or node.tag is not None or node.anchor is not None
        return node

    def _content(
        self, node: JsNode, context: str, least: int, column: int, collections: bool, block: bool
    ) -> None:
        if collections and (self._sequence(node, column) or self._mapping(node, column, least)):
            node.found = True
        elif self.text[self.at] in "[{":
            self._flow(node, least)
            node.found = True
        elif block and self.text[self.at] in "|>":
            self._take(node, Text(self.read_block_scalar(least)))
        elif self.text[self.at] in "'\"":
            self._take(node, Text(self.read_quoted()))
        elif self.text[self.at] == "*":
            self._alias(node)
        else:
            plain = self.read_plain(least, context == _FLOW_IN)
            if plain is not None:
                node.plain = plain
                self._take(node, Text(plain))
                if node.tag is None:
                    node.tag = "?"
        if node.anchor is not None and not isinstance(node.value, (DraftItems, DraftMap)):
            self._names.anchors[node.anchor] = node.value

    def _take(self, node: JsNode, value: Draft, kind: str = "scalar") -> None:
        node.value = value
        node.kind = kind
        node.found = True

    def _resolve(self, node: JsNode) -> None:
        if node.tag is None:
            if node.anchor is not None and not self._old:
                self._names.anchors[node.anchor] = node.value
            return
        if node.tag == "!":
            return
        if node.tag == "?":
            if not isinstance(node.value, Text):
                if node.kind is not None:
                    raise self.refuse("tag", "A tag that does not fit")
                return
            node.tag = MERGE if node.value.value == "<<" else node.tag
            node.value = type_plain(node.value.value, self._old)
        else:
            built = construct(node.tag, node.kind, node.value, self._old)
            if built is None:
                raise self.refuse("tag", f"The tag {node.tag[:60]} is not known, or does not fit its value")
            node.value = built
        if node.anchor is not None:
            self._names.anchors[node.anchor] = node.value

    def _alias(self, node: JsNode) -> None:
        self.at += 1
        name = self._name("alias")
        if name not in self._names.anchors:
            raise self.refuse("alias", f"The alias *{name[:60]} names nothing")
        self._take(node, self._names.anchors[name])
        node.kind = None
        self.skip_space(comments=True)
        if node.tag is not None or node.anchor is not None:
            raise self.refuse("alias", "An alias can have neither tag nor anchor")

    def _flow(self, node: JsNode, least: int) -> None:
        text = self.text
        mapping = text[self.at] == "{"
        close = "}" if mapping else "]"
        items = DraftItems()
        entries = DraftMap()
        result: Draft = entries if mapping else items
        if node.anchor is not None:
            self._names.anchors[node.anchor] = result
        merged: set[str] = set()
        more = True
        self.at += 1
        while text[self.at] != END:
            self.skip_space(comments=True)
            char = text[self.at]
            if char == close:
                self.at += 1
                self._take(node, result, "mapping" if mapping else "sequence")
                return
            if not more:
                raise self.refuse("flow", "A comma is missing between two entries")
            if char == "," and not self._old:
                raise self.refuse("flow", "An entry is empty")
            pair = explicit = char == "?" and text[self.at + 1] in SPACES
            if explicit:
                self.at += 1
                self.skip_space(comments=True)
            line, at = self.line, self.at
            key = self._node(least, _FLOW_IN, seek=False, compact=True)
            value: Draft = Null("")
            self.skip_space(comments=True)
            if (explicit or self.line == line) and text[self.at] == ":":
                pair = True
                self.at += 1
                self.skip_space(comments=True)
                value = self._node(least, _FLOW_IN, seek=False, compact=True).value
            if mapping:
                self._store(entries, merged, key, value, at)
            elif pair:
                one = DraftMap()
                self._store(one, merged, key, value, at)
                items.items.append(one)
            else:
                items.items.append(key.value)
            self.skip_space(comments=True)
            more = text[self.at] == ","
            if more:
                self.at += 1
        raise self.refuse("flow", f"The closing {close} is missing")

    def _sequence(self, node: JsNode, column: int) -> bool:
        text = self.text
        if self._tab_before():
            return False
        result = DraftItems()
        if node.anchor is not None:
            self._names.anchors[node.anchor] = result
        found = False
        while text[self.at] == "-" or (found and self._tab_before()):
            self._no_tab()
            if text[self.at + 1] not in SPACES:
                break
            found = True
            self.at += 1
            if self.skip_space(comments=True) and self.indent <= column:
                result.items.append(Null(""))
                continue
            line = self.line
            result.items.append(self._node(column, _BLOCK_IN, seek=False, compact=True).value)
            self.skip_space(comments=True)
            if (self.line == line or self.indent > column) and text[self.at] != END:
                raise self.refuse("indentation", "A list item is not indented as the others are")
            if self.indent < column:
                break
        if found:
            self._take(node, result, "sequence")
        return found

    def _tab_before(self) -> bool:
        return not self._old and self.first_tab >= 0

    def _no_tab(self) -> None:
        if self._tab_before():
            self.at = self.first_tab
            raise self.refuse("tab", "A tab is used as indentation")

    def _mapping(self, node: JsNode, column: int, least: int) -> bool:
        text = self.text
        if self._tab_before():
            return False
        entries = DraftMap()
        if node.anchor is not None:
            self._names.anchors[node.anchor] = entries
        merged: set[str] = set()
        key = JsNode()
        value: Draft = Null("")
        explicit = found = False
        at = self.at
        while (char := text[self.at]) != END:
            if not explicit:
                self._no_tab()
            line = self.line
            if char in "?:" and text[self.at + 1] in SPACES:
                if char == "?":
                    if explicit:
                        self._store(entries, merged, key, Null(""), at)
                        key = JsNode()
                        value = Null("")
                    found = explicit = True
                elif explicit:
                    explicit = False
                else:
                    raise self.refuse("syntax", "A colon without a key")
                compact = True
                self.at += 1
            else:
                place = self.at
                inner = self._node(least, _FLOW_OUT, seek=False, compact=True)
                if not inner.found:
                    break
                if not self._at_colon(line):
                    if found:
                        self._refuse_line(line)
                    node.value, node.kind = inner.value, inner.kind
                    return True
                if explicit:
                    self._store(entries, merged, key, Null(""), at)
                at = place
                key, value = inner, Null("")
                found = True
                explicit = compact = False
            if self.line == line or self.indent > column:
                if explicit:
                    at = self.at
                inner = self._node(column, _BLOCK_OUT, seek=True, compact=compact)
                if explicit:
                    key = inner if inner.found else key
                else:
                    value = inner.value if inner.found else value
                    self._store(entries, merged, key, value, at)
                    key, value = JsNode(), Null("")
                self.skip_space(comments=True)
            if ((not self._old and self.line == line) or self.indent > column) and text[self.at] != END:
                raise self.refuse("indentation", "A key is not indented as the others are")
            if self.indent < column:
                break
        if explicit:
            self._store(entries, merged, key, Null(""), at)
        if found:
            self._take(node, entries, "mapping")
        return found

    def _at_colon(self, line: int) -> bool:
        """Step over the colon after a key; refuses one without a blank behind it."""
        if self.line != line:
            return False
        while self.text[self.at] in BLANKS:
            self.at += 1
        if self.text[self.at] != ":":
            return False
        self.at += 1
        if self.text[self.at] not in SPACES:
            raise self.refuse("colon", "A blank is missing after the colon")
        return True

    def _refuse_line(self, line: int) -> None:
        if self.line == line:
            raise self.refuse("colon", "A line without a colon stands among keys")
        raise self.refuse("syntax", "A key goes over several lines")

    def _store(self, entries: DraftMap, merged: set[str], key: JsNode, value: Draft, at: int) -> None:
        if key.tag == MERGE:
            for source in value.items if isinstance(value, DraftItems) else (value,):
                self._merge(entries, merged, source)
            return
        name = key_text(key.value)
        if name is None:
            raise self.refuse("complex-key", "A list in a list is used as a key")
        if name not in merged and name in entries.entries:
            self.at = at
            raise self.refuse("duplicate-key", f"The key {name[:60]} is written twice")
        entries.entries[name] = value
        merged.discard(name)

    def _merge(self, entries: DraftMap, merged: set[str], source: Draft) -> None:
        if isinstance(source, DraftItems):
            pairs = {str(number): item for number, item in enumerate(source.items)}
        elif isinstance(source, DraftMap):
            pairs = dict(source.entries)
        elif isinstance(source, Date):
            pairs = {}
        else:
            raise self.refuse("merge-key", "<< merges something that is no mapping")
        for name, value in pairs.items():
            if name not in entries.entries:
                entries.entries[name] = value
                merged.add(name)


def _compare(indent: int, parent: int) -> int:
    return (indent > parent) - (indent < parent)
