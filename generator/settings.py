"""A YAML mapping whose keys are all known, with errors that name file, line, column, key and the mend."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from generator.errors import ConfigError
from generator.names import InvalidNameError
from generator.read.nodes import MappingNode, Node, ScalarNode, SequenceNode

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Settings:
    """A mapping of hub.yml whose keys are all known."""

    file: str
    prefix: str
    mapping: MappingNode
    keys: Mapping[str, str]

    def __post_init__(self) -> None:
        for key, _ in self.mapping.entries:
            if key.value not in self.keys:
                hint = nearest(key.value, self.keys) or f" Valid keys: {', '.join(self.keys)}."
                raise setting_error(self.file, key, f"{self.prefix}{key.value}", f"unknown key.{hint}")

    def node(self, key: str) -> Node | None:
        """The value under a key, or None."""
        return next((value for name, value in self.mapping.entries if name.value == key), None)

    def text(self, key: str, default: str) -> str:
        """The text under a key, ``default`` where the key is missing."""
        node = self.node(key)
        if node is None:
            return default
        if not isinstance(node, ScalarNode) or not node.value.strip():
            raise setting_error(self.file, node, f"{self.prefix}{key}", "expected a text.")
        return node.value.strip()

    def parsed(self, key: str, parse: Callable[[str], T], default: T) -> T:
        """The text under a key, parsed; what the parser says becomes an error with its place."""
        node = self.node(key)
        if node is None:
            return default
        try:
            return parse(self.text(key, ""))
        except (InvalidNameError, ValueError) as error:
            raise setting_error(self.file, node, f"{self.prefix}{key}", _sentence(str(error))) from None

    def items(self, key: str) -> tuple[Node, ...]:
        """The items of the list under a key; none where the key is missing."""
        node = self.node(key)
        if node is None:
            return ()
        if not isinstance(node, SequenceNode):
            raise setting_error(
                self.file, node, f"{self.prefix}{key}", "expected a list. Start each item with `- `."
            )
        return node.items


def mapping_of(file: str, key: str, node: Node) -> MappingNode:
    """The node as a mapping.

    Raises:
        ConfigError: it is none.
    """
    if not isinstance(node, MappingNode):
        raise setting_error(file, node, key, "expected `key: value` lines.")
    return node


def texts_of(file: str, key: str, node: Node) -> tuple[str, ...]:
    """A text or a list of texts.

    Raises:
        ConfigError: something in it is no text.
    """
    items = node.items if isinstance(node, SequenceNode) else (node,)
    texts: list[str] = []
    for item in items:
        if not isinstance(item, ScalarNode):
            raise setting_error(file, item, key, "expected a text or a list of texts.")
        texts.append(item.value)
    return tuple(texts)


def setting_error(file: str, node: Node, key: str, message: str) -> ConfigError:
    """The error for a key or value at the place of ``node``."""
    return ConfigError(f"{file}, line {node.line}, column {node.column}: {key}: {message}")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?")) else f"{text}."


def nearest(text: str, valid: Iterable[str]) -> str:
    """A question that names the nearest valid word, with a blank before it; empty where none is near."""
    close = difflib.get_close_matches(text.lower(), list(valid), n=1, cutoff=0.5)
    return f" Did you mean {close[0]!r}?" if close else ""


def parse_count(text: str) -> int:
    """A whole number from 1 on.

    Raises:
        ValueError: it is none.
    """
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= 2**31:
        raise ValueError(f"{text!r} is not a whole number from 1 to {2**31}")
    return int(text)


def parse_percent(text: str) -> int:
    """A whole number from 0 to 100, with or without a percent sign.

    Raises:
        ValueError: it is none.
    """
    digits = text.removesuffix("%").strip()
    if not digits.isascii() or not digits.isdigit() or len(digits) > 3 or int(digits) > 100:
        raise ValueError(f"{text!r} is not a whole number from 0 to 100")
    return int(digits)


def choice_of(kind: type[E]) -> Callable[[str], E]:
    """A parser of one of the values of ``kind``."""

    def parse(text: str) -> E:
        try:
            return kind(text)
        except ValueError:
            valid = [one.value for one in kind]
            raise ValueError(f"{text!r} is not one of {', '.join(valid)}.{nearest(text, valid)}") from None

    return parse


def parse_flag(text: str) -> bool:
    """Yes or no, as YAML's people write it.

    Raises:
        ValueError: it is neither.
    """
    if text not in ("yes", "no", "true", "false"):
        raise ValueError(f"{text!r} is not yes or no")
    return text in ("yes", "true")
