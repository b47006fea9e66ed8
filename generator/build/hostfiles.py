"""What a host needs besides the hub's own files, and whether it takes them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.config import Config
from generator.findings import finding
from generator.hosting.configure import ConfigFile, ServerSettings, Where, configure
from generator.hosting.facts import hub_facts
from generator.hosting.limits import check_limits
from generator.jsondata import dump_bytes, load_json
from generator.model import Catalog, Finding, Severity
from generator.write.publish import WORK_FOLDER, Publisher
from generator.write.root import Moves

_WRITTEN = f"{WORK_FOLDER}/hosting.json"
_KEPT = f"{WORK_FOLDER}/hosting"


@dataclass(frozen=True, slots=True)
class HostFiles:
    """``tree`` are files of the published folder, ``beside`` those that belong into the folder that holds it."""

    tree: tuple[tuple[str, bytes], ...] = ()
    beside: tuple[ConfigFile, ...] = ()


def make_host_files(config: Config, catalog: Catalog, statuses: Mapping[str, int], moves: Moves) -> HostFiles:
    """The configuration of the host that the hub is built for; nothing where the operator named none."""
    if config.hosting is None:
        return HostFiles()
    facts = hub_facts(catalog, config.layout, config.naming, statuses, moves)
    made = configure(config.hosting, facts, ServerSettings(folder=config.out.name))
    return HostFiles(
        tuple((one.path, one.data) for one in made if one.where is Where.TREE),
        tuple(one for one in made if one.where is Where.BESIDE),
    )


def place_beside(publisher: Publisher, files: Iterable[ConfigFile]) -> tuple[Finding, ...]:
    """Write the files that belong beside the output folder. One that somebody has changed is theirs: it stays, and ours
    lies in the work folder."""
    beside = os.path.dirname(publisher.root) or "."
    ours, seen = dict(_noted(publisher.root, "ours")), {}
    notes: list[Finding] = []
    others = Publisher(beside, fresh=False, scratch=f"{os.path.basename(publisher.root)}/{publisher.scratch}")
    for one in files:
        digest = hashlib.sha256(one.data).hexdigest()
        there = _digest(f"{beside}/{one.path}")
        if there in (None, digest, ours.get(one.path)):
            others.write(one.path, one.data)
            ours[one.path] = seen[one.path] = digest
            continue
        seen[one.path] = there or ""
        publisher.write(f"{_KEPT}/{one.path}", one.data)
        notes.append(
            finding(
                "hosting-file-kept",
                one.path,
                f"{one.path} is not as Skillpress wrote it, so it was left alone",
                f"Compare it with {os.path.basename(publisher.root)}/{_KEPT}/{one.path}, or remove it and build again",
            )
        )
    publisher.write(_WRITTEN, dump_bytes({"ours": ours, "seen": seen}))
    return tuple(notes)


def is_beside_whole(root: str) -> bool:
    """Whether the files beside the output are as the last build left them."""
    beside = os.path.dirname(root) or "."
    return all(_digest(f"{beside}/{path}") == digest for path, digest in _noted(root, "seen").items())


def find_limits(config: Config, root: str) -> tuple[Finding, ...]:
    """What of the output the host will not take, or nearly not."""
    if config.hosting is None:
        return ()
    return tuple(
        finding(
            "hosting-limit-passed" if one.severity is Severity.ERROR else "hosting-limit-near",
            one.path or config.out.name, one.message, one.fix,
        )
        for one in check_limits(_sizes(root), config.hosting, config.layout)
    )  # fmt: skip


def _sizes(root: str) -> Iterable[tuple[str, int]]:
    for folder, folders, names in os.walk(root):
        if folder == root:
            folders[:] = [name for name in folders if name != WORK_FOLDER]
        for name in names:
            path = f"{folder}/{name}"
            yield os.path.relpath(path, root), os.lstat(path).st_size


def _noted(root: str, what: str) -> Mapping[str, str]:
    """Digests by path: of files as we last wrote them (``ours``), and as the last build left them (``seen``)."""
    try:
        with open(f"{root}/{_WRITTEN}", "rb") as file:
            document = load_json(file.read())
    except (OSError, ValueError):
        return {}
    noted = document.get(what) if isinstance(document, dict) else None
    return noted if isinstance(noted, dict) else {}


def _digest(path: str) -> str | None:
    if not os.path.lexists(path):
        return None
    if os.path.islink(path) or not os.path.isfile(path):
        return ""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
