"""Cloudflare: the settings of a Worker that answers in front of the published files."""

from __future__ import annotations

import re

from generator.hosting.facts import HubFacts
from generator.hosting.programs import CLOUDFLARE, FOLDER
from generator.write.publish import WORK_FOLDER

WORKER = f"{FOLDER}/{CLOUDFLARE}"
"""The Worker's program, beside ``wrangler.jsonc``."""
COMPATIBILITY_DATE = "2025-10-01"


def wrangler_file(facts: HubFacts, folder: str) -> bytes:
    """A ``wrangler.jsonc``. The Worker sees every request first, and nothing is rewritten or redirected."""
    name = re.sub(r"[^a-z0-9]+", "-", facts.name.lower()).strip("-")[:50] or "hub"
    return (
        "// Written by `skillpress build --hosting cloudflare`.\n"
        "{\n"
        f'  "name": "{name}",\n'
        f'  "main": "{WORKER}",\n'
        f'  "compatibility_date": "{COMPATIBILITY_DATE}",\n'
        '  "assets": {\n'
        f'    "directory": "{folder}",\n'
        '    "binding": "ASSETS",\n'
        '    "run_worker_first": true,\n'
        '    "html_handling": "none",\n'
        '    "not_found_handling": "none"\n'
        "  }\n"
        "}\n"
    ).encode()


def ignore_file() -> bytes:
    """An ``.assetsignore``: the build's own notes, and archives under quarantine, are not uploaded."""
    return f"{WORK_FOLDER}\n".encode()
