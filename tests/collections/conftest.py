"""Hubs built from public collections of skills, each once a session."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import require
from tests.deps.install import COLLECTIONS, DEEPTUTOR_SKILLS
from tests.hubs import EPOCH, BuildResult, read_tree, run_build

FOLDERS = {
    **{collection.name: ("collections", collection.folder) for collection in COLLECTIONS},
    "deeptutor": ("deeptutor", DEEPTUTOR_SKILLS),
}
SKIPPED_FOLDERS = {"node_modules", "__pycache__"}
URL = "https://hub.example/skills"


@dataclass(frozen=True, slots=True)
class Built:
    """One collection and the hub built from it. ``releases`` are read from the ledgers, by folder."""

    name: str
    source: Path
    home: Path
    result: BuildResult
    summary: dict[str, Any]
    releases: dict[str, dict[str, Any]]

    @property
    def out(self) -> Path:
        """The built tree."""
        return self.home / "public"


@pytest.fixture(
    scope="session",
    params=[
        ("ecc-universal", "packed"),
        ("ai-labs-claude-skills", "packed"),
        ("ai-labs-claude-skills", "exploded"),
        ("deeptutor", "packed"),
    ],
    ids="-".join,
)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A collection's hub, built once a session."""
    name, layout = request.param
    group, source = FOLDERS[name]
    require(group)
    home = tmp_path_factory.mktemp(name)
    result = build_collection(source, home, layout).check()
    releases = {}
    for ledger in sorted((home / "public" / "ledger").rglob("*.jsonl")):
        release = json.loads(ledger.read_text().splitlines()[-1])["release"]
        releases[release["folder"]] = {**release, "slug": ledger.stem, "owner": ledger.parent.name}
    return Built(name, source, home, result, result.summary, releases)


def build_collection(source: Path, home: Path, layout: str, **environment: str) -> BuildResult:
    return run_build(
        [source, "--out", "public", "--url", URL, "--owner", "someone", "--layout", layout],
        folder=home,
        environment={"SOURCE_DATE_EPOCH": str(EPOCH), **environment},
    )


def package_files(folder: Path) -> dict[str, bytes]:
    """The files a build promises to publish of one skill folder."""
    return {
        path: data
        for path, data in read_tree(folder).items()
        if not any(part.startswith(".") or part in SKIPPED_FOLDERS for part in path.split("/"))
        and not (folder / path).is_symlink()
    }
