"""Examines one package by a rule set and says what it found, and nothing more.

Fails closed: an error of ours or a package that would cost too much is ERROR, a file examined only in
part is at least WARN. Nothing inside a package has a say: ignore files, "allow" comments and front matter are
text like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from generator.judge.scan.evidence import redact_evidence, trim_evidence
from generator.judge.scan.kinds import kind_of
from generator.judge.scan.rules import BinaryRule, RuleSet, TextRule
from generator.judge.scan.windows import Budget, WorkExceededError, find_windows
from generator.model import Package, PackageFile, ScanHit, ScanReport, ScanVerdict

ENGINE: Final = "skillpress-scan"
"""The name reports give this scanner."""
TEXT_LIMIT: Final = 1 << 20
"""Bytes of one file that text rules examine; the rest is reported as skipped."""
_HITS_PER_RULE: Final = 3
_HITS_PER_PACKAGE: Final = 100

_WORDS_ONLY: Final = bytes(
    code if chr(code) in "abcdefghijklmnopqrstuvwxyz0123456789" else 32 for code in range(256)
)
_RANK: Final = {ScanVerdict.ALLOW: 0, ScanVerdict.WARN: 1, ScanVerdict.ERROR: 2, ScanVerdict.BLOCK: 3}


def scan_package(package: Package, rules: RuleSet) -> ScanReport:
    """The report on ``package``: never raises, same package and rules give the same report.

    The verdict is the worst of what was found: BLOCK, then ERROR where the scan did not come to its
    end, then WARN, then ALLOW.
    """
    hits: list[ScanHit] = []
    skipped: list[str] = []
    budget = Budget()
    error: str | None = None
    examined = 0
    path = ""
    try:
        for file in package.files:
            path = file.path
            hits += _scan_file(file, rules, budget)
            if len(file.data) > TEXT_LIMIT and kind_of(file) is not None:
                skipped.append(f"{trim_evidence(path)}: everything after the first {TEXT_LIMIT:,} bytes")
            examined += 1
    except WorkExceededError as limit:
        error = f"{trim_evidence(path)}: {limit}"
    except Exception as failure:
        error = f"{trim_evidence(path)}: the scan failed with {type(failure).__name__}"
    levels = {hit.level for hit in hits}
    levels.add(ScanVerdict.WARN if skipped else ScanVerdict.ALLOW)
    if error is not None:
        levels.add(ScanVerdict.ERROR)
    # The worst come first, so that cutting the list never hides why a package is blocked.
    hits.sort(key=lambda hit: (-_RANK[hit.level], hit.path, hit.line or 0, hit.rule))
    return ScanReport(
        engine=ENGINE,
        ruleset=rules.name,
        verdict=max(levels, key=_RANK.__getitem__),
        files=examined,
        hits=tuple(hits[:_HITS_PER_PACKAGE]),
        skipped=tuple(skipped),
        error=error,
    )


def _scan_file(file: PackageFile, rules: RuleSet, budget: Budget) -> list[ScanHit]:
    name = file.path.lower()
    hits = [_binary_hit(rule, file) for rule in rules.binary if _is_binary_match(rule, name, file.data)]
    kind = kind_of(file)
    if kind is None:
        return hits
    data = _plain_bytes(file.data[:TEXT_LIMIT])
    lowered = data.lower()
    is_ascii = data.isascii()
    words = rules.words.intersection(lowered.translate(_WORDS_ONLY).split())
    for rule in rules.for_kind[kind]:
        if rule.words and rule.words.isdisjoint(words):
            continue
        if is_ascii and rule.need[0][0] > 0x7F:
            continue  # its literals are all characters outside ASCII
        hits += _apply(rule, file.path, data, lowered, budget)
    return hits


def _plain_bytes(data: bytes) -> bytes:
    """``data`` as the programs that run it read it, lines where they were.

    NULs go (a shell drops them, and so UTF-16 becomes readable); a line continued by a backslash becomes one.
    """
    if b"\0" in data:
        data = data.replace(b"\0", b"")
    if b"\v" in data:
        data = data.replace(b"\v", b" ")
    if b"\\" in data:
        data = data.replace(b"\\\n", b" \v")
        if b"\r" in data:
            data = data.replace(b"\\\r\n", b"  \v")
    return data


def _apply(rule: TextRule, path: str, data: bytes, lowered: bytes, budget: Budget) -> Iterator[ScanHit]:
    if rule.also and not any(word in lowered for word in rule.also):
        return
    seen: set[int] = set()
    for literal in rule.need:
        first = lowered.find(literal)
        if first < 0:
            continue
        for start, end in find_windows(lowered, literal, rule.span, first):
            budget.spend((end - start) * len(rule.patterns))
            window = data[start:end].decode("utf-8", "replace")
            match = _first_match(rule, window)
            if match is None:
                continue
            before = start + len(window[: match.start()].encode("utf-8", "replace"))
            # Continued lines were joined with a vertical tab in place of their newline.
            line = 1 + data.count(b"\n", 0, before) + data.count(b"\v", 0, before)
            if line in seen:
                continue
            seen.add(line)
            evidence = redact_evidence(match[0]) if rule.secret else trim_evidence(match[0])
            yield ScanHit(rule.id, rule.level, path, line, rule.message, evidence)
            if len(seen) == _HITS_PER_RULE:
                return


def _first_match(rule: TextRule, window: str) -> re.Match[str] | None:
    if not all(pattern.search(window) for pattern in rule.near):
        return None
    for pattern in rule.patterns:
        for match in pattern.finditer(window):
            if not _is_innocent(rule, match):
                return match
    return None


def _is_innocent(rule: TextRule, match: re.Match[str]) -> bool:
    groups = match.re.groupindex
    if "ok" in groups and match["ok"] is not None:
        return True
    if "url" in groups and match["url"] is not None:
        url = match["url"].lower()
        if url.startswith(rule.trusted) or (rule.only_urls is not None and not rule.only_urls.search(url)):
            return True
    return rule.unless is not None and rule.unless.search(match[0]) is not None


def _is_binary_match(rule: BinaryRule, name: str, data: bytes) -> bool:
    if rule.except_suffixes and name.endswith(rule.except_suffixes):
        return False
    if rule.suffixes and name.endswith(rule.suffixes):
        return True
    if rule.start is not None and rule.start.match(data):
        return True
    return bool(rule.magics) and data.startswith(rule.magics)


def _binary_hit(rule: BinaryRule, file: PackageFile) -> ScanHit:
    evidence = f"{trim_evidence(file.path)[:80]} starts with {file.data[:8].hex(' ')}"
    return ScanHit(rule.id, rule.level, file.path, None, rule.message, evidence)
