"""A source that suddenly gives far fewer skills is more often a mistake than a wish, so it stops the build."""

from __future__ import annotations

from collections.abc import Mapping

from generator.errors import SkillpressError
from generator.jsondata import load_json
from generator.write.publish import ROOT_DOCUMENT

_FEWEST_LOST = 2


class ShrinkError(SkillpressError):
    """A source gives far fewer skills than when the hub was last built."""


def read_counts(root: str) -> Mapping[str, int]:
    """How many skill folders each source gave the last build, by label; empty where nothing says so."""
    try:
        with open(f"{root}/{ROOT_DOCUMENT}", "rb") as file:
            sources = load_json(file.read())["sources"]
        return {str(one["label"]): int(one["folders"]) for one in sources}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def check_shrink(before: Mapping[str, int], now: Mapping[str, int], max_shrink: int) -> None:
    """Compare what sources gave with what they give; ``max_shrink`` is in percent.

    A source that is no longer listed is the operator's doing. One skill less is never too much, unless it was
    the only one.

    Raises:
        ShrinkError: naming every source that lost too many.
    """
    lost = [
        f"source {label} gives {count} of the {before[label]} skill folders it gave last time"
        for label, count in now.items()
        if _is_too_much(before.get(label, 0), count, max_shrink)
    ]
    if lost:
        raise ShrinkError(
            f"{'; '.join(lost)}. Check its path and its patterns. If that is meant, build with --allow-shrink, "
            "or raise policy.max_shrink in hub.yml. Nothing was changed."
        )


def _is_too_much(before: int, now: int, max_shrink: int) -> bool:
    lost = before - now
    if lost <= 0 or lost * 100 <= before * max_shrink:
        return False
    return now == 0 or lost >= _FEWEST_LOST
