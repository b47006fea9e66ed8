"""From a scan report to the verdicts of the ClawHub API. Nothing is claimed that did not run.

What each verdict means to the three clients (ClawHub CLI 0.23.3, OpenClaw 2026.9.6, DeepTutor 2026-08-19):

=======  ==========  ====  ================  =====================================================
scan     status      ok    moderation        what a client does
=======  ==========  ====  ================  =====================================================
allow    clean       true  clean             installs
warn     suspicious  no    ``isSuspicious``  the CLI asks, or wants ``--force`` where nobody can
                                             answer; DeepTutor wants ``--allow-unverified``;
                                             OpenClaw prints its review box
error    error       no    ``isSuspicious``  the same: what could not be examined is not clean
block    malicious   no    ``isMalware-      every client refuses, and no archive is served
                           Blocked``
=======  ==========  ====  ================  =====================================================

A warning is told to all three clients alike: were ``moderation`` silent about it, the CLI would install what
``verify`` calls suspicious.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from generator.history.overlay.model import ReviewedHit, ReviewNote
from generator.model import ScanHit, ScanReport, ScanVerdict
from generator.write.protocols.clawhub_answers import Security, StaticScan
from generator.write.protocols.clawhub_types import (
    Decision,
    Evidence,
    Moderation,
    ReviewedFile,
    SecurityStatus,
)

_STATUS: dict[ScanVerdict, SecurityStatus] = {
    ScanVerdict.ALLOW: "clean",
    ScanVerdict.WARN: "suspicious",
    ScanVerdict.BLOCK: "malicious",
    ScanVerdict.ERROR: "error",
}
_MODERATION: dict[ScanVerdict, Literal["clean", "suspicious", "malicious"]] = {
    ScanVerdict.ALLOW: "clean",
    ScanVerdict.WARN: "suspicious",
    ScanVerdict.BLOCK: "malicious",
    ScanVerdict.ERROR: "suspicious",
}
_REASONS: dict[ScanVerdict, tuple[str, ...]] = {
    ScanVerdict.ALLOW: (),
    ScanVerdict.WARN: ("security.status_not_clean",),
    ScanVerdict.BLOCK: ("security.status_not_clean", "moderation.malware_blocked"),
    ScanVerdict.ERROR: ("security.error",),
}
_SEVERITY: dict[ScanVerdict, Literal["warn", "critical", "info"]] = {
    ScanVerdict.ALLOW: "info",
    ScanVerdict.WARN: "warn",
    ScanVerdict.BLOCK: "critical",
    ScanVerdict.ERROR: "critical",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """A scan report in the words of the API. The lists are shared between documents; nobody changes them."""

    status: SecurityStatus
    passed: bool
    decision: Decision
    reasons: list[str]
    summary: str
    security: Security
    evidence: list[Evidence]
    moderation: Moderation
    moderation_verdict: Literal["clean", "suspicious", "malicious"]


@lru_cache(maxsize=256)  # a clean scan of so many files says the same of every release
def judge(
    scan: ScanReport, reviewed: tuple[ReviewedHit, ...] = (), held: tuple[str, ...] = (), why: str = ""
) -> Judgement:
    """What the API says of a release with this scan report, whose verdict is the one after reviews.

    ``reviewed`` are hits that count as allowed. ``held`` are the reasons of an operator who holds the release back, and
    ``why`` is their sentence: never clean then, and never called malicious where the scan does not say so.
    """
    verdict = scan.verdict
    status: SecurityStatus = _STATUS[verdict]
    moderated = _MODERATION[verdict]
    if held and verdict is ScanVerdict.ALLOW:
        status, moderated = "suspicious", "suspicious"
    passed = verdict is ScanVerdict.ALLOW and not held
    reasons = [*_REASONS[verdict], *held]
    codes = list(dict.fromkeys(hit.rule for hit in scan.hits))
    summary = why if held else summarise(scan)
    notes = {one.hit: one.review for one in reviewed}
    static: StaticScan = {
        "status": _STATUS[verdict],
        "reasonCodes": codes,
        "engine": scan.engine,
        "ruleset": scan.ruleset,
        "filesExamined": scan.files,
        "filesSkipped": list(scan.skipped),
    }
    if reviewed:
        static["reviewed"] = list_reviewed(reviewed)
    return Judgement(
        status=status,
        passed=passed,
        decision="pass" if passed else "fail",
        reasons=reasons,
        summary=summary,
        security={
            "status": status,
            "passed": passed,
            "rawStatus": verdict.value,
            "verdict": status,
            "confidence": None,
            "summary": summary,
            "model": None,
            "checkedAt": None,
            "signals": {
                "staticScan": static,
                "virusTotal": None,
                "skillSpector": None,
                "dependencyRegistry": None,
            },
        },
        evidence=[_evidence(hit, notes.get(hit)) for hit in scan.hits],
        moderation={
            "isSuspicious": verdict in (ScanVerdict.WARN, ScanVerdict.ERROR),
            "isMalwareBlocked": verdict is ScanVerdict.BLOCK,
            "verdict": moderated,
            "reasonCodes": reasons + codes,
            "updatedAt": None,
            "engineVersion": f"{scan.engine} {scan.ruleset}",
            "summary": summary,
        },
        moderation_verdict=moderated,
    )


def summarise(scan: ScanReport) -> str:
    """One sentence that says what ran, on how much, and what came of it."""
    ran = f"{scan.engine} (rules {scan.ruleset}) examined {_count(scan.files, 'file')}"
    if scan.skipped:
        ran += f" and could not examine {len(scan.skipped)}"
    if scan.verdict is ScanVerdict.ERROR:
        return f"{ran}; the scan did not finish: {scan.error or 'unknown error'}. No other check was made."
    if not scan.hits:
        return f"{ran}; no rule matched. No other check was made."
    rules = len({hit.rule for hit in scan.hits})
    return f"{ran}; {_count(rules, 'rule')} matched, verdict {scan.verdict}. No other check was made."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def list_reviewed(reviewed: tuple[ReviewedHit, ...]) -> list[ReviewedFile]:
    """The hits that somebody looked into, as documents name them."""
    return [
        {
            "rule": one.hit.rule,
            "sha256": one.review.sha256,
            "file": one.hit.path,
            "line": one.hit.line or 0,
            "by": one.review.by,
            "reason": one.review.reason,
        }
        for one in reviewed
    ]


def _evidence(hit: ScanHit, note: ReviewNote | None) -> Evidence:
    evidence: Evidence = {
        "code": hit.rule,
        "severity": _SEVERITY[hit.level] if note is None else "info",
        "file": hit.path,
        "line": hit.line or 0,
        "message": hit.message,
        "evidence": hit.evidence,
    }
    if note is not None:
        evidence["reviewed"] = {"by": note.by, "reason": note.reason}
    return evidence
