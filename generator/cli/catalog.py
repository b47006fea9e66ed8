"""``skillpress catalog``: what a host would put into its system prompt for these skills."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from generator.cli.printing import print_json, print_lines
from generator.config import Config, Options, load_config
from generator.sources import FolderSource
from generator.visible import make_visible

if TYPE_CHECKING:
    from generator.judge.cost import PassedLimit
    from generator.judge.model import ContextCost, Outcome, Profile, Subject, Verdict
    from generator.judge.prompts import CatalogEntry, CatalogText

SCHEMA: Final = "skillpress.catalog.v1"
_FORMATS: Final = ("available-skills", "manifest", "json")
_MANIFEST_HOST: Final = "deeptutor"


@dataclass(frozen=True, slots=True)
class _Found:
    """One skill, ready to be listed, and where its ``SKILL.md`` is as the user would name it."""

    subject: Subject
    file: str


@dataclass(frozen=True, slots=True)
class _Row:
    """One skill of the catalog with what it costs and which of the host's limits it passes."""

    entry: CatalogEntry
    cost: ContextCost
    passed: tuple[PassedLimit, ...]
    outcome: Outcome | None


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH ...]")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default=_FORMATS[0], show_default=True,
    help="The XML block, DeepTutor's lines, or JSON with what everything costs.",
)  # fmt: skip
@click.option("--host", metavar="H", help="The host whose names, paths, escapes and limits count.")
@click.option("--config", metavar="FILE", help="The hub.yml to use (default: hub.yml here, if there is one).")
def command(paths: tuple[str, ...], form: str, host: str | None, config: str | None) -> None:
    """Print what a host would put into its system prompt for these skills.

    Each PATH is searched for folders with a SKILL.md. Without any PATH the sources of hub.yml are taken. Skills
    that the host would not load are left out; those, and what the host's limits cut, are named on stderr.
    """
    settings = load_config(Options(paths, config), Path())
    profile = _choose_profile(host or (_MANIFEST_HOST if form == "manifest" else None))
    found, notes = _find(settings)
    rows, left_out = _judge(found, profile)
    text = _render(rows, form, profile)
    if form == "json":
        print_json(_document(rows, left_out, text, profile))
    elif text.text:
        print_lines(text.text.split("\n"))
    print_lines((*notes, *left_out, *_cut_lines(rows), *text.cut), err=True)


def _choose_profile(host: str | None) -> Profile | None:
    """The host's column that lists skills; BadParameter naming the nearest for a host that does not exist."""
    from difflib import get_close_matches

    from generator.judge.profiles import load_profiles

    if host is None:
        return None
    profiles = load_profiles()
    folded = host.strip().casefold()
    named = [one for one in profiles if folded in (one.id.casefold(), one.host.casefold())]
    if named:
        # Of a host's several columns the one that shows a description is the one that lists.
        return next((one for one in named if one.id.casefold() == folded or one.reads.compares), named[0])
    known = sorted({one.host for one in profiles} | {one.id for one in profiles})
    near = get_close_matches(folded, known, n=1, cutoff=0.4)
    hint = f" Did you mean {near[0]}?" if near else f" Known are {', '.join(known)}."
    raise click.BadParameter(f"There is no host {host!r}.{hint}", param_hint="--host")


def _find(settings: Config) -> tuple[list[_Found], list[str]]:
    """Every skill of the sources, in their order; and what could not be read."""
    from generator.judge.model import Place, Subject
    from generator.read.guarded import read_guarded
    from generator.read.sources.folder import find_skill_folders, read_package

    found: list[_Found] = []
    notes: list[str] = []
    for source in settings.sources:
        if not isinstance(source, FolderSource):
            notes.append(
                f"{source.label}: Left out. Only folders are read here; build the hub to see its skills"
            )
            continue
        root, label = str(source.root), source.label
        folders = find_skill_folders(root, source.include).folders
        if folders == ("",):
            # The source is a skill itself: its own name is the folder's.
            folders = (os.path.basename(os.path.abspath(root)),)
            root, label = os.path.dirname(os.path.abspath(root)), posixpath.dirname(label)
        base = _find_base(folders)
        for folder in folders:
            file = posixpath.join(label, folder, "SKILL.md")
            package, problems = read_package(root, label, folder, settings.limits)
            if package is None:
                notes.append(f"{file}: Left out. {problems[-1].message if problems else 'It cannot be read'}")
                continue
            place = Place(_below(folder, base))
            found.append(_Found(Subject(read_guarded(package, problems), place), file))
    return found, notes


def _find_base(folders: Sequence[str]) -> str:
    """The folder of skills: the last one called ``skills`` that all lie in, else the deepest common one."""
    common = os.path.commonpath([posixpath.dirname(folder) for folder in folders]) if folders else ""
    parts = common.split("/") if common else []
    if "skills" in parts:
        return "/".join(parts[: len(parts) - parts[::-1].index("skills")])
    return common


def _below(folder: str, base: str) -> str:
    return folder[len(base) + 1 :] if base and folder.startswith(f"{base}/") else folder


def _judge(found: Sequence[_Found], profile: Profile | None) -> tuple[list[_Row], list[str]]:
    """The rows of the catalog, and the skills that are not in it with the reason."""
    from generator.judge.cost import context_cost, limits_passed, text_of
    from generator.judge.prompts import CatalogEntry, find_location

    rows: list[_Row] = []
    left_out: list[str] = []
    verdicts = _verdicts([one.subject for one in found], profile)
    keepers = _keepers(found, verdicts, profile)
    for one, verdict in zip(found, verdicts, strict=True):
        skill, folder = one.subject.skill, one.subject.place.folder
        why = _left_out(one, verdict, profile)
        keeper = keepers.get(verdict.name or "") if verdict is not None else None
        if why is None and profile is not None and keeper not in (None, one.file):
            why = f"{profile.label} keeps one skill of a name, and takes {keeper}"
        if why is not None:
            left_out.append(f"{one.file}: Left out. {why}")
            continue
        manifest = skill.manifest
        name = (verdict.name if verdict else None) or (manifest.name if manifest else None)
        description = verdict.seen if verdict is not None else (manifest.description if manifest else None)
        entry = CatalogEntry(
            name=name or one.subject.place.name,
            description=description or "",
            location=find_location(folder, one.file, profile),
            folder=folder,
            always=manifest is not None and manifest.always,
            written_name=(manifest.name if manifest else None) or "",
            when_to_use=text_of(skill, "when_to_use"),
        )
        passed = limits_passed(skill, profile) if profile is not None else ()
        rows.append(_Row(entry, context_cost(skill), passed, verdict.outcome if verdict else None))
    return rows, left_out


def _keepers(
    found: Sequence[_Found], verdicts: Sequence[Verdict | None], profile: Profile | None
) -> Mapping[str, str]:
    """Where a host keeps one skill of a name: each name, and the file of the skill that has it."""
    if profile is None or profile.reads.same_name == "both":
        return {}
    kept: dict[str, str] = {}
    pairs = sorted(zip(found, verdicts, strict=True), key=lambda pair: f"{pair[0].subject.place.folder}/")
    for one, verdict in pairs if profile.reads.same_name == "first" else reversed(pairs):
        if verdict is not None and verdict.name is not None and _left_out(one, verdict, profile) is None:
            kept.setdefault(verdict.name, one.file)
    return kept


def _verdicts(subjects: Sequence[Subject], profile: Profile | None) -> list[Verdict | None]:
    if profile is None:
        return [None] * len(subjects)
    from generator.judge.verdicts import judge_package

    return [judge_package(subject, (profile,))[0] for subject in subjects]


def _left_out(one: _Found, verdict: Verdict | None, profile: Profile | None) -> str | None:
    from generator.judge.model import Outcome

    if verdict is not None and profile is not None:
        if verdict.outcome in (Outcome.REFUSE, Outcome.CRASH):
            return f"{profile.label} would not load it: {verdict.reason}"
        return None
    if one.subject.skill.manifest is None:
        finding = next((f for f in one.subject.skill.findings if f.severity == "error"), None)
        return finding.message if finding else "Its front matter cannot be read"
    if not one.subject.skill.manifest.description:
        return "It has no description"
    return None


def _render(rows: Sequence[_Row], form: str, profile: Profile | None) -> CatalogText:
    from generator.judge.prompts import render_available_skills, render_manifest

    entries = [row.entry for row in rows]
    if form == "manifest" or (form == "json" and profile is not None and profile.host == _MANIFEST_HOST):
        return render_manifest(entries)
    return render_available_skills(entries, profile)


def _cut_lines(rows: Iterable[_Row]) -> Iterable[str]:
    for row in rows:
        for passed in row.passed:
            limit = passed.limit
            yield (
                f"{row.entry.folder}: {passed.measured:,} {limit.unit}, over the limit of {limit.value:,}. "
                f"{limit.meaning}"
            )


def _document(
    rows: Sequence[_Row], left_out: Sequence[str], text: CatalogText, profile: Profile | None
) -> dict[str, object]:
    """The JSON document: what is listed, what it costs, what is cut."""
    return {
        "schema": SCHEMA,
        "host": profile.id if profile is not None else None,
        "skills": [_skill_document(row) for row in rows],
        "leftOut": [make_visible(line) for line in left_out],
        "cut": [make_visible(line) for line in (*_cut_lines(rows), *text.cut)],
        "totals": {
            "skills": len(rows),
            "catalogTokens": text.tokens,
            "catalogCharacters": len(text.text),
            "lineTokens": sum(row.cost.line for row in rows),
            "bodyTokens": sum(row.cost.body for row in rows),
            "fileTokens": sum(file.tokens or 0 for row in rows for file in row.cost.files),
            "alwaysTokens": sum(row.cost.body for row in rows if row.entry.always),
        },
    }


def _skill_document(row: _Row) -> dict[str, object]:
    return {
        "name": row.entry.name,
        "description": row.entry.description,
        "location": row.entry.location,
        "folder": row.entry.folder,
        "always": row.entry.always,
        "verdict": row.outcome.value if row.outcome is not None else None,
        "tokens": {
            "line": row.cost.line,
            "body": row.cost.body,
            "files": [{"path": file.path, "tokens": file.tokens} for file in row.cost.files],
        },
        "passed": [
            {
                "limit": one.limit.key, "value": one.limit.value, "unit": one.limit.unit,
                "measured": one.measured, "meaning": one.limit.meaning,
            }
            for one in row.passed
        ],
    }  # fmt: skip
