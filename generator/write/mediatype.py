"""The media type of a file by its name, from a fixed table.

Never the machine's own table (``mimetypes`` reads ``/etc/mime.types`` and the Windows registry): the same
package must give the same document everywhere. Types are IANA's where there is one.
"""

from __future__ import annotations

from typing import Final

_TEXT_AS_PLAIN: Final = (
    "txt text log rst adoc org tex bib cfg conf ini env properties editorconfig gitignore diff patch "
    "bat cmd ps1 psm1 psd1 fish r jl lua pl pm rb go rs swift kt kts java scala groovy cs c h cc cpp hpp m "
    "mm php sql graphql proto tf hcl nix zig dart ex exs erl hs clj vue svelte j2 jinja tmpl template mmd dot"
)
_NAMED: Final = {
    "md": "text/markdown", "mdx": "text/markdown", "markdown": "text/markdown",
    "html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml",
    "css": "text/css", "scss": "text/plain", "sass": "text/plain", "less": "text/plain",
    "csv": "text/csv", "tsv": "text/tab-separated-values", "ics": "text/calendar", "vtt": "text/vtt",
    "js": "text/javascript", "mjs": "text/javascript", "cjs": "text/javascript", "jsx": "text/javascript",
    "ts": "text/x-typescript", "tsx": "text/x-typescript",
    "mts": "text/x-typescript", "cts": "text/x-typescript",
    "py": "text/x-python", "pyi": "text/x-python", "ipynb": "application/x-ipynb+json",
    "sh": "application/x-sh", "bash": "application/x-sh", "zsh": "application/x-sh",
    "json": "application/json", "json5": "application/json5", "jsonl": "application/jsonl",
    "ndjson": "application/jsonl", "map": "application/json", "geojson": "application/geo+json",
    "yaml": "application/yaml", "yml": "application/yaml", "toml": "application/toml",
    "xml": "application/xml", "xsd": "application/xml", "xsl": "application/xml", "plist": "application/xml",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "avif": "image/avif", "ico": "image/vnd.microsoft.icon", "bmp": "image/bmp",
    "tif": "image/tiff", "tiff": "image/tiff", "heic": "image/heic",
    "mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg", "flac": "audio/flac", "m4a": "audio/mp4",
    "mp4": "video/mp4", "webm": "video/webm", "mov": "video/quicktime",
    "ttf": "font/ttf", "otf": "font/otf", "woff": "font/woff", "woff2": "font/woff2",
    "pdf": "application/pdf", "rtf": "application/rtf", "epub": "application/epub+zip",
    "doc": "application/msword", "xls": "application/vnd.ms-excel", "ppt": "application/vnd.ms-powerpoint",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "dotx": "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "potx": "application/vnd.openxmlformats-officedocument.presentationml.template",
    "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "zip": "application/zip", "skill": "application/zip", "gz": "application/gzip", "tgz": "application/gzip",
    "bz2": "application/x-bzip2", "xz": "application/x-xz", "7z": "application/x-7z-compressed",
    "tar": "application/x-tar", "wasm": "application/wasm", "sqlite": "application/vnd.sqlite3",
    "db": "application/vnd.sqlite3", "parquet": "application/vnd.apache.parquet",
}  # fmt: skip
_BY_SUFFIX: Final = dict.fromkeys(_TEXT_AS_PLAIN.split(), "text/plain") | _NAMED
_PLAIN_NAMES: Final = (
    "license licence copying notice authors changelog contributing readme version makefile dockerfile "
    "containerfile justfile procfile gemfile rakefile vagrantfile jenkinsfile codeowners"
)
_PLAIN_SET: Final = frozenset(_PLAIN_NAMES.split())
_SAMPLE: Final = 8192


def media_type(path: str) -> str:
    """The media type of the file at ``path``, without parameters; ``application/octet-stream`` if unknown."""
    name = path.rpartition("/")[2].lower()
    _, dot, suffix = name.rpartition(".")
    if dot:
        return _BY_SUFFIX.get(suffix, "application/octet-stream")
    return "text/plain" if name in _PLAIN_SET else "application/octet-stream"


def is_text(data: bytes) -> bool:
    """Whether ``data`` reads as UTF-8 text: its first 8 kB hold no NUL and decode."""
    sample = data[:_SAMPLE]
    if b"\0" in sample:
        return False
    if sample.isascii():
        return True
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:
        # A character cut by the end of the sample is no sign of a binary file.
        return len(data) > _SAMPLE and error.start >= _SAMPLE - 3 and error.reason == "unexpected end of data"
    return True
