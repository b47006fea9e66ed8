"""``skillpress probe``: ask a live hub what every installer would ask."""

from __future__ import annotations

import sys

import click

from generator.cli.printing import print_json, print_lines
from generator.hosting.profiles import HOSTINGS, find_hosting
from generator.probe.run import probe
from generator.probe.telling import report_document, report_lines
from generator.read.sources.http.transport import HttpTransport
from generator.write.publish import ROOT_DOCUMENT

_SECONDS = 60.0
"""The longest one exchange may take."""


@click.command()
@click.argument("url", metavar="URL")
@click.option(
    "--skill", metavar="OWNER/SLUG", help="The skill to ask about (default: the first that is offered)."
)
@click.option(
    "--hosting",
    type=click.Choice(list(HOSTINGS)),
    help="Also fail where clients get less than this host can give.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")
def command(url: str, skill: str | None, hosting: str | None, as_json: bool) -> None:
    """Ask the hub at URL everything that installers ask, and say which of them work there and why others do not.

    Exit codes: 0 nothing is broken, 1 something is (or clients get less than --hosting promises), 3 there is no hub
    that could be asked.
    """
    base = url.removesuffix(ROOT_DOCUMENT).rstrip("/")
    transport = HttpTransport(base, deadline=_SECONDS)
    report = probe(base, transport, skill=skill, hosting=find_hosting(hosting) if hosting else None)
    if as_json:
        print_json(report_document(report))
    else:
        print_lines(report_lines(report))
    if not report.ok:
        sys.exit(1)
