"""What a build tells its operator, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass

from generator.findings import BARRING
from generator.model import Finding, Rejected

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
class Summary:
    """What a build did. ``skills`` counts what the hub now holds; ``unchanged`` what needed no work.

    ``folders`` = skills of this build's sources + ``not_published``; ``retained`` skills come on top: they are
    served as they were published before, because no folder gives them now or theirs is refused.
    """

    hub: str
    folders: int
    skills: int
    published: tuple[PublishedLine, ...]
    unchanged: int
    retained: int
    not_published: tuple[NotPublished, ...]
    source_findings: tuple[Finding, ...]
    files_written: int


def not_published(rejected: Rejected) -> NotPublished:
    """The summary line of a rejected folder."""
    barring = [found for found in rejected.findings if found.code in BARRING]
    first = barring[0]
    place = first.path if first.line is None else f"{first.path}:{first.line}"
    return NotPublished(
        rejected.source, rejected.folder, tuple(dict.fromkeys(found.code for found in barring)),
        f"{place}: {first.message}. {first.fix[:1].upper()}{first.fix[1:]}",
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
        "sourceFindings": [
            {"code": found.code, "path": found.path, "message": found.message, "fix": found.fix}
            for found in summary.source_findings
        ],
        "seconds": round(seconds, 3),
    }  # fmt: skip


def summary_lines(summary: Summary, seconds: float | None, *, out: str) -> list[str]:
    """The summary for people."""
    lines = [
        f"not published  {line.source}/{line.folder}: {line.reason}"
        for line in summary.not_published[:MAX_LINES]
    ]
    if len(summary.not_published) > MAX_LINES:
        lines.append(f"... and {len(summary.not_published) - MAX_LINES} more; all are in {out}/report.json")
    lines += [
        f"note           {found.path}: {found.message}" for found in summary.source_findings[:MAX_LINES]
    ]
    new = sum(line.new_release for line in summary.published)
    lines.append(
        f"{summary.skills} skills in {out}: {new} new releases, {len(summary.published) - new} rendered again, "
        f"{summary.unchanged} unchanged, {summary.retained} kept as published before; "
        f"{len(summary.not_published)} folders not published; {summary.files_written} files written"
        + ("" if seconds is None else f" in {seconds:.2f} s")
    )
    return lines
