"""The sample hub in its shapes, and the clawhub command in three versions."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.clients import samples
from tests.clients.installer_hub import SHAPES, STATES, WITHHELD, StagedHub
from tests.conftest import MakeHub, require
from tests.deps.install import CLAWHUB_VERSIONS, clawhub_program
from tests.hubs import DAY, EPOCH, LiveHub, minimal_environment, read_tree

Shape = tuple[str, str, str]
"""A version of the command, a layout of the hub and the base path of its URL."""

MAIN: tuple[Shape, ...] = tuple((version, "packed", "") for version in CLAWHUB_VERSIONS)
"""Where every test runs. Starting Node takes a second, so only one test runs in the other shapes too."""
OTHERS: tuple[Shape, ...] = (
    ("0.23.3", "packed", "/hub"),
    *((version, "exploded", "/hub") for version in CLAWHUB_VERSIONS),
)


def shape_id(shape: Shape) -> str:
    """How a shape is called in the names of tests."""
    return "-".join(part.strip("/") or "root" for part in shape)


@dataclass(frozen=True, slots=True)
class SampleHub:
    """A served hub, built twice. ``first`` and ``second`` are the sources' files as each build read them,
    by ``owner/slug``; ``early`` holds, by client version, a home and a working folder where ``field-notes``
    was installed between the two builds."""

    live: LiveHub
    first: dict[str, dict[str, bytes]]
    second: dict[str, dict[str, bytes]]
    early: dict[str, Path]


@dataclass(frozen=True, slots=True)
class Clawhub:
    """One version of the clawhub command in a home and a working folder of its own."""

    version: str
    hub: SampleHub
    home: Path
    work: Path

    @property
    def number(self) -> tuple[int, ...]:
        """The version for comparisons."""
        return tuple(int(part) for part in self.version.split("."))

    @property
    def skills(self) -> Path:
        """Where it installs."""
        return self.work / "skills"

    def run(self, *arguments: str, site: bool = False) -> subprocess.CompletedProcess[bytes]:
        """Run a command against the hub; with ``site`` the hub must be found by discovery."""
        where = "--site" if site else "--registry"
        return run_clawhub(self.version, self.home, self.work, where, self.hub.live.url, *arguments)

    def read(self, *arguments: str, site: bool = False) -> str:
        """What a command that must succeed prints."""
        done = self.run(*arguments, site=site)
        assert done.returncode == 0, _said(done)
        return done.stdout.decode()

    def read_json(self, *arguments: str) -> Any:
        """The JSON that a command that must succeed prints."""
        return json.loads(self.read(*arguments))

    def refuse(self, *arguments: str) -> str:
        """Everything a command that must fail says."""
        done = self.run(*arguments)
        assert done.returncode != 0, _said(done)
        return _said(done)

    def installed(self, name: str) -> dict[str, bytes]:
        """The files of an installed skill without the client's own notes."""
        return read_tree(self.skills / name, without=[".clawhub"])

    def lock(self) -> dict[str, Any]:
        """The lock file's skills."""
        skills = json.loads((self.work / ".clawhub" / "lock.json").read_bytes())["skills"]
        assert isinstance(skills, dict)
        return skills

    def origin(self, name: str) -> dict[str, Any]:
        """Where the client thinks an installed skill came from."""
        origin = json.loads((self.skills / name / ".clawhub" / "origin.json").read_bytes())
        assert isinstance(origin, dict)
        return origin


def run_clawhub(version: str, home: Path, work: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run one version of the unmodified command with nothing of the user's own settings."""
    home.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    return subprocess.run(
        ["node", str(clawhub_program(version)), "--workdir", str(work), "--no-input", *arguments],
        cwd=work,
        env=minimal_environment(
            home,
            CLAWHUB_DISABLE_TELEMETRY="1",
            CLAWHUB_CONFIG_PATH=str(home / "clawhub.json"),
            NO_COLOR="1",
        ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
    )


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    return f"exit {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}"


def _sources(folder: Path) -> dict[str, dict[str, bytes]]:
    return {
        f"{owner}/{skill.name}": read_tree(skill)
        for source, owner in samples.SOURCES.items()
        for skill in sorted((folder / source).iterdir())
    }


@pytest.fixture(scope="session")
def sample_hubs(
    make_hub: MakeHub, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, str], SampleHub]:
    """A function from layout and base path to a sample hub, each made once."""
    made: dict[tuple[str, str], SampleHub] = {}

    def get(layout: str, base: str) -> SampleHub:
        require("clients")
        if (layout, base) not in made:
            live = make_hub(f"hub-{layout}", layout=layout, base=base)
            versions = [shape[0] for shape in (*MAIN, *OTHERS) if shape[1:] == (layout, base)]
            made[layout, base] = _build_twice(live, tmp_path_factory.mktemp("early"), versions)
        return made[layout, base]

    return get


def _build_twice(live: LiveHub, early: Path, versions: Iterable[str]) -> SampleHub:
    live.configure(samples.SOURCES)
    samples.write_first(live.folder)
    first = _sources(live.folder)
    live.build().check()
    live.start()
    homes = {version: early / version for version in versions}
    for version, folder in homes.items():
        done = run_clawhub(
            version, folder / "home", folder / "work", "--registry", live.url, "install", "field-notes"
        )
        assert done.returncode == 0, _said(done)
    samples.write_second(live.folder)
    live.build(epoch=EPOCH + DAY).check()
    return SampleHub(live=live, first=first, second=_sources(live.folder), early=homes)


@pytest.fixture(params=MAIN, ids=shape_id)
def clawhub(
    request: pytest.FixtureRequest, sample_hubs: Callable[[str, str], SampleHub], tmp_path: Path
) -> Clawhub:
    """The clawhub command in a fresh home, against the sample hub: every version, or what a test names."""
    version, layout, base = request.param
    return Clawhub(version, sample_hubs(layout, base), tmp_path / "home", tmp_path / "work")


@pytest.fixture
def early_clawhub(clawhub: Clawhub, tmp_path: Path) -> Clawhub:
    """The same command with ``field-notes`` installed before the hub's second build."""
    shutil.copytree(clawhub.hub.early[clawhub.version], tmp_path, dirs_exist_ok=True)
    return clawhub


@pytest.fixture(scope="session")
def installer_hubs(make_hub: MakeHub) -> Callable[[str, str], StagedHub]:
    """A function from layout and base path to the hub of :mod:`installer_hub`, each made once."""
    made: dict[tuple[str, str], StagedHub] = {}

    def get(layout: str, base: str) -> StagedHub:
        if (layout, base) not in made:
            live = make_hub(f"installers-{layout}", layout=layout, base=base)
            hub = StagedHub(live, STATES, WITHHELD)
            hub.build()
            made[layout, base] = hub
        return made[layout, base]

    return get


@pytest.fixture(params=SHAPES)
def installer_hub(
    request: pytest.FixtureRequest, installer_hubs: Callable[[str, str], StagedHub]
) -> StagedHub:
    """The hub of :mod:`installer_hub` in its first state, packed at the root and exploded below a path."""
    hub = installer_hubs(*request.param)
    hub.show(0)
    return hub
