"""Rules over the whole catalog: what several skills cannot both have."""

from __future__ import annotations

import random
import time

import pytest

from generator.judge.members import Member, NamedFile, UpwardLink
from generator.judge.model import Place, Subject
from generator.judge.neighbourhood import member_of
from generator.judge.rules.collisions import find_collisions
from generator.read.manifest import read_skill
from tests.read.helpers import package


def member(name: str | None, folder: str = "", **given: object) -> Member:
    folder = folder or f"skills/{name}"
    values: dict[str, object] = {
        "owner": "me",
        "slug": folder.rpartition("/")[2].lower(),
        "source": "src",
        "folder": folder,
        "folder_name": folder.rpartition("/")[2],
        "path": f"{folder}/SKILL.md",
        "name": name,
        "name_line": 2,
        "name_column": 1,
    }
    return Member(**{**values, **given})  # type: ignore[arg-type]


def agents(*names: str) -> tuple[NamedFile, ...]:
    return tuple(NamedFile(name, f"agents/{name}.md") for name in names)


def told(*members: Member) -> list[tuple[int, str]]:
    return [(index, f.code) for index, found in find_collisions(members).items() for f in found]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ([], []),
        ([member("a")], []),
        ([member("a"), member("b")], []),
        ([member(None, "a"), member(None, "b")], []),
        ([member("", "a"), member("", "b")], []),
        (
            [member("a", "x/a"), member("b"), member("a", "y/a")],
            [(0, "name-collision-in-registry"), (2, "name-collision-in-registry")],
        ),
        ([member("a"), member("A", "skills/other")], []),
        (
            [member("a", agents=agents("r")), member("b", agents=agents("r", "s")), member("c", agents=agents("s"))],
            [(0, "agent-name-collision"), (1, "agent-name-collision"), (1, "agent-name-collision"),
             (2, "agent-name-collision")],
        ),
        ([member("a", agents=agents("r", "r"))], []),
        (
            [member("a", servers=(NamedFile("s", "a", "x"),)), member("b", servers=(NamedFile("s", "b", "y"),))],
            [(0, "mcp-server-collision"), (1, "mcp-server-collision")],
        ),
        ([member("a", servers=(NamedFile("s", "a", "x"),)), member("b", servers=(NamedFile("s", "b", "x"),))], []),
        ([member("rag", always=True), member("my-rag-tool")], [(1, "name-contains-autoload-name")]),
        ([member("my-rag-tool", always=True), member("rag")], []),
        ([member("rag", always=True), member("rug")], []),
        ([member("rag", always=True), member("RAG-tool")], []),
        (
            [member("rag", always=True), member("rag-x", always=True), member("rag-x-y")],
            [(1, "name-contains-autoload-name"), (2, "name-contains-autoload-name")],
        ),
        (
            [member("a", "x/PDF"), member("b", "x/pdf"), member("c", "x/doc")],
            [(0, "folder-case-collision"), (1, "folder-case-collision")],
        ),
        (
            [member("a", "x/caf\u00e9"), member("b", "x/cafe\u0301")],
            [(0, "folder-case-collision"), (1, "folder-case-collision")],
        ),
        ([member("a", "x/pdf"), member("b", "y/pdf")], []),
        ([member("a", siblings=(UpwardLink("skills/b", 9, 5, "../b/SKILL.md"),)), member("b")], []),
        (
            [member("a", siblings=(UpwardLink("skills/c", 9, 5, "../c/SKILL.md"),)), member("b")],
            [(0, "link-sibling-missing")],
        ),
        # Alone, or looking into a folder of which nothing was read, nothing is known.
        ([member("a", siblings=(UpwardLink("skills/c", 9, 5, "../c/SKILL.md"),))], []),
        ([member("a", siblings=(UpwardLink("other/c", 9, 5, "../../other/c/SKILL.md"),)), member("b")], []),
        (
            [member("a", siblings=(UpwardLink("skills/c", 9, 5, "../c"),)), member("b"),
             member("c", source="another")],
            [(0, "link-sibling-missing")],
        ),
    ],
)  # fmt: skip
def test_collisions(members: list[Member], expected: list[tuple[int, str]]) -> None:
    assert told(*members) == expected


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (2, "me/s1;"),
        (3, "me/s1 and me/s2;"),
        (4, "me/s1, me/s2 and me/s3;"),
        (9, "me/s1, me/s2, me/s3 and 5 more;"),
    ],
)
def test_a_message_names_three_others_and_a_number(count: int, words: str) -> None:
    found = find_collisions([member("same", f"f/s{n}") for n in range(count)])
    assert words in found[0][0].message
    assert (found[0][0].line, found[0][0].column, found[0][0].text) == (2, 1, "same")
    last = found[count - 1][0].message
    assert f"me/s{count - 1}" not in last
    assert last.count("me/s") == min(3, count - 1)


def test_undecided_skills_are_called_by_their_folder() -> None:
    found = find_collisions(
        [member("a", "x/one", owner="", slug=""), member("a", "x/two", owner="", slug="")]
    )
    assert "x/two" in found[0][0].message
    assert "x/one" in found[1][0].message


def test_findings_stand_at_the_file_that_causes_them() -> None:
    found = find_collisions([member("a", agents=agents("r")), member("b", agents=agents("r"))])
    assert [f.path for f in found[0]] == ["agents/r.md"]


def test_the_order_of_members_changes_nothing() -> None:
    members = [
        member(
            f"n{n % 7}", f"f/S{n}" if n % 2 else f"g/s{n - 1}", agents=agents(f"r{n % 5}"), always=n % 6 == 0
        )
        for n in range(40)
    ]
    straight = find_collisions(members)
    order = list(range(40))
    random.Random(7).shuffle(order)
    mixed = find_collisions([members[i] for i in order])
    assert len(straight) == 40
    assert {order[i]: found for i, found in mixed.items()} == dict(straight)


def test_a_member_is_made_of_a_skill() -> None:
    made = package(
        {
            "SKILL.md": "---\n# note\nname: demo\ndescription: Does one thing.\nalways: true\n---\n[a](../b/SKILL.md)",
            "agents/r.md": "---\nname: reviewer\ndescription: x\n---\n",
            ".mcp.json": '{"mcpServers": {"db": {"command": "run-db", "args": ["-x"]}}}',
        },
        "skills/demo",
    )
    got = member_of(Subject(read_skill(made), Place("demo")), "me", "demo")
    assert (got.name, got.name_line, got.name_column, got.always) == ("demo", 3, 7, True)
    assert got.agents == (NamedFile("reviewer", "skills/demo/agents/r.md"),)
    assert [(s.name, s.path) for s in got.servers] == [("db", "skills/demo/.mcp.json")]
    assert [link.folder for link in got.siblings] == ["skills/b"]
    assert (got.path, got.label) == ("skills/demo/SKILL.md", "me/demo")


def test_a_skill_without_front_matter_is_a_member_too() -> None:
    got = member_of(Subject(read_skill(package({"SKILL.md": "x"}, "demo")), Place("demo")))
    assert (got.name, got.path, got.label) == (None, "demo/SKILL.md", "demo")


CATALOGS = {
    "all different": [member(f"skill-{n}") for n in range(10_000)],
    "one name": [member("same", f"f/s{n}") for n in range(10_000)],
    "one folder": [member(f"s-{n}", f"f{n}/" + ("PDF" if n % 2 else "pdf")) for n in range(10_000)],
    "all always": [member(f"skill-{n}", always=True) for n in range(10_000)],
    "one subagent": [member(f"skill-{n}", agents=agents("r")) for n in range(10_000)],
    "long names": [member("a" * 256 + str(n), always=n % 100 == 0) for n in range(500)],
}


@pytest.mark.parametrize("members", CATALOGS.values(), ids=CATALOGS)
def test_a_large_catalog_takes_no_time(members: list[Member]) -> None:
    started = time.process_time()
    find_collisions(members)
    # 0.3 s on the machine it was made for; a quadratic rule takes minutes.
    assert time.process_time() - started < 2


NAME_PLACES = {
    "plain": ("name: demo", 7),
    "quoted": ('name: "demo"', 8),
    "further right": ("name:   'demo'", 10),
}


@pytest.mark.parametrize(("line", "column"), NAME_PLACES.values(), ids=NAME_PLACES)
def test_the_place_of_a_name_is_that_of_its_letters(line: str, column: int) -> None:
    made = package({"SKILL.md": f"---\n{line}\ndescription: Does one thing.\n---\n\nDo it.\n"}, "skills/demo")
    got = member_of(Subject(read_skill(made), Place("demo")))
    assert (got.name_line, got.name_column) == (2, column)
    assert line[column - 1 :].startswith("demo")
