"""The rows of our list of hostile and awkward inputs that concern reading, each by its number."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator.findings import BARRING
from generator.model import SkillFolder
from generator.read.package import Limits
from generator.read.sources.folder import find_skill_folders, read_package
from tests.read.helpers import GOOD, Content, codes, front, read_tree, write_tree


@dataclass(frozen=True, slots=True)
class Case:
    """``files`` below the source's root; ``found`` are the codes of the skill in ``a``, ``bars`` its fate."""

    files: dict[str, Content]
    found: tuple[str, ...]
    bars: bool = False


GOOD_A = GOOD.replace("demo", "a")


def skill(text: Content) -> dict[str, Content]:
    return {"a/SKILL.md": text}


CASES: dict[str, Case] = {
    "01 unquoted colon": Case(
        skill("---\nname: a\ndescription: Use when: x\n---\n"), ("yaml-unquoted-colon",), True),
    "03 BOM": Case(skill("\ufeff" + GOOD_A), ("frontmatter-bom",)),
    "04 UTF-16": Case(skill(GOOD_A.encode("utf-16-le")), ("encoding-not-utf8-or-control-char",), True),
    "05 CRLF": Case(skill(GOOD_A.replace("\n", "\r\n")), ()),
    "10 open quote": Case(
        skill('---\nname: a\ndescription: "unterminated\n---\n'), ("yaml-unterminated-quote",), True),
    "11 closed by dots": Case(
        skill("---\nname: a\ndescription: d\n...\n"), ("frontmatter-line-shape",)),
    "11 empty": Case(skill("---\n---"), ("frontmatter-empty",), True),
    "11 no newline at the end": Case(skill("---\nname: a\ndescription: d\n---"), ()),
    "11 two documents": Case(skill(GOOD_A + "---\nname: b\n---\n"), ()),
    "12 alias bomb": Case(
        skill("---\na: &a [x]\n" + "".join(f"{c}: &{c} [*{c}, *{c}]\n" for c in "bcdefghi") + "---\n"),
        ("yaml-anchor",), True),
    "12 one large anchor": Case(skill(f"---\na: &a {'x' * 60_000}\nb: [*a]\n---\n"), ("yaml-anchor",), True),
    "13 duplicate keys": Case(
        skill("---\nname: a\nname: b\ndescription: d\n---\n"), ("yaml-duplicate-key",), True),
    "14 parser-dependent": Case(
        skill("---\nname: a\ndescription: d\nskill: [plugin:name]\n---\n"), ("yaml-parser-dependent",)),
    "16 tab": Case(
        skill("---\nname: a\ndescription: d\nmetadata:\n\tauthor: x\n---\n"), ("yaml-stray-syntax",), True),
    "17 angle brackets": Case(
        skill("---\nname: a\ndescription: port to <service>\n---\n"), ("description-markup-or-invisible",)),
    "18 nothing to fold": Case(skill("---\nname: a\ndescription: >\n---\n"), ("description-empty",), True),
    "18 a leading fold": Case(
        skill("---\nname: a\ndescription: >text\n---\n"), ("yaml-indicator-start",), True),
    "19 counted in code points": Case(skill(f"---\nname: a\ndescription: {'中' * 342}\n---\n"), ()),
    "20 2,000 characters": Case(
        skill(f"---\nname: a\ndescription: {'x' * 2000}\n---\n"), ("description-too-long",)),
    "20 a megabyte": Case(
        skill(f"---\nname: a\ndescription: {'x' * 2**20}\n---\n"), ("frontmatter-too-large",), True),
    "22 a Chinese name": Case(
        skill("---\nname: 动量策略\ndescription: d\n---\n"), ("name-invalid-format", "name-directory-mismatch")),
    "22 a name with an emoji": Case(
        skill("---\nname: 🚀-rocket\ndescription: d\n---\n"), ("name-invalid-format", "name-directory-mismatch")),
    "23 lower-case skill.md": Case({"a/skill.md": GOOD_A}, ("skill-md-missing-exact-name",)),
    "25 nested": Case({"a/SKILL.md": GOOD_A, "a/examples/b/SKILL.md": GOOD_A}, ("nested-skill-md",)),
    "25 node_modules": Case({"a/SKILL.md": GOOD_A, "a/node_modules/x/SKILL.md": ""}, ("entry-skipped",)),
    "27 system files": Case({"a/SKILL.md": GOOD_A, "a/__MACOSX/._x": "", "a/.DS_Store": ""}, ()),
    "28 an archive inside": Case({"a/SKILL.md": GOOD_A, "a/scripts/x.tar.gz": b"\x1f\x8b\x08"}, ()),
    "30 con": Case({"a/SKILL.md": GOOD_A, "a/con": ""}, ("path-not-portable",), True),
    "30 nul.md": Case({"a/SKILL.md": GOOD_A, "a/nul.md": ""}, ("path-not-portable",), True),
    "30 aux/": Case({"a/SKILL.md": GOOD_A, "a/aux/x": ""}, ("path-not-portable",), True),
    "30 trailing dot": Case({"a/SKILL.md": GOOD_A, "a/name.": ""}, ("path-not-portable",), True),
    "30 trailing space": Case({"a/SKILL.md": GOOD_A, "a/name ": ""}, ("path-not-portable",), True),
    "31 names that need escaping": Case(
        {"a/SKILL.md": GOOD_A, "a/a b.md": "", "a/c#d.md": "", "a/e%20f.md": ""}, ()),
    "31 names that Windows refuses": Case(
        {"a/SKILL.md": GOOD_A, "a/g?h.md": "", 'a/q"uote.md': "", "a/<b>x.md": ""}, ("path-windows-char",) * 3),
    "34 two dots": Case({"a/SKILL.md": GOOD_A, "a/notes..md": ""}, ()),
    "39 names that sort differently": Case(
        {"a/SKILL.md": GOOD_A, "a/a.md": "", "a/_x.md": "", "a/references/ä.md": ""}, ("path-non-ascii",)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    write_tree(tmp_path, {**case.files, "other/SKILL.md": GOOD.replace("demo", "other")})
    skills = read_tree(tmp_path)
    # Whatever one skill holds, the others are read.
    assert list(skills) == ["a", "other"]
    other = skills["other"]
    assert other is not None
    assert other.findings == ()
    found = skills["a"]
    assert found is not None
    assert tuple(codes(found)) == case.found
    assert any(c in BARRING for c in codes(found)) is case.bars
    # Published means: all files, as they are (left out ones are told, or system files).
    if not case.bars:
        assert found.manifest is not None
        assert all((tmp_path / "a" / f.path).read_bytes() == f.data for f in found.package.files)


def test_01_names_line_column_and_the_line_to_paste(tmp_path: Path) -> None:
    write_tree(tmp_path, CASES["01 unquoted colon"].files)
    (note,) = _only(tmp_path).findings
    assert (note.path, note.line, note.column) == ("a/SKILL.md", 3, 22)
    assert 'description: "Use when: x"' in note.fix


@pytest.mark.parametrize(
    "written", ["2026-01-05", "1.0", "1_0", "0x10", "12:30", "on", "007", "no", "null-ish"]
)
@pytest.mark.parametrize("key", ["version", "author", "category", "slug"])
def test_07_every_scalar_stays_text(written: str, key: str, tmp_path: Path) -> None:
    write_tree(tmp_path, skill(front(f"{key}: {written}").replace("demo", "a")))
    assert getattr(_only(tmp_path).manifest, key) == written


def test_08_the_locale_changes_nothing(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: é — 中\n---\né\n"
    write_tree(tmp_path, {"a/SKILL.md": text, "a/é.md": "é", "a/ü/x": "", "中/SKILL.md": text})
    program = (
        "import sys; from tests.read.helpers import read_tree; from pathlib import Path;"
        "print(ascii([(f, s.manifest, s.body, s.findings, s.package)"
        " for f, s in read_tree(Path(sys.argv[1])).items()]))"  # ascii: stdout has a locale too
    )
    outputs = set()
    for settings in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C.UTF-8"}):
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": os.getcwd(), **settings},
            capture_output=True,
            check=True,
        )
        outputs.add(done.stdout)
    (only,) = outputs
    assert only.count(b"description='\\xe9 \\u2014 \\u4e2d'") == 2
    assert b"path='\\xfc/x'" in only


def test_23_the_fix_is_the_exact_git_mv(tmp_path: Path) -> None:
    write_tree(tmp_path, CASES["23 lower-case skill.md"].files)
    (note,) = _only(tmp_path).findings
    assert note.fix == "git mv a/skill.md a/SKILL.md"


def test_26_loops_end_and_links_are_never_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD_A})
    (tmp_path / "a/loop").symlink_to("..")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/SKILL.md").symlink_to("/etc/hostname")
    (tmp_path / "loop").symlink_to(".")
    skills = read_tree(tmp_path)
    assert list(skills) == ["a", "b"]
    assert skills["a"] is not None
    assert skills["b"] is not None
    assert codes(skills["a"]) == ["symlink-skipped"]
    assert codes(skills["b"]) == ["skill-md-not-regular"]
    assert skills["b"].package.files == ()


def test_32_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD_A})
    os.close(os.open(os.fsencode(tmp_path) + b"/a/caf\xe9.md", os.O_CREAT))
    (note,) = _only(tmp_path).findings
    assert note.code == "path-not-utf8"
    assert "caf\\xe9.md" in note.message
    (note.path + note.message + note.fix).encode("utf-8")


def test_36_reading_twice_is_equal_and_knows_no_times(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/SKILL.md": GOOD_A, "a/x/y/z.md": "z"})
    first = read_tree(tmp_path)
    for path in (tmp_path / "a").rglob("*"):
        os.utime(path, (1, 1))
    assert read_tree(tmp_path) == first


def test_38_several_skills_in_one_folder_are_one(tmp_path: Path) -> None:
    write_tree(tmp_path, {f"a/{f}SKILL.md": GOOD_A for f in ("", "b/", "c/")})
    assert find_skill_folders(str(tmp_path)).folders == ("a",)
    found, notes = read_package(str(tmp_path), "source", "a", Limits())
    assert found is not None
    assert [f.path for f in found.files] == ["SKILL.md", "b/SKILL.md", "c/SKILL.md"]
    assert [f.code for f in notes] == ["nested-skill-md"] * 2


def _only(root: Path) -> SkillFolder:
    (found,) = read_tree(root).values()
    assert found is not None
    return found
