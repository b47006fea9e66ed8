"""Archives and other hubs as sources: what a registry declares, and what a hub answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_INFO: Final = Severity.INFO
_ASK: Final = "Tell the operator of that hub, or leave the skill out of the source."

CODES: Final[Mapping[str, CodeInfo]] = {
    "meta-declaration-unusable": CodeInfo(
        _WARNING,
        "A value in _meta.json is not usable",
        "Owner, slug and version become addresses; what cannot be one is not taken from the file.",
        "Write a usable value there, or remove the key.",
    ),
    "hub-row-unusable": CodeInfo(
        _WARNING,
        "The other hub lists a skill that cannot be taken over",
        "Its owner, slug or version is missing or breaks the rules for names, or the row is listed twice.",
        _ASK,
    ),
    "hub-answer-invalid": CodeInfo(
        _ERROR,
        "The other hub answers something that is not what its API promises",
        "A document without its required fields, too large, or not JSON cannot be relied upon in any part.",
        _ASK,
    ),
    "hub-answer-missing": CodeInfo(
        _ERROR,
        "The other hub lists something that it does not give",
        "A version or archive that is listed answers with an error, so it is not taken over this time.",
        "Build again later; what was taken over before stays published.",
    ),
    "hub-release-withheld": CodeInfo(
        _WARNING,
        "The other hub withholds a version",
        "It refuses the archive for a reason of its own, such as a quarantine; nothing is taken over.",
        "Ask that hub, if the version is needed.",
    ),
    "hub-release-elsewhere": CodeInfo(
        _WARNING,
        "The other hub points to a repository for the skill's files",
        "It serves no archive of its own; clients fetch a commit from the code host.",
        "Add that repository as a source of its own.",
    ),
    "hub-archive-mismatch": CodeInfo(
        _ERROR,
        "An archive is not the one that the other hub states",
        "Its checksum, its files or their fingerprint differ: it was changed, damaged, or is another skill's.",
        "Do not use this version; tell the operator of that hub.",
    ),
    "hub-version-changed": CodeInfo(
        _ERROR,
        "The other hub changed a version that was taken over before",
        "A published version never changes here, so the bytes taken over first stay.",
        "Ask that hub for a new version.",
        "decide",
    ),
    "hub-integrity-unstated": CodeInfo(
        _INFO,
        "The other hub states no checksum for a version",
        "Only the transport vouches for the bytes; they are fixed here from now on.",
        "Nothing has to be done.",
    ),
}
"""The codes of this family."""
