"""Compare what the judge computes with what the hosts' own programs did: the record of probes.

The record is ``hosts/probes.json``: skill folders, and for each host column what its released code did with
them. The comparison is what a test insists on and what the site publishes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from generator.judge.model import Place, Profile, Subject
from generator.judge.verdicts import judge_package, settle_names
from generator.model import Package, PackageFile, PackagePath, Sha256
from generator.read.manifest import read_skill

_RECORD: Final = "probes.json"


@dataclass(frozen=True, slots=True)
class Cell:
    """One probe and one host: what was recorded and what is computed, as outcome words, and why."""

    probe: str
    host: str
    recorded: str
    computed: str
    note: str
    reason: str

    @property
    def agrees(self) -> bool:
        """True where the two outcomes are the same."""
        return self.recorded == self.computed


@dataclass(frozen=True, slots=True)
class Agreement:
    """Every recorded cell, in the record's order; ``hosts`` are the columns in the record's order."""

    hosts: tuple[str, ...]
    probes: tuple[str, ...]
    cells: tuple[Cell, ...]

    @property
    def differing(self) -> tuple[Cell, ...]:
        """The cells where the judge and the host's program do not agree."""
        return tuple(cell for cell in self.cells if not cell.agrees)

    def share(self, host: str) -> tuple[int, int]:
        """How many of a host's recorded probes agree, and how many there are."""
        column = [cell for cell in self.cells if cell.host == host]
        return sum(cell.agrees for cell in column), len(column)


def read_record() -> Mapping[str, Any]:
    """The record that ships with the judge."""
    text = (resources.files("generator.judge") / "hosts" / _RECORD).read_text(encoding="utf-8")
    record: Mapping[str, Any] = json.loads(text)
    return record


def compare_record(record: Mapping[str, Any], profiles: Sequence[Profile]) -> Agreement:
    """Judge every probe of a record, all of them in one collection, and put it beside what was recorded."""
    columns = [profile for profile in profiles if profile.id in record["hosts"]]
    subjects = subjects_of(record)
    verdicts = settle_names(subjects, [judge_package(subject, columns) for subject in subjects], columns)
    computed = {
        (subject.place.folder, verdict.host): verdict
        for subject, row in zip(subjects, verdicts, strict=True)
        for verdict in row
    }
    cells = []
    for probe in record["probes"]:
        for host in record["hosts"]:
            recorded = probe["verdicts"].get(host)
            verdict = computed.get((probe["folder"], host))
            if recorded is not None and verdict is not None:
                cells.append(
                    Cell(
                        probe["id"], host, recorded["verdict"], str(verdict.outcome),
                        recorded["note"] or "", verdict.reason,
                    )
                )  # fmt: skip
    return Agreement(tuple(record["hosts"]), tuple(probe["id"] for probe in record["probes"]), tuple(cells))


def subjects_of(record: Mapping[str, Any]) -> tuple[Subject, ...]:
    """The probes of a record as subjects of one collection, with what must lie beside them, in its order."""
    folders: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}
    for probe in record["probes"]:
        folders[probe["folder"]] = (probe["files"], probe)
        for folder, files in probe.get("beside", {}).items():
            folders.setdefault(folder, (files, {}))
    return tuple(_subject(folder, files, probe, folders) for folder, (files, probe) in folders.items())


def _subject(
    folder: str, files: Mapping[str, Any], probe: Mapping[str, Any], folders: Iterable[str]
) -> Subject:
    inside = [other for other in folders if folder.startswith(f"{other}/")]
    link = any(spec.get("symlink") and path.lower() == "skill.md" for path, spec in files.items())
    setup = probe.get("setup") or ""
    folder_link = "folder is a symbolic link" in setup
    package = Package(
        "probes",
        folder,
        tuple(
            _file(path, spec)
            for path, spec in sorted(files.items())
            if not (folder_link or spec.get("symlink"))
        ),
    )
    place = Place(folder, max(inside, key=len) if inside else None, link, "hard link" in setup, folder_link)
    return Subject(read_skill(package), place)


def _file(path: str, spec: Mapping[str, Any]) -> PackageFile:
    if "base64" in spec:
        data = base64.b64decode(spec["base64"])
    elif "repeat" in spec:
        data = f"{spec.get('head', '')}{spec['repeat'] * spec['times']}{spec.get('tail', '')}".encode()
    else:
        data = str(spec["text"]).encode("utf-8", "surrogatepass")
    return PackageFile(PackagePath(path), data, Sha256(hashlib.sha256(data).hexdigest()))
