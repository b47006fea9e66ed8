"""What the rules over the whole catalog need to know of each skill, and nothing else.

A :class:`Member` is small, so that a build can keep one for each of its skills in memory while their files are long
forgotten; and this module loads no rule, so that an unchanged build does not wait for any.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UpwardLink:
    """A link to another skill: its folder relative to the source's root, and its place in ``SKILL.md``."""

    folder: str
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class NamedFile:
    """Something with a name that hosts keep one of: a subagent or an MCP server.

    ``path`` is relative to the source's root. ``meaning`` is equal where two of one name do the same.
    """

    name: str
    path: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """One skill among its neighbours.

    ``owner`` and ``slug`` are empty where they are not decided (``skillpress check``). ``folder`` and ``path``
    (of its ``SKILL.md``) are relative to the root of ``source``. ``name`` is the front matter's, with the
    place of its first letter, or None. ``folder_name`` is what an installer calls the folder.
    """

    owner: str
    slug: str
    source: str
    folder: str
    folder_name: str
    path: str
    name: str | None
    name_line: int | None = None
    name_column: int | None = None
    agents: tuple[NamedFile, ...] = ()
    servers: tuple[NamedFile, ...] = ()
    siblings: tuple[UpwardLink, ...] = ()
    always: bool = False

    @property
    def label(self) -> str:
        """What messages call the skill."""
        if self.slug:
            return f"{self.owner}/{self.slug}" if self.owner else self.slug
        return self.folder or self.folder_name
