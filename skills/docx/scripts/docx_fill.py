#!/usr/bin/env python3
"""Fill {{placeholders}} of a Word template with the values of a flat JSON object.

Exit codes: 0 written, 2 a file cannot be read or python-docx is missing, 3 the template needs keys that
the data lacks (nothing is written).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_.-]{0,80})\s*\}\}")


def fail(message: str, code: int = 2) -> None:
    print(f"docx_fill: {message}", file=sys.stderr)
    raise SystemExit(code)


def read_data(path: str) -> dict[str, str]:
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        fail(f"cannot read {path} as JSON: {error}")
    if not isinstance(data, dict):
        fail(f'{path} must hold one JSON object, such as {{"name": "Lin"}}')
    values = {}
    for key, value in data.items():
        if isinstance(value, (dict, list)):
            fail(f"{path}: the value of {key!r} is not a text, number or true/false")
        values[key] = "" if value is None else str(value)
    return values


def paragraphs_of(container: Any) -> Iterator[Any]:
    """Every paragraph of a body, header, footer or cell, through nested tables; merged cells once."""
    yield from container.paragraphs
    for table in container.tables:
        seen: list[Any] = []
        for row in table.rows:
            for cell in row.cells:
                if not any(cell._tc is other for other in seen):
                    seen.append(cell._tc)
                    yield from paragraphs_of(cell)


def all_paragraphs(document: Any) -> Iterator[Any]:
    yield from paragraphs_of(document)
    for section in document.sections:
        for part in (section.header, section.footer, section.first_page_header, section.first_page_footer):
            if not part.is_linked_to_previous:
                yield from paragraphs_of(part)


def fill_paragraph(paragraph: Any, values: dict[str, str]) -> int:
    """Replace in one paragraph, also where Word split a placeholder over runs; return the count.

    Works from the last match to the first, so that earlier positions stay true.
    """
    runs = list(paragraph.runs)
    text = "".join(run.text for run in runs)
    matches = [m for m in PLACEHOLDER.finditer(text) if m.group(1) in values]
    for match in reversed(matches):
        position = 0
        first = True
        for run in runs:
            start, end = position, position + len(run.text)
            position = end
            if end <= match.start() or start >= match.end():
                continue
            head = run.text[: max(match.start() - start, 0)]
            tail = run.text[max(match.end() - start, 0) :] if match.end() < end else ""
            run.text = head + (values[match.group(1)] if first else "") + tail
            first = False
    return len(matches)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("template", help="a .docx with {{placeholders}}")
    parser.add_argument("data", help="a JSON file with one flat object")
    parser.add_argument("output", help="the .docx to write; must not be the template")
    parser.add_argument(
        "--allow-missing", action="store_true", help="leave placeholders without a value in place"
    )
    options = parser.parse_args(argv)
    if Path(options.template).resolve() == Path(options.output).resolve():
        fail("the output must not be the template itself")
    values = read_data(options.data)
    try:
        import docx
    except ImportError:
        fail("python-docx is missing; install it with: python3 -m pip install python-docx")
    try:
        document = docx.Document(options.template)
    except Exception as error:  # python-docx raises several unrelated types for a file that is no .docx
        fail(f"cannot open {options.template} as .docx: {error}")

    paragraphs = list(all_paragraphs(document))
    wanted = {name for p in paragraphs for name in PLACEHOLDER.findall("".join(run.text for run in p.runs))}
    missing = sorted(wanted - values.keys())
    if missing and not options.allow_missing:
        fail(
            f"no value for: {', '.join(missing)} (add them to {options.data}, or pass --allow-missing)",
            code=3,
        )
    count = sum(fill_paragraph(p, values) for p in paragraphs)
    unused = sorted(values.keys() - wanted)
    if unused:
        print(f"docx_fill: no placeholder uses: {', '.join(unused)}", file=sys.stderr)
    document.save(options.output)
    print(
        f"{options.output}: {count} placeholders filled"
        + (f", left: {', '.join(missing)}" if missing else "")
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
