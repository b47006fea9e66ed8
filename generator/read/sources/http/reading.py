"""What to ask another hub for, and in which order: the API's way and the ledgers' way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final
from urllib.parse import quote

from generator.findings import finding
from generator.model import Finding, Owner, Package, Sha256, Slug, Version
from generator.read.package import Limits
from generator.read.sources.http.clawhub import (
    MOST_DOCUMENT_BYTES,
    MOST_LIST_BYTES,
    ListedSkill,
    ListedVersion,
    StatedRelease,
    parse_elsewhere,
    parse_install,
    parse_mark_of,
    parse_owner_of,
    parse_release,
    parse_skills,
    parse_versions,
    query_url,
)
from generator.read.sources.http.fetching import Answer, Documents, Fetcher, FetchError, Replay
from generator.read.sources.http.fields import AnswerError, text_of
from generator.read.sources.http.integrity import Fingerprint, check_archive
from generator.read.sources.http.ledgers import (
    INDEX_PATH,
    MOST_INDEX_BYTES,
    MOST_LEDGER_BYTES,
    Head,
    last_line,
    parse_index,
    parse_ledger,
    parse_root,
)
from generator.read.sources.http.refusals import ASK, Endpoint, Refusal

_MOST_PAGES: Final = 1_000
_MOST_SKILLS: Final = 200_000
_MOST_VERSIONS: Final = 5_000
_MOST_LISTED_BYTES: Final = 256 * 2**20
_MOST_NOTES: Final = 50
"""Findings about unusable rows kept for one list."""
_PAGE: Final = "200"
_WITHHELD: Final = frozenset({401, 402, 403, 410, 423, 451})
_OVERHEAD: Final = 2**20
"""Bytes of an archive beside the content of its files, at most."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The bytes of a release, proven against what was stated."""

    package: Package
    archive: bytes
    sha256: Sha256
    findings: tuple[Finding, ...]


def list_by_api(endpoint: Endpoint, fetcher: Fetcher) -> tuple[list[ListedSkill], list[Finding]]:
    """The list, page by page; each skill once. An owner that a row does not name is asked for.

    Raises :class:`FetchError` and :class:`AnswerError`; for a list without an end too, as half of it is no list.
    """
    found: dict[tuple[Owner | None, Slug], ListedSkill] = {}
    notes: list[Finding] = []

    def take(data: bytes) -> str | None:
        page = parse_skills(data)
        for row in page.unusable[: _MOST_NOTES - len(notes)]:
            message = f"The hub lists {row}, which cannot be a skill here"
            notes.append(finding("hub-row-unusable", "", message, ASK))
        for skill in page.skills:
            known = (
                skill
                if skill.owner is not None
                else replace(skill, owner=_ask_owner(endpoint, fetcher, skill))
            )
            found.setdefault((known.owner, known.slug), known)
        if len(found) > _MOST_SKILLS:
            raise AnswerError(f"it lists over {_MOST_SKILLS:,} skills")
        return page.cursor

    # The order in which skills were made shifts least while the pages are read.
    _walk_pages(f"{endpoint.api}/skills", fetcher, MOST_LIST_BYTES, take, sort="createdAt")
    return list(found.values()), notes


def find_index(base: str, fetcher: Fetcher) -> Sha256 | None:
    """The sha256 of the hub's index of ledgers, None where it is not a hub of ours. Raises :class:`FetchError`."""
    root = fetcher.document(f"{base}/hub.json", MOST_DOCUMENT_BYTES)
    return parse_root(root.body) if root.status == 200 else None


def list_by_ledgers(endpoint: Endpoint, fetcher: Fetcher) -> tuple[Endpoint, tuple[Head, ...], list[Finding]]:
    """The list of a hub of ours, and the hub in the state that it is the list of.

    A hub that is published at this moment has a new index under an old root: both are read once more before that
    counts as wrong. Raises :class:`FetchError` and :class:`AnswerError`.
    """
    url = endpoint.base + INDEX_PATH
    known = fetcher.remembered.get(url)
    proven = known is not None and sha256(known.body).hexdigest() == endpoint.index
    data = _document(Replay(fetcher) if proven else fetcher, url, MOST_INDEX_BYTES).body
    if sha256(data).hexdigest() != endpoint.index:
        endpoint = Endpoint(endpoint.base, find_index(endpoint.base, fetcher))
        data = _document(fetcher, url, MOST_INDEX_BYTES).body
    if endpoint.index is None:
        raise AnswerError("its root document is gone")
    heads, unusable = parse_index(data, endpoint.index)
    messages = [f"The hub lists {name}, which cannot be a skill here" for name in unusable[:_MOST_NOTES]]
    return endpoint, heads, [finding("hub-row-unusable", "", message, ASK) for message in messages]


def plan_by_api(
    endpoint: Endpoint, documents: Documents, owner: Owner, slug: Slug
) -> list[StatedRelease | Refusal]:
    """Every version of a skill, oldest first, as its list states it."""
    rows: dict[Version, ListedVersion] = {}
    refused: list[StatedRelease | Refusal] = []

    def take(data: bytes) -> str | None:
        page = parse_versions(data)
        for name in page.unusable[: _MOST_NOTES - len(refused)]:
            message = f"The hub lists version {name} of {owner}/{slug}, which is no semantic version"
            refused.append(Refusal(None, (finding("hub-row-unusable", f"{owner}/{slug}", message, ASK),)))
        for row in page.versions:
            rows.setdefault(row.version, row)
        if len(rows) > _MOST_VERSIONS:
            raise AnswerError(f"it lists over {_MOST_VERSIONS:,} versions")
        return page.cursor

    address = f"{endpoint.api}/skills/{slug}"
    try:
        _walk_pages(f"{address}/versions", documents, MOST_DOCUMENT_BYTES, take, ownerHandle=owner)
    except _AbsentError as error:
        return [_without_versions(documents, address, owner, slug, str(error))]
    if not rows and not refused:
        return [_without_versions(documents, address, owner, slug, "the hub lists no version of it")]
    # Hubs list the newest first.
    listed = [StatedRelease(row.version, row.created_at, row.changelog) for row in reversed(rows.values())]
    return [*refused, *listed]


def plan_by_ledger(
    endpoint: Endpoint, fetcher: Fetcher, owner: Owner, slug: Slug, head: Sha256
) -> list[StatedRelease | Refusal]:
    """Every version of a skill, oldest first, as its ledger states it. One that is remembered and ends with the line
    that the index names is not asked for again."""
    url = f"{endpoint.base}/ledger/{owner}/{slug}.jsonl"
    known = fetcher.remembered.get(url)
    proven = known is not None and last_line(known.body) == head
    answer = _document(Replay(fetcher) if proven else fetcher, url, MOST_LEDGER_BYTES)
    return list(parse_ledger(answer.body, head))


def state_release(
    endpoint: Endpoint, documents: Documents, owner: Owner, slug: Slug, planned: StatedRelease
) -> StatedRelease | Refusal:
    """All that a hub without ledgers states of a version; what its list says where it has no document about it."""
    address = f"{endpoint.api}/skills/{slug}/versions/{quote(planned.version, safe='')}"
    try:
        answer = documents.document(query_url(address, ownerHandle=owner), MOST_DOCUMENT_BYTES)
        if answer.status == 404 or answer.status in _WITHHELD:
            return planned  # where it is withheld the download says why
        if answer.status != 200:
            raise AnswerError(f"its document answers {answer.status}")
        row = ListedVersion(planned.version, planned.created_at, planned.changelog)
        return parse_release(answer.body, row)
    except FetchError as error:
        return Refusal.missing(owner, slug, planned.version, str(error))
    except AnswerError as error:
        return Refusal.invalid(owner, slug, planned.version, str(error))


def take_release(
    endpoint: Endpoint,
    fetcher: Fetcher,
    owner: Owner,
    slug: Slug,
    stated: StatedRelease,
    limits: Limits,
    fingerprint: Fingerprint,
    label: str,
    *,
    by_ledger: bool,
) -> Taken | Refusal:
    """Fetch and prove one release; every failure is a refusal."""
    version = stated.version
    if stated.withheld:
        return Refusal.withheld(owner, slug, version, stated.withheld)
    try:
        answer = fetcher.download(
            _archive_url(endpoint, owner, slug, version, by_ledger), limits.max_package_bytes + _OVERHEAD
        )
    except FetchError as error:
        return Refusal.missing(owner, slug, version, str(error))
    refused = _refused(owner, slug, version, answer)
    if refused is not None:
        return refused
    package, findings = check_archive(answer.body, stated, label, f"{owner}/{slug}", limits, fingerprint)
    if package is None:
        return Refusal(version, findings)
    return Taken(package, answer.body, Sha256(sha256(answer.body).hexdigest()), findings)


def _archive_url(endpoint: Endpoint, owner: Owner, slug: Slug, version: Version, by_ledger: bool) -> str:
    if by_ledger:
        return f"{endpoint.base}/dl/{owner}/{slug}-{version}.zip"
    return query_url(f"{endpoint.api}/download", slug=slug, ownerHandle=owner, version=version)


def _without_versions(documents: Documents, address: str, owner: Owner, slug: Slug, reason: str) -> Refusal:
    """A skill without versions: its files lie in a repository, or nobody knows where."""
    answer = documents.document(query_url(f"{address}/install", ownerHandle=owner), MOST_DOCUMENT_BYTES)
    elsewhere = parse_install(answer.body) if answer.status == 200 else None
    return (
        Refusal.elsewhere(owner, slug, None, elsewhere)
        if elsewhere
        else Refusal.missing(owner, slug, None, reason)
    )


def _refused(owner: Owner, slug: Slug, version: Version, answer: Answer) -> Refusal | None:
    """What an answer to a download says that is no archive, or None."""
    if answer.status in _WITHHELD:
        said = text_of(answer.body[:300].decode("utf-8", "replace")).partition("\n")[0]
        return Refusal.withheld(
            owner, slug, version, f"it answers {answer.status}{': ' + said if said else ''}"
        )
    if answer.status != 200:
        return Refusal.missing(owner, slug, version, f"its archive answers {answer.status}")
    elsewhere = parse_elsewhere(answer.body) if answer.body[:1] in (b"{", b" ", b"\n") else None
    return Refusal.elsewhere(owner, slug, version, elsewhere) if elsewhere is not None else None


def _ask_owner(endpoint: Endpoint, fetcher: Fetcher, skill: ListedSkill) -> Owner | None:
    url = f"{endpoint.api}/skills/{skill.slug}"
    known = fetcher.remembered.get(url)
    same = known is not None and skill.mark != "" and parse_mark_of(known.body) == skill.mark
    answer = (Replay(fetcher) if same else fetcher).document(url, MOST_DOCUMENT_BYTES)
    try:
        return parse_owner_of(answer.body) if answer.status == 200 else None
    except AnswerError:
        return None


def _walk_pages(
    address: str,
    documents: Documents,
    most: int,
    take: Callable[[bytes], str | None],
    **query: str,
) -> None:
    """Read pages until there is no cursor. ``take`` returns a page's cursor.

    A hub that ignores the query gives the same page again, and that is its whole list. Raises :class:`AnswerError`
    where a cursor comes back with another page, or the list has no end in sight.
    """
    cursor: str | None = None
    cursors: set[str] = set()
    pages: set[bytes] = set()
    left = _MOST_LISTED_BYTES
    for _ in range(_MOST_PAGES):
        answer = _document(
            documents, query_url(address, limit=_PAGE, cursor=cursor, **query), min(most, left)
        )
        digest = sha256(answer.body).digest()
        if digest in pages:
            return
        pages.add(digest)
        left -= len(answer.body)
        cursor = take(answer.body)
        if cursor is None:
            return
        if cursor in cursors:
            raise AnswerError("its list leads back to a page that was read already")
        cursors.add(cursor)
    raise AnswerError(f"its list has over {_MOST_PAGES:,} pages")


class _AbsentError(FetchError):
    """The hub knows no such document."""


def _document(documents: Documents, url: str, most: int) -> Answer:
    answer = documents.document(url, most)
    if answer.status == 404:
        raise _AbsentError(f"{url} answers 404")
    if answer.status != 200:
        raise FetchError(f"{url} answers {answer.status}")
    return answer
