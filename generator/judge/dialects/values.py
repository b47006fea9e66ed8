"""The nouns of a dialect: values as a host's YAML library types them, and the fault it stops at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    value: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number; ``written`` is the scalar as it stands in the text."""

    value: int | float
    written: str


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false; ``written`` is the scalar as it stands in the text."""

    value: bool
    written: str


@dataclass(frozen=True, slots=True)
class Null:
    """Nothing; ``written`` is empty where the author wrote nothing."""

    written: str


@dataclass(frozen=True, slots=True)
class Date:
    """A date or a date with a time, as an object of the host's language."""

    written: str


@dataclass(frozen=True, slots=True)
class Binary:
    """Bytes (``!!binary``); no host treats them as a text."""

    written: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Entries:
    """A mapping: keys unique, in written order, a repeated key keeps its place and the value that wins.

    ``duplicates`` holds the keys (texts) written more than once, where the library lets them through.
    """

    entries: tuple[tuple[Value, Value], ...]
    duplicates: tuple[str, ...] = ()

    def get(self, key: str) -> Value | None:
        """The value under the text ``key``, or None where there is none."""
        return next((v for k, v in self.entries if isinstance(k, Text) and k.value == key), None)


Value: TypeAlias = Text | Number | Boolean | Null | Date | Binary | Items | Entries


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a library refuses a text.

    ``kind`` is one of ``syntax``, ``indentation``, ``tab``, ``flow``, ``quote``, ``escape``, ``indicator``,
    ``colon``, ``duplicate-key``, ``tag``, ``alias``, ``anchor``, ``merge-key``, ``directive``,
    ``control-character``, ``date``, ``number``, ``complex-key``, ``documents``, ``too-deep``, ``too-large``.
    ``line`` and ``column`` count from 1 in the text. ``message`` begins with a capital letter.
    ``escapes`` is true where PyYAML raises something other than a ``YAMLError`` (``ValueError`` of a date, an
    ``OverflowError``, ``RecursionError``...), which hosts that catch only ``YAMLError`` do not survive.
    """

    kind: str
    line: int
    column: int
    message: str
    escapes: bool = False


@dataclass(frozen=True, slots=True)
class YamlReading:
    """What came of a text: a value, a fault, or neither where the document is empty."""

    value: Value | None
    fault: Fault | None = None
