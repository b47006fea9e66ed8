"""One check: read every path, judge all skills together, keep what was asked about."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from generator.check.discovery import SKILLS, Progress
from generator.check.hosts import choose_profiles, matters_to
from generator.check.model import CheckedSkill, FailOn, LooseFinding, Report
from generator.check.owners import Owners, load_owners
from generator.check.reading import ReadItem, read_path
from generator.errors import SourceError
from generator.findings import finding
from generator.judge.identity import identify
from generator.judge.judgement import add_findings, judge_skill
from generator.judge.model import ContextCost, Judgement, Profile, Subject
from generator.judge.profiles import load_profiles
from generator.judge.rules.collisions import find_collisions, member_of
from generator.judge.verdicts import settle_names
from generator.model import Finding, Manifest, Severity
from generator.read.package import MANIFEST_NAME, Limits, join
from generator.versions import FIRST_VERSION

_PROGRESS_STEP: Final = 50


@dataclass(frozen=True, slots=True)
class Request:
    """What a user asks. ``hosts`` are names as typed; none means every host."""

    paths: tuple[str, ...]
    hosts: tuple[str, ...] = ()
    fail_on: FailOn = FailOn.ERROR
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A report, and what kept a ``hub.yml`` from telling owners."""

    report: Report
    problems: tuple[str, ...]


def run_check(request: Request, progress: Progress | None = None) -> CheckResult:
    """Check everything at the request's paths.

    Raises:
        UnknownHostError: a host has no such name.
        UnusablePathError: a path is nothing we can check.
        SourceError: there is no current folder any more, so that nothing can be named relative to it.
    """
    try:
        os.getcwd()
    except OSError:
        raise SourceError("The current folder no longer exists. Go to one that does.") from None
    profiles = load_profiles()
    chosen = choose_profiles(request.hosts, profiles) if request.hosts else profiles
    asked = frozenset(profile.id for profile in chosen)
    items: dict[str, ReadItem] = {}
    scopes: dict[str, str] = {}
    loose: list[LooseFinding] = []
    for path in request.paths:
        result = read_path(path, alone=len(request.paths) == 1, limits=request.limits, progress=progress)
        for item in result.items:
            # `check skills skills/pdf` names one skill twice.
            if items.setdefault(_key(item), item) is item and item.skill is not None:
                scopes[_key(item)] = _scope(item, path)
        loose.extend(result.loose)
    # Every host judges, whatever was asked: only then is it known which findings matter to those asked about.
    readable = [item for item in items.values() if item.skill is not None]
    judgements = iter(_judge(readable, list(scopes.values()), profiles, progress))
    owners = load_owners(tuple(path for path in request.paths if os.path.isdir(path)))
    skills = [
        _checked(item, next(judgements) if item.skill is not None else None, owners, asked)
        for item in items.values()
    ]
    report = Report(tuple(skills), tuple(loose), tuple(chosen), bool(request.hosts), request.fail_on)
    return CheckResult(report, owners.problems)


def _judge(
    items: Sequence[ReadItem],
    scopes: Sequence[str],
    profiles: Sequence[Profile],
    progress: Progress | None,
) -> list[Judgement]:
    """Judge skills alone, then beside each other.

    A host meets the skills of one folder of skills together, so only those can take each other's name from it.
    Findings about names reach as far as ``scopes`` says (one for each item; see :func:`_scope`).
    """
    subjects = [Subject(item.skill, item.place) for item in items if item.skill is not None]
    judgements: list[Judgement] = []
    for subject in subjects:
        judgements.append(_judge_guarded(subject, profiles))
        if progress is not None and len(judgements) % _PROGRESS_STEP == 0:
            progress("skills judged", len(judgements))
    together: dict[str, list[int]] = {}
    for index, item in enumerate(items):
        if judgements[index].verdicts:
            together.setdefault(_skills_root(item), []).append(index)
    for indexes in together.values():
        rows = settle_names(
            [subjects[index] for index in indexes],
            [judgements[index].verdicts for index in indexes],
            profiles,
        )
        for index, row in zip(indexes, rows, strict=True):
            judgements[index] = replace(judgements[index], verdicts=row)
    for indexes in _groups(scopes):
        # Each skill was read as a source of its own, and here all lie below what the user named.
        between = find_collisions([replace(member_of(subjects[index]), source="") for index in indexes])
        for at, found in between.items():
            judgements[indexes[at]] = add_findings(judgements[indexes[at]], found)
    return judgements


def _groups(keys: Iterable[str]) -> Iterable[list[int]]:
    """The indexes of equal keys, in the order in which the keys come."""
    groups: dict[str, list[int]] = {}
    for index, key in enumerate(keys):
        groups.setdefault(key, []).append(index)
    return groups.values()


def _judge_guarded(subject: Subject, profiles: Sequence[Profile]) -> Judgement:
    """Judge one skill; a defect of ours on it must not cost the others their answers."""
    try:
        return judge_skill(subject, profiles)
    except Exception as error:
        message = f"Skillpress failed to judge this skill ({type(error).__name__})"
        fix = "Report this folder to the makers of Skillpress; the other skills are not affected."
        problem = finding("skill-unjudged", join(subject.skill.package.folder, MANIFEST_NAME), message, fix)
        return Judgement((*subject.skill.findings, problem), (), (), ContextCost(0, 0, ()))


def _skills_root(item: ReadItem) -> str:
    """The folder of skills that a host would be pointed at; an archive is installed by itself."""
    if item.disk is None:
        return _key(item)
    folder = os.path.realpath(item.disk)
    for _ in item.place.folder.split("/"):
        folder = os.path.dirname(folder)
    return folder


def _scope(item: ReadItem, given: str) -> str:
    """As far as skills can be meant to be installed side by side.

    That is a folder called ``skills``, or else everything at the path that was named. A repository often holds
    one skill several times (for several agents, in several languages), each below a ``skills`` of its own.
    """
    if item.disk is None:
        return _key(item)
    around = os.path.realpath(item.disk)
    while (above := os.path.dirname(around)) != around:
        around = above
        if os.path.basename(around) == SKILLS:
            return around
    root = _skills_root(item)
    named = os.path.realpath(given)
    return root if _is_within(named, root) else named


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _key(item: ReadItem) -> str:
    return os.path.realpath(item.disk) if item.disk is not None else f"{item.archive}!{item.path}"


def _checked(
    item: ReadItem, judgement: Judgement | None, owners: Owners, asked: frozenset[str]
) -> CheckedSkill:
    skill = item.skill
    manifest: Manifest | None = skill.manifest if skill is not None else None
    identity = identify(skill, manifest) if skill is not None and manifest is not None else None
    found: Sequence[Finding] = judgement.findings if judgement is not None else item.findings
    if identity is not None:
        # What a hub would call it otherwise is no mistake; what it cannot be called is one.
        mistakes = [one for one in identity.findings if one.severity is not Severity.INFO]
        found = sorted(
            (*found, *mistakes), key=lambda one: (one.path, one.line or 0, one.column or 0, one.code)
        )
    return CheckedSkill(
        path=item.path,
        shown=item.shown,
        archive=item.archive,
        disk=item.disk,
        place=item.place,
        package=skill.package if skill is not None else None,
        name=manifest.name if manifest is not None else None,
        owner=owners.owner_of(item.disk) if item.disk is not None else None,
        slug=identity.slug if identity is not None else None,
        version=(identity.version or FIRST_VERSION) if identity is not None else None,
        findings=tuple(one for one in found if matters_to(one, asked)),
        verdicts=tuple(v for v in judgement.verdicts if v.host in asked) if judgement is not None else (),
    )
