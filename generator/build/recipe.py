"""What a build's output depends on besides the skills, as one digest.

Equal recipe and equal skills: equal bytes, so nothing need be done. Our own code is part of it, so that a
newer Skillpress never trusts what an older one wrote.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from generator.config import Config
from generator.history.assignment import OnChanged
from generator.installed import installed_versions
from generator.sources import GitSource, HubSource, Source

RENDERERS = ("jinja2", "markdown-it-py", "nh3", "pygments", "pyromark", "pyyaml")
_CODE = (".py", ".toml", ".json", ".yml", ".j2", ".html", ".css", ".js")


def site_folder(own: Path | None) -> Path:
    """The folder with ``mkdocs.yml`` and ``site_src``: the hub's own, else the one Skillpress brings."""
    if own is not None:
        return own
    package = Path(__file__).parent.parent
    bundled = package / "_bundled"
    return bundled if bundled.is_dir() else package.parent


def recipe_of(config: Config, page_key: str, on_changed: OnChanged) -> str:
    """The digest of code, libraries, settings and page shell (``page_key``)."""
    digest = hashlib.sha256()
    _add_code(digest, os.fspath(Path(__file__).parent.parent))
    settings = (
        config.hub, config.layout, config.naming, config.limits,
        [_settings_of(source) for source in config.sources],
        page_key, on_changed.value, installed_versions(RENDERERS),
    )  # fmt: skip
    digest.update(repr(settings).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _settings_of(source: Source) -> tuple[object, ...]:
    """What a source is set to, without where it lies on this machine."""
    common = (type(source).__name__, source.label, source.owner)
    if isinstance(source, GitSource):
        return (*common, source.ref, source.folder, source.history, source.include, source.public)
    return (*common, source.prefix) if isinstance(source, HubSource) else (*common, source.include)


def _add_code(digest: hashlib._Hash, folder: str) -> None:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in ("__pycache__", "_bundled"):
                _add_code(digest, entry.path)
        elif entry.name.endswith(_CODE):
            digest.update(entry.name.encode())
            with open(entry.path, "rb") as file:
                digest.update(hashlib.sha256(file.read()).digest())
