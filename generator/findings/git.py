"""Git repositories: what their objects and their history do not give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_INFO: Final = Severity.INFO

CODES: Final[Mapping[str, CodeInfo]] = {
    "git-object-damaged": CodeInfo(
        _ERROR,
        "An object of the repository is missing or damaged",
        "A package must hold exactly the files its hash promises, so it is not published without one.",
        "Run git fsck in the repository and clone it again, as a whole.",
    ),
    "git-tree-invalid": CodeInfo(
        _ERROR,
        "A folder in the repository holds what git never writes",
        "Entries named .. or with a slash, or one name twice, are made to be unpacked in two ways.",
        "Rewrite the folder with an ordinary git, and commit it again.",
    ),
    "git-submodule-skipped": CodeInfo(
        _WARNING,
        "A submodule is left out",
        "Its files are in another repository, which is never fetched; skills in it are not seen.",
        "Name that repository as a source of its own, or commit the files here.",
    ),
    "git-lfs-pointer": CodeInfo(
        _WARNING,
        "A file is a pointer of git LFS",
        "The repository holds three lines that name the file, not the file; installers would get those lines.",
        "Take the file out of LFS (git lfs migrate export), or publish from a folder that has it.",
    ),
    "git-history-shallow": CodeInfo(
        _WARNING,
        "The repository's history is cut off",
        "Versions older than the cut are not seen, and the oldest one seen may not be as it first was.",
        "Fetch the rest with git fetch --unshallow.",
    ),
    "git-history-unreadable": CodeInfo(
        _ERROR,
        "The repository's history cannot be read",
        "The skills are published as they are now; their earlier versions are not seen.",
        "Run git fsck in the repository and clone it again, as a whole.",
    ),
    "git-tag-elsewhere": CodeInfo(
        _INFO,
        "A version tag is not on the branch that is read",
        "Versions are read along one line of commits; a tag on another branch is no version there.",
        "Name that branch as one more source, or merge it.",
    ),
    "git-tag-version-differs": CodeInfo(
        _WARNING,
        "A tag and the skill's own files state different versions",
        "The front matter counts; somebody who looks for the tag's version will not find it.",
        "Raise the version in SKILL.md before the commit is tagged.",
    ),
    "git-version-reused": CodeInfo(
        _INFO,
        "Commits changed a skill without a new version number",
        "A version is what its first commit holds; later changes under the same number are not offered.",
        "Raise the version with each change.",
    ),
}
