"""What a request wants, as data: the vocabulary between the router and those who answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pick:
    """Answer with the first of these routes that exists, else 404 with the text ``missing``."""

    routes: tuple[str, ...]
    missing: str


@dataclass(frozen=True, slots=True)
class Say:
    """Answer with a plain text."""

    status: int
    text: str
    allow: str | None = None


@dataclass(frozen=True, slots=True)
class Redirect:
    """Send on to another path of the hub, for good."""

    path: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A name that stands for a version; the skill's documents say for which."""

    name: str


@dataclass(frozen=True, slots=True)
class PickTagged:
    """Answer with a document of the version that a tag stands for."""

    base: str
    tag: Tag
    document: str


@dataclass(frozen=True, slots=True)
class Download:
    """Answer with the archive of a version (None: the latest)."""

    owner: str
    slug: str
    base: str
    version: str | Tag | None


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Answer with one file of a version (None: the latest), cut out of its archive; with ``exact`` only under its very
    name."""

    owner: str
    slug: str
    base: str
    version: str | Tag | None
    path: str
    exact: bool = False


@dataclass(frozen=True, slots=True)
class ListSkills:
    """Answer with a page of the list. ``order`` is ``updated``, ``created`` or ``name``; with ``packages`` as packages
    (see :mod:`generator.write.protocols.clawhub_packages`)."""

    order: str
    limit: int
    offset: int = 0
    prefix: str = ""
    owner: str = ""
    clean_only: bool = False
    packages: bool = False


@dataclass(frozen=True, slots=True)
class SearchSkills:
    """Answer with the skills that match a question, best first; with ``packages`` as packages."""

    question: str
    limit: int
    exact: bool = False
    owner: str = ""
    clean_only: bool = False
    packages: bool = False


@dataclass(frozen=True, slots=True)
class ShowTrending:
    """Answer with the first rows of the trending document."""

    limit: int


@dataclass(frozen=True, slots=True)
class VerdictTarget:
    """One exact release somebody wants a verdict on, as they wrote it."""

    slug: str
    version: str
    owner: str | None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Answer with one verdict for each target; a route of None is a target that was not found."""

    targets: tuple[VerdictTarget, ...]
    routes: tuple[str | None, ...]


Plan = (
    Pick
    | PickTagged
    | Redirect
    | Say
    | Download
    | ReadFile
    | ListSkills
    | SearchSkills
    | ShowTrending
    | Verdicts
)
