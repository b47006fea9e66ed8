"""The JavaScript that runs at an edge, as files to deploy: an entry, and every module it imports.

They keep their folders, so that the imports in them hold; nothing is bundled here, the hosts do that.
"""

from __future__ import annotations

import re
from importlib.resources import files
from posixpath import dirname, join, normpath
from typing import Final

FOLDER: Final = "edge"
"""The folder, beside the published one, that the modules are put into."""
CLOUDFLARE: Final = "hosting/edges/cloudflare_worker.js"
NETLIFY: Final = "hosting/edges/netlify_edge.js"
VERCEL: Final = "hosting/edges/vercel_edge.js"
_IMPORT: Final = re.compile(
    r"""^\s*(?:import|export)\b[^;]*?\bfrom\s+["'](\.[^"']+)["']|^\s*import\s+["'](\.[^"']+)["']""",
    re.MULTILINE,
)


def program_files(entry: str) -> dict[str, bytes]:
    """The module ``entry`` (relative to the package) and what it imports, by path below :data:`FOLDER`."""
    package = files("generator")
    found: dict[str, bytes] = {}
    waiting = [entry]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = package.joinpath(path).read_bytes()
        for direct, bare in _IMPORT.findall(found[path].decode("utf-8")):
            waiting.append(normpath(join(dirname(path), direct or bare)))
    return {f"{FOLDER}/{path}": data for path, data in sorted(found.items())}


def netlify_entry() -> bytes:
    """The edge function: Netlify takes each file of its folder for one, so the program lies elsewhere."""
    return f'export {{ default }} from "../../{FOLDER}/{NETLIFY}";\nexport const config = {{ path: "/*" }};\n'.encode()


def vercel_entry() -> bytes:
    """The middleware. Vercel reads ``config`` without running the file, so it stands here in full."""
    return f'export {{ default }} from "./{FOLDER}/{VERCEL}";\nexport const config = {{ matcher: "/(.*)" }};\n'.encode()
