#!/usr/bin/env python3
"""Clean a CSV by a recipe, with a log of every changed cell and a file of rejected rows.

Exit codes: 0 done, 2 a file cannot be read or written, 3 the recipe has a mistake.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import re
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any, Callable

Convert = Callable[[str], "str | None"]
ALLOWED: dict[str, tuple[str, ...]] = {
    "trim": (),
    "empty": ("values",),
    "case": ("to",),
    "width": (),
    "map": ("values",),
    "replace": ("find", "with"),
    "number": ("decimal",),
    "date": ("formats",),
    "require": (),
    "duplicates": (),
}
ROW_STEPS = ("require", "duplicates")
DECORATION = re.compile(r"[\s\u00a0\u202f$€£¥￥']")


class RecipeError(Exception):
    """A mistake in the recipe; the message names the step."""


def texts(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        raise RecipeError(f"{where} must be a list of texts")
    return value


def collapse(text: str) -> str:
    return " ".join(text.replace("\u3000", " ").replace("\u00a0", " ").split())


def to_number(text: str, decimal: str) -> str | None:
    if not text.strip():
        return text
    other = "," if decimal == "." else "."
    plain = DECORATION.sub("", text)
    negative = plain.startswith("(") and plain.endswith(")")
    plain = plain.strip("()")
    whole, point, part = plain.partition(decimal)
    if other in whole and not re.fullmatch(rf"[-+]?[0-9]{{1,3}}(?:{re.escape(other)}[0-9]{{3}})+", whole):
        return None
    whole = whole.replace(other, "")
    if not re.fullmatch(r"[-+]?[0-9]{1,30}", whole) or (point and not re.fullmatch(r"[0-9]{1,20}", part)):
        return None
    return ("-" if negative else "") + whole.lstrip("+") + (f".{part}" if point else "")


def to_date(text: str, formats: list[str]) -> str | None:
    if not text.strip():
        return text
    for form in (*formats, "%Y-%m-%d"):
        try:
            return datetime.datetime.strptime(text.strip(), form).date().isoformat()
        except ValueError:
            continue
    return None


def converter(step: dict[str, Any], where: str) -> Convert:
    """The function of a cell step: new text, or None where the cell cannot be converted."""
    kind = step["do"]
    if kind == "trim":
        return collapse
    if kind == "width":
        return lambda text: unicodedata.normalize("NFKC", text)
    if kind == "empty":
        gone = {value.casefold() for value in texts(step.get("values"), f"{where}: values")}
        return lambda text: "" if text.strip().casefold() in gone else text
    if kind == "case":
        change = {"lower": str.lower, "upper": str.upper, "title": str.title}.get(str(step.get("to")))
        if change is None:
            raise RecipeError(f"{where}: to must be lower, upper or title")
        return change
    if kind == "map":
        table = step.get("values")
        if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
            raise RecipeError(f"{where}: values must be an object of texts")
        return lambda text: table.get(text, text)
    if kind == "replace":
        find, put = step.get("find"), step.get("with")
        if not isinstance(find, str) or not find or not isinstance(put, str):
            raise RecipeError(f"{where}: find and with must be texts, and find must not be empty")
        return lambda text: text.replace(find, put)
    if kind == "number":
        decimal = step.get("decimal")
        if decimal not in (".", ","):
            raise RecipeError(f'{where}: decimal must be "." or ","')
        return lambda text: to_number(text, decimal)
    formats = texts(step.get("formats"), f"{where}: formats")
    orders = {
        re.sub(r"[^dm]", "", form.replace("%Y", "").replace("%y", ""))[:2]
        for form in formats
        if re.match(r"%[dm]/%[dm]", form)
    }
    if len(orders) > 1:
        raise RecipeError(f"{where}: day-first and month-first formats in one step cannot be told apart")
    return lambda text: to_date(text, formats)


def read_recipe(path: str, header: list[str]) -> list[tuple[dict[str, Any], list[int], Convert | None]]:
    try:
        recipe = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise RecipeError(f"not JSON: {error}") from error
    if (
        not isinstance(recipe, dict)
        or not isinstance(recipe.get("steps"), list)
        or not recipe["steps"]
        or len(recipe) > 1
    ):
        raise RecipeError('must be an object with one key, a list "steps"')
    plan = []
    for number, step in enumerate(recipe["steps"], start=1):
        where = f"step {number}"
        if not isinstance(step, dict) or step.get("do") not in ALLOWED:
            raise RecipeError(f"{where}: do must be one of {', '.join(ALLOWED)}")
        unknown = sorted(set(step) - {"do", "columns", *ALLOWED[step["do"]]})
        if unknown:
            raise RecipeError(f"{where}: {step['do']} knows no {', '.join(unknown)}")
        columns = texts(step.get("columns"), f"{where}: columns")
        missing = [name for name in columns if name != "*" and name not in header]
        if missing:
            raise RecipeError(f"{where}: no column {', '.join(missing)}; there are {', '.join(header)}")
        indexes = list(range(len(header))) if "*" in columns else [header.index(name) for name in columns]
        plan.append((step, indexes, None if step["do"] in ROW_STEPS else converter(step, where)))
    return plan


def clean(
    header: list[str], rows: list[list[str]], plan: list[tuple[dict[str, Any], list[int], Convert | None]]
) -> tuple[list[list[str]], list[list[str]], list[list[str]], list[tuple[str, Counter[str]]]]:
    """Clean rows, rejected rows with number and reason, log lines, and counts for each step."""
    kept = [(number, list(row)) for number, row in enumerate(rows, start=2)]
    rejected: list[list[str]] = []
    log: list[list[str]] = []
    counts: list[tuple[str, Counter[str]]] = []
    for step_number, (step, indexes, convert) in enumerate(plan, start=1):
        count: Counter[str] = Counter()
        label = f"{step_number} {step['do']}"
        counts.append((label, count))
        staying = []
        seen: dict[tuple[str, ...], int] = {}
        for number, row in kept:
            if convert is not None:
                for index in indexes:
                    after = convert(row[index])
                    if after is None:
                        count["failed"] += 1
                        log.append([label, str(number), header[index], row[index], "", "failed"])
                    elif after != row[index]:
                        count["changed"] += 1
                        log.append([label, str(number), header[index], row[index], after, "changed"])
                        row[index] = after
                staying.append((number, row))
                continue
            if step["do"] == "require":
                empty = [header[index] for index in indexes if not row[index].strip()]
                reason = f"empty: {', '.join(empty)}" if empty else ""
            else:
                key = tuple(row[index] for index in indexes)
                first = seen.setdefault(key, number)
                reason = (
                    f"same {', '.join(header[index] for index in indexes)} as row {first}"
                    if first != number and any(key)
                    else ""
                )
            if reason:
                count["rejected"] += 1
                rejected.append([str(number), f"{label}: {reason}", *row])
            else:
                staying.append((number, row))
        kept = staying
    return [row for _, row in kept], rejected, log, counts


def write_csv(path: str, header: list[str], rows: list[list[str]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", help="the CSV to clean; it is never changed")
    parser.add_argument("recipe", help="the recipe, JSON")
    parser.add_argument("--out", required=True, help="the clean CSV")
    parser.add_argument("--log", required=True, help="CSV with one line for each changed or failed cell")
    parser.add_argument("--rejects", required=True, help="CSV with the rows that were taken out, and why")
    parser.add_argument("--delimiter", default=",", help="of the input (default: comma)")
    parser.add_argument("--encoding", default="utf-8-sig", help="of the input (default: UTF-8)")
    parser.add_argument("--dry-run", action="store_true", help="print the counts, write nothing")
    options = parser.parse_args(argv)
    outputs = [Path(name).resolve() for name in (options.out, options.log, options.rejects)]
    inputs = {Path(options.table).resolve(), Path(options.recipe).resolve()}
    if len({*outputs, *inputs}) != 5:
        print(
            "clean_table: table, recipe and the three outputs must be five different files", file=sys.stderr
        )
        return 2
    try:
        with open(options.table, encoding=options.encoding, newline="") as stream:
            table = [row for row in csv.reader(stream, delimiter=options.delimiter) if row]
        if not table:
            print(f"clean_table: {options.table} is empty", file=sys.stderr)
            return 2
        header, rows = table[0], table[1:]
        uneven = [number for number, row in enumerate(rows, start=2) if len(row) != len(header)]
        if uneven:
            print(
                f"clean_table: row {uneven[0]} has {len(rows[uneven[0] - 2])} cells, the header has {len(header)}",
                file=sys.stderr,
            )
            return 2
        plan = read_recipe(options.recipe, header)
        clean_rows, rejected, log, counts = clean(header, rows, plan)
        if len(rows) != len(clean_rows) + len(rejected):
            raise AssertionError("rows were lost")
        if not options.dry_run:
            write_csv(options.out, header, clean_rows)
            write_csv(options.log, ["step", "row", "column", "before", "after", "result"], log)
            write_csv(options.rejects, ["row", "reason", *header], rejected)
    except RecipeError as error:
        print(f"clean_table: {options.recipe}: {error}", file=sys.stderr)
        return 3
    except (OSError, UnicodeDecodeError, LookupError, csv.Error, TypeError) as error:
        print(f"clean_table: {error}", file=sys.stderr)
        return 2
    for label, count in counts:
        print(f"{label}: " + (", ".join(f"{count[name]} {name}" for name in sorted(count)) or "nothing"))
    print(
        f"rows: {len(rows)} in, {len(clean_rows)} out, {len(rejected)} rejected"
        + (" (dry run)" if options.dry_run else "")
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
