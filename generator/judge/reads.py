"""The reading parameters of a host: everything its data file may say under ``[reads]``.

A key of the file is the field's name with hyphens. What each one means is said here once, in
:data:`MEANINGS`, which the documentation of the host files is checked against.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Reads:
    """How one host finds and reads a skill. The defaults are those of a host that reads without limits."""

    files: tuple[str, ...] = ("SKILL.md",)
    any_case: bool = False
    scans: bool = True
    depth: int = 64
    roots: tuple[str, ...] = ()
    deeper: int = 0
    deeper_skipped: tuple[str, ...] = ()
    hidden: bool = True
    skipped_folders: tuple[str, ...] = ()
    nested: bool = True
    nested_skipped: tuple[str, ...] = ()
    folder_pattern: str = ""
    max_bytes: int = 0
    max_files: int = 0
    max_package_bytes: int = 0
    encoding: str = "replace"
    bom: str = "kept"
    newlines: str = "as-is"
    prefix: int = 0
    fence: str = "bare-lines"
    yaml: str = "pyyaml"
    repair: str = ""
    repair_fence: str = ""
    typed: bool = False
    lines: str = ""
    lines_if_not_text: bool = False
    unique_keys: tuple[str, ...] = ()
    allowed_keys: tuple[str, ...] = ()
    identity: str = "name"
    name_type: str = "text"
    name_form: str = "any"
    name_max: int = 0
    name_shown: str = "as-is"
    description_type: str = "text"
    description_max: int = 0
    description_blank: str = "kept"
    description_shown: str = "as-is"
    description_cut: int = 0
    description_cut_unit: str = "characters"
    description_tail: str = ""
    description_fallback: str = ""
    compatibility_max: int = 0
    compares: bool = True
    withheld: tuple[str, ...] = ()
    same_name: str = "both"


MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "files": "The file names it opens, in this order, each in exactly this spelling.",
        "any_case": "True where it opens those names in any mix of capitals.",
        "scans": "True where it looks through a folder of skills by itself; false where it is handed one skill.",
        "depth": "The deepest level below the folder of skills at which it looks; 1 is directly below.",
        "roots": "Folders below the folder of skills that it takes for folders of skills as well.",
        "deeper": "The level down to which it looks where it finds no skill at all; 0 where it then gives up.",
        "deeper_skipped": "Folder names it does not look into when it looks deeper.",
        "hidden": "True where it looks into folders whose name starts with a dot.",
        "skipped_folders": "Folder names it never looks into.",
        "nested": "True where it also looks for skills below a skill.",
        "nested_skipped": "Folders directly below a skill in which it does not look for further skills.",
        "folder_pattern": "A regular expression that a skill's folder name must match.",
        "max_bytes": "The largest SKILL.md it reads, in bytes; 0 for no limit.",
        "max_files": "The most files of a package it takes; 0 for no limit.",
        "max_package_bytes": "The most bytes of a package it takes, all files together; 0 for no limit.",
        "encoding": "What becomes of bytes that are not UTF-8: strict (an error) or replace (U+FFFD).",
        "bom": "What becomes of a byte order mark at the start: kept, dropped, or all-dropped (several of them too).",
        "newlines": "Line ends: as-is, or universal (CRLF and CR become LF before anything else).",
        "prefix": "How many characters of the file it looks at; 0 for all.",
        "fence": "The rule by which it finds the front matter: a name from the table of fences.",
        "yaml": "The YAML library it reads the front matter with: a name from the table of libraries.",
        "repair": "The repair it tries on a front matter its library refuses; empty for none.",
        "repair_fence": "The fence rule that must find the front matter too before the repair is tried, byte order "
        "mark and all; empty for none.",
        "typed": "True where a wrong type, or a key of unique-keys twice, is an error that the repair is tried on too.",
        "lines": "The reader that takes lines instead of YAML once everything else failed; empty for none.",
        "lines_if_not_text": "True where the line reader also takes over when name or description is no text.",
        "unique_keys": "Keys that must not be written twice although its library lets that pass.",
        "allowed_keys": "The only top-level keys it accepts; empty for any.",
        "identity": "Which name it goes by: folder, or name (the front matter's, else the folder's).",
        "name_type": "Which values of name count as text: text, written, python or json.",
        "name_form": "The form it asks of a name: any, kebab, unicode or slug.",
        "name_max": "The longest name it accepts, in characters; 0 for no limit.",
        "name_shown": "What it makes of the name: as-is, trimmed, single-line, cut, dashed or slug.",
        "description_type": "Which values of description count as text: text, written, script, python, json or sized.",
        "description_max": "The longest description it accepts, in characters; 0 for no limit.",
        "description_blank": "A description of nothing but blanks: kept, or empty (it counts as empty).",
        "description_shown": "What it makes of the description: as-is, trimmed, visible or untagged.",
        "description_cut": "How many characters of the description it shows; 0 for all.",
        "description_cut_unit": "What it counts for that: characters (the cut ends in ...), or utf-16 "
        "(JavaScript: an emoji counts as two, and the cut ends in …).",
        "description_tail": "The key whose text it shows behind the description; empty for none.",
        "description_fallback": "What it shows where there is no description: first-line, heading, folder or nothing.",
        "compatibility_max": "The longest compatibility text it accepts, in characters; 0 for no limit.",
        "same_name": "Which of several skills of one name it keeps: both, first or last (by path).",
        "withheld": "Facts under which it shows the description to no model: whatever it is, nothing of it is lost.",
        "compares": "True where the verdict looks at the description shown; false where it only asks: accepted?",
    }
)
"""Every reading parameter and what it means."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "encoding": ("strict", "replace"),
        "bom": ("kept", "dropped", "all-dropped"),
        "newlines": ("as-is", "universal"),
        "repair": ("", "codex", "opencode", "openclaw", "claude-code"),
        "lines": ("", "gemini", "hermes"),
        "identity": ("folder", "name"),
        "name_type": ("text", "written", "python", "json"),
        "name_form": ("any", "kebab", "unicode", "slug"),
        "name_shown": ("as-is", "trimmed", "single-line", "cut", "dashed", "slug"),
        "description_type": ("text", "written", "script", "python", "json", "sized"),
        "description_blank": ("kept", "empty"),
        "description_shown": ("as-is", "trimmed", "visible", "untagged"),
        "description_cut_unit": ("characters", "utf-16"),
        "same_name": ("both", "first", "last"),
        "description_fallback": ("", "first-line", "heading", "folder"),
    }
)
"""The values a parameter may have, where it is a choice."""
