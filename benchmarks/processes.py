"""Run a program and say what it cost: wall time, CPU time of it and its children, and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
_INTERVAL = 0.02
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Usage:
    """What one program cost. Seconds and bytes.

    ``user`` and ``system`` include every child that was waited for. ``largest`` is the peak of the
    largest process, from the kernel. ``resident`` and ``proportional`` are the highest sums over all processes that
    were seen, sampled every 20 ms: the first counts pages that processes share once for each, the second once
    (0 where the kernel does not tell).
    """

    wall: float
    user: float
    system: float
    largest: int
    resident: int
    proportional: int

    @property
    def cpu(self) -> float:
        """User and system time together."""
        return self.user + self.system


class ProgramFailedError(Exception):
    """A measured program ended with an error; the message holds what it printed."""


def run_program(arguments: Sequence[str]) -> tuple[Usage, str]:
    """Run this interpreter with ``arguments`` in the project's folder; what it cost and what it printed.

    Raises:
        ProgramFailedError: it ended with another exit code than 0.
    """
    environment = {**os.environ, "CI": "1", "PYTHONHASHSEED": "0"}
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=PROJECT, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    sampler = _Sampler(process.pid)
    sampler.start()
    errors: list[str] = []
    drain = threading.Thread(target=lambda stream: errors.append(stream.read()), args=(process.stderr,))
    drain.start()
    output = process.stdout.read()
    drain.join()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    sampler.stop()
    if process.returncode != 0:
        raise ProgramFailedError(f"{' '.join(arguments)}\n{output}{''.join(errors)}")
    peaks = usage.ru_maxrss * 1024, sampler.resident, sampler.proportional
    return Usage(wall, usage.ru_utime, usage.ru_stime, *peaks), output


class _Sampler(threading.Thread):
    """Adds up the memory of a process and its descendants until it is stopped."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid, self._ended = pid, threading.Event()
        self.resident = self.proportional = 0

    def run(self) -> None:
        while not self._ended.wait(_INTERVAL):
            pids = list(_family(self._pid))
            self.resident = max(self.resident, sum(map(_resident, pids)))
            self.proportional = max(self.proportional, sum(map(_proportional, pids)))

    def stop(self) -> None:
        self._ended.set()
        self.join()


def _family(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return
    for child in children.split():
        yield from _family(int(child))


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _proportional(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)
