"""Fields of the front matter and of the side files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_INFO: Final = Severity.INFO

CODES: Final[Mapping[str, CodeInfo]] = {
    "skill-md-missing-exact-name": CodeInfo(
        _ERROR,
        "The skill file is not called exactly SKILL.md",
        "Almost every installer and host looks for SKILL.md with exactly these capitals.",
        "Rename the file with git mv.",
    ),
    "description-empty": CodeInfo(
        _ERROR,
        "The skill has no description",
        "The description is what an agent chooses a skill by; most hosts drop a skill without one.",
        "Write description: with what the skill does and when to use it.",
    ),
    "description-too-long": CodeInfo(
        _ERROR,
        "The description is longer than 1,024 characters",
        "The specification allows 1,024 characters; hosts refuse or cut longer ones.",
        "Shorten it, and move details into the body.",
    ),
    "description-markup-or-invisible": CodeInfo(
        _WARNING,
        "The description contains angle brackets or invisible characters",
        "Some hosts refuse < and > in descriptions, and scanners block invisible characters.",
        "Use plain words and remove the invisible characters.",
    ),
    "name-missing": CodeInfo(
        _ERROR,
        "The skill has no name",
        "Several hosts refuse a skill without name:; others fall back to the folder's name.",
        "Write name: with the folder's name.",
    ),
    "name-invalid-format": CodeInfo(
        _ERROR,
        "The name does not have the portable form",
        "Portable names are 1 to 64 lower-case letters, digits and single hyphens.",
        "Rename the skill, for instance to pdf-tools.",
    ),
    "name-directory-mismatch": CodeInfo(
        _WARNING,
        "Name and folder differ",
        "Some hosts call the skill by its folder, others by its name, so its command differs per host.",
        "Give the folder and the name the same spelling.",
    ),
    "field-wrong-type": CodeInfo(
        _WARNING,
        "A field has the wrong kind of value",
        "The value could not be read as what the field means, so it is ignored.",
        "Write the value in the form the message names.",
    ),
    "field-conflict": CodeInfo(
        _WARNING,
        "Two places say different things",
        "The same fact is written twice with different values; only the first by our order counts.",
        "Keep one of the two, or make them equal.",
    ),
    "text-hidden-character": CodeInfo(
        _WARNING,
        "A value holds an invisible character",
        "Zero-width and direction-changing characters make a text read differently from what it says.",
        "Delete the character; retyping the line is the easiest way.",
    ),
    "gate-wrong-type": CodeInfo(
        _ERROR,
        "A gate is written in a form that some host misreads",
        "A text where a list belongs is read letter by letter, and a quoted false counts as true.",
        "Write a list, or an unquoted true or false.",
    ),
    "metadata-not-mapping": CodeInfo(
        _ERROR,
        "metadata is not a mapping",
        "Hosts drop a skill whose metadata is text or a list; only some parse JSON inside a text.",
        "Write metadata as a YAML mapping.",
    ),
    "vendor-metadata-namespace": CodeInfo(
        _WARNING,
        "Vendor metadata under a name that hosts do not read",
        "moltbot and clawdhub are read by no host and clawdis by ClawHub only, so the gates vanish.",
        "Rename the key to openclaw.",
    ),
    "license-unknown": CodeInfo(
        _INFO,
        "The license is not a known SPDX expression",
        "Programs can only compare licenses that are written as SPDX identifiers.",
        "Write an SPDX identifier such as MIT or Apache-2.0.",
    ),
    "homepage-not-http": CodeInfo(
        _WARNING,
        "The homepage is not a web address",
        "Only http and https addresses become links.",
        "Write a full https:// address.",
    ),
    "taxonomy-unknown": CodeInfo(
        _INFO,
        "A classification value is not in the taxonomy",
        "Education hubs refuse tokens that are not in their lists, so the value is left out.",
        "Use a token from the list in the message.",
    ),
    "os-unknown": CodeInfo(
        _WARNING,
        "An operating system name that hosts do not match",
        "Hosts compare with darwin, linux and win32; other names never match.",
        "Write darwin, linux or win32.",
    ),
    "install-spec-invalid": CodeInfo(
        _WARNING,
        "An install step cannot be used",
        "An install step needs a kind and what it installs.",
        "Write kind: and formula:, package:, module: or url:.",
    ),
    "side-file-invalid": CodeInfo(
        _WARNING,
        "A side file cannot be read",
        "The file is published as it is, but nothing in it could be used for the skill's page.",
        "Correct the file at the line in the message.",
    ),
    "hook-invalid": CodeInfo(
        _WARNING,
        "A hook cannot be read",
        "A hook needs an event and a command; this one is not shown on the skill's page.",
        "Write {type: command, command: ...} below an event.",
    ),
    "mcp-server-invalid": CodeInfo(
        _WARNING,
        "An MCP server cannot be read",
        "A server needs a command or a url; this one is not shown on the skill's page.",
        "Write command: and args:, or url:.",
    ),
    "subagent-invalid": CodeInfo(
        _WARNING,
        "A subagent's file has no readable front matter",
        "Hosts take a subagent's name and purpose from its front matter.",
        "Start the file with ---, name:, description:, ---.",
    ),
    "agent-name-collision": CodeInfo(
        _WARNING,
        "Two subagents have one name",
        "Hosts keep the last one they scan and forget the other.",
        "Rename one of the two.",
    ),
}
