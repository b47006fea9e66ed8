"""What a build tells its operator, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.findings import BARRING
from generator.model import ClientSupport, Finding, Listing, Rejected, ScanVerdict

MAX_LINES = 20


@dataclass(frozen=True, slots=True)
class PublishedLine:
    """A skill that this build published or rendered anew. ``new_release`` says it gained a version."""

    owner: str
    slug: str
    version: str
    new_release: bool
    verdict: str
    findings: int


@dataclass(frozen=True, slots=True)
class NotPublished:
    """A folder that is not published, the codes that bar it, and the first reason in words."""

    source: str
    folder: str
    codes: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Flagged:
    """A published skill whose latest release the security scan does not simply allow."""

    owner: str
    slug: str
    version: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Shadowed:
    """A skill of an earlier source that a later source's skill of the same address stands in front of."""

    owner: str
    slug: str
    folder: str
    by: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What a build did. ``skills`` counts what the hub now holds; ``unchanged`` what needed no work.

    ``folders`` = skills of this build's sources + ``not_published`` + ``shadowed``; ``retained`` skills come on
    top: they are served as they were published before, because no folder gives them now or theirs is refused.
    ``flagged`` and ``with_findings`` (a count) speak of the whole hub, not only of what this build did. ``hosting`` is
    the host it was built for, empty where none was named, ``clients`` how far each gets there.
    """

    hub: str
    folders: int
    skills: int
    published: tuple[PublishedLine, ...]
    unchanged: int
    retained: int
    not_published: tuple[NotPublished, ...]
    source_findings: tuple[Finding, ...]
    flagged: tuple[Flagged, ...]
    with_findings: int
    files_written: int
    shadowed: tuple[Shadowed, ...] = ()
    hosting: str = ""
    clients: tuple[ClientSupport, ...] = ()


def flag(listings: Sequence[Listing]) -> tuple[Flagged, ...]:
    """The skills that the scan does not simply allow, blocked ones first."""
    order = (ScanVerdict.BLOCK, ScanVerdict.ERROR, ScanVerdict.WARN)
    return tuple(
        Flagged(one.owner, one.slug, one.version, verdict.value)
        for verdict in order
        for one in listings
        if one.verdict is verdict
    )


def not_published(rejected: Rejected) -> NotPublished:
    """The summary line of a rejected folder."""
    barring = [found for found in rejected.findings if found.code in BARRING]
    first = barring[0]
    place = first.path if first.line is None else f"{first.path}:{first.line}"
    return NotPublished(
        rejected.source, rejected.folder, tuple(dict.fromkeys(found.code for found in barring)),
        f"{rejected.source}/{place}: {first.message}. {first.fix[:1].upper()}{first.fix[1:]}",
    )  # fmt: skip


def summary_document(summary: Summary, seconds: float) -> dict[str, object]:
    """The summary as ``build --json`` prints it; the shape is documented in ``docs/cli.md``."""
    return {
        "schema": "skillpress.build.v1",
        "hub": summary.hub,
        "counts": {
            "folders": summary.folders,
            "skills": summary.skills,
            "published": len(summary.published),
            "unchanged": summary.unchanged,
            "retained": summary.retained,
            "notPublished": len(summary.not_published),
            "shadowed": len(summary.shadowed),
            "flagged": len(summary.flagged),
            "withFindings": summary.with_findings,
            "filesWritten": summary.files_written,
        },
        "published": [
            {
                "owner": line.owner, "slug": line.slug, "version": line.version,
                "newRelease": line.new_release, "verdict": line.verdict, "findings": line.findings,
            }
            for line in summary.published
        ],
        "notPublished": [
            {"source": line.source, "folder": line.folder, "codes": list(line.codes), "reason": line.reason}
            for line in summary.not_published
        ],
        "shadowed": [
            {"owner": one.owner, "slug": one.slug, "folder": one.folder, "by": one.by} for one in summary.shadowed
        ],
        "flagged": [
            {"owner": one.owner, "slug": one.slug, "version": one.version, "verdict": one.verdict}
            for one in summary.flagged
        ],
        "sourceFindings": [
            {"code": found.code, "path": found.path, "message": found.message, "fix": found.fix}
            for found in summary.source_findings
        ],
        "hosting": summary.hosting or None,
        "clients": [
            {"client": one.name, "title": one.title, "level": one.level, "reason": one.reason}
            for one in summary.clients
        ],
        "seconds": round(seconds, 3),
    }  # fmt: skip


def summary_lines(summary: Summary, seconds: float | None, *, out: str) -> list[str]:
    """The summary for people."""
    new = [f"{one.owner}/{one.slug}@{one.version}" for one in summary.published if one.new_release]
    lines = _some("published", new, f"all are in {out}/api/v1/skills")
    lines += _some(
        "not published", [line.reason for line in summary.not_published], f"all are in {out}/report.json"
    )
    lines += _some(
        "security scan",
        [f"{one.owner}/{one.slug}@{one.version}: {_SAYS[one.verdict]}" for one in summary.flagged],
        "each page says why",
    )
    lines += _some(
        "shadowed",
        [f"{one.owner}/{one.slug}: {one.by} stands in front of {one.folder}" for one in summary.shadowed],
        "",
    )
    if summary.hosting:
        less = [f"{one.title}: {_LEVELS[one.level]}; {one.reason}" for one in summary.clients if one.reason]
        lines += _some("host", [f"{summary.hosting}: {text}" for text in less], "")
    lines += _some("note", [f"{note.path}: {note.message}" for note in summary.source_findings], "")
    if summary.with_findings:
        lines.append(
            f"{_count(summary.with_findings, 'published skill')} with advice for the author; each page shows it"
        )
    again = len(summary.published) - len(new)
    lines.append(
        f"{_count(summary.skills, 'skill')} in {out}: {_count(len(new), 'new release')}, {again} written again, "
        f"{summary.unchanged} unchanged, {summary.retained} kept from earlier builds; "
        f"{_count(len(summary.not_published), 'folder')} not published; "
        f"{_count(summary.files_written, 'file')} written"
        + ("" if seconds is None else f" in {seconds:.2f} s")
    )
    return lines


_LEVELS = {"part": "works in part", "fails": "cannot install", "absent": "not served"}
_SAYS = {
    "block": "blocked, installers refuse it",
    "warn": "worth a look, installers ask first",
    "error": "not examined, installers ask first",
}


def _some(what: str, texts: Sequence[str], rest: str) -> list[str]:
    lines = [f"{what:<14} {text}" for text in texts[:MAX_LINES]]
    if len(texts) > MAX_LINES:
        lines.append(f"{what:<14} ... and {len(texts) - MAX_LINES} more{'; ' if rest else ''}{rest}")
    return lines


def _count(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"
