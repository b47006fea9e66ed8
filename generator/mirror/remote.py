"""The hub that is mirrored: its files, each held against what the hub promised of it."""

from __future__ import annotations

import hashlib
from typing import Final
from urllib.parse import quote

from generator.errors import SkillpressError
from generator.read.sources.http.fetching import Fetcher, FetchError
from generator.read.sources.http.policy import Policy
from generator.read.sources.http.transport import Transport
from generator.write.publish import ROOT_DOCUMENT

RAW: Final = "tree/"
"""Where a hub that runs behind our server gives its files as they are; a host of files gives them at their path."""
MOST_DOCUMENT: Final = 64 * 2**20
"""Bytes of a document whose size nothing promises."""

_ADVICE: Final = (
    "Try again later; if that does not help, whoever runs the hub should build and publish it again."
)


class MirrorError(SkillpressError):
    """A hub cannot be mirrored: it does not answer, or not with what it promises."""


class MovedError(MirrorError):
    """A file is not what the hub promised: most likely a build has just replaced it."""


class Remote:
    """Fetches a hub's files. ``requests`` and ``received`` (bytes) count what it took."""

    def __init__(self, url: str, transport: Transport, policy: Policy) -> None:
        self.url = url.rstrip("/")
        self.requests = 0
        self.received = 0
        self._fetcher = Fetcher(self.url, transport, policy)
        self._ways: tuple[str, ...] = ("", RAW)

    def root_document(self) -> bytes:
        """``hub.json``, which nothing promises.

        Raises:
            MirrorError: there is none.
        """
        status, body = self._get(ROOT_DOCUMENT, MOST_DOCUMENT)
        if status != 200:
            reason = f"answers {status}" if status else body.decode()
            raise MirrorError(
                f"{self.url}/{ROOT_DOCUMENT}: {reason}. There is no hub that can be mirrored. "
                "Name the hub's own address, without /api/v1."
            )
        return body

    def take(self, path: str, sha256: str, most: int = MOST_DOCUMENT) -> bytes:
        """A file of the hub with just this sha256, of ``most`` bytes at most.

        Raises:
            MovedError: the hub has another one, or none.
        """
        reasons: list[str] = []
        for way in self._ways:
            status, body = self._get(f"{way}{path}", most)
            if status == 200 and hashlib.sha256(body).hexdigest() == sha256:
                # The way that works is the first to be tried from now on.
                self._ways = (way, *(other for other in self._ways if other != way))
                return body
            reasons.append(_reason(f"{way}{path}", status, body))
        raise MovedError(
            f"{self.url}: {'; '.join(reasons)}. The hub promises a file with sha256 {sha256}. {_ADVICE}"
        )

    def take_any(self, path: str) -> bytes:
        """A file whose content the caller proves.

        Raises:
            MovedError: the hub has none.
        """
        status, body = self._get(path, MOST_DOCUMENT)
        if status != 200:
            raise MovedError(f"{self.url}: {_reason(path, status, body)}. {_ADVICE}")
        return body

    def _get(self, path: str, most: int) -> tuple[int, bytes]:
        """Status and body; status 0 and why where there is no answer that can be used."""
        self.requests += 1
        try:
            answer = self._fetcher.download(f"{self.url}/{quote(path, safe='/-._~')}", most)
        except FetchError as error:
            return 0, str(error).encode("utf-8", "replace")
        self.received += len(answer.body)
        return answer.status, answer.body


def _reason(path: str, status: int, body: bytes) -> str:
    if status == 0:
        return body.decode("utf-8", "replace")
    return f"{path} answers other bytes" if status == 200 else f"{path} answers {status}"
