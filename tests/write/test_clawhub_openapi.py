"""openapi.json describes what we serve: it is valid, and every golden answer fits it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from generator.model import ScanVerdict
from generator.write.protocols.clawhub import hub_routes, skill_answers
from generator.write.protocols.openapi import openapi_document
from tests.golden.samples import HUB, catalog_of, sample, samples

DOCUMENT = openapi_document(HUB)
SHAPES = [
    (r"/api/v1/skills", "SkillList"),
    (r"/api/v1/search", "SearchResults"),
    (r"/api/v1/trending", "Trending"),
    (r".*/skills/[a-z-]+/versions", "VersionList"),
    (r".*/skills/[a-z-]+/versions/[0-9.]+", "VersionAnswer"),
    (r".*/verify", "VerifyAnswer"),
    (r".*/scan", "ScanAnswer"),
    (r".*/moderation", "ModerationAnswer"),
    (r".*/security-verdict", "VerdictItem"),
    (r".*/resolve(/[0-9a-f]{64})?", "ResolveAnswer"),
    (r".*/skills/[a-z-]+", "SkillDetail"),
]


def validator(name: str) -> Draft202012Validator:
    schema = {"$ref": f"#/components/schemas/{name}", "components": closed(DOCUMENT["components"])}
    return Draft202012Validator(schema)


def closed(node: Any) -> Any:
    """The same schemas without room for keys they do not name, so that a forgotten key shows."""
    if isinstance(node, dict):
        copy = {key: closed(value) for key, value in node.items()}
        if "properties" in copy and isinstance(copy.get("type"), str):
            copy["additionalProperties"] = False
        return copy
    return [closed(item) for item in node] if isinstance(node, list) else node


def shape_of(path: str, status: int) -> str | None:
    if status == 409:
        return "AmbiguousSlug"
    if path.endswith("/install"):
        return "InstallAllowed" if status == 200 else "InstallRefused"
    return next((name for pattern, name in SHAPES if re.fullmatch(pattern, path)), None)


def test_it_is_valid_openapi_3_1() -> None:
    validate(DOCUMENT)


@pytest.mark.parametrize("verdict", list(ScanVerdict))
def test_answers_about_a_skill_fit(verdict: ScanVerdict) -> None:
    checked = 0
    for route in skill_answers(sample(verdict=verdict).skill):
        name = shape_of(route.path, route.status)
        if name and route.media_type == "application/json":
            validator(name).validate(json.loads(route.body))
            checked += 1
    assert checked >= 15


def test_answers_about_the_hub_fit() -> None:
    checked = [
        name
        for route in hub_routes(catalog_of(samples()))
        if (name := shape_of(route.path, route.status)) and "openapi" not in route.path
        if validator(name).validate(json.loads(route.body)) is None
    ]
    assert sorted(checked) == ["AmbiguousSlug", "SearchResults", "SkillList", "Trending"]


def test_a_wrong_license_would_be_noticed() -> None:
    detail = json.loads(skill_answers(sample().skill)[0].body)
    detail["latestVersion"]["license"] = "Apache-2.0"
    assert not validator("SkillDetail").is_valid(detail)


def test_a_missing_required_key_would_be_noticed() -> None:
    detail = json.loads(skill_answers(sample().skill)[0].body)
    del detail["owner"]
    assert not validator("SkillDetail").is_valid(detail)
