"""Agent Skills discovery: what each index holds, and that no entry can void one."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any
from urllib.parse import urljoin

import pytest

from generator.history.overlay.model import Ruling, Withdrawal
from generator.model import Route, Version
from generator.write.protocols.agent_skills import MISSING, NOTICE_NAME, SCHEMA
from generator.write.protocols.indexes import cut_units
from tests.write.protocols_skills.making import HUB, Files, make, manifest, routes_of
from tests.write.protocols_skills.samples import COLLECTIONS, LONG, hub

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
INDEX = ".well-known/agent-skills/index.json"


@pytest.fixture(scope="module")
def routes() -> dict[str, Route]:
    return routes_of(list(hub().values()), collections=COLLECTIONS)


def index(routes: dict[str, Route], page: str) -> list[dict[str, Any]]:
    route = routes[f"{page}/{INDEX}"]
    assert (route.status, route.media_type) == (200, "application/json")
    document = json.loads(route.body)
    assert document["$schema"] == SCHEMA
    return list(document["skills"])


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


INDEXES: dict[str, list[str]] = {
    "": ["field-notes", "old-tool", "pdf-tools", "with-dots", "with-index", "with-page", "with-php"],
    "/acme": ["field-notes", "old-tool", "twins", "with-dots", "with-index", "with-page", "with-php"],
    "/beta": ["pdf-tools", "twins"],
    "/gone": [NOTICE_NAME],
    "/collections/office": ["pdf-tools", "field-notes"],
    "/collections/pairs": ["field-notes"],
    "/collections/nothing": [NOTICE_NAME],
    "/acme/skills/field-notes": ["field-notes"],
    "/acme/skills/twins": ["twins"],
    "/beta/skills/twins": ["twins"],
    "/acme/skills/with-php": ["with-php"],
    "/acme/skills/blocked": [NOTICE_NAME],
    "/acme/skills/yanked": [NOTICE_NAME],
    "/acme/skills/locked-away": [NOTICE_NAME],
    "/beta/skills/nameless": [NOTICE_NAME],
    f"/beta/skills/{LONG}": [NOTICE_NAME],
}


@pytest.mark.parametrize(("page", "names"), INDEXES.items(), ids=[page or "root" for page in INDEXES])
def test_which_skills_an_index_holds(routes: dict[str, Route], page: str, names: list[str]) -> None:
    assert [entry["name"] for entry in index(routes, page)] == names


def test_every_entry_is_valid_and_leads_to_bytes_with_its_digest(routes: dict[str, Route]) -> None:
    """From any address of the hub, with a base path and without: the addresses are relative."""
    found = 0
    for path, route in routes.items():
        if not path.endswith(INDEX):
            continue
        for entry in json.loads(route.body)["skills"]:
            found += 1
            assert NAME.fullmatch(entry["name"])
            assert len(entry["name"]) <= 64
            assert 1 <= units(entry["description"]) <= 1024
            assert DIGEST.fullmatch(entry["digest"])
            assert not entry["url"].startswith(("/", "http"))
            for base in ("https://hub.example", "https://hub.example/base"):
                target = urljoin(f"{base}{path}", entry["url"])
                assert target.startswith(f"{base}/")
                data = routes[target.removeprefix(base)].body
                assert entry["digest"] == f"sha256:{sha256(data).hexdigest()}"
            if entry["type"] == "archive":
                assert entry["files"] == sorted(entry["files"]) if "files" in entry else True
    assert found > 30


def test_an_entry_also_satisfies_a_reader_of_version_0_1(routes: dict[str, Route]) -> None:
    entries = {entry["name"]: entry for entry in index(routes, "")}
    assert entries["pdf-tools"]["files"] == [
        "SKILL.md",
        "assets/logo.png",
        "references/FORMS.md",
        "scripts/extract.py",
        "scripts/lib/deep.py",
    ]
    # Such a reader refuses the index for a path with two dots; it may have no file of this skill.
    assert "files" not in entries["with-dots"]


def test_the_version_of_an_entry_is_the_one_that_is_offered(routes: dict[str, Route]) -> None:
    (entry,) = index(routes, "/acme/skills/field-notes")
    assert (entry["version"], entry["url"]) == ("1.1.0", "../../../../../dl/acme/field-notes-1.1.0.zip")


def test_a_yanked_latest_version_gives_way_to_the_one_before() -> None:
    yank = Ruling(yanked=(Withdrawal(Version("2.0.0"), "Broken"),))
    versions: dict[str, Files] = {
        "1.0.0": {"SKILL.md": manifest("tool", "First.")},
        "2.0.0": {"SKILL.md": manifest("tool", "Second.")},
    }
    routes = routes_of([make("acme/tool", versions, ruling=yank)])
    (entry,) = index(routes, "/acme/skills/tool")
    assert (entry["version"], entry["description"]) == ("1.0.0", "First.")


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("/acme/skills/blocked", "blocked by this hub's security scan"),
        ("/acme/skills/yanked", "Loses the last line"),
        ("/acme/skills/locked-away", "quarantined by this hub: Reported: sends files away"),
        ("/beta/skills/nameless", "no front matter that this installer reads"),
        (f"/beta/skills/{LONG}", "more than 64 characters"),
        ("/gone", "no skill on this hub that can be installed"),
        ("/collections/nothing", "no skill that can be installed"),
    ],
)
def test_where_nothing_can_be_installed_a_notice_says_why(
    routes: dict[str, Route], page: str, reason: str
) -> None:
    (entry,) = index(routes, page)
    notice = routes[f"{page}/.well-known/agent-skills/SKILL.md"].body.decode()
    assert reason in entry["description"]
    assert (entry["type"], entry["url"]) == ("skill-md", "SKILL.md")
    assert "internal: true" in notice
    assert notice.startswith(f"---\nname: {NOTICE_NAME}\n")
    assert json.dumps(entry["description"]) in notice


def test_what_is_under_quarantine_shows_nothing_of_its_author() -> None:
    secret = "A text that nobody should read any more."
    ruling = Ruling(quarantined=(Withdrawal(None, "Reported"),))
    routes = routes_of([make("acme/locked", {"SKILL.md": manifest("locked", secret)}, ruling=ruling)])
    for path, route in routes.items():
        assert secret.encode() not in route.body, path


def test_an_operators_reason_cannot_leave_its_place_in_the_notice() -> None:
    reason = 'x"\n---\nname: evil\n<script>\u2028: [}'
    ruling = Ruling(quarantined=(Withdrawal(None, reason),))
    routes = routes_of([make("acme/locked", {"SKILL.md": manifest("locked")}, ruling=ruling)])
    notice = routes["/acme/skills/locked/.well-known/agent-skills/SKILL.md"].body.decode()
    assert notice.isascii()
    assert notice.count("\n---\n") == 1
    assert "name: evil" not in notice.splitlines()


def test_a_page_that_does_not_exist_has_an_answer_for_routers(routes: dict[str, Route]) -> None:
    (entry,) = json.loads(routes[MISSING].body)["skills"]
    assert entry["name"] == NOTICE_NAME
    assert entry["url"] == f"{HUB.url}/.well-known/agent-skills/missing.md"
    data = routes["/.well-known/agent-skills/missing.md"].body
    assert entry["digest"] == f"sha256:{sha256(data).hexdigest()}"


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        ("short", 10, "short"),
        ("exactly-10", 10, "exactly-10"),
        ("exactly-11!", 10, "exactly-1…"),
        ("🧪" * 5, 10, "🧪" * 5),
        ("🧪" * 6, 10, "🧪🧪🧪🧪…"),
        ("a b c d e f", 10, "a b c d e…"),
    ],
    ids=["short", "exact", "one-more", "pairs-exact", "pairs-never-split", "no-blank-before-the-dots"],
)
def test_a_text_is_cut_as_javascript_counts(text: str, limit: int, cut: str) -> None:
    assert cut_units(text, limit) == cut
    assert units(cut) <= limit


@pytest.mark.parametrize("sign", ["x", "数", "🧪"])
def test_a_long_description_is_cut(sign: str) -> None:
    skill = make("acme/talker", {"SKILL.md": manifest("talker", sign * 3000)})
    (entry,) = index(routes_of([skill]), "/acme/skills/talker")
    assert 1000 < units(entry["description"]) <= 1024
    assert entry["description"].endswith("…")


# --- version 0.1 -----------------------------------------------------------------------------------


def legacy(routes: dict[str, Route]) -> dict[str, dict[str, Any]]:
    document = json.loads(routes["/.well-known/skills/index.json"].body)
    assert list(document) == ["skills"], "with a $schema it is no index of version 0.1"
    return {entry["name"]: entry for entry in document["skills"]}


@pytest.mark.parametrize("headers", [True, False])
def test_the_legacy_index_holds_nothing_that_voids_it(headers: bool) -> None:
    routes = routes_of(list(hub().values()), headers=headers)
    names = ["field-notes", "nameless", "old-tool", "pdf-tools", "with-index"]
    assert sorted(legacy(routes)) == sorted([*names, *(["with-page"] if headers else [])])
    for entry in legacy(routes).values():
        assert NAME.fullmatch(entry["name"])
        assert entry["description"]
        assert "SKILL.md" in entry["files"]
        assert not any(".." in path for path in entry["files"])


def test_every_file_that_the_legacy_index_names_is_there_byte_for_byte(routes: dict[str, Route]) -> None:
    made = {key.partition("/")[2]: one for key, one in hub().items()}
    for name, entry in legacy(routes).items():
        for path in entry["files"]:
            file = made[name].skill.folder.package.file(path)
            assert file is not None
            assert routes[f"/.well-known/skills/{name}/{path}"].body == file.data
