"""A whole check: nothing a folder holds ends it, and skills meet those that a host would meet them with."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.check import run
from generator.check.fixing import diff_lines, mend_skills
from generator.check.formats.document import check_document
from generator.check.formats.github import github_lines
from generator.check.formats.junit import junit_lines
from generator.check.formats.sarif import sarif_document
from generator.check.formats.text import text_lines
from generator.check.model import Report
from generator.check.run import Request, run_check
from generator.errors import SourceError
from generator.judge.model import Judgement, Outcome, Profile, Subject
from tests.check.places import PROBES, put, put_probes, skill_text

RTL = "\u202e".encode()


def check(*paths: object) -> Report:
    return run_check(Request(tuple(map(str, paths)))).report


def defects(report: Report) -> set[str]:
    """Codes behind which a check hides a defect of ours."""
    return {"skill-unjudged", "skill-unreadable"} & {found.code for found in report.findings()}


def print_all(report: Report) -> None:
    """Every format, as the command prints it."""
    assert all(line.isprintable() for line in text_lines(report, colour=False))
    assert all(line.isprintable() for line in github_lines(report))
    assert all(line.isascii() for line in junit_lines(report))
    json.dumps(check_document(report)).encode()
    json.dumps(sarif_document(report), ensure_ascii=False).encode("utf-8")
    assert all(line.isprintable() for line in diff_lines(mend_skills(report), colour=False))


def test_every_probe_in_every_format(tmp_path: Path) -> None:
    report = check(put_probes(tmp_path / "probes"))
    assert not defects(report)
    print_all(report)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_mutated_probes_in_every_format(tmp_path_factory: pytest.TempPathFactory, rnd: random.Random) -> None:
    texts = [e["text"].encode() for p in PROBES for e in p["files"].values() if "text" in e]
    data = bytearray(rnd.choice(texts))
    for _ in range(rnd.randint(1, 6)):
        at = rnd.randrange(len(data) + 1)
        data[at : at + rnd.randint(0, 3)] = rnd.choice(
            [b"\0", b"\xff", b"\r", b"\n", b"---\n", b": ", b"\t", b"'", b'"', b"[", b"{", b"&a ", b"*a", RTL]
        )
    folder = tmp_path_factory.mktemp("skill")
    (folder / "SKILL.md").write_bytes(bytes(data))
    report = check(folder)
    assert not defects(report)
    print_all(report)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_in_every_format(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("skill")
    (folder / "SKILL.md").write_bytes(data)
    (folder / "x.zip").write_bytes(data)
    report = check(folder, folder / "x.zip")
    assert not defects(report)
    print_all(report)


def names_taken(report: Report) -> dict[str, str]:
    """What Hermes, which keeps the first skill of a name, does with each."""
    return {s.path: v.outcome.value for s in report.skills for v in s.verdicts if v.host == "hermes/0.19.0"}


def test_skills_of_one_folder_take_names_from_each_other(tmp_path: Path) -> None:
    put(tmp_path / "skills/a", skill_text("x"))
    put(tmp_path / "skills/b", skill_text("x").replace("one thing", "another"))
    assert names_taken(check(tmp_path)) == {"skills/a": "load", "skills/b": "loss"}


SIDE_BY_SIDE = {
    "one folder of skills": (("skills/a", "skills/b"), True),
    "grouped in one": (("skills/x/a", "skills/y/b"), True),
    "one without that name": (("a", "b"), True),
    "grouped without that name": (("x/a", "y/b"), True),
    "for two agents": (("skills/a", ".claude/skills/b"), False),
    "in two languages": (("skills/a", "docs/zh-CN/skills/b"), False),
    "of two plugins": (("plugins/p/skills/a", "plugins/q/skills/b"), False),
    "in the settings of a project that is a skill": ((".agents/skills/a", ".claude/skills/b", ""), False),
}
"""Skills of one name: where they lie, and whether they can be meant to be installed side by side."""


@pytest.mark.parametrize(("folders", "told"), SIDE_BY_SIDE.values(), ids=SIDE_BY_SIDE)
def test_a_shared_name_is_told_where_skills_lie_side_by_side(
    tmp_path: Path, folders: tuple[str, ...], told: bool
) -> None:
    for number, folder in enumerate(folders):
        put(tmp_path / folder, skill_text("x" if folder else "repo").replace("one thing", f"thing {number}"))
    for skill in check(tmp_path).skills:
        assert ("name-collision-in-registry" in {f.code for f in skill.findings}) is told


def test_skills_of_two_folders_take_no_names_from_each_other(tmp_path: Path) -> None:
    put(tmp_path / "skills/a", skill_text("x"))
    put(tmp_path / ".claude/skills/b", skill_text("x").replace("one thing", "another"))
    assert names_taken(check(tmp_path)) == {".claude/skills/b": "load", "skills/a": "load"}


def test_a_shared_name_is_told_however_the_skills_were_named(tmp_path: Path) -> None:
    for name in ("a", "b"):
        put(tmp_path / "skills" / name, skill_text("x"))
    for skill in check(tmp_path / "skills/a", tmp_path / "skills/b").skills:
        assert "name-collision-in-registry" in {f.code for f in skill.findings}


def test_a_link_to_a_sibling_is_told_by_whether_it_is_there(tmp_path: Path) -> None:
    put(tmp_path / "skills/a", skill_text("a") + "See [x](../lost/SKILL.md) and [y](../b/SKILL.md).\n")
    put(tmp_path / "skills/b", skill_text("b"))
    for paths in (["skills"], ["."], ["skills/a", "skills/b"]):
        skill = next(s for s in check(*(tmp_path / path for path in paths)).skills if s.name == "a")
        told = {f.text: f.code for f in skill.findings if "sibling" in f.code}
        assert told == {
            "../lost/SKILL.md": "link-sibling-missing", "../b/SKILL.md": "link-to-sibling-skill",
        }  # fmt: skip


PROJECT_SKILLS = {
    ".claude/skills/a": ("a", None),
    ".agents/skills/group/a": ("group/a", None),
    ".claude/skills/a/inner": ("a/inner", "a"),
    "skills/a": ("repo/skills/a", "repo"),
    "docs/a": ("repo/docs/a", "repo"),
}
"""Skills of a project that is a skill itself: their place, and the skill around them."""


@pytest.mark.parametrize(("folder", "place"), PROJECT_SKILLS.items(), ids=PROJECT_SKILLS)
def test_skills_in_an_agents_settings_are_not_nested(
    tmp_path: Path, folder: str, place: tuple[str, str | None]
) -> None:
    put(tmp_path / "repo", skill_text("repo"))
    put(tmp_path / "repo/.claude/skills/a", skill_text("a"))
    put(tmp_path / "repo" / folder, skill_text(folder.rpartition("/")[2]))
    skill = next(s for s in check(tmp_path / "repo").skills if s.path == f"repo/{folder}")
    assert (skill.place.folder, skill.place.inside) == place
    nested = "nested-skill-md" in {f.code for f in skill.findings}
    assert nested is (place[1] is not None)


def test_what_a_hub_cannot_call_a_skill_is_told(tmp_path: Path) -> None:
    put(tmp_path / "export", skill_text("export", "version: one\n"))
    (skill,) = check(tmp_path / "export").skills
    assert {"slug-reserved", "version-invalid"} <= {found.code for found in skill.findings}
    assert (skill.slug, skill.version) == (None, "1.0.0")


def test_a_defect_of_ours_costs_one_skill_its_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "skills/a")
    put(tmp_path / "skills/b")
    real = run.judge_skill

    def fails_on_a(subject: Subject, profiles: Sequence[Profile]) -> Judgement:
        if subject.place.folder == "a":
            raise RecursionError
        return real(subject, profiles)

    monkeypatch.setattr(run, "judge_skill", fails_on_a)
    report = check(tmp_path / "skills")
    a, b = report.skills
    assert ([f.code for f in a.findings], a.verdicts) == (["skill-unjudged"], ())
    assert b.verdicts
    assert defects(report) == {"skill-unjudged"}
    print_all(report)


def test_one_skill_named_twice_is_checked_once(tmp_path: Path) -> None:
    put(tmp_path / "skills/pdf")
    report = check(tmp_path / "skills", tmp_path / "skills/pdf", tmp_path / "skills/pdf/SKILL.md")
    assert [skill.path for skill in report.skills] == [f"{tmp_path}/skills/pdf"]
    assert report.skills[0].findings == ()


def test_mending_a_collection_ends_and_stays(tmp_path: Path) -> None:
    """What is mended needs no mending again, and no error appears that was not there."""
    from generator.check.fixing import apply_mends
    from generator.model import Severity

    root = put_probes(tmp_path / "probes")
    before = check(root)
    told = list(apply_mends(mend_skills(before)))
    assert len(told) > 20
    after = check(root)
    assert mend_skills(after) == () or all("not mended" in line for line in apply_mends(mend_skills(after)))
    errors = {s.path: {f.code for f in s.findings if f.severity is Severity.ERROR} for s in before.skills}
    for skill in after.skills:
        assert {f.code for f in skill.findings if f.severity is Severity.ERROR} <= errors[skill.path], (
            skill.path
        )


def test_a_current_folder_that_is_gone(tmp_path: Path) -> None:
    put(tmp_path / "skills/pdf")
    gone = tmp_path / "gone"
    gone.mkdir()
    here = os.getcwd()
    try:
        os.chdir(gone)
        gone.rmdir()
        with pytest.raises(SourceError, match="no longer exists"):
            check(tmp_path / "skills")
    finally:
        os.chdir(here)


def test_a_finding_names_the_hosts_that_do_not_load_the_skill_for_it(tmp_path: Path) -> None:
    """Codex repairs such a value and loads the skill: whoever asks about Codex alone has nothing to mend."""
    put(tmp_path / "pdf", skill_text("pdf").replace("Does one thing.", "Use when: x."))
    (skill,) = check(tmp_path / "pdf").skills
    (found,) = (one for one in skill.findings if one.code == "yaml-unquoted-colon")
    outcomes = {verdict.host: verdict.outcome for verdict in skill.verdicts}
    assert {outcomes[host] for host in found.hosts} <= {Outcome.LOSS, Outcome.REFUSE, Outcome.CRASH}
    assert "codex/0.171.0" not in found.hosts
    assert "deerflow/load" in found.hosts
    for hosts, failed in ((("codex",), False), (("deerflow",), True), ((), True)):
        assert run_check(Request((str(tmp_path),), hosts)).report.failed() is failed


def test_a_gate_that_a_host_misreads_names_it_though_it_loads_the_skill(tmp_path: Path) -> None:
    put(tmp_path / "pdf", skill_text("pdf", "always: 'no'\n"))
    (skill,) = check(tmp_path / "pdf").skills
    loading = [v for v in skill.verdicts if v.outcome is Outcome.LOAD and v.codes]
    named = {found.code: found.hosts for found in skill.findings}
    assert all(set(named[code]) for v in loading for code in v.codes)
