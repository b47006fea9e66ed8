"""The pages about rules: a list of all, and for each what it is, why it matters, where, and how to mend it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from generator.findings import BARRING, CODES, CodeInfo
from generator.judge.examples import read_examples
from generator.judge.mends import MENDED_CODES
from generator.judge.model import Profile
from generator.model import Listing, Severity
from generator.write.site.agents import outcome_badge
from generator.write.site.contents import Entry
from generator.write.site.hosts import skill_chips
from generator.write.site.roster import host_link, order_profiles
from generator.write.site.view import escape_html, escape_visible, format_count, show_hidden

_FAMILIES: Final[Sequence[tuple[str, str, tuple[str, ...]]]] = (
    ("yaml", "YAML", ("yaml-",)),
    ("front-matter", "The file, its encoding and its fences", ("frontmatter-", "encoding-", "body-", "skill-md-")),
    ("name", "Name and description", ("name-", "description-", "text-hidden-")),
    ("tools", "Tools", ("allowed-tools-",)),
    ("brought", "Plugins, hooks, servers and subagents", (
        "agent-", "dynamic-", "hook-", "install-", "mcp-", "openai-", "plugin-", "script-", "side-file-",
        "skill-ships-", "subagent-",
    )),
    ("files", "Files and paths", (
        "entry-", "file-", "folder-", "link-or-unsafe-", "native-", "nested-", "package-", "path-", "place-",
        "scanner-", "skill-un", "special-", "support-", "symlink-",
    )),
    ("links", "Links", ("link-", "mention-")),
    ("archives", "Archives", ("archive-",)),
    ("keys", "Keys and values", ("",)),
)  # fmt: skip
"""What codes are about, by how they begin; the first that fits counts."""
_HUB: Final = ("hub", "Publishing on a hub")
_SEVERITIES: Final[Mapping[Severity, str]] = {
    Severity.ERROR: "block",
    Severity.WARNING: "warn",
    Severity.INFO: "none",
}
_BARS: Final = ' <span class="sp-tag">bars publication</span>'
_MENDS: Final = ' <span class="sp-tag sp-tag--good">--fix</span>'
_MAX_SKILLS: Final = 100


def rules_list(listings: Sequence[Listing]) -> str:
    """The content of ``/rules/``: every code, by what it is about, and how many skills of the hub have it."""
    counts = Counter(code for listing in listings for code in listing.codes)
    families: dict[tuple[str, str], list[str]] = {(key, title): [] for key, title, _ in _FAMILIES}
    families[_HUB] = []
    for code in sorted(CODES):
        families[_family(code)].append(code)
    jumps = "".join(f'<li><a href="#{key}">{title}</a></li>' for key, title in families)
    return f'<ul class="sp-chips" aria-label="Kinds of rules">{jumps}</ul>\n' + "".join(
        f'<h2 id="{key}">{title}</h2>\n<div class="sp-scroll"><table class="sp-table sp-matrix sp-rules"><thead><tr>'
        '<th>Code</th><th>Severity</th><th>What</th><th class="sp-num">Skills here</th></tr></thead><tbody>\n'
        f"{''.join(_row(code, CODES[code], counts[code]) for code in codes)}</tbody></table></div>\n"
        for (key, title), codes in families.items()
    )


def _family(code: str) -> tuple[str, str]:
    if CODES[code].layer == "decide":
        return _HUB
    return next((key, title) for key, title, starts in _FAMILIES if code.startswith(starts))


def _row(code: str, info: CodeInfo, count: int) -> str:
    return (
        f'<tr><td><a class="sp-code" href="{code}/">{code}</a></td><td>{severity_badge(info.severity)}</td>'
        f"<td>{escape_html(info.title)}{_BARS if code in BARRING else ''}{_MENDS if code in MENDED_CODES else ''}</td>"
        f'<td class="sp-num">{f"{count:,}" if count else ""}</td></tr>\n'
    )


def severity_badge(severity: Severity) -> str:
    """A severity as a coloured word."""
    return f'<span class="sp-verdict sp-verdict--{_SEVERITIES[severity]}">{severity.value}</span>'


def rule_pages(
    profiles: Sequence[Profile], listings: Sequence[Listing]
) -> Iterator[tuple[str, str, Sequence[Entry], str]]:
    """``(code, title, contents, content)`` of every rule's page at ``/rules/{code}/``."""
    skills: dict[str, list[Listing]] = {}
    for listing in listings:
        for code in listing.codes:
            skills.setdefault(code, []).append(listing)
    ordered = order_profiles(profiles)
    for code, info in sorted(CODES.items()):
        sections = [
            ("why", "Why it matters", f"<p>{escape_html(info.why)}</p>\n{_bars(code)}"),
            ("fix", "How to mend it", f"<p>{escape_html(info.fix)}</p>\n{_mends(code)}"),
            ("example", "Example", _example(info)),
            ("agents", "What agents do with the example", _hosts(code, ordered)),
            ("here", "On this hub", _skills(skills.get(code, []))),
        ]
        shown = [section for section in sections if section[2]]
        content = (
            '<nav class="sp-crumbs" aria-label="Breadcrumb"><a href="../">Rules</a></nav>\n'
            f"<h1>{escape_html(info.title)}</h1>\n"
            f'<p class="sp-small">{severity_badge(info.severity)} <code>{code}</code></p>\n'
            + "".join(f'<h2 id="{key}">{title}</h2>\n{text}' for key, title, text in shown)
        )
        yield code, info.title, [(key, title) for key, title, _ in shown], content


def _bars(code: str) -> str:
    if code not in BARRING:
        return ""
    return '<p class="sp-note">A skill with this finding is not published until it is mended.</p>\n'


def _mends(code: str) -> str:
    if code not in MENDED_CODES:
        return ""
    return (
        "<p>Where the case is plain, <code>skillpress check --fix</code> does it for you; <code>--diff</code> shows "
        "the change first.</p>\n"
    )


def _example(info: CodeInfo) -> str:
    if not info.example:
        return ""
    before, after = info.example.split("\n"), info.mended.split("\n")
    caption = {"": "", "paths": " as the name of a file"}.get(
        info.example_in, f" in <code>{escape_visible(info.example_in)}</code>"
    )
    mended = f"<div><p>Mended</p>\n{_block(after, before, 'good')}</div>\n" if info.mended else ""
    return (
        f'<div class="sp-examples">\n<div><p>The mistake{caption}</p>\n{_block(before, after, "bad")}</div>\n'
        f"{mended}</div>\n"
        f"{_legend(info)}"
    )


def _block(lines: Sequence[str], others: Sequence[str], kind: str) -> str:
    """The lines as a block of code; those that the other block lacks are marked."""
    shown = "\n".join(
        f'<span class="sp-line sp-line--{kind}">{show_blanks(line)}</span>'
        if line not in others
        else show_blanks(line)
        for line in lines
    )
    return f'<pre class="sp-example no-copy"><code>{shown}\n</code></pre>'


def show_blanks(line: str) -> str:
    """A line of an example as HTML in which a reader sees what is there: tabs, blanks at its end, hidden characters."""
    bare = line.rstrip(" ")
    shown = escape_html(show_hidden(bare)).replace("\t", '<span class="sp-unseen">→</span>\t')
    blanks = len(line) - len(bare)
    return shown + (f'<span class="sp-unseen">{"·" * blanks}</span>' if blanks else "")


def _legend(info: CodeInfo) -> str:
    signs = [
        (any("\t" in text for text in (info.example, info.mended)), "→ a tab"),
        (
            any(line.endswith(" ") for line in f"{info.example}\n{info.mended}".split("\n")),
            "· a blank at the end of a line",
        ),
        (
            any(show_hidden(text) != text for text in (info.example, info.mended)),
            "&lt;U+…&gt; a character that cannot be seen",
        ),
    ]
    words = ", ".join(text for there, text in signs if there)
    return f'<p class="sp-small">{words}</p>\n' if words else ""


def _hosts(code: str, profiles: Sequence[Profile]) -> str:
    """What each host does with the example, as far as it minds; empty where there is no example."""
    told = read_examples().get(code)
    if told is None:
        return ""
    if not told:
        return "<p>All judged agents and tools load it as it is written.</p>\n"
    by_host = {host: (outcome, reason) for host, outcome, reason in told}
    rows = "".join(
        f"<tr><td>{host_link(profile, '../../')}</td><td>{outcome_badge(by_host[profile.id][0])}</td>"
        f"<td>{escape_visible(by_host[profile.id][1])}</td></tr>\n"
        for profile in profiles
        if profile.id in by_host
    )
    others = len(profiles) - len(by_host)
    rest = f'<p class="sp-small">The other {others} load it as it is written.</p>\n' if others else ""
    return (
        '<div class="sp-scroll"><table class="sp-table sp-matrix"><thead><tr><th>Where</th><th>Verdict</th>'
        f"<th>Why</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n{rest}"
    )


def _skills(skills: Sequence[Listing]) -> str:
    if not skills:
        return ""
    count = format_count(len(skills), "published skill has", "published skills have")
    return f"<p>{count} it.</p>\n{skill_chips(skills, '../../', 'findings', _MAX_SKILLS)}"
