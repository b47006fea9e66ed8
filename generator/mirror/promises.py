"""A hub without a change feed: what its root document promises, and what the ledgers promise in turn.

That is all of a hub that cannot be built anew: the ledgers and the archives they name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.history.ledger import LedgerError, check_head, read_ledger
from generator.jsondata import load_json
from generator.mirror.remote import MOST_DOCUMENT, MirrorError, MovedError, Remote
from generator.model import ScanVerdict
from generator.names import InvalidNameError, parse_owner, parse_slug
from generator.write.layout import LEDGER_INDEX, Naming, archive_file, file_for, ledger_file
from generator.write.publish import ROOT_DOCUMENT


@dataclass(frozen=True, slots=True)
class Promised:
    """One file that a hub promises, of ``most`` bytes at most. ``expected`` is false where it may well not be given."""

    path: str
    sha256: str
    most: int = MOST_DOCUMENT
    expected: bool = True


def parse_root(body: bytes) -> Mapping[str, Any]:
    """The root document.

    Raises:
        MirrorError: it is none.
    """
    try:
        plain = load_json(body)
    except ValueError:
        plain = None
    if not isinstance(plain, dict) or plain.get("schema") != "skillpress.hub.v1":
        raise MirrorError(f"{ROOT_DOCUMENT} is not a root document of this Skillpress.")
    return plain


def documents_of(root: Mapping[str, Any]) -> Mapping[str, str]:
    """The promised documents: sha256 by route path."""
    documents = root.get("documents")
    if not isinstance(documents, dict):
        raise MirrorError(f"{ROOT_DOCUMENT} names no documents.")
    return {str(path): str(digest) for path, digest in documents.items()}


def promised_files(root: Mapping[str, Any]) -> Iterator[Promised]:
    """The files of the promised documents."""
    try:
        naming = Naming(root.get("naming", Naming.INDEX_HTML))
    except ValueError:
        raise MirrorError(f"{ROOT_DOCUMENT} names a naming that this Skillpress does not know.") from None
    for path, digest in sorted(documents_of(root).items()):
        yield Promised(file_for(path, naming), digest)


def fetch_ledgers(remote: Remote, index: bytes) -> Iterator[tuple[str, bytes, tuple[Promised, ...]]]:
    """Each ledger that the index of ledgers names: its path, its bytes, and the archives it promises.

    Raises:
        MirrorError: a ledger is not the one that the index names.
    """
    try:
        heads = load_json(index)["heads"]
        keys = {
            (parse_owner(o), parse_slug(s)): str(heads[key]) for key in heads for o, s in [key.split("/")]
        }
    except (ValueError, KeyError, TypeError, AttributeError, InvalidNameError):
        raise MirrorError(f"{LEDGER_INDEX} is not an index of ledgers.") from None
    for (owner, slug), head in sorted(keys.items()):
        path = ledger_file(owner, slug)
        body = remote.take_any(path)
        try:
            check_head(body, head, path)
            releases = read_ledger(body, path)
        except LedgerError as error:
            raise MovedError(str(error)) from None
        yield path, body, tuple(
            # One that the scan blocks is there only where a review lets it through.
            Promised(
                archive_file(owner, slug, release.version), release.archive.sha256, release.archive.size,
                release.scan.verdict is not ScanVerdict.BLOCK,
            )
            for release in releases
        )  # fmt: skip
