"""The sources of ``hub.yml``: what each kind is told, and how one is read from the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from generator.model import Owner
from generator.names import parse_owner
from generator.read.nodes import Node, ScalarNode
from generator.read.sources.git.github import find_github
from generator.settings import Settings, mapping_of, nearest, parse_flag, setting_error, texts_of

SOURCE_KEYS: Mapping[str, str] = {
    "type": "What the source is: folder (the default), git, archive or hub.",
    "path": "The folder, local repository, archive or folder of archives, relative to hub.yml.",
    "url": "The https address of a git repository, or the address of a hub.",
    "ref": "git: branch, tag or commit (default: HEAD).",
    "folder": "git: the folder of the repository that holds the skills (default: its root).",
    "history": "git: yes to publish every version the skills ever had, no (the default) for today's only.",
    "public": "git: where GitHub gives out the repository at `path`, as https://github.com/OWNER/NAME.",
    "prefix": "hub: put this and a dash before the owners of the other hub (default: keep them).",
    "owner": "Who publishes the skills of this source.",
    "include": "Patterns of skill folders to take (`*` within a segment, `**` across); all when missing.",
}


@dataclass(frozen=True, slots=True)
class FolderSource:
    """A folder to search for skills. ``label`` is the path as the operator wrote it, ``place`` where, for errors."""

    label: str
    root: Path
    owner: Owner
    include: tuple[str, ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class GitSource:
    """A git repository. ``location`` is a path or an https address, ``folder`` where in it skills are looked for.
    ``public`` is where GitHub gives out a repository of this machine, empty where nobody said so."""

    label: str
    location: str
    owner: Owner
    ref: str | None = None
    folder: str = ""
    history: bool = False
    include: tuple[str, ...] = ()
    place: str = ""
    public: str = ""


@dataclass(frozen=True, slots=True)
class ArchiveSource:
    """An archive, or a folder of archives."""

    label: str
    root: Path
    owner: Owner
    include: tuple[str, ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class HubSource:
    """Another hub. ``prefix`` is put before its owners, who are kept as they are where it is empty."""

    label: str
    url: str
    owner: Owner
    prefix: str = ""
    place: str = ""


Source = FolderSource | GitSource | ArchiveSource | HubSource


def label_of(path: str) -> str:
    """How an output may name a source: relative as written, never a machine path."""
    written = Path(path)
    return written.name or "skills" if written.is_absolute() or ".." in written.parts else written.as_posix()


def local_root(source: Source) -> Path | None:
    """The path of a source on this machine; None where it is somewhere else."""
    if isinstance(source, FolderSource | ArchiveSource):
        return source.root
    if isinstance(source, GitSource) and "://" not in source.location:
        return Path(source.location)
    return None


_KEYS_OF: Mapping[str, tuple[str, ...]] = {
    "folder": ("path", "owner", "include"),
    "git": ("path", "url", "ref", "folder", "history", "public", "owner", "include"),
    "archive": ("path", "owner", "include"),
    "hub": ("url", "prefix"),
}


def read_source(file: str, folder: Path, node: Node, owner: Owner) -> Source:
    if isinstance(node, ScalarNode):
        return FolderSource(label_of(node.value), folder / node.value, owner, place=_place(file, node))
    source = Settings(file, "sources.", mapping_of(file, "sources", node), SOURCE_KEYS)
    kind = source.parsed("type", _parse_kind, "folder")
    for key, _ in source.mapping.entries:
        if key.value != "type" and key.value not in _KEYS_OF[kind]:
            raise setting_error(
                file, key, f"sources.{key.value}",
                f"a source of type {kind} has no such key. It has: {', '.join(_KEYS_OF[kind])}.",
            )  # fmt: skip
    path, url = source.text("path", ""), source.parsed("url", _parse_source_url, "")
    place = _place(file, node)
    if kind == "hub":
        if not url:
            raise setting_error(
                file, node, "sources", "a hub needs a `url`. Write `url: https://hub.example`."
            )
        return HubSource(url, url, owner, source.text("prefix", ""), place)
    if not path and not (url and kind == "git"):
        raise setting_error(file, node, "sources", "a source needs a `path`. Write `- path: skills`.")
    if path and url:
        raise setting_error(
            file, node, "sources", "a repository has a `path` or a `url`. Remove one of the two."
        )
    include = source.node("include")
    patterns = texts_of(file, "sources.include", include) if include is not None else ()
    publisher = source.parsed("owner", parse_owner, owner)
    if kind == "git":
        ref, inner = source.text("ref", ""), source.text("folder", "").strip("/")
        label = "@".join(part for part in (url or label_of(path), ref) if part)
        public = source.parsed("public", _parse_public, "")
        if public and url:
            raise setting_error(
                file, node, "sources.public", "a repository with a `url` is public there. Remove `public`."
            )
        return GitSource(
            f"{label}/{inner}".rstrip("/"), url or str(folder / path), publisher, ref or None, inner,
            source.parsed("history", parse_flag, default=False), patterns, place, public,
        )  # fmt: skip
    if kind == "archive":
        return ArchiveSource(label_of(path), folder / path, publisher, patterns, place)
    return FolderSource(label_of(path), folder / path, publisher, patterns, place)


def _parse_kind(text: str) -> str:
    if text not in _KEYS_OF:
        raise ValueError(f"{text!r} is not one of {', '.join(_KEYS_OF)}.{nearest(text, _KEYS_OF)}")
    return text


def _parse_public(text: str) -> str:
    if find_github(text, "") is None:
        raise ValueError(f"{text!r} is not a repository on GitHub, such as https://github.com/team/skills")
    return text


def _parse_source_url(text: str) -> str:
    if not text.startswith(("https://", "http://", "file://")):
        raise ValueError(f"{text!r} is not an address, such as https://example.org/team/skills")
    return text.rstrip("/")


def _place(file: str, node: Node) -> str:
    return f"{file}, line {node.line}, column {node.column}: "
