"""The names of a repository's commits, read from its files: no git runs where its configuration would count."""

from __future__ import annotations

import difflib
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.errors import SourceError
from generator.read.paths import printable

OBJECT_ID: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SYMBOLIC: Final = re.compile(r"ref:[ \t]*(refs/\S+)\s*")
_PACKED: Final = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64}) (refs/.+)")
_LOOSE_BYTES: Final = 4096
_PACKED_BYTES: Final = 64 * 2**20
_MOST_REFS: Final = 200_000
_MOST_HOPS: Final = 5


@dataclass(frozen=True, slots=True)
class Ref:
    """A full name (``refs/heads/main``) and the id of the object it stands for, a tag object perhaps."""

    name: str
    object_id: str


@dataclass(frozen=True, slots=True)
class Refs:
    """Every ref, sorted by name. ``head`` is what HEAD holds: a ref's full name, an object id, or None."""

    all: tuple[Ref, ...]
    head: str | None

    def find(self, name: str) -> Ref | None:
        """The ref of exactly that full name."""
        return next((ref for ref in self.all if ref.name == name), None)


def read_refs(git_dir: str, head_dir: str) -> Refs:
    """The refs of a repository whose own folder is ``git_dir``; HEAD lies in ``head_dir`` (a worktree's own).

    Symbolic links are not followed; what is no ref is passed over.

    Raises:
        SourceError: the repository keeps its refs in another form, or has over 200,000.
    """
    if os.path.isdir(f"{git_dir}/reftable"):
        raise SourceError(
            f"{git_dir} keeps its refs as a reftable, which is not read. "
            "Convert it with git refs migrate --ref-format=files, or name its https address."
        )
    found = dict(_packed(f"{git_dir}/packed-refs"))
    symbolic: dict[str, str] = {}
    for name, text in _loose(git_dir):
        if OBJECT_ID.fullmatch(text.strip()):
            found[name] = text.strip()
        elif (link := _SYMBOLIC.fullmatch(text)) is not None:
            symbolic[name] = link[1]
    for name, target in symbolic.items():
        if (object_id := _follow(target, symbolic, found)) is not None:
            found[name] = object_id
    return Refs(tuple(Ref(name, found[name]) for name in sorted(found)), _read_head(f"{head_dir}/HEAD"))


def resolve_ref(refs: Refs, wanted: str | None, label: str) -> Ref:
    """The ref an operator means: HEAD where ``wanted`` is None; a full name, tag, branch, remote branch, or id.

    A tag goes before a branch of the same name, as in git.

    Raises:
        SourceError: there is no such ref (the message names near ones), or no commit yet.
    """
    if wanted is None:
        if refs.head is not None and OBJECT_ID.fullmatch(refs.head):
            return Ref("HEAD", refs.head)
        found = refs.find(refs.head) if refs.head is not None else None
        if found is None:
            branch = f" on its branch {printable(refs.head)}" if refs.head else ""
            raise SourceError(
                f"The repository {label} has no commit yet{branch}. Commit something, or name a ref"
                f"{_offer(refs.all, None)}."
            )
        return found
    if OBJECT_ID.fullmatch(wanted):
        return Ref(wanted, wanted)
    for name in (wanted, f"refs/tags/{wanted}", f"refs/heads/{wanted}", f"refs/remotes/origin/{wanted}"):
        if name.startswith("refs/") and (found := refs.find(name)) is not None:
            return found
    hint = " Give a commit's id in full." if re.fullmatch("[0-9a-f]{4,63}", wanted) else ""
    raise SourceError(
        f"The repository {label} has no branch, tag or commit {printable(wanted)}{_offer(refs.all, wanted)}.{hint}"
    )


def short_name(name: str) -> str:
    """A ref as people write it: ``refs/heads/main`` -> ``main``."""
    return re.sub("^refs/(?:heads|tags|remotes/origin)/", "", name)


def _offer(refs: Sequence[Ref], wanted: str | None) -> str:
    names = [
        short_name(ref.name)
        for ref in refs
        if ref.name.startswith(("refs/heads/", "refs/tags/", "refs/remotes/"))
    ]
    if wanted is not None:
        names = difflib.get_close_matches(wanted, list(dict.fromkeys(names)), 5, 0.4) or names
    shown = [printable(name) for name in dict.fromkeys(names)][:5]
    return f"; there is {', '.join(shown)}" if shown else "; it has no refs at all"


def _packed(path: str) -> Iterator[tuple[str, str]]:
    text = _read_regular(path, _PACKED_BYTES)
    for number, line in enumerate((text or "").split("\n")):
        if number > 2 * _MOST_REFS:
            raise _too_many(path)
        if (entry := _PACKED.fullmatch(line)) is not None:
            yield entry[2], entry[1]


def _loose(git_dir: str) -> Iterator[tuple[str, str]]:
    stack = ["refs"]
    seen = 0
    while stack:
        folder = stack.pop()
        try:
            with os.scandir(f"{git_dir}/{folder}") as entries:
                listing = list(entries)
        except OSError:
            continue
        for entry in listing:
            seen += 1
            if seen > _MOST_REFS:
                raise _too_many(git_dir)
            name = f"{folder}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                stack.append(name)
            elif entry.is_file(follow_symlinks=False) and not name.endswith(".lock"):
                text = _read_regular(f"{git_dir}/{name}", _LOOSE_BYTES)
                if text is not None:
                    yield name, text


def _follow(target: str, symbolic: Mapping[str, str], found: Mapping[str, str]) -> str | None:
    for _ in range(_MOST_HOPS):
        if target in symbolic:
            target = symbolic[target]
    return found.get(target)


def _read_head(path: str) -> str | None:
    # Old repositories have a symbolic link to the branch here; its text says the same.
    if os.path.islink(path):
        target = os.readlink(path)
        return target if target.startswith("refs/") else None
    text = (_read_regular(path, _LOOSE_BYTES) or "").strip()
    if OBJECT_ID.fullmatch(text):
        return text
    link = _SYMBOLIC.fullmatch(text)
    return link[1] if link else None


def _read_regular(path: str, most: int) -> str | None:
    """The text of a small regular file that is no link; None for anything else."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        fd = os.open(path, flags)
    except OSError:
        return None
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        return file.read(most).decode("utf-8", "surrogateescape")


def _too_many(place: str) -> SourceError:
    return SourceError(f"{place} has over {_MOST_REFS:,} refs, which is the limit.")
