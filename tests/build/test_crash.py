"""Killed at any moment, the old hub stays whole; the next build ends where an undisturbed one would."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator.serve.tree import Tree
from generator.verify.places import open_place
from generator.verify.run import verify
from tests.build.hubs import LittleHub, skill_text

SKILLS = 30


def edition(hub: LittleHub, version: str) -> None:
    for number in range(SKILLS):
        name = f"skill-{number}"
        hub.put(
            f"skills/{name}", {"SKILL.md": skill_text(name, version=version), "a.md": f"{version} {number}\n"}
        )


def start_build(hub: LittleHub) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-m", "generator.cli", "build", "--out", "public", "--quiet", "--jobs", "2",
        "--url", "https://hub.example", "--layout", hub.layout,
    ]  # fmt: skip
    command += ["--config", hub.config] if hub.config is not None else ["skills", "--owner", "acme"]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "PYTHONPATH": os.getcwd()}
    return subprocess.Popen(command, cwd=hub.root, env=environment, start_new_session=True)


def assert_whole(hub: LittleHub, versions: set[str]) -> None:
    """Whatever a client could ask for is there, whole, and of one of the editions."""
    tree = Tree.open(hub.out)
    listed = tree.read("/api/v1/skills")
    assert listed is not None
    items = json.loads(listed.data())["items"]
    assert len(items) == SKILLS
    for item in items:
        detail = tree.read(f"/api/v1/skills/{item['slug']}")
        assert detail is not None
        version = json.loads(detail.data())["latestVersion"]["version"]
        assert version in versions
        described = tree.read(f"/api/v1/skills/{item['slug']}/versions/{version}")
        assert described is not None
        files = json.loads(described.data())["version"]["files"]
        archive = tree.read(f"/dl/acme/{item['slug']}-{version}.zip")
        assert archive is not None
        data = archive.data()
        for file in files:
            content = data[file["offset"] : file["offset"] + file["size"]]
            assert hashlib.sha256(content).hexdigest() == file["sha256"]


@pytest.mark.parametrize("layout", ["packed", "exploded"])
def test_killed_at_many_points(tmp_path: Path, layout: str) -> None:
    hub = LittleHub(tmp_path / "hub", layout=layout, owner="acme")
    edition(hub, "1.0.0")
    assert start_build(hub).wait() == 0
    edition(hub, "1.1.0")
    started = time.perf_counter()
    trial = LittleHub(tmp_path / "trial", layout=layout, owner="acme")
    edition(trial, "1.0.0")
    assert start_build(trial).wait() == 0
    edition(trial, "1.1.0")
    started = time.perf_counter()
    assert start_build(trial).wait() == 0
    whole = time.perf_counter() - started
    killed = 0
    for point in range(16):
        process = start_build(hub)
        time.sleep(whole * (0.1 + 0.05 * point))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            killed += 1
        process.wait()
        assert_whole(hub, {"1.0.0", "1.1.0"})
    assert killed >= 3
    assert start_build(hub).wait() == 0
    assert hub.files() == trial.files()


COLLECTED = """
owner: acme
sources: [skills]
hosting: {hosting}
collections:
  all: {title: All, skills: ["acme/*"]}
  few: {title: Few, skills: [skill-1, skill-2]}
"""
HOSTS = {"packed": "container", "exploded": "nginx"}
QUARANTINE = "quarantine: {acme/skill-1@1.0.0: Looks bad., acme/skill-2: Looks worse.}\n"
ROUNDS = (("1.1.0", QUARANTINE), ("1.1.0", "{}\n"), ("1.2.0", QUARANTINE), ("1.3.0", "{}\n"))
ENDS = frozenset({"zip", "skill", "tgz"})


@pytest.mark.parametrize("layout", ["packed", "exploded"])
def test_killed_among_collections_and_archives_that_come_and_go(tmp_path: Path, layout: str) -> None:
    """Ledgers of collections only grow, bundles are whole, derived archives go and come back with the zip they are
    made from; the files for the host, in the hub and beside it, end as after an undisturbed build."""
    hub, trial = (collected(tmp_path / name, layout) for name in ("hub", "trial"))
    for one in (hub, trial):
        edition(one, "1.0.0")
        assert start_build(one).wait() == 0
    killed = 0
    for version, decisions in ROUNDS:
        for one in (hub, trial):
            edition(one, version)
            (one.root / "overlay/decisions.yml").write_text(decisions)
        started = time.perf_counter()
        assert start_build(trial).wait() == 0
        took = time.perf_counter() - started
        ledger = collection_ledger(hub)
        for point in range(4):
            process = start_build(hub)
            time.sleep(took * (0.4 + 0.15 * point))
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                killed += 1
            process.wait()
            assert collection_ledger(hub).startswith(ledger)
            for tarball in (hub.out / "dl").rglob("*.tgz"):
                gzip.decompress(tarball.read_bytes())
        assert start_build(hub).wait() == 0
        assert hub.files() == trial.files()
        assert beside(hub) == beside(trial)
        for name in ("skill-1-1.0.0", "skill-2-1.0.0", "skill-3-1.0.0"):
            there = {end for end in ENDS if (hub.out / f"dl/acme/{name}.{end}").exists()}
            held = decisions == QUARANTINE and name != "skill-3-1.0.0"
            assert there == (set() if held else ENDS), name
        assert verify(open_place(str(hub.out))).failures == ()
    assert killed >= len(ROUNDS)


def collected(root: Path, layout: str) -> LittleHub:
    (root / "overlay").mkdir(parents=True)
    (root / "hub.yml").write_text(COLLECTED.replace("{hosting}", HOSTS[layout]))
    return LittleHub(root, paths=(), layout=layout, config=str(root / "hub.yml"))


def collection_ledger(hub: LittleHub) -> bytes:
    return (hub.out / "ledger/collections/all.jsonl").read_bytes()


def beside(hub: LittleHub) -> dict[str, bytes]:
    """The files for the host that belong beside the published folder."""
    return {one.name: one.read_bytes() for one in hub.root.iterdir() if one.is_file()}


def test_killed_in_a_fresh_folder(tmp_path: Path) -> None:
    hub = LittleHub(tmp_path / "hub", layout="packed", owner="acme")
    edition(hub, "1.0.0")
    for point in range(8):
        process = start_build(hub)
        time.sleep(0.25 + 0.08 * point)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert start_build(hub).wait() == 0
    other = LittleHub(tmp_path / "other", layout="packed", owner="acme")
    edition(other, "1.0.0")
    assert start_build(other).wait() == 0
    assert hub.files() == other.files()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda sent: sent.name)
def test_an_ended_build_leaves_no_process_behind(tmp_path: Path, sent: signal.Signals) -> None:
    hub = LittleHub(tmp_path / "hub", owner="acme")
    for number in range(300):
        hub.put(f"skills/skill-{number}", skill_text(f"skill-{number}", body="# Title\n\nText.\n" * 200))
    process = start_build(hub)
    deadline = time.monotonic() + 60
    while (
        len(workers := children(process.pid)) < 2 and process.poll() is None and time.monotonic() < deadline
    ):
        time.sleep(0.01)
    assert len(workers) >= 2
    os.kill(process.pid, sent)
    process.wait()
    deadline = time.monotonic() + 30
    while any(is_running(worker) for worker in workers):
        assert time.monotonic() < deadline, "a worker outlived its build"
        time.sleep(0.05)


def children(parent: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == parent:
                    found.append(int(entry.name))
    return found


def is_running(pid: int) -> bool:
    try:
        return (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split())[0] != "Z"
    except OSError:
        return False
