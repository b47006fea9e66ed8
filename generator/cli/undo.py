"""``skillpress undo``: take a decision back."""

from __future__ import annotations

import click

from generator.cli.deciding import desk_options, find_skill, open_desk, report, save, wrong_reference
from generator.history.overlay.editing import (
    EDITABLE,
    Decision,
    decided_skills,
    list_decisions,
    take_back,
)
from generator.history.overlay.refs import show_key


@click.command()
@click.argument("ref", metavar="REF[@VERSION]")
@click.argument("kind", type=click.Choice(EDITABLE), required=False)
@desk_options
def command(ref: str, kind: str | None, config: str | None, out: str | None, as_json: bool) -> None:
    """Take back a yank, a deprecation or a quarantine.

    REF is named as in the decision: with a version for one version, without for the skill. The kind may be left
    out where only one such decision stands. Exit codes: 0 done, 2 wrong use or nothing to take back, 3 a file
    cannot be read or written.
    """
    desk = open_desk(config, out)
    key, version = find_skill(desk, ref, "REF", others=decided_skills(desk.files), must_exist=False)
    standing = list_decisions(desk.files, key)
    kinds = [one for one, subject in standing if subject == (key, version) and kind in (None, one)]
    shown = show_key(key, version)
    if not kinds:
        others = ", ".join(dict.fromkeys(f"{one} {show_key(*subject)}" for one, subject in standing))
        hint = f" What stands there: {others}" if others else ""
        raise wrong_reference(f"There is no {kind or 'decision'} about {shown} to take back.{hint}")
    if len(set(kinds)) > 1:
        raise wrong_reference(
            f"{shown} has several decisions: {', '.join(sorted(set(kinds)))}. Name one of them"
        )
    changed = take_back(desk.files, kinds[0], (key, version))
    save(desk, changed)
    done = f"{kinds[0]} {shown} taken back"
    report("undo", Decision(kinds[0], (key, version), ""), changed, (), as_json=as_json, done=done)
