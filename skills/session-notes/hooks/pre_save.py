#!/usr/bin/env python3
"""PreSave hook: read a message as JSON on stdin, print it with secrets masked. Always exits 0.

Where the input is not a JSON object nothing is printed, so that the host keeps its own message.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

sys.dont_write_bytecode = True  # an installed skill keeps exactly the files it came with

from hook_input import read_event
from notes_store import mask_secrets

TEXT_KEYS = ("content", "message", "answer", "text")


def masked(value: Any) -> tuple[Any, int]:
    """A text, or the texts inside lists and objects under the usual keys, with secrets masked."""
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, list):
        pairs = [masked(item) for item in value]
        return [item for item, _ in pairs], sum(count for _, count in pairs)
    if isinstance(value, dict):
        total = 0
        result = dict(value)
        for key in TEXT_KEYS:
            if key in result:
                result[key], count = masked(result[key])
                total += count
        return result, total
    return value, 0


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_args()
    sys.stdout.reconfigure(encoding="utf-8")
    event = read_event()
    if event:
        result, count = masked(event)
        if count:
            print(f"session-notes: {count} secrets masked", file=sys.stderr)
        print(json.dumps(result, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
