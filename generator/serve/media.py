"""The media type and cache rule of a route that lies on disk as a plain file.

A fixed table: :mod:`mimetypes` reads the machine's own files, and the same hub must answer the same anywhere.
"""

from __future__ import annotations

from generator.model import Cache

HTML = "text/html; charset=utf-8"
JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
ATOM = "application/atom+xml; charset=utf-8"
_BYTES = "application/octet-stream"

RAW = "/tree/"
"""Below it every file of the output lies as it is on disk, for mirrors; never as something that acts."""

_BY_SUFFIX = {
    "css": "text/css; charset=utf-8",
    "gif": "image/gif",
    "html": HTML,
    "ico": "image/x-icon",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8",
    "json": JSON,
    "jsonl": "application/x-ndjson",
    "map": JSON,
    "md": MARKDOWN,
    "mjs": "text/javascript; charset=utf-8",
    "png": "image/png",
    "skill": "application/zip",
    "svg": "image/svg+xml; charset=utf-8",
    "tgz": "application/gzip",
    "txt": TEXT,
    "webmanifest": "application/manifest+json",
    "webp": "image/webp",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "xml": "application/xml; charset=utf-8",
    "zip": "application/zip",
}
_READABLE = ("json", "jsonl", "json5", "xml", "yaml", "javascript", "toml", "/x-sh")
_PICTURES = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})


def media_type_of(route_path: str) -> str:
    """The media type of a route by its path. Documents of the protocols are JSON, but for the skill card."""
    if route_path.startswith("/api/v1/"):
        return MARKDOWN if route_path.endswith("/card") else JSON
    if route_path.startswith(RAW):
        return _BYTES
    if route_path.startswith(("/npm/", "/v1/packages/")):
        return JSON
    if route_path.endswith("/"):
        return HTML
    if route_path.startswith("/feeds/") and route_path.endswith(".xml"):
        return ATOM
    name = route_path.rpartition("/")[2]
    return _BY_SUFFIX.get(name.rpartition(".")[2].lower(), _BYTES) if "." in name else _BYTES


def cache_of(route_path: str) -> Cache:
    """How long a route may be kept: an archive's name never gets other bytes, everything else may change."""
    return Cache.IMMUTABLE if route_path.startswith("/dl/") else Cache.REVALIDATE


def inert_type(media_type: str) -> str:
    """A type under which an author's file is never active: text as plain text, pictures as they are."""
    essence = media_type.partition(";")[0].strip().lower()
    if essence in _PICTURES:
        return essence
    readable = essence.startswith("text/") or essence.endswith(_READABLE)
    return TEXT if readable else _BYTES
