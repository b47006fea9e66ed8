"""Other people's zips: the ordinary ones are read as folders are, the hostile ones are refused in words."""

from __future__ import annotations

import io
import os
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.findings import CODES
from generator.model import Finding, PackageFile, PackagePath, Severity, Sha256
from generator.read.archive_reader import ArchivedSkill, read_archive_package
from generator.read.package import Limits
from generator.read.sources.folder import read_package
from generator.write.archive import pack_archive
from tests.read.zips import SKILL, Member, deflate, described_later, make_zip, skill

OTHER = Member(b"notes.md", b"Notes.\n" * 3)


def read(
    data: bytes,
    limits: Limits = Limits(),  # noqa: B008
) -> tuple[tuple[ArchivedSkill, ...], tuple[Finding, ...]]:
    return read_archive_package(data, "pdf", limits)


def every_finding(data: bytes, limits: Limits = Limits()) -> list[Finding]:  # noqa: B008
    skills, loose = read(data, limits)
    return [*loose, *(note for one in skills for note in one.findings)]


def paths(one: ArchivedSkill) -> list[str]:
    return [file.path for file in one.package.files]


# --- ordinary archives -----------------------------------------------------------------------------

LAYOUTS = {
    "flat": ((b"SKILL.md", b"scripts/run.py"), {"": ["SKILL.md", "scripts/run.py"]}),
    "wrapper": ((b"pdf/SKILL.md", b"pdf/a.md"), {"pdf": ["SKILL.md", "a.md"]}),
    "deep wrapper": ((b"repo-main/skills/pdf/SKILL.md",), {"repo-main/skills/pdf": ["SKILL.md"]}),
    "wrong case": ((b"pdf/Skill.md",), {"pdf": ["Skill.md"]}),
    "nested": (
        (b"SKILL.md", b"examples/x/SKILL.md"),
        {"": ["SKILL.md", "examples/x/SKILL.md"], "examples/x": ["SKILL.md"]},
    ),
    "hidden wrapper": ((b".pdf/SKILL.md",), {".pdf": ["SKILL.md"]}),
    "a zip inside is a file": ((b"SKILL.md", b"assets/x.zip"), {"": ["SKILL.md", "assets/x.zip"]}),
    "what systems leave behind": (
        (b"pdf/SKILL.md", b"__MACOSX/pdf/._SKILL.md", b"pdf/.DS_Store", b"pdf/__pycache__/a.pyc"),
        {"pdf": ["SKILL.md"]},
    ),
    "plugin manifest stays": (
        (b"SKILL.md", b".claude-plugin/plugin.json"),
        {"": [".claude-plugin/plugin.json", "SKILL.md"]},
    ),
}


@pytest.mark.parametrize(("names", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_layouts(names: tuple[bytes, ...], expected: dict[str, list[str]]) -> None:
    skills, loose = read(make_zip(*(Member(name, SKILL) for name in names)))
    assert {one.package.folder: paths(one) for one in skills} == expected
    assert [note for note in loose if note.severity is Severity.ERROR] == []


def test_a_nested_skill_is_an_entry_of_its_own_and_a_finding_of_the_outer_one() -> None:
    skills, _ = read(make_zip(Member(b"pdf/SKILL.md", SKILL), Member(b"pdf/examples/x/SKILL.md", SKILL)))
    assert [(one.package.folder, one.inside) for one in skills] == [("pdf", None), ("pdf/examples/x", "pdf")]
    assert [(n.code, n.path) for n in skills[0].findings] == [("nested-skill-md", "pdf/examples/x/SKILL.md")]


def test_several_skills_are_all_read_and_told() -> None:
    skills, loose = read(make_zip(Member(b"a/SKILL.md", SKILL), Member(b"b/SKILL.md", SKILL)))
    assert [one.package.folder for one in skills] == ["a", "b"]
    assert [(n.code, n.path) for n in loose] == [("archive-several-skills", "")]
    assert "a, b" in loose[0].message


def test_what_lies_beside_the_skill_or_is_hidden_in_it_is_told() -> None:
    data = make_zip(Member(b"pdf/SKILL.md", SKILL), Member(b"README.md", b"x"), Member(b"pdf/.env", b"x"))
    (one,), loose = read(data)
    assert paths(one) == ["SKILL.md"]
    assert [(n.code, n.path) for n in (*loose, *one.findings)] == [
        ("entry-skipped", "README.md"),
        ("entry-skipped", "pdf/.env"),
    ]


def test_modes() -> None:
    data = make_zip(skill(), Member(b"run.sh", b"x", mode=0o100755), Member(b"dos.txt", b"x", mode=0))
    ((one,), _) = read(data)
    assert {f.path: f.executable for f in one.package.files} == {
        "SKILL.md": False, "dos.txt": False, "run.sh": True,
    }  # fmt: skip


GOOD = {
    "stored": make_zip(skill(method=0), OTHER),
    "empty file": make_zip(skill(), Member(b"empty", b"", method=0)),
    "folder entries": make_zip(Member(b"pdf/", method=0, mode=0o40755), Member(b"pdf/SKILL.md", SKILL)),
    "sizes behind the content": make_zip(described_later(skill()), described_later(OTHER, signed=False)),
    "sizes told early and behind": make_zip(
        Member(b"SKILL.md", SKILL, flags=8, after=described_later(skill()).after)
    ),
    "git's comment": make_zip(skill(), comment=b"0123456789abcdef" * 2 + b"01234567"),
    "time stamps in extra fields": make_zip(skill(extra=struct.pack("<2HBI", 0x5455, 5, 1, 0))),
    "same name in the Unicode field": make_zip(
        skill(extra=struct.pack("<2HBI", 0x7075, 13, 1, 0) + b"SKILL.md")
    ),
    "broken extra field": make_zip(skill(extra=b"\x01\x02\xff")),
    "comment of an entry": make_zip(skill(comment=b"hello")),
    "short and very even": make_zip(skill(), Member(b"a.txt", b"a" * 1024)),
}


@pytest.mark.parametrize("data", GOOD.values(), ids=GOOD)
def test_honest_archives_are_read_without_a_word(data: bytes) -> None:
    skills, loose = read(data)
    assert [n for one in skills for n in one.findings] == []
    assert loose == ()
    assert skills[0].package.file("SKILL.md") is not None


# --- hostile archives ------------------------------------------------------------------------------

BOMB = deflate(b"\0" * 20_000_000)
QUOTED = make_zip(
    skill(), Member(b"a.bin", b"A" * 50, method=0), Member(b"b.bin", b"A" * 50, method=0, start=0)
)

REFUSED = {
    "no zip": (b"hello", "archive-unreadable", ""),
    "empty": (b"", "archive-unreadable", ""),
    "cut off": (make_zip(skill(), OTHER)[:-30], "archive-unreadable", ""),
    "directory cut off": (make_zip(skill(), count=2), "archive-unreadable", ""),
    "directory claims fewer": (make_zip(skill(), OTHER, count=1), "archive-unreadable", ""),
    "bytes before": (make_zip(skill(start=5), prefix=b"MZ\0\0\0"), "archive-extra-data", "SKILL.md"),
    "bytes before, not counted": (b"#!/bin/sh\n" + make_zip(skill()), "archive-extra-data", ""),
    "bytes between": (make_zip(skill(after=b"hidden"), OTHER), "archive-extra-data", "notes.md"),
    "bytes before the directory": (make_zip(skill(), gap=b"hidden"), "archive-extra-data", ""),
    "bytes after the end": (make_zip(skill(), tail=b"x"), "archive-extra-data", ""),
    "comment": (make_zip(skill(), comment=b"PK, but not only"), "archive-extra-data", ""),
    "zip in the comment": (make_zip(skill(), comment=make_zip(OTHER)), "archive-extra-data", ""),
    "several parts": (make_zip(skill(), disk=1), "archive-unsupported", ""),
    "entry in another part": (make_zip(skill(disk=1)), "archive-unsupported", "SKILL.md"),
    "zip64 count": (make_zip(skill(), count=0xFFFF), "archive-unsupported", ""),
    "zip64 sizes": (
        make_zip(skill(size=0xFFFFFFFF, extra=struct.pack("<2HQ", 1, 8, 9))),
        "archive-unsupported",
        "SKILL.md",
    ),
    "zip64 extra": (make_zip(skill(extra=struct.pack("<2HQ", 1, 8, 9))), "archive-unsupported", "SKILL.md"),
    "bzip2": (make_zip(skill(method=12)), "archive-unsupported", "SKILL.md"),
    "a version of zip to come": (make_zip(skill(needs=132)), "archive-unsupported", "SKILL.md"),
    "a version to come, in front": (make_zip(skill(local={"needs": 64})), "archive-unsupported", "SKILL.md"),
    "encrypted": (make_zip(skill(flags=1)), "archive-encrypted", "SKILL.md"),
    "strongly encrypted": (make_zip(skill(flags=0x41)), "archive-encrypted", "SKILL.md"),
    "masked headers": (make_zip(skill(flags=0x2000)), "archive-encrypted", "SKILL.md"),
    "quoted overlap": (QUOTED, "archive-overlap", "b.bin"),
    "overlap into the next": (make_zip(skill(packed=85), OTHER), "archive-overlap", "notes.md"),
    "other name in front": (
        make_zip(skill(local={"name": b"EVIL.md"})), "archive-header-mismatch", "SKILL.md",
    ),
    "other size in front": (make_zip(skill(local={"size": 7})), "archive-header-mismatch", "SKILL.md"),
    "other method in front": (make_zip(skill(local={"method": 0})), "archive-header-mismatch", "SKILL.md"),
    "other checksum in front": (make_zip(skill(local={"crc": 1})), "archive-header-mismatch", "SKILL.md"),
    "encrypted in front": (make_zip(skill(local={"flags": 1})), "archive-header-mismatch", "SKILL.md"),
    "zeros in front without need": (make_zip(skill(local={"crc": 0})), "archive-header-mismatch", "SKILL.md"),
    "other sizes behind": (make_zip(described_later(skill(), lie=1)), "archive-header-mismatch", "SKILL.md"),
    "second name, central": (
        make_zip(skill(extra=struct.pack("<2HBI", 0x7075, 12, 1, 0) + b"EVIL.md", local={"extra": b""})),
        "archive-header-mismatch",
        "SKILL.md",
    ),
    "second name, in front": (
        make_zip(skill(local={"extra": struct.pack("<2HBI", 0x7075, 12, 1, 0) + b"EVIL.md"})),
        "archive-header-mismatch",
        "SKILL.md",
    ),
    "second name, after a true one": (
        make_zip(
            skill(
                extra=struct.pack("<2HBI", 0x7075, 13, 1, 0) + b"SKILL.md" + struct.pack("<2HBI", 0x7075, 12, 1, 0)
                + b"EVIL.md"
            )
        ),
        "archive-header-mismatch",
        "SKILL.md",
    ),
    "extra field cut off, central": (
        make_zip(skill(extra=struct.pack("<2HB", 0x5455, 6, 1), local={"extra": b""})),
        "archive-unreadable",
        "SKILL.md",
    ),
    "extra field cut off, in front": (
        make_zip(skill(local={"extra": struct.pack("<2HB", 0x5455, 6, 1)})), "archive-unreadable", "SKILL.md",
    ),
    "header outside": (make_zip(skill(start=10_000)), "archive-extra-data", "SKILL.md"),
    "content cut off": (make_zip(skill(packed=10_000)), "archive-unreadable", "SKILL.md"),
    "wrong checksum": (make_zip(skill(crc=1)), "archive-content-mismatch", "SKILL.md"),
    "says less than it holds": (make_zip(skill(size=3)), "archive-content-mismatch", "SKILL.md"),
    "says more than it holds": (make_zip(skill(size=3000)), "archive-content-mismatch", "SKILL.md"),
    "bomb that says it is small": (
        make_zip(skill(), Member(b"bomb", b"x", stored=BOMB)), "archive-content-mismatch", "bomb",
    ),
    "bytes behind the stream": (
        make_zip(skill(stored=deflate(SKILL) + b"more")), "archive-content-mismatch", "SKILL.md",
    ),
    "stream without an end": (
        make_zip(skill(stored=deflate(SKILL)[:-4])), "archive-content-mismatch", "SKILL.md",
    ),
    "no stream": (make_zip(skill(stored=b"\xff" * 30)), "archive-content-mismatch", "SKILL.md"),
    "stored with two sizes": (
        make_zip(skill(method=0, size=5, crc=0)), "archive-content-mismatch", "SKILL.md",
    ),
    "duplicates": (make_zip(skill(), OTHER, OTHER), "archive-duplicate-entry", "notes.md"),
    "no skill": (make_zip(OTHER), "archive-without-skill", ""),
    "nothing in it": (make_zip(), "archive-without-skill", ""),
    "a file over the limit": (
        make_zip(skill(), Member(b"bomb", b"\0" * 20_000_000, stored=BOMB)), "package-file-too-large", "bomb",
    ),
    "too much together": (
        make_zip(skill(), *(Member(b"bomb%d" % n, b"\0" * 9_000_000) for n in range(6))), "package-too-large", "",
    ),
    "too many": (
        make_zip(skill(), *(Member(b"%d" % n, b"x", method=0) for n in range(1000))), "package-too-many-files", "",
    ),
    "too many folders": (
        make_zip(skill(), *(Member(b"%d/" % n, method=0, mode=0o40755) for n in range(2000))),
        "package-too-many-files",
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "code", "entry"), REFUSED.values(), ids=REFUSED)
def test_refused_archives_give_no_skill_and_name_the_entry(data: bytes, code: str, entry: str) -> None:
    skills, loose = read(data)
    assert skills == ()
    assert (code, entry) in [(note.code, note.path) for note in loose]
    assert all(note.severity is Severity.ERROR for note in loose if note.code == code)


LEFT_OUT = {
    "traversal": (Member(b"../evil.md", b"x"), "path-dot-segment"),
    "traversal inside": (Member(b"a/../../evil.md", b"x"), "path-dot-segment"),
    "absolute": (Member(b"/etc/passwd", b"x"), "path-absolute"),
    "drive": (Member(b"C:/evil.md", b"x"), "path-absolute"),
    "backslash": (Member(b"a\\evil.md", b"x"), "path-backslash"),
    "backslash traversal": (Member(b"..\\evil.md", b"x"), "path-backslash"),
    "stream": (Member(b"a.txt:evil", b"x"), "path-colon"),
    "device name": (Member(b"CON", b"x"), "path-not-portable"),
    "trailing dot": (Member(b"a./b", b"x"), "path-not-portable"),
    "git": (Member(b".git/config", b"x"), "path-git-lookalike"),
    "git, hidden": (Member(".g\u200cit/config".encode(), b"x", flags=0x800), "path-control-char"),
    "right to left": (Member("a\u202egpj.exe".encode(), b"x", flags=0x800), "path-control-char"),
    "NUL": (Member(b"SKILL.md\0.txt", b"x"), "path-control-char"),
    "no name": (Member(b"", b"x"), "path-dot-segment"),
    "not UTF-8": (Member(b"caf\xe9.md", b"x"), "path-not-utf8"),
    "not UTF-8 but marked": (Member(b"caf\xe9.md", b"x", flags=0x800), "path-not-utf8"),
    "decomposed": (Member("cafe\u0301.md".encode(), b"x", flags=0x800), "path-not-nfc"),
    "deep": (Member(b"/".join([b"d"] * 13), b"x"), "path-too-deep"),
    "long": (Member(b"n" * 300, b"x"), "path-too-long"),
    "folder outside": (Member(b"../", method=0, mode=0o40755), "path-dot-segment"),
    "link": (Member(b"link", b"/etc/passwd", mode=0o120777), "archive-link"),
    "link in place of a folder": (Member(b"sub/", b"", method=0, mode=0o120777), "archive-link"),
    "device": (Member(b"dev", b"", method=0, mode=0o020666), "archive-special-entry"),
    "pipe": (Member(b"pipe", b"", method=0, mode=0o010666), "archive-special-entry"),
    "runs as its owner": (Member(b"su", b"x", mode=0o104755), "archive-special-entry"),
    "folder with content": (Member(b"sub/", b"x", mode=0o40755), "archive-special-entry"),
    "folder that is a file": (Member(b"sub/", b"", method=0, mode=0o100644), "archive-special-entry"),
    "file that is a folder": (Member(b"sub", b"", method=0, mode=0o40755), "archive-special-entry"),
}


@pytest.mark.parametrize(("member", "code"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_entries_that_are_left_out_with_an_error(member: Member, code: str) -> None:
    data = make_zip(skill(), member)
    (one,), _ = read(data)
    assert paths(one) == ["SKILL.md"]
    found = [note for note in every_finding(data) if note.code == code]
    assert [note.severity for note in found] == [Severity.ERROR]
    assert found[0].path.isprintable()


STAYING = {
    "case": (Member(b"notes.md", b"x"), Member(b"NOTES.md", b"y"), "path-collision"),
    "Unicode": (
        Member("stra\u00dfe.md".encode(), b"x", flags=0x800), Member(b"strasse.md", b"y"), "path-collision",
    ),
    "file as folder": (Member(b"a", b"x"), Member(b"a/b", b"y"), "path-collision"),
    "ratio": (Member(b"zeros", b"\0" * 200_000), OTHER, "archive-ratio"),
    "unmarked UTF-8": (Member("caf\u00e9.md".encode(), b"x"), OTHER, "archive-name-encoding"),
}  # fmt: skip


@pytest.mark.parametrize(("first", "second", "code"), STAYING.values(), ids=STAYING)
def test_files_that_stay_with_a_finding(first: Member, second: Member, code: str) -> None:
    data = make_zip(skill(), first, second)
    assert code in [note.code for note in every_finding(data)]
    assert len(read(data)[0][0].package.files) == 3


def test_every_code_is_in_the_table() -> None:
    for data, *_ in REFUSED.values():
        assert all(note.code in CODES and note.fix.endswith(".") for note in every_finding(data))


def test_a_bomb_is_never_unpacked_further_than_it_says() -> None:
    """The lie is known after one byte more than promised, whatever the stream would become."""
    import tracemalloc

    data = make_zip(skill(), Member(b"bomb", b"x", stored=BOMB))
    tracemalloc.start()
    read(data)
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


# --- other programs' archives ----------------------------------------------------------------------


def fill(folder: Path) -> None:
    (folder / "pdf/scripts").mkdir(parents=True)
    (folder / "pdf/SKILL.md").write_bytes(SKILL)
    (folder / "pdf/scripts/run.py").write_text("print('x')\n" * 50)
    (folder / "pdf/scripts/run.py").chmod(0o755)
    (folder / "pdf/caf\u00e9.md").write_text("x")


def run(*command: str, cwd: Path) -> bytes:
    assert shutil.which(command[0]), f"install {command[0]} (apt-get install {command[0]})"
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": os.devnull}
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, env=environment).stdout


def by_python(folder: Path) -> bytes:
    run("python3", "-m", "zipfile", "-c", "out.zip", "pdf", cwd=folder)
    return (folder / "out.zip").read_bytes()


def by_python_stream(folder: Path) -> bytes:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.written = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            self.written += bytes(data)  # type: ignore[call-overload]
            return len(bytes(data))  # type: ignore[call-overload]

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[arg-type]
        for file in sorted((folder / "pdf").rglob("*")):
            archive.write(file, file.relative_to(folder).as_posix())
    return bytes(pipe.written)


def by_git(folder: Path) -> bytes:
    run("git", "init", "-q", cwd=folder)
    run("git", "add", ".", cwd=folder)
    run("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x", cwd=folder)
    return run("git", "archive", "--format=zip", "--prefix=repo-main/", "HEAD", cwd=folder)


def by_shutil(folder: Path) -> bytes:
    return Path(shutil.make_archive(str(folder / "made"), "zip", folder, "pdf")).read_bytes()


MAKERS = {"python": by_python, "python to a pipe": by_python_stream, "git": by_git, "shutil": by_shutil}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_archives_of_other_programs_are_what_the_folder_is(tmp_path: Path, make: object) -> None:
    fill(tmp_path)
    package, _ = read_package(str(tmp_path), "pdf", "pdf", Limits())
    assert package is not None
    (one,), loose = read(make(tmp_path))  # type: ignore[operator]
    assert one.package.files == package.files
    assert loose == ()
    assert {note.code for note in one.findings} <= {"path-non-ascii", "archive-name-encoding"}


def test_our_own_archives_are_read(tmp_path: Path) -> None:
    fill(tmp_path)
    package, _ = read_package(str(tmp_path), "pdf", "pdf", Limits())
    assert package is not None
    (one,), _ = read(pack_archive(package.files).data)
    assert one.package.files == package.files


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_bytes_give_findings_or_the_files_that_every_reader_sees(data: st.DataObject) -> None:
    """One changed byte never makes an archive mean something else to us than to the standard library."""
    whole = bytearray(GOOD[data.draw(st.sampled_from(sorted(GOOD)))])
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at] = data.draw(st.integers(0, 255))
    skills, loose = read(bytes(whole[: data.draw(st.integers(len(whole) - 3, len(whole)))]))
    assert skills or loose
    if skills and not any(note.severity is Severity.ERROR for note in (*loose, *skills[0].findings)):
        with zipfile.ZipFile(io.BytesIO(bytes(whole))) as archive:
            held = {i.filename: archive.read(i) for i in archive.infolist() if not i.is_dir()}
        prefix = f"{skills[0].package.folder}/" if skills[0].package.folder else ""
        for file in skills[0].package.files:
            assert held[prefix + file.path] == file.data


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_random_bytes_are_no_archive(data: bytes) -> None:
    skills, loose = read(data)
    assert skills == ()
    assert loose


def test_an_enormous_directory_is_not_read_to_its_end() -> None:
    data = make_zip(skill(), *(Member(b"caf\xc3\xa9%d" % number, method=0) for number in range(60_000)))
    skills, loose = read(data)
    assert skills == ()
    assert "package-too-many-files" in [note.code for note in loose]
    assert len(loose) <= 2 * Limits().max_files + 2


def test_one_file_more_than_the_limit() -> None:
    file = PackageFile(PackagePath("SKILL.md"), SKILL, Sha256(""))
    packed = pack_archive([file]).data
    assert read(packed, Limits(max_files=1))[0]
    assert [n.code for n in read(packed, Limits(max_files=0))[1]] == ["package-too-many-files"]
