"""Whether downloaded bytes are the skill they should be."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
import zlib
from collections.abc import Mapping

from generator.probe.model import Sample

_MOST = 64 * 2**20


def check_zip(data: bytes, sample: Sample, folder: str = "") -> str:
    """What is wrong with a zip that should hold the sample's latest version; empty where nothing is.

    ``folder`` stands before each path (``alpha/``), empty for a flat archive.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [one for one in archive.infolist() if not one.is_dir()]
            if sum(one.file_size for one in entries) > _MOST:
                return "the archive is far larger than the skill"
            found = {one.filename: hashlib.sha256(archive.read(one)).hexdigest() for one in entries}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError):
        return "what comes is no zip archive"
    return _compare(found, {f"{folder}{path}": digest for path, digest in sample.files})


def check_tarball(data: bytes, sample: Sample) -> str:
    """What is wrong with an npm tarball of the sample's latest version; empty where nothing is."""
    found: dict[str, str] = {}
    total = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            for member in archive:
                total += member.size
                if total > _MOST:
                    return "the tarball is far larger than the skill"
                content = archive.extractfile(member) if member.isreg() else None
                if content is not None:
                    found[member.name] = hashlib.sha256(content.read()).hexdigest()
    except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError):
        return "what comes is no tarball"
    # Where a skill's files lie in the package is the protocol's affair, that all are there is ours.
    missing = {digest for _, digest in sample.files} - set(found.values())
    return f"the tarball lacks {len(missing)} of the skill's files" if missing else ""


def _compare(found: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    if set(found) != set(wanted):
        return "the archive holds other files than the hub's documents say: another skill, or another version"
    changed = sorted(path for path in wanted if found[path] != wanted[path])
    return f"{changed[0]} in the archive has other bytes than the hub's documents say" if changed else ""
