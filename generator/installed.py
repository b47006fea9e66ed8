"""Which versions of libraries are installed, read from the names of their metadata folders.

``importlib.metadata`` opens and parses a file for each; every build asks, and an unchanged one should not
spend a tenth of its time on it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

_METADATA = re.compile(r"(.+)-([^-]+)\.dist-info")


def installed_versions(names: Sequence[str]) -> tuple[str, ...]:
    """The version of each distribution, ``missing`` where it is not found on ``sys.path``."""
    found: dict[str, str] = {}
    for folder in sys.path:
        try:
            entries = os.listdir(folder or ".")
        except OSError:
            continue
        for entry in entries:
            match = _METADATA.fullmatch(entry)
            if match:
                found.setdefault(_normal(match.group(1)), match.group(2))
    return tuple(found.get(_normal(name), "missing") for name in names)


def _normal(name: str) -> str:
    """Names are equal whatever their case and separators (packaging.python.org, name normalization)."""
    return re.sub(r"[-_.]+", "-", name).lower()
