#!/usr/bin/env python3
"""Build a deck from a Markdown outline.

Outline: "# " title slide, "## " content slide, "- " bullets (two spaces an indent level), "| a | b |" table rows with
the header first, "Notes:" speaker notes up to the next slide.

Exit codes: 0 written, 2 a file cannot be read or python-pptx is missing, 3 the outline has a mistake.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MAX_LINES = 7
MAX_TITLE = 80
MAX_LEVEL = 4


@dataclass
class Slide:
    title: str
    line: int
    is_title: bool
    bullets: list[tuple[int, str]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def fail(message: str, code: int = 2) -> None:
    print(f"pptx_build: {message}", file=sys.stderr)
    raise SystemExit(code)


def parse_outline(text: str) -> list[Slide]:
    """Slides of an outline. Raises ValueError with the line number where the outline is wrong."""
    slides: list[Slide] = []
    in_notes = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.rstrip()
        heading = re.match(r"(#{1,2}) +(.+)", line)
        if heading:
            slides.append(Slide(heading.group(2).strip(), number, len(heading.group(1)) == 1))
            in_notes = False
            continue
        if not line.strip():
            continue
        if line.startswith("#"):
            raise ValueError(f"line {number}: only # and ## headings are known here")
        if not slides:
            raise ValueError(f"line {number}: text before the first # or ## heading")
        slide = slides[-1]
        if line.startswith("Notes:"):
            in_notes = True
            line = line[len("Notes:") :].strip()
        if in_notes:
            if line.strip():
                slide.notes.append(line.strip())
        elif line.lstrip().startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                continue
            if slide.rows and len(cells) != len(slide.rows[0]):
                raise ValueError(
                    f"line {number}: {len(cells)} cells, but the header has {len(slide.rows[0])}"
                )
            slide.rows.append(cells)
        else:
            bullet = re.match(r"( *)[-*] +(.+)", line)
            level = len(bullet.group(1)) // 2 if bullet else 0
            if level > MAX_LEVEL:
                raise ValueError(f"line {number}: bullets go {MAX_LEVEL} levels deep at most")
            slide.bullets.append((level, bullet.group(2) if bullet else line.strip()))
    for slide in slides:
        if slide.rows and slide.bullets:
            raise ValueError(f"line {slide.line}: a slide holds bullets or a table; split it in two slides")
        if slide.is_title and slide.rows:
            raise ValueError(f"line {slide.line}: a title slide holds no table; start it with ## instead")
    if not slides:
        raise ValueError("the outline has no # or ## heading")
    return slides


def warnings(slides: list[Slide]) -> list[str]:
    found = []
    for slide in slides:
        if len(slide.title) > MAX_TITLE:
            found.append(f"line {slide.line}: the title has {len(slide.title)} characters")
        lines = max(len(slide.bullets), len(slide.rows))
        if lines > MAX_LINES:
            found.append(f"line {slide.line}: {lines} lines on one slide; split it")
    return found


def drop_slides(deck: Any) -> None:
    ids = deck.slides._sldIdLst
    for slide_id in list(ids):
        deck.part.drop_rel(slide_id.rId)
        ids.remove(slide_id)


def find_layout(deck: Any, wanted: str, fallback: int) -> Any:
    for layout in deck.slide_layouts:
        if layout.name.strip().lower() == wanted:
            return layout
    return deck.slide_layouts[min(fallback, len(deck.slide_layouts) - 1)]


def fill_lines(frame: Any, lines: list[tuple[int, str]]) -> None:
    for position, (level, text) in enumerate(lines):
        paragraph = frame.paragraphs[0] if position == 0 else frame.add_paragraph()
        paragraph.text = text
        paragraph.level = level


def add_slide(deck: Any, slide: Slide) -> None:
    from pptx.util import Emu

    if slide.is_title:
        layout = find_layout(deck, "title slide", 0)
    elif slide.rows or not slide.bullets:
        layout = find_layout(deck, "title only", 5)
    else:
        layout = find_layout(deck, "title and content", 1)
    page = deck.slides.add_slide(layout)
    if page.shapes.title is not None:
        page.shapes.title.text = slide.title
    others = [
        p for p in page.placeholders if p.placeholder_format.idx not in (0, 10, 11, 12) and p.has_text_frame
    ]
    if slide.bullets and others:
        fill_lines(others[0].text_frame, slide.bullets)
        others = others[1:]
    elif slide.bullets:
        box = page.shapes.add_textbox(
            deck.slide_width // 12,
            deck.slide_height // 4,
            deck.slide_width * 5 // 6,
            deck.slide_height * 2 // 3,
        )
        box.text_frame.word_wrap = True
        fill_lines(box.text_frame, slide.bullets)
    for empty in others:  # an unused placeholder shows "Click to add text"
        empty._element.getparent().remove(empty._element)
    if slide.rows:
        left, top = deck.slide_width // 12, deck.slide_height * 3 // 10
        width, height = deck.slide_width * 5 // 6, Emu(370_000 * len(slide.rows))
        grid = page.shapes.add_table(len(slide.rows), len(slide.rows[0]), left, top, width, height).table
        for r, row in enumerate(slide.rows):
            for c, text in enumerate(row):
                grid.cell(r, c).text = text
    if slide.notes:
        page.notes_slide.notes_text_frame.text = "\n".join(slide.notes)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("outline", nargs="?", help="the Markdown outline")
    parser.add_argument("output", nargs="?", help="the .pptx to write")
    parser.add_argument("--template", help="a .pptx whose masters and layouts are used")
    parser.add_argument("--list-layouts", action="store_true", help="print the layouts and stop")
    options = parser.parse_args(argv)
    if not options.list_layouts and not (options.outline and options.output):
        parser.error("give an outline and an output, or --list-layouts")
    slides: list[Slide] = []
    if not options.list_layouts:
        if options.template and Path(options.template).resolve() == Path(options.output).resolve():
            fail("the output must not be the template itself")
        try:
            slides = parse_outline(Path(options.outline).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            fail(f"cannot read {options.outline}: {error}")
        except ValueError as error:
            fail(f"{options.outline}, {error}", code=3)
    try:
        from pptx import Presentation
    except ImportError:
        fail("python-pptx is missing; install it with: python3 -m pip install python-pptx")
    try:
        deck = Presentation(options.template) if options.template else Presentation()
    except Exception as error:  # python-pptx raises several unrelated types for a file that is no .pptx
        fail(f"cannot open {options.template} as .pptx: {error}")
    if options.list_layouts:
        for layout in deck.slide_layouts:
            print(
                f"{layout.name}: "
                + ", ".join(f"{p.placeholder_format.idx} {p.name}" for p in layout.placeholders)
            )
        return 0
    if options.template:
        drop_slides(deck)
    else:
        deck.slide_width, deck.slide_height = 12_192_000, 6_858_000
        widen(deck, 12_192_000 / 9_144_000)
    for slide in slides:
        add_slide(deck, slide)
    deck.core_properties.title = slides[0].title
    deck.save(options.output)
    for line in warnings(slides):
        print(f"warning: {options.outline}, {line}", file=sys.stderr)
    print(f"{options.output}: {len(slides)} slides")
    return 0


def widen(deck: Any, factor: float) -> None:
    """The library's own template is 4:3; stretch its masters and layouts to 16:9."""
    for holder in [deck.slide_master, *deck.slide_layouts]:
        for shape in holder.placeholders:
            transform = shape._element.spPr.xfrm if shape._element.spPr is not None else None
            if transform is not None:
                shape.left, shape.width = int(shape.left * factor), int(shape.width * factor)


if __name__ == "__main__":
    raise SystemExit(main())
