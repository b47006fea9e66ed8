"""Where a link in an author's Markdown leads on this site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_IGNORED_IN_URLS = re.compile(r"[\x00-\x20\x7f]")
_SAFE_SCHEMES = ("http:", "https:", "mailto:")


@dataclass(frozen=True, slots=True)
class LinkResolver:
    """What one package's links can reach.

    ``anchors`` maps a package path to the ``id`` of its place on the page. ``neighbours`` maps the folder of
    another skill of the same source (relative to the source's root) to ``owner/slug``; ``folder`` is this
    skill's own folder there. ``root`` is the relative URL from the page to the hub's root, with a slash.
    """

    anchors: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""
    neighbours: Mapping[str, str] = field(default_factory=dict)
    root: str = "../../../"
    folders: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        folders: set[str] = set()
        for name in self.anchors:
            folder = name.rpartition("/")[0]
            while folder and folder not in folders:
                folders.add(folder)
                folder = folder.rpartition("/")[0]
        object.__setattr__(self, "folders", frozenset(folders))

    def resolve(self, target: str) -> str | None:
        """The URL to write for ``target`` (decoded, unescaped by the caller later), or None: not a link.

        Fragments of the same document are not decided here. Only http, https and mailto ever leave the
        site, whatever stood before this said about the URL: browsers drop control characters and spaces
        inside a scheme, so they are dropped before it is judged.
        """
        url = _IGNORED_IN_URLS.sub("", target)
        if not url or "\\" in url:
            return None
        if _SCHEME.match(url):
            return url if url.lower().startswith(_SAFE_SCHEMES) else None
        if url.startswith("//"):
            return f"https:{url}"
        if url.startswith("/"):
            return None
        path = unquote(target.partition("?")[0].partition("#")[0])
        return self._resolve_path(posixpath.normpath(path), path.endswith("/")) if path else None

    def _resolve_path(self, path: str, is_folder: bool) -> str | None:
        anchor = self.anchors.get(path)
        if anchor is not None and not is_folder:
            return f"#{anchor}"
        if path == "." or path in self.folders:
            return "#files"
        if path.startswith("../"):
            place = posixpath.normpath(posixpath.join(self.folder, path))
            while place not in ("", ".", "/", "..") and not place.startswith("../"):
                if place in self.neighbours and place != self.folder:
                    owner, _, slug = self.neighbours[place].partition("/")
                    return f"{self.root}{owner}/skills/{slug}/"
                place = posixpath.dirname(place)
        return None
