#!/usr/bin/env python3
"""Look for mistakes in a workbook: error values, broken references, numbers kept as text, broken formula columns.

The file itself is never changed. With --recalc a copy is recomputed by LibreOffice first.
Exit codes: 0 nothing found, 1 findings, 2 the file cannot be read or a program is missing.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ERRORS = ("#REF!", "#DIV/0!", "#NAME?", "#VALUE!", "#N/A", "#NUM!", "#NULL!")
SHEET_NAME = re.compile(r"(?:'((?:[^']|''){1,64})'|([A-Za-z_][\w.]{0,63}))!")
CELL = re.compile(r"(\$?)([A-Z]{1,3})(\$?)([0-9]{1,7})(?![0-9(])")
NUMBER_AS_TEXT = re.compile(r"\s*-?[0-9]{1,15}(?:[.,][0-9]{1,10})?\s*")


def fail(message: str) -> None:
    print(f"xlsx_check: {message}", file=sys.stderr)
    raise SystemExit(2)


def open_book(path: Path, values: bool) -> Any:
    try:
        import openpyxl
    except ImportError:
        fail("openpyxl is missing; install it with: python3 -m pip install openpyxl")
    try:
        return openpyxl.load_workbook(path, data_only=values)
    except Exception as error:  # openpyxl lets errors of zipfile, xml and its own through
        fail(f"cannot open {path} as .xlsx: {error}")


def recalculate(path: Path, folder: Path) -> Path:
    """A recomputed copy of the workbook in ``folder``, made with a LibreOffice profile of its own."""
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        fail("--recalc needs LibreOffice (soffice), which is not on the PATH")
    profile = (folder / "profile").resolve().as_uri()
    command = [
        program,
        f"-env:UserInstallation={profile}",
        "--headless",
        "--calc",
        "--convert-to",
        "xlsx:Calc MS Excel 2007 XML",
        "--outdir",
        str(folder),
        str(path),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    except subprocess.TimeoutExpired:
        fail("LibreOffice did not finish within 180 seconds")
    result = folder / f"{path.stem}.xlsx"
    if not result.is_file():
        fail(f"LibreOffice wrote nothing: {(done.stderr or done.stdout).strip()[:300]}")
    return result


def formula_text(value: Any) -> str:
    return str(getattr(value, "text", value) or "")


def without_texts(formula: str) -> str:
    return re.sub(r'"[^"]*"', '""', formula)


def relative_shape(formula: str, row: int) -> str:
    """The formula with row numbers written as distances, so that copies of one formula look alike."""

    def distance(match: re.Match[str]) -> str:
        absolute, column, fixed, number = match.groups()
        return f"{absolute}{column}{fixed}{number if fixed else f'[{int(number) - row:+d}]'}"

    return CELL.sub(distance, without_texts(formula))


def check_formulas(book: Any) -> Iterator[str]:
    names = {name.lower() for name in book.sheetnames}
    for sheet in book.worksheets:
        columns: dict[str, dict[int, str]] = {}
        for row in sheet.iter_rows():
            for cell in row:
                where = f"{sheet.title}!{cell.coordinate}"
                if cell.data_type == "f":
                    formula = formula_text(cell.value)
                    plain = without_texts(formula)
                    if "#REF!" in plain:
                        yield f"{where}: the formula refers to a deleted cell: {formula}"
                    for quoted, bare in SHEET_NAME.findall(plain):
                        name = quoted.replace("''", "'") or bare
                        if "[" not in name and ":" not in name and name.lower() not in names:
                            yield f"{where}: no sheet named {name!r}: {formula}"
                    columns.setdefault(cell.column_letter, {})[cell.row] = relative_shape(formula, cell.row)
                elif isinstance(cell.value, str) and NUMBER_AS_TEXT.fullmatch(cell.value):
                    if not re.match(r"\s*0[0-9]", cell.value):  # a leading zero says: an identifier
                        yield f"{where}: a number kept as text: {cell.value!r}"
        for letter, shapes in columns.items():
            for row, shape in shapes.items():
                above, below = shapes.get(row - 1), shapes.get(row + 1)
                if above is not None and above == below != shape:
                    yield f"{sheet.title}!{letter}{row}: the formula differs from the ones above and below"


def check_values(book: Any) -> Iterator[str]:
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, str) and cell.value in ERRORS:
                    yield f"{sheet.title}!{cell.coordinate}: {cell.value}"


def count_unknown(formulas: Any, values: Any) -> int:
    """Formulas whose value no program has computed yet."""
    return sum(
        1
        for sheet in formulas.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f" and values[sheet.title][cell.coordinate].value is None
    )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="an .xlsx or .xlsm file")
    parser.add_argument(
        "--recalc", action="store_true", help="recompute a copy with LibreOffice before looking at values"
    )
    parser.add_argument(
        "--save-recalculated", metavar="OUT", help="keep the recomputed copy here (implies --recalc)"
    )
    options = parser.parse_args(argv)
    path = Path(options.file)
    formulas = open_book(path, values=False)
    findings = list(check_formulas(formulas))
    with tempfile.TemporaryDirectory() as scratch:
        computed = path
        if options.recalc or options.save_recalculated:
            computed = recalculate(path, Path(scratch))
        values = open_book(computed, values=True)
        findings.extend(check_values(values))
        unknown = count_unknown(formulas, values)
        if options.save_recalculated:
            if Path(options.save_recalculated).resolve() == path.resolve():
                fail("--save-recalculated must not name the file itself")
            shutil.copyfile(computed, options.save_recalculated)
    for line in findings:
        print(line)
    if unknown:
        print(f"note: {unknown} formulas have no stored value yet; use --recalc to see their results")
    print(f"{path}: {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
