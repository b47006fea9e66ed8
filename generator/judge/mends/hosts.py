"""Which hosts a mend is for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_SAME: Final = {
    "agentskills-spec": "agentskills",
    "spec": "agentskills",
    "skills-ref": "agentskills",
    "anthropic-quick-validate": "anthropic",
    "quick_validate": "anthropic",
    "claude-ai": "claude-ai-api",
    "gemini-cli-core": "gemini-cli",
    "vercel-skills": "skills-cli",
    "vscode": "vscode-copilot",
}


@dataclass(frozen=True, slots=True)
class Hosts:
    """The families of hosts that were asked for; none stands for all of them."""

    chosen: frozenset[str]

    @staticmethod
    def of(hosts: Iterable[str]) -> Hosts:
        """From families (``codex``) and columns (``codex/0.171.0``)."""
        families = (host.partition("/")[0] for host in hosts)
        return Hosts(frozenset(_SAME.get(family, family) for family in families))

    def any_of(self, *families: str) -> bool:
        """True where one of these counts."""
        return not self.chosen or not self.chosen.isdisjoint(families)
