"""Put files on disk so that a crash at any moment leaves a hub that works.

Over an existing hub each changed file is written beside it and renamed into place; an equal file is left
alone. Into a fresh folder (no root document yet, so no hub to keep whole) files are created directly, which
costs a third. The order is the caller's: archives, then each skill's files, then lists, the root document last.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from generator.errors import PublishError

ROOT_DOCUMENT = "hub.json"
WORK_FOLDER = ".skillpress"
"""Lock, half-written files and the build's memory. Hosts need not publish it; losing it costs only time."""

_REASONS: Final = {
    errno.ENOSPC: ("the disk is full", "Free some space and try again."),
    errno.EDQUOT: ("the disk quota of this user is used up", "Free some space and try again."),
    errno.EFBIG: (
        "the file would be larger than files may be here",
        "Raise the limit (`ulimit -f` shows it) or take a file system without it, and try again.",
    ),
    errno.EROFS: (
        "the file system cannot be written to",
        "Mount it for writing, or give another folder with --out.",
    ),
}
"""By error of the system: what to say of it, and how to mend it."""


@dataclass(frozen=True, slots=True)
class Publisher:
    """Writes below one output folder. ``fresh`` is true until the folder holds a root document.

    ``scratch`` is the folder below ``root`` for files that are not whole yet, on the same file system.
    """

    root: str
    fresh: bool
    scratch: str = f"{WORK_FOLDER}/tmp"
    touched: set[str] = field(default_factory=set, repr=False, compare=False)
    """The files that were written, or found to hold what they should, in this process."""
    _proven: set[str] = field(default_factory=set, repr=False, compare=False)

    def write(self, path: str, data: bytes) -> bool:
        """Make the file at ``path`` (relative, ``/``-separated) hold ``data``; False where it already did.

        Raises:
            PublishError: the file cannot be written, or a folder on its way is a symbolic link; whatever was
                there before is untouched.
        """
        target = f"{self.root}/{path}"
        self.touched.add(path)
        try:
            self._prove_folder(path.rpartition("/")[0])
            if self.fresh:
                return self._create(target, data) or self._replace(target, data)
            return self._replace(target, data)
        except OSError as error:
            raise write_error(path, error) from None

    @contextlib.contextmanager
    def receive(self, path: str) -> Iterator[BinaryIO]:
        """A file that takes, piece by piece, what is to lie at ``path``; it does once it is whole and closed.

        Raises:
            PublishError: as :meth:`write`; whatever was there before is untouched, also where the body ends with an
                error.
        """
        target = f"{self.root}/{path}"
        half = f"{self.root}/{self.scratch}/{os.getpid()}.half"
        try:
            self._prove_folder(path.rpartition("/")[0])
            with open(half, "wb") as file:
                yield file
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.replace(half, target)
        except OSError as error:
            raise write_error(path, error) from None
        finally:
            with contextlib.suppress(OSError):
                os.unlink(half)
        self.touched.add(path)

    def _create(self, target: str, data: bytes) -> bool:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        try:
            descriptor = os.open(target, flags, 0o644)
        except FileExistsError:
            return False
        except FileNotFoundError:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            try:
                descriptor = os.open(target, flags, 0o644)
            except FileExistsError:
                return False
        _write_all(descriptor, data)
        return True

    def _replace(self, target: str, data: bytes) -> bool:
        if _holds(target, data):
            return False
        temporary = f"{self.root}/{self.scratch}/{os.getpid()}"
        _write_all(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), data)
        try:
            os.replace(temporary, target)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.replace(temporary, target)
        return True

    def _prove_folder(self, folder: str) -> None:
        """Nothing may lead out of the output folder: no folder on the way is a symbolic link."""
        if folder in self._proven:
            return
        way = ""
        for name in folder.split("/") if folder else ():
            way = f"{way}{name}"
            if way not in self._proven:
                if os.path.islink(f"{self.root}/{way}"):
                    raise PublishError(
                        f"{way}: a symbolic link in the output folder, which a build never follows. "
                        "Put a real folder in its place."
                    )
                self._proven.add(way)
            way += "/"
        self._proven.add(folder)

    def move(self, path: str, to: str) -> bool:
        """Rename a file to another place, in the place of what is there; False where there is none.

        Raises:
            PublishError: it cannot be renamed, or a folder on a way is a symbolic link.
        """
        target = f"{self.root}/{to}"
        self._prove_folder(path.rpartition("/")[0])
        self._prove_folder(to.rpartition("/")[0])
        if os.path.islink(f"{self.root}/{path}") or not os.path.isfile(f"{self.root}/{path}"):
            return False
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.replace(f"{self.root}/{path}", target)
        except OSError as error:
            raise write_error(to, error) from None
        return True

    def remove(self, path: str) -> None:
        """Remove a file or folder that no route needs any more; one that is not there is no error.

        Raises:
            PublishError: a folder on the way is a symbolic link.
        """
        self._prove_folder(path.rpartition("/")[0])
        target = f"{self.root}/{path}"
        if os.path.isdir(target) and not os.path.islink(target):
            shutil.rmtree(target, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                os.unlink(target)


@contextlib.contextmanager
def open_output(root: str) -> Iterator[Publisher]:
    """Lock an output folder for one build and give its publisher.

    Raises:
        PublishError: another build holds it, it cannot be written, or it is a folder that is not a hub's.
    """
    fresh = not os.path.isfile(f"{root}/{ROOT_DOCUMENT}")
    if fresh and os.path.isdir(root) and os.listdir(root) and not os.path.isdir(f"{root}/{WORK_FOLDER}"):
        raise PublishError(
            f"output folder {root} holds files but no hub ({ROOT_DOCUMENT}). "
            "Give the build an empty or new folder with --out."
        )
    work = f"{root}/{WORK_FOLDER}"
    publisher = Publisher(root, fresh)
    publisher._prove_folder(f"{WORK_FOLDER}/tmp")
    try:
        os.makedirs(work, exist_ok=True)
        lock = os.open(f"{work}/lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise write_error(root, error) from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise PublishError(
                f"another build is writing to output folder {root}. "
                "Wait until it ends, or give this one a folder of its own with --out."
            ) from None
        shutil.rmtree(f"{work}/tmp", ignore_errors=True)
        os.makedirs(f"{work}/tmp", exist_ok=True)
        yield publisher
    finally:
        os.close(lock)


def write_error(path: str, error: OSError) -> PublishError:
    """What an operator should read when a file cannot be written."""
    reason, mend = _REASONS.get(
        error.errno or 0, ("cannot be written", "Check the output folder and its rights.")
    )
    said = f" ({error.strerror})" if error.errno not in _REASONS and error.strerror else ""
    return PublishError(f"{path}: {reason}{said}. What was published before is untouched. {mend}")


def _holds(target: str, data: bytes) -> bool:
    """Whether a regular file holds just these bytes; a pipe or a link in its place is replaced, not opened."""
    try:
        descriptor = os.open(target, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            return False
        raise
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        status = os.fstat(descriptor)
        return stat.S_ISREG(status.st_mode) and status.st_size == len(data) and file.read() == data


def _write_all(descriptor: int, data: bytes) -> None:
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)
