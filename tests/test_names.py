"""Owners and slugs."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.names import (
    RESERVED_OWNERS,
    RESERVED_SLUGS,
    SLUG_MAX,
    InvalidNameError,
    SlugFit,
    fit_slug,
    parse_owner,
    parse_slug,
)

FITTED = {
    "already fits": ("pdf-tools", "pdf-tools", SlugFit.EXACT),
    "upper case": ("PDF-Tools", "pdf-tools", SlugFit.ADJUSTED),
    "blanks and dots": ("my skill v2.0", "my-skill-v2-0", SlugFit.ADJUSTED),
    "double dash": ("a--b--c", "a-b-c", SlugFit.ADJUSTED),
    "dashes at the ends": ("-pdf-", "pdf", SlugFit.ADJUSTED),
    "underscores": ("excel_analysis", "excel-analysis", SlugFit.ADJUSTED),
    "too short": ("qa", "qa-skill", SlugFit.ADJUSTED),
    "one letter": ("x", "x-skill", SlugFit.ADJUSTED),
    "accents": ("Café-Über", "cafe-uber", SlugFit.ADJUSTED),
    "full width": ("ＰＤＦ", "pdf", SlugFit.ADJUSTED),
    "emoji and word": ("🚀-rocket", "rocket", SlugFit.ADJUSTED),
    "too long": ("a" * 200, "a" * 96, SlugFit.ADJUSTED),
    "cut at a dash": ("a" * 95 + "-b", "a" * 95, SlugFit.ADJUSTED),
    "Chinese with a word": ("excel 分析", "excel", SlugFit.ADJUSTED),
    "Chinese": ("动量策略", None, SlugFit.HASHED),
    "another Chinese name": ("作文指导", None, SlugFit.HASHED),
    "only punctuation": ("...", None, SlugFit.HASHED),
    "lone surrogate": ("\udcff", None, SlugFit.HASHED),
    "Chinese with one digit": ("动量2", None, SlugFit.HASHED),
}


@pytest.mark.parametrize(("text", "slug", "fit"), FITTED.values(), ids=FITTED)
def test_fit_slug(text: str, slug: str | None, fit: SlugFit) -> None:
    fitted = fit_slug(text)
    assert fitted.fit is fit
    if fit is SlugFit.HASHED:
        assert fitted.slug.startswith("skill-")
        assert len(fitted.slug) == 14
    else:
        assert fitted.slug == slug


@given(st.text())
def test_every_text_fits_or_is_reserved(text: str) -> None:
    slug = fit_slug(text).slug
    if slug not in RESERVED_SLUGS:
        assert parse_slug(slug) == slug
    assert fit_slug(slug).slug == slug


@given(st.text(min_size=1), st.text(min_size=1))
def test_hashed_slugs_of_two_texts_differ(one: str, other: str) -> None:
    a, b = fit_slug(one), fit_slug(other)
    if a.fit is b.fit is SlugFit.HASHED and unicodedata.normalize("NFC", one) != unicodedata.normalize(
        "NFC", other
    ):
        assert a.slug != b.slug


BAD_SLUGS = [
    "",
    "ab",
    "-ab",
    "ab-",
    "a--b",
    "Ab-c",
    "a.b",
    "a_b",
    "a/b",
    "../x",
    "a" * (SLUG_MAX + 1),
    "é-é",
    "resolve",
    "export",
]


@pytest.mark.parametrize("text", BAD_SLUGS)
def test_bad_slugs(text: str) -> None:
    with pytest.raises(InvalidNameError, match="slug"):
        parse_slug(text)


BAD_OWNERS = ["", "-a", "a-", "a.b", ".well-known", "a/b", "A", "a" * 41, "é", *sorted(RESERVED_OWNERS)]


@pytest.mark.parametrize("text", BAD_OWNERS)
def test_bad_owners(text: str) -> None:
    with pytest.raises(InvalidNameError, match="owner"):
        parse_owner(text)


@pytest.mark.parametrize("text", ["a", "acme", "team-1", "a_b", "9lives"])
def test_good_owners(text: str) -> None:
    assert parse_owner(text) == text
