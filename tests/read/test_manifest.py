"""What the manifest makes of the fields authors write, in every spelling, and what it says of wrong ones."""

from __future__ import annotations

import json

import pytest

from generator.model import Hook, InstallSpec, McpServer, Requirements, Subagent, Taxonomy
from generator.read.extensions import MAX_SUBAGENTS
from generator.read.fields import fold
from generator.read.identity import prettify
from generator.read.manifest import read_skill
from generator.read.requirements import split_tools
from tests.read.helpers import Content, codes, front, manifest, package, read


def say(*lines: str, **side: Content) -> list[str]:
    return codes(read(front(*lines), **side))


# --- identity ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "description"),
    [
        ("description: one", "one"),
        ("description: '  one  '", "one"),
        ("description: >-\n  Line one\n  line two.", "Line one line two."),
        ("description: |\n  Line one\n\n  line two.\n", "Line one line two."),
        ("description: one\n  two", "one two"),
        ('description: "tab\\there"', "tab here"),
        ("description: 42", "42"),
        ("description: true", "true"),
        ("description: See https://example.com/a:b at 10:30", "See https://example.com/a:b at 10:30"),
        ("description: 中文 描述", "中文 描述"),
        ("description: wide\u3000blank", "wide\u3000blank"),
    ],
)
def test_description(written: str, description: str) -> None:
    skill = read(f"---\nname: demo\n{written}\n---\n")
    assert skill.manifest is not None
    assert skill.manifest.description == description
    assert codes(skill) == []


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("", 2),
        ("description:", 3),
        ('description: ""', 3),
        ("description: ~", 3),
        ("description: null", 3),
        ("description: >\n", 3),
        ("description: '   '", 3),
        ('description: "\\u200b"', 3),
    ],
)
def test_no_description(written: str, line: int) -> None:
    skill = read(f"---\nname: demo\n{written}\n---\n")
    assert skill.manifest is not None
    assert skill.manifest.description == ""
    assert [(f.code, f.line) for f in skill.findings] == [("description-empty", line)]


def test_a_description_of_the_wrong_kind() -> None:
    skill = read("---\nname: demo\ndescription: [a, b]\n---\n")
    assert [(f.code, f.line, f.column) for f in skill.findings] == [
        ("field-wrong-type", 3, 14),
        ("description-empty", 3, 14),
    ]


def test_keys_in_another_case_are_named() -> None:
    skill = read("---\nName: demo\nDescription: d\n---\n")
    assert codes(skill) == ["name-missing", "description-empty"]
    assert all("keys are lower-case" in f.message for f in skill.findings)


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("中" * 342, []),
        ("中" * 1024, []),
        ("x" * 1024, []),
        ("🚀" * 1025, ["description-too-long"]),
        ("port to <service>", ["description-markup-or-invisible"]),
        ("Zero\u200bwidth", ["description-markup-or-invisible"]),
        ("Track issue #42", ["yaml-comment-truncation"]),
        ("C# and F#", []),
        ("'Track issue #42'", []),
    ],
)
def test_descriptions_that_are_published_with_a_finding(description: str, expected: list[str]) -> None:
    assert codes(read(f"---\nname: demo\ndescription: {description}\n---\n")) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("demo", []),
        ("Demo", ["name-invalid-format", "name-directory-mismatch"]),
        ("a--b", ["name-invalid-format", "name-directory-mismatch"]),
        ("a" * 64, ["name-directory-mismatch"]),
        ("a" * 65, ["name-invalid-format", "name-directory-mismatch"]),
        ("动量策略", ["name-invalid-format", "name-directory-mismatch"]),
        ("123", ["name-directory-mismatch"]),
        ("yes", ["name-directory-mismatch"]),
        ("[a]", ["field-wrong-type", "name-missing"]),
        ("", ["name-missing"]),
    ],
)
def test_name(name: str, expected: list[str]) -> None:
    assert codes(read(f"---\nname: {name}\ndescription: d\n---\n")) == expected


def test_name_is_stripped_and_the_root_has_no_folder_to_differ_from() -> None:
    skill = read_skill(package({"SKILL.md": '---\nname: "  x  "\ndescription: d\n---\n'}, ""))
    assert skill.manifest is not None
    assert skill.manifest.name == "x"
    assert skill.findings == ()


@pytest.mark.parametrize(
    ("name", "title"),
    [("pdf-tools", "PDF Tools"), ("my_skill", "My Skill"), ("Keep As Is", "Keep As Is"), ("中文", "中文"),
     ("openai-api-v2", "Openai API V2"), ("iOS-helper", "iOS-helper")],
)  # fmt: skip
def test_prettify(name: str, title: str) -> None:
    assert prettify(name) == title


@pytest.mark.parametrize(
    ("lines", "side", "title"),
    [
        ((), {}, "Demo"),
        (("displayName: The Demo",), {}, "The Demo"),
        (("title: The Demo",), {}, "The Demo"),
        (("metadata: {display_name: The Demo}",), {}, "The Demo"),
        (("metadata: {openclaw: {displayName: The Demo}}",), {}, "The Demo"),
        ((), {"skill_yaml": "title: The Demo"}, "The Demo"),
        ((), {"plugin": '{"displayName": "The Demo"}'}, "The Demo"),
        (("title: Mine",), {"skill_yaml": "title: Other"}, "Mine"),
    ],
)
def test_display_name(lines: tuple[str, ...], side: dict[str, Content], title: str) -> None:
    assert manifest(*lines, **side).display_name == title


def test_display_name_falls_back_to_the_folder() -> None:
    skill = read("---\ndescription: d\n---\n", folder="x/pdf-kit")
    assert skill.manifest is not None
    assert skill.manifest.display_name == "PDF Kit"
    assert skill.manifest.name is None


# --- version -----------------------------------------------------------------------------------------

SOURCES = {
    "front": ("version: 1.10", {}),
    "metadata": ("metadata: {version: 2.0}", {}),
    "skill.yaml": ("", {"skill_yaml": "version: 3.0"}),
    "plugin": ("", {"plugin": '{"version": "4.0"}'}),
    "meta": ("", {"meta": '{"version": "5.0"}'}),
}


@pytest.mark.parametrize(
    ("first", "version", "place"),
    [
        ("front", "1.10", "SKILL.md"),
        ("metadata", "2.0", "SKILL.md"),
        ("skill.yaml", "3.0", "skill.yaml"),
        ("plugin", "4.0", ".claude-plugin/plugin.json"),
        ("meta", "5.0", "_meta.json"),
    ],
)
def test_version_order(first: str, version: str, place: str) -> None:
    """Every later place disagrees, and is told so."""
    names = list(SOURCES)
    lines: list[str] = []
    side: dict[str, Content] = {}
    for name in names[names.index(first) :]:
        line, files = SOURCES[name]
        lines += [line] if line else []
        side |= files
    skill = read(front(*lines), **side)
    assert skill.manifest is not None
    assert (skill.manifest.version, skill.manifest.version_from) == (version, place)
    assert codes(skill) == ["field-conflict"] * (len(names) - names.index(first) - 1)


def test_no_version_and_equal_versions() -> None:
    assert (manifest().version, manifest().version_from) == (None, None)
    assert say("version: 1.0.0", plugin='{"version": "1.0.0"}', meta='{"version": "1.0.0"}') == []


@pytest.mark.parametrize("written", ["2026-01-05", "1.0", "1_0", "0x10", "12:30", "on", "007", "1e5"])
def test_versions_stay_text(written: str) -> None:
    assert manifest(f"version: {written}").version == written


# --- license, author, links ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "spdx", "text"),
    [
        ("license: MIT", "MIT", "MIT"),
        ("license: Apache License 2.0", "Apache-2.0", "Apache License 2.0"),
        ("license: see LICENSE.txt", None, "see LICENSE.txt"),
        ("license: {type: ISC}", "ISC", "ISC"),
        ("licence: mit", "MIT", "mit"),
        ("metadata: {license: MIT}", "MIT", "MIT"),
        ("x: y", None, None),
    ],
)
def test_license(line: str, spdx: str | None, text: str | None) -> None:
    found = manifest(line)
    assert (found.license, found.license_text) == (spdx, text)


def test_two_spellings_of_one_license_are_no_conflict() -> None:
    assert say("license: MIT", plugin='{"license": "MIT License"}') == []
    assert say("license: MIT", plugin='{"license": "ISC"}') == ["field-conflict"]


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("author: Ada", "Ada"),
        ("author: {name: Ada, email: a@example.com}", "Ada"),
        ("authors: [Ada, {name: Bob}]", "Ada, Bob"),
        ("metadata: {author: Ada}", "Ada"),
        ("author: [[x]]", None),
    ],
)
def test_author(line: str, author: str | None) -> None:
    assert manifest(line).author == author


def test_author_of_the_plugin() -> None:
    assert manifest(plugin='{"author": {"name": "Ada"}}').author == "Ada"


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://example.com/a?b=c#d", True),
        ("http://[::1]:80/", True),
        ("https://例え.jp/", True),
        ("javascript:alert(1)", False),
        ("example.com", False),
        ("https://", False),
        ("https://[bad", False),
        ("https://a b", False),
        ("'https://a\"><script>'", False),
        ("data:text/html,x", False),
        ("https://exa\u202emple.com", False),
        ("https://x/" + "a" * 3000, False),
    ],
)
def test_homepage(url: str, kept: bool) -> None:
    skill = read(front(f"homepage: {url}"))
    assert skill.manifest is not None
    assert skill.manifest.homepage == (url if kept else None)
    assert [code for code in codes(skill) if code != "text-hidden-character"] == (
        [] if kept else ["homepage-not-http"]
    )


def test_emoji_and_slug_and_compatibility_and_category() -> None:
    found = manifest("slug: my-demo", "emoji: 🚀", "category: Office", "compatibility: Needs Python 3.11")
    assert (found.slug, found.emoji, found.category) == ("my-demo", "🚀", "Office")
    assert found.compatibility == "Needs Python 3.11"
    assert manifest("metadata: {openclaw: {emoji: 🧪}}").emoji == "🧪"
    assert say(f"emoji: {'x' * 17}") == ["field-wrong-type"]


# --- topics and taxonomy -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "topics"),
    [
        (("tags: [tool, office]",), ("tool", "office")),
        (("tags: tool, office",), ("tool", "office")),
        (("tags: 工具，办公",), ("工具", "办公")),
        (("tags:", "  - tool", "  - Tool"), ("tool",)),
        (("tags: [a]", "topics: [b]", "keywords: c", "metadata: {tags: [d, a]}"), ("a", "b", "c", "d")),
        (("tags:",), ()),
        (("tags: [[x], a, ~]",), ("a",)),
        (("tags: {a: b}",), ()),
    ],
)
def test_topics(lines: tuple[str, ...], topics: tuple[str, ...]) -> None:
    assert manifest(*lines).topics == topics


def test_taxonomy() -> None:
    found = manifest(
        "track: Academics", "language: zh", "metadata:", "  domains: [math.algebra, arts]", "  stages: adult",
        "  taxonomy: {forms: [tutor], audience: learner}",
    )  # fmt: skip
    assert found.taxonomy == Taxonomy(
        "academics", "zh", ("math.algebra", "arts"), ("adult",), ("tutor",), ("learner",)
    )


@pytest.mark.parametrize(
    "line", ["language: python", "domains: [math.magic]", "track: x", "stages: [adult, x]", "forms: 5"]
)
def test_unknown_taxonomy_values_are_left_out(line: str) -> None:
    skill = read(front(line))
    assert skill.manifest is not None
    assert codes(skill) == ["taxonomy-unknown"]
    assert skill.manifest.taxonomy in (Taxonomy(), Taxonomy(stages=("adult",)))


def test_a_taxonomy_value_of_the_wrong_kind() -> None:
    assert say("language: [zh]") == ["field-wrong-type"]


# --- tools and gates -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "tools"),
    [
        ("x: y", None),
        ("allowed-tools: []", ()),
        ('allowed-tools: ""', ()),
        ("allowed-tools:", None),
        ("allowed-tools: {a: b}", None),
        ("allowed-tools: [Read, Write]", ("Read", "Write")),
        ("allowed-tools: Read, Write", ("Read", "Write")),
        ("allowed-tools: Read Write", ("Read", "Write")),
        ("allowed-tools: Bash(git:*) Read", ("Bash(git:*)", "Read")),
        ("allowed-tools: Bash(git add:*), Bash(npm run test:*) Read",
         ("Bash(git add:*)", "Bash(npm run test:*)", "Read")),
        ("allowed-tools:\n  - Bash(git add:*)\n  - Read", ("Bash(git add:*)", "Read")),
        ("allowedTools: [Read]", ("Read",)),
        ("allowed_tools: [Read]", ("Read",)),
    ],
)  # fmt: skip
def test_missing_empty_and_listed_tools_are_three_things(line: str, tools: tuple[str, ...] | None) -> None:
    assert manifest(line).allowed_tools == tools


@pytest.mark.parametrize(
    ("text", "tools"),
    [("", ()), (" , ", ()), ("A", ("A",)), ("A(b", ("A(b",)), ("A)b C", ("A)b", "C")),
     ("A(b (c d) e) F", ("A(b (c d) e)", "F")),
     ("A A", ("A",))],
)  # fmt: skip
def test_split_tools(text: str, tools: tuple[str, ...]) -> None:
    assert split_tools(text) == tools


@pytest.mark.parametrize(
    ("lines", "requires", "expected"),
    [
        (("requires:", "  bins: [git]", "  env: [KEY]", "  sandbox: shell"),
         Requirements(bins=("git",), env=("KEY",), sandbox=("shell",)), []),
        (("requires:", "  bins: git"), Requirements(bins=("git",)), ["gate-wrong-type"]),
        (("requires:", "  bins: git, jq"), Requirements(bins=("git", "jq")), ["gate-wrong-type"]),
        (("requires: {env: {KEY: x}}",), Requirements(env=("KEY",)), ["gate-wrong-type"]),
        (("requires: {env: [{name: KEY, required: true}]}",), Requirements(env=("KEY",)), []),
        (("requires: [git]",), Requirements(), ["field-wrong-type"]),
        (("requires: python3",), Requirements(), ["field-wrong-type"]),
        (("bins: [git]", "env: [KEY]", "anyBins: [a, b]"),
         Requirements(bins=("git",), env=("KEY",), any_bins=("a", "b")), []),
        (("metadata: {requires: {config: [a.b]}}",), Requirements(config=("a.b",)), []),
        (('metadata: {"openclaw":{"requires":{"anyBins":["a","b"],"bins":["c"]}}}',),
         Requirements(any_bins=("a", "b"), bins=("c",)), []),
        (("metadata: {clawdbot: {requires: {bins: [a]}}}",), Requirements(bins=("a",)), []),
        (("metadata: {clawdis: {requires: {bins: [a]}}}",), Requirements(bins=("a",)), ["vendor-metadata-namespace"]),
        (("metadata: {moltbot: {requires: {bins: [a]}}}",), Requirements(bins=("a",)), ["vendor-metadata-namespace"]),
        (("metadata: {openclaw: {requires: {bins: [a]}}, moltbot: {requires: {bins: [a]}}}",),
         Requirements(bins=("a",)), []),
        (("metadata: {openclaw: {requires: {bins: [a]}}, clawdbot: {requires: {bins: [b]}}}",),
         Requirements(bins=("a",)), ["field-conflict"]),
        (("requires: {bins: [a]}", "metadata: {openclaw: {requires: {env: [K]}}}"),
         Requirements(bins=("a",), env=("K",)), []),
        (("requires: {bins: [a, [b]]}",), Requirements(bins=("a",)), ["field-wrong-type"]),
        (("metadata: '{\"openclaw\": {\"requires\": {\"bins\": [\"a\"]}}}'",),
         Requirements(bins=("a",)), ["metadata-not-mapping"]),
        (("metadata: [a]",), Requirements(), ["metadata-not-mapping"]),
        (("metadata: text",), Requirements(), ["metadata-not-mapping"]),
        (("metadata: {openclaw: text}",), Requirements(), ["metadata-not-mapping"]),
        (("metadata:",), Requirements(), []),
    ],
)  # fmt: skip
def test_requires(lines: tuple[str, ...], requires: Requirements, expected: list[str]) -> None:
    skill = read(front(*lines))
    assert skill.manifest is not None
    assert skill.manifest.requires == requires
    assert codes(skill) == expected


def test_a_conflict_names_the_line_and_what_counts() -> None:
    skill = read(
        front("requires:", "  bins: [a]", "metadata:", "  openclaw:", "    requires:", "      bins: [b]")
    )
    (note,) = skill.findings
    assert (note.line, note.column) == (9, 13)
    assert (
        note.message == "metadata.openclaw.requires.bins says something else than requires.bins, which counts"
    )


@pytest.mark.parametrize(
    ("line", "systems", "expected"),
    [
        ("os: [darwin, linux]", ("darwin", "linux"), []),
        ("os: linux", ("linux",), []),
        ("platforms: [macos, windows]", ("darwin", "win32"), []),
        ("os: [macos]", ("darwin",), ["os-unknown"]),
        ("os: [plan9]", (), ["os-unknown"]),
        ('metadata: {"openclaw":{"os":["darwin"]}}', ("darwin",), []),
        ("os: {a: b}", (), ["field-wrong-type"]),
    ],
)
def test_os(line: str, systems: tuple[str, ...], expected: list[str]) -> None:
    skill = read(front(line))
    assert skill.manifest is not None
    assert skill.manifest.os == systems
    assert codes(skill) == expected


def test_install() -> None:
    steps = [
        {
            "id": "brew",
            "kind": "brew",
            "formula": "jq",
            "bins": ["jq"],
            "label": "Install jq",
            "os": ["darwin"],
        },
        {"kind": "node", "package": "x"},
        {"kind": "go", "module": "m@latest"},
        {"kind": "download", "url": "https://example.com/x"},
        {"kind": "uv"},
        "brew install x",
    ]
    skill = read(front("metadata: " + json.dumps({"openclaw": {"install": steps}})))
    assert skill.manifest is not None
    assert skill.manifest.install == (
        InstallSpec("brew", "jq", "Install jq", ("jq",), ("darwin",)),
        InstallSpec("node", "x"),
        InstallSpec("go", "m@latest"),
        InstallSpec("download", "https://example.com/x"),
    )
    assert codes(skill) == ["install-spec-invalid"] * 2


@pytest.mark.parametrize(
    ("line", "always", "expected"),
    [
        ("always: true", True, []),
        ("always: yes", True, []),
        ("always: On", True, []),
        ("always: false", False, []),
        ("always: no", False, []),
        ('always: "false"', False, ["gate-wrong-type"]),
        ('always: "true"', True, ["gate-wrong-type"]),
        ("always: maybe", False, ["field-wrong-type"]),
        ("always: [true]", False, ["field-wrong-type"]),
        ("always:", False, []),
        ("metadata: {openclaw: {always: true}}", True, []),
        ("x: y", False, []),
    ],
)
def test_always(line: str, always: bool, expected: list[str]) -> None:
    skill = read(front(line))
    assert skill.manifest is not None
    assert skill.manifest.always is always
    assert codes(skill) == expected


# --- hooks, servers, subagents -------------------------------------------------------------------------

FLAT = {"PrePrompt": [{"type": "command", "command": "python hooks/pre.py"}]}
NESTED = {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "echo  hi"}]}]}
PLUGIN = ".claude-plugin/plugin.json"


@pytest.mark.parametrize(
    ("lines", "side", "hooks"),
    [
        ((), {"plugin": json.dumps({"hooks": FLAT})}, (Hook("PrePrompt", "python hooks/pre.py", PLUGIN),)),
        ((), {"plugin": json.dumps({"hooks": NESTED})}, (Hook("PreToolUse", "echo  hi", PLUGIN, "Bash"),)),
        ((), {"hooks": json.dumps({"hooks": FLAT})}, (Hook("PrePrompt", "python hooks/pre.py", "hooks/hooks.json"),)),
        ((), {"hooks": json.dumps(FLAT)}, (Hook("PrePrompt", "python hooks/pre.py", "hooks/hooks.json"),)),
        ((), {"plugin": '{"hooks": "./hooks/hooks.json"}', "hooks": json.dumps({"hooks": FLAT})},
         (Hook("PrePrompt", "python hooks/pre.py", "hooks/hooks.json"),)),
        (("hooks:", "  PostAgent: python after.py",), {}, (Hook("PostAgent", "python after.py", "SKILL.md"),)),
        (("hooks:", "  PreSave:", "    - command: a", "    - command: b"), {},
         (Hook("PreSave", "a", "SKILL.md"), Hook("PreSave", "b", "SKILL.md"))),
        ((), {"skill_yaml": "hooks: {PreSave: [{type: command, command: a}]}"}, (Hook("PreSave", "a", "skill.yaml"),)),
    ],
)  # fmt: skip
def test_hooks(lines: tuple[str, ...], side: dict[str, Content], hooks: tuple[Hook, ...]) -> None:
    skill = read(front(*lines), **side)
    assert skill.manifest is not None
    assert skill.manifest.hooks == hooks
    assert codes(skill) == []


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ({"hooks": '{"hooks": {"PreSave": [{"type": "prompt", "prompt": "x"}]}}'}, ["hook-invalid"]),
        ({"hooks": '{"hooks": {"PreSave": [[]]}}'}, ["hook-invalid"]),
        ({"hooks": '{"hooks": {"PreSave": [{"hooks": [1, {}]}]}}'}, ["hook-invalid"]),
        ({"plugin": '{"hooks": "./missing.json"}'}, ["field-wrong-type"]),
        ({"plugin": '{"hooks": "../../etc/passwd"}'}, ["field-wrong-type"]),
        ({"plugin": '{"hooks": 5}'}, ["field-wrong-type"]),
        ({"plugin": "[]"}, ["side-file-invalid"]),
        ({"plugin": '{"a": NaN}'}, ["side-file-invalid"]),
        ({"plugin": "[" * 5000}, ["side-file-invalid"]),
        ({"plugin": b"\xff"}, ["side-file-invalid"]),
        ({"plugin": "x" * 70_000}, ["side-file-invalid"]),
        ({"plugin": ""}, ["side-file-invalid"]),
        ({"skill_yaml": "a: b: c"}, ["side-file-invalid"]),
        ({"skill_yaml": "- a"}, ["side-file-invalid"]),
        ({"skill_yaml": ""}, []),
        ({"meta": '{"version": 5, "version": 6}'}, ["side-file-invalid"]),
    ],
)
def test_side_files_that_are_wrong(side: dict[str, Content], expected: list[str]) -> None:
    skill = read(**side)
    assert skill.manifest is not None
    assert codes(skill) == expected


SERVER = {"command": "npx", "args": ["-y", "x", "--key", ""], "env": {"TOKEN": "secret-value"}}
EXPECTED = ("npx", ("-y", "x", "--key", ""))


@pytest.mark.parametrize(
    ("side", "path"),
    [
        ({"plugin": json.dumps({"mcpServers": {"x": SERVER}})}, PLUGIN),
        ({"mcp": json.dumps({"mcpServers": {"x": SERVER}})}, ".mcp.json"),
        ({"mcp": json.dumps({"x": SERVER})}, ".mcp.json"),
        ({"plugin": '{"mcpServers": "./servers.json"}', "servers": json.dumps({"mcpServers": {"x": SERVER}})},
         "servers.json"),
        ({"plugin": json.dumps({"mcpServers": {"x": SERVER}}), "mcp": '{"mcpServers": {"x": {"url": "https://o"}}}'},
         PLUGIN),
    ],
)  # fmt: skip
def test_mcp_servers(side: dict[str, Content], path: str) -> None:
    skill = read(front(), **side)
    assert skill.manifest is not None
    assert skill.manifest.mcp_servers == (McpServer("x", path, *EXPECTED, None, ("TOKEN",)),)
    assert "secret-value" not in repr(skill.manifest)
    assert codes(skill) == []


def test_mcp_servers_in_the_front_matter_and_by_url() -> None:
    found = manifest("mcpServers:", "  api:", "    url: https://user:pw@example.com/mcp?key=secret#f")
    assert found.mcp_servers == (McpServer("api", "SKILL.md", url="https://example.com/mcp"),)


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ("{}", ["mcp-server-invalid"]),
        ("5", ["mcp-server-invalid"]),
        ('{"url": "https://[bad"}', ["mcp-server-invalid"]),
        ('{"command": ["x"]}', ["mcp-server-invalid"]),
        ('{"command": "x", "args": "y"}', ["field-wrong-type"]),
        ('{"command": "x", "env": ["A"]}', []),
    ],
)
def test_mcp_servers_that_are_wrong(server: str, expected: list[str]) -> None:
    assert codes(read(mcp=f'{{"mcpServers": {{"x": {server}}}}}')) == expected


def test_subagents() -> None:
    skill = read(
        agent="---\nname: reviewer\ndescription: Reviews.\ntools: Read, Grep\n---\nBody",
        agent2="---\ndescription: d\ntools: []\n---\n",
    )
    assert skill.manifest is not None
    assert skill.manifest.subagents == (
        Subagent("reviewer", "agents/helper.md", "Reviews.", ("Read", "Grep")),
        Subagent("other", "agents/other.md", "d", ()),
    )
    assert codes(skill) == []


def test_only_so_many_subagents_are_read() -> None:
    agents: dict[str, Content] = {
        f"agents/a{i:03}.md": f"---\nname: a{i}\n---\n" for i in range(MAX_SUBAGENTS + 5)
    }
    skill = read_skill(package({"SKILL.md": front(), **agents}))
    assert skill.manifest is not None
    assert len(skill.manifest.subagents) == MAX_SUBAGENTS
    assert codes(skill) == ["subagent-invalid"]


def test_deeper_files_are_no_subagents() -> None:
    skill = read_skill(package({"SKILL.md": front(), "agents/x/y.md": "", "agents/z.txt": ""}))
    assert skill.manifest is not None
    assert skill.manifest.subagents == ()


# --- the whole -----------------------------------------------------------------------------------------


def test_places_of_findings_are_those_of_the_file() -> None:
    skill = read(front("license: 许可", "metadata:", "  openclaw:", "    requires: {env: K, bins: j}"))
    assert [(f.code, f.line, f.column) for f in skill.findings] == [
        ("license-unknown", 4, 10),
        ("gate-wrong-type", 7, 30),
        ("gate-wrong-type", 7, 21),
    ]


def test_places_inside_metadata_written_as_json() -> None:
    skill = read(front('metadata: \'{"openclaw": {"requires": {"bins": "git"}}}\''))
    note = next(f for f in skill.findings if f.code == "gate-wrong-type")
    assert (note.line, note.column) == (4, 12 + len('{"openclaw": {"requires": {"bins": '))


def test_thousands_of_mistakes_make_few_findings_and_still_bar() -> None:
    tags = "tags: [" + "[],".join([""] * 900) + "]"
    skill = read(f"---\nname: demo\n{tags}\n---\n")
    assert len(skill.findings) < 250
    assert "description-empty" in codes(skill)


def test_the_folder_without_any_skill_md() -> None:
    skill = read_skill(package({"README.md": "x"}))
    assert skill.manifest is None
    assert [(f.code, f.path) for f in skill.findings] == [("frontmatter-missing", "demo/SKILL.md")]


def test_the_exact_name_wins_over_a_wrong_case_one() -> None:
    skill = read_skill(package({"SKILL.md": front(), "skill.md": "x"}))
    assert skill.manifest is not None
    assert codes(skill) == []


def test_fold() -> None:
    assert fold(" a\r\n\tb  c ") == "a b c"
