"""What the languages of the hosts count as white space, and how JavaScript joins halves of a character."""

from __future__ import annotations

import re
from typing import Final

_BOTH: Final = (
    "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
JS_SPACE: Final = _BOTH + "\ufeff"
r"""JavaScript: ``\s`` and what ``trim`` removes."""
RUST_SPACE: Final = _BOTH + "\x85"
"""Rust: ``char::is_whitespace``."""

_HALVES: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def join_halves(text: str) -> str:
    """Two halves of a character that were spelled out one by one are that character in JavaScript."""
    return _HALVES.sub(lambda found: found[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)
