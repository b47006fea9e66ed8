#!/usr/bin/env python3
"""Profile a CSV, TSV or Excel table: kinds, gaps, ranges, common values and warnings for every column.

CSV and TSV need only Python; .xlsx needs openpyxl.
Exit codes: 0 all well, 2 the file cannot be read or openpyxl is missing, 3 no such sheet, or no table in it.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import re
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ENCODINGS = ("utf-8-sig", "gb18030", "cp1252")
MISSING = frozenset(("", "na", "n/a", "nan", "null", "none", "-", "--"))
TRUTH = frozenset(("true", "false", "yes", "no"))
NUMBER = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,12})?(?:[eE][+-]?[0-9]{1,3})?")
DRESSED_NUMBER = re.compile(
    r"[-+(]?\s?[$€£¥￥]?\s?[0-9]{1,3}(?:[, \u00a0'][0-9]{3}){0,5}(?:[.,][0-9]{1,6})?\s?[%$€£¥]?\)?"
)
DATE_FORMS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
)


class ProblemError(Exception):
    """Something the user has to change; ``code`` is the exit code."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


def read_csv(
    path: Path, delimiter: str | None, encoding: str | None
) -> tuple[list[list[Any]], dict[str, str]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ProblemError(f"cannot read {path}: {error}") from error
    for candidate in [encoding] if encoding else ENCODINGS:
        try:
            text = data.decode(candidate)
            break
        except (UnicodeDecodeError, LookupError):
            continue
    else:
        raise ProblemError(f"cannot decode {path}; name its --encoding")
    sample = text[:20_000]
    if delimiter is None:
        delimiter = "\t" if path.suffix.lower() == ".tsv" else guess_delimiter(sample)
    rows = list(csv.reader(text.splitlines(keepends=True), delimiter=delimiter))
    return rows, {"encoding": candidate, "delimiter": delimiter}


def guess_delimiter(sample: str) -> str:
    """The delimiter that gives the most columns in the most equal number over the first lines."""
    best = (0.0, ",")
    lines = sample.splitlines(keepends=True)[:50]
    for candidate in (",", ";", "\t", "|"):
        widths = [len(row) for row in csv.reader(lines, delimiter=candidate) if row]
        if widths:
            common, count = Counter(widths).most_common(1)[0]
            score = (common - 1) * count / len(widths)
            if score > best[0]:
                best = (score, candidate)
    return best[1]


def read_xlsx(path: Path, sheet: str | None) -> tuple[list[list[Any]], dict[str, str]]:
    try:
        import openpyxl
    except ImportError as error:
        raise ProblemError("openpyxl is missing; install it with: python3 -m pip install openpyxl") from error
    try:
        book = openpyxl.load_workbook(path, data_only=True, read_only=True)
    except Exception as error:  # openpyxl lets errors of zipfile, xml and its own through
        raise ProblemError(f"cannot open {path} as .xlsx: {error}") from error
    name = sheet or book.sheetnames[0]
    if name not in book.sheetnames:
        raise ProblemError(f"no sheet {name!r}; there are: {', '.join(book.sheetnames)}", code=3)
    rows = [list(row) for row in book[name].iter_rows(values_only=True)]
    while rows and all(value is None for value in rows[-1]):
        rows.pop()
    return rows, {"sheet": name, "sheets": ", ".join(book.sheetnames)}


def parse_date(text: str) -> datetime.datetime | None:
    if not 8 <= len(text) <= 19 or not text[0].isdigit():
        return None
    for form in DATE_FORMS:
        try:
            return datetime.datetime.strptime(text, form)
        except ValueError:
            continue
    return None


def classify(value: Any) -> tuple[str, Any]:
    """The kind of one cell, and its value as that kind."""
    if value is None:
        return "missing", None
    if isinstance(value, bool):
        return "true/false", value
    if isinstance(value, (int, float)):
        return "number", float(value)
    if isinstance(value, datetime.datetime):
        return "date", value.replace(tzinfo=None)
    if isinstance(value, datetime.date):
        return "date", datetime.datetime(value.year, value.month, value.day)
    text = str(value).strip()
    if text.lower() in MISSING:
        return "missing", None
    if text.lower() in TRUTH:
        return "true/false", text.lower()
    if NUMBER.fullmatch(text) and not re.match(r"-?0[0-9]", text):
        return "number", float(text)
    date = parse_date(text)
    if date is not None:
        return "date", date
    return "text", text


def column_kind(kinds: Counter[str]) -> str:
    present = {kind: count for kind, count in kinds.items() if kind != "missing"}
    if not present:
        return "empty"
    kind, count = max(present.items(), key=lambda item: (item[1], item[0]))
    return kind if count >= 0.95 * sum(present.values()) else "mixed"


def profile_column(name: str, cells: list[Any]) -> dict[str, Any]:
    parsed = [classify(cell) for cell in cells]
    kinds = Counter(kind for kind, _ in parsed)
    kind = column_kind(kinds)
    shown = [str(cell).strip() for cell, (cell_kind, _) in zip(cells, parsed) if cell_kind != "missing"]
    distinct = Counter(shown)
    found: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "missing": kinds["missing"],
        "distinct": len(distinct),
        "common": [
            [value, count] for value, count in sorted(distinct.items(), key=lambda i: (-i[1], i[0]))[:3]
        ],
        "warnings": [],
    }
    warn = found["warnings"]
    numbers = [value for cell_kind, value in parsed if cell_kind == "number"]
    dates = [value for cell_kind, value in parsed if cell_kind == "date"]
    if kind == "number" and numbers:
        found.update(
            min=min(numbers),
            max=max(numbers),
            sum=round(sum(numbers), 6),
            mean=round(statistics.fmean(numbers), 6),
            median=statistics.median(numbers),
        )
        if len(numbers) >= 8:
            low, _, high = statistics.quantiles(numbers, n=4)
            reach = 3 * (high - low)
            far = [n for n in numbers if reach and not low - reach <= n <= high + reach]
            if far:
                warn.append(f"{len(far)} values far outside the rest, such as {far[0]:g}")
    if kind == "date" and dates:
        found.update(min=min(dates).isoformat(sep=" "), max=max(dates).isoformat(sep=" "))
        slashed = [text for text in shown if re.match(r"[0-9]{1,2}/[0-9]{1,2}/", text)]
        if slashed and all(int(part) <= 12 for text in slashed for part in text.split("/")[:2]):
            warn.append("day and month cannot be told apart; ask which comes first")
    if kind == "mixed":
        warn.append(
            "mixed kinds: " + ", ".join(f"{k} {c}" for k, c in sorted(kinds.items()) if k != "missing")
        )
    dressed = sum(
        1
        for cell_kind, value in parsed
        if cell_kind == "text"
        and DRESSED_NUMBER.fullmatch(str(value))
        and not re.match(r"0[0-9]", str(value))
    )
    if dressed:
        warn.append(f"{dressed} numbers kept as text (separators, currency or percent signs)")
    stray = sum(1 for cell in cells if isinstance(cell, str) and cell != cell.strip() and cell.strip())
    if stray:
        warn.append(f"{stray} cells with spaces around the text")
    folded = Counter(text.casefold() for text in distinct)
    doubles = sum(1 for count in folded.values() if count > 1)
    if kind == "text" and doubles:
        warn.append(f"{doubles} values differ only in capital letters")
    if kinds["missing"] and kinds["missing"] > len(cells) / 2:
        warn.append("more than half of the cells are missing")
    return found


def profile(rows: list[list[Any]], header_row: int) -> dict[str, Any]:
    if not 1 <= header_row <= len(rows):
        raise ProblemError(f"there is no row {header_row}; the table has {len(rows)} rows", code=3)
    header = ["" if cell is None else str(cell).strip() for cell in rows[header_row - 1]]
    if not any(header):
        raise ProblemError(f"row {header_row} is empty; name the right --header-row", code=3)
    body = [row for row in rows[header_row:] if any(cell not in (None, "") for cell in row)]
    warnings = []
    ragged = [row for row in body if len(row) > len(header)]
    if ragged:
        warnings.append(f"{len(ragged)} rows have more cells than the header; is the delimiter right?")
    names = Counter(header)
    for name, count in names.items():
        if not name:
            warnings.append(f"{count} columns without a name")
        elif count > 1:
            warnings.append(f"the column name {name!r} occurs {count} times")
    doubles = sum(count - 1 for count in Counter(tuple(map(str, row)) for row in body).values())
    if doubles:
        warnings.append(f"{doubles} rows are exact copies of another row")
    for position, row in enumerate(body, start=1):
        first = next((str(cell).strip().lower() for cell in row if cell not in (None, "")), "")
        if re.match(r"(?:grand |sub)?total\b|sum\b|合计|总计|小计", first):
            warnings.append(f"data row {position} looks like a total: it would be counted twice")
    columns = []
    for position, name in enumerate(header):
        cells = [row[position] if position < len(row) else None for row in body]
        columns.append(profile_column(name or f"(column {position + 1})", cells))
    return {"rows": len(body), "columns": columns, "warnings": warnings}


def print_profile(found: dict[str, Any]) -> None:
    for key, value in found["source"].items():
        print(f"{key}: {value!r}" if key == "delimiter" else f"{key}: {value}")
    print(f"rows: {found['rows']}, columns: {len(found['columns'])}")
    for warning in found["warnings"]:
        print(f"warning: {warning}")
    for column in found["columns"]:
        print(
            f"\n{column['name']}  [{column['kind']}]  missing {column['missing']}, distinct {column['distinct']}"
        )
        if "sum" in column:
            print(
                "  "
                + ", ".join(f"{key} {column[key]:g}" for key in ("min", "median", "mean", "max"))
                + f", sum {column['sum']}"
            )
        elif "min" in column:
            print(f"  from {column['min']} to {column['max']}")
        if column["common"]:
            print("  common: " + ", ".join(f"{value[:40]!r} x{count}" for value, count in column["common"]))
        for warning in column["warnings"]:
            print(f"  warning: {warning}")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="a .csv, .tsv, .txt, .xlsx or .xlsm file")
    parser.add_argument("--sheet", help="sheet of a workbook (default: the first)")
    parser.add_argument(
        "--header-row", type=int, default=1, help="row that holds the column names (default: 1)"
    )
    parser.add_argument("--delimiter", help="one character (default: guessed)")
    parser.add_argument("--encoding", help="such as utf-8 or gb18030 (default: guessed)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(argv)
    path = Path(options.file)
    try:
        if path.suffix.lower() in (".xlsx", ".xlsm"):
            rows, source = read_xlsx(path, options.sheet)
        else:
            rows, source = read_csv(path, options.delimiter, options.encoding)
        found = {"source": {"file": str(path), **source}, **profile(rows, options.header_row)}
    except ProblemError as problem:
        print(f"profile_table: {problem}", file=sys.stderr)
        return problem.code
    except (csv.Error, TypeError) as error:  # a NUL byte, or a delimiter of two characters
        print(f"profile_table: cannot read {path} as a table: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        print_profile(found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
