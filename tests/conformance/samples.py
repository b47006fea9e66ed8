"""The hub that every server serves, with the files of the protocols that the build does not write yet."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.write.layout import Layout
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text

DAY_MS = 86_400_000
SKILL = ("acme", "alpha")
OLD, NEW = "1.0.0", "1.1.0"
SOURCES = """\
name: Conformance
sources:
  - path: a
    owner: acme
  - path: b
    owner: bolt
overlay:
  quarantine:
    bolt/gone: Sends secrets away.
    bolt/beta@1.0.0: Being looked into.
  yank:
    bolt/pulled@1.0.0: Deletes its input.
  rename:
    bolt/former: bolt/fresh
    bolt/left: acme/alpha-kit
  tags:
    acme/alpha: {first: 1.0.0}
  slugs:
    common: acme
"""
SKILLS = (
    ("a", "alpha"), ("a", "shared"), ("a", "common"), ("a", "alpha-kit"), ("b", "beta"), ("b", "shared"),
    ("b", "common"), ("b", "gone"), ("b", "pulled"), ("b", "former"),
)  # fmt: skip


def build_hub(root: Path, url: str, layout: Layout, naming: str) -> LittleHub:
    """Two versions of ``acme/alpha`` and ``bolt/beta``, slugs of two owners (``shared`` is nobody's, ``common``
    acme's), and what the operator withdrew or renamed."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "hub.yml").write_text(SOURCES)
    hub = LittleHub(root, paths=(), layout=layout.value, naming=naming, url=url)
    for folder, name in SKILLS:
        text = skill_text(name, description=f"Shows what {folder} does. Use it in tests.", version=OLD)
        files: dict[str, str | bytes] = {"SKILL.md": text, "references/notes.md": f"# Notes of {folder}\n"}
        hub.put(
            f"{folder}/{name}",
            files | {"scripts/run.py": "print(1)\n", "assets/dot.png": b"\x89PNG\r\n\x1a\n\x00"},
        )
    hub.build()
    hub.put("a/alpha", skill_text("alpha", version=NEW, body="# Anew\n\nDo the new thing.\n"))
    hub.put("b/beta", skill_text("beta", version=NEW))
    hub.build(FIRST_TIME + DAY_MS)
    return hub


def lay_protocols(hub: LittleHub, url: str, *, packages_at: str) -> None:
    """Lay the documents of the other protocols by hand, for ``acme/alpha`` alone; one the build wrote is kept.

    ``packages_at`` is the file that holds the versions for APM (``versions`` itself, or an index file in it).
    """
    owner, slug = SKILL
    archive = (hub.out / f"dl/{owner}/{slug}-{NEW}.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    digest = f"sha256:{hashlib.sha256(archive).hexdigest()}"
    entry = {"name": slug, "type": "archive", "description": "Shows one thing.", "digest": digest}
    schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
    at = f"dl/{owner}/{slug}-{NEW}.zip"
    old = {"name": slug, "description": "Shows one thing.", "files": list(files)}
    tarball = _tarball(files, slug)
    laid: dict[str, bytes] = {
        ".well-known/agent-skills/index.json": _json(
            {"$schema": schema, "skills": [{**entry, "url": f"../../{at}"}]}
        ),
        f"{owner}/skills/{slug}/.well-known/agent-skills/index.json": _json(
            {"$schema": schema, "skills": [{**entry, "url": f"../../../../../{at}"}]}
        ),
        ".well-known/skills/index.json": _json({"skills": [old]}),
        "agentskills/index.json": _json({"skills": [slug]}),
        f"agentskills/{slug}/index.json": _json({"files": list(files)}),
        f"dl/{owner}/{slug}-{NEW}.tgz": tarball,
        f"dl/{owner}/{slug}-{NEW}.skill": _skill_archive(files, slug),
        f"bundles/{owner}/{slug}.json": _json(
            {
                "name": slug,
                "files": {name: data.decode() for name, data in files.items() if b"\0" not in data},
            }
        ),
        "claude/marketplace.json": _json(_marketplace(url)),
        f"npm/@{owner}/{slug}": _json(_packument(url, tarball)),
        f"v1/packages/{owner}/{slug}/{packages_at}": _json(
            {"versions": [{"version": NEW, "digest": digest, "published_at": "2026-01-01T00:00:00Z"}]}
        ),
    }
    for name, data in files.items():
        laid[f".well-known/skills/{slug}/{name}"] = laid[f"agentskills/{slug}/{name}"] = data
    for path, data in laid.items():
        target = hub.out / path
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def _json(document: object) -> bytes:
    return json.dumps(document).encode()


def _marketplace(url: str) -> dict[str, Any]:
    owner, slug = SKILL
    source = {"source": "npm", "package": f"@{owner}/{slug}", "version": NEW, "registry": f"{url}/npm"}
    return {"name": "conformance", "owner": {"name": "acme"}, "plugins": [{"name": slug, "source": source}]}


def _packument(url: str, tarball: bytes) -> dict[str, Any]:
    owner, slug = SKILL
    integrity = f"sha512-{base64.b64encode(hashlib.sha512(tarball).digest()).decode()}"
    dist = {"tarball": f"{url}/dl/{owner}/{slug}-{NEW}.tgz", "integrity": integrity}
    name = f"@{owner}/{slug}"
    release = {"name": name, "version": NEW, "dist": dist}
    return {"name": name, "dist-tags": {"latest": NEW}, "versions": {NEW: release}}


def _tarball(files: Mapping[str, bytes], slug: str) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in {
            "package.json": b"{}",
            **{f"skills/{slug}/{name}": data for name, data in files.items()},
        }.items():
            info = tarfile.TarInfo(f"package/{name}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return gzip.compress(raw.getvalue(), mtime=0)


def _skill_archive(files: Mapping[str, bytes], slug: str) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"{slug}/{name}", data)
    return raw.getvalue()
