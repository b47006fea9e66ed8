"""Names in Claude Code: those its released versions take, the same for the same hub, no two alike."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from generator.model import Hub
from generator.names import parse_owner
from generator.write.protocols.claude_code_names import (
    bundle_name,
    bundle_scope,
    marketplace_name,
    plugin_names,
)
from tests.write.site_samples import make_listing

URL = "https://hub.example/shelf"
NAMES = {
    "title": ("Open Skill Shelf", URL, "open-skill-shelf"),
    "accents": ("Écoles d'été", URL, "ecoles-d-ete"),
    "full-width": ("Ｏｆｆｉｃｅ　Ｓｋｉｌｌｓ", URL, "office-skills"),
    "punctuation": ("  a — b / c..d ", URL, "a-b-c-d"),
    "chinese": ("教学技能中心", URL, "hub-example-shelf"),
    "chinese-and-latin": ("DeepTutor 技能", URL, "hub-example-shelf"),
    "korean": ("기술 허브", URL, "hub-example-shelf"),
    "emoji": ("🧪", URL, "hub-example-shelf"),
    "empty": ("", URL, "hub-example-shelf"),
    "common": ("Skill hub", URL, "hub-example-shelf"),
    "common-2": ("Skills", "http://127.0.0.1:8000", "127-0-0-1-8000"),
    "reserved": ("Agent Skills", URL, "hub-example-shelf"),
    "built-in": ("Inline", URL, "hub-example-shelf"),
    "like-anthropics": ("Claude Skills", URL, "hub-example-shelf"),
    "official": ("The official skills for Claude", URL, "hub-example-shelf"),
    "claude-within": ("Skills for Claude", URL, "skills-for-claude"),
    "chinese-host": ("教学", "https://教学.example", "hub-"),
    "both-impossible": ("教学", "https://claude-official.example", "hub-"),
    "long": ("word " * 40, URL, "word-word"),
}


@pytest.mark.parametrize(("title", "url", "wanted"), NAMES.values(), ids=NAMES)
def test_marketplace_names(title: str, url: str, wanted: str) -> None:
    name = marketplace_name(Hub(title, "", url))
    assert name == wanted if wanted not in ("hub-", "word-word") else name.startswith(wanted)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 64


def test_names_that_were_cut_or_digested_still_tell_hubs_apart() -> None:
    made = [marketplace_name(Hub("教学", "", f"https://{host}.example")) for host in ("教", "学")]
    made += [marketplace_name(Hub("word " * 40 + end, "", URL)) for end in ("one", "two")]
    assert len(set(made)) == 4


def test_plugin_names() -> None:
    listings = [
        make_listing("pdf-tools", "acme"),
        make_listing("twins", "acme", holds_slug=False),
        make_listing("twins", "beta", holds_slug=False),
        make_listing("claude-helper", "acme"),
        make_listing("claude-official-tools", "claude-fan", holds_slug=False),
        make_listing("anthropic", "acme"),
        make_listing("for-claude", "acme"),
        # Written so as to take a name that another skill needs.
        make_listing("claude-helper", "skill--acme", holds_slug=False),
    ]
    names = plugin_names(listings)
    made = list(names.values())
    assert made[:4] == ["pdf-tools", "acme--twins", "beta--twins", "skill--acme--claude-helper"]
    assert made[4].startswith("skill--")
    assert "claude" not in made[4]
    assert made[5:7] == ["skill--acme--anthropic", "for-claude"]
    assert len(names) == len(set(made)) == len(listings)
    assert plugin_names(listings) == names


def test_names_of_collections_are_no_skills() -> None:
    hub = Hub("教学", "", URL)
    assert (bundle_name("office"), bundle_scope(hub)) == (
        "collections--office",
        "hub-example-shelf.collections",
    )
    for owner in ("collections", bundle_scope(hub)):
        with pytest.raises(ValueError, match="owner"):
            parse_owner(owner)
    assert bundle_scope(replace(hub, url="https://other.example")) != bundle_scope(hub)
