"""What decides whether a host offers a skill, and who may start it: gates, flags, secrets, tags.

DeepTutor's rules are those of its ``services/skill/service.py`` (1.5.14), DeerFlow's of its ``skills/parser.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from generator.judge.model import Subject
from generator.judge.rules.ground import items, listed, mapping, scalar, shown, tell
from generator.judge.rules.nearest import nearest
from generator.model import Finding
from generator.read.nodes import MappingNode, Node, ScalarNode, SequenceNode

MAX_COMPATIBILITY: Final = 500
"""Characters the specification allows for ``compatibility``."""

_TAG: Final = re.compile(r"[a-z0-9][a-z0-9\- _]{0,31}")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_TRUE: Final = frozenset({"true", "True", "TRUE"})
_FALSE: Final = frozenset({"false", "False", "FALSE"})
_SANDBOXES: Final = frozenset({"shell", *_TRUE})
_SYSTEMS: Final = frozenset({"darwin", "linux", "win32"})
_VENDORS: Final = ("openclaw", "clawdbot", "clawdis", "moltbot")
_INSTALL_KINDS: Final = ("brew", "node", "go", "uv", "download")
_FLAGS: Final = {
    "disable-model-invocation": "Claude Code takes a quoted yes or true for true, VS Code nothing but true itself",
    "user-invocable": "VS Code hides a skill only for false itself",
    "secrets-autonomous": "DeerFlow takes anything but true or false for false",
}
_FLAG_CODES: Final = {
    "disable-model-invocation": "flag-not-boolean",
    "user-invocable": "flag-not-boolean",
    "secrets-autonomous": "gate-wrong-type",
}
_VALUES: Final = {
    "context": (("fork",), "Claude Code"),
    "shell": (("bash", "powershell"), "Claude Code"),
    "command-dispatch": (("tool",), "OpenClaw"),
    "command-arg-mode": (("raw",), "OpenClaw"),
}


def find(subject: Subject) -> Iterator[Finding]:
    """Flags, gates and tags that some host reads otherwise than written."""
    front = subject.skill.front
    if front is None:
        return
    index = front.index
    if "compatibility" in index:
        yield from _find_long_compatibility(subject, front)
    if "tags" in index:
        yield from _find_dropped_tags(subject, index["tags"])
    if "required-secrets" in index:
        yield from _find_secrets(subject, index["required-secrets"])
    for key in (key for key in _FLAGS if key in index):
        yield from _find_flag(subject, key, index[key])
    for key in (key for key in _VALUES if key in index):
        yield from _find_value(subject, key, index[key])
    if "paths" in index and not _is_nothing(index["paths"]):
        yield tell(
            subject, "invocation-conditional", index["paths"],
            "Claude Code shows the skill only once a file matching paths is touched; other hosts always show it",
            "Remove paths if the skill should always be offered",
        )  # fmt: skip
    internal = scalar(mapping(front, "metadata"), "internal")
    if internal is not None and _meant(internal) == "true":
        yield tell(
            subject, "invocation-disabled", internal,
            "A skill with metadata.internal: true is listed by npx skills only when somebody asks for internal ones",
            "Remove internal if others should find the skill",
        )  # fmt: skip
    yield from _find_platforms(subject, front)
    manifest = subject.skill.manifest
    if manifest is not None and manifest.always:
        yield from _find_always(subject, front)
    if manifest is not None and not _SANDBOXES.issuperset(manifest.requires.sandbox):
        yield from _find_sandbox(subject, front, manifest.requires.sandbox)
    if manifest is not None and manifest.install:
        yield from _find_install(subject, front)


def _find_platforms(subject: Subject, front: MappingNode) -> Iterator[Finding]:
    systems = subject.skill.manifest.os if subject.skill.manifest is not None else ()
    if systems and not _SYSTEMS.issubset(systems):
        for place in _places(front):
            node = place.index.get("os") or place.index.get("platforms")
            if node is not None:
                yield tell(
                    subject, "platform-gate", node,
                    f"OpenClaw and Hermes offer the skill on {' and '.join(systems)} only",
                    "Remove the key if the skill works everywhere",
                )  # fmt: skip
                break
    node = front.index.get("environments")
    if node is not None and not _is_nothing(node):
        yield tell(
            subject, "platform-gate", node,
            "Hermes offers the skill only in the surroundings that environments names",
            "Remove the key if the skill works everywhere",
        )  # fmt: skip


def _find_long_compatibility(subject: Subject, front: MappingNode) -> Iterator[Finding]:
    node = scalar(front, "compatibility")
    if node is not None and len(node.value) > MAX_COMPATIBILITY:
        yield tell(
            subject, "compatibility-too-long", node,
            f"The text of compatibility has {len(node.value):,} characters; skills-ref and quick_validate refuse "
            "more than "
            f"{MAX_COMPATIBILITY}",
            "Name systems and programs here, and move the rest into the body",
        )  # fmt: skip


def _find_dropped_tags(subject: Subject, node: Node) -> Iterator[Finding]:
    if isinstance(node, ScalarNode) and not node.is_null:
        words = [word.strip() for word in re.split("[,，]", node.value) if word.strip()]
        yield tell(
            subject, "tag-dropped", node,
            "The tags are one text, and DeepTutor only reads a list, so the skill has no tags there",
            f"Write a list: tags: [{', '.join(words)[:80]}]",
        )  # fmt: skip
        return
    bad = [
        item
        for item in items(node)
        if isinstance(item, ScalarNode) and not _TAG.fullmatch(item.value.strip().lower())
    ]
    if bad:
        yield tell(
            subject, "tag-dropped", bad[0],
            f"DeepTutor drops the tag {listed([shown(item.value) for item in bad])}: only a-z, 0-9, blanks, - and "
            "_ (at "
            "most 32, the first a letter or digit) make a tag there",
            "Write tags of such characters",
        )  # fmt: skip


def _find_secrets(subject: Subject, node: Node) -> Iterator[Finding]:
    if _is_nothing(node):
        return
    if not isinstance(node, SequenceNode):
        name = node.value.strip() if isinstance(node, ScalarNode) else "API_KEY"
        yield tell(
            subject, "gate-wrong-type", node,
            "The key required-secrets holds no list, and DeerFlow drops a skill whose required-secrets is "
            "anything else",
            f"Write a list: `required-secrets:`, and below it `  - {name[:60]}`",
        )  # fmt: skip
        return
    for item in node.items:
        name_node = item.index.get("name") if isinstance(item, MappingNode) else item
        name = name_node.value.strip() if isinstance(name_node, ScalarNode) else ""
        if not _VARIABLE.fullmatch(name):
            yield tell(
                subject, "required-secret-ignored", item,
                f"DeerFlow passes over the secret {shown(name)}: it is not the name of an environment variable",
                "Write a name of letters, digits and _, such as `- API_KEY`, or `- name: API_KEY` with "
                "`optional: true`",
            )  # fmt: skip
            return


def _find_flag(subject: Subject, key: str, node: Node) -> Iterator[Finding]:
    if _is_nothing(node):
        return
    plain = node.value if isinstance(node, ScalarNode) and node.style == "plain" else ""
    if plain not in _TRUE and plain not in _FALSE:
        meant = _meant(node)
        yield tell(
            subject, _FLAG_CODES[key], node,
            f"The flag {key} is not a plain true or false; {_FLAGS[key]}",
            f"Write {key}: {meant} without quotes",
        )  # fmt: skip
    if key == "disable-model-invocation" and _meant(node) == "true":
        yield tell(
            subject, "invocation-disabled", node,
            "The flag disable-model-invocation hides the skill from the model in Claude Code, OpenClaw and VS "
            "Code: only people "
            "can start it, by typing its name; other hosts pass the key over and offer the skill",
            "Remove the key if the model should choose the skill by itself",
        )  # fmt: skip
    elif key == "user-invocable" and _meant(node) == "false":
        yield tell(
            subject, "invocation-disabled", node,
            "The flag user-invocable: false takes the skill out of the list of commands; the model still sees it",
            "Remove the key if people should start the skill by typing its name",
        )  # fmt: skip


def _meant(node: Node) -> str:
    word = node.value.strip().lower() if isinstance(node, ScalarNode) else ""
    return "false" if word in ("false", "no", "off", "0") else "true"


def _find_value(subject: Subject, key: str, node: Node) -> Iterator[Finding]:
    known, host = _VALUES[key]
    if _is_nothing(node) or (isinstance(node, ScalarNode) and node.value in known):
        return
    value = node.value if isinstance(node, ScalarNode) else ""
    yield tell(
        subject, "field-value-unknown", node,
        f"{host} knows {' and '.join(known)} for {key}, not {shown(value) if value else 'a list or a mapping'}",
        f"Write {key}: {nearest(value, known) or known[0]}, or remove the line",
    )  # fmt: skip


def _find_always(subject: Subject, front: MappingNode) -> Iterator[Finding]:
    node = next((place.index["always"] for place in _places(front) if "always" in place.index), None)
    if node is not None:
        yield tell(
            subject, "always-in-every-turn", node,
            f"The key always puts the whole body ({len(subject.skill.body):,} characters) into every turn on "
            "DeepTutor, whose "
            "import drops the key; OpenClaw then skips requires, and ClawHub's moderation marks the skill",
            "Remove always unless every single answer needs this text",
        )  # fmt: skip


def _find_sandbox(subject: Subject, front: MappingNode, kinds: tuple[str, ...]) -> Iterator[Finding]:
    for place in _places(front):
        node = place.index.get("requires")
        kind = node.index.get("sandbox") if isinstance(node, MappingNode) else None
        if kind is not None:
            unknown = [shown(k) for k in kinds if k not in _SANDBOXES]
            yield tell(
                subject, "sandbox-unknown", kind,
                f"DeepTutor knows the sandbox shell only, so a skill that requires {listed(unknown)} is never "
                "available there",
                "Write sandbox: shell",
            )  # fmt: skip
            return


def _find_install(subject: Subject, front: MappingNode) -> Iterator[Finding]:
    for place in _places(front):
        for step in items(place.index.get("install")):
            node = scalar(step, "kind") if isinstance(step, MappingNode) else None
            if node is not None and node.value not in _INSTALL_KINDS:
                guess = nearest(node.value, _INSTALL_KINDS)
                yield tell(
                    subject, "install-kind-unknown", node,
                    f"No host installs by {shown(node.value)}: OpenClaw knows {', '.join(_INSTALL_KINDS)}, "
                    "ClawHub these "
                    "without download",
                    f"Write kind: {guess or 'brew'}, or tell how to install it in the body",
                )  # fmt: skip


def _places(front: MappingNode) -> Iterator[MappingNode]:
    """The mappings a gate may be written in, in the order they count."""
    yield front
    inner = mapping(front, "metadata")
    if inner is not None:
        yield inner
        for vendor in _VENDORS:
            node = mapping(inner, vendor)
            if node is not None:
                yield node


def _is_nothing(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.is_null
