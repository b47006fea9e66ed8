"""The report says what was measured, and calls a miss a miss."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import __main__ as program
from benchmarks.__main__ import document, measure
from benchmarks.layers import DOORS, REST
from benchmarks.measures import Build, Floor, History, LayerCosts, Repeat, write_hub
from benchmarks.processes import ProgramFailedError, Usage, run_program
from benchmarks.report import (
    HISTORY_SECONDS,
    MB,
    Real,
    Results,
    Size,
    checks,
    failed,
    growth_exponent,
    table_lines,
)
from benchmarks.repository import MadeRepository

LAYERS = [*(layer for layer, _ in DOORS), REST]


def _build(user: float, wall: float = 1.0, *, largest: int = 50 * MB, written: int = 10) -> Build:
    usage = Usage(wall, user, 0.1, largest, 2 * largest, largest + MB)
    return Build(usage, {"folders": 10, "published": 9, "filesWritten": written})


def _size(skills: int, user: float) -> Size:
    costs = LayerCosts(dict.fromkeys(LAYERS, user / 20), dict.fromkeys(LAYERS, MB), dict.fromkeys(LAYERS, 0))
    repeat = Repeat(_build(0.1, 0.05, written=0), ())
    return Size(skills, skills * 26_000, skills * 5, Floor(0.2, 0.1), costs, _build(user), repeat, 4)


def _history(seconds: float, *, written: int = 0) -> History:
    repeat = Repeat(_build(0.1, 0.05, written=written), ())
    return History(
        MadeRepository(400, 5_000, 6_000, 300), _build(2).usage, seconds, seconds, 5_800, _build(9), repeat
    )


GOOD = Results(
    _build(0.5), _size(1_000, 2.5), _size(10_000, 20.5), _history(1.4),
    Real(_build(2), Repeat(_build(0, written=0), ())),
)  # fmt: skip


def test_a_good_run_fails_nothing() -> None:
    assert failed(checks(GOOD)) == []
    text = "\n".join(table_lines(GOOD))
    assert "FAILED" not in text
    assert all(layer in text for layer in LAYERS)


BAD = {
    "quadratic": (replace(GOOD, large=replace(GOOD.large, build=_build(30))), "user CPU a skill"),
    "memory": (replace(GOOD, large=replace(GOOD.large, build=_build(20, largest=301 * MB))), "peak memory"),
    "files": (replace(GOOD, small=replace(GOOD.small, files_a_skill=9)), "files of a skill"),
    "writes": (
        replace(GOOD, large=replace(GOOD.large, repeat=Repeat(_build(0.1, 0.05, written=1), ()))),
        "files that a second build",
    ),
    "touches": (
        replace(GOOD, small=replace(GOOD.small, repeat=Repeat(_build(0.1, 0.05, written=0), ("hub.json",)))),
        "files that a second build",
    ),
    "writes of a long history": (
        replace(GOOD, history=_history(1.4, written=1)),
        "files that a second build",
    ),
    "slow again": (
        replace(GOOD, large=replace(GOOD.large, repeat=Repeat(_build(0.1, 5.0, written=0), ()))),
        "second build at 10,000, wall time",
    ),
}


@pytest.mark.parametrize(("results", "name"), BAD.values(), ids=BAD)
def test_a_missed_limit_is_named(results: Results, name: str) -> None:
    missed = failed(checks(results))
    assert missed
    assert all(check.name.startswith(name) for check in missed)
    assert "FAILED" in "\n".join(table_lines(results))


def test_seconds_never_fail_a_run() -> None:
    slow = replace(GOOD, large=replace(GOOD.large, build=_build(20.5, 500.0)))
    old = replace(GOOD, history=_history(HISTORY_SECONDS + 1))
    for one in (slow, old):
        assert failed(checks(one)) == []
        assert "not reached on this machine now" in "\n".join(table_lines(one))


@pytest.mark.parametrize(("results", "code"), [(GOOD, 0), (BAD["files"][0], 1)], ids=["good", "bad"])
def test_the_program_prints_writes_and_judges(
    results: Results,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked: list[tuple[int, ...]] = []

    def pretend(
        _folder: Path, small: int, large: int, past: tuple[int, int], _collection: Path | None
    ) -> Results:
        asked.append((small, large, *past))
        return results

    monkeypatch.setattr(program, "measure", pretend)
    assert program.main(["--quick", "--only-synthetic", "--json", str(tmp_path / "figures.json")]) == code
    assert asked == [(300, 1_000, 100, 1_000)]
    assert capsys.readouterr().out.splitlines() == table_lines(results)
    assert json.loads((tmp_path / "figures.json").read_text())["schema"] == "skillpress.bench.v1"


def test_missing_real_skills_are_said() -> None:
    assert "skipped" in table_lines(replace(GOOD, real=None))[-1]


@pytest.mark.parametrize(
    ("small", "large", "expected"),
    [(1, 10, 1), (1, 100, 2), (2, 2, 0)],
    ids=["linear", "quadratic", "constant"],
)
def test_growth_exponent(small: float, large: float, expected: float) -> None:
    assert growth_exponent(small, large, 10) == pytest.approx(expected)
    assert growth_exponent(0, large, 10) is None


def test_a_whole_run_is_plain_json_and_leaves_nothing_behind(tmp_path: Path) -> None:
    results = measure(tmp_path, 20, 60, (12, 60), None)
    plain = json.loads(json.dumps(document(results), allow_nan=False))
    assert plain["large"]["build"]["counts"]["folders"] == 60
    assert plain["large"]["repeat"]["touched"] == []
    assert plain["history"]["made"]["commits"] == 60
    assert plain["history"]["repeat"]["touched"] == []
    assert plain["history"]["build"]["counts"]["published"] == 12
    assert set(plain["growth"]) == set(LAYERS)
    assert table_lines(results)
    assert {path.name for path in tmp_path.iterdir()} <= {"one", "one-out"}


def test_real_skills_of_every_folder_get_an_owner_of_their_own(tmp_path: Path) -> None:
    for folder in ("skills/a", "docs/ja-JP/skills/a", ".agents/skills/b", "docs/skills"):
        (tmp_path / "from" / folder).mkdir(parents=True)
    for folder in ("skills/a", "docs/ja-JP/skills/a", ".agents/skills/b"):
        (tmp_path / "from" / folder / "SKILL.md").write_text("x")
    (tmp_path / "hub").mkdir()
    text = write_hub(tmp_path / "hub", tmp_path / "from").read_text()
    assert text.count("- path: collection/") == 3
    assert [line.split()[-1] for line in text.splitlines() if "owner:" in line] == [
        "ecc-agents",
        "ecc-docs-ja-jp",
        "ecc",
    ]


def test_a_program_that_fails_is_an_error_with_its_words() -> None:
    with pytest.raises(ProgramFailedError, match="no reason"):
        run_program(["-c", "raise SystemExit('no reason')"])


def test_usage_counts_children_and_their_memory() -> None:
    child = "import time; x = bytearray(80_000_000); time.sleep(0.3)"
    usage, output = run_program(
        ["-c", f"import subprocess, sys; print(subprocess.call([sys.executable, '-c', {child!r}]))"]
    )
    assert output == "0\n"
    assert usage.largest > 80 * MB
    assert usage.resident > 80 * MB
    assert usage.wall > 0.3
