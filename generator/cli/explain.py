"""``skillpress explain``: the page of one finding code, or the list of all."""

from __future__ import annotations

import click

from generator.check.explaining import (
    UnknownCodeError,
    explain,
    list_document,
    list_lines,
    page_document,
    page_lines,
)
from generator.cli.printing import print_json, print_lines
from generator.judge.profiles import load_profiles
from generator.visible import make_visible


@click.command()
@click.argument("code", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(code: str | None, as_json: bool) -> None:
    """Say what a finding's CODE means, which hosts mind, and how to mend it; without CODE, list all codes.

    Exit codes: 0 done, 2 there is no such code.
    """
    if code is None:
        if as_json:
            print_json(list_document())
        else:
            print_lines(list_lines())
        return
    try:
        page = explain(code, load_profiles())
    except UnknownCodeError as error:
        raise click.BadParameter(make_visible(str(error)), param_hint="CODE") from None
    if as_json:
        print_json(page_document(page))
    else:
        print_lines(page_lines(page))
