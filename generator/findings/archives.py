"""Archives of a skill, zip or tar: what makes one unsafe to unpack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_PACK_AGAIN: Final = "Pack the skill's folder again with an ordinary zip or tar program."

CODES: Final[Mapping[str, CodeInfo]] = {
    "archive-unreadable": CodeInfo(
        _ERROR,
        "The file is no archive that can be read, or is cut off",
        "The directory at the end of a zip, or a header of a tar, is missing or damaged, so nobody can tell its files.",
        _PACK_AGAIN,
    ),
    "archive-unsupported": CodeInfo(
        _ERROR,
        "The archive uses a form of zip or tar that not every program reads",
        "Archives in several parts, rare compressions and extensions of a format are refused by many installers.",
        _PACK_AGAIN,
    ),
    "archive-encrypted": CodeInfo(
        _ERROR,
        "An entry is encrypted",
        "Nobody can examine what is inside, and no installer asks for a password.",
        "Pack the skill again without a password.",
    ),
    "archive-extra-data": CodeInfo(
        _ERROR,
        "The archive holds bytes that belong to no entry",
        "Bytes before, between or after the entries can make other programs see other files.",
        _PACK_AGAIN,
    ),
    "archive-overlap": CodeInfo(
        _ERROR,
        "Two entries share the same bytes",
        "Overlapping entries let a small archive unpack to an enormous one.",
        _PACK_AGAIN,
    ),
    "archive-header-mismatch": CodeInfo(
        _ERROR,
        "An entry is described in two ways",
        "A zip describes each entry twice, a tar may do so; where the two differ, programs unpack different files.",
        _PACK_AGAIN,
    ),
    "archive-content-mismatch": CodeInfo(
        _ERROR,
        "An entry's content is not what the archive says",
        "Size or checksum do not fit: the archive is damaged, or made to deceive.",
        _PACK_AGAIN,
    ),
    "archive-ratio": CodeInfo(
        _ERROR,
        "An entry unpacks to over a hundred times its size",
        "Installers take such archives for an attack and refuse them.",
        "Remove the file, or pack the archive without compression.",
    ),
    "archive-duplicate-entry": CodeInfo(
        _ERROR,
        "Two entries have the same name",
        "Some programs keep the first and some the last, so what is examined need not be what is installed.",
        "Pack the skill again with each file once.",
    ),
    "archive-link": CodeInfo(
        _ERROR,
        "An entry is a symbolic link",
        "Unpacking it can write outside the skill's folder, so installers refuse the archive.",
        "Put a regular file in its place.",
    ),
    "archive-special-entry": CodeInfo(
        _ERROR,
        "An entry is neither a plain file nor a folder",
        "Devices, pipes and programs that run as their owner have no place in a skill.",
        "Remove the entry and pack again.",
    ),
    "archive-name-encoding": CodeInfo(
        _WARNING,
        "An entry's name is not marked as UTF-8",
        "Programs then guess the encoding, and the file may be unpacked under another name.",
        "Pack again with a program that marks UTF-8 names, or use ASCII names.",
    ),
    "archive-several-skills": CodeInfo(
        _ERROR,
        "The archive holds several skills",
        "Hosts install one skill from one archive: most refuse this one, the others take the first they find.",
        "Pack each skill into an archive of its own.",
    ),
    "archive-without-skill": CodeInfo(
        _ERROR,
        "The archive holds no SKILL.md",
        "Without one there is nothing to install.",
        "Pack the folder that holds SKILL.md, so that SKILL.md lies at the top or in one folder.",
    ),
}
