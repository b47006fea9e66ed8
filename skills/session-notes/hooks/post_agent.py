#!/usr/bin/env python3
"""PostAgent hook: read the event as JSON on stdin, keep the answer's lines marked as notes. Always exits 0."""

from __future__ import annotations

import argparse
import re
import sys

sys.dont_write_bytecode = True  # an installed skill keeps exactly the files it came with

from hook_input import first_text, read_event, user_of
from notes_store import NoteError, add_note

MARKED = re.compile(r"^\s{0,8}(?:[-*]\s{1,3})?(?:Note to keep:|记录[：:])\s{0,8}(\S.{0,1000})$", re.MULTILINE)
MAX_PER_ANSWER = 5


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_args()
    event = read_event()
    kept = 0
    for text in MARKED.findall(first_text(event, "answer", "response", "content"))[:MAX_PER_ANSWER]:
        try:
            add_note(user_of(event), text)
            kept += 1
        except (NoteError, OSError) as error:
            print(f"session-notes: not kept: {error}", file=sys.stderr)
    print(f"session-notes: {kept} notes kept")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
