"""What a build has to do: which folders to read, and after the decision, which skills to write.

Everything here compares: what the last build remembered with what was found now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from generator.build.assembly import digest_ruling
from generator.build.crew import Crew
from generator.build.gathering import Gathered
from generator.build.memory import Details, Memory
from generator.build.worker import ReadTask, WriteTask, Written
from generator.history.decision import Decision, Draft, SkillKey
from generator.history.overlay.model import Ruling
from generator.model import Finding, Listing


def plan_reading(sources: Sequence[Gathered], memory: Memory | None) -> Iterator[ReadTask]:
    """Every skill folder, with what the last build saw there."""
    for index, source in enumerate(sources):
        known = memory.digests.get(source.label, {}) if memory is not None else {}
        for folder in source.folders:
            yield ReadTask(index, folder, known.get(folder))


def is_unchanged(memory: Memory, tasks: Sequence[ReadTask], drafts: Sequence[Draft | None]) -> bool:
    """Whether every folder is as the last build left it, and none has gone."""
    known = sum(len(folders) for folders in memory.digests.values())
    return len(tasks) == known and all(draft is None for draft in drafts)


def complete_drafts(
    sources: Sequence[Gathered],
    tasks: Sequence[ReadTask],
    drafts: Sequence[Draft | None],
    details: Details,
    crew: Crew,
) -> list[Draft]:
    """Every folder's draft: new where it changed, remembered where it did not."""
    remembered = details.draft_at
    complete: list[Draft] = []
    for task, draft in zip(tasks, drafts, strict=True):
        known = draft or remembered.get((sources[task.source].label, task.folder))
        if known is None or (draft is None and known.digest != task.known):
            known = crew.read([ReadTask(task.source, task.folder, None)], lambda _: None)[0]
            assert known is not None
        complete.append(known)
    return complete


def digest_folders(sources: Sequence[Gathered], drafts: Sequence[Draft]) -> dict[str, dict[str, str]]:
    """What the next build compares with: a digest for each folder of each source."""
    digests: dict[str, dict[str, str]] = {source.label: {} for source in sources}
    for draft in drafts:
        digests[draft.label][draft.folder] = draft.digest
    return digests


def find_settled(
    memory: Memory | None, drafts: Sequence[Draft], changed: set[tuple[str, str]] | None
) -> frozenset[tuple[str, str]]:
    """Folders published by the last build and unchanged since: the ledger need not be asked again."""
    if memory is None or changed is None:
        return frozenset()
    places = {(draft.label, draft.folder): f"{draft.label}/{draft.folder}".rstrip("/") for draft in drafts}
    unpublished = _unpublished(memory)
    return frozenset(
        place for place, name in places.items() if name not in unpublished and place not in changed
    )


def _unpublished(memory: Memory) -> set[str]:
    """The folders that the last build saw and did not publish, with their source's label in front."""
    rejected = {f"{line.source}/{line.folder}".rstrip("/") for line in memory.rejected}
    return rejected | {one.folder for one in memory.shadowed}


Places = Mapping[tuple[str, str], str]
"""``owner/slug`` by source label and folder."""


def find_published(
    memory: Memory | None, details: Details, readdress: Callable[[Draft], Draft] = lambda draft: draft
) -> Places:
    """What the last build published where."""
    if memory is None:
        return {}
    unpublished = _unpublished(memory)
    return {
        (draft.label, draft.folder): f"{draft.owner}/{draft.slug}"
        for draft in map(readdress, details.drafts)
        if f"{draft.label}/{draft.folder}".rstrip("/") not in unpublished
    }


def _neighbours(draft: Draft, places: Places) -> tuple[tuple[str, str], ...]:
    found = ((folder, places.get((draft.label, folder))) for folder in draft.neighbours)
    return tuple((folder, key) for folder, key in found if key is not None)


Between = Mapping[SkillKey, tuple[Finding, ...]]
"""What skills of the hub do to each other, by skill."""


def find_between(drafts: Sequence[Draft]) -> Between:
    """What published drafts do to each other, as pure function of all of them."""
    # Loaded only where something changed: an unchanged hub should not wait for it.
    from generator.judge.rules.collisions import find_collisions

    known = [(draft, draft.member) for draft in drafts if draft.member is not None and draft.slug is not None]
    found = find_collisions([member for _, member in known])
    return {
        (draft.owner, draft.slug): found[index]
        for index, (draft, _) in enumerate(known)
        if index in found and draft.slug is not None
    }


def find_published_drafts(
    memory: Memory | None, details: Details, readdress: Callable[[Draft], Draft] = lambda draft: draft
) -> list[Draft]:
    """The drafts that the last build published."""
    places = find_published(memory, details)
    return sorted(
        (draft for draft in map(readdress, details.drafts) if (draft.label, draft.folder) in places),
        key=lambda draft: (draft.owner, draft.slug or ""),
    )


def plan_writing(
    decision: Decision,
    before: Mapping[SkillKey, Listing],
    changed: set[tuple[str, str]] | None,
    places_before: Places,
    between_before: Between,
    ruling_of: Callable[[SkillKey], Ruling] = lambda _: Ruling(),
) -> list[WriteTask]:
    """The skills whose files may differ from what lies on the hub; ``changed`` is None where all may."""
    tasks: list[WriteTask] = []
    between = find_between([one.draft for one in decision.publications])
    places = {(one.draft.label, one.draft.folder): "/".join(one.key) for one in decision.publications}
    for publication in decision.publications:
        listing, draft = before.get(publication.key), publication.draft
        neighbours = _neighbours(draft, places)
        if (
            listing is None
            or changed is None
            or (draft.label, draft.folder) in changed
            or listing.retained
            or listing.holds_slug != publication.holds_slug
            or neighbours != _neighbours(draft, places_before)
            or between.get(publication.key) != between_before.get(publication.key)
            or listing.stance.ruling != digest_ruling(ruling_of(publication.key))
        ):
            tasks.append(
                WriteTask(
                    publication.key,
                    publication.holds_slug,
                    draft,
                    neighbours,
                    between.get(publication.key, ()),
                    ruling_of(publication.key),
                )
            )
    for retention in decision.retentions:
        listing = before.get(retention.key)
        ruling = ruling_of(retention.key)
        if (
            listing is None
            or changed is None
            or not listing.retained
            or listing.holds_slug != retention.holds_slug
            or listing.stance.ruling != digest_ruling(ruling)
        ):
            tasks.append(WriteTask(retention.key, retention.holds_slug, None, ruling=ruling))
    return tasks


def collect_listings(
    decision: Decision, before: Mapping[SkillKey, Listing], written: Sequence[Written]
) -> tuple[Listing, ...]:
    """Every listing of the new catalog: written now, or as the last build had it."""
    fresh = {one.key: one.listing for one in written}
    keys = [one.key for one in decision.publications] + [one.key for one in decision.retentions]
    listings = [fresh[key] if key in fresh else before[key] for key in keys]
    return tuple(sorted((one for one in listings if one is not None), key=lambda one: (one.slug, one.owner)))
