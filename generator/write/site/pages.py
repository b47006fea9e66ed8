"""A skill's page, stamped into the shell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from markupsafe import Markup

from generator.model import PublishedSkill, Route, Taxonomy
from generator.write.site.install import list_install_ways
from generator.write.site.links import LinkResolver
from generator.write.site.markdown import render_markdown
from generator.write.site.rewrite import TocEntry
from generator.write.site.shell import Shell
from generator.write.site.view import link_license, link_web, load_template, shorten

HTML = "text/html; charset=utf-8"

_SECTIONS = (
    ("install", "Install"),
    ("needs", "What it needs and runs"),
    ("instructions", "Instructions"),
    ("files", "Files"),
    ("versions", "Versions"),
    ("checks", "Checks"),
    ("identity", "Fingerprints"),
)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}")
_TOC_LEVELS = (3, 2, 1)
_MAX_TOC = 25
_MAX_FILES = 1_000
_MAX_VERSIONS = 50
_MAX_RAW = 64 * 1024


def skill_page(shell: Shell, skill: PublishedSkill, neighbours: Mapping[str, str] | None = None) -> Route:
    """The page at ``/{owner}/skills/{slug}/``.

    ``neighbours`` maps the folders of the other published skills of the same source to ``owner/slug``; with
    it, a link such as ``../other/SKILL.md`` leads to that skill's page.
    """
    listing, manifest, files = skill.listing, skill.manifest, skill.latest.files
    links = LinkResolver(
        anchors={file.path: f"file-{number}" for number, file in enumerate(files[:_MAX_FILES], 1)},
        folder=skill.folder.package.folder,
        neighbours=neighbours or {},
    )
    body = render_markdown(skill.folder.body, links)
    language = manifest.taxonomy.language
    executables = [file for file in files if file.executable]
    source = skill.folder.package.file("SKILL.md")
    raw = None if source is None or source.size > _MAX_RAW else source.data.decode("utf-8", "replace")
    content = load_template("skill.html").render(
        skill=skill,
        license_link=link_license(skill.latest.license),
        homepage=link_web(listing.homepage),
        ways=list_install_ways(skill),
        language=language if language and _LANGUAGE.fullmatch(language) else None,
        taxonomy=_describe_taxonomy(manifest.taxonomy),
        runs=bool(
            manifest.always or manifest.hooks or manifest.mcp_servers or manifest.subagents or executables
        ),
        executables=executables[:100],
        body=Markup(body.html),  # noqa: S704 -- the one value that is HTML: it comes from the sanitiser
        cut=body.cut,
        broken=body.broken_links,
        raw=raw,
        file_limit=_MAX_FILES,
        version_limit=_MAX_VERSIONS,
    )
    path = f"/{listing.owner}/skills/{listing.slug}/"
    page = shell.skill.fill(
        {
            "CANONICAL": _text(f"{skill.hub.url}{path}"),
            "CONTENT": content.encode("utf-8", "replace"),
            "DESCRIPTION": _text(shorten(listing.description, 300)),
            "TITLE": _text(shorten(listing.display_name, 160)),
            "TOC": load_template("toc.html")
            .render(sections=_SECTIONS, headings=_choose_headings(body.toc))
            .encode("utf-8", "replace"),
        }
    )
    return Route(path, page, HTML)


def _choose_headings(toc: Sequence[TocEntry]) -> Sequence[TocEntry]:
    """The headings for the contents beside the page: as deep as leaves a list that can be taken in."""
    chosen: Sequence[TocEntry] = ()
    for level in _TOC_LEVELS:
        chosen = [entry for entry in toc if entry.level <= level]
        if len(chosen) <= _MAX_TOC:
            return chosen
    return chosen[:_MAX_TOC]


def _describe_taxonomy(taxonomy: Taxonomy) -> list[tuple[str, str]]:
    rows = [
        ("Track", taxonomy.track or ""),
        ("Language", taxonomy.language or ""),
        ("Domains", ", ".join(taxonomy.domains)),
        ("Stages", ", ".join(taxonomy.stages)),
        ("Forms", ", ".join(taxonomy.forms)),
        ("Audiences", ", ".join(taxonomy.audiences)),
    ]
    return [(label, value) for label, value in rows if value]


def _text(text: str) -> bytes:
    return escape(text, quote=True).encode("utf-8", "replace")
