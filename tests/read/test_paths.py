"""Which paths a package may hold, and which two names are one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.findings import BARRING, CODES
from generator.read.globs import compile_glob
from generator.read.package import examine_paths, is_cache, is_manifest_name
from generator.read.paths import (
    collision_key,
    find_collisions,
    parse_package_path,
    path_notice,
    path_problem,
    printable,
)


@pytest.mark.parametrize(
    "path",
    ["SKILL.md", "a b.md", "c#d.md", "e%20f.md", "notes..md", "a/b/c/d/e/f/g/h/i/j/k/l", "_x.md", "-x", ".hidden",
     ".claude-plugin/plugin.json", ".gitignore", "git", "github.md", "console.md", "com10.txt", "auxiliary/nullable",
     "x" * 255, "中文/技能.md", "é.md", "🚀.md", "a~b", "x.con", "LPT", "a@b+c=d,e;f!(g)[h]{i}'j&k$"],
)  # fmt: skip
def test_fine(path: str) -> None:
    assert path_problem(path) is None
    assert parse_package_path(path) == path


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("", "path-dot-segment"),
        ("/", "path-absolute"),
        ("/etc/passwd", "path-absolute"),
        ("C:/x", "path-absolute"),
        ("c:\\x", "path-absolute"),
        ("..", "path-dot-segment"),
        ("../x", "path-dot-segment"),
        ("a/../../x", "path-dot-segment"),
        ("a/./x", "path-dot-segment"),
        ("a//x", "path-dot-segment"),
        ("a/", "path-dot-segment"),
        ("a\\..\\x", "path-backslash"),
        ("a.txt:evil", "path-colon"),
        ("a\nb", "path-control-char"),
        ("a\x00b", "path-control-char"),
        ("a\x1b[31m", "path-control-char"),
        ("a\x7f", "path-control-char"),
        ("a\u202eb", "path-control-char"),
        ("a\u200bb", "path-control-char"),
        (".g\u200cit/config", "path-control-char"),
        ("a\u2028b", "path-control-char"),
        ("a\ufeff", "path-control-char"),
        ("a\u3164b", "path-control-char"),
        ("a\U000e0041", "path-control-char"),
        ("e\u0301.md", "path-not-nfc"),
        ("\u212b", "path-not-nfc"),
        ("con", "path-not-portable"),
        ("CON", "path-not-portable"),
        ("nul.md", "path-not-portable"),
        ("nul.tar.gz", "path-not-portable"),
        ("aux/x.md", "path-not-portable"),
        ("a/prn", "path-not-portable"),
        ("com1", "path-not-portable"),
        ("LPT9.txt", "path-not-portable"),
        ("com¹", "path-not-portable"),
        ("CONIN$", "path-not-portable"),
        ("con .txt", "path-not-portable"),
        ("name.", "path-not-portable"),
        ("name ", "path-not-portable"),
        (" name", "path-not-portable"),
        ("dir./x", "path-not-portable"),
        ("...", "path-not-portable"),
        ("/".join("abcdefghijklm"), "path-too-deep"),
        ("x" * 256, "path-too-long"),
        ("中" * 86, "path-too-long"),
        ("/".join(["x" * 200] * 6), "path-too-long"),
        (".git/config", "path-git-lookalike"),
        (".GIT", "path-git-lookalike"),
        ("a/.git/hooks/x", "path-git-lookalike"),
        ("git~1", "path-git-lookalike"),
        (".git~1/x", "path-git-lookalike"),
        (".git ", "path-git-lookalike"),
        (".ｇｉｔ/x", "path-git-lookalike"),
        ("caf\udce9.md", "path-not-utf8"),
        ("\ud800", "path-not-utf8"),
    ],
)  # fmt: skip
def test_unsafe(path: str, code: str) -> None:
    problem = path_problem(path)
    assert problem is not None
    assert problem.code == code
    assert code in BARRING
    assert parse_package_path(path) == problem
    (problem.message + problem.fix).encode("utf-8")


@pytest.mark.parametrize("char", list('<>"|?*'))
def test_names_that_only_windows_refuses_are_published_with_a_warning(char: str) -> None:
    path = f"g{char}h.md"
    assert path_problem(path) is None
    notice = path_notice(path)
    assert notice is not None
    assert notice.code == "path-windows-char"


def test_non_ascii_is_told_and_published() -> None:
    notice = path_notice("中文.md")
    assert notice is not None
    assert notice.code == "path-non-ascii"
    assert path_notice("plain/a b.md") is None


@pytest.mark.parametrize(
    ("paths", "pairs"),
    [
        (["A.md", "a.md"], [("A.md", "a.md")]),
        (["docs/a", "Docs/b"], []),
        (["docs/a", "Docs/A"], [("docs/a", "Docs/A")]),
        (["straße", "STRASSE"], [("straße", "STRASSE")]),
        (["ﬁle", "file"], [("ﬁle", "file")]),
        (["Å", "å"], [("Å", "å")]),
        (["İ", "i̇"], [("İ", "i̇")]),
        (["docs", "Docs/a"], [("docs", "Docs/a")]),
        (["a/b", "A"], [("A", "a/b")]),
        (["a", "b", "c/d"], []),
        (["x", "X", "x"], [("x", "X")]),
    ],
)
def test_collisions(paths: list[str], pairs: list[tuple[str, str]]) -> None:
    assert list(find_collisions(paths)) == pairs


def test_colliding_files_stay_in_the_package_but_bar_it() -> None:
    unsafe, notes = examine_paths("demo", ["A.md", "a.md"])
    assert not unsafe
    assert [f.code for f in notes] == ["path-collision"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [("a b.md", "a b.md"), ("caf\udce9.md", "caf\\xe9.md"), ("中é🚀", "中é🚀"), ("a\nb", "a\\u000ab"),
     ("\u202ex", "\\u202ex"), ("\U000e0041", "\\U000e0041"), ("\ud800", "\\ud800")],
)  # fmt: skip
def test_printable(path: str, shown: str) -> None:
    assert printable(path) == shown


any_path = st.text(
    st.sampled_from(list("abcAB./\\:~ gitconulGITé\u0301\u200b\u202e中<?*\udcff\n")) | st.characters(),
    max_size=40,
)


@given(any_path)
def test_a_path_is_safe_or_says_why(path: str) -> None:
    problem = path_problem(path)
    shown = printable(path)
    shown.encode("utf-8")
    assert shown.isprintable()
    if problem is not None:
        assert problem.code in CODES
        (problem.message + problem.fix).encode("utf-8")
        return
    assert unicodedata.is_normalized("NFC", path)
    assert not path.startswith("/")
    assert not any(c in path for c in "\\:\x00\n\u202e\u200b")
    for segment in path.split("/"):
        assert segment not in ("", ".", "..")
        assert segment[-1] not in ". "
        assert segment.lower() != ".git"
        assert segment.split(".")[0].lower() not in ("con", "nul", "aux", "prn")


@given(st.lists(st.text(st.sampled_from(list("abAB/ßſKk\u212a")), min_size=1, max_size=4), max_size=8))
def test_equal_keys_are_always_told(paths: list[str]) -> None:
    distinct = set(paths)
    folded = {collision_key(p) for p in distinct}
    if len(folded) < len(distinct):
        assert find_collisions(sorted(distinct))
    for first, second in find_collisions(sorted(distinct)):
        a, b = collision_key(first), collision_key(second)
        assert a == b or b.startswith(f"{a}/")


@pytest.mark.parametrize(
    ("name", "cache"),
    [(".DS_Store", True), ("Thumbs.db", True), ("__pycache__", True), ("__MACOSX", True), ("x.pyc", True),
     ("._SKILL.md", True), ("notes~", True), (".x.swp", True), (".git", True), (".env", False), ("x.py", False),
     ("cache", False), ("a~b", False)],
)  # fmt: skip
def test_caches(name: str, cache: bool) -> None:
    assert is_cache(name) is cache


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("SKILL.md", True), ("skill.md", True), ("Skill.MD", True), ("SKILLS.md", False), ("skill.m", False),
     ("ſkill.md", False)],
)  # fmt: skip
def test_manifest_names(name: str, is_one: bool) -> None:
    assert is_manifest_name(name) is is_one


@pytest.mark.parametrize(
    ("pattern", "folder", "matches"),
    [
        ("skills/*", "skills/a", True),
        ("skills/*", "skills/a/b", False),
        ("skills/*/", "skills/a", True),
        ("./skills/*", "skills/a", True),
        ("skills/**", "skills/a/b", True),
        ("skills/**", "skills", True),
        ("skills/**", "skillset", False),
        ("**/a", "a", True),
        ("**/a", "x/y/a", True),
        ("**/a", "x/ba", False),
        ("**", "", True),
        ("**", "a/b", True),
        (".", "", True),
        (".", "a", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/b", "ab", False),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("a.c", "abc", False),
        ("[x]", "[x]", True),
        ("[x]", "x", False),
        ("pdf-*", "pdf-tools", True),
        ("a\nb", "a\nb", True),
    ],
)
def test_globs(pattern: str, folder: str, matches: bool) -> None:
    assert (compile_glob(pattern).fullmatch(folder) is not None) is matches
