"""The site's shell: what mkdocs makes of our hand-written pages, and the pages that skills are stamped into.

mkdocs runs once, over a copy of ``site_src`` in a folder of its own, and sees words such as
``SKILLPRESS_HUB_NAME`` instead of the hub's values: its templates escape nothing, so nothing that could hold
markup is given to them. This module is the only one that knows mkdocs.
"""

from __future__ import annotations

import html
import logging
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from generator.errors import SkillpressError
from generator.model import Hub, Protocol
from generator.search.pagefind import FOLDER
from generator.write.site.csp import add_policy, read_theme_scripts
from generator.write.site.stamp import Stamp, fill_known, split_stamp

SHELL_FORMAT = "6"
"""Raise when this module makes something else of the same ``site_src``."""

HUB_WORDS = ("BASE", "FULL_TEXT", "HUB_API", "HUB_DESCRIPTION", "HUB_ID", "HUB_NAME", "HUB_URL")
"""Words of the hub itself, replaced when the shell is built."""
SKILL_SLOTS = ("CANONICAL", "CONTENT", "DESCRIPTION", "TITLE", "TOC")
"""Slots of the page of a skill, a host or a rule."""
LIST_SLOTS = ("CANONICAL", "CONTENT", "DESCRIPTION", "TITLE")
"""Slots of a publisher's page and of one that compares versions."""
CATALOG_SLOTS = (
    "AGREEMENT",
    "CARDS",
    "CLIENTS",
    "CLIENT_MATRIX",
    "CLIENT_VERSIONS",
    "COLLECTIONS",
    "EXAMPLE_FILE",
    "EXAMPLE_OWNER",
    "HOSTS",
    "OWNER_COUNT",
    "PROTOCOLS",
    "RECENT",
    "RECENT_TITLE",
    "REJECTED",
    "RULES",
    "SKILL_COUNT",
    "START",
    "TOPICS",
    "USE_AGENTSKILLS_HTTP",
    "USE_AGENT_PAGES",
    "USE_APM",
    "USE_CLAUDE_CODE",
    "USE_CLAWHUB",
    "USE_DEEPTUTOR",
    "USE_DOWNLOAD",
    "USE_HERMES",
    "USE_OPENCLAW",
    "USE_QWENPAW",
    "USE_SKILLS",
    "USE_SKILL_FILES",
)
"""Slots of the hand-written pages."""

_INVALID_URL = "https://hub.invalid/SKILLPRESS_BASE/"
_BROWSE = "browse/index.html"
_SKILL_PAGE = "_owner/skills/_slug/"
_LIST_PAGE = "_owner/"
_DIFF_PAGE = "_owner/skills/_slug/diff/_pair/"
_GUIDE_PAGE = "_guide/_page/"
_SHELF_PAGE = "_shelf/_page/"
_STAMP_PAGES = {
    f"{_SKILL_PAGE}index.md": "---\ntitle: SKILLPRESS_TITLE\ndescription: SKILLPRESS_DESCRIPTION\n"
    "template: stamp.html\nsection: Browse\ncontents: true\n---\n",
    f"{_LIST_PAGE}index.md": "---\ntitle: SKILLPRESS_TITLE\ndescription: SKILLPRESS_DESCRIPTION\n"
    "template: stamp.html\nsection: Browse\ncontents: false\n---\n",
    f"{_DIFF_PAGE}index.md": "---\ntitle: SKILLPRESS_TITLE\ndescription: SKILLPRESS_DESCRIPTION\n"
    "template: stamp.html\nsection: Browse\ncontents: false\n---\n",
    f"{_GUIDE_PAGE}index.md": "---\ntitle: SKILLPRESS_TITLE\ndescription: SKILLPRESS_DESCRIPTION\n"
    "template: stamp.html\nsection: Agents\ncontents: true\n---\n",
    f"{_SHELF_PAGE}index.md": "---\ntitle: SKILLPRESS_TITLE\ndescription: SKILLPRESS_DESCRIPTION\n"
    "template: stamp.html\nsection: Browse\ncontents: false\n---\n",
}
_OWN_ASSETS = re.compile(r"(assets/(?:skillpress\.(?:css|js)|browse\.js))(?=\")")
# The theme asks for a sitemap beside every page that is named as an alternate one, meaning other languages; ours are
# feeds and Markdown.
_OTHER_LANGUAGES = (b'"link[rel=alternate]"', b'"link[rel=alternate][hreflang]"')
_BLANK_LINES = re.compile(r"\n\s*\n+")


@dataclass(frozen=True, slots=True)
class Shell:
    """What every page of the site is made from. ``pages`` and ``files`` are sorted by path.

    ``pages`` maps a route path (``/browse/``, ``/404.html``) to its hand-written page; ``files`` holds the
    assets as they are. ``guide`` is the page of one host or one rule, ``shelf`` that of a collection, two folders deep;
    ``diff`` that of two versions of a skill, five deep.
    """

    skill: Stamp
    publisher: Stamp
    guide: Stamp
    shelf: Stamp
    diff: Stamp
    pages: tuple[tuple[str, Stamp], ...]
    files: tuple[tuple[str, bytes], ...]


def build_shell(site_dir: Path, hub: Hub, work_dir: Path) -> Shell:
    """Run mkdocs over ``site_dir/site_src`` (with ``site_dir/mkdocs.yml``) and cut its pages at their slots.

    ``work_dir`` is an empty folder that we may fill; nothing of its path comes into the result. Raises
    :class:`SkillpressError` where the pages cannot be built, hold an unknown ``SKILLPRESS_*`` word, or an
    inline script that is not the theme's.
    """
    source, output = work_dir / "source", work_dir / "site"
    _copy_sources(site_dir, source)
    partials = _run_mkdocs(source, output)
    known = read_theme_scripts(partials / "javascripts")
    words = hub_words(hub)
    versions = {
        name: sha256((output / name).read_bytes()).hexdigest()[:8]
        for name in ("assets/skillpress.css", "assets/skillpress.js", "assets/browse.js")
        if (output / name).is_file()
    }
    pages: dict[str, Stamp] = {}
    files: dict[str, bytes] = {}
    for path in sorted(p for p in output.rglob("*") if p.is_file()):
        name = path.relative_to(output).as_posix()
        if path.suffix == ".html":
            page = _finish_page(path.read_text(encoding="utf-8"), name, words, versions)
            page = page.replace("</head>", f"{_alternates(hub, name)}</head>", 1)
            page = add_policy(page, name, known, compiles=hub.full_text and name == _BROWSE)
            pages[name.removesuffix("index.html")] = split_stamp(page.encode())
        elif not _is_dropped(name):
            files[name] = path.read_bytes().replace(*_OTHER_LANGUAGES)
    skill, publisher, guide = pages.pop(_SKILL_PAGE), pages.pop(_LIST_PAGE), pages.pop(_GUIDE_PAGE)
    _check_slots("stamp.html", skill, SKILL_SLOTS)
    _check_slots("stamp.html", publisher, LIST_SLOTS)
    _check_slots("stamp.html", guide, SKILL_SLOTS)
    diff, shelf = pages.pop(_DIFF_PAGE), pages.pop(_SHELF_PAGE)
    _check_slots("stamp.html", diff, LIST_SLOTS)
    _check_slots("stamp.html", shelf, LIST_SLOTS)
    for name, stamp in pages.items():
        _check_slots(name, stamp, CATALOG_SLOTS)
    return Shell(
        skill=skill,
        publisher=publisher,
        guide=guide,
        shelf=shelf,
        diff=diff,
        pages=tuple((f"/{name}", stamp) for name, stamp in sorted(pages.items())),
        files=tuple((f"/{name}", data) for name, data in sorted(files.items())),
    )


def _alternates(hub: Hub, name: str) -> str:
    """Where else a page's news and text are: the hub's feed, and the Markdown twin beside the page."""
    if not name.endswith("index.html"):
        return ""
    up = "../" * name.count("/")
    feed = f'<link rel="alternate" type="application/atom+xml" title="Releases" href="{up}feeds/hub.xml">\n'
    if not hub.speaks(Protocol.AGENT_PAGES):
        return feed
    return f'{feed}<link rel="alternate" type="text/markdown" href="index.md">\n'


def hub_words(hub: Hub) -> Mapping[str, bytes]:
    """The hub's values for the words in :data:`HUB_WORDS`, escaped for text and quoted attributes."""
    base = urlsplit(hub.url).path.strip("/")
    if not re.fullmatch(r"[A-Za-z0-9._~/-]*", base):
        raise SkillpressError(
            f"The hub's url has a base path that needs escaping: {hub.url!r}. "
            "Use letters, digits and . _ ~ - / only."
        )
    values = {
        "BASE": base,
        "FULL_TEXT": f"{FOLDER[1:]}/" if hub.full_text else "",
        "HUB_API": hub.api,
        "HUB_DESCRIPTION": hub.description,
        "HUB_ID": hub_id(hub),
        "HUB_NAME": hub.name,
        "HUB_URL": hub.url,
    }
    # A hub may be named after one of our words; its name must not be taken for one.
    return {
        word: html.escape(value, quote=True).replace("SKILLPRESS_", "SKILLPRESS&#95;").encode()
        for word, value in values.items()
    }


def hub_id(hub: Hub) -> str:
    """A short name for clients' settings, made of the hub's name: ``[a-z0-9-]``, never empty."""
    return re.sub(r"[^a-z0-9]+", "-", hub.name.lower()).strip("-") or "hub"


def _copy_sources(site_dir: Path, source: Path) -> None:
    for needed in (site_dir / "mkdocs.yml", site_dir / "site_src" / "docs"):
        if not needed.exists():
            raise SkillpressError(
                f"{needed}: missing. The site needs mkdocs.yml, site_src/docs and site_src/overrides."
            )
    source.mkdir(parents=True)
    shutil.copyfile(site_dir / "mkdocs.yml", source / "mkdocs.yml")
    shutil.copytree(site_dir / "site_src", source / "site_src")
    for name, text in _STAMP_PAGES.items():
        page = source / "site_src" / "docs" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")


def _run_mkdocs(source: Path, output: Path) -> Path:
    """Build ``source`` into ``output``; answer the theme's own ``partials`` folder."""
    with _quiet_mkdocs() as warnings:
        # Imported here because an unchanged shell must not pay for it (0.13 s).
        from jinja2 import TemplateError
        from mkdocs.commands.build import build
        from mkdocs.config import load_config
        from mkdocs.exceptions import MkDocsException

        try:
            build(load_config(config_file=str(source / "mkdocs.yml"), site_dir=str(output)))
        except (MkDocsException, TemplateError, SystemExit) as error:
            raise SkillpressError(f"site_src: the pages cannot be built: {error}") from error
    if warnings:
        raise SkillpressError("site_src: " + "; ".join(w.replace(str(source), ".") for w in warnings))
    theme = find_spec("material")
    assert theme is not None  # mkdocs has just used it
    return Path(str(theme.origin)).parent / "templates" / "partials"


class _Collector(logging.Handler):
    """Keeps what mkdocs warns of instead of printing it."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@contextmanager
def _quiet_mkdocs() -> Iterator[list[str]]:
    """Nothing of mkdocs, nor of its theme's notices, is printed; yields the warnings it had."""
    variable = "NO_MKDOCS_2_WARNING"
    before = os.environ.get(variable)
    os.environ[variable] = "1"
    collector = _Collector()
    logger = logging.getLogger("mkdocs")
    propagate, logger.propagate = logger.propagate, False
    logger.addHandler(collector)
    try:
        yield collector.messages
    finally:
        logger.removeHandler(collector)
        logger.propagate = propagate
        if before is None:
            os.environ.pop(variable, None)
        else:
            os.environ[variable] = before


def _is_dropped(name: str) -> bool:
    """Whether no page of ours uses ``name``: the theme's search, source maps; or it holds the time of day."""
    unused = ("assets/images/favicon.png", "assets/javascripts/lunr/", "assets/javascripts/workers/")
    return name.startswith((*unused, "sitemap.xml")) or name.endswith(".map")


def _finish_page(page: str, name: str, words: Mapping[str, bytes], versions: Mapping[str, str]) -> str:
    for shell_page in (_SKILL_PAGE, _LIST_PAGE, _GUIDE_PAGE, _SHELF_PAGE, _DIFF_PAGE):
        if name == f"{shell_page}index.html":
            page = page.replace(f"{_INVALID_URL}{shell_page}", "SKILLPRESS_CANONICAL")
            page = _BLANK_LINES.sub("\n", page)  # these bytes are in every skill's page
    page = page.replace(_INVALID_URL, "SKILLPRESS_HUB_URL/")
    base = words["BASE"].decode()
    page = re.sub(r"/SKILLPRESS_BASE\b/?", f"/{base}/" if base else "/", page)
    page = _OWN_ASSETS.sub(lambda m: f"{m.group(1)}?v={versions[m.group(1)]}", page)
    return fill_known(page.encode(), words).decode()


def _check_slots(name: str, stamp: Stamp, allowed: tuple[str, ...]) -> None:
    unknown = sorted(set(stamp.slots) - set(allowed))
    if unknown:
        raise SkillpressError(
            f"site_src: {name} holds the unknown word SKILLPRESS_{unknown[0]}. Known here: "
            + ", ".join(f"SKILLPRESS_{word}" for word in sorted((*HUB_WORDS, *allowed)))
        )
