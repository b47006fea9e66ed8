"""Repositories made for tests: with ``git fast-import``, so that any tree, mode, name and time can be made."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha1
from pathlib import Path

from generator.model import Package
from generator.read.package import Limits
from generator.read.sources.git.objects import Objects
from generator.read.sources.git.repository import open_repository
from generator.read.sources.git.tree import find_skills, read_package
from tests.read.helpers import Content, as_bytes

NOON = 1_700_000_000
"""Seconds: the first commit of every repository made here; each next one is an hour later."""
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": f"{NOON} +0000",
    "GIT_COMMITTER_DATE": f"{NOON} +0000",
}


def git(folder: Path, *arguments: str, data: bytes = b"") -> str:
    """Run an ordinary git as the author of a repository would."""
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments],
        cwd=folder,
        input=data,
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode("utf-8", "surrogateescape").strip()


@dataclass(frozen=True)
class Odd:
    """A file with a mode of its own; a submodule's content is a commit id."""

    mode: str
    content: Content


@dataclass
class Recorder:
    """Writes a repository, commit by commit. Marks count the commits from 1."""

    stream: bytearray = field(default_factory=bytearray)
    count: int = 0

    def commit(
        self,
        files: Mapping[str, Content | Odd | None],
        message: Content = "Change",
        *,
        branch: str = "main",
        parent: int | None = None,
        merge: int | None = None,
        time: int | None = None,
    ) -> int:
        """One commit: files to write, or to delete (None). ``parent`` and ``merge`` are marks."""
        self.count += 1
        when = NOON + 3600 * self.count if time is None else time
        head = f"commit refs/heads/{branch}\nmark :{self.count}\ncommitter A <a@example.org> {when} +0000\n"
        self.stream += head.encode()
        self._data(as_bytes(message))
        if parent is not None:
            self.stream += f"from :{parent}\n".encode()
        if merge is not None:
            self.stream += f"merge :{merge}\n".encode()
        for path, content in files.items():
            name = b'"' + b"".join(b"\\%03o" % byte for byte in os.fsencode(path)) + b'"'
            if content is None:
                self.stream += b"D " + name + b"\n"
                continue
            odd = content if isinstance(content, Odd) else Odd("100644", content)
            if odd.mode == "160000":
                self.stream += b"M 160000 " + as_bytes(odd.content) + b" " + name + b"\n"
            else:
                self.stream += b"M " + odd.mode.encode() + b" inline " + name + b"\n"
                self._data(as_bytes(odd.content))
        return self.count

    def tag(self, name: str, mark: int, *, annotated: bool = False) -> None:
        """A tag on a commit."""
        if annotated:
            self.stream += f"tag {name}\nfrom :{mark}\ntagger A <a@example.org> {NOON} +0000\n".encode()
            self._data(b"a tag")
        else:
            self.stream += f"reset refs/tags/{name}\nfrom :{mark}\n\n".encode()

    def write(self, root: Path, *options: str) -> list[str]:
        """Make the repository at ``root``; the commits' ids by mark (0 is empty)."""
        root.mkdir(parents=True, exist_ok=True)
        git(root, "init", "-q", "-b", "main", *options)
        git(root, "fast-import", "--quiet", "--force", "--export-marks=.marks", data=bytes(self.stream))
        marks = {
            int(mark[1:]): commit
            for mark, commit in (line.split() for line in (root / ".marks").read_text().splitlines())
        }
        (root / ".marks").unlink()
        return ["", *(marks[number] for number in range(1, self.count + 1))]

    def _data(self, data: bytes) -> None:
        self.stream += b"data %d\n%s\n" % (len(data), data)


def make(root: Path, files: Mapping[str, Content | Odd | None], *options: str) -> Path:
    """A repository of one commit."""
    recorder = Recorder()
    recorder.commit(files)
    recorder.write(root, *options)
    return root


def read_all(
    location: Path | str,
    cache: Path,
    *,
    ref: str | None = None,
    sub_path: str = "",
    limits: Limits | None = None,
) -> tuple[dict[str, Package | None], dict[str, list[str]]]:
    """Every package by folder, and codes of the findings by path."""
    codes: dict[str, list[str]] = {}
    packages: dict[str, Package | None] = {}
    with Objects(open_repository(str(location), str(cache), ref=ref)) as objects:
        scan = find_skills(objects, sub_path)
        notes = list(scan.findings)
        for folder, tree in scan.trees.items():
            packages[folder], found = read_package(objects, tree, "source", folder, limits or Limits())
            notes += found
    for note in notes:
        codes.setdefault(note.path, []).append(note.code)
    return packages, codes


def write_object(root: Path, kind: str, data: bytes) -> str:
    """Put any bytes into a repository as an object; its id."""
    return git(root, "hash-object", "-t", kind, "-w", "--literally", "--stdin", data=data)


def object_id(kind: str, data: bytes) -> str:
    """What git would call an object."""
    return sha1(f"{kind} {len(data)}\0".encode() + data).hexdigest()
