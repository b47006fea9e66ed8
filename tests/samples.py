"""Small values of the model for tests: real shapes, made-up content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from generator.model import (
    Archive,
    FileEntry,
    Hashes,
    Package,
    PackageFile,
    PackagePath,
    Release,
    ScanReport,
    ScanVerdict,
    Sha256,
    TimeMs,
    Version,
)

SKILL_MD = """\
---
name: demo
description: Shows one thing. Use it in tests.
version: 1.0.0
---

# Demo

Do the thing.
"""


def sha256(data: bytes) -> Sha256:
    """The hex digest, proven."""
    return Sha256(hashlib.sha256(data).hexdigest())


def make_package(files: Mapping[str, bytes | str], source: str = "skills", folder: str = "demo") -> Package:
    """A package of the given files."""
    made = []
    for path, content in sorted(files.items()):
        data = content.encode() if isinstance(content, str) else content
        made.append(PackageFile(PackagePath(path), data, sha256(data)))
    return Package(source, folder, tuple(made))


def make_release(
    version: str = "1.0.0",
    *,
    verdict: ScanVerdict = ScanVerdict.ALLOW,
    tree: bytes = b"tree",
    first_seen: int = 1000,
) -> Release:
    """A release with one file."""
    data = SKILL_MD.encode()
    entry = FileEntry(PackagePath("SKILL.md"), len(data), sha256(data), "text/markdown", False, 38)
    return Release(
        version=Version(version),
        first_seen=TimeMs(first_seen),
        hashes=Hashes(sha256(b"fingerprint" + tree), (), sha256(b"folder" + tree), sha256(tree)),
        archive=Archive(sha256(b"zip" + tree), 100),
        files=(entry,),
        scan=ScanReport("skillpress-scan", "1+0123456789ab", verdict, 1),
        source="skills",
        folder="demo",
        description="Shows one thing. Use it in tests.",
        license=None,
    )
