"""Characters that print nothing or turn words round, and texts without them.

A manifest keeps what the author wrote. What lists, titles and cards show is that text without these
characters: a reader decides by what is seen.
"""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""Controls, direction marks, zero width and tags. U+200C and U+200D stay: several scripts, and emoji, need them."""


def without_hidden(text: str) -> str:
    """The text without hidden characters."""
    return text if text.isprintable() else HIDDEN.sub("", text).strip()
