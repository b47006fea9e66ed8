"""The archive's bytes, against the standard library's writer and readers."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model import PackageFile, PackagePath, Sha256
from generator.write.archive import ArchiveError, pack_archive, read_archive

REPOSITORY = Path(__file__).parents[2]
GOLDEN = "a36fb4847cbaa724d5a331c0a10325e4757e5247beb7c789d3899a4f2feef5ef"

PACK_SAMPLE = """
import sys
from hashlib import sha256
sys.path.insert(0, sys.argv[1])
from tests.write.test_archive import SAMPLE
from generator.write.archive import pack_archive
print(sha256(pack_archive(SAMPLE).data).hexdigest())
"""


def make_file(path: str, data: bytes, executable: bool = False) -> PackageFile:
    return PackageFile(PackagePath(path), data, Sha256(sha256(data).hexdigest()), executable)


SAMPLE = (
    make_file("SKILL.md", b"---\nname: demo\ndescription: Demo.\n---\n# Demo\n"),
    make_file("_first.txt", b""),
    make_file("assets/r\u00e9sum\u00e9.txt", "r\u00e9sum\u00e9\r\n".encode()),
    make_file("references/\u7ffb\u8bd1.md", "\u7ffb\u8bd1\n".encode()),
    make_file("scripts/run.sh", b"#!/bin/sh\necho hello\n", executable=True),
    make_file("zeros.bin", bytes(5000)),
)


def pack_with_zipfile(files) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(files, key=lambda file: file.path.encode("utf-8")):
            info = zipfile.ZipInfo(file.path, (1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = (0o100755 if file.executable else 0o100644) << 16
            archive.writestr(info, file.data)
    return buffer.getvalue()


def test_bytes_are_golden():
    assert sha256(pack_archive(SAMPLE).data).hexdigest() == GOLDEN


def test_bytes_are_what_the_standard_library_writes():
    assert pack_archive(SAMPLE).data == pack_with_zipfile(SAMPLE)


def test_the_standard_library_reads_it_back():
    with zipfile.ZipFile(BytesIO(pack_archive(SAMPLE).data)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == sorted((f.path for f in SAMPLE), key=str.encode)
        assert archive.comment == b""
        for file in SAMPLE:
            info = archive.getinfo(file.path)
            assert archive.read(info) == file.data
            assert info.external_attr >> 16 == (0o100755 if file.executable else 0o100644)
            assert info.flag_bits == (0 if file.path.isascii() else 0x800)
            assert (info.compress_type, info.extra, info.date_time) == (0, b"", (1980, 1, 1, 0, 0, 0))


def test_offsets_slice_files_out_of_the_archive():
    packed = pack_archive(SAMPLE)
    assert set(packed.offsets) == {file.path for file in SAMPLE}
    for file in SAMPLE:
        at = packed.offsets[file.path]
        assert packed.data[at : at + file.size] == file.data


def test_order_of_files_does_not_matter():
    assert pack_archive(SAMPLE) == pack_archive(tuple(reversed(SAMPLE)))


def test_an_archive_of_nothing_is_a_zip():
    packed = pack_archive(())
    assert packed.data == pack_with_zipfile(())
    assert read_archive(packed.data) == ()


@pytest.mark.parametrize(
    "environment",
    [
        {"TZ": "Pacific/Kiritimati"},
        {"TZ": "America/Los_Angeles", "LC_ALL": "C"},
        {"LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "4242", "PYTHONUTF8": "0", "LANG": "C"},
    ],
    ids=lambda environment: " ".join(environment.values()),
)
def test_bytes_do_not_depend_on_the_machine(environment):
    done = subprocess.run(
        [sys.executable, "-c", PACK_SAMPLE, str(REPOSITORY)],
        env={"PATH": os.environ["PATH"], **environment}, capture_output=True, text=True, check=True, cwd="/",
    )  # fmt: skip
    assert done.stdout.strip() == GOLDEN


OTHER_PYTHONS = sorted((Path.home() / ".pyenv" / "versions").glob("3.1[1-9]*/bin/python"))


@pytest.mark.parametrize("python", OTHER_PYTHONS, ids=lambda path: path.parts[-3])
def test_bytes_do_not_depend_on_the_python(python):
    script = (
        "import sys; from hashlib import sha256; sys.path.insert(0, sys.argv[1])\n"
        "from generator.model import PackageFile\n"
        "from generator.write.archive import pack_archive\n"
        "files = [PackageFile(p, bytes.fromhex(d), '', e == '1') for p, d, e in (a.split('|') for a in sys.argv[2:])]\n"
        "print(sha256(pack_archive(files).data).hexdigest())\n"
    )
    rows = [f"{file.path}|{file.data.hex()}|{int(file.executable)}" for file in SAMPLE]
    done = subprocess.run(
        [str(python), "-c", script, str(REPOSITORY), *rows],
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
    )
    assert done.stdout.strip() == GOLDEN


def test_unzip_finds_no_fault(tmp_path):
    path = tmp_path / "skill.zip"
    path.write_bytes(pack_archive(SAMPLE).data)
    done = subprocess.run(["unzip", "-t", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, "No errors detected" in done.stdout) == (0, True), done.stdout


def test_two_files_of_one_path_are_refused():
    with pytest.raises(ArchiveError, match=r"two files have the path 'a\.md'"):
        pack_archive([make_file("a.md", b"1"), make_file("a.md", b"2")])


def test_more_files_than_a_plain_zip_holds_are_refused():
    many = [PackageFile(PackagePath(str(n)), b"", Sha256("")) for n in range(65_535)]
    with pytest.raises(ArchiveError, match="65535 files"):
        pack_archive(many)


def test_reading_gives_the_files_back():
    assert read_archive(pack_archive(SAMPLE).data) == tuple(sorted(SAMPLE, key=lambda file: file.path))


def deflated() -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            zipfile.ZipInfo("SKILL.md", (1980, 1, 1, 0, 0, 0)), b"text" * 99, zipfile.ZIP_DEFLATED
        )
    return buffer.getvalue()


OURS = pack_archive(SAMPLE).data
FOREIGN = {
    "nothing": b"",
    "no zip": b"hello" * 20,
    "deflated": deflated(),
    "cut short": OURS[:-1],
    "trailing byte": OURS + b"\0",
    "leading byte": b"\0" + OURS,
    "content changed": OURS.replace(b"# Demo", b"# demo"),
    "date changed": OURS.replace(b"\x21\x00", b"\x22\x00"),
    "comment": OURS[:-2] + b"\x03\x00abc",
    "path that climbs": pack_archive([make_file("../a.md", b"x")]).data,
    "absolute path": pack_archive([make_file("/a.md", b"x")]).data,
    "backslash": pack_archive([make_file("a\\b.md", b"x")]).data,
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_anything_else_is_refused(kind):
    with pytest.raises(ArchiveError, match="not written by Skillpress"):
        read_archive(FOREIGN[kind])


SEGMENT = st.text(st.characters(codec="utf-8", exclude_characters="/\\"), min_size=1, max_size=8).filter(
    lambda part: part not in (".", "..") and "\0" not in part
)
FILES = st.dictionaries(
    st.lists(SEGMENT, min_size=1, max_size=3).map("/".join),
    st.tuples(st.binary(max_size=40), st.booleans()),
    max_size=6,
).map(lambda table: tuple(make_file(path, *rest) for path, rest in sorted(table.items())))


@given(FILES)
def test_any_package_goes_through_and_equals_the_oracle(files):
    packed = pack_archive(files)
    assert packed.data == pack_with_zipfile(files)
    assert read_archive(packed.data) == files


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(data):
    with pytest.raises(ArchiveError):
        read_archive(b"x" + data)


@settings(max_examples=300)
@given(st.integers(0, len(OURS) - 1), st.integers(1, 255))
def test_no_flipped_byte_goes_unnoticed(at, flip):
    changed = bytearray(OURS)
    changed[at] ^= flip
    with pytest.raises(ArchiveError):
        read_archive(bytes(changed))
