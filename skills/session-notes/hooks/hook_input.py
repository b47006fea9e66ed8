"""What the three hooks share: where the store lies, and the event read from stdin."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

MAX_INPUT = 4_000_000


def read_event() -> dict[str, Any]:
    """The event's JSON object; an empty one, with a line on stderr, where there is none to read."""
    data = sys.stdin.buffer.read(MAX_INPUT + 1)
    if len(data) > MAX_INPUT:
        print("session-notes: the event is too large and is passed over", file=sys.stderr)
        return {}
    try:
        event = json.loads(data.decode("utf-8"))
    except ValueError as error:
        print(f"session-notes: the event is not JSON: {error}", file=sys.stderr)
        return {}
    return event if isinstance(event, dict) else {}


def first_text(event: dict[str, Any], *keys: str) -> str:
    """The first of the keys that holds a text or number."""
    for key in keys:
        value = event.get(key)
        if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value):
            return str(value)
    return ""


def user_of(event: dict[str, Any]) -> str:
    return first_text(event, "user_id", "userId", "user") or "default"
