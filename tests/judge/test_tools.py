"""Tool names: read from a skill, known on a host, the nearest known one; and the hosts' tables themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.judge.model import Profile
from generator.judge.profiles import load_profiles
from generator.judge.tools import (
    ListShape,
    ToolPattern,
    ask_by_tool,
    check_tools,
    filters_tools,
    grants_tools,
    known_tools,
    nearest_tool,
    parse_tool,
    read_request,
)
from tests.read.helpers import front, read


def host(label: str) -> Profile:
    return next(profile for profile in load_profiles() if profile.id == label)


CLAUDE, DEERFLOW, DEEPTUTOR = "claude-code/2.1.332", "deerflow/load", "deeptutor/list"

PATTERNS = {
    "Read": ToolPattern("Read"),
    " Read ": ToolPattern("Read"),
    "Bash(git:*)": ToolPattern("Bash", "git:*"),
    "Bash(git add:*)": ToolPattern("Bash", "git add:*"),
    "Bash()": ToolPattern("Bash", ""),
    "Bash(git": ToolPattern("Bash", "git"),
    "Bash(a(b))": ToolPattern("Bash", "a(b)"),
    "mcp__docs__search": ToolPattern("mcp__docs__search"),
    "": ToolPattern(""),
    "(x)": ToolPattern("", "x"),
}


@pytest.mark.parametrize("text", PATTERNS)
def test_a_tool_and_its_limit(text: str) -> None:
    assert parse_tool(text) == PATTERNS[text]


Places = list[tuple[str, int, int]]
SHAPES: dict[str, tuple[tuple[str, ...], ListShape, Places]] = {
    "text": (("allowed-tools: Read Grep",), ListShape.TEXT, [("Read", 4, 16), ("Grep", 4, 21)]),
    "commas": (("allowed-tools: Read, Grep",), ListShape.TEXT, [("Read", 4, 16), ("Grep", 4, 22)]),
    "limit with a blank": (
        ("allowed-tools: Bash(git add:*) Read",),
        ListShape.TEXT,
        [("Bash(git add:*)", 4, 16), ("Read", 4, 32)],
    ),
    "quoted text": (('allowed-tools: "Read Grep"',), ListShape.TEXT, [("Read", 4, 17), ("Grep", 4, 22)]),
    "one name inside another": (
        ("allowed-tools: ReadMcp Read",),
        ListShape.TEXT,
        [("ReadMcp", 4, 16), ("Read", 4, 24)],
    ),
    "folded text": (
        ("allowed-tools: >", "  Read", "  Grep"),
        ListShape.TEXT,
        [("Read", 5, 3), ("Grep", 6, 3)],
    ),
    "escaped letter": (('allowed-tools: "\\x52ead"',), ListShape.TEXT, [("Read", 4, 16)]),
    "behind wide characters": (
        ("license: 中文", "allowed-tools: Read"),
        ListShape.TEXT,
        [("Read", 5, 16)],
    ),
    "block list": (
        ("allowed-tools:", "  - Read", "  - Grep"),
        ListShape.BLOCK_LIST,
        [("Read", 5, 5), ("Grep", 6, 5)],
    ),
    "brackets": (("allowed-tools: [Read, Grep]",), ListShape.FLOW_LIST, [("Read", 4, 17), ("Grep", 4, 23)]),
    "empty list": (("allowed-tools: []",), ListShape.EMPTY_LIST, []),
    "nothing": (("allowed-tools:",), ListShape.NOTHING, []),
    "empty text": (('allowed-tools: ""',), ListShape.TEXT, []),
    "number": (("allowed-tools: 3",), ListShape.NUMBER, []),
    "fraction": (("allowed-tools: 1.5",), ListShape.NUMBER, []),
    "boolean": (("allowed-tools: yes",), ListShape.BOOLEAN, []),
    "quoted number is a text": (('allowed-tools: "3"',), ListShape.TEXT, [("3", 4, 17)]),
    "mapping": (("allowed-tools: {a: b}",), ListShape.MAPPING, []),
    "list with a number": (("allowed-tools:", "  - 3", "  - Read"), ListShape.MIXED_LIST, [("Read", 6, 5)]),
    "list with a list": (("allowed-tools:", "  - Read", "  - [a]"), ListShape.MIXED_LIST, [("Read", 5, 5)]),
    "list with nothing": (("allowed-tools:", "  - Read", "  -"), ListShape.MIXED_LIST, [("Read", 5, 5)]),
    "list with an empty text": (('allowed-tools: ["", Read]',), ListShape.MIXED_LIST, [("Read", 4, 21)]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_how_a_list_is_written_and_where_each_name_stands(name: str) -> None:
    lines, shape, places = SHAPES[name]
    request = read_request(read(front(*lines)))
    assert request is not None
    assert request.shape is shape
    assert [(tool.text, tool.line, tool.column) for tool in request.tools] == places


@pytest.mark.parametrize(
    "text", [front(), front("allowedTools: Read"), "# no front matter", "---\na: [\n---\n"]
)
def test_no_list(text: str) -> None:
    assert read_request(read(text)) is None


NEAREST = {
    ("Graep", CLAUDE): "Grep",
    ("read", CLAUDE): "Read",
    ("Web_Fetch", CLAUDE): "WebFetch",
    ("WebFetch", DEERFLOW): "web_fetch",
    ("Bash", DEERFLOW): "bash",
    ("writefile", DEERFLOW): "write_file",
    ("solve_replann", DEEPTUTOR): "solve_replan",
    ("zzzz", CLAUDE): None,
    ("", CLAUDE): None,
    ("x" * 5000, CLAUDE): None,
}


@pytest.mark.parametrize(("name", "label"), NEAREST)
def test_nearest_tool(name: str, label: str) -> None:
    assert nearest_tool(name, host(label)) == NEAREST[name, label]


def test_a_family_of_tools_is_known_by_its_beginning() -> None:
    known = known_tools(host(DEERFLOW))
    assert known.has("browser_navigate")
    assert not known.has("browser_")
    assert not known.has("browser")
    assert known_tools(host(CLAUDE)).has("mcp__docs__search")


def test_a_pattern_matches_tools_that_start_like_it() -> None:
    known = known_tools(host(CLAUDE))
    assert known.matches("Web*")
    assert known.matches("*")
    assert not known.matches("Zap*")
    assert not known.has("Web*")


CHECKS = {
    ("Read Bash(git:*) Nope", CLAUDE): (["Read", "Bash(git:*)"], ["Nope"]),
    ("bash bash(git:*) Read", DEERFLOW): (["bash"], ["bash(git:*)", "Read"]),
    ("obsidian_read solve_plan ask_user mastery_quizz", DEEPTUTOR): (
        ["obsidian_read", "solve_plan", "ask_user"],
        ["mastery_quizz"],
    ),
}


@pytest.mark.parametrize(("text", "label"), CHECKS)
def test_a_list_against_a_host(text: str, label: str) -> None:
    request = read_request(read(front(f"allowed-tools: {text}")))
    assert request is not None
    checked = check_tools(request.tools, host(label))
    assert ([one.text for one in checked.known], [one.text for one in checked.missing]) == CHECKS[text, label]


def test_which_skills_ask_for_which_tools() -> None:
    skills = [
        ("git", read(front("allowed-tools: Bash(git:*) Read"))),
        ("web", read(front("allowed-tools: [browser_click, read_file, Read]"))),
        ("none", read(front())),
    ]
    claude = ask_by_tool(skills, host(CLAUDE))
    assert claude["Bash"] == ("git",)
    assert claude["Read"] == ("git", "web")
    assert claude["Write"] == ()
    deerflow = ask_by_tool(skills, host(DEERFLOW))
    assert deerflow["browser_*"] == ("web",)
    assert deerflow["read_file"] == ("web",)
    assert deerflow["bash"] == ()


# --- the tables of the hosts ---------------------------------------------------------------------------


def test_deeptutor_loop_capabilities_in_their_order_with_their_tools() -> None:
    profile = host(DEEPTUTOR)
    loop = [(one.name, one.tools) for one in profile.capabilities if one.list == "loop capabilities"]
    assert loop == [("mastery", 5), ("solve", 3), ("obsidian", 9), ("subagent", 1), ("explore_context", 0)]
    owned = {name: [tool.name for tool in profile.tools if tool.owner == name] for name, _ in loop}
    assert owned["mastery"] == [f"mastery_{one}" for one in ("status", "quiz", "grade", "assess", "build")]
    assert owned["solve"] == ["solve_plan", "solve_finish_step", "solve_replan"]
    obsidian = (
        "search",
        "read",
        "list",
        "backlinks",
        "links",
        "tags",
        "create_note",
        "append",
        "set_property",
    )
    assert owned["obsidian"] == [f"obsidian_{one}" for one in obsidian]
    assert owned["subagent"] == ["consult_subagent"]
    for name, count in loop:
        assert len(owned[name]) == count


def test_deeptutor_top_level_capabilities_are_another_list() -> None:
    top = [one.name for one in host(DEEPTUTOR).capabilities if one.list == "top-level capabilities"]
    assert top == [
        *(
            "chat",
            "deep_solve",
            "deep_question",
            "deep_research",
            "math_animator",
            "visualize",
            "mastery_path",
        )
    ]
    overlapping = [
        one.name
        for one in host(DEEPTUTOR).capabilities
        if one.list == "top-level capabilities" and "Implemented among the loop capabilities" in one.note
    ]
    assert overlapping == ["deep_solve", "mastery_path"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("obsidian", ("exclusive", "ask_user")),
        ("subagent", ("exclusive", "ask_user")),
        ("explore_context", ("before the loop", "read_source")),
        ("mastery_path", ("alias mastery", "rag", "read_source", "ask_user")),
    ],
)
def test_deeptutor_notes(name: str, words: tuple[str, ...]) -> None:
    note = next(one.note for one in host(DEEPTUTOR).capabilities if one.name == name)
    assert all(word in note for word in words), note


def test_deerflow_tools_that_no_list_takes_away() -> None:
    always = sorted(tool.name for tool in host(DEERFLOW).tools if tool.always)
    assert always == ["describe_skill", "read_file", "review_skill_package", "tool_search"]


def test_who_acts_on_the_list() -> None:
    assert [profile.id for profile in load_profiles() if filters_tools(profile)] == [DEERFLOW]
    assert [profile.id for profile in load_profiles() if grants_tools(profile)] == [CLAUDE]


@pytest.mark.parametrize("profile", load_profiles(), ids=lambda profile: profile.id)
def test_tables_name_each_tool_once_and_say_true_counts(profile: Profile) -> None:
    names = [tool.name for tool in profile.tools]
    assert len(names) == len(set(names))
    for capability in profile.capabilities:
        owned = [tool for tool in profile.tools if tool.owner == capability.name]
        # The built-in tools are the chat's to use, but no capability owns them.
        assert capability.name == "chat" or len(owned) == capability.tools


@given(st.text())
def test_any_name_is_read_without_raising(text: str) -> None:
    parsed = parse_tool(text)
    for label in (CLAUDE, DEERFLOW):
        known_tools(host(label)).matches(parsed.name)
        nearest_tool(text, host(label))
