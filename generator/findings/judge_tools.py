"""What the judge finds about tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo

CODES: Final[Mapping[str, CodeInfo]] = {}
