"""Golden files: the documents of a small hub as they are served.

To accept a change: ``SKILLPRESS_UPDATE_GOLDEN=1 pytest tests/write/protocols_skills/test_golden.py``, then read
the diff.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.jsondata import dump_bytes
from generator.model import Route
from generator.write.protocols import agent_skills
from tests.write.protocols_skills.making import routes_of
from tests.write.protocols_skills.samples import COLLECTIONS, hub

GOLDEN = Path(__file__).parents[2] / "golden"
FILES: dict[str, Callable[[str], bool]] = {
    "agent_skills/hub": lambda path: path == "/.well-known/agent-skills/index.json",
    "agent_skills/owner": lambda path: path.startswith("/beta/.well-known/"),
    "agent_skills/collections": lambda path: path.startswith("/collections/"),
    "agent_skills/skill": lambda path: path.startswith("/beta/skills/pdf-tools/"),
    "agent_skills/notices": lambda path: path.startswith(
        ("/acme/skills/yanked/", "/acme/skills/locked-away/")
    ),
    "agent_skills/missing": lambda path: (
        path in (agent_skills.MISSING, "/.well-known/agent-skills/missing.md")
    ),
    "agent_skills/legacy": lambda path: path == "/.well-known/skills/index.json",
    "agentskills_http/tree": lambda path: path.startswith("/agentskills/") and path.endswith("/index.json"),
    "apm/versions": lambda path: path.startswith("/v1/packages/"),
    "bundles/field-notes": lambda path: path.startswith("/bundles/acme/field-notes"),
    "skill_service/list": lambda path: path == "/api/v1/skill/list",
}


def readable(routes: list[Route]) -> str:
    """Routes as one text a person can review."""
    shown = {}
    for route in routes:
        body = route.body.decode("utf-8")
        value = json.loads(body) if route.media_type == "application/json" else body.splitlines()
        shown[route.path] = {"status": route.status, "type": route.media_type, "body": value}
    return json.dumps(shown, ensure_ascii=False, indent=1) + "\n"


@pytest.mark.parametrize("name", FILES)
def test_documents(name: str) -> None:
    routes = routes_of(list(hub().values()), collections=COLLECTIONS)
    text = readable([route for path, route in routes.items() if FILES[name](path)])
    file = GOLDEN / f"{name}.json"
    if os.environ.get("SKILLPRESS_UPDATE_GOLDEN"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
    assert len(text) > 10


def test_documents_are_compact_utf8_and_the_same_every_time() -> None:
    routes = routes_of(list(hub().values()), collections=COLLECTIONS)
    for path, route in routes.items():
        if route.media_type == "application/json" and not path.startswith(
            "/agentskills/with-index/index.json"
        ):
            assert dump_bytes(json.loads(route.body)) == route.body, path
    assert routes == routes_of(list(hub().values()), collections=COLLECTIONS)
