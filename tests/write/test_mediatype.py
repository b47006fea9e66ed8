"""Media types come from our table, never from the machine's."""

from __future__ import annotations

import mimetypes

import pytest

from generator.write.mediatype import is_text, media_type


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("SKILL.md", "text/markdown"),
        ("docs/READ.ME.MD", "text/markdown"),
        ("scripts/run.py", "text/x-python"),
        ("a.ts", "text/x-typescript"),
        ("data.json", "application/json"),
        ("skill.yaml", "application/yaml"),
        ("logo.svg", "image/svg+xml"),
        ("LICENSE", "text/plain"),
        ("sub/Makefile", "text/plain"),
        ("unknown", "application/octet-stream"),
        ("strange.qqq", "application/octet-stream"),
        ("folder.md/unknown", "application/octet-stream"),
        ("t.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("\u7ffb\u8bd1.md", "text/markdown"),
        ("dot.", "application/octet-stream"),
    ],
)
def test_the_table(path, expected):
    assert media_type(path) == expected


def test_the_machine_has_no_say(monkeypatch):
    mimetypes.init()
    monkeypatch.setitem(mimetypes.types_map, ".md", "application/x-evil")
    assert media_type("SKILL.md") == "text/markdown"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", True),
        (b"plain\n", True),
        ("\u7ffb\u8bd1".encode(), True),
        (b"\x89PNG\r\n\x1a\n\0\0", False),
        (b"caf\xe9", False),
        ("\u7ffb".encode()[:2], False),
        (b"a" * 8191 + "\u7ffb".encode(), True),
        (b"a" * 8191 + b"\xff" * 9, False),
        (b"a" * 8192 + b"\0", True),
    ],
    ids=[
        "empty",
        "ascii",
        "utf-8",
        "png",
        "latin-1",
        "cut file",
        "cut sample",
        "bad at the end",
        "beyond the sample",
    ],
)
def test_what_looks_like_text(data, expected):
    assert is_text(data) is expected
