"""``skillpress check`` as an author meets it: what it prints, what it changes, how it ends."""

from __future__ import annotations

import json
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.check.places import PROBES, put, put_probes, skill_text
from tests.read.zips import Member, make_zip

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "generator/check/schemas/check.schema.json").read_text())
BROKEN = "---\nname: broken\ndescription: Use when: x\n---\n\nDo it.\n"


def run(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, "-m", "generator.cli", *arguments],
        cwd=cwd, env={**os.environ, "PYTHONPATH": paths, "CI": "1", **environment},
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


def check(*arguments: str, cwd: Path) -> Any:
    done = run("check", *arguments, "--format", "json", cwd=cwd)
    assert done.returncode in (0, 1), done.stderr
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    assert document["summary"]["failed"] is (done.returncode == 1)
    return document


def test_a_good_skill_passes_and_every_loading_host_loads_it(tmp_path: Path) -> None:
    put(tmp_path / "skills/pdf")
    done = run("check", "skills", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("skills/pdf\n")
    assert done.stdout.splitlines()[-1].startswith("Passed: 1 skill, ")


def test_a_broken_skill_fails_with_place_caret_and_fix(tmp_path: Path) -> None:
    put(tmp_path / "skills/broken", BROKEN)
    done = run("check", "skills", cwd=tmp_path)
    assert done.returncode == 1
    assert "  skills/broken/SKILL.md:3:" in done.stdout
    assert " error yaml-unquoted-colon " in done.stdout
    assert "3 | description: Use when: x\n" in done.stdout
    assert "^" in done.stdout
    assert "Fix: " in done.stdout
    assert "  refuse: " in done.stdout
    assert "codex/0.171.0" in done.stdout
    assert "\x1b" not in done.stdout


def test_all_probes_by_their_names(tmp_path: Path) -> None:
    put_probes(tmp_path / "probes")
    document = check("probes", cwd=tmp_path)
    by_path = {skill["path"]: skill for skill in document["skills"]}
    assert by_path.keys() >= {probe["folder"] for probe in PROBES}
    for probe in PROBES:
        assert by_path[probe["folder"]]["hosts"].keys() >= probe["verdicts"].keys()
    for path, skill in by_path.items():
        assert all(
            found["file"] == path or found["file"].startswith(f"{path}/") for found in skill["findings"]
        )
    assert str(tmp_path) not in json.dumps(document)


def test_the_same_answer_from_anywhere(tmp_path: Path) -> None:
    """The document depends on what is checked alone: not on the current folder, the time or hash seeds."""
    put_probes(tmp_path / "probes")
    first = run("check", "probes", "--format", "json", cwd=tmp_path, PYTHONHASHSEED="1")
    second = run("check", str(tmp_path / "probes"), "--format", "json", cwd=Path("/"), PYTHONHASHSEED="2")
    third = run("check", "--format", "json", cwd=tmp_path / "probes", LC_ALL="C")
    assert first.stdout == second.stdout == third.stdout


def test_one_probe_alone_is_judged_as_among_the_others(tmp_path: Path) -> None:
    put_probes(tmp_path / "probes")
    whole = {skill["path"]: skill for skill in check("probes", cwd=tmp_path)["skills"]}
    for name in ("p01-minimal", "p02-bom", "p14-colon-in-desc", "p65-invalid-utf8", "pa4-symfile"):
        (one,) = check(f"probes/{name}", cwd=tmp_path)["skills"]
        assert one == whole[name], name


def test_owner_slug_and_version(tmp_path: Path) -> None:
    put(tmp_path / "skills/pdf", skill_text("pdf", "version: 2.1.0\n"))
    put(tmp_path / "vendor/a/docx")
    put(tmp_path / "vendor/b/xlsx")
    put(tmp_path / "skills/broken", BROKEN)
    (tmp_path / "hub.yml").write_text(
        "owner: me\nsources:\n- skills\n- {path: vendor, owner: other, include: [a/*]}\n"
    )
    rows = {
        skill["path"]: (skill["owner"], skill["slug"], skill["version"])
        for skill in check(cwd=tmp_path)["skills"]
    }
    assert rows["skills/pdf"] == ("me", "pdf", "2.1.0")
    assert rows["vendor/a/docx"] == ("other", "docx", "1.0.0")
    assert rows["vendor/b/xlsx"][0] is None
    assert rows["skills/broken"] == ("me", None, None)
    # The hub of the folder counts, not the folder one stands in.
    (elsewhere,) = check(str(tmp_path / "skills/pdf"), cwd=Path("/"))["skills"]
    assert elsewhere["owner"] == "me"


def test_a_broken_hub_yml_costs_only_the_owners(tmp_path: Path) -> None:
    put(tmp_path / "skills/pdf")
    (tmp_path / "hub.yml").write_text("sources: 5\n")
    done = run("check", "skills", "--format", "json", cwd=tmp_path)
    assert done.returncode == 0
    assert "hub.yml" in done.stderr
    assert json.loads(done.stdout)["skills"][0]["owner"] is None


def test_archives_are_judged_as_their_folders_are(tmp_path: Path) -> None:
    text = skill_text("pdf", "allowed-tools: Read\n")
    put(tmp_path / "pdf", text)
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist/pdf.skill").write_bytes(make_zip(Member(b"SKILL.md", text.encode())))
    (tmp_path / "dist/x.zip").write_bytes(make_zip(Member(b"pdf/SKILL.md", text.encode())))
    (folder,) = check("pdf", cwd=tmp_path)["skills"]
    for archive in ("dist/pdf.skill", "dist/x.zip"):
        assert check(archive, cwd=tmp_path)["skills"] == [folder]
    assert "dist/pdf.skill" in run("check", "dist/pdf.skill", cwd=tmp_path).stdout


def test_a_hostile_archive_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "evil.zip").write_bytes(make_zip(Member(b"SKILL.md", b"x", crc=1)))
    done = run("check", "evil.zip", "--format", "json", cwd=tmp_path)
    assert done.returncode == 1
    (skill,) = json.loads(done.stdout)["skills"]
    assert (skill["path"], skill["hosts"]) == ("evil", {})
    assert [found["code"] for found in skill["findings"]] == ["archive-content-mismatch"]


# --- asking about hosts ----------------------------------------------------------------------------


def test_certain_hosts_only(tmp_path: Path) -> None:
    put(tmp_path / "skills/broken", BROKEN)
    document = check("skills", "--host", "codex,deeptutor", cwd=tmp_path)
    (skill,) = document["skills"]
    assert skill["hosts"].keys() == {"codex/0.171.0", "deeptutor/list", "deeptutor/hub-import"}
    whole = {s["path"]: s for s in check("skills", cwd=tmp_path)["skills"]}
    for host, verdict in skill["hosts"].items():
        assert verdict == whole["broken"]["hosts"][host]
    assert all(f in whole["broken"]["findings"] for f in skill["findings"])


def test_a_named_host_that_refuses_fails_the_check(tmp_path: Path) -> None:
    """A name that differs from the folder is no error, but skills-ref refuses it."""
    put(tmp_path / "skills/pdf", skill_text("other-name"))
    assert run("check", "skills", cwd=tmp_path).returncode == 0
    assert run("check", "skills", "--host", "agentskills/skills-ref validate", cwd=tmp_path).returncode == 1
    assert run("check", "skills", "--host", "codex", cwd=tmp_path).returncode == 0


FAIL_ON = {"error": 0, "warning": 1, "never": 0}


@pytest.mark.parametrize(("fail_on", "code"), FAIL_ON.items())
def test_fail_on(tmp_path: Path, fail_on: str, code: int) -> None:
    put(tmp_path / "skills/pdf", skill_text("other-name"))
    assert run("check", "skills", "--fail-on", fail_on, cwd=tmp_path).returncode == code
    put(tmp_path / "skills/broken", BROKEN)
    assert run("check", "skills", "--fail-on", fail_on, cwd=tmp_path).returncode == (fail_on != "never")


WRONG = {
    "unknown host": (("skills", "--host", "codecs"), "'codex'"),
    "unknown format": (("skills", "--format", "yaml"), "--format"),
    "nothing there": (("nowhere",), "does not exist"),
    "no skill": (("notes.txt",), "is no skill"),
    "fix an archive": (("pdf.zip", "--fix"), "unpack it first"),
}


@pytest.mark.parametrize(("arguments", "message"), WRONG.values(), ids=WRONG)
def test_wrong_use_ends_with_2_and_says_what_is_right(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    put(tmp_path / "skills/pdf")
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "pdf.zip").write_bytes(
        make_zip(Member(b"SKILL.md", b"\xef\xbb\xbf" + skill_text("pdf").encode()))
    )
    done = run("check", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_folder_without_skills_fails(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("check", "empty", cwd=tmp_path)
    assert done.returncode == 1
    assert "holds no skill" in done.stdout


# --- formats ---------------------------------------------------------------------------------------


def test_every_format_survives_hostile_names(tmp_path: Path) -> None:
    name = os.fsdecode('x\n::error::\x1b[31m%,:\u202e<&"]]>##[x]'.encode() + b"\xe9")
    folder = tmp_path / "skills" / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(BROKEN)
    for form in ("text", "json", "sarif", "github", "junit"):
        done = run("check", "skills", "--format", form, cwd=tmp_path)
        assert done.returncode == 1, done.stderr
        assert done.stderr == ""
        assert all(line.isprintable() for line in done.stdout.split("\n")), form
        if form in ("json", "sarif"):
            json.loads(done.stdout)


def test_colours_only_on_a_terminal(tmp_path: Path) -> None:
    put(tmp_path / "skills/broken", BROKEN)
    assert "\x1b" not in run("check", "skills", cwd=tmp_path).stdout
    assert b"\x1b[31m" in on_terminal(tmp_path)
    assert b"\x1b[31m" not in on_terminal(tmp_path, NO_COLOR="1")
    assert b"\x1b[31m" not in on_terminal(tmp_path, TERM="dumb")


def on_terminal(cwd: Path, **environment: str) -> bytes:
    import pty

    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    base = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CI")}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "generator.cli", "check", "skills"],
        cwd=cwd, env={**base, "PYTHONPATH": paths, "TERM": "xterm", **environment}, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    read = b""
    try:
        while data := os.read(ours, 65536):
            read += data
    except OSError:
        pass  # how a pseudo terminal says that it is closed
    os.close(ours)
    process.wait()
    return read


# --- mending ---------------------------------------------------------------------------------------

MENDABLE = "\ufeff---\n# a comment\nname: broken\ndescription: Use when: x   # kept\n---\n\nDo it.  \n"


def test_diff_shows_and_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path / "skills/broken", MENDABLE)
    done = run("check", "skills", "--diff", cwd=tmp_path)
    assert done.returncode == 1
    assert "--- a/skills/broken/SKILL.md\n+++ b/skills/broken/SKILL.md\n@@ " in done.stdout
    assert "-\\u{feff}---" in done.stdout
    assert '+description: "' in done.stdout
    assert (tmp_path / "skills/broken/SKILL.md").read_text() == MENDABLE


def test_fix_mends_checks_again_and_tells(tmp_path: Path) -> None:
    file = put(tmp_path / "skills/broken", MENDABLE) / "SKILL.md"
    file.chmod(0o600)
    done = run("check", "skills", "--fix", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "skills/broken/SKILL.md: " in done.stderr
    text = file.read_text()
    assert text.startswith('---\n# a comment\nname: broken\ndescription: "Use when: x')
    assert text.endswith("\n---\n\nDo it.  \n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(file.parent) == ["SKILL.md"]
    assert run("check", "skills", "--fix", "--diff", cwd=tmp_path).stderr == ""


def test_fix_and_diff_show_first_and_then_mend(tmp_path: Path) -> None:
    file = put(tmp_path / "skills/broken", MENDABLE) / "SKILL.md"
    done = run("check", "skills", "--fix", "--diff", cwd=tmp_path)
    assert done.stdout.startswith("--- a/skills/broken/SKILL.md\n")
    assert not file.read_text().startswith("\ufeff")
    # A document for programs stays one.
    put(tmp_path / "skills/broken", MENDABLE)
    done = run("check", "skills", "--fix", "--diff", "--format", "json", cwd=tmp_path)
    json.loads(done.stdout)
    assert "--- a/skills/broken/SKILL.md\n" in done.stderr


def test_fix_renames(tmp_path: Path) -> None:
    put(tmp_path / "skills/pdf", name="skill.md")
    assert "rename from skills/pdf/skill.md" in run("check", "skills", "--diff", cwd=tmp_path).stdout
    assert run("check", "skills", "--fix", cwd=tmp_path).returncode == 0
    assert os.listdir(tmp_path / "skills/pdf") == ["SKILL.md"]


def test_fix_never_writes_through_links(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(MENDABLE)
    for name in ("soft", "hard"):
        (tmp_path / "skills" / name).mkdir(parents=True)
    (tmp_path / "skills/soft/SKILL.md").symlink_to(outside)
    os.link(outside, tmp_path / "skills/hard/SKILL.md")
    done = run("check", "skills", "--fix", cwd=tmp_path)
    assert outside.read_text() == MENDABLE
    assert "skills/hard/SKILL.md: not mended, since it is a hard link" in done.stderr


# --- time ------------------------------------------------------------------------------------------


def test_one_skill_takes_well_under_a_second(tmp_path: Path) -> None:
    """Python's start, every host's file and the whole judge. Measured as processor time, the best of three:
    that is what an idle machine's clock shows, and tests may share theirs."""
    put(tmp_path / "skills/pdf", skill_text("pdf") + "Read it.\n" * 200)
    took = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run("check", "skills/pdf", cwd=tmp_path).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(took) < 0.6, took


def test_a_closed_output_ends_with_the_result(tmp_path: Path) -> None:
    put(tmp_path / "pdf", BROKEN)
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" -m generator.cli check pdf >&-', sys.executable],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT), "CI": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")


def test_a_folder_in_the_place_of_skill_md_is_no_skill(tmp_path: Path) -> None:
    (tmp_path / "pdf/SKILL.md").mkdir(parents=True)
    (found,) = check("pdf", cwd=tmp_path)["findings"]
    assert "no file SKILL.md" in found["message"]
