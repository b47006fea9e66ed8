#!/usr/bin/env python3
"""Merge text files whose lines begin with a time into one timeline in UTC, as a Markdown table.

Exit codes: 0 all well, 2 a file cannot be read, 3 times without a zone, or no line with a time at all.
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ZONE = r"(?P<zone>Z|UTC|[+-][0-9]{2}:?[0-9]{2})?"
STAMP = re.compile(
    r"\s{0,8}\[?(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?:[.,](?P<part>[0-9]{1,9}))?\s?"
    + ZONE
    + r"\]?[:\s]\s{0,8}(?P<text>.*)"
)
EPOCH = re.compile(r"\s{0,8}\[?(?P<seconds>[0-9]{10})(?:\.[0-9]{1,9})?\]?[:\s]\s{0,8}(?P<text>.*)")
SOURCE = re.compile(r"(?P<path>.+?)(?::(?P<zone>Z|UTC|[+-][0-9]{2}:?[0-9]{2}))?")
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
MAX_TEXT = 300


@dataclass(frozen=True)
class Event:
    moment: datetime.datetime
    source: str
    line: int
    text: str


class NoZoneError(Exception):
    """A time without a zone, and nothing that says which one is meant."""


def parse_zone(text: str) -> datetime.timezone:
    if text in ("Z", "UTC"):
        return datetime.timezone.utc
    hours, minutes = int(text[1:3]), int(text[-2:])
    offset = datetime.timedelta(hours=hours, minutes=minutes)
    return datetime.timezone(-offset if text[0] == "-" else offset)


def parse_line(line: str, assumed: datetime.timezone | None) -> tuple[datetime.datetime, str] | None:
    """Time in UTC and text of one line; None where the line has no time. Raises NoZoneError."""
    match = EPOCH.fullmatch(line)
    if match:
        return datetime.datetime.fromtimestamp(int(match["seconds"]), datetime.timezone.utc), match["text"]
    match = STAMP.fullmatch(line)
    if not match:
        return None
    zone = parse_zone(match["zone"]) if match["zone"] else assumed
    try:
        naive = datetime.datetime.fromisoformat(f"{match['day']}T{match['time']}")
    except ValueError:  # the 31st of a short month, 25 o'clock
        return None
    if zone is None:
        raise NoZoneError
    return naive.replace(tzinfo=zone).astimezone(datetime.timezone.utc), match["text"]


def cell(text: str) -> str:
    """Text for one table cell: no control characters, no table or HTML syntax, bounded length."""
    text = " ".join(UNSAFE.sub(" ", text).split())
    if len(text) > MAX_TEXT:
        text = text[: MAX_TEXT - 1] + "…"
    return re.sub(r"([\\|<>`*_\[\]])", r"\\\1", text)


def render(events: list[Event], gap: int) -> str:
    lines = ["| Time (UTC) | Source | What |", "| --- | --- | --- |"]
    last: datetime.datetime | None = None
    for event in events:
        if last is not None and event.moment - last > datetime.timedelta(minutes=gap):
            minutes = int((event.moment - last).total_seconds() // 60)
            lines.append(f"|  |  | (nothing recorded for {minutes} minutes) |")
        last = event.moment
        lines.append(
            f"| {event.moment:%Y-%m-%d %H:%M:%S} | {cell(event.source)}:{event.line} | {cell(event.text)} |"
        )
    return "\n".join(lines) + "\n"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE[:ZONE]",
        help="text file; the zone (such as +02:00) is for times without one",
    )
    parser.add_argument("--assume-utc", action="store_true", help="times without a zone are UTC")
    parser.add_argument(
        "--gap", type=int, default=30, help="mark silences longer than this many minutes (default: 30)"
    )
    options = parser.parse_args(argv)
    events = []
    undated = []
    for argument in options.files:
        match = SOURCE.fullmatch(argument)
        name, zone_text = (match["path"], match["zone"]) if match else (argument, None)
        assumed = (
            parse_zone(zone_text) if zone_text else datetime.timezone.utc if options.assume_utc else None
        )
        try:
            text = Path(name).read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            print(f"timeline: cannot read {name}: {error}", file=sys.stderr)
            return 2
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            try:
                parsed = parse_line(line.rstrip("\r"), assumed)
            except NoZoneError:
                print(
                    f"timeline: {name}, line {number}: a time without a zone; write {name}:+02:00 or pass --assume-utc",
                    file=sys.stderr,
                )
                return 3
            if parsed is None:
                undated.append(f"{name}, line {number}")
            else:
                events.append(Event(parsed[0], Path(name).name, number, parsed[1]))
    if not events:
        print("timeline: no line begins with a time", file=sys.stderr)
        return 3
    events.sort(key=lambda event: (event.moment, event.source, event.line))
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(render(events, options.gap))
    print(f"{len(events)} events, {len(undated)} lines without a time", file=sys.stderr)
    for place in undated[:20]:
        print(f"  not dated: {place}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
