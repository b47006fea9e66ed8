"""Versions: normal form and order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.model import Version
from generator.versions import is_prerelease, newest_first, next_patch, parse_version, precedence

FORMS = {
    "1.2.3": ("1.2.3", True),
    "0.0.0": ("0.0.0", True),
    "1.0.0-alpha.1": ("1.0.0-alpha.1", True),
    "1.0.0--": ("1.0.0--", True),
    "1": ("1.0.0", False),
    "1.0": ("1.0.0", False),
    "1.10": ("1.10.0", False),
    "v2": ("2.0.0", False),
    "V2.1.0": ("2.1.0", False),
    "=1.2.3": ("1.2.3", False),
    "01.2.3": ("1.2.3", False),
    "1.2.3+build.5": ("1.2.3", False),
    "1.0beta": ("1.0.0-beta", False),
    "1.0.0e3": ("1.0.0-e3", False),
    "1.0b1": ("1.0.0-b1", False),
    "1-e3": ("1.0.0-e3", False),
    "1.0.0.rc1": ("1.0.0-rc1", False),
    " 1.2.3 ": ("1.2.3", True),
    "2026.01.05": ("2026.1.5", False),
}


@pytest.mark.parametrize(("text", "form"), FORMS.items(), ids=FORMS)
def test_normal_form(text: str, form: tuple[str, bool]) -> None:
    parsed = parse_version(text)
    assert parsed is not None
    assert (parsed.version, parsed.exact) == form


@pytest.mark.parametrize(
    "text",
    [
        "",
        "latest",
        "1.2.3.4",
        "2026-01-05x/",
        "1..2",
        "-1",
        "１.２.３",
        "1.0.0 beta",
        "9" * 40,
        "1e3",
        "1E3",
        "1.5e3",
        "1.e3",
        "1e-3",
        "1e+3",
        "0x10",
        "0XfF",
        "0o17",
        "0b101",
    ],
)
def test_no_version(text: str) -> None:
    assert parse_version(text) is None


@given(st.text())
def test_any_text_is_a_strict_version_or_none(text: str) -> None:
    parsed = parse_version(text)
    if parsed is not None:
        again = parse_version(parsed.version)
        assert again is not None
        assert again.exact
        assert again.version == parsed.version


SEMVER_ORDER = [
    "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
    "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0", "10.0.0",
]  # fmt: skip


def test_precedence_is_semvers() -> None:
    versions = [Version(text) for text in SEMVER_ORDER]
    shuffled = random.Random(1).sample(versions, len(versions))
    assert sorted(shuffled, key=precedence) == versions


LATEST = {
    "highest stable": (["1.0.0", "1.10.0", "1.9.0"], "1.10.0"),
    "a pre-release does not win over a stable": (["1.0.0", "2.0.0-rc.1"], "1.0.0"),
    "a pre-release where there is no stable": (["0.1.0-a", "0.1.0-b"], "0.1.0-b"),
}


@pytest.mark.parametrize(("versions", "latest"), LATEST.values(), ids=LATEST)
def test_latest_comes_first(versions: list[str], latest: str) -> None:
    assert newest_first([Version(text) for text in versions])[0] == latest


def test_next_patch() -> None:
    assert next_patch(Version("1.2.3")) == "1.2.4"
    assert next_patch(Version("1.2.3-rc.1")) == "1.2.3"
    assert is_prerelease(Version("1.2.3-rc.1"))
