"""Folders of skills for the tests of the check."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

PROBES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "read/data/probes.json").read_text("utf-8")
)["probes"]


def skill_text(name: str, extra: str = "") -> str:
    return f"---\nname: {name}\ndescription: Does one thing. Use when testing.\n{extra}---\n\nDo the thing.\n"


def put(folder: Path, text: str | None = None, name: str = "SKILL.md") -> Path:
    """A skill folder with its ``SKILL.md``; the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(skill_text(folder.name) if text is None else text, encoding="utf-8")
    return folder


def put_probes(root: Path) -> Path:
    """All probes as folders below ``root``, with the links that two of them are made of."""
    outside = root.with_name(root.name + "-outside")
    outside.mkdir(parents=True)
    for probe in PROBES:
        for path, entry in probe["files"].items():
            target = root / probe["folder"] / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if "symlink" in entry:
                (outside / "linked.md").write_text(skill_text(probe["id"]))
                target.symlink_to(outside / "linked.md")
            elif "base64" in entry:
                target.write_bytes(base64.b64decode(entry["base64"]))
            elif "repeat" in entry:
                target.write_text(entry["head"] + entry["repeat"] * entry["times"] + entry["tail"], "utf-8")
            else:
                target.write_bytes(entry["text"].encode("utf-8"))
    os.link(root / "pa5-hardlink/SKILL.md", outside / "hard.md")
    return root
