"""The ledgers of an output folder, held against what the last build said of them."""

from __future__ import annotations

import errno
import hashlib
import os
import stat

from generator.history.decision import SkillKey
from generator.history.ledger import LedgerError, append_release, check_head, head_of, read_ledger
from generator.jsondata import load_json
from generator.mirror.local import read_file
from generator.model import Owner, Release, ScanVerdict, Slug
from generator.write.layout import COLLECTIONS, LEDGER_INDEX, archive_file, ledger_file, withheld_file
from generator.write.protocols.changes import STATE_FILE, ChangesError, read_state
from generator.write.protocols.events import Standings
from generator.write.publish import ROOT_DOCUMENT


class Ledgers:
    """Reads each ledger at most once. ``trusting`` is a preview's: its ledgers may have been rewritten.

    ``collections`` are the heads of the collections' ledgers, by name.
    """

    def __init__(self, root: str, *, trusting: bool) -> None:
        """Look at which ledgers there are.

        Raises:
            LedgerError: one that the index names is missing, or the index is not readable.
        """
        self._root = root
        self._read: dict[SkillKey, tuple[Release, ...]] = {}
        self._skills = _list_skills(f"{root}/ledger")
        self._heads, self.collections, digest = ({}, {}, "") if trusting else _read_index(root)
        if missing := sorted(self._heads.keys() - set(self._skills)):
            raise LedgerError(
                f"{ledger_file(*missing[0])}: this ledger is missing"
                + (f", and {len(missing) - 1} others" if len(missing) > 1 else "")
                + ". Restore it from a copy of the published hub or from version control. Published versions must "
                "not be lost, so the build stops here."
            )
        if not trusting and _promised_index(root) not in (None, digest):
            self._check_standings()

    def _check_standings(self) -> None:
        """Hold every ledger against what the change feed's state says of its skill.

        An index that is not the root document's was left by a build that was ended before it wrote the root document,
        or it was edited. A ledger's lines do not name their skill, so two that changed places with their heads look
        whole. In the first case every ledger goes on from where its skill stood; in the other one does not.
        """
        for place, standing in sorted(_standings(self._root).items()):
            owner, _, slug = place.partition("/")
            known = [
                (one.version, one.fingerprint) for one in standing.releases if one.fingerprint is not None
            ]
            releases = self.releases((Owner(owner), Slug(slug)))
            if known != [(one.version, one.hashes.fingerprint) for one in releases][: len(known)]:
                raise LedgerError(
                    f"{ledger_file(owner, slug)}: it does not hold the releases that {STATE_FILE} knows of {place}, "
                    f"and {LEDGER_INDEX} is not the one that {ROOT_DOCUMENT} promises: a ledger may lie in another's "
                    "place. "
                    "Restore the folder `ledger` from a copy of the published hub or from version control. Published "
                    "versions must not be lost, so the build stops here."
                )

    def skills(self) -> list[SkillKey]:
        """Every skill that has a ledger."""
        return self._skills

    def releases(self, key: SkillKey) -> tuple[Release, ...]:
        """The releases of one skill, oldest first; empty where it has no ledger.

        Raises:
            LedgerError: the ledger is not what the last build left.
        """
        if key not in self._read:
            path, ledger = ledger_file(*key), self._ledger(key)
            if key in self._heads:
                check_head(ledger, self._heads[key], path)
            self._read[key] = read_ledger(ledger, path)
        return self._read[key]

    def servable(self, key: SkillKey) -> bool:
        """Whether the hub holds the archive of at least one release that the scan does not block; one that the
        operator holds back counts, for its page says so."""
        return any(
            release.scan.verdict is not ScanVerdict.BLOCK
            and (
                os.path.isfile(f"{self._root}/{archive_file(*key, release.version)}")
                or os.path.isfile(f"{self._root}/{withheld_file(archive_file(*key, release.version))}")
            )
            for release in self.releases(key)
        )

    def carry(self, key: SkillKey, releases: tuple[Release, ...]) -> bytes:
        """The ledger of ``key`` with ``releases`` appended, to be written; it counts as written from now on."""
        ledger = self._ledger(key)
        for release in releases:
            ledger = append_release(ledger, release)
        self._read[key] = (*self.releases(key), *releases)
        if key not in self._skills:
            self._skills = sorted((*self._skills, key))
        return ledger

    def _ledger(self, key: SkillKey) -> bytes:
        return read_ledger_file(self._root, ledger_file(*key)) or b""

    def heads(self, written: dict[SkillKey, str]) -> dict[SkillKey, str]:
        """The index after a build: what it wrote, what the last one knew, and else what lies there."""
        heads = {**self._heads, **written}
        for key in self._skills:
            if key not in heads:
                heads[key] = head_of(self._ledger(key))
        return heads


def _list_skills(folder: str) -> list[SkillKey]:
    found: list[SkillKey] = []
    if not os.path.isdir(folder):
        return found
    for owner in sorted(os.listdir(folder)):
        if owner != COLLECTIONS and os.path.isdir(f"{folder}/{owner}"):
            with os.scandir(f"{folder}/{owner}") as entries:
                names = sorted(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
            found += [
                (Owner(owner), Slug(name.removesuffix(".jsonl"))) for name in names if name.endswith(".jsonl")
            ]
    return found


def read_ledger_file(root: str, path: str) -> bytes | None:
    """The bytes of a ledger below ``root``; None where there is no file.

    Raises:
        LedgerError: something else is there: a link, a folder, a pipe.
    """
    try:
        descriptor = os.open(f"{root}/{path}", os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.ENOTDIR):
            raise _no_file(f"{root}/{path}") from None
        raise LedgerError(f"{root}/{path}: cannot be read ({error.strerror}). Check its rights.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _no_file(f"{root}/{path}")
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def _no_file(path: str) -> LedgerError:
    return LedgerError(
        f"{path}: not a regular file. A ledger is never read through a link, and a folder or a pipe is none: put the "
        "file back from a copy of the published hub or from version control, or remove what is there if there was none."
    )


def _read_index(root: str) -> tuple[dict[SkillKey, str], dict[str, str], str]:
    """The heads of skills and of collections, and the sha256 of the index."""
    try:
        body = read_ledger_file(root, LEDGER_INDEX)
        if body is None:
            if _promised_index(root) is not None:
                raise LedgerError(
                    f"{LEDGER_INDEX}: missing, though {ROOT_DOCUMENT} promises it. Restore it from a copy of the "
                    f"published hub; without one, remove {ROOT_DOCUMENT} too if you are sure that no ledger was lost."
                )
            return {}, {}, ""
        index = load_json(body)
        heads = {
            (Owner(owner), Slug(slug)): str(head)
            for key, head in index["heads"].items()
            for owner, _, slug in (str(key).partition("/"),)
        }
        collections = {str(name): str(head) for name, head in index.get("collections", {}).items()}
        return heads, collections, hashlib.sha256(body).hexdigest()
    except (ValueError, KeyError, TypeError, AttributeError):
        raise LedgerError(
            f"{LEDGER_INDEX}: not readable. Restore it from a copy of the published hub; without one, remove it "
            "if you are sure that no ledger was lost."
        ) from None


def _promised_index(root: str) -> str | None:
    """The sha256 that the root document promises of the index, which is written before it and never removed."""
    try:
        documents = load_json(read_file(root, ROOT_DOCUMENT) or b"")["documents"]
        promised = documents.get(f"/{LEDGER_INDEX}")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return None if promised is None else str(promised)


def _standings(root: str) -> Standings:
    """Where every skill stood when the change feed's state was written; empty where there is none to be read."""
    try:
        return read_state(read_file(root, STATE_FILE) or b"").standings
    except (OSError, ChangesError):
        return {}
