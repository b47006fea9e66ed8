"""The two jobs a worker does for each skill: read it, and write its routes.

Between them lies the decision over all skills, made in the parent. A worker keeps the packages it has read
as long as they fit its memory budget, so that most are read from disk once.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from generator.build.assembly import assemble_listing, assemble_release
from generator.build.derived import derive_files, remove_derived
from generator.build.gathering import Gathered, Present
from generator.build.reading import bumped, judge_guarded, scan_findings, subject_of, unsteady
from generator.errors import SourceError
from generator.findings import bars
from generator.history.assignment import OnChanged, assign_version
from generator.history.decision import Draft, Past, SkillKey
from generator.history.ledger import append_release, head_of, read_ledger, write_ledger
from generator.history.overlay.applying import order_releases, stand, stand_release
from generator.history.overlay.effects import WITHDRAWN
from generator.history.overlay.model import ReleaseStanding, Ruling, Standing
from generator.history.overlay.settling import Reviews
from generator.judge.identity import identify
from generator.judge.members import Member
from generator.judge.scan.rules import RuleSet, load_rules
from generator.judge.scan.scanner import scan_package
from generator.model import (
    Archive,
    Finding,
    Handoff,
    Hub,
    Listing,
    Package,
    Protocol,
    PublishedSkill,
    Release,
    RouteStatus,
    ScanReport,
    ScanVerdict,
    Sha256,
    SkillFolder,
    Slug,
    TimeMs,
    Verdict,
    Version,
)
from generator.read.guarded import read_guarded
from generator.read.neighbours import find_neighbours
from generator.read.package import Limits
from generator.write.archive import pack_archive, read_archive
from generator.write.fingerprint import compute_hashes, tree_hash
from generator.write.layout import (
    Layout,
    Naming,
    archive_file,
    lay_out_skill,
    ledger_file,
    skill_archive_file,
    tarball_file,
    withheld_file,
)
from generator.write.publish import Publisher
from generator.write.site.shell import Shell
from generator.write.stale import find_leftovers

if TYPE_CHECKING:
    # An unchanged hub should not wait for what only writers need.
    from generator.write.protocols.atom import FeedEntry
    from generator.write.protocols.changes import FileMark
    from generator.write.protocols.events import SkillStanding

MEMORY_BUDGET = 48 * 2**20
"""Bytes of package content one worker keeps between reading and writing."""


_NOTHING_MORE = Present()

Place = tuple[int, str]
"""A source, counted from 0, and a folder in it."""


class FolderChangedError(SourceError):
    """A folder changed between reading it and writing what was decided about it."""

    def __init__(self, place: Place, name: str) -> None:
        super().__init__(
            f"{name}: files keep changing while they are read. Build again when nobody writes there."
        )
        self.place = place
        self.name = name

    def __reduce__(self) -> tuple[type[FolderChangedError], tuple[Place, str]]:
        return FolderChangedError, (self.place, self.name)


@dataclass(frozen=True, slots=True)
class Setup:
    """What every worker is told once.

    ``feeds`` is false for a preview, which has none. ``renew`` says that what lies on the hub is not to be trusted.
    """

    hub: Hub
    sources: tuple[Gathered, ...]
    publisher: Publisher
    layout: Layout
    naming: Naming
    limits: Limits
    now: TimeMs
    on_changed: OnChanged
    unsteady: frozenset[Place] = frozenset()
    feeds: bool = True
    renew: bool = True
    reviews: Reviews = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReadTask:
    """A skill folder to read. ``known`` is the digest the last build saw there, or None."""

    source: int
    folder: str
    known: str | None


@dataclass(frozen=True, slots=True)
class WriteTask:
    """A skill to publish. ``draft`` is None for a skill that no source gives any longer.

    ``neighbours`` pair folders that its text links to with the ``owner/slug`` they are published under;
    ``between`` is what the skill and others of the hub do to each other; ``ruling`` is what the operator decided.
    """

    key: SkillKey
    holds_slug: bool
    draft: Draft | None
    neighbours: tuple[tuple[str, str], ...] = ()
    between: tuple[Finding, ...] = ()
    ruling: Ruling = field(default_factory=Ruling)


@dataclass(frozen=True, slots=True)
class Written:
    """What writing one skill came to.

    ``listing`` is None where a retained skill has no archive to serve. ``version`` is what its source stands for: the
    latest, or a backport or pre-release beside it. ``lost`` are versions whose archive is
    not there any more. ``ledger_head`` is the sha256 of the ledger's last line. ``marks`` are the
    files that hold now what they should, ``entries`` the releases as feeds show them, ``standing`` where they stand.
    """

    key: SkillKey
    listing: Listing | None
    version: Version | None
    new_release: bool
    files_written: int
    lost: tuple[Version, ...]
    ledger_head: str
    marks: tuple[tuple[str, FileMark], ...] = ()
    entries: tuple[FeedEntry, ...] = ()
    standing: SkillStanding | None = None


@dataclass(slots=True)
class Worker:
    """One worker. What it keeps between jobs: what it has read, the page shell, the rules of scan and hosts."""

    setup: Setup
    shell: Shell | None = None
    kept: dict[Place, SkillFolder] = field(default_factory=dict)
    kept_bytes: int = 0
    rules: RuleSet | None = None

    def read(self, tasks: Sequence[ReadTask]) -> list[Draft | None]:
        """A draft for each folder, None where nothing has changed there since the last build."""
        return [self._read(task) for task in tasks]

    def write(self, tasks: Sequence[WriteTask]) -> list[Written]:
        """Write every file of each skill.

        Raises:
            FolderChangedError: a folder changed between reading and writing.
            PublishError: a file cannot be written.
        """
        return [self._write(task) for task in tasks]

    def _read(self, task: ReadTask) -> Draft | None:
        source = self.setup.sources[task.source]
        package, found = source.reader.read(task.folder, self.setup.limits)
        present = source.present.get(task.folder, _NOTHING_MORE)
        owner = present.owner or source.owner
        if (task.source, task.folder) in self.setup.unsteady:
            package, found = None, (unsteady(task.folder),)
        content = tree_hash(package.files) if package is not None else Sha256("")
        digest = hashlib.sha256(
            repr((owner, content, found, present)).encode("utf-8", "surrogatepass")
        ).hexdigest()
        if digest == task.known:
            return None
        name, slug, version, findings = None, None, None, found
        neighbours: tuple[str, ...] = ()
        verdicts: tuple[Verdict, ...] = ()
        member: Member | None = None
        if package is not None:
            folder = read_guarded(package, found)
            findings = folder.findings
            neighbours = find_neighbours(folder.body, task.folder)
            if folder.manifest is not None:
                identity = identify(folder, folder.manifest)
                name, slug = folder.manifest.name, present.slug or identity.slug
                version = present.version or identity.version
                findings = (*findings, *identity.findings)
                from generator.judge.neighbourhood import (
                    member_of,  # it brings the rules, which nothing else reads
                )

                member = member_of(subject_of(folder, slug), owner, slug) if slug else None
                self._keep((task.source, task.folder), replace(folder, findings=findings))
            if bars(findings):
                # A skill that is not published has no page; what hosts would do stands in the report.
                judgement = judge_guarded(folder, task.folder.rpartition("/")[2] or source.label, ())
                findings, verdicts = judgement.findings, judgement.verdicts
        return Draft(
            source=task.source, label=source.label, folder=task.folder, owner=owner, digest=digest,
            content=content, name=name, slug=slug, version=version,
            barred=slug is None or bars(findings), findings=findings, verdicts=verdicts,
            neighbours=neighbours, member=member,
            time=present.time, changelog=present.changelog, commit=present.commit, past=present.past,
        )  # fmt: skip

    def _write(self, task: WriteTask) -> Written:
        owner, slug = task.key
        publisher = self.setup.publisher
        ledger = _read_file(f"{publisher.root}/{ledger_file(owner, slug)}")
        recorded = read_ledger(ledger, ledger_file(owner, slug))
        folder, new, version = None, False, None
        archives: dict[Version, bytes] = {}
        if task.draft is not None:
            recorded, ledger = self._add_past(task.draft, recorded, ledger, archives, task.ruling)
            folder = self._folder(task.draft)
            report = self._scan(folder.package)
            folder = replace(folder, findings=(*folder.findings, *scan_findings(folder, report)))
            version = assign_version(task.draft.version, task.draft.content, recorded, self.setup.on_changed)
            assert version is not None  # decided so, with the same ledger
            if task.draft.version not in (None, version):
                folder = replace(
                    folder, findings=(*folder.findings, bumped(folder, task.draft.version, version))
                )
            release, archive = self._release(
                task.draft, task.draft, version, folder, recorded, report, task.ruling
            )
            new = all(release.version != earlier.version for earlier in recorded)
            if new:
                recorded, ledger = (*recorded, release), append_release(ledger, release)
            elif self.setup.on_changed is OnChanged.REPLACE:
                recorded = tuple(release if old.version == release.version else old for old in recorded)
                ledger = write_ledger(recorded)
            if archive is not None:
                archives[release.version] = archive
        blocked = frozenset(one.version for one in recorded if one.scan.verdict is ScanVerdict.BLOCK)
        if task.draft is not None:
            # The ledger keeps the verdict of the day; what we answer is today's, by today's rules.
            recorded = tuple(replace(old, scan=report) if old.version == version else old for old in recorded)
        ledgered = recorded
        standing = stand(task.ruling, recorded, self.setup.reviews)
        self._withhold(task, standing, blocked, archives)
        releases, standing, lost = self._served(task, recorded, standing, blocked, archives)
        shown = {one.version for one in releases}
        remove_derived(publisher, task.key, [one for one in ledgered if one.version not in shown])
        for former in task.ruling.former:
            remove_derived(publisher, former, ledgered)
        head = head_of(ledger)
        if folder is None or not releases or releases[0].version != version:
            folder = self._published_folder(task.key, releases[0], archives) if releases else None
            if folder is None:
                remove_derived(publisher, task.key, ledgered)
                return Written(task.key, None, None, new, 0, lost, head)
        assert self.shell is not None
        # The renderers are loaded only by a build that writes: an unchanged hub should not wait for them.
        from generator.build.differences import compare_releases
        from generator.build.standings import standing_of
        from generator.judge.profiles import load_profiles
        from generator.write.protocols.atom import MAX_ENTRIES, entries_of, feed_route, skill_feed
        from generator.write.protocols.changes import mark_of
        from generator.write.routes import skill_routes
        from generator.write.site.twins import page_twin

        offered = {one.version for one in standing.releases if one.servable}
        differences = compare_releases(
            publisher, self.shell, self.setup.hub, task.key, recorded, offered, archives,
            renew=self.setup.renew,
            replaced=version if self.setup.on_changed is OnChanged.REPLACE else None,
        )  # fmt: skip
        folder = replace(folder, findings=(*folder.findings, *self._left_out(folder, slug)))
        judgement = judge_guarded(folder, slug, task.between)
        skill = PublishedSkill(
            hub=self.setup.hub,
            listing=assemble_listing(
                task.key,
                folder,
                releases,
                judgement,
                task.holds_slug,
                standing,
                retained=task.draft is None,
                handoff=self._handoff(task.draft, releases[0], folder.package),
            ),
            releases=releases,
            folder=folder,
            judgement=judgement,
            standing=standing,
            compared=differences.pairs,
        )
        entries = entries_of(skill.listing, _unquarantined(releases, standing))
        derived = derive_files(publisher, self.setup.hub, task.key, releases, archives)
        extra = (*derived.routes, *differences.routes)
        if self.setup.hub.speaks(Protocol.AGENT_PAGES):
            extra += tuple(twin for page in differences.routes if (twin := page_twin(page)) is not None)
        if self.setup.feeds:
            extra = (*extra, feed_route(self.setup.hub, skill_feed(owner, slug, entries)))
        routes = skill_routes(
            self.shell, skill, ledger, archives, dict(task.neighbours), load_profiles(), derived.tarballs,
            self.setup.layout, extra,
        )  # fmt: skip
        files = lay_out_skill(routes, self.setup.layout, self.setup.naming)
        count = sum(publisher.write(file.path, file.data) for file in files)
        if not publisher.fresh:
            for path in find_leftovers(publisher.root, skill.listing, {file.path for file in files}):
                publisher.remove(path)
        statuses = tuple(
            RouteStatus(route.path, route.status) for route in routes.answers if route.status != 200
        )
        gone = tuple(
            RouteStatus(f"/{archive_file(*key, one.version)}", WITHDRAWN)
            for key in (task.key, *task.ruling.former)
            for one in standing.releases
            if one.quarantined is not None
        )
        listing = replace(skill.listing, statuses=(*statuses, *gone))
        return Written(
            task.key, listing, version or releases[0].version, new, count, lost, head,
            marks=tuple((file.path, mark_of(file.data)) for file in files) if self.setup.feeds else (),
            entries=entries[:MAX_ENTRIES],
            standing=standing_of(ledgered, standing, blocked=blocked, retained=task.draft is None),
        )  # fmt: skip

    def _left_out(self, folder: SkillFolder, slug: Slug) -> tuple[Finding, ...]:
        """What keeps the skill out of an index or a tree of this hub."""
        from generator.write.protocols.protocol_findings import ACTIVE_FILE, find_problems

        found = find_problems(folder, slug)
        if self.setup.hub.abilities.sets_headers:
            # Such a file is served as something that does not act, so nothing is left out.
            return tuple(note for note in found if note.code != ACTIVE_FILE)
        return found

    def _handoff(self, draft: Draft | None, latest: Release, package: Package) -> Handoff | None:
        """Where GitHub has the files of the latest release, if that is what the source holds now."""
        if draft is None or draft.content != latest.hashes.tree:
            return None
        public = self.setup.sources[draft.source].public
        return public.find_handoff(draft, package, latest.hashes.folder) if public is not None else None

    def _keep(self, place: Place, folder: SkillFolder) -> None:
        if self.kept_bytes + _weight(folder) <= MEMORY_BUDGET:
            self.kept[place] = folder
            self.kept_bytes += _weight(folder)

    def _scan(self, package: Package) -> ScanReport:
        if self.rules is None:
            self.rules = load_rules()
        return scan_package(package, self.rules)

    def _withhold(
        self,
        task: WriteTask,
        standing: Standing,
        blocked: frozenset[Version],
        archives: dict[Version, bytes],
    ) -> None:
        """Move the archives that nobody may get out of the published folder, and those back that one may again.

        A plain host gives out whatever lies there. ``blocked`` are versions that were never served by themselves.
        """
        publisher = self.setup.publisher
        for key in (task.key, *task.ruling.former):
            for one in standing.releases:
                place = archive_file(*key, one.version)
                hidden = withheld_file(place)
                if _is_withheld(one, blocked):
                    # First what is made of it: a killed build must not leave a copy behind.
                    for made in (skill_archive_file(*key, one.version), tarball_file(*key, one.version)):
                        publisher.remove(made)
                    publisher.move(place, hidden)
                    data = archives.pop(one.version, None) if key == task.key else None
                    if data is not None:
                        publisher.write(hidden, data)
                elif os.path.isfile(f"{publisher.root}/{hidden}"):
                    if os.path.isfile(f"{publisher.root}/{place}"):
                        publisher.remove(hidden)
                    else:
                        publisher.move(hidden, place)

    def _served(
        self,
        task: WriteTask,
        recorded: tuple[Release, ...],
        standing: Standing,
        blocked: frozenset[Version],
        archives: Mapping[Version, bytes],
    ) -> tuple[tuple[Release, ...], Standing, tuple[Version, ...]]:
        """The releases to tell of, the latest first and by their verdicts after reviews; what holds for them; and the
        versions whose archive is gone."""

        promised = {one.version: one.archive for one in recorded}
        held = {version: one for version, one in promised.items() if version not in blocked}

        def is_there(one: ReleaseStanding) -> bool:
            """Hashed only where everything is looked at again: a size tells of most damages."""
            if not one.servable or one.version in archives:
                return True
            path = f"{self.setup.publisher.root}/{archive_file(*task.key, one.version)}"
            archive = promised[one.version]
            if not os.path.isfile(path) or os.path.getsize(path) != archive.size:
                return False
            return not self.setup.renew or hashlib.sha256(_read_file(path)).hexdigest() == archive.sha256

        gone = {one.version for one in standing.releases if not is_there(one)}
        lost = tuple(one.version for one in recorded if one.version in gone)
        if lost:
            recorded = tuple(one for one in recorded if one.version not in lost)
            standing = stand(task.ruling, recorded, self.setup.reviews)
        verdicts = {one.version: one.verdict for one in standing.releases}
        releases = tuple(
            replace(one, scan=replace(one.scan, verdict=verdicts[one.version])) for one in recorded
        )
        return (
            order_releases(releases, standing),
            standing,
            (*lost, *self._lost_withheld(task.key, standing, held)),
        )

    def _lost_withheld(
        self, key: SkillKey, standing: Standing, promised: Mapping[Version, Archive]
    ) -> tuple[Version, ...]:
        """Versions that the operator holds back and whose archive is gone all the same: told now, while a copy may be
        found, and not on the day when they are to be given out again."""
        gone = []
        for one in standing.releases:
            path = f"{self.setup.publisher.root}/{withheld_file(archive_file(*key, one.version))}"
            if (
                one.quarantined is not None
                and one.version in promised
                and not (os.path.isfile(path) and os.path.getsize(path) == promised[one.version].size)
            ):
                gone.append(one.version)
        return tuple(gone)

    def _folder(self, draft: Draft) -> SkillFolder:
        """The draft's folder with its bytes, the same that were decided on."""
        source = self.setup.sources[draft.source]
        kept = self.kept.pop((draft.source, draft.folder), None)
        if kept is not None:
            self.kept_bytes -= _weight(kept)
            return kept
        package, found = source.reader.read(draft.folder, self.setup.limits)
        if package is None or tree_hash(package.files) != draft.content:
            raise FolderChangedError(
                (draft.source, draft.folder), f"{source.label}/{draft.folder}".rstrip("/")
            )
        folder = read_guarded(package, found)
        assert folder.manifest is not None
        identity = identify(folder, folder.manifest)
        return replace(folder, findings=(*folder.findings, *identity.findings))

    def _add_past(
        self,
        draft: Draft,
        recorded: tuple[Release, ...],
        ledger: bytes,
        archives: dict[Version, bytes],
        ruling: Ruling,
    ) -> tuple[tuple[Release, ...], bytes]:
        """Publish the earlier versions that the source knows and the ledger does not; the ledger always wins.

        A version that could not be published today (unreadable, over the limits) is passed over: nobody can mend
        the past.
        """
        for past in draft.past:
            if past.version is not None and any(one.version == past.version for one in recorded):
                continue
            package, found = self.setup.sources[draft.source].reader.read_past(past, self.setup.limits)
            if package is None:
                continue
            content = tree_hash(package.files)
            folder = read_guarded(package, found)
            if folder.manifest is None or bars(folder.findings):
                continue
            if past.version is None and any(one.hashes.tree == content for one in recorded):
                continue
            version = assign_version(past.version, content, recorded, OnChanged.BUMP)
            assert version is not None  # nothing is refused when counting on
            report = self._scan(package)
            release, archive = self._release(draft, past, version, folder, recorded, report, ruling)
            recorded, ledger = (*recorded, release), append_release(ledger, release)
            if archive is not None:
                archives[version] = archive
        return recorded, ledger

    def _release(
        self,
        draft: Draft,
        origin: Draft | Past,
        version: Version,
        folder: SkillFolder,
        recorded: tuple[Release, ...],
        report: ScanReport,
        ruling: Ruling,
    ) -> tuple[Release, bytes | None]:
        """The release of the draft and its archive; the ledger's own where it already has it.

        A blocked release has no archive to download. One that is published already is given again only as the
        very bytes that the ledger knows, so that a damaged file is mended and a published one never changes.
        """
        same = next((release for release in recorded if release.version == version), None)
        if same is not None and same.hashes.tree == tree_hash(folder.package.files):
            if same.scan.verdict is ScanVerdict.BLOCK and self._is_blocked(ruling, same, report):
                return same, None
            data = pack_archive(folder.package.files).data
            known = hashlib.sha256(data).hexdigest() == same.archive.sha256
            return same, data if known else None
        packed = pack_archive(folder.package.files)
        # A clock that went back must not make a release older than those before it.
        seen = min(origin.time, self.setup.now) if origin.time is not None else self.setup.now
        first_seen = max(seen, *(release.first_seen for release in recorded), TimeMs(0))
        if same is not None:
            first_seen = same.first_seen
        release = assemble_release(
            origin,
            draft.label,
            version,
            folder,
            compute_hashes(folder.package.files),
            packed,
            report,
            first_seen,
        )
        return release, None if self._is_blocked(ruling, release, report) else packed.data

    def _is_blocked(self, ruling: Ruling, release: Release, report: ScanReport) -> bool:
        """Whether the scan blocks a release and no review says otherwise."""
        one = stand_release(ruling, replace(release, scan=report), self.setup.reviews)
        return one.verdict is ScanVerdict.BLOCK

    def _published_folder(
        self, key: SkillKey, release: Release, archives: Mapping[Version, bytes]
    ) -> SkillFolder | None:
        """The content of a release, from the archive the hub already serves or is about to."""
        path = archive_file(*key, release.version)
        root = self.setup.publisher.root
        data = (
            archives.get(release.version)
            or _read_file(f"{root}/{path}")
            or _read_file(f"{root}/{withheld_file(path)}")
        )
        if not data or hashlib.sha256(data).hexdigest() != release.archive.sha256:
            return None
        return read_guarded(Package(release.source, release.folder, read_archive(data)), ())


def _unquarantined(releases: Sequence[Release], standing: Standing) -> list[Release]:
    """The releases that feeds may speak of."""
    hidden = {one.version for one in standing.releases if one.quarantined is not None}
    return [one for one in releases if one.version not in hidden]


def _is_withheld(one: ReleaseStanding, blocked: frozenset[Version]) -> bool:
    """Whether an archive may not lie in the published folder. ``blocked`` are versions the ledger calls blocked."""
    return one.quarantined is not None or (not one.servable and one.version in blocked)


def _weight(folder: SkillFolder) -> int:
    return folder.package.size + len(folder.body)


def _read_file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""
