"""Reports made by hand, ordinary and hostile, for the tests of the formats."""

from __future__ import annotations

from dataclasses import replace

from generator.check.model import CheckedSkill, FailOn, LooseFinding, Report
from generator.findings import finding
from generator.judge.model import Place, Profile
from generator.model import (
    Finding,
    Outcome,
    Owner,
    Package,
    PackageFile,
    PackagePath,
    Sha256,
    Slug,
    Verdict,
    Version,
)

HOSTILE = (
    "a\nb", "\x1b[31mred\x1b[0m", "\u202eright to left", "100% <b>&\"'</b>", "]]>", "::error::x", "x,y:z",
    "##[stop-commands]t", "\udce9\ud800", "\x00\x08\ufffe", "\u4e2d\u6587", "\u2028", "--><!--", "\U0001f600",
)  # fmt: skip
"""Texts that would break one format or another."""


def profile(ident: str) -> Profile:
    return Profile(
        id=ident, host=ident.partition("/")[0], label=ident, version="1", step="loads", evidence="executed",
        checked="2026-11-30", identity="folder", duplicates="", folders=(), reads={}, effects=(),
    )  # type: ignore[arg-type]  # fmt: skip


PROFILES = (profile("codex/0.171.0"), profile("deeptutor/list"), profile("deeptutor/hub-import"))
TEXT = "---\nname: pdf\ndescription: Use when: x\n---\n\nSee [it](a.md).\n"
UNQUOTED = replace(
    finding(
        "yaml-unquoted-colon", "skills/pdf/SKILL.md", "The value holds ': '", "Put it in quotes.", 3, 14, "Use when: x"
    ),
    hosts=("codex/0.171.0",),
)  # fmt: skip


def verdicts(*outcomes: Outcome, reason: str = "It cannot be read.") -> tuple[Verdict, ...]:
    return tuple(
        Verdict(p.id, p.version, outcome, "" if outcome is Outcome.LOAD else reason, ("yaml-unquoted-colon",), "pdf")
        for p, outcome in zip(PROFILES, outcomes, strict=True)
    )  # fmt: skip


def checked(*findings: Finding, path: str = "skills/pdf", **changes: object) -> CheckedSkill:
    file = PackageFile(PackagePath("SKILL.md"), TEXT.encode(), Sha256(""))
    made = CheckedSkill(
        path=path, shown=path, archive=None, disk=path, place=Place("pdf"), package=Package("skills", path, (file,)),
        name="pdf", owner=Owner("me"), slug=Slug("pdf"), version=Version("1.0.0"), findings=findings,
        verdicts=verdicts(Outcome.REFUSE, Outcome.LOSS, Outcome.LOAD),
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def report(*skills: CheckedSkill, loose: tuple[LooseFinding, ...] = (), asked: bool = False,
           fail_on: FailOn = FailOn.ERROR) -> Report:  # fmt: skip
    return Report(skills, loose, PROFILES, asked, fail_on)


def hostile_report(text: str, *, asked: bool = True) -> Report:
    """A report in which every text of unknown origin is ``text``."""
    path = f"skills/{text}"
    made = Finding("symlink-skipped", UNQUOTED.severity, f"{path}/SKILL.md", text, text, 3, 14, (), text)
    whole = replace(made, path=path, line=None, column=None)
    return report(
        checked(made, whole, path=path, name=text, verdicts=verdicts(*[Outcome.REFUSE] * 3, reason=text)),
        checked(replace(made, path="x/SKILL.md"), path="x", shown=f"d/{text}.zip", archive=f"d/{text}.zip"),
        loose=(LooseFinding(whole, text),),
        asked=asked,
    )
