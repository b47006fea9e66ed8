"""Split ``SKILL.md`` into its front matter and its body, without ever raising for what an author wrote.

The rule: the first line is ``---``, and the block ends at the next line that is ``---`` or ``...`` at the
very start of a line. Trailing blanks after a fence, a byte order mark, CRLF and lone CR are accepted;
all but CRLF with a finding, because some host does not accept them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from generator.findings import finding
from generator.model import Finding
from generator.read.nodes import MAX_BYTES, MappingNode, kind_of, place_of
from generator.read.yamlnodes import YamlProblem, parse_yaml

_BOM: Final = b"\xef\xbb\xbf"
_OPEN: Final = re.compile(rb"---([ \t]*)(?:\r\n|\n|\r|\Z)")
_PROGRAM: Final = re.compile(rb"---[ \t]*(?:js|javascript)[ \t]*(?=[\r\n]|\Z)", re.IGNORECASE)
_CLOSE: Final = re.compile(rb"(?:\A|(?<=[\r\n]))(---|\.\.\.)([ \t]*)(?:\r\n|\n|\r|\Z)")
_LATER_OPEN: Final = re.compile(rb"(?:\A|[\r\n])[ \t]*---[ \t]*(?:\r\n|\n|\r)[ \t]*[A-Za-z_][\w-]*[ \t]*:")
_LONE_CR: Final = re.compile(rb"\r(?!\n)")
_CJK: Final = re.compile("[\u4e00-\u9fff]")
_LOOK_AHEAD: Final = 4096


@dataclass(frozen=True, slots=True)
class SplitText:
    """A text split at its front matter.

    ``root`` is None where the front matter cannot be read; ``findings`` then say why. ``text`` is
    the front matter without its fences; its first line is line 2 of the file.
    """

    root: MappingNode | None
    text: str
    body: str
    body_line: int
    findings: tuple[Finding, ...]


def split_front_matter(data: bytes, path: str) -> SplitText:
    """Read the bytes of a ``SKILL.md`` (or of an ``agents/*.md``); ``path`` is used in the findings."""
    if (wide := _wide_encoding(data)) is not None:
        problem = finding(
            "encoding-not-utf8-or-control-char",
            path,
            f"The file looks like {wide}, not UTF-8",
            "Save the file as UTF-8 (in PowerShell: Out-File -Encoding utf8).",
        )
        return SplitText(None, "", "", 1, (problem,))
    notes: list[Finding] = []
    start = 0
    if data.startswith(_BOM):
        start = len(_BOM)
        notes.append(
            finding(
                "frontmatter-bom",
                path,
                "The file starts with a byte order mark (EF BB BF)",
                "Save it as UTF-8 without BOM.",
                1,
                1,
            )
        )
    opening = _OPEN.match(data, start)
    if opening is None:
        notes.append(_no_opening(data[start:], path))
        return SplitText(None, "", data[start:].decode("utf-8", "replace"), 1, tuple(notes))
    closing = _CLOSE.search(data, opening.end(), opening.end() + MAX_BYTES + 8)
    if closing is None or closing.start() - opening.end() > MAX_BYTES:
        notes.append(_no_closing(data, opening.end(), path))
        return SplitText(None, "", "", 1, tuple(notes))
    block = data[opening.end() : closing.start()]
    lines_before = _count_lines(data[opening.end() : closing.start()])
    notes.extend(_line_shape(opening, closing, block, lines_before + 2, path))
    body_line = lines_before + 3
    body, body_notes = _decode_body(data[closing.end() :], body_line, path)
    root, text, root_notes = _read_block(block, path)
    return SplitText(root, text, body, body_line, (*notes, *root_notes, *body_notes))


def _wide_encoding(data: bytes) -> str | None:
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return "UTF-32"
    if data.startswith((b"\xff\xfe", b"-\x00-\x00")):
        return "UTF-16 (little endian)"
    if data.startswith((b"\xfe\xff", b"\x00-\x00-")):
        return "UTF-16 (big endian)"
    return None


def _no_opening(data: bytes, path: str) -> Finding:
    if (program := _PROGRAM.match(data)) is not None:
        opening = program[0].decode("ascii").rstrip()
        return finding(
            "frontmatter-program",
            path,
            f"The file opens with {opening}: some hosts run its front matter as a program when they list the skill",
            "Open it with a line that is exactly --- and write name: and description: in YAML.",
            1,
            1,
            opening,
        )
    later = _LATER_OPEN.search(data, 0, _LOOK_AHEAD)
    if later is not None:
        line = _count_lines(data[: data.index(b"---", later.start())]) + 1
        return finding(
            "frontmatter-not-on-first-line",
            path,
            f"The opening --- stands on line {line}, or is indented, not at the very start of the file",
            "Move everything before it below the closing ---.",
            line,
            1,
        )
    first = re.split(rb"[\r\n]", data[:80], maxsplit=1)[0].decode("utf-8", "replace").strip()
    seen = f"; its first line is {first!r}" if first else ""
    return finding(
        "frontmatter-missing",
        path,
        f"The file does not start with a line that is exactly ---{seen}",
        "Start the file with ---, then name: and description:, then ---.",
        1,
        1,
    )


def _no_closing(data: bytes, start: int, path: str) -> Finding:
    if _CLOSE.search(data, start) is not None:
        return finding(
            "frontmatter-too-large",
            path,
            f"The front matter is over {MAX_BYTES // 1024} kB",
            "Move long text below the closing --- or into a file of its own.",
            1,
            1,
        )
    indented = re.search(rb"[\r\n][ \t]+---[ \t]*(?:[\r\n]|\Z)", data[start - 1 : start + MAX_BYTES])
    if indented is not None:
        line = _count_lines(data[: data.index(b"---", start - 1 + indented.start())]) + 1
        return finding(
            "frontmatter-unterminated",
            path,
            "The closing --- is indented",
            "Move it to the start of its line.",
            line,
            1,
        )
    return finding(
        "frontmatter-unterminated",
        path,
        "The front matter that starts on line 1 is never closed",
        "Put a line that is exactly --- after the last key.",
        1,
        1,
    )


def _line_shape(
    opening: re.Match[bytes], closing: re.Match[bytes], block: bytes, closing_line: int, path: str
) -> list[Finding]:
    notes = []
    code = "frontmatter-line-shape"
    for fence, line in ((opening[1], 1), (closing[2], closing_line)):
        if fence:
            fix = "Remove the blanks at the line's end."
            notes.append(finding(code, path, "Blanks follow the ---", fix, line, 4, fence.decode("ascii")))
    if closing[1] == b"...":
        notes.append(
            finding(code, path, "The front matter is closed by ...", "Close it with ---.", closing_line, 1)
        )
    # The carriage returns of fences count too: a file of one line for hosts that only know LF.
    if b"\r" in opening[0] + block and _LONE_CR.search(opening[0] + block):
        notes.append(finding(code, path, "Lines end in a lone CR", "Save the file with LF line ends.", 1, 4))
    return notes


def _decode_body(data: bytes, first_line: int, path: str) -> tuple[str, tuple[Finding, ...]]:
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        line, column = place_of(data[: error.start].decode("utf-8"), error.start)
        note = finding(
            "body-not-utf8",
            path,
            f"The byte 0x{data[error.start]:02x} is not UTF-8; {_guess(data)}",
            "Save the file as UTF-8.",
            first_line + line - 1,
            column,
        )
        return data.decode("utf-8", "replace"), (note,)


def _read_block(block: bytes, path: str) -> tuple[MappingNode | None, str, tuple[Finding, ...]]:
    try:
        text = block.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = place_of(block[: error.start].decode("utf-8", "replace"), error.start)
        message = f"The byte 0x{block[error.start]:02x} is not UTF-8; {_guess(block)}"
        return (
            None,
            "",
            (
                finding(
                    "encoding-not-utf8-or-control-char",
                    path,
                    message,
                    "Save the file as UTF-8.",
                    line + 1,
                    column,
                ),
            ),
        )
    try:
        root = parse_yaml(text, first_line=2)
    except YamlProblem as problem:
        note = finding(problem.code, path, problem.message, problem.fix, problem.line, problem.column)
        return None, text, (note,)
    if root is None:
        fix = "Write name: and description: between the two --- lines."
        note = finding(
            "frontmatter-empty", path, "There is nothing between the two --- lines", fix, 2 if text else 1, 1
        )
        return None, text, (note,)
    if not isinstance(root, MappingNode):
        message = f"The front matter is {kind_of(root)}, not keys and values"
        note = finding(
            "frontmatter-not-mapping",
            path,
            message,
            "Write one 'key: value' pair a line.",
            root.line,
            root.column,
        )
        return None, text, (note,)
    if b"---" in block:
        return root, text, (_triple_dash(text, path),)
    return root, text, ()


def _triple_dash(text: str, path: str) -> Finding:
    line, column = place_of(text, text.index("---"))
    return finding(
        "frontmatter-contains-triple-dash",
        path,
        "The front matter contains ---, where some hosts cut it",
        "Use an em dash, or a single hyphen.",
        line + 1,
        column,
    )


def _guess(data: bytes) -> str:
    """Which encoding bytes that are not UTF-8 look like, in words."""
    try:
        if _CJK.search(data.decode("gb18030")):
            return "the file looks like GBK"
    except UnicodeDecodeError:
        pass
    return "the file looks like Windows-1252 or Latin-1"


def _count_lines(data: bytes) -> int:
    """Line ends in ``data``: LF, CRLF and lone CR."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
