"""Requests that hold out: redirects, repetitions, conditions, and downloads that go on where they broke off."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Final, Protocol

from generator.read.paths import printable
from generator.read.sources.http.policy import (
    REDIRECTS,
    Policy,
    is_passing,
    redirect_target,
    wait_before,
)
from generator.read.sources.http.transport import Response, Sink, Transport, TransportError

_RANGE: Final = re.compile(r"bytes ([0-9]{1,15})-([0-9]{1,15})/([0-9]{1,15})", re.ASCII)


class FetchError(Exception):
    """A request that has no usable answer, after all attempts; the message says what and why."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A document as it was fetched before, with what the server calls that state of it."""

    body: bytes
    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The final answer to a request, below 400 or not; ``url`` is where it came from in the end."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


class Recalled(Protocol):
    """Documents of an earlier reading."""

    def get(self, url: str, /) -> Remembered | None:
        """What came from an address, None where nothing is remembered."""


class Recorded(Protocol):
    """Takes the documents of a reading, from several threads."""

    def __setitem__(self, url: str, document: Remembered, /) -> None:
        """Remember what came from an address."""


class Documents(Protocol):
    """Where documents come from."""

    def document(self, url: str, most: int, accept: str = "application/json") -> Answer:
        """See :meth:`Fetcher.document`."""


@dataclass(slots=True)
class Fetcher:
    """Fetches from one hub. Safe for several threads.

    ``start`` is the address the operator wrote. ``remembered`` are documents of an earlier reading by URL; ``seen``
    takes those of this one, to be remembered for the next.
    """

    start: str
    transport: Transport
    policy: Policy = field(default_factory=Policy)
    sleep: Callable[[float], None] = time.sleep
    remembered: Recalled = field(default_factory=dict[str, Remembered])
    seen: Recorded = field(default_factory=dict[str, Remembered])
    _waited: float = 0.0
    _failures: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def gone(self) -> bool:
        """True once so many requests failed one after another that the hub must be down."""
        return self._failures >= self.policy.failures

    def document(self, url: str, most: int, accept: str = "application/json") -> Answer:
        """A document, asked for on condition that it changed where it is remembered.

        Raises :class:`FetchError` where there is no answer; a status of 400 and more is an answer.
        """
        known = self.remembered.get(url)
        headers = {"Accept": accept}
        if known is not None and known.etag:
            headers["If-None-Match"] = known.etag
        elif known is not None and known.modified:
            headers["If-Modified-Since"] = known.modified
        answer, end = self._persist(url, headers, most)
        if answer.status == 304 and known is not None:
            self.seen[url] = known
            return Answer(200, answer.headers, known.body, end)
        if answer.status == 200:
            etag, modified = answer.headers.get("etag", ""), answer.headers.get("last-modified", "")
            self.seen[url] = Remembered(answer.body, etag, modified)
        return Answer(answer.status, answer.headers, answer.body, end)

    def download(self, url: str, most: int) -> Answer:
        """A file. Where it breaks off and the server names its state, the rest alone is asked for."""
        held = BytesIO()
        answer = self.save(url, most, Sink(held))
        return replace(answer, body=held.getvalue() if answer.status == 200 else answer.body)

    def save(self, url: str, most: int, into: Sink) -> Answer:
        """A file as :meth:`download`, written ``into`` a sink piece by piece.

        Raises :class:`FetchError`, and :class:`~generator.read.sources.http.transport.SinkError`.
        """
        into.clear()
        answer, end = self._persist(url, {"Accept": "*/*"}, most, into)
        return Answer(answer.status, answer.headers, answer.body, end)

    def _persist(
        self, url: str, headers: dict[str, str], most: int, into: Sink | None = None
    ) -> tuple[Response, str]:
        """Ask until there is a whole answer, or patience ends. What came into a sink is gone on with."""
        attempt, etag, first = 0, "", None
        while True:
            if self.gone:
                raise FetchError(f"{_shown(self.start)} has stopped answering")
            attempt += 1
            told: Mapping[str, str] = {}
            before = into.size if into is not None else 0
            sent = {**headers, "Range": f"bytes={before}-", "If-Range": etag} if before else headers
            if into is not None:
                into.stirred = False
            try:
                answer, end = self._follow(url, sent, most, into)
                reason, told = f"it answers {answer.status}", answer.headers
                if before and answer.status == 206 and _continues(answer, before, etag):
                    # The first answer's headers describe the whole file.
                    answer = Response(200, first or answer.headers, b"", answer.complete)
                elif before and answer.status in (206, 412, 416):
                    answer = Response(503, {}, b"")
                    reason = "it changed while it was downloaded"
                elif answer.status == 206:
                    answer = Response(502, {}, b"")
                    reason = "it answers with a part that was not asked for"
                if answer.complete and not is_passing(answer.status):
                    self._succeed()
                    return answer, end
                held = into.size if into is not None else len(answer.body)
                strong = answer.headers.get("etag", "")
                goes_on = into is not None and answer.status == 200 and strong.startswith('"')
                etag, first = (strong, answer.headers) if goes_on else ("", None)
                if not answer.complete:
                    reason = f"it broke off after {held:,} bytes"
                if into is not None and not goes_on:
                    into.clear()
            except TransportError as error:
                reason = str(error)
                if not error.again:
                    raise FetchError(f"{_shown(url)}: {reason}") from None
                if into is not None and into.stirred:
                    into.clear()
                    etag, first = "", None
            self._wait(url, wait_before(attempt, told, self.policy), reason, told)

    def _follow(
        self, url: str, headers: Mapping[str, str], most: int, into: Sink | None
    ) -> tuple[Response, str]:
        current = url
        for _ in range(self.policy.redirects + 1):
            answer = self.transport.get(current, headers, most=most, into=into)
            if answer.status not in REDIRECTS:
                return answer, current
            location = answer.headers.get("location", "")
            target = redirect_target(self.start, current, location)
            if not location or target is None:
                raise TransportError(
                    f"it redirects to {_shown(location) or 'nowhere'}, which is not followed", again=False
                )
            current = target
        raise TransportError(f"it redirects over {self.policy.redirects} times", again=False)

    def _wait(self, url: str, seconds: float | None, reason: str, told: Mapping[str, str]) -> None:
        with self._lock:
            if seconds is None or self._waited + seconds > self.policy.most_waiting:
                self._failures += 1
                asked = told.get("retry-after", "")
                more = f" and asks to come back after {_shown(asked)}" if asked else ""
                raise FetchError(f"{_shown(url)}: {reason}{more}")
            self._waited += seconds
        self.sleep(seconds)

    def _succeed(self) -> None:
        with self._lock:
            self._failures = 0


@dataclass(frozen=True, slots=True)
class Replay:
    """Documents as they were read last; only those that are not remembered are asked for."""

    fetcher: Fetcher

    def document(self, url: str, most: int, accept: str = "application/json") -> Answer:
        """See :meth:`Fetcher.document`."""
        known = self.fetcher.remembered.get(url)
        if known is None or len(known.body) > most:
            return self.fetcher.document(url, most, accept)
        self.fetcher.seen[url] = known
        return Answer(200, {}, known.body, url)


def _continues(answer: Response, size: int, etag: str) -> bool:
    """True where a partial answer starts where we stopped, in the same state of the file."""
    found = _RANGE.fullmatch(answer.headers.get("content-range", "").strip())
    return found is not None and int(found[1]) == size and answer.headers.get("etag", etag) == etag


def _shown(url: str) -> str:
    return printable(url[:200])
