"""The Python hosts, asked about folders that the record does not hold: what their modules here must get right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.hosts import deeptutor, hermes, skills_ref
from tests.live.model import Judge, Observed
from tests.live.place import found_below

pytestmark = pytest.mark.live

PLAIN = "---\nname: {name}\ndescription: {description}\n---\n\n# Body\n\nDo it.\n"
EVERY: tuple[Judge, ...] = (skills_ref.judge, hermes.judge, deeptutor.judge)


def _skill(root: Path, folder: str, text: str | bytes | None = None) -> None:
    file = root / folder / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    if text is None:
        text = PLAIN.format(name=file.parent.name, description=f"Does {folder}.")
    file.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)


def _ask(judge: Judge, tmp_path: Path) -> dict[str, dict[str, Observed]]:
    work = tmp_path / "work"
    work.mkdir()
    root = tmp_path / "root"
    return judge(root, found_below(root), work)


@pytest.mark.parametrize("judge", EVERY)
def test_a_host_says_something_of_every_folder_and_changes_none(judge: Judge, tmp_path: Path) -> None:
    root = tmp_path / "root"
    texts: dict[str, str | bytes] = {
        "empty": b"",
        "bytes": b"---\nname: bytes\ndescription: a\xff\n---\nB\n",
        "surrogate": "---\nname: surrogate\ndescription: a\ud800\n---\nB\n",
        "nul": "---\nname: nul\ndescription: a\0\n---\nB\n",
        "date": "---\nname: date\ndescription: 2024-02-30\n---\nB\n",
        "binary": "---\nname: !!binary aGVsbG8=\ndescription: !!set {a, b}\n---\nB\n",
        "deep": "---\nname: deep\ndescription: " + "[" * 1500 + "\n---\nB\n",
        "has space": "---\nname: has space\ndescription: a\n---\nB\n",
        "group/inner": "---\nname: inner\ndescription: a\n---\nB\n",
    }
    for folder, text in texts.items():
        _skill(root, folder, text)
    before = {path: (path.stat().st_mode, path.stat().st_mtime_ns) for path in [root, *root.rglob("*")]}
    for verdicts in _ask(judge, tmp_path).values():
        assert sorted(verdicts) == sorted(texts)
    assert {
        path: (path.stat().st_mode, path.stat().st_mtime_ns) for path in [root, *root.rglob("*")]
    } == before


def test_a_skill_at_the_root_itself_is_asked_about(tmp_path: Path) -> None:
    _skill(tmp_path / "root", ".", PLAIN.format(name="root", description="Does it."))
    seen = {column: verdicts["."].name for column, verdicts in _ask(hermes.judge, tmp_path).items()}
    assert seen[hermes.LIST] == "root"


def test_hermes_shows_the_first_of_one_name_for_all_of_them(tmp_path: Path) -> None:
    for folder in ("a-first", "b-second"):
        _skill(tmp_path / "root", folder, PLAIN.format(name="same", description=f"Does {folder}."))
    seen = _ask(hermes.judge, tmp_path)[hermes.LIST]
    assert [seen[folder].description for folder in ("a-first", "b-second")] == ["Does a-first."] * 2


def test_hermes_lists_nested_skills_but_not_support_folders(tmp_path: Path) -> None:
    folders = ("top", "top/examples/one", "top/references/two", "venv/three", ".hidden/four")
    for folder in folders:
        _skill(tmp_path / "root", folder)
    seen = _ask(hermes.judge, tmp_path)[hermes.LIST]
    assert [folder for folder in folders if seen[folder].name] == ["top", "top/examples/one", ".hidden/four"]


def test_deeptutor_crashes_for_the_guilty_folder_only(tmp_path: Path) -> None:
    _skill(tmp_path / "root", "good")
    _skill(tmp_path / "root", "bad", "---\nname: bad\ndescription: a\nupdated: 2024-02-30\n---\nB\n")
    seen = _ask(deeptutor.judge, tmp_path)[deeptutor.LIST]
    assert seen["bad"].verdict == "crash"
    assert (seen["good"].name, seen["good"].description) == ("good", "Does good.")


@pytest.mark.parametrize(
    ("name", "imported"),
    [("'Loud Name'", "loud-name"), ("1.5", "1-5"), ("''", "folder"), ("a--b-", "a-b"), ("技能", None)],
)
def test_deeptutor_names_an_imported_skill_by_its_slug(
    tmp_path: Path, name: str, imported: str | None
) -> None:
    _skill(tmp_path / "root", "folder", PLAIN.format(name=name, description="Does it."))
    assert _ask(deeptutor.judge, tmp_path)[deeptutor.IMPORT]["folder"].name == imported


def test_skills_ref_reads_a_traceback_as_a_refusal(tmp_path: Path) -> None:
    _skill(tmp_path / "root", "esc", "---\nname: esc\ndescription: a\x1b\n---\nB\n")
    seen = _ask(skills_ref.judge, tmp_path)[skills_ref.COLUMN]["esc"]
    assert (seen.verdict, seen.note[:21]) == ("refuse", "CRASH AttributeError:")
