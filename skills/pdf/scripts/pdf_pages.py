#!/usr/bin/env python3
"""Facts, text and page work on PDF files: info, text, merge, extract, split, rotate.

Exit codes: 0 all well, 2 a file cannot be read or written or pypdf is missing, 3 a page range is impossible.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

SCANNED_BELOW = 20  # characters on a page; running heads alone usually give more


def fail(message: str, code: int = 2) -> None:
    print(f"pdf_pages: {message}", file=sys.stderr)
    raise SystemExit(code)


def library() -> Any:
    try:
        import pypdf
    except ImportError:
        fail("pypdf is missing; install it with: python3 -m pip install pypdf")
    return pypdf


def open_pdf(path: str, password: str | None) -> Any:
    pypdf = library()
    try:
        reader = pypdf.PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(password or ""):
            fail(f"{path} is encrypted; pass the right --password")
        len(reader.pages)
    except OSError as error:
        fail(f"cannot read {path}: {error}")
    except pypdf.errors.PyPdfError as error:
        fail(f"{path} is no readable PDF: {error}")
    return reader


def parse_pages(text: str | None, count: int) -> list[int]:
    """Zero-based page indexes of a range such as ``1-3,5,8-``."""
    if not text:
        return list(range(count))
    chosen = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        try:
            low = int(first)
            high = (int(last) if last else count) if dash else low
        except ValueError:
            fail(f"cannot read the page range {part!r}; write it like 1-3,5,8-", code=3)
        if not 1 <= low <= high <= count:
            fail(f"page range {part.strip()!r} does not fit a file of {count} pages", code=3)
        chosen.extend(range(low - 1, high))
    return chosen


def target(path: str, force: bool) -> Path:
    out = Path(path)
    if out.exists() and not force:
        fail(f"{path} exists; choose another name or pass --force")
    return out


def save(writer: Any, path: str, force: bool) -> None:
    out = target(path, force)
    try:
        with open(out, "wb") as stream:
            writer.write(stream)
    except OSError as error:
        fail(f"cannot write {path}: {error}")
    print(f"{out}: {len(writer.pages)} pages")


def info(options: argparse.Namespace) -> None:
    reader = open_pdf(options.file, options.password)
    print(f"file: {options.file}")
    print(f"pages: {len(reader.pages)}")
    print(f"encrypted: {'yes' if reader.is_encrypted else 'no'}")
    for label, value in (("title", "title"), ("author", "author"), ("producer", "producer")):
        text = getattr(reader.metadata, value, None) if reader.metadata else None
        print(f"{label}: {text or ''}")
    print(f"form fields: {len(reader.get_fields() or {})}")
    sizes: dict[str, list[int]] = {}
    scanned = []
    for number, page in enumerate(reader.pages, start=1):
        box = page.mediabox
        sizes.setdefault(f"{float(box.width):.0f} x {float(box.height):.0f} points", []).append(number)
        if len((page.extract_text() or "").strip()) < SCANNED_BELOW:
            scanned.append(number)
    for size, pages in sizes.items():
        print(f"size: {size} on {len(pages)} pages")
    print(f"probably scanned or empty pages: {', '.join(map(str, scanned)) or 'none'}")


def text(options: argparse.Namespace) -> None:
    reader = open_pdf(options.file, options.password)
    for index in parse_pages(options.pages, len(reader.pages)):
        print(f"--- page {index + 1}")
        print((reader.pages[index].extract_text() or "").rstrip())


def merge(options: argparse.Namespace) -> None:
    writer = library().PdfWriter()
    for path in options.files:
        writer.append(open_pdf(path, options.password))
    save(writer, options.out, options.force)


def extract(options: argparse.Namespace) -> None:
    reader = open_pdf(options.file, options.password)
    writer = library().PdfWriter()
    writer.append(reader, pages=parse_pages(options.pages, len(reader.pages)))
    save(writer, options.out, options.force)


def split(options: argparse.Namespace) -> None:
    reader = open_pdf(options.file, options.password)
    folder = Path(options.out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    width = len(str(len(reader.pages)))
    for index in range(len(reader.pages)):
        writer = library().PdfWriter()
        writer.append(reader, pages=[index])
        save(writer, str(folder / f"{Path(options.file).stem}-{index + 1:0{width}}.pdf"), options.force)


def rotate(options: argparse.Namespace) -> None:
    reader = open_pdf(options.file, options.password)
    chosen = set(parse_pages(options.pages, len(reader.pages)))
    writer = library().PdfWriter()
    writer.append(reader)
    for index, page in enumerate(writer.pages):
        if index in chosen:
            page.rotate(options.degrees)
    save(writer, options.out, options.force)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(
        name: str, run: Any, summary: str, pages: bool = False, out: bool = False
    ) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=summary, description=summary)
        sub.set_defaults(run=run)
        sub.add_argument("--password", help="password of encrypted input")
        if name != "merge":
            sub.add_argument("file", help="a PDF file")
        if pages:
            sub.add_argument("--pages", help="for example 1-3,5,8- (default: all)")
        if out:
            sub.add_argument("--out", required=True, help="the PDF to write")
        if out or name == "split":
            sub.add_argument("--force", action="store_true", help="write over an existing file")
        return sub

    command("info", info, "pages, sizes, encryption, fields, scanned pages")
    command("text", text, "text page by page", pages=True)
    command("merge", merge, "join files in the given order", out=True).add_argument(
        "files", nargs="+", help="PDF files"
    )
    command("extract", extract, "write chosen pages, in the given order", pages=True, out=True)
    command("split", split, "one file a page").add_argument(
        "--out-dir", required=True, help="folder to write to"
    )
    command("rotate", rotate, "turn pages clockwise", pages=True, out=True).add_argument(
        "--degrees", type=int, choices=(90, 180, 270), required=True, help="clockwise"
    )
    options = parser.parse_args(argv)
    options.run(options)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
