"""What a mirror's folder holds."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from generator.model import Sha256
from generator.write.protocols.changefeed import open_feed
from generator.write.protocols.changes import (
    FOLDER,
    INDEX_FILE,
    STATE_FILE,
    ChangesError,
    Feed,
    FileMark,
    is_listed,
)

_WELL_KNOWN = ".well-known"


def read_file(root: str, path: str) -> bytes | None:
    """The bytes of a regular file, None where there is none."""
    target = f"{root}/{path}"
    if os.path.islink(target) or not os.path.isfile(target):
        return None
    with open(target, "rb") as file:
        return file.read()


def load_feed(root: str) -> Feed | None:
    """The feed of what was mirrored last, None where there is none that can be read."""
    index = read_file(root, INDEX_FILE)
    if index is None:
        return None
    try:
        return open_feed(index, read_file(root, STATE_FILE), lambda _: None)
    except ChangesError:
        return None


def mark_file(root: str, path: str) -> FileMark | None:
    """The mark of a regular file, None where there is none."""
    target = f"{root}/{path}"
    if os.path.islink(target) or not os.path.isfile(target):
        return None
    with open(target, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return FileMark(Sha256(digest), file.tell())


def mark_files(root: str) -> dict[str, FileMark]:
    """The mark of every file that belongs to the hub. What is hidden at the top is not looked at.

    A symbolic link counts as a file that holds something else, so that it is replaced or removed.
    """
    return {path: mark_file(root, path) or FileMark(Sha256(""), -1) for path in list_files(root)}


def list_files(root: str) -> list[str]:
    """Every file that belongs to the hub, symbolic links among them. What is hidden at the top is not looked at."""
    return [path for path in _walk(root, "") if is_listed(path)]


def change_files(root: str) -> list[str]:
    """The files below ``changes/``."""
    return sorted(_walk(root, f"{FOLDER}/")) if os.path.isdir(f"{root}/{FOLDER}") else []


def _walk(root: str, start: str) -> Iterator[str]:
    waiting = [start]
    while waiting:
        folder = waiting.pop()
        with os.scandir(f"{root}/{folder}") as entries:
            for entry in entries:
                path = f"{folder}{entry.name}"
                if not folder and entry.name.startswith(".") and entry.name != _WELL_KNOWN:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{path}/")
                else:
                    yield path
