"""Who publishes a folder: the owner of the source in ``hub.yml`` that holds it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generator.errors import ConfigError
from generator.model import Owner
from generator.read.globs import compile_glob

if TYPE_CHECKING:
    from generator.config import Config

HUB_FILE: Final = "hub.yml"


@dataclass(frozen=True, slots=True)
class Owners:
    """The hubs that a check can see, nearest first, and why others cannot be read."""

    configs: tuple[Config, ...]
    problems: tuple[str, ...]

    def owner_of(self, folder: str) -> Owner | None:
        """The owner of the first source that holds the folder and takes it; None where there is none."""
        from generator.sources import FolderSource  # a check without a hub.yml has no use for it

        place = os.path.realpath(folder)
        for config in self.configs:
            for source in config.sources:
                if not isinstance(source, FolderSource):
                    continue
                root = os.path.realpath(source.root)
                if place != root and not place.startswith(root.rstrip(os.sep) + os.sep):
                    continue
                inside = os.path.relpath(place, root).replace(os.sep, "/")
                patterns = [compile_glob(pattern) for pattern in source.include]
                if not patterns or any(p.fullmatch("" if inside == "." else inside) for p in patterns):
                    return source.owner
        return None


def load_owners(paths: tuple[str, ...]) -> Owners:
    """Read the ``hub.yml`` of the current folder and of every folder around ``paths``.

    A ``hub.yml`` that cannot be used costs the check nothing but the owner's name: it becomes a problem.
    """
    files: dict[str, None] = {}
    for start in (os.curdir, *paths):
        folder = os.path.realpath(start)
        while True:
            file = os.path.join(folder, HUB_FILE)
            if os.path.isfile(file):
                files.setdefault(file)
                break
            parent = os.path.dirname(folder)
            # What lies above a repository belongs to somebody else.
            if parent == folder or os.path.exists(os.path.join(folder, ".git")):
                break
            folder = parent
    if not files:
        return Owners((), ())
    # Most checks meet no hub, and what reads its file takes longer to load than a skill to judge.
    from pathlib import Path

    from generator.config import Options, load_config

    configs: list[Config] = []
    problems: list[str] = []
    for file in files:
        try:
            configs.append(load_config(Options(config=file), Path(file).parent))
        except ConfigError as error:
            problems.append(f"No owners are known from it: {error}")
    return Owners(tuple(configs), tuple(problems))
