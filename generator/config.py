"""``hub.yml``: what an operator decides about a hub, with errors that name file, line, key and the mend.

Precedence: command-line option, then ``hub.yml``, then the defaults here. Without any ``hub.yml`` the
defaults build folders of skills named on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from generator.collecting import read_collections
from generator.errors import ConfigError
from generator.history.assignment import OnChanged
from generator.history.overlay.model import Overlay
from generator.hosting.expectations import support
from generator.hosting.profiles import HOSTINGS, Hosting, Kind, Queries, find_hosting
from generator.model import Abilities, Hub, Owner, Protocol
from generator.names import InvalidNameError, parse_owner
from generator.read.nodes import Node
from generator.read.package import Limits
from generator.settings import (
    Settings,
    choice_of,
    mapping_of,
    nearest,
    parse_count,
    parse_flag,
    parse_percent,
)
from generator.sources import ArchiveSource, FolderSource, Source, label_of, local_root, read_source
from generator.write.layout import Layout, Naming

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

CONFIG_NAME = "hub.yml"
DEFAULT_URL = "http://127.0.0.1:8000"
DEFAULT_OWNER = Owner("local")

KEYS: Mapping[str, str] = {
    "name": "The hub's name, shown on every page.",
    "description": "One sentence about the hub.",
    "url": "The public URL, with its base path if it has one; http or https, no query.",
    "owner": "The owner of every source that names none.",
    "out": "The output folder, relative to hub.yml.",
    "ledger": "A folder, such as one of this repository, that keeps a copy of every ledger.",
    "layout": "How files are laid out: exploded (each route a file) or packed (a few files a skill).",
    "hosting": "The kind of host the hub is built for; it decides layout and naming.",
    "naming": "What an exploded document is called in its folder: index.html or index.json.",
    "sources": "Where skills come from: layers, of which a later one shadows an earlier one's skills.",
    "policy": "Limits of a package, and what happens to changes that look wrong.",
    "protocols": "Which installers the hub speaks to: a mapping from protocol to yes or no. All when missing.",
    "collections": "Skills that belong together, by name; each gets a page, an index and a plugin of its own.",
    "search": "What can be searched besides names, topics and summaries.",
    "overlay": "What the operator decides about skills; also in files of a folder overlay/ beside hub.yml.",
}
"""Every key of ``hub.yml`` with its meaning; the documentation is tested against this."""

POLICY_KEYS: Mapping[str, str] = {
    "max_files": "Files in a package, at most.",
    "max_file_bytes": "Bytes of one file, at most.",
    "max_package_bytes": "Bytes of a package, at most.",
    "max_shrink": "Percent of a source's skills that may vanish between two builds.",
    "on_changed_version": "Content changed under a published version: error (refuse) or bump (next patch version).",
}
SEARCH_KEYS: Mapping[str, str] = {
    "full_text": "yes: the browse page searches the whole text of skills; needs the program pagefind.",
}
"""Every key of ``search:``."""
PROTOCOL_KEYS: Mapping[str, str] = {
    Protocol.CLAWHUB.value: "The ClawHub API: clawhub, OpenClaw, DeepTutor, QwenPaw, PicoClaw.",
    Protocol.AGENT_SKILLS.value: "Agent Skills discovery 0.2.0: npx skills.",
    Protocol.WELL_KNOWN_SKILLS.value: "Agent Skills discovery 0.1.0 with raw files: hermes, playbooks.",
    Protocol.CLAUDE_CODE.value: "A plugin marketplace with npm packages: Claude Code, npm.",
    Protocol.APM.value: "The registry of Microsoft APM.",
    Protocol.BUNDLES.value: "Skills as one JSON document: QwenPaw, CoPaw.",
    Protocol.SKILL_ARCHIVES.value: ".skill files: DeerFlow, Gemini CLI, the Claude apps.",
    Protocol.AGENTSKILLS_HTTP.value: "A tree of raw files: agentskills-http.",
    Protocol.SKILL_SERVICE.value: "The list of the skill-package service.",
    Protocol.AGENT_PAGES.value: "llms.txt and a Markdown twin of every page: agents and crawlers.",
}
"""Every key of ``protocols:``: a protocol, and who reads it."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What happens to changes that look wrong. ``max_shrink`` is in percent, 0 to 100."""

    on_changed: OnChanged = OnChanged.ERROR
    max_shrink: int = 30


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a build is told."""

    hub: Hub
    sources: tuple[Source, ...]
    out: Path
    layout: Layout = Layout.EXPLODED
    naming: Naming = Naming.INDEX_HTML
    hosting: Hosting | None = None
    limits: Limits = field(default_factory=Limits)
    policy: Policy = Policy()
    ledger: Path | None = None
    site_dir: Path | None = None
    overlay: Overlay = field(default_factory=Overlay)


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says; None where it says nothing."""

    paths: tuple[str, ...] = ()
    config: str | None = None
    out: str | None = None
    url: str | None = None
    owner: str | None = None
    layout: str | None = None
    naming: str | None = None
    hosting: str | None = None


def load_config(options: Options, folder: Path) -> Config:
    """Read ``hub.yml`` of ``folder`` (or the file the options name), then apply the options.

    Folders on the command line replace the file's sources. A hub folder that has its own ``mkdocs.yml`` and
    ``site_src`` builds its pages from them.

    Raises:
        ConfigError: naming the file, line and key, or the option.
    """
    file = Path(options.config) if options.config else folder / CONFIG_NAME
    if file.is_file():
        config = _read_file(file)
    elif options.config:
        raise ConfigError(f"{options.config}: no such file. Name an existing hub.yml with --config.")
    else:
        config = _defaults(folder)
    return _check(_fit_to_host(_apply(config, options, folder), options))


def _defaults(folder: Path) -> Config:
    hub = Hub(name="Skill hub", description="Agent skills, ready to install.", url=DEFAULT_URL)
    return Config(
        hub=hub,
        sources=(),
        out=folder / "public",
        site_dir=_own_site(folder),
        overlay=_overlay(None, "", folder),
    )


def _overlay(node: Node | None, file: str, folder: Path) -> Overlay:
    """The decisions under ``overlay:`` and in the files of the folder of that name."""
    if node is None and not (folder / "overlay").exists():
        return Overlay()
    from generator.history.overlay.merging import merge_overlays
    from generator.history.overlay.reading import read_overlay, read_overlay_folder

    return merge_overlays(
        (read_overlay(node, file, "overlay."), *read_overlay_folder(str(folder / "overlay")))
    )


def _own_site(folder: Path) -> Path | None:
    return folder if (folder / "mkdocs.yml").is_file() and (folder / "site_src").is_dir() else None


def _apply(config: Config, options: Options, folder: Path) -> Config:
    owner = DEFAULT_OWNER
    if options.owner is not None:
        owner = _option("--owner", parse_owner, options.owner)
    elif config.sources:
        owner = config.sources[0].owner
    if options.paths:
        config = replace(
            config,
            sources=tuple(
                FolderSource(label=label_of(path), root=folder / path, owner=owner) for path in options.paths
            ),
        )
    elif options.owner is not None:
        config = replace(config, sources=tuple(replace(source, owner=owner) for source in config.sources))
    if options.out is not None:
        config = replace(config, out=folder / options.out)
    if options.url is not None:
        config = replace(config, hub=replace(config.hub, url=_option("--url", parse_url, options.url)))
    if options.layout is not None:
        config = replace(config, layout=Layout(options.layout))
    if options.naming is not None:
        config = replace(config, naming=Naming(options.naming))
    if options.hosting is not None:
        config = replace(config, hosting=find_hosting(options.hosting))
    return config


def _fit_to_host(config: Config, options: Options) -> Config:
    """Layout and naming as the host needs them, and what the writers must know of it.

    Without a name the hub is built for ``skillpress serve``; but files that lie there one by one may lie on any host,
    and that may send no headers.
    """
    host, hub = config.hosting, config.hub
    if host is None:
        abilities = Abilities(sets_headers=config.layout is Layout.PACKED)
        clients = support(Kind.SERVE, hub.protocols)
        return replace(config, hub=replace(hub, abilities=abilities, clients=clients))
    for option, wanted, needed in (
        ("--layout", options.layout, host.layout), ("--naming", options.naming, host.naming),
    ):  # fmt: skip
        if wanted is not None and wanted != needed:
            raise ConfigError(
                f"{option} {wanted} does not fit --hosting {host.name}, which needs {needed}. Leave it out."
            )
    abilities = Abilities(host.queries is not Queries.NONE, host.answers_post, host.sets_headers)
    hub = replace(hub, hosting=host.title, abilities=abilities, clients=support(host.kind, hub.protocols))
    return replace(config, hub=hub, layout=host.layout, naming=host.naming)


def _check(config: Config) -> Config:
    if not config.sources:
        raise ConfigError(
            "nothing to build: name a folder of skills (skillpress build path/to/skills), "
            f"or list sources in a {CONFIG_NAME}"
        )
    out = config.out.resolve()
    labels: dict[str, Source] = {}
    if config.ledger is not None and config.ledger.resolve().is_relative_to(out):
        raise ConfigError(
            f"ledger: {config.ledger} lies inside the output folder, which keeps its own. "
            "Name a folder outside of it, such as one that is committed."
        )
    for source in config.sources:
        root = local_root(source)
        if root is not None:
            _check_root(source, root, out)
        if source.label in labels:
            raise ConfigError(
                f"{source.place}source {source.label!r} is listed twice. List each source once; two folders of one "
                "name need paths that differ within the hub's folder."
            )
        labels[source.label] = source
    return config


def local_roots(config: Config) -> list[Path]:
    """The folders and files of this machine that the sources are read from."""
    return [root for source in config.sources if (root := local_root(source)) is not None]


def _check_root(source: Source, root: Path, out: Path) -> None:
    if not (root.exists() if isinstance(source, ArchiveSource) else root.is_dir()):
        what = "file or folder" if isinstance(source, ArchiveSource) else "folder"
        raise ConfigError(f"{source.place}{root}: no such {what}. Check the path.")
    if root.resolve().is_relative_to(out):
        raise ConfigError(
            f"{source.place}{root} lies inside the output folder {out.name}. "
            "Give the output a folder of its own with --out."
        )


def _option(name: str, parse: Callable[[str], T], text: str) -> T:
    try:
        return parse(text)
    except (InvalidNameError, ValueError) as error:
        raise ConfigError(f"{name}: {error}") from None


def parse_url(text: str) -> str:
    """A public URL without its trailing slash.

    Raises:
        ValueError: it is not http or https, or carries a query, a fragment or a password.
    """
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{text!r} is not an http or https URL, such as https://hub.example/skills")
    if parts.query or parts.fragment or parts.username or parts.password:
        raise ValueError(f"{text!r} must not have a query, a fragment or a password")
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise ValueError(f"{text!r} has a port that is not from 1 to 65535")
    path = parts.path.rstrip("/")
    if path and any(segment in ("", ".", "..") for segment in path[1:].split("/")):
        raise ValueError(f"{text!r} has an empty, '.' or '..' segment in its path")
    if any(ch.isspace() or ord(ch) < 0x20 or ch in "\"'<>\\" for ch in text.strip()):
        raise ValueError(f"{text!r} has a character no URL may have")
    return text.strip().rstrip("/")


# --- hub.yml ---------------------------------------------------------------------------------------


def _read_file(file: Path) -> Config:
    from generator.read.yamlnodes import YamlProblem, parse_yaml  # a build without hub.yml needs no YAML yet

    folder = file.parent
    try:
        node = parse_yaml(file.read_bytes().decode("utf-8-sig"))
    except YamlProblem as problem:
        raise ConfigError(
            f"{file.name}, line {problem.line}, column {problem.column}: {problem.message}. {problem.fix}"
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file.name}: not UTF-8 text. Save it as UTF-8.") from None
    except OSError as error:
        raise ConfigError(f"{file.name}: cannot be read ({error.strerror}).") from None
    config = _defaults(folder)
    if node is None:
        return config
    top = Settings(file.name, "", mapping_of(file.name, "hub.yml", node), KEYS)
    hub = config.hub
    hub = Hub(
        name=top.text("name", hub.name),
        description=top.text("description", hub.description),
        url=top.parsed("url", parse_url, hub.url),
        protocols=_protocols(file.name, top.node("protocols")),
        collections=read_collections(file.name, top.node("collections")),
        full_text=_full_text(file.name, top.node("search")),
    )
    owner = top.parsed("owner", parse_owner, DEFAULT_OWNER)
    return Config(
        hub=hub,
        sources=tuple(read_source(file.name, folder, item, owner) for item in top.items("sources")),
        out=folder / top.text("out", config.out.name),
        layout=top.parsed("layout", choice_of(Layout), Layout.EXPLODED),
        naming=top.parsed("naming", choice_of(Naming), Naming.INDEX_HTML),
        hosting=top.parsed("hosting", _parse_hosting, None),
        limits=_limits(file.name, top.node("policy")),
        policy=_policy(file.name, top.node("policy")),
        ledger=folder / top.text("ledger", "") if top.node("ledger") is not None else None,
        site_dir=_own_site(folder),
        overlay=_overlay(top.node("overlay"), file.name, folder),
    )


def _parse_hosting(text: str) -> Hosting | None:
    if text not in HOSTINGS:
        raise ValueError(f"{text!r} is not one of {', '.join(HOSTINGS)}.{nearest(text, HOSTINGS)}")
    return HOSTINGS[text]


def _protocols(file: str, node: Node | None) -> tuple[Protocol, ...]:
    """The protocols that are not switched off."""
    if node is None:
        return tuple(Protocol)
    settings = Settings(file, "protocols.", mapping_of(file, "protocols", node), PROTOCOL_KEYS)
    return tuple(one for one in Protocol if settings.parsed(one.value, parse_flag, default=True))


def _full_text(file: str, node: Node | None) -> bool:
    if node is None:
        return False
    settings = Settings(file, "search.", mapping_of(file, "search", node), SEARCH_KEYS)
    return settings.parsed("full_text", parse_flag, default=False)


def _limits(file: str, node: Node | None) -> Limits:
    if node is None:
        return Limits()
    policy = Settings(file, "policy.", mapping_of(file, "policy", node), POLICY_KEYS)
    default = Limits()
    return Limits(
        max_files=policy.parsed("max_files", parse_count, default.max_files),
        max_file_bytes=policy.parsed("max_file_bytes", parse_count, default.max_file_bytes),
        max_package_bytes=policy.parsed("max_package_bytes", parse_count, default.max_package_bytes),
    )


def _policy(file: str, node: Node | None) -> Policy:
    if node is None:
        return Policy()
    policy = Settings(file, "policy.", mapping_of(file, "policy", node), POLICY_KEYS)
    default = Policy()
    return Policy(
        on_changed=policy.parsed("on_changed_version", _parse_on_changed, default.on_changed),
        max_shrink=policy.parsed("max_shrink", parse_percent, default.max_shrink),
    )


def _parse_on_changed(text: str) -> OnChanged:
    choice = choice_of(OnChanged)(text)
    if choice is OnChanged.REPLACE:
        raise ValueError("only a preview replaces what is published. Write error or bump")
    return choice
