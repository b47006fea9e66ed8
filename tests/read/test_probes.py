"""85 probe folders that real hosts were run on: all are read, and what every host refuses is told.

``data/probes.json`` holds the folders and what each host did with them (facts of 2026-11-30).
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from generator.findings import BARRING, CODES
from generator.model import Package, Severity, SkillFolder
from generator.read.manifest import read_skill
from tests.read.helpers import Content, package

PROBES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data/probes.json").read_text("utf-8"))[
    "probes"
]
BY_ID = {p["id"]: p for p in PROBES}


def content(entry: dict[str, Any]) -> Content:
    if "base64" in entry:
        return base64.b64decode(entry["base64"])
    if "repeat" in entry:
        return str(entry["head"] + entry["repeat"] * entry["times"] + entry["tail"])
    return str(entry["text"])


def folder_of(probe: dict[str, Any]) -> Package:
    return package({p: content(e) for p, e in probe["files"].items() if "symlink" not in e}, probe["folder"])


def read_probe(name: str) -> SkillFolder:
    return read_skill(folder_of(BY_ID[name]))


@pytest.mark.parametrize("name", BY_ID)
def test_every_probe_is_read(name: str) -> None:
    skill = read_probe(name)
    barred = any(f.code in BARRING for f in skill.findings)
    assert barred or skill.manifest is not None
    for note in skill.findings:
        assert note.code in CODES
        assert note.path.startswith(BY_ID[name]["folder"])
    # What we publish says what its author meant.
    meant = BY_ID[name]["intended_description"]
    if not barred and meant is not None and "…" not in meant and name != "p15-hash-in-desc":
        assert skill.manifest is not None
        assert skill.manifest.description == " ".join(meant.split(" "))


def test_a_skill_that_all_loading_hosts_refuse_has_an_error() -> None:
    """Whatever no host loads as meant must not be published without an error."""
    for probe in PROBES:
        verdicts = {v["verdict"] for v in probe["verdicts"].values()}
        if "load" in verdicts or not probe["files"] or "node_modules" in probe["folder"]:
            continue
        found = read_skill(folder_of(probe)).findings
        assert any(f.severity is Severity.ERROR for f in found), probe["id"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("p02-bom", "frontmatter-bom"),
        ("p04-cr-only", "frontmatter-line-shape"),
        ("p05-leading-blank", "frontmatter-not-on-first-line"),
        ("p06-leading-comment", "frontmatter-not-on-first-line"),
        ("p08-no-frontmatter", "frontmatter-missing"),
        ("p09-unterminated", "frontmatter-unterminated"),
        ("p11-four-dashes", "frontmatter-missing"),
        ("p13-dashes-in-value", "frontmatter-contains-triple-dash"),
        ("p14-colon-in-desc", "yaml-unquoted-colon"),
        ("p15-hash-in-desc", "yaml-comment-truncation"),
        ("p17-dup-desc", "yaml-duplicate-key"),
        ("p18-dup-unknown", "yaml-duplicate-key"),
        ("p20-desc-empty", "description-empty"),
        ("p23-desc-list", "description-empty"),
        ("p25-desc-1025", "description-too-long"),
        ("p27-desc-angle", "description-markup-or-invisible"),
        ("p30-name-missing", "name-missing"),
        ("p32-name-upper", "name-invalid-format"),
        ("p36-name-65", "name-invalid-format"),
        ("p37-name-mismatch", "name-directory-mismatch"),
        ("p40-name-colon", "name-invalid-format"),
        ("p60-bins-string", "gate-wrong-type"),
        ("p61-always-string-false", "gate-wrong-type"),
        ("p65-invalid-utf8", "encoding-not-utf8-or-control-char"),
        ("p67-nul-in-fm", "encoding-not-utf8-or-control-char"),
        ("p68-lowercase", "skill-md-missing-exact-name"),
        ("p69-titlecase", "skill-md-missing-exact-name"),
        ("p79-anchors", "yaml-anchor"),
        ("p80-pytag", "yaml-stray-syntax"),
        ("p81-unknown-tag", "yaml-stray-syntax"),
        ("p82-fm-list", "frontmatter-not-mapping"),
        ("p84-desc-at", "yaml-indicator-start"),
        ("p85-desc-star", "yaml-indicator-start"),
        ("p86-desc-bracket", "yaml-indicator-start"),
        ("p87-desc-quote-tail", "yaml-indicator-start"),
        ("p88-desc-backtick", "yaml-indicator-start"),
        ("p89-arg-hint-list", "yaml-bracketed-argument-hint"),
        ("p93-zero-width", "description-markup-or-invisible"),
        ("p94-invalid-close-indent", "frontmatter-unterminated"),
        ("p97-key-case", "description-empty"),
    ],
)
def test_probes_and_their_codes(name: str, code: str) -> None:
    assert code in [f.code for f in read_probe(name).findings]


@pytest.mark.parametrize("name", ["p01-minimal", "p03-crlf", "p22-desc-number", "p24-desc-1024", "p29-desc-folded",
    "p46-tools-string", "p50-tools-flow", "p53-meta-null", "p62-tags-string", "p64-bad-date", "p72-big-300k",
    "p74-fm-5000", "p75-empty-body", "p90-context-fork", "p92-os-darwin", "p95-body-hr",
    "pa7-desc-long-multibyte", "pa8-plain-colon-url"])  # fmt: skip
def test_probes_without_findings(name: str) -> None:
    assert read_probe(name).findings == ()
