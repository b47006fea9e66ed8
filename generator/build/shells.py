"""Make the page shell beside the reading of skills: mkdocs takes half a second, and the cores are there."""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from generator.errors import SkillpressError
from generator.model import Hub
from generator.write.publish import WORK_FOLDER, write_error
from generator.write.site.shell import Shell
from generator.write.site.shell_cache import load_shell, obtain_shell


class ShellJob:
    """The shell of a build, from the last build's memory or made by a process of its own.

    ``start`` begins at once; otherwise only :meth:`result` does, so that an unchanged hub never pays.
    """

    def __init__(self, site: Path, hub: Hub, key: str, root: str, *, start: bool) -> None:
        self._site, self._hub, self._key = site, hub, key
        self._cache = Path(root, WORK_FOLDER, "shell")
        self._process: BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None
        if start and load_shell(self._cache, key) is None:
            context = multiprocessing.get_context("fork" if hasattr(os, "fork") else None)
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_make, args=(theirs, site, hub, self._cache), daemon=True)
            self._process.start()
            theirs.close()

    def result(self) -> Shell:
        """The shell; waits for it.

        Raises:
            SkillpressError: our own pages cannot be built.
        """
        if self._process is not None and self._pipe is not None:
            try:
                error = self._pipe.recv()
            except EOFError:
                error = SkillpressError(
                    "the process that builds the pages ended without an answer; build again"
                )
            self._process.join()
            self._process = None
            if error is not None:
                raise error
        try:
            return load_shell(self._cache, self._key) or obtain_shell(self._site, self._hub, self._cache)
        except OSError as error:
            raise write_error("the page shell", error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()


def _make(pipe: Connection[Any, Any], site: Path, hub: Hub, cache: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        obtain_shell(site, hub, cache)
        pipe.send(None)
    except SkillpressError as error:
        pipe.send(error)
    except OSError as error:
        pipe.send(write_error("the page shell", error))
    except Exception:
        pipe.send(SkillpressError(f"internal error, please report:\n{traceback.format_exc()}"))
