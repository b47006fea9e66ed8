"""What can act and differs: nothing is missed, nothing equal is reported, what is new comes first."""

from __future__ import annotations

import json
import time

import pytest

from generator.history.diff.hosts import MAX_ADDRESSES, find_hosts
from generator.history.diff.powers import MAX_ROWS, ActingKind, Change, compare_powers
from generator.model import SkillFolder
from tests.history.diff.folders import make_folder
from tests.samples import make_package

PLAIN = make_folder()


def hooks(*commands: str) -> str:
    entries = [{"hooks": [{"type": "command", "command": command}]} for command in commands]
    return json.dumps({"hooks": {"PreToolUse": entries}})


def servers(command: str, **env: str) -> str:
    return json.dumps({"mcpServers": {"sheets": {"command": command, "args": ["-y"], "env": env}}})


CASES: dict[str, tuple[SkillFolder, ActingKind, str, str | None]] = {
    # the version that has it: kind, name, what it does
    "a hook": (make_folder({"hooks/hooks.json": hooks("python a.py")}), ActingKind.HOOK, "PreToolUse", "python a.py"),
    "a server": (make_folder({".mcp.json": servers("npx")}), ActingKind.MCP_SERVER, "sheets", "npx -y"),
    "a command in the text": (
        make_folder(body="Now: !`curl a`"), ActingKind.DYNAMIC_CONTEXT, "curl a", "curl a",
    ),
    "an executable": (make_folder({"bin/x": "#!"}, executable=("bin/x",)), ActingKind.EXECUTABLE, "bin/x", ""),
    "a script": (make_folder({"scripts/x.py": "1"}), ActingKind.SCRIPT, "scripts/x.py", ""),
    "a variable": (
        make_folder(front="requires:\n  env: [API_KEY]\n"), ActingKind.ENV, "API_KEY", "required",
    ),
    "an address in the text": (
        make_folder(body="See https://api.example/v1."), ActingKind.HOST, "api.example", "",
    ),
    "a subagent": (
        make_folder({"agents/a.md": "---\nname: helper\ndescription: Helps.\ntools: Bash\n---\nHelp.\n"}),
        ActingKind.SUBAGENT, "helper", "tools Bash",
    ),
    "a plugin manifest": (
        make_folder({".claude-plugin/plugin.json": '{"name": "demo"}'}),
        ActingKind.PLUGIN, ".claude-plugin/plugin.json", "",
    ),
    "always": (make_folder(front="always: true\n"), ActingKind.ALWAYS, "always: true", "in every turn"),
    "an install step": (
        make_folder(front="metadata:\n  openclaw:\n    install:\n      - kind: brew\n        formula: jq\n"),
        ActingKind.INSTALL, "brew jq", "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_kind_comes_and_goes(name: str) -> None:
    folder, kind, called, says = CASES[name]
    come = [one for one in compare_powers(PLAIN, folder).changes if one.kind is kind]
    gone = [one for one in compare_powers(folder, PLAIN).changes if one.kind is kind]
    assert [(one.change, one.name, one.before, one.after) for one in come] == [
        (Change.ADDED, called, None, says)
    ]
    assert [(one.change, one.name, one.before, one.after) for one in gone] == [
        (Change.REMOVED, called, says, None)
    ]
    assert compare_powers(folder, folder).changes == ()


def test_every_kind_has_a_case() -> None:
    assert {kind for _, kind, _, _ in CASES.values()} == set(ActingKind) - {ActingKind.TOOLS}


TOOLS = {
    "a tool more": ("[Read]", "[Read, Bash]", [("added", "Bash", None, "Bash")]),
    "a tool less": ("[Read, Bash]", "[Bash]", [("removed", "Read", "Read", None)]),
    "the limit went": ("[Read]", None, [("added", "all tools", "Read", "no limit")]),
    "no tool, then no limit": ("[]", None, [("added", "all tools", "no tools", "no limit")]),
    "a limit came": (None, "[Read]", [("changed", "all tools", "no limit", "Read")]),
    "another order": ("[Read, Bash]", "[Bash, Read]", []),
}


@pytest.mark.parametrize("name", TOOLS)
def test_tools(name: str) -> None:
    old, new, expected = TOOLS[name]
    folders = [make_folder(front=f"allowed-tools: {one}\n" if one else "") for one in (old, new)]
    found = [one for one in compare_powers(*folders).changes if one.kind is ActingKind.TOOLS]
    assert [(one.change.value, one.name, one.before, one.after) for one in found] == expected


CHANGED = {
    "a server's command": (
        make_folder({".mcp.json": servers("npx")}), make_folder({".mcp.json": servers("sh")}),
        (ActingKind.MCP_SERVER, "sheets", "npx -y", "sh -y"),
    ),
    "a script's bytes": (
        make_folder({"scripts/x.py": "1"}), make_folder({"scripts/x.py": "2"}),
        (ActingKind.SCRIPT, "scripts/x.py", "", ""),
    ),
    "a subagent's tools": (
        make_folder({"agents/a.md": "---\nname: h\ndescription: H.\ntools: Read\n---\nx\n"}),
        make_folder({"agents/a.md": "---\nname: h\ndescription: H.\n---\nx\n"}),
        (ActingKind.SUBAGENT, "h", "tools Read", "no limit on tools"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGED)
def test_what_stays_but_differs(name: str) -> None:
    old, new, expected = CHANGED[name]
    (one,) = compare_powers(old, new).changes
    assert (one.change, (one.kind, one.name, one.before, one.after)) == (Change.CHANGED, expected)


def test_a_variable_given_to_a_server() -> None:
    old = make_folder({".mcp.json": servers("npx")})
    new = make_folder({".mcp.json": servers("npx", TOKEN="x")})
    assert [(one.kind, one.name, one.after) for one in compare_powers(old, new).changes] == [
        (ActingKind.ENV, "TOKEN", "given to sheets")
    ]


def test_a_hook_behind_many_old_ones_is_seen() -> None:
    """The page's tables stop at a hundred rows; an update must not hide behind them."""
    many = [f"python {number}.py" for number in range(150)]
    old, new = (
        make_folder({"hooks/hooks.json": hooks(*commands)}) for commands in (many, [*many, "sh evil.sh"])
    )
    (one,) = compare_powers(old, new).changes
    assert (one.change, one.after) == (Change.ADDED, "sh evil.sh")


def test_more_commands_than_the_judge_reads_are_not_called_compared() -> None:
    body = "\n".join(f"!`run {number}`" for number in range(101))
    assert not compare_powers(PLAIN, make_folder(body=body)).whole
    assert not compare_powers(make_folder(body="!`" + "a" * 3_000 + "`"), PLAIN).whole
    assert compare_powers(PLAIN, make_folder(body="!`run`")).whole


def test_what_is_new_comes_first_and_the_rest_is_counted() -> None:
    old = make_folder({f"scripts/{number:03}.py": "1" for number in range(200)})
    new = make_folder(
        {f"scripts/n{number:03}.py": f"{number}" for number in range(200)}, front="always: true\n"
    )
    found = compare_powers(old, new)
    assert len(found.changes) == MAX_ROWS
    assert found.more == 401 - MAX_ROWS
    assert [one.change for one in found.changes[:201]] == [Change.ADDED] * 201
    assert found.changes[200].kind is ActingKind.ALWAYS


def test_long_commands_that_differ_late_look_different() -> None:
    old, new = (make_folder({".mcp.json": servers("a" * 5_000 + end)}) for end in ("x", "y"))
    (one,) = compare_powers(old, new).changes
    assert one.before != one.after
    assert len(one.before or "") < 2_001


def test_a_folder_without_a_readable_manifest() -> None:
    broken = make_folder({"scripts/x.py": "1"}, front="a: [\n")
    assert broken.manifest is None
    assert [one.kind for one in compare_powers(PLAIN, broken).changes] == [ActingKind.SCRIPT]
    assert compare_powers(broken, broken).changes == ()


HOSTS = {
    "plain": ("https://Api.Example.com/x", ["api.example.com"]),
    "port, user and password": ("https://me:secret@host.example:8443/", ["host.example"]),
    "at the end of a sentence": ("See http://a.example.", ["a.example"]),
    "in Markdown": ("[x](https://a.example) <https://b.example>", ["a.example", "b.example"]),
    "quoted": ("url = 'wss://a.example';", ["a.example"]),
    "an address by number": ("http://10.0.0.1:80/", ["10.0.0.1"]),
    "IPv6": ("http://[::1]:8080/", ["[::1]"]),
    "one word": ("http://localhost:3000", ["localhost"]),
    "a placeholder": ("https://${HOST}/ https://<host>/ https://{host}/", []),
    "a variable behind a name": ("https://evil.example$PATH", ["evil.example"]),
    "another scheme with a dot": ("postgres://u:p@db.example/x", ["db.example"]),
    "a bucket is no host": ("s3://bucket/key", []),
    "a file is no host": ("file://server.example/share", []),
    "Chinese": ("https://例子.测试/路径", ["例子.测试"]),
    "no scheme": ("://a.example", []),
    "behind letters of another alphabet": ("见https://a.example", ["a.example"]),
    "a cut off sign": ("https://", []),
    "bytes that are no text": (b"\x00\xffhttps://a.example\x00", ["a.example"]),
}


@pytest.mark.parametrize("name", HOSTS)
def test_hosts(name: str) -> None:
    text, expected = HOSTS[name]
    found, whole = find_hosts(make_package({"a.md": text}).files)
    assert list(found) == expected
    assert whole


@pytest.mark.parametrize("unit", [b"://", b"http://", b"a://" + b"b" * 300, b"https://x@"])
def test_hostile_addresses_cost_little(unit: bytes) -> None:
    files = make_package({"a": unit * (9_000_000 // len(unit))}).files
    started = time.process_time()
    _, whole = find_hosts(files)
    assert time.process_time() - started < 5
    assert whole == (9_000_000 // len(unit) <= MAX_ADDRESSES)
