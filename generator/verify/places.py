"""Where a published hub is read from: a folder, or a URL. Both give bytes by route, and nothing else."""

from __future__ import annotations

import errno
import http.client
import os
import stat
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass
from http.client import HTTPMessage
from typing import IO, Final, Protocol
from urllib.parse import quote, urlsplit

from generator.errors import SkillpressError
from generator.jsondata import load_json
from generator.mirror.local import change_files, list_files
from generator.mirror.remote import RAW
from generator.write.layout import Naming, file_for
from generator.write.publish import ROOT_DOCUMENT

_TIMEOUT: Final = 30
_DEADLINE: Final = 600
_PIECE: Final = 64 * 1024
LONGEST: Final = 512 * 2**20
"""Bytes of one document or archive that are read, at most."""


class PlaceError(SkillpressError):
    """There is no hub at the place that was named, or it cannot be read."""


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Follows a hub only to itself: whoever serves one must not choose what this machine asks of others."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        here, there = urlsplit(req.full_url), urlsplit(newurl)
        if there.hostname != here.hostname or (
            there.netloc != here.netloc and (here.scheme, there.scheme) != ("http", "https")
        ):
            raise PlaceError(
                f"{req.full_url}: redirects to {newurl[:200]}, which is not followed. Name the hub's own address."
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_OPENER: Final = urllib.request.build_opener(_SameHost)


class HubPlace(Protocol):
    """A hub somewhere. ``name`` is what messages call it."""

    @property
    def name(self) -> str:
        """What messages call the hub."""

    def get(self, route: str, most: int = LONGEST) -> bytes | None:
        """The bytes of a route, ``most`` at most; None where there are none. PlaceError where the place cannot be
        asked."""

    @property
    def ways(self) -> tuple[str, ...]:
        """What may stand before the path of a file: a router gives files as they are in a place of their own."""

    def raw(self, path: str) -> bytes | None:
        """The bytes of a file by its path on disk; else as :meth:`get`."""

    def names(self) -> Iterable[str] | None:
        """The path of every file of the hub; None where nobody can list them."""


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """The output folder of a build."""

    root: str
    name: str
    naming: Naming = Naming.INDEX_HTML

    def get(self, route: str, most: int = LONGEST) -> bytes | None:
        """See :class:`HubPlace`. A link, a pipe and what is too long count as empty."""
        return self._read(f"{self.root}/{file_for(route, self.naming)}", route, most)

    @property
    def ways(self) -> tuple[str, ...]:
        """See :class:`HubPlace`."""
        return ("",)

    def raw(self, path: str) -> bytes | None:
        """See :class:`HubPlace`; links and pipes as in :meth:`get`."""
        return self._read(f"{self.root}/{path}", f"/{path}", LONGEST)

    def names(self) -> Iterable[str]:
        """See :class:`HubPlace`."""
        return (*list_files(self.root), *change_files(self.root))

    def _read(self, path: str, route: str, most: int) -> bytes | None:
        try:
            descriptor = os.open(
                path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            )
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO):
                return b""
            raise PlaceError(f"{self.name}{route}: cannot be read ({error.strerror}).") from None
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > min(most, LONGEST):
            os.close(descriptor)
            return b""
        with os.fdopen(descriptor, "rb") as file:
            try:
                return file.read()
            except OSError as error:
                raise PlaceError(f"{self.name}{route}: cannot be read ({error.strerror}).") from None


@dataclass(frozen=True, slots=True)
class UrlPlace:
    """A hub that is served. ``base`` is its URL without a trailing slash."""

    base: str

    @property
    def name(self) -> str:
        """See :class:`HubPlace`."""
        return self.base

    @property
    def ways(self) -> tuple[str, ...]:
        """See :class:`HubPlace`."""
        return ("", RAW)

    def raw(self, path: str) -> bytes | None:
        """See :class:`HubPlace`."""
        return self.get(f"/{path}")

    def names(self) -> None:
        """See :class:`HubPlace`: a server lists nothing."""

    def get(self, route: str, most: int = LONGEST) -> bytes | None:
        """See :class:`HubPlace`. 404 and 410 are answers, everything else that is not 200 is an error."""
        most = min(most, LONGEST)
        request = urllib.request.Request(  # noqa: S310  # the scheme was checked
            f"{self.base}{quote(route)}", headers={"Accept-Encoding": "identity", "User-Agent": "skillpress"}
        )
        try:
            with _OPENER.open(request, timeout=_TIMEOUT) as answer:
                data = _read_answer(answer, most, f"{self.base}{route}")
        except urllib.error.HTTPError as error:
            if error.code in (404, 410):
                return None
            raise PlaceError(
                f"{self.base}{route}: the server answers {error.code}. Try again later."
            ) from None
        except (OSError, http.client.HTTPException) as error:
            raise PlaceError(
                f"{self.base}{route}: no answer ({error}). Check the URL and the network."
            ) from None
        return data


def _read_answer(answer: IO[bytes], most: int, name: str) -> bytes:
    """The body of an answer, read piece by piece: nobody is waited for who drips it, or never ends."""
    ends = time.monotonic() + _DEADLINE
    data = bytearray()
    while (
        part := answer.read1(_PIECE) if isinstance(answer, http.client.HTTPResponse) else answer.read(_PIECE)
    ):
        data += part
        if len(data) > most:
            raise PlaceError(f"{name}: over {most:,} bytes, which is more than the hub promises or any has.")
        if time.monotonic() > ends:
            raise PlaceError(f"{name}: takes over {_DEADLINE} seconds. Try again later.")
    if isinstance(answer, http.client.HTTPResponse) and answer.length:
        raise http.client.IncompleteRead(b"", answer.length)
    return bytes(data)


def open_place(where: str) -> HubPlace:
    """The hub at a folder or an http(s) URL (of the hub itself, or of its ``hub.json``).

    Raises:
        PlaceError: there is none.
    """
    if "://" in where:
        parts = urlsplit(where)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise PlaceError(f"{where}: not an http or https URL.")
        return UrlPlace(where.removesuffix(ROOT_DOCUMENT).rstrip("/"))
    if not os.path.isfile(f"{where}/{ROOT_DOCUMENT}"):
        raise PlaceError(
            f"{where}: no hub is there ({ROOT_DOCUMENT} is missing). Name the output folder of a build."
        )
    folder = FolderPlace(where, where)
    try:
        root = load_json(folder.get(f"/{ROOT_DOCUMENT}") or b"")
        return FolderPlace(where, where, Naming(root["naming"]))
    except (ValueError, KeyError, TypeError):
        return folder
