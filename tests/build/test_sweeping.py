"""What a build removes that nobody remembers, and what it never touches."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.build.sweeping import find_strays

OURS = (
    "agentskills/x/SKILL.md", "api/v1/skills/x/index.html", "bundles/x.json", "collections/x/index.html",
    "dl/collections/all-1.0.0.tgz", "feeds/skills/lab/x.xml", "npm/@lab/x", "packs/lab/x.json", "pages/lab/x.html",
    "search/x.json",
    "v1/packages/lab/x/versions/index.html", ".well-known/agent-skills/index.json", ".well-known/skills/x/SKILL.md",
    "lab/skills/x/index.html", "lab/skills/x/.well-known/agent-skills/index.json",
    "lab/.well-known/agent-skills/index.json",
)  # fmt: skip
THEIRS = (
    "CNAME", ".well-known/security.txt", ".git/config", ".github/skills/x", "blog/post.html", "lab/notes.txt",
    "dl/lab/x-1.0.0.zip", "ledger/lab/x.jsonl", ".skillpress/memory.json", "index.html", "hub.json",
)  # fmt: skip


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(b"x")


def test_every_place_of_ours_is_swept_and_no_other(tmp_path: Path) -> None:
    write(tmp_path, *OURS, *THEIRS)
    assert find_strays(str(tmp_path), ()) == sorted(OURS)


def test_what_the_build_wrote_stays(tmp_path: Path) -> None:
    write(tmp_path, *OURS)
    assert find_strays(str(tmp_path), OURS[1:]) == [OURS[0]]
    assert find_strays(str(tmp_path), OURS) == []


def test_an_empty_folder_has_no_strays(tmp_path: Path) -> None:
    assert find_strays(str(tmp_path), ()) == []


@pytest.mark.parametrize("place", ["npm", "lab", "lab/skills"])
def test_links_are_not_followed(tmp_path: Path, place: str) -> None:
    root, outside = tmp_path / "out", tmp_path / "outside"
    write(outside, "skills/x/precious.txt", "precious.txt")
    (root / place).parent.mkdir(parents=True)
    (root / place).symlink_to(outside)
    strays = find_strays(str(root), ())
    assert not any("precious" in path for path in strays)
