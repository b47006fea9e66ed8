"""The JavaScript edges as a part of what the tests need: workerd, driven by miniflare, and Deno.

miniflare 4.20260426 is the last that runs on Node 20; its workerd is that of the same day. npm passes over an optional
package that it could not fetch, so the part is only there with this machine's programs.

    python -m tests.deps.edges
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.deps.install import DEPS, HERE, Part, _fresh_folder, _need_program, _run, install

NAME = "edges"
FOLDER = DEPS / NAME
MODULES = FOLDER / "node_modules"
DENO = FOLDER / "deno"
WORKERD = FOLDER / "workerd"


def part() -> Part:
    """The part, of the group ``edges``."""
    files = tuple(HERE / NAME / name for name in ("package.json", "package-lock.json"))

    def make() -> None:
        _need_program("npm", "Install Node 20 or newer with npm.")
        with _fresh_folder(FOLDER) as folder:
            for file in files:
                shutil.copy(file, folder)
            flags = ["--ignore-scripts", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund"]
            _run(["npm", "ci", *flags], NAME, cwd=folder)
            # npm fetches the programs of this machine alone, each in a package named after it.
            _link(folder / "deno", "node_modules/@deno/*/deno")
            _link(folder / "workerd", "node_modules/@cloudflare/workerd-*/bin/workerd")

    return Part(
        name=NAME,
        group=NAME,
        made_from=tuple(file.read_bytes() for file in files),
        present=(MODULES / "miniflare" / "package.json", DENO, WORKERD),
        make=make,
    )


def _link(link: Path, pattern: str) -> None:
    for found in sorted(link.parent.glob(pattern)):
        link.symlink_to(found.relative_to(link.parent))
        return


if __name__ == "__main__":
    install((part(),))
