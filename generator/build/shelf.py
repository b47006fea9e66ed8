"""What a build keeps of another hub between builds: its documents, and archives under their sha256.

It is a cache: gone, cut off or changed files are fetched again, and no byte is used that does not have the hash it is
asked for by. What is read stays on disk until it is needed. One folder a hub, below the work folder of the output::

    archives/{sha256}       an archive, as it came
    documents/{sha256}      a document, named by the hash of its address: a line of JSON, then the document
    state.json              marks of skills, and which archive came for which release
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass, field
from typing import Final

from generator.errors import SourceError
from generator.jsondata import dump_bytes, load_json
from generator.model import Owner, Sha256, Slug, Version
from generator.read.sources.http.fetching import Remembered
from generator.read.sources.http.fields import sha256_of

_SCHEMA: Final = "skillpress.shelf.v1"
_MOST_HEADER: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came for one release: the archive of the last time, and the fingerprints of its files the first time and the
    last."""

    archive: Sha256
    first: str
    last: str


@dataclass(slots=True)
class HubShelf:
    """The folder of one hub. Safe for several threads.

    It gives and takes documents as ``remembered`` and ``seen`` of a
    :class:`~generator.read.sources.http.fetching.Fetcher`.
    """

    folder: str
    marks: dict[str, str] = field(default_factory=dict)
    receipts: dict[str, Receipt] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)

    def has(self, digest: Sha256) -> bool:
        """See :class:`~generator.read.sources.http.remote.Shelf`."""
        self._used.add(f"archives/{digest}")
        return read_shelved(self.folder, digest) is not None

    def taken(self, owner: Owner, slug: Slug, version: Version) -> Sha256 | None:
        """See :class:`~generator.read.sources.http.remote.Shelf`."""
        receipt = self.receipts.get(f"{owner}/{slug}@{version}")
        return receipt.archive if receipt is not None else None

    def mark(self, owner: Owner, slug: Slug) -> str:
        """See :class:`~generator.read.sources.http.remote.Shelf`."""
        return self.marks.get(f"{owner}/{slug}", "")

    def put(self, digest: Sha256, data: bytes) -> None:
        """Keep an archive."""
        self._used.add(f"archives/{digest}")
        self._write(f"archives/{digest}", data)

    def give(self, owner: Owner, slug: Slug, version: Version, archive: Sha256, content: str) -> bool:
        """Note which archive came for a release; whether ``content`` is what came the first time."""
        place = f"{owner}/{slug}@{version}"
        before = self.receipts.get(place)
        self.receipts[place] = Receipt(archive, before.first if before is not None else content, content)
        return before is None or before.first == content

    def get(self, url: str, /) -> Remembered | None:
        """A document of an earlier reading, None where it is not there whole."""
        head, _, body = self._read(f"documents/{_name(url)}").partition(b"\n")
        try:
            told = load_json(head[:_MOST_HEADER])
            known = Remembered(body, str(told["etag"]), str(told["modified"]))
            whole = told["url"] == url and told["sha256"] == hashlib.sha256(body).hexdigest()
        except (ValueError, KeyError, TypeError):
            return None
        return known if whole else None

    def __setitem__(self, url: str, document: Remembered, /) -> None:
        name = f"documents/{_name(url)}"
        self._used.add(name)
        head = {
            "url": url, "etag": document.etag, "modified": document.modified,
            "sha256": hashlib.sha256(document.body).hexdigest(),
        }  # fmt: skip
        self._write(name, dump_bytes(head) + b"\n" + document.body)

    def store(self) -> None:
        """Write what is known of skills and releases."""
        receipts = {place: [one.archive, one.first, one.last] for place, one in sorted(self.receipts.items())}
        document = {"schema": _SCHEMA, "marks": dict(sorted(self.marks.items())), "receipts": receipts}
        self._write("state.json", dump_bytes(document))

    def sweep(self) -> None:
        """Remove every file that this reading had no use for."""
        for part in ("archives", "documents"):
            for name in os.listdir(f"{self.folder}/{part}"):
                if f"{part}/{name}" not in self._used:
                    with contextlib.suppress(OSError):
                        os.unlink(f"{self.folder}/{part}/{name}")

    def _read(self, name: str) -> bytes:
        return _read_file(f"{self.folder}/{name}")

    def _write(self, name: str, data: bytes) -> None:
        path = f"{self.folder}/{name}"
        if self._read(name) == data:
            return
        half = f"{path}.{os.getpid()}"
        try:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(half)
            descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            os.replace(half, path)
        except OSError as error:
            raise _unwritable(self.folder, error) from None


def open_shelf(folder: str) -> HubShelf:
    """The shelf in a folder, which is made where it is missing; empty where it cannot be understood.

    Raises:
        SourceError: the folder cannot be written, or a part of it is a symbolic link.
    """
    for part in (folder, f"{folder}/archives", f"{folder}/documents"):
        if os.path.islink(part):
            raise SourceError(f"{part} is a symbolic link, which a build never follows. Remove it.")
        try:
            os.makedirs(part, exist_ok=True)
        except OSError as error:
            raise _unwritable(folder, error) from None
    shelf = HubShelf(folder)
    try:
        state = load_json(_read_file(f"{folder}/state.json"))
        if state["schema"] == _SCHEMA:
            shelf.marks = {str(place): str(mark) for place, mark in state["marks"].items()}
            shelf.receipts = {
                str(place): Receipt(digest, str(first), str(last))
                for place, (archive, first, last) in state["receipts"].items()
                if (digest := sha256_of(archive)) is not None
            }
    except (ValueError, KeyError, TypeError, AttributeError):
        return HubShelf(folder)
    return shelf


def read_shelved(folder: str, digest: Sha256) -> bytes | None:
    """The archive of this sha256 on the shelf in ``folder``; None where it is not there, whole and unchanged."""
    data = _read_file(f"{folder}/archives/{digest}")
    return data if hashlib.sha256(data).hexdigest() == digest else None


def _name(url: str) -> str:
    return hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()


def _read_file(path: str) -> bytes:
    """A file's bytes, none where it cannot be read: then it is fetched again."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _unwritable(folder: str, error: OSError) -> SourceError:
    return SourceError(f"{folder}: what comes from another hub cannot be kept ({error.strerror or error}).")
