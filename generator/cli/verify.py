"""``skillpress verify``: re-hash everything that a published hub promises."""

from __future__ import annotations

import os
import sys
import time

import click

from generator.cli.printing import print_json, print_lines
from generator.verify.places import open_place
from generator.verify.report import Failure, Verification
from generator.verify.run import verify

SCHEMA = "skillpress.verify.v1"
_MOST_LINES = 50


@click.command()
@click.argument("hub", metavar="DIR|URL")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")
def command(hub: str, as_json: bool) -> None:
    """Re-hash everything that a hub's root document promises.

    DIR is the output folder of a build, URL the address of a published hub. Exit codes: 0 every promise is
    kept, 1 some is not, 3 there is no hub or it cannot be read.
    """
    started = time.perf_counter()
    found = verify(open_place(hub), _show_progress)
    if as_json:
        print_json(_document(hub, found, time.perf_counter() - started))
    else:
        print_lines(_lines(found))
    if found.failures:
        sys.exit(1)


def _document(hub: str, found: Verification, seconds: float) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "hub": hub,
        "name": found.name,
        "ok": not found.failures,
        "counts": {
            "documents": found.documents, "ledgers": found.ledgers, "releases": found.releases,
            "archives": found.archives, "files": found.files, "bytes": found.size, "failures": len(found.failures),
        },
        "failures": [
            {"problem": one.problem.value, "path": one.path, "message": one.message, "fix": one.mend}
            for one in found.failures
        ],
        "seconds": round(seconds, 3),
    }  # fmt: skip


def _lines(found: Verification) -> list[str]:
    lines = [_line(one) for one in found.failures[:_MOST_LINES]]
    if len(found.failures) > _MOST_LINES:
        lines.append(f"... and {len(found.failures) - _MOST_LINES} more")
    state = f"{len(found.failures)} promises are not kept" if found.failures else "everything is as promised"
    lines.append(
        f"{found.name}: {state}; {found.documents} documents, {found.ledgers} ledgers, {found.releases} releases, "
        f"{found.archives} archives, {found.files} files, {found.size:,} bytes read"
    )
    return lines


def _line(failure: Failure) -> str:
    return f"{failure.problem:<8} {failure.message}. {failure.mend}"


def _show_progress(done: int, total: int) -> None:
    if not sys.stderr.isatty() or os.environ.get("CI") or total < 50:
        return
    end = "\n" if done >= total else ""
    click.echo(f"\rverify {done}/{total} skills{end}", err=True, nl=False)
