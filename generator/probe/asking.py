"""Requests of a probe: nothing is followed unless asked, nothing raises, and nothing is asked twice."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from generator.jsondata import load_json
from generator.read.sources.http.policy import REDIRECTS, redirect_target
from generator.read.sources.http.transport import Transport, TransportError

MOST_BYTES: Final = 512 * 2**20
"""Bytes of an answer, at most: a host of files gives the whole list of a large hub to every question."""
_HOPS: Final = 5
_POST_SECONDS: Final = 30
_POST_BYTES: Final = 2**20


@dataclass(frozen=True, slots=True)
class Heard:
    """What came back. ``status`` is 0 where nothing did, and ``error`` says why. ``hops`` are redirects followed."""

    url: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    error: str = ""
    hops: int = 0

    @property
    def type(self) -> str:
        """The media type without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body as text, its first bytes."""
        return self.body[:4096].decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON; None where it is none."""
        try:
            return load_json(self.body)
        except ValueError:
            return None

    def tell(self) -> str:
        """What was heard, for a sentence: ``answers 404``."""
        if self.status == 0:
            return f"gives no answer ({self.error})"
        if self.status in REDIRECTS:
            return f"redirects to {self.headers.get('location', 'nowhere')[:120]}"
        return f"answers {self.status}"


@dataclass(slots=True)
class Asker:
    """Asks one hub. ``base`` is its URL without a trailing slash; ``requests`` counts what it took. ``protocols`` are
    those that its root document names; None where it names none, so that what is missing may be switched off."""

    base: str
    transport: Transport
    protocols: frozenset[str] | None = None
    requests: int = 0
    _heard: dict[tuple[str, str], Heard] = field(default_factory=dict)

    def url(self, address: str) -> str:
        """An absolute URL: ``address`` is one, or a path below the hub (``/api/v1/skills``)."""
        return address if "://" in address else f"{self.base}{address}"

    def get(self, address: str, accept: str = "*/*") -> Heard:
        """One GET; a redirect is an answer."""
        url = self.url(address)
        if (url, accept) not in self._heard:
            self._heard[url, accept] = self._get(url, accept)
        return self._heard[url, accept]

    def follow(self, address: str, accept: str = "*/*") -> Heard:
        """One GET, with redirects followed as far as our own fetching does."""
        url = self.url(address)
        for hops in range(_HOPS + 1):
            heard = self.get(url, accept)
            if heard.status not in REDIRECTS:
                return Heard(heard.url, heard.status, heard.headers, heard.body, heard.error, hops)
            target = redirect_target(self.base, url, heard.headers.get("location", ""))
            if target is None:
                return heard
            url = target
        return Heard(url, 0, error=f"redirects over {_HOPS} times")

    def post(self, address: str, document: object) -> Heard:
        """One POST of a JSON document to the hub's own server."""
        url = self.url(address)
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=_POST_SECONDS)
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": "skillpress",
        }
        self.requests += 1
        try:
            connection.request("POST", parts.path or "/", json.dumps(document).encode(), headers)
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Heard(url, answer.status, told, answer.read(_POST_BYTES))
        except (OSError, http.client.HTTPException, ValueError) as error:
            return Heard(url, 0, error=str(error)[:200] or type(error).__name__)
        finally:
            connection.close()

    def _get(self, url: str, accept: str) -> Heard:
        self.requests += 1
        for last in (False, True):
            try:
                answer = self.transport.get(url, {"Accept": accept}, most=MOST_BYTES)
            except TransportError as error:
                if last or not error.again:
                    return Heard(url, 0, error=str(error)[:300])
                continue
            if answer.complete:
                return Heard(url, answer.status, answer.headers, answer.body)
        return Heard(url, 0, error="the answer broke off")


def join(base: str, reference: str) -> str:
    """A reference in a document at ``base`` as an absolute URL; the reference itself where it is none."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference
