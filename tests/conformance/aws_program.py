"""The part of the ``aws`` command that our upload script calls, writing into a folder instead of a bucket.

``cp FILE s3://bucket/KEY`` and ``sync FOLDER s3://bucket/PREFIX``; of several patterns the last that matches decides,
as the real one documents. An unknown option is an error, so that the script cannot come to rely on one.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import mimetypes
from pathlib import Path

TYPES = mimetypes.MimeTypes(filenames=())


class _Pattern(argparse.Action):
    def __call__(
        self, parser: object, namespace: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        namespace.patterns.append((option == "--include", str(values)))


def main() -> None:
    """Copy what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("store", type=Path)
    parser.add_argument("service", choices=["s3"])
    parser.add_argument("verb", choices=["cp", "sync"])
    parser.add_argument("source", type=Path)
    parser.add_argument("target")
    parser.add_argument("--only-show-errors", action="store_true")
    parser.add_argument("--size-only", action="store_true")
    parser.add_argument("--content-type")
    parser.add_argument("--cache-control", required=True)
    parser.add_argument("--exclude", action=_Pattern)
    parser.add_argument("--include", action=_Pattern)
    parser.set_defaults(patterns=[])
    said = parser.parse_args()
    key = said.target.removeprefix("s3://bucket").lstrip("/")
    if said.verb == "cp":
        chosen = [(said.source, key)]
    else:
        names = sorted(
            file.relative_to(said.source).as_posix() for file in said.source.rglob("*") if file.is_file()
        )
        chosen = [
            (said.source / name, f"{key}/{name}".lstrip("/"))
            for name in names
            if _wanted(name, said.patterns)
        ]
    with (said.store / "objects.jsonl").open("a") as out:
        for file, name in chosen:
            kind = said.content_type or TYPES.guess_type(file.name)[0] or "binary/octet-stream"
            entry = {"key": name, "file": str(file), "type": kind, "cache": said.cache_control}
            out.write(json.dumps(entry) + "\n")


def _wanted(name: str, patterns: list[tuple[bool, str]]) -> bool:
    wanted = True
    for include, pattern in patterns:
        if fnmatch.fnmatchcase(name, pattern):
            wanted = include
    return wanted


if __name__ == "__main__":
    main()
