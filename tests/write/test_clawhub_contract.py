"""The traps of the ClawHub contract, one test each, named after what would break."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from markdown_it import MarkdownIt

from generator.model import Catalog, Listing, PublishedSkill, ScanVerdict, Stance, Taxonomy, Version
from generator.write.protocols.clawhub import hub_routes, list_row, skill_answers
from generator.write.protocols.clawhub_card import escape_markdown
from generator.write.protocols.clawhub_rows import SUMMARY_LIMIT
from tests.golden.samples import HUB, catalog_of, sample, samples

BASE = "/api/v1/skills/demo"
VERDICTS = list(ScanVerdict)


def documents(skill: PublishedSkill) -> dict[str, Any]:
    return {
        route.path: json.loads(route.body)
        for route in skill_answers(skill)
        if route.media_type == "application/json"
    }


def rows() -> list[dict[str, Any]]:
    hub = {route.path: route for route in hub_routes(catalog_of(samples()))}
    items: list[dict[str, Any]] = json.loads(hub["/api/v1/skills"].body)["items"]
    return items


def with_license(spdx: str | None) -> PublishedSkill:
    skill = sample().skill
    releases = tuple(replace(one, license=spdx) for one in skill.releases)
    return replace(skill, listing=replace(skill.listing, license=spdx), releases=releases)


@pytest.mark.parametrize(
    ("spdx", "shown"), [("Apache-2.0", None), (None, None), ("MIT", None), ("MIT-0", "MIT-0")]
)
def test_license_is_mit_0_or_null_everywhere(spdx: str | None, shown: str | None) -> None:
    skill = with_license(spdx)
    found = documents(skill)
    assert found[BASE]["latestVersion"]["license"] == shown
    assert found[f"{BASE}/versions/1.0.0"]["version"]["license"] == shown
    row = list_row(skill.listing, HUB)
    assert row["latestVersion"]["license"] == shown
    assert row["spdxLicense"] == found[BASE]["skill"]["spdxLicense"] == spdx


def test_latest_version_in_lists_is_an_object_never_null() -> None:
    assert all(isinstance(row["latestVersion"], dict) for row in rows())
    assert all(isinstance(row["version"], str) for row in rows())


def test_metadata_always_has_setup() -> None:
    bare = replace(sample().skill.listing, setup=(), os=())
    assert list_row(bare, HUB)["metadata"] == {"setup": [], "os": None, "systems": None}
    detail = documents(sample().skill)[BASE]
    assert detail["metadata"]["setup"] == [{"key": "DEMO_KEY", "required": True}]


def test_times_are_integer_milliseconds() -> None:
    found = documents(sample().skill)
    times = [
        found[BASE]["skill"]["createdAt"], found[BASE]["skill"]["updatedAt"],
        found[BASE]["latestVersion"]["createdAt"], found[f"{BASE}/verify"]["createdAt"],
        found[f"{BASE}/versions"]["items"][1]["createdAt"],
    ]  # fmt: skip
    assert all(type(time) is int and time > 1_600_000_000_000 for time in times)


def test_stats_can_be_int_ed() -> None:
    assert [int(value) for value in rows()[0]["stats"].values()] == [0, 0]


def test_rows_have_what_openclaw_does_not_drop() -> None:
    for row in rows():
        assert row["source"] == "clawhub"
        assert row["install"]["kind"] == "clawhub"
        assert isinstance(row["ownerHandle"], str)
        assert set(row["publisher"]) == {"kind", "handle", "displayName", "image", "official"}


def test_no_value_that_the_cli_wants_missing_is_null() -> None:
    for row in rows():
        for key in (
            "slug",
            "displayName",
            "updatedAt",
            "source",
            "install",
            "links",
            "topics",
            "canonicalUrl",
        ):
            assert row[key] is not None


def test_owner_is_in_every_detail() -> None:
    detail = documents(sample().skill)[BASE]
    assert detail["owner"]["handle"] == "acme"
    assert detail["owner"]["htmlUrl"] == "https://hub.example/base/acme/"


def test_skill_description_is_the_whole_skill_md() -> None:
    skill = sample().skill
    detail = documents(skill)[BASE]
    file = skill.folder.package.file("SKILL.md")
    assert file is not None
    assert detail["skill"]["description"] == file.data.decode()
    assert detail["skill"]["summary"] == skill.listing.description


def test_detail_has_what_deeptutor_reads() -> None:
    detail = documents(sample().skill)[BASE]
    assert detail["distTags"] == {"latest": "1.1.0"}
    assert detail["keywords"] == ["office", "数据"]
    assert detail["skill"]["track"] == "academics"
    assert detail["skill"]["domains"] == ["math.algebra"]
    assert "stages" not in detail["skill"]


def test_long_descriptions_are_cut_in_lists_only() -> None:
    skill = sample(description="长" * 5000).skill
    row = list_row(skill.listing, HUB)
    assert len(row["summary"]) == SUMMARY_LIMIT
    assert documents(skill)[BASE]["skill"]["summary"] == "长" * 5000


def test_list_is_complete_newest_first_and_has_no_cursor() -> None:
    hub = {route.path: json.loads(route.body) for route in hub_routes(catalog_of(samples()))}
    items = hub["/api/v1/skills"]["items"]
    assert hub["/api/v1/skills"]["nextCursor"] is None
    assert [(row["slug"], row["ownerHandle"]) for row in items] == [
        ("excel-charts", "beta"), ("blocked", "acme"), ("demo", "acme"), ("twins", "acme"), ("twins", "beta"),
        ("unsure", "acme"), ("warned", "acme"),
    ]  # fmt: skip
    assert hub["/api/v1/search"] == {"results": items}


def test_trending_does_not_recommend_what_is_blocked() -> None:
    hub = {route.path: json.loads(route.body) for route in hub_routes(catalog_of(samples()))}
    trending = hub["/api/v1/trending"]
    assert [row["rank"] for row in trending["items"]] == [1, 2, 3, 4, 5, 6]
    assert "blocked" not in {row["slug"] for row in trending["items"]}
    assert all(row["metrics"]["updatedAt"] > 0 for row in trending["items"])


def test_an_empty_hub_has_all_documents() -> None:
    hub = {route.path: json.loads(route.body) for route in hub_routes(Catalog(HUB, (), ()))}
    assert hub["/api/v1/skills"] == {"items": [], "nextCursor": None}
    assert hub["/api/v1/search"] == {"results": []}
    assert hub["/api/v1/trending"]["items"] == []


def test_discovery_names_the_base_without_api_v1() -> None:
    hub = {route.path: json.loads(route.body) for route in hub_routes(Catalog(HUB, (), ()))}
    expected = {"apiBase": "https://hub.example/base", "registry": "https://hub.example/base"}
    assert hub["/.well-known/clawhub.json"] == hub["/.well-known/clawdhub.json"] == expected


def test_a_shared_slug_gets_a_409_and_both_skills_move_under_their_owner() -> None:
    made = samples()
    [ambiguous] = [r for r in hub_routes(catalog_of(made)) if r.status == 409]
    assert ambiguous.path == "/api/v1/skills/twins"
    document = json.loads(ambiguous.body)
    assert document["code"] == "AMBIGUOUS_SKILL_SLUG"
    assert [match["ref"] for match in document["matches"]] == ["@acme/twins", "@beta/twins"]
    assert all(set(match) == {"ownerHandle", "slug", "ref", "url"} for match in document["matches"])
    twins = [one.skill for one in made if one.skill.listing.slug == "twins"]
    assert [skill_answers(one)[0].path for one in twins] == [
        "/api/v1/owners/acme/skills/twins",
        "/api/v1/owners/beta/skills/twins",
    ]


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_answer_tells_the_same_verdict(verdict: ScanVerdict) -> None:
    found = documents(sample(verdict=verdict).skill)
    expected = {"allow": "clean", "warn": "suspicious", "block": "malicious", "error": "error"}[verdict]
    verify, item = found[f"{BASE}/verify"], found[f"{BASE}/security-verdict"]
    statuses = {
        verify["security"]["status"], item["security"]["status"], found[f"{BASE}/scan"]["security"]["status"],
        found[f"{BASE}/versions/1.1.0"]["version"]["security"]["status"],
    }  # fmt: skip
    assert statuses == {expected}
    assert verify["ok"] is item["ok"] is (verdict is ScanVerdict.ALLOW)
    assert verify["decision"] == item["decision"] == ("pass" if verdict is ScanVerdict.ALLOW else "fail")
    assert verify["reasons"] == item["reasons"]
    assert bool(verify["reasons"]) is (verdict is not ScanVerdict.ALLOW)
    moderation = found[BASE]["moderation"]
    assert moderation["isMalwareBlocked"] is (verdict is ScanVerdict.BLOCK)
    assert moderation["isSuspicious"] is (verdict in (ScanVerdict.WARN, ScanVerdict.ERROR))


def test_only_a_block_reads_as_blocked_to_openclaw() -> None:
    for verdict in VERDICTS:
        item = documents(sample(verdict=verdict).skill)[f"{BASE}/security-verdict"]
        told = [*item["reasons"], item["security"]["status"]]
        blocked = any("malicious" in text or "malware" in text or text.endswith("blocked") for text in told)
        assert blocked is (verdict is ScanVerdict.BLOCK)


def test_a_verdict_names_what_ran_and_claims_nothing_else() -> None:
    verify = documents(sample().skill)[f"{BASE}/verify"]
    signals = verify["security"]["signals"]
    assert signals["staticScan"]["engine"] == "skillpress-scan"
    assert signals["staticScan"]["ruleset"] == "1+0123456789ab"
    assert [key for key, value in signals.items() if value is None] == [
        "virusTotal", "skillSpector", "dependencyRegistry",
    ]  # fmt: skip
    assert (
        verify["security"]["model"]
        is verify["security"]["confidence"]
        is verify["security"]["checkedAt"]
        is None
    )
    assert verify["provenance"]["source"] == "unavailable"
    assert verify["signature"] == {"status": "unsigned"}


def test_verdict_item_has_what_openclaw_fails_closed_without() -> None:
    item = documents(sample().skill)[f"{BASE}/security-verdict"]
    assert item["overview"]
    assert item["securityAuditUrl"]
    assert item["publisherHandle"] == "acme"
    assert isinstance(item["reasons"], list)
    assert "error" not in item


def test_verify_speaks_of_the_version_asked_for() -> None:
    found = documents(sample(first_verdict=ScanVerdict.WARN).skill)
    assert found[f"{BASE}/verify"]["version"] == "1.1.0"
    assert found[f"{BASE}/verify"]["resolvedFrom"] == "latest"
    assert found[f"{BASE}/versions/1.0.0/verify"]["version"] == "1.0.0"
    assert found[f"{BASE}/versions/1.0.0/verify"]["resolvedFrom"] == "version"
    assert found[f"{BASE}/versions/1.0.0/verify"]["ok"] is False
    assert found[f"{BASE}/verify"]["ok"] is True


def test_card_url_is_absolute_and_names_the_card_that_was_hashed() -> None:
    skill = sample().skill
    routes = {route.path: route for route in skill_answers(skill)}
    for suffix in ("/verify", "/versions/1.0.0/verify"):
        card = json.loads(routes[BASE + suffix].body)["card"]
        assert card["url"].startswith("https://hub.example/base/api/v1/skills/demo/versions/")
        body = routes[card["url"].removeprefix("https://hub.example/base")].body
        assert (card["sha256"], card["size"]) == (sha256(body).hexdigest(), len(body))


def test_install_points_at_a_static_file() -> None:
    install = documents(sample().skill)[f"{BASE}/install"]
    assert install == {
        "ok": True,
        "slug": "demo",
        "installKind": "archive",
        "archive": {"version": "1.1.0", "downloadUrl": "https://hub.example/base/dl/acme/demo-1.1.0.zip"},
    }


def test_a_blocked_release_is_not_installed() -> None:
    skill = sample(verdict=ScanVerdict.BLOCK).skill
    [route] = [one for one in skill_answers(skill) if one.path == f"{BASE}/install"]
    document = json.loads(route.body)
    assert route.status == document["status"] == 403
    assert document["ok"] is False
    assert document["reason"] == "archive_version_missing"
    found = documents(skill)
    assert found[f"{BASE}/versions/1.1.0"]["version"]["archive"] is None
    assert found[f"{BASE}/versions/1.0.0"]["version"]["archive"] is not None


def test_every_fingerprint_resolves_and_others_do_not() -> None:
    skill = sample().skill
    found = documents(skill)
    for release in skill.releases:
        for known in (release.hashes.fingerprint, *release.hashes.aliases):
            assert found[f"{BASE}/resolve/{known}"] == {
                "slug": "demo",
                "match": {"version": release.version},
                "latestVersion": {"version": "1.1.0"},
            }
    assert found[f"{BASE}/resolve"]["match"] is None


def test_same_content_in_two_versions_resolves_to_the_newer() -> None:
    skill = sample().skill
    newest = skill.releases[0]
    older = replace(skill.releases[1], hashes=newest.hashes)
    found = documents(replace(skill, releases=(newest, older)))
    assert found[f"{BASE}/resolve/{newest.hashes.fingerprint}"]["match"] == {"version": "1.1.0"}


def test_a_shared_alias_resolves_to_the_older_so_that_no_update_is_missed() -> None:
    skill = sample().skill
    alias = skill.releases[0].hashes.aliases or ("a" * 64,)
    releases = tuple(replace(one, hashes=replace(one.hashes, aliases=alias[:1])) for one in skill.releases)
    found = documents(replace(skill, releases=releases))
    assert found[f"{BASE}/resolve/{alias[0]}"]["match"] == {"version": "1.0.0"}


def test_versions_are_newest_first() -> None:
    found = documents(sample().skill)[f"{BASE}/versions"]
    assert [item["version"] for item in found["items"]] == ["1.1.0", "1.0.0"]
    assert [item["changelogSource"] for item in found["items"]] == ["user", None]
    assert found["nextCursor"] is None


def test_file_offsets_cut_the_files_out_of_the_archive() -> None:
    made = sample()
    for route in skill_answers(made.skill):
        if route.path in (f"{BASE}/versions/1.0.0", f"{BASE}/versions/1.1.0"):
            version = json.loads(route.body)["version"]
            data = made.archives[Version(version["version"])]
            for file in version["files"]:
                piece = data[file["offset"] : file["offset"] + file["size"]]
                assert sha256(piece).hexdigest() == file["sha256"]


def test_a_lone_surrogate_and_a_nul_do_not_stop_a_build() -> None:
    listing = replace(sample().skill.listing, description="a\ud800b\0c")
    skill = replace(sample().skill, listing=listing)
    assert json.loads(skill_answers(skill)[0].body)["skill"]["summary"] == "a?b\0c"
    json.loads(hub_routes(Catalog(HUB, (listing,), ()))[2].body)


HOSTILE_TEXTS = {
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "link": "[click](javascript:alert(1)) ![x](https://example.org/x.png) <https://example.org>",
    "bare link": "see https://example.org and www.example.org or a@example.org",
    "emphasis": "**bold** _it_ ~~no~~ `code` ``two``",
    "lines": "one\n# heading\n\n- list\n\n```\nfence",
    "table": "a | b\n--|--\n1 | 2",
    "entities": "&lt;b&gt; &amp;",
    "numbers": "1. first\n2) second",
}


@pytest.mark.parametrize("text", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS.keys())
def test_author_text_in_a_card_stays_text(text: str) -> None:
    rendered = MarkdownIt("commonmark", {"linkify": False}).enable(["table", "strikethrough"])
    html = rendered.render(f"- Name: {escape_markdown(text)}\n")
    plain = " ".join(text.split())
    escaped = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    assert html == f"<ul>\n<li>Name: {escaped}</li>\n</ul>\n"


def test_hidden_characters_leave_no_trace_in_a_card() -> None:
    assert escape_markdown("a\u202eb\u200bc\U000e0041d\x1b[0m") == "abcd\\[0m"


def test_card_tells_the_verdict_and_the_hashes() -> None:
    skill = sample(verdict=ScanVerdict.WARN).skill
    [card] = [route for route in skill_answers(skill) if route.path == f"{BASE}/card"]
    text = card.body.decode()
    assert card.media_type == "text/markdown; charset=utf-8"
    for wanted in (
        "Status: **suspicious**", skill.latest.hashes.fingerprint, skill.latest.archive.sha256,
        "@acme/demo", "references/说明\\.md", "DEMO\\_KEY", "\\<b\\>well\\</b\\>",
    ):  # fmt: skip
        assert wanted in text


OTHER_VALUES: dict[str, object] = {
    "created_at": 1, "updated_at": 1, "verdict": ScanVerdict.WARN, "topics": ("x",), "taxonomy": Taxonomy(),
    "setup": ("X",), "os": ("x",), "file_count": 999, "size": 999, "findings": 999, "retained": True,
    "stance": Stance(featured=1),
}  # fmt: skip
NOT_IN_ROWS = {"holds_slug", "statuses", "outcomes", "codes", "tools", "archive", "paths", "handoff"}
"""The first two speak of routes, not of the skill; the next are for the pages about hosts and rules, the last for other
protocols."""


@pytest.mark.parametrize("name", sorted(set(Listing.__dataclass_fields__) - NOT_IN_ROWS))
def test_a_row_forgets_no_field_of_a_listing(name: str) -> None:
    listing = sample().skill.listing
    changed = replace(listing, **{name: OTHER_VALUES.get(name, "x")})  # type: ignore[arg-type]
    assert getattr(changed, name) != getattr(listing, name)
    assert list_row(changed, HUB) != list_row(listing, HUB)
