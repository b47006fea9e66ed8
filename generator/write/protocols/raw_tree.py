"""The files of a skill one by one below an address, for clients that read no archive.

They are third parties' bytes under the hub's own origin, so nothing may act there: a host that can set headers
serves every one of them under an inert type, and where the host decides by a file's ending itself, a skill with
a file of an active kind is left out. What makes a *web server* act is left out everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from generator.model import PackagePath, PublishedSkill, Route
from generator.write.mediatype import media_type
from generator.write.protocols.indexes import MANIFEST, Indexed, is_flat

INDEX_NAME: Final = "index.json"
"""The name of the list of files in the tree of ``agentskills-http``; no file of a skill may take it."""

_ACTIVE: Final = frozenset(
    {
        # What a browser renders or runs under the hub's origin.
        "html", "htm", "xhtml", "xht", "mhtml", "mht", "svg", "svgz", "xml", "xsl", "xslt", "rdf", "rss", "atom",
        "js", "mjs", "cjs", "css", "wasm", "pdf", "swf", "hta", "htc", "jar", "webmanifest", "appcache",
    }
)  # fmt: skip
_SERVED: Final = frozenset(
    {
        # What a web server runs or obeys wherever it lies.
        "php", "php3", "php4", "php5", "php7", "php8", "phps", "phtml", "phar", "pht", "inc",
        "cgi", "fcgi", "asp", "aspx", "ashx", "asmx", "asax", "axd", "cfm", "cfml", "jsp", "jspx",
        "shtml", "shtm", "stm", "htaccess", "htpasswd", "htdigest",
    }
)  # fmt: skip
_SERVED_NAMES: Final = frozenset(
    {"web.config", ".user.ini", "php.ini", "_headers", "_redirects", "_worker.js"}
)
_UNADDRESSED: Final = ("?", "#", "%", "..", "\\")
"""Parts of a path that ``hermes`` and ``skills`` put into an address as they are, or refuse."""
_PICTURES: Final = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
_TEXT: Final = "text/plain; charset=utf-8"
_BYTES: Final = "application/octet-stream"
_READABLE: Final = ("json", "jsonl", "json5", "xml", "yaml", "javascript", "toml", "/x-sh")


def is_active(path: str) -> bool:
    """Whether a browser may render or run the file where a host types it by its ending."""
    return not _suffixes(path).isdisjoint(_ACTIVE)


def is_served(path: str) -> bool:
    """Whether a web server may run or obey the file wherever it lies."""
    name = path.rpartition("/")[2].lower()
    return name in _SERVED_NAMES or not _suffixes(path).isdisjoint(_SERVED)


def is_unaddressed(path: str) -> bool:
    """Whether a client that does not quote paths asks for something else, or refuses the whole index."""
    if any(part in path for part in _UNADDRESSED):
        return True
    return any(part != part.strip() for part in path.split("/"))


def is_hidden(path: str) -> bool:
    """Whether web servers and mirrors pass the file over: a name in its path starts with a dot."""
    return any(part.startswith(".") for part in path.split("/"))


def fits_tree(paths: Iterable[str], *, headers: bool) -> bool:
    """Whether a skill with these files may lie in a tree of raw files.

    ``headers``: the host gives every file in it an inert type, whatever the file is called.
    """
    return not any(
        is_served(path) or is_unaddressed(path) or is_hidden(path) or (not headers and is_active(path))
        for path in paths
    )


def is_in_tree(skill: Indexed, *, headers: bool) -> bool:
    """Whether the trees hold the skill: it has its slug for itself, and every file may lie there."""
    return is_flat(skill.listing) and MANIFEST in skill.paths and fits_tree(skill.paths, headers=headers)


def raw_type(path: str) -> str:
    """The type a raw file is served with: text as plain text, pictures as they are, else bytes."""
    essence = media_type(path)
    if essence in _PICTURES:
        return essence
    return _TEXT if essence.startswith("text/") or essence.endswith(_READABLE) else _BYTES


def raw_routes(skill: PublishedSkill, base: str, *, headers: bool) -> tuple[Route, ...]:
    """Every file of the latest release below ``base/SLUG/``; none where the tree does not hold the skill."""
    files = skill.folder.package.files
    paths = tuple(file.path for file in files)
    if not is_in_tree(Indexed(skill.listing, skill.latest.archive, paths), headers=headers):
        return ()
    at = f"{base}/{skill.listing.slug}/"
    return tuple(Route(f"{at}{file.path}", file.data, raw_type(file.path)) for file in files)


def paths_of(skill: PublishedSkill) -> tuple[PackagePath, ...]:
    """The files of the latest release, sorted."""
    return tuple(file.path for file in skill.folder.package.files)


def _suffixes(path: str) -> frozenset[str]:
    """Every ending of a name: some servers look at all of them (``x.php.txt``)."""
    return frozenset(path.rpartition("/")[2].lower().split(".")[1:])
