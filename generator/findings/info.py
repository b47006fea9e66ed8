"""What a finding code means, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.model import Severity

Layer = Literal["read", "decide", "judge"]


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """What one finding code means: one sentence each, for the report page and the documentation.

    ``example`` is the smallest input that shows the mistake, and ``mended`` the same as it should be; both
    are the lines an author would see (front matter without its fences where nothing else is said), or empty
    where there is nothing to show (a file's size, a broken disk). ``example_in`` says where they stand: empty
    for ``SKILL.md`` (the whole file where the text holds a ``---``), ``paths`` where they are names of files of
    the skill, else the file of the skill that they are the text of.
    """

    severity: Severity
    title: str
    why: str
    fix: str
    layer: Layer = "read"
    example: str = ""
    mended: str = ""
    example_in: str = ""
