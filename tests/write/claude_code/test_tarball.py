"""The tarball: its bytes for ever, its form, and what other readers make of it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import random
import subprocess
import tarfile
import zlib
from pathlib import Path

import pytest

from generator.write.protocols.npm_tarball import TarballError, digest_tarball, pack_tarball

_LONG_FOLDER = "f" * 60
NAMES = {
    "short": "SKILL.md",
    "exactly-100-bytes-with-the-top-folder": "n" * 92,
    "101-bytes-in-one-part": "n" * 93,
    "divided-at-a-slash": f"{_LONG_FOLDER}/{'n' * 80}",
    "prefix-of-155": f"{'p' * 147}/{'n' * 100}",
    "prefix-of-156": f"{'p' * 148}/{'n' * 100}",
    "last-part-of-101": f"{_LONG_FOLDER}/{'n' * 101}",
    "many-folders": "/".join(["folder"] * 60),
    "chinese": "references/说明.md",
    "long-chinese": f"{'说' * 40}/{'明' * 60}.md",
    "dot": ".github/x",
    "blank": "a b/c d.md",
}


def read(data: bytes) -> dict[str, bytes]:
    found = {}
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        for member in archive:
            content = archive.extractfile(member)
            assert content is not None
            assert member.isreg()
            assert (member.mode, member.mtime, member.uid, member.gid, member.uname) == (0o644, 0, 0, 0, "")
            found[member.name] = content.read()
    return found


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_come_back(name: str, tmp_path: Path) -> None:
    data = pack_tarball([(name, b"x")])
    assert read(data) == {f"package/{name}": b"x"}
    (tmp_path / "a.tgz").write_bytes(data)
    if all(len(part.encode()) < 256 for part in name.split("/")):
        subprocess.run(
            ["tar", "-xzf", "a.tgz"],
            cwd=tmp_path,
            check=True,
            env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
        )
        assert (tmp_path / "package" / name).read_bytes() == b"x"


@pytest.mark.parametrize(
    ("case", "pax"),
    [("short", False), ("chinese", False), ("divided-at-a-slash", False), ("prefix-of-155", False),
     ("exactly-100-bytes-with-the-top-folder", False), ("101-bytes-in-one-part", False), ("prefix-of-156", True),
     ("last-part-of-101", True), ("long-chinese", True)],
)  # fmt: skip
def test_pax_only_where_a_name_fits_no_ustar_header(case: str, pax: bool) -> None:
    assert (b"path=package/" in zlib.decompress(pack_tarball([(NAMES[case], b"x")]), 31)) is pax


@pytest.mark.parametrize("size", [0, 1, 511, 512, 513, 65_535 - 1536, 65_535, 65_536, 200_001])
def test_contents_come_back_and_nothing_is_deflated(size: int) -> None:
    content = random.Random(size).randbytes(size)
    data = pack_tarball([("a", content), ("b", b"")])
    assert read(data) == {"package/a": content, "package/b": b""}
    assert content in data or size > 60_000
    plain = gzip.decompress(data)
    blocks = -(-len(plain) // 65_535)
    assert len(data) == 10 + len(plain) + 5 * blocks + 8


def test_bytes_are_those_of_the_standard_library_but_for_its_padding() -> None:
    members = [
        ("package.json", b"{}"),
        ("scripts/run.sh", b"#!/bin/sh\n"),
        (NAMES["divided-at-a-slash"], b"y"),
    ]
    theirs = io.BytesIO()
    with tarfile.open(fileobj=theirs, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, data in (members[0], members[2], members[1]):
            info = tarfile.TarInfo(f"package/{path}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    ours = gzip.decompress(pack_tarball(members))
    # The standard library leaves the device numbers empty and pads to 10 kB.
    assert theirs.getvalue()[: len(ours)].replace(b"0000000\x000000000\0", b"") == ours.replace(
        b"0000000\x000000000\0", b""
    )
    assert set(theirs.getvalue()[len(ours) :]) == {0}


def test_order_of_members_changes_nothing() -> None:
    members = [("a/b", b"1"), ("a.b", b"2"), ("说", b"3"), ("Z", b"4")]
    assert pack_tarball(members) == pack_tarball(reversed(members))
    assert list(read(pack_tarball(members))) == ["package/Z", "package/a.b", "package/a/b", "package/说"]


def test_package_json_comes_first() -> None:
    members = [(".mcp.json", b"1"), ("SKILL.md", b"2"), ("package.json", b"3"), ("a/package.json", b"4")]
    wanted = ["package.json", ".mcp.json", "SKILL.md", "a/package.json"]
    assert list(read(pack_tarball(members))) == [f"package/{path}" for path in wanted]


def test_only_named_programs_are_executable() -> None:
    data = pack_tarball([("package.json", b"{}"), ("a/run.sh", b"x"), ("run.sh", b"y")], ["a/run.sh", "gone"])
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        modes = {member.name: member.mode for member in archive}
    assert modes == {"package/package.json": 0o644, "package/a/run.sh": 0o755, "package/run.sh": 0o644}


def test_bytes_never_change() -> None:
    """Lock files of users hold this digest for tarballs that are published: no change of code may change it."""
    data = pack_tarball([("package.json", b'{"name":"x"}'), ("说明/" + "n" * 120, b"x" * 70_000), ("a", b"")])
    assert hashlib.sha256(data).hexdigest() == FOREVER


FOREVER = "a76590e651a17222e5137068f38e523da5431fe2cb135e80714110a0cddc9343"


def test_one_path_twice_is_an_error() -> None:
    with pytest.raises(TarballError, match="two files have the path 'package/a'"):
        pack_tarball([("a", b"1"), ("a", b"2")])


def test_digests_are_what_npm_writes() -> None:
    made = digest_tarball(b"abc")
    assert made.integrity == "sha512-" + base64.b64encode(hashlib.sha512(b"abc").digest()).decode()
    assert (made.shasum, made.size) == ("a9993e364706816aba3e25717850c26c9cd0d89d", 3)
