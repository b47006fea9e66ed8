"""Under which slug and version a skill folder wants to be published.

The slug comes from the front matter's ``slug``, else from the folder's name made to fit the rule; where
the skill is its source's root (whose folder name says nothing), from the front matter's name.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.findings import finding
from generator.model import Finding, Manifest, SkillFolder, Slug, Version
from generator.names import InvalidNameError, SlugFit, fit_slug, parse_slug
from generator.versions import FIRST_VERSION, parse_version


@dataclass(frozen=True, slots=True)
class Identity:
    """The name and version a skill folder asks for.

    ``slug`` is None where it may not have the one it wants, ``version`` where it states none: then the ledger
    counts.
    """

    slug: Slug | None
    version: Version | None
    findings: tuple[Finding, ...]


def identify(folder: SkillFolder, manifest: Manifest) -> Identity:
    """Decide slug and version of one folder, alone; other skills are not looked at."""
    findings: list[Finding] = []
    slug = _slug(folder, manifest, findings)
    version = _version(folder, manifest, findings)
    return Identity(slug, version, tuple(findings))


def _slug(folder: SkillFolder, manifest: Manifest, findings: list[Finding]) -> Slug | None:
    place = _skill_file(folder)
    folder_name = folder.package.folder.rpartition("/")[2]
    wanted = manifest.slug or folder_name or manifest.name or folder.package.source.rpartition("/")[2]
    fitted = fit_slug(wanted)
    if fitted.fit is SlugFit.HASHED and manifest.name and wanted != manifest.name:
        by_name = fit_slug(manifest.name)
        fitted = by_name if by_name.fit is not SlugFit.HASHED else fitted
    if fitted.fit is SlugFit.HASHED:
        findings.append(
            finding(
                "slug-from-hash", place,
                f"{wanted!r} has no letter a-z or digit, so the skill's address is {fitted.slug!r}",
                "Choose an address yourself: add a front matter line such as `slug: essay-coach`",
            )
        )  # fmt: skip
    elif fitted.slug != wanted:
        findings.append(
            finding(
                "slug-adjusted", place,
                f"{wanted!r} does not fit the rule for addresses, so the skill's address is {fitted.slug!r}",
                f"Rename the folder to `{fitted.slug}`, or add a front matter line `slug: {fitted.slug}`",
            )
        )  # fmt: skip
    try:
        return parse_slug(fitted.slug)
    except InvalidNameError as error:
        findings.append(
            finding(
                "slug-reserved",
                place,
                f"{error}",
                "Rename the folder, or add a front matter line `slug: ...`",
            )
        )
        return None


def _version(folder: SkillFolder, manifest: Manifest, findings: list[Finding]) -> Version | None:
    place = _skill_file(folder)
    written = manifest.version
    if written is None or not written.strip():
        findings.append(
            finding(
                "version-missing", place,
                f"The skill states no version: the hub counts {FIRST_VERSION}, then one patch more with each change",
                f"Add a front matter line `version: {FIRST_VERSION}` and raise it with each change",
            )
        )  # fmt: skip
        return None
    where = f"{manifest.version_from or 'SKILL.md'}"
    parsed = parse_version(written)
    if parsed is None:
        findings.append(
            finding(
                "version-invalid", place,
                f"{where} states version {written!r}, which is no version; the hub counts from {FIRST_VERSION} instead",
                f"Write three numbers with dots, such as `version: {FIRST_VERSION}`",
            )
        )  # fmt: skip
        return None
    if not parsed.exact:
        findings.append(
            finding(
                "version-normalised", place,
                f"{where} states version {written!r}, which is published as {parsed.version}",
                f"Write `version: {parsed.version}`",
            )
        )  # fmt: skip
    return parsed.version


def _skill_file(folder: SkillFolder) -> str:
    return f"{folder.package.folder}/SKILL.md" if folder.package.folder else "SKILL.md"
