"""What the author is told of indexes that leave a skill out; the indexes go by the same codes."""

from __future__ import annotations

import pytest

from generator.findings.protocols import CODES
from generator.model import Severity, Slug
from generator.write.protocols.indexes import UNREADABLE, WRONG_MANIFEST_NAME
from generator.write.protocols.protocol_findings import find_problems
from tests.write.protocols_skills.making import Files, folder_of, manifest
from tests.write.protocols_skills.samples import LONG, PNG

GOOD = {"SKILL.md": manifest("tool")}
CASES: dict[str, tuple[str, Files, list[str]]] = {
    "plain": ("tool", GOOD, []),
    "byte-order-mark": ("tool", {"SKILL.md": b"\xef\xbb\xbf" + manifest("tool")}, []),
    "crlf": ("tool", {"SKILL.md": manifest("tool").replace(b"\n", b"\r\n")}, []),
    "long-name": (LONG, GOOD, ["discovery-name"]),
    "exactly-64": ("x" * 64, GOOD, []),
    "no-name": ("tool", {"SKILL.md": b"---\ndescription: d\n---\n"}, ["discovery-no-name"]),
    "number-as-name": (
        "tool",
        {"SKILL.md": b"---\nname: 2048\ndescription: d\n---\n"},
        ["discovery-no-name"],
    ),
    "quoted-number": ("tool", {"SKILL.md": b"---\nname: '2048'\ndescription: d\n---\n"}, []),
    "date-as-name": ("tool", {"SKILL.md": b"---\nname: 2026-01-01\ndescription: d\n---\n"}, []),
    "boolean-name": ("tool", {"SKILL.md": b"---\nname: true\ndescription: d\n---\n"}, ["discovery-no-name"]),
    "no-description": ("tool", {"SKILL.md": b"---\nname: tool\n---\n"}, ["discovery-no-description"]),
    "list-as-description": (
        "tool",
        {"SKILL.md": b"---\nname: tool\ndescription: [a, b]\n---\n"},
        ["discovery-no-description"],
    ),
    "bad-yaml": ("tool", {"SKILL.md": b"---\nname: a: b: c\n---\n"}, ["discovery-front-matter"]),
    "duplicate-key": (
        "tool",
        {"SKILL.md": b"---\nname: a\nname: b\ndescription: d\n---\n"},
        ["discovery-front-matter"],
    ),
    "blank-behind-the-fence": (
        "tool",
        {"SKILL.md": b"--- \nname: tool\ndescription: d\n---\n"},
        ["discovery-front-matter"],
    ),
    "no-front-matter": ("tool", {"SKILL.md": b"# Tool\n"}, ["discovery-front-matter"]),
    "empty-front-matter": ("tool", {"SKILL.md": b"---\n\n---\n"}, ["discovery-front-matter"]),
    "other-case": ("tool", {"skill.md": manifest("tool")}, []),
    "dots-in-a-path": ("tool", {**GOOD, "a..b": b""}, ["raw-tree-path"]),
    "question-mark": ("tool", {**GOOD, "references/why?.md": b""}, ["raw-tree-path"]),
    "page": ("tool", {**GOOD, "a.html": b""}, ["raw-tree-active-file"]),
    "hidden": ("tool", {**GOOD, ".mcp.json": b"{}"}, ["raw-tree-hidden-file"]),
    "server-page": ("tool", {**GOOD, "a.php": b""}, ["raw-tree-server-file"]),
    "index": ("tool", {**GOOD, "index.json": b"{}"}, ["raw-tree-index-file"]),
    "index-in-a-folder": ("tool", {**GOOD, "data/index.json": b"{}"}, []),
    "picture": ("tool", {**GOOD, "a.png": PNG}, ["bundle-binary-file"]),
    "many": (
        LONG,
        {"SKILL.md": b"x", "a.html": b"\0", "b.html": b"", "web.config": b""},
        [
            "discovery-name",
            "discovery-front-matter",
            "raw-tree-server-file",
            "raw-tree-active-file",
            "bundle-binary-file",
        ],
    ),
}


@pytest.mark.parametrize(("slug", "files", "codes"), CASES.values(), ids=CASES)
def test_what_is_found(slug: str, files: Files, codes: list[str]) -> None:
    found = find_problems(folder_of("some/folder", files), Slug(slug))
    assert [one.code for one in found] == codes
    for one in found:
        assert one.severity == CODES[one.code].severity
        assert one.path.startswith("some/folder/")
        assert one.message[0].isupper()
        assert one.fix[0].isupper()
        assert "{" not in one.message + one.fix


def test_nothing_here_bars_a_skill() -> None:
    assert Severity.ERROR not in {info.severity for info in CODES.values()}


def test_the_indexes_go_by_codes_that_exist() -> None:
    assert CODES.keys() | {WRONG_MANIFEST_NAME} >= UNREADABLE


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_told_somewhere(code: str) -> None:
    cases = {case for _, _, codes in CASES.values() for case in codes}
    assert code in cases
