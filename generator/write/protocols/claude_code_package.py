"""What lies in the package of a skill, so that Claude Code loads just what the author meant to load.

Three layouts, each tried with Claude Code 2.1.197 and 2.1.332; none needs anything special in ``marketplace.json``:

* A skill alone: ``skills/{slug}/...``. Nothing else of it is looked at by Claude Code, whatever its folders are called.
* A skill that brings hooks, servers, agents or commands: the same, and those beside it where a plugin has them, with
  ``${CLAUDE_PLUGIN_ROOT}`` meaning the skill's folder as its author wrote it.
* A skill that is a plugin by its own ``.claude-plugin/plugin.json``: its files at the top, as in the author's folder.
  Not where a file at the top means something to npm (npm runs ``node-gyp`` for a ``binding.gyp``): that one is laid out
  as the others.

npm turns every ``.gitignore`` into ``.npmignore`` when it unpacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from generator.jsondata import dump_bytes
from generator.model import PackageFile, Release
from generator.read.sidefiles import HOOKS_JSON, MCP_JSON, PLUGIN_JSON
from generator.write.protocols.claude_code_manifest import (
    accept_hooks,
    accept_hooks_file,
    accept_manifest,
    accept_servers,
    accept_servers_file,
    read_object,
)
from generator.write.protocols.npm_packument import package_name
from generator.write.protocols.npm_tarball import pack_tarball

Member = tuple[str, bytes]
_NPM_READS: Final = frozenset(("package.json", "npm-shrinkwrap.json", "binding.gyp", "node_modules"))
_ROOT: Final = b"${CLAUDE_PLUGIN_ROOT}"


def skill_tarball(owner: str, slug: str, release: Release, files: Sequence[PackageFile]) -> bytes:
    """The npm tarball of a release with these files. The same bytes for ever: see :mod:`.npm_tarball`."""
    head = package_json(package_name(owner, slug), release.version, release.description, release.license)
    members = (("package.json", head), *skill_members(slug, release.version, files))
    return pack_tarball(members, list_programs(slug, files))


def package_json(package: str, version: str, description: str, license: str | None) -> bytes:  # noqa: A002
    """A package manifest that asks npm for nothing: no scripts, no dependencies."""
    document = {"name": package, "version": version, "description": description}
    if license:
        document["license"] = license
    return dump_bytes(document)


def skill_members(slug: str, version: str, files: Sequence[PackageFile]) -> tuple[Member, ...]:
    """Every file of a skill's package but ``package.json``."""
    manifest = _own_manifest(files)
    if manifest is not None and not _npm_would_read(files):
        return tuple(_as_plugin(slug, version, files, manifest))
    return (*place_skill(slug, files), *_parts(slug, files, manifest))


def place_skill(folder: str, files: Sequence[PackageFile]) -> tuple[Member, ...]:
    """The files of a skill, byte for byte, in a folder of their own."""
    return tuple((f"skills/{folder}/{file.path}", file.data) for file in files)


def list_programs(folder: str, files: Iterable[PackageFile]) -> list[str]:
    """Where the executable files of a skill may lie in its package, in either layout."""
    programs = [str(file.path) for file in files if file.executable]
    return [*programs, *(f"skills/{folder}/{path}" for path in programs)]


def brings_parts(slug: str, files: Sequence[PackageFile]) -> bool:
    """Whether Claude Code loads more of a skill's package than the skill."""
    manifest = _own_manifest(files)
    return manifest is not None or any(True for _ in _parts(slug, files, None))


def _own_manifest(files: Sequence[PackageFile]) -> bytes | None:
    data = next((file.data for file in files if file.path == PLUGIN_JSON), None)
    return data if data is not None and read_object(data) is not None else None


def _npm_would_read(files: Sequence[PackageFile]) -> bool:
    # A file system that ignores case finds the name in any.
    return any(file.path.partition("/")[0].lower() in _NPM_READS for file in files)


def _as_plugin(slug: str, version: str, files: Sequence[PackageFile], manifest: bytes) -> Iterator[Member]:
    paths = [str(file.path) for file in files]
    for file in files:
        data = file.data
        if file.path == PLUGIN_JSON:
            data = accept_manifest(manifest, slug, version, paths)
        elif file.path == HOOKS_JSON:
            data = accept_hooks_file(data) or data
        yield file.path, data


def _parts(slug: str, files: Sequence[PackageFile], manifest: bytes | None) -> Iterator[Member]:
    """What a plugin has beside its skills, from the files of one skill and what its own manifest holds of it."""
    inside = b"%b/skills/%b" % (_ROOT, slug.encode())
    made: dict[str, bytes] = {}
    for file in files:
        folder, _, name = file.path.rpartition("/")
        data: bytes | None = None
        if file.path == HOOKS_JSON:
            data = accept_hooks_file(file.data)
        elif file.path == MCP_JSON:
            data = accept_servers_file(file.data)
        elif folder in ("agents", "commands") and name.endswith(".md") and file.data.startswith(b"---"):
            data = file.data
        if data is not None:
            made[file.path] = data
    written = read_object(manifest) if manifest is not None else None
    if written is not None and (hooks := accept_hooks(written.get("hooks"))):
        made[HOOKS_JSON] = dump_bytes({"hooks": hooks})
    if written is not None and (servers := accept_servers(written.get("mcpServers"))):
        made[MCP_JSON] = dump_bytes({"mcpServers": servers})
    for path, data in made.items():
        yield path, data.replace(_ROOT, inside)
