"""Claude Code 2.1.197 as a part of what the tests need: the last release that Node 20 gets, and that takes plain HTTP.

npm passes over an optional package that it could not fetch, so the part is only there with this machine's program.
"""

from __future__ import annotations

import platform
import shutil
import sys
from pathlib import Path

from tests.deps.install import DEPS, HERE, Part, _fresh_folder, _need_program, _run

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
    files = tuple(HERE / NAME / name for name in ("package.json", "package-lock.json"))

    def make() -> None:
        _need_program("npm", "Install Node 20 or newer with npm.")
        with _fresh_folder(DEPS / NAME) as folder:
            for file in files:
                shutil.copy(file, folder)
            flags = ["--ignore-scripts", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund"]
            _run(["npm", "ci", *flags], NAME, cwd=folder)

    return Part(
        name=NAME,
        group="claude-code",
        made_from=tuple(file.read_bytes() for file in files),
        present=(claude_program(),),
        make=make,
    )
