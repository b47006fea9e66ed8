"""Hold our readers against the real YAML libraries of the hosts, text by text.

    python -m tests.live.yaml_libraries             compare the recorded readings with the libraries
    python -m tests.live.yaml_libraries --write     record them anew
    python -m tests.live.yaml_libraries --texts F   compare our readers on the texts of a JSON list instead

The record is ``tests/judge/dialects/readings.json``; the default tests need none of the libraries.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.deps.install import Part, _fresh_folder, _need_program, _run, install
from tests.judge.dialects.record import RECORD, read_record, shown_reading, write_record
from tests.live.install import LIVE, LOCKS

PROJECT = LIVE / "yaml"
BUN = PROJECT / "node_modules" / "@oven" / "bun-linux-x64" / "bin" / "bun"
STRICT = LIVE / "skills-ref" / "bin" / "python"
_HERE = Path(__file__).resolve().parent


def part() -> Part:
    """The npm libraries, and Bun."""
    lock = LOCKS / "yaml-npm"
    files = (lock / "package.json", lock / "package-lock.json")

    def make() -> None:
        _need_program("npm", "Install Node 20 or newer with npm.")
        with _fresh_folder(PROJECT) as folder:
            for file in files:
                shutil.copy(file, folder)
            flags = ["--ignore-scripts", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund"]
            _run(["npm", "ci", *flags], "yaml libraries", cwd=folder)

    return Part(
        name="live-yaml",
        group="yaml",
        made_from=tuple(file.read_bytes() for file in files),
        present=(BUN,),
        make=make,
    )


def read_all(texts: list[str]) -> list[dict[str, Any]]:
    """What every library makes of each text: library name to reading, as :mod:`tests.judge.dialects.record`."""
    if not STRICT.exists():
        raise SystemExit("strictyaml is missing: run python -m tests.live.install skills-ref")
    readings: list[dict[str, Any]] = [{} for _ in texts]
    with tempfile.TemporaryDirectory() as scratch:
        source, result = Path(scratch) / "texts.json", Path(scratch) / "readings.json"
        source.write_text(json.dumps(texts), "utf-8")
        driver, python = str(_HERE / "yaml_driver.mjs"), str(_HERE / "yaml_driver.py")
        for command in (
            ["node", "--no-warnings", driver, str(PROJECT), str(source), str(result)],
            [str(BUN), driver, str(PROJECT), str(source), str(result)],
            [sys.executable, python, str(source), str(result)],
            [str(STRICT), python, str(source), str(result), "strictyaml"],
        ):
            environment = {"PATH": os.environ["PATH"], "HOME": scratch}
            subprocess.run(command, check=True, env=environment, timeout=600)
            for reading, more in zip(readings, json.loads(result.read_text("utf-8")), strict=True):
                reading.update(more)
    return readings


def main() -> int:
    """The command; its exit code is 1 where something differs."""
    parser = argparse.ArgumentParser(description="Hold our readers against the real YAML libraries.")
    parser.add_argument("--write", action="store_true", help=f"write {RECORD.name} anew")
    parser.add_argument("--texts", type=Path, help="a JSON list of texts to compare our readers on")
    options = parser.parse_args()
    install([part()])
    if options.texts:
        return _compare_readers(json.loads(options.texts.read_text("utf-8")))
    record = read_record()
    readings = read_all([case.text for case in record])
    if options.write:
        write_record([case.text for case in record], readings)
        return 0
    changed = [(case, now) for case, now in zip(record, readings, strict=True) if case.readings != now]
    for case, now in changed:
        sys.stdout.write(f"{case.text!r}\n  recorded {case.readings}\n  now      {now}\n")
    return 1 if changed else 0


def _compare_readers(texts: list[str]) -> int:
    differing = 0
    for text, readings in zip(texts, read_all(texts), strict=True):
        for library, reading in readings.items():
            ours = shown_reading(library, text)
            if ours != reading:
                differing += 1
                sys.stdout.write(f"{library}: {text!r}\n  ours {ours}\n  real {reading}\n")
    sys.stdout.write(f"{differing} of {len(texts)} texts times the libraries differ\n")
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
