"""Objects of a repository by id, many at a time, through long-lived ``git cat-file`` processes.

Every object's bytes are hashed again: what is handed on is what its id says. An object that is missing, damaged or
too large is a :class:`Damage` and stops nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.read.sources.git.process import GitError, GitProcess
from generator.read.sources.git.repository import Repository
from generator.read.sources.git.treeformat import Entry, TreeFormatError, parse_tree

_AT_ONCE: Final = 40
"""Names asked for at once: with 65 bytes each they fit any system's pipe, so that writing never waits."""
_SECONDS: Final = 120.0
"""How long git may be silent."""
_MOST_RESTARTS: Final = 100
_MOST_TREE_BYTES: Final = 8 * 2**20
_MOST_KEPT_ENTRIES: Final = 400_000
_PIECE: Final = 1 << 18


@dataclass(frozen=True, slots=True)
class Damage:
    """Why an object cannot be had, as the rest of a sentence that begins with its name.

    ``malformed`` is true where the object is whole but holds what git never writes.
    """

    reason: str
    malformed: bool = False


@dataclass(frozen=True, slots=True)
class Header:
    """What an object is: ``commit``, ``tree``, ``blob`` or ``tag``. Size in bytes."""

    object_id: str
    kind: str
    size: int


class Objects:
    """Reads objects of one repository; a context manager that ends its processes."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._headers = _Channel(repository, "--batch-check")
        self._contents = _Channel(repository, "--batch")
        self._trees: dict[str, tuple[Entry, ...]] = {}
        self._kept = 0

    def __enter__(self) -> Objects:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; they start again where they are needed."""
        self._headers.close()
        self._contents.close()

    def describe(self, names: Iterable[str]) -> Iterator[Header | Damage]:
        """Kind and size of each object, in order. A name is an id, or ``{id}^{commit}`` for the commit behind it."""
        for header, _ in self._headers.ask(list(names), content=False):
            yield header

    def read(self, ids: Iterable[str], kind: str, most: int) -> Iterator[bytes | Damage]:
        """The bytes of each object, in order; a damage where it is another kind or over ``most`` bytes."""
        wanted = list(ids)
        for object_id, (header, data) in zip(
            wanted, self._contents.ask(wanted, content=True, most=most), strict=True
        ):
            if isinstance(header, Damage):
                yield header
            elif header.kind != kind:
                yield Damage(f"is a {header.kind} where a {kind} belongs")
            elif data is None:
                yield Damage(f"has {header.size:,} bytes; the limit is {most:,}")
            elif _hash(header, data) != object_id:
                yield Damage("does not hold what its id says")
            else:
                yield data

    def tree(self, object_id: str) -> tuple[Entry, ...] | Damage:
        """The entries of one tree."""
        return next(self.trees((object_id,)))

    def trees(self, ids: Sequence[str]) -> Iterator[tuple[Entry, ...] | Damage]:
        """The entries of each tree, in order."""
        known = {one: self._trees[one] for one in ids if one in self._trees}
        missing = [one for one in dict.fromkeys(ids) if one not in known]
        found: dict[str, tuple[Entry, ...] | Damage] = dict(known)
        for one, data in zip(missing, self.read(missing, "tree", _MOST_TREE_BYTES), strict=True):
            found[one] = data if isinstance(data, Damage) else self._parse(one, data)
        for one in ids:
            yield found[one]

    def _parse(self, object_id: str, data: bytes) -> tuple[Entry, ...] | Damage:
        try:
            entries = parse_tree(data, self.repository.id_length // 2)
        except TreeFormatError as error:
            return Damage(str(error), malformed=True)
        self._kept += len(entries) + 1
        if self._kept > _MOST_KEPT_ENTRIES:
            self._trees.clear()
            self._kept = len(entries) + 1
        self._trees[object_id] = entries
        return entries


def _hash(header: Header, data: bytes) -> str:
    new = hashlib.sha256 if len(header.object_id) == 64 else hashlib.sha1
    made = new(f"{header.kind} {header.size}\0".encode(), usedforsecurity=False)
    made.update(data)
    return made.hexdigest()


class _Channel:
    """One ``git cat-file`` process, started when it is needed and again when a damaged object has ended it."""

    def __init__(self, repository: Repository, mode: str) -> None:
        self._repository = repository
        self._mode = mode
        self._process: GitProcess | None = None
        self._buffer = b""
        self._restarts = 0

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None
        self._buffer = b""

    def ask(
        self, names: Sequence[str], *, content: bool, most: int = 0
    ) -> Iterator[tuple[Header | Damage, bytes | None]]:
        """Header of each name, with the bytes where ``content`` is asked for and they are not over ``most``."""
        done = 0
        while done < len(names):
            part = names[done : done + _AT_ONCE]
            for answer in self._ask(part, content, most):
                yield answer
                done += 1

    def _ask(
        self, names: Sequence[str], content: bool, most: int
    ) -> list[tuple[Header | Damage, bytes | None]]:
        """Answers to the first few of ``names``, at least one."""
        if self._process is None:
            self._process = GitProcess(["cat-file", self._mode], self._repository.place)
        answers: list[tuple[Header | Damage, bytes | None]] = []
        try:
            self._process.stdin.write("".join(f"{name}\n" for name in names).encode())
            for _ in names:
                header = self._header()
                data = None
                if content and isinstance(header, Header):
                    data = self._take(header.size, keep=header.size <= most)
                answers.append((header, data))
        except (EOFError, BrokenPipeError):
            answers.append((self._ended(), None))
        return answers

    def _ended(self) -> Damage:
        """What ended the process belongs to the object it was about to give."""
        assert self._process is not None
        error = self._process.error()
        self.close()
        self._restarts += 1
        if self._restarts > _MOST_RESTARTS:
            raise GitError(
                f"The repository {self._repository.label} has over {_MOST_RESTARTS} damaged objects. "
                f"Run git fsck there and clone it again. The last one: {error}"
            )
        return Damage(f"cannot be read: {error.said or error}")

    def _header(self) -> Header | Damage:
        line = self._line()
        words = line.rsplit(" ", 2)
        if len(words) == 3 and words[2].isdigit():
            return Header(words[0], words[1], int(words[2]))
        if self._repository.partial:
            return Damage(
                "is missing: the repository is a partial clone. Fetch it whole (git clone without --filter)"
            )
        return Damage("is missing")

    def _line(self) -> str:
        while (end := self._buffer.find(b"\n")) < 0:
            self._buffer += self._more()
        line, self._buffer = self._buffer[:end], self._buffer[end + 1 :]
        return line.decode("ascii", "replace")

    def _take(self, size: int, keep: bool) -> bytes | None:
        """``size`` bytes and the line break after them; let them pass by where they are not kept."""
        left = size + 1
        pieces: list[bytes] = []
        while left:
            piece = self._buffer or self._more()
            taken, self._buffer = piece[:left], piece[left:]
            left -= len(taken)
            if keep:
                pieces.append(taken)
        return b"".join(pieces)[:-1] if keep else None

    def _more(self) -> bytes:
        assert self._process is not None
        piece = self._process.read_some(_PIECE, _SECONDS)
        if not piece:
            raise EOFError
        return piece
