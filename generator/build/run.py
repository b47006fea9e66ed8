"""One build: read every source, decide over all skills, write what changed, the root document last."""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from generator.build.crew import Crew, open_crew
from generator.build.memory import (
    Details,
    Memory,
    count_files,
    forget,
    load_details,
    load_memory,
    store_memory,
)
from generator.build.recipe import recipe_of, site_folder
from generator.build.shells import ShellJob
from generator.build.summary import NotPublished, PublishedLine, Summary, not_published
from generator.build.worker import ReadTask, Setup, SourcePlace, WriteTask, Written
from generator.config import Config
from generator.findings import BARRING
from generator.history.decision import Decision, Draft, SkillKey, decide
from generator.history.ledger import read_ledger
from generator.judge.scan.rules import load_rules
from generator.model import Catalog, Finding, Listing, Owner, Rejected, Release, ScanVerdict, Slug, TimeMs
from generator.read.sources.folder import FolderScan, find_skill_folders
from generator.write.layout import Layout, Naming, archive_file, file_for, ledger_file
from generator.write.publish import ROOT_DOCUMENT, Publisher, open_output
from generator.write.root import ROUTER_FILE, root_document, router_document
from generator.write.site.shell import Shell
from generator.write.site.shell_cache import shell_key
from generator.write.stale import stale_documents, stale_places

Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, the skills done and the skills to do."""


def build(
    config: Config, *, now: TimeMs, jobs: int, progress: Progress, replace_changed: bool = False
) -> Summary:
    """Build the hub into its output folder.

    Args:
        now: the first-seen time of releases that this build publishes; nothing else knows the clock.
        jobs: worker processes at most.
        replace_changed: a preview may replace the content of a version; a publication never does.

    Raises:
        SkillpressError: the build cannot go on; what was published before is untouched.
    """
    root = os.fspath(config.out)
    with open_output(root) as publisher:
        site = site_folder(config.site_dir)
        page_key = shell_key(site, config.hub)
        recipe = recipe_of(config, page_key, replace_changed=replace_changed)
        memory = load_memory(root)
        whole = memory is not None and memory.recipe == recipe and count_files(root) == memory.file_count
        current = memory if whole else None
        scans = [find_skill_folders(os.fspath(source.root), source.include) for source in config.sources]
        tasks = list(_read_tasks(config, scans, current))
        setup = Setup(
            hub=config.hub,
            sources=tuple(SourcePlace(s.label, os.fspath(s.root), s.owner) for s in config.sources),
            publisher=publisher, layout=config.layout, naming=config.naming, limits=config.limits,
            rules=load_rules(), now=now, replace_changed=replace_changed,
        )  # fmt: skip
        unnamed = _unnamed(config, scans)
        notes = hashlib.sha256(
            repr([scan.findings for scan in scans]).encode("utf-8", "surrogatepass")
        ).hexdigest()
        found = tuple(note for scan in scans for note in scan.findings if note.code not in BARRING)
        if current is None:
            # Before the workers are forked, so that each need not load the renderers by itself.
            importlib.import_module("generator.write.routes")
        with (
            ShellJob(site, config.hub, page_key, root, start=current is None and jobs > 1) as shells,
            open_crew(setup, len(tasks), jobs) as crew,
        ):
            drafts = crew.read(tasks, _counter(progress, "read", len(tasks)))
            if current is not None and current.notes == notes and _nothing_changed(current, tasks, drafts):
                return Summary(
                    config.hub.name, len(tasks) + len(unnamed), current.published, (),
                    current.published - current.retained, current.retained, current.rejected, found, 0,
                )  # fmt: skip
            details = load_details(root)
            changed = None if current is None else {(d.label, d.folder) for d in drafts if d is not None}
            complete = _complete(config, tasks, drafts, details, crew)
            ledgers = _Ledgers(root)
            settled = _settled(current, complete, changed)
            decision = decide(
                complete, ledgers.skills(), ledgers.releases, ledgers.servable,
                settled=settled, replace_changed=replace_changed,
            )  # fmt: skip
            before = {} if current is None else details.listing_of
            to_write = _write_tasks(decision, before, changed, _published_places(current, details))
            shell = shells.result()
            forget(publisher)
            written = crew.write(to_write, shell, _counter(progress, "write", len(to_write)))
        rejected = tuple(
            Rejected(r.draft.label, r.draft.folder, r.draft.name, r.findings) for r in decision.rejections
        )
        rejected = (*rejected, *unnamed)
        catalog = Catalog(config.hub, _listings(decision, before, written), rejected)
        if memory is not None:
            _retire(publisher, memory, details, catalog, config.layout, config.naming)
        hub_files, hub_written = _write_hub(publisher, shell, catalog, config.layout, config.naming)
        for path in sorted(set(memory.hub_files if memory else ()) - set(hub_files)):
            publisher.remove(path)
        lines = tuple(not_published(one) for one in rejected)
        retained = sum(listing.retained for listing in catalog.listings)
        store_memory(
            publisher,
            Memory(
                recipe=recipe, layout=config.layout, naming=config.naming,
                digests=_digests(config, complete), notes=notes, published=len(catalog.listings), retained=retained,
                rejected=lines, hub_files=hub_files, file_count=count_files(root),
            ),
            complete, catalog.listings,
        )  # fmt: skip
        return _summary(config, decision, written, catalog, lines, found, hub_written)


# --- read ------------------------------------------------------------------------------------------


def _unnamed(config: Config, scans: Sequence[FolderScan]) -> tuple[Rejected, ...]:
    """Skill folders that no output can name (bytes that are no text, control characters): never read."""
    return tuple(
        Rejected(source.label, note.path, None, (note,))
        for source, scan in zip(config.sources, scans, strict=True)
        for note in scan.findings
        if note.code in BARRING
    )


def _read_tasks(config: Config, scans: Sequence[FolderScan], memory: Memory | None) -> Iterator[ReadTask]:
    for index, (source, scan) in enumerate(zip(config.sources, scans, strict=True)):
        known = memory.digests.get(source.label, {}) if memory is not None else {}
        for folder in scan.folders:
            yield ReadTask(index, folder, known.get(folder))


def _nothing_changed(memory: Memory, tasks: Sequence[ReadTask], drafts: Sequence[Draft | None]) -> bool:
    known = sum(len(folders) for folders in memory.digests.values())
    return len(tasks) == known and all(draft is None for draft in drafts)


def _complete(
    config: Config,
    tasks: Sequence[ReadTask],
    drafts: Sequence[Draft | None],
    details: Details,
    crew: Crew,
) -> list[Draft]:
    """Every folder's draft: new where it changed, remembered where it did not."""
    remembered = details.draft_at
    complete: list[Draft] = []
    for task, draft in zip(tasks, drafts, strict=True):
        known = draft or remembered.get((config.sources[task.source].label, task.folder))
        if known is None or (draft is None and known.digest != task.known):
            known = crew.read([ReadTask(task.source, task.folder, None)], lambda _: None)[0]
            assert known is not None
        complete.append(known)
    return complete


def _digests(config: Config, drafts: Sequence[Draft]) -> dict[str, dict[str, str]]:
    digests: dict[str, dict[str, str]] = {source.label: {} for source in config.sources}
    for draft in drafts:
        digests[draft.label][draft.folder] = draft.digest
    return digests


# --- decide ----------------------------------------------------------------------------------------


class _Ledgers:
    """The ledgers of the output folder, each read at most once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._read: dict[SkillKey, tuple[Release, ...]] = {}

    def skills(self) -> list[SkillKey]:
        """Every skill that has a ledger."""
        folder = f"{self._root}/ledger"
        if not os.path.isdir(folder):
            return []
        return [
            (Owner(owner), Slug(name.removesuffix(".jsonl")))
            for owner in sorted(os.listdir(folder))
            for name in sorted(os.listdir(f"{folder}/{owner}"))
            if name.endswith(".jsonl")
        ]

    def releases(self, key: SkillKey) -> tuple[Release, ...]:
        """The releases of one skill, oldest first; empty where it has no ledger."""
        if key not in self._read:
            path = ledger_file(*key)
            try:
                with open(f"{self._root}/{path}", "rb") as file:
                    self._read[key] = read_ledger(file.read(), path)
            except FileNotFoundError:
                self._read[key] = ()
        return self._read[key]

    def servable(self, key: SkillKey) -> bool:
        """Whether the hub holds the archive of at least one release that the scan does not block."""
        return any(
            release.scan.verdict is not ScanVerdict.BLOCK
            and os.path.isfile(f"{self._root}/{archive_file(*key, release.version)}")
            for release in self.releases(key)
        )


def _settled(
    memory: Memory | None, drafts: Sequence[Draft], changed: set[tuple[str, str]] | None
) -> frozenset[tuple[str, str]]:
    """Folders published by the last build and unchanged since: the ledger need not be asked again."""
    if memory is None or changed is None:
        return frozenset()
    rejected = {(line.source, line.folder) for line in memory.rejected}
    places = {(draft.label, draft.folder) for draft in drafts}
    return frozenset(places - rejected - changed)


_Places = Mapping[tuple[str, str], str]
"""``owner/slug`` by source label and folder."""


def _published_places(memory: Memory | None, details: Details) -> _Places:
    """What the last build published where."""
    if memory is None:
        return {}
    rejected = {(line.source, line.folder) for line in memory.rejected}
    return {
        (draft.label, draft.folder): f"{draft.owner}/{draft.slug}"
        for draft in details.drafts
        if (draft.label, draft.folder) not in rejected
    }


def _neighbours(draft: Draft, places: _Places) -> tuple[tuple[str, str], ...]:
    found = ((folder, places.get((draft.label, folder))) for folder in draft.neighbours)
    return tuple((folder, key) for folder, key in found if key is not None)


def _write_tasks(
    decision: Decision,
    before: Mapping[SkillKey, Listing],
    changed: set[tuple[str, str]] | None,
    places_before: _Places,
) -> list[WriteTask]:
    tasks: list[WriteTask] = []
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
        ):
            tasks.append(WriteTask(publication.key, publication.holds_slug, draft, neighbours))
    for retention in decision.retentions:
        listing = before.get(retention.key)
        if listing is None or not listing.retained or listing.holds_slug != retention.holds_slug:
            tasks.append(WriteTask(retention.key, retention.holds_slug, None))
    return tasks


def _listings(
    decision: Decision, before: Mapping[SkillKey, Listing], written: Sequence[Written]
) -> tuple[Listing, ...]:
    fresh = {one.key: one.listing for one in written}
    keys = [one.key for one in decision.publications] + [one.key for one in decision.retentions]
    listings = [fresh[key] if key in fresh else before[key] for key in keys]
    return tuple(sorted((one for one in listings if one is not None), key=lambda one: (one.slug, one.owner)))


# --- write -----------------------------------------------------------------------------------------


def _retire(
    publisher: Publisher, memory: Memory, details: Details, catalog: Catalog, layout: Layout, naming: Naming
) -> None:
    """Remove what the last build wrote and no route needs now; before the lists, which may reuse a place."""
    for path in stale_places(details.listings, memory.layout, catalog.listings, layout):
        publisher.remove(path)
    if memory.naming is not naming:
        for path in stale_documents(publisher.root, naming):
            publisher.remove(path)


def _write_hub(
    publisher: Publisher, shell: Shell, catalog: Catalog, layout: Layout, naming: Naming
) -> tuple[tuple[str, ...], int]:
    """Write the routes of the hub itself, then the router's index, then the root document."""
    from generator.write.routes import hub_routes

    routes = hub_routes(shell, catalog)
    router = router_document(catalog, layout, naming, routes)
    files = [(file_for(route.path, naming), route.body) for route in routes]
    files.append((ROUTER_FILE, router))
    files.append((ROOT_DOCUMENT, root_document(catalog, layout, naming, routes, router)))
    written = sum(publisher.write(path, data) for path, data in files)
    return tuple(path for path, _ in files), written


def _summary(
    config: Config,
    decision: Decision,
    written: Sequence[Written],
    catalog: Catalog,
    lines: tuple[NotPublished, ...],
    found: tuple[Finding, ...],
    hub_written: int,
) -> Summary:
    published = tuple(
        PublishedLine(
            one.listing.owner, one.listing.slug, one.listing.version, one.new_release,
            one.listing.verdict.value, one.listing.findings,
        )
        for one in written
        if one.listing is not None and not one.listing.retained
    )  # fmt: skip
    retained = sum(listing.retained for listing in catalog.listings)
    return Summary(
        hub=config.hub.name,
        folders=len(decision.publications) + len(lines),
        skills=len(catalog.listings),
        published=published,
        unchanged=len(catalog.listings) - retained - len(published),
        retained=retained,
        not_published=lines,
        source_findings=found,
        files_written=sum(one.files_written for one in written) + hub_written,
    )


def _counter(progress: Progress, stage: str, total: int) -> Callable[[int], None]:
    done = 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        progress(stage, done, total)

    return count
