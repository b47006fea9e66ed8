"""The section of a host's page about its tools: by owner, in the host's own lists, and which skills ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.judge.model import Capability, Profile, Tool
from generator.model import Listing
from generator.write.site.view import escape_html, format_count, quote_segment

_ALWAYS: Final = ' <span class="sp-tag">always there</span>'
_MAX_ASKING: Final = 30


def tools_asked_for(listings: Sequence[Listing]) -> Mapping[str, Sequence[Listing]]:
    """The skills that ask for each tool, by its name without what is in brackets behind it."""
    asking: dict[str, list[Listing]] = {}
    for listing in listings:
        for name in {written.partition("(")[0].strip() for written in listing.tools or ()}:
            asking.setdefault(name, []).append(listing)
    return asking


def tools_section(profile: Profile, asking: Mapping[str, Sequence[Listing]], anchor: str) -> str:
    """Capabilities in the host's order, tools by owner, and the skills that ask for each (:func:`tools_asked_for`)."""
    owners: dict[str, list[Tool]] = {}
    for tool in profile.tools:
        owners.setdefault(tool.owner, []).append(tool)
    return (
        f'<section class="sp-section" aria-labelledby="{anchor}">\n<h2 id="{anchor}">Its tools</h2>\n'
        f"{_capabilities(profile.capabilities)}{_owners(owners)}{_asked(profile.tools, asking)}</section>\n"
    )


def _capabilities(capabilities: Sequence[Capability]) -> str:
    lists: dict[str, list[Capability]] = {}
    for one in capabilities:
        lists.setdefault(one.list, []).append(one)
    note = (
        f"<p>The word capability stands for {len(lists)} different lists here: "
        f"{escape_html(' and '.join(lists))}.</p>\n"
        if len(lists) > 1
        else ""
    )
    return note + "".join(_list(name, members) for name, members in lists.items())


def _list(name: str, members: Sequence[Capability]) -> str:
    counted = any(one.tools for one in members)
    items = "".join(_capability(one, counted=counted) for one in members)
    return f"<h3>{escape_html(name.capitalize())}, in this order</h3>\n<ol>{items}</ol>\n"


def _capability(one: Capability, *, counted: bool) -> str:
    count = f", {format_count(one.tools, 'tool', 'tools')}" if counted else ""
    note = f". {escape_html(one.note)}" if one.note else ""
    return f"<li><code>{escape_html(one.name)}</code>{count}{note}</li>"


def _owners(owners: Mapping[str, Sequence[Tool]]) -> str:
    rows = "".join(
        f"<tr><td><strong>{escape_html(owner)}</strong> "
        f'<small class="sp-dim">{format_count(len(tools), "tool", "tools")}</small></td>'
        f"<td>{' '.join([_tool(tool) for tool in tools])}</td></tr>\n"
        for owner, tools in owners.items()
    )
    if not rows:
        return ""
    return (
        '<h3>By owner</h3>\n<div class="sp-scroll"><table class="sp-table sp-matrix sp-owners"><thead><tr>'
        f"<th>Owner</th><th>Tools</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def _tool(tool: Tool) -> str:
    return f"<code>{escape_html(tool.name)}</code>{_ALWAYS if tool.always else ''}"


def _asked(tools: Sequence[Tool], asking: Mapping[str, Sequence[Listing]]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape_html(tool.name)}</code> "
        f'<small class="sp-dim">{escape_html(tool.owner)}</small></td><td>{_askers(found)}</td></tr>\n'
        for tool in tools
        if (found := _askers_of(tool, asking))
    )
    if not rows:
        return '<p class="sp-note">No skill of this hub asks for one of these tools by its name.</p>\n'
    return (
        '<h3>Asked for by skills of this hub</h3>\n<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr>'
        f"<th>Tool</th><th>Skills</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def _askers_of(tool: Tool, asking: Mapping[str, Sequence[Listing]]) -> Sequence[Listing]:
    if not tool.name.endswith("*"):
        return asking.get(tool.name, ())
    family = tool.name[:-1]
    return [one for name in sorted(asking) if name.startswith(family) for one in asking[name]]


def _askers(listings: Sequence[Listing]) -> str:
    links = ", ".join(
        f'<a href="../../{quote_segment(one.owner)}/skills/{quote_segment(one.slug)}/#needs">'
        f"{escape_html(one.slug)}</a>"
        for one in listings[:_MAX_ASKING]
    )
    return links + (f" and {len(listings) - _MAX_ASKING:,} more" if len(listings) > _MAX_ASKING else "")
