"""The nouns of the judge as frozen dataclasses, and nothing else.

A *subject* is what is judged, a *profile* is what one host's data file says, a *verdict* is what that host
does with that subject. Rules find, hosts judge: see :mod:`generator.judge.judgement`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from generator.judge.reads import Reads
from generator.model import Finding, Outcome, SkillFolder, Verdict

__all__ = [
    "Capability",
    "ContextCost",
    "Effect",
    "FileCost",
    "Judgement",
    "Limit",
    "Outcome",
    "Place",
    "Power",
    "PowerAnswer",
    "PowerKind",
    "PowerRule",
    "PowerUse",
    "Profile",
    "Subject",
    "Tool",
    "Verdict",
]

# --- what is judged --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where a skill folder lies, as hosts that scan a folder of skills meet it.

    ``folder`` is relative to the *skills root* (the folder a host is pointed at: ``skills/``,
    ``~/.claude/skills``...), ``/``-separated: ``pdf``, ``office/pdf``, ``.hidden``; never ``""``.
    ``inside`` is the folder of the skill that this one is nested in, or None. ``manifest_link`` is true where
    ``SKILL.md`` is a symbolic link (never followed by us), ``hard_link`` where the file has several names,
    ``folder_link`` where the folder is a symbolic link (never followed either: its package is empty).
    """

    folder: str
    inside: str | None = None
    manifest_link: bool = False
    hard_link: bool = False
    folder_link: bool = False

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.folder.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Subject:
    """One skill, ready to be judged."""

    skill: SkillFolder
    place: Place


# --- what a host's data file says ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Effect:
    """What one fact about a package does on one host, as its data file says.

    ``fact`` is a key of :data:`generator.judge.facts.FACTS`; ``outcome`` None means that the host goes on (the
    fact changes what is read, or costs something that is no part of the verdict) and ``reason`` then says
    what happens. ``source`` is where a maintainer can check it: file and line, page, or "executed".
    """

    fact: str
    outcome: Outcome | None
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure of a host worth knowing: ``key`` such as ``description-characters``; ``value`` in ``unit``."""

    key: str
    value: int
    unit: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of a host. ``owner`` is the capability (or group) it belongs to; ``always`` where no list can
    take it away. A name may end in ``*`` for a family of tools."""

    name: str
    owner: str
    always: bool = False


@dataclass(frozen=True, slots=True)
class Capability:
    """A named group of tools of a host. ``list`` names the list it stands in (DeepTutor has two with one
    word); ``tools`` is the number it owns there; ``note`` is a sentence or empty."""

    name: str
    list: str
    tools: int
    note: str = ""


class PowerUse(StrEnum):
    """What a host does with something that could run on the machine."""

    RUNS = "runs"  # by itself, without asking
    ASKS = "asks"
    IGNORES = "ignores"


@dataclass(frozen=True, slots=True)
class PowerRule:
    """What a host does with one kind of power. ``kind`` is a :class:`PowerKind` value; ``events`` limits the
    rule (empty: all) to hook events, to where the power was found (``front-matter``, ``plugin``: a side file
    beside a ``.claude-plugin/plugin.json``, ``loose``: a side file without one; ``top-level`` or ``metadata``
    for ``always``), to both (``front-matter SessionStart``), or for dynamic context to what the skill's own
    allowed-tools says (``granted``, ``not-granted``). The first rule that fits counts."""

    kind: str
    use: PowerUse
    reason: str
    source: str
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """One host and version (one column of the matrix), read from ``generator/judge/hosts/*.toml``.

    ``id`` is the column as in ``probes.json`` (``codex/0.171.0``, ``deerflow/load``); ``host`` the family
    (``codex``), ``step`` what is judged in a word or two (``loads``, ``installs``, ``validates``, ``lists``).
    ``evidence``: ``executed``, ``source`` or ``documented``.
    ``reads`` are the host's reading parameters, by their documented names. ``identity`` says in words which name
    the host uses.
    """

    id: str
    host: str
    label: str
    version: str | None
    step: str
    evidence: str
    checked: str
    identity: str
    duplicates: str
    folders: tuple[str, ...]
    reads: Reads
    effects: tuple[Effect, ...]
    limits: tuple[Limit, ...] = ()
    tools: tuple[Tool, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    powers: tuple[PowerRule, ...] = ()
    notes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    def effect(self, fact: str) -> Effect | None:
        """The effect of a fact on this host, or None where the host does not care."""
        return next((effect for effect in self.effects if effect.fact == fact), None)

    def limit(self, key: str) -> int | None:
        """A limit's value, or None where the host has none."""
        return next((limit.value for limit in self.limits if limit.key == key), None)


# --- what the judge says ---------------------------------------------------------------------------


class PowerKind(StrEnum):
    """What of a skill can act on the reader's machine."""

    HOOK = "hook"
    MCP_SERVER = "mcp-server"
    SUBAGENT = "subagent"
    PLUGIN = "plugin-manifest"
    INSTALL = "install"
    DYNAMIC_CONTEXT = "dynamic-context"
    ALWAYS = "always"
    TOOLS = "allowed-tools"
    EXECUTABLE = "executable"
    SCRIPT = "script"


@dataclass(frozen=True, slots=True)
class PowerAnswer:
    """What one host does with one power."""

    host: str
    use: PowerUse
    reason: str


@dataclass(frozen=True, slots=True)
class Power:
    """One row of "what runs on your machine": when, what, and which hosts run it.

    ``detail`` is what else a reader should know of it (a hook's matcher, a server's name and the variables it
    is given, a subagent's tools), empty where there is nothing.
    """

    kind: PowerKind
    event: str
    command: str
    path: str
    line: int | None
    answers: tuple[PowerAnswer, ...]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class FileCost:
    """Estimated tokens of one support file; None for what is no text."""

    path: str
    tokens: int | None


@dataclass(frozen=True, slots=True)
class ContextCost:
    """Estimated tokens of the three levels of progressive loading: catalog line, body, each support file."""

    line: int
    body: int
    files: tuple[FileCost, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Everything the judge says about one skill. ``findings`` are sorted by path, line, column, code."""

    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]
    powers: tuple[Power, ...]
    cost: ContextCost
