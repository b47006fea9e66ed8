"""What a report may quote of a package: short, on one line, without anything that acts or hides."""

from __future__ import annotations

import unicodedata
from typing import Final

LIMIT: Final = 120
"""Characters of evidence, the ellipsis included."""
REDACTED: Final = "[redacted]"

_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def trim_evidence(text: str) -> str:
    """``text`` on one line: controls, bidi marks and zero-width characters gone, white space folded, cut to size.

    Text that holds nothing else is named by its code points.
    """
    visible = "".join(
        " " if char in "\t\n\r\x0b\x0c" else char
        for char in text[: LIMIT * 8]
        if char in "\t\n\r\x0b\x0c" or (char.isascii() and char.isprintable()) or _is_visible(char)
    )
    line = " ".join(visible.split()) or " ".join(f"U+{ord(char):04X}" for char in text[:8])
    return line if len(line) <= LIMIT else line[: LIMIT - 1] + "…"


def redact_evidence(text: str) -> str:
    """A secret's evidence: its first four characters say what kind it is, the rest is gone."""
    return trim_evidence(text[:4]) + REDACTED


def _is_visible(char: str) -> bool:
    # Variation selectors and other combining marks that draw nothing can smuggle text.
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0000" <= char <= "\U000e0fff":
        return False
    return unicodedata.category(char) not in _DROPPED
