"""Install the real programs and the real skills that the tests use, into ``.testdeps/``.

    python -m tests.deps.install              all that `make test` runs
    python -m tests.deps.install extended     only some parts, here those of `make extended`; `--list` names them

Needs Python, Node with npm, and apt; nothing else. Each finished part leaves a stamp of what it was made
from, so a second run does nothing, prints nothing and needs no network. Every download is checked
against a digest in this folder: npm's lock files, pip's ``--hash`` lines, the table ``COLLECTIONS``.
No package's own scripts run during installation.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

HERE = Path(__file__).resolve().parent
DEPS = HERE.parent.parent / ".testdeps"

CLAWHUB_VERSIONS = ("0.23.3", "0.20.0", "0.8.0")
CHROMIUM = Path("/usr/bin/chromium")
UNZIP = Path("/usr/bin/unzip")
FONTS = (
    Path("/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc"),
    Path("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"),
)
EXTENDED = "extended"
"""The group that is only installed where it is named: large programs, and those that need another Node."""
APT_PACKAGES = ("chromium", "fonts-wqy-zenhei", "fonts-noto-color-emoji", "unzip")


class InstallError(Exception):
    """Something could not be installed; the message says what and what to do."""


@dataclass(frozen=True, slots=True)
class NpmCollection:
    """A package of skills on npm: unpacked, never installed. ``integrity`` is npm's sha512 of the tarball."""

    name: str
    version: str
    integrity: str

    @property
    def folder(self) -> Path:
        """Where its files lie after installation."""
        return DEPS / "collections" / self.name


SARIF_SCHEMA = NpmCollection(
    "@microsoft/jest-sarif",
    "1.0.0-beta.0",
    "sha512-A1fOhPd6Ic5iDk4F9YPw1qNB4XF+7+IviR7xl8r2F6QzQkx5cpY9LsGk2rExiFIEcBbjpVnSmwWGBukASkiQ9A==",
)
"""Not of skills, but unpacked alike: it carries the JSON Schema of SARIF 2.1.0."""
COLLECTIONS = (
    NpmCollection(
        "ecc-universal",
        "2.0.0",
        "sha512-Dj7vsfOiuBD58OSvRJX8w9vHbyyIS6DxvtSs2LWnUBR2Wn/UeuJ0vwpISfk10VwLpFc6KPIfzdmkPQjPy9QJMw==",
    ),
    NpmCollection(
        "ai-labs-claude-skills",
        "2.0.1",
        "sha512-QYJftx5hspD3g01O7CUylHXli0L5dvMHGXkV5sM30ebhXPjJdoiAqcNopRgArzINVg6hf9cXZQ3qlT1rLWkw/w==",
    ),
)
DEEPTUTOR_FOLDER = DEPS / "deeptutor"
DEEPTUTOR_SKILLS = DEEPTUTOR_FOLDER / "deeptutor" / "skills" / "builtin"
DEEPTUTOR_PYTHON = DEPS / "deeptutor-venv" / "bin" / "python"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to install. ``made_from`` is everything its result depends on; ``present`` are files that
    must exist afterwards; ``make`` creates them."""

    name: str
    group: str
    made_from: tuple[bytes, ...]
    present: tuple[Path, ...]
    make: Callable[[], None]

    @property
    def _stamp(self) -> Path:
        return DEPS / "stamps" / self.name

    @property
    def _digest(self) -> str:
        return hashlib.sha256(b"\0".join(self.made_from)).hexdigest()

    def is_done(self) -> bool:
        """True where a finished installation of exactly this is there."""
        if not all(path.exists() for path in self.present):
            return False
        return self._stamp.is_file() and self._stamp.read_text() == self._digest

    def mark_done(self) -> None:
        """Leave the stamp, last."""
        self._stamp.parent.mkdir(parents=True, exist_ok=True)
        self._stamp.write_text(self._digest)


def clawhub_program(version: str) -> Path:
    """The script that Node runs for one version of the clawhub command."""
    return DEPS / f"clawhub-{version}" / "node_modules" / "clawhub" / "bin" / "clawdhub.js"


def parts() -> tuple[Part, ...]:
    """Everything the tests need, in the order of installation.

    Every module here that has ``part`` or ``parts`` brings what it is named after.
    """
    own = (
        *(_clawhub_part(version) for version in CLAWHUB_VERSIONS),
        *(_collection_part(collection) for collection in (*COLLECTIONS, SARIF_SCHEMA)),
        _deeptutor_part(),
        _deeptutor_python_part(),
        _browser_part(),
    )
    brought: list[Part] = []
    for name in sorted(module.name for module in pkgutil.iter_modules([str(HERE)])):
        if name.startswith("test_") or name == "install":
            continue
        module: Any = importlib.import_module(f"tests.deps.{name}")
        brought += module.parts() if hasattr(module, "parts") else ()
        brought += (module.part(),) if hasattr(module, "part") else ()
    return (*own, *brought)


def missing(group: str) -> tuple[str, ...]:
    """The names of the parts of ``group`` that are not installed; the tests' fixtures ask this."""
    return tuple(part.name for part in parts() if part.group == group and not part.is_done())


def npm_part(name: str, group: str, present: Iterable[Path], *flags: str) -> Part:
    """What the lock file in the folder ``name`` here pins, in ``.testdeps/NAME``. ``flags`` are more of npm's."""
    files = tuple(HERE / name / file for file in ("package.json", "package-lock.json"))

    def make() -> None:
        _need_program("npm", "Install Node 20 or newer with npm.")
        with _fresh_folder(DEPS / name) as folder:
            for file in files:
                shutil.copy(file, folder)
            quiet = ["--omit-lockfile-registry-resolved", "--no-audit", "--no-fund"]
            _run(["npm", "ci", "--ignore-scripts", *quiet, *flags], name, cwd=folder)

    return Part(
        name=name,
        group=group,
        made_from=tuple(file.read_bytes() for file in files),
        present=tuple(present),
        make=make,
    )


def _clawhub_part(version: str) -> Part:
    return npm_part(f"clawhub-{version}", "clients", (clawhub_program(version),))


def _collection_part(collection: NpmCollection) -> Part:
    def make() -> None:
        _need_program("npm", "Install Node 20 or newer with npm.")
        spec = f"{collection.name}@{collection.version}"
        with tempfile.TemporaryDirectory() as scratch:
            _run(["npm", "pack", spec, "--ignore-scripts", "--silent", "--pack-destination", scratch], spec)
            packed = collection.name.removeprefix("@").replace("/", "-")
            tarball = Path(scratch) / f"{packed}-{collection.version}.tgz"
            _check_integrity(tarball, collection.integrity)
            with _fresh_folder(collection.folder) as folder:
                _unpack_npm(tarball, folder)

    return Part(
        name=collection.name,
        group="collections",
        made_from=(collection.integrity.encode(),),
        present=(collection.folder / "package.json",),
        make=make,
    )


def _deeptutor_part() -> Part:
    requirements = HERE / "deeptutor-wheel.txt"

    def make() -> None:
        with tempfile.TemporaryDirectory() as scratch:
            _run(
                [
                    *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
                    *("--no-deps", "--only-binary", ":all:", "--require-hashes"),
                    *("--dest", scratch, "--requirement", str(requirements)),
                ],
                "the deeptutor wheel",
            )
            wheels = sorted(Path(scratch).glob("deeptutor-*.whl"))
            if len(wheels) != 1:
                raise InstallError(f"expected one deeptutor wheel, pip left {len(wheels)}")
            with _fresh_folder(DEEPTUTOR_FOLDER) as folder:
                _unpack_wheel(wheels[0], folder)

    return Part(
        name="deeptutor",
        group="deeptutor",
        made_from=(requirements.read_bytes(),),
        present=(DEEPTUTOR_SKILLS, DEEPTUTOR_FOLDER / "deeptutor" / "services" / "skill" / "hub.py"),
        make=make,
    )


def _deeptutor_python_part() -> Part:
    requirements = HERE / "deeptutor-client.txt"
    target = DEEPTUTOR_PYTHON.parent.parent

    def make() -> None:
        # Not a fresh folder moved into place: a virtual environment knows its own path.
        shutil.rmtree(target, ignore_errors=True)
        venv.create(target, with_pip=False)
        _run(
            [
                *(sys.executable, "-m", "pip", "--python", str(DEEPTUTOR_PYTHON), "install", "--quiet"),
                *("--disable-pip-version-check", "--no-deps", "--requirement", str(requirements)),
            ],
            "what DeepTutor's hub client imports",
        )

    return Part(
        name="deeptutor-venv",
        group="deeptutor",
        made_from=(requirements.read_bytes(), sys.version.encode()),
        present=(DEEPTUTOR_PYTHON,),
        make=make,
    )


def _browser_part() -> Part:
    present = (CHROMIUM, UNZIP, *FONTS)

    def make() -> None:
        if all(path.exists() for path in present):
            return
        packages = ["install", "--yes", "--no-install-recommends", *APT_PACKAGES]
        _need_program("apt-get", f"Install by other means: {' '.join(APT_PACKAGES)}.")
        if os.geteuid() != 0:
            raise InstallError(
                f"the browser comes from Debian's packages. Run once as root: apt-get {' '.join(packages)}"
            )
        # Another apt may be at work; wait for it instead of failing.
        apt = ["apt-get", "-o", "DPkg::Lock::Timeout=600", "--quiet"]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        _run([*apt, "update"], "Debian's package lists", env=environment)
        _run([*apt, *packages], "Debian's chromium and fonts", env=environment)

    return Part(
        name="browser",
        group="browser",
        made_from=(" ".join(APT_PACKAGES).encode(),),
        present=present,
        make=make,
    )


def _need_program(name: str, advice: str) -> None:
    if shutil.which(name) is None:
        raise InstallError(f"{name} is not on PATH. {advice}")


def _run(
    command: list[str], what: str, *, cwd: Path | None = None, env: dict[str, str] | None = None
) -> None:
    try:
        done = subprocess.run(
            command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900
        )
    except subprocess.TimeoutExpired:
        raise InstallError(f"{what}: no end after 15 minutes: {' '.join(command)}") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip())[-2000:]
        raise InstallError(
            f"{what} could not be fetched (exit {done.returncode}): {' '.join(command)}\n{said}"
        )


class _fresh_folder:  # noqa: N801  (used like a function)
    """A new folder beside ``target`` that takes its place only when the block ends well."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._new = target.with_name(target.name + ".new")

    def __enter__(self) -> Path:
        shutil.rmtree(self._new, ignore_errors=True)
        self._new.mkdir(parents=True)
        return self._new

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            shutil.rmtree(self._new, ignore_errors=True)
            return
        shutil.rmtree(self._target, ignore_errors=True)
        self._new.rename(self._target)


def _check_integrity(tarball: Path, integrity: str) -> None:
    found = "sha512-" + base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
    if found != integrity:
        raise InstallError(f"{tarball.name}: expected {integrity}, the registry sent {found}")


def _safe_target(folder: Path, name: str, archive: Path) -> Path:
    path = PurePosixPath(name)
    if path.is_absolute() or "\\" in name or not path.parts or any(part == ".." for part in path.parts):
        raise InstallError(f"{archive.name}: unsafe path {name!r}")
    return folder.joinpath(*path.parts)


def _unpack_npm(tarball: Path, folder: Path) -> None:
    """Regular files below the tarball's one top folder; links and devices are left out."""
    with tarfile.open(tarball, "r:gz") as archive:
        for member in archive:
            if not member.isreg():
                continue
            _, _, inner = member.name.partition("/")
            target = _safe_target(folder, inner, tarball)
            content = archive.extractfile(member)
            assert content is not None
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read())
            target.chmod(0o755 if member.mode & 0o111 else 0o644)


def _unpack_wheel(wheel: Path, folder: Path) -> None:
    """The wheel's Python modules and its built-in skills; not its web application."""
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            name = entry.filename
            wanted = name.startswith("deeptutor/skills/") or (
                name.startswith("deeptutor/") and name.endswith((".py", ".json", ".yaml"))
            )
            if entry.is_dir() or not wanted:
                continue
            target = _safe_target(folder, name, wheel)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(entry))


def install(wanted: Iterable[Part]) -> None:
    """Install what is not there yet, one line each; raise :class:`InstallError` at the first failure."""
    for part in wanted:
        if part.is_done():
            continue
        sys.stdout.write(f"test dependencies: {part.name}\n")
        sys.stdout.flush()
        part.make()
        gone = [path for path in part.present if not path.exists()]
        if gone:
            raise InstallError(
                f"{part.name}: installed, but {gone[0].relative_to(gone[0].anchor)} is not there"
            )
        part.mark_done()


def main() -> int:
    """The command; its exit code."""
    groups = sorted({part.group for part in parts()})
    parser = argparse.ArgumentParser(description="Install what the tests need into .testdeps/.")
    parser.add_argument(
        "groups", nargs="*", metavar="PART", help=f"of {', '.join(groups)}; default all but {EXTENDED}"
    )
    parser.add_argument("--list", action="store_true", help="name every part and whether it is there")
    options = parser.parse_args()
    unknown = sorted(set(options.groups) - set(groups))
    if unknown:
        parser.error(f"no part {unknown[0]!r}; parts are {', '.join(groups)}")
    chosen = [
        part
        for part in parts()
        if (part.group in options.groups if options.groups else part.group != EXTENDED)
    ]
    if options.list:
        for part in chosen:
            sys.stdout.write(f"{part.group}: {part.name}: {'there' if part.is_done() else 'missing'}\n")
        return 0
    try:
        install(chosen)
    except InstallError as error:
        sys.stderr.write(f"tests/deps/install.py: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    # As the module that the parts were made from: in this one an error of theirs would be of another class.
    raise SystemExit(importlib.import_module("tests.deps.install").main())
