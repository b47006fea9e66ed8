"""What runs on a reader's machine: what is found, where, and what each host does with it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.judge.model import Place, Power, PowerKind, Subject
from generator.judge.powers import MAX_POWERS, find_dynamic_context, find_powers, is_script
from generator.judge.profiles import load_profiles
from generator.model import Package, PackageFile
from generator.read.manifest import read_skill
from tests.read.helpers import Content, front, package

CLAUDE, SERVICE = "claude-code/2.1.332", "skill-package-service"
PLUGIN = ".claude-plugin/plugin.json"
RUNTIMES = sorted(profile.id for profile in load_profiles() if len(profile.powers) > 1)


GOOD = front()


def powers(skill_md: Content = GOOD, **files: Content) -> tuple[Power, ...]:
    named = {_FILES[key]: content for key, content in files.items()}
    skill = read_skill(package({"SKILL.md": skill_md, **named}))
    return find_powers(Subject(skill, Place("demo")), load_profiles())


_FILES = {
    "plugin": PLUGIN,
    "hooks": "hooks/hooks.json",
    "mcp": ".mcp.json",
    "agent": "agents/reviewer.md",
    "script": "scripts/run.py",
    "text": "references/guide.md",
}

HOOK = front(
    "hooks:", "  Stop:", "    - hooks:", "        - type: command", "          command: python3 stop.py"
)
START = HOOK.replace("Stop:", "SessionStart:")
UNKNOWN = HOOK.replace("Stop:", "PrePrompt:")
PLUGIN_HOOKS = """{"name": "demo",
 "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "sh \\"start.sh\\""}]}]}}"""
SERVICE_HOOKS = (
    '{"name": "demo",\n "hooks": {"PrePrompt": [{"type": "command", "command": "python hooks/pre.py"}]}}'
)
SIDE_HOOKS = '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "sh start.sh"}]}]}}'
SERVERS = '{"mcpServers": {"docs": {"command": "node",\n "args": ["server.js", "--port"]}}}'
AGENT = "---\nname: reviewer\ndescription: Reviews.\n---\nReview.\n"

Expected = tuple[PowerKind, str, str, str, int | None]
FOUND: dict[str, tuple[tuple[Power, ...], list[Expected]]] = {
    "nothing": (powers(text="# Guide\n"), []),
    "hook of the front matter": (powers(HOOK), [(PowerKind.HOOK, "Stop", "python3 stop.py", "SKILL.md", 8)]),
    "hook of plugin.json": (
        powers(plugin=PLUGIN_HOOKS),
        [
            (PowerKind.HOOK, "SessionStart", 'sh "start.sh"', PLUGIN, 2),
            (PowerKind.PLUGIN, "when it is installed", PLUGIN, PLUGIN, 1),
        ],
    ),
    "hook of hooks.json": (
        powers(hooks=SIDE_HOOKS),
        [(PowerKind.HOOK, "SessionStart", "sh start.sh", "hooks/hooks.json", 1)],
    ),
    "server": (
        powers(mcp=SERVERS),
        [(PowerKind.MCP_SERVER, "when a session starts", "node server.js --port", ".mcp.json", 1)],
    ),
    "agent": (
        powers(agent=AGENT),
        [(PowerKind.SUBAGENT, "when work is delegated", "reviewer", "agents/reviewer.md", 1)],
    ),
    "install step": (
        powers(
            front("metadata:", "  openclaw:", "    install:", "      - kind: brew", "        formula: jq")
        ),
        [(PowerKind.INSTALL, "when it is installed", "brew jq", "SKILL.md", 8)],
    ),
    "always": (
        powers(front("always: true")),
        [(PowerKind.ALWAYS, "in every turn", "always: true", "SKILL.md", 4)],
    ),
    "always below metadata": (
        powers(front("metadata:", "  openclaw:", "    always: true")),
        [(PowerKind.ALWAYS, "in every turn", "always: true", "SKILL.md", 6)],
    ),
    "always false": (powers(front("always: false")), []),
    "tools": (
        powers(front("allowed-tools: Bash(git:*) Read")),
        [(PowerKind.TOOLS, "while the skill is active", "Bash(git:*), Read", "SKILL.md", 4)],
    ),
    "dynamic context": (
        powers(front() + "\n# Now\n\n!`git status`\n"),
        [(PowerKind.DYNAMIC_CONTEXT, "when the skill is read", "git status", "SKILL.md", 10)],
    ),
    "script": (
        powers(script="print(1)\n"),
        [(PowerKind.SCRIPT, "when its instructions say so", "scripts/run.py", "scripts/run.py", None)],
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_and_where(name: str) -> None:
    found, expected = FOUND[name]
    assert [(one.kind, one.event, one.command, one.path, one.line) for one in found] == expected


def test_an_executable_file_is_listed_once() -> None:
    skill = read_skill(package({"SKILL.md": front(), "scripts/run.py": "print(1)\n"}))
    files = tuple(
        PackageFile(one.path, one.data, one.sha256, one.path != "SKILL.md") for one in skill.package.files
    )
    again = read_skill(Package("source", "demo", files))
    found = find_powers(Subject(again, Place("demo")), load_profiles())
    assert [(one.kind, one.path) for one in found] == [(PowerKind.EXECUTABLE, "scripts/run.py")]


USES: dict[str, tuple[tuple[Power, ...], PowerKind, str, str, str]] = {
    # (what, kind, host, what it does, a word of the reason)
    "front matter hook": (powers(HOOK), PowerKind.HOOK, CLAUDE, "runs", "Once the skill is used"),
    "front matter hook too late": (powers(START), PowerKind.HOOK, CLAUDE, "ignores", "never comes"),
    "front matter hook unknown": (powers(UNKNOWN), PowerKind.HOOK, CLAUDE, "ignores", "knows no such event"),
    "plugin hook": (powers(plugin=PLUGIN_HOOKS), PowerKind.HOOK, CLAUDE, "runs", "~/.claude/skills"),
    "plugin hook unknown": (
        powers(plugin=SERVICE_HOOKS),
        PowerKind.HOOK,
        CLAUDE,
        "ignores",
        "knows no such event",
    ),
    "hooks.json without a manifest": (powers(hooks=SIDE_HOOKS), PowerKind.HOOK, CLAUDE, "ignores", "has no"),
    "hooks.json with a manifest": (
        powers(hooks=SIDE_HOOKS, plugin='{"name": "demo"}'),
        PowerKind.HOOK,
        CLAUDE,
        "runs",
        "without asking",
    ),
    "service's hook": (powers(plugin=SERVICE_HOOKS), PowerKind.HOOK, SERVICE, "runs", "PrePrompt"),
    "Claude's hook on the service": (
        powers(plugin=PLUGIN_HOOKS),
        PowerKind.HOOK,
        SERVICE,
        "ignores",
        "knows only",
    ),
    "hook elsewhere": (powers(HOOK), PowerKind.HOOK, "codex/0.171.0", "ignores", "reads no hooks"),
    "server without a manifest": (powers(mcp=SERVERS), PowerKind.MCP_SERVER, CLAUDE, "ignores", "unless"),
    "server with a manifest": (
        powers(mcp=SERVERS, plugin='{"name": "demo"}'),
        PowerKind.MCP_SERVER,
        CLAUDE,
        "runs",
        "without asking",
    ),
    "agent without a manifest": (
        powers(agent=AGENT),
        PowerKind.SUBAGENT,
        CLAUDE,
        "ignores",
        "does not read agents/",
    ),
    "agent with a manifest": (
        powers(agent=AGENT, plugin='{"name": "demo"}'),
        PowerKind.SUBAGENT,
        CLAUDE,
        "runs",
        "plugin:agent",
    ),
    "agent on the service": (powers(agent=AGENT), PowerKind.SUBAGENT, SERVICE, "runs", "last one scanned"),
    "manifest": (powers(plugin='{"name": "demo"}'), PowerKind.PLUGIN, CLAUDE, "runs", "@skills-dir"),
    "install step offered": (
        powers(
            front("metadata:", "  openclaw:", "    install:", "      - kind: brew", "        formula: jq")
        ),
        PowerKind.INSTALL,
        "openclaw/2026.9.6",
        "asks",
        "accepts",
    ),
    "always at the top": (
        powers(front("always: true")),
        PowerKind.ALWAYS,
        "deeptutor/list",
        "runs",
        "every turn",
    ),
    "always at the top, OpenClaw": (
        powers(front("always: true")),
        PowerKind.ALWAYS,
        "openclaw/2026.9.6",
        "ignores",
        "below metadata.openclaw",
    ),
    "always below metadata": (
        powers(front("metadata:", "  openclaw:", "    always: true")),
        PowerKind.ALWAYS,
        "openclaw/2026.9.6",
        "runs",
        "requires",
    ),
    "always below metadata, DeepTutor": (
        powers(front("metadata:", "  openclaw:", "    always: true")),
        PowerKind.ALWAYS,
        "deeptutor/list",
        "ignores",
        "top of the front matter",
    ),
    "always taken out": (
        powers(front("always: true")),
        PowerKind.ALWAYS,
        "deeptutor/hub-import",
        "ignores",
        "out",
    ),
    "command that asks": (
        powers(front() + "!`rm -r build`\n"),
        PowerKind.DYNAMIC_CONTEXT,
        CLAUDE,
        "asks",
        "only reads",
    ),
    "command the list grants": (
        powers(front("allowed-tools: Bash(rm:*)") + "!`rm -r build`\n"),
        PowerKind.DYNAMIC_CONTEXT,
        CLAUDE,
        "runs",
        "allowed-tools",
    ),
    "command with one part that is not granted": (
        powers(front("allowed-tools: Bash(git:*)") + "!`git status && rm -r build`\n"),
        PowerKind.DYNAMIC_CONTEXT,
        CLAUDE,
        "asks",
        "only reads",
    ),
    "command that only starts like a granted one": (
        powers(front("allowed-tools: Bash(git:*)") + "!`gitx`\n"),
        PowerKind.DYNAMIC_CONTEXT,
        CLAUDE,
        "asks",
        "only reads",
    ),
    "all of Bash granted": (
        powers(front("allowed-tools: [Bash]") + "!`make && rm x`\n"),
        PowerKind.DYNAMIC_CONTEXT,
        CLAUDE,
        "runs",
        "allowed-tools",
    ),
    "command on Hermes": (
        powers(front() + "!`date`\n"),
        PowerKind.DYNAMIC_CONTEXT,
        "hermes/0.19.0",
        "ignores",
        "skills.inline_shell",
    ),
    "listed tools": (powers(front("allowed-tools: Bash")), PowerKind.TOOLS, CLAUDE, "runs", "without asking"),
    "listed tools on DeerFlow": (
        powers(front("allowed-tools: [bash]")),
        PowerKind.TOOLS,
        "deerflow/load",
        "ignores",
        "takes every tool away",
    ),
}


@pytest.mark.parametrize("name", USES)
def test_what_a_host_does(name: str) -> None:
    found, kind, label, use, word = USES[name]
    power = next(one for one in found if one.kind is kind)
    answer = next(one for one in power.answers if one.host == label)
    assert (answer.use, word in answer.reason) == (use, True), answer


def test_every_host_that_runs_skills_answers_about_everything() -> None:
    lines = (
        "always: true",
        "allowed-tools: Bash",
        "metadata:",
        "  openclaw:",
        "    install:",
        "      - kind: brew",
    )
    skill_md = front(*lines, "        formula: jq", *HOOK.split("\n")[3:-4]) + "!`date`\n"
    every = powers(skill_md, plugin=PLUGIN_HOOKS, mcp=SERVERS, agent=AGENT, script="1")
    assert {one.kind for one in every} == set(PowerKind) - {PowerKind.EXECUTABLE}
    for one in every:
        assert [answer.host for answer in one.answers if answer.host in RUNTIMES] == RUNTIMES, one.kind
        assert all(answer.reason.endswith(".") for answer in one.answers)
    assert {"claude-code/2.1.332", "codex/0.171.0", "opencode/1.18.33", "openclaw/2026.9.6"} <= set(RUNTIMES)


# --- dynamic context: what Claude Code 2.1.332 really ran, from a skill with all of these lines --------

DYNAMIC = {
    "at the start of a line": ("!`echo x`", ["echo x"]),
    "after a blank": ("now !`echo x` then", ["echo x"]),
    "in a list": ("- a\n  - !`echo x`", ["echo x"]),
    "indented as code": ("a\n\n    !`echo x`", ["echo x"]),
    "in a code fence": ("```bash\n!`echo x`\n```", ["echo x"]),
    "in an indented line of a fence": ("```js\n !`echo x`\n```", ["echo x"]),
    "in a table": ("| a | !`echo x` |", ["echo x"]),
    "in a double code span": ("`` !`echo x` ``", ["echo x"]),
    "over two lines": ("now !`echo x\necho y`", ["echo x\necho y"]),
    "fence of its own": ("```!\necho x\n```", ["echo x"]),
    "both": ("!`b`\n```!\na\n```", ["b", "a"]),
    "after a letter": ("a!`echo x`", []),
    "in parentheses": ("(!`echo x`)", []),
    "in quotes": ('"!`echo x`"', []),
    "in bold": ("**!`echo x`**", []),
    "behind a backslash": ("\\!`echo x`", []),
    "a blank between": ("! `echo x`", []),
    "double backticks": ("!``echo x``", []),
    "tildes": ("~~~!\necho x\n~~~", []),
    "inside a code span": ("`a !`echo x`", []),
    "after a code span": ("`a` !`echo x` `b`", ["echo x"]),
    "empty": ("!` `", []),
    "none": ("Do it!", []),
}


@pytest.mark.parametrize("name", DYNAMIC)
def test_dynamic_context(name: str) -> None:
    body, expected = DYNAMIC[name]
    assert [command for command, _, _ in find_dynamic_context(body)] == expected


def test_lines_of_dynamic_context() -> None:
    assert find_dynamic_context("a\n!`b`\n\n```!\nc\n```\nd !`e`\n") == (
        ("b", 2, 1), ("c", 4, 1), ("e", 7, 3),
    )  # fmt: skip
    assert find_dynamic_context("a\r!`b`\r\n x !`c`") == (("b", 2, 1), ("c", 3, 4))


@given(st.text(alphabet="!`\n ab()\\~"))
def test_any_body_is_searched(body: str) -> None:
    for command, line, column in find_dynamic_context(body):
        assert command.strip() == command
        assert body.split("\n")[line - 1][column - 1 :].startswith(("!`", "```!"))


@given(st.binary(max_size=200), st.binary(max_size=100))
def test_any_bytes_are_examined(skill_md: bytes, side: bytes) -> None:
    powers(skill_md, plugin=side, hooks=side, mcp=side, agent=side)


SLOW = {
    "blanks behind an open block": "```!" + " \n" * 400_000,
    "open blocks": "```!" * 200_000,
    "open commands": "!`a " * 200_000,
    "commands": "!`a`\n" * 200_000,
    "backticks": "`" * 800_000,
    "exclamation marks": "!`" * 400_000,
}


@pytest.mark.parametrize("name", SLOW)
def test_no_body_takes_long(name: str) -> None:
    started = time.perf_counter()
    assert len(find_dynamic_context(SLOW[name])) <= MAX_POWERS
    assert time.perf_counter() - started < 2


def test_rows_are_bounded() -> None:
    many = {f"scripts/{number:04}.py": "1" for number in range(MAX_POWERS + 50)}
    skill = read_skill(package({"SKILL.md": front() + "!`a`\n" * (MAX_POWERS + 50), **many}))
    found = find_powers(Subject(skill, Place("demo")), load_profiles())
    assert [one.kind for one in found].count(PowerKind.SCRIPT) == MAX_POWERS
    assert [one.kind for one in found].count(PowerKind.DYNAMIC_CONTEXT) == MAX_POWERS


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a/run.py", True), ("RUN.SH", True), ("run", False), ("py", False), ("a.md", False), ("a.py/b", False)],
)
def test_scripts(path: str, expected: bool) -> None:
    assert is_script(path) is expected
