"""Archives as sources: which files are archives, what they hold, and what a registry declared in them."""

from __future__ import annotations

import io
import json
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import SourceError
from generator.model import Package, Severity
from generator.read.metajson import Declared, DeclaredVersion, read_declared
from generator.read.package import Limits
from generator.read.sources.archive import (
    ArchiveContents,
    ArchiveFile,
    ArchiveLimits,
    archive_skills,
    find_archives,
    read_archive_file,
)
from generator.read.sources.folder import find_skill_folders, read_package
from tests.read import tars, zips
from tests.read.helpers import GOOD, as_bytes, package, write_tree
from tests.read.zips import SKILL, Member, make_zip


def read(data: bytes, limits: Limits = Limits(), include: tuple[str, ...] = ()) -> ArchiveContents:  # noqa: B008
    return archive_skills(data, "source", limits, include=include)


def by_zip(files: dict[str, bytes], wrapper: str = "") -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(zipfile.ZipInfo(wrapper + name), content)
    return raw.getvalue()


def by_tar(files: dict[str, bytes], wrapper: str = "") -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as out:
        for name, content in files.items():
            info = tarfile.TarInfo(wrapper + name)
            info.size = len(content)
            out.addfile(info, io.BytesIO(content))
    return raw.getvalue()


PACKERS = {"zip": by_zip, "tar": by_tar}


@pytest.mark.parametrize("wrapper", ["", "repo-main/"])
@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_several_skills_with_and_without_a_wrapper(pack: object, wrapper: str) -> None:
    files = {"a/SKILL.md": SKILL, "a/x.md": b"x", "s/b/SKILL.md": SKILL, "README.md": b"x"}
    contents = read(pack(files, wrapper))  # type: ignore[operator]
    assert [one.folder for one in contents.skills] == [f"{wrapper}a", f"{wrapper}s/b"]
    assert [one.package and one.package.folder for one in contents.skills] == [f"{wrapper}a", f"{wrapper}s/b"]
    assert contents.findings == ()
    assert [note for one in contents.skills for note in one.findings] == []


def test_include_chooses_and_goes_on_below_what_it_leaves() -> None:
    data = by_zip({"a/SKILL.md": SKILL, "a/in/SKILL.md": SKILL, "b/SKILL.md": SKILL})
    assert [one.folder for one in read(data, include=("a/*",)).skills] == ["a/in"]


NAMES = st.sampled_from(
    ["SKILL.md", "skill.md", "a", "B", "b", ".x", ".mcp.json", ".claude-plugin", "node_modules", "__pycache__", "x.pyc",
     "hub.json", ".skillpress", "caf\u00e9", "con", "q?"]
)  # fmt: skip
TREES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=5).map("/".join), st.binary(max_size=8), max_size=12
)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(TREES, st.sampled_from(sorted(PACKERS)))
def test_an_archive_gives_what_its_folder_gives(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes], packer: str
) -> None:
    plain = {name: data for name, data in files.items() if not any(o.startswith(f"{name}/") for o in files)}
    folded = {name.lower() for name in plain}
    root = tmp_path_factory.mktemp("tree")
    write_tree(root, dict(plain))
    expected = []
    for folder in find_skill_folders(str(root)).folders:
        found, notes = read_package(str(root), "source", folder, Limits())
        expected.append((folder, found, notes))
    contents = read(PACKERS[packer](plain))
    assert [(one.folder, one.package) for one in contents.skills] == [(f, p) for f, p, _ in expected]
    if len(folded) == len(plain):
        kept = [
            tuple(n for n in one.findings if n.code != "archive-name-encoding") for one in contents.skills
        ]
        assert kept == [notes for _, _, notes in expected]


HOSTILE_ZIPS = {
    "traversal": (make_zip(zips.skill(), Member(b"../evil.md", b"x")), "path-dot-segment"),
    "absolute": (make_zip(zips.skill(), Member(b"/etc/passwd", b"x")), "path-absolute"),
    "folder outside": (make_zip(zips.skill(), Member(b"../", method=0, mode=0o40755)), "path-dot-segment"),
    "duplicates": (make_zip(zips.skill(), zips.skill()), "archive-duplicate-entry"),
    "zip behind a tar": (tars.make_tar(tars.skill()) + make_zip(zips.skill()), "archive-extra-data"),
    "zip behind a program": (b"#!/bin/sh\n" + make_zip(zips.skill()), "archive-extra-data"),
    "nothing": (b"", "archive-unreadable"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(2000), "archive-unreadable"),
}


@pytest.mark.parametrize(("data", "code"), HOSTILE_ZIPS.values(), ids=HOSTILE_ZIPS)
def test_hostile_archives_give_nothing(data: bytes, code: str) -> None:
    contents = read(data)
    assert contents.skills == ()
    assert code in [note.code for note in contents.findings]
    assert all(note.severity is Severity.ERROR for note in contents.findings)


def test_the_limits_of_an_archive_are_its_own() -> None:
    many = by_zip({f"s{n}/SKILL.md": SKILL for n in range(50)})
    assert len(read(many, Limits(max_files=2)).skills) == 50
    few = archive_skills(many, "source", Limits(), archive_limits=ArchiveLimits(max_entries=40))
    assert [note.code for note in few.findings] == ["package-too-many-files"]
    short = archive_skills(many, "source", Limits(), archive_limits=ArchiveLimits(max_archive_bytes=100))
    assert [note.code for note in short.findings] == ["package-too-large"]


# --- files -----------------------------------------------------------------------------------------


def test_archives_of_a_folder_are_found_sorted(tmp_path: Path) -> None:
    write_tree(tmp_path, {
        "b.zip": "", "a/pdf-1.0.0.tar.gz": "", "a/x.TGZ": "", "x.skill": "", "y.tar": "", "z.txt": "", ".h.zip": "",
        ".git/c.zip": "", "same.zip": "", "same.tgz": "", "__MACOSX/d.zip": "",
    })  # fmt: skip
    (tmp_path / "link.zip").symlink_to("b.zip")
    (tmp_path / "out").symlink_to("/")
    assert find_archives(str(tmp_path)) == tuple(
        ArchiveFile(path, stem)
        for path, stem in [
            ("a/pdf-1.0.0.tar.gz", "a/pdf-1.0.0"), ("a/x.TGZ", "a/x"), ("b.zip", "b"), ("same.tgz", "same.tgz"),
            ("same.zip", "same.zip"), ("x.skill", "x"), ("y.tar", "y"),
        ]
    )  # fmt: skip


def test_one_file_is_a_source_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "skill").write_bytes(make_zip(zips.skill()))
    assert find_archives(str(tmp_path / "skill")) == (ArchiveFile("", ""),)
    assert len(read(read_archive_file(str(tmp_path / "skill"))).skills) == 1


def test_files_that_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "real.zip").write_bytes(b"x" * 100)
    (tmp_path / "link.zip").symlink_to("real.zip")
    os.mkfifo(tmp_path / "pipe.zip")
    for name, words in {
        "link.zip": "cannot be read",
        "pipe.zip": "not a regular",
        "gone.zip": "cannot be read",
    }.items():
        with pytest.raises(SourceError, match=words):
            read_archive_file(str(tmp_path / name))
    with pytest.raises(SourceError, match="100 bytes; the limit is 99"):
        read_archive_file(str(tmp_path / "real.zip"), ArchiveLimits(max_archive_bytes=99))
    with pytest.raises(SourceError, match="does not exist"):
        find_archives(str(tmp_path / "nowhere"))


# --- what a registry declared ----------------------------------------------------------------------

ARCHIVE = {
    "owner": "Moroiser", "slug": "skill-manager", "displayName": "Skill Manager",
    "latest": {"version": "1.2.0", "publishedAt": 1772362509342, "commit": "https://git.example/commit/90b0"},
    "history": [
        {"version": "1.1.0", "publishedAt": 1772362500000, "commit": "abc"}, {"version": "1.0"}, {"version": "1.1.0"},
    ],
}  # fmt: skip
SERVER = {"ownerId": "kn75k5", "slug": "pdf", "version": "1.2.0", "publishedAt": 1772333893547}


def declared(meta: object) -> tuple[Declared | None, list[str]]:
    text = meta if isinstance(meta, (str, bytes)) else json.dumps(meta)
    found, notes = read_declared(package({"SKILL.md": GOOD, "_meta.json": text}))
    assert all(note.path == "demo/_meta.json" and note.message for note in notes)
    return found, [note.message.split(" ")[0] for note in notes]


def test_the_layout_of_the_archive() -> None:
    found, notes = declared({**ARCHIVE, "owner": "moroiser"})
    assert found == Declared(
        owner="moroiser", slug="skill-manager", display_name="Skill Manager",
        latest=DeclaredVersion("1.2.0", 1772362509342, "https://git.example/commit/90b0"),
        history=(DeclaredVersion("1.1.0", 1772362500000, "abc"), DeclaredVersion("1.0.0")),
    )  # type: ignore[arg-type]  # fmt: skip
    assert notes == []


def test_the_layout_of_the_server() -> None:
    found, notes = declared(SERVER)
    assert found == Declared(slug="pdf", latest=DeclaredVersion("1.2.0", 1772333893547))  # type: ignore[arg-type]
    assert notes == []


UNUSABLE = {
    "owner that leads out": ({**ARCHIVE, "owner": "../x"}, ["owner"]),
    "owner that is no text": ({**ARCHIVE, "owner": ["x"]}, ["owner"]),
    "owner of the hub's own": ({**ARCHIVE, "owner": "api"}, ["owner"]),
    "slug that leads out": ({**ARCHIVE, "owner": "x", "slug": "a/../b"}, ["slug"]),
    "slug in capitals": ({**ARCHIVE, "owner": "x", "slug": "PDF"}, ["slug"]),
    "version that is none": ({**ARCHIVE, "owner": "x", "latest": {"version": "newest"}}, ["latest.version"]),
    "latest that is none": ({**ARCHIVE, "owner": "x", "latest": 7}, ["latest.version"]),
    "version without end": ({**SERVER, "version": "1." * 9999}, ["latest.version"]),
    "history that is none": ({**ARCHIVE, "owner": "x", "history": {"a": 1}}, []),
    "history of anything": ({**ARCHIVE, "owner": "x", "history": [None, 1, [], {}, {"version": {}}]}, []),
    "times of anything": ({**SERVER, "publishedAt": 1e400}, None),
    "time before time": ({**SERVER, "publishedAt": -5}, []),
    "time that is true": ({**SERVER, "publishedAt": True}, []),
}


@pytest.mark.parametrize(("meta", "keys"), UNUSABLE.values(), ids=UNUSABLE)
def test_what_is_not_usable_is_not_used_and_told(meta: object, keys: list[str] | None) -> None:
    found, notes = declared(meta)
    if keys is None:
        assert found is None  # Infinity is no JSON
        return
    assert found is not None
    assert notes == keys
    assert (found.owner is None) == ("owner" in notes or "ownerId" in meta)  # type: ignore[operator]
    assert (found.slug is None) == ("slug" in notes)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", "{}", '{"version": "1.0.0"}', "[" * 100_000, b"\xff", '{"owner": 1, "owner": 2}',
     '{"owner": "x", "latest": ' + "9" * 5000 + "}", '{"history": "' + "x" * 300_000 + '", "owner": "x"}'],
    ids=range(11),
)  # fmt: skip
def test_what_is_no_declaration(text: str | bytes) -> None:
    assert declared(text) == (None, [])


METAS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*ARCHIVE, *SERVER, "commit"]), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(METAS)
def test_no_declaration_raises(meta: object) -> None:
    declared(meta)


def test_the_declaration_comes_beside_the_package_and_stays_in_it() -> None:
    data = by_tar(
        {
            "skills/x/pdf/SKILL.md": SKILL,
            "skills/x/pdf/_meta.json": as_bytes(json.dumps({**ARCHIVE, "owner": "x"})),
        }
    )
    (one,) = read(data).skills
    assert one.declared is not None
    assert (one.declared.owner, one.declared.slug) == ("x", "skill-manager")
    assert isinstance(one.package, Package)
    assert one.package.file("_meta.json") is not None
