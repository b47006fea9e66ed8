#!/usr/bin/env python3
"""Print what a deck says, as text or as an outline, or check it for common layout mistakes.

Exit codes: 0 all well, 1 --check found something, 2 the file cannot be read or python-pptx is missing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any


def fail(message: str) -> None:
    print(f"pptx_dump: {message}", file=sys.stderr)
    raise SystemExit(2)


def open_deck(path: str) -> Any:
    try:
        from pptx import Presentation
    except ImportError:
        fail("python-pptx is missing; install it with: python3 -m pip install python-pptx")
    try:
        return Presentation(path)
    except Exception as error:  # python-pptx raises several unrelated types for a file that is no .pptx
        fail(f"cannot open {path} as .pptx ({error}); is it an old .ppt, or encrypted?")


def flat(shapes: Any) -> Iterator[Any]:
    """All shapes, those inside groups too."""
    for shape in shapes:
        if shape.shape_type is not None and getattr(shape, "shapes", None) is not None:
            yield from flat(shape.shapes)
        else:
            yield shape


def title_of(slide: Any) -> str:
    shape = slide.shapes.title
    return " ".join(shape.text_frame.text.split()) if shape is not None else ""


def notes_of(slide: Any) -> str:
    if not slide.has_notes_slide or slide.notes_slide.notes_text_frame is None:
        return ""
    return str(slide.notes_slide.notes_text_frame.text).strip()


def body_lines(slide: Any) -> Iterator[str]:
    title = slide.shapes.title
    for shape in flat(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if getattr(shape, "has_table", False) and shape.has_table:
            for row in shape.table.rows:
                yield "| " + " | ".join(" ".join(cell.text.split()) for cell in row.cells) + " |"
        elif shape.has_text_frame:
            for paragraph in shape.text_frame.paragraphs:
                text = " ".join(paragraph.text.split())
                if text:
                    yield f"{'  ' * paragraph.level}- {text}"


def unreadable(slide: Any) -> Iterator[str]:
    for shape in flat(slide.shapes):
        if shape.shape_type is not None and str(shape.shape_type).startswith("PICTURE"):
            description = shape._element.nvPicPr.cNvPr.get("descr") or "no description"
            yield f"picture {shape.name!r}: {description}"
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            names = ", ".join(
                str(plot_series.name) for plot in shape.chart.plots for plot_series in plot.series
            )
            yield f"chart {shape.name!r}: series {names}"
        elif shape._element.tag.endswith("}graphicFrame") and not getattr(shape, "has_table", False):
            yield f"object {shape.name!r}: its text cannot be read here (SmartArt, or an embedded file)"


def problems(deck: Any) -> Iterator[str]:
    for number, slide in enumerate(deck.slides, start=1):
        if not title_of(slide):
            yield f"slide {number}: no title"
        for shape in slide.placeholders:
            if (
                shape.has_text_frame
                and not shape.text_frame.text.strip()
                and shape.placeholder_format.idx < 10
            ):
                yield f"slide {number}: empty placeholder {shape.name!r}"
        for shape in slide.shapes:
            if shape.left is None or shape.width is None:
                continue
            if (
                shape.left < 0
                or shape.top < 0
                or shape.left + shape.width > deck.slide_width
                or shape.top + shape.height > deck.slide_height
            ):
                yield f"slide {number}: {shape.name!r} reaches over the edge"
        lines = sum(1 for _ in body_lines(slide))
        if lines > 12:
            yield f"slide {number}: {lines} lines of text"
        for shape in flat(slide.shapes):
            if shape._element.tag.endswith("}pic") and not shape._element.nvPicPr.cNvPr.get("descr"):
                yield f"slide {number}: picture {shape.name!r} has no description"


def print_outline(deck: Any) -> None:
    for number, slide in enumerate(deck.slides, start=1):
        print(f"{'#' if number == 1 else '##'} {title_of(slide) or f'Slide {number}'}")
        for line in body_lines(slide):
            print(line)
        if notes_of(slide):
            print("Notes: " + " ".join(notes_of(slide).split()))
        print()


def print_all(deck: Any) -> None:
    for number, slide in enumerate(deck.slides, start=1):
        print(f"--- slide {number} [{slide.slide_layout.name}] {title_of(slide)}")
        for line in body_lines(slide):
            print(line)
        for line in unreadable(slide):
            print(f"({line})")
        if notes_of(slide):
            print(f"notes: {notes_of(slide)}")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="a .pptx file")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument(
        "--outline", action="store_true", help="print the Markdown outline that pptx_build.py reads"
    )
    shape.add_argument(
        "--check", action="store_true", help="report missing titles, empty boxes, shapes off the slide"
    )
    options = parser.parse_args(argv)
    deck = open_deck(options.file)
    if options.check:
        found = list(problems(deck))
        for line in found:
            print(line)
        print(f"{len(deck.slides)} slides, {len(found)} findings")
        return 1 if found else 0
    if options.outline:
        print_outline(deck)
    else:
        print_all(deck)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
