"""Write the probes of a record to a folder, and read a record.

A record is a JSON document ``{"hosts": [...], "probes": [{"id", "folder", "intended_description", "files",
"verdicts", "setup"?, "beside"?}]}``. A file is given as ``{"text"}``, ``{"base64"}``, ``{"head", "repeat",
"times", "tail"}``, or ``{"symlink": true}``; ``beside`` maps further folders to their files: what must lie
next to the probe for its verdicts to come about.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.live.model import Probe

OUTSIDE = "outside"
_PLAIN = "---\nname: {name}\ndescription: {description}\n---\n\n# Body\n\nDo the thing.\n"


def read_record(path: Path) -> dict[str, Any]:
    """The record in ``path``."""
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def probes_of(record: Mapping[str, Any]) -> tuple[Probe, ...]:
    """The probes a record describes, in its order."""
    return tuple(Probe(entry["folder"], entry.get("intended_description")) for entry in record["probes"])


def place(record: Mapping[str, Any], root: Path) -> tuple[Probe, ...]:
    """Write every probe below ``root``, a new folder; files that links lead to go to a folder beside it."""
    root.mkdir(parents=True)
    for entry in record["probes"]:
        _write_folder(root, entry["folder"], entry["files"], entry)
        for folder, files in entry.get("beside", {}).items():
            _write_folder(root, folder, files, {})
    return probes_of(record)


def found_below(root: Path) -> tuple[Probe, ...]:
    """Every folder below ``root`` that holds a ``SKILL.md``, in whatever case; nothing is known of what its
    author meant."""
    folders = sorted(
        Path(folder).relative_to(root).as_posix()
        for folder, _, files in os.walk(root)
        if any(file.lower() == "skill.md" for file in files)
    )
    return tuple(Probe(folder, None) for folder in folders)


def content_of(spec: Mapping[str, Any]) -> bytes:
    """The bytes of one file of a record."""
    if "base64" in spec:
        return base64.b64decode(spec["base64"])
    if "repeat" in spec:
        return f"{spec.get('head', '')}{spec['repeat'] * spec['times']}{spec.get('tail', '')}".encode()
    return str(spec["text"]).encode("utf-8", "surrogatepass")


def _write_folder(root: Path, folder: str, files: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
    hard = "hard link" in entry.get("setup", "")
    for name, spec in _sorted(files):
        target = root / folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not (hard or spec.get("symlink")):
            target.write_bytes(content_of(spec))
            continue
        outside = root.parent / OUTSIDE / folder / f"{name}.linked"
        outside.parent.mkdir(parents=True, exist_ok=True)
        if "text" in spec or "base64" in spec:
            outside.write_bytes(content_of(spec))
        else:
            plain = _PLAIN.format(name=Path(folder).name, description=entry["intended_description"])
            outside.write_text(plain, encoding="utf-8")
        if hard:
            target.hardlink_to(outside)
        else:
            target.symlink_to(outside)


def _sorted(files: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    return sorted(files.items())
