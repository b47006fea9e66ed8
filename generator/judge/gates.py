"""Find the facts about keys other than name and description: types some host insists on, and gates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from generator.judge.describing import Facts
from generator.judge.dialects.values import Boolean, Entries, Items, Null, Number, Text, Value
from generator.judge.reading import HostReading, is_blank
from generator.judge.reads import Reads
from generator.judge.texts import is_empty, kind_of_value

_TAG: Final = re.compile(r"[a-z0-9][a-z0-9\- _]{0,31}")
# The surroundings Hermes looks for that an ordinary machine or container does not have.
_ENVIRONMENTS: Final = frozenset({"kanban", "s6"})
_ON: Final = frozenset({"1", "on", "true", "yes"})


def look_at_keys(seen: Facts, reading: HostReading, reads: Reads) -> None:
    """Note every fact about the other keys; a key that is not there is no fact."""
    keys = reading.keys
    if len(keys) > ("name" in keys) + ("description" in keys):
        _look_at_compatibility(seen, keys.get("compatibility"), reads)
        _look_at_tools(seen, keys.get("allowed-tools"))
        _look_at_secrets(seen, keys)
        _look_at_metadata(seen, keys.get("metadata"), reads)
        _look_at_invocation(seen, keys)
        _look_at_surroundings(seen, keys)
        _look_at_requirements(seen, keys)


def _look_at_compatibility(seen: Facts, value: Value | None, reads: Reads) -> None:
    if value is None or is_empty(value):
        return
    if not isinstance(value, Text):
        seen.add("compatibility-not-text", kind=kind_of_value(value))
    elif reads.compatibility_max and len(value.value) > reads.compatibility_max:
        seen.add(
            "compatibility-too-long", length=f"{len(value.value):,}", limit=f"{reads.compatibility_max:,}"
        )


def _look_at_tools(seen: Facts, value: Value | None) -> None:
    if value is None or isinstance(value, Null):
        return
    if not isinstance(value, Items):
        seen.add("tools-not-list", kind=kind_of_value(value))
    elif not value.items:
        seen.add("tools-empty")
    elif not all(isinstance(item, Text) and item.value.strip() for item in value.items):
        seen.add("tools-bad-item")


def _look_at_secrets(seen: Facts, keys: Mapping[str, Value]) -> None:
    secrets, flag = keys.get("required-secrets"), keys.get("secrets-autonomous")
    if secrets is not None and not isinstance(secrets, Items | Null):
        seen.add("secrets-not-list", kind=kind_of_value(secrets))
    if flag is not None and not isinstance(flag, Boolean | Null):
        seen.add("secrets-flag-not-boolean", kind=kind_of_value(flag))


def _look_at_metadata(seen: Facts, value: Value | None, reads: Reads) -> None:
    if value is None or (is_blank(value) if reads.typed else isinstance(value, Null)):
        return
    if not isinstance(value, Entries):
        seen.add("metadata-not-mapping", kind=kind_of_value(value))
        return
    if isinstance(internal := value.get("internal"), Boolean) and internal.value:
        seen.add("internal")
    if isinstance(short := value.get("short-description"), Items | Entries):
        seen.add("short-description-not-text", kind=kind_of_value(short))


def _look_at_invocation(seen: Facts, keys: Mapping[str, Value]) -> None:
    hidden = _is_on(keys.get("disable-model-invocation"))
    if hidden:
        seen.add("hidden-from-model")
    invocable = keys.get("user-invocable")
    if invocable is not None and not isinstance(invocable, Null) and not _is_on(invocable):
        seen.add("hidden-from-user")
        if hidden:
            seen.add("hidden-from-all")
    if "paths" in keys and _has_patterns(keys["paths"]):
        seen.add("waits-for-paths")


def _has_patterns(value: Value) -> bool:
    """True where Claude Code finds a pattern in paths: that does not stand for everything."""
    items = value.items if isinstance(value, Items) else (value,)
    texts = [item.value for item in items if isinstance(item, Text)]
    patterns = [pattern.strip().removesuffix("/**") for text in texts for pattern in text.split(",")]
    return any(pattern and pattern != "**" for pattern in patterns)


def _is_on(value: Value | None) -> bool:
    """Claude Code's reading of a switch, which is the widest one."""
    match value:
        case Text(value=text) | Number(written=text):
            return text.strip().lower() in _ON
        case Boolean(value=flag):
            return flag
        case _:
            return False


def _look_at_surroundings(seen: Facts, keys: Mapping[str, Value]) -> None:
    platforms = keys.get("platforms")
    if not is_empty(platforms):
        words = _words(platforms)
        if not any("linux".startswith(word) for word in words):
            seen.add("other-platform", keys=", ".join(words))
    environments = keys.get("environments")
    if not is_empty(environments):
        words = [word for word in _words(environments) if word]
        if words and all(word in _ENVIRONMENTS for word in words):
            seen.add("other-environment", keys=", ".join(words))


def _words(value: Value | None) -> list[str]:
    items = value.items if isinstance(value, Items) else (value,)
    return [_word(item) for item in items]


def _word(value: Value | None) -> str:
    match value:
        case Text(value=text) | Number(written=text) | Boolean(written=text):
            return text.lower().strip()
        case _:
            return kind_of_value(value)


def _look_at_requirements(seen: Facts, keys: Mapping[str, Value]) -> None:
    requires = keys.get("requires")
    if isinstance(requires, Entries):
        written = [key for key in ("bins", "env") if isinstance(requires.get(key), Text)]
        if written:
            seen.add("bins-text", keys=", ".join(f"requires.{key}" for key in written))
    if isinstance(keys.get("always"), Text):
        seen.add("always-text")
    tags = keys.get("tags")
    if isinstance(tags, Text):
        seen.add("tags-text")
    elif isinstance(tags, Items):
        bad = [word for tag in tags.items if not _TAG.fullmatch(word := _word(tag))]
        if bad:
            seen.add("tags-form", keys=", ".join(bad))
