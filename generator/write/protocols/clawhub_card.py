"""The skill card: what a release is, as Markdown that people and agents read.

Text of an author is escaped so that it stays text in any CommonMark renderer: no markup, no HTML, no links.
"""

from __future__ import annotations

from functools import lru_cache

from generator.history.overlay.effects import refuse_release, skill_badges
from generator.history.overlay.model import ReleaseStanding
from generator.model import Manifest, PublishedSkill, Release, ScanVerdict
from generator.write.protocols.clawhub_rows import page_url
from generator.write.protocols.clawhub_security import Judgement

_MARKS = "\\`*_{}[]()<>#+-.!|~&:@$^=\"'"
_ESCAPED_MARKS = tuple((mark, f"\\{mark}") for mark in _MARKS)
_UNSEEN = (
    (0x00, 0x1F), (0x7F, 0x9F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F),
    (0xFEFF, 0xFEFF), (0xE0000, 0xE007F),
)  # fmt: skip
_ESCAPES: dict[int, str | None] = {ord(mark): f"\\{mark}" for mark in _MARKS} | dict.fromkeys(
    code for first, last in _UNSEEN for code in range(first, last + 1)
)

FILES_SHOWN = 200
"""Files listed in a card; the rest is counted."""


def escape_markdown(text: str) -> str:
    """Author text as one line of inert Markdown: every ASCII mark escaped, controls and bidi dropped."""
    line = " ".join(text.split())
    if not line.isprintable():
        return line.translate(_ESCAPES)
    # Nothing to drop, which is nearly always: the backslash comes first, and most marks are not there.
    for mark, escaped in _ESCAPED_MARKS:
        if mark in line:
            line = line.replace(mark, escaped)
    return line


def standing_of(skill: PublishedSkill, release: Release) -> ReleaseStanding:
    """What holds for one of a skill's releases."""
    one = skill.standing.of(release.version)
    assert one is not None
    return one


def skill_card(skill: PublishedSkill, release: Release, judgement: Judgement) -> str:
    """The card of one release. Requirements are shown for the latest release, whose manifest we have."""
    listing = skill.listing
    lines = [
        f"# {escape_markdown(listing.display_name)}",
        "",
        escape_markdown(release.description),
        "",
        f"- Skill: `@{listing.owner}/{listing.slug}`",
        f"- Version: `{release.version}`",
        f"- License: {escape_markdown(release.license) if release.license else 'not stated'}",
        f"- Page: <{page_url(skill.hub, listing.owner, listing.slug)}>",
        f"- Fingerprint: `{release.hashes.fingerprint}`",
        f"- Folder hash: `{release.hashes.folder}`",
        f"- Tree hash: `{release.hashes.tree}`",
    ]
    standing = standing_of(skill, release)
    refusal = refuse_release((listing.owner, listing.slug), standing)
    if refusal is not None and standing.quarantined is not None:
        lines.append(f"- Archive: not served, {escape_markdown(refusal.text)}")
    elif release.scan.verdict is ScanVerdict.BLOCK:
        lines.append("- Archive: not served, the security scan blocked this release")
    else:
        lines.append(f"- Archive: sha256 `{release.archive.sha256}`, {release.archive.size} bytes")
    lines.append("- Signature: none")
    if standing.yanked is not None:
        lines.append(f"- Yanked: {escape_markdown(standing.yanked)}")
    lines += [
        f"- {badge.word}: {escape_markdown(badge.text)}"
        for badge in skill_badges(skill.standing)
        if badge.kind in ("deprecated", "archived")
    ]
    lines += ["", "## Security scan", ""]
    lines.append(_status(judgement.status, judgement.summary))
    if release.scan.hits:
        lines.append("")
        notes = {one.hit: one.review for one in standing.reviewed}
        for hit in release.scan.hits:
            place = f"{hit.path}:{hit.line}" if hit.line else hit.path
            message = escape_markdown(hit.message)
            if (note := notes.get(hit)) is not None:
                message += f"; reviewed by {escape_markdown(note.by)}: {escape_markdown(note.reason)}"
            lines.append(f"- {hit.level}: {escape_markdown(hit.rule)} in {escape_markdown(place)}: {message}")
    if release is skill.latest:
        lines += _requirements(skill.manifest)
    lines += ["", f"## Files ({len(release.files)})", ""]
    lines += [
        f"- {escape_markdown(file.path)} ({file.size} bytes, sha256 `{file.sha256}`)"
        for file in release.files[:FILES_SHOWN]
    ]
    if len(release.files) > FILES_SHOWN:
        lines.append(f"- and {len(release.files) - FILES_SHOWN} more")
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=256)  # few sentences differ: most releases are clean and have few files
def _status(status: str, summary: str) -> str:
    return f"Status: **{status}**. {escape_markdown(summary)}"


def _requirements(manifest: Manifest) -> list[str]:
    requires = manifest.requires
    wanted = [
        ("Programs", requires.bins),
        ("Any one of these programs", requires.any_bins),
        ("Environment variables", requires.env),
        ("Configuration", requires.config),
        ("Sandbox", requires.sandbox),
        ("Operating systems", manifest.os),
        ("Tools it may use", manifest.allowed_tools or ()),
    ]
    lines = [
        f"- {label}: {', '.join(escape_markdown(value) for value in values)}"
        for label, values in wanted
        if values
    ]
    if manifest.allowed_tools == ():
        lines.append("- Tools it may use: none")
    return ["", "## Requirements", "", *lines] if lines else []
