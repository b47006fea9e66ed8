"""Links of ``SKILL.md`` that lead nowhere, out of the skill, or only to where its author sits.

Only what the Markdown makes a link is judged, and paths in code that name a file below one of the four
support folders which the skill has (agentskills specification: ``scripts/``, ``references/``, ``assets/``;
DeerFlow and Hermes: ``templates/`` too).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final
from urllib.parse import unquote

from generator.findings import finding
from generator.judge.members import UpwardLink
from generator.judge.model import Subject
from generator.judge.rules.markup import Masks, find_destinations
from generator.model import Finding
from generator.read.package import DOT_ENTRIES_KEPT, MANIFEST_NAME, is_cache, join, manifest_file
from generator.read.paths import collision_key

_WEB: Final = ("http:", "https:", "mailto:", "//", "#", "?")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]")
_AT_LINE: Final = re.compile(r"(?<=[\w)]):\d+(?:[:-]\d+)?$")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_PLACEHOLDER: Final = re.compile(
    r"[{}$*|<>…]|\.\.\.|^(?:(?:relative|full|some)?[-_/]?(?:url|uri|link|path|file|href|src|source|target)s?\d?)$",
    re.IGNORECASE,
)
_SKILL_FOLDERS: Final = ("scripts", "references", "assets", "templates")
_MENTION: Final = re.compile(
    r"(?<![\w./~$}{<>-])(?:\./)?((?:scripts|references|assets|templates)(?:/[\w.-]+)*/[\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,5})(?![\w*{}<>/(-])"
)
_LONGEST_BODY: Final = 1_048_576
"""Characters of a body that are looked at: no host reads more (Claude Code 2.1.332 refuses larger files)."""
_MOST: Final = 50
"""Findings of this family kept for one skill."""


def find(subject: Subject) -> Iterator[Finding]:
    """Every link of the skill's ``SKILL.md`` that does not work for a reader who installs the skill.

    Anchors are not looked at, nor whether a web address answers. Never raises.
    """
    body = subject.skill.body
    if "](" not in body and "]:" not in body and not any(f"{name}/" in body for name in _SKILL_FOLDERS):
        return
    manifest = manifest_file(subject.skill.package)
    if manifest is None:
        return
    yield from _Links(subject, manifest.path).find()


def find_sibling_links(subject: Subject) -> tuple[UpwardLink, ...]:
    """Links to other skills of the same source, for the rules over the whole catalog."""
    if "../" not in subject.skill.body:
        return ()
    links = _Links(subject, MANIFEST_NAME)
    found = []
    for raw, start in links.suspects():
        if not raw.startswith("../") or links.masks.hide(start):
            continue
        folder = links.sibling_of(_path_of(raw))
        if folder is not None:
            line, column = links.place(start)
            found.append(UpwardLink(folder, line, column, raw))
    return tuple(found[:_MOST])


@dataclass(frozen=True, slots=True)
class _Problem:
    code: str
    message: str
    fix: str


class _Links:
    """The links of one text; one use."""

    def __init__(self, subject: Subject, manifest: str) -> None:
        skill = subject.skill
        body = skill.body[:_LONGEST_BODY]
        if "\r" in body:
            body = body.replace("\r\n", "\n").replace("\r", "\n")
        self.body = body
        self.path = join(skill.package.folder, manifest)
        self.folder = skill.package.folder
        self.paths = frozenset(str(file.path) for file in skill.package.files)
        self._first_line = skill.body_line
        self._masks: Masks | None = None
        self._known: dict[str, str] | None = None

    @property
    def masks(self) -> Masks:
        """What is code; made when the first link is suspect."""
        if self._masks is None:
            self._masks = Masks(self.body)
        return self._masks

    def place(self, at: int) -> tuple[int, int]:
        """Line and column (both from 1) in ``SKILL.md`` of an index of the body."""
        line, column = self.masks.place(at)
        return line + self._first_line, column

    def suspects(self) -> Iterator[tuple[str, int]]:
        """Destinations that are neither on the web nor the plain path of a file of the skill."""
        for destination in find_destinations(self.body):
            raw = destination.raw
            if not raw.startswith(_WEB) and raw not in self.paths:
                yield raw, destination.start

    def find(self) -> Iterator[Finding]:
        found = []
        for raw, start in self.suspects():
            problem = self._problem(raw)
            if problem is not None and not self.masks.hide(start):
                line, column = self.place(start)
                found.append(
                    finding(problem.code, self.path, problem.message, problem.fix, line, column, raw)
                )
                if len(found) == _MOST:
                    break
        found.extend(self._mentions())
        yield from sorted(found, key=lambda f: (f.line or 0, f.column or 0))[:_MOST]

    def sibling_of(self, path: str) -> str | None:
        """The folder of the skill (relative to the source's root) that an upward path clearly means."""
        name = posixpath.basename(path.rstrip("/"))
        if name.lower() == "skill.md":
            inner = posixpath.dirname(path)
        elif re.fullmatch(r"\.\./[\w-]+/?", path):
            inner = path
        else:
            return None
        place = posixpath.normpath(posixpath.join(self.folder or "skill", inner))
        # A check of several paths names folders as they were typed, from the root of the machine maybe.
        outside = ("../",) if self.folder.startswith("/") else ("../", "/")
        return None if place in (".", "..", self.folder) or place.startswith(outside) else place

    def _problem(self, raw: str) -> _Problem | None:
        if _PLACEHOLDER.search(raw):
            return None
        shown = raw if len(raw) <= 80 else f"{raw[:79]}…"
        if _DRIVE.match(raw) or raw.startswith(("/", "~/", "\\\\")) or raw.lower().startswith("file:"):
            return _Problem(
                "link-absolute",
                f"The link {shown} is an absolute path, which leads nowhere on another machine",
                self._absolute_fix(raw),
            )
        scheme = _SCHEME.match(raw)
        if scheme is not None and not _AT_LINE.search(raw):
            if raw.lower().startswith(_WEB):
                return None
            return _Problem(
                "link-scheme",
                f"The link {shown} has the scheme {scheme[0][:40]} that readers and the site do not follow",
                "Link to a file of the skill by its path, or to an https:// address.",
            )
        path = _path_of(raw)
        if not path:
            return None
        if "\\" in path:
            forward = path.replace("\\", "/")
            target = self._actual(posixpath.normpath(forward)) or forward
            return _Problem(
                "link-backslash",
                f"The link {shown} is written with backslashes, which only Windows takes for folders",
                f"Write {target}",
            )
        place = posixpath.normpath(path)
        if place == "..":
            return None
        if place.startswith("../"):
            return self._upward(path, shown)
        if self._exists(place) or self._exists(posixpath.normpath(_without_line(raw))):
            return None
        return self._missing(place, shown)

    def _upward(self, path: str, shown: str) -> _Problem:
        own = self.folder.rpartition("/")[2]
        inside = posixpath.normpath(posixpath.join("/s", own or "skill", path))
        if own and inside.startswith(f"/s/{own}/") and self._exists(inside[len(own) + 4 :]):
            return _Problem(
                "link-leaves-skill",
                f"The link {shown} leaves the skill's folder and comes back, which fails under another name",
                f"Write {inside[len(own) + 4 :]}",
            )
        sibling = self.sibling_of(path)
        if sibling is not None:
            name = sibling.rpartition("/")[2]
            return _Problem(
                "link-to-sibling-skill",
                f"The link {shown} leads to the skill {name}; where only this skill is installed it leads nowhere",
                f"Write what the reader needs from it, or name it in words: the skill {name}.",
            )
        return _Problem(
            "link-leaves-skill",
            f"The link {shown} leads out of the skill's folder; only that folder is installed",
            "Copy the file into the skill's folder and link to it there, or link to its web address.",
        )

    def _missing(self, place: str, shown: str) -> _Problem:
        actual = self._actual(place)
        if actual is not None:
            return _Problem(
                "link-case-mismatch",
                f"The link {shown} leads to {actual} only where file names ignore case; it is broken on Linux",
                f"Write {actual}",
            )
        left_out = next((part for part in place.split("/") if _is_left_out(part)), None)
        if left_out is not None and place.split("/")[0] not in DOT_ENTRIES_KEPT:
            return _Problem(
                "link-to-left-out",
                f"The link {shown} leads to {left_out}, which is never part of a published skill",
                "Rename it without the dot, or move the file elsewhere, and link to it there.",
            )
        read_as = "" if place == shown else f", that is {place[:80]},"
        return _Problem(
            "link-broken",
            f"The link {shown}{read_as} leads to a file that is not in the skill's folder",
            self._broken_fix(place),
        )

    def _broken_fix(self, place: str) -> str:
        name = collision_key(posixpath.basename(place))
        same = sorted(path for path in self.paths if collision_key(posixpath.basename(path)) == name)
        if same:
            return f"Write {same[0]}, or add the file."
        return "Add the file, or remove the link."

    def _absolute_fix(self, raw: str) -> str:
        parts = unquote(raw.replace("\\", "/")).split("/")
        for first in range(1, len(parts)):
            if "/".join(parts[first:]) in self.paths:
                return f"Write {'/'.join(parts[first:])}"
        return "Write the path relative to SKILL.md, or a full https:// address."

    def _mentions(self) -> Iterator[Finding]:
        """Paths in code that name a file of a support folder which the skill has, and are not there."""
        folders = tuple(name for name in _SKILL_FOLDERS if any(p.startswith(f"{name}/") for p in self.paths))
        if not any(f"{name}/" in self.body for name in folders):
            return
        told: set[str] = set()
        for match in _MENTION.finditer(self.body):
            path = posixpath.normpath(match[1])
            if path in self.paths or path in told or path.partition("/")[0] not in folders:
                continue
            at = match.start(1)
            masks = self.masks
            if not masks.is_code_line(at) and not masks.in_span(at):
                continue
            told.add(path)
            line, column = self.place(at)
            actual = self._actual(path)
            if actual is not None:
                yield finding(
                    "link-case-mismatch",
                    self.path,
                    f"{path[:80]} is called {actual}; on Linux it is not found",
                    f"Write {actual}",
                    line,
                    column,
                    match[1],
                )
            else:
                yield finding(
                    "mention-missing-file",
                    self.path,
                    f"The text names {path[:80]}, which is not in the skill's folder",
                    self._broken_fix(path),
                    line,
                    column,
                    match[1],
                )

    def _exists(self, place: str) -> bool:
        return place in self.paths or place == "." or self._actual(place) == place

    def _actual(self, place: str) -> str | None:
        """The file or folder of the package that ``place`` means where case does not count."""
        if self._known is None:
            known: dict[str, str] = {}
            for path in self.paths:
                known[path] = path
                while "/" in path:
                    path = path.rpartition("/")[0]
                    known[path] = path
            folded = {collision_key(path): path for path in sorted(known, reverse=True)}
            self._known = {**folded, **known}
        return self._known.get(place) or self._known.get(collision_key(place))


def _path_of(raw: str) -> str:
    """The path of a destination as written: escapes, entities, fragment, query and percent signs read."""
    text = _ESCAPE.sub(r"\1", raw) if "\\" in raw else raw
    if "&" in text:
        text = unescape(text)
    return unquote(text.partition("#")[0].partition("?")[0])


def _without_line(raw: str) -> str:
    return _AT_LINE.sub("", raw.partition("#")[0])


def _is_left_out(name: str) -> bool:
    return (name.startswith(".") and name not in (".", "..")) or name == "node_modules" or is_cache(name)
