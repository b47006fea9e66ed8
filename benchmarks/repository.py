"""A synthetic git repository with a long past, and what reading it costs.

``python -m benchmarks.repository REPOSITORY CACHE`` reads the whole history of one and prints, as JSON, what it took:
seconds of wall time, and of CPU of this process and of the git processes it ran.

Skills are those of :mod:`benchmarks.synthetic`. Every commit after the first few changes one or a few of them, some far
more often than others, as in real collections. A third states a version, and raises it in three of four changes; of the
others each state becomes a version. The repository depends on its numbers alone.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import IO, Final

from benchmarks.dice import Dice
from benchmarks.synthetic import make_skill
from benchmarks.vocabulary import NOUNS, VERBS

_START: Final = 1_600_000_000
_STEP: Final = 3_607
"""Seconds between two commits."""
_BATCH: Final = 20
"""Skills that one of the first commits adds."""
_STATING: Final = 3
"""One in so many skills states its version."""
_MOST_CHANGED: Final = 4
_LONGEST_FILE: Final = 24
"""Lines that are kept of what earlier changes added to a skill: a file does not grow for ever."""


@dataclass(frozen=True, slots=True)
class MadeRepository:
    """What was generated. ``states`` counts each content of each skill, the most of one skill are ``deepest``."""

    skills: int
    commits: int
    states: int
    deepest: int


@dataclass(slots=True)
class _Life:
    """One skill of the repository, as it is at the moment."""

    folder: str
    head: str
    body: str
    files: tuple[tuple[str, bytes], ...]
    states: bool
    lines: list[str]
    version: int = 0
    count: int = 1

    def text(self) -> bytes:
        """Its SKILL.md."""
        version = f"version: 1.{self.version}.0\n" if self.states else ""
        return f"---\n{version}{self.head}{self.body}\n{''.join(self.lines)}".encode()


def make_repository(root: str, skills: int, commits: int, seed: int = 1) -> MadeRepository:
    """Write a bare repository at ``root`` (created) with the program git; no clock and no setting counts.

    ``commits`` are all of them, at least one for each 20 skills.
    """
    subprocess.run(
        ["git", "init", "--quiet", "--bare", "--initial-branch=main", root], check=True, env=_environment()
    )
    dice = Dice(seed, -1)
    lives = [_begin(number, seed) for number in range(skills)]
    importer = subprocess.Popen(
        ["git", "fast-import", "--quiet", "--force"], cwd=root, env=_environment(), stdin=subprocess.PIPE
    )
    assert importer.stdin is not None
    stream, made = importer.stdin, 0
    for start in range(0, skills, _BATCH):
        batch = lives[start : start + _BATCH]
        _commit(stream, made, f"Add {len(batch)} skills")
        for life in batch:
            _put(stream, f"{life.folder}/SKILL.md", life.text())
            for path, data in life.files:
                _put(stream, f"{life.folder}/{path}", data)
        made += 1
    while made < commits:
        several = 2 + dice.below(_MOST_CHANGED - 1) if dice.chance(0.1) else 1
        # Squared: the skill that is changed most gets a good twentieth of all commits at 400 skills.
        chosen = dict.fromkeys(int(skills * dice.random() ** 2) for _ in range(several))
        _commit(stream, made, f"{dice.pick(VERBS).title()} the {dice.pick(NOUNS)}")
        for number in chosen:
            _change(stream, lives[number], dice, made)
        made += 1
    stream.close()
    if importer.wait() != 0:
        raise SystemExit("git fast-import failed; see above")
    counts = [life.count for life in lives]
    return MadeRepository(skills, made, sum(counts), max(counts, default=0))


def read_whole_history(repository: str, cache: str) -> dict[str, float]:
    """Find today's skills and every version each ever had, as a build does before it reads a file's bytes."""
    from generator.read.sources.git.history import read_history
    from generator.read.sources.git.objects import Objects
    from generator.read.sources.git.repository import open_repository
    from generator.read.sources.git.tree import find_skills

    wall, cpu = time.perf_counter(), _cpu()
    with Objects(open_repository(repository, cache, ref="main", history=True)) as objects:
        scan = find_skills(objects, "skills")
        history = read_history(objects, scan, "skills")
    # A state that repeats a number is no version of its own.
    versions = [
        len({version.version or version.commit for version in one}) for one in history.skills.values()
    ]
    return {
        "wall": time.perf_counter() - wall,
        "cpu": _cpu() - cpu,
        "skills": len(versions),
        "versions": sum(versions),
        "deepest": max(versions, default=0),
    }


def _begin(number: int, seed: int) -> _Life:
    skill = make_skill(number, seed)
    verb = VERBS[number % len(VERBS)]
    head = f"name: {skill.slug}\ndescription: Use this to {verb} number {number}, step by step.\n---\n\n"
    text = skill.files[0][1].decode()
    body = text.partition("\n---\n")[2] or text
    return _Life(f"skills/{skill.slug}", head, body, skill.files[1:], number % _STATING == 0, [])


def _change(stream: IO[bytes], life: _Life, dice: Dice, number: int) -> None:
    """Mostly words of SKILL.md, now and then a file of the skill too."""
    if life.states and dice.chance(0.75):
        life.version += 1
    life.lines.append(f"* In change {number} we {dice.pick(VERBS)} the {dice.pick(NOUNS)}.\n")
    del life.lines[:-_LONGEST_FILE]
    life.count += 1
    _put(stream, f"{life.folder}/SKILL.md", life.text())
    if dice.chance(0.2):
        noun = dice.pick(NOUNS)
        _put(stream, f"{life.folder}/references/{noun}.md", f"# {noun}\n\nAs of change {number}.\n".encode())


def _commit(stream: IO[bytes], number: int, subject: str) -> None:
    stream.write(
        f"commit refs/heads/main\ncommitter Bench <bench@example.org> {_START + _STEP * number} +0000\n"
        f"data {len(subject)}\n{subject}\n".encode()
    )


def _put(stream: IO[bytes], path: str, data: bytes) -> None:
    stream.write(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")


def _environment() -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"], "HOME": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
    }  # fmt: skip


def _cpu() -> float:
    """Seconds of CPU of this process and of those it has waited for."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


if __name__ == "__main__":
    print(json.dumps(read_whole_history(*sys.argv[1:])))
