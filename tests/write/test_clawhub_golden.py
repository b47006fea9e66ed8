"""Golden files: every document about one skill, and what each scan verdict changes.

To accept a change: ``SKILLPRESS_UPDATE_GOLDEN=1 pytest tests/write/test_clawhub_golden.py``, then read the diff.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from generator.jsondata import dump_bytes
from generator.model import Route, ScanVerdict
from generator.write.protocols.clawhub import hub_routes, skill_answers
from tests.golden.samples import catalog_of, sample, samples

GOLDEN = Path(__file__).parent.parent / "golden" / "clawhub"
BASE = "/api/v1/skills/demo"
JUDGED = ("", "/install", "/verify", "/scan", "/moderation", "/card", "/security-verdict", "/versions/1.1.0")


def readable(routes: tuple[Route, ...]) -> str:
    """Routes as one text a person can review: documents indented, keys in the order they are served in."""
    shown = {}
    for route in routes:
        body = route.body.decode("utf-8")
        value = json.loads(body) if route.media_type == "application/json" else body.splitlines()
        shown[route.path] = {"status": route.status, "type": route.media_type, "body": value}
    return json.dumps(shown, ensure_ascii=False, indent=1) + "\n"


def check(name: str, routes: tuple[Route, ...]) -> None:
    file, text = GOLDEN / f"{name}.json", readable(routes)
    if os.environ.get("SKILLPRESS_UPDATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_every_document_of_a_clean_skill() -> None:
    check("skill-allow", skill_answers(sample().skill))


@pytest.mark.parametrize("verdict", [ScanVerdict.WARN, ScanVerdict.BLOCK, ScanVerdict.ERROR])
def test_documents_a_verdict_changes(verdict: ScanVerdict) -> None:
    routes = skill_answers(sample(verdict=verdict).skill)
    check(f"skill-{verdict}", tuple(r for r in routes if r.path in {BASE + suffix for suffix in JUDGED}))


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("discovery", ("/.well-known/clawhub.json", "/.well-known/clawdhub.json")),
        ("list", ("/api/v1/skills",)),
        ("search", ("/api/v1/search",)),
        ("trending", ("/api/v1/trending",)),
        ("ambiguous", ("/api/v1/skills/twins",)),
        ("openapi", ("/api/v1/openapi.json",)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_documents_of_the_hub(name: str, paths: tuple[str, ...]) -> None:
    routes = hub_routes(catalog_of(samples()))
    check(name, tuple(r for r in routes if r.path in paths))


def test_documents_are_compact_utf8_in_a_fixed_order() -> None:
    routes = (*skill_answers(sample().skill), *hub_routes(catalog_of(samples())))
    for route in routes:
        if route.media_type == "application/json":
            assert dump_bytes(json.loads(route.body)) == route.body
    assert "演示".encode() in routes[0].body
    again = (*skill_answers(sample().skill), *hub_routes(catalog_of(samples())))
    assert routes == again
