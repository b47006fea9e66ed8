"""Skills for the tests of the npm tree and of Claude Code's marketplace, with real archives and ledger facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from generator.history.overlay.applying import order_releases, stand
from generator.history.overlay.model import Ruling
from generator.model import (
    Catalog,
    Hub,
    Listing,
    Manifest,
    Owner,
    Package,
    PackageFile,
    PackagePath,
    PublishedSkill,
    Release,
    Route,
    ScanVerdict,
    Sha256,
    SkillFolder,
    Slug,
    TimeMs,
    Version,
)
from generator.write.protocols.claude_code import hub_routes, skill_answers, skill_files
from generator.write.protocols.claude_code_bundle import BundledSkill, PackedBundle, pack_bundle
from generator.write.protocols.claude_code_ledger import BundleMember, advance
from generator.write.protocols.claude_code_package import skill_tarball
from generator.write.protocols.npm_tarball import digest_tarball
from tests.golden.samples import UNJUDGED, release

HUB = Hub("Test hub 演示", "Skills for tests", "https://hub.example/base")
START = 1_700_000_000_000
DAY = 86_400_000

HOOKS = (
    '{"hooks":{"SessionStart":[{"hooks":[{"type":"command",'
    '"command":"sh ${CLAUDE_PLUGIN_ROOT}/scripts/start.sh"}]}]}}'
)
SERVERS = '{"mcpServers":{"notes":{"command":"python3","args":["${CLAUDE_PLUGIN_ROOT}/scripts/server.py"]}}}'
AGENT = "---\nname: reviewer\ndescription: Reviews notes.\n---\nYou review notes in ${CLAUDE_PLUGIN_ROOT}.\n"
COMMAND = "---\ndescription: Opens the notes.\n---\nOpen the notes.\n"
PLUGIN = '{"name": "own-plugin", "version": "0.0.1", "description": "A plugin of its own."}\n'

Contents = Mapping[str, str | bytes]


def skill_md(name: str, more: str = "") -> str:
    """A manifest with a body."""
    return f"---\nname: {name}\ndescription: Does what {name} does 数据.\n---\n# {name}\n{more}"


def files_of(contents: Contents) -> tuple[PackageFile, ...]:
    """Package files; those below ``scripts/`` are executable."""
    made = []
    for path, content in sorted(contents.items()):
        data = content if isinstance(content, bytes) else content.encode()
        digest = Sha256(sha256(data).hexdigest())
        made.append(PackageFile(PackagePath(path), data, digest, path.startswith("scripts/")))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Made:
    """A published skill, and the files of each version."""

    skill: PublishedSkill
    files: dict[Version, tuple[PackageFile, ...]]

    @property
    def tarballs(self) -> dict[Version, bytes]:
        """The tarball of each version."""
        listing = self.skill.listing
        return {
            one.version: skill_tarball(listing.owner, listing.slug, one, self.files[one.version])
            for one in self.skill.releases
        }

    def contents(self, version: str) -> dict[str, bytes]:
        """The bytes of one version's files."""
        return {str(file.path): file.data for file in self.files[Version(version)]}


def make(
    slug: str,
    versions: Mapping[str, Contents],
    *,
    owner: str = "acme",
    hub: Hub = HUB,
    ruling: Ruling = Ruling(),  # noqa: B008  (frozen)
    verdicts: Mapping[str, ScanVerdict] | None = None,
    **changes: object,
) -> Made:
    """A published skill; ``versions`` are oldest first, ``changes`` replace fields of its listing."""
    files = {Version(version): files_of(contents) for version, contents in versions.items()}
    judged = verdicts or {}
    releases = [
        replace(
            release(data, version, TimeMs(START + DAY * number), judged.get(version, ScanVerdict.ALLOW))[0],
            description=f"Does what {slug} does 数据.",
        )
        for number, (version, data) in enumerate(files.items())
    ]
    standing = stand(ruling, releases, {})
    ordered = order_releases(releases, standing)
    latest = ordered[0]
    listing = Listing(
        owner=Owner(owner),
        slug=Slug(slug),
        name=slug,
        display_name=slug,
        description=latest.description,
        version=latest.version,
        created_at=releases[0].first_seen,
        updated_at=latest.first_seen,
        holds_slug=True,
        verdict=latest.scan.verdict,
        license="Apache-2.0",
    )
    listing = replace(listing, **changes)  # type: ignore[arg-type]
    manifest = Manifest(name=slug, display_name=slug, description=listing.description)
    folder = SkillFolder(Package("skills", slug, files[latest.version]), manifest, "", 5, ())
    return Made(PublishedSkill(hub, listing, ordered, folder, UNJUDGED, standing), files)


def bundle_of(hub: Hub, name: str, made: Iterable[Made], ledger: bytes = b"") -> tuple[PackedBundle, bytes]:
    """A collection of the latest versions of these skills, and its ledger after that."""
    members, bundled = [], []
    for one in made:
        latest: Release = one.skill.latest
        listing = one.skill.listing
        members.append(BundleMember(listing.owner, listing.slug, latest.version, latest.archive.sha256))
        bundled.append(BundledSkill(listing.owner, listing.slug, one.files[latest.version]))
    advanced = advance(ledger, members, TimeMs(START), name)
    assert advanced.latest is not None
    bundle = advanced.latest
    packed = pack_bundle(
        hub, name, name.title(), "For the office.", bundle.version, bundle.first_seen, bundled
    )
    return packed, advanced.ledger


def routes_of(hub: Hub, made: Iterable[Made], bundles: Iterable[PackedBundle] = ()) -> tuple[Route, ...]:
    """All routes of the protocol for a hub with these skills and collections."""
    skills, packed = tuple(made), tuple(bundles)
    routes: list[Route] = []
    for one in skills:
        tarballs = one.tarballs
        known = {version: digest_tarball(data) for version, data in tarballs.items()}
        routes += skill_answers(one.skill, known)
        routes += skill_files(one.skill, tarballs)
    for bundle in packed:
        routes += (bundle.tarball, bundle.packument)
    listings = sorted((one.skill.listing for one in skills), key=lambda one: (one.slug, one.owner))
    catalog = Catalog(hub, tuple(listings), ())
    routes += hub_routes(catalog, [bundle.listing for bundle in packed])
    return tuple(routes)
