"""A hub that goes back: what was published before is gone from it, or told otherwise.

A hub that was taken over, restored from an old backup, or built anew without what it knew looks just so. A copy may
then be all that is left of what was published, so it is not made equal to such a hub unless whoever keeps it says so.
"""

from __future__ import annotations

from typing import Final

from generator.mirror.local import list_files, read_file
from generator.mirror.remote import MirrorError

_CHUNK: Final = 2**20


def went_back(reason: str) -> MirrorError:
    """The error for a hub that goes back."""
    return MirrorError(
        f"The hub goes back: {reason}. Nothing was removed or replaced. A cache may have given an old document: try "
        "again later. If whoever runs the hub says that it is meant, mirror with --allow-rollback."
    )


def is_ledger(path: str) -> bool:
    """Whether a file of a hub is only ever appended to."""
    return path.startswith("ledger/") and path.endswith(".jsonl")


def list_ledgers(root: str) -> list[str]:
    """The ledgers of a copy."""
    return [path for path in list_files(root) if is_ledger(path)]


def goes_on(before: str, after: str) -> bool:
    """Whether the file ``after`` begins with all of the file ``before``."""
    with open(before, "rb") as one, open(after, "rb") as other:
        while part := one.read(_CHUNK):
            if other.read(len(part)) != part:
                return False
    return True


def check_extends(root: str, path: str, ledger: bytes) -> None:
    """Check that a ledger goes on from the one in the copy at ``root``.

    Raises:
        MirrorError: it does not.
    """
    if not ledger.startswith(read_file(root, path) or b""):
        raise went_back(f"its {path} does not go on from the one in this copy")
