"""Full text in a build: switched on, changed, switched off, and without its program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import require
from tests.deps.pagefind_part import BIN
from tests.hubs import LiveHub, read_tree, write_tree

ON = "search: {full_text: yes}\n"


@pytest.fixture
def hub(tmp_path: Path) -> LiveHub:
    hub = LiveHub(folder=tmp_path, layout="exploded")
    write_tree(tmp_path / "skills", {"pdf/SKILL.md": _text("1.0.0", "Repair it with qpdf.")})
    return hub


def _text(version: str, body: str) -> str:
    return f"---\nname: pdf\ndescription: Reads documents.\nversion: {version}\n---\n{body}\n"


def _build(hub: LiveHub, more: str) -> dict[str, bytes]:
    hub.configure({"skills": "acme"}, more=more)
    hub.build().check()
    return {path: data for path, data in read_tree(hub.out).items() if path.startswith("search/pagefind/")}


def test_files_come_change_and_go(hub: LiveHub, monkeypatch: pytest.MonkeyPatch) -> None:
    require("pagefind")
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    first = _build(hub, ON)
    assert "search/pagefind/pagefind-entry.json" in first
    write_tree(hub.folder / "skills", {"pdf/SKILL.md": _text("1.1.0", "Repair it with mutool.")})
    second = _build(hub, ON)
    fragments = [{path for path in made if "/fragment/" in path} for made in (first, second)]
    assert [len(found) for found in fragments] == [1, 1]
    assert fragments[0] != fragments[1]
    assert _build(hub, ON) == second
    assert _build(hub, "") == {}
    assert (hub.out / "search" / "index.json").exists()
    assert _build(hub, ON) == second


def test_what_is_left_of_a_build_that_nobody_remembers_goes(hub: LiveHub) -> None:
    _build(hub, "")
    write_tree(hub.out, {"search/pagefind/fragment/en_old.pf_fragment": b"old"})
    (hub.out / ".skillpress" / "memory.json").unlink()
    assert _build(hub, "") == {}


def test_a_missing_program_is_said_and_nothing_is_published(
    hub: LiveHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    _build(hub, "")
    before = read_tree(hub.out, without=[".skillpress"])
    monkeypatch.setenv("PATH", str(hub.folder / "nothing"))
    hub.configure({"skills": "acme"}, more=ON)
    write_tree(hub.folder / "skills", {"pdf/SKILL.md": _text("1.1.0", "Other.")})
    result = hub.build()
    assert result.code != 0
    assert "search.full_text: the program pagefind is not on PATH. Install it" in result.stderr
    assert "Traceback" not in result.stderr
    assert read_tree(hub.out, without=[".skillpress"]) == before


def test_a_wrong_value_is_said_with_its_place(hub: LiveHub) -> None:
    hub.configure({"skills": "acme"}, more="search:\n  full_txt: yes\n")
    result = hub.build()
    assert result.code != 0
    assert "search" in result.stderr
    assert "full_text" in result.stderr


def test_the_module_is_only_loaded_where_it_is_switched_on() -> None:
    code = "import sys, generator.build.run; print('generator.build.fulltext' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
