"""Another hub as a source: every release of every skill it publishes, checked against all that it states.

Any ClawHub-shaped address will do. A hub that Skillpress built is read through its ledgers, which is a few requests on
any static host and proves more; any other through its API. Nothing is ever sent but GET requests without credentials.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar
from urllib.parse import urlsplit

from generator.errors import SourceError
from generator.findings import finding
from generator.model import Finding, Owner
from generator.names import parse_owner
from generator.read.package import Limits
from generator.read.paths import printable
from generator.read.sources.http.clawhub import ListedSkill, StatedRelease, parse_discovery
from generator.read.sources.http.fetching import Documents, Fetcher, FetchError, Replay
from generator.read.sources.http.fields import AnswerError
from generator.read.sources.http.integrity import Fingerprint
from generator.read.sources.http.policy import redirect_target
from generator.read.sources.http.reading import (
    find_index,
    list_by_api,
    list_by_ledgers,
    plan_by_api,
    plan_by_ledger,
    state_release,
    take_release,
)
from generator.read.sources.http.refusals import ASK, Endpoint, Refusal
from generator.read.sources.http.remote import (
    RemoteGap,
    RemoteKept,
    RemoteListing,
    RemoteRelease,
    RemoteSkill,
    Shelf,
)

WORKERS: Final = 4
"""Requests at a time: polite to a small host, and enough to hide its distance."""
_WELL_KNOWN: Final = ("/.well-known/clawhub.json", "/.well-known/clawdhub.json")

T = TypeVar("T")
R = TypeVar("R")


def discover(url: str, fetcher: Fetcher) -> Endpoint:
    """Where the hub at ``url`` has its API, and whether it has ledgers.

    ``url`` is the hub's address, with a base path if it has one, or its API's (``.../api/v1``). At an origin's root
    ``/.well-known/clawhub.json`` may lead elsewhere, by the rules for redirects.
    Raises :class:`~generator.errors.SourceError` where nothing answers there.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query:
        raise SourceError(
            f"The hub {printable(url)} is no http or https address. Write it as https://hub.example."
        )
    base = url.partition("#")[0].rstrip("/")
    if base.endswith("/api/v1"):
        base = base.removesuffix("/api/v1")
    elif not parts.path.strip("/"):
        base = _discovered(base, fetcher) or base
    try:
        return Endpoint(base, find_index(base, fetcher))
    except FetchError as error:
        raise _unreachable(url, error) from None


def list_remote(endpoint: Endpoint, fetcher: Fetcher) -> RemoteListing:
    """Every skill the hub lists.

    Raises :class:`~generator.errors.SourceError` where the list cannot be read to its end: half a list would look as
    if the other half had been removed.
    """
    try:
        if endpoint.index is None:
            listed, notes = list_by_api(endpoint, fetcher)
            skills = [
                RemoteSkill(owner, one.slug, mark=one.mark)
                for one in listed
                if (owner := one.owner) is not None
            ]
            notes = [*notes, *_ownerless(listed)]
        else:
            endpoint, heads, notes = list_by_ledgers(endpoint, fetcher)
            skills = [RemoteSkill(head.owner, head.slug, head.sha256, head.sha256) for head in heads]
    except FetchError as error:
        raise _unreachable(endpoint.base, error) from None
    except AnswerError as error:
        raise SourceError(
            f"The list of the hub {printable(endpoint.base)} cannot be used: {error}."
        ) from None
    return RemoteListing(endpoint, tuple(sorted(skills, key=lambda one: (one.owner, one.slug))), tuple(notes))


def read_hub(
    listing: RemoteListing,
    fetcher: Fetcher,
    limits: Limits,
    shelf: Shelf,
    fingerprint: Fingerprint,
    *,
    label: str,
    wanted: Callable[[RemoteSkill], bool] = lambda _: True,
) -> Iterator[RemoteRelease | RemoteKept | RemoteGap]:
    """Every release of every wanted skill, those of a skill oldest first, a few at a time in memory.

    What lies on the ``shelf`` with the sha256 that the hub states is not fetched again. Where the hub states none, it
    is enough that nothing of the skill has changed. ``fingerprint`` is :func:`generator.write.fingerprint.fingerprint`,
    ``label`` the packages' source.
    Raises :class:`~generator.errors.SourceError` once the hub has stopped answering.
    """

    def is_settled(skill: RemoteSkill) -> bool:
        return bool(skill.mark) and shelf.mark(skill.owner, skill.slug) == skill.mark

    def plan(skill: RemoteSkill) -> list[tuple[RemoteSkill, StatedRelease | Refusal]]:
        try:
            if skill.head is not None:
                planned = plan_by_ledger(listing.endpoint, fetcher, skill.owner, skill.slug, skill.head)
            else:
                documents: Documents = Replay(fetcher) if is_settled(skill) else fetcher
                planned = plan_by_api(listing.endpoint, documents, skill.owner, skill.slug)
        except FetchError as error:
            planned = [Refusal.missing(skill.owner, skill.slug, None, str(error))]
        except AnswerError as error:
            planned = [Refusal.invalid(skill.owner, skill.slug, None, str(error))]
        return [(skill, one) for one in planned]

    def take(job: tuple[RemoteSkill, StatedRelease | Refusal]) -> RemoteRelease | RemoteKept | RemoteGap:
        skill, one = job
        settled = is_settled(skill)
        if isinstance(one, StatedRelease) and skill.head is None:
            documents: Documents = Replay(fetcher) if settled else fetcher
            one = state_release(listing.endpoint, documents, skill.owner, skill.slug, one)
        if isinstance(one, Refusal):
            return RemoteGap(skill.owner, skill.slug, one.version, one.findings)
        digest = one.archive
        if digest is None and settled:
            digest = shelf.taken(skill.owner, skill.slug, one.version)
        if digest is not None and not one.withheld and shelf.has(digest):
            return RemoteKept(skill.owner, skill.slug, one, digest)
        taken = take_release(
            listing.endpoint, fetcher, skill.owner, skill.slug, one, limits, fingerprint, label,
            by_ledger=skill.head is not None,
        )  # fmt: skip
        if isinstance(taken, Refusal):
            return RemoteGap(skill.owner, skill.slug, taken.version, taken.findings)
        return RemoteRelease(
            skill.owner, skill.slug, one, taken.package, taken.archive, taken.sha256, taken.findings
        )

    chosen = (skill for skill in listing.skills if wanted(skill))
    jobs = (job for planned in _ordered(plan, chosen) for job in planned)
    for item in _ordered(take, jobs):
        if fetcher.gone:
            raise SourceError(
                f"The hub {printable(listing.endpoint.base)} has stopped answering. Build again later; what was taken "
                "over before stays published."
            )
        yield item


def federated_owner(prefix: str, owner: Owner) -> Owner:
    """The owner under which another hub's skill is published here when hubs are federated: ``prefix`` and a dash
    before its own. Raises :class:`~generator.names.InvalidNameError` where that is no owner, most often too long."""
    return parse_owner(f"{prefix}-{owner}")


def _discovered(origin: str, fetcher: Fetcher) -> str | None:
    for path in _WELL_KNOWN:
        try:
            answer = fetcher.document(origin + path, 64 * 1024)
            found = parse_discovery(answer.body) if answer.status == 200 else None
        except (FetchError, AnswerError):
            continue
        if found is not None:
            target = redirect_target(fetcher.start, origin + path, found)
            if target is None:
                raise SourceError(
                    f"{origin}{path} leads to {printable(found)[:200]}, which is not followed. Write the address of "
                    "the API itself as the source's url, if that hub is meant."
                )
            return target.rstrip("/").removesuffix("/api/v1")
    return None


def _ownerless(listed: Iterable[ListedSkill]) -> Iterator[Finding]:
    for one in listed:
        if one.owner is None:
            message = f"The hub lists {one.slug} without a usable owner"
            yield finding("hub-row-unusable", one.slug, message, ASK)


def _ordered(work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """``map`` with a few threads: results in the order of the items, and only a few ahead."""
    waiting: deque[Future[R]] = deque()
    pool = ThreadPoolExecutor(WORKERS)
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > WORKERS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _unreachable(url: str, error: FetchError) -> SourceError:
    return SourceError(
        f"The hub {printable(url)} cannot be read: {error}. Check the address and the network, or build again later."
    )
