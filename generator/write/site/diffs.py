"""The page of what differs between two versions of a skill, and its JSON document.

Written as text, not as a template, as the skill's own page is. Everything of an author passes
:func:`generator.write.site.view.escape_visible`; classes, digests and numbers are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.history.diff.files import FileChange, FileSide, FileStatus, Unshown
from generator.history.diff.lines import DiffLine, Hunk, Mark, TextDiff
from generator.history.diff.manifests import Value
from generator.history.diff.powers import ActingKind, Change, PowerChange
from generator.history.diff.skills import SkillDiff
from generator.jsondata import dump_bytes, to_plain
from generator.judge.powers import is_script
from generator.model import Hub, Owner, Route, Slug
from generator.write.site.pages import HTML
from generator.write.site.stamp import Stamp
from generator.write.site.view import (
    escape_html,
    escape_visible,
    format_count,
    format_size,
    quote_segment,
    shorten,
    show_hidden,
)

SCHEMA: Final = "skillpress.diff.v1"
MAX_SHOWN: Final = 400_000
"""Characters of HTML of all lines together; the files beyond have their lines in the JSON document."""
MAX_FILES: Final = 1_000
_MAX_VALUE: Final = 1_000

_CHANGES: Final[Mapping[Change, str]] = {
    Change.ADDED: "New",
    Change.CHANGED: "Changed",
    Change.REMOVED: "Gone",
}
_KINDS: Final[Mapping[ActingKind, str]] = {
    ActingKind.HOOK: "Hook",
    ActingKind.MCP_SERVER: "MCP server",
    ActingKind.DYNAMIC_CONTEXT: "Command in the text",
    ActingKind.INSTALL: "Install step",
    ActingKind.EXECUTABLE: "Executable",
    ActingKind.SCRIPT: "Script",
    ActingKind.TOOLS: "Tools",
    ActingKind.ENV: "Environment variable",
    ActingKind.HOST: "Network host",
    ActingKind.SUBAGENT: "Subagent",
    ActingKind.PLUGIN: "Plugin manifest",
    ActingKind.ALWAYS: "Always loaded",
}
_UNSHOWN: Final[Mapping[Unshown, str]] = {
    Unshown.BINARY: "No text: its lines are not compared.",
    Unshown.TOO_LONG: "Over 200 kB: its lines are not compared.",
    Unshown.TOO_MUCH: "So much has changed that the lines of this file are not compared.",
}
_MARKS: Final[Mapping[Mark, str]] = {
    Mark.SAME: "sp-diff__same",
    Mark.REMOVED: "sp-diff__gone",
    Mark.ADDED: "sp-diff__new",
}


@dataclass(frozen=True, slots=True)
class DiffPlace:
    """Whose versions are compared. ``title`` is the skill's display name."""

    hub: Hub
    owner: Owner
    slug: Slug
    title: str


def diff_path(owner: str, slug: str, old: str, new: str) -> str:
    """The route of a difference's page, versions as they stand in a URL path."""
    return f"/{owner}/skills/{slug}/diff/{old}...{new}/"


def diff_document_path(owner: str, slug: str, old: str, new: str) -> str:
    """The route of a difference's JSON document."""
    return f"/{owner}/skills/{slug}/diff/{old}...{new}.json"


def diff_routes(stamp: Stamp, place: DiffPlace, diff: SkillDiff) -> tuple[Route, Route]:
    """The page and the JSON document. ``stamp`` is the shell of a page three folders below a skill's owner's
    ``skills`` folder, with the slots CANONICAL, CONTENT, DESCRIPTION and TITLE."""
    path = diff_path(place.owner, place.slug, diff.old, diff.new)
    name = shorten(show_hidden(place.title), 120)
    texts = {
        "CANONICAL": f"{place.hub.url}{path}",
        "DESCRIPTION": f"What differs between version {diff.old} and version {diff.new} of {name}.",
        "TITLE": f"{name}: {diff.old} to {diff.new}",
    }
    values = {word: escape_html(text).encode("utf-8", "replace") for word, text in texts.items()}
    page = stamp.fill({**values, "CONTENT": diff_content(place, diff).encode("utf-8", "replace")})
    return Route(path, page, HTML), diff_document(place, diff)


def diff_document(place: DiffPlace, diff: SkillDiff) -> Route:
    """Everything of a difference as JSON; fields that hold their default are left out."""
    document = {"schema": SCHEMA, "owner": place.owner, "slug": place.slug, **to_plain(diff)}
    path = diff_document_path(place.owner, place.slug, diff.old, diff.new)
    return Route(path, dump_bytes(document), "application/json; charset=utf-8")


def diff_content(place: DiffPlace, diff: SkillDiff) -> str:
    """The page's content as HTML."""
    return "".join(
        (
            _head(place, diff),
            _powers_section(diff),
            _fields_section(diff),
            _files_section(diff),
        )
    )


def _head(place: DiffPlace, diff: SkillDiff) -> str:
    document = f"../{quote_segment(f'{diff.old}...{diff.new}.json')}"
    counts = ", ".join(
        f"{diff.count(status):,} {status.value}" for status in FileStatus if diff.count(status)
    )
    return (
        '<header class="sp-head">\n'
        '<nav class="sp-crumbs" aria-label="Place"><a href="../../../../../browse/">Skills</a>'
        f'<a href="../../../../">{escape_html(place.owner)}</a>'
        f'<a href="../../">{escape_html(place.slug)}</a></nav>\n'
        f"<h1>{escape_html(diff.old)} to {escape_html(diff.new)}</h1>\n"
        f'<p class="sp-lead">What differs between two versions of '
        f"{escape_html(shorten(show_hidden(place.title), 160))}.</p>\n"
        f'<ul class="sp-meta"><li><span>Files</span> {counts or "all the same"}</li>'
        f'<li><a href="{document}">As JSON</a></li></ul>\n</header>\n\n'
    )


# --- what can act ----------------------------------------------------------------------------------


def _powers_section(diff: SkillDiff) -> str:
    powers = diff.powers
    notes = ""
    if powers.more:
        notes += f'<p class="sp-note">{powers.more:,} more are not listed here.</p>\n'
    if not powers.whole:
        notes += (
            '<p class="sp-note">A version has so many commands or addresses that not all of them were compared. '
            "Read its files.</p>\n"
        )
    if not powers.changes:
        rows = '<p class="sp-small">Nothing that can act or be reached differs.</p>\n'
    else:
        rows = (
            '<div class="sp-scroll"><table class="sp-table sp-powers"><thead><tr><th>What</th><th>Before</th>'
            f"<th>After</th></tr></thead><tbody>\n{''.join(map(_power_row, powers.changes))}</tbody></table></div>\n"
        )
    return (
        '<section class="sp-section" aria-labelledby="powers">\n<h2 id="powers">What it can do now</h2>\n'
        f"{rows}{notes}</section>\n\n"
    )


def _power_row(change: PowerChange) -> str:
    name = f"<code>{_short(change.name)}</code>"
    place = (
        f" <small><code>{escape_visible(change.path)}</code></small>" if change.path != change.name else ""
    )
    return (
        f'<tr class="sp-diff--{change.change.value}"><td><strong>{_CHANGES[change.change]}</strong> '
        f"{_KINDS[change.kind]} {name}{place}</td>"
        f"<td>{_power_side(change, change.before)}</td><td>{_power_side(change, change.after)}</td></tr>\n"
    )


def _power_side(change: PowerChange, says: str | None) -> str:
    if says is None:
        return "<em>not there</em>"
    if says and says != change.name:
        return f"<code>{_short(says)}</code>"
    return "other content" if change.change is Change.CHANGED else "there"


# --- the manifest ----------------------------------------------------------------------------------


def _fields_section(diff: SkillDiff) -> str:
    if not diff.fields:
        return ""
    rows = "".join(
        f"<tr><td><code>{escape_html(change.field)}</code></td><td>{_value(change.before)}</td>"
        f"<td>{_value(change.after)}</td></tr>\n"
        for change in diff.fields
    )
    return (
        '<section class="sp-section" aria-labelledby="manifest">\n<h2 id="manifest">What it says of itself</h2>\n'
        '<div class="sp-scroll"><table class="sp-table"><thead><tr><th>Field</th><th>Before</th><th>After</th></tr>'
        f"</thead><tbody>\n{rows}</tbody></table></div>\n</section>\n\n"
    )


def _value(value: Value) -> str:
    match value:
        case None:
            return "<em>not stated</em>"
        case bool():
            return "yes" if value else "no"
        case str():
            return _short(value)
        case ():
            return "<em>none</em>"
        case _:
            shown = "<br>".join(f"<code>{_short(item)}</code>" for item in value[:50])
            return shown + (f"<br>and {len(value) - 50:,} more" if len(value) > 50 else "")


def _short(text: str) -> str:
    return escape_html(shorten(show_hidden(text), _MAX_VALUE))


# --- the files -------------------------------------------------------------------------------------


def _files_section(diff: SkillDiff) -> str:
    content = "".join(_files(diff.files)) or '<p class="sp-small">Every file is the same.</p>\n'
    more = len(diff.files) - MAX_FILES
    if more > 0:
        content += (
            f'<p class="sp-note">{format_count(more, "file", "files")} more are in the JSON document.</p>\n'
        )
    return (
        '<section class="sp-section" aria-labelledby="files">\n<h2 id="files">Files</h2>\n'
        f"{content}</section>\n"
    )


def _files(changes: Sequence[FileChange]) -> Iterator[str]:
    # Programs first: other files must not take the room of what a reader should see before all else.
    urgent = sorted(changes, key=lambda change: not _is_program(change))[:MAX_FILES]
    bodies: dict[str, str] = {}
    left = MAX_SHOWN
    for change in urgent:
        body = _file_body(change)
        if len(body) > left:
            body = '<p class="sp-small">Its lines are in the JSON document.</p>\n'
        left -= len(body)
        bodies[change.path] = body
    shown = [(change, bodies[change.path]) for change in changes if change.path in bodies]
    for number, (change, body) in enumerate(shown, 1):
        yield (
            f'<details class="sp-raw sp-diff" id="file-{number}"{" open" if body else ""}>'
            f"<summary>{_file_title(change)}</summary>\n{body}</details>\n"
        )


def _is_program(change: FileChange) -> bool:
    return is_script(change.path) or (change.new is not None and change.new.executable)


def _file_title(change: FileChange) -> str:
    name = f"<code>{escape_visible(change.path)}</code>"
    if change.status is FileStatus.RENAMED and change.old is not None:
        name = f"<code>{escape_visible(change.old.path)}</code> to {name}"
    facts = [_size(change.old, change.new)]
    if change.text is not None:
        facts.append(f"{change.text.added:,} lines added, {change.text.removed:,} removed")
    was = change.old is not None and change.old.executable
    now = change.new is not None and change.new.executable
    if was != now:
        facts.append("executable now" if now else "not executable any more")
    shown = "; ".join(fact for fact in facts if fact)
    return f'<strong>{change.status.value.capitalize()}</strong> {name} <span class="sp-dim">{shown}</span>'


def _size(old: FileSide | None, new: FileSide | None) -> str:
    sizes = [format_size(side.size) for side in (old, new) if side is not None]
    return " to ".join(dict.fromkeys(sizes))


def _file_body(change: FileChange) -> str:
    if change.unshown is not None:
        return f'<p class="sp-small">{_UNSHOWN[change.unshown]}</p>\n'
    return _text(change.text) if change.text is not None else ""


def _text(text: TextDiff) -> str:
    notes = []
    if text.coarse:
        notes.append("The texts are so different that equal lines may be shown as changed.")
    if text.hidden:
        notes.append(f"{format_count(text.hidden, 'changed line', 'changed lines')} more are not shown.")
    if text.old_open != text.new_open:
        side = "before" if text.old_open else "after"
        notes.append(f"The last line had no line feed {side}.")
    said = "".join(f'<p class="sp-small">{note}</p>\n' for note in notes)
    hunks = "".join(map(_hunk, text.hunks))
    return f"<pre><code>{hunks}</code></pre>\n{said}" if hunks else said


def _hunk(hunk: Hunk) -> str:
    hidden = (
        f'<span class="sp-diff__place">{format_count(hunk.hidden, "changed line", "changed lines")} of this place '
        "are not shown</span>\n"
        if hunk.hidden
        else ""
    )
    return (
        f'<span class="sp-diff__place">@@ -{hunk.old_line},{hunk.old_count} '
        f"+{hunk.new_line},{hunk.new_count} @@</span>\n"
        f"{''.join(map(_line, hunk.lines))}{hidden}"
    )


def _line(line: DiffLine) -> str:
    before = f"[{line.before:,} characters] … " if line.before else ""
    after = f" … [{line.after:,} characters]" if line.after else ""
    text = f"{line.mark.value}{before}{escape_visible(line.text)}{after}"
    return f'<span class="{_MARKS[line.mark]}">{text}</span>\n'
