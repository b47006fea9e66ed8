"""What a build finds out about the operator's own decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_WARNING: Final = Severity.WARNING

CODES: Final[Mapping[str, CodeInfo]] = {
    "overlay-unknown-skill": CodeInfo(
        _WARNING,
        "The overlay speaks of a skill that is not on the hub",
        "The decision has no effect as long as there is no such skill; often the name is misspelt.",
        "Correct the name in the overlay, or remove the entry.",
        "decide",
    ),
    "overlay-unknown-version": CodeInfo(
        _WARNING,
        "The overlay speaks of a version that does not exist",
        "The decision has no effect as long as the skill has no such version; often the number is misspelt.",
        "Correct the version in the overlay, or remove the entry.",
        "decide",
    ),
    "overlay-successor-unknown": CodeInfo(
        _WARNING,
        "The successor of a deprecated skill is not on the hub",
        "People are sent to a skill that they cannot install.",
        "Correct the successor in the overlay, or remove it.",
        "decide",
    ),
    "overlay-rename-occupied": CodeInfo(
        _WARNING,
        "A skill cannot be renamed onto another one",
        "Two skills would share one history, and installations of one would update to the other.",
        "Choose a free address for the skill in the overlay.",
        "decide",
    ),
    "overlay-tag-unavailable": CodeInfo(
        _WARNING,
        "A pinned tag names a version that is withdrawn",
        "A version that is yanked, quarantined or blocked is never chosen, so the tag does not exist.",
        "Pin another version in the overlay, or remove the pin.",
        "decide",
    ),
    "overlay-review-void": CodeInfo(
        _WARNING,
        "A review of a scan finding applies to nothing",
        "A review holds for one rule and one content of a file; the file has changed, or the rule no longer matches.",
        "Remove the review from the overlay, or review the file as it is now.",
        "decide",
    ),
}
