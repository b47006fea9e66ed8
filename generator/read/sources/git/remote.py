"""Fetching a repository over https into a bare one of ours: shallow without history, whole with it.

git only moves objects here, and checks each of them (``transfer.fsckObjects``). Reading them goes through a view, as
for any other repository.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from generator.errors import SourceError
from generator.read.paths import printable
from generator.read.sources.git.process import MOST_FETCHED, GitError, GitPlace, run_git
from generator.read.sources.git.refs import OBJECT_ID, Ref, Refs, resolve_ref

_LIST_SECONDS: Final = 120.0
_FETCH_SECONDS: Final = 1800.0
_LIST_BYTES: Final = 64 * 2**20
_NAME: Final = re.compile(r"(?!.*(?:\.\.|//|@\{|/\.|\.lock(?:/|\Z)))refs/[^\x00-\x20\x7f~^:?*\[\\]+(?<![/.])")
_START: Final = "refs/skillpress/start"
_OFFLINE: Final = re.compile(
    "could not resolve|couldn't connect|failed to connect|could not connect|connection (?:refused|timed out|reset)"
    "|network is unreachable|no route to host|timed out",
    re.IGNORECASE,
)
_TOO_LARGE: Final = re.compile(
    r"\A(?:fetch-pack: )?invalid index-pack output\Z|died of signal 25|file too large", re.IGNORECASE
)
_REFUSED: Final = re.compile(
    "could not read username|authentication failed|terminal prompts disabled|error: 40[13]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Address:
    """A repository on another machine: an https address without user, password, query or fragment."""

    url: str
    name: str


def parse_address(text: str) -> Address:
    """The address an operator wrote.

    Raises:
        SourceError: it is no https address, or carries a password.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise SourceError(f"{printable(text)} is no address. Write https://host/owner/repository.") from None
    if parts.username is not None or parts.password is not None:
        # Not repeated: what is written there may be a secret.
        raise SourceError(
            f"The address of a repository on {parts.hostname} carries a user or password. Remove it: only public "
            "repositories are read."
        )
    path = parts.path.strip("/")
    segments = path.split("/")
    if (
        parts.scheme != "https"
        or not parts.hostname
        or port == 0
        or not path
        or parts.query
        or parts.fragment
        or not re.fullmatch(r"[\x21-\x7e]+", text)
        or any(segment in ("", ".", "..") for segment in segments)
        or set(text) & set("\"'<>\\^`{|}")
    ):
        raise SourceError(f"{printable(text)} is not read. Write https://host/owner/repository.")
    name = re.sub(r"[^a-z0-9]+", "-", segments[-1].lower().removesuffix(".git")).strip("-")[:40]
    return Address(text.rstrip("/"), name or "repository")


def fetch(location: str, cache: str, ref: str | None, *, history: bool) -> tuple[str, str]:
    """Bring a repository into ``cache``, or what is new of it; the bare repository's folder and the ref to read.

    Without ``history`` only the commit itself and its files are fetched, and tags that stand on it.

    Raises:
        SourceError: not reachable, not public, no such ref, or another build is fetching it.
    """
    address = parse_address(location)
    digest = hashlib.sha256(f"{address.url}\0{history}".encode()).hexdigest()[:16]
    folder = f"{os.path.abspath(cache)}/{address.name}-{digest}.git"
    try:
        os.makedirs(cache, exist_ok=True)
        with _locked(f"{folder}.lock", location):
            refs = _list(address, location)
            start = resolve_ref(refs, ref, location)
            _make(folder, len(start.object_id))
            _fetch(address, folder, start, location, history)
    except OSError as error:
        raise SourceError(f"The cache {cache} cannot be written: {error.strerror or error}.") from None
    return folder, _START


def _list(address: Address, location: str) -> Refs:
    """What the other side offers."""
    try:
        output = run_git(
            ["ls-remote", "--symref", "--end-of-options", address.url],
            None,
            seconds=_LIST_SECONDS,
            max_output=_LIST_BYTES,
            network=True,
        )
    except GitError as error:
        raise _explain(error, location) from None
    refs: list[Ref] = []
    head: str | None = None
    for line in output.decode("utf-8", "replace").splitlines():
        value, _, name = line.partition("\t")
        if name == "HEAD" and value.startswith("ref: "):
            head = value.removeprefix("ref: ")
        elif name == "HEAD" and head is None and OBJECT_ID.fullmatch(value):
            head = value
        elif OBJECT_ID.fullmatch(value) and _NAME.fullmatch(name) and not name.endswith("^{}"):
            refs.append(Ref(name, value))
    return Refs(tuple(refs), head)


def _make(folder: str, id_length: int) -> None:
    """An empty bare repository where there is none yet."""
    for part in ("objects/info", "objects/pack", "refs"):
        os.makedirs(f"{folder}/{part}", exist_ok=True)
    config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n"
    if id_length == 64:
        config += "[extensions]\n\tobjectformat = sha256\n"
    for name, text in (("config", config), ("HEAD", f"ref: {_START}\n")):
        with open(f"{folder}/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _fetch(address: Address, folder: str, start: Ref, location: str, history: bool) -> None:
    wanted = start.object_id if OBJECT_ID.fullmatch(start.name) or start.name == "HEAD" else start.name
    refspecs = [f"+{wanted}:{_START}"]
    depth = ["--depth=1"]
    if history:
        refspecs.append("+refs/tags/*:refs/tags/*")
        depth = ["--prune"]
    arguments = [
        "fetch",
        *depth,
        "--quiet",
        "--force",
        "--no-recurse-submodules",
        "--no-auto-maintenance",
        "--no-write-fetch-head",
        "--end-of-options",
        address.url,
        *refspecs,
    ]
    try:
        run_git(
            arguments,
            GitPlace(folder, f"{folder}/objects"),
            seconds=_FETCH_SECONDS,
            max_output=_LIST_BYTES,
            network=True,
        )
    except GitError as error:
        raise _explain(error, location) from None


def _explain(error: GitError, location: str) -> SourceError:
    if not error.said:
        return SourceError(f"{location}: {error}")
    if _OFFLINE.search(error.said):
        return SourceError(
            f"{location} cannot be reached ({error.said}). Check the address and the network, and build again."
        )
    if _TOO_LARGE.search(error.said):
        # index-pack, stopped at the limit, has no last word of its own.
        return SourceError(
            f"{location} has more than {MOST_FETCHED:,} bytes to fetch, which is the limit ({error.said}). "
            "Clone it yourself and name its folder."
        )
    if _REFUSED.search(error.said):
        return SourceError(
            f"{location} asks for a password or does not exist ({error.said}). Only public repositories are read; "
            "clone a private one yourself and name its folder."
        )
    return SourceError(f"{location} cannot be fetched: {error.said}.")


@contextmanager
def _locked(path: str, location: str) -> Iterator[None]:
    import fcntl

    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SourceError(
                f"Another build is fetching {location}. Wait until it ends, and build again."
            ) from None
        yield
    finally:
        with contextlib.suppress(OSError):
            os.close(lock)
