"""Claude Code 2.1.197 as a part of what the tests need: the last release that Node 20 gets, and that takes plain HTTP.

npm passes over an optional package that it could not fetch, so the part is only there with this machine's program.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from tests.deps.install import DEPS, Part, npm_part

NAME = "claude-code-2.1.197"
_MACHINES = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64"}


def claude_program() -> Path:
    """The program itself. The launcher beside it would only start Node first."""
    system = "win32" if sys.platform == "win32" else sys.platform.rstrip("0123456789")
    machine = _MACHINES.get(platform.machine(), platform.machine())
    musl = "-musl" if system == "linux" and platform.libc_ver()[0] != "glibc" else ""
    package = DEPS / NAME / "node_modules" / "@anthropic-ai" / f"claude-code-{system}-{machine}{musl}"
    return package / ("claude.exe" if system == "win32" else "claude")


def part() -> Part:
    """The part, of the group ``claude-code``."""
    return npm_part(NAME, "claude-code", (claude_program(),))
