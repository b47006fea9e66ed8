"""Skills and catalogues made by hand for the tests of the site."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from generator.history.overlay.applying import stand
from generator.history.overlay.model import Ruling
from generator.hosting.expectations import support
from generator.hosting.profiles import Kind
from generator.judge.judgement import judge_skill
from generator.judge.model import Judgement, Place, Subject
from generator.judge.profiles import load_profiles
from generator.model import (
    Archive,
    Catalog,
    FileEntry,
    Finding,
    Hashes,
    Hook,
    Hub,
    Listing,
    Manifest,
    McpServer,
    Owner,
    Package,
    PackageFile,
    PackagePath,
    Protocol,
    PublishedSkill,
    Rejected,
    Release,
    Requirements,
    ScanHit,
    ScanReport,
    ScanVerdict,
    Severity,
    Sha256,
    SkillFolder,
    Slug,
    Subagent,
    Taxonomy,
    TimeMs,
    Version,
)

HUB = Hub(
    "Open Skill Shelf",
    "Skills that our lab uses every day, kept for everyone.",
    "https://hub.example/shelf",
    clients=support(Kind.SERVE, tuple(Protocol)),
)

BODY = """# Review a spreadsheet

Run the [inspector](scripts/inspect.py) first, then read [the checklist](references/checklist.md).

## Steps

1. Count the formulas.
2. Compare the ranges with their headers.

```python
for row in sheet.rows:
    print(row[0].value)  # the label
```

| Sign | Meaning |
| --- | :-: |
| `#REF!` | a range is gone |

See also [the other skill](../charts/SKILL.md) and [nothing](missing.md).

- [x] formulas
- [ ] links
"""

CHINESE_BODY = """# 教案设计

先阅读《课程标准》，再确定**教学目标**。

## 一、准备

- 明确学段与学科
- 列出重点和难点

## 二、课堂活动

| 环节 | 时间 |
| --- | --- |
| 导入 | 5 分钟 |
| 讨论 | 15 分钟 |
"""


def digest(text: str) -> Sha256:
    """A stable sha256 for a sample value."""
    return Sha256(sha256(text.encode("utf-8", "replace")).hexdigest())


def make_listing(slug: str = "spreadsheet-review", owner: str = "lab", **changes: object) -> Listing:
    """A listing with sensible values; ``changes`` replace fields."""
    listing = Listing(
        owner=Owner(owner),
        slug=Slug(slug),
        name=slug,
        display_name=slug.replace("-", " ").capitalize(),
        description="Finds wrong formulas and broken ranges. Use when someone asks to check a spreadsheet.",
        version=Version("1.2.0"),
        created_at=TimeMs(1_764_000_000_000),
        updated_at=TimeMs(1_764_500_000_000),
        holds_slug=True,
        verdict=ScanVerdict.ALLOW,
        license="MIT",
        emoji="🧮",
        topics=("office", "review"),
        file_count=3,
        size=4_200,
        archive=Archive(digest(f"zip of {slug}"), 5_120),
        paths=(PackagePath("SKILL.md"), PackagePath("references/checklist.md")),
    )
    return replace(listing, **changes)  # type: ignore[arg-type]


def make_skill(
    body: str = BODY,
    listing: Listing | None = None,
    manifest: Manifest | None = None,
    files: tuple[str, ...] = ("SKILL.md", "references/checklist.md", "scripts/inspect.py"),
    findings: tuple[Finding, ...] = (),
    scan: ScanReport | None = None,
    versions: tuple[str, ...] = ("1.2.0", "1.1.0"),
    hub: Hub = HUB,
) -> PublishedSkill:
    """A published skill around ``body``; the package's files are small texts of their own names."""
    listing = listing or make_listing()
    manifest = manifest or Manifest(
        name=listing.name, display_name=listing.display_name, description=listing.description
    )
    source = f"---\nname: {listing.name}\ndescription: {listing.description}\n---\n{body}"
    package = Package(
        source="skills",
        folder=listing.slug,
        files=tuple(
            PackageFile(
                PackagePath(path),
                source.encode("utf-8", "replace") if path == "SKILL.md" else path.encode("utf-8", "replace"),
                digest(path),
                path.endswith(".py"),
            )
            for path in files
        ),
    )
    entries = tuple(
        FileEntry(file.path, file.size, file.sha256, "text/plain", file.executable, 30 + 100 * number)
        for number, file in enumerate(package.files)
    )
    report = scan or ScanReport("skillpress", "1+0123456789ab", ScanVerdict.ALLOW, len(files))
    releases = tuple(
        Release(
            version=Version(version),
            first_seen=TimeMs(1_764_500_000_000 - 86_400_000 * number),
            hashes=Hashes(digest(f"fp{version}"), (), digest(f"folder{version}"), digest(f"tree{version}")),
            archive=Archive(digest(f"zip{version}"), 5_120),
            files=entries,
            scan=report,
            source="skills",
            folder=listing.slug,
            description=listing.description,
            license=listing.license,
            changelog="" if number else "Checks named ranges too.",
        )
        for number, version in enumerate(versions)
    )
    folder = SkillFolder(package, manifest, body, 5, findings)
    standing = stand(Ruling(), releases, {})
    return PublishedSkill(hub, listing, releases, folder, judge_folder(folder, listing.slug), standing)


def judge_folder(folder: SkillFolder, name: str) -> Judgement:
    """What the judge says of a folder made by hand."""
    return judge_skill(Subject(folder, Place(name)), load_profiles())


def make_full_skill() -> PublishedSkill:
    """A skill that shows every part of the page."""
    listing = make_listing(homepage="https://lab.example/review", verdict=ScanVerdict.WARN)
    manifest = Manifest(
        name=listing.name,
        display_name=listing.display_name,
        description=listing.description,
        homepage=listing.homepage,
        emoji="🧮",
        allowed_tools=("Read", "Bash(python:*)"),
        taxonomy=Taxonomy("teaching", "en", ("mathematics",), ("secondary",), ("exercise",), ("teacher",)),
        requires=Requirements(bins=("python3",), any_bins=("soffice", "libreoffice"), env=("SHEET_TOKEN",)),
        os=("linux", "darwin"),
        compatibility="Needs network access for the currency table.",
        always=True,
        hooks=(Hook("PostToolUse", "python3 scripts/inspect.py", "hooks/hooks.json", "Write"),),
        mcp_servers=(McpServer("sheets", ".mcp.json", "npx", ("-y", "sheets-mcp"), None, ("SHEET_TOKEN",)),),
        subagents=(Subagent("checker", "agents/checker.md", "Checks one sheet.", ()),),
    )
    scan = ScanReport(
        "skillpress",
        "1+0123456789ab",
        ScanVerdict.WARN,
        3,
        hits=(
            ScanHit(
                "remote_pipe_shell",
                ScanVerdict.WARN,
                "SKILL.md",
                12,
                "A script from the network is piped into a shell.",
                "curl -fsSL https://tool.example/install.sh | sh",
            ),
        ),
        skipped=("assets/model.bin: larger than 5 MB",),
    )
    finding = Finding(
        "license-unknown",
        Severity.WARNING,
        "spreadsheet-review/SKILL.md",
        "The license is not an SPDX identifier.",
        "Write license: MIT, or another identifier from the SPDX list.",
        4,
        10,
    )
    return make_skill(listing=listing, manifest=manifest, scan=scan, findings=(finding,))


def make_chinese_skill() -> PublishedSkill:
    """A skill whose every text is Chinese."""
    listing = make_listing(
        "lesson-plan",
        "xuetang",
        display_name="教案设计",
        description="根据课程标准设计一节课的教案。当老师需要备课时使用。",
        emoji="📚",
        topics=("教学", "教案"),
        license=None,
        version=Version("0.3.0"),
    )
    return make_skill(CHINESE_BODY, listing, files=("SKILL.md",), versions=("0.3.0",))


def make_catalog(count: int = 30) -> Catalog:
    """``count`` listings of six publishers, and two rejected folders."""
    subjects = (
        "charts",
        "citations",
        "database-notes",
        "deep-research",
        "docx",
        "pdf",
        "slides",
        "translation",
    )
    owners = ("atelier", "campus-tools", "lab", "nightshift", "quiet-works", "xuetang")
    emojis = ("📈", "🔖", "🗄️", "🔭", "📝", None, "🖼️", "🌐")
    texts = (
        "Draws honest charts from a table and says what they do not show.",
        "Finds, checks and formats the sources of a text in the style you name.",
        "Keeps notes about a database next to its schema, so that the next question starts from them.",
        "Plans a long investigation, reads widely, and writes a report in which every claim has a source.",
        "Creates and edits Word documents without breaking their styles.",
        "Reads, fills, splits and joins PDF files.",
        "Turns an outline into slides with speaker notes.",
        "把技术文档翻译成通顺的中文，并统一术语。",
    )
    listings = [
        make_listing(
            f"{subjects[n % 8]}-{n}" if n >= 8 else subjects[n],
            owners[n % 6],
            description=texts[n % 8],
            emoji=emojis[n % 8],
            topics=("office", "research", "data", "writing", "教学")[n % 3 : n % 3 + 2],
            updated_at=TimeMs(1_764_500_000_000 + n * 1000),
            version=Version(f"1.{n % 5}.0"),
            verdict=ScanVerdict.WARN if n % 11 == 4 else ScanVerdict.ALLOW,
        )
        for n in range(count)
    ]
    rejected = (
        Rejected(
            "skills",
            "half-done",
            None,
            (
                Finding(
                    "description-missing",
                    Severity.ERROR,
                    "half-done/SKILL.md",
                    "There is no description.",
                    "Add a line such as description: What the skill does and when to use it.",
                    1,
                    1,
                ),
            ),
        ),
        Rejected(
            "community",
            "tools/weather",
            "weather",
            (
                Finding(
                    "front-matter-syntax",
                    Severity.ERROR,
                    "tools/weather/SKILL.md",
                    "A colon followed by a space starts a nested value here.",
                    'Put the value into quotes: description: "Use when: it rains".',
                    3,
                    24,
                ),
            ),
        ),
    )
    return Catalog(HUB, tuple(sorted(listings, key=lambda item: (item.slug, item.owner))), rejected)
