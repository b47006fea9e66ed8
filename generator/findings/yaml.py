"""YAML: what keeps a parser from reading the front matter, or makes parsers differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

CODES: Final[Mapping[str, CodeInfo]] = {
    "yaml-unquoted-colon": CodeInfo(
        _ERROR,
        "A value contains ': ' without quotes",
        "A colon followed by a space starts a new key in YAML, so the whole block cannot be read.",
        "Put the value in double quotes.",
        example="description: Use when: testing",
        mended='description: "Use when: testing"',
    ),
    "yaml-indicator-start": CodeInfo(
        _ERROR,
        "A value starts with a character that means something in YAML",
        "Values that start with @ ` % * & ! | > [ { or a quoted word followed by text are not plain text.",
        "Put the whole value in double quotes.",
        example="description: @scope/tool helper",
        mended='description: "@scope/tool helper"',
    ),
    "yaml-bracketed-argument-hint": CodeInfo(
        _ERROR,
        "Two bracketed words after one key",
        "[file] [mode] is two YAML lists in one place, which no YAML parser accepts.",
        "Put the whole value in double quotes.",
        example="argument-hint: [file] [mode]",
        mended='argument-hint: "[file] [mode]"',
    ),
    "yaml-unterminated-quote": CodeInfo(
        _ERROR,
        "A quoted value is never closed",
        "Everything after the opening quote is read as part of the value.",
        "Add the missing quote at the end of the value.",
        example='description: "Does one thing.',
        mended='description: "Does one thing."',
    ),
    "yaml-stray-syntax": CodeInfo(
        _ERROR,
        "Something in the YAML does not belong there",
        "Tabs as indentation, conflict markers of git and tags (!...) are refused by most parsers.",
        "Indent with spaces, resolve the conflict, remove the tag.",
        example="metadata:\n\tauthor: Ada",
        mended="metadata:\n  author: Ada",
    ),
    "yaml-duplicate-key": CodeInfo(
        _ERROR,
        "A key is written twice",
        "Some hosts keep the first value, some the last, some refuse the file.",
        "Keep one of the two lines.",
        example="license: MIT\nlicense: Apache-2.0",
        mended="license: Apache-2.0",
    ),
    "yaml-anchor": CodeInfo(
        _ERROR,
        "Anchors and aliases are not accepted",
        "A few aliases can expand to gigabytes, and hosts disagree about them.",
        "Write the value out where it is used; quote a value that starts with * or &.",
        example="license: &l MIT",
        mended="license: MIT",
    ),
    "yaml-merge-key": CodeInfo(
        _ERROR,
        "Merge keys are not accepted",
        "<< is not part of YAML 1.2, and hosts disagree about what it does.",
        "Write the merged keys out.",
        example="metadata:\n  <<: {author: Ada}",
        mended="metadata:\n  author: Ada",
    ),
    "yaml-multiple-documents": CodeInfo(
        _ERROR,
        "More than one YAML document",
        "Only the first document would be read and the others silently lost.",
        "Keep one document.",
        example="---\nname: demo\ndescription: Does one thing.\n--- # more\nlicense: MIT\n---\n\nDo it.",
        mended="---\nname: demo\ndescription: Does one thing.\nlicense: MIT\n---\n\nDo it.",
    ),
    "yaml-complex-key": CodeInfo(
        _ERROR,
        "A key is not plain text",
        "A list or a mapping used as a key cannot be represented by most programs.",
        "Use a word as the key.",
        example="? [author]\n: Ada",
        mended="metadata:\n  author: Ada",
    ),
    "yaml-too-deep": CodeInfo(
        _ERROR,
        "Values are nested too deeply",
        "More than eight levels are only found in files made to exhaust a parser.",
        "Flatten the structure.",
        example="metadata: {a: {b: {c: {d: {e: {f: {g: {h: {i: deep}}}}}}}}}",
        mended="metadata:\n  a: flat",
    ),
    "yaml-too-many-nodes": CodeInfo(
        _ERROR,
        "Too many values",
        "More than 2,000 keys and values are only found in files made to exhaust a parser.",
        "Move data into a file of its own.",
    ),
    "yaml-too-large": CodeInfo(
        _ERROR,
        "The YAML text is too large",
        "YAML is only read up to 64 kB.",
        "Move data into a file of its own.",
    ),
    "yaml-syntax": CodeInfo(
        _ERROR,
        "The YAML cannot be read",
        "A parser cannot tell keys from values here, and a hub must not guess.",
        "Correct the line; when in doubt put the value in double quotes.",
        example="metadata:\n  author: Ada\n homepage: x",
        mended="metadata:\n  author: Ada\n  homepage: x",
    ),
    "yaml-comment-truncation": CodeInfo(
        _WARNING,
        "The description is cut off at ' #'",
        "A space followed by # starts a comment in YAML, so every host loses the rest of the line.",
        "Put the value in double quotes.",
        example="description: Tracks issue #42",
        mended='description: "Tracks issue #42"',
    ),
    "yaml-parser-dependent": CodeInfo(
        _WARNING,
        "A colon inside brackets without quotes",
        "Some YAML parsers read [plugin:name] as text, some as a mapping, and some reject it.",
        "Put the word in double quotes.",
        example="metadata:\n  needs: [plugin:name]",
        mended='metadata:\n  needs: ["plugin:name"]',
    ),
}
