"""The command as an operator meets it: what it prints, how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.build.hubs import skill_text

ROOT = Path(__file__).parents[2]


def put(folder: Path, name: str, text: str | None = None) -> None:
    target = folder / name / "SKILL.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text or skill_text(name), encoding="utf-8")


def run(*arguments: str, cwd: Path, python_path: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "generator.cli", *arguments],
        cwd=cwd, env={**os.environ, "PYTHONPATH": str(python_path), "CI": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_build_without_hub_yml(tmp_path: Path) -> None:
    put(tmp_path / "skills", "pdf")
    put(tmp_path / "more", "docx")
    done = run("build", "skills", "more", "--out", "public", "--url", "https://hub.example/x", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 skills in public: 2 new releases" in done.stdout
    assert json.loads((tmp_path / "public/hub.json").read_text())["url"] == "https://hub.example/x"


def test_summary_for_people_names_file_line_and_mend(tmp_path: Path) -> None:
    put(tmp_path / "skills", "pdf")
    put(tmp_path / "skills", "broken", "---\nname: broken\ndescription: Use when: x\n---\n")
    done = run("build", "skills", cwd=tmp_path)
    assert done.returncode == 0
    assert "not published  skills/broken/SKILL.md:3: " in done.stdout
    assert 'description: "Use when: x"' in done.stdout
    assert run("build", "skills", "--strict", cwd=tmp_path).returncode == 1
    assert run("build", "skills", "--quiet", cwd=tmp_path).stdout == ""


def test_summary_for_programs(tmp_path: Path) -> None:
    put(tmp_path / "skills", "pdf")
    put(tmp_path / "skills", "broken", "no front matter\n")
    first = json.loads(run("build", "skills", "--json", cwd=tmp_path).stdout)
    assert first["counts"] == {
        "folders": 2, "skills": 1, "published": 1, "unchanged": 0, "retained": 0, "notPublished": 1, "shadowed": 0,
        "flagged": 0, "withFindings": 1,
        "filesWritten": first["counts"]["filesWritten"],
    }  # fmt: skip
    second = json.loads(run("build", "skills", "--json", cwd=tmp_path).stdout)
    assert (second["counts"]["unchanged"], second["counts"]["filesWritten"]) == (1, 0)
    assert second["notPublished"] == first["notPublished"]


ERRORS = {
    "nothing to build": ((), "nothing to build"),
    "missing folder": (("nowhere",), "no such folder"),
    "bad url": (("skills", "--url", "hub"), "--url"),
    "output holds something else": (("skills", "--out", "thesis"), "holds files but no hub"),
    "bad clock": (("skills",), "SOURCE_DATE_EPOCH='soon'"),
}


@pytest.mark.parametrize(("arguments", "message"), ERRORS.values(), ids=ERRORS)
def test_operator_errors_end_with_3_and_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    put(tmp_path / "skills", "pdf")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/a.txt").write_text("mine")
    if "SOURCE" in message:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    done = run("build", *arguments, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith("skillpress: ")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_use_ends_with_2(tmp_path: Path) -> None:
    assert run("build", "--no-such-option", cwd=tmp_path).returncode == 2
    assert run("publish", cwd=tmp_path).returncode == 2


def test_help_and_version(tmp_path: Path) -> None:
    assert "serve" in run("--help", cwd=tmp_path).stdout
    assert run("--version", cwd=tmp_path).stdout.startswith("skillpress, version ")


def test_an_installed_skillpress_brings_its_pages(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(wheels), "."],
        cwd=ROOT, check=True,
    )  # fmt: skip
    (wheel,) = wheels.glob("skillpress-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    put(tmp_path / "work/skills", "pdf")
    done = run("build", "skills", cwd=tmp_path / "work", python_path=tmp_path / "installed")
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "work/public/local/skills/pdf/index.html").read_text()
    assert "Shows one thing." in page
    assert (tmp_path / "work/public/use/index.html").exists()


# --- serve -----------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def serving(*arguments: str, cwd: Path) -> Iterator[str]:
    port = free_port()
    with open(cwd / "serve.log", "wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "generator.cli", "serve", *arguments, "--port", str(port)],
            cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 60
        while b"Serving " not in (cwd / "serve.log").read_bytes():
            assert process.poll() is None, (cwd / "serve.log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield address
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) in (0, 1, -2, 130)


def read(address: str) -> str:
    with urllib.request.urlopen(address) as answer:
        return str(answer.read().decode())


def wait_for(address: str, text: str) -> None:
    deadline = time.monotonic() + 60
    while text not in read(address):
        assert time.monotonic() < deadline, f"{address} never said {text!r}"
        time.sleep(0.2)


def test_serve_shows_a_change_of_a_skill(tmp_path: Path) -> None:
    put(tmp_path / "skills", "pdf")
    with serving("skills", cwd=tmp_path) as address:
        page = read(f"{address}/local/skills/pdf/")
        assert "Do the thing." in page
        assert "/-/reload.js" in page
        assert f"{address}/dl/local/pdf-1.0.0.zip" in read(f"{address}/api/v1/skills/pdf/install")
        put(tmp_path / "skills", "pdf", skill_text("pdf", body="Do another thing.\n"))
        wait_for(f"{address}/local/skills/pdf/", "Do another thing.")
        put(tmp_path / "skills", "docx")
        wait_for(f"{address}/api/v1/skills", '"slug":"docx"')
    assert not (tmp_path / "public").exists()


def test_serve_a_hub_folder_under_its_base_path(tmp_path: Path) -> None:
    put(tmp_path / "skills", "pdf")
    (tmp_path / "hub.yml").write_text("url: https://hub.example/base\nsources: [skills]\n")
    with serving(cwd=tmp_path) as address:
        assert f"{address}/base/dl/local/pdf-1.0.0.zip" in read(f"{address}/base/api/v1/skills/pdf/install")


def test_serve_a_built_hub_as_it_is_and_pick_up_the_next_build(tmp_path: Path) -> None:
    put(tmp_path / "skills", "pdf")
    assert run("build", "skills", "--layout", "packed", cwd=tmp_path).returncode == 0
    with serving("--no-build", cwd=tmp_path) as address:
        assert "/-/reload.js" not in read(f"{address}/local/skills/pdf/")
        put(tmp_path / "skills", "pdf", skill_text("pdf", version="1.1.0"))
        assert run("build", "skills", "--layout", "packed", cwd=tmp_path).returncode == 0
        wait_for(f"{address}/api/v1/skills/pdf", '"version":"1.1.0"')


def test_serve_what_is_no_hub(tmp_path: Path) -> None:
    done = run("serve", ".", "--no-build", cwd=tmp_path)
    assert done.returncode == 3
    assert "no hub here" in done.stderr
