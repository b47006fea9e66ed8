"""One pass of ``git log``: every commit with the folders and manifest files it changed, parents before children.

Each commit is compared with its first parent only. Commits that change nothing below the sub-path are there too
(``--full-history --sparse``), with no changes: the line of first parents must have no holes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from generator.model import TimeMs
from generator.read.package import is_manifest_name
from generator.read.sidefiles import META_JSON, PLUGIN_JSON, SKILL_YAML
from generator.read.sources.git.commits import commit_time
from generator.read.sources.git.process import GitError, GitProcess
from generator.read.sources.git.refs import OBJECT_ID
from generator.read.sources.git.repository import Repository

_SECONDS: Final = 900.0
_MOST_COMMITS: Final = 1_000_000
_MOST_BYTES: Final = 8 * 2**30
_LONGEST_TOKEN: Final = 64 * 1024
_PIECE: Final = 1 << 20
_FOLDER: Final = b"040000"
_NOTHING: Final = b"000000"

VERSION_FILES: Final = (SKILL_YAML, PLUGIN_JSON, META_JSON)
"""Files besides ``SKILL.md`` that can state a skill's version (see :mod:`generator.read.manifest`)."""
_SIDE_ENDS: Final = tuple(name.encode() for name in VERSION_FILES)


@dataclass(frozen=True, slots=True)
class Change:
    """A file that matters to versions, after a commit. ``file`` is its path in ``folder``.

    ``blob`` is None where the file has gone, and ``""`` where it is there but no regular file.
    """

    folder: str
    file: str
    blob: str | None


@dataclass(frozen=True, slots=True)
class LoggedCommit:
    """One commit. ``folders`` are changed folders with their tree after it (None where gone), relative to the
    sub-path; ``""`` is the sub-path itself, and only there where something changed. ``subject`` is as written."""

    object_id: str
    parents: tuple[str, ...]
    time: TimeMs
    subject: str
    folders: dict[str, str | None]
    changes: tuple[Change, ...]


def read_log(repository: Repository, commit: str, sub_path: str) -> Iterator[LoggedCommit]:
    """Every commit that ``commit`` descends from, and itself last.

    Raises:
        GitError: an object is missing or damaged, or a bound is passed (15 minutes, 8 GiB, a million commits).
    """
    arguments = [
        "log", "-z", "--raw", "-r", "-t", "--no-abbrev", "--no-renames", "--diff-merges=first-parent", "--root",
        "--topo-order", "--reverse", "--full-history", "--sparse", "--no-ext-diff", "--no-textconv",
        "--no-color", "--no-decorate", "--no-notes", "--no-mailmap", "--no-show-signature", "--encoding=UTF-8",
        "--ignore-submodules=none", "--format=tformat:%H %T %ct %P%n%s", "--end-of-options", commit, "--",
    ]  # fmt: skip
    prefix = "".join(f"{part}/" for part in sub_path.split("/") if part not in ("", "."))
    if prefix:
        arguments.append(prefix[:-1])
    head: bytes | None = None
    lines: list[tuple[bytes, bytes]] = []
    count = 0
    with GitProcess(arguments, repository.place) as process, process.limited(_SECONDS):
        tokens = _tokens(process)
        for token in tokens:
            if token[:1] == b":" or token[:2] == b"\n:":
                path = next(tokens, b"")
                lines.append((token.lstrip(b"\n"), path))
            elif token.strip():
                if head is not None:
                    yield _commit(head, lines, prefix, repository.id_length)
                head, lines = token, []
                count += 1
                if count > _MOST_COMMITS:
                    raise GitError(f"The repository {repository.label} has over {_MOST_COMMITS:,} commits.")
        process.finish()
    if head is not None:
        yield _commit(head, lines, prefix, repository.id_length)


def _tokens(process: GitProcess) -> Iterator[bytes]:
    """What stands between NULs; only the first 64 KiB of what is longer (no path and no subject we show is)."""
    rest = b""
    read = 0
    while piece := process.stdout.read(_PIECE):
        read += len(piece)
        if read > _MOST_BYTES:
            raise GitError(f"git log said over {_MOST_BYTES:,} bytes, which is the limit.")
        parts = piece.split(b"\0")
        parts[0] = rest + parts[0]
        rest = parts.pop()[: 2 * _LONGEST_TOKEN]
        for part in parts:
            yield part if len(part) <= _LONGEST_TOKEN else part[:_LONGEST_TOKEN]
    if rest:
        yield rest[:_LONGEST_TOKEN]


def _commit(head: bytes, lines: list[tuple[bytes, bytes]], prefix: str, id_length: int) -> LoggedCommit:
    first, _, subject = head.lstrip(b"\n").partition(b"\n")
    words = first.decode("ascii", "replace").split(" ")
    if len(words) < 4 or not all(OBJECT_ID.fullmatch(word) for word in (*words[:2], *words[3:]) if word):
        raise GitError("git log is not understood: a commit has no ids.")
    folders: dict[str, str | None] = {}
    changes: list[Change] = []
    cut = len(prefix.encode("utf-8", "surrogateescape"))
    start = 16 + id_length
    for raw, path in lines:
        before, after = raw[1:7], raw[8:14]
        is_folder = _FOLDER in (before, after)
        if not is_folder and not (path[-8:].lower() == b"skill.md" or path.endswith(_SIDE_ENDS)):
            continue
        if cut and len(path) < cut:
            # The sub-path itself, or a folder above it.
            if is_folder and len(path) == cut - 1:
                folders[""] = _id(raw, start, id_length) if after == _FOLDER else None
            continue
        name = path[cut:].decode("utf-8", "surrogateescape")
        if is_folder:
            folders[name] = _id(raw, start, id_length) if after == _FOLDER else None
        elif (place := _split(name)) is not None:
            blob = None if after == _NOTHING else ""
            if after[:3] == b"100":
                blob = _id(raw, start, id_length)
            changes.append(Change(*place, blob))
    if not cut and lines:
        folders[""] = words[1]
    return LoggedCommit(
        words[0],
        tuple(words[3:]) if words[3:] != [""] else (),
        commit_time(words[2].encode()),
        subject.decode("utf-8", "replace"),
        folders,
        tuple(changes),
    )


def _id(raw: bytes, start: int, id_length: int) -> str:
    return raw[start : start + id_length].decode("ascii")


def _split(path: str) -> tuple[str, str] | None:
    """Folder and file of a path that can be a skill's manifest or one of its version files."""
    folder, _, name = path.rpartition("/")
    if is_manifest_name(name):
        return folder, name
    for file in VERSION_FILES:
        if path == file or path.endswith(f"/{file}"):
            return path[: -len(file)].rstrip("/"), file
    return None
