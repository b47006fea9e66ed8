#!/usr/bin/env python3
"""Describe a workbook, or print the cells of a range.

Exit codes: 0 all well, 2 the file cannot be read or openpyxl is missing, 3 there is no such sheet or range.
"""

from __future__ import annotations

import argparse
import sys
import zipfile
from typing import Any

LOST_ON_SAVE = (
    ("xl/vbaProject.bin", "macros (load with keep_vba=True)"),
    ("xl/pivotTables/", "pivot tables (partly)"),
    ("xl/slicers/", "slicers"),
    ("xl/externalLinks/", "links to other workbooks (kept, but not refreshed)"),
    ("xl/threadedComments/", "threaded comments"),
    ("xl/drawings/", "shapes and text boxes (pictures and charts are re-written)"),
)


def fail(message: str, code: int = 2) -> None:
    print(f"xlsx_inspect: {message}", file=sys.stderr)
    raise SystemExit(code)


def open_book(path: str, values: bool) -> Any:
    try:
        import openpyxl
    except ImportError:
        fail("openpyxl is missing; install it with: python3 -m pip install openpyxl")
    try:
        return openpyxl.load_workbook(path, data_only=values)
    except Exception as error:  # openpyxl lets errors of zipfile, xml and its own through
        fail(f"cannot open {path} as .xlsx ({error}); is it an old .xls, a CSV, or encrypted?")


def shown(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split())


def header_row(sheet: Any) -> int | None:
    """The first row in which at least half of the used columns hold text and none is empty in between."""
    for row in sheet.iter_rows(min_row=1, max_row=min(sheet.max_row, 20)):
        filled = [cell for cell in row if cell.value is not None]
        if (
            len(filled) >= 2
            and all(isinstance(cell.value, str) for cell in filled)
            and len(filled) * 2 >= len(row)
        ):
            return int(row[0].row)
    return None


def describe(book: Any, path: str) -> None:
    print(f"file: {path}")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    for prefix, label in LOST_ON_SAVE:
        if any(name.startswith(prefix) for name in names):
            print(f"careful when saving with openpyxl: {label}")
    for name, defined in book.defined_names.items():
        print(f"name: {name} = {defined.attr_text}")
    for sheet in book.worksheets:
        formulas = 0
        filled = 0
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is not None:
                    filled += 1
                    formulas += cell.data_type == "f"
        state = "" if sheet.sheet_state == "visible" else f" [{sheet.sheet_state}]"
        print(f"\nsheet: {sheet.title}{state}")
        print(f"  used range: {sheet.dimensions}, {filled} filled cells, {formulas} formulas")
        row = header_row(sheet)
        if row is not None:
            print(f"  header row {row}: " + " | ".join(shown(cell.value) for cell in sheet[row]))
        for label, items in (
            ("merged", [str(r) for r in sheet.merged_cells.ranges]),
            ("tables", [f"{t.name} {t.ref}" for t in sheet.tables.values()]),
            ("hidden columns", [k for k, d in sheet.column_dimensions.items() if d.hidden]),
            ("hidden rows", [str(k) for k, d in sheet.row_dimensions.items() if d.hidden]),
        ):
            if items:
                more = f" and {len(items) - 12} more" if len(items) > 12 else ""
                print(f"  {label}: {', '.join(items[:12])}{more}")
        if sheet.protection.sheet:
            print("  protected")


def print_range(book: Any, options: argparse.Namespace) -> None:
    name = options.sheet or book.sheetnames[0]
    if name not in book.sheetnames:
        fail(f"no sheet {name!r}; there are: {', '.join(book.sheetnames)}", code=3)
    sheet = book[name]
    try:
        cells = sheet[options.range or sheet.dimensions]
    except (ValueError, AttributeError):
        fail(f"cannot read the range {options.range!r}; write it like A1:D20", code=3)
    if not isinstance(cells, tuple):
        cells = ((cells,),)
    elif cells and not isinstance(cells[0], tuple):
        cells = (cells,)
    for row in cells:
        print(f"{row[0].coordinate}\t" + "\t".join(shown(cell.value) for cell in row))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="an .xlsx or .xlsm file")
    parser.add_argument("--sheet", help="print cells of this sheet (default with --range: the first)")
    parser.add_argument("--range", help="for example A1:D20 (default: the used range)")
    parser.add_argument("--formulas", action="store_true", help="print formulas instead of stored values")
    options = parser.parse_args(argv)
    wants_cells = bool(options.sheet or options.range)
    book = open_book(options.file, values=wants_cells and not options.formulas)
    if wants_cells:
        print_range(book, options)
    else:
        describe(book, options.file)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
