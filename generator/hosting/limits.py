"""Whether a tree of files fits a host, before somebody uploads it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from generator.hosting.profiles import Hosting
from generator.model import Severity
from generator.write.layout import Layout

_NEAR = 0.8
"""The share of a limit from which on there is a warning: the next builds add files."""
_NAMED = 5
"""Files that are named one by one; the rest is counted."""


@dataclass(frozen=True, slots=True)
class LimitProblem:
    """A limit that is passed (ERROR) or near (WARNING). ``path`` is a file of the tree, empty for the whole."""

    severity: Severity
    path: str
    message: str
    fix: str


def check_limits(
    files: Iterable[tuple[str, int]], hosting: Hosting, layout: Layout
) -> tuple[LimitProblem, ...]:
    """What of ``files`` (path and size in bytes, the work folder left out) the host will not take.

    Where the host has a paid plan with more room, passing the free limit is a warning, passing the paid one an
    error. Errors come first.
    """
    sizes = sorted(files)
    problems = [*_large(sizes, hosting), *_many(len(sizes), hosting, layout)]
    total = sum(size for _, size in sizes)
    if hosting.max_total is not None:
        fix = "Publish fewer skills or versions here, or choose another hosting; archives are the most of it."
        problems += _against(total, hosting.max_total, "bytes", hosting, fix)
    return tuple(sorted(problems, key=lambda one: one.severity is not Severity.ERROR))


def _large(sizes: list[tuple[str, int]], hosting: Hosting) -> Iterable[LimitProblem]:
    if hosting.max_file is None:
        return
    over = [(path, size) for path, size in sizes if size > hosting.max_file]
    for path, size in over[:_NAMED]:
        yield LimitProblem(
            Severity.ERROR,
            path,
            f"{path} has {size:,} bytes, and {hosting.title} takes files of at most {hosting.max_file:,}",
            "Make the skill's package smaller, leave it out, or choose another hosting.",
        )
    if len(over) > _NAMED:
        yield LimitProblem(
            Severity.ERROR,
            "",
            f"{len(over) - _NAMED} more files have over {hosting.max_file:,} bytes",
            "Set policy.max_package_bytes in hub.yml below the limit of the host.",
        )


def _many(count: int, hosting: Hosting, layout: Layout) -> Iterable[LimitProblem]:
    if hosting.max_files is None:
        return
    fix = (
        "Build with --layout packed, which needs a few files a skill."
        if layout is Layout.EXPLODED and hosting.layout is Layout.PACKED
        else "Publish fewer skills or versions here, or choose another hosting."
    )
    paid = hosting.max_files_paid
    if paid is not None and hosting.max_files < count <= paid:
        yield LimitProblem(
            Severity.WARNING,
            "",
            f"{count:,} files are more than the {hosting.max_files:,} that {hosting.title} takes in its free plan "
            f"(paid: {paid:,})",
            fix,
        )
        return
    yield from _against(count, paid if paid and count > paid else hosting.max_files, "files", hosting, fix)


def _against(number: int, most: int, what: str, hosting: Hosting, fix: str) -> Iterable[LimitProblem]:
    if number > most:
        message = f"{number:,} {what} are more than the {most:,} that {hosting.title} takes"
        yield LimitProblem(Severity.ERROR, "", message, fix)
    elif number > most * _NEAR:
        message = f"{number:,} {what} are near the {most:,} that {hosting.title} takes"
        yield LimitProblem(Severity.WARNING, "", message, fix)
