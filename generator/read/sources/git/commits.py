"""The commit a repository is opened at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from generator.errors import SourceError
from generator.model import TimeMs
from generator.read.paths import printable
from generator.read.sources.git.objects import Damage, Objects
from generator.read.sources.git.refs import short_name

_MOST_BYTES: Final = 2**20
_TREE: Final = re.compile(rb"tree ([0-9a-f]{40}|[0-9a-f]{64})\n")
_COMMITTER: Final = re.compile(rb"^committer [^\n]*> (-?[0-9]{1,18}) [+-][0-9]+$", re.MULTILINE)
_LATEST_SECONDS: Final = 253_402_300_799
"""The end of the year 9999: later times are mistakes."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its id, the tree of its top folder, and when it was committed."""

    object_id: str
    tree: str
    time: TimeMs


def read_commit(objects: Objects) -> Commit:
    """The commit behind the ref the repository is opened at.

    Raises:
        SourceError: it is missing or damaged, or the ref names something else than a commit.
    """
    repository = objects.repository
    name = printable(short_name(repository.start.name))
    header = next(objects.describe([f"{repository.start.object_id}^{{commit}}"]))
    if isinstance(header, Damage):
        raise SourceError(
            f"The repository {repository.label}: {name} ({repository.start.object_id}) {header.reason}, "
            "or is no commit. Run git fsck there, or name another ref."
        )
    data = next(objects.read([header.object_id], "commit", _MOST_BYTES))
    head = b"" if isinstance(data, Damage) else data.partition(b"\n\n")[0]
    tree = _TREE.match(head)
    if tree is None:
        reason = data.reason if isinstance(data, Damage) else "has no tree"
        raise SourceError(
            f"The repository {repository.label}: commit {header.object_id} {reason}. Run git fsck there."
        )
    committed = _COMMITTER.search(head)
    return Commit(header.object_id, tree[1].decode(), commit_time(committed[1] if committed else b"0"))


def commit_time(seconds: bytes) -> TimeMs:
    """A commit's time from its seconds since 1970; nonsense (before 1970, after 9999) becomes 0."""
    try:
        number = int(seconds)
    except ValueError:
        return TimeMs(0)
    return TimeMs(number * 1000 if 0 <= number <= _LATEST_SECONDS else 0)
