"""What the judge finds about a skill's files and the place they lie in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_INFO: Final = Severity.INFO

CODES: Final[Mapping[str, CodeInfo]] = {
    "link-or-unsafe-path": CodeInfo(
        _ERROR,
        "SKILL.md is a link",
        "A symbolic or hard link can stand for a file outside the skill, so several hosts refuse it.",
        "Put a regular file in its place.",
        "judge",
    ),
    "place-hidden": CodeInfo(
        _WARNING,
        "The skill lies in a hidden folder",
        "Several hosts do not look into folders whose name starts with a dot.",
        "Rename the folder.",
        "judge",
    ),
    "place-skipped": CodeInfo(
        _WARNING,
        "The skill lies in a folder that hosts pass over",
        "Folders of dependencies, builds and caches are not searched for skills.",
        "Move the skill.",
        "judge",
    ),
    "place-too-deep": CodeInfo(
        _WARNING,
        "The skill lies below another folder",
        "Several hosts only look one level below their skills folder.",
        "Move the skill's folder directly into the skills folder.",
        "judge",
    ),
    "skill-md-too-large": CodeInfo(
        _ERROR,
        "SKILL.md is larger than some host reads",
        "Hosts refuse the file, cut it, or look for the front matter in its first characters only.",
        "Move chapters into files below references/, and long values below the closing ---.",
        "judge",
    ),
    "package-budget": CodeInfo(
        _WARNING,
        "The skill is over the portable budget",
        "The strictest installers take 50 files, 256 KB a file, 1 MB in all, and text files only; others leave "
        "the rest out.",
        "Remove or shrink files, or link to them.",
        "judge",
        "assets/logo.svg",
        "assets/logo.html",
        "paths",
    ),
    "support-file-outside-folders": CodeInfo(
        _INFO,
        "A file lies outside the usual folders",
        "Agents on Hermes and DeerFlow may only write below references/, templates/, scripts/ and assets/.",
        "Move files that an agent may change below one of these folders.",
        "judge",
        "forms.md",
        "references/forms.md",
        "paths",
    ),
    "native-binary": CodeInfo(
        _WARNING,
        "The skill holds a program for a machine",
        "Nobody can read what it does, so DeerFlow's installer and Hermes' guard refuse the skill.",
        "Ship the source, or tell how to install the program.",
        "judge",
        "scripts/tool.exe",
        "scripts/tool.py",
        "paths",
    ),
    "nested-archive": CodeInfo(
        _WARNING,
        "The skill holds an archive",
        "Scanners cannot look into it, and DeepTutor's import leaves it out.",
        "Put the files themselves into the skill.",
        "judge",
        "assets/templates.zip",
        "assets/template.md",
        "paths",
    ),
    "path-double-dot": CodeInfo(
        _WARNING,
        "A file name holds two dots in a row",
        "npx skills takes it for a way out of the folder and refuses the whole list of the site that offers it.",
        "Rename the file.",
        "judge",
        "references/notes..md",
        "references/notes.md",
        "paths",
    ),
    "file-name-reserved": CodeInfo(
        _WARNING,
        "A file has a name that ClawHub keeps for itself",
        "ClawHub makes skill-card.md, and refuses to publish a skill that brings one.",
        "Rename the file.",
        "judge",
        "references/skill-card.md",
        "references/card.md",
        "paths",
    ),
    "scanner-conflict": CodeInfo(
        _WARNING,
        "Some installer's scanner objects to a common pattern",
        "DeerFlow's installer and Hermes' guard refuse skills for patterns that are mostly harmless, each for its own.",
        "Write it in the way the finding names, or tell readers which hosts refuse the skill.",
        "judge",
        "import os, requests\nrequests.post(URL, json={'home': os.environ['HOME']})",
        "import requests\n\n\ndef report(url: str, home: str) -> None:\n    requests.post(url, json={'home': home})",
        "scripts/report.py",
    ),
}
