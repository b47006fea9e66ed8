"""The documents of a hub that Skillpress built: its ledgers say everything a mirror needs, on any static host.

Two requests for the whole list, one a skill, one an archive. Every document is checked against the one before it: the
root document names the index, the index each ledger's last line, each line the line before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from generator.model import Owner, Sha256, Slug
from generator.read.sources.http.clawhub import StatedRelease, parse_files
from generator.read.sources.http.fields import (
    AnswerError,
    inner,
    object_of,
    owner_of,
    read_object,
    sha256_of,
    slug_of,
    text_of,
    time_of,
    version_of,
)

ROOT_SCHEMA: Final = "skillpress.hub.v1"
INDEX_SCHEMA: Final = "skillpress.ledgers.v1"
INDEX_PATH: Final = "/ledger/index.json"
MOST_INDEX_BYTES: Final = 32 * 2**20
MOST_LEDGER_BYTES: Final = 32 * 2**20
_MOST_ROOT_BYTES: Final = 4 * 2**20
_MOST_LINE_BYTES: Final = 4 * 2**20
_GENESIS: Final = "0" * 64


@dataclass(frozen=True, slots=True)
class Head:
    """A skill with a ledger, and the sha256 of that ledger's last line."""

    owner: Owner
    slug: Slug
    sha256: Sha256


def parse_root(data: bytes) -> Sha256 | None:
    """The sha256 of the index of ledgers; None where the document is not the root of a hub of ours."""
    try:
        document = read_object(data, _MOST_ROOT_BYTES)
    except AnswerError:
        return None
    if document.get("schema") != ROOT_SCHEMA:
        return None
    return sha256_of(inner(document.get("documents"), INDEX_PATH))


def parse_index(data: bytes, promised: Sha256) -> tuple[tuple[Head, ...], tuple[str, ...]]:
    """The skills of the index in its order, and a description of each row that cannot be used.

    Raises :class:`AnswerError` where it is not the document that the root promised.
    """
    if sha256(data).hexdigest() != promised:
        raise AnswerError("the index of ledgers is not the one that the root document names")
    document = read_object(data, MOST_INDEX_BYTES, 1_000_000)
    if document.get("schema") != INDEX_SCHEMA:
        raise AnswerError("the index of ledgers has an unknown schema")
    heads: list[Head] = []
    unusable: list[str] = []
    for key, value in object_of(document.get("heads"), "heads").items():
        before, _, after = key.partition("/")
        owner, slug, head = owner_of(before), slug_of(after), sha256_of(value)
        if owner is None or owner != before or slug is None or head is None:
            unusable.append(text_of(key)[:100])
        else:
            heads.append(Head(owner, slug, head))
    return tuple(heads), tuple(unusable)


def last_line(data: bytes) -> str:
    """The sha256 of a ledger's last line."""
    return sha256(data.rstrip(b"\n").rpartition(b"\n")[2]).hexdigest()


def parse_ledger(data: bytes, head: Sha256) -> tuple[StatedRelease, ...]:
    """The releases of a ledger, oldest first. Lines that record something else are passed over.

    The ledger may be longer than the index knows: it is written first. Raises :class:`AnswerError` where the chain is
    broken, the index's line is not in it, or a version is recorded twice.
    """
    if not data.endswith(b"\n"):
        raise AnswerError("the ledger's last line is cut off")
    releases: list[StatedRelease] = []
    previous, met = _GENESIS, False
    for number, line in enumerate(data[:-1].split(b"\n"), start=1):
        document = read_object(line, _MOST_LINE_BYTES, 200_000)
        if document.get("prev") != previous:
            raise AnswerError(f"line {number} of the ledger does not follow the line before it")
        previous = sha256(line).hexdigest()
        met = met or previous == head
        release = document.get("release")
        if isinstance(release, dict):
            releases.append(_release(release, number))
    if not met:
        raise AnswerError("the ledger does not hold the line that the index names")
    if len({release.version for release in releases}) != len(releases):
        raise AnswerError("the ledger records a version twice")
    return tuple(releases)


def _release(plain: dict[str, Any], number: int) -> StatedRelease:
    version = version_of(plain.get("version"))
    archive = sha256_of(inner(plain.get("archive"), "sha256"))
    files = plain.get("files")
    if version is None or archive is None or not isinstance(files, list):
        raise AnswerError(f"line {number} of the ledger is not a release")
    return StatedRelease(
        version=version,
        created_at=time_of(plain.get("first_seen")),
        changelog=text_of(plain.get("changelog")),
        archive=archive,
        fingerprint=sha256_of(inner(plain.get("hashes"), "fingerprint")),
        files=parse_files(files),
        withheld="its security scan blocks it" if inner(plain.get("scan"), "verdict") == "block" else "",
    )
