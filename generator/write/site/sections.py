"""The sections of a skill's page, as HTML.

Written as text, not as a template: these bytes are made for every skill of a hub. Whatever is not ours passes
:func:`generator.write.site.view.escape_html`, save proven names, digests and numbers, which hold no markup.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from functools import lru_cache

from generator.history.overlay.effects import Badge, refuse_install, release_badges, skill_badges
from generator.history.overlay.refs import show_key
from generator.model import FileEntry, Protocol, PublishedSkill, Release, ScanVerdict, Version
from generator.write.site.agents import code_link
from generator.write.site.checks import name_files, verdict_badge
from generator.write.site.install import CLAWHUB, InstallWay, list_install_ways, list_left_out
from generator.write.site.markdown import Rendered
from generator.write.site.texts import ViewedText
from generator.write.site.view import (
    escape_html,
    escape_visible,
    format_date,
    format_size,
    link_license,
    link_web,
    name_verdict,
    quote_segment,
    shorten,
    show_hidden,
)

MAX_FILES = 1_000
"""Files that have a row, and an id, on the page."""
_MAX_VERSIONS = 50
_MAX_RAW = 64 * 1024
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}")


def head_section(skill: PublishedSkill) -> str:
    """Name, lead, and the facts one looks for first."""
    item, latest = skill.listing, skill.latest
    emoji = (item.emoji or item.display_name[:1].upper())[:8]
    homepage = link_web(item.homepage)
    count = len(latest.files)
    return (
        '<header class="sp-head">\n'
        '<nav class="sp-crumbs" aria-label="Place"><a href="../../../browse/">Skills</a>'
        f'<a href="../../">{escape_html(item.owner)}</a></nav>\n'
        '<div class="sp-head__title"><span class="sp-emoji sp-emoji--big" aria-hidden="true">'
        f"{escape_html(emoji)}</span><h1>{escape_html(shorten(item.display_name, 160))}</h1></div>\n"
        f"{decision_notes(skill)}"
        f'<p class="sp-lead">{escape_html(shorten(item.description, 1200))}</p>\n'
        '<ul class="sp-meta">\n'
        f"<li><span>Version</span> <strong>{escape_html(latest.version)}</strong></li>\n"
        f"<li><span>License</span> {_license(latest.license, skill.manifest.license_text)}</li>\n"
        f"<li><span>Published</span> <time>{format_date(latest.first_seen)}</time></li>\n"
        f"<li><span>Size</span> {count} {name_files(count)}, {format_size(latest.archive.size)}</li>\n"
        f'<li><span>Scan</span> <a class="sp-verdict sp-verdict--{latest.scan.verdict.value}" href="#checks">'
        f"{name_verdict(latest.scan.verdict)}</a></li>\n"
        + (
            f'<li><a href="{escape_html(homepage)}" rel="noopener noreferrer nofollow ugc">Homepage</a></li>'
            if homepage
            else ""
        )
        + f"</ul>\n{_topics(item.topics)}"
        + (
            '<p class="sp-note">This is the version as published. The source no longer offers it as it is: its '
            'folder is gone or its newer content is <a href="../../../not-published/">not published</a>.</p>'
            if item.retained
            else ""
        )
        + "</header>\n\n"
    )


def install_section(skill: PublishedSkill) -> str:
    """The commands, a tab for each client; nothing to install where the scan blocked the release."""
    latest = skill.latest
    if skill.listing.stance.withdrawn:
        refusal = refuse_install((skill.listing.owner, skill.listing.slug), skill.standing)
        content = f'<p class="sp-note">{escape_visible(refusal.text if refusal is not None else "")}</p>\n'
    elif latest.scan.verdict is ScanVerdict.BLOCK:
        content = (
            f'<p class="sp-note">The scan blocked version {escape_html(latest.version)}: its archive is not '
            'served, and clients refuse it. <a href="#checks">Why</a></p>\n'
        )
    else:
        ways = list_install_ways(skill)
        blocks = "".join([_install_way(way) for way in ways])
        content = (
            f"{_successor(skill)}{_tabs(tuple([way.client for way in ways]))}{blocks}</div>\n</div>\n"
            f'{_left_out(skill)}<p class="sp-small"><a href="../../../use/">What each client can do here</a>, '
            "and how to set it up.</p>\n"
        )
    return (
        '<section class="sp-section" aria-labelledby="install">\n<h2 id="install">Install</h2>\n'
        f"{content}{_elsewhere(skill)}</section>\n\n"
    )


def _left_out(skill: PublishedSkill) -> str:
    """The clients that the skill itself keeps out, with the findings that say why."""
    left = list_left_out(skill)
    if not left:
        return ""
    clients = "; ".join(
        [
            f"{client} ({', '.join([code_link(code, '../../../') for code in codes])})"
            for client, codes in left
        ]
    )
    return f'<p class="sp-small">Not for {clients}: it is left out of what they read.</p>\n'


def _elsewhere(skill: PublishedSkill) -> str:
    """The same in other forms: for agents, and as one file to hand over. The feed stands with the versions."""
    hub, owner = skill.hub, quote_segment(skill.listing.owner)
    links: list[str] = []
    if hub.speaks(Protocol.AGENT_PAGES):
        links.append('<a href="index.md" type="text/markdown">This page as Markdown</a>')
    blocked = skill.latest.scan.verdict is ScanVerdict.BLOCK
    if hub.speaks(Protocol.SKILL_ARCHIVES) and skill.listing.offered and not blocked:
        name = quote_segment(f"{skill.listing.slug}-{skill.latest.version}.skill")
        links.append(f'<a href="../../../dl/{owner}/{name}" download>.skill file</a>')
    return f'<p class="sp-also">{"".join(links)}</p>\n' if links else ""


def decision_notes(skill: PublishedSkill) -> str:
    """What the operator says of the skill, the gravest first."""
    return "".join(
        f'<p class="sp-note sp-note--{badge.kind}"><strong>{badge.word}.</strong> {_badge_text(badge)}</p>\n'
        for badge in skill_badges(skill.standing)
    )


def _badge_text(badge: Badge) -> str:
    """The sentence of a badge, with a link to the skill that it names."""
    text = escape_visible(badge.text)
    if badge.skill is None:
        return text
    name = escape_html(show_key(badge.skill))
    owner, slug = map(quote_segment, badge.skill)
    return text.replace(name, f'<a href="../../../{owner}/skills/{slug}/">{name}</a>', 1)


def _successor(skill: PublishedSkill) -> str:
    """How to install what is to be used instead."""
    deprecated = skill.standing.ruling.deprecated
    if deprecated is None or deprecated.successor is None:
        return ""
    name = show_key(deprecated.successor)
    command = f"npx {CLAWHUB} --registry {shlex.quote(skill.hub.url)} install @{name}"
    return (
        f'<p class="sp-note">This installs {escape_html(name)}, which is to be used instead:</p>\n'
        f'<div class="highlight"><pre><code>{escape_html(command)}</code></pre></div>\n'
    )


def instructions_section(skill: PublishedSkill, body: Rendered) -> str:
    """The author's text, rendered and as written. ``body.html`` is the one value that is HTML already."""
    language = skill.manifest.taxonomy.language
    lang = f' lang="{language}"' if language and _LANGUAGE.fullmatch(language) else ""
    cut = '<p class="sp-note">The rest is too long to show. It is in the archive.</p>' if body.cut else ""
    source = skill.folder.package.file("SKILL.md")
    raw = ""
    if source is not None and _is_source_shown(skill):
        raw = (
            '<details class="sp-raw" id="source"><summary>SKILL.md as it is written</summary><pre><code>'
            f"{escape_visible(source.data.decode('utf-8', 'replace'))}</code></pre></details>"
        )
    return (
        '<section class="sp-section" aria-labelledby="instructions">\n'
        '<h2 id="instructions">Instructions</h2>\n'
        '<div class="sp-paper">\n'
        '<p class="sp-paper__label"><span>SKILL.md</span>'
        f"<span>written by {escape_html(skill.listing.owner)}</span></p>\n"
        f'<div class="sp-body"{lang}>{body.html}</div>\n'
        f"{cut}</div>\n{raw}</section>\n\n"
    )


def withheld_section(name: str, title: str) -> str:
    """A section of a skill under quarantine, of which this is what is withheld."""
    return (
        f'<section class="sp-section" aria-labelledby="{name}">\n<h2 id="{name}">{title}</h2>\n'
        '<p class="sp-note">Withheld by the people who run this hub.</p>\n</section>\n\n'
    )


def files_section(skill: PublishedSkill, texts: Mapping[str, ViewedText]) -> str:
    """The files of the latest release; row number ``n`` has the id ``file-n``. ``texts`` can be read below."""
    files = skill.latest.files
    ids = {path: text.id for path, text in texts.items()}
    if "SKILL.md" not in ids and _is_source_shown(skill):
        ids["SKILL.md"] = "source"
    rows = "".join(
        [_file_row(number, file, ids.get(file.path)) for number, file in enumerate(files[:MAX_FILES], 1)]
    )
    more = (
        f'<p class="sp-note">{len(files) - MAX_FILES} more files are in the archive.</p>'
        if len(files) > MAX_FILES
        else ""
    )
    return (
        '<section class="sp-section" aria-labelledby="files">\n<h2 id="files">Files</h2>\n'
        '<div class="sp-scroll"><table class="sp-table"><thead><tr><th>Path</th><th class="sp-num">Size</th>'
        f"<th>SHA-256</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n{more}"
        f"{''.join([_text(text) for text in texts.values()])}</section>\n\n"
    )


def versions_section(skill: PublishedSkill) -> str:
    """The releases, newest first, each with what differs from its predecessor."""
    before = {new: old for old, new in skill.compared}
    owner, slug = quote_segment(skill.listing.owner), quote_segment(skill.listing.slug)
    rows = "".join(
        [
            _version_row(skill, release, owner, slug, before.get(release.version))
            for release in skill.releases[:_MAX_VERSIONS]
        ]
    )
    older = (
        f'<p class="sp-note">Older versions are in the <a href="../../../ledger/{owner}/{slug}.jsonl">ledger</a>.</p>'
        if len(skill.releases) > _MAX_VERSIONS
        else ""
    )
    return (
        '<section class="sp-section" aria-labelledby="versions">\n<h2 id="versions">Versions</h2>\n'
        f'<ul class="sp-versions">\n{rows}</ul>\n{older}'
        f'<p class="sp-small"><a href="../../../feeds/skills/{owner}/{slug}.xml">New versions as an Atom feed</a></p>\n'
        "</section>\n\n"
    )


def identity_section(skill: PublishedSkill) -> str:
    """Every hash by which a release is known."""
    hashes = skill.latest.hashes
    return (
        '<section class="sp-section" aria-labelledby="identity">\n<h2 id="identity">Fingerprints</h2>\n'
        '<dl class="sp-hashes">\n'
        f"{_hash('Fingerprint', hashes.fingerprint, 'What ClawHub clients compute from an installed copy.')}"
        f"{_hash('Archive SHA-256', skill.latest.archive.sha256, 'The bytes of the zip.')}"
        f"{_hash('Content tree', hashes.tree, 'Paths, modes and contents, whatever the packing.')}"
        f"{_hash('Folder hash', hashes.folder, 'What GitHub-based installers compare.')}"
        "</dl>\n</section>"
    )


def _is_source_shown(skill: PublishedSkill) -> bool:
    source = skill.folder.package.file("SKILL.md")
    return source is not None and source.size <= _MAX_RAW


def _license(license_id: str | None, written: str | None) -> str:
    if not license_id:
        if not written:
            return "<em>not stated</em>"
        return f"{escape_html(shorten(show_hidden(written), 80))} <em>(not an SPDX licence)</em>"
    address = link_license(license_id)
    text = escape_html(license_id)
    return f'<a href="{address}" rel="license noopener">{text}</a>' if address else text


def _topics(topics: tuple[str, ...]) -> str:
    if not topics:
        return ""
    items = "".join(
        [
            f'<li><a href="../../../browse/?topic={quote_segment(topic)}">{escape_html(shorten(topic, 40))}</a></li>'
            for topic in topics[:24]
        ]
    )
    return f'<ul class="sp-chips" aria-label="Topics">{items}</ul>\n'


@lru_cache(maxsize=16)
def _tabs(clients: tuple[str, ...]) -> str:
    """The head of the tabs, up to the first block: the same on every page."""
    inputs = "".join(
        f'<input{" checked" if number == 1 else ""} id="__tabbed_1_{number}" name="__tabbed_1" type="radio">'
        for number in range(1, len(clients) + 1)
    )
    labels = "".join(
        f'<label for="__tabbed_1_{number}">{escape_html(client)}</label>'
        for number, client in enumerate(clients, 1)
    )
    return (
        f'<div class="tabbed-set tabbed-alternate" data-tabs="1:{len(clients)}">{inputs}'
        f'<div class="tabbed-labels">{labels}</div>\n<div class="tabbed-content">\n'
    )


def _install_way(way: InstallWay) -> str:
    note = f'<p class="sp-small">{escape_html(way.note)}</p>' if way.note else ""
    commands = f'<div class="highlight"><pre><code>{escape_html(way.commands)}</code></pre></div>\n'
    if way.setup:
        setup = f'<div class="highlight"><pre><code>{escape_html(way.setup)}</code></pre></div>'
        return f'<div class="tabbed-block">\n{note}{setup}{commands}</div>\n'
    return f'<div class="tabbed-block">\n{commands}{note}</div>\n'


def _file_row(number: int, file: FileEntry, text_id: str | None) -> str:
    tag = ' <span class="sp-tag">executable</span>' if file.executable else ""
    name = f"<code>{escape_visible(file.path)}</code>"
    if text_id is not None:
        name = f'<a href="#{text_id}">{name}</a>'
    return (
        f'<tr id="file-{number}"><td>{name}{tag}</td><td class="sp-num">{format_size(file.size)}</td>'
        f'<td class="sp-digest"><code class="sp-dim" title="{file.sha256}">{file.sha256[:16]}…</code>'
        f'<button class="sp-copy" type="button" data-sp-copy="{file.sha256}" aria-label="Copy the SHA-256 of file '
        f'{number}">Copy</button></td></tr>\n'
    )


def _text(text: ViewedText) -> str:
    return (
        f'<details class="sp-raw" id="{text.id}"><summary>{escape_visible(text.path)}</summary>'
        f"<pre><code>{text.html}</code></pre></details>\n"
    )


def _version_row(
    skill: PublishedSkill, release: Release, owner: str, slug: str, before: Version | None
) -> str:
    verdict = release.scan.verdict
    standing = skill.standing.of(release.version)
    badges = "".join(
        f'<p><span class="sp-tag sp-tag--{badge.kind}">{badge.word}</span> {escape_visible(badge.text)}</p>'
        for badge in (release_badges(standing) if standing is not None else ())
        if badge.kind != "blocked"
    )
    if verdict is ScanVerdict.BLOCK or (standing is not None and not standing.servable):
        archive = "<span>not served</span>"
    else:
        archive = (
            f'<a href="../../../dl/{owner}/{slug}-{quote_segment(release.version)}.zip" download>'
            f"Download ({format_size(release.archive.size)})</a>"
        )
    differs = (
        f'<a href="diff/{quote_segment(f"{before}...{release.version}")}/">Changes since {escape_html(before)}</a>'
        if before is not None
        else ""
    )
    changes = (
        f"<p>{escape_html(shorten(show_hidden(release.changelog), 400))}</p>" if release.changelog else ""
    )
    return (
        f"<li><strong>{escape_html(release.version)}</strong><time>{format_date(release.first_seen)}</time>"
        f"{archive}{differs}{verdict_badge(verdict)}{badges}{changes}</li>\n"
    )


def _hash(label: str, value: str, note: str) -> str:
    return (
        f'<div class="sp-hash"><dt>{label}</dt><dd><code>{value}</code><button class="sp-copy" type="button" '
        f'data-sp-copy="{value}" aria-label="Copy {label}">Copy</button><p>{note}</p></dd></div>\n\n'
    )
