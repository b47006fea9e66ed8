"""Skills of public collections, installed by a real client from a hub that serves them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.conftest import run_clawhub
from tests.collections.conftest import Built, package_files
from tests.conftest import require
from tests.hubs import LiveHub, read_tree

pytestmark = [pytest.mark.collection, pytest.mark.client, pytest.mark.xdist_group("collections")]


@pytest.fixture
def served(built: Built) -> Iterator[LiveHub]:
    """The collection's hub, served as it was built: for another host, below ``/skills``."""
    require("clients")
    live = LiveHub(folder=built.home, base="/skills")
    live.start()
    yield live
    live.stop()


def _telling(built: Built) -> list[str]:
    """Folders worth installing: most files, most bytes, a name or text outside ASCII, first and last."""
    folders = [folder for folder, release in built.releases.items() if release["scan"]["verdict"] == "allow"]
    files = {folder: package_files(built.source / folder) for folder in folders}
    foreign = [folder for folder in folders if not files[folder]["SKILL.md"].isascii()]
    chosen = [
        max(folders, key=lambda folder: len(files[folder])),
        max(folders, key=lambda folder: sum(map(len, files[folder].values()))),
        *foreign[:1],
        min(folders),
        max(folders),
    ]
    return list(dict.fromkeys(chosen))


def test_installed_skills_equal_the_collection(built: Built, served: LiveHub, tmp_path: Path) -> None:
    for folder in _telling(built):
        slug = built.releases[folder]["slug"]
        done = run_clawhub(
            "0.23.3", tmp_path / "home", tmp_path / "work", "--registry", served.url, "install", slug
        )
        assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
        installed = read_tree(tmp_path / "work" / "skills" / slug, without=[".clawhub"])
        assert installed == package_files(built.source / folder), slug
