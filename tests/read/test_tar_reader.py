"""Other people's tars: the ordinary ones are read as folders are, the hostile ones are refused in words."""

from __future__ import annotations

import gzip
import io
import os
import random
import shutil
import subprocess
import tarfile
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.findings import CODES
from generator.model import Finding, Severity
from generator.read.package import Limits
from generator.read.sources.archive import ArchiveContents, ArchiveLimits, archive_skills
from generator.read.sources.folder import find_skill_folders, read_package
from tests.read.tars import BLOCK, END, GNU, Part, long_name, make_tar, packed, pax, record, skill
from tests.read.zips import SKILL

OTHER = Part(b"notes.md", b"Notes.\n" * 3)
SMALL = ArchiveLimits(max_archive_bytes=8 * 2**20, max_entries=20, max_unpacked_bytes=4 * 2**20)


def read(data: bytes, limits: ArchiveLimits = ArchiveLimits()) -> ArchiveContents:  # noqa: B008
    return archive_skills(data, "pdf", Limits(), archive_limits=limits)


def every_finding(contents: ArchiveContents) -> list[Finding]:
    return [*contents.findings, *(note for one in contents.skills for note in one.findings)]


def paths(contents: ArchiveContents) -> dict[str, list[str]]:
    return {
        one.folder: [file.path for file in one.package.files]
        for one in contents.skills
        if one.package is not None
    }


# --- ordinary archives -----------------------------------------------------------------------------

LONG = b"d" * 90 + b"/" + b"n" * 60 + b".md"
GOOD = {
    "flat": (make_tar(skill(), OTHER), {"": ["SKILL.md", "notes.md"]}),
    "GNU": (make_tar(skill(magic=GNU)), {"": ["SKILL.md"]}),
    "wrapper": (make_tar(Part(b"pdf/", kind=b"5"), Part(b"pdf/SKILL.md", SKILL)), {"pdf": ["SKILL.md"]}),
    "dot wrapper": (make_tar(Part(b"./", kind=b"5"), Part(b"./SKILL.md", SKILL)), {"": ["SKILL.md"]}),
    "several skills": (
        make_tar(Part(b"s/a/SKILL.md", SKILL), Part(b"s/b/SKILL.md", SKILL), Part(b"README.md", b"x")),
        {"s/a": ["SKILL.md"], "s/b": ["SKILL.md"]},
    ),
    "nested skill is a file": (
        make_tar(skill(), Part(b"x/SKILL.md", SKILL)), {"": ["SKILL.md", "x/SKILL.md"]},
    ),
    "wrong case": (make_tar(Part(b"pdf/Skill.md", SKILL)), {"pdf": ["Skill.md"]}),
    "prefix": (make_tar(Part(b"SKILL.md", SKILL, prefix=b"a/b")), {"a/b": ["SKILL.md"]}),
    "old kind of file": (make_tar(skill(kind=b"\0")), {"": ["SKILL.md"]}),
    "old kind of folder": (make_tar(Part(b"pdf/", kind=b"0"), Part(b"pdf/SKILL.md", SKILL)), {"pdf": ["SKILL.md"]}),
    "empty file": (make_tar(skill(), Part(b"empty")), {"": ["SKILL.md", "empty"]}),
    "a full block": (make_tar(skill(), Part(b"full", b"x" * BLOCK)), {"": ["SKILL.md", "full"]}),
    "padded to a record": (make_tar(skill(), end=END + bytes(17 * BLOCK)), {"": ["SKILL.md"]}),
    "git's comment": (
        make_tar(pax((b"comment", b"0" * 40), kind=b"g"), Part(b"r-1/SKILL.md", SKILL)), {"r-1": ["SKILL.md"]},
    ),
    "times and owners": (
        make_tar(pax((b"mtime", b"1.5"), (b"uname", b"x"), (b"SCHILY.xattr.a", b"b")), skill()),
        {"": ["SKILL.md"]},
    ),
    "long name, POSIX": (
        make_tar(skill(), pax((b"path", LONG)), Part(LONG[:100], b"x")), {"": ["SKILL.md", LONG.decode()]},
    ),
    "long name, GNU": (
        make_tar(skill(), long_name(LONG + b"\0"), Part(LONG[:100], b"x", magic=GNU)),
        {"": ["SKILL.md", LONG.decode()]},
    ),
    "size said twice alike": (
        make_tar(pax((b"size", b"%d" % len(SKILL))), skill()), {"": ["SKILL.md"]},
    ),
    "name in UTF-8": (make_tar(skill(), Part("caf\u00e9.md".encode(), b"x")), {"": ["SKILL.md", "caf\u00e9.md"]}),
    "a tar inside is a file": (make_tar(skill(), Part(b"x.tar", make_tar(OTHER))), {"": ["SKILL.md", "x.tar"]}),
    "what systems leave behind": (
        make_tar(skill(), Part(b"._SKILL.md", b"x"), Part(b"__pycache__/a.pyc", b"x"), Part(b".DS_Store")),
        {"": ["SKILL.md"]},
    ),
    "big number in twelve digits": (
        make_tar(skill(size=b"%012o" % len(SKILL))), {"": ["SKILL.md"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("pack", [bytes, packed], ids=["plain", "gzip"])
@pytest.mark.parametrize(("data", "expected"), GOOD.values(), ids=GOOD)
def test_honest_archives(data: bytes, expected: dict[str, list[str]], pack: type[bytes]) -> None:
    contents = read(pack(data))
    assert paths(contents) == expected
    errors = {note.code for note in every_finding(contents) if note.severity is Severity.ERROR}
    assert errors <= {"nested-skill-md"}


def test_modes_and_contents() -> None:
    contents = read(
        make_tar(skill(), Part(b"run.sh", b"x\n", mode=b"0000755\0"), Part(b"typed", mode=b"0100644\0"))
    )
    package = contents.skills[0].package
    assert package is not None
    assert {f.path: (f.data, f.executable) for f in package.files} == {
        "SKILL.md": (SKILL, False), "run.sh": (b"x\n", True), "typed": (b"", False),
    }  # fmt: skip


# --- hostile archives ------------------------------------------------------------------------------

ONE = make_tar(skill())
REFUSED = {
    "empty": (b"", "archive-unreadable", ""),
    "no tar": (b"hello" * 200, "archive-unreadable", ""),
    "no end": (make_tar(skill(), end=b""), "archive-unreadable", ""),
    "half an end": (make_tar(skill(), end=bytes(BLOCK)), "archive-unreadable", ""),
    "content cut off": (make_tar(skill(), Part(b"a", b"x" * 5000))[:3000], "archive-unreadable", ""),
    "header cut off": (ONE[:300], "archive-unreadable", ""),
    "wrong checksum": (make_tar(skill(checksum=b"000001\0 ")), "archive-unreadable", ""),
    "checksum that is none": (make_tar(skill(checksum=b"+12345\0 ")), "archive-unreadable", ""),
    "one zero block, then more": (
        make_tar(skill(), end=bytes(BLOCK)) + make_tar(OTHER), "archive-extra-data", "",
    ),
    "second archive behind": (ONE + make_tar(OTHER), "archive-extra-data", ""),
    "bytes behind": (ONE + b"hidden", "archive-extra-data", ""),
    "zeros without end": (ONE + bytes(3 * 2**20), "archive-extra-data", ""),
    "filling that is not empty": (make_tar(skill(filling=b"!")), "archive-extra-data", "SKILL.md"),
    "two gzip streams": (packed(ONE[:700]) + packed(ONE[700:]), "archive-unreadable", ""),
    "second gzip stream behind": (packed(ONE) + packed(make_tar(OTHER)), "archive-extra-data", ""),
    "empty gzip stream behind": (packed(ONE) + packed(b""), "archive-extra-data", ""),
    "bytes behind gzip": (packed(ONE) + b"x", "archive-extra-data", ""),
    "zeros behind gzip": (packed(ONE) + bytes(10), "archive-extra-data", ""),
    "gzip cut off": (packed(ONE)[:-9], "archive-unreadable", ""),
    "gzip without checksum": (packed(ONE)[:-4], "archive-unreadable", ""),
    "gzip with a false checksum": (packed(ONE)[:-8] + b"abcd" + packed(ONE)[-4:], "archive-content-mismatch", ""),
    "gzip with a false length": (packed(ONE)[:-4] + b"\0\0\0\1", "archive-content-mismatch", ""),
    "gzip damaged": (packed(ONE)[:20] + b"\xff" * 40, "archive-content-mismatch", ""),
    "bzip2": (b"BZh91AY&SY", "archive-unsupported", ""),
    "xz": (b"\xfd7zXZ\0", "archive-unsupported", ""),
    "zstd": (b"\x28\xb5\x2f\xfd", "archive-unsupported", ""),
    "without magic": (make_tar(skill(magic=b"\0" * 8)), "archive-unsupported", "SKILL.md"),
    "star": (make_tar(skill(tail=b"\0" * 8 + b"tar\0")), "archive-unsupported", "SKILL.md"),
    "GNU with a prefix": (make_tar(skill(magic=GNU, prefix=b"evil")), "archive-unsupported", "SKILL.md"),
    "sparse, GNU": (make_tar(skill(magic=GNU, kind=b"S")), "archive-header-mismatch", "SKILL.md"),
    "sparse, GNU, empty": (make_tar(skill(), Part(b"s", kind=b"S", magic=GNU)), "archive-unsupported", "s"),
    "sparse, POSIX": (
        make_tar(pax((b"GNU.sparse.major", b"1"), (b"GNU.sparse.name", b"evil")), skill()),
        "archive-unsupported", "PaxHeaders/SKILL.md",
    ),
    "sparse, by real size": (
        make_tar(pax((b"SCHILY.realsize", b"9")), skill()), "archive-unsupported", "PaxHeaders/SKILL.md",
    ),
    "several volumes": (make_tar(skill(), Part(b"v", kind=b"M", magic=GNU)), "archive-unsupported", "v"),
    "volume label": (make_tar(Part(b"v", kind=b"V", magic=GNU), skill()), "archive-unsupported", "v"),
    "list of a folder": (make_tar(skill(), Part(b"d", kind=b"D", magic=GNU)), "archive-unsupported", "d"),
    "contiguous": (make_tar(skill(), Part(b"c", kind=b"7")), "archive-unsupported", "c"),
    "unknown kind": (make_tar(skill(), Part(b"q", kind=b"Q")), "archive-unsupported", "q"),
    "kind that is no letter": (make_tar(skill(), Part(b"q", kind=b"\xff")), "archive-unsupported", "q"),
    "link with a content": (make_tar(skill(kind=b"2")), "archive-header-mismatch", "SKILL.md"),
    "hard link with a content": (make_tar(skill(), Part(b"h", b"x", kind=b"1")), "archive-header-mismatch", "h"),
    "folder with a content": (make_tar(skill(), Part(b"d/", b"x", kind=b"5")), "archive-header-mismatch", "d/"),
    "folder by name with a content": (make_tar(skill(), Part(b"d/", b"x")), "archive-header-mismatch", "d/"),
    "size in base 256": (make_tar(skill(size=b"\x80" + b"\0" * 10 + b"\x05")), "archive-header-mismatch", "SKILL.md"),
    "negative size": (make_tar(skill(size=b"\xff" * 12)), "archive-header-mismatch", "SKILL.md"),
    "size as Python reads it": (make_tar(skill(size=b"0o55\0")), "archive-header-mismatch", "SKILL.md"),
    "size with a sign": (make_tar(skill(size=b"-0000000001\0")), "archive-header-mismatch", "SKILL.md"),
    "size of nothing": (make_tar(skill(size=b"\0" * 12)), "archive-header-mismatch", "SKILL.md"),
    "mode that is none": (make_tar(skill(mode=b"rw-r--r-")), "archive-header-mismatch", "SKILL.md"),
    "says less than it holds": (make_tar(skill(size=b"%011o\0" % 3)), "archive-extra-data", "SKILL.md"),
    "says more than it holds": (make_tar(skill(size=b"%011o\0" % 3000)), "archive-unreadable", ""),
    "other size in the extended header": (
        make_tar(pax((b"size", b"5")), skill()), "archive-header-mismatch", "SKILL.md",
    ),
    "size that is none in the extended header": (
        make_tar(pax((b"size", "\u0665".encode())), skill()), "archive-header-mismatch", "PaxHeaders/SKILL.md",
    ),
    "name for all": (
        make_tar(pax((b"path", b"evil"), kind=b"g"), skill()), "archive-unsupported", "PaxHeaders/SKILL.md",
    ),
    "size for all": (
        make_tar(pax((b"size", b"5"), kind=b"g"), skill()), "archive-unsupported", "PaxHeaders/SKILL.md",
    ),
    "other character set": (
        make_tar(pax((b"hdrcharset", b"BINARY"), (b"path", b"x")), skill()),
        "archive-unsupported", "PaxHeaders/SKILL.md",
    ),
    "other kind in the extended header": (
        make_tar(pax((b"SCHILY.filetype", b"symlink")), skill()), "archive-unsupported", "PaxHeaders/SKILL.md",
    ),
    "name said twice": (
        make_tar(pax((b"path", b"a"), (b"path", b"b")), skill()), "archive-header-mismatch", "PaxHeaders/SKILL.md",
    ),
    "two extended headers": (
        make_tar(pax((b"path", b"a")), pax((b"path", b"b")), skill()),
        "archive-header-mismatch", "PaxHeaders/SKILL.md",
    ),
    "both kinds of long name": (
        make_tar(long_name(b"a\0"), pax((b"path", b"b")), skill()), "archive-header-mismatch", "PaxHeaders/SKILL.md",
    ),
    "both kinds, the other way": (
        make_tar(pax((b"path", b"b")), long_name(b"a\0"), skill()), "archive-header-mismatch", "././@LongLink",
    ),
    "header for all in between": (
        make_tar(pax((b"path", b"b")), pax((b"comment", b"x"), kind=b"g"), skill()),
        "archive-header-mismatch", "PaxHeaders/SKILL.md",
    ),
    "two long links": (
        make_tar(long_name(b"a\0", b"K"), long_name(b"b\0", b"K"), skill()),
        "archive-header-mismatch", "././@LongLink",
    ),
    "long name without an end": (
        make_tar(long_name(b"a"), skill()), "archive-header-mismatch", "././@LongLink",
    ),
    "long name of nothing": (make_tar(long_name(b"\0"), skill()), "archive-header-mismatch", "././@LongLink"),
    "extended header without an entry": (
        make_tar(skill(), pax((b"path", b"a"))), "archive-header-mismatch", "",
    ),
    "record that counts wrong": (
        make_tar(pax(raw=b"99 path=x\n"), skill()), "archive-header-mismatch", "PaxHeaders/SKILL.md",
    ),
    "record that counts too little": (
        make_tar(pax(raw=b"5 path=x\n"), skill()), "archive-header-mismatch", "PaxHeaders/SKILL.md",
    ),
    "record without a count": (
        make_tar(pax(raw=b"path=x\n"), skill()), "archive-header-mismatch", "PaxHeaders/SKILL.md",
    ),
    "record of an absurd count": (
        make_tar(pax(raw=b"9" * 5000 + b" path=x\n"), skill()), "archive-header-mismatch", "PaxHeaders/SKILL.md",
    ),
    "huge extended header": (
        make_tar(pax((b"comment", b"x" * 70_000)), skill()), "archive-header-mismatch", "PaxHeaders/SKILL.md",
    ),
    "huge long name": (
        make_tar(long_name(b"x" * 70_000 + b"\0"), skill()), "archive-header-mismatch", "././@LongLink",
    ),
    "duplicates": (make_tar(skill(), OTHER, OTHER), "archive-duplicate-entry", "notes.md"),
    "duplicates by a dot": (make_tar(skill(), skill(name=b"./SKILL.md")), "archive-duplicate-entry", "SKILL.md"),
    "file and link of one name": (
        make_tar(Part(b"SKILL.md", kind=b"2", target=b"x"), skill()), "archive-duplicate-entry", "SKILL.md",
    ),
    "traversal": (make_tar(skill(), Part(b"../evil.md", b"x")), "path-dot-segment", "../evil.md"),
    "traversal inside": (make_tar(skill(), Part(b"a/../../e", b"x")), "path-dot-segment", "a/../../e"),
    "traversal by a prefix": (make_tar(skill(), Part(b"e", b"x", prefix=b"..")), "path-dot-segment", "../e"),
    "traversal by an extended header": (
        make_tar(skill(), pax((b"path", b"../e")), Part(b"e", b"x")), "path-dot-segment", "../e",
    ),
    "traversal by a long name": (
        make_tar(skill(), long_name(b"../e\0"), Part(b"e", b"x", magic=GNU)), "path-dot-segment", "../e",
    ),
    "folder outside": (make_tar(skill(), Part(b"../d/", kind=b"5")), "path-dot-segment", "../d"),
    "no name": (make_tar(skill(), Part(b"", b"x")), "path-dot-segment", ""),
    "absolute": (make_tar(skill(), Part(b"/etc/passwd", b"x")), "path-absolute", "/etc/passwd"),
    "drive": (make_tar(skill(), Part(b"C:/evil", b"x")), "path-absolute", "C:/evil"),
    "backslash": (make_tar(skill(), Part(b"..\\evil", b"x")), "path-backslash", "..\\evil"),
    "no skill": (make_tar(OTHER), "archive-without-skill", ""),
    "nothing in it": (make_tar(), "archive-without-skill", ""),
    "a skill that is a link": (make_tar(Part(b"SKILL.md", kind=b"2", target=b"x")), "archive-without-skill", ""),
    "too many": (make_tar(skill(), *(Part(b"%d" % n) for n in range(30))), "package-too-many-files", ""),
    "too many headers": (
        make_tar(*(pax((b"comment", b"x"), kind=b"g") for _ in range(90)), skill()), "package-too-many-files", "",
    ),
    "too many folders": (
        make_tar(skill(), *(Part(b"%d/" % n, kind=b"5") for n in range(90))), "package-too-many-files", "",
    ),
    "too large a file": (
        make_tar(skill(), Part(b"a", size=b"77777777777\0")), "package-file-too-large", "a",
    ),
    "too much together": (
        make_tar(skill(), *(Part(b"%d" % n, b"x" * 1_500_000) for n in range(3))), "package-too-large", "",
    ),
    "ratio": (packed(make_tar(skill(), Part(b"z", bytes(3 * 2**20)))), "archive-ratio", ""),
    "archive over its limit": (make_tar(skill(), Part(b"a", bytes(8 * 2**20))), "package-too-large", ""),
    "headers without end": (packed(pax((b"comment", b"x" * 60_000), kind=b"g").pack() * 400), "package-too-large", ""),
}  # fmt: skip


@pytest.mark.parametrize(("data", "code", "entry"), REFUSED.values(), ids=REFUSED)
def test_refused_archives_give_no_skill_and_name_the_entry(data: bytes, code: str, entry: str) -> None:
    contents = read(data, SMALL)
    assert contents.skills == ()
    assert (code, entry) in [(note.code, note.path) for note in contents.findings]
    assert all(
        n.code in CODES and n.fix.endswith(".") and n.message[0].isprintable() for n in contents.findings
    )


LEFT_OUT = {
    "link": (Part(b"link", kind=b"2", target=b"/etc/passwd"), "archive-link"),
    "hard link": (Part(b"link", kind=b"1", target=b"SKILL.md"), "archive-link"),
    "character device": (Part(b"dev", kind=b"3"), "archive-special-entry"),
    "block device": (Part(b"dev", kind=b"4"), "archive-special-entry"),
    "pipe": (Part(b"pipe", kind=b"6"), "archive-special-entry"),
    "runs as its owner": (Part(b"su", b"x", mode=b"0004755\0"), "archive-special-entry"),
    "runs as its group": (Part(b"su", b"x", mode=b"0002755\0"), "archive-special-entry"),
    "stream": (Part(b"a.txt:evil", b"x"), "path-colon"),
    "device name": (Part(b"CON", b"x"), "path-not-portable"),
    "trailing dot": (Part(b"a./b", b"x"), "path-not-portable"),
    "git, hidden": (Part("g\u200cit/config".encode(), b"x"), "path-control-char"),
    "git, short name": (Part(b"git~1/config", b"x"), "path-git-lookalike"),
    "right to left": (Part("a\u202egpj.exe".encode(), b"x"), "path-control-char"),
    "NUL inside": (Part(b"SKILL.md\0.txt", b"x"), "path-control-char"),
    "not UTF-8": (Part(b"caf\xe9.md", b"x"), "path-not-utf8"),
    "decomposed": (Part("cafe\u0301.md".encode(), b"x"), "path-not-nfc"),
    "deep": (Part(b"/".join([b"d"] * 13), b"x"), "path-too-deep"),
}


@pytest.mark.parametrize(("part", "code"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_entries_that_are_left_out_with_an_error(part: Part, code: str) -> None:
    contents = read(make_tar(skill(), part, OTHER))
    assert paths(contents) == {"": ["SKILL.md", "notes.md"]}
    found = [note for note in every_finding(contents) if note.code == code]
    assert [note.severity for note in found] == [Severity.ERROR]
    assert found[0].path.isprintable()


STAYING = {
    "case": (Part(b"notes.md", b"x"), Part(b"NOTES.md", b"y")),
    "Unicode": (Part("stra\u00dfe.md".encode(), b"x"), Part(b"strasse.md", b"y")),
    "file as folder": (Part(b"a", b"x"), Part(b"a/b", b"y")),
}


@pytest.mark.parametrize(("first", "second"), STAYING.values(), ids=STAYING)
def test_colliding_names_are_told(first: Part, second: Part) -> None:
    assert "path-collision" in [note.code for note in every_finding(read(make_tar(skill(), first, second)))]


def test_the_limits_of_one_skill_do_not_touch_its_neighbour() -> None:
    data = make_tar(Part(b"a/SKILL.md", SKILL), Part(b"a/big", b"x" * 5000), Part(b"b/SKILL.md", SKILL))
    contents = archive_skills(data, "pdf", Limits(max_file_bytes=4000))
    assert [(one.folder, one.package is None) for one in contents.skills] == [("a", True), ("b", False)]
    assert [(n.code, n.path) for n in contents.skills[0].findings] == [("package-file-too-large", "a/big")]


def test_a_bomb_costs_neither_memory_nor_time() -> None:
    bomb = gzip.compress(make_tar(skill(), Part(b"z", bytes(200 * 2**20))))
    tracemalloc.start()
    started = time.process_time()
    assert [n.code for n in read(bomb).findings] == ["archive-ratio"]
    assert tracemalloc.get_traced_memory()[1] < 60 * 2**20
    tracemalloc.stop()
    assert time.process_time() - started < 3


def test_a_giant_size_is_refused_before_anything_is_unpacked() -> None:
    tracemalloc.start()
    read(packed(make_tar(skill(), Part(b"z", size=b"77777777777\0"))))
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()


# --- whatever else ---------------------------------------------------------------------------------


@given(st.data())
@settings(max_examples=300)
def test_no_change_of_bytes_makes_it_raise(data: st.DataObject) -> None:
    whole = bytearray(
        make_tar(
            skill(), long_name(LONG + b"\0"), Part(LONG[:100], b"x", magic=GNU), pax((b"path", b"p")), OTHER
        )
    )
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    raw = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    for note in every_finding(read(packed(raw) if data.draw(st.booleans()) else raw)):
        assert note.code in CODES
        assert note.path.isprintable()


@given(st.binary(max_size=3000))
def test_random_bytes_give_no_skill(data: bytes) -> None:
    contents = read(data)
    assert contents.skills == ()
    assert contents.findings


def test_records_count_themselves() -> None:
    assert record(b"path", b"x") == b"9 path=x\n"
    assert len(record(b"path", b"y" * 90)) == int(record(b"path", b"y" * 90).split(b" ")[0])


# --- other programs' archives, and the folder they come from ---------------------------------------


def fill(folder: Path) -> None:
    for name, content in {
        "pdf/SKILL.md": SKILL, "pdf/scripts/run.py": b"print('x')\n" * 50, "pdf/" + "long/" * 8 + "n" * 120: b"x",
        "pdf/caf\u00e9.md": b"x", "pdf/.env": b"x", "pdf/__pycache__/x.pyc": b"x", "two/SKILL.md": SKILL,
        "two/sub/skill.md": b"x", "node_modules/x/SKILL.md": SKILL, ".hidden/SKILL.md": SKILL, "README.md": b"x",
    }.items():  # fmt: skip
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_bytes(content)
    (folder / "in/pdf/scripts/run.py").chmod(0o755)


def run(*command: str, cwd: Path) -> None:
    assert shutil.which(command[0]), f"install {command[0]} (apt-get install {command[0]})"
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(command, cwd=cwd, check=True, capture_output=True, env=environment)


def by_python(folder: Path, form: int) -> None:
    with tarfile.open(folder / "out", "w:gz", format=form) as tar:
        tar.add(folder / "in", arcname=".")


PROGRAMS = {
    "tar": lambda f: run("tar", "-czf", "../out", ".", cwd=f / "in"),
    "tar --format=posix": lambda f: run("tar", "--format=posix", "-cf", "../out", ".", cwd=f / "in"),
    "tar --format=gnu": lambda f: run(
        "tar", "--format=gnu", "-czf", "../out", "pdf", "two", "README.md", cwd=f / "in"
    ),
    "tar --sort, owner": lambda f: run(
        "tar", "--sort=name", "--owner=9999999", "-cf", "../out", ".", cwd=f / "in"
    ),
    "tarfile, POSIX": lambda f: by_python(f, tarfile.PAX_FORMAT),
    "tarfile, GNU": lambda f: by_python(f, tarfile.GNU_FORMAT),
}


@pytest.mark.parametrize("pack", PROGRAMS.values(), ids=PROGRAMS)
def test_other_programs_archives_give_what_the_folder_gives(pack: object, tmp_path: Path) -> None:
    fill(tmp_path)
    pack(tmp_path)  # type: ignore[operator]
    contents = read((tmp_path / "out").read_bytes())
    root = str(tmp_path / "in")
    expected = [read_package(root, "pdf", folder, Limits()) for folder in find_skill_folders(root).folders]
    assert [one.package for one in contents.skills] == [package for package, _ in expected]
    assert [one.findings for one in contents.skills] == [notes for _, notes in expected]


def test_what_git_archives(tmp_path: Path) -> None:
    fill(tmp_path)
    tree = tmp_path / "in"
    run("git", "init", "-q", cwd=tree)
    run("git", "add", "-f", ".", cwd=tree)
    run("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x", cwd=tree)
    run("git", "archive", "--prefix=repo-1/", "-o", "../out.tgz", "HEAD", cwd=tree)
    contents = read((tmp_path / "out.tgz").read_bytes())
    assert contents.findings == ()
    expected = [read_package(str(tree), "pdf", folder, Limits())[0] for folder in ("pdf", "two")]
    assert [one.package.files for one in contents.skills if one.package] == [p.files for p in expected if p]
    assert [one.folder for one in contents.skills] == ["repo-1/pdf", "repo-1/two"]


def test_ten_thousand_entries_are_read_in_a_second() -> None:
    spread = random.Random(1)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        for number in range(10_000):
            info = tarfile.TarInfo(f"s{number // 10}/{'SKILL.md' if number % 10 == 0 else number}")
            content = SKILL + spread.randbytes(200)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    started = time.process_time()
    assert len(read(raw.getvalue()).skills) == 1000
    assert time.process_time() - started < 4
