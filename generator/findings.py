"""Every finding code the read and decide layers emit: one table, and the one list of what bars a skill.

Codes that also exist as lint rules of the hosts (frontmatter-bom, gate-wrong-type...) carry the same name
here and there. ``why`` and ``fix`` describe the kind; a finding's own message and fix name the case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from generator.model import Finding, Severity

Layer = Literal["read", "decide"]

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """What one finding code means: one sentence each, for the report page and the documentation."""

    severity: Severity
    title: str
    why: str
    fix: str
    layer: Layer = "read"


_FRONT_MATTER: Final[dict[str, CodeInfo]] = {
    "frontmatter-missing": CodeInfo(
        _ERROR,
        "SKILL.md has no front matter",
        "Without the block between two --- lines there is no name and no description to list the skill by.",
        "Start SKILL.md with ---, then name: and description:, then ---.",
    ),
    "frontmatter-not-on-first-line": CodeInfo(
        _ERROR,
        "The front matter does not start on the first line",
        "Every host looks for --- in the first bytes of the file and otherwise sees no front matter at all.",
        "Move everything that stands before the opening --- below the closing one.",
    ),
    "frontmatter-unterminated": CodeInfo(
        _ERROR,
        "The front matter is never closed",
        "Without a closing --- at the start of a line nobody can tell where the text of the skill begins.",
        "Put a line that is exactly --- after the last key.",
    ),
    "frontmatter-empty": CodeInfo(
        _ERROR,
        "The front matter is empty",
        "There is nothing between the two --- lines, so the skill has no name and no description.",
        "Write name: and description: between the two --- lines.",
    ),
    "frontmatter-too-large": CodeInfo(
        _ERROR,
        "The front matter is too large",
        "The front matter is read as a whole, so its size is limited to 64 kB.",
        "Move long text below the closing --- or into a file of its own.",
    ),
    "frontmatter-not-mapping": CodeInfo(
        _ERROR,
        "The front matter is not a list of keys and values",
        "A list or a plain sentence has no keys, so there is no name and no description in it.",
        "Write one 'key: value' pair a line.",
    ),
    "frontmatter-bom": CodeInfo(
        _WARNING,
        "SKILL.md starts with a byte order mark",
        "Several hosts do not remove the three invisible bytes and then see no front matter.",
        "Save the file as UTF-8 without BOM.",
    ),
    "frontmatter-line-shape": CodeInfo(
        _WARNING,
        "The front matter's lines have an unusual shape",
        "Some hosts only know a fence that is exactly --- and lines that end in LF or CRLF.",
        "Use --- without trailing spaces for both fences, and LF line ends.",
    ),
    "frontmatter-contains-triple-dash": CodeInfo(
        _WARNING,
        "A value in the front matter contains ---",
        "Some hosts close the front matter at the first --- anywhere and cut the value there.",
        "Use an em dash, or a single hyphen.",
    ),
    "encoding-not-utf8-or-control-char": CodeInfo(
        _ERROR,
        "The front matter is not UTF-8 text",
        "Bytes that are not UTF-8, and control characters, mean something else to every host or crash it.",
        "Save the file as UTF-8 and remove control characters.",
    ),
    "body-not-utf8": CodeInfo(
        _ERROR,
        "The text of SKILL.md is not UTF-8",
        "Hosts refuse the file or show replacement characters in place of the bytes they cannot read.",
        "Save the file as UTF-8.",
    ),
}

_YAML: Final[dict[str, CodeInfo]] = {
    "yaml-unquoted-colon": CodeInfo(
        _ERROR,
        "A value contains ': ' without quotes",
        "A colon followed by a space starts a new key in YAML, so the whole block cannot be read.",
        "Put the value in double quotes.",
    ),
    "yaml-indicator-start": CodeInfo(
        _ERROR,
        "A value starts with a character that means something in YAML",
        "Values that start with @ ` % * & ! | > [ { or a quoted word followed by text are not plain text.",
        "Put the whole value in double quotes.",
    ),
    "yaml-bracketed-argument-hint": CodeInfo(
        _ERROR,
        "Two bracketed words after one key",
        "[file] [mode] is two YAML lists in one place, which no YAML parser accepts.",
        "Put the whole value in double quotes.",
    ),
    "yaml-unterminated-quote": CodeInfo(
        _ERROR,
        "A quoted value is never closed",
        "Everything after the opening quote is read as part of the value.",
        "Add the missing quote at the end of the value.",
    ),
    "yaml-stray-syntax": CodeInfo(
        _ERROR,
        "Something in the YAML does not belong there",
        "Tabs as indentation, conflict markers of git and tags (!...) are refused by most parsers.",
        "Indent with spaces, resolve the conflict, remove the tag.",
    ),
    "yaml-duplicate-key": CodeInfo(
        _ERROR,
        "A key is written twice",
        "Some hosts keep the first value, some the last, some refuse the file.",
        "Keep one of the two lines.",
    ),
    "yaml-anchor": CodeInfo(
        _ERROR,
        "Anchors and aliases are not accepted",
        "A few aliases can expand to gigabytes, and hosts disagree about them.",
        "Write the value out where it is used; quote a value that starts with * or &.",
    ),
    "yaml-merge-key": CodeInfo(
        _ERROR,
        "Merge keys are not accepted",
        "<< is not part of YAML 1.2, and hosts disagree about what it does.",
        "Write the merged keys out.",
    ),
    "yaml-multiple-documents": CodeInfo(
        _ERROR,
        "More than one YAML document",
        "Only the first document would be read and the others silently lost.",
        "Keep one document.",
    ),
    "yaml-complex-key": CodeInfo(
        _ERROR,
        "A key is not plain text",
        "A list or a mapping used as a key cannot be represented by most programs.",
        "Use a word as the key.",
    ),
    "yaml-too-deep": CodeInfo(
        _ERROR,
        "Values are nested too deeply",
        "More than eight levels are only found in files made to exhaust a parser.",
        "Flatten the structure.",
    ),
    "yaml-too-many-nodes": CodeInfo(
        _ERROR,
        "Too many values",
        "More than 2,000 keys and values are only found in files made to exhaust a parser.",
        "Move data into a file of its own.",
    ),
    "yaml-too-large": CodeInfo(
        _ERROR,
        "The YAML text is too large",
        "YAML is only read up to 64 kB.",
        "Move data into a file of its own.",
    ),
    "yaml-syntax": CodeInfo(
        _ERROR,
        "The YAML cannot be read",
        "A parser cannot tell keys from values here, and a hub must not guess.",
        "Correct the line; when in doubt put the value in double quotes.",
    ),
    "yaml-comment-truncation": CodeInfo(
        _WARNING,
        "The description is cut off at ' #'",
        "A space followed by # starts a comment in YAML, so every host loses the rest of the line.",
        "Put the value in double quotes.",
    ),
    "yaml-parser-dependent": CodeInfo(
        _WARNING,
        "A colon inside brackets without quotes",
        "Some YAML parsers read [plugin:name] as text, some as a mapping, and some reject it.",
        "Put the word in double quotes.",
    ),
}

_FIELDS: Final[dict[str, CodeInfo]] = {
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

_FILES: Final[dict[str, CodeInfo]] = {
    "path-absolute": CodeInfo(
        _ERROR,
        "A file name is an absolute path",
        "Unpacking it would write outside the skill's folder.",
        "Use a path relative to the skill's folder.",
    ),
    "path-dot-segment": CodeInfo(
        _ERROR,
        "A file path contains an empty, . or .. segment",
        "Unpacking it could write outside the skill's folder.",
        "Use a plain relative path.",
    ),
    "path-backslash": CodeInfo(
        _ERROR,
        "A file name contains a backslash",
        "A backslash separates folders on Windows, so the file would land somewhere else there.",
        "Rename the file.",
    ),
    "path-colon": CodeInfo(
        _ERROR,
        "A file name contains a colon",
        "A colon names a drive or a hidden stream on Windows, where the file cannot be written.",
        "Rename the file.",
    ),
    "path-control-char": CodeInfo(
        _ERROR,
        "A file name contains an invisible character",
        "Control, direction and zero-width characters make a name look like another one.",
        "Rename the file.",
    ),
    "path-not-nfc": CodeInfo(
        _ERROR,
        "A file name is not in Unicode normal form C",
        "The same visible name has other bytes on other systems, so links and hashes break.",
        "Rename the file to the composed form.",
    ),
    "path-not-portable": CodeInfo(
        _ERROR,
        "A file name cannot exist on Windows",
        "con, nul, aux and the like are devices there, and dots and spaces at a name's end vanish.",
        "Rename the file.",
    ),
    "path-windows-char": CodeInfo(
        _WARNING,
        "A file name has a character that Windows does not allow",
        'Installers on Windows skip or refuse names with < > " | ? *.',
        "Rename the file.",
    ),
    "path-too-deep": CodeInfo(
        _ERROR,
        "A file lies too deep",
        "Installers refuse or cut paths of more than 12 levels.",
        "Flatten the folders.",
    ),
    "path-too-long": CodeInfo(
        _ERROR,
        "A file name is too long",
        "File systems allow 255 bytes for one name, and installers 1,024 for a path.",
        "Shorten the name.",
    ),
    "path-git-lookalike": CodeInfo(
        _ERROR,
        "A file lies in something that git takes for its own folder",
        "Names such as .git and git~1 can make git run programs from the package.",
        "Rename the folder.",
    ),
    "path-not-utf8": CodeInfo(
        _ERROR,
        "A file name is not UTF-8",
        "The name cannot be written in JSON, in URLs or in an archive.",
        "Rename the file with UTF-8 characters.",
    ),
    "path-collision": CodeInfo(
        _ERROR,
        "Two files have the same name on other systems",
        "File systems that ignore case or Unicode variants would keep only one of the two.",
        "Rename one of the two.",
    ),
    "path-non-ascii": CodeInfo(
        _INFO,
        "A file name is not ASCII",
        "The order of such names, and with it the ClawHub fingerprint, depends on the reader's language.",
        "Use ASCII letters where you can.",
    ),
    "package-too-many-files": CodeInfo(
        _ERROR,
        "The skill has too many files",
        "Installers refuse packages over their limits, and so does this hub.",
        "Remove files that the skill does not need.",
    ),
    "package-file-too-large": CodeInfo(
        _ERROR,
        "A file is too large",
        "Installers refuse packages over their limits, and so does this hub.",
        "Shrink the file or link to it.",
    ),
    "package-too-large": CodeInfo(
        _ERROR,
        "The skill is too large",
        "Installers refuse packages over their limits, and so does this hub.",
        "Remove files that the skill does not need.",
    ),
    "symlink-skipped": CodeInfo(
        _WARNING,
        "A symbolic link is left out",
        "Links can point outside the skill, so they are never followed and never published.",
        "Put a regular file or folder in its place.",
    ),
    "special-file-skipped": CodeInfo(
        _WARNING,
        "Something that is not a file is left out",
        "Pipes, sockets and devices are never opened.",
        "Remove it from the skill's folder.",
    ),
    "entry-skipped": CodeInfo(
        _INFO,
        "A hidden or generated entry is left out",
        "Names that start with a dot, and node_modules, are not part of a published skill.",
        "Rename it if the skill needs it.",
    ),
    "nested-skill-md": CodeInfo(
        _ERROR,
        "A second SKILL.md lies below the skill",
        "Some hosts load it as one more skill and some refuse the package; here it is one of the files.",
        "Rename it, for instance to SKILL.example.md, or move that skill beside this one.",
    ),
    "folder-unreadable": CodeInfo(
        _ERROR,
        "A folder of the source cannot be listed",
        "Skills below it, if there are any, are not seen.",
        "Correct its permissions or remove it.",
    ),
    "skill-md-not-regular": CodeInfo(
        _ERROR,
        "SKILL.md is not a regular file",
        "Links and special files are never read, so the skill has no front matter.",
        "Put a regular file in its place.",
    ),
    "skill-unreadable": CodeInfo(
        _ERROR,
        "A file of the skill cannot be read",
        "A package must hold exactly the files its hash promises, so it is not published without one.",
        "Correct the file's permissions, or build again once the files no longer change.",
    ),
}

_DECIDE: Final[dict[str, CodeInfo]] = {
    "slug-adjusted": CodeInfo(
        _INFO,
        "The skill's address differs from its folder's name",
        "Addresses have 3 to 96 characters of a-z, 0-9 and single hyphens, so the name was made to fit.",
        "Write slug: in the front matter to choose the address.",
        "decide",
    ),
    "slug-from-hash": CodeInfo(
        _WARNING,
        "The skill's address is made from a hash",
        "No character of the name fits an address.",
        "Write slug: in the front matter with a word of a-z, 0-9 and hyphens.",
        "decide",
    ),
    "slug-reserved": CodeInfo(
        _ERROR,
        "The skill's address belongs to the hub",
        "The address would collide with one of the hub's own paths.",
        "Choose another slug: in the front matter.",
        "decide",
    ),
    "slug-collision": CodeInfo(
        _ERROR,
        "Two skills of one owner have one address",
        "Only one skill can be served at an address.",
        "Give one of the two another slug: in its front matter.",
        "decide",
    ),
    "version-missing": CodeInfo(
        _INFO,
        "The skill declares no version",
        "Installers compare versions, so one had to be chosen for it.",
        "Write version: in the front matter.",
        "decide",
    ),
    "version-normalised": CodeInfo(
        _WARNING,
        "The version was rewritten as a semantic version",
        "Installers only understand three numbers with dots, and an optional suffix.",
        "Write the version as 1.2.3.",
        "decide",
    ),
    "version-invalid": CodeInfo(
        _WARNING,
        "The version is not a version",
        "Installers only understand three numbers with dots, and an optional suffix.",
        "Write the version as 1.2.3.",
        "decide",
    ),
    "version-changed": CodeInfo(
        _ERROR,
        "A published version has other content now",
        "A version that someone installed must stay what it was.",
        "Raise the version.",
        "decide",
    ),
    "source-empty": CodeInfo(
        _WARNING,
        "No skill was found in a source",
        "A folder that holds no SKILL.md, or patterns that match none, make a hub without skills.",
        "Check the path and the patterns under include; the file must be named SKILL.md.",
        "decide",
    ),
    "slug-shared": CodeInfo(
        _INFO,
        "Two publishers have a skill of this name",
        "The name alone then means neither of them, and installers must be given the publisher too.",
        "Use @owner/name to install, or give one of the two another slug.",
        "decide",
    ),
    "archive-missing": CodeInfo(
        _WARNING,
        "The archive of a published version is gone",
        "The ledger knows the version, but the output folder no longer holds its bytes, so it cannot be offered.",
        "Restore the file from a copy of the published hub and build again.",
        "decide",
    ),
    "scan-blocked": CodeInfo(
        _ERROR,
        "The security scan blocks the skill",
        "A rule for dangerous content matched.",
        "Remove what the scan report names.",
        "decide",
    ),
    "scan-warned": CodeInfo(
        _WARNING,
        "The security scan warns about the skill",
        "A rule for content that deserves a second look matched.",
        "Read the scan report and remove what is not needed.",
        "decide",
    ),
}

CODES: Final[Mapping[str, CodeInfo]] = MappingProxyType(
    {**_FRONT_MATTER, **_YAML, **_FIELDS, **_FILES, **_DECIDE}
)
"""Every finding code and what it means."""

BARRING: Final[frozenset[str]] = frozenset(
    {
        # No front matter that can be read.
        "frontmatter-missing",
        "frontmatter-not-on-first-line",
        "frontmatter-unterminated",
        "frontmatter-empty",
        "frontmatter-too-large",
        "frontmatter-not-mapping",
        "encoding-not-utf8-or-control-char",
        "yaml-unquoted-colon",
        "yaml-indicator-start",
        "yaml-bracketed-argument-hint",
        "yaml-unterminated-quote",
        "yaml-stray-syntax",
        "yaml-duplicate-key",
        "yaml-anchor",
        "yaml-merge-key",
        "yaml-multiple-documents",
        "yaml-complex-key",
        "yaml-too-deep",
        "yaml-too-many-nodes",
        "yaml-too-large",
        "yaml-syntax",
        "skill-md-not-regular",
        "skill-unreadable",
        # Nothing to choose it by.
        "description-empty",
        # Unsafe or colliding names.
        "path-absolute",
        "path-dot-segment",
        "path-backslash",
        "path-colon",
        "path-control-char",
        "path-not-nfc",
        "path-not-portable",
        "path-too-deep",
        "path-too-long",
        "path-git-lookalike",
        "path-not-utf8",
        "path-collision",
        "slug-reserved",
        "slug-collision",
        "version-changed",
        # Over the limits.
        "package-too-many-files",
        "package-file-too-large",
        "package-too-large",
    }
)
"""The codes that bar a skill from publication. Every other finding stands on a published skill."""


def finding(
    code: str, path: str, message: str, fix: str, line: int | None = None, column: int | None = None
) -> Finding:
    """A finding whose severity comes from :data:`CODES`; KeyError for a code that is not in the table."""
    return Finding(code, CODES[code].severity, path, message, fix, line, column)


def bars(findings: tuple[Finding, ...]) -> bool:
    """True where at least one finding bars its skill from publication."""
    return any(f.code in BARRING for f in findings)
