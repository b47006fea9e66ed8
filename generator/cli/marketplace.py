"""``skillpress marketplace``: the Claude Code marketplace of the repository that a hub is built from."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.errors import SkillpressError

if TYPE_CHECKING:
    from generator.config import Config
    from generator.write.protocols.claude_code_repository import RepositorySkill

_MANIFEST = ".claude-plugin/plugin.json"


@click.command()
@click.option("--config", metavar="FILE", help="The hub.yml to use (default: hub.yml here, if there is one).")
@click.option(
    "--check", is_flag=True, help="Write nothing; exit with 1 where the file is not what it should be."
)
def command(config: str | None, check: bool) -> None:
    """Write .claude-plugin/marketplace.json at the top of the repository that holds hub.yml.

    People who clone the repository, or name it to Claude Code, get its skills as plugins from it. It holds the skills
    of the last build whose folders lie in the repository. Exit codes: 0 done, 1 the file is out of date (--check), 3
    there is no built hub, or the file cannot be written.
    """
    from generator.collecting import gather_collections
    from generator.config import Options, load_config
    from generator.write.protocols.claude_code_repository import (
        REPOSITORY_FILE,
        RepositoryCollection,
        repository_marketplace,
    )

    settings = load_config(Options(config=config), Path())
    home = Path(config).resolve().parent if config is not None else Path.cwd()
    top = _top_of(home)
    skills = tuple(_skills(settings, home, top))
    if not skills:
        raise SkillpressError(
            f"{settings.out.name} holds no skill whose folder lies in this repository. "
            "Build it first: skillpress build."
        )
    gatherings, _ = gather_collections(settings.hub.collections, [one.listing for one in skills])
    collections = [
        RepositoryCollection(
            one.collection.name, one.collection.title, one.collection.description,
            tuple((listing.owner, listing.slug) for listing in one.listings),
        )
        for one in gatherings
    ]  # fmt: skip
    data = repository_marketplace(settings.hub, skills, collections)
    target = top / REPOSITORY_FILE
    there = target.read_bytes() if target.is_file() else None
    if check:
        if there != data:
            click.echo(
                f"{REPOSITORY_FILE} is out of date: run `skillpress marketplace` and commit it.", err=True
            )
            sys.exit(1)
        return
    if there != data:
        target.parent.mkdir(exist_ok=True)
        partial = target.with_name(f".{target.name}.{os.getpid()}")
        partial.write_bytes(data)
        partial.replace(target)
    click.echo(f"{REPOSITORY_FILE}: {len(skills)} skills")


def _top_of(home: Path) -> Path:
    """The top of the repository that a folder is in; the folder itself where it is in none."""
    return next((folder for folder in (home, *home.parents) if (folder / ".git").exists()), home)


def _skills(settings: Config, home: Path, top: Path) -> Iterator[RepositorySkill]:
    """The published skills whose source is a folder of the repository, as the last build knew them."""
    from generator.build.memory import load_details
    from generator.sources import FolderSource
    from generator.write.protocols.claude_code_repository import RepositorySkill, repository_folder

    details = load_details(os.fspath(settings.out))
    roots = {one.label: one.root for one in settings.sources if isinstance(one, FolderSource)}
    base = home.relative_to(top).as_posix()
    listed = {(one.owner, one.slug): one for one in details.listings if not one.retained}
    for draft in details.drafts:
        listing = listed.get((draft.owner, draft.slug)) if draft.slug is not None else None
        root = roots.get(draft.label)
        if listing is None or root is None:
            continue
        folder = repository_folder(base, os.path.relpath(root, home), draft.folder)
        if folder is None:
            continue
        manifest = root / draft.folder / _MANIFEST
        # A link is never followed: the build left such a file out too.
        own = manifest.read_bytes() if _MANIFEST in listing.paths and not manifest.is_symlink() else None
        yield RepositorySkill(listing, folder, tuple(listing.paths), own)
