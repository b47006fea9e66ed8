"""Which mend belongs to which finding code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from generator.findings import CODES
from generator.judge.mends import files, keys, quoting, shapes
from generator.judge.mends.hosts import Hosts
from generator.judge.mends.manuscript import Manuscript
from generator.judge.mends.model import Mend
from generator.judge.model import Subject
from generator.model import Finding, PackageFile, Severity
from generator.read.nodes import MappingNode
from generator.read.package import join, manifest_file

_OfFile = Callable[[PackageFile, Finding], Iterator[Mend]]
_OfText = Callable[[Manuscript, Finding], Iterator[Mend]]
_OfFront = Callable[[Manuscript, MappingNode, Finding], Iterator[Mend]]
_OfHosts = Callable[[Manuscript, MappingNode, Finding, Hosts], Iterator[Mend]]

_FILE_MENDS: Final[Mapping[str, _OfFile]] = MappingProxyType(
    {
        "skill-md-missing-exact-name": files.rename,
        "encoding-not-utf8-or-control-char": files.decode_wide,
    }
)
_TEXT_MENDS: Final[Mapping[str, _OfText]] = MappingProxyType(
    {
        "frontmatter-bom": files.drop_mark,
        "encoding-not-utf8-or-control-char": files.drop_controls,
        "description-markup-or-invisible": files.drop_unseen,
        "text-hidden-character": files.drop_unseen,
        "frontmatter-line-shape": files.straighten_fences,
        "frontmatter-unterminated": files.close_block,
        "frontmatter-not-on-first-line": files.lead_with_fence,
        "yaml-unquoted-colon": quoting.quote_value,
        "yaml-indicator-start": quoting.quote_value,
        "yaml-bracketed-argument-hint": quoting.quote_value,
        "yaml-stray-syntax": quoting.indent_with_spaces,
        "yaml-duplicate-key": keys.drop_repeated,
    }
)
_FRONT_MENDS: Final[Mapping[str, _OfFront]] = MappingProxyType(
    {
        "yaml-implicit-type": quoting.quote_untyped,
        "yaml-invalid-timestamp": quoting.quote_untyped,
        "yaml-invalid-number": quoting.quote_untyped,
        "metadata-value-not-text": quoting.quote_untyped,
        "yaml-comment-truncation": quoting.quote_commented,
        "name-padded": quoting.unpad,
        "key-wrong-case": keys.rename_key,
        "vendor-metadata-namespace": keys.rename_vendor,
        "gate-wrong-type": shapes.straighten_gate,
        "flag-not-boolean": shapes.straighten_gate,
        "tag-dropped": shapes.straighten_gate,
        "os-unknown": shapes.name_systems,
    }
)
_HOST_MENDS: Final[Mapping[str, _OfHosts]] = MappingProxyType(
    {
        "unknown-frontmatter-key": keys.move_unknown,
        "allowed-tools-shape": shapes.shape_tools,
        "yaml-flow-style": shapes.unfold_flow,
    }
)

_OF_THE_FILE: Final = ("frontmatter-", "encoding-")
_ODD_BREAK: Final = re.compile("[\x85\u2028\u2029]")
"""Ends of lines to YAML 1.1 only: what stands on which line is another question to every host."""

MENDED_CODES: Final = frozenset({*_FILE_MENDS, *_TEXT_MENDS, *_FRONT_MENDS, *_HOST_MENDS})
"""Codes for which a mend may be proposed; whether one is depends on the case."""


def propose(subject: Subject, findings: Sequence[Finding], hosts: frozenset[str]) -> tuple[Mend, ...]:
    """Every mechanical mend for these findings of the skill's ``SKILL.md``, errors first; nothing is changed.

    ``hosts`` are families or columns of the hosts the skill is meant for, empty for all. Whether a mend helps
    is only known once the result is read again: see :func:`~generator.judge.mends.rounds.mend_package`.
    """
    package = subject.skill.package
    file = manifest_file(package)
    if file is None or subject.place.manifest_link:
        return ()
    path = join(package.folder, file.path)
    wanted = [found for found in findings if found.code in MENDED_CODES and found.path == path]
    if not wanted:
        return ()
    script = Manuscript(file.path, file.data)
    asked = Hosts.of(hosts)
    mends: dict[Mend, None] = {}
    for found in wanted:
        mends.update(dict.fromkeys(_mends_for(found, file, script, subject.skill.front, asked)))
    return tuple(sorted(mends, key=_order))


def _order(mend: Mend) -> tuple[bool, int, int, str, str]:
    """Errors first: what they need is not to wait for a matter of style at the same place."""
    start = mend.edits[0].start if mend.edits else 0
    return (
        CODES[mend.code].severity is not Severity.ERROR,
        mend.line or 0,
        start,
        mend.code,
        mend.description,
    )


def _mends_for(
    found: Finding, file: PackageFile, script: Manuscript, front: MappingNode | None, hosts: Hosts
) -> Iterator[Mend]:
    code = found.code
    if code in _FILE_MENDS:
        yield from _FILE_MENDS[code](file, found)
    if not code.startswith(_OF_THE_FILE) and _ODD_BREAK.search(script.front):
        return
    if code in _TEXT_MENDS:
        yield from _TEXT_MENDS[code](script, found)
    if front is not None and code in _FRONT_MENDS:
        yield from _FRONT_MENDS[code](script, front, found)
    if front is not None and code in _HOST_MENDS:
        yield from _HOST_MENDS[code](script, front, found, hosts)
