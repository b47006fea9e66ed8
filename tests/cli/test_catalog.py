"""``skillpress catalog``: what it prints where, what it leaves out, how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli.catalog import command
from generator.errors import SkillpressError
from tests.read.helpers import Content, write_tree


def skill(name: str, description: str = "Does one thing.", *lines: str, body: str = "Body") -> str:
    return "\n".join(["---", f"name: {name}", f"description: {description}", *lines, "---", "", body, ""])


def run(folder: Path, files: dict[str, Content], *arguments: str) -> Result:
    write_tree(folder, files)
    runner = CliRunner()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return runner.invoke(command, arguments, catch_exceptions=False)


TWO: dict[str, Content] = {
    "skills/pdf/SKILL.md": skill("pdf"),
    "skills/docx/SKILL.md": skill("docx", "Word & <b>."),
}
BROKEN: dict[str, Content] = {**TWO, "skills/bad/SKILL.md": "---\nname: bad\ndescription: Use when: x\n---\n"}


def test_the_block_of_the_specification(tmp_path: Path) -> None:
    done = run(tmp_path, TWO, "skills")
    assert done.exit_code == 0
    assert done.stdout.startswith("<available_skills>\n<skill>\n<name>\ndocx\n</name>\n")
    assert "Word &amp; &lt;b&gt;." in done.stdout
    assert "\nskills/pdf/SKILL.md\n" in done.stdout
    assert done.stderr == ""


def test_deerflow_container_paths(tmp_path: Path) -> None:
    done = run(tmp_path, TWO, "skills", "--host", "deerflow")
    assert "<location>/mnt/skills/public/pdf/SKILL.md</location>" in done.stdout
    assert "<description>Word &amp; &lt;b&gt;. [built-in]</description>" in done.stdout


def test_deeptutor_lines(tmp_path: Path) -> None:
    files = {**TWO, "skills/loud/SKILL.md": skill("loud", "Loud.", "always: true")}
    done = run(tmp_path, files, "skills", "--format", "manifest")
    assert done.stdout == "- **docx** — Word & <b>.\n- **pdf** — Does one thing.\n"
    assert done.stderr == "loud: Not listed, since always: true puts its whole body into every turn\n"


def test_sources_of_hub_yml_without_a_path(tmp_path: Path) -> None:
    files: dict[str, Content] = {"hub.yml": "sources:\n  - path: skills\n", **TWO}
    assert "skills/pdf/SKILL.md" in run(tmp_path, files).stdout
    files = {"other.yml": "sources:\n  - path: skills\n    include: [docx]\n"}
    done = run(tmp_path, files, "--config", "other.yml")
    assert "docx" in done.stdout
    assert "pdf" not in done.stdout


def test_a_path_that_is_a_skill_itself(tmp_path: Path) -> None:
    done = run(tmp_path, TWO, "skills/pdf", "--host", "deerflow")
    assert done.stdout.count("<skill>") == 1
    assert "/mnt/skills/public/pdf/SKILL.md" in done.stdout
    assert "\nskills/pdf/SKILL.md\n" in run(tmp_path, {}, "skills/pdf").stdout


def test_a_repository_whose_skills_lie_in_a_folder_called_skills(tmp_path: Path) -> None:
    done = run(tmp_path, {"repo/skills/office/pdf/SKILL.md": skill("pdf")}, "repo", "--host", "deerflow")
    assert "/mnt/skills/public/office/pdf/SKILL.md" in done.stdout


def test_what_a_host_would_not_load_is_named_on_stderr(tmp_path: Path) -> None:
    done = run(tmp_path, BROKEN, "skills", "--host", "deerflow")
    assert done.exit_code == 0
    assert "bad" not in done.stdout
    assert done.stderr.startswith("skills/bad/SKILL.md: Left out. DeerFlow would not load it: ")
    assert done.stderr.count("\n") == 1


def test_what_cannot_be_read_is_named_where_no_host_was_asked_for(tmp_path: Path) -> None:
    files = {**BROKEN, "skills/mute/SKILL.md": "---\nname: mute\n---\n"}
    done = run(tmp_path, files, "skills")
    assert "skills/bad/SKILL.md: Left out. " in done.stderr
    assert "skills/mute/SKILL.md: Left out. " in done.stderr
    assert "mute" not in done.stdout


def test_a_limit_of_the_host_is_named_on_stderr(tmp_path: Path) -> None:
    files: dict[str, Content] = {"skills/long/SKILL.md": skill("long", "d" * 1600)}
    done = run(tmp_path, files, "skills", "--host", "claude-code")
    assert "long: 1,600 characters, over the limit of 1,536. Claude Code cuts" in done.stderr
    assert done.stdout.startswith("- long: ddd")
    assert run(tmp_path, {}, "skills", "--host", "opencode").stderr == ""


def test_a_full_catalog_is_cut_as_openclaw_does(tmp_path: Path) -> None:
    files: dict[str, Content] = {f"skills/s{n:03}/SKILL.md": skill(f"s{n:03}") for n in range(152)}
    done = run(tmp_path, files, "skills", "--host", "openclaw")
    assert done.stdout.count("<skill>") == 150
    assert "s151: Left out, since the catalog holds 150 skills" in done.stderr


SAME = {
    "the first by path": ("hermes", "skills/a/SKILL.md", "skills/b/SKILL.md"),
    "the last by path": ("deerflow", "skills/b/SKILL.md", "skills/a/SKILL.md"),
}


@pytest.mark.parametrize("name", SAME)
def test_a_host_that_keeps_one_skill_of_a_name(name: str, tmp_path: Path) -> None:
    host, kept, lost = SAME[name]
    files: dict[str, Content] = {
        "skills/a/SKILL.md": skill("pdf", "First."),
        "skills/b/SKILL.md": skill("pdf", "Last."),
    }
    done = run(tmp_path, files, "skills", "--host", host)
    assert ("First." in done.stdout, "Last." in done.stdout) == (
        kept.endswith("a/SKILL.md"),
        kept.endswith("b/SKILL.md"),
    )
    assert done.stderr.startswith(f"{lost}: Left out. ")
    assert done.stderr.endswith(f"keeps one skill of a name, and takes {kept}\n")
    assert run(tmp_path, {}, "skills", "--host", "codex").stdout.count("- pdf: ") == 2


def test_json(tmp_path: Path) -> None:
    files = {**BROKEN, "skills/pdf/scripts/run.py": "print(1)\n" * 8, "skills/pdf/logo.png": b"\x89PNG\x00"}
    done = run(tmp_path, files, "skills", "--format", "json", "--host", "deerflow/load")
    document = json.loads(done.stdout)
    assert document["schema"] == "skillpress.catalog.v1"
    assert document["host"] == "deerflow/load"
    docx, pdf = document["skills"]
    assert (docx["name"], pdf["name"]) == ("docx", "pdf")
    assert pdf["tokens"] == {
        "line": 5,
        "body": 2,
        "files": [{"path": "logo.png", "tokens": None}, {"path": "scripts/run.py", "tokens": 18}],
    }
    assert (pdf["verdict"], pdf["always"], pdf["passed"]) == ("load", False, [])
    assert pdf["location"] == "/mnt/skills/public/pdf/SKILL.md"
    assert len(document["leftOut"]) == 1
    totals = document["totals"]
    assert (totals["skills"], totals["bodyTokens"], totals["fileTokens"]) == (2, 4, 18)
    assert totals["catalogTokens"] > totals["lineTokens"]


def test_json_without_a_host(tmp_path: Path) -> None:
    document = json.loads(run(tmp_path, TWO, "skills", "--format", "json").stdout)
    assert document["host"] is None
    assert [one["verdict"] for one in document["skills"]] == [None, None]


WRONG = {
    "unknown host": (("skills", "--host", "codx"), "Did you mean codex?"),
    "nothing like any host": (("skills", "--host", "qqqq"), "Known are "),
    "unknown format": (("skills", "--format", "xml"), "available-skills"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_use(name: str, tmp_path: Path) -> None:
    arguments, said = WRONG[name]
    done = run(tmp_path, TWO, *arguments)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize("arguments", [("missing",), (), ("--config", "missing.yml")])
def test_what_ends_the_program(arguments: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(SkillpressError):
        run(tmp_path, {}, *arguments)


def test_no_skill_at_all(tmp_path: Path) -> None:
    done = run(tmp_path, {"skills/readme.md": "hello"}, "skills", "--host", "codex")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")


def test_no_text_of_an_author_moves_the_cursor(tmp_path: Path) -> None:
    files: dict[str, Content] = {"skills/x/SKILL.md": skill("x", '"a\\e[2Jb\\u202ec"')}
    for form in ("available-skills", "manifest", "json"):
        done = run(tmp_path, files, "skills", "--format", form)
        assert "\x1b" not in done.stdout + done.stderr
        assert "\u202e" not in done.stdout + done.stderr


@pytest.mark.parametrize("host", ["codex", "Codex", " CODEX ", "codex/0.171.0", "Codex/0.171.0"])
def test_a_host_is_found_in_any_case(host: str, tmp_path: Path) -> None:
    assert (
        run(tmp_path, TWO, "skills", "--host", host).stdout
        == run(tmp_path, {}, "skills", "--host", "codex").stdout
    )
