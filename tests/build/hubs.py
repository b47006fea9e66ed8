"""A hub in a temporary folder, for tests that build it again and again."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from generator.build.recipe import site_folder
from generator.build.run import build
from generator.build.summary import Summary
from generator.config import Config, Options, load_config
from generator.model import TimeMs
from generator.verify.places import open_place
from generator.write.publish import WORK_FOLDER
from generator.write.site.shell_cache import obtain_shell

FIRST_TIME = TimeMs(1_700_000_000_000)


def skill_text(name: str, description: str = "Shows one thing. Use it in tests.", version: str | None = "1.0.0",
               body: str = "# Title\n\nDo the thing.\n") -> str:  # fmt: skip
    """A SKILL.md."""
    line = f"version: {version}\n" if version else ""
    return f"---\nname: {name}\ndescription: {description}\n{line}---\n\n{body}"


@cache
def _made_shells() -> Path:
    return Path(tempfile.mkdtemp(prefix="skillpress-tests-"))


def _share_shell(settings: Config, out: Path) -> None:
    """Bring the page shell from another test's hub: mkdocs takes half a second, and few tests are about it."""
    made, kept = _made_shells(), out / WORK_FOLDER / "shell"
    if not kept.exists():
        obtain_shell(site_folder(settings.site_dir), settings.hub, made)
        shutil.copytree(made, kept)


@dataclass(frozen=True, slots=True)
class LittleHub:
    """A folder with sources below it and the hub they become."""

    root: Path
    paths: tuple[str, ...] = ("skills",)
    layout: str = "packed"
    naming: str = "index.html"
    owner: str | None = None
    config: str | None = None
    url: str = "https://hub.example"

    @property
    def out(self) -> Path:
        """The output folder."""
        return self.root / "public"

    def put(self, folder: str, files: Mapping[str, str | bytes] | str) -> None:
        """Write a skill folder; a text alone is its SKILL.md."""
        for path, content in ({"SKILL.md": files} if isinstance(files, str) else files).items():
            target = self.root / folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)

    def build(
        self,
        now: int = FIRST_TIME,
        *,
        jobs: int = 1,
        preview: bool = False,
        previous: str | None = None,
        allow_shrink: bool = False,
    ) -> Summary:
        """Build once."""
        options = Options(self.paths, self.config, "public", self.url, self.owner, self.layout, self.naming)
        settings = load_config(options, self.root)
        _share_shell(settings, self.out)
        return build(
            settings, now=TimeMs(now), jobs=jobs, progress=lambda *_: None, preview=preview,
            previous=open_place(previous) if previous is not None else None, allow_shrink=allow_shrink,
        )  # fmt: skip

    def files(self, *, work: bool = False) -> dict[str, str]:
        """Every file of the output with its sha256."""
        return {
            path.relative_to(self.out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.out.rglob("*"))
            if path.is_file() and (work or WORK_FOLDER not in path.parts)
        }

    def content(self, *, work: bool = False) -> dict[str, str]:
        """The files that do not tell how many builds there were: the change feed does, and what names it."""
        told = ("hub.json", "changes/", f"{WORK_FOLDER}/memory.json")
        return {path: digest for path, digest in self.files(work=work).items() if not path.startswith(told)}

    def stamps(self) -> dict[str, tuple[int, int]]:
        """Every file of the output with its inode and time of change."""
        return {
            path.relative_to(self.out).as_posix(): (path.stat().st_ino, path.stat().st_mtime_ns)
            for path in sorted(self.out.rglob("*"))
            if path.is_file()
        }
