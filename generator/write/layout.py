"""Where a route lies on disk: the same routes, laid out exploded or packed.

*Exploded*: every route is a file, for hosts without a router. A URL such as ``/api/v1/skills`` is a document
and a folder at once, which a file system cannot hold, so every document without a file name of its own lies
at ``PATH/index.html`` (any static host finds it) or ``PATH/index.json`` (hosts whose index name can be set).

*Packed*: at most eight files a skill (page, pack, ledger, feed, bundle, and three archives a version), and six for
each further version (its archives, and what differs as a page, as Markdown and as JSON). The pack maps each of the
skill's other routes to its ready answer; a router only picks. Routes of the hub lie as in *exploded*.

Creating files is the dearest thing a build does, so packed files lie flat in one folder an owner.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from json.encoder import encode_basestring

from generator.model import Cache, Route, SkillRoutes
from generator.write.publish import WORK_FOLDER
from generator.write.quoting import quote_text

PACK_SCHEMA = "skillpress.pack.v1"
_DOCUMENTS = ("/api/v1/", "/v1/packages/")
"""Below these a document has no file name of its own, and may be a folder at once."""


class Layout(StrEnum):
    """How the publisher lays routes out."""

    EXPLODED = "exploded"
    PACKED = "packed"


class Naming(StrEnum):
    """What an exploded document without a file name of its own is called inside its folder."""

    INDEX_HTML = "index.html"
    INDEX_JSON = "index.json"


@dataclass(frozen=True, slots=True)
class LaidFile:
    """One file of the output, relative to its root."""

    path: str
    data: bytes


def file_for(route_path: str, naming: Naming) -> str:
    """The exploded file of a route, relative to the output's root."""
    relative = route_path[1:]
    if route_path.endswith("/"):
        return f"{relative}index.html"
    if route_path.startswith(_DOCUMENTS) and not route_path.endswith("/openapi.json"):
        return f"{relative}/{naming}"
    return relative


def page_file(owner: str, slug: str) -> str:
    """The packed file of a skill's page."""
    return f"pages/{owner}/{slug}.html"


def pack_file(owner: str, slug: str) -> str:
    """The packed file of a skill's answers."""
    return f"packs/{owner}/{slug}.json"


def ledger_file(owner: str, slug: str) -> str:
    """The ledger of a skill, in both layouts; also its route without the leading slash."""
    return f"ledger/{owner}/{slug}.jsonl"


COLLECTIONS = "collections"
"""Where collections lie that are made like skills, in place of an owner; no owner can be called so."""

LEDGER_INDEX = "ledger/index.json"
"""The last line's digest of every ledger, so that a lost or shortened one is noticed."""


def archive_file(owner: str, slug: str, version: str) -> str:
    """The archive of a release, in both layouts; also its route without the leading slash.

    A slug has no dot and a version starts with a number and a dot, so no two releases share a name.
    """
    return f"dl/{owner}/{slug}-{version}.zip"


def skill_archive_file(owner: str, slug: str, version: str) -> str:
    """The ``.skill`` archive of a release, in both layouts; also its route without the leading slash."""
    return f"dl/{owner}/{slug}-{version}.skill"


def tarball_file(owner: str, slug: str, version: str) -> str:
    """The npm tarball of a release, in both layouts; also its route without the leading slash."""
    return f"dl/{owner}/{slug}-{version}.tgz"


def withheld_file(archive: str) -> str:
    """Where an archive lies that is not given out: in the work folder, which is not published."""
    return f"{WORK_FOLDER}/withheld/{archive}"


def diff_folder(owner: str, slug: str) -> str:
    """The folder of the pages that compare versions, in both layouts."""
    return f"{owner}/skills/{slug}/diff"


def lay_out_skill(routes: SkillRoutes, layout: Layout, naming: Naming) -> list[LaidFile]:
    """The files of one skill, in the order they must reach the disk: what is named before what names it.

    The ledger comes first (no archive may lie on the hub that the ledger does not know), then archives, then what is a
    file in both layouts, then the documents of single versions, then those that say which version is the latest, the
    page last.
    """
    files = [LaidFile(route.path[1:], route.body) for route in (routes.ledger, *routes.archives)]
    files.extend(LaidFile(file_for(route.path, naming), route.body) for route in routes.files)
    if layout is Layout.PACKED:
        files.append(LaidFile(pack_file(routes.owner, routes.slug), pack(routes.answers)))
        files.append(LaidFile(page_file(routes.owner, routes.slug), routes.page.body))
    else:
        deepest_first = sorted(routes.answers, key=lambda route: -route.path.count("/"))
        files.extend(LaidFile(file_for(route.path, naming), route.body) for route in deepest_first)
        files.append(LaidFile(file_for(routes.page.path, naming), routes.page.body))
    return files


def pack(answers: tuple[Route, ...]) -> bytes:
    """The pack of a skill: a JSON document from route path to ready answer."""
    quoted: dict[int, bytes] = {}  # several routes share one body
    pieces = [b'{"schema":"%b","answers":{' % PACK_SCHEMA.encode()]
    opening = b""
    for route in {route.path: route for route in answers}.values():
        text = quoted.get(id(route.body))
        if text is None:
            text = quoted[id(route.body)] = quote_text(route.body)
        path = _quoted(route.path).encode("utf-8")
        pieces += (opening, path, _facts(route.media_type, route.cache, route.status), text, b'"}')
        opening = b","
    pieces.append(b"}}")
    return b"".join(pieces)


@lru_cache(maxsize=64)
def _facts(media_type: str, cache: Cache, status: int) -> bytes:
    """Everything of an answer between its path and the inside of its body's string."""
    kind, kept = _quoted(media_type), _quoted(str(cache))
    return f':{{"type":{kind},"cache":{kept},"status":{status},"body":"'.encode()


def _quoted(text: str) -> str:
    """A JSON string as :func:`generator.jsondata.dump_bytes` writes it."""
    return encode_basestring(text).replace("<", "\\u003c")
