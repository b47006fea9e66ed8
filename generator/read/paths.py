"""Which file paths a package may hold: the rules an installer on any system can keep.

The rules are those of our strict archive reader (``security.md`` sections 4 and 6): a package that is read
from a folder today must unpack on Windows, macOS and Linux tomorrow, without landing anywhere else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from generator.model import PackagePath

MAX_DEPTH: Final = 12
"""Most segments of a path, the file's name included."""
MAX_SEGMENT_BYTES: Final = 255
"""Longest segment in UTF-8 bytes: what ext4, APFS and NTFS can hold."""
MAX_PATH_BYTES: Final = 1024
"""Longest path in UTF-8 bytes: macOS's limit, the smallest of the three."""

_RESERVED: Final = r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])"
_RESERVED_SEGMENT: Final = re.compile(rf"{_RESERVED}[ ]*(?:\..*)?", re.IGNORECASE | re.DOTALL)
_PLAIN_SEGMENT: Final = rf"(?!{_RESERVED}(?:[./]|\Z))[A-Za-z0-9_][A-Za-z0-9_.-]*(?<!\.)"
_PLAIN: Final = re.compile(rf"{_PLAIN_SEGMENT}(?:/{_PLAIN_SEGMENT})*", re.IGNORECASE | re.ASCII)
_NOT_ON_WINDOWS: Final = re.compile(r'[<>"|?*]')
_HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs"})
_BLANK_LETTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters by category that show as nothing."""


@dataclass(frozen=True, slots=True)
class PathProblem:
    """Why a path cannot be in a package: a finding code, and words for the author."""

    code: str
    message: str
    fix: str


def path_problem(path: str) -> PathProblem | None:
    """The first rule that ``path`` breaks, or None. Paths from the file system may hold surrogate escapes."""
    if len(path) <= MAX_SEGMENT_BYTES and path.count("/") < MAX_DEPTH and _PLAIN.fullmatch(path):
        return None
    shown = printable(path)
    if any("\ud800" <= c <= "\udfff" for c in path):
        return PathProblem(
            "path-not-utf8", f"The name {shown} is not UTF-8", "Rename the file with UTF-8 characters."
        )
    if path.startswith("/") or re.match(r"[A-Za-z]:[/\\]", path):
        return PathProblem(
            "path-absolute", f"{shown} is an absolute path", "Use a path relative to the skill's folder."
        )
    segments = path.split("/")
    if any(s in ("", ".", "..") for s in segments):
        return PathProblem(
            "path-dot-segment",
            f"The path {shown!r} has an empty, . or .. segment",
            "Use a plain relative path.",
        )
    if "\\" in path:
        return PathProblem("path-backslash", f"{shown} contains a backslash", "Rename the file.")
    if ":" in path:
        return PathProblem("path-colon", f"{shown} contains a colon", "Rename the file.")
    hidden = next(
        (c for c in path if unicodedata.category(c) in _HIDDEN_CATEGORIES or c in _BLANK_LETTERS), ""
    )
    if hidden:
        return PathProblem(
            "path-control-char",
            f"{shown} contains the invisible character U+{ord(hidden):04X}",
            "Rename the file without it.",
        )
    if not unicodedata.is_normalized("NFC", path):
        return PathProblem(
            "path-not-nfc",
            f"{shown} is not in Unicode normal form C",
            f"Rename it to {unicodedata.normalize('NFC', path)} (composed characters).",
        )
    if len(segments) > MAX_DEPTH:
        return PathProblem(
            "path-too-deep", f"{_short(shown)} is more than {MAX_DEPTH} levels deep", "Flatten the folders."
        )
    longest = max(len(s.encode("utf-8")) for s in segments)
    if longest > MAX_SEGMENT_BYTES or len(path.encode("utf-8")) > MAX_PATH_BYTES:
        limit = f"{MAX_SEGMENT_BYTES} bytes a name, {MAX_PATH_BYTES} bytes a path"
        return PathProblem("path-too-long", f"{_short(shown)} is over {limit}", "Shorten the name.")
    return next((problem for s in segments if (problem := _segment_problem(s, shown)) is not None), None)


def path_notice(path: str) -> PathProblem | None:
    """What an author should know of a path that is fine as it is, or None."""
    found = _NOT_ON_WINDOWS.search(path)
    if found is None and path.isascii():
        return None
    if found is not None:
        return PathProblem(
            "path-windows-char",
            f"{printable(path)} contains {found[0]}, which Windows does not allow in names",
            "Rename the file without it.",
        )
    return PathProblem(
        "path-non-ascii",
        f"{printable(path)} is not ASCII; its place in the ClawHub fingerprint depends on the reader's language",
        "Use ASCII letters where you can.",
    )


def parse_package_path(path: str) -> PackagePath | PathProblem:
    """``path`` as a proven package path, or why it is none."""
    return path_problem(path) or PackagePath(path)


def collision_key(path: str) -> str:
    """What file systems that ignore case and Unicode variants make of a path."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


def find_collisions(paths: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of paths that cannot exist side by side everywhere: equal but for case, or a file as a folder."""
    files: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []
    folders: dict[str, str] = {}
    for path in paths:
        key = collision_key(path)
        first = files.setdefault(key, path)
        if first != path:
            pairs.append((first, path))
        at = key.rfind("/")
        while at > 0 and key[:at] not in folders:
            folders[key[:at]] = path
            at = key.rfind("/", 0, at)
    pairs.extend((files[key], inside) for key, inside in folders.items() if key in files)
    return tuple(pairs)


def printable(path: str) -> str:
    """``path`` as text that can stand in JSON and on a terminal: bytes that are not UTF-8 and invisible
    characters as escapes (``caf\\xe9.md``)."""
    if path.isascii() and path.isprintable():
        return path
    shown = []
    for char in path:
        if "\udc80" <= char <= "\udcff":
            shown.append(f"\\x{ord(char) - 0xDC00:02x}")
        elif char.isprintable():
            shown.append(char)
        else:
            shown.append(f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}")
    return "".join(shown)


def _segment_problem(segment: str, shown: str) -> PathProblem | None:
    folded = collision_key(segment)
    if folded in (".git", "git~1") or re.fullmatch(r"\.?git[. ]+|\.git~\d+", folded):
        return PathProblem("path-git-lookalike", f"{shown} looks like git's own folder", "Rename it.")
    code = "path-not-portable"
    if segment[-1] in ". ":
        return PathProblem(code, f"{shown} ends in a dot or a space, which Windows removes", "Rename it.")
    if segment[0] == " ":
        return PathProblem(code, f"{shown} starts with a space", "Rename it.")
    if _RESERVED_SEGMENT.fullmatch(segment):
        return PathProblem(code, f"{shown} is the name of a device on Windows", "Rename it.")
    return None


def _short(shown: str) -> str:
    return shown if len(shown) <= 80 else shown[:79] + "…"
