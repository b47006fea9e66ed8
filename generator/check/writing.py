"""Put mended files in place: whole or not at all, never through a link, never outside the skill's folder."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file of a skill before and after. ``folder`` is the skill's on disk; ``path`` is below it, and
    ``new_path`` the same or its new name in the same folder."""

    folder: str
    path: str
    new_path: str
    before: bytes
    after: bytes


class UnwritableError(Exception):
    """A file that is left as it is; the message says why."""


def write_change(change: FileChange) -> None:
    """Write the new bytes beside the file and rename them into its place; its mode stays.

    Raises:
        UnwritableError: the file is reached through a link or is one, has other names, is not what was read,
            or cannot be written; nothing is changed then.
    """
    folder, name = _folder_of(change)
    place = os.path.join(folder, name)
    target = os.path.join(folder, change.new_path.rpartition("/")[2])
    try:
        mode = _check_unchanged(place, change.before)
        if target != place and os.path.lexists(target) and not os.path.samefile(place, target):
            raise UnwritableError(f"{os.path.basename(target)} exists already")
        if change.after != change.before:
            _replace(place, folder, change.after, mode)
        if target != place:
            os.rename(place, target)
    except OSError as error:
        raise UnwritableError(f"it cannot be written ({error.strerror or error})") from None


def _folder_of(change: FileChange) -> tuple[str, str]:
    """The file's folder on disk and its name, once no part of the way is a link."""
    *inner, name = change.path.split("/")
    if change.new_path.rpartition("/")[0] != "/".join(inner) or any(
        part in ("", ".", "..") for part in (*inner, name, change.new_path.rpartition("/")[2])
    ):
        raise UnwritableError("it does not lie in the skill's folder")
    folder = change.folder
    for part in inner:
        folder = os.path.join(folder, part)
        try:
            kind = os.lstat(folder).st_mode
        except OSError as error:
            raise UnwritableError(f"its folder is gone ({error.strerror})") from None
        if not stat.S_ISDIR(kind):
            raise UnwritableError("its folder is a symbolic link")
    return folder, name


def _check_unchanged(place: str, before: bytes) -> int:
    """The file's mode, once it is a plain file with the bytes that were read. Raises OSError."""
    flags = (
        os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    if stat.S_ISLNK(os.lstat(place).st_mode):
        raise UnwritableError("it is a symbolic link")
    with open(os.open(place, flags), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise UnwritableError("it is not a regular file")
        if status.st_nlink > 1:
            raise UnwritableError("it is a hard link: the file has another name too")
        if file.read(len(before) + 1) != before:
            raise UnwritableError("it has changed since it was read; check again")
    return stat.S_IMODE(status.st_mode)


def _replace(place: str, folder: str, data: bytes, mode: int) -> None:
    handle, scratch = tempfile.mkstemp(prefix=".skillpress-", dir=folder)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(scratch, mode)
        os.replace(scratch, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(scratch)
        raise
