"""The scan's rules, read from ``rules.toml`` beside this module.

The file is ours and trusted: it is checked by tests, not against malice. Its sha256 is part of every report,
so that a verdict names exactly the rules that gave it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from generator.model import ScanVerdict

_RULES_FILE: Final = Path(__file__).with_name("rules.toml")

KINDS: Final = frozenset({"markdown", "code", "manifest", "svg", "data"})
"""What kinds of text a rule can be for; ``any`` in the rule file means all of them."""


@dataclass(frozen=True, slots=True)
class TextRule:
    """One rule over text.

    ``words``: if not empty, the file must hold one of these as a whole word (``[a-z0-9]``, lower case).
    ``need``: lower-case literals, as UTF-8; patterns are tried only around places where one of them stands.
    ``also``: if not empty, one of these must be somewhere in the same file. ``span``: bytes looked at before
    the literal, and half as many again behind it; 0 means its line. ``near``: all of these must match
    there too. A match of a pattern's group ``ok`` is innocent, as is one whose group ``url`` starts with
    an entry of ``trusted`` or does not match ``only_urls``, and one that holds an ``unless``. ``secret``: evidence
    is redacted.
    """

    id: str
    level: ScanVerdict
    where: frozenset[str]
    words: frozenset[bytes]
    need: tuple[bytes, ...]
    patterns: tuple[re.Pattern[str], ...]
    message: str
    remediation: str
    also: tuple[bytes, ...] = ()
    span: int = 0
    near: tuple[re.Pattern[str], ...] = ()
    trusted: tuple[str, ...] = ()
    only_urls: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    secret: bool = False


@dataclass(frozen=True, slots=True)
class BinaryRule:
    """One rule over a file's first bytes and its name. ``suffixes`` and ``except_suffixes`` start with a dot.

    ``start`` is a pattern for the first bytes, where fixed ``magics`` would not do.
    """

    id: str
    level: ScanVerdict
    magics: tuple[bytes, ...]
    start: re.Pattern[bytes] | None
    suffixes: tuple[str, ...]
    except_suffixes: tuple[str, ...]
    message: str
    remediation: str


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All rules, and the name a report gives them: ``<version>+<first 12 hex digits of the file's sha256>``.

    ``words`` holds the words of all text rules: most files have few of them, and then most rules never run.
    ``for_kind`` has the text rules of each of :data:`KINDS`.
    """

    name: str
    text: tuple[TextRule, ...]
    binary: tuple[BinaryRule, ...]
    words: frozenset[bytes]
    for_kind: Mapping[str, tuple[TextRule, ...]]


def load_rules(source: bytes | None = None) -> RuleSet:
    """The rules in ``source``, a TOML document, or our own; compile once and keep, it takes milliseconds.

    Raises ValueError, KeyError or re.error for a rule file that is wrong.
    """
    raw = _RULES_FILE.read_bytes() if source is None else source
    document = tomllib.loads(raw.decode("utf-8"))
    tables = {table["id"]: table for table in document.get("rule", [])}
    text = tuple(_text_rule(table, tables) for table in tables.values())
    return RuleSet(
        name=f"{document['version']}+{sha256(raw).hexdigest()[:12]}",
        text=text,
        binary=tuple(_binary_rule(table) for table in document.get("binary", [])),
        words=frozenset[bytes]().union(*(rule.words for rule in text)),
        for_kind={kind: tuple(rule for rule in text if kind in rule.where) for kind in sorted(KINDS)},
    )


def _text_rule(table: dict[str, Any], tables: dict[str, dict[str, Any]]) -> TextRule:
    # A rule may take the literals and patterns of another and differ in which URLs it is for.
    base = tables[table["same_as"]] if "same_as" in table else table
    where = frozenset(table.get("where", base.get("where", ["any"])))
    if "any" in where:
        where = KINDS
    if not where <= KINDS:
        raise ValueError(f"rule {table['id']}: where must be among {sorted(KINDS)}")
    return TextRule(
        id=table["id"],
        level=ScanVerdict(table["level"]),
        where=where,
        words=frozenset(word.encode("ascii") for word in base.get("words", [])),
        need=_literals(base),
        patterns=tuple(re.compile(pattern, re.IGNORECASE) for pattern in base["patterns"]),
        message=table["message"],
        remediation=table["remediation"],
        also=tuple(literal.lower().encode("utf-8") for literal in base.get("also", [])),
        span=base.get("span", 0),
        near=tuple(re.compile(pattern, re.IGNORECASE) for pattern in base.get("near", [])),
        trusted=tuple(table.get("trusted", [])),
        only_urls=_optional_pattern(table.get("only_urls")),
        unless=_optional_pattern(table.get("unless")),
        secret=table.get("secret", False),
    )


def _binary_rule(table: dict[str, Any]) -> BinaryRule:
    return BinaryRule(
        id=table["id"],
        level=ScanVerdict(table["level"]),
        magics=tuple(bytes.fromhex(magic) for magic in table.get("magics", [])),
        start=re.compile(table["start"].encode("ascii"), re.IGNORECASE) if "start" in table else None,
        suffixes=tuple(table.get("suffixes", [])),
        except_suffixes=tuple(table.get("except_suffixes", [])),
        message=table["message"],
        remediation=table["remediation"],
    )


def _literals(table: dict[str, Any]) -> tuple[bytes, ...]:
    found = [literal.lower().encode("utf-8") for literal in table.get("need", table.get("words", []))]
    found += [bytes.fromhex(part) for part in table.get("need_bytes", [])]
    if not found:
        raise ValueError(f"rule {table['id']}: without a literal it would run on every line")
    return tuple(found)


def _optional_pattern(pattern: str | None) -> re.Pattern[str] | None:
    return None if pattern is None else re.compile(pattern, re.IGNORECASE)
