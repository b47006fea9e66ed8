#!/usr/bin/env python3
"""Print the facts of a Word document, or its text in reading order.

Exit codes: 0 all well, 2 the file cannot be read or python-docx is missing.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_.-]{0,80})\s*\}\}")


def fail(message: str) -> None:
    print(f"docx_inspect: {message}", file=sys.stderr)
    raise SystemExit(2)


def open_document(path: str) -> Any:
    try:
        import docx
    except ImportError:
        fail("python-docx is missing; install it with: python3 -m pip install python-docx")
    try:
        return docx.Document(path)
    except Exception as error:  # python-docx raises several unrelated types for a file that is no .docx
        fail(f"cannot open {path} as .docx ({error}); is it an old .doc, or encrypted?")


def visible_text(element: Any) -> str:
    """The text of one paragraph with insertions accepted and deletions (w:delText) left out."""
    from docx.oxml.ns import qn

    parts = []
    for node in element.iter(qn("w:t"), qn("w:tab"), qn("w:br")):
        if node.tag == qn("w:t"):
            parts.append(node.text or "")
        elif node.tag == qn("w:br"):
            parts.append("\n")
        elif node.getparent().tag == qn("w:r"):  # not the tab stops of the paragraph's properties
            parts.append("\t")
    return "".join(parts)


def blocks(container: Any) -> Iterator[tuple[str, Any]]:
    """Paragraphs and tables of a body, cell, header or footer in their real order."""
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    for block in container.iter_inner_content():
        if isinstance(block, Paragraph):
            yield "paragraph", block
        elif isinstance(block, Table):
            yield "table", block


def table_rows(table: Any) -> list[list[str]]:
    rows = []
    for row in table.rows:
        seen: list[Any] = []
        cells = []
        for cell in row.cells:
            if any(cell._tc is other for other in seen):  # a merged cell is listed once per column
                continue
            seen.append(cell._tc)
            cells.append(" ".join(" ".join(visible_text(p._p) for p in cell.paragraphs).split()))
        rows.append(cells)
    return rows


def all_lines(document: Any) -> Iterator[str]:
    for kind, block in blocks(document):
        if kind == "paragraph":
            yield visible_text(block._p)
        else:
            for row in table_rows(block):
                yield " | ".join(row)


def margin_lines(document: Any) -> Iterator[str]:
    """Text of headers and footers, each definition once."""
    for section in document.sections:
        for part in (section.header, section.footer):
            if not part.is_linked_to_previous:
                for kind, block in blocks(part):
                    rows = [[visible_text(block._p)]] if kind == "paragraph" else table_rows(block)
                    for row in rows:
                        if any(row):
                            yield " | ".join(row)


def facts(document: Any, path: str) -> dict[str, Any]:
    from docx.oxml.ns import qn

    body = document.element.body
    headings = []
    tables = []
    words = 0
    for kind, block in blocks(document):
        if kind == "table":
            rows = table_rows(block)
            tables.append(
                {
                    "rows": len(rows),
                    "columns": max((len(r) for r in rows), default=0),
                    "first_row": rows[0] if rows else [],
                }
            )
            words += sum(len(cell.split()) for row in rows for cell in row)
            continue
        text = visible_text(block._p)
        words += len(text.split())
        match = (
            re.fullmatch(r"(?:Heading|heading) (\d)", block.style.name or "")
            if block.style is not None
            else None
        )
        if match and text.strip():
            headings.append({"level": int(match.group(1)), "text": text.strip()})
    comments = []
    for comment in getattr(document, "comments", None) or ():
        comments.append({"author": comment.author, "text": comment.text})
    placeholders = sorted(
        {
            name
            for line in [*all_lines(document), *margin_lines(document)]
            for name in PLACEHOLDER.findall(line)
        }
    )
    properties = document.core_properties
    return {
        "file": path,
        "title": properties.title or "",
        "author": properties.author or "",
        "sections": len(document.sections),
        "words": words,
        "headings": headings,
        "tables": tables,
        "pictures": len(document.inline_shapes),
        "comments": comments,
        "insertions": sum(1 for _ in body.iter(qn("w:ins"))),
        "deletions": sum(1 for _ in body.iter(qn("w:del"))),
        "text_boxes": sum(1 for _ in body.iter(qn("w:txbxContent"))),
        "placeholders": placeholders,
    }


def print_facts(found: dict[str, Any]) -> None:
    for key in (
        "file",
        "title",
        "author",
        "sections",
        "words",
        "pictures",
        "insertions",
        "deletions",
        "text_boxes",
    ):
        print(f"{key.replace('_', ' ')}: {found[key]}")
    print(f"headings: {len(found['headings'])}")
    last = 0
    for heading in found["headings"]:
        jump = "   <- level jumps" if heading["level"] > last + 1 else ""
        print(f"  {'  ' * (heading['level'] - 1)}{heading['level']} {heading['text']}{jump}")
        last = heading["level"]
    print(f"tables: {len(found['tables'])}")
    for number, table in enumerate(found["tables"], start=1):
        print(
            f"  {number}: {table['rows']} rows x {table['columns']} columns, first row: {' | '.join(table['first_row'])}"
        )
    print(f"comments: {len(found['comments'])}")
    for comment in found["comments"]:
        print(f"  {comment['author']}: {comment['text']}")
    print(f"placeholders: {', '.join(found['placeholders']) or 'none'}")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="a .docx file")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--text", action="store_true", help="print the text in reading order, tables as rows")
    shape.add_argument("--json", action="store_true", help="print the facts as JSON")
    options = parser.parse_args(argv)
    document = open_document(options.file)
    if options.text:
        for line in all_lines(document):
            print(line)
        for line in margin_lines(document):
            print(f"[header/footer] {line}")
        return 0
    found = facts(document, options.file)
    if options.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        print_facts(found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
