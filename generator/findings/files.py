"""Files and folders of a package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_INFO: Final = Severity.INFO

CODES: Final[Mapping[str, CodeInfo]] = {
    "path-absolute": CodeInfo(
        _ERROR,
        "A file name is an absolute path",
        "Unpacking it would write outside the skill's folder.",
        "Use a path relative to the skill's folder.",
        example="/etc/notes.md",
        mended="references/notes.md",
        example_in="paths",
    ),
    "path-dot-segment": CodeInfo(
        _ERROR,
        "A file path contains an empty, . or .. segment",
        "Unpacking it could write outside the skill's folder.",
        "Use a plain relative path.",
        example="references/../notes.md",
        mended="notes.md",
        example_in="paths",
    ),
    "path-backslash": CodeInfo(
        _ERROR,
        "A file name contains a backslash",
        "A backslash separates folders on Windows, so the file would land somewhere else there.",
        "Rename the file.",
        example="references\\notes.md",
        mended="references/notes.md",
        example_in="paths",
    ),
    "path-colon": CodeInfo(
        _ERROR,
        "A file name contains a colon",
        "A colon names a drive or a hidden stream on Windows, where the file cannot be written.",
        "Rename the file.",
        example="notes.md:hidden",
        mended="notes.md",
        example_in="paths",
    ),
    "path-control-char": CodeInfo(
        _ERROR,
        "A file name contains an invisible character",
        "Control, direction and zero-width characters make a name look like another one.",
        "Rename the file.",
        example="no\u202etes.md",
        mended="notes.md",
        example_in="paths",
    ),
    "path-not-nfc": CodeInfo(
        _ERROR,
        "A file name is not in Unicode normal form C",
        "The same visible name has other bytes on other systems, so links and hashes break.",
        "Rename the file to the composed form.",
        example="café.md",
        mended="cafe.md",
        example_in="paths",
    ),
    "path-not-portable": CodeInfo(
        _ERROR,
        "A file name cannot exist on Windows",
        "con, nul, aux and the like are devices there, and dots and spaces at a name's end vanish.",
        "Rename the file.",
        example="aux.md",
        mended="auxiliary.md",
        example_in="paths",
    ),
    "path-windows-char": CodeInfo(
        _WARNING,
        "A file name has a character that Windows does not allow",
        'Installers on Windows skip or refuse names with < > " | ? *.',
        "Rename the file.",
        example="what?.md",
        mended="what.md",
        example_in="paths",
    ),
    "path-too-deep": CodeInfo(
        _ERROR,
        "A file lies too deep",
        "Installers refuse or cut paths of more than 12 levels.",
        "Flatten the folders.",
        example="a/b/c/d/e/f/g/h/i/j/k/l/m.md",
        mended="a/m.md",
        example_in="paths",
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
        example="GIT~1/config",
        mended="git/config",
        example_in="paths",
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
        example="Notes.md\nnotes.md",
        mended="notes.md",
        example_in="paths",
    ),
    "path-non-ascii": CodeInfo(
        _INFO,
        "A file name is not ASCII",
        "The order of such names, and with it the ClawHub fingerprint, depends on the reader's language.",
        "Use ASCII letters where you can.",
        example="笔记.md",
        mended="notes.md",
        example_in="paths",
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
        example=".env",
        mended="settings.md",
        example_in="paths",
    ),
    "nested-skill-md": CodeInfo(
        _ERROR,
        "A second SKILL.md lies below the skill",
        "Some hosts load it as one more skill and some refuse the package; here it is one of the files.",
        "Rename it, for instance to SKILL.example.md, or move that skill beside this one.",
        example="examples/other/SKILL.md",
        mended="examples/other/SKILL.example.md",
        example_in="paths",
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
