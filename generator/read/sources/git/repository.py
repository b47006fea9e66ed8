"""Opening a repository: find its objects and refs, and give git a folder of our own instead of its.

The folder of our own (the *view*, in the cache) holds three lines of configuration and the shallow boundary.
So no configuration, hook, attribute, graft or replacement of the repository exists for git, and whoever owns the
repository's files, git has no reason to doubt the folder it is given.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass
from typing import Final

from generator.errors import SourceError
from generator.read.sources.git.process import GitPlace, find_git
from generator.read.sources.git.refs import OBJECT_ID, Ref, Refs, read_refs, resolve_ref

_POINTER_BYTES: Final = 4096
_SHALLOW_BYTES: Final = 16 * 2**20
_LINE: Final = "gitdir: "


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository as one build sees it; can be handed to other processes.

    ``label`` is the location as the operator wrote it. ``start`` is the ref that was asked for: the object it
    names is where reading begins. ``shallow`` is true where history is cut off, ``partial`` where objects were
    left out when it was cloned.
    """

    label: str
    place: GitPlace
    start: Ref
    refs: tuple[Ref, ...]
    shallow: bool = False
    partial: bool = False

    @property
    def id_length(self) -> int:
        """Hexadecimal digits of an object id: 40 (sha1) or 64 (sha256)."""
        return len(self.start.object_id)


def open_repository(
    location: str, cache: str, *, ref: str | None = None, history: bool = False
) -> Repository:
    """Open a local repository (a path or ``file://`` address) or fetch one (``https://``) into ``cache``.

    Args:
        location: a folder with a ``.git``, a bare repository, a linked worktree, or an address.
        cache: a folder of ours; it is made where it is missing, and may be removed at any time between builds.
        ref: branch, tag, full ref name or full commit id; HEAD where None.
        history: whether :mod:`~generator.read.sources.git.history` will be asked: decides what is fetched.

    Raises:
        SourceError: no repository, one that is not safe to read, no such ref, or not reachable.
    """
    find_git()
    scheme, mark, rest = location.partition("://")
    if mark and scheme.lower() == "https":
        # Loaded only where something is fetched.
        from generator.read.sources.git.remote import fetch

        fetched, head = fetch(location, cache, ref, history=history)
        return _open(fetched, location, cache, head)
    if mark and scheme.lower() == "file":
        return _open(rest if rest.startswith("/") else f"/{rest.partition('/')[2]}", location, cache, ref)
    if mark or (":" in location.partition("/")[0] and not os.path.exists(location)):
        raise SourceError(
            f"{location} is not read. Name a folder, or an https:// address without a password."
        )
    return _open(location, location, cache, ref)


def _open(path: str, label: str, cache: str, wanted: str | None) -> Repository:
    own, common = _find_git_dir(os.path.abspath(path), label)
    objects = f"{common}/objects"
    partial = _examine_objects(objects, label)
    refs = read_refs(common, own)
    start = resolve_ref(refs, wanted, label)
    shallow = _shallow_boundary(f"{common}/shallow", label)
    view = _write_view(cache, common, refs, start, shallow)
    return Repository(label, GitPlace(view, objects), start, refs.all, bool(shallow), partial)


def _find_git_dir(path: str, label: str) -> tuple[str, str]:
    """The repository's own folder, and the one it shares with its worktrees: the same but for a worktree."""
    if not os.path.isdir(path):
        reason = "is not a folder" if os.path.exists(path) else "does not exist"
        raise SourceError(f"The repository {label} {reason}. Check the path.")
    inner = f"{path}/.git"
    if os.path.islink(inner):
        raise SourceError(
            f"{label}/.git is a symbolic link, which is not followed. Name the repository itself."
        )
    if os.path.isfile(inner):
        return _linked_worktree(path, label)
    for folder in (inner, path):
        if os.path.isdir(f"{folder}/objects") and os.path.lexists(f"{folder}/HEAD"):
            return folder, folder
    above = path
    while (above := os.path.dirname(above)) != os.path.dirname(above):
        if os.path.lexists(f"{above}/.git"):
            raise SourceError(
                f"{label} lies inside the repository {above}. Name that one, and this folder as its sub-path."
            )
    raise SourceError(f"{label} is no git repository. Run git init there, or read it as a folder.")


def _linked_worktree(path: str, label: str) -> tuple[str, str]:
    """The folders of a worktree whose ``.git`` is a file.

    The repository must link back: otherwise a file in somebody's folder could make us publish from any other
    repository of this machine.
    """
    pointer = _first_line(f"{path}/.git")
    own = os.path.join(path, pointer.removeprefix(_LINE)) if pointer.startswith(_LINE) else ""
    back = _first_line(f"{own}/gitdir") if own else ""
    common = os.path.dirname(os.path.dirname(own))
    if (
        not back
        or os.path.realpath(os.path.join(own, back)) != os.path.realpath(f"{path}/.git")
        or os.path.basename(os.path.dirname(own)) != "worktrees"
        or not os.path.isdir(f"{common}/objects")
    ):
        raise SourceError(
            f"{label}/.git leads to another repository that does not know this folder. Name that repository itself."
        )
    return own, common


def _examine_objects(objects: str, label: str) -> bool:
    """Refuse objects that lie elsewhere; whether the repository is a partial clone."""
    for name in ("alternates", "http-alternates"):
        if os.path.lexists(f"{objects}/info/{name}"):
            raise SourceError(
                f"The repository {label} borrows objects of another one (objects/info/{name}), which is not followed. "
                f"Run git repack -a -d there and remove that file."
            )
    partial = False
    for folder in (objects, f"{objects}/pack"):
        if os.path.islink(folder):
            raise _elsewhere(label, folder)
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        raise _elsewhere(label, entry.path)
                    partial = partial or entry.name.endswith(".promisor")
        except FileNotFoundError:
            continue
        except OSError as error:
            raise SourceError(f"{folder} cannot be read: {error.strerror or error}.") from None
    return partial


def _elsewhere(label: str, path: str) -> SourceError:
    return SourceError(
        f"The repository {label} keeps objects behind a symbolic link ({path}), which is not followed."
    )


def _shallow_boundary(path: str, label: str) -> tuple[str, ...]:
    if os.path.islink(path) or not os.path.isfile(path):
        return ()
    with open(path, "rb") as file:
        lines = file.read(_SHALLOW_BYTES).decode("ascii", "replace").split()
    if not all(OBJECT_ID.fullmatch(line) for line in lines):
        raise SourceError(
            f"The repository {label} is damaged: its file shallow holds something else than ids."
        )
    return tuple(sorted(lines))


def _write_view(cache: str, common: str, refs: Refs, start: Ref, shallow: tuple[str, ...]) -> str:
    """The git folder of our own for one repository.

    Its name covers what is written into it, so that two builds never disagree about one.
    """
    length = len(start.object_id)
    if any(len(ref.object_id) != length for ref in refs.all):
        raise SourceError(f"{common} mixes object ids of two kinds. Run git fsck there.")
    config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n"
    if length == 64:
        config += "[extensions]\n\tobjectformat = sha256\n"
    boundary = "".join(f"{line}\n" for line in shallow)
    key = hashlib.sha256(f"{common}\0{config}\0{boundary}".encode("utf-8", "surrogateescape")).hexdigest()[
        :20
    ]
    view = f"{os.path.abspath(cache)}/view-{key}"
    try:
        os.makedirs(f"{view}/refs", exist_ok=True)
        files = {"HEAD": "ref: refs/heads/none\n", "config": config}
        if boundary:
            files["shallow"] = boundary
        for name, text in files.items():
            _write(f"{view}/{name}", text)
    except OSError as error:
        raise SourceError(f"The cache {cache} cannot be written: {error.strerror or error}.") from None
    return view


def _write(path: str, text: str) -> None:
    with contextlib.suppress(OSError), open(path, encoding="ascii", errors="replace") as file:
        if file.read(len(text) + 1) == text:
            return
    half = f"{path}.{os.getpid()}"
    with open(half, "w", encoding="ascii") as file:
        file.write(text)
    os.replace(half, path)


def _first_line(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return (
                file.read(_POINTER_BYTES).decode("utf-8", "surrogateescape").partition("\n")[0].rstrip("\r")
            )
    except OSError:
        return ""
