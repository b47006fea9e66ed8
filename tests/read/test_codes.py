"""Every finding code of the read layer is emitted by the smallest input of its kind."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.findings import BARRING, CODES
from generator.model import Finding
from generator.read.manifest import read_skill
from generator.read.package import Limits, examine_paths
from generator.read.sources.folder import find_skill_folders, read_package
from tests.read.helpers import GOOD, Content, front, package, read, write_tree

DEEP = "a: " + "[" * 9 + "]" * 9

TEXTS: dict[str, Content] = {
    "frontmatter-missing": "# Title\n",
    "frontmatter-program": "---javascript\n{}\n---\n",
    "frontmatter-not-on-first-line": "\n" + GOOD,
    "frontmatter-unterminated": "---\nname: demo\n",
    "frontmatter-empty": "---\n---\n",
    "frontmatter-too-large": f"---\nname: demo\nnotes: {'n' * 70_000}\n---\n",
    "frontmatter-not-mapping": "---\n- a\n---\n",
    "frontmatter-bom": "\ufeff" + GOOD,
    "frontmatter-line-shape": "---  \nname: demo\ndescription: d.\n---\n",
    "frontmatter-contains-triple-dash": front("notes: one --- two"),
    "encoding-not-utf8-or-control-char": GOOD.encode("utf-16"),
    "body-not-utf8": GOOD.encode() + b"caf\xe9\n",
    "yaml-unquoted-colon": front("notes: Use when: x"),
    "yaml-indicator-start": front("notes: @scope"),
    "yaml-bracketed-argument-hint": front("argument-hint: [file] [mode]"),
    "yaml-unterminated-quote": front('notes: "open'),
    "yaml-stray-syntax": front("metadata:", "\tauthor: x"),
    "yaml-duplicate-key": front("name: again"),
    "yaml-anchor": front("notes: &a x"),
    "yaml-merge-key": front("<<: x"),
    "yaml-multiple-documents": "---\nname: demo\n--- x\n---\n",
    "yaml-complex-key": front("? [a]", ": b"),
    "yaml-too-deep": front(DEEP),
    "yaml-too-many-nodes": front(f"a: [{'x,' * 2100}]"),
    "yaml-syntax": front("a: [b"),
    "yaml-comment-truncation": "---\nname: demo\ndescription: Track issue #42\n---\n",
    "yaml-parser-dependent": front("skill: [plugin:name]"),
    "description-empty": "---\nname: demo\n---\n",
    "description-too-long": f"---\nname: demo\ndescription: {'x' * 1025}\n---\n",
    "description-markup-or-invisible": "---\nname: demo\ndescription: port to <service>\n---\n",
    "name-missing": "---\ndescription: d.\n---\n",
    "name-invalid-format": "---\nname: My_Skill\ndescription: d.\n---\n",
    "name-directory-mismatch": "---\nname: other\ndescription: d.\n---\n",
    "field-wrong-type": front("version: [1, 2]"),
    "field-conflict": front("version: 1.0.0", "metadata:", "  version: 2.0.0"),
    "text-hidden-character": front("title: \u202eDemo"),
    "gate-wrong-type": front("requires:", "  bins: git"),
    "metadata-not-mapping": front("metadata: '{}'"),
    "vendor-metadata-namespace": front("metadata:", "  moltbot:", "    emoji: x"),
    "license-unknown": front("license: see LICENSE.txt"),
    "homepage-not-http": front("homepage: javascript:alert(1)"),
    "taxonomy-unknown": front("track: wizards"),
    "os-unknown": front("os: [beos]"),
    "install-spec-invalid": front("metadata:", "  openclaw:", "    install: [{kind: brew}]"),
}

SIDE: dict[str, dict[str, Content]] = {
    "side-file-invalid": {"plugin": "{"},
    "hook-invalid": {"hooks": '{"hooks": {"PreSave": [{"type": "command"}]}}'},
    "mcp-server-invalid": {"mcp": '{"mcpServers": {"x": {}}}'},
    "subagent-invalid": {"agent": "# no front matter"},
    "agent-name-collision": {"agent": "---\nname: same\n---\n", "agent2": "---\nname: same\n---\n"},
}

PATHS: dict[str, tuple[str, ...]] = {
    "path-absolute": ("/etc/passwd",),
    "path-dot-segment": ("a/../b",),
    "path-backslash": ("a\\b",),
    "path-colon": ("a.txt:evil",),
    "path-control-char": ("a\u202eb.md",),
    "path-not-nfc": ("e\u0301.md",),
    "path-not-portable": ("nul.md",),
    "path-windows-char": ("g?h.md",),
    "path-too-deep": ("/".join("abcdefghijklm"),),
    "path-too-long": ("x" * 256,),
    "path-git-lookalike": ("GIT~1/config",),
    "path-not-utf8": ("caf\udce9.md",),
    "path-collision": ("A.md", "a.md"),
    "path-non-ascii": ("中文.md",),
}


def _links(root: Path) -> None:
    write_tree(root, {"demo/SKILL.md": GOOD})
    (root / "demo/link").symlink_to("..")


def _pipe(root: Path) -> None:
    write_tree(root, {"demo/SKILL.md": GOOD})
    os.mkfifo(root / "demo/pipe")


def _linked_manifest(root: Path) -> None:
    (root / "demo").mkdir()
    (root / "demo/SKILL.md").symlink_to("/etc/hostname")


def _tree(**files: Content) -> Callable[[Path], None]:
    def build(root: Path) -> None:
        write_tree(
            root, {"demo/SKILL.md": GOOD, **{f"demo/{k.replace('__', '/')}": v for k, v in files.items()}}
        )

    return build


TREES: dict[str, Callable[[Path], None]] = {
    "package-too-many-files": _tree(a="", b="", c="", d=""),
    "package-file-too-large": _tree(a="x" * 2000),
    "package-too-large": _tree(a="x" * 900, b="x" * 900),
    "symlink-skipped": _links,
    "special-file-skipped": _pipe,
    "entry-skipped": lambda root: _dot_entry(root),
    "nested-skill-md": lambda root: _nested(root),
    "skill-md-not-regular": _linked_manifest,
}
SMALL = Limits(max_files=4, max_file_bytes=1000, max_package_bytes=1500)

ELSEWHERE = {
    "skill-md-missing-exact-name": "test_wrong_case_is_reported_with_the_exact_command",
    "yaml-too-large": "tests/read/test_yamlnodes.py (a front matter of that size never reaches the parser)",
    "folder-unreadable": "tests/read/sources/test_folder.py",
    "skill-unreadable": "tests/read/sources/test_folder.py",
}


def _dot_entry(root: Path) -> None:
    write_tree(root, {"demo/SKILL.md": GOOD, "demo/.env": "A=1"})


def _nested(root: Path) -> None:
    write_tree(root, {"demo/SKILL.md": GOOD, "demo/examples/x/SKILL.md": GOOD})


def _check(found: tuple[Finding, ...], code: str) -> Finding:
    assert code in [f.code for f in found], found
    # Nothing else may bar: the input shows one mistake.
    assert {f.code for f in found} & BARRING <= {code, "description-empty"}
    first = next(f for f in found if f.code == code)
    assert first.message
    assert first.fix
    assert first.severity is CODES[code].severity
    return first


@pytest.mark.parametrize("code", TEXTS)
def test_in_skill_md(code: str) -> None:
    note = _check(read(TEXTS[code]).findings, code)
    assert note.path == "demo/SKILL.md"
    if code != "encoding-not-utf8-or-control-char":
        assert note.line is not None


@pytest.mark.parametrize("code", SIDE)
def test_in_a_side_file(code: str) -> None:
    skill = read(**SIDE[code])
    note = _check(skill.findings, code)
    assert note.path.startswith("demo/")
    assert note.path != "demo/SKILL.md"
    assert skill.manifest is not None


@pytest.mark.parametrize("code", PATHS)
def test_in_a_path(code: str) -> None:
    unsafe, notes = examine_paths("demo", PATHS[code])
    _check(notes, code)
    if code in BARRING and code != "path-collision":
        assert unsafe == set(PATHS[code])
    else:
        assert not unsafe


@pytest.mark.parametrize("code", TREES)
def test_in_a_folder(code: str, tmp_path: Path) -> None:
    TREES[code](tmp_path)
    assert find_skill_folders(str(tmp_path)).folders == ("demo",)
    found, notes = read_package(str(tmp_path), "source", "demo", SMALL)
    _check(notes if found is None else read_skill(found, notes).findings, code)
    assert (found is None) == code.startswith("package-")


def test_wrong_case_is_reported_with_the_exact_command() -> None:
    skill = read_skill(package({"skill.md": GOOD}, "my skills/demo"))
    note = next(f for f in skill.findings if f.code == "skill-md-missing-exact-name")
    assert note.fix == "git mv 'my skills/demo/skill.md' 'my skills/demo/SKILL.md'"
    assert skill.manifest is not None
    assert not {f.code for f in skill.findings} & BARRING
    assert [f.path for f in skill.package.files] == ["skill.md"]


def test_no_read_code_is_without_a_case() -> None:
    covered = {*TEXTS, *SIDE, *PATHS, *TREES, *ELSEWHERE}
    # Archives have a file of tests of their own: test_archive_reader.py.
    read = {
        code
        for code, info in CODES.items()
        if info.layer == "read" and not code.startswith(("archive-", "git-", "hub-", "meta-"))
    }
    assert covered == read


def test_a_good_skill_has_no_findings(tmp_path: Path) -> None:
    write_tree(tmp_path, {"demo/SKILL.md": GOOD, "demo/scripts/run.py": "print(1)\n"})
    found, notes = read_package(str(tmp_path), "source", "demo", Limits())
    assert found is not None
    assert read_skill(found, notes).findings == ()
