"""A unified diff of bytes, in which everything that differs can be seen."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Final

from generator.check.safety import safe, safe_line

_HEADER_LINES: Final = 2


def diff_bytes(before: bytes, after: bytes, old_name: str, new_name: str) -> Iterator[str]:
    """The lines of a unified diff. Line ends, byte order marks and other invisible characters are escapes."""
    if before == after:
        if old_name != new_name:
            yield f"rename from {safe(old_name)}"
            yield f"rename to {safe(new_name)}"
        return
    made = difflib.unified_diff(_lines(before), _lines(after), f"a/{old_name}", f"b/{new_name}", lineterm="")
    for number, line in enumerate(made):
        yield safe_line(safe(line.removesuffix("\n")))
        if number >= _HEADER_LINES and line[:1] in "+- " and not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(data: bytes) -> list[str]:
    """Lines that end at a line feed only: a lone CR is what an author should see."""
    lines = [f"{line}\n" for line in data.decode("utf-8", "backslashreplace").split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
