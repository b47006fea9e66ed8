"""What an adversary did to an output folder and its sources, and what must come of it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from generator.errors import PublishError
from generator.history.ledger import LedgerError, read_ledger
from generator.serve.tree import Tree
from generator.verify.places import open_place
from generator.verify.run import verify
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text


@pytest.fixture(params=["packed", "exploded"])
def hub(tmp_path: Path, request: pytest.FixtureRequest) -> LittleHub:
    hub = LittleHub(tmp_path, layout=request.param, owner="acme")
    for name in ("one", "two"):
        hub.put(f"skills/skill-{name}", skill_text(f"skill-{name}"))
    hub.build()
    return hub


@pytest.mark.parametrize("folder", ["dl", "ledger", "acme", "api", ".skillpress"])
def test_nothing_is_written_or_removed_through_a_link(hub: LittleHub, folder: str) -> None:
    (hub.out / folder).mkdir(exist_ok=True)
    victim = hub.root / "victim"
    shutil.move(hub.out / folder, victim)
    (hub.out / folder).symlink_to(victim)
    before = {path: path.read_bytes() for path in sorted(victim.rglob("*")) if path.is_file()}
    hub.put("skills/skill-three", skill_text("skill-three"))
    with pytest.raises(PublishError, match="symbolic link"):
        hub.build(FIRST_TIME + 1)
    assert {path: path.read_bytes() for path in sorted(victim.rglob("*")) if path.is_file()} == before


DAMAGE = {
    "ledger removed": lambda ledger: ledger.unlink(),
    "ledger emptied": lambda ledger: ledger.write_bytes(b""),
    "last line cut off": lambda ledger: ledger.write_bytes(ledger.read_bytes().splitlines(keepends=True)[0]),
    "last line edited": lambda ledger: ledger.write_bytes(
        b"".join(ledger.read_bytes().splitlines(keepends=True)[:1])
        + ledger.read_bytes().splitlines(keepends=True)[1].replace(b'"first_seen":17', b'"first_seen":15')
    ),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_ledger_stops_the_build_and_no_archive_changes(hub: LittleHub, damage: object) -> None:
    hub.put("skills/skill-two", skill_text("skill-two", version="1.1.0"))
    hub.build(FIRST_TIME + 1)
    archives = {path.name: path.read_bytes() for path in (hub.out / "dl/acme").iterdir()}
    damage(hub.out / "ledger/acme/skill-two.jsonl")  # type: ignore[operator]
    hub.put("skills/skill-two", skill_text("skill-two", version="1.1.0", body="other\n"))
    with pytest.raises(LedgerError, match=r"ledger/acme/skill-two\.jsonl.*[Rr]estore"):
        hub.build(FIRST_TIME + 2)
    assert {path.name: path.read_bytes() for path in (hub.out / "dl/acme").iterdir()} == archives


def test_a_skill_never_swallows_the_hub_it_becomes(tmp_path: Path) -> None:
    hub = LittleHub(tmp_path, paths=(".",), owner="acme")
    hub.put(".", skill_text("alone"))
    first = hub.build()
    second = hub.build(FIRST_TIME + 1)
    assert (first.skills, second.skills, second.not_published) == (1, 1, ())
    hub.put(".", skill_text("alone", version="1.0.1"))
    hub.build(FIRST_TIME + 2)
    (_, release) = read_ledger((hub.out / "ledger/acme/alone.jsonl").read_bytes(), "x")
    assert [file.path for file in release.files] == ["SKILL.md"]


def test_a_pipe_in_the_output_is_replaced(hub: LittleHub) -> None:
    (hub.out / "search" / "index.json").unlink()
    os.mkfifo(hub.out / "search" / "index.json")
    hub.put("skills/skill-three", skill_text("skill-three"))
    hub.build(FIRST_TIME + 1)
    assert json.loads((hub.out / "search" / "index.json").read_text())


BROKEN_OUTPUT = {
    "root document emptied": ("hub.json", b""),
    "archive cut off": ("dl/acme/skill-one-1.0.0.zip", b"PK"),
    "list cut off": ("api/v1/skills/index.html", b"{"),
}


@pytest.mark.parametrize(("path", "content"), BROKEN_OUTPUT.values(), ids=BROKEN_OUTPUT)
def test_a_damaged_output_is_noticed(hub: LittleHub, path: str, content: bytes) -> None:
    whole = hub.files()
    (hub.out / path).write_bytes(content)
    hub.build(FIRST_TIME + 1)
    assert hub.files() == whole


def test_an_archive_that_is_gone_is_not_offered_and_said(hub: LittleHub) -> None:
    hub.put("skills/skill-one", skill_text("skill-one", version="1.1.0"))
    hub.build(FIRST_TIME + 1)
    (hub.out / "dl/acme/skill-one-1.0.0.zip").unlink()
    summary = hub.build(FIRST_TIME + 2)
    assert [(note.code, note.path) for note in summary.source_findings] == [
        ("archive-missing", "dl/acme/skill-one-1.0.0.zip")
    ]
    versions = Tree.open(hub.out).read("/api/v1/skills/skill-one/versions")
    assert versions is not None
    assert [one["version"] for one in json.loads(versions.data())["items"]] == ["1.1.0"]
    assert len(read_ledger((hub.out / "ledger/acme/skill-one.jsonl").read_bytes(), "x")) == 2


def test_stray_files_among_the_ledgers_do_no_harm(hub: LittleHub) -> None:
    (hub.out / "ledger/.DS_Store").write_bytes(b"x")
    (hub.out / "ledger/acme/notes.jsonl").mkdir()
    hub.put("skills/skill-three", skill_text("skill-three"))
    assert hub.build(FIRST_TIME + 1).skills == 3


def test_a_clock_that_went_back_makes_no_release_older(hub: LittleHub) -> None:
    hub.put("skills/skill-one", skill_text("skill-one", version="1.1.0"))
    hub.build(FIRST_TIME - 1000)
    times = [
        one.first_seen for one in read_ledger((hub.out / "ledger/acme/skill-one.jsonl").read_bytes(), "x")
    ]
    assert times == [FIRST_TIME, FIRST_TIME]


def test_a_preview_forgets_a_renamed_skill(tmp_path: Path) -> None:
    hub = LittleHub(tmp_path, owner="acme")
    hub.put("skills/old-name", skill_text("old-name"))
    hub.build(preview=True)
    shutil.move(hub.root / "skills/old-name", hub.root / "skills/new-name")
    summary = hub.build(FIRST_TIME + 1, preview=True)
    assert (summary.skills, summary.retained) == (1, 0)
    assert Tree.open(hub.out).read("/api/v1/skills/old-name") is None


def test_a_folder_that_keeps_changing_is_listed_and_the_others_are_built(tmp_path: Path) -> None:
    hub = LittleHub(tmp_path, owner="acme")
    for number in range(300):
        hub.put(
            f"skills/skill-{number}", {"SKILL.md": skill_text(f"skill-{number}"), "fill.md": "x" * 400_000}
        )
    busy, stop = hub.root / "skills/skill-299/log.txt", threading.Event()

    def scribble() -> None:
        while not stop.is_set():
            with open(busy, "a") as file:
                file.write("x")
            time.sleep(0.002)

    writer = threading.Thread(target=scribble)
    writer.start()
    try:
        done = subprocess.run(
            [
                sys.executable, "-m", "generator.cli", "build", "skills", "--out", "public", "--layout", "packed",
                "--jobs", "2", "--json",
            ],
            cwd=hub.root, env={**os.environ, "PYTHONPATH": os.getcwd()}, capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        stop.set()
        writer.join()
    assert (done.returncode, done.stderr) == (0, "")
    summary = json.loads(done.stdout)
    assert summary["counts"]["folders"] == 300
    assert summary["counts"]["skills"] >= 299


def test_hidden_characters_reach_no_list_title_or_terminal(tmp_path: Path) -> None:
    hub = LittleHub(tmp_path, owner="acme")
    hub.put(
        "skills/sly",
        '---\nname: sly\ndescription: "\\u202eok x\\u200b"\ntitle: "\\u202eDisp"\ntags: ["a\\u200bb"]\n'
        'emoji: "\\u202ex"\nversion: 1.0.0\n---\n\n# T\u202e\n\n```sh\nrm -rf x # \u202esafe\n```\n',
    )
    hub.put("skills/broken", "---\nname: broken\ndescription: \u202e a: b\n---\n")
    hub.put("skills/bad\x1b[31m", "no front matter\n")
    hub.build()
    tree = Tree.open(hub.out)
    for path in (
        "/",
        "/browse/",
        "/acme/",
        "/acme/skills/sly/",
        "/not-published/",
        "/api/v1/skills",
        "/search/index.json",
    ):
        found = tree.read(path)
        assert found is not None
        text = found.data().decode()
        assert not set(text) & set("\u202e\u200b\x1b"), path
    done = subprocess.run(
        [sys.executable, "-m", "generator.cli", "build", "skills", "--out", "public", "--layout", "packed", "--owner",
         "acme", "--url", "https://hub.example"],
        cwd=hub.root, env={**os.environ, "PYTHONPATH": os.getcwd()}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not set(done.stdout) & set("\u202e\u200b\x1b")
    assert "\\u{202e}" in done.stdout


def test_an_output_that_is_not_utf8_ends_no_build(tmp_path: Path) -> None:
    hub = LittleHub(tmp_path, owner="acme")
    hub.put("skills/动量策略🚀", "no front matter\n")
    for extra in ([], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "generator.cli", "build", "skills", "--out", "public", *extra],
            cwd=hub.root, env={**os.environ, "PYTHONPATH": os.getcwd(), "PYTHONIOENCODING": "cp1252"},
            capture_output=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        if extra:
            assert json.loads(done.stdout)["notPublished"][0]["folder"] == "动量策略🚀"


def test_a_version_can_be_taken_back_by_hand_and_its_number_is_never_used_again(hub: LittleHub) -> None:
    hub.put("skills/skill-one", skill_text("skill-one", version="1.1.0"))
    hub.build(FIRST_TIME + 1)
    shutil.rmtree(hub.root / "skills/skill-one")
    (hub.out / "dl/acme/skill-one-1.1.0.zip").unlink()
    summary = hub.build(FIRST_TIME + 2)
    assert [note.path for note in summary.source_findings] == ["dl/acme/skill-one-1.1.0.zip"]
    detail = Tree.open(hub.out).read("/api/v1/skills/skill-one")
    assert detail is not None
    assert json.loads(detail.data())["latestVersion"]["version"] == "1.0.0"
    hub.put("skills/skill-one", skill_text("skill-one", version="1.1.0", body="other\n"))
    (line,) = hub.build(FIRST_TIME + 3).not_published
    assert line.codes == ("version-changed",)
    shutil.rmtree(hub.root / "skills/skill-one")
    (hub.out / "dl/acme/skill-one-1.0.0.zip").unlink()
    assert hub.build(FIRST_TIME + 4).skills == 1
    assert Tree.open(hub.out).read("/acme/skills/skill-one/") is None
    assert (hub.out / "ledger/acme/skill-one.jsonl").exists()


# --- killed with decisions in force ----------------------------------------------------------------

DECISIONS = """quarantine:
  acme/skill-0: Looked into.
  acme/skill-1@1.0.0: Looked into.
  acme/skill-2@1.1.0: Looked into.
yank: {acme/skill-3@1.1.0: Breaks.}
deprecate: {acme/skill-6: {successor: acme/skill-7}}
"""
RENAMES = "rename: {acme/skill-1: acme/first, acme/skill-5: team/five}\n"
HELD = ("skill-0-1.0.0", "skill-0-1.1.0", "skill-1-1.0.0", "first-1.0.0", "skill-2-1.1.0")


def start_build(hub: LittleHub) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            sys.executable, "-m", "generator.cli", "build", "skills", "--out", "public", "--layout", hub.layout,
            "--owner", "acme", "--url", "https://hub.example", "--jobs", "2", "--quiet",
        ],
        cwd=hub.root, start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.getcwd(), "SOURCE_DATE_EPOCH": "1700000000"},
    )  # fmt: skip


def archives(hub: LittleHub) -> set[str]:
    """Every archive there is, held back or not, by name and content."""
    return {f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in hub.out.rglob("*.zip")}


@pytest.mark.parametrize("lost", [".skillpress", ".skillpress/memory.json"])
def test_a_rename_by_a_build_that_remembers_nothing_leaves_nothing_behind(
    hub: LittleHub, tmp_path: Path, lost: str
) -> None:
    """A killed build has no memory either; what lies at a former address is then nobody's and stays for ever."""
    calm = LittleHub(tmp_path / "calm", layout=hub.layout, owner="acme")
    hub.put("skills/skill-one", skill_text("skill-one", version="1.1.0"))
    hub.build(FIRST_TIME + 1)
    shutil.copytree(hub.out, calm.out)
    shutil.copytree(hub.root / "skills", calm.root / "skills")
    path = hub.out / lost
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    for one in (hub, calm):
        (one.root / "overlay").mkdir()
        (one.root / "overlay/decisions.yml").write_text("rename: {acme/skill-one: team/first}\n")
        one.build(FIRST_TIME + 2)
    assert hub.content() == calm.content()


@pytest.mark.parametrize("layout", ["packed", "exploded"])
def test_killed_while_decisions_are_carried_out_and_taken_back(tmp_path: Path, layout: str) -> None:
    """Archives move as they are withheld and come back; none is lost, and the end is that of undisturbed builds."""
    hub = LittleHub(tmp_path / "hub", layout=layout, owner="acme")
    for version in ("1.0.0", "1.1.0"):
        for number in range(12):
            hub.put(
                f"skills/skill-{number}", skill_text(f"skill-{number}", version=version, body=f"{version}\n")
            )
        hub.build(1_700_000_000_000)
    (hub.root / "overlay").mkdir()
    (hub.root / "overlay/renames.yml").write_text(RENAMES)
    hub.build(1_700_000_000_000)
    calm = LittleHub(tmp_path / "calm", layout=layout, owner="acme")
    shutil.copytree(hub.root, calm.root, symlinks=True)
    published = archives(hub)
    started = time.perf_counter()
    for decisions in (DECISIONS, DECISIONS.partition("yank")[2].join(("yank", ""))):
        (calm.root / "overlay/decisions.yml").write_text(decisions)
        assert start_build(calm).wait() == 0
        whole = time.perf_counter() - started
        (hub.root / "overlay/decisions.yml").write_text(decisions)
        killed = 0
        for point in range(8):
            process = start_build(hub)
            time.sleep(whole * (0.2 + 0.1 * point))
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                killed += 1
            process.wait()
            assert published <= archives(hub), "an archive was lost"
            assert all(
                read_ledger(path.read_bytes(), path.name) for path in hub.out.rglob("ledger/*/*.jsonl")
            )
        assert killed
        assert start_build(hub).wait() == 0
        assert verify(open_place(str(hub.out))).failures == ()
        given = {path.stem for path in (hub.out / "dl/acme").iterdir()}
        assert given.isdisjoint(HELD) if decisions is DECISIONS else given.issuperset(HELD)
        assert hub.content() == calm.content()
        started = time.perf_counter()
