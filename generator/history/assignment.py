"""Which version a folder's content is published under, given what its ledger already holds.

Pure, and asked twice with the same answer: by the decision over all folders, and by the worker that writes
the skill and has its ledger at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from generator.model import Release, Sha256, Version
from generator.versions import FIRST_VERSION, next_patch, precedence


class OnChanged(StrEnum):
    """What happens to content that changed under a version that is published already.

    ERROR: it is refused. BUMP: it is published under the next free patch version. REPLACE is a preview's: the
    version's content is replaced.
    """

    ERROR = "error"
    BUMP = "bump"
    REPLACE = "replace"


def assign_version(
    wanted: Version | None, content: Sha256, releases: Sequence[Release], on_changed: OnChanged
) -> Version | None:
    """The version to publish under; None where content changed under a published version and policy refuses.

    ``wanted`` is the version the author declares, or None. Without one the ledger counts: 1.0.0 first, then
    the next patch version with each change; unchanged content keeps its version. ``releases`` are the ledger's,
    oldest first; ``content`` is the tree hash.
    """
    if on_changed is OnChanged.REPLACE:
        return wanted or FIRST_VERSION
    if wanted is None:
        if not releases:
            return FIRST_VERSION
        if releases[-1].hashes.tree == content:
            return releases[-1].version
        return next_patch(max((release.version for release in releases), key=precedence))
    same = next((release for release in releases if release.version == wanted), None)
    if same is None or same.hashes.tree == content:
        return wanted
    if on_changed is OnChanged.ERROR:
        return None
    bumped = next((release.version for release in reversed(releases) if release.hashes.tree == content), None)
    if bumped is not None and precedence(bumped) > precedence(wanted):
        return bumped
    return next_free(wanted, releases)


def next_free(version: Version, releases: Sequence[Release]) -> Version:
    """The next patch version after ``version`` that the ledger does not hold."""
    taken = {release.version for release in releases}
    candidate = next_patch(version)
    while candidate in taken:
        candidate = next_patch(candidate)
    return candidate
