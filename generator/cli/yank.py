"""``skillpress yank``: a version is never chosen any more; who pins it still gets it."""

from __future__ import annotations

import click

from generator.cli.deciding import (
    check_version,
    decide,
    desk_options,
    find_skill,
    open_desk,
    parse_reason_option,
    wrong_reference,
)
from generator.history.overlay.editing import Decision


@click.command()
@click.argument("ref", metavar="REF@VERSION")
@click.option("--reason", required=True, help="Why; shown to everybody.")
@desk_options
def command(ref: str, reason: str, config: str | None, out: str | None, as_json: bool) -> None:
    """Withdraw one version: no installer chooses it any more, and who pins it still gets it.

    REF is owner/slug, or a bare slug that only one owner of the built hub has. Writes to hub.yml, or to the folder
    overlay/ beside it. Exit codes: 0 done, 2 wrong use, 3 a file cannot be read or written.
    """
    why = parse_reason_option(reason)
    desk = open_desk(config, out)
    key, version = find_skill(desk, ref, "REF")
    if unknown := check_version(desk, key, version, required=True):
        raise wrong_reference(unknown)
    decide(desk, Decision("yank", (key, version), why), (), as_json=as_json)
