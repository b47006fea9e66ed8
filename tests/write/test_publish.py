"""Writing: nothing half-written is ever in the place of something whole."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from generator.errors import PublishError
from generator.write import publish
from generator.write.publish import ROOT_DOCUMENT, WORK_FOLDER, Publisher, open_output, write_error


def files_below(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and WORK_FOLDER not in path.parts
    }


@pytest.mark.parametrize("fresh", [True, False], ids=["fresh folder", "existing hub"])
def test_write_compare_replace(tmp_path: Path, fresh: bool) -> None:
    if not fresh:
        (tmp_path / ROOT_DOCUMENT).write_bytes(b"{}")
        (tmp_path / WORK_FOLDER).mkdir()
    with open_output(str(tmp_path)) as publisher:
        assert publisher.fresh is fresh
        assert publisher.write("a/b/c.txt", b"one")
        assert not publisher.write("a/b/c.txt", b"one")
        assert publisher.write("a/b/c.txt", b"two")
        assert publisher.write("a/b/c.txt", b"")
        assert publisher.write("d.txt", b"d")
    expected = {"a/b/c.txt": b"", "d.txt": b"d"} | ({} if fresh else {ROOT_DOCUMENT: b"{}"})
    assert files_below(tmp_path) == expected


def test_equal_file_is_not_touched(tmp_path: Path) -> None:
    with open_output(str(tmp_path)) as publisher:
        publisher.write("a", b"one")
        os.utime(tmp_path / "a", ns=(1, 1))
        assert not publisher.write("a", b"one")
    assert (tmp_path / "a").stat().st_mtime_ns == 1


def test_remove(tmp_path: Path) -> None:
    with open_output(str(tmp_path)) as publisher:
        publisher.write("a/b", b"x")
        publisher.write("c", b"x")
        publisher.remove("a")
        publisher.remove("c")
        publisher.remove("never/there")
    assert files_below(tmp_path) == {}


def test_a_folder_that_is_no_hub_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(PublishError, match=r"holds files but no hub .*--out"), open_output(str(tmp_path)):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_two_builds_do_not_mix(tmp_path: Path) -> None:
    with (
        open_output(str(tmp_path)),
        pytest.raises(PublishError, match="another build"),
        open_output(str(tmp_path)),
    ):
        pass
    with open_output(str(tmp_path)):
        pass


def test_left_over_halves_are_cleared(tmp_path: Path) -> None:
    half = tmp_path / WORK_FOLDER / "tmp" / "4711"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"half")
    with open_output(str(tmp_path)):
        assert not half.exists()


def test_full_disk_says_so_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_output(str(tmp_path)) as publisher:
        publisher.write("a", b"old")

    def full(descriptor: int, data: bytes) -> None:
        os.close(descriptor)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(publish, "_write_all", full)
    with pytest.raises(PublishError, match=r"^a: the disk is full.*untouched"):
        Publisher(str(tmp_path), fresh=False).write("a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"


SAID = {
    errno.ENOSPC: "^a/b: the disk is full. What was published before is untouched. Free some space",
    errno.EDQUOT: "^a/b: the disk quota of this user is used up.* untouched",
    errno.EFBIG: "^a/b: the file would be larger than files may be here.* untouched.*`ulimit -f`",
    errno.EROFS: "^a/b: the file system cannot be written to.* untouched",
    errno.EACCES: r"^a/b: cannot be written \(Permission denied\).* untouched.* rights",
}


@pytest.mark.parametrize("number", SAID, ids=errno.errorcode.get)
def test_what_is_said_where_a_file_cannot_be_written(number: int) -> None:
    with pytest.raises(PublishError, match=SAID[number]):
        raise write_error("a/b", OSError(number, os.strerror(number)))


def test_a_file_is_received_whole_or_not_at_all(tmp_path: Path) -> None:
    with open_output(str(tmp_path)) as publisher:
        publisher.write("a/b", b"old")
        with pytest.raises(TypeError), publisher.receive("a/b") as file:
            file.writelines([b"half", None])  # type: ignore[list-item]
        assert (tmp_path / "a/b").read_bytes() == b"old"
        with publisher.receive("c/d") as file:
            file.write(b"new")
        assert (tmp_path / "c/d").read_bytes() == b"new"
        assert list((tmp_path / ".skillpress/tmp").iterdir()) == []


def test_a_folder_in_the_place_of_a_file_is_a_clear_error(tmp_path: Path) -> None:
    with open_output(str(tmp_path)) as publisher:
        publisher.write("a/b", b"x")
        with pytest.raises(PublishError, match=r"^a: cannot be written"):
            publisher.write("a", b"x")


def _write_for_ever(root: str) -> None:
    publisher = Publisher(root, fresh=False)
    for number in range(1_000_000):
        publisher.write("a", bytes([number % 256]) * 1_000_000)


def test_killed_while_writing_the_file_is_whole(tmp_path: Path) -> None:
    (tmp_path / WORK_FOLDER / "tmp").mkdir(parents=True)
    (tmp_path / "a").write_bytes(b"\x00" * 1_000_000)
    for milliseconds in range(20, 120, 10):
        process = multiprocessing.get_context("fork").Process(target=_write_for_ever, args=(str(tmp_path),))
        process.start()
        process.join(milliseconds / 1000)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        data = (tmp_path / "a").read_bytes()
        assert len(data) == 1_000_000
        assert len(set(data)) == 1
