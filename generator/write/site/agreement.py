"""The table that compares computed verdicts with what the released programs did, probe by probe.

It is made by ``docs/make_tables.py`` from the record of probes, not by a build; a test keeps it current.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

from generator.judge.model import Profile
from generator.write.site.roster import host_page, host_title, order_profiles
from generator.write.site.view import escape_html, escape_visible, format_count, shorten, show_hidden

_WORDS: Final[Mapping[str, str]] = {"load": "loads", "loss": "loses", "refuse": "refuses", "crash": "crashes"}
_MEANINGS: Final = (
    ("load", "as the author meant it"),
    ("loss", "it loads, but another description than was written is shown"),
    ("refuse", "not loaded, or rejected"),
    ("crash", "the whole list of skills fails"),
)


def read_table() -> bytes:
    """The table as it is published at ``/hosts/agreement.json``."""
    return (resources.files("generator.judge") / "hosts" / "agreement.json").read_bytes()


def agreement_table(profiles: Sequence[Profile]) -> str:
    """The content of ``/hosts/agreement/``."""
    table: dict[str, Any] = json.loads(read_table())
    hosts: Sequence[str] = table["hosts"]
    by_id = {profile.id: profile for profile in profiles}
    order = [profile.id for profile in order_profiles(profiles) if profile.id in hosts]
    order += [host for host in hosts if host not in by_id]
    columns = [hosts.index(host) for host in order]
    cells = [cell for probe in table["probes"] for cell in probe["cells"] if cell is not None]
    agree = sum(cell[0] == cell[1] for cell in cells)
    head = "".join(f'<th scope="col">{_column(by_id.get(host), host)}</th>' for host in order)
    rows = "".join(_row(probe, columns, order) for probe in table["probes"])
    legend = "".join(
        f'<li><span class="sp-cell--{outcome}">{_WORDS[outcome]}</span> {meaning}</li>'
        for outcome, meaning in _MEANINGS
    )
    return (
        f"<p><strong>{agree:,} of {format_count(len(cells), 'verdict', 'verdicts')} agree</strong>, over "
        f"{len(table['probes'])} folders and {len(hosts)} programs. The same as "
        f'<a href="../agreement.json">JSON</a>.</p>\n<ul class="sp-legend">{legend}</ul>\n'
        '<div class="sp-scroll" tabindex="0" role="region" aria-label="Verdicts on every folder">'
        f'<table class="sp-table sp-agreement"><thead><tr><th scope="col">Folder</th>{head}</tr></thead><tbody>\n'
        f"{rows}</tbody></table></div>\n"
    )


def _column(profile: Profile | None, host: str) -> str:
    if profile is None:
        return escape_html(host)
    title = escape_html(f"{host_title(profile)} {profile.step} a skill")
    return f'<a href="{host_page(profile, "../../")}" title="{title}">{escape_html(profile.label)}</a>'


def _row(probe: Mapping[str, Any], columns: Sequence[int], hosts: Sequence[str]) -> str:
    cells = "".join(_cell(probe["cells"][column], host) for column, host in zip(columns, hosts, strict=True))
    return f'<tr><th scope="row"><code>{escape_visible(probe["id"])}</code></th>{cells}</tr>\n'


def _cell(cell: Sequence[str] | None, host: str) -> str:
    if cell is None:
        return '<td class="sp-dim">not run</td>'
    recorded, computed, note = cell
    title = escape_html(shorten(show_hidden(f"{host}: {note}" if note else host), 200))
    if recorded == computed:
        return f'<td class="sp-cell--{recorded}" title="{title}">{_WORDS[recorded]}</td>'
    return (
        f'<td class="sp-cell--{recorded} sp-cell--differs" title="{title}">{_WORDS[recorded]}, '
        f"computed: {_WORDS[computed]}</td>"
    )
