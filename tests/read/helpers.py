"""Small builders for packages and trees; no test reads a real collection through them."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from generator.model import Manifest, Package, PackageFile, PackagePath, Sha256, SkillFolder
from generator.read.manifest import read_skill
from generator.read.package import Limits
from generator.read.sources.folder import find_skill_folders, read_package

GOOD = "---\nname: demo\ndescription: Does one thing. Use when testing.\n---\n\n# Body\n"
"""A SKILL.md about which there is nothing to say when its folder is called demo."""

Content = str | bytes


def as_bytes(content: Content) -> bytes:
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content


def package(files: dict[str, Content], folder: str = "demo") -> Package:
    entries = [(path, as_bytes(content)) for path, content in sorted(files.items())]
    return Package(
        "source",
        folder,
        tuple(PackageFile(PackagePath(p), d, Sha256(sha256(d).hexdigest())) for p, d in entries),
    )


def read(skill_md: Content = GOOD, folder: str = "demo", **side: Content) -> SkillFolder:
    """Read a package of SKILL.md and of the side files in the table below."""
    return read_skill(package({"SKILL.md": skill_md, **{_SIDE[k]: v for k, v in side.items()}}, folder))


_SIDE = {
    "skill_yaml": "skill.yaml",
    "plugin": ".claude-plugin/plugin.json",
    "meta": "_meta.json",
    "hooks": "hooks/hooks.json",
    "mcp": ".mcp.json",
    "agent": "agents/helper.md",
    "agent2": "agents/other.md",
    "servers": "servers.json",
}


def front(*lines: str) -> str:
    """A SKILL.md with a good name and description, and these front matter lines."""
    return "\n".join(["---", "name: demo", "description: Does one thing.", *lines, "---", "", "Body", ""])


def manifest(*lines: str, **side: Content) -> Manifest:
    found = read(front(*lines), **side).manifest
    assert found is not None
    return found


def codes(skill: SkillFolder) -> list[str]:
    return [f.code for f in skill.findings]


def write_tree(root: Path, files: dict[str, Content]) -> Path:
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(as_bytes(content))
    return root


def read_tree(root: Path, limits: Limits | None = None) -> dict[str, SkillFolder | None]:
    """Every skill below ``root`` by its folder."""
    result: dict[str, SkillFolder | None] = {}
    for folder in find_skill_folders(str(root)).folders:
        found, notes = read_package(str(root), "source", folder, limits or Limits())
        result[folder] = None if found is None else read_skill(found, notes)
    return result
