"""What our configurations say and send, the same on every host."""

from __future__ import annotations

from typing import Final

NOT_FOUND: Final = "Skill not found"
"""What the ``clawhub`` command looks for in a 404 (contract/clawhub.md 0.13)."""
NO_VERSION: Final = "Version not found"
READ_ONLY: Final = "This hub is made of files and takes no changes."
NO_VERDICTS: Final = (
    "This hub is made of files and cannot answer this question, so OpenClaw cannot install from it. "
    "Use the clawhub command, or download the archive from the page of the skill."
)
NO_FILE: Final = "This hub is made of files and cannot cut one file out of an archive. Download the archive."

STATUS_CODES: Final = (403, 404, 409, 410)
"""Every status other than 200 that a document of a hub can have."""

COMMON_HEADERS: Final = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", "ETag, Content-Disposition, Content-Range, X-Content-SHA256"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
)
RAW_POLICY: Final = "default-src 'none'; sandbox"
"""The Content-Security-Policy of files of a skill, which are somebody else's."""
PAGE_POLICY: Final = "frame-ancestors 'none'"

RAW_TREES: Final = ("/.well-known/skills/", "/agentskills/")
"""Below them files of skills lie as they are; they never get a type that a browser acts on."""

PAGE_TYPES: Final = {
    "html": "text/html", "css": "text/css", "js": "text/javascript", "mjs": "text/javascript",
    "json": "application/json", "jsonl": "application/x-ndjson", "map": "application/json",
    "md": "text/markdown", "txt": "text/plain", "xml": "application/xml", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "ico": "image/x-icon", "woff": "font/woff", "woff2": "font/woff2",
    "webmanifest": "application/manifest+json",
    "zip": "application/zip", "skill": "application/zip", "tgz": "application/gzip",
}  # fmt: skip
"""The types of our own files, by suffix; not the table of the machine."""
RAW_PICTURES: Final = {"gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
                       "webp": "image/webp"}  # fmt: skip
