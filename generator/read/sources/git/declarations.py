"""Which version and slug a state of a skill folder states, read from its manifest files alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from generator.model import Package, PackageFile, PackagePath, Sha256, Version
from generator.names import fit_slug
from generator.read.manifest import read_skill
from generator.read.sources.git.lineage import Files, State
from generator.read.sources.git.objects import Damage, Objects
from generator.versions import parse_version

_MOST_BYTES: Final = 2**20
_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class Declaration:
    """``version`` in normal form, None where none is stated. ``identity`` is the slug that is asked for."""

    version: Version | None
    identity: str


class Declarations:
    """Reads declarations, each combination of files and folder name once."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._known: dict[tuple[str, Files], Declaration] = {}

    def identity(self, state: State) -> str:
        """The slug a state asks for."""
        return self.of(state).identity

    def of(self, state: State) -> Declaration:
        """What one state declares."""
        key = _key(state)
        if key not in self._known:
            self.load((state,))
        return self._known[key]

    def load(self, states: Iterable[State]) -> None:
        """Read many at a time."""
        missing = iter({key: None for key in map(_key, states) if key not in self._known})
        while part := list(islice(missing, _AT_ONCE)):
            ids = list(dict.fromkeys(blob for _, files in part for _, blob in files if blob))
            blobs = dict(zip(ids, self._objects.read(ids, "blob", _MOST_BYTES), strict=True))
            for name, files in part:
                self._known[name, files] = _read(name, tuple(_files(files, blobs)))


def _key(state: State) -> tuple[str, Files]:
    return state.folder.rpartition("/")[2], state.files


def _files(files: Files, blobs: dict[str, bytes | Damage]) -> Iterator[PackageFile]:
    for path, blob in files:
        data = blobs.get(blob)
        if isinstance(data, bytes):
            yield PackageFile(PackagePath(path), data, Sha256(""))


def _read(name: str, files: tuple[PackageFile, ...]) -> Declaration:
    manifest = read_skill(Package("", name, files)).manifest
    if manifest is None:
        return Declaration(None, fit_slug(name).slug)
    parsed = parse_version(manifest.version) if manifest.version else None
    wanted = manifest.slug or name or manifest.name or ""
    return Declaration(parsed.version if parsed else None, fit_slug(wanted).slug)
