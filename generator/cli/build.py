"""``skillpress build``: folders of skills in, a hub of plain files out."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import click

from generator.build.run import build
from generator.build.summary import summary_document, summary_lines
from generator.cli.options import default_jobs, hub_options, read_clock, show_progress
from generator.cli.printing import print_json, print_lines
from generator.config import Options, load_config


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH ...]")
@click.option("--out", metavar="DIR", help="The output folder (default: public).")
@hub_options
@click.option("--jobs", type=click.IntRange(1, 64), help="Worker processes (default: one a core).")
@click.option(
    "--previous", metavar="DIR|URL", help="A copy of the hub whose published versions are carried forward."
)
@click.option("--strict", is_flag=True, help="Exit with 1 when any skill folder is not published.")
@click.option(
    "--allow-shrink", is_flag=True, help="Go on although a source gives far fewer skills than last time."
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON document.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(
    paths: tuple[str, ...],
    out: str | None,
    config: str | None,
    url: str | None,
    owner: str | None,
    layout: str | None,
    hosting: str | None,
    naming: str | None,
    jobs: int | None,
    previous: str | None,
    strict: bool,
    allow_shrink: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Build a hub from folders of skills.

    Each PATH is searched for folders with a SKILL.md. Without any PATH the sources of hub.yml are built. What
    was published before stays: a version that is out never changes. Exit codes: 0 done, 1 the host named with
    --hosting does not take so much (or --strict and something is not published), 3 the hub cannot be built.
    """
    started = time.perf_counter()
    place = None
    if previous is not None:
        from generator.verify.places import open_place  # it brings the network with it

        place = open_place(previous)
    options = Options(paths, config, out, url, owner, layout, naming, hosting)
    settings = load_config(options, Path())
    summary = build(
        settings, now=read_clock(), jobs=jobs or default_jobs(), progress=show_progress,
        allow_shrink=allow_shrink, previous=place,
    )  # fmt: skip
    seconds = time.perf_counter() - started
    if as_json:
        print_json(summary_document(summary, seconds))
    elif not quiet:
        print_lines(summary_lines(summary, seconds, out=os.path.relpath(settings.out)))
    too_large = any(note.code == "hosting-limit-passed" for note in summary.source_findings)
    if too_large or (strict and summary.not_published):
        sys.exit(1)
