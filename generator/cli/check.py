"""``skillpress check``: what every host does with a skill, and what to change, before anything is published."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from generator.check.safety import safe, safe_line
from generator.cli.printing import print_json
from generator.visible import make_visible

if TYPE_CHECKING:
    from generator.check.model import Report

_FORMATS = ("text", "json", "sarif", "github", "junit")


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH ...]")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="text", help="How to print the report."
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "never"]),
    default="error",
    help="From which severity on to exit with 1 (default: error).",
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAMES",
    help="Ask about certain hosts only: families or columns, with commas between them.",
)
@click.option("--fix", is_flag=True, help="Apply the mechanical fixes, then check again.")
@click.option("--diff", is_flag=True, help="Show what --fix would change; alone, change nothing.")
def command(
    paths: tuple[str, ...], form: str, fail_on: str, hosts: tuple[str, ...], fix: bool, diff: bool
) -> None:
    """Say what every host does with a skill, and what to change.

    PATH is a skill's folder, a folder of skills, a repository, a SKILL.md, or a .skill or .zip archive
    (default: the current folder). Nothing of what is checked is run.

    Exit codes: 0 nothing counts against --fail-on, 1 something does, 2 wrong use, 3 the check cannot go on.
    """
    from generator.check.hosts import UnknownHostError
    from generator.check.model import FailOn
    from generator.check.reading import UnusablePathError
    from generator.check.run import Request, run_check

    request = Request(paths or (os.curdir,), hosts, FailOn(fail_on))
    progress = _Progress()
    try:
        result = run_check(request, progress)
        if fix and any(skill.archive is not None for skill in result.report.skills):
            raise click.UsageError("--fix changes no archive: unpack it first, and check the folder.")
        if fix or diff:
            from generator.check.fixing import apply_mends, diff_lines, mend_skills

            mended = mend_skills(result.report)
            progress.clear()
            if diff:
                # A diff would spoil a document for programs.
                _echo(diff_lines(mended, colour=_wants_colour()), err=form != "text")
            if fix:
                for line in apply_mends(mended):
                    _tell(line)
                result = run_check(request, progress)
    except UnknownHostError as error:
        raise click.BadParameter(make_visible(str(error)), param_hint="--host") from None
    except UnusablePathError as error:
        raise click.BadParameter(make_visible(str(error)), param_hint="PATH") from None
    finally:
        progress.clear()
    for problem in result.problems:
        _tell(problem)
    _print(result.report, form)
    sys.exit(1 if result.report.failed() else 0)


def _print(report: Report, form: str) -> None:
    if form == "json":
        from generator.check.formats.document import check_document

        print_json(check_document(report))
    elif form == "sarif":
        from generator.check.formats.sarif import sarif_document

        print_json(sarif_document(report))
    elif form == "github":
        from generator.check.formats.github import github_lines

        _echo(github_lines(report))
    elif form == "junit":
        from generator.check.formats.junit import junit_lines

        _echo(junit_lines(report))
    else:
        from generator.check.formats.text import text_lines

        _echo(text_lines(report, colour=_wants_colour()))


def _echo(lines: Iterable[str], *, err: bool = False) -> None:
    """Print lines that are safe already; ``color`` keeps click from taking away the colours in them."""
    for line in lines:
        click.echo(line, err=err, color=True)


def _tell(line: str) -> None:
    click.echo(safe_line(safe(line)), err=True)


def _wants_colour() -> bool:
    """True on a terminal that shows colours, unless the user wants none (no-color.org)."""
    # There is no output at all where the caller closed it.
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class _Progress:
    """A line that rewrites itself on a terminal, and goes away; nothing elsewhere."""

    def __init__(self) -> None:
        self._on = sys.stderr is not None and sys.stderr.isatty() and not os.environ.get("CI")
        self._shown = False

    def __call__(self, what: str, number: int) -> None:
        """Say how many are done."""
        if self._on:
            click.echo(f"\r{number:,} {what}\x1b[K", err=True, nl=False, color=True)
            self._shown = True

    def clear(self) -> None:
        """Leave no trace of it."""
        if self._shown:
            click.echo("\r\x1b[K", err=True, nl=False, color=True)
            self._shown = False
