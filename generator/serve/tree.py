"""A built hub on disk, read through its routes, whichever layout it was written in."""

from __future__ import annotations

import json
import os
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from pathlib import Path
from stat import S_ISREG
from typing import Any

from generator.errors import SkillpressError
from generator.model import Cache
from generator.serve.media import RAW, TEXT, cache_of, media_type_of
from generator.serve.router import GONE, SlugIndex
from generator.write.layout import Layout, Naming, file_for, pack_file, page_file

ROUTER_SCHEMA = "skillpress.router.v1"
PACKS_KEPT = 64
ETAGS_KEPT = 10_000
"""Parsed packs kept in memory; the least used one goes first."""

_SEGMENT = re.compile(r"[^\x00-\x1f\x7f\\/]+")
_API_SKILL = re.compile(r"/api/v1/(?:owners/([a-z0-9_-]+)/)?skills/([a-z0-9-]+)(?:/[0-9A-Za-z.-]+)*")
_VERSION = re.compile(r"/api/v1/.*/versions/[^/]+")
_PAGE = re.compile(r"/([a-z0-9_-]+)/skills/([a-z0-9-]+)/")
_STORAGE = ("/packs/", "/pages/")

Stamp = tuple[int, int, int]


class TreeError(SkillpressError):
    """The folder is not a hub that ``skillpress build`` wrote."""


@dataclass(frozen=True, slots=True)
class FileSlice:
    """Bytes of a file: ``size`` of them from ``offset`` on."""

    path: Path
    offset: int
    size: int

    def read(self) -> bytes:
        """All bytes of the slice."""
        with self.path.open("rb") as file:
            file.seek(self.offset)
            return file.read(self.size)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a route answers. ``etag`` has its quotes."""

    status: int
    body: bytes | FileSlice
    media_type: str
    cache: Cache
    etag: str

    def data(self) -> bytes:
        """The whole body."""
        return self.body if isinstance(self.body, bytes) else self.body.read()


@dataclass(frozen=True, slots=True)
class _Layout:
    """What ``router.json`` says."""

    layout: Layout
    naming: Naming
    index: SlugIndex


@dataclass(slots=True)
class Tree:
    """A hub on disk. A build that finishes beside a running server is picked up at the next request."""

    root: Path
    _layout: _Layout
    _stamps: tuple[Stamp | None, Stamp | None]
    _packs: OrderedDict[str, tuple[Stamp, dict[str, Any]]] = field(default_factory=OrderedDict)
    _etags: dict[Path, tuple[Stamp, str]] = field(default_factory=dict)

    @classmethod
    def open(cls, root: Path) -> Tree:
        """The hub at ``root``.

        Raises:
            TreeError: there is no ``router.json``, or it is not one of ours.
        """
        root = root.resolve()
        stamps = _stamps(root)
        return cls(root, _read_layout(root), stamps)

    @property
    def index(self) -> SlugIndex:
        """Which owners have which slug, as of the last finished build."""
        self._refresh()
        return self._layout.index

    @property
    def layout(self) -> Layout:
        """The layout the hub was written in."""
        return self._layout.layout

    def read(self, path: str) -> Answer | None:
        """The answer of the route at ``path`` (decoded, below the hub's base), or None where there is none.

        Only paths a hub can have are looked for: no empty, ``.`` or ``..`` segment, no backslash, no control
        character, nothing that starts with a dot but ``/.well-known/``, and never a file that a link leads
        out of the root.
        """
        self._refresh()
        if path.startswith(RAW):
            return self._raw(path)
        path = path.removesuffix("index.html") if _is_page_file(path) else path
        if not is_safe(path) or path.startswith(_STORAGE):
            return None
        packed = self._layout.layout is Layout.PACKED
        if match := _API_SKILL.fullmatch(path):
            owner, slug = match.group(1) or self._layout.index.holder(match.group(2)), match.group(2)
            if packed and owner and (answer := self._from_pack(owner, slug, path)):
                return answer
        elif packed and (match := _PAGE.fullmatch(path)):
            return self._from_disk(page_file(match.group(1), match.group(2)), path)
        if path.startswith("/api/v1/") and path.endswith(("/index.html", "/index.json")):
            return None
        return self._from_disk(file_for(path, self._layout.naming), path)

    def _raw(self, path: str) -> Answer | None:
        """A file of the output by its path on disk, as mirrors ask for it."""
        relative = path.removeprefix(RAW)
        if not is_safe(f"/{relative}") or relative.endswith("/"):
            return None
        return self._from_disk(relative, path)

    def stamp(self, path: str) -> Stamp | None:
        """Changes when the file of a hub-level route changes; None where it is missing."""
        return _stamp(self.root / file_for(path, self._layout.naming))

    def _refresh(self) -> None:
        """Reread ``router.json`` after a build; one that is half written keeps the old one in use."""
        stamps = _stamps(self.root)
        if stamps != self._stamps:
            try:
                self._layout = _read_layout(self.root)
            except TreeError:
                return
            self._stamps = stamps

    def _from_pack(self, owner: str, slug: str, path: str) -> Answer | None:
        answers = self._pack(pack_file(owner, slug))
        entry = answers.get(path)
        if entry is None:
            return None
        body = entry["body"].encode("utf-8")
        return Answer(entry["status"], body, entry["type"], Cache(entry["cache"]), _etag(body))

    def _pack(self, name: str) -> dict[str, Any]:
        file = self.root / name
        stamp = _stamp(file)
        if stamp is None:
            return {}
        kept = self._packs.get(name)
        if kept is None or kept[0] != stamp:
            kept = (stamp, json.loads(file.read_bytes())["answers"])
            self._packs[name] = kept
        self._packs.move_to_end(name)
        while len(self._packs) > PACKS_KEPT:
            self._packs.popitem(last=False)
        return kept[1]

    def _from_disk(self, relative: str, path: str) -> Answer | None:
        file = self.root / relative
        try:
            real = Path(os.path.realpath(file, strict=True))
            stat = real.stat()
        except (OSError, ValueError):
            return None
        if not S_ISREG(stat.st_mode) or not real.is_relative_to(self.root):
            return None
        status = self._layout.index.statuses.get(path, 200)
        media_type, cache = media_type_of(path), cache_of(path)
        if status == GONE and _VERSION.fullmatch(path):
            media_type = TEXT
        if cache is Cache.IMMUTABLE:
            etag = self._archive_etag(real, (stat.st_mtime_ns, stat.st_size, stat.st_ino))
            return Answer(status, FileSlice(real, 0, stat.st_size), media_type, cache, etag)
        body = real.read_bytes()
        return Answer(status, body, media_type, cache, _etag(body))

    def _archive_etag(self, file: Path, stamp: Stamp) -> str:
        """By content, so that every mirror and both layouts give the same; read once a file."""
        kept = self._etags.get(file)
        if kept is None or kept[0] != stamp:
            with file.open("rb") as opened:
                kept = (stamp, f'"{file_digest(opened, "sha256").hexdigest()[:32]}"')
            if len(self._etags) >= ETAGS_KEPT:
                self._etags.clear()
            self._etags[file] = kept
        return kept[1]


def is_safe(path: str) -> bool:
    """Whether a decoded URL path can be a route of a hub at all."""
    if not path.startswith("/") or len(path) > 1024:
        return False
    segments = path[1:].split("/")
    if segments[-1] == "":
        segments.pop()
    hidden = segments[1:] if segments and segments[0] == ".well-known" else segments
    return all(_SEGMENT.fullmatch(one) for one in segments) and not any(one.startswith(".") for one in hidden)


def _is_page_file(path: str) -> bool:
    return path.endswith("/index.html") and not path.startswith("/api/")


def _etag(body: bytes) -> str:
    return f'"{sha256(body).hexdigest()[:32]}"'


def _stamp(file: Path) -> Stamp | None:
    try:
        stat = file.stat()
    except OSError:
        return None
    return (stat.st_mtime_ns, stat.st_size, stat.st_ino)


def _stamps(root: Path) -> tuple[Stamp | None, Stamp | None]:
    return (_stamp(root / "router.json"), _stamp(root / "hub.json"))


def _read_layout(root: Path) -> _Layout:
    file = root / "router.json"
    try:
        plain = json.loads(file.read_bytes())
        if plain["schema"] != ROUTER_SCHEMA:
            raise TreeError(
                f"{file}: written by another version of Skillpress ({plain['schema']}); build again"
            )
        slugs = {slug: tuple(owners) for slug, owners in plain["slugs"].items()}
        index = SlugIndex(
            slugs, dict(plain["statuses"]), dict(plain.get("moved", {})), dict(plain.get("movedSlugs", {}))
        )
        return _Layout(Layout(plain["layout"]), Naming(plain["naming"]), index)
    except FileNotFoundError:
        raise TreeError(
            f"{root} is not a built hub: it has no router.json; run `skillpress build` first"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise TreeError(f"{file}: cannot be read ({error}); run `skillpress build` again") from None
