"""`skillpress diff` and `skillpress mirror` as an operator meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.build.hubs import FIRST_TIME, LittleHub, skill_text
from tests.cli.test_commands import run
from tests.hubs import read_tree
from tests.verify.test_verify import served


@pytest.fixture
def hub(tmp_path: Path) -> LittleHub:
    made = LittleHub(tmp_path / "hub", owner="acme", layout="exploded")
    made.put("skills/pdf", {"SKILL.md": skill_text("pdf"), "a.txt": "one\n"})
    made.build()
    made.put("skills/pdf", {
        "SKILL.md": skill_text("pdf", version="1.1.0", description="Shows another thing."),
        "a.txt": "two\n", "b.txt": "re\x7fd\n", "run.sh": "curl https://new.example/x\n",
    })  # fmt: skip
    made.build(FIRST_TIME + 1)
    return made


@pytest.mark.parametrize("ref", ["acme/pdf", "@acme/pdf", "pdf"])
def test_diff_shows_first_what_it_can_do_now(hub: LittleHub, ref: str) -> None:
    done = run("diff", ref, "1.0.0", "1.1.0", cwd=hub.root)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:2] == ["1.0.0 to 1.1.0", "What it can do"]
    assert "  + script run.sh" in lines
    assert any(line.startswith("  + network host new.example") for line in lines)
    assert lines.index("What it says of itself") < lines.index("changed a.txt")
    assert {"-one", "+two"} <= set(lines)
    assert "\x7f" not in done.stdout


def test_diff_goes_both_ways_and_between_equals(hub: LittleHub) -> None:
    back = run("diff", "pdf", "1.1.0", "1.0.0", cwd=hub.root)
    assert "  - script run.sh" in back.stdout.splitlines()
    same = run("diff", "pdf", "1.0.0", "1.0.0", cwd=hub.root)
    assert same.stdout == "1.0.0 to 1.0.0\nFiles: all the same\n"


def test_diff_as_json_is_the_document_of_the_hub(hub: LittleHub) -> None:
    done = run("diff", "pdf", "1.0.0", "1.1.0", "--hub", "public", "--json", cwd=hub.root)
    document = json.loads((hub.out / "acme/skills/pdf/diff/1.0.0...1.1.0.json").read_bytes())
    assert json.loads(done.stdout) == document


def test_diff_of_a_hub_at_a_url(hub: LittleHub, tmp_path: Path) -> None:
    with served(hub.out) as url:
        done = run("diff", "pdf", "1.0.0", "1.1.0", "--hub", url, cwd=tmp_path)
    assert "+two" in done.stdout.splitlines()


WRONG = {
    "no version": (("pdf", "1.0", "1.1.0"), 2, "not a whole version"),
    "a version too much": (("pdf@1.0.0", "1.0.0", "1.1.0"), 2, "write the two versions after it"),
    "no name": (("p/d/f", "1.0.0", "1.1.0"), 2, ""),
    "a version that is not there": (("pdf", "1.0.0", "9.0.0"), 3, "Published are 1.0.0, 1.1.0"),
    "a skill that is not there": (("acme/docx", "1.0.0", "1.1.0"), 3, "no skill acme/docx"),
    "a slug that is not there": (("docx", "1.0.0", "1.1.0"), 3, "no skill docx"),
    "no hub": (("pdf", "1.0.0", "1.1.0", "--hub", "nowhere"), 3, "no hub is there"),
}


@pytest.mark.parametrize("name", WRONG)
def test_diff_used_wrongly(hub: LittleHub, name: str) -> None:
    arguments, code, message = WRONG[name]
    done = run("diff", *arguments, cwd=hub.root)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_diff_of_an_archive_that_was_edited(hub: LittleHub) -> None:
    (hub.out / "dl/acme/pdf-1.0.0.zip").write_bytes(b"PK evil")
    done = run("diff", "pdf", "1.0.0", "1.1.0", cwd=hub.root)
    assert done.returncode == 3
    assert "other bytes than its ledger promises" in done.stderr


def test_mirror_ends_with_the_same_files(hub: LittleHub, tmp_path: Path) -> None:
    with served(hub.out) as url:
        first = run("mirror", url, "copy", cwd=tmp_path)
        assert (first.returncode, first.stderr) == (0, "")
        assert "every file compared" in first.stdout
        again = run("mirror", f"{url}/hub.json", "copy", "--json", cwd=tmp_path)
        (tmp_path / "copy/index.html").write_text("edited")
        run("mirror", url, "copy", "--check", "--quiet", cwd=tmp_path)
    told = json.loads(again.stdout)
    assert (told["way"], told["sequence"], told["whole"], told["counts"]["requests"]) == (
        "current",
        2,
        True,
        1,
    )
    assert read_tree(tmp_path / "copy", without={".skillpress"}) == read_tree(
        hub.out, without={".skillpress"}
    )


@pytest.mark.parametrize("url", ["public", "ftp://hub.example", "http://127.0.0.1:1/hub"])
def test_mirror_of_no_hub(tmp_path: Path, url: str) -> None:
    done = run("mirror", url, "copy", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "Traceback" not in done.stderr
