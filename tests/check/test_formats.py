"""Every format holds whatever a name or a message holds, and says what the report says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.check.formats.document import check_document
from generator.check.formats.github import github_lines
from generator.check.formats.junit import junit_lines
from generator.check.formats.sarif import sarif_document
from generator.check.formats.text import text_lines
from generator.check.model import FailOn, LooseFinding
from generator.findings import finding
from generator.model import Outcome
from tests.check.reports import HOSTILE, UNQUOTED, checked, hostile_report, report, verdicts
from tests.deps.install import SARIF_SCHEMA as SARIF

ROOT = Path(__file__).parents[2]
SARIF_SCHEMA = SARIF.folder / "lib" / "schemas" / "sarif-2.1.0-rtm.5.json"
CHECK_SCHEMA = ROOT / "generator/check/schemas/check.schema.json"


def sarif_schema() -> Any:
    if not SARIF_SCHEMA.is_file():
        pytest.fail("not installed: the SARIF schema; run `make test`", pytrace=False)
    return json.loads(SARIF_SCHEMA.read_text("utf-8"))


# --- text ------------------------------------------------------------------------------------------


def test_text_shows_place_source_caret_fix_hosts_and_verdicts() -> None:
    lines = list(text_lines(report(checked(UNQUOTED)), colour=False))
    assert lines == [
        "skills/pdf",
        "  skills/pdf/SKILL.md:3:14 error yaml-unquoted-colon The value holds ': '",
        "      3 | description: Use when: x",
        "        |              ^^^^^^^^^^^",
        "      Fix: Put it in quotes.",
        "      Hosts: codex/0.171.0",
        "  load:   deeptutor/hub-import",
        "  loss:   deeptutor/list - It cannot be read.",
        "  refuse: codex/0.171.0 - It cannot be read.",
        "",
        "Failed: 1 skill, 3 hosts; 1 error.",
    ]


def test_text_of_a_skill_that_every_host_loads() -> None:
    lines = list(text_lines(report(checked(verdicts=verdicts(*[Outcome.LOAD] * 3))), colour=False))
    assert lines == ["skills/pdf", "  load:   all 3 hosts", "", "Passed: 1 skill, 3 hosts; nothing found."]


def test_text_groups_hosts_by_reason() -> None:
    skill = checked(verdicts=verdicts(Outcome.REFUSE, Outcome.REFUSE, Outcome.CRASH, reason="It is torn."))
    assert list(text_lines(report(skill), colour=False))[1:3] == [
        "  refuse: codex/0.171.0, deeptutor/list - It is torn.",
        "  crash:  deeptutor/hub-import - It is torn.",
    ]


def test_text_gives_each_reason_a_line() -> None:
    first, second, third = verdicts(*[Outcome.REFUSE] * 3)
    skill = checked(verdicts=(first, replace(second, reason="It is torn."), third))
    assert list(text_lines(report(skill), colour=False))[1:3] == [
        "  refuse: codex/0.171.0, deeptutor/hub-import - It cannot be read.",
        "          deeptutor/list - It is torn.",
    ]


def test_text_names_few_loading_hosts_and_counts_many() -> None:
    few = checked(verdicts=verdicts(Outcome.LOAD, Outcome.LOAD, Outcome.REFUSE))
    assert list(text_lines(report(few), colour=False))[1] == "  load:   codex/0.171.0, deeptutor/list"
    many = tuple(replace(few.verdicts[0], host=f"h{number}/1") for number in range(9))
    lines = list(text_lines(report(replace(few, verdicts=(*many, few.verdicts[2]))), colour=False))
    assert lines[1] == "  load:   the other 9 hosts"


def test_colours_are_the_only_control_characters() -> None:
    painted = "\n".join(text_lines(report(checked(UNQUOTED)), colour=True))
    assert "\x1b[31merror\x1b[0m" in painted
    assert re.sub(r"\x1b\[\d+m", "", painted) == "\n".join(
        text_lines(report(checked(UNQUOTED)), colour=False)
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_text_obeys_nobody(text: str) -> None:
    for line in text_lines(hostile_report(text), colour=False):
        assert line.isprintable()
        assert "##[" not in line
        assert not line.lstrip().startswith("::")


# --- JSON ------------------------------------------------------------------------------------------


def test_json_holds_what_the_contract_names() -> None:
    loose = LooseFinding(finding("symlink-skipped", "skills/link", "m", "f"), "skills/link")
    document = check_document(report(checked(UNQUOTED), loose=(loose,)))
    jsonschema.validate(document, json.loads(CHECK_SCHEMA.read_text()))
    assert document["schema"] == "skillpress.check.v1"
    (skill,) = document["skills"]
    assert {k: skill[k] for k in ("path", "name", "owner", "slug", "version")} == {
        "path": "skills/pdf", "name": "pdf", "owner": "me", "slug": "pdf", "version": "1.0.0",
    }  # fmt: skip
    assert skill["findings"] == [
        {
            "code": "yaml-unquoted-colon", "severity": "error", "file": "skills/pdf/SKILL.md", "line": 3,
            "column": 14, "message": "The value holds ': '", "fix": "Put it in quotes.",
            "hosts": ["codex/0.171.0"], "text": "Use when: x",
        }
    ]  # fmt: skip
    assert skill["hosts"]["codex/0.171.0"] == {
        "version": "1", "verdict": "refuse", "reason": "It cannot be read.", "codes": ["yaml-unquoted-colon"],
        "name": "pdf",
    }  # fmt: skip
    assert document["summary"] == {
        "skills": 1, "errors": 1, "warnings": 1, "infos": 0, "failOn": "error", "failed": True,
        "hosts": {
            "codex/0.171.0": {"load": 0, "loss": 0, "refuse": 1, "crash": 0},
            "deeptutor/list": {"load": 0, "loss": 1, "refuse": 0, "crash": 0},
            "deeptutor/hub-import": {"load": 1, "loss": 0, "refuse": 0, "crash": 0},
        },
    }  # fmt: skip


def test_the_schema_is_strict_enough_to_notice() -> None:
    schema = json.loads(CHECK_SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    for damage in (
        lambda d: d.pop("summary"),
        lambda d: d["skills"][0].pop("owner"),
        lambda d: d["skills"][0].update(extra=1),
        lambda d: d["skills"][0]["findings"][0].update(line=0),
        lambda d: d["skills"][0]["findings"][0].update(severity="fatal"),
        lambda d: d["skills"][0]["findings"][0].update(code="Not A Code"),
        lambda d: d["skills"][0]["hosts"]["codex/0.171.0"].update(verdict="maybe"),
    ):
        document = check_document(report(checked(UNQUOTED)))
        damage(document)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document, schema)


def test_the_documented_document_is_one() -> None:
    section = (ROOT / "docs/cli.md").read_text().partition("## skillpress check\n")[2]
    document = json.loads(section.partition("```json\n")[2].partition("```")[0])
    jsonschema.validate(document, json.loads(CHECK_SCHEMA.read_text()))


# --- SARIF -----------------------------------------------------------------------------------------


def test_sarif_is_valid_and_points_at_the_place() -> None:
    document = sarif_document(report(checked(UNQUOTED), asked=True))
    jsonschema.validate(document, sarif_schema())
    (run,) = document["runs"]
    first = run["results"][0]
    assert (
        run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "yaml-unquoted-colon"
    )
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "skills/pdf/SKILL.md"}
    assert place["region"] == {
        "startLine": 3, "startColumn": 14, "endColumn": 25, "snippet": {"text": "description: Use when: x"},
    }  # fmt: skip
    assert [r["level"] for r in run["results"]] == ["error", "error", "warning"]
    assert [r["ruleId"] for r in run["results"]] == ["yaml-unquoted-colon", "host-verdict", "host-verdict"]


def test_sarif_fingerprints_follow_the_mistake_not_the_line() -> None:
    def prints(*lines: int) -> list[str]:
        found = [replace(UNQUOTED, line=line) for line in lines]
        results = sarif_document(report(checked(*found)))["runs"][0]["results"]
        return [r["partialFingerprints"]["skillpressFinding/v1"] for r in results]

    assert prints(3) == prints(9)
    assert len(set(prints(3, 9))) == 2


PLACES = {
    "a folder is its SKILL.md": (
        replace(UNQUOTED, path="skills/pdf", line=None, column=None), {}, "skills/pdf/SKILL.md", 1,
    ),
    "the current folder": (UNQUOTED, {"shown": ""}, "SKILL.md", 3),
    "an archive": (UNQUOTED, {"shown": "d/a b.zip/pdf", "archive": "d/a b.zip"}, "d/a%20b.zip", 1),
    "from the root": (UNQUOTED, {"shown": "/x/p#f"}, "file:///x/p%23f/SKILL.md", 3),
    "a colon is no scheme": (UNQUOTED, {"shown": "c:x"}, "c%3Ax/SKILL.md", 3),
}  # fmt: skip


@pytest.mark.parametrize(("found", "changes", "uri", "line"), PLACES.values(), ids=PLACES)
def test_sarif_places(found: Any, changes: dict[str, Any], uri: str, line: int) -> None:
    (result,) = sarif_document(report(checked(found, **changes)))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == (uri, line)


@pytest.mark.parametrize("text", HOSTILE)
def test_sarif_and_json_hold_anything(text: str) -> None:
    document = json.loads(json.dumps(sarif_document(hostile_report(text))))
    jsonschema.validate(document, sarif_schema())
    json.dumps(document, ensure_ascii=False).encode("utf-8")
    jsonschema.validate(check_document(hostile_report(text)), json.loads(CHECK_SCHEMA.read_text()))


# --- GitHub ----------------------------------------------------------------------------------------


def parse_command(line: str) -> tuple[str, dict[str, str], str]:
    """What GitHub's runner makes of a line (actions/runner, ActionCommand.TryParseV2)."""
    head, _, data = line[2:].partition("::")
    command, _, properties = head.partition(" ")
    parsed = {}
    for pair in properties.split(","):
        key, _, value = pair.partition("=")
        for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            value = value.replace(code, char)
        parsed[key] = value
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        data = data.replace(code, char)
    return command, parsed, data


def test_github_commands() -> None:
    lines = list(github_lines(report(checked(UNQUOTED), asked=True)))
    assert [parse_command(line) for line in lines] == [
        (
            "error",
            {"file": "skills/pdf/SKILL.md", "line": "3", "col": "14", "title": "yaml-unquoted-colon"},
            "The value holds ': '\nFix: Put it in quotes.",
        ),
        ("error", {"file": "skills/pdf/SKILL.md", "title": "codex/0.171.0 refuse"}, "It cannot be read."),
        ("warning", {"file": "skills/pdf/SKILL.md", "title": "deeptutor/list loss"}, "It cannot be read."),
    ]
    assert len(list(github_lines(report(checked(UNQUOTED))))) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_github_commands_hold_anything(text: str) -> None:
    lines = list(github_lines(hostile_report(text)))
    assert len(lines) == 9
    for line in lines:
        assert line.isprintable()
        assert "##[" not in line
        command, properties, _ = parse_command(line)
        assert command in ("error", "warning", "notice")
        assert set(properties) <= {"file", "line", "col", "title"}


# --- JUnit -----------------------------------------------------------------------------------------


def junit(made: Any) -> ElementTree.Element:
    text = "\n".join(junit_lines(made))
    assert text.isascii()
    return ElementTree.fromstring(text.encode("ascii"))


@pytest.mark.parametrize(("fail_on", "failures"), [(FailOn.ERROR, 1), (FailOn.WARNING, 2), (FailOn.NEVER, 0)])
def test_junit_fails_what_counts(fail_on: FailOn, failures: int) -> None:
    warning = finding("name-directory-mismatch", "skills/pdf/SKILL.md", "m", "f", 1, 1)
    root = junit(report(checked(UNQUOTED, warning), checked(path="skills/ok"), fail_on=fail_on))
    assert root.tag == "testsuites"
    assert (root.get("tests"), root.get("failures")) == ("3", str(failures))
    assert [suite.get("name") for suite in root] == ["skills/pdf", "skills/ok"]
    assert len(root.findall(".//failure")) == failures
    assert sum(int(suite.get("failures", "")) for suite in root) == failures


def test_junit_names_asked_hosts() -> None:
    root = junit(report(checked(), asked=True))
    cases = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert cases == {
        "codex/0.171.0": ["failure"], "deeptutor/list": ["system-out"], "deeptutor/hub-import": ["system-out"],
    }  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_junit_holds_anything(text: str) -> None:
    root = junit(hostile_report(text))
    assert len(root.findall(".//testcase")) == 10
    if text.isprintable():
        assert root.find(".//failure").get("message") == text  # type: ignore[union-attr]


# --- all -------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec=None), min_size=1, max_size=40))
def test_no_text_breaks_a_format(text: str) -> None:
    made = hostile_report(text)
    assert all(line.isprintable() for line in text_lines(made, colour=False))
    assert all(line.isprintable() and line.startswith("::") for line in github_lines(made))
    assert unescape(junit(made).find(".//failure").get("message") or "")  # type: ignore[union-attr]
    json.dumps(sarif_document(made), ensure_ascii=False).encode("utf-8")


WARNED = finding("name-directory-mismatch", "skills/pdf/SKILL.md", "m", "f")
FAILING = {
    "error, error": (UNQUOTED, FailOn.ERROR, False, True),
    "error, never": (UNQUOTED, FailOn.NEVER, True, False),
    "warning, error": (WARNED, FailOn.ERROR, False, False),
    "warning, warning": (WARNED, FailOn.WARNING, False, True),
    "note, warning": (finding("path-non-ascii", "skills/pdf/SKILL.md", "m", "f"), FailOn.WARNING, False, False),
    "refused by a host nobody named": (None, FailOn.ERROR, False, False),
    "refused by a named host": (None, FailOn.ERROR, True, True),
}  # fmt: skip


@pytest.mark.parametrize(("found", "fail_on", "asked", "failed"), FAILING.values(), ids=FAILING)
def test_what_fails(found: Any, fail_on: FailOn, asked: bool, failed: bool) -> None:
    skill = checked(*([found] if found else []))
    assert report(skill, fail_on=fail_on, asked=asked).failed() is failed


def test_a_loss_counts_as_a_warning() -> None:
    skill = checked(verdicts=verdicts(Outcome.LOAD, Outcome.LOSS, Outcome.LOAD))
    assert not report(skill, asked=True).failed()
    assert report(skill, asked=True, fail_on=FailOn.WARNING).failed()
