"""What the judge finds between the files of a skill and between skills."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo

CODES: Final[Mapping[str, CodeInfo]] = {}
