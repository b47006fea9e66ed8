"""Run the workers: in this process where the work is small, in one process a core where it pays.

A folder is written by the worker that read it, because that one still has its bytes.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection as mpc
import os
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from generator.build.worker import ReadTask, Setup, Worker, WriteTask, Written
from generator.errors import SkillpressError
from generator.history.decision import Draft
from generator.write.site.shell import Shell

INLINE_LIMIT = 96
"""Folders up to which starting processes costs more than they save (measured: about 0.05 s against 2 ms each)."""
CHUNK = 32

Progress = Callable[[int], None]
"""Called with the number of skills just done."""


class Crew(Protocol):
    """The workers of one build."""

    def read(self, tasks: Sequence[ReadTask], progress: Progress) -> list[Draft | None]:
        """Read folders; the results in the order of the tasks."""

    def write(self, tasks: Sequence[WriteTask], shell: Shell, progress: Progress) -> list[Written]:
        """Write skills; the results in the order of the tasks."""


class InlineCrew:
    """One worker in this process."""

    def __init__(self, setup: Setup) -> None:
        self._worker = Worker(setup)

    def read(self, tasks: Sequence[ReadTask], progress: Progress) -> list[Draft | None]:
        """See :class:`Crew`."""
        drafts: list[Draft | None] = []
        for task in tasks:
            drafts += self._worker.read([task])
            progress(1)
        return drafts

    def write(self, tasks: Sequence[WriteTask], shell: Shell, progress: Progress) -> list[Written]:
        """See :class:`Crew`."""
        self._worker.shell = shell
        written: list[Written] = []
        for task in tasks:
            written += self._worker.write([task])
            progress(1)
        return written


class ProcessCrew:
    """Several worker processes, each behind a pipe."""

    def __init__(self, setup: Setup, count: int) -> None:
        context = multiprocessing.get_context("fork" if hasattr(os, "fork") else None)
        self._pipes: list[mpc.Connection[Any, Any]] = []
        self._processes: list[BaseProcess] = []
        self._reader: dict[tuple[str, str], int] = {}
        for _ in range(count):
            ours, theirs = context.Pipe()
            inherited = (*self._pipes, ours)
            process = context.Process(target=_serve, args=(theirs, inherited, setup), daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def read(self, tasks: Sequence[ReadTask], progress: Progress) -> list[Draft | None]:
        """See :class:`Crew`."""
        chunks = [list(range(start, min(start + CHUNK, len(tasks)))) for start in range(0, len(tasks), CHUNK)]
        drafts: list[Draft | None] = [None] * len(tasks)

        def keep(worker: int, indexes: list[int], result: list[Draft | None]) -> None:
            for index, draft in zip(indexes, result, strict=True):
                drafts[index] = draft
                if draft is not None:
                    self._reader[draft.label, draft.folder] = worker
            progress(len(indexes))

        self._run("read", tasks, {-1: chunks}, keep)
        return drafts

    def write(self, tasks: Sequence[WriteTask], shell: Shell, progress: Progress) -> list[Written]:
        """See :class:`Crew`."""
        for pipe in self._pipes:
            pipe.send(("shell", shell))
        queues: dict[int, list[list[int]]] = {}
        for index, task in enumerate(tasks):
            reader = -1 if task.draft is None else self._reader.get((task.draft.label, task.draft.folder), -1)
            queue = queues.setdefault(reader, [[]])
            if len(queue[-1]) == CHUNK:
                queue.append([])
            queue[-1].append(index)
        results: list[Written | None] = [None] * len(tasks)

        def keep(_worker: int, indexes: list[int], result: list[Written]) -> None:
            for index, written in zip(indexes, result, strict=True):
                results[index] = written
            progress(len(indexes))

        self._run("write", tasks, queues, keep)
        return [written for written in results if written is not None]

    def _run(
        self,
        job: str,
        tasks: Sequence[Any],
        queues: dict[int, list[list[int]]],
        keep: Callable[[int, list[int], list[Any]], None],
    ) -> None:
        """Hand each worker its own chunks first, then shared ones, then those of a slower worker."""
        busy: dict[int, list[int]] = {}

        def hand_out(worker: int) -> None:
            for queue in (worker, -1, *sorted(queues)):
                if queues.get(queue):
                    chunk = queues[queue].pop(0)
                    busy[worker] = chunk
                    self._pipes[worker].send((job, [tasks[index] for index in chunk]))
                    return

        for worker in range(len(self._pipes)):
            hand_out(worker)
        while busy:
            for pipe in mpc.wait([self._pipes[worker] for worker in busy]):
                worker = self._pipes.index(pipe)  # type: ignore[arg-type]
                try:
                    outcome, result = self._pipes[worker].recv()
                except EOFError:
                    raise SkillpressError(
                        "a worker process ended without an answer (out of memory?). "
                        "What was published before is untouched; build again with fewer --jobs."
                    ) from None
                if outcome == "error":
                    raise result
                keep(worker, busy.pop(worker), result)
                hand_out(worker)

    def close(self) -> None:
        """End the processes."""
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.send(("stop", None))
            pipe.close()
        for process in self._processes:
            process.join(timeout=5)
            if process.is_alive():
                process.kill()


@contextmanager
def open_crew(setup: Setup, folders: int, jobs: int) -> Iterator[Crew]:
    """The right crew for a number of folders, ended in any case."""
    if jobs <= 1 or folders <= INLINE_LIMIT:
        yield InlineCrew(setup)
        return
    crew = ProcessCrew(setup, jobs)
    try:
        yield crew
    finally:
        crew.close()


def _serve(
    pipe: mpc.Connection[Any, Any], inherited: tuple[mpc.Connection[Any, Any], ...], setup: Setup
) -> None:
    """A worker process: answer jobs until the parent hangs up.

    ``inherited`` are the parent's ends of pipes, which a fork copies: kept open here, they would hide from
    this worker and its siblings that the parent is gone.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's; it ends the workers itself
    for copy in inherited:
        copy.close()
    worker = Worker(setup)
    while True:
        try:
            job, payload = pipe.recv()
        except (EOFError, OSError):
            return
        if job == "stop":
            return
        if job == "shell":
            worker.shell = payload
            continue
        answer: tuple[str, object]
        try:
            answer = ("done", worker.read(payload) if job == "read" else worker.write(payload))
        except SkillpressError as error:
            answer = ("error", error)
        except Exception:
            answer = ("error", SkillpressError(f"internal error, please report:\n{traceback.format_exc()}"))
        try:
            pipe.send(answer)
        except OSError:
            return  # the parent has ended, for a reason of its own that it tells itself
