"""The JSON edge: dataclasses to documents and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.jsondata import JsonShapeError, dump_bytes, from_plain, to_plain
from generator.model import (
    Finding,
    Listing,
    Manifest,
    Release,
    Requirements,
    ScanReport,
    ScanVerdict,
    Severity,
)


@given(st.from_type(Manifest))
def test_manifest_round_trip(manifest: Manifest) -> None:
    assert from_plain(Manifest, to_plain(manifest)) == manifest


@given(st.from_type(Release))
def test_release_round_trip(release: Release) -> None:
    assert from_plain(Release, to_plain(release)) == release


@given(st.from_type(Listing))
def test_listing_round_trip(listing: Listing) -> None:
    assert from_plain(Listing, to_plain(listing)) == listing


WRONG = {
    "not an object": ([], "expected an object"),
    "a key we do not know": ({"bins": [], "tomorrow": 1}, "unknown key 'tomorrow'"),
    "a text for a list": ({"bins": "git"}, "bins: expected a list"),
    "a number for a text": ({"bins": [1]}, r"bins\[0\]: expected str"),
}


@pytest.mark.parametrize(("plain", "message"), WRONG.values(), ids=WRONG)
def test_wrong_shape(plain: object, message: str) -> None:
    with pytest.raises(JsonShapeError, match=message):
        from_plain(Requirements, plain)


def test_missing_field_is_named() -> None:
    with pytest.raises(JsonShapeError, match="'severity' is missing"):
        from_plain(Finding, {"code": "x", "path": "p", "message": "m", "fix": "f"})


def test_boolean_is_no_number() -> None:
    with pytest.raises(JsonShapeError, match="line: expected int"):
        from_plain(
            Finding, {"code": "x", "severity": "info", "path": "p", "message": "m", "fix": "f", "line": True}
        )


def test_unknown_enum_value() -> None:
    with pytest.raises(JsonShapeError, match="unknown value 'fine'"):
        from_plain(ScanReport, {"engine": "e", "ruleset": "r", "verdict": "fine", "files": 0})


def test_defaults_are_left_out_and_keys_keep_field_order() -> None:
    finding = Finding("code", Severity.INFO, "path", "message", "fix")
    assert dump_bytes(to_plain(finding)) == (
        b'{"code":"code","severity":"info","path":"path","message":"message","fix":"fix"}'
    )
    assert to_plain(ScanVerdict.ALLOW) == "allow"


def test_a_lone_surrogate_never_stops_a_document() -> None:
    assert dump_bytes("\ud800").decode("utf-8") == '"?"'
