"""Print docs/findings.md from the table of findings: ``python docs/make_findings.py > docs/findings.md``."""

from __future__ import annotations

from generator.findings import BARRING, CODES

HEAD = """\
# Findings

What an author can learn from a build. Each finding names a file and, where it is about a place in it, line and column.
Severities: an *error* keeps some programs from loading the skill at all, a *warning* costs something the author wrote
or misleads, an *info* is good to know. Whether the skill is published is another matter:
a finding marked **bars** keeps the skill from being published; every other one stands on a published skill.
This page is made from `generator/findings.py` by `docs/make_findings.py`; a test keeps the two alike.
"""


def findings_page() -> str:
    """The whole page."""
    parts = [HEAD]
    for code, info in sorted(CODES.items()):
        mark = ", **bars**" if code in BARRING else ""
        parts.append(
            f"\n## {code}\n\n{info.severity.value}{mark}. {info.title}.\n\n{info.why}\n\nFix: {info.fix}\n"
        )
    return "".join(parts)


if __name__ == "__main__":
    print(findings_page(), end="")  # noqa: T201
