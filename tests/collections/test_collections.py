"""Hubs built from collections of skills that nobody here wrote.

An independent walk of each collection says what is there; the build must account for every single one of it:
published, with exactly its bytes, or listed with a reason.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.collections.conftest import SKIPPED_FOLDERS, Built, build_collection, package_files
from tests.conftest import require
from tests.hubs import EPOCH, read_tree

pytestmark = [pytest.mark.collection, pytest.mark.xdist_group("collections")]

AT_LEAST = {"ecc-universal": 600, "ai-labs-claude-skills": 25, "deeptutor": 5}


def _skill_folders(root: Path) -> Iterator[Path]:
    """Every folder with a ``SKILL.md`` that the build promises to find: no dot folder, no package or bytecode
    cache, nothing behind a link, nothing inside another skill."""
    for folder, inner, files in os.walk(root):
        if any(file.lower() == "skill.md" for file in files):
            inner.clear()
            yield Path(folder)
            continue
        inner[:] = [
            name
            for name in inner
            if not name.startswith(".")
            and name not in SKIPPED_FOLDERS
            and not (Path(folder) / name).is_symlink()
        ]


def _state(folder: Path) -> dict[str, tuple[int, str]]:
    return {
        path.relative_to(folder).as_posix(): (
            path.stat().st_mtime_ns,
            hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_every_skill_is_published_or_listed_with_a_reason(
    built: Built, capsys: pytest.CaptureFixture[str]
) -> None:
    there = sorted(path.relative_to(built.source).as_posix() for path in _skill_folders(built.source))
    published = sorted(built.releases)
    rejected = sorted(row["folder"] for row in built.summary["notPublished"])
    assert len(there) >= AT_LEAST[built.name]
    assert not set(published) & set(rejected)
    assert sorted([*published, *rejected]) == there
    for row in built.summary["notPublished"]:
        assert row["codes"], row
        assert row["reason"].strip(), row
    reasons = Counter(code for row in built.summary["notPublished"] for code in row["codes"])
    with capsys.disabled():
        sys.stdout.write(
            f"\n{built.name}: {len(there)} skills, {len(published)} published, {len(rejected)} not"
            f" ({', '.join(f'{code} {count}' for code, count in reasons.most_common())}),"
            f" {built.result.seconds:.2f} s with the command's start\n"
        )


def test_the_counts_add_up(built: Built) -> None:
    counts = built.summary["counts"]
    assert counts["published"] == counts["skills"] == len(built.summary["published"]) == len(built.releases)
    assert counts["notPublished"] == len(built.summary["notPublished"])
    assert counts["folders"] == counts["skills"] + counts["notPublished"]
    assert counts["unchanged"] == counts["retained"] == 0
    assert all(line["newRelease"] for line in built.summary["published"])
    listed = json.loads(_document(built, "api/v1/skills").read_bytes())["items"]
    assert sorted(item["slug"] for item in listed) == sorted(row["slug"] for row in built.releases.values())


def _document(built: Built, route: str) -> Path:
    return built.out / route / "index.html"


def test_every_archive_holds_exactly_the_source(built: Built) -> None:
    assert built.releases
    for folder, release in built.releases.items():
        name = f"{release['slug']}-{release['version']}.zip"
        archive = built.out / "dl" / release["owner"] / name
        assert hashlib.sha256(archive.read_bytes()).hexdigest() == release["archive"]["sha256"]
        with zipfile.ZipFile(archive) as opened:
            packed = {entry.filename: opened.read(entry) for entry in opened.infolist()}
        assert packed == package_files(built.source / folder), folder


def test_another_program_reads_every_archive(built: Built) -> None:
    require("browser")  # the same Debian packages bring unzip
    pattern = str(built.out / "dl" / "someone" / "*.zip")
    done = subprocess.run(["unzip", "-tqq", pattern], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_building_again_changes_nothing(built: Built) -> None:
    before = _state(built.out)
    layout = "packed" if (built.out / "packs").is_dir() else "exploded"
    again = build_collection(
        built.source, built.home, layout, SOURCE_DATE_EPOCH=str(EPOCH + 1_000_000)
    ).check()
    assert again.summary["counts"]["published"] == 0
    assert again.summary["counts"]["unchanged"] == len(built.releases)
    assert again.summary["counts"]["notPublished"] == len(built.summary["notPublished"])
    assert _state(built.out) == before


def test_another_machine_builds_the_same_bytes(built: Built, tmp_path: Path) -> None:
    layout = "packed" if (built.out / "packs").is_dir() else "exploded"
    build_collection(
        built.source, tmp_path / "elsewhere", layout, TZ="Pacific/Kiritimati", LC_ALL="C", PYTHONHASHSEED="7"
    ).check()
    here, there = read_tree(built.out), read_tree(tmp_path / "elsewhere" / "public")
    assert sorted(here) == sorted(there)
    assert [path for path, data in here.items() if there[path] != data] == []


def test_no_output_names_this_machine(built: Built) -> None:
    needles = [str(built.source).encode(), str(built.home).encode(), str(Path.home()).encode() + b"/."]
    for path, data in read_tree(built.out).items():
        if path.startswith(("dl/", "bundles/", ".well-known/skills/", "agentskills/")):
            continue  # what authors wrote, byte for byte
        for needle in needles:
            assert needle not in data, path
