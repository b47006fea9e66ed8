"""The index documents of a hub, written and read.

* ``/search/index.json``: the hub, its hosts, and either all columns, or the names of the documents that hold them;
* ``/search/names.json`` and ``/search/summaries-N.json``, N from 1: the columns of a hub of more than
  :data:`SPLIT_ABOVE` skills. Names, filters and lists need the first only; each summary document holds
  :data:`CHUNK` skills in the order of the index, so a page of the newest needs one.

Entries are in the order of :func:`~generator.search.entries.tie_key`. A column is written in the shortest of three
forms: every value in a list; ``{"only": {place: value}}``, the others being the default; ``{"of": [values], "at":
[places in it]}``. ``build`` is the same in all documents of one build: parts of different builds do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.errors import SkillpressError
from generator.jsondata import dump_bytes, load_json
from generator.judge.model import Profile
from generator.model import Catalog, Hub, Listing, Route
from generator.search.entries import NAME_COLUMNS, TEXT_COLUMNS, Column, restore, tie_key
from generator.write.site.roster import is_agent, order_profiles

SCHEMA = "skillpress.search.v2"
INDEX_ROUTE = "/search/index.json"
_MOST_SKILLS = 1_000_000
"""More than a hub of files can be; another hub's index is not believed to have them."""
NAMES_ROUTE = "/search/names.json"
SPLIT_ABOVE = 20_000
CHUNK = 10_000
_JSON = "application/json"
_SCRIPT = Path(__file__).with_name("search.js")


class SearchIndexError(SkillpressError):
    """A hub has no search index, or one that cannot be read."""


@dataclass(frozen=True, slots=True)
class HostColumn:
    """A host whose verdict is a letter in every entry's ``outcomes``. ``agent``: it works with skills, where others
    only install or check them; ``rank``: its place in the order of the site, from 0."""

    id: str
    host: str
    label: str
    agent: bool
    rank: int


@dataclass(frozen=True, slots=True)
class IndexData:
    """What the documents say. ``snapshot`` tells one list of recommended skills from another."""

    hub: Hub
    hosts: tuple[HostColumn, ...]
    snapshot: str
    entries: tuple[Listing, ...]


def search_routes(
    catalog: Catalog, profiles: Sequence[Profile], *, split_above: int = SPLIT_ABOVE, chunk: int = CHUNK
) -> tuple[Route, ...]:
    """All index documents of a hub. A skill under quarantine is in none of them."""
    listings = sorted((one for one in catalog.listings if one.stance.listed), key=tie_key)
    names, texts = _columns(NAME_COLUMNS, listings), _columns(TEXT_COLUMNS, listings)
    ranks = {profile.id: rank for rank, profile in enumerate(order_profiles(profiles))}
    head: dict[str, object] = {
        "schema": SCHEMA,
        "build": sha256(dump_bytes([names, texts])).hexdigest()[:16],
        "hub": {
            "name": catalog.hub.name,
            "description": catalog.hub.description,
            "url": catalog.hub.url,
        },
        "skills": len(listings),
        "snapshot": snapshot_of(listings),
        "hosts": [[one.id, one.host, one.label, is_agent(one), ranks[one.id]] for one in profiles],
    }
    if len(listings) <= split_above:
        return (_route(INDEX_ROUTE, {**head, "columns": {**names, **texts}}),)
    build = {"schema": SCHEMA, "build": head["build"]}
    starts = range(0, len(listings), chunk)
    parts = [f"/search/summaries-{number}.json" for number in range(1, len(starts) + 1)]
    return (
        _route(INDEX_ROUTE, {**head, "names": NAMES_ROUTE, "summaries": parts, "chunk": chunk}),
        _route(NAMES_ROUTE, {**build, "columns": names}),
        *(
            _route(
                part,
                {**build, "from": start, "columns": _columns(TEXT_COLUMNS, listings[start : start + chunk])},
            )
            for part, start in zip(parts, starts, strict=True)
        ),
    )


def script_route() -> Route:
    """``search.js``, which the pages of a hub and its edges read the index with."""
    return Route("/search/search.js", _SCRIPT.read_bytes(), "text/javascript; charset=utf-8")


def snapshot_of(listings: Sequence[Listing], limit: int = 100) -> str:
    """What tells one list of trending skills from another; ``listings`` are in the order of the index."""
    shown = [one for one in listings if one.recommended][:limit]
    return sha256("\n".join(f"{one.owner}/{one.slug}@{one.version}" for one in shown).encode()).hexdigest()[
        :16
    ]


def read_index(get: Callable[[str], bytes | None]) -> IndexData:
    """The whole index, of one document or of many. ``get`` gives the bytes of a route, None where there is none.

    Raises:
        SearchIndexError: a document is missing, is none of ours, or is of another build than the others.
    """
    head = _document(get, INDEX_ROUTE)
    try:
        documents = [head]
        if "columns" not in head:
            documents = [_part(get, part, head["build"]) for part in (head["names"], *head["summaries"])]
        return _data(head, documents)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise SearchIndexError(
            f"{INDEX_ROUTE}: not an index that this version reads ({type(error).__name__}: {error}). "
            "Build the hub again."
        ) from None


def _data(head: Mapping[str, Any], documents: Sequence[Mapping[str, Any]]) -> IndexData:
    count = head["skills"]
    if not isinstance(count, int) or not 0 <= count <= _MOST_SKILLS:
        raise ValueError(f"{count!r} skills")
    names = _decoded(NAME_COLUMNS, documents[0]["columns"], count)
    texts: dict[str, list[Any]] = {column.name: [] for column in TEXT_COLUMNS}
    for document in documents[1:] or documents:
        size = min(head.get("chunk", count), count - len(texts["summary"]))
        for name, values in _decoded(TEXT_COLUMNS, document["columns"], size).items():
            texts[name] += values
    columns = {**names, **texts}
    rows = zip(*columns.values(), strict=True)
    return IndexData(
        hub=Hub(head["hub"]["name"], head["hub"]["description"], head["hub"]["url"]),
        hosts=tuple(HostColumn(*host) for host in head["hosts"]),
        snapshot=head["snapshot"],
        entries=tuple(restore(dict(zip(columns, row, strict=True))) for row in rows),
    )


def _part(get: Callable[[str], bytes | None], route: str, build: object) -> dict[str, Any]:
    document = _document(get, route)
    if document.get("build") != build:
        raise SearchIndexError(
            f"{route}: of another build than {INDEX_ROUTE}. Try again when the build has ended."
        )
    return document


def _document(get: Callable[[str], bytes | None], route: str) -> dict[str, Any]:
    data = get(route)
    if data is None:
        raise SearchIndexError(
            f"{route}: there is no such document. Build the hub with this version of skillpress."
        )
    try:
        document = load_json(data)
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise SearchIndexError(f"{route}: not a search index of this version. Build the hub again.")
    return document


def _columns(columns: Sequence[Column], listings: Sequence[Listing]) -> dict[str, Any]:
    return {
        column.name: _encoded([column.take(one) for one in listings], column.default) for column in columns
    }


def _encoded(values: list[Any], default: Any) -> Any:
    """The shortest form of a column. Values that are equal as JSON are one."""
    texts = [dump_bytes(value) for value in values]
    usual = dump_bytes(default)
    only = {str(place): value for place, value in enumerate(values) if texts[place] != usual}
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    of = list(dict(zip(texts, values, strict=True)).values())
    coded = {"of": of, "at": [places[text] for text in texts]}
    forms: list[Any] = [values, {"only": only}, coded]
    return min(forms, key=lambda form: len(dump_bytes(form)))


def _decoded(columns: Sequence[Column], document: Mapping[str, Any], count: int) -> dict[str, list[Any]]:
    found = {column.name: _values(document[column.name], column.default, count) for column in columns}
    if any(len(values) != count for values in found.values()):
        raise ValueError("a column of the wrong length")
    return found


def _values(form: Any, default: Any, count: int) -> list[Any]:
    if isinstance(form, list):
        return form
    if "only" in form:
        only = form["only"]
        return [only.get(place, default) for place in map(str, range(count))] if only else [default] * count
    of = form["of"]
    return [of[place] for place in form["at"]]


def _route(path: str, document: Mapping[str, object]) -> Route:
    return Route(path, dump_bytes(document), _JSON)
