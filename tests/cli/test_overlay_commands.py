"""yank, deprecate, quarantine and undo as an operator meets them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.history.ledger import write_ledger
from tests.samples import make_release

ROOT = Path(__file__).parents[2]
_COMMANDS = ("yank", "deprecate", "quarantine", "undo")
_MAIN = f"import generator.cli as c\nfor name in {_COMMANDS}: c._COMMANDS.setdefault(name, name)\nc.main()\n"


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _MAIN, *arguments],
        cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def hub(folder: Path, *skills: str, out: str = "public") -> Path:
    """A built hub as far as names go: a ledger with 1.0.0 and 1.1.0 for each ``owner/slug``."""
    for skill in skills:
        ledger = folder / out / "ledger" / f"{skill}.jsonl"
        ledger.parent.mkdir(parents=True, exist_ok=True)
        ledger.write_bytes(write_ledger((make_release("1.0.0"), make_release("1.1.0"))))
    return folder


def test_a_yank_is_written_and_taken_back(tmp_path: Path) -> None:
    hub(tmp_path, "acme/pdf")
    (tmp_path / "hub.yml").write_bytes(b"# Ours\r\nname: Hub\r\n")
    done = run("yank", "acme/pdf@1.0.0", "--reason", "Deletes: its input.", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "hub.yml: yank acme/pdf@1.0.0. The next build publishes it.\n"
    written = b'# Ours\r\nname: Hub\r\noverlay:\r\n  yank:\r\n    acme/pdf@1.0.0: "Deletes: its input."\r\n'
    assert (tmp_path / "hub.yml").read_bytes() == written
    again = run("yank", "@acme/pdf@1.0.0", "--reason", "Deletes: its input.", cwd=tmp_path)
    assert again.stdout == "Nothing changed: yank acme/pdf@1.0.0 stands there already.\n"
    back = run("undo", "pdf@1.0.0", cwd=tmp_path)
    assert back.stdout == "hub.yml: yank acme/pdf@1.0.0 taken back. The next build publishes it.\n"
    assert (tmp_path / "hub.yml").read_bytes() == b"# Ours\r\nname: Hub\r\n"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_bare_slug_means_the_only_skill_that_has_it(tmp_path: Path) -> None:
    hub(tmp_path, "acme/pdf", "acme/docx", "beta/pdf")
    assert run("quarantine", "docx", "--reason", "Reads keys.", cwd=tmp_path).returncode == 0
    assert (tmp_path / "hub.yml").read_text() == "overlay:\n  quarantine:\n    acme/docx: Reads keys.\n"
    several = run("quarantine", "pdf", "--reason", "Reads keys.", cwd=tmp_path)
    assert several.returncode == 2
    assert "pdf is the slug of acme/pdf, beta/pdf. Name one of them." in " ".join(several.stderr.split())


def test_a_deprecation_grows(tmp_path: Path) -> None:
    hub(tmp_path, "acme/pdf", "acme/docx")
    assert run("deprecate", "pdf", cwd=tmp_path).returncode == 0
    assert (tmp_path / "hub.yml").read_text() == "overlay:\n  deprecate:\n    acme/pdf: {}\n"
    assert run("deprecate", "pdf", "--successor", "docx", "--reason", "Merged.", cwd=tmp_path).returncode == 0
    assert (tmp_path / "hub.yml").read_text() == (
        "overlay:\n  deprecate:\n    acme/pdf: {successor: acme/docx, reason: Merged.}\n"
    )
    assert run("undo", "pdf", "deprecate", cwd=tmp_path).returncode == 0
    assert (tmp_path / "hub.yml").read_text() == ""


def test_the_overlay_folder_is_used_where_there_is_one(tmp_path: Path) -> None:
    hub(tmp_path, "acme/pdf", out="site")
    (tmp_path / "hub.yml").write_text("out: site\n")
    (tmp_path / "overlay").mkdir()
    done = run("yank", "pdf@1.0.0", "--reason", "坏了。", cwd=tmp_path)
    assert done.stdout.startswith("overlay/decisions.yml: yank acme/pdf@1.0.0.")
    assert (tmp_path / "overlay/decisions.yml").read_text("utf-8") == 'yank:\n  acme/pdf@1.0.0: "坏了。"\n'
    assert (tmp_path / "hub.yml").read_text() == "out: site\n"


def test_for_programs(tmp_path: Path) -> None:
    done = run(
        "quarantine", "acme/pdf@1.0.0", "--reason", "Reads keys.", "--json", cwd=hub(tmp_path, "acme/docx")
    )
    assert json.loads(done.stdout) == {
        "schema": "skillpress.overlay.v1", "command": "quarantine", "kind": "quarantine",
        "owner": "acme", "slug": "pdf", "version": "1.0.0", "decision": {"reason": "Reads keys."},
        "changed": True, "files": ["hub.yml"], "notes": ["acme/pdf is not on the hub in public yet."],
    }  # fmt: skip
    assert done.stderr == ""
    back = json.loads(run("undo", "acme/pdf@1.0.0", "--json", cwd=tmp_path).stdout)
    assert (back["command"], back["kind"], back["decision"], back["changed"]) == (
        "undo",
        "quarantine",
        None,
        True,
    )


def test_without_a_built_hub_names_are_taken_as_they_are(tmp_path: Path) -> None:
    done = run("yank", "acme/pdf@9.9.9", "--reason", "Bad.", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == "Note: No hub is built in public: the name was not checked.\n"


def test_another_hub_yml_and_another_hub(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    hub(tmp_path, "acme/pdf", out="elsewhere")
    (tmp_path / "site/my.yml").write_text("name: Hub\n")
    done = run(
        "yank", "pdf@1.1.0", "--reason", "Bad.", "--config", "site/my.yml", "--out", "elsewhere", cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "acme/pdf@1.1.0: Bad." in (tmp_path / "site/my.yml").read_text()


WRONG_USE = {
    "no version": (("yank", "acme/pdf", "--reason", "x"), "Name a version: acme/pdf@1.2.3. It has 1.1.0, 1.0.0."),
    "unknown version": (("yank", "acme/pdf@2.0.0", "--reason", "x"), "acme/pdf has no version 2.0.0. It has 1.1.0"),
    "unknown skill": (
        ("yank", "acme/pfd@1.0.0", "--reason", "x"), "acme/pfd is not on the hub in public. Did you mean acme/pdf?",
    ),
    "unknown slug": (
        ("deprecate", "pdff"), "No skill on the hub in public has the slug pdff. Did you mean acme/pdf?",
    ),
    "no reason": (("yank", "acme/pdf@1.0.0"), "Missing option '--reason'"),
    "empty reason": (("yank", "acme/pdf@1.0.0", "--reason", " "), "A reason must not be empty."),
    "hidden characters": (("yank", "acme/pdf@1.0.0", "--reason", "a\u202eb"), "the invisible character U+202E."),
    "bad reference": (("quarantine", "Acme/pdf", "--reason", "x"), "Owner 'Acme' must be"),
    "half a version": (("yank", "acme/pdf@1.0", "--reason", "x"), "'1.0' is not a whole version. Write 1.0.0."),
    "a version of a deprecation": (("deprecate", "acme/pdf@1.0.0"), "A whole skill is deprecated, not 1.0.0 of it."),
    "successor of itself": (("deprecate", "acme/pdf", "--successor", "pdf"), "Name another skill, without a version."),
    "unknown successor": (
        ("deprecate", "acme/pdf", "--successor", "acme/nowhere"), "acme/nowhere is not on the hub in public.",
    ),
    "nothing to undo": (("undo", "acme/pdf"), "There is no decision about acme/pdf to take back."),
    "nothing of that kind": (("undo", "acme/docx@1.0.0", "quarantine"), "There is no quarantine about acme/docx@1.0.0"),
    "undo of a version not named": (("undo", "acme/docx"), "What stands there: yank acme/docx@1.0.0"),
    "undo of what has several": (
        ("undo", "beta/two"), "beta/two has several decisions: deprecate, quarantine. Name one of them.",
    ),
    "unknown kind": (("undo", "acme/pdf", "archive"), "'archive' is not one of 'yank', 'deprecate', 'quarantine'"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), WRONG_USE.values(), ids=WRONG_USE)
def test_wrong_use_ends_with_2_and_changes_nothing(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    hub(tmp_path, "acme/pdf", "acme/docx")
    text = "overlay:\n  yank: {acme/docx@1.0.0: x}\n  deprecate: {beta/two: x}\n  quarantine: {beta/two: x}\n"
    (tmp_path / "hub.yml").write_text(text)
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert " ".join(message.split()) in " ".join(done.stderr.split())
    assert (tmp_path / "hub.yml").read_text() == text


BROKEN = {
    "no yaml": ("overlay: [\n", "hub.yml, line "),
    "unknown kind": ("overlay:\n  yanks: {}\n", "hub.yml, line 2, column 3: overlay.yanks: unknown key. Did"),
    "layout": (
        "overlay:\n  yank:\n    ? acme/pdf@1.0.0\n    : Old.\n    acme/docx@1.0.0: x\nname: |+\n  a",
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_cannot_be_understood_ends_with_3_or_is_changed_rightly(
    tmp_path: Path, text: str, message: str
) -> None:
    hub(tmp_path, "acme/pdf")
    (tmp_path / "hub.yml").write_text(text)
    done = run("yank", "acme/pdf@1.0.0", "--reason", "Bad.", cwd=tmp_path)
    assert "Traceback" not in done.stderr
    if message:
        assert done.returncode == 3
        assert done.stderr.startswith(f"skillpress: {message}")
        assert (tmp_path / "hub.yml").read_text() == text


def test_a_missing_config_ends_with_3(tmp_path: Path) -> None:
    done = run("yank", "acme/pdf@1.0.0", "--reason", "x", "--config", "no.yml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        3, "skillpress: no.yml: no such file. Name an existing hub.yml with --config.\n",
    )  # fmt: skip


def test_a_linked_hub_yml_is_changed_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/hub.yml").write_text("name: Hub\n")
    (tmp_path / "real/hub.yml").chmod(0o640)
    (tmp_path / "hub.yml").symlink_to("real/hub.yml")
    assert run("yank", "acme/pdf@1.0.0", "--reason", "Bad.", cwd=tmp_path).returncode == 0
    assert (tmp_path / "hub.yml").is_symlink()
    assert "acme/pdf@1.0.0" in (tmp_path / "real/hub.yml").read_text()
    assert (tmp_path / "real/hub.yml").stat().st_mode & 0o777 == 0o640


def test_a_file_that_cannot_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "hub.yml").write_text("name: Hub\n")
    os.link(tmp_path / "hub.yml", tmp_path / "other.yml")
    done = run("yank", "acme/pdf@1.0.0", "--reason", "Bad.", cwd=tmp_path)
    assert done.returncode == 3
    assert "hub.yml: not changed, since it is a hard link" in done.stderr
    assert (tmp_path / "hub.yml").read_text() == "name: Hub\n"


def test_what_is_printed_cannot_move_the_cursor(tmp_path: Path) -> None:
    done = run("yank", "acme/pdf\x1b[2J@1.0.0", "--reason", "Bad.", cwd=tmp_path)
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
