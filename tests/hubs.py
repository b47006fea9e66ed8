"""Build and serve hubs through the real command, for the tests that use real programs."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COMMAND = Path(sys.executable).with_name("skillpress")
EPOCH = 1_760_000_000
"""The build time of every test hub, in seconds; a later build of the same hub adds a day."""
DAY = 86_400
START_SECONDS = 60
BUILD_SECONDS = 300


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What one build said and how long it took. ``summary`` is what ``--json`` printed."""

    code: int
    stdout: str
    stderr: str
    seconds: float

    @property
    def summary(self) -> dict[str, Any]:
        """The JSON the build printed."""
        parsed = json.loads(self.stdout)
        assert isinstance(parsed, dict)
        return parsed

    def check(self) -> BuildResult:
        """This result, or an assertion error with what the build said."""
        assert self.code == 0, f"build ended with {self.code}\n{self.stdout[-3000:]}\n{self.stderr[-3000:]}"
        assert "Traceback" not in self.stderr, self.stderr
        return self


def minimal_environment(home: Path, **more: str) -> dict[str, str]:
    """An environment that knows nothing of the person who runs the tests."""
    kept = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    return {**kept, "HOME": str(home), "LANG": "C.UTF-8", **more}


def run_build(
    arguments: Iterable[str | Path], *, folder: Path, environment: Mapping[str, str] | None = None
) -> BuildResult:
    """Run ``skillpress build ARGUMENTS --json`` in ``folder``."""
    assert COMMAND.exists(), f"{COMMAND.name} is not installed beside {sys.executable}; run `make test`"
    folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    done = subprocess.run(
        [COMMAND, "build", *arguments, "--json"],
        cwd=folder,
        env={**minimal_environment(folder, SOURCE_DATE_EPOCH=str(EPOCH)), **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
    )
    return BuildResult(done.returncode, done.stdout, done.stderr, time.monotonic() - started)


def read_tree(folder: Path, *, without: Iterable[str] = ()) -> dict[str, bytes]:
    """Each regular file below ``folder``: its path with ``/`` and its bytes, not the top entries named."""
    skipped = set(without)
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] not in skipped
    }


def write_tree(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write ``files``; a text becomes UTF-8, a name below ``scripts/`` becomes executable."""
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        if "scripts/" in name:
            target.chmod(0o755)


def free_port() -> int:
    """A port of the loopback interface that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        assert isinstance(port, int)
        return port


@dataclass(slots=True)
class LiveHub:
    """A hub in ``folder``: ``hub.yml`` and sources there, built into ``folder/public``, served on ``port``.

    ``base`` is the path of its public URL, ``""`` or such as ``/hub``.
    """

    folder: Path
    layout: str = "packed"
    naming: str = "index.html"
    base: str = ""
    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The hub's public URL without a trailing slash."""
        return self.origin + self.base

    @property
    def out(self) -> Path:
        """The built tree."""
        return self.folder / "public"

    def configure(self, owners: Mapping[str, str], *, name: str = "Sample hub", more: str = "") -> None:
        """Write ``hub.yml`` with one source a folder: ``owners`` maps folder to owner. ``more`` comes after."""
        sources = "".join(f"  - path: {path}\n    owner: {owner}\n" for path, owner in owners.items())
        (self.folder / "hub.yml").write_text(f"name: {name}\nurl: {self.url}\nsources:\n{sources}{more}")

    def build(self, *arguments: str | Path, epoch: int = EPOCH) -> BuildResult:
        """Build into :attr:`out`; without arguments from ``hub.yml``."""
        options = ["--out", "public", "--url", self.url, "--layout", self.layout, "--naming", self.naming]
        environment = {"SOURCE_DATE_EPOCH": str(epoch)}
        return run_build([*arguments, *options], folder=self.folder, environment=environment)

    def start(self) -> None:
        """Serve the built tree as it is, and wait until it answers."""
        log = self.folder / "serve.log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [COMMAND, "serve", self.out, "--no-build", "--host", "127.0.0.1", "--port", str(self.port)],
                cwd=self.folder,
                env=minimal_environment(self.folder),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._process.poll() is None, f"serve ended:\n{log.read_text()[-3000:]}"
            assert time.monotonic() < deadline, f"serve does not answer:\n{log.read_text()[-3000:]}"
            time.sleep(0.05)

    def stop(self) -> None:
        """End the server, by its own process id."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(timeout=10)
        self._process = None

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/skills", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
