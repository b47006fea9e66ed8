"""``skillpress mirror``: make a folder equal to a published hub."""

from __future__ import annotations

import os
import sys
import time

import click

from generator.cli.printing import print_json, print_lines
from generator.errors import SkillpressError
from generator.mirror.run import MirrorReport, Way, mirror
from generator.read.sources.http.transport import HttpTransport
from generator.write.publish import ROOT_DOCUMENT

SCHEMA = "skillpress.mirror.v1"
_FEW = 3
_MOST_LINES = 20
_WAYS = {
    Way.CURRENT: "nothing has changed",
    Way.CHANGES: "updated by the hub's changes",
    Way.COMPARED: "every file compared with the hub's",
    Way.PROMISES: "the hub has no change feed, so only what cannot be built anew was kept",
}


@click.command()
@click.argument("url", metavar="URL")
@click.argument("folder", metavar="DIR")
@click.option("--check", is_flag=True, help="Compare every file, also where the changes would say enough.")
@click.option(
    "--allow-rollback", is_flag=True, help="Follow a hub that lacks or changed what it published before."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(url: str, folder: str, check: bool, allow_rollback: bool, as_json: bool, quiet: bool) -> None:
    """Make DIR equal to the hub at URL, byte for byte, and later bring it up to date in a few requests.

    Every file is held against the sha256 that the hub promises of it. Exit codes: 0 done, 1 the copy is not
    whole (an old hub, or one that lacks an archive), 3 the hub cannot be mirrored or DIR cannot be written.
    """
    started = time.perf_counter()
    base = url.removesuffix(ROOT_DOCUMENT).rstrip("/")
    if not base.startswith(("http://", "https://")):
        raise SkillpressError(f"{url}: not an http or https URL. Name the address of a published hub.")
    report = mirror(
        base, folder, HttpTransport(base), check=check, allow_rollback=allow_rollback, progress=_show_progress
    )
    if as_json:
        print_json(_document(base, report, time.perf_counter() - started))
    elif not quiet:
        print_lines(_lines(report, folder))
    if not report.whole or report.missing:
        sys.exit(1)


def _document(url: str, report: MirrorReport, seconds: float) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "hub": url,
        "way": report.way.value,
        "sequence": report.sequence,
        "whole": report.whole and not report.missing,
        "counts": {
            "fetched": report.fetched, "removed": report.removed, "requests": report.requests,
            "bytes": report.received,
        },
        "missing": list(report.missing),
        "withheld": list(report.withheld),
        "seconds": round(seconds, 3),
    }  # fmt: skip


def _lines(report: MirrorReport, folder: str) -> list[str]:
    lines = [f"missing  {path}: the hub does not give it" for path in report.missing[:_MOST_LINES]]
    if len(report.missing) > _MOST_LINES:
        lines.append(f"... and {len(report.missing) - _MOST_LINES} more")
    if report.withheld:
        lines.append(
            f"{len(report.withheld)} archives are held back by the hub's operator, so no copy has them: "
            f"{', '.join(report.withheld[:_FEW])}{' ...' if len(report.withheld) > _FEW else ''}"
        )
    number = f"change {report.sequence}, " if report.sequence is not None else ""
    lines.append(
        f"{folder}: {number}{_WAYS[report.way]}; {report.fetched} files fetched, {report.removed} removed, "
        f"{report.requests} requests, {report.received:,} bytes"
    )
    return lines


def _show_progress(done: int, total: int) -> None:
    if not sys.stderr.isatty() or os.environ.get("CI") or total < 50:
        return
    end = "\n" if done >= total else ""
    click.echo(f"\rmirror {done}/{total} files{end}", err=True, nl=False)
