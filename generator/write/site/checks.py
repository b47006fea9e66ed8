"""The section of a skill's page that says what the scan found, and what the author should know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.history.overlay.model import ReviewNote
from generator.judge.model import Profile
from generator.model import Finding, PublishedSkill, ScanHit, ScanReport, ScanVerdict, Severity
from generator.write.site.agents import code_link
from generator.write.site.roster import order_profiles
from generator.write.site.view import (
    escape_html,
    escape_visible,
    name_verdict,
    place_of,
    shorten,
    show_hidden,
)

_RANKS: Final[Mapping[Severity, int]] = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
_MAX_FINDINGS: Final = 100
_MAX_HOSTS: Final = 6


def checks_section(skill: PublishedSkill, profiles: Sequence[Profile], broken: tuple[str, ...]) -> str:
    """What the scan says, and what the author should know, the gravest first.

    ``profiles`` are the hosts the skill was judged by; ``broken`` are links that lead nowhere.
    """
    scan = skill.latest.scan
    # What the scan found stands above, with its evidence.
    others = [finding for finding in skill.judgement.findings if not finding.code.startswith("scan-")]
    others.sort(key=lambda finding: _RANKS[finding.severity])
    labels = {profile.id: profile.label for profile in order_profiles(profiles)} if others else {}
    findings = "".join([finding_item(finding, labels, "../../../") for finding in others[:_MAX_FINDINGS]])
    if len(others) > _MAX_FINDINGS:
        findings += f'<li class="sp-finding"><p>{len(others) - _MAX_FINDINGS:,} more.</p></li>\n'
    if broken:
        findings += _broken_links(broken)
    if findings:
        findings = f'<h3 id="findings">For the author</h3>\n<ul class="sp-findings">\n{findings}</ul>\n'
    return (
        '<section class="sp-section" aria-labelledby="checks">\n<h2 id="checks">Checks</h2>\n'
        f'<div class="sp-scan sp-scan--{scan.verdict.value}">\n'
        f"<p>{verdict_badge(scan.verdict)} {scan.files} {name_files(scan.files)} examined by "
        f"{escape_html(scan.engine)}, rules {escape_html(scan.ruleset)}. "
        f'<a href="../../../trust/">What this means</a></p>\n{_scan_details(scan, _notes(skill))}</div>\n'
        f"{findings}</section>\n\n"
    )


def verdict_badge(verdict: ScanVerdict) -> str:
    """A verdict as a coloured word."""
    return f'<span class="sp-verdict sp-verdict--{verdict.value}">{name_verdict(verdict)}</span>'


def name_files(count: int) -> str:
    """The noun for so many files."""
    return "file" if count == 1 else "files"


def _notes(skill: PublishedSkill) -> Mapping[ScanHit, ReviewNote]:
    """Who looked into which hit of the latest release."""
    standing = skill.standing.of(skill.latest.version)
    return {one.hit: one.review for one in standing.reviewed} if standing is not None else {}


def _scan_details(scan: ScanReport, notes: Mapping[ScanHit, ReviewNote]) -> str:
    details = ""
    if scan.error:
        details += f"<p>The scan did not finish: {escape_html(shorten(show_hidden(scan.error), 300))}</p>"
    if scan.hits:
        hits = "".join([_hit(hit, notes.get(hit)) for hit in scan.hits[:100]])
        details += f'<ul class="sp-findings">\n{hits}</ul>\n'
    if scan.skipped:
        names = "".join([f"<li>{escape_visible(name)}</li>" for name in scan.skipped[:200]])
        details += f"<details><summary>{len(scan.skipped)} not examined</summary><ul>{names}</ul></details>"
    return details


def _hit(hit: ScanHit, note: ReviewNote | None) -> str:
    line = f":{hit.line}" if hit.line is not None else ""
    evidence = (
        f'<code class="sp-finding__evidence">{escape_visible(hit.evidence)}</code>' if hit.evidence else ""
    )
    reviewed = (
        f"<p>Reviewed by {escape_visible(note.by)}: {escape_visible(note.reason)}</p>"
        if note is not None
        else ""
    )
    return (
        f'<li class="sp-finding sp-finding--{hit.level.value}"><p><span class="sp-finding__code">'
        f"{escape_html(hit.rule)}</span> {escape_visible(hit.message)}</p>"
        f'<p class="sp-finding__place"><code>{escape_visible(hit.path)}{line}</code></p>{evidence}{reviewed}</li>\n'
    )


def finding_item(finding: Finding, labels: Mapping[str, str], root: str, folder: str = "") -> str:
    """One finding as an item of a list.

    ``labels`` names the hosts by id, in the order in which they are to be named; ``root`` leads to the hub's root;
    ``folder`` is put before the path.
    """
    fix = f'<p class="sp-finding__fix">{escape_visible(finding.fix)}</p>' if finding.fix else ""
    text = f'<code class="sp-finding__evidence">{escape_visible(finding.text)}</code>' if finding.text else ""
    severity = finding.severity.value
    return (
        f'<li class="sp-finding sp-finding--{severity}"><p><span class="sp-finding__code">{severity} '
        f"{code_link(finding.code, root)}</span> {escape_visible(finding.message)}</p>"
        f'<p class="sp-finding__place"><code>{escape_visible(folder + place_of(finding))}</code></p>{text}{fix}'
        f"{_hosts(finding.hosts, labels)}</li>\n"
    )


def _hosts(hosts: Sequence[str], labels: Mapping[str, str]) -> str:
    if not hosts:
        return ""
    if len(hosts) == len(labels):
        return '<p class="sp-finding__place">Matters everywhere</p>'
    wanted = frozenset(hosts)
    names = [label for host, label in labels.items() if host in wanted]
    names += sorted(wanted - labels.keys())
    more = f" and {len(names) - _MAX_HOSTS} more" if len(names) > _MAX_HOSTS else ""
    return f'<p class="sp-finding__place">Matters to {escape_html("; ".join(names[:_MAX_HOSTS]))}{more}</p>'


def _broken_links(broken: tuple[str, ...]) -> str:
    links = "".join([f"<code>{escape_html(shorten(show_hidden(link), 120))}</code> " for link in broken[:20]])
    more = f"and {len(broken) - 20} more" if len(broken) > 20 else ""
    return (
        '<li class="sp-finding sp-finding--info"><p><span class="sp-finding__code">links</span> These lead to '
        'nothing in this skill and are shown as text:</p><p class="sp-finding__place">'
        f"{links}{more}</p></li>\n"
    )
