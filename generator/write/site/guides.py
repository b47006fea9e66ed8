"""The pages that are not about skills but about judging them: one a host, one a rule, stamped into the shell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import resources

from generator.judge.model import Profile
from generator.model import Catalog, Route
from generator.write.site.agreement import agreement_table, read_table
from generator.write.site.contents import Entry, render_entries
from generator.write.site.hosts import host_pages
from generator.write.site.pages import HTML
from generator.write.site.rules import rule_pages, rules_list
from generator.write.site.shares import hosts_list
from generator.write.site.shell import Shell

_JSON = "application/json; charset=utf-8"


def guide_blocks(catalog: Catalog, profiles: Sequence[Profile]) -> Mapping[str, str]:
    """What fills the slots of our hand-written pages about hosts and rules."""
    return {
        "AGREEMENT": agreement_table(profiles),
        "HOSTS": hosts_list(profiles, catalog.listings),
        "RULES": rules_list(catalog.listings),
    }


def guide_pages(shell: Shell, catalog: Catalog, profiles: Sequence[Profile]) -> Iterator[Route]:
    """The pages ``/hosts/{host}/`` and ``/rules/{code}/``, and the documents that explain verdicts to programs."""
    for host, title, contents, content in host_pages(profiles, catalog.listings):
        description = f"How {title} reads skills, and which of this hub it loads."
        yield _page(shell, catalog, f"/hosts/{host}/", (title, description), contents, content)
    for code, title, contents, content in rule_pages(profiles, catalog.listings):
        description = f"{title}: why it matters, and how to mend it."
        yield _page(shell, catalog, f"/rules/{code}/", (title, description), contents, content)
    yield Route("/hosts/agreement.json", read_table(), _JSON)
    yield Route("/schemas/check.v1.json", _check_schema(), "application/schema+json")


def _check_schema() -> bytes:
    """The contract of ``skillpress check --format json``."""
    return (resources.files("generator") / "check" / "schemas" / "check.schema.json").read_bytes()


def _page(
    shell: Shell, catalog: Catalog, path: str, head: tuple[str, str], contents: Sequence[Entry], content: str
) -> Route:
    title, description = head
    values = {"CANONICAL": f"{catalog.hub.url}{path}", "DESCRIPTION": description, "TITLE": title}
    page = shell.guide.fill(
        {
            **{word: escape(value).encode("utf-8", "replace") for word, value in values.items()},
            "CONTENT": content.encode("utf-8", "replace"),
            "TOC": render_entries(contents).encode("utf-8", "replace"),
        }
    )
    return Route(path, page, HTML)
