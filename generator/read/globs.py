"""Globs on folders relative to a source's root, as ``hub.yml`` writes them under ``include``."""

from __future__ import annotations

import re


def compile_glob(pattern: str) -> re.Pattern[str]:
    """A glob on a relative folder: ``*`` and ``?`` stay within one name, ``**`` as a whole segment spans
    any number of them, everything else is literal. ``.`` is the root."""
    parts: list[str] = []
    segments = [s for s in pattern.strip("/").split("/") if s not in ("", ".")]
    for number, segment in enumerate(segments):
        last = number == len(segments) - 1
        if segment == "**":
            parts.append(r".*" if last else r"(?:[^/]+/)*")
        else:
            parts.append("".join({"*": "[^/]*", "?": "[^/]"}.get(c, re.escape(c)) for c in segment))
            if not last:
                # "a/**" takes "a" itself too, as shells do.
                parts.append(r"(?:/|\Z)" if segments[number + 1 :] == ["**"] else "/")
    return re.compile("".join(parts), re.DOTALL)
