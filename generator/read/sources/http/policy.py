"""When a request is made again, how long to wait before, and where a redirect may lead: pure, no clock, no dice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urljoin, urlsplit

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_SECONDS: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Policy:
    """How patient we are. Waits in seconds; ``most_waiting`` bounds all waits of one reading together."""

    attempts: int = 4
    first_wait: float = 0.5
    longest_wait: float = 60.0
    most_waiting: float = 600.0
    redirects: int = 5
    failures: int = 5
    """Requests that fail one after another before the hub counts as gone."""


def is_passing(status: int) -> bool:
    """True for answers that another attempt may better."""
    return status in _AGAIN


def wait_before(attempt: int, headers: Mapping[str, str], policy: Policy) -> float | None:
    """Seconds to wait before attempt number ``attempt`` (the first repetition is 1), None to give up.

    ``Retry-After`` is kept to, in seconds or as a date; a server that wants more than ``longest_wait`` is not waited
    for. Without one the wait doubles. Always the same for the same answers.
    """
    if attempt >= policy.attempts:
        return None
    asked = retry_after(headers)
    if asked is None:
        return min(policy.longest_wait, policy.first_wait * float(1 << (attempt - 1)))
    return asked if asked <= policy.longest_wait else None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that ``Retry-After`` asks for (RFC 9110, 10.2.3); None where it is missing or unreadable.

    A date counts from the answer's own ``Date``: the server's clock is the one it was computed with.
    """
    text = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    until, now = _time(text), _time(headers.get("date", ""))
    return None if until is None or now is None else max(0.0, until - now)


def redirect_target(start: str, current: str, location: str) -> str | None:
    """Where a redirect of ``current`` leads, None where it must not be followed.

    ``start`` is the address the operator wrote. From https only to https; from http also within the same origin.
    """
    try:
        target = urljoin(current, location.strip())
        parts, before, first = urlsplit(target), urlsplit(current), urlsplit(start)
        origin, wanted = (first.hostname, first.port), (parts.hostname, parts.port)
    except ValueError:
        return None
    if not parts.hostname or "@" in parts.netloc:
        return None
    plain = parts.scheme == "http" and first.scheme == "http" and before.scheme == "http" and origin == wanted
    return target.partition("#")[0] if parts.scheme == "https" or plain else None


def _time(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text[:64]).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
