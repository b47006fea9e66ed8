"""Running ``git`` so that a repository, however hostile, decides nothing: the hardening of ``security.md`` section 6.

The environment is empty but for what is named here, the arguments are fixed lists, output and time are bounded,
and no call can ask a person anything.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Final

from generator.errors import SourceError
from generator.read.paths import printable

OLDEST_GIT: Final = (2, 31)
"""The first git that knows ``log --diff-merges=first-parent``."""

MOST_FETCHED: Final = 4 * 2**30
"""Bytes of one fetch, at most (kept where the system can: Linux)."""

_MOST_WORDS: Final = 300
_CHUNK: Final = 1 << 20

_FLAGS: Final = (
    "--no-pager",
    "--no-replace-objects",
    *(
        argument
        for setting in (
            f"core.hooksPath={os.devnull}",
            "core.fsmonitor=false",
            "core.pager=cat",
            "core.sshCommand=false",
            "core.askPass=",
            "core.commitGraph=false",
            "core.multiPackIndex=false",
            "core.packedGitWindowSize=32m",
            "core.packedGitLimit=512m",
            "diff.external=",
            "log.showSignature=false",
            "gpg.program=false",
            "credential.helper=",
            "gc.auto=0",
            "maintenance.auto=false",
            "protocol.allow=never",
            "submodule.recurse=false",
            "advice.graftFileDeprecated=false",
        )
        for argument in ("-c", setting)
    ),
)
_OPERATOR_VARIABLES: Final = (
    "http_proxy",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
)
"""How the operator's network is reached; passed on only to calls that use it."""
_NETWORK_FLAGS: Final = (
    *(
        argument
        for setting in (
            "protocol.https.allow=always",
            "protocol.version=2",
            # Only the first request may be redirected; git itself limits that to 20 hops of allowed protocols.
            "http.followRedirects=initial",
            "http.lowSpeedLimit=1000",
            "http.lowSpeedTime=60",
            "transfer.fsckObjects=true",
            "fetch.fsckObjects=true",
            "transfer.credentialsInUrl=die",
            "transfer.bundleURI=false",
            "fetch.unpackLimit=1",
            "fetch.writeCommitGraph=false",
            "fetch.recurseSubmodules=false",
        )
        for argument in ("-c", setting)
    ),
)


class GitError(SourceError):
    """A git command failed, took too long or said too much. ``said`` is git's own last word on it."""

    def __init__(self, message: str, said: str = "") -> None:
        super().__init__(message)
        self.said = said


@dataclass(frozen=True, slots=True)
class GitPlace:
    """What git works on: a git folder of our own, and the folder the objects are read from."""

    git_dir: str
    object_dir: str


def environment(place: GitPlace | None, *, network: bool = False) -> dict[str, str]:
    """The whole environment of a git process; ``place`` is None for a call that needs no repository."""
    null = os.devnull
    found = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "HOME": "/nonexistent",
        "XDG_CONFIG_HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": null,
        "GIT_CONFIG_GLOBAL": null,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": null,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "GIT_SSH_COMMAND": "false",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_ALLOW_PROTOCOL": "https" if network else "none",
        "GIT_DIR": place.git_dir if place is not None else null,
    }
    if place is not None:
        found["GIT_OBJECT_DIRECTORY"] = place.object_dir
    if network:
        found |= {name: os.environ[name] for name in _OPERATOR_VARIABLES if name in os.environ}
    else:
        # One object never makes git take all memory: what is larger ends the call.
        found["GIT_ALLOC_LIMIT"] = "512m"
    return found


@functools.cache
def find_git() -> str:
    """The path of a git that is new enough.

    Raises:
        SourceError: there is none.
    """
    program = shutil.which("git")
    oldest = ".".join(str(part) for part in OLDEST_GIT)
    if program is None:
        raise SourceError(f"There is no git on PATH. Install git {oldest} or newer to read git sources.")
    said = subprocess.run(
        [program, "version"], capture_output=True, timeout=30, check=False, env={"LC_ALL": "C"}, cwd=os.sep
    ).stdout
    found = re.search(rb"(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < OLDEST_GIT:
        shown = said.decode("utf-8", "replace").strip()
        raise SourceError(f"{program} is {shown!r}. Install git {oldest} or newer to read git sources.")
    return os.path.abspath(program)


class GitProcess:
    """One running git. ``stdin`` and ``stdout`` are unbuffered; close it, or use it as a context manager."""

    def __init__(self, arguments: Sequence[str], place: GitPlace | None, *, network: bool = False) -> None:
        self._name = arguments[0]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the process
        self._expired: float | None = None
        try:
            self._process = subprocess.Popen(
                [find_git(), *_FLAGS, *(_NETWORK_FLAGS if network else ()), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                cwd=os.sep,
                env=environment(place, network=network),
                start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            raise GitError(f"git cannot be started: {error.strerror or error}.") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.stdin: IO[bytes] = self._process.stdin
        self.stdout: IO[bytes] = self._process.stdout
        if network and hasattr(resource, "prlimit"):
            # What comes over the network goes into one file at a time; helpers inherit this.
            resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (MOST_FETCHED, MOST_FETCHED))
        self._ready = select.poll()
        self._ready.register(self.stdout, select.POLLIN)

    def __enter__(self) -> GitProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @contextmanager
    def limited(self, seconds: float) -> Iterator[None]:
        """Kill the process if the block is not done in time; reading from it then ends."""
        timer = threading.Timer(seconds, self._expire, (seconds,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def read_some(self, most: int, seconds: float) -> bytes:
        """At most ``most`` bytes, as soon as there are any; the process is killed if none come in time."""
        if not self._ready.poll(seconds * 1000):
            self._expire(seconds)
        return self.stdout.read(most)

    def finish(self) -> None:
        """Wait for the end.

        Raises:
            GitError: git failed or was killed.
        """
        self.stdout.close()
        with contextlib.suppress(OSError):
            self.stdin.close()
        if self._process.wait() != 0:
            raise self.error()

    def error(self) -> GitError:
        """Why the process ended, in words."""
        if self._expired is not None:
            return GitError(f"git {self._name} took longer than {self._expired:g} seconds and was stopped.")
        said = self._last_words()
        return GitError(f"git {self._name} failed: {said or 'it gave no reason'}.", said)

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self._process.poll() is None:
            self._kill()
        self.stdout.close()
        with contextlib.suppress(OSError):
            self.stdin.close()
        self._process.wait()
        self._errors.close()

    def _expire(self, seconds: float) -> None:
        self._expired = seconds
        self._kill()

    def _kill(self) -> None:
        # Helpers such as git-remote-https live in the same group and must not outlive it.
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - 4096))
        lines = self._errors.read().decode("utf-8", "replace").splitlines()
        told = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines[-1:]
        words = "; ".join(dict.fromkeys(re.sub("^(?:fatal|error): ", "", line.strip()) for line in told))
        return printable(words).rstrip(".")[:_MOST_WORDS]


def run_git(
    arguments: Sequence[str],
    place: GitPlace | None,
    *,
    seconds: float,
    max_output: int,
    network: bool = False,
) -> bytes:
    """The output of a git command.

    Raises:
        GitError: it failed, took over ``seconds``, or said over ``max_output`` bytes.
    """
    with GitProcess(arguments, place, network=network) as process, process.limited(seconds):
        chunks: list[bytes] = []
        size = 0
        while chunk := process.stdout.read(_CHUNK):
            chunks.append(chunk)
            size += len(chunk)
            if size > max_output:
                raise GitError(f"git {arguments[0]} said over {max_output:,} bytes, which is the limit.")
        process.finish()
    return b"".join(chunks)
