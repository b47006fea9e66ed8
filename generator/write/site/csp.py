"""The Content-Security-Policy of every page, with a hash for each of the theme's own inline scripts.

A script gets a hash only where it equals one of the scripts in the installed theme's templates. Were every
inline script hashed, one that slipped into a page would be blessed together with the theme's.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from generator.errors import SkillpressError

_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "object-src 'none'; frame-src 'none'"
)
_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_EXPRESSION = re.compile(r"\{\{.*?\}\}")
_URL_VALUE = r"[A-Za-z0-9._~/-]*"
_DATA = re.compile(r"""\btype\s*=\s*["']?application/json\b""", re.IGNORECASE)
_SOURCE = re.compile(r"""\bsrc\s*=\s*["']?([^"'\s>]*)""", re.IGNORECASE)


def read_theme_scripts(partials: Path) -> tuple[re.Pattern[str], ...]:
    """The inline scripts of the theme whose ``partials/javascripts`` folder is given, as full patterns.

    A template expression inside a script is the page's relative base; it may hold only URL characters.
    """
    patterns: list[re.Pattern[str]] = []
    for path in sorted(partials.glob("*.html")):
        for match in _SCRIPT.finditer(path.read_text(encoding="utf-8")):
            parts = _EXPRESSION.split(match.group(2))
            patterns.append(re.compile(_URL_VALUE.join(map(re.escape, parts)), re.DOTALL))
    return tuple(patterns)


def add_policy(html: str, page: str, known: Sequence[re.Pattern[str]], *, compiles: bool = False) -> str:
    """Put the policy first into ``<head>``. ``page`` names the page in an error; ``compiles``: it runs WebAssembly.

    Raises :class:`SkillpressError` for an inline script that is not the theme's, and for a script from
    another origin: both would be blocked in every browser.
    """
    hashes: list[str] = []
    for attributes, script in _SCRIPT.findall(html):
        source = _SOURCE.search(attributes)
        if source:
            if re.match(r"(?:[a-z][a-z0-9+.-]*:)?//", source.group(1), re.IGNORECASE):
                raise SkillpressError(
                    f"{page}: a script is loaded from another origin ({source.group(1)}). "
                    "Keep it as a file in site_src/docs/assets and name it in mkdocs.yml."
                )
        elif not _DATA.search(attributes):
            if not any(pattern.fullmatch(script) for pattern in known):
                raise SkillpressError(
                    f"{page}: an inline script is not one of the theme's: {script.strip()[:80]!r}. "
                    "Move it to a file in site_src/docs/assets and name it in mkdocs.yml (extra_javascript)."
                )
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            if f"'sha256-{digest}'" not in hashes:
                hashes.append(f"'sha256-{digest}'")
    compiling = ("'wasm-unsafe-eval'",) if compiles else ()
    policy = _POLICY.format(scripts=" ".join(["'self'", *compiling, *hashes]))
    head, found, rest = html.partition("<head>")
    if not found:
        raise SkillpressError(
            f"{page}: the page has no <head>; is site_src/overrides still a Material theme?"
        )
    return f'{head}<head><meta http-equiv="Content-Security-Policy" content="{policy}">{rest}'
