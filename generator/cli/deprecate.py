"""``skillpress deprecate``: a skill should no longer be used, and what to use instead."""

from __future__ import annotations

import click

from generator.cli.deciding import (
    decide,
    desk_options,
    find_skill,
    open_desk,
    parse_reason_option,
    wrong_reference,
)
from generator.history.overlay.editing import Decision
from generator.history.overlay.refs import show_key


@click.command()
@click.argument("ref", metavar="REF")
@click.option("--successor", metavar="REF", help="The skill to use instead.")
@click.option("--reason", help="Why; shown to everybody.")
@desk_options
def command(
    ref: str, successor: str | None, reason: str | None, config: str | None, out: str | None, as_json: bool
) -> None:
    """Mark a skill as no longer to be used; it can still be installed.

    REF is owner/slug, or a bare slug that only one owner of the built hub has. Writes to hub.yml, or to the folder
    overlay/ beside it; what is not named here stays as it was written there. Exit codes: 0 done, 2 wrong use,
    3 a file cannot be read or written.
    """
    why = parse_reason_option(reason) if reason is not None else None
    desk = open_desk(config, out)
    key, version = find_skill(desk, ref, "REF")
    if version is not None:
        raise wrong_reference(
            f"A whole skill is deprecated, not {version} of it. To withdraw a version, yank it"
        )
    value: dict[str, str] = {}
    if successor is not None:
        after, pinned = find_skill(desk, successor, "--successor")
        if pinned is not None or after == key:
            raise click.BadParameter("Name another skill, without a version.", param_hint="--successor")
        value["successor"] = show_key(after)
    if why is not None:
        value["reason"] = why
    decide(desk, Decision("deprecate", (key, None), value), (), as_json=as_json)
