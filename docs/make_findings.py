"""Print docs/findings.md from the table of findings: ``python docs/make_findings.py > docs/findings.md``."""

from __future__ import annotations

import re

from generator.findings import BARRING, CODES, CodeInfo

HEAD = """\
# Findings

What an author can learn from a build or from `skillpress check`. Each finding names a file and, where it is about a
place in it, line, column and the text that is written there.
Severities: an *error* keeps some program from loading the skill at all, a *warning* costs something the author wrote
or misleads, an *info* is good to know. Whether the skill is published is another matter:
a finding marked **bars** keeps the skill from being published; every other one stands on a published skill.

Where a text can show the mistake, the smallest one follows, and then the same mended. Lines without `---` are lines of
the front matter. In the mistakes `→` stands for a tab, `·` for a blank at the end of a line, and `⟨...⟩` for a
character that cannot be seen.

This page is made from `generator/findings/` by `docs/make_findings.py`; a test keeps the two alike.
"""


def findings_page() -> str:
    """The whole page."""
    return HEAD + "".join(_section(code, info) for code, info in sorted(CODES.items()))


def _section(code: str, info: CodeInfo) -> str:
    mark = ", **bars**" if code in BARRING else ""
    section = f"\n## {code}\n\n{info.severity.value}{mark}. {info.title}.\n\n{info.why}\n\nFix: {info.fix}\n"
    if not info.example:
        return section
    where = {"": "", "paths": " as the name of a file"}.get(info.example_in, f" in `{info.example_in}`")
    return f"{section}\nThe mistake{where}:\n\n{_block(info.example)}\nMended:\n\n{_block(info.mended)}"


def _block(text: str) -> str:
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    shown = "\n".join(_visible(line) for line in text.split("\n"))
    return f"{fence}text\n{shown}\n{fence}\n"


def _visible(line: str) -> str:
    bare = line.rstrip(" ")
    shown = "".join(
        char if char.isprintable() else "→" if char == "\t" else f"⟨U+{ord(char):04X}⟩" for char in bare
    )
    return shown + "·" * (len(line) - len(bare))


if __name__ == "__main__":
    print(findings_page(), end="")  # noqa: T201
