"""Text of unknown origin in outputs that people read: nothing in it may move the cursor or turn words round."""

from __future__ import annotations


def make_visible(text: str) -> str:
    """The text with every character that prints nothing (controls, bidi, zero width) written as an escape."""
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() else _escape(ch) for ch in text)


def _escape(ch: str) -> str:
    return f"\\x{ord(ch):02x}" if ord(ch) < 0x100 else f"\\u{{{ord(ch):x}}}"
