"""The table that compares computed verdicts with what the released programs did, probe by probe.

It is made by ``docs/make_agreement.py`` from the record of probes, not by a build; a test keeps it current.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

from generator.judge.model import Profile
from generator.write.site.agents import host_page, host_title
from generator.write.site.view import escape_html, escape_visible, format_count, shorten, show_hidden

_WORDS: Final[Mapping[str, str]] = {"load": "loads", "loss": "loses", "refuse": "refuses", "crash": "crashes"}


def read_table() -> bytes:
    """The table as it is published at ``/hosts/agreement.json``."""
    return (resources.files("generator.judge") / "hosts" / "agreement.json").read_bytes()


def agreement_table(profiles: Sequence[Profile]) -> str:
    """The content of ``/hosts/agreement/``."""
    table: dict[str, Any] = json.loads(read_table())
    by_id = {profile.id: profile for profile in profiles}
    cells = [cell for probe in table["probes"] for cell in probe["cells"] if cell is not None]
    agree = sum(cell[0] == cell[1] for cell in cells)
    head = "".join(f"<th>{_column(by_id.get(host), host)}</th>" for host in table["hosts"])
    rows = "".join(_row(probe, table["hosts"]) for probe in table["probes"])
    return (
        f"<p><strong>{agree:,} of {format_count(len(cells), 'verdict', 'verdicts')} agree</strong>, over "
        f"{len(table['probes'])} folders and {len(table['hosts'])} programs. The same as "
        '<a href="../agreement.json">JSON</a>.</p>\n'
        '<div class="sp-scroll"><table class="sp-table sp-agreement"><thead><tr><th>Folder</th>'
        f"{head}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def _column(profile: Profile | None, host: str) -> str:
    if profile is None:
        return escape_html(host)
    title = f"{host_title(profile)} {profile.step}"
    return f'<a href="{host_page(profile, "../../")}">{escape_html(title)}</a>'


def _row(probe: Mapping[str, Any], hosts: Sequence[str]) -> str:
    cells = "".join(_cell(cell, host) for cell, host in zip(probe["cells"], hosts, strict=True))
    return f"<tr><td><code>{escape_visible(probe['id'])}</code></td>{cells}</tr>\n"


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
