"""Claude Code 2.1.197 and npm, both unmodified, against the npm tree and the marketplace of a hub.

Claude Code needs no login for plugins. It calls npm, which must be on PATH.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from generator.history.overlay.model import Deprecated, Ruling, Withdrawal
from generator.model import Version
from generator.write.protocols.claude_code import MARKETPLACE
from generator.write.protocols.claude_code_names import marketplace_name
from generator.write.protocols.claude_code_repository import (
    REPOSITORY_FILE,
    RepositoryCollection,
    RepositorySkill,
    repository_marketplace,
)
from generator.write.protocols.npm_tarball import pack_tarball
from tests.deps.claude_part import claude_program, part
from tests.hubs import minimal_environment, read_tree, write_tree
from tests.write.claude_code.samples import (
    AGENT,
    COMMAND,
    HOOKS,
    HUB,
    PLUGIN,
    SERVERS,
    Made,
    bundle_of,
    make,
    routes_of,
    skill_md,
)
from tests.write.claude_code.served import HubUnderTest, ServedHub

pytestmark = pytest.mark.client

FIRST: dict[str, str | bytes] = {
    "SKILL.md": skill_md("field-notes", "First edition.\n"),
    "LICENSE": "Apache License 2.0\n",
    "assets/all-bytes.bin": bytes(range(256)) * 300,
    "data/empty.txt": "",
    "references/说明.md": "# 说明\r\n",
    "references/a b.md": "blank\n",
    f"references/{'n' * 120}.md": "long\n",
    "scripts/run.sh": "#!/bin/sh\necho first\n",
    ".env.example": "KEY=\n",
    # What npm and Claude Code would act on, were it at the top of the package.
    "package.json": '{"name":"x","version":"9.9.9","scripts":{"postinstall":"touch ran"}}',
    "binding.gyp": '{"targets":[]}',
    "hooks/notes.md": "no hooks\n",
    "agents/notes.md": "# no agent\n",
}
SECOND: dict[str, str | bytes] = {
    **FIRST,
    "SKILL.md": skill_md("field-notes", "Second edition.\n"),
    "new.md": "new\n",
}
PARTS: dict[str, str | bytes] = {
    "SKILL.md": skill_md("note-keeper"),
    "hooks/hooks.json": HOOKS,
    ".mcp.json": SERVERS,
    "agents/reviewer.md": AGENT,
    "agents/notes.md": "# no agent\n",
    "commands/open.md": COMMAND,
    "scripts/start.sh": "echo started\n",
    "scripts/server.py": "print()\n",
}


@dataclass(frozen=True, slots=True)
class Claude:
    """The program in a home of its own, and npm in the same home."""

    home: Path

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run ``claude plugin ARGUMENTS``."""
        return self._run([str(claude_program()), "plugin", *map(str, arguments)], self.home)

    def npm(self, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run npm in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        return self._run(["npm", *arguments, "--no-audit", "--no-fund"], folder)

    def _run(self, command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=folder,
            env=minimal_environment(
                self.home,
                CI="1",
                DISABLE_AUTOUPDATER="1",
                CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
                GIT_CONFIG_NOSYSTEM="1",
            ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=180,
        )

    def read(self, *arguments: str | Path) -> str:
        """What a command that must succeed prints."""
        done = self.run(*arguments)
        assert done.returncode == 0, f"{arguments}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def refuse(self, *arguments: str | Path) -> str:
        """Everything a command that must fail says."""
        done = self.run(*arguments)
        assert done.returncode != 0, f"{arguments}: exit 0\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def add(self, hub: HubUnderTest) -> str:
        """Add the hub's marketplace; its name."""
        self.read("marketplace", "add", f"{hub.url}{MARKETPLACE}")
        (known,) = json.loads(self.read("marketplace", "list", "--json"))
        name = known["name"]
        assert isinstance(name, str)
        return name

    def installed(self) -> dict[str, Any]:
        """The installed plugins by id."""
        return {one["id"]: one for one in json.loads(self.read("list", "--json"))}

    def files(self, plugin: str) -> dict[str, bytes]:
        """The files of an installed plugin, without Claude Code's own notes."""
        return read_tree(Path(self.installed()[plugin]["installPath"]), without=[".in_use", ".orphaned_at"])

    def skill_files(self, plugin: str, folder: str) -> dict[str, bytes]:
        """The files of one skill in an installed plugin."""
        top = f"skills/{folder}/"
        return {
            path.removeprefix(top): data for path, data in self.files(plugin).items() if path.startswith(top)
        }

    def inventory(self, plugin: str) -> dict[str, str]:
        """What Claude Code loads of an installed plugin: ``Skills (1)`` and so on, with their names."""
        found = {}
        for line in self.read("details", plugin).splitlines():
            for kind in ("Skills", "Agents", "Hooks", "MCP servers"):
                if line.strip().startswith(f"{kind} ("):
                    names = line.partition(")")[2].partition("(harness")[0].partition("(tool")[0]
                    found[kind] = ", ".join(sorted(name.strip() for name in names.split(",")))
        return found


@pytest.fixture
def claude(tmp_path: Path) -> Claude:
    if not part().is_done():
        pytest.fail(f"not installed: {part().name}; run `make test`", pytrace=False)
    home = tmp_path / "home"
    home.mkdir()
    return Claude(home)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., ServedHub]]:
    started: list[ServedHub] = []

    def make_hub(base: str = "", name: str = "hub") -> ServedHub:
        hub = ServedHub(tmp_path / name, base)
        hub.start()
        started.append(hub)
        return hub

    yield make_hub
    for hub in started:
        hub.stop()


def field_notes(hub: ServedHub, *versions: str, **changes: Any) -> Made:
    contents = {"1.0.0": FIRST, "1.1.0": SECOND}
    return make("field-notes", {version: contents[version] for version in versions}, hub=hub.hub, **changes)


def test_the_whole_story(claude: Claude, serve: Callable[..., ServedHub]) -> None:
    """Validate, add, install, look, update after a rebuild, install of a shared name. Other tests have no base path."""
    hub = serve("/org/hub")
    twins = [
        make(
            "twins",
            {"1.0.0": {"SKILL.md": skill_md("twins", owner)}},
            owner=owner,
            hub=hub.hub,
            holds_slug=False,
        )
        for owner in ("acme", "beta")
    ]
    first = field_notes(hub, "1.0.0", homepage="https://example.org/x", topics=("notes",), category="office")
    hub.lay(routes_of(hub.hub, [first, *twins]))
    said = claude.read("validate", hub.file(MARKETPLACE))
    assert "Validation passed" in said
    assert "warning" not in said
    name = claude.add(hub)
    assert name == marketplace_name(hub.hub) == "sample-hub-of-tests"

    plugin = f"field-notes@{name}"
    claude.read("install", plugin)
    assert claude.skill_files(plugin, "field-notes") == first.contents("1.0.0")
    assert set(claude.files(plugin)) - {f"skills/field-notes/{path}" for path in FIRST} == {"package.json"}
    assert claude.inventory(plugin) == {"Skills": "field-notes", "Agents": "", "Hooks": "", "MCP servers": ""}
    assert "/org/hub/npm/@acme%2ffield-notes" in hub.asked

    second = field_notes(hub, "1.0.0", "1.1.0")
    hub.lay(routes_of(hub.hub, [second, *twins]))
    claude.read("marketplace", "update", name)
    assert "from 1.0.0 to 1.1.0" in claude.read("update", plugin)
    assert claude.installed()[plugin]["version"] == "1.1.0"
    assert claude.skill_files(plugin, "field-notes") == second.contents("1.1.0")
    assert "already at the latest version" in claude.read("update", plugin)

    claude.read("install", f"beta--twins@{name}")
    assert claude.skill_files(f"beta--twins@{name}", "twins") == twins[1].contents("1.0.0")
    assert not list(claude.home.rglob("ran"))


def flip_byte(data: bytes) -> bytes:
    """The same tarball with one bit of a file's content changed: the checksum of gzip tells."""
    changed = bytearray(data)
    changed[len(data) // 2] ^= 1
    return bytes(changed)


def swap_content(data: bytes) -> bytes:
    """A tarball that is as right as the first, with one word of a file changed: only its sha512 tells."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        read = {member.name.removeprefix("package/"): archive.extractfile(member) for member in archive}
        contents = {path: file.read() for path, file in read.items() if file is not None}
    return pack_tarball((path, content.replace(b"First", b"Wrong")) for path, content in contents.items())


TAMPERS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    # Whichever check comes first: both look at the last byte.
    "byte": (flip_byte, "EINTEGRITY|Z_DATA_ERROR|TAR_BAD_ARCHIVE"),
    "content": (swap_content, "EINTEGRITY"),
}


@pytest.mark.parametrize(("tamper", "codes"), TAMPERS.values(), ids=TAMPERS)
def test_a_tarball_that_was_changed_is_refused_again_and_again(
    claude: Claude, serve: Callable[..., ServedHub], tamper: Callable[[bytes], bytes], codes: str
) -> None:
    hub = serve()
    hub.lay(routes_of(hub.hub, [field_notes(hub, "1.0.0")]))
    name = claude.add(hub)
    file = hub.file("/dl/acme/field-notes-1.0.0.tgz")
    before = file.read_bytes()
    file.write_bytes(tamper(before))
    assert file.read_bytes() != before
    for _ in range(2):
        said = claude.refuse("install", f"field-notes@{name}")
        assert re.search(codes, said), said
    assert claude.installed() == {}
    assert not list((claude.home / ".claude" / "plugins" / "cache").rglob("SKILL.md"))


def test_hooks_servers_agents_and_commands_are_loaded(
    claude: Claude, serve: Callable[..., ServedHub]
) -> None:
    hub = serve()
    made = make("note-keeper", {"1.0.0": PARTS}, hub=hub.hub)
    hub.lay(routes_of(hub.hub, [made]))
    plugin = f"note-keeper@{claude.add(hub)}"
    claude.read("install", plugin)
    assert claude.inventory(plugin) == {
        "Skills": "note-keeper, open", "Agents": "reviewer", "Hooks": "SessionStart", "MCP servers": "notes"
    }  # fmt: skip
    assert claude.skill_files(plugin, "note-keeper") == made.contents("1.0.0")
    shown = claude.installed()[plugin]
    assert "errors" not in shown
    (script,) = shown["mcpServers"]["notes"]["args"]
    found = script.replace("${CLAUDE_PLUGIN_ROOT}", shown["installPath"])
    assert Path(found).read_bytes() == made.contents("1.0.0")["scripts/server.py"]


def test_a_skill_that_is_a_plugin_is_updated_whatever_its_own_version_says(
    claude: Claude, serve: Callable[..., ServedHub]
) -> None:
    hub = serve()
    own = {**PARTS, ".claude-plugin/plugin.json": PLUGIN}
    hub.lay(routes_of(hub.hub, [make("note-keeper", {"1.0.0": own}, hub=hub.hub)]))
    name = claude.add(hub)
    plugin = f"note-keeper@{name}"
    claude.read("install", plugin)
    assert claude.installed()[plugin]["version"] == "1.0.0"
    later = make("note-keeper", {"1.0.0": own, "1.1.0": {**own, "new.md": "new\n"}}, hub=hub.hub)
    hub.lay(routes_of(hub.hub, [later]))
    claude.read("marketplace", "update", name)
    claude.read("update", plugin)
    found, wanted = claude.files(plugin), later.contents("1.1.0")
    manifest = json.loads(found.pop(".claude-plugin/plugin.json"))
    assert manifest == {**json.loads(wanted.pop(".claude-plugin/plugin.json")), "version": "1.1.0"}
    del found["package.json"]
    assert found == wanted
    inventory = claude.inventory(plugin)
    assert (inventory["Hooks"], inventory["MCP servers"]) == ("SessionStart", "notes")


REFUSED_MANIFESTS = {
    "event-of-another-host": '{"name":"x","hooks":{"PrePrompt":[{"type":"command","command":"x"}]}}',
    "no-name": '{"description":"no name"}',
    "wrong-kinds": '{"name":"a b","author":"A","homepage":"none","mcpServers":{"s":{}},"commands":["/etc"]}',
    "broken": "{",
}


def test_a_manifest_that_claude_code_refuses_does_not_cost_the_skill(
    claude: Claude, serve: Callable[..., ServedHub]
) -> None:
    hub = serve()
    made = [
        make(slug, {"1.0.0": {"SKILL.md": skill_md(slug), ".claude-plugin/plugin.json": text}}, hub=hub.hub)
        for slug, text in REFUSED_MANIFESTS.items()
    ]
    hub.lay(routes_of(hub.hub, made))
    name = claude.add(hub)
    for slug in REFUSED_MANIFESTS:
        claude.read("install", f"{slug}@{name}")
        assert claude.inventory(f"{slug}@{name}")["Skills"] == slug
    assert not [one for one in claude.installed().values() if "errors" in one]


def test_a_collection_is_one_plugin_and_grows(claude: Claude, serve: Callable[..., ServedHub]) -> None:
    """Two owners' skills of one slug side by side; a member with parts comes along as a plugin of its own."""
    hub = serve("/hub")
    notes, keeper = field_notes(hub, "1.0.0"), make("note-keeper", {"1.0.0": PARTS}, hub=hub.hub)
    other = make("field-notes", {"2.0.0": {"SKILL.md": skill_md("other-notes")}}, owner="beta", hub=hub.hub)
    bundle, ledger = bundle_of(hub.hub, "office", [notes, other, keeper])
    hub.lay(routes_of(hub.hub, [notes, keeper, other], [bundle]))
    name = claude.add(hub)
    plugin = f"collections--office@{name}"
    assert "1 dependency: note-keeper" in claude.read("install", plugin)
    # In a folder of skills the folder's name is the skill's, whatever its front matter says.
    assert claude.inventory(plugin)["Skills"] == "acme--field-notes, beta--field-notes"
    assert claude.skill_files(plugin, "acme--field-notes") == notes.contents("1.0.0")
    assert claude.skill_files(plugin, "beta--field-notes") == other.contents("2.0.0")
    assert claude.skill_files(f"note-keeper@{name}", "note-keeper") == keeper.contents("1.0.0")

    later = field_notes(hub, "1.0.0", "1.1.0")
    bundle, _ = bundle_of(hub.hub, "office", [later, keeper], ledger)
    hub.lay(routes_of(hub.hub, [later, keeper, other], [bundle]))
    claude.read("marketplace", "update", name)
    assert "from 1.0.0 to 1.0.1" in claude.read("update", plugin)
    assert claude.skill_files(plugin, "field-notes") == later.contents("1.1.0")
    assert claude.inventory(plugin)["Skills"] == "field-notes"


def test_what_is_withdrawn_is_not_found(claude: Claude, serve: Callable[..., ServedHub]) -> None:
    hub = serve()
    gone = Ruling(quarantined=(Withdrawal(None, "Looks wrong."),))
    made = field_notes(hub, "1.0.0", ruling=gone)
    held = make("held", {"1.0.0": FIRST}, hub=hub.hub)
    hub.lay(routes_of(hub.hub, [held]))
    name = claude.add(hub)
    assert "not found in marketplace" in claude.refuse("install", f"field-notes@{name}")
    # One whose copy of the marketplace is older than the decision: npm says why.
    listed = json.loads(hub.file(MARKETPLACE).read_bytes())
    listed["plugins"][0]["source"]["package"] = "@acme/field-notes"
    hub.file(MARKETPLACE).write_text(json.dumps(listed))
    hub.lay(route for route in routes_of(hub.hub, [made]) if route.path != MARKETPLACE)
    claude.read("marketplace", "update", name)
    assert "quarantined by this hub: Looks wrong." in claude.refuse("install", f"held@{name}")


# --- npm alone --------------------------------------------------------------------------------------


def test_npm_installs_pins_warns_and_checks(
    claude: Claude, serve: Callable[..., ServedHub], tmp_path: Path
) -> None:
    hub = serve("/hub")
    ruling = Ruling(yanked=(Withdrawal(Version("1.1.0"), "Breaks notes."),))
    made = field_notes(hub, "1.0.0", "1.1.0", ruling=ruling)
    old = make(
        "old-one", {"1.0.0": FIRST}, hub=hub.hub, ruling=Ruling(deprecated=Deprecated("Nobody keeps it."))
    )
    hub.lay(routes_of(hub.hub, [made, old]))
    registry = f"--registry={hub.url}/npm"

    def install(spec: str, where: str) -> tuple[subprocess.CompletedProcess[str], Path]:
        done = claude.npm("install", spec, registry, folder=tmp_path / where)
        return done, tmp_path / where / "node_modules" / "@acme"

    done, folder = install("@acme/field-notes", "latest")
    assert done.returncode == 0, done.stderr
    assert read_tree(folder / "field-notes" / "skills" / "field-notes") == made.contents("1.0.0")
    assert json.loads((folder / "field-notes" / "package.json").read_bytes())["version"] == "1.0.0"
    assert "deprecated" not in done.stderr

    done, folder = install("@acme/field-notes@1.1.0", "pinned")
    assert "deprecated @acme/field-notes@1.1.0: Yanked: Breaks notes." in done.stderr
    assert read_tree(folder / "field-notes" / "skills" / "field-notes") == made.contents("1.1.0")
    assert "Deprecated: Nobody keeps it." in install("@acme/old-one", "old")[0].stderr
    assert "No matching version" in install("@acme/field-notes@^2", "none")[0].stderr

    packed = claude.npm("pack", "@acme/field-notes", registry, folder=tmp_path / "packed")
    assert packed.returncode == 0, packed.stderr
    (tarball,) = (tmp_path / "packed").glob("*.tgz")
    assert tarball.read_bytes() == hub.file("/dl/acme/field-notes-1.0.0.tgz").read_bytes()

    file = hub.file("/dl/acme/old-one-1.0.0.tgz")
    file.write_bytes(swap_content(file.read_bytes()))
    done = claude.npm(
        "install", "@acme/old-one", registry, "--cache", str(tmp_path / "c"), folder=tmp_path / "bad"
    )
    assert done.returncode != 0
    assert "EINTEGRITY" in done.stderr


# --- quirks that docs/incompatibilities.md tells of -------------------------------------------------


def test_npm_renames_gitignore(claude: Claude, serve: Callable[..., ServedHub]) -> None:
    hub = serve()
    contents = {"SKILL.md": skill_md("ignoring"), ".gitignore": "x\n", "deep/.gitignore": "y\n"}
    hub.lay(routes_of(hub.hub, [make("ignoring", {"1.0.0": contents}, hub=hub.hub)]))
    plugin = f"ignoring@{claude.add(hub)}"
    claude.read("install", plugin)
    assert set(claude.skill_files(plugin, "ignoring")) == {"SKILL.md", ".npmignore", "deep/.npmignore"}


def test_a_package_of_another_hub_with_the_same_name_and_version_is_taken_from_the_cache(
    claude: Claude, serve: Callable[..., ServedHub]
) -> None:
    """Held here because it decides how packages are named: when this fails, Claude Code has mended it."""
    one, two = serve("", "one"), serve("", "two")
    for hub, more in ((one, "one"), (two, "two")):
        hub.lay(
            routes_of(hub.hub, [make("same", {"1.0.0": {"SKILL.md": skill_md("same", more)}}, hub=hub.hub)])
        )
    listed = json.loads(two.file(MARKETPLACE).read_bytes())
    two.file(MARKETPLACE).write_text(json.dumps({**listed, "name": "other-hub"}))
    name = claude.add(one)
    claude.read("marketplace", "add", f"{two.url}{MARKETPLACE}")
    claude.read("install", f"same@{name}")
    claude.read("install", "same@other-hub")
    assert two.asked == [MARKETPLACE]
    assert claude.skill_files("same@other-hub", "same") == claude.skill_files(f"same@{name}", "same")


# --- the repository's own marketplace ---------------------------------------------------------------


def test_a_clone_of_the_repository(claude: Claude, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    trees: dict[str, dict[str, str | bytes]] = {
        "skills/field-notes": FIRST,
        "skills/plugin": {**PARTS, ".claude-plugin/plugin.json": PLUGIN},
        "vendor/broken": {
            "SKILL.md": skill_md("broken"),
            ".claude-plugin/plugin.json": "{}",
            "agents/a.md": AGENT,
        },
    }
    skills = []
    for folder, contents in trees.items():
        write_tree(repository / folder, contents)
        made = make(folder.rpartition("/")[2], {"1.0.0": contents})
        manifest = made.contents("1.0.0").get(".claude-plugin/plugin.json")
        skills.append(RepositorySkill(made.skill.listing, folder, tuple(contents), manifest))
    members = tuple((one.listing.owner, one.listing.slug) for one in (skills[0], skills[2]))
    document = repository_marketplace(
        HUB, skills, [RepositoryCollection("office", "Office", "Both.", members)]
    )
    write_tree(repository, {REPOSITORY_FILE: document})
    environment = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(tmp_path)}
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Skills"]):
        identity = ["-c", "user.name=Tests", "-c", "user.email=tests@example.org"]
        subprocess.run(["git", *identity, *command], cwd=repository, env=environment, check=True)

    assert "Validation passed" in claude.read("validate", repository)
    claude.read("marketplace", "add", repository)
    name = f"{marketplace_name(HUB)}-repository"
    for plugin in ("field-notes", "plugin", "broken", "collections--office"):
        claude.read("install", f"{plugin}@{name}")
    assert claude.files(f"field-notes@{name}") == read_tree(repository / "skills/field-notes")
    assert claude.inventory(f"plugin@{name}")["MCP servers"] == "notes"
    assert claude.inventory(f"broken@{name}") == {
        "Skills": "broken",
        "Agents": "",
        "Hooks": "",
        "MCP servers": "",
    }
    assert claude.inventory(f"collections--office@{name}")["Skills"] == "broken, field-notes"
