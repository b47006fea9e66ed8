"""The single measurements: each runs programs in a folder of its own and answers with figures."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.processes import PROJECT, Usage, run_program
from benchmarks.repository import MadeRepository, make_repository

SKILL_FOLDERS = ("dl", "ledger", "packs", "pages")
"""Folders of a packed hub that hold the files of single skills."""

Tree = Mapping[str, tuple[int, int, int]]
"""Every file of a folder with its size, its time of change in ns, and its inode."""


@dataclass(frozen=True, slots=True)
class Build:
    """One build by the real program. ``counts`` is what its own ``--json`` said."""

    usage: Usage
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A second build of the same input. ``touched`` names files that are not what they were, to the inode."""

    build: Build
    touched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayerCosts:
    """CPU seconds, the peak of memory while it worked, and by how much it raised the peak, for each layer."""

    seconds: Mapping[str, float]
    peaks: Mapping[str, int]
    raised: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Floor:
    """Seconds that reading, hashing, zipping and writing the same bytes takes."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class History:
    """A repository with a long past: what reading all of it costs, and the first and the second build with it.

    ``reading`` is the process that reads, with Python's start; ``seconds`` and ``cpu`` are of the reading alone,
    with the git processes it runs. ``versions`` are those it found.
    """

    made: MadeRepository
    reading: Usage
    seconds: float
    cpu: float
    versions: int
    build: Build
    repeat: Repeat


def measure_build(out: Path, *arguments: str, jobs: int | None = None) -> Build:
    """Build with ``skillpress build`` into ``out``, packed, with the default number of workers."""
    command = ["-m", "generator.cli", "build", "--json", "--layout", "packed", "--out", str(out), *arguments]
    usage, output = run_program(command if jobs is None else [*command, "--jobs", str(jobs)])
    return Build(usage, json.loads(output)["counts"])


def measure_repeat(out: Path, *arguments: str) -> Repeat:
    """Build once more over ``out`` and compare every file with what it was."""
    before = read_tree(out)
    build = measure_build(out, *arguments)
    after = read_tree(out)
    names = sorted(before.keys() | after.keys())
    return Repeat(build, tuple(name for name in names if before.get(name) != after.get(name)))


def read_tree(folder: Path) -> Tree:
    """Every file below ``folder``, hidden ones and the build's own included."""
    tree: dict[str, tuple[int, int, int]] = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            status = os.lstat(path)
            tree[os.path.relpath(path, folder)] = (status.st_size, status.st_mtime_ns, status.st_ino)
    return tree


def most_files_of_a_skill(out: Path) -> int:
    """Files of the skill that has most of them, in a packed hub of one version a skill."""
    files: dict[tuple[str, str], int] = {}
    for folder in SKILL_FOLDERS:
        for parent, _, names in os.walk(out / folder):
            for name in names:
                stem = name.rpartition(".")[0]
                slug = stem.rpartition("-")[0] if folder == "dl" else stem
                key = (Path(parent).name, slug)
                files[key] = files.get(key, 0) + 1
    return max(files.values(), default=0)


def measure_layers(source: Path, out: Path) -> LayerCosts:
    """Build in one process with a clock at each layer."""
    document = _run_module("benchmarks.layers", source, out)
    return LayerCosts(document["seconds"], document["peaks"], document["raised"])


def measure_floor(source: Path, out: Path) -> Floor:
    """The least that can be done with the same bytes, in one process."""
    document = _run_module("benchmarks.floor", source, out)
    return Floor(document["wall"], document["cpu"])


def measure_history(folder: Path, skills: int, commits: int) -> History:
    """Make a repository in ``folder``, read its whole history, and build a hub of every version in it."""
    repository, out = folder / "repository.git", folder / "history-out"
    made = make_repository(str(repository), skills, commits)
    usage, output = run_program(["-m", "benchmarks.repository", str(repository), str(folder / "cache")])
    read = json.loads(output)
    config = folder / "history.yml"
    config.write_text(
        "owner: bench\nsources:\n"
        f"  - {{type: git, path: {json.dumps(str(repository))}, ref: main, folder: skills, history: yes}}\n",
        encoding="utf-8",
    )
    build = measure_build(out, "--config", str(config))
    repeat = measure_repeat(out, "--config", str(config))
    return History(made, usage, read["wall"], read["cpu"], int(read["versions"]), build, repeat)


def real_skills() -> Path | None:
    """The installed npm collection ``ecc-universal``, or None where the test dependencies are not installed."""
    folder = PROJECT / ".testdeps" / "collections" / "ecc-universal"
    return folder if folder.is_dir() else None


def write_hub(folder: Path, collection: Path) -> Path:
    """A ``hub.yml`` in ``folder`` with one source, and one owner, for each folder of skills in ``collection``.

    So that translations of one skill are published side by side.
    """
    (folder / "collection").symlink_to(collection)
    lines = ["name: Real skills", "sources:"]
    found = sorted(path.relative_to(collection) for path in collection.rglob("skills") if path.is_dir())
    for place in found:
        if any((collection / place).glob("*/SKILL.md")):
            owner = "-".join(("ecc", *place.parts[:-1])).replace(".", "").lower()
            lines += [f"  - path: collection/{place.as_posix()}", f"    owner: {owner}"]
    config = folder / "hub.yml"
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return config


def _run_module(module: str, source: Path, out: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(run_program(["-m", module, str(source), str(out)])[1])
    return document
