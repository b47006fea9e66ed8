"""The ledgers of an output folder, held against what the last build said of them."""

from __future__ import annotations

import json
import os

from generator.history.decision import SkillKey
from generator.history.ledger import LedgerError, append_release, check_head, head_of, read_ledger
from generator.model import Owner, Release, ScanVerdict, Slug
from generator.write.layout import COLLECTIONS, LEDGER_INDEX, archive_file, ledger_file, withheld_file
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
        self._heads, self.collections = ({}, {}) if trusting else _read_index(f"{root}/{LEDGER_INDEX}")
        if missing := sorted(self._heads.keys() - set(self._skills)):
            raise LedgerError(
                f"{ledger_file(*missing[0])}: this ledger is missing"
                + (f", and {len(missing) - 1} others" if len(missing) > 1 else "")
                + ". Restore it from a copy of the published hub or from version control. Published versions must "
                "not be lost, so the build stops here."
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
        try:
            with open(f"{self._root}/{ledger_file(*key)}", "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b""

    def heads(self, written: dict[SkillKey, str]) -> dict[SkillKey, str]:
        """The index after a build: what it wrote, what the last one knew, and else what lies there."""
        heads = {**self._heads, **written}
        for key in self._skills:
            if key not in heads:
                with open(f"{self._root}/{ledger_file(*key)}", "rb") as file:
                    heads[key] = head_of(file.read())
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


def _read_index(path: str) -> tuple[dict[SkillKey, str], dict[str, str]]:
    try:
        with open(path, "rb") as file:
            index = json.load(file)
        heads = {
            (Owner(owner), Slug(slug)): str(head)
            for key, head in index["heads"].items()
            for owner, _, slug in (str(key).partition("/"),)
        }
        return heads, {str(name): str(head) for name, head in index.get("collections", {}).items()}
    except FileNotFoundError:
        if _is_promised(path.removesuffix(LEDGER_INDEX)):
            raise LedgerError(
                f"{LEDGER_INDEX}: missing, though {ROOT_DOCUMENT} promises it. Restore it from a copy of the published "
                f"hub; without one, remove {ROOT_DOCUMENT} too if you are sure that no ledger was lost."
            ) from None
        return {}, {}
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError):
        raise LedgerError(
            f"{LEDGER_INDEX}: not readable. Restore it from a copy of the published hub; without one, remove it "
            "if you are sure that no ledger was lost."
        ) from None


def _is_promised(root: str) -> bool:
    """Whether the root document names the index, which is written before it and never removed."""
    try:
        with open(f"{root}{ROOT_DOCUMENT}", "rb") as file:
            return f"/{LEDGER_INDEX}" in json.load(file)["documents"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False
