"""The shell between two builds: the same inputs, no mkdocs."""

from __future__ import annotations

import base64
import json
import os
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.installed import installed_versions
from generator.jsondata import load_json
from generator.model import Hub
from generator.write.site.shell import SHELL_FORMAT, Shell, build_shell
from generator.write.site.stamp import Stamp

MAKERS = ("markdown", "mkdocs", "mkdocs-material", "pygments", "pymdown-extensions")


def shell_key(site_dir: Path, hub: Hub) -> str:
    """The sha256 over everything a shell depends on: our pages, the hub's values, and the makers' versions."""
    digest = sha256(f"skillpress shell {SHELL_FORMAT}\n".encode())
    settings = (hub.name, hub.description, hub.url, *hub.protocols, "full text" if hub.full_text else "")
    for text in (*settings, *installed_versions(MAKERS)):
        digest.update(len(text.encode()).to_bytes(8) + text.encode())
    for name, path in _shell_sources(site_dir):
        data = path.read_bytes()
        digest.update(f"{name}\n{len(data)}\n".encode() + data)
    return digest.hexdigest()


def load_shell(cache_dir: Path, key: str) -> Shell | None:
    """The shell kept under ``key``, or None. A damaged file counts as none."""
    try:
        return _shell_from_json(load_json((cache_dir / f"shell-{key}.json").read_bytes()))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def store_shell(cache_dir: Path, key: str, shell: Shell) -> None:
    """Keep ``shell`` under ``key`` and forget the shells of other keys. The file appears whole or not at all."""
    cache_dir.mkdir(parents=True, exist_ok=True)
    path = cache_dir / f"shell-{key}.json"
    partial = cache_dir / f"shell-{key}.{os.getpid()}.partial"
    partial.write_text(json.dumps(_shell_to_json(shell)), encoding="utf-8")
    partial.replace(path)
    for old in cache_dir.glob("shell-*.json"):
        if old != path:
            old.unlink(missing_ok=True)


def obtain_shell(site_dir: Path, hub: Hub, cache_dir: Path) -> Shell:
    """The shell for ``hub``: from ``cache_dir`` where nothing changed, else built by mkdocs and kept."""
    key = shell_key(site_dir, hub)
    shell = load_shell(cache_dir, key)
    if shell is None:
        with tempfile.TemporaryDirectory(prefix="skillpress-shell-") as work_dir:
            shell = build_shell(site_dir, hub, Path(work_dir))
        store_shell(cache_dir, key, shell)
    return shell


def _shell_sources(site_dir: Path) -> Iterator[tuple[str, Path]]:
    yield "mkdocs.yml", site_dir / "mkdocs.yml"
    root = site_dir / "site_src"
    found = [
        Path(folder, name) for folder, _, names in os.walk(root) for name in names if not name.startswith(".")
    ]
    for path in sorted(found):
        yield path.relative_to(site_dir).as_posix(), path


def _shell_to_json(shell: Shell) -> dict[str, Any]:
    def stamp(value: Stamp) -> dict[str, Any]:
        return {"constants": [c.decode() for c in value.constants], "slots": value.slots}

    return {
        "skill": stamp(shell.skill),
        "publisher": stamp(shell.publisher),
        "guide": stamp(shell.guide),
        "shelf": stamp(shell.shelf),
        "diff": stamp(shell.diff),
        "pages": [[path, stamp(page)] for path, page in shell.pages],
        "files": [[path, base64.b64encode(data).decode()] for path, data in shell.files],
    }


def _shell_from_json(document: dict[str, Any]) -> Shell:
    def stamp(value: dict[str, Any]) -> Stamp:
        return Stamp(tuple(c.encode() for c in value["constants"]), tuple(value["slots"]))

    return Shell(
        skill=stamp(document["skill"]),
        publisher=stamp(document["publisher"]),
        guide=stamp(document["guide"]),
        shelf=stamp(document["shelf"]),
        diff=stamp(document["diff"]),
        pages=tuple((path, stamp(page)) for path, page in document["pages"]),
        files=tuple((path, base64.b64decode(data)) for path, data in document["files"]),
    )
