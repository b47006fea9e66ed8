"""What lies in a skill's package: the skill byte for byte, and plugin parts where the skill has them, nowhere else."""

from __future__ import annotations

import io
import json
import tarfile
from dataclasses import replace

import pytest

from generator.read.sidefiles import PLUGIN_JSON
from generator.write.protocols.claude_code_package import brings_parts, list_programs, skill_members
from generator.write.protocols.npm_tarball import pack_tarball
from tests.write.claude_code.samples import (
    AGENT,
    COMMAND,
    HOOKS,
    PLUGIN,
    SERVERS,
    Contents,
    files_of,
    make,
    skill_md,
)

PARTS: dict[str, str | bytes] = {
    "SKILL.md": skill_md("demo"),
    "hooks/hooks.json": HOOKS,
    ".mcp.json": SERVERS,
    "agents/reviewer.md": AGENT,
    "agents/notes.md": "# Notes for the skill, no agent\n",
    "agents/deep/one.md": AGENT,
    "commands/open.md": COMMAND,
    "bin/tool": "#!/bin/sh\n",
    "settings.json": "{}",
    "scripts/start.sh": "echo started\n",
}
PLAIN: dict[str, str | bytes] = {
    "SKILL.md": skill_md("demo"),
    "package.json": '{"scripts":{"postinstall":"touch /tmp/never"}}',
    "binding.gyp": "{}",
    "agents/notes.md": "# no front matter\n",
    "hooks/readme.md": "no hooks\n",
    "references/说明.md": "# 说明\n",
    "assets/bytes.bin": bytes(range(256)),
}


def members(contents: Contents, version: str = "1.0.0") -> dict[str, bytes]:
    return dict(skill_members("demo", version, files_of(contents)))


def placed(contents: Contents, top: str = "skills/demo/") -> dict[str, bytes]:
    return {f"{top}{file.path}": file.data for file in files_of(contents)}


def test_a_skill_alone_lies_in_one_folder() -> None:
    assert members(PLAIN) == placed(PLAIN)
    assert not brings_parts("demo", files_of(PLAIN))


def test_parts_lie_beside_the_skill_and_mean_its_folder() -> None:
    made = members(PARTS)
    assert made.items() >= placed(PARTS).items()
    beside = {path: data.decode() for path, data in made.items() if not path.startswith("skills/")}
    root = "${CLAUDE_PLUGIN_ROOT}"
    wanted = {
        "hooks/hooks.json": HOOKS, ".mcp.json": SERVERS, "agents/reviewer.md": AGENT, "commands/open.md": COMMAND
    }  # fmt: skip
    assert beside == {path: text.replace(root, f"{root}/skills/demo") for path, text in wanted.items()}
    assert brings_parts("demo", files_of(PARTS))


ONE_PART: dict[str, tuple[str, str]] = {
    "hooks": ("hooks/hooks.json", HOOKS),
    "servers": (".mcp.json", SERVERS),
    "agent": ("agents/a.md", AGENT),
    "command": ("commands/a.md", COMMAND),
}
NO_PART: dict[str, tuple[str, str]] = {
    "hooks-of-another-host": (
        "hooks/hooks.json",
        '{"hooks":{"PrePrompt":[{"type":"command","command":"x"}]}}',
    ),
    "broken-hooks": ("hooks/hooks.json", "{"),
    "no-servers": (".mcp.json", '{"mcpServers":{}}'),
    "agent-without-front-matter": ("agents/a.md", "# a\n"),
    "agent-elsewhere": ("references/agents/a.md", AGENT),
    "command-that-is-no-markdown": ("commands/a.txt", COMMAND),
    "plugin-manifest-that-is-none": (".claude-plugin/plugin.json", "[]"),
}


@pytest.mark.parametrize(("path", "text"), ONE_PART.values(), ids=ONE_PART)
def test_each_part_is_carried(path: str, text: str) -> None:
    contents = {"SKILL.md": skill_md("demo"), path: text}
    assert set(members(contents)) == {path, *placed(contents)}


@pytest.mark.parametrize(("path", "text"), NO_PART.values(), ids=NO_PART)
def test_what_is_no_part_is_not_carried(path: str, text: str) -> None:
    contents = {"SKILL.md": skill_md("demo"), path: text}
    assert members(contents) == placed(contents)


def test_a_plugin_lies_at_the_top_with_the_version_of_the_release() -> None:
    contents = {**PARTS, ".claude-plugin/plugin.json": PLUGIN}
    made, wanted = members(contents, "3.0.0"), placed(contents, "")
    manifest = json.loads(made.pop(".claude-plugin/plugin.json"))
    del wanted[".claude-plugin/plugin.json"]
    assert made == wanted
    assert manifest == {**json.loads(PLUGIN), "version": "3.0.0"}
    assert members(contents, "0.0.1") == placed(contents, "")


@pytest.mark.parametrize(
    "name", ["package.json", "binding.gyp", "Binding.GYP", "npm-shrinkwrap.json", "node_modules/x/y.js"]
)
def test_no_file_at_the_top_that_npm_reads(name: str) -> None:
    own = json.dumps({"name": "own", **json.loads(HOOKS), **json.loads(SERVERS)})
    contents = {"SKILL.md": skill_md("demo"), ".claude-plugin/plugin.json": own, name: "{}"}
    made = members(contents)
    assert made.items() >= placed(contents).items()
    assert set(made) - set(placed(contents)) == {"hooks/hooks.json", ".mcp.json"}
    assert b"${CLAUDE_PLUGIN_ROOT}/skills/demo/scripts/start.sh" in made["hooks/hooks.json"]


def test_package_json_asks_npm_for_nothing() -> None:
    made = make("demo", {"1.0.0": PLAIN})
    (data,) = made.tarballs.values()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        file = archive.extractfile("package/package.json")
        assert file is not None
        written = json.load(file)
    assert written == {
        "name": "@acme/demo", "version": "1.0.0", "description": "Does what demo does 数据.", "license": "Apache-2.0"
    }  # fmt: skip


@pytest.mark.parametrize("own_manifest", [False, True])
def test_programs_stay_programs(own_manifest: bool) -> None:
    files = [
        replace(file, executable=file.path == "scripts/start.sh")
        for file in files_of({**PARTS, **({PLUGIN_JSON: PLUGIN} if own_manifest else {})})
    ]
    data = pack_tarball(skill_members("demo", "1.0.0", files), list_programs("demo", files))
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        programs = [member.name for member in archive if member.mode == 0o755]
    top = "" if own_manifest else "skills/demo/"
    assert programs == [f"package/{top}scripts/start.sh"]
