"""Descriptions that a host's listing cuts off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.judge.model import Subject
from generator.judge.rules.ground import scalar, tell
from generator.model import Finding
from generator.read.fields import fold

LISTING_CUT: Final = 1536
"""Characters of a skill's entry in Claude Code's listing; ``when_to_use`` is appended to the description."""


def find(subject: Subject) -> Iterator[Finding]:
    """A description, together with ``when_to_use``, over Claude Code's listing cut."""
    front = subject.skill.front
    node = scalar(front, "description")
    if node is None:
        return
    when = scalar(front, "when_to_use")
    # A fast bound first: folding only shortens.
    if len(node.value) + (len(when.value) if when is not None else 0) <= LISTING_CUT:
        return
    length = len(fold(node.value)) + (len(fold(when.value)) if when is not None else 0)
    if length > LISTING_CUT:
        both = "The description and when_to_use have together" if when is not None else "The description has"
        yield tell(
            subject, "description-over-listing-cut", node,
            f"{both} {length:,} characters; Claude Code's listing shows {LISTING_CUT:,} of them and cuts the rest",
            f"Shorten by at least {length - LISTING_CUT:,} characters; say first when to use the skill",
        )  # fmt: skip
