"""Published skills made from files through the real reader, ledger types and archives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from generator.build.assembly import assemble_listing
from generator.history.overlay.applying import order_releases, stand
from generator.history.overlay.model import Ruling
from generator.judge.model import ContextCost, Judgement
from generator.model import (
    Archive,
    FileEntry,
    Hub,
    Owner,
    Package,
    PackageFile,
    PackagePath,
    PublishedSkill,
    Release,
    Route,
    ScanReport,
    ScanVerdict,
    Sha256,
    SkillFolder,
    Slug,
    TimeMs,
    Version,
)
from generator.read.manifest import read_skill
from generator.write.archive import pack_archive
from generator.write.fingerprint import compute_hashes
from generator.write.mediatype import media_type
from generator.write.protocols import (
    agent_skills,
    agent_skills_legacy,
    agentskills_http,
    apm,
    bundles,
    skill_archive,
    skill_service,
)
from generator.write.protocols.indexes import Indexed
from generator.write.protocols.protocol_findings import find_problems

HUB = Hub("Test hub", "Skills for tests", "https://hub.example/base")
FIRST = TimeMs(1_700_000_000_000)
DAY = 86_400_000
MANIFEST = "---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n"

Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Made:
    """A published skill, and the archive of every release that is given out."""

    skill: PublishedSkill
    archives: Mapping[Version, bytes]

    @property
    def indexed(self) -> Indexed:
        """The skill as indexes know it."""
        paths = tuple(file.path for file in self.skill.folder.package.files)
        return Indexed(self.skill.listing, self.skill.latest.archive, paths)


def manifest(name: str, description: str = "Does what a test needs.") -> bytes:
    """A plain ``SKILL.md``."""
    return MANIFEST.format(name=name, description=description).encode()


def package_of(slug: str, files: Files) -> Package:
    """The package of these files; what lies below ``scripts/`` is executable."""
    return Package(
        "skills",
        slug,
        tuple(
            PackageFile(
                PackagePath(path), data, Sha256(sha256(data).hexdigest()), path.startswith("scripts/")
            )
            for path, data in sorted(files.items())
        ),
    )


def folder_of(slug: str, files: Files) -> SkillFolder:
    """The skill of these files as the build reads it."""
    return read_skill(package_of(slug, files), ())


def make(
    key: str,
    versions: Mapping[str, Files] | Files,
    *,
    hub: Hub = HUB,
    ruling: Ruling | None = None,
    blocked: Sequence[str] = (),
    holds_slug: bool = True,
) -> Made:
    """The published skill ``owner/slug``. ``versions`` maps versions to files, or is the files of 1.0.0.

    ``blocked`` are the versions that the scan blocks.
    """
    owner, _, slug = key.partition("/")
    by_version = {version: files for version, files in versions.items() if isinstance(files, Mapping)}
    if not by_version:
        by_version = {"1.0.0": {path: data for path, data in versions.items() if isinstance(data, bytes)}}
    made = [
        _release(slug, version, files, TimeMs(FIRST + DAY * number), version in blocked)
        for number, (version, files) in enumerate(by_version.items())
    ]
    archives = {release.version: data for release, data in made}
    ruling = ruling or Ruling()
    releases = tuple(release for release, _ in made)
    ordered = order_releases(releases, stand(ruling, releases, {}))
    standing = stand(ruling, ordered, {})
    folder = folder_of(slug, by_version[ordered[0].version])
    judgement = Judgement(find_problems(folder, Slug(slug)), (), (), ContextCost(0, 0, ()))
    listing = assemble_listing(
        (Owner(owner), Slug(slug)), folder, ordered, judgement, holds_slug, standing, retained=False
    )
    known = {code.code for code in folder.findings}
    listing = replace(listing, codes=tuple(sorted({*listing.codes, *known})))
    skill = PublishedSkill(hub, listing, ordered, folder, judgement, standing)
    served = {one.version for one in standing.releases if one.servable}
    return Made(skill, {version: data for version, data in archives.items() if version in served})


def _release(slug: str, version: str, files: Files, seen: TimeMs, blocked: bool) -> tuple[Release, bytes]:
    package = package_of(slug, files)
    packed = pack_archive(package.files)
    verdict = ScanVerdict.BLOCK if blocked else ScanVerdict.ALLOW
    release = Release(
        version=Version(version),
        first_seen=seen,
        hashes=compute_hashes(package.files),
        archive=Archive(Sha256(sha256(packed.data).hexdigest()), len(packed.data)),
        files=tuple(
            FileEntry(f.path, f.size, f.sha256, media_type(f.path), f.executable, packed.offsets[f.path])
            for f in package.files
        ),
        scan=ScanReport("skillpress-scan", "1+0123456789ab", verdict, len(files)),
        source="skills",
        folder=slug,
        description="",
        license=None,
    )
    return release, packed.data


def routes_of(
    made: Sequence[Made],
    hub: Hub = HUB,
    collections: Mapping[str, Sequence[str]] | None = None,
    *,
    headers: bool = True,
) -> dict[str, Route]:
    """Every route that these protocols have on a hub where each is a file, by its path."""
    skills = [one.indexed for one in made]
    groups = {
        name: [(Owner(key.partition("/")[0]), Slug(key.partition("/")[2])) for key in keys]
        for name, keys in (collections or {}).items()
    }
    routes = [
        *agent_skills.hub_routes(hub, skills, groups),
        *agent_skills_legacy.hub_routes(skills, headers=headers),
        *agentskills_http.hub_routes(skills, headers=headers),
        *skill_service.hub_routes(hub, skills),
    ]
    for one in made:
        owner, slug = one.skill.listing.owner, one.skill.listing.slug
        routes += [
            *agent_skills.skill_answers(one.skill),
            *agent_skills_legacy.skill_files(one.skill, headers=headers),
            *agentskills_http.skill_answers(one.skill, headers=headers),
            *agentskills_http.skill_files(one.skill, headers=headers),
            *apm.skill_answers(one.skill),
            *bundles.skill_files(one.skill),
        ]
        for version, data in one.archives.items():
            routes.append(Route(f"/dl/{owner}/{slug}-{version}.zip", data, "application/zip"))
            routes.append(skill_archive.derive_route(owner, slug, version, data))
    by_path = {route.path: route for route in routes}
    assert len(by_path) == len(routes), "two protocols answer one route"
    return by_path
