"""``make bench``: measure Skillpress on synthetic and real skills, print one report."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import search
from benchmarks.measures import (
    Build,
    measure_build,
    measure_floor,
    measure_history,
    measure_layers,
    measure_repeat,
    most_files_of_a_skill,
    real_skills,
    write_hub,
)
from benchmarks.report import Real, Results, Size, checks, failed, growth_exponent, table_lines, user_growth
from benchmarks.synthetic import generate

SEED = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where a ratio or a count is over its limit (never for seconds)."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="300 and 1,000 skills instead of 1,000 and 10,000"
    )
    parser.add_argument("--json", metavar="FILE", help="also write all figures here")
    parser.add_argument("--only-synthetic", action="store_true", help="leave the real skills out")
    options = parser.parse_args(arguments)
    small, large = (300, 1_000) if options.quick else (1_000, 10_000)
    past = (100, 1_000) if options.quick else (400, 5_000)
    with tempfile.TemporaryDirectory(prefix="skillpress-bench-") as folder:
        results = measure(Path(folder), small, large, past, None if options.only_synthetic else real_skills())
    print("\n".join(table_lines(results)))
    if not options.only_synthetic:
        _say("search: recall, bytes, requests")
        print("\n".join(search.report((1_000, 10_000) if options.quick else (1_000, 10_000, 50_000))))
    if options.json:
        Path(options.json).write_text(json.dumps(document(results), indent=2) + "\n", encoding="utf-8")
    return 1 if failed(checks(results)) else 0


def measure(folder: Path, small: int, large: int, past: tuple[int, int], collection: Path | None) -> Results:
    """Everything, in ``folder``; the small size is built twice and the faster one counts.

    ``past`` are the skills and the commits of the repository with a long history.
    """
    generate(str(folder / "one"), 1, SEED)
    constant = min((_build(folder, "one") for _ in range(2)), key=lambda build: build.usage.user)
    sizes = [measure_size(folder, count, repeats) for count, repeats in ((small, 2), (large, 1))]
    skills, commits = past
    _say(f"{commits:,} commits of {skills:,} skills: generate, read, build")
    place = folder / "history"
    place.mkdir()
    history = measure_history(place, skills, commits)
    shutil.rmtree(place)
    return Results(
        constant,
        sizes[0],
        sizes[1],
        history,
        None if collection is None else measure_real(folder, collection),
    )


def measure_size(folder: Path, count: int, repeats: int) -> Size:
    """Everything at one number of skills."""
    name = f"skills-{count}"
    source, out = folder / name, folder / f"{name}-out"
    _say(f"{count:,} skills: generate")
    made = generate(str(source), count, SEED)
    _say(f"{count:,} skills: floor")
    floor = measure_floor(source, folder / "floor")
    shutil.rmtree(folder / "floor")
    _say(f"{count:,} skills: layers")
    layers = measure_layers(source, folder / "layers")
    shutil.rmtree(folder / "layers")
    _say(f"{count:,} skills: build")
    build = min((_build(folder, name) for _ in range(repeats)), key=lambda one: one.usage.user)
    _say(f"{count:,} skills: build again")
    repeat = measure_repeat(out, str(source), "--owner", "bench")
    files = most_files_of_a_skill(out)
    shutil.rmtree(out)
    shutil.rmtree(source)
    return Size(count, made.size, made.files, floor, layers, build, repeat, files)


def measure_real(folder: Path, collection: Path) -> Real:
    """A public collection, each of its folders of skills as a source of its own owner."""
    _say("real skills: build")
    place = folder / "real"
    place.mkdir()
    config = write_hub(place, collection)
    out = place / "out"
    builds: list[Build] = []
    for _ in range(2):
        shutil.rmtree(out, ignore_errors=True)
        builds.append(measure_build(out, "--config", str(config)))
    return Real(min(builds, key=lambda one: one.usage.wall), measure_repeat(out, "--config", str(config)))


def document(results: Results) -> dict[str, object]:
    """All figures as plain values."""
    factor = results.large.skills / results.small.skills
    small, large = results.small.layers.seconds, results.large.layers.seconds
    return {
        "schema": "skillpress.bench.v1",
        **asdict(results),
        "growth": {layer: growth_exponent(small[layer], large[layer], factor) for layer in large},
        "userGrowth": user_growth(results),
        "checks": [asdict(check) for check in checks(results)],
    }


def _build(folder: Path, name: str) -> Build:
    """A first build: its output folder is new."""
    out = folder / f"{name}-out"
    shutil.rmtree(out, ignore_errors=True)
    return measure_build(out, str(folder / name), "--owner", "bench")


def _say(stage: str) -> None:
    print(stage, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
