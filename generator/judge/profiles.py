"""Read the hosts' data files: one TOML file a column of the matrix, under ``generator/judge/hosts/``.

A file that holds anything this module does not know is an error that names the file and the key: a host's
maintainer must never wonder whether a line counts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

from generator.judge.dialects.libraries import LIBRARIES
from generator.judge.facts import ALWAYS_FILLED, FACTS
from generator.judge.fences import FENCES
from generator.judge.model import (
    Capability,
    Effect,
    Limit,
    Outcome,
    PowerKind,
    PowerRule,
    PowerUse,
    Profile,
    Tool,
)
from generator.judge.reads import CHOICES, MEANINGS, Reads

_PLACEHOLDER: Final = re.compile(r"\{([^}]*)\}")
_TEXTS: Final = ("id", "host", "label", "version", "step", "evidence", "checked", "identity", "duplicates")
_LISTS: Final = ("folders", "notes", "sources")
_TABLES: Final = ("reads", "effects", "limits", "tools", "capabilities", "powers")
_ESSENTIAL: Final = (
    "manifest-missing",
    "manifest-link",
    "fence-missing",
    "fence-open",
    "yaml-refused",
    "yaml-escapes",
    "frontmatter-not-mapping",
)
"""Facts every host must have an answer to: after them there is nothing to go on with."""
_EVIDENCE: Final = ("executed", "source", "documented")
_READS: Final[Mapping[str, object]] = MappingProxyType({key: getattr(Reads(), key) for key in MEANINGS})


class ProfileError(ValueError):
    """A host file that cannot be used; the message names the file, the key and what is wrong."""


@cache
def load_profiles() -> tuple[Profile, ...]:
    """Every host's profile, sorted by id; parsed once a process. ProfileError names the first bad file."""
    folder = resources.files("generator.judge") / "hosts"
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name
    )
    profiles = tuple(parse_profile(file.name, file.read_text(encoding="utf-8")) for file in files)
    ids = [profile.id for profile in profiles]
    for one in ids:
        if ids.count(one) > 1:
            raise ProfileError(f"Two host files have the id {one!r}")
    return tuple(sorted(profiles, key=lambda profile: profile.id))


def parse_profile(file: str, text: str) -> Profile:
    """The profile in ``text``; ``file`` is its name for errors (ProfileError)."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{file}: {error}") from None
    _only(file, "", table, (*_TEXTS, *_LISTS, *_TABLES))
    texts = {key: _text(file, key, table.get(key, "")) for key in _TEXTS}
    for key in _TEXTS:
        if not texts[key] and key != "version":
            raise ProfileError(f"{file}: {key} is missing")
    if texts["evidence"] not in _EVIDENCE:
        raise ProfileError(f"{file}: evidence must be one of {', '.join(_EVIDENCE)}")
    lists = {key: _texts(file, key, table.get(key, [])) for key in _LISTS}
    effects = tuple(_effect(file, one) for one in _rows(file, "effects", table))
    facts = [effect.fact for effect in effects]
    if twice := next((fact for fact in facts if facts.count(fact) > 1), None):
        raise ProfileError(f"{file}: effects holds the fact {twice!r} twice")
    reads = _reads(file, table.get("reads", {}))
    needed = (
        *_ESSENTIAL,
        *(("lost-other",) if reads.compares else ()),
        *(() if reads.any_case else ("manifest-other-case",)),
    )
    if missing := next((fact for fact in needed if fact not in facts), None):
        raise ProfileError(f"{file}: effects must say what the fact {missing!r} does")
    return Profile(
        id=texts["id"],
        host=texts["host"],
        label=texts["label"],
        version=texts["version"] or None,
        step=texts["step"],
        evidence=texts["evidence"],
        checked=texts["checked"],
        identity=texts["identity"],
        duplicates=texts["duplicates"],
        folders=lists["folders"],
        reads=reads,
        effects=effects,
        limits=tuple(_limit(file, one) for one in _rows(file, "limits", table)),
        tools=tuple(_tool(file, one) for one in _rows(file, "tools", table)),
        capabilities=tuple(_capability(file, one) for one in _rows(file, "capabilities", table)),
        powers=tuple(_power(file, one) for one in _rows(file, "powers", table)),
        notes=lists["notes"],
        sources=lists["sources"],
    )


def _reads(file: str, table: object) -> Reads:
    if not isinstance(table, dict):
        raise ProfileError(f"{file}: reads must be a table")
    given: dict[str, Any] = {}
    for key, value in table.items():
        field = key.replace("-", "_")
        if field not in _READS or "_" in key:
            raise ProfileError(f"{file}: reads.{key} is unknown")
        default = _READS[field]
        if isinstance(default, tuple):
            given[field] = _texts(file, f"reads.{key}", value)
        elif type(value) is not type(default):
            raise ProfileError(f"{file}: reads.{key} must be {_kind(default)}")
        else:
            given[field] = value
        if field in CHOICES and value not in CHOICES[field]:
            raise ProfileError(
                f"{file}: reads.{key} must be one of {', '.join(filter(None, CHOICES[field]))}"
            )
    reads = Reads(**given)
    if reads.fence not in FENCES:
        raise ProfileError(f"{file}: reads.fence {reads.fence!r} is no fence rule we know")
    if reads.repair_fence and reads.repair_fence not in FENCES:
        raise ProfileError(f"{file}: reads.repair-fence {reads.repair_fence!r} is no fence rule we know")
    for fact in reads.withheld:
        if fact not in FACTS:
            raise ProfileError(f"{file}: reads.withheld {fact!r} is no fact we know")
    if reads.yaml not in LIBRARIES:
        raise ProfileError(f"{file}: reads.yaml {reads.yaml!r} is no YAML library we know")
    try:
        re.compile(reads.folder_pattern)
    except re.error as error:
        raise ProfileError(f"{file}: reads.folder-pattern: {error}") from None
    return reads


def _effect(file: str, row: dict[str, object]) -> Effect:
    _only(file, "effects", row, ("fact", "outcome", "reason", "source"))
    fact = _required(file, "effects", row, "fact")
    if fact not in FACTS:
        raise ProfileError(f"{file}: effects: {fact!r} is no fact we know")
    outcome = _required(file, "effects", row, "outcome")
    if outcome not in ("none", *Outcome):
        raise ProfileError(
            f"{file}: effects: the outcome of {fact!r} must be none or one of {', '.join(Outcome)}"
        )
    reason = _required(file, "effects", row, "reason")
    allowed = (*ALWAYS_FILLED, *FACTS[fact].fills)
    for word in _PLACEHOLDER.findall(reason):
        if word not in allowed:
            shown = ", ".join(f"{{{one}}}" for one in allowed)
            raise ProfileError(f"{file}: effects: the reason of {fact!r} may hold {shown}, not {{{word}}}")
    return Effect(
        fact,
        None if outcome == "none" else Outcome(outcome),
        reason,
        _required(file, "effects", row, "source"),
    )


def _limit(file: str, row: dict[str, object]) -> Limit:
    _only(file, "limits", row, ("key", "value", "unit", "meaning"))
    key, unit, meaning = (_required(file, "limits", row, word) for word in ("key", "unit", "meaning"))
    return Limit(key, _number(file, f"limits: value of {key}", row.get("value")), unit, meaning)


def _tool(file: str, row: dict[str, object]) -> Tool:
    _only(file, "tools", row, ("name", "owner", "always"))
    name, owner = (_required(file, "tools", row, word) for word in ("name", "owner"))
    always = row.get("always", False)
    if not isinstance(always, bool):
        raise ProfileError(f"{file}: tools: always of {name} must be true or false")
    return Tool(name, owner, always)


def _capability(file: str, row: dict[str, object]) -> Capability:
    _only(file, "capabilities", row, ("name", "list", "tools", "note"))
    name, listed = (_required(file, "capabilities", row, word) for word in ("name", "list"))
    tools = _number(file, f"capabilities: tools of {name}", row.get("tools"))
    return Capability(name, listed, tools, _text(file, "capabilities.note", row.get("note", "")))


def _power(file: str, row: dict[str, object]) -> PowerRule:
    _only(file, "powers", row, ("kind", "use", "reason", "source", "events"))
    kind, use, reason, source = (
        _required(file, "powers", row, word) for word in ("kind", "use", "reason", "source")
    )
    if kind not in tuple(PowerKind):
        raise ProfileError(f"{file}: powers: {kind!r} is no kind we know: {', '.join(PowerKind)}")
    if use not in tuple(PowerUse):
        raise ProfileError(f"{file}: powers: use of {kind} must be one of {', '.join(PowerUse)}")
    return PowerRule(
        kind, PowerUse(use), reason, source, _texts(file, "powers.events", row.get("events", []))
    )


def _rows(file: str, key: str, table: Mapping[str, object]) -> list[dict[str, object]]:
    rows = table.get(key, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ProfileError(f"{file}: {key} must be written as [[{key}]] tables")
    return rows


def _only(file: str, where: str, table: Mapping[str, object], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise ProfileError(
                f"{file}: {where}{'.' if where else ''}{key} is unknown; known are {', '.join(known)}"
            )


def _required(file: str, where: str, row: Mapping[str, object], key: str) -> str:
    text = _text(file, f"{where}.{key}", row.get(key, ""))
    if not text:
        raise ProfileError(f"{file}: {where}: {key} is missing in {dict(row)!r:.120}")
    return text


def _text(file: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise ProfileError(f"{file}: {key} must be a text")
    return value


def _texts(file: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ProfileError(f"{file}: {key} must be a list of texts")
    return tuple(value)


def _number(file: str, key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ProfileError(f"{file}: {key} must be a whole number")
    return value


def _kind(value: object) -> str:
    return {bool: "true or false", int: "a whole number"}.get(type(value), "a text")
