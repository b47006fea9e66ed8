"""Every text colour of the site can be read on every ground it stands on (WCAG 2.2, AA: 4.5 to 1)."""

from __future__ import annotations

import re

import pytest

from tests.write.site_shell import SITE

CSS = (SITE / "site_src/docs/assets/skillpress.css").read_text(encoding="utf-8")
PAIRS = [
    *(
        (text, ground)
        for text in ("ink", "soft", "faint", "red", "red-deep")
        for ground in ("bg", "card", "sunk")
    ),
    ("red-deep", "red-wash"),
    ("good", "good-wash"),
    ("care", "care-wash"),
    ("bad", "bad-wash"),
    ("bg", "red"),
]


def colours(scheme: str) -> dict[str, str]:
    """The hub's own colours in ``scheme``."""
    block = CSS.split(f'[data-md-color-scheme="{scheme}"] {{', 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--sp-([a-z-]+): #([0-9a-f]{6});", block))


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["default", "slate"])
@pytest.mark.parametrize(("text", "ground"), PAIRS, ids=["-on-".join(pair) for pair in PAIRS])
def test_contrast(scheme: str, text: str, ground: str) -> None:
    known = colours(scheme)
    light, dark = sorted((luminance(known[text]), luminance(known[ground])), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5
