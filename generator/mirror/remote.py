"""The hub that is mirrored: its files, each held against what the hub promised of it."""

from __future__ import annotations

from io import BytesIO
from typing import Final
from urllib.parse import quote

from generator.errors import SkillpressError
from generator.read.sources.http.fetching import Fetcher, FetchError
from generator.read.sources.http.policy import Policy
from generator.read.sources.http.transport import Sink, SinkError, Transport
from generator.write.publish import ROOT_DOCUMENT, write_error

RAW: Final = "tree/"
"""Where a hub that runs behind our server gives its files as they are; a host of files gives them at their path."""
MOST_DOCUMENT: Final = 64 * 2**20
"""Bytes of a document whose size nothing promises."""
MOST_STATE: Final = 256 * 2**20
"""Bytes of a document that a mirror reads, whatever size is promised: enough for over a million files."""
MOST_FILE: Final = 2 * 2**30
"""Bytes of any file. No archive comes near it, and a promise must not fill a disk."""

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
        held = BytesIO()
        reason = self._get(ROOT_DOCUMENT, Sink(held), MOST_DOCUMENT)
        if reason:
            raise MirrorError(
                f"{self.url}: {reason}. There is no hub that can be mirrored. Name the hub's own address, without "
                "/api/v1."
            )
        return held.getvalue()

    def take(self, path: str, sha256: str, most: int = MOST_DOCUMENT) -> bytes:
        """A document of the hub with just this sha256, of ``most`` bytes at most.

        Raises:
            MovedError: the hub has another one, or none.
            MirrorError: more bytes are promised than a document has.
        """
        if most > MOST_STATE:
            raise MirrorError(
                f"The hub promises {most:,} bytes of {path[:200]}, and a document that a mirror reads has "
                f"{MOST_STATE:,} at most. Nothing was fetched."
            )
        held = BytesIO()
        self.save(path, sha256, most, Sink(held))
        return held.getvalue()

    def save(self, path: str, sha256: str, most: int, into: Sink) -> None:
        """A file of the hub with just this sha256, of ``most`` bytes at most, written as it comes.

        Raises:
            MovedError: the hub has another one, or none.
            PublishError: it cannot be written.
        """
        reasons: list[str] = []
        for way in self._ways:
            reason = self._get(f"{way}{path}", into, most)
            if not reason and into.sha256 == sha256:
                # The way that works is the first to be tried from now on.
                self._ways = (way, *(other for other in self._ways if other != way))
                return
            reasons.append(reason or f"{way}{path} answers other bytes")
        raise MovedError(
            f"{self.url}: {'; '.join(reasons)}. The hub promises a file with sha256 {sha256}. {_ADVICE}"
        )

    def take_any(self, path: str) -> bytes:
        """A file whose content the caller proves.

        Raises:
            MovedError: the hub has none.
        """
        held = BytesIO()
        reason = self._get(path, Sink(held), MOST_DOCUMENT)
        if reason:
            raise MovedError(f"{self.url}: {reason}. {_ADVICE}")
        return held.getvalue()

    def _get(self, path: str, into: Sink, most: int) -> str:
        """Why the file did not come; empty where it did."""
        self.requests += 1
        try:
            answer = self._fetcher.save(f"{self.url}/{quote(path, safe='/-._~')}", most, into)
        except FetchError as error:
            return str(error)
        except SinkError as error:
            raise write_error(path, error.error) from None
        self.received += into.size if answer.status == 200 else len(answer.body)
        return "" if answer.status == 200 else f"{path} answers {answer.status}"
