"""Read a whole tree with ``agentskills-http``, inside its own Python, and print it as JSON.

python agentskills_http_driver.py URL
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from importlib import import_module
from typing import Any


async def read(url: str) -> dict[str, Any]:
    """Every skill with its files (base64), its metadata and the names of its resources."""
    client: Any = import_module("agentskills_http")
    provider = client.HTTPStaticFileSkillProvider(
        url, skill_manifest=True, resource_manifest=True, file_manifest=True, allow_private_network=True
    )
    async with provider:
        skills = {}
        for name in await provider.discover():
            files = await provider.list_files(name)
            skills[name] = {
                "files": {
                    path: base64.b64encode(await provider.read_file(name, path)).decode() for path in files
                },
                "metadata": await provider.get_metadata(name),
                "resources": await provider.list_resources(name),
            }
        return skills


if __name__ == "__main__":
    json.dump(asyncio.run(read(sys.argv[1])), sys.stdout)
