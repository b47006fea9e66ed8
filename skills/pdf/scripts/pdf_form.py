#!/usr/bin/env python3
"""List and fill the form fields of a PDF.

Exit codes: 0 all well, 2 a file cannot be read or pypdf is missing, 3 the data does not fit the form (nothing
is written).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

KINDS = {"/Tx": "text", "/Btn": "button", "/Ch": "choice", "/Sig": "signature"}
PUSH_BUTTON = 1 << 16
RADIO = 1 << 15


def fail(message: str, code: int = 2) -> None:
    print(f"pdf_form: {message}", file=sys.stderr)
    raise SystemExit(code)


def open_pdf(path: str) -> Any:
    try:
        import pypdf
    except ImportError:
        fail("pypdf is missing; install it with: python3 -m pip install pypdf")
    try:
        reader = pypdf.PdfReader(path)
        len(reader.pages)
    except OSError as error:
        fail(f"cannot read {path}: {error}")
    except pypdf.errors.PyPdfError as error:
        fail(f"{path} is no readable PDF: {error}")
    return reader


def kind_of(field: Any) -> str:
    flags = int(field.get("/Ff", 0) or 0)
    kind = KINDS.get(str(field.get("/FT", "")), "other")
    if kind == "button":
        return "push button" if flags & PUSH_BUTTON else "radio" if flags & RADIO else "check box"
    return kind


def choices_of(field: Any, kind: str) -> list[str]:
    if kind in ("check box", "radio"):
        return [str(state) for state in field.get("/_States_", [])]
    if kind == "choice":
        options = field.get("/Opt", field.get("/_States_", []))
        return [str(option[0] if isinstance(option, list) else option) for option in options]
    return []


def describe(reader: Any) -> dict[str, dict[str, Any]]:
    """Terminal fields by full name, in the form's order."""
    found = {}
    for name, field in (reader.get_fields() or {}).items():
        if "/FT" not in field:  # an inner node of the field tree
            continue
        kind = kind_of(field)
        value = field.get("/V")
        found[name] = {
            "kind": kind,
            "value": None if value is None else str(value),
            "choices": choices_of(field, kind),
        }
    return found


def list_fields(options: argparse.Namespace) -> int:
    found = describe(open_pdf(options.file))
    if options.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
        return 0
    if not found:
        print("no form fields: a flat page, see the skill for the overlay route")
    for name, field in found.items():
        choices = f"  choices: {', '.join(field['choices'])}" if field["choices"] else ""
        print(f"{name}  [{field['kind']}]  value: {field['value'] or ''}{choices}")
    return 0


def fit_value(name: str, field: dict[str, Any], value: Any) -> tuple[str | None, str | None]:
    """The value as the form wants it, or the reason why it does not fit."""
    kind, choices = field["kind"], field["choices"]
    if kind in ("signature", "push button", "other"):
        return None, f"{name}: a {kind} field is not filled by a script"
    if kind == "check box":
        on = next((c for c in choices if c != "/Off"), "/Yes")
        if isinstance(value, bool):
            return (on if value else "/Off"), None
    text = str(value)
    if choices:
        fitting = [c for c in choices if text in (c, c.lstrip("/"))]
        if not fitting:
            return None, f"{name}: {text!r} is none of {', '.join(choices)}"
        return fitting[0], None
    if isinstance(value, (dict, list)) or value is None:
        return None, f"{name}: the value must be a text, a number or true/false"
    return text, None


def fill(options: argparse.Namespace) -> int:
    reader = open_pdf(options.file)
    if Path(options.file).resolve() == Path(options.output).resolve():
        fail("the output must not be the form itself")
    try:
        data = json.loads(Path(options.data).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        fail(f"cannot read {options.data} as JSON: {error}")
    if not isinstance(data, dict):
        fail(f"{options.data} must hold one JSON object of field names and values")
    known = describe(reader)
    problems = [f"{name}: the form has no such field" for name in data if name not in known]
    values = {}
    for name, value in data.items():
        if name in known:
            fitted, problem = fit_value(name, known[name], value)
            if problem is not None:
                problems.append(problem)
            elif fitted is not None:
                values[name] = fitted
    if problems:
        fail("nothing written:\n  " + "\n  ".join(problems), code=3)

    import pypdf

    writer = pypdf.PdfWriter()
    writer.append(reader)
    writer.set_need_appearances_writer(True)
    for page in writer.pages:
        if "/Annots" in page:
            writer.update_page_form_field_values(page, values, auto_regenerate=False)
    with open(options.output, "wb") as stream:
        writer.write(stream)
    left = [name for name in known if name not in values]
    print(
        f"{options.output}: {len(values)} fields filled" + (f", untouched: {', '.join(left)}" if left else "")
    )
    return 0


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    sub = commands.add_parser("fields", help="list fields, kinds, values and choices")
    sub.add_argument("file", help="a PDF form")
    sub.add_argument("--json", action="store_true", help="print JSON")
    sub.set_defaults(run=list_fields)
    sub = commands.add_parser("fill", help="write a filled copy")
    sub.add_argument("file", help="a PDF form")
    sub.add_argument("data", help="JSON object: field name to value")
    sub.add_argument("output", help="the PDF to write")
    sub.set_defaults(run=fill)
    options = parser.parse_args(argv)
    return int(options.run(options))


if __name__ == "__main__":
    raise SystemExit(main())
