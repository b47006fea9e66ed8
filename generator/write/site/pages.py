"""A skill's page, stamped into the shell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from generator.judge.model import Profile
from generator.model import PublishedSkill, Route
from generator.write.site import sections
from generator.write.site.agents import agents_section
from generator.write.site.checks import checks_section
from generator.write.site.contents import render_contents
from generator.write.site.links import LinkResolver
from generator.write.site.markdown import render_markdown
from generator.write.site.needs import needs_section
from generator.write.site.shell import Shell
from generator.write.site.texts import choose_texts
from generator.write.site.view import shorten

HTML = "text/html; charset=utf-8"


def skill_page(
    shell: Shell,
    skill: PublishedSkill,
    profiles: Sequence[Profile],
    neighbours: Mapping[str, str] | None = None,
) -> Route:
    """The page at ``/{owner}/skills/{slug}/``; ``profiles`` are the hosts the skill was judged by.

    ``neighbours`` maps the folders of the other published skills of the same source to ``owner/slug``; with
    it, a link such as ``../other/SKILL.md`` leads to that skill's page.
    """
    listing, files = skill.listing, skill.latest.files
    texts = choose_texts(skill)
    rows: dict[str, str] = {
        file.path: f"file-{number}" for number, file in enumerate(files[: sections.MAX_FILES], 1)
    }
    links = LinkResolver(
        anchors={**rows, **{path: text.id for path, text in texts.items()}},
        folder=skill.folder.package.folder,
        neighbours=neighbours or {},
    )
    body = render_markdown(skill.folder.body, links)
    # The text and the files of a skill under quarantine are what is withheld.
    withheld = skill.standing.quarantined is not None
    content = (
        sections.head_section(skill),
        sections.install_section(skill),
        agents_section(skill.judgement, profiles),
        needs_section(skill, profiles),
        *(
            (
                sections.withheld_section("instructions", "Instructions"),
                sections.withheld_section("files", "Files"),
            )
            if withheld
            else (sections.instructions_section(skill, body), sections.files_section(skill, texts))
        ),
        sections.versions_section(skill),
        checks_section(skill, profiles, body.broken_links),
        sections.identity_section(skill),
    )
    path = f"/{listing.owner}/skills/{listing.slug}/"
    page = shell.skill.fill(
        {
            "CANONICAL": _text(f"{skill.hub.url}{path}"),
            # Each by itself: most are ASCII, and one character that is not makes a whole text dear to encode.
            "CONTENT": b"".join([section.encode("utf-8", "replace") for section in content]),
            "DESCRIPTION": _text(shorten(listing.description, 300)),
            "TITLE": _text(shorten(listing.display_name, 160)),
            "TOC": render_contents(() if withheld else body.toc).encode("utf-8", "replace"),
        }
    )
    if withheld:
        page = page.replace(b"</head>", b'<meta name="robots" content="noindex">\n</head>', 1)
    return Route(path, page, HTML)


def _text(text: str) -> bytes:
    return escape(text, quote=True).encode("utf-8", "replace")
