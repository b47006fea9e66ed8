"""The network hosts that files of a package mention, in bounded time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from generator.model import PackageFile

MAX_ADDRESSES: Final = 100_000
"""Addresses of one package that are looked at."""

_SIGN: Final = re.compile(rb"://")
_SCHEME: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*\Z")
_LONGEST_SCHEME: Final = 16
_AUTHORITY: Final = re.compile(rb"[^\s\x00-\x20/?#\"'<>`\\|,;]{1,320}")
_HOST: Final = re.compile(r"\[[0-9A-Fa-f:.]{2,45}\]|[\w-][\w.-]{0,252}")
_WEB: Final = frozenset({b"http", b"https", b"ws", b"wss", b"ftp", b"ftps", b"sftp", b"ssh", b"git"})
_NO_NETWORK: Final = frozenset({b"file", b"about", b"data", b"chrome", b"resource", b"jar", b"content"})


def find_hosts(files: Iterable[PackageFile]) -> tuple[dict[str, str], bool]:
    """Hosts of addresses such as ``https://host/``, each with the first file that mentions it, and whether all
    were looked at.

    Names are in lower case, without user, password, port or final dot. A placeholder (``https://${HOST}/``) is
    none. Other schemes than those of the web count only with a dot in the name (``s3://bucket/`` is no host).
    """
    found: dict[str, str] = {}
    left = MAX_ADDRESSES
    for file in files:
        data = file.data
        for sign in _SIGN.finditer(data):
            if left == 0:
                return found, False
            left -= 1
            host = _host_at(data, sign.start(), sign.end())
            if host is not None and host not in found:
                found[host] = file.path
    return found, True


def _host_at(data: bytes, start: int, end: int) -> str | None:
    named = _SCHEME.search(data[max(start - _LONGEST_SCHEME, 0) : start])
    authority = _AUTHORITY.match(data, end)
    if named is None or authority is None:
        return None
    scheme = named.group().lower()
    text = authority.group().decode("utf-8", "replace").rpartition("@")[2]
    match = _HOST.match(text)
    if match is None or scheme in _NO_NETWORK:
        return None
    host = match.group().rstrip(".-_").lower()
    if not host or (scheme not in _WEB and "." not in host):
        return None
    return host
