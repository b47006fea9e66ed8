"""What a build finds out over all skills: addresses, versions, the scan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING
_INFO: Final = Severity.INFO

CODES: Final[Mapping[str, CodeInfo]] = {
    "slug-adjusted": CodeInfo(
        _INFO,
        "The skill's address differs from its folder's name",
        "Addresses have 3 to 96 characters of a-z, 0-9 and single hyphens, so the name was made to fit.",
        "Write slug: in the front matter to choose the address.",
        "decide",
        example="slug: My Skill",
        mended="slug: my-skill",
    ),
    "slug-from-hash": CodeInfo(
        _WARNING,
        "The skill's address is made from a hash",
        "No character of the name fits an address.",
        "Write slug: in the front matter with a word of a-z, 0-9 and hyphens.",
        "decide",
        example="name: 作文\nslug: 作文",
        mended="name: 作文\nslug: essay-coach",
    ),
    "slug-reserved": CodeInfo(
        _ERROR,
        "The skill's address belongs to the hub",
        "The address would collide with one of the hub's own paths.",
        "Choose another slug: in the front matter.",
        "decide",
        example="slug: resolve",
        mended="slug: resolver",
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
        example="license: MIT",
        mended="license: MIT\nversion: 1.0.0",
    ),
    "version-normalised": CodeInfo(
        _INFO,
        "The version was rewritten as a semantic version",
        "Installers only understand three numbers with dots, and an optional suffix.",
        "Write the version as 1.2.3.",
        "decide",
        example="version: 1.0",
        mended="version: 1.0.0",
    ),
    "version-invalid": CodeInfo(
        _WARNING,
        "The version is not a version",
        "Installers only understand three numbers with dots, and an optional suffix.",
        "Write the version as 1.2.3.",
        "decide",
        example="version: latest",
        mended="version: 1.0.0",
    ),
    "version-changed": CodeInfo(
        _ERROR,
        "A published version has other content now",
        "A version that someone installed must stay what it was.",
        "Raise the version.",
        "decide",
    ),
    "version-bumped": CodeInfo(
        _INFO,
        "The hub published the skill under its next version",
        "The declared version was published before with other content, and the hub's policy is to count on.",
        "Raise version: in the front matter with each change.",
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
    "hosting-file-kept": CodeInfo(
        _WARNING,
        "A configuration file was changed by hand",
        "It was left alone, so the host may not route what this build added.",
        "Take over what is new, or remove the file and build again.",
        "decide",
    ),
    "hosting-limit-passed": CodeInfo(
        _ERROR,
        "The hub is larger than its host allows",
        "The host refuses the upload, or leaves files out.",
        "Make it smaller, or choose another host.",
        "decide",
    ),
    "hosting-limit-near": CodeInfo(
        _WARNING,
        "The hub is nearly as large as its host allows",
        "The next builds add files.",
        "Make it smaller, or plan for another host.",
        "decide",
    ),
    "collection-member-unknown": CodeInfo(
        _WARNING,
        "A collection names a skill that is not here",
        "The collection is published without it.",
        "Write it as owner/slug, or take it out of the collection.",
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
    "skill-unjudged": CodeInfo(
        _WARNING,
        "Skillpress failed while judging the skill",
        "A defect of ours met something in this skill; it is published without verdicts of hosts.",
        "Report the folder to the makers of Skillpress.",
        "decide",
    ),
}
