"""What the judge finds in one skill beyond what reading it finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo

CODES: Final[Mapping[str, CodeInfo]] = {}
