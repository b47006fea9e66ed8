"""What the judge finds about tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

CODES: Final[Mapping[str, CodeInfo]] = {
    "allowed-tools-shape": CodeInfo(
        Severity.ERROR,
        "allowed-tools is written in a form that some host refuses",
        "The specification writes a text of names with blanks between them, DeerFlow drops a skill whose value is "
        "not a list of texts, and skills-ref refuses a list in brackets; only a block list passes everywhere. A "
        "text is a warning only, since the specification asks for it.",
        "Write a block list: allowed-tools: and below it a line with a dash for each tool.",
        "judge",
        "allowed-tools: Read Grep",
        "allowed-tools:\n  - Read\n  - Grep",
    ),
    "allowed-tools-foreign-names": CodeInfo(
        Severity.WARNING,
        "allowed-tools names tools of another host",
        "A host that filters its tools by these exact names finds none of them, and takes its own tools away.",
        "List the names of every host the skill is meant for; a name that a host lacks does no harm beside its own.",
        "judge",
        "allowed-tools:\n  - Read\n  - bash",
        "allowed-tools:\n  - bash",
    ),
    "allowed-tools-unknown": CodeInfo(
        Severity.WARNING,
        "allowed-tools names a tool that no host has",
        "A misspelt name lets nothing run and, on a host that filters, takes the meant tool away.",
        "Write the name exactly as the host does, capitals too.",
        "judge",
        "allowed-tools:\n  - Graep\n  - bash",
        "allowed-tools:\n  - bash",
    ),
    "allowed-tools-empty": CodeInfo(
        Severity.WARNING,
        "allowed-tools is an empty list",
        "On DeerFlow that takes every tool away but the few that no list can remove; leaving the key out means no "
        "limit.",
        "Remove the key, or list the tools the skill needs.",
        "judge",
        "allowed-tools: []",
        "allowed-tools:\n  - bash",
    ),
    "allowed-tools-nothing-useful": CodeInfo(
        Severity.WARNING,
        "allowed-tools leaves an agent nothing to work with",
        "No name in the list is a tool of DeerFlow's, so its agent keeps only the tools that no list can remove, and "
        "loses the others for every skill that is active with this one.",
        "Add DeerFlow's own names for what the skill needs, such as bash or write_file.",
        "judge",
        "allowed-tools:\n  - Write",
        "allowed-tools:\n  - Write\n  - write_file",
    ),
}
