"""``skillpress diff``: what differs between two versions of a published skill."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import click

from generator.cli.printing import print_json, print_lines
from generator.errors import SkillpressError
from generator.history.diff.files import FileChange, FileStatus
from generator.history.diff.powers import Change, PowerChange
from generator.history.diff.skills import SkillDiff, compare_skills
from generator.history.ledger import read_ledger
from generator.history.overlay.refs import parse_exact_version, parse_reference
from generator.jsondata import load_json
from generator.model import Hub, Owner, Package, Release, ScanVerdict, SkillFolder, Slug, Version
from generator.names import InvalidNameError, parse_owner
from generator.read.guarded import read_guarded
from generator.verify.places import HubPlace, open_place
from generator.write.archive import read_archive
from generator.write.layout import archive_file, ledger_file
from generator.write.site.diffs import DiffPlace, diff_document

_SIGNS = {Change.ADDED: "+", Change.CHANGED: "~", Change.REMOVED: "-"}
_LONGEST = 200


@click.command()
@click.argument("ref", metavar="REF")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--hub", "where", metavar="DIR|URL", default="public", show_default=True, help="The built hub.")
@click.option("--json", "as_json", is_flag=True, help="Print the difference as one JSON document.")
def command(ref: str, old: str, new: str, where: str, as_json: bool) -> None:
    """Show what differs between two versions of a skill: what it can do, what it says of itself, its files.

    REF is owner/slug, or a bare slug that only one owner has. The archives are read and nothing in them is run.
    Exit codes: 0 done, 2 wrong use, 3 there is no such hub or version.
    """
    try:
        reference = parse_reference(ref)
        versions = parse_exact_version(old), parse_exact_version(new)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if reference.version is not None:
        raise click.UsageError("REF names a version; write the two versions after it")
    place = open_place(where)
    owner = reference.owner or _find_owner(place, reference.slug)
    releases = _read_releases(place, owner, reference.slug)
    before, after = (_read_folder(place, owner, reference.slug, releases, one) for one in versions)
    diff = compare_skills(versions[0], before, versions[1], after)
    if as_json:
        nowhere = DiffPlace(Hub("", "", ""), owner, reference.slug, "")
        print_json(load_json(diff_document(nowhere, diff).body))
    else:
        print_lines(_lines(diff))


def _find_owner(place: HubPlace, slug: Slug) -> Owner:
    try:
        owners = load_json(place.get("/router.json") or b"")["slugs"].get(slug, [])
        found = [parse_owner(str(owner)) for owner in owners]
    except (ValueError, KeyError, TypeError, AttributeError, InvalidNameError):
        raise SkillpressError(f"{place.name}/router.json: not readable. Write owner/{slug}.") from None
    if len(found) != 1:
        have = f"has {slug} of {' and '.join(sorted(found))}" if found else f"has no skill {slug}"
        raise SkillpressError(f"{place.name}: the hub {have}. Write owner/slug of a skill it has.")
    return found[0]


def _read_releases(place: HubPlace, owner: Owner, slug: Slug) -> dict[Version, Release]:
    path = ledger_file(owner, slug)
    ledger = place.get(f"/{path}")
    if ledger is None:
        raise SkillpressError(f"{place.name}: the hub has no skill {owner}/{slug}.")
    return {release.version: release for release in read_ledger(ledger, f"{place.name}/{path}")}


def _read_folder(
    place: HubPlace, owner: Owner, slug: Slug, releases: dict[Version, Release], version: Version
) -> SkillFolder:
    release, name = releases.get(version), f"{owner}/{slug}@{version}"
    if release is None:
        raise SkillpressError(f"{place.name}: there is no {name}. Published are {', '.join(releases)}.")
    path = archive_file(owner, slug, version)
    data = place.get(f"/{path}")
    if data is None:
        why = "the scan blocks it" if release.scan.verdict is ScanVerdict.BLOCK else f"{path} is not there"
        raise SkillpressError(f"{place.name}: {name} is not given out: {why}.")
    if hashlib.sha256(data).hexdigest() != release.archive.sha256:
        raise SkillpressError(
            f"{place.name}/{path}: other bytes than its ledger promises. Restore it from another copy of the hub."
        )
    return read_guarded(Package(release.source, release.folder, read_archive(data)), ())


def _lines(diff: SkillDiff) -> Iterator[str]:
    yield f"{diff.old} to {diff.new}"
    if diff.powers.changes:
        yield "What it can do"
    for change in diff.powers.changes:
        yield f"  {_power(change)}"
    if diff.powers.more:
        yield f"  ... and {diff.powers.more:,} more"
    if not diff.powers.whole:
        yield "  Not all commands and addresses were compared: there are too many. Read the files."
    if diff.fields:
        yield "What it says of itself"
    for field in diff.fields:
        yield f"  {field.field}: {_short(field.before)} -> {_short(field.after)}"
    counts = [f"{diff.count(status):,} {status.value}" for status in FileStatus if diff.count(status)]
    yield f"Files: {', '.join(counts) or 'all the same'}"
    for file in diff.files:
        yield from _file(file)


def _power(change: PowerChange) -> str:
    says = " -> ".join(
        _short(one)
        for one in (change.before, change.after)
        if one is not None and one not in ("", change.name)
    )
    place = f" ({change.path})" if change.path != change.name else ""
    kind = change.kind.value.replace("-", " ")
    return f"{_SIGNS[change.change]} {kind} {_short(change.name)}{place}{': ' + says if says else ''}"


def _short(value: object) -> str:
    if value is None or value == ():
        return "none"
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _file(change: FileChange) -> Iterator[str]:
    moved = f"{change.old.path} -> " if change.status is FileStatus.RENAMED and change.old is not None else ""
    why = f" ({change.unshown.value})" if change.unshown is not None else ""
    yield f"{change.status.value} {moved}{change.path}{why}"
    for hunk in change.text.hunks if change.text is not None else ():
        yield f"@@ -{hunk.old_line},{hunk.old_count} +{hunk.new_line},{hunk.new_count} @@"
        for line in hunk.lines:
            yield f"{line.mark.value}{'...' if line.before else ''}{line.text}{'...' if line.after else ''}"
