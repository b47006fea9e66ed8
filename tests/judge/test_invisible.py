"""What Claude Code shows of characters that cannot be seen; each answer is what release 2.1.332 sent to the model."""

from __future__ import annotations

import pytest

from generator.judge.invisible import replace_invisible

SHOWN = {
    # name: (text, what is shown)
    "plain": ("a b", "a b"),
    "zero width space": ("a\u200bb", "a b"),
    "soft hyphen": ("co\u00adop", "co op"),
    "private use": ("a\ue000b", "a b"),
    "a direction": ("\u05d0\u200f\u05d0", "\u05d0 \u05d0"),
    "a hard blank": ("a\u00a0b", "a\u00a0b"),
    "a selector of a text emoji": ("\u26a0\ufe0f", "\u26a0\ufe0f"),
    "a selector of an emoji that needs none": ("\u2705\ufe0f", "\u2705 "),
    "a selector of an arrow": ("\u2192\ufe0f", "\u2192 "),
    "a text selector": ("\u26a0\ufe0e", "\u26a0 "),
    "a keycap": ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
    "a keycap of a letter": ("a\ufe0f\u20e3", "a \u20e3"),
    "a profession": ("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
    "a profession with a skin": (
        "\U0001f469\U0001f3fd\u200d\U0001f4bb",
        "\U0001f469\U0001f3fd\u200d\U0001f4bb",
    ),
    "a flag": ("\U0001f3f3\ufe0f\u200d\U0001f308", "\U0001f3f3\ufe0f\u200d\U0001f308"),
    "a gender without its selector": ("\U0001f3c3\u200d\u2642", "\U0001f3c3 \u2642"),
    "a joiner between letters": ("a\u200db", "a b"),
    "a non-joiner in Persian": (
        "\u0645\u06cc\u200c\u0634\u0648\u062f",
        "\u0645\u06cc\u200c\u0634\u0648\u062f",
    ),
    "a non-joiner behind a letter that never joins": ("\u0627\u200c\u0645", "\u0627 \u0645"),
    "a joiner behind a virama": ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
    "a joiner behind a consonant": ("\u0915\u200d\u0937", "\u0915 \u0937"),
    "a colour of a terminal": ("a \x1b[31mred\x1b[0m b", "a red b"),
}


@pytest.mark.parametrize(("text", "shown"), SHOWN.values(), ids=SHOWN)
def test_what_is_shown(text: str, shown: str) -> None:
    assert replace_invisible(text) == shown
