"""Where a hub lives through its steps: the machine that builds and serves it, and the client that uses it all along."""

from __future__ import annotations

import hashlib
import http.client
import io
import json
import os
import shutil
import signal
import subprocess
import time
import zipfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.build.test_sources import Repository
from tests.clients.conftest import run_clawhub
from tests.clients.life_model import Edition, Known, Record, Step, note
from tests.hubs import COMMAND, DAY, EPOCH, BuildResult, LiveHub, minimal_environment, read_tree, write_tree

CLIENT = "0.23.3"
LOCAL = ("public", "serve.log")
"""What a machine has besides the sources of the hub."""
KILL_SECONDS = 60


@dataclass(slots=True)
class Stage:
    """A hub that is served all the time, its ``record``, and the home and working folder of one client.

    ``folder`` holds all of it; ``day`` counts the steps. ``ledgers`` are their bytes after the last step.
    """

    folder: Path
    live: LiveHub
    record: Record = field(default_factory=Record)
    day: int = 0
    repository: Repository | None = None
    ledgers: dict[str, bytes] = field(default_factory=dict)

    @property
    def now(self) -> int:
        """The time of this step's build, in seconds."""
        return EPOCH + self.day * DAY

    @property
    def work(self) -> Path:
        """Where the long-lived client works."""
        return self.folder / "work"

    # --- what authors and operators do -------------------------------------------------------------

    def configure(self, *sources: str, policy: str = "error") -> None:
        """Write ``hub.yml``."""
        lines = "".join(f"  - {source}\n" for source in sources)
        (self.live.folder / "hub.yml").write_text(
            f"name: A hub with a past\npolicy:\n  on_changed_version: {policy}\nsources:\n{lines}"
        )

    def put(self, folder: str, made: Edition | None) -> None:
        """Make a folder hold just this edition, or remove it."""
        shutil.rmtree(self.live.folder / folder, ignore_errors=True)
        if made is not None:
            write_tree(self.live.folder / folder, made.files)

    def commit(self, name: str, *editions: Edition) -> None:
        """Commit editions of a skill to the repository, one after the other."""
        if self.repository is None:
            self.repository = Repository(self.live.folder / "repo")
        for made in editions:
            self.repository.commit(
                f"{name} again", **{f"skills__{name}__SKILL": made.files["SKILL.md"].decode()}
            )

    def decide(self, name: str, text: str) -> None:
        """Write a file of the overlay by hand."""
        write_tree(self.live.folder, {f"overlay/{name}.yml": text})

    def command(self, *arguments: str) -> None:
        """Run a command of the operator's beside ``hub.yml``."""
        done = _run(self.live, *arguments)
        assert done.returncode == 0, _said(done)

    # --- builds ------------------------------------------------------------------------------------

    def build(self, *arguments: str) -> BuildResult:
        """The next build on this machine."""
        return self.live.build(*arguments, epoch=self.now)

    def build_killed(self, path: str) -> None:
        """Start a build and kill it, workers and all, as soon as a file of the output is another than before."""
        target = self.live.out / path
        before = _identity(target)
        options = ("--out", "public", "--url", self.live.url, "--layout", self.live.layout, "--quiet")
        process = subprocess.Popen(
            [COMMAND, "build", *options],
            cwd=self.live.folder,
            env=minimal_environment(self.live.folder, SOURCE_DATE_EPOCH=str(self.now)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + KILL_SECONDS
        while _identity(target) == before and process.poll() is None and time.monotonic() < deadline:
            pass  # a build is over soon, so this must not sleep
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        ended = process.wait()
        assert ended == -signal.SIGKILL, f"the build ended with {ended} before {path} was seen to change"
        assert _identity(target) != before, f"the build came never to {path}"

    def build_elsewhere(self) -> BuildResult:
        """Build on a second machine that has the sources and the URL of the first; then it serves in its place."""
        first = self.live
        second = LiveHub(self.folder / "second", layout=first.layout, port=first.port)
        shutil.copytree(first.folder, second.folder, ignore=shutil.ignore_patterns(*LOCAL))
        done = second.build("--previous", first.url, epoch=self.now).check()
        assert _differing(first.out, second.out) == [], "the second machine made another hub"
        first.stop()
        self.live = second
        if self.repository is not None:
            self.repository.folder = second.folder / "repo"
        second.start()
        return done

    # --- one step ----------------------------------------------------------------------------------

    def take(self, step: Step) -> list[str]:
        """Do what the step says; everything that is then not as it should be."""
        self.day += 1
        for folder, made in step.puts.items():
            self.put(folder, made)
        for act in step.act:
            act(self)
        before = _published(self.live.out)
        result = self.build(*step.arguments) if step.build is None else step.build(self)
        note(step, self.record, self.now)
        wrong = [] if result is None else _judge_build(step, result)
        if (step.stopped or step.quiet) and _published(self.live.out) != before:
            wrong.append("files of the hub changed")
        if not (self.live.out / "hub.json").is_file():
            return [*wrong, "there is no hub"]
        if self.day == 1:
            self.live.start()
        return [*wrong, *self._look(step)]

    def _look(self, step: Step) -> list[str]:
        """Everything that is wrong with the hub and with what clients get; what waits for Node waits together."""
        with ThreadPoolExecutor() as pool:
            newcomers = [
                pool.submit(self._welcome, number, *wish)
                for number, wish in enumerate(step.newcomers.items())
            ]
            client = pool.submit(self.use_client, step)
            wrong = self.examine(whole=not step.coming)
            return [*wrong, *client.result(), *(one for wish in newcomers for one in wish.result())]

    # --- the hub -----------------------------------------------------------------------------------

    def examine(self, *, whole: bool = True) -> list[str]:
        """Everything in which the served hub is not what is on record; what it gives first is put on record.

        ``whole`` is false after a killed build: then the root document cannot promise everything there is.
        """
        wrong = [*_compare_ledgers(self.ledgers, self.live.out), *(_verify(self.live) if whole else ())]
        self.ledgers = {**self.ledgers, **_ledgers(self.live.out)}
        connection = http.client.HTTPConnection("127.0.0.1", self.live.port, timeout=30)
        try:
            for key in self.record.keys:
                wrong += self._examine_skill(connection, key)
        finally:
            connection.close()
        return wrong

    def _examine_skill(self, connection: http.client.HTTPConnection, key: str) -> list[str]:
        owner, _, slug = key.partition("/")
        present = key
        while present in self.record.moved:
            present = self.record.moved[present]
        known = self.record.versions(present)
        status, body = _get(connection, f"/api/v1/skills/{slug}/versions")
        listed = (
            {one["version"]: one["createdAt"] for one in json.loads(body)["items"]} if status == 200 else {}
        )
        wrong = [
            f"{key}@{version} is listed, which nobody published"
            for version in sorted(set(listed) - set(known))
        ]
        for version, one in known.items():
            if version not in listed and one.sure:
                wrong.append(f"{key}@{version} is not listed")
            elif version in listed and listed[version] not in {time * 1000 for time in one.times}:
                wrong.append(
                    f"{key}@{version} was first seen at {listed[version]}, not {sorted(one.times)} s"
                )
            elif version in listed:
                one.times = frozenset({listed[version] // 1000})
        for version, one in self.record.versions(key).items():
            routes = [f"/dl/{owner}/{slug}-{version}.zip"]
            if present == key:
                routes.append(f"/api/v1/download?slug={slug}&ownerHandle={owner}&version={version}")
            # A killed build may have written the archive and not yet said so.
            if one.sure or version in listed:
                wrong += [found for route in routes for found in _examine_archive(connection, route, one)]
        return wrong

    # --- the clients -------------------------------------------------------------------------------

    def use_client(self, step: Step) -> list[str]:
        """Update all that is installed, install what is new, and compare every file."""
        home, work = self.folder / "home", self.work
        wrong: list[str] = []
        before = dict(self.record.installed)
        self.record.installed.update(self._editions(step.updates))
        if before:
            wrong += self._clawhub(home, work, "update", "--all")
        for name, made in self._editions(step.installs).items():
            wrong += self._clawhub(home, work, "install", name)
            self.record.installed[name] = made
        found = {path.name for path in (work / "skills").iterdir() if path.is_dir()}
        wrong += [
            f"skills/{name} should not be installed" for name in sorted(found - set(self.record.installed))
        ]
        for name, made in self.record.installed.items():
            files = read_tree(work / "skills" / name, without=[".clawhub"])
            allowed = [made.files, before[name].files] if step.coming and name in before else [made.files]
            if files not in allowed:
                wrong.append(f"installed skills/{name} {_differ(files, made.files)}")
            if step.coming and name in before and files == before[name].files:
                self.record.installed[name] = before[name]
        return wrong

    def _welcome(self, number: int, wish: str, gets: str) -> list[str]:
        """What is wrong with what somebody gets who comes with nothing installed."""
        place = self.folder / f"newcomer-{self.day}-{number}"
        name, *options = wish.split()
        done = run_clawhub(
            CLIENT, place / "home", place / "work", "--registry", self.live.url, "install", name, *options
        )
        if gets not in self.record.releases:
            refused = done.returncode != 0 and gets in _said(done)
            return [] if refused else [f"install {wish} should say {gets!r}: {_said(done)}"]
        files = read_tree(place / "work" / "skills" / name, without=[".clawhub"])
        if files == self.record.releases[gets].edition.files:
            return []
        return [f"install {wish} does not give {gets}: {_said(done)}"]

    def _editions(self, wanted: Mapping[str, str]) -> dict[str, Edition]:
        return {name: self.record.releases[release].edition for name, release in wanted.items()}

    def _clawhub(self, home: Path, work: Path, *arguments: str) -> list[str]:
        done = run_clawhub(CLIENT, home, work, "--registry", self.live.url, *arguments)
        return [] if done.returncode == 0 else [f"clawhub {' '.join(arguments)}: {_said(done)}"]


# --- pieces ----------------------------------------------------------------------------------------


def _run(live: LiveHub, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [COMMAND, *arguments],
        cwd=live.folder,
        env=minimal_environment(live.folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
    )


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    return f"exit {done.returncode}: {done.stdout.decode()[-2000:]} {done.stderr.decode()[-2000:]}"


def _identity(path: Path) -> int | None:
    """Which file lies there, if any: a build replaces files as a whole."""
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return None


def _published(out: Path) -> dict[str, str]:
    """Every file that is published with its sha256."""
    return {
        path: hashlib.sha256(data).hexdigest()
        for path, data in (read_tree(out, without=[".skillpress"]) if out.exists() else {}).items()
    }


def _differing(one: Path, other: Path) -> list[str]:
    here, there = _published(one), _published(other)
    return sorted(path for path in here.keys() | there.keys() if here.get(path) != there.get(path))


def _ledgers(out: Path) -> dict[str, bytes]:
    return {path: data for path, data in read_tree(out / "ledger").items() if path.endswith(".jsonl")}


def _compare_ledgers(before: Mapping[str, bytes], out: Path) -> list[str]:
    now = _ledgers(out)
    return [
        f"ledger/{path} was not only appended to"
        for path, data in before.items()
        if not now.get(path, b"").startswith(data)
    ]


def _judge_build(step: Step, result: BuildResult) -> list[str]:
    """What a build that was not killed did else than the step says."""
    if step.stopped:
        stopped = result.code == 3 and step.stopped in result.stderr
        return (
            []
            if stopped
            else [f"the build should stop with {step.stopped!r}: {result.stderr}{result.stdout}"]
        )
    if result.code != 0 or "Traceback" in result.stderr:
        return [f"the build ended with {result.code}: {result.stderr[-3000:]}{result.stdout[-3000:]}"]
    told: list[tuple[str, object, object]] = [
        ("not published", _refusals(result.summary), dict(step.refused)),
        ("shadowed", sorted(row["folder"] for row in result.summary["shadowed"]), sorted(step.shadowed)),
    ]
    if step.quiet:
        told.append(("files written", result.summary["counts"]["filesWritten"], 0))
    return [f"{what}: {is_}, not {should}" for what, is_, should in told if is_ != should]


def _refusals(summary: Mapping[str, Any]) -> dict[str, str]:
    return {f"{row['source']}/{row['folder']}": " ".join(row["codes"]) for row in summary["notPublished"]}


def _verify(live: LiveHub) -> list[str]:
    done = _run(live, "verify", "public")
    return [] if done.returncode == 0 else [f"verify: {_said(done)}"]


def _get(connection: http.client.HTTPConnection, target: str) -> tuple[int, bytes]:
    connection.request("GET", target)
    answer = connection.getresponse()
    return answer.status, answer.read()


def _examine_archive(connection: http.client.HTTPConnection, route: str, known: Known) -> list[str]:
    status, body = _get(connection, route)
    if known.withheld:
        return [] if status == 410 else [f"{route} answers {status}, though it is held back"]
    if status != 200:
        return [f"{route} answers {status}"]
    sha256 = hashlib.sha256(body).hexdigest()
    if known.sha256 is None:
        known.sha256 = sha256
    if sha256 != known.sha256:
        return [f"{route} is not what it was at first"]
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        files = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    return [] if files == known.edition.files else [f"{route} {_differ(files, known.edition.files)}"]


def _differ(files: Mapping[str, bytes], should: Mapping[str, bytes]) -> str:
    paths = sorted(path for path in files.keys() | should.keys() if files.get(path) != should.get(path))
    return f"is not what it should be in {', '.join(paths[:5])}"
