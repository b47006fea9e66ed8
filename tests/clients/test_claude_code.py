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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from generator.model import Hub
from generator.write.protocols.claude_code import MARKETPLACE
from generator.write.protocols.claude_code_names import marketplace_name
from generator.write.protocols.claude_code_repository import (
    REPOSITORY_FILE,
    RepositoryCollection,
    RepositorySkill,
    repository_marketplace,
)
from generator.write.protocols.npm_tarball import pack_tarball
from tests.clients.installer_hub import Contents, StagedHub, State, manifest, swap_byte
from tests.clients.validating import check_valid
from tests.conftest import MakeHub, require
from tests.deps.claude_part import claude_program
from tests.hubs import minimal_environment, read_tree, write_tree
from tests.write.claude_code.samples import AGENT, COMMAND, HOOKS, HUB, PLUGIN, SERVERS, make

pytestmark = [pytest.mark.client, pytest.mark.xdist_group("claude-code")]


def versioned(name: str, version: str, body: str = "") -> str:
    """A ``SKILL.md`` that names its version."""
    front = f'---\nname: {name}\ndescription: Does what {name} does 数据.\nmetadata:\n  version: "{version}"\n---\n'
    return f"{front}# {name}\n{body}"


FIRST: dict[str, str | bytes] = {
    "SKILL.md": versioned("field-notes", "1.0.0", "First edition.\n"),
    "LICENSE": "Apache License 2.0\n",
    "assets/all-bytes.bin": bytes(range(256)) * 300,
    "data/empty.txt": "",
    "references/说明.md": "# 说明\r\n",
    "references/a b.md": "blank\n",
    f"references/{'n' * 120}.md": "long\n",
    "scripts/run.sh": "#!/bin/sh\necho first\n",
    # What npm and Claude Code would act on, were it at the top of the package.
    "package.json": '{"name":"x","version":"9.9.9","scripts":{"postinstall":"touch ran"}}',
    "binding.gyp": '{"targets":[]}',
    "hooks/notes.md": "no hooks\n",
    "agents/notes.md": "# no agent\n",
}
SECOND: dict[str, str | bytes] = {
    **FIRST,
    "SKILL.md": versioned("field-notes", "1.1.0", "Second edition.\n"),
    "new.md": "new\n",
}
PARTS: dict[str, str | bytes] = {
    "SKILL.md": manifest("note-keeper"),
    "hooks/hooks.json": HOOKS,
    ".mcp.json": SERVERS,
    "agents/reviewer.md": AGENT,
    "agents/notes.md": "# no agent\n",
    "commands/open.md": COMMAND,
    "scripts/start.sh": "echo started\n",
    "scripts/server.py": "print()\n",
}


REFUSED_MANIFESTS = {
    "event-of-another-host": '{"name":"x","hooks":{"PrePrompt":[{"type":"command","command":"x"}]}}',
    "no-name": '{"description":"no name"}',
    "wrong-kinds": '{"name":"a b","author":"A","homepage":"none","mcpServers":{"s":{}},"commands":["/etc"]}',
    "broken": "{",
}


def skills(version: str) -> dict[str, Contents]:
    """The sources when ``field-notes`` is at ``version``."""
    later = version != "1.0.0"
    own = {**PARTS, "SKILL.md": versioned("own-plugin", version), ".claude-plugin/plugin.json": PLUGIN}
    found: dict[str, Contents] = {
        "acme/field-notes": SECOND if later else FIRST,
        "acme/note-keeper": PARTS,
        "acme/own-plugin": {**own, "new.md": "new\n"} if later else own,
        "acme/twins": {"SKILL.md": manifest("twins", "Ours.")},
        "beta/twins": {"SKILL.md": manifest("twins", "Theirs.")},
        "acme/pinned": FIRST if not later else SECOND,
        "acme/old-one": FIRST,
        "acme/held": {"SKILL.md": manifest("held")},
        "acme/ignoring": {"SKILL.md": manifest("ignoring"), ".gitignore": "x\n", "deep/.gitignore": "y\n"},
    }
    for slug, text in REFUSED_MANIFESTS.items():
        found[f"acme/{slug}"] = {"SKILL.md": manifest(slug), ".claude-plugin/plugin.json": text}
    return found


COLLECTIONS = """\
collections:
  office: {title: Office, description: For the office., skills: [%s]}
"""
DECISIONS = """\
overlay:
  yank:
    acme/pinned@1.1.0: Breaks notes.
  deprecate:
    acme/old-one: {reason: Nobody keeps it.}
  quarantine:
    acme/held: Looks wrong.
"""
STATES = (
    State(skills("1.0.0"), COLLECTIONS % "acme/field-notes, acme/twins, beta/twins, acme/note-keeper"),
    State(skills("1.1.0"), COLLECTIONS % "acme/field-notes, acme/twins, acme/note-keeper" + DECISIONS),
)


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

    def add(self, hub: StagedHub) -> str:
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
        return read_tree(self.folder(plugin), without=[".in_use", ".orphaned_at"])

    def folder(self, plugin: str) -> Path:
        """Where an installed plugin lies."""
        return Path(self.installed()[plugin]["installPath"])

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
    """Both programs in a fresh home."""
    require("claude-code")
    home = tmp_path / "home"
    home.mkdir()
    return Claude(home)


@pytest.fixture(scope="module")
def hubs(make_hub: MakeHub) -> Callable[[str], StagedHub]:
    """A function from layout to the hub of this module, each made once: packed at the root, exploded below a path."""
    made: dict[str, StagedHub] = {}

    def get(layout: str) -> StagedHub:
        if layout not in made:
            live = make_hub(f"claude-{layout}", layout=layout, base="" if layout == "packed" else "/org/hub")
            made[layout] = StagedHub(live, STATES)
            made[layout].build()
        made[layout].show(0)
        return made[layout]

    return get


@pytest.fixture
def hub(hubs: Callable[[str], StagedHub]) -> StagedHub:
    """The packed one in its first state."""
    return hubs("packed")


@pytest.mark.parametrize("layout", ["packed", "exploded"])
def test_the_whole_story(claude: Claude, hubs: Callable[[str], StagedHub], layout: str) -> None:
    """Validate, add, install, look, update after a rebuild, install of a shared name."""
    hub = hubs(layout)
    said = claude.read("validate", hub.file(MARKETPLACE))
    assert "Validation passed" in said
    assert "warning" not in said
    name = claude.add(hub)
    assert name == marketplace_name(Hub("Sample hub", "", hub.url)) == "sample-hub"

    plugin = f"field-notes@{name}"
    claude.read("install", plugin)
    assert claude.skill_files(plugin, "field-notes") == hub.files["acme/field-notes"]
    assert set(claude.files(plugin)) - {f"skills/field-notes/{path}" for path in FIRST} == {"package.json"}
    assert claude.inventory(plugin) == {"Skills": "field-notes", "Agents": "", "Hooks": "", "MCP servers": ""}
    check_valid(claude.folder(plugin) / "skills" / "field-notes")

    hub.rebuild()
    claude.read("marketplace", "update", name)
    assert "from 1.0.0 to 1.1.0" in claude.read("update", plugin)
    assert claude.installed()[plugin]["version"] == "1.1.0"
    assert claude.skill_files(plugin, "field-notes") == hub.files["acme/field-notes"]
    assert "already at the latest version" in claude.read("update", plugin)

    claude.read("install", f"beta--twins@{name}")
    assert claude.skill_files(f"beta--twins@{name}", "twins") == hub.files["beta/twins"]
    assert not list(claude.home.rglob("ran"))


def swap_content(data: bytes) -> bytes:
    """A tarball that is as right as the first, with one word of a file changed: only its sha512 tells."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        read = {member.name.removeprefix("package/"): archive.extractfile(member) for member in archive}
        contents = {path: file.read() for path, file in read.items() if file is not None}
    return pack_tarball((path, content.replace(b"First", b"Wrong")) for path, content in contents.items())


TAMPERS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    # Whichever check comes first: both look at the last byte.
    "byte": (swap_byte, "EINTEGRITY|Z_DATA_ERROR|TAR_BAD_ARCHIVE"),
    "content": (swap_content, "EINTEGRITY"),
}


@pytest.mark.parametrize(("tamper", "codes"), TAMPERS.values(), ids=TAMPERS)
def test_a_tarball_that_was_changed_is_refused_again_and_again(
    claude: Claude, hub: StagedHub, tamper: Callable[[bytes], bytes], codes: str
) -> None:
    name = claude.add(hub)
    with hub.tampered("/dl/acme/field-notes-1.0.0.tgz", tamper):
        for _ in range(2):
            said = claude.refuse("install", f"field-notes@{name}")
            assert re.search(codes, said), said
    assert claude.installed() == {}
    assert not list((claude.home / ".claude" / "plugins" / "cache").rglob("SKILL.md"))


def test_hooks_servers_agents_and_commands_are_loaded(claude: Claude, hub: StagedHub) -> None:
    plugin = f"note-keeper@{claude.add(hub)}"
    claude.read("install", plugin)
    assert claude.inventory(plugin) == {
        "Skills": "note-keeper, open", "Agents": "reviewer", "Hooks": "SessionStart", "MCP servers": "notes"
    }  # fmt: skip
    assert claude.skill_files(plugin, "note-keeper") == hub.files["acme/note-keeper"]
    shown = claude.installed()[plugin]
    assert "errors" not in shown
    (script,) = shown["mcpServers"]["notes"]["args"]
    found = script.replace("${CLAUDE_PLUGIN_ROOT}", shown["installPath"])
    assert Path(found).read_bytes() == hub.files["acme/note-keeper"]["scripts/server.py"]


def test_a_skill_that_is_a_plugin_is_updated_whatever_its_own_version_says(
    claude: Claude, hub: StagedHub
) -> None:
    name = claude.add(hub)
    plugin = f"own-plugin@{name}"
    claude.read("install", plugin)
    assert claude.installed()[plugin]["version"] == "1.0.0"
    hub.rebuild()
    claude.read("marketplace", "update", name)
    claude.read("update", plugin)
    found, wanted = claude.files(plugin), dict(hub.files["acme/own-plugin"])
    own = json.loads(found.pop(".claude-plugin/plugin.json"))
    assert own == {**json.loads(wanted.pop(".claude-plugin/plugin.json")), "version": "1.1.0"}
    del found["package.json"]
    assert found == wanted
    inventory = claude.inventory(plugin)
    assert (inventory["Hooks"], inventory["MCP servers"]) == ("SessionStart", "notes")


def test_a_manifest_that_claude_code_refuses_does_not_cost_the_skill(claude: Claude, hub: StagedHub) -> None:
    name = claude.add(hub)
    for slug in REFUSED_MANIFESTS:
        claude.read("install", f"{slug}@{name}")
        assert claude.inventory(f"{slug}@{name}")["Skills"] == slug
    assert not [one for one in claude.installed().values() if "errors" in one]


def test_a_collection_is_one_plugin_and_grows(claude: Claude, hub: StagedHub) -> None:
    """Two owners' skills of one slug side by side; a member with parts comes along as a plugin of its own."""
    name = claude.add(hub)
    plugin = f"collections--office@{name}"
    assert "1 dependency: note-keeper" in claude.read("install", plugin)
    # In a folder of skills the folder's name is the skill's, whatever its front matter says.
    assert claude.inventory(plugin)["Skills"] == "acme--twins, beta--twins, field-notes"
    assert claude.skill_files(plugin, "field-notes") == hub.files["acme/field-notes"]
    assert claude.skill_files(plugin, "acme--twins") == hub.files["acme/twins"]
    assert claude.skill_files(plugin, "beta--twins") == hub.files["beta/twins"]
    assert claude.skill_files(f"note-keeper@{name}", "note-keeper") == hub.files["acme/note-keeper"]

    hub.rebuild()
    claude.read("marketplace", "update", name)
    assert "from 1.0.0 to 1.0.1" in claude.read("update", plugin)
    assert claude.skill_files(plugin, "field-notes") == hub.files["acme/field-notes"]
    assert claude.skill_files(plugin, "twins") == hub.files["acme/twins"]
    assert claude.inventory(plugin)["Skills"] == "field-notes, twins"


def test_what_is_withdrawn_is_not_found(claude: Claude, hub: StagedHub) -> None:
    name = claude.add(hub)
    hub.rebuild()
    # Its copy of the marketplace is older than the decision: npm says why.
    assert "quarantined by this hub: Looks wrong." in claude.refuse("install", f"held@{name}")
    claude.read("marketplace", "update", name)
    assert "not found in marketplace" in claude.refuse("install", f"held@{name}")


# --- npm alone --------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["packed", "exploded"])
def test_npm_installs_pins_warns_and_checks(
    claude: Claude, hubs: Callable[[str], StagedHub], tmp_path: Path, layout: str
) -> None:
    hub = hubs(layout)
    first = hub.files["acme/pinned"]
    hub.rebuild()
    registry = f"--registry={hub.url}/npm"

    def install(spec: str, where: str) -> tuple[subprocess.CompletedProcess[str], Path]:
        done = claude.npm("install", spec, registry, folder=tmp_path / where)
        return done, tmp_path / where / "node_modules" / "@acme"

    done, folder = install("@acme/pinned", "latest")
    assert done.returncode == 0, done.stderr
    assert read_tree(folder / "pinned" / "skills" / "pinned") == first
    assert json.loads((folder / "pinned" / "package.json").read_bytes())["version"] == "1.0.0"
    assert "deprecated" not in done.stderr

    done, folder = install("@acme/pinned@1.1.0", "later")
    assert "deprecated @acme/pinned@1.1.0: Yanked: Breaks notes." in done.stderr
    assert read_tree(folder / "pinned" / "skills" / "pinned") == hub.files["acme/pinned"]
    assert "Deprecated: Nobody keeps it." in install("@acme/old-one", "old")[0].stderr
    assert "No matching version" in install("@acme/pinned@^2", "none")[0].stderr

    packed = claude.npm("pack", "@acme/pinned", registry, folder=tmp_path / "packed")
    assert packed.returncode == 0, packed.stderr
    (tarball,) = (tmp_path / "packed").glob("*.tgz")
    assert tarball.read_bytes() == hub.file("/dl/acme/pinned-1.0.0.tgz").read_bytes()

    with hub.tampered("/dl/acme/old-one-1.0.0.tgz", swap_content):
        cache = ("--cache", str(tmp_path / "c"))
        done = claude.npm("install", "@acme/old-one", registry, *cache, folder=tmp_path / "bad")
    assert done.returncode != 0
    assert "EINTEGRITY" in done.stderr


# --- quirks that docs/incompatibilities.md tells of -------------------------------------------------


def test_npm_has_no_gitignore_to_rename(claude: Claude, hub: StagedHub) -> None:
    plugin = f"ignoring@{claude.add(hub)}"
    claude.read("install", plugin)
    assert set(claude.skill_files(plugin, "ignoring")) == {"SKILL.md"}


def test_a_package_of_another_hub_with_the_same_name_and_version_is_taken_from_the_cache(
    claude: Claude, hub: StagedHub, make_hub: MakeHub
) -> None:
    """Held here because it decides how packages are named: when this fails, Claude Code has mended it."""
    other = make_hub("claude-other")
    write_tree(other.folder / "sources" / "twins", {"SKILL.md": manifest("twins", "Of another hub.")})
    other.configure({"sources": "beta"}, name="Other hub")
    other.build().check()
    other.start()
    name = claude.add(hub)
    claude.read("marketplace", "add", f"{other.url}{MARKETPLACE}")
    claude.read("install", f"beta--twins@{name}")
    claude.read("install", "twins@other-hub")
    assert claude.skill_files("twins@other-hub", "twins") == hub.files["beta/twins"]


# --- the repository's own marketplace ---------------------------------------------------------------


def test_a_clone_of_the_repository(claude: Claude, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    trees: dict[str, dict[str, str | bytes]] = {
        "skills/field-notes": FIRST,
        "skills/plugin": {**PARTS, ".claude-plugin/plugin.json": PLUGIN},
        "vendor/broken": {
            "SKILL.md": manifest("broken"),
            ".claude-plugin/plugin.json": "{}",
            "agents/a.md": AGENT,
        },
    }
    cloned = []
    for folder, contents in trees.items():
        write_tree(repository / folder, contents)
        made = make(folder.rpartition("/")[2], {"1.0.0": contents})
        own = made.contents("1.0.0").get(".claude-plugin/plugin.json")
        cloned.append(RepositorySkill(made.skill.listing, folder, tuple(contents), own))
    members = tuple((one.listing.owner, one.listing.slug) for one in (cloned[0], cloned[2]))
    document = repository_marketplace(
        HUB, cloned, [RepositoryCollection("office", "Office", "Both.", members)]
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
