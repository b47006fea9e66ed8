"""Small catalogs for search: listings out of a few words, and hypothesis strategies for whole ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from generator.judge.model import Profile
from generator.judge.profiles import load_profiles
from generator.model import (
    Catalog,
    Deprecation,
    Hub,
    Listing,
    Owner,
    ScanVerdict,
    Slug,
    Stance,
    Taxonomy,
    TimeMs,
    Version,
    VersionTag,
)
from generator.search.index import search_routes
from generator.search.query import Key
from generator.search.ranking import Options

HUB = Hub("Sample hub", "Samples <b>&", "https://hub.example/base")


def make_listing(slug: str, owner: str = "acme", **more: Any) -> Listing:
    """A listing; what is not given is as plain as can be. ``outcomes`` defaults to: loads everywhere."""
    name = more.pop("name", slug)
    facts: dict[str, Any] = {
        "display_name": name, "description": "", "version": Version("1.0.0"), "created_at": TimeMs(1),
        "updated_at": TimeMs(1), "holds_slug": True, "verdict": ScanVerdict.ALLOW,
        "outcomes": "l" * len(load_profiles()),
    }  # fmt: skip
    return Listing(owner=Owner(owner), slug=Slug(slug), name=name, **{**facts, **more})


def listing_of(row: Mapping[str, Any]) -> Listing:
    """A listing out of a row of ``golden.json``: its keys are ours, ``hosts`` names the columns where it is refused."""
    facts = dict(row)
    refused = facts.pop("refusedBy", [])
    outcomes = "".join("r" if profile.id in refused else "l" for profile in load_profiles())
    if "topics" in facts:
        facts["topics"] = tuple(facts["topics"])
    if "verdict" in facts:
        facts["verdict"] = ScanVerdict(facts["verdict"])
    if "taxonomy" in facts:
        facts["taxonomy"] = Taxonomy(**{
            key: tuple(value) if isinstance(value, list) else value for key, value in facts["taxonomy"].items()
        })  # fmt: skip
    return make_listing(**facts, outcomes=outcomes)


def options_of(plain: Mapping[str, Any]) -> Options:
    """Options as ``search.js`` takes them."""
    return Options(
        limit=plain.get("limit", 200),
        exact=plain.get("exact", False),
        owner=plain.get("owner", ""),
        clean_only=plain.get("cleanOnly", False),
        filters={Key(key): values for key, values in plain.get("filters", {}).items()},
    )


def make_catalog(listings: Sequence[Listing]) -> Catalog:
    """A catalog in its order."""
    return Catalog(HUB, tuple(sorted(listings, key=lambda one: (one.slug, one.owner))), ())


def documents_of(
    listings: Sequence[Listing], profiles: Sequence[Profile] | None = None, **split: int
) -> dict[str, bytes]:
    """The index documents of some listings by route."""
    catalog = make_catalog(listings)
    known = load_profiles() if profiles is None else profiles
    return {route.path: route.body for route in search_routes(catalog, known, **split)}


def parsed(documents: Mapping[str, bytes]) -> dict[str, Any]:
    """The documents as JSON values, for Node."""
    return {route: json.loads(body) for route, body in documents.items()}


# --- any catalog -----------------------------------------------------------------------------------

WORDS = (
    "pdf", "forms", "merge", "security", "secuirty", "review", "testing", "test", "tests", "golang", "go", "c", "ai",
    "kubernetes", "GitHub", "data-analysis", "数据分析", "翻译", "译", "テスト", "테스트", "Straße", "Résumé", "анализ",
    "ＥＸＣＥＬ", "the", "how", "🎉", "!!!", "𠀀𠀁", "ไทย",
)  # fmt: skip
_text = st.text(max_size=12)
_phrase = st.lists(st.sampled_from(WORDS) | _text, max_size=5).map(" ".join)
_names = st.lists(
    st.sampled_from(("pdf", "forms", "go", "test", "security", "x1")), min_size=1, max_size=3
).map("-".join)
_optional = st.none() | _phrase
_times = st.integers(0, 3)


@st.composite
def _listing(draw: st.DrawFn) -> Listing:
    slug = draw(_names)
    created, age = draw(_times), draw(_times)
    deprecated = st.builds(Deprecation, _phrase, st.none() | st.just("acme/pdf"))
    return make_listing(
        slug,
        draw(st.sampled_from(("acme", "beta", "pdf-tools"))),
        name=draw(st.just(slug) | _phrase),
        display_name=draw(st.just(slug) | _phrase),
        description=draw(_phrase | st.just("long 文 " * 300)),
        version=Version(draw(st.sampled_from(("1.0.0", "0.2.1")))),
        created_at=TimeMs(created),
        updated_at=TimeMs(created + age),
        holds_slug=draw(st.booleans()),
        verdict=draw(st.sampled_from(ScanVerdict)),
        license=draw(st.sampled_from((None, "MIT", "MIT-0", "Apache-2.0 OR MIT"))),
        homepage=draw(_optional),
        emoji=draw(st.none() | st.just("🧭")),
        topics=tuple(draw(st.lists(st.sampled_from(WORDS) | _text, max_size=3))),
        category=draw(_optional),
        taxonomy=draw(
            st.just(Taxonomy())
            | st.builds(Taxonomy, _optional, _optional, st.lists(_phrase, max_size=2).map(tuple))
        ),
        setup=tuple(draw(st.lists(st.sampled_from(("KEY", "TOKEN")), max_size=2))),
        os=tuple(draw(st.lists(st.sampled_from(("linux", "darwin")), max_size=2))),
        changelog=draw(_phrase),
        file_count=draw(st.integers(0, 3)),
        size=draw(st.integers(0, 2_000_000)),
        findings=draw(st.integers(0, 2)),
        retained=draw(st.booleans()),
        outcomes="".join(draw(st.lists(st.sampled_from("lprc"), min_size=19, max_size=19))),
        stance=Stance(
            withdrawn=draw(st.booleans()),
            quarantined=draw(st.none() | st.just("bad")),
            deprecated=draw(st.none() | deprecated),
            archived=draw(_optional),
            featured=draw(st.none() | st.integers(1, 3)),
            tags=tuple(draw(st.lists(st.just(VersionTag("beta", Version("0.1.0"))), max_size=1))),
            note=draw(st.just("") | _phrase),
        ),
    )


catalogs = st.lists(_listing(), max_size=12, unique_by=lambda one: (one.owner, one.slug))
"""Listings of any hub, some under quarantine."""
_filters = st.sampled_from((
    "owner:acme", "-owner:beta", 'tag:pdf', 'tag:"数据分析"', "-tag:go", "host:codex", "host:deeptutor", "license:mit",
    "license:none", "-license:MIT", "verdict:allow", "verdict：warn", "owner:", 'tag:"open', "other:word",
))  # fmt: skip
questions = st.lists(st.sampled_from(WORDS) | _text | _filters, max_size=6).map(" ".join)
"""Anything somebody may type."""
options = st.fixed_dictionaries(
    {},
    optional={
        "limit": st.integers(1, 5),
        "exact": st.booleans(),
        "owner": st.sampled_from(("", "acme", "beta", "nobody")),
        "cleanOnly": st.booleans(),
        "filters": st.dictionaries(
            st.sampled_from([key.value for key in Key]),
            st.lists(st.sampled_from(("acme", "pdf", "MIT", "allow", "codex"))),
        ),
    },
)
"""Options of ``search.js``."""
lists = st.fixed_dictionaries(
    {},
    optional={
        "order": st.sampled_from(("updated", "created", "name")),
        "limit": st.integers(1, 5),
        "offset": st.integers(0, 6),
        "prefix": st.sampled_from(("", "pdf", "PDF-f", "数", "S", "é")),
        "owner": st.sampled_from(("", "acme")),
        "cleanOnly": st.booleans(),
    },
)
"""Options of ``listSkills``."""
