"""Hosts that do not look at a query: one file would be the answer to every question."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.hosting.profiles import HOSTINGS
from generator.write.layout import Layout, Naming
from tests.build.hubs import LittleHub, skill_text

_QUESTIONS = (
    "api/v1/download", "api/v1/resolve", "api/v1/skills/resolve", "api/v1/packages/search", "api/v1/skills/pdf/file",
    "api/v1/skills/-/security-verdicts",
)  # fmt: skip
"""Addresses that mean nothing without a query or a body. A list or search that holds too much is no wrong skill."""


@pytest.mark.parametrize(
    "hosting", ["", *(host.name for host in HOSTINGS.values() if host.layout is Layout.EXPLODED)]
)
def test_no_file_answers_a_question_that_needs_its_query(tmp_path: Path, hosting: str) -> None:
    """``clawhub`` checks nothing of an archive: whatever lies at ``download`` is installed under any name."""
    naming = HOSTINGS[hosting].naming if hosting else Naming.INDEX_HTML
    hub = LittleHub(tmp_path, (), layout="exploded", naming=naming, config=str(tmp_path / "hub.yml"))
    for path in ("skills/pdf", "skills/notes", "others/notes"):
        hub.put(path, {"SKILL.md": skill_text(path.rpartition("/")[2])})
    named = f"hosting: {hosting}\n" if hosting else ""
    (tmp_path / "hub.yml").write_text(
        f"{named}sources:\n  - {{path: skills, owner: acme}}\n  - {{path: others, owner: bolt}}\n"
    )
    hub.build()
    files = set(hub.files())
    assert f"api/v1/skills/pdf/{naming}" in files
    answers = re.compile(rf"(?:{'|'.join(_QUESTIONS)})(?:\.[^/]*|/index\.[^/]*|/)?")
    assert [path for path in files if answers.fullmatch(path)] == []
