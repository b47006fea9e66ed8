"""The repository with a long past: the same everywhere, shaped like real ones, and every version of it is published."""

from __future__ import annotations

import json
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.measures import History, measure_build, measure_history
from benchmarks.repository import MadeRepository, make_repository
from generator.build.differences import MOST_PAIRS
from generator.history.ledger import read_ledger
from generator.model import Release

SKILLS, COMMITS = 60, 1_200

pytestmark = pytest.mark.xdist_group("benchmarks")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("history")


@pytest.fixture(scope="module")
def measured(place: Path) -> History:
    return measure_history(place, SKILLS, COMMITS)


@pytest.fixture(scope="module")
def ledgers(place: Path, measured: History) -> dict[str, tuple[Release, ...]]:
    paths = (place / "history-out/ledger/bench").iterdir()
    found = {path.stem: read_ledger(path.read_bytes(), path.name) for path in paths}
    assert len(found) == measured.build.counts["published"] == SKILLS
    return found


def git(repository: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(repository), *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_the_same_numbers_give_the_same_commit_on_any_machine(tmp_path: Path) -> None:
    made = make_repository(str(tmp_path / "one.git"), 10, 40)
    assert made == MadeRepository(10, 40, made.states, made.deepest)
    assert git(tmp_path / "one.git", "rev-list", "--count", "main") == "40"
    assert git(tmp_path / "one.git", "rev-parse", "main") == "580714e8e2f318dad4e4ef4cc4fe3e3d94821c08"
    make_repository(str(tmp_path / "other.git"), 10, 40, seed=2)
    assert git(tmp_path / "other.git", "rev-parse", "main") != "580714e8e2f318dad4e4ef4cc4fe3e3d94821c08"


def test_it_is_shaped_like_a_real_one(measured: History) -> None:
    made = measured.made
    assert (made.skills, made.commits) == (SKILLS, COMMITS)
    assert made.states > COMMITS
    assert made.deepest > 5 * made.states / SKILLS, "no skill is changed far more often than others"


def test_every_version_that_was_found_is_published(
    measured: History, ledgers: dict[str, tuple[Release, ...]]
) -> None:
    assert sum(map(len, ledgers.values())) == measured.versions
    deepest = max(ledgers.values(), key=len)
    assert len(deepest) > 100
    for releases in ledgers.values():
        assert all(one.first_seen <= two.first_seen for one, two in pairwise(releases))
        assert len({one.version for one in releases}) == len(releases)


def test_differences_are_bounded_for_each_skill(place: Path, ledgers: dict[str, tuple[Release, ...]]) -> None:
    for slug, releases in ledgers.items():
        folder = place / f"history-out/bench/skills/{slug}/diff"
        names = {path.name for path in folder.iterdir()} if folder.exists() else set()
        last = [one.version for one in releases[-MOST_PAIRS - 1 :]]
        wanted = {f"{old}...{new}{end}" for old, new in pairwise(last) for end in ("", ".json")}
        assert names == wanted, slug


def test_a_second_build_writes_nothing(measured: History) -> None:
    assert measured.repeat.touched == ()
    assert measured.repeat.build.counts["filesWritten"] == 0


def test_reading_the_past_takes_seconds(measured: History) -> None:
    # CPU, not wall time: others work on this machine too. Forty times what it takes.
    assert measured.cpu < 20, (
        f"{COMMITS:,} commits of {SKILLS} skills took {measured.cpu:.1f} s of CPU to read"
    )


def test_twice_the_past_takes_no_more_than_thrice_the_time(tmp_path: Path) -> None:
    """What grows with the square of a skill's versions would show: few skills, each with hundreds of versions."""
    costs = []
    for commits in (400, 800):
        repository = tmp_path / f"{commits}.git"
        make_repository(str(repository), 4, commits)
        config = tmp_path / f"{commits}.yml"
        config.write_text(
            f"owner: bench\nsources:\n"
            f"  - {{type: git, path: {json.dumps(str(repository))}, folder: skills, history: yes}}\n"
        )
        build = measure_build(tmp_path / f"{commits}-out", "--config", str(config), jobs=1)
        costs.append(build.usage.user)
    fixed = 1.0
    assert costs[1] - fixed < 3 * (costs[0] - fixed)
