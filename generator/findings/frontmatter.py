"""Front matter: its fences, its encoding, its shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

CODES: Final[Mapping[str, CodeInfo]] = {
    "frontmatter-missing": CodeInfo(
        _ERROR,
        "SKILL.md has no front matter",
        "Without the block between two --- lines there is no name and no description to list the skill by.",
        "Start SKILL.md with ---, then name: and description:, then ---.",
        example="# Demo\n\n---\n\nDoes one thing.",
        mended="---\nname: demo\ndescription: Does one thing.\n---\n\nDo it.",
    ),
    "frontmatter-program": CodeInfo(
        _ERROR,
        "The front matter says that it is a JavaScript program",
        "OpenCode and the skills command run it as soon as they list the skill; no other host reads it.",
        "Open the front matter with a line that is exactly --- and write it in YAML.",
        example="---js\n{name: 'demo', description: 'Does one thing. Use when testing.'}\n---\n\nDo it.\n",
        mended="---\nname: demo\ndescription: Does one thing. Use when testing.\n---\n\nDo it.\n",
    ),
    "frontmatter-not-on-first-line": CodeInfo(
        _ERROR,
        "The front matter does not start on the first line",
        "Every host looks for --- in the first bytes of the file and otherwise sees no front matter at all.",
        "Move everything that stands before the opening --- below the closing one.",
        example="\n---\nname: demo\ndescription: Does one thing.\n---\n\nDo it.",
        mended="---\nname: demo\ndescription: Does one thing.\n---\n\nDo it.",
    ),
    "frontmatter-unterminated": CodeInfo(
        _ERROR,
        "The front matter is never closed",
        "Without a closing --- at the start of a line nobody can tell where the text of the skill begins.",
        "Put a line that is exactly --- after the last key.",
        example="---\nname: demo\ndescription: Does one thing.\n\nDo it.",
        mended="---\nname: demo\ndescription: Does one thing.\n---\n\nDo it.",
    ),
    "frontmatter-empty": CodeInfo(
        _ERROR,
        "The front matter is empty",
        "There is nothing between the two --- lines, so the skill has no name and no description.",
        "Write name: and description: between the two --- lines.",
        example="---\n---\n\nDo it.",
        mended="---\nname: demo\ndescription: Does one thing.\n---\n\nDo it.",
    ),
    "frontmatter-too-large": CodeInfo(
        _ERROR,
        "The front matter is too large",
        "The front matter is read as a whole, so its size is limited to 64 kB.",
        "Move long text below the closing --- or into a file of its own.",
    ),
    "frontmatter-not-mapping": CodeInfo(
        _ERROR,
        "The front matter is not a list of keys and values",
        "A list or a plain sentence has no keys, so there is no name and no description in it.",
        "Write one 'key: value' pair a line.",
        example="---\n- name: demo\n---\n\nDo it.",
        mended="---\nname: demo\ndescription: Does one thing.\n---\n\nDo it.",
    ),
    "frontmatter-bom": CodeInfo(
        _ERROR,
        "SKILL.md starts with a byte order mark",
        "Several hosts do not remove the three invisible bytes and then see no front matter.",
        "Save the file as UTF-8 without BOM.",
        example="\ufeff---\nname: demo\ndescription: Does one thing.\n---\n\nDo it.",
        mended="---\nname: demo\ndescription: Does one thing.\n---\n\nDo it.",
    ),
    "frontmatter-line-shape": CodeInfo(
        _WARNING,
        "The front matter's lines have an unusual shape",
        "Some hosts only know a fence that is exactly --- and lines that end in LF or CRLF.",
        "Use --- without trailing spaces for both fences, and LF line ends.",
        example="---  \nname: demo\ndescription: Does one thing.\n---\n\nDo it.",
        mended="---\nname: demo\ndescription: Does one thing.\n---\n\nDo it.",
    ),
    "frontmatter-contains-triple-dash": CodeInfo(
        _WARNING,
        "A value in the front matter contains ---",
        "Some hosts close the front matter at the first --- anywhere and cut the value there.",
        "Use an em dash, or a single hyphen.",
        example="---\nname: demo\ndescription: Reads --- and writes.\n---\n\nDo it.",
        mended="---\nname: demo\ndescription: Reads and writes.\n---\n\nDo it.",
    ),
    "encoding-not-utf8-or-control-char": CodeInfo(
        _ERROR,
        "The front matter is not UTF-8 text",
        "Bytes that are not UTF-8, and control characters, mean something else to every host or crash it.",
        "Save the file as UTF-8 and remove control characters.",
        example="license: MIT\x07",
        mended="license: MIT",
    ),
    "body-not-utf8": CodeInfo(
        _ERROR,
        "The text of SKILL.md is not UTF-8",
        "Hosts refuse the file or show replacement characters in place of the bytes they cannot read.",
        "Save the file as UTF-8.",
    ),
}
