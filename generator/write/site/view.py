"""How values look on a page: sizes, dates, verdicts, addresses. Text in, text out; whoever shows it escapes it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from generator.model import Finding, ScanVerdict, TimeMs

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_VERDICTS = {
    ScanVerdict.ALLOW: "Nothing found",
    ScanVerdict.WARN: "Worth a look",
    ScanVerdict.BLOCK: "Blocked",
    ScanVerdict.ERROR: "Not examined",
}
_SPDX_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,63}")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_PLAIN = bytes(code for code in range(0x7F) if code >= 0x20 or code in b"\t\n")
"""The ASCII characters that hide nothing."""


def escape_html(text: str) -> str:
    """``text`` for HTML text and quoted attributes, with the same references as our Jinja templates write."""
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;")
        .replace('"', "&#34;")
    )


def escape_visible(text: str) -> str:
    """``text`` for HTML, with what hides in it shown (:func:`show_hidden`)."""
    return escape_html(show_hidden(text))


def format_size(size: int) -> str:
    """Bytes for people, in steps of 1,000: ``812 B``, ``3.4 kB``, ``1.2 MB``."""
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


@lru_cache(maxsize=1024)
def format_date(time: TimeMs) -> str:
    """The UTC day, ``2026-11-30``; empty where no calendar holds it."""
    try:
        return datetime.fromtimestamp(time / 1000, tz=UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def format_count(number: int, one: str, many: str) -> str:
    """``1 skill``, ``12,345 skills``."""
    return f"{number:,} {one if number == 1 else many}"


def name_verdict(verdict: ScanVerdict) -> str:
    """The words people read for a scan's verdict; they claim no more than that the rules ran."""
    return _VERDICTS[verdict]


def link_license(license_id: str | None) -> str | None:
    """The address of a single SPDX identifier's text; None for an expression or no licence."""
    if license_id is None or not _SPDX_ID.fullmatch(license_id) or license_id.startswith("LicenseRef-"):
        return None
    return f"https://spdx.org/licenses/{license_id}.html"


def link_web(address: str | None) -> str | None:
    """``address`` where it is a plain http or https URL with a host, else None."""
    if not address or re.search(r"[\x00-\x20\x7f\\]", address):
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return address if parts.scheme.lower() in ("http", "https") and parts.hostname else None


def place_of(finding: Finding) -> str:
    """``path:line:column`` as far as it is known."""
    numbers = (finding.line, finding.column if finding.line is not None else None)
    return ":".join([finding.path, *(str(n) for n in numbers if n is not None)])


@lru_cache(maxsize=4096)
def quote_segment(text: str) -> str:
    """``text`` as one segment of a URL path or one value of a query."""
    return quote(text, safe="-._~", errors="replace")


def show_hidden(text: str) -> str:
    """``text`` with controls and invisible or direction-changing characters written as ``<U+202E>``."""
    # Most text hides nothing, and to see that costs a tenth of the search: nothing hidden is printable, so
    # only what is neither plain ASCII nor printable needs it.
    if text.isprintable():
        return text
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    if rest.decode("utf-8", "surrogatepass").isprintable():
        return text
    return _HIDDEN.sub(lambda m: f"<U+{ord(m.group()):04X}>", text)


def shorten(text: str, limit: int) -> str:
    """The first ``limit`` code points of ``text`` on one line, with an ellipsis where something is missing."""
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit and len(text) <= limit * 4 else line[: limit - 1].rstrip() + "…"


@cache
def load_template(name: str) -> Template:
    """One of our own templates, compiled once: autoescape on, an undefined name is an error.

    Authors' text only ever comes as a value, never as a template.
    """
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    # A worker stamps skills' pages without any template, so it should not wait for Jinja.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        segment=quote_segment,
        verdict=name_verdict,
        place=place_of,
        visible=show_hidden,
        shorten=shorten,
    )
    return environment
