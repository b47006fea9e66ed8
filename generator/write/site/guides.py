"""The pages that are not about skills but about judging them: one a host, one a rule, stamped into the shell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from generator.judge.model import Profile
from generator.model import Catalog, Route
from generator.write.site.agreement import agreement_table
from generator.write.site.hosts import host_pages, hosts_list
from generator.write.site.pages import HTML
from generator.write.site.rules import rule_pages, rules_list
from generator.write.site.shell import Shell


def guide_blocks(catalog: Catalog, profiles: Sequence[Profile]) -> Mapping[str, str]:
    """What fills the slots of our hand-written pages about hosts and rules."""
    return {
        "AGREEMENT": agreement_table(profiles),
        "HOSTS": hosts_list(profiles, catalog.listings),
        "RULES": rules_list(),
    }


def guide_pages(shell: Shell, catalog: Catalog, profiles: Sequence[Profile]) -> Iterator[Route]:
    """The pages ``/hosts/{host}/`` and ``/rules/{code}/``."""
    for host, title, content in host_pages(profiles, catalog.listings):
        description = f"How {title} reads skills, and which of this hub it loads."
        yield _page(shell, catalog, f"/hosts/{host}/", title, description, content)
    for code, title, content in rule_pages(profiles, catalog.listings):
        yield _page(
            shell, catalog, f"/rules/{code}/", title, f"{title}: why it matters, and how to mend it.", content
        )


def _page(shell: Shell, catalog: Catalog, path: str, title: str, description: str, content: str) -> Route:
    values = {"CANONICAL": f"{catalog.hub.url}{path}", "DESCRIPTION": description, "TITLE": title}
    page = shell.guide.fill(
        {
            **{word: escape(value).encode("utf-8", "replace") for word, value in values.items()},
            "CONTENT": content.encode("utf-8", "replace"),
        }
    )
    return Route(path, page, HTML)
