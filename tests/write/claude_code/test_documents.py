"""Packuments and marketplaces: what they hold of skills that are offered, withdrawn, yanked, blocked or deprecated.

To accept a change: ``SKILLPRESS_UPDATE_GOLDEN=1 pytest tests/write/claude_code``, then read the diff.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from generator.history.overlay.model import Deprecated, Ruling, Tag, Withdrawal
from generator.model import Deprecation, Owner, Route, ScanVerdict, Slug, Stance, Version
from generator.write.protocols.claude_code import MARKETPLACE, skill_answers
from generator.write.protocols.claude_code_repository import (
    RepositoryCollection,
    RepositorySkill,
    repository_folder,
    repository_marketplace,
)
from tests.write.claude_code.samples import AGENT, HUB, PLUGIN, Made, bundle_of, make, routes_of, skill_md

GOLDEN = Path(__file__).parents[2] / "golden" / "claude_code"
TWO = {
    "1.0.0": {"SKILL.md": skill_md("demo"), "scripts/run.sh": "echo 1\n"},
    "1.1.0": {"SKILL.md": skill_md("demo", "More.\n"), "scripts/run.sh": "echo 2\n"},
}
V1, V2 = Version("1.0.0"), Version("1.1.0")


def demo(**changes: Any) -> Made:
    return make("demo", TWO, **changes)


def hub_of_every_kind() -> tuple[tuple[Route, ...], bytes]:
    rich = demo(
        display_name="Demo 演示",
        topics=("office", "数据"),
        category="office",
        homepage="https://example.org/demo",
    )
    twins = [
        make("twins", {"1.0.0": {"SKILL.md": skill_md("twins", o)}}, owner=o, holds_slug=False)
        for o in ("acme", "beta")
    ]
    agents = make(
        "agents", {"1.0.0": {"SKILL.md": skill_md("agents"), "agents/reviewer.md": AGENT}}, owner="beta"
    )
    note = Stance(
        deprecated=Deprecation("Old.", "acme/demo"), note="[Deprecated: Use acme/demo instead. Old]"
    )
    old = make("old-one", {"1.0.0": {"SKILL.md": skill_md("old-one")}}, stance=note)
    gone = make("withdrawn", {"1.0.0": {"SKILL.md": skill_md("withdrawn")}}, stance=Stance(withdrawn=True))
    held = make("held", {"1.0.0": {"SKILL.md": skill_md("held")}}, stance=Stance(quarantined="Looks wrong."))
    bad = make("bad", {"1.0.0": {"SKILL.md": skill_md("bad")}}, verdict=ScanVerdict.BLOCK)
    bundle, ledger = bundle_of(HUB, "office", [rich, *twins, agents])
    return routes_of(HUB, [rich, *twins, agents, old, gone, held, bad], [bundle]), ledger


def check(name: str, text: str) -> None:
    file = GOLDEN / name
    if os.environ.get("SKILLPRESS_UPDATE_GOLDEN"):
        GOLDEN.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def readable(body: bytes) -> str:
    return json.dumps(json.loads(body), ensure_ascii=False, indent=1) + "\n"


def test_golden_documents() -> None:
    routes, ledger = hub_of_every_kind()
    by_path = {route.path: route for route in routes}
    assert len(by_path) == len(routes)
    for name, path in (
        ("marketplace.json", MARKETPLACE),
        ("packument.json", "/npm/@acme/demo"),
        ("bundle-packument.json", "/npm/@hub-example-base.collections/office"),
    ):
        assert by_path[path].media_type == "application/json"
        check(name, readable(by_path[path].body))
    check("bundle-ledger.jsonl", ledger.decode())
    assert hub_of_every_kind() == (routes, ledger)


def test_every_tarball_that_is_named_is_there_and_is_what_is_named() -> None:
    routes, _ = hub_of_every_kind()
    by_path = {route.path: route.body for route in routes}
    named = set()
    for route in routes:
        for one in (
            json.loads(route.body).get("versions", {}).values() if route.path.startswith("/npm/") else ()
        ):
            path = one["dist"]["tarball"].removeprefix(HUB.url)
            digest = base64.b64encode(hashlib.sha512(by_path[path]).digest()).decode()
            assert one["dist"]["integrity"] == f"sha512-{digest}"
            named.add(path)
    assert named == {route.path for route in routes if route.path.endswith(".tgz")}


def test_every_plugin_names_a_version_of_a_packument() -> None:
    routes, _ = hub_of_every_kind()
    by_path = {route.path: json.loads(route.body) for route in routes if not route.path.endswith(".tgz")}
    plugins = by_path[MARKETPLACE]["plugins"]
    names = [plugin["name"] for plugin in plugins]
    assert names == ["agents", "demo", "old-one", "acme--twins", "beta--twins", "collections--office"]
    for plugin in plugins:
        source = plugin["source"]
        assert source["registry"] == f"{HUB.url}/npm"
        packument = by_path[f"/npm/{source['package']}"]
        assert packument["dist-tags"]["latest"] == source["version"] == plugin["version"]
        assert source["version"] in packument["versions"]
    assert plugins[-1]["dependencies"] == ["agents"]
    assert plugins[2]["description"].startswith("[Deprecated: Use acme/demo instead. Old] Does what")


def packument(made: Made) -> tuple[int, Any]:
    routes = routes_of(HUB, [made])
    (route,) = (route for route in routes if route.path.startswith("/npm/"))
    return route.status, json.loads(route.body)


def tarballs(made: Made) -> set[str]:
    return {route.path for route in routes_of(HUB, [made]) if route.path.endswith(".tgz")}


def test_a_yanked_version_can_be_pinned_and_says_so() -> None:
    made = demo(ruling=Ruling(yanked=(Withdrawal(V2, "Breaks notes."),)))
    status, document = packument(made)
    assert (status, document["dist-tags"]) == (200, {"latest": "1.0.0"})
    assert document["versions"]["1.1.0"]["deprecated"] == "Yanked: Breaks notes."
    assert "deprecated" not in document["versions"]["1.0.0"]
    assert len(tarballs(made)) == 2


def test_all_yanked_means_no_latest() -> None:
    _, document = packument(demo(ruling=Ruling(yanked=(Withdrawal(V1, "Old."), Withdrawal(V2, "Bad.")))))
    assert document["dist-tags"] == {}
    assert set(document["versions"]) == {"1.0.0", "1.1.0"}


@pytest.mark.parametrize(
    "changes",
    [
        {"ruling": Ruling(quarantined=(Withdrawal(V2, "Looks wrong."),))},
        {"verdicts": {"1.1.0": ScanVerdict.BLOCK}},
    ],
    ids=["quarantined", "blocked"],
)
def test_a_version_that_nobody_gets_is_not_there(changes: Any) -> None:
    made = demo(**changes)
    _, document = packument(made)
    assert set(document["versions"]) == set(document["time"]) - {"created", "modified"} == {"1.0.0"}
    assert tarballs(made) == {"/dl/acme/demo-1.0.0.tgz"}


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ({"ruling": Ruling(quarantined=(Withdrawal(None, "Looks wrong."),))}, 410, "quarantined by this hub: Looks"),
        ({"verdicts": {"1.0.0": ScanVerdict.BLOCK, "1.1.0": ScanVerdict.BLOCK}}, 403, "blocked by this hub's"),
    ],
    ids=["quarantined", "blocked"],
)  # fmt: skip
def test_nothing_given_out_says_why(changes: Any, status: int, words: str) -> None:
    made = demo(**changes)
    answered, document = packument(made)
    assert (answered, list(document)) == (status, ["error"])
    assert words in document["error"]
    assert tarballs(made) == set()


def test_deprecation_and_tags() -> None:
    successor = (Owner("acme"), Slug("new-demo"))
    ruling = Ruling(
        deprecated=Deprecated("Nobody keeps it", successor), tags=(Tag("next", V2), Tag("latest", V1))
    )
    _, document = packument(demo(ruling=ruling))
    assert document["dist-tags"] == {"latest": "1.0.0", "next": "1.1.0"}
    told = {one["deprecated"] for one in document["versions"].values()}
    assert told == {"Deprecated: Use acme/new-demo instead. Nobody keeps it."}


def test_versions_whose_archive_is_lost_are_left_out() -> None:
    (route,) = skill_answers(demo().skill, {})
    assert (route.status, json.loads(route.body)) == (
        404,
        {"error": "@acme/demo has no tarball at this hub."},
    )


def test_an_entry_holds_no_homepage_that_claude_code_would_refuse_it_for_and_nothing_hidden() -> None:
    made = demo(homepage="example.org", description="Turns\u202e words", display_name="demo")
    assert packument(made)[1]["description"] == "Turns words"
    (route,) = (route for route in routes_of(HUB, [made]) if route.path == MARKETPLACE)
    (plugin,) = json.loads(route.body)["plugins"]
    assert set(plugin) == {"name", "description", "author", "license", "version", "source"}
    assert plugin["description"] == "Turns words"


# --- the repository's own ---------------------------------------------------------------------------


def test_golden_repository_marketplace() -> None:
    demo_listing = demo().skill.listing
    skills = [
        RepositorySkill(demo_listing, "skills/demo"),
        RepositorySkill(
            make("plugin", {"1.0.0": {"SKILL.md": "x"}}).skill.listing, "plugin", (), PLUGIN.encode()
        ),
        RepositorySkill(make("broken", {"1.0.0": {"SKILL.md": "x"}}).skill.listing, "broken", (), b"{}"),
        RepositorySkill(make("held", TWO, stance=Stance(withdrawn=True)).skill.listing, "held"),
    ]
    members = ((Owner("acme"), Slug("demo")), (Owner("acme"), Slug("broken")), (Owner("acme"), Slug("held")))
    collections = [
        RepositoryCollection("office", "Office", "For the office.", members),
        RepositoryCollection("nothing", "Nothing", "", members[2:]),
    ]
    check("repository.json", readable(repository_marketplace(HUB, skills, collections)))


@pytest.mark.parametrize(
    ("base", "source", "folder", "wanted"),
    [("", "skills", "a", "skills/a"), ("hub", "../skills", "a/b", "skills/a/b"), ("", ".", "", ""),
     ("", "./s/", "", "s"),
     ("", "../elsewhere", "a", None), ("hub", "../..", "", None), ("", "/srv/skills", "a", None),
     ("", "https://example.org/x.git", "a", None), ("", "..", "", None)],
)  # fmt: skip
def test_folders_in_the_repository(base: str, source: str, folder: str, wanted: str | None) -> None:
    assert repository_folder(base, source, folder) == wanted
