"""From ``overlay:`` in ``hub.yml``, and from files of the folder ``overlay/``, to decisions.

Whatever is wrong ends the build with file, line, column, key and the mend: an order of the operator must not
be half understood. What depends on the skills there are is told by
:mod:`generator.history.overlay.settling` as findings instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

from generator.errors import ConfigError
from generator.history.overlay.model import (
    Archival,
    Categorisation,
    Deprecation,
    Feature,
    Overlay,
    Place,
    Quarantine,
    Rename,
    Review,
    SlugHolder,
    TagPin,
    Yank,
)
from generator.history.overlay.refs import (
    parse_category,
    parse_exact_version,
    parse_reason,
    parse_release,
    parse_rule,
    parse_sha256,
    parse_skill,
    parse_skill_or_release,
    parse_tag,
)
from generator.names import InvalidNameError, parse_owner, parse_slug
from generator.read.nodes import MappingNode, Node, ScalarNode, SequenceNode
from generator.settings import Settings, mapping_of, setting_error

T = TypeVar("T")

OVERLAY_FOLDER: Final = "overlay"
"""The folder of overlay files, beside ``hub.yml``."""

KINDS: Final[Mapping[str, str]] = {
    "yank": "Versions that are never chosen, and why: `owner/slug@version: reason`.",
    "deprecate": "Skills no longer to be used: `owner/slug: reason`, or a mapping with `successor` and `reason`.",
    "archive": "Skills of which no new version is expected: `owner/slug: reason`; the reason may be left out.",
    "quarantine": "Skills or versions that nobody gets: `owner/slug: reason` or `owner/slug@version: reason`.",
    "rename": "New addresses, another owner included: `old-owner/old-slug: new-owner/new-slug`.",
    "feature": "A list of skills that are shown first.",
    "tags": "Names that stand for versions: `owner/slug: {latest: 1.2.3, beta: 2.0.0-beta.1}`.",
    "categories": "Categories instead of the authors': `owner/slug: category`.",
    "slugs": "Whose skill a bare slug means that several owners have: `slug: owner`.",
    "reviews": "Scan findings that somebody looked into: a list of mappings with `rule`, `sha256`, `by`, `reason`.",
}
"""Every key of an overlay with its meaning; the documentation is tested against this."""

DEPRECATE_KEYS: Final[Mapping[str, str]] = {
    "successor": "The skill to use instead, by owner/slug.",
    "reason": "Why.",
}
REVIEW_KEYS: Final[Mapping[str, str]] = {
    "rule": "The rule's id.",
    "sha256": "The sha256 of the file it matched in.",
    "by": "Who looked into it.",
    "reason": "Why it is fine.",
}


def read_overlay(node: Node | None, file: str, prefix: str = "") -> Overlay:
    """The decisions under ``node``: the value of ``overlay:``, or an overlay file's whole content.

    ``prefix`` stands before keys in errors: ``overlay.`` in ``hub.yml``.

    Raises:
        ConfigError: naming file, line, column and key.
    """
    if node is None or (isinstance(node, ScalarNode) and node.is_null):
        return Overlay()
    top = Settings(file, prefix, mapping_of(file, prefix.rstrip(".") or "overlay", node), KINDS)
    reader = _Reader(file, prefix)
    return Overlay(
        yank=tuple(reader.yanks(top.node("yank"))),
        deprecate=tuple(reader.deprecations(top.node("deprecate"))),
        archive=tuple(reader.archivals(top.node("archive"))),
        quarantine=tuple(reader.quarantines(top.node("quarantine"))),
        rename=tuple(reader.renames(top.node("rename"))),
        feature=tuple(reader.features(top.node("feature"))),
        tags=tuple(reader.tags(top.node("tags"))),
        categories=tuple(reader.categories(top.node("categories"))),
        slugs=tuple(reader.slugs(top.node("slugs"))),
        reviews=tuple(reader.reviews(top.node("reviews"))),
    )


def read_overlay_text(data: bytes, file: str) -> Overlay:
    """The decisions of one overlay file.

    Raises:
        ConfigError: as :func:`read_overlay`, or it is not YAML.
    """
    return read_overlay(parse_settings(data, file), file)


def parse_settings(data: bytes, file: str) -> Node | None:
    """A settings file of the operator as a tree; None where it holds nothing.

    Raises:
        ConfigError: it is not UTF-8 or not YAML as we read it.
    """
    from generator.read.yamlnodes import YamlProblem, parse_yaml  # only hubs with such a file need YAML

    try:
        return parse_yaml(data.decode("utf-8-sig"))
    except YamlProblem as problem:
        raise ConfigError(
            f"{file}, line {problem.line}, column {problem.column}: {problem.message}. {problem.fix}"
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: not UTF-8 text. Save it as UTF-8.") from None


def read_overlay_folder(folder: str) -> tuple[Overlay, ...]:
    """The decisions of every ``*.yml`` in ``folder`` (``.../overlay``), by file name; none where there is no folder.

    Errors name the files ``overlay/NAME.yml``.

    Raises:
        ConfigError: as :func:`read_overlay_text`, or a file there is no overlay file or cannot be read.
    """
    found: list[Overlay] = []
    for name in list_overlay_files(folder):
        try:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
        except OSError as error:
            raise ConfigError(f"{OVERLAY_FOLDER}/{name}: cannot be read ({error.strerror}).") from None
        found.append(read_overlay_text(data, f"{OVERLAY_FOLDER}/{name}"))
    return tuple(found)


def list_overlay_files(folder: str) -> list[str]:
    """The names of the overlay files of a folder, sorted.

    Raises:
        ConfigError: a YAML file has an ending we do not read, or the folder cannot be read.
    """
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ConfigError(f"{OVERLAY_FOLDER}: cannot be read ({error.strerror}).") from None
    if odd := next(
        (name for name in names if name.lower().endswith((".yaml", ".yml")) and name[-4:] != ".yml"), None
    ):
        raise ConfigError(f"{OVERLAY_FOLDER}/{odd}: overlay files end in .yml. Rename it.")
    found = [name for name in names if name.endswith(".yml") and not name.startswith(".")]
    # A pipe would keep the build waiting for ever.
    if odd := next((name for name in found if not os.path.isfile(os.path.join(folder, name))), None):
        raise ConfigError(f"{OVERLAY_FOLDER}/{odd}: not a file. Remove or rename it.")
    return found


# --- one kind --------------------------------------------------------------------------------------


class _Reader:
    """Reads the sections of one file."""

    def __init__(self, file: str, prefix: str) -> None:
        self._file = file
        self._prefix = prefix

    def yanks(self, node: Node | None) -> Iterator[Yank]:
        for place, (key, version), value, name in self._entries("yank", node, parse_release):
            yield Yank(place, key, version, self._parse(value, name, parse_reason))

    def quarantines(self, node: Node | None) -> Iterator[Quarantine]:
        for place, (key, version), value, name in self._entries("quarantine", node, parse_skill_or_release):
            yield Quarantine(place, key, version, self._parse(value, name, parse_reason))

    def archivals(self, node: Node | None) -> Iterator[Archival]:
        for place, key, value, name in self._entries("archive", node, parse_skill):
            yield Archival(place, key, self._optional_reason(value, name))

    def deprecations(self, node: Node | None) -> Iterator[Deprecation]:
        for place, key, value, name in self._entries("deprecate", node, parse_skill):
            if not isinstance(value, MappingNode):
                yield Deprecation(place, key, self._optional_reason(value, name), None)
                continue
            settings = Settings(self._file, f"{name}.", value, DEPRECATE_KEYS)
            successor = settings.node("successor")
            reason = settings.node("reason")
            yield Deprecation(
                place, key,
                self._optional_reason(reason, f"{name}.reason") if reason is not None else "",
                self._parse(successor, f"{name}.successor", parse_skill) if successor is not None else None,
            )  # fmt: skip

    def renames(self, node: Node | None) -> Iterator[Rename]:
        for place, key, value, name in self._entries("rename", node, parse_skill):
            yield Rename(place, key, self._parse(value, name, parse_skill))

    def categories(self, node: Node | None) -> Iterator[Categorisation]:
        for place, key, value, name in self._entries("categories", node, parse_skill):
            yield Categorisation(place, key, self._parse(value, name, parse_category))

    def slugs(self, node: Node | None) -> Iterator[SlugHolder]:
        for place, slug, value, name in self._entries("slugs", node, parse_slug):
            yield SlugHolder(place, slug, self._parse(value, name, parse_owner))

    def tags(self, node: Node | None) -> Iterator[TagPin]:
        for _, skill, value, name in self._entries("tags", node, parse_skill):
            for key, version in mapping_of(self._file, name, value).entries:
                tag = self._parse(key, name, parse_tag)
                pinned = self._parse(version, f"{name}.{tag}", parse_exact_version)
                yield TagPin(self._place(key), skill, tag, pinned)

    def features(self, node: Node | None) -> Iterator[Feature]:
        for item in self._items("feature", node):
            yield Feature(self._place(item), self._parse(item, f"{self._prefix}feature", parse_skill))

    def reviews(self, node: Node | None) -> Iterator[Review]:
        name = f"{self._prefix}reviews"
        for item in self._items("reviews", node):
            settings = Settings(self._file, f"{name}.", mapping_of(self._file, name, item), REVIEW_KEYS)
            values: dict[str, Node] = {}
            for key, meaning in REVIEW_KEYS.items():
                value = settings.node(key)
                if value is None:
                    raise setting_error(self._file, item, name, f"a review needs `{key}`: {meaning}")
                values[key] = value
            yield Review(
                self._place(item),
                self._parse(values["rule"], f"{name}.rule", parse_rule),
                self._parse(values["sha256"], f"{name}.sha256", parse_sha256),
                self._parse(values["by"], f"{name}.by", parse_reason),
                self._parse(values["reason"], f"{name}.reason", parse_reason),
            )

    def _entries(
        self, kind: str, node: Node | None, parse: Callable[[str], T]
    ) -> Iterator[tuple[Place, T, Node, str]]:
        """The place, parsed key, value and name of each entry of a section."""
        if node is None or (isinstance(node, ScalarNode) and node.is_null):
            return
        section = f"{self._prefix}{kind}"
        for key, value in mapping_of(self._file, section, node).entries:
            yield self._place(key), self._parse(key, section, parse), value, f"{section}.{key.value}"

    def _items(self, kind: str, node: Node | None) -> tuple[Node, ...]:
        if node is None or (isinstance(node, ScalarNode) and node.is_null):
            return ()
        if not isinstance(node, SequenceNode):
            raise setting_error(
                self._file, node, f"{self._prefix}{kind}", "expected a list. Start each item with `- `."
            )
        return node.items

    def _optional_reason(self, node: Node, name: str) -> str:
        if isinstance(node, ScalarNode) and node.is_null:
            return ""
        return self._parse(node, name, parse_reason)

    def _parse(self, node: Node, name: str, parse: Callable[[str], T]) -> T:
        if not isinstance(node, ScalarNode):
            raise setting_error(self._file, node, name, "expected a text.")
        try:
            return parse("" if node.is_null else node.value)
        except (InvalidNameError, ValueError) as error:
            text = str(error)
            end = "" if text.endswith((".", "?")) else "."
            raise setting_error(self._file, node, name, f"{text}{end}") from None

    def _place(self, node: Node) -> Place:
        return Place(self._file, node.line, node.column)
