"""The Pagefind program (npm's ``pagefind``, its extended form) as a part of what the tests need.

npm passes over an optional package that it could not fetch, so the part is only there with this machine's program.
"""

from __future__ import annotations

import platform
import sys

from tests.deps.install import DEPS, Part, npm_part

NAME = "pagefind"
BIN = DEPS / NAME / "node_modules" / ".bin"
"""What an operator has on PATH."""
_MACHINES = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64"}


def part() -> Part:
    """The part, of the group ``pagefind``."""
    system = {"win32": "windows"}.get(sys.platform, sys.platform.rstrip("0123456789"))
    machine = _MACHINES.get(platform.machine(), platform.machine())
    suffix = ".exe" if system == "windows" else ""
    program = (
        DEPS
        / NAME
        / "node_modules"
        / "@pagefind"
        / f"{system}-{machine}"
        / "bin"
        / f"pagefind_extended{suffix}"
    )
    return npm_part(NAME, NAME, (BIN / "pagefind", program))
