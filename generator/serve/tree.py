"""A built hub on disk, read through its routes, whichever layout it was written in."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from pathlib import Path
from stat import S_ISREG
from typing import Any

from generator.errors import SkillpressError
from generator.jsondata import load_json
from generator.model import Cache
from generator.serve.media import TEXT, cache_of, media_type_of
from generator.serve.places import Kind, place_of
from generator.serve.router import GONE, SlugIndex
from generator.write.layout import Layout, Naming, file_for

ROUTER_SCHEMA = "skillpress.router.v1"
PACKS_KEPT = 64
ETAGS_KEPT = 10_000
"""Parsed packs kept in memory; the least used one goes first."""

_VERSION = re.compile(r"/api/v1/.*/versions/[^/]+")

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
        known = self._layout
        place = place_of(path, known.index, known.layout, known.naming)
        if place.kind is Kind.PACK and (answer := self._from_pack(place.pack, path)):
            return answer
        if path.endswith("/index.html") and not path.startswith("/api/"):
            path = path.removesuffix("index.html")
        return self._from_disk(place.file, path) if place.file else None

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

    def _from_pack(self, pack: str, path: str) -> Answer | None:
        entry = self._pack(pack).get(path)
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
            kept = (stamp, _read_pack(file))
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


def _read_pack(file: Path) -> dict[str, Any]:
    try:
        answers = load_json(file.read_bytes())["answers"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TreeError(f"{file}: cannot be read ({error}); run `skillpress build` again") from None
    return answers if isinstance(answers, dict) else {}


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
        plain = load_json(file.read_bytes())
        if plain["schema"] != ROUTER_SCHEMA:
            raise TreeError(
                f"{file}: written by another version of Skillpress ({plain['schema']}); build again"
            )
        slugs = {slug: tuple(owners) for slug, owners in plain["slugs"].items()}
        index = SlugIndex(
            slugs,
            dict(plain["statuses"]),
            dict(plain.get("moved", {})),
            dict(plain.get("movedSlugs", {})),
            plain.get("clawhub", True) is True,
        )
        return _Layout(Layout(plain["layout"]), Naming(plain["naming"]), index)
    except FileNotFoundError:
        raise TreeError(
            f"{root} is not a built hub: it has no router.json; run `skillpress build` first"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise TreeError(f"{file}: cannot be read ({error}); run `skillpress build` again") from None
