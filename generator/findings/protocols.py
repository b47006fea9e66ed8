"""What keeps a published skill out of the indexes of some installers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_WARNING: Final = Severity.WARNING
_INFO: Final = Severity.INFO

CODES: Final[Mapping[str, CodeInfo]] = {
    "discovery-name": CodeInfo(
        _WARNING,
        "The skill's name is too long for indexes",
        "Agent Skills discovery takes names of at most 64 characters; npx skills passes over a longer one.",
        "Publish the skill under a shorter name: name or slug in SKILL.md.",
        "decide",
    ),
    "discovery-front-matter": CodeInfo(
        _WARNING,
        "The front matter cannot be read by npx skills",
        "It drops a skill whose front matter it does not understand without a word, so no index for it lists it.",
        "Keep the front matter to plain YAML between two lines of three dashes.",
        "decide",
    ),
    "discovery-no-name": CodeInfo(
        _WARNING,
        "SKILL.md has no name that npx skills takes",
        "It drops a skill whose name is missing or no text without a word, so no index for it lists it.",
        "Add a line such as name: pdf-tools; put a name that looks like a number or a date into quotes.",
        "decide",
    ),
    "discovery-no-description": CodeInfo(
        _WARNING,
        "SKILL.md has no description that npx skills takes",
        "It drops a skill without a text as description without a word, so no index for it lists it.",
        "Write the description as one text in quotes.",
        "decide",
        example="name: pdf-tools\ndescription: [Reads PDF files.]",
        mended="name: pdf-tools\ndescription: Reads PDF files.",
    ),
    "raw-tree-path": CodeInfo(
        _WARNING,
        "A file's name cannot be part of an address for every installer",
        "Installers that fetch single files do not quote ?, # and %, and void an index for a path with .. in it.",
        "Rename the file: letters, digits, dots, dashes and underscores are safe.",
        "decide",
        example="references/what?.md",
        mended="references/what.md",
        example_in="paths",
    ),
    "raw-tree-hidden-file": CodeInfo(
        _INFO,
        "A file is hidden, so single files of the skill cannot be fetched",
        "Web servers and mirrors pass over names that start with a dot; half a skill would be the wrong one.",
        "Nothing has to be done for installers that take archives.",
        "decide",
    ),
    "raw-tree-server-file": CodeInfo(
        _WARNING,
        "A file is of a kind that web servers run or obey",
        "The hub never lays such a file out by itself, so installers that fetch files one by one do not get the skill.",
        "Rename the file, or leave it out of the skill; archives carry it as it is.",
        "decide",
        example="templates/form.php",
        mended="templates/form-php.txt",
        example_in="paths",
    ),
    "raw-tree-active-file": CodeInfo(
        _INFO,
        "A file is of a kind that browsers render or run",
        "Where hosting sets no headers the hub does not lay such a file out by itself, so hermes and "
        "agentskills-http do not get the skill there; archives carry it as it is.",
        "Nothing, where the hub's hosting sets headers; else name the file .txt.",
        "decide",
    ),
    "raw-tree-index-file": CodeInfo(
        _INFO,
        "A file of the skill is called index.json",
        "In the tree of agentskills-http that name is the list of the skill's files, so the tree leaves the skill out.",
        "Move the file into a folder of the skill, such as assets/.",
        "decide",
        example="index.json",
        mended="assets/index.json",
        example_in="paths",
    ),
    "bundle-binary-file": CodeInfo(
        _INFO,
        "A file of the skill is no text",
        "QwenPaw's bundles carry texts only, so the skill has none; hermes takes the file for a text and changes it.",
        "Nothing; installers that unpack the archive get the file as it is.",
        "decide",
    ),
}
