"""The section of a skill's page that says what the scan found, and what the author should know."""

from __future__ import annotations

from generator.model import Finding, PublishedSkill, ScanHit, ScanReport, ScanVerdict
from generator.write.site.agents import code_link
from generator.write.site.view import (
    escape_html,
    escape_visible,
    name_verdict,
    place_of,
    shorten,
    show_hidden,
)


def checks_section(skill: PublishedSkill, broken: tuple[str, ...]) -> str:
    """What the scan says, and what the author should know; ``broken`` are links that lead nowhere."""
    scan = skill.latest.scan
    # What the scan found stands above, with its evidence.
    others = [finding for finding in skill.judgement.findings if not finding.code.startswith("scan-")]
    findings = "".join([_finding(finding) for finding in others[:100]])
    if broken:
        findings += _broken_links(broken)
    if findings:
        findings = f'<h3 id="findings">For the author</h3>\n<ul class="sp-findings">\n{findings}</ul>\n'
    return (
        '<section class="sp-section" aria-labelledby="checks">\n<h2 id="checks">Checks</h2>\n'
        f'<div class="sp-scan sp-scan--{scan.verdict.value}">\n'
        f"<p>{verdict_badge(scan.verdict)} {scan.files} {name_files(scan.files)} examined by "
        f"{escape_html(scan.engine)}, rules {escape_html(scan.ruleset)}. "
        f'<a href="../../../trust/">What this means</a></p>\n{_scan_details(scan)}</div>\n'
        f"{findings}</section>\n\n"
    )


def verdict_badge(verdict: ScanVerdict) -> str:
    """A verdict as a coloured word."""
    return f'<span class="sp-verdict sp-verdict--{verdict.value}">{name_verdict(verdict)}</span>'


def name_files(count: int) -> str:
    """The noun for so many files."""
    return "file" if count == 1 else "files"


def _scan_details(scan: ScanReport) -> str:
    details = ""
    if scan.error:
        details += f"<p>The scan did not finish: {escape_html(shorten(show_hidden(scan.error), 300))}</p>"
    if scan.hits:
        hits = "".join([_hit(hit) for hit in scan.hits[:100]])
        details += f'<ul class="sp-findings">\n{hits}</ul>\n'
    if scan.skipped:
        names = "".join([f"<li>{escape_visible(name)}</li>" for name in scan.skipped[:200]])
        details += f"<details><summary>{len(scan.skipped)} not examined</summary><ul>{names}</ul></details>"
    return details


def _hit(hit: ScanHit) -> str:
    line = f":{hit.line}" if hit.line is not None else ""
    evidence = (
        f'<code class="sp-finding__evidence">{escape_visible(hit.evidence)}</code>' if hit.evidence else ""
    )
    return (
        f'<li class="sp-finding sp-finding--{hit.level.value}"><p><span class="sp-finding__code">'
        f"{escape_html(hit.rule)}</span> {escape_visible(hit.message)}</p>"
        f'<p class="sp-finding__place"><code>{escape_visible(hit.path)}{line}</code></p>{evidence}</li>\n'
    )


def _finding(finding: Finding) -> str:
    fix = f'<p class="sp-finding__fix">{escape_visible(finding.fix)}</p>' if finding.fix else ""
    text = f'<code class="sp-finding__evidence">{escape_visible(finding.text)}</code>' if finding.text else ""
    hosts = (
        f'<p class="sp-finding__place">Matters to {escape_html(", ".join(finding.hosts))}</p>'
        if finding.hosts
        else ""
    )
    return (
        f'<li class="sp-finding sp-finding--{finding.severity.value}"><p><span class="sp-finding__code">'
        f"{code_link(finding.code, '../../../')}</span> {escape_visible(finding.message)}</p>"
        f'<p class="sp-finding__place"><code>{escape_visible(place_of(finding))}</code></p>{text}{fix}{hosts}</li>\n'
    )


def _broken_links(broken: tuple[str, ...]) -> str:
    links = "".join([f"<code>{escape_html(shorten(show_hidden(link), 120))}</code> " for link in broken[:20]])
    more = f"and {len(broken) - 20} more" if len(broken) > 20 else ""
    return (
        '<li class="sp-finding sp-finding--info"><p><span class="sp-finding__code">links</span> These lead to '
        'nothing in this skill and are shown as text:</p><p class="sp-finding__place">'
        f"{links}{more}</p></li>\n"
    )
