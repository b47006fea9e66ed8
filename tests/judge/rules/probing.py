"""The recorded probes as subjects, made in memory where they lie in no real folder."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from generator.judge.model import Place, Subject
from generator.judge.rules import find_all
from generator.read.manifest import read_skill
from tests.read.helpers import Content, package

PROBES = Path(__file__).parents[3] / "generator/judge/hosts/probes.json"


def probe_files() -> dict[str, dict[str, Content]]:
    """The files of every probe that has any, by the probe's folder."""
    found: dict[str, dict[str, Content]] = {}
    for probe in json.loads(PROBES.read_text("utf-8"))["probes"]:
        files: dict[str, Content] = {}
        for name, file in probe["files"].items():
            if "text" in file:
                files[name] = file["text"]
            elif "base64" in file:
                files[name] = base64.b64decode(file["base64"])
            elif "head" in file:
                files[name] = file["head"] + file["repeat"] * file["times"] + file["tail"]
        found[probe["folder"]] = files
    return found


def probes() -> dict[str, Subject]:
    """Every probe that holds a file, in the place where the hosts met it."""
    return {
        folder: Subject(
            read_skill(package(files, folder)),
            Place(
                folder,
                inside="p70-nested" if folder.startswith("p70-nested/") else None,
                hard_link=folder == "pa5-hardlink",
            ),
        )
        for folder, files in probe_files().items()
        if files
    }


def codes_of(subject: Subject) -> set[str]:
    """What reading and the rules find in a skill."""
    return {f.code for f in (*subject.skill.findings, *find_all(subject))}
