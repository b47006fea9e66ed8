"""``skillpress quarantine``: nobody gets a version, or any version of a skill."""

from __future__ import annotations

import click

from generator.cli.deciding import (
    check_version,
    decide,
    desk_options,
    find_skill,
    open_desk,
    parse_reason_option,
)
from generator.history.overlay.editing import Decision
from generator.history.overlay.refs import show_key


@click.command()
@click.argument("ref", metavar="REF[@VERSION]")
@click.option("--reason", required=True, help="Why; shown to everybody.")
@desk_options
def command(ref: str, reason: str, config: str | None, out: str | None, as_json: bool) -> None:
    """Take a skill, or one version of it, out of circulation: downloads are refused and verification fails.

    REF is owner/slug, or a bare slug that only one owner of the built hub has. What the hub does not know yet may be
    quarantined in advance. Writes to hub.yml, or to the folder overlay/ beside it. Exit codes: 0 done, 2 wrong
    use, 3 a file cannot be read or written.
    """
    why = parse_reason_option(reason)
    desk = open_desk(config, out)
    key, version = find_skill(desk, ref, "REF", must_exist=False)
    if desk.ledgers is not None and key not in desk.known:
        notes = [f"{show_key(key)} is not on the hub in {desk.hub} yet."]
    else:
        unknown = check_version(desk, key, version, required=False)
        notes = [f"{unknown}."] if unknown else []
    decide(desk, Decision("quarantine", (key, version), why), notes, as_json=as_json)
