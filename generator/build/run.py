"""One build: read every source, decide over all skills, write what changed, the root document last."""

from __future__ import annotations

import hashlib
import importlib
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from generator.build.crew import open_crew
from generator.build.gathering import Gathered, gather
from generator.build.ledgers import Ledgers
from generator.build.memory import (
    Details,
    Memory,
    digest_root,
    forget,
    list_withheld,
    load_details,
    load_memory,
    measure_tree,
    store_memory,
)
from generator.build.overlaying import (
    Readdressing,
    alias_files,
    carry_histories,
    digest_addresses,
    find_contradictions,
    find_moves,
    ground_of,
    hold,
    note_places,
    present_keys,
)
from generator.build.plan import (
    collect_listings,
    complete_drafts,
    digest_folders,
    find_between,
    find_published,
    find_published_drafts,
    find_settled,
    is_unchanged,
    plan_reading,
    plan_writing,
)
from generator.build.recipe import recipe_of, site_folder
from generator.build.shells import ShellJob
from generator.build.shrink import check_shrink, read_counts
from generator.build.skilltexts import SkillTexts
from generator.build.summary import NotPublished, PublishedLine, Shadowed, Summary, flag, not_published
from generator.build.worker import FolderChangedError, Place, Setup, Written
from generator.collecting import Gathering, gather_collections
from generator.config import Config
from generator.findings import BARRING, finding
from generator.history.assignment import OnChanged
from generator.history.decision import Decision, Draft, Shadow, SkillKey, decide
from generator.history.overlay.model import Overlay
from generator.history.overlay.settling import reviews_of, settle
from generator.model import Catalog, Finding, Listing, Rejected, Route, Sha256, TimeMs, Version
from generator.sources import HubSource, Source
from generator.write.layout import Layout, Naming, archive_file, file_for, withheld_file
from generator.write.publish import ROOT_DOCUMENT, WORK_FOLDER, Publisher, open_output
from generator.write.root import ROUTER_FILE, Moves, ledger_index, root_document, router_document
from generator.write.site.shell import Shell
from generator.write.site.shell_cache import shell_key
from generator.write.stale import skill_places, stale_documents, stale_places

if TYPE_CHECKING:
    from generator.build.hostfiles import HostFiles
    from generator.build.previous import Carried
    from generator.verify.places import HubPlace
    from generator.write.protocols.claude_code_bundle import BundleListing

_MOST_CHANGES = 50

Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, the skills done and the skills to do."""


def build(
    config: Config,
    *,
    now: TimeMs,
    jobs: int,
    progress: Progress,
    preview: bool = False,
    allow_shrink: bool = False,
    previous: HubPlace | None = None,
) -> Summary:
    """Build the hub into its output folder.

    Args:
        now: the first-seen time of releases that this build publishes; nothing else knows the clock.
        jobs: worker processes at most.
        preview: it may replace the content of a version; a publication never does.
        previous: another copy of the hub whose versions are carried forward first.
        allow_shrink: go on although a source gives far fewer skills than last time.

    Raises:
        SkillpressError: the build cannot go on; what was published before is untouched.
    """
    with open_output(os.fspath(config.out)) as publisher:
        carried = None
        if previous is not None or config.ledger is not None:
            carried = _bring_past(config, publisher, previous, preview=preview)
        changes: Counter[Place] = Counter()
        while True:
            # A folder that changed while it was read is read anew; one that changes again is listed as not
            # published, so that it cannot keep the others waiting.
            unsteady = frozenset(place for place, times in changes.items() if times > 1)
            try:
                summary = _build(config, publisher, unsteady, now, jobs, progress, preview, allow_shrink)
            except FolderChangedError as change:
                changes[change.place] += 1
                if changes.total() > _MOST_CHANGES:
                    raise
                continue
            if config.ledger is not None and not preview:
                from generator.build.previous import keep_folder

                keep_folder(os.fspath(config.ledger), publisher)
            return summary if carried is None else _tell_left_behind(summary, carried, publisher.root)


def _bring_past(
    config: Config, publisher: Publisher, previous: HubPlace | None, *, preview: bool
) -> Carried | None:
    """Bring what was published before, where the output folder may not know it."""
    # Loaded only where it is asked for: it brings the network with it.
    from generator.build.previous import adopt_folder, carry_forward

    carried = carry_forward(previous, publisher) if previous is not None else None
    if config.ledger is not None and not preview:
        adopt_folder(os.fspath(config.ledger), publisher)
    return carried


def _tell_left_behind(summary: Summary, carried: Carried, root: str) -> Summary:
    """The summary with what another copy of the hub could not give."""
    from generator.build.previous import find_left_behind

    told = {note.path for note in summary.source_findings if note.code == "archive-missing"}
    missing = find_left_behind(root, carried, told)
    return replace(summary, source_findings=(*summary.source_findings, *missing))


def _build(
    config: Config,
    publisher: Publisher,
    unsteady: frozenset[Place],
    now: TimeMs,
    jobs: int,
    progress: Progress,
    preview: bool,
    allow_shrink: bool,
) -> Summary:
    """One attempt; ``unsteady`` are folders that are not to be published this time."""
    root = publisher.root
    site = site_folder(config.site_dir)
    page_key = shell_key(site, config.hub)
    on_changed = OnChanged.REPLACE if preview else config.policy.on_changed
    recipe = recipe_of(config, page_key, on_changed)
    memory = load_memory(root)
    current = memory if memory is not None and memory.recipe == recipe and _is_whole(root, memory) else None
    sources = gather(config, f"{root}/{WORK_FOLDER}")
    counts = {source.label: len(source.folders) for source in sources}
    if not preview and not allow_shrink:
        check_shrink(read_counts(root), counts, config.policy.max_shrink)
    tasks = list(plan_reading(sources, current))
    setup = Setup(
        hub=config.hub,
        sources=tuple(sources),
        publisher=publisher, layout=config.layout, naming=config.naming, limits=config.limits,
        now=now, on_changed=on_changed, unsteady=unsteady, feeds=not preview, renew=current is None,
        reviews=reviews_of(config.overlay),
    )  # fmt: skip
    unnamed = _unnamed(sources)
    found = (
        *(note for source in sources for note in source.findings if note.code not in BARRING),
        *(_empty(source) for source in config.sources if not _has_something(source, sources)),
    )
    notes = _digest(repr([source.findings for source in sources]) + note_places(config.overlay))
    if current is None:
        # Before the workers are forked, so that each need not load these by itself.
        for module in ("generator.read.manifest", "generator.judge.judgement", "generator.write.routes",
                       "generator.build.differences", "generator.build.standings"):  # fmt: skip
            importlib.import_module(module)
        importlib.import_module("generator.judge.profiles").load_profiles()
    with (
        ShellJob(site, config.hub, page_key, root, start=current is None and jobs > 1) as shells,
        open_crew(setup, len(tasks), jobs) as crew,
    ):
        drafts = crew.read(tasks, _counter(progress, "read", len(tasks)))
        if (
            current is not None
            and current.notes == notes
            and is_unchanged(current, tasks, drafts)
            and (config.hosting is None or preview or _is_beside_whole(root))
        ):
            return Summary(
                config.hub.name, len(tasks) + len(unnamed), current.published, (),
                current.published - current.retained, current.retained, current.rejected,
                (*found, *current.overlay),
                current.flagged, current.with_findings, 0, current.shadowed, config.hub.hosting, config.hub.clients,
            )  # fmt: skip
        # Loaded only where something changed, as everything below: an unchanged hub should not wait for it.
        from generator.build import feeds
        from generator.build.bundling import bundle_collections
        from generator.build.hostfiles import find_limits, place_beside
        from generator.build.sweeping import find_strays

        if config.hub.full_text:
            from generator.search.pagefind import find_program

            find_program()  # a program that is missing must not end a build half-way
        feed = None if preview else feeds.open_change_feed(root)
        if not preview and (feed is None or feed.state is None):
            current = None
        details = load_details(root)
        changed = None if current is None else {(d.label, d.folder) for d in drafts if d is not None}
        complete = complete_drafts(sources, tasks, drafts, details, crew)
        ledgers = Ledgers(root, trusting=preview)
        in_force, _ = settle(config.overlay, ground_of(complete, ledgers))
        addresses = digest_addresses(config.overlay, in_force)
        if current is not None and current.addresses != addresses:
            changed = None
        readdress = Readdressing(in_force)
        published_as = [readdress(draft) for draft in complete]
        forget(publisher)
        carry_histories(publisher, ledgers, in_force)
        decision = decide(
            published_as, () if preview else present_keys(ledgers, in_force), ledgers.releases, ledgers.servable,
            settled=find_settled(current, published_as, changed), on_changed=on_changed,
            files_of=lambda draft: _files_of(sources, draft, config),
        )  # fmt: skip
        decision = hold(decision, in_force)
        before = {} if current is None else details.listing_of
        published = find_published_drafts(current, details, readdress)
        to_write = plan_writing(
            decision, before, changed, find_published(current, details, readdress), find_between(published),
            in_force.ruling_of,
        )  # fmt: skip
        shell = shells.result()
        written = crew.write(to_write, shell, _counter(progress, "write", len(to_write)))
    rejected = (
        *(
            Rejected(r.draft.label, r.draft.folder, r.draft.name, r.findings, r.draft.verdicts)
            for r in decision.rejections
        ),
        *unnamed,
    )
    catalog = Catalog(config.hub, collect_listings(decision, before, written), rejected)
    if memory is not None:
        _retire(publisher, memory, details, catalog, config.layout, config.naming)
    heads = ledgers.heads({one.key: one.ledger_head for one in written})
    moves = find_moves(catalog, in_force)
    entries = feeds.collect_entries(catalog.listings, details.entries, written)

    def retire_and_tell(hub_files: Sequence[str]) -> tuple[Route, ...]:
        """Remove what no route needs now, and tell mirrors of everything that is in place."""
        owned = {place for listing in catalog.listings for place in skill_places(listing, config.layout)}
        for path in sorted(set(memory.hub_files if memory else ()) - set(hub_files)):
            if path.startswith("ledger/"):
                continue  # of a collection that is no more: its numbers must not come again
            # A skill may be published now where a former address was.
            if not _folders(path) & owned:
                publisher.remove(path)
        if preview:
            return ()
        if memory is None:
            # Nobody knows what earlier builds left: a killed one, or one whose memory was removed.
            mine = {path for one in written for path, _ in one.marks} | set(hub_files)
            for path in find_strays(root, mine):
                publisher.remove(path)
        standings = feeds.collect_standings(
            heads, catalog.listings, written, ledgers, feed, dict(moves.addresses), root
        )
        return feeds.advance_feed(publisher, feed, written, standings)

    gatherings, unknown = gather_collections(config.hub.collections, catalog.listings)
    bundling = bundle_collections(publisher, config.hub, gatherings, ledgers.collections, now)
    more = (*bundling.routes, *(() if preview else feeds.atom_routes(config.hub, entries)))
    if config.hub.full_text:
        from generator.build.fulltext import full_text_routes

        more += full_text_routes(catalog, SkillTexts(root).read)
    hub_files, hub_written, host_files = _write_hub(
        publisher, shell, catalog, gatherings, bundling.listings,
        (*more, ledger_index(heads, bundling.heads)), config, current is not None, counts, moves, retire_and_tell,
    )  # fmt: skip
    kept = () if preview else place_beside(publisher, host_files.beside)
    limits = () if preview else find_limits(config, root)
    decided = find_contradictions(
        config.overlay, complete, Ledgers(root, trusting=True), catalog.listings
    ) if config.overlay != Overlay() else ()  # fmt: skip
    lines = tuple(not_published(one) for one in rejected)
    shadowed = tuple(_shadowed(shadow) for shadow in decision.shadows)
    count, size = measure_tree(root)
    store_memory(
        publisher,
        Memory(
            recipe=recipe, layout=config.layout, naming=config.naming, digests=digest_folders(sources, complete),
            notes=notes, shadowed=shadowed, published=len(catalog.listings),
            retained=sum(listing.retained for listing in catalog.listings), rejected=lines,
            flagged=flag(catalog.listings), with_findings=sum(one.findings > 0 for one in catalog.listings),
            hub_files=hub_files, file_count=count, tree_size=size, root_digest=digest_root(root),
            addresses=addresses, overlay=(*decided, *unknown, *kept, *limits), withheld=list_withheld(root),
        ),
        complete, catalog.listings, entries,
    )  # fmt: skip
    shared = _shared(catalog.listings)
    lost = tuple(_lost_archive(one.key, version) for one in written for version in one.lost)
    return _summary(
        config,
        decision,
        written,
        catalog,
        lines,
        (*found, *decided, *unknown, *shared, *lost, *kept, *limits),
        hub_written,
        shadowed,
    )


def _is_whole(root: str, memory: Memory) -> bool:
    """Whether the output still looks as the last build left it: nothing removed, cut off or replaced."""
    return (
        measure_tree(root) == (memory.file_count, memory.tree_size)
        and digest_root(root) == memory.root_digest
        and list_withheld(root) == memory.withheld
    )


def _is_beside_whole(root: str) -> bool:
    from generator.build.hostfiles import is_beside_whole  # it brings the writers of configuration

    return is_beside_whole(root)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _has_something(source: Source, sources: Sequence[Gathered]) -> bool:
    return any(one.label == source.label and (one.folders or one.findings) for one in sources)


def _empty(source: Source) -> Finding:
    patterns = () if isinstance(source, HubSource) else source.include
    wanted = f" that matches {', '.join(patterns)}" if patterns else ""
    return finding(
        "source-empty", source.label, f"No folder with a SKILL.md was found here{wanted}",
        "Check the path and the patterns under `include`",
    )  # fmt: skip


def _shared(listings: Sequence[Listing]) -> tuple[Finding, ...]:
    """A note for each slug that several publishers have; the operator may not have meant it."""
    owners: dict[str, list[str]] = {}
    held = {listing.slug for listing in listings if listing.holds_slug}
    for listing in listings:
        owners.setdefault(listing.slug, []).append(listing.owner)
    return tuple(
        finding(
            "slug-shared", slug, f"{' and '.join(sorted(names))} both publish {slug}, so {slug} alone names neither",
            f"Installers need the publisher too, such as @{names[0]}/{slug}",
        )
        for slug, names in sorted(owners.items())
        if len(names) > 1 and slug not in held
    )  # fmt: skip


def _folders(path: str) -> set[str]:
    """A file and every folder above it."""
    parts = path.split("/")
    return {"/".join(parts[:length]) for length in range(1, len(parts) + 1)}


def _lost_archive(key: SkillKey, version: Version) -> Finding:
    path = archive_file(*key, version)
    return finding(
        "archive-missing", path, f"The archive of {'/'.join(key)}@{version} is gone, so that version is not offered",
        f"Restore the file from a copy of the published hub; one that was held back lies as {withheld_file(path)} in "
        "the output folder of the machine that held it",
    )  # fmt: skip


def _shadowed(shadow: Shadow) -> Shadowed:
    draft, winner = shadow.draft, shadow.winner
    return Shadowed(
        draft.owner, draft.slug or "", f"{draft.label}/{draft.folder}".rstrip("/"),
        f"{winner.label}/{winner.folder}".rstrip("/"),
    )  # fmt: skip


# --- read ------------------------------------------------------------------------------------------


def _unnamed(sources: Sequence[Gathered]) -> tuple[Rejected, ...]:
    """Skill folders that no output can name (bytes that are no text, control characters): never read."""
    return tuple(
        Rejected(source.label, note.path, None, (note,))
        for source in sources
        for note in source.findings
        if note.code in BARRING
    )


def _files_of(sources: Sequence[Gathered], draft: Draft, config: Config) -> Mapping[str, Sha256]:
    """The files of a folder that was refused, read again to say what changed; empty where they are gone."""
    package, _ = sources[draft.source].reader.read(draft.folder, config.limits)
    return {str(file.path): file.sha256 for file in package.files} if package is not None else {}


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
    publisher: Publisher,
    shell: Shell,
    catalog: Catalog,
    gatherings: Sequence[Gathering],
    bundles: Sequence[BundleListing],
    more: tuple[Route, ...],
    config: Config,
    trusting: bool,
    counts: Mapping[str, int],
    moves: Moves,
    tell: Callable[[Sequence[str]], tuple[Route, ...]],
) -> tuple[tuple[str, ...], int, HostFiles]:
    """Write the routes of the hub itself and what its host needs, then the router's index, then the root document.

    ``tell`` is called before the root document with all files written here; what it gives is promised too.
    """
    from generator.build.hostfiles import make_host_files
    from generator.build.knowntwins import KnownTwins
    from generator.judge.profiles import load_profiles
    from generator.write.routes import hub_routes

    profiles = load_profiles()
    routes = (
        *hub_routes(
            shell,
            catalog,
            profiles,
            gatherings,
            bundles,
            SkillTexts(publisher.root).read,
            KnownTwins(publisher.root, trusting).of,
        ),
        *more,
    )
    layout, naming = config.layout, config.naming
    statuses = {route.path: route.status for route in routes if route.status != 200}
    host_files = make_host_files(config, catalog, statuses, moves)
    # A host of plain files has one page for everything that is missing, which programs read too.
    routes = tuple(route for route in routes if route.path[1:] not in dict(host_files.tree))
    router = router_document(catalog, layout, naming, routes, moves)
    files = [*((file_for(route.path, naming), route.body) for route in routes), *host_files.tree]
    files += alias_files(publisher.root, catalog, moves, layout, naming)
    files.append((ROUTER_FILE, router))
    written = sum(publisher.write(path, data) for path, data in files)
    hub_files = (*(path for path, _ in files), ROOT_DOCUMENT)
    root = root_document(catalog, layout, naming, (*routes, *tell(hub_files)), router, counts)
    return hub_files, written + publisher.write(ROOT_DOCUMENT, root), host_files


def _summary(
    config: Config,
    decision: Decision,
    written: Sequence[Written],
    catalog: Catalog,
    lines: tuple[NotPublished, ...],
    found: tuple[Finding, ...],
    hub_written: int,
    shadowed: tuple[Shadowed, ...],
) -> Summary:
    published = tuple(
        PublishedLine(
            one.listing.owner, one.listing.slug, one.version or one.listing.version, one.new_release,
            one.listing.verdict.value, one.listing.findings,
        )
        for one in written
        if one.listing is not None and not one.listing.retained
    )  # fmt: skip
    retained = sum(listing.retained for listing in catalog.listings)
    return Summary(
        hub=config.hub.name,
        folders=len(decision.publications) + len(lines) + len(shadowed),
        skills=len(catalog.listings),
        published=published,
        unchanged=len(catalog.listings) - retained - len(published),
        retained=retained,
        not_published=lines,
        source_findings=found,
        flagged=flag(catalog.listings),
        with_findings=sum(listing.findings > 0 for listing in catalog.listings),
        files_written=sum(one.files_written for one in written) + hub_written,
        shadowed=shadowed,
        hosting=config.hub.hosting,
        clients=config.hub.clients,
    )


def _counter(progress: Progress, stage: str, total: int) -> Callable[[int], None]:
    done = 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        progress(stage, done, total)

    return count
