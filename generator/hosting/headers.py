"""Which headers which addresses get, for hosts that take a list of rules.

Such hosts join the values where two rules set one header for an address, so no address gets a header twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from generator.hosting.texts import COMMON_HEADERS, RAW_POLICY, RAW_TREES
from generator.jsondata import dump_bytes
from generator.model import Cache


@dataclass(frozen=True, slots=True)
class HeaderRule:
    """Headers of every address below ``prefix`` (which ends in ``/``)."""

    prefix: str
    headers: tuple[tuple[str, str], ...]


RULES: Final = (
    HeaderRule("/", COMMON_HEADERS),
    HeaderRule("/dl/", (("Cache-Control", Cache.IMMUTABLE.value),)),
    HeaderRule("/api/v1/", (("Content-Type", "application/json"),)),
    HeaderRule("/v1/packages/", (("Content-Type", "application/json"),)),
    HeaderRule("/npm/", (("Content-Type", "application/json"),)),
    *(HeaderRule(tree, (("Content-Security-Policy", RAW_POLICY),)) for tree in RAW_TREES),
)


def headers_file(base: str) -> bytes:
    """A ``_headers`` file, as Netlify and Cloudflare read it."""
    lines: list[str] = []
    for rule in RULES:
        lines.append(f"{base}{rule.prefix}*")
        lines += [f"  {name}: {value}" for name, value in rule.headers]
    return ("\n".join(lines) + "\n").encode()


def vercel_file(base: str, folder: str) -> bytes:
    """A ``vercel.json``: the published folder as it is, with our headers."""
    return dump_bytes(
        {
            "$schema": "https://openapi.vercel.sh/vercel.json",
            "framework": None,
            "outputDirectory": folder,
            "cleanUrls": False,
            "headers": [
                {
                    "source": f"{base}{rule.prefix}(.*)",
                    "headers": [{"key": name, "value": value} for name, value in rule.headers],
                }
                for rule in RULES
            ],
        }
    )
