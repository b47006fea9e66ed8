"""Which released installers are run against a hub, in which versions, how, and by which tests.

    python -m tests.clients.matrix      writes docs/clients.md

``tests/test_docs_clients.py`` holds the table to the lock files and to the tests it names.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from generator.model import Protocol

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "clients.md"


@dataclass(frozen=True, slots=True)
class Pin:
    """What fixes a version: a package by its name on npm or PyPI, in a file below ``tests/deps``."""

    package: str
    file: str

    def holds(self, version: str, text: str) -> bool:
        """Whether ``text``, that of the file, pins the package to this version."""
        lines = [line.strip().rstrip(", \\") for line in text.splitlines()]
        return f'"{self.package}": "{version}"' in lines or f"{self.package}=={version}" in lines


@dataclass(frozen=True, slots=True)
class Run:
    """Something that a client does with a hub, and the test that runs it."""

    doing: str
    test: str


@dataclass(frozen=True, slots=True)
class Client:
    """One client. ``command`` is how people use it, with HUB, OWNER, SLUG for what is in question; ``tampered`` says
    what becomes of a file that was changed on the way; ``module`` is the file of its tests."""

    name: str
    versions: tuple[str, ...]
    pin: Pin | None
    command: str
    protocol: Protocol | None
    module: str
    tampered: str
    runs: tuple[Run, ...]
    extended: bool = False


CLIENTS = (
    Client(
        "clawhub",
        ("0.23.3", "0.20.0", "0.8.0"),
        Pin("clawhub", "clawhub-{version}/package.json"),
        "clawhub --registry HUB install SLUG",
        Protocol.CLAWHUB,
        "test_clawhub.py",
        "not noticed",
        (
            Run("search", "test_search_finds_by_name_and_shows_the_latest_version"),
            Run("explore", "test_explore_lists_every_skill_with_its_version"),
            Run("inspect", "test_inspect_shows_versions_files_and_hashes"),
            Run("install", "test_install_leaves_the_source_byte_for_byte"),
            Run("install a version", "test_install_of_an_old_version_leaves_its_bytes"),
            Run("update", "test_update_after_a_new_build"),
            Run("verify", "test_verify_passes_and_names_the_version"),
            Run("sync", "test_sync_tells_synced_changed_and_new_apart"),
            Run("changed archive", "test_a_tampered_archive_is_installed_as_it_is"),
            Run("packages", "test_explore_lists_every_skill"),
            Run("shared name", "test_both_side_by_side_then_update_all"),
        ),
    ),
    Client(
        "DeepTutor",
        ("1.6.15",),
        Pin("deeptutor", "deeptutor-wheel.txt"),
        'skill_hubs.json: {"type": "clawhub", "base_url": "HUB/api/v1"}',
        Protocol.CLAWHUB,
        "test_deeptutor.py",
        "refused",
        (
            Run("search", "test_search"),
            Run("catalog", "test_catalog"),
            Run("install", "test_install"),
            Run("verify", "test_verify"),
            Run("shared name", "test_install_by_owner"),
            Run("changed archive", "test_an_archive_with_a_changed_byte_is_refused"),
        ),
    ),
    Client(
        "OpenClaw",
        ("2026.9.6",),
        Pin("openclaw", "openclaw-{version}/package.json"),
        "OPENCLAW_CLAWHUB_URL=HUB openclaw skills install @OWNER/SLUG",
        Protocol.CLAWHUB,
        "test_openclaw.py",
        "not noticed",
        (
            Run("search", "test_search"),
            Run("install, verify, update", "test_install_verify_and_update_after_a_rebuild"),
            Run("install a version", "test_install_of_a_pinned_version"),
            Run("shared name", "test_a_slug_of_two_owners_is_installed_by_its_owner"),
            Run("withdrawn", "test_what_is_withdrawn_is_refused_with_the_reason"),
            Run("changed archive", "test_a_tampered_archive_is_installed_as_it_is"),
        ),
        extended=True,
    ),
    Client(
        "skills",
        ("1.5.18",),
        Pin("skills", "skills-{version}/package.json"),
        "npx skills add HUB/OWNER/skills/SLUG --skill SLUG",
        Protocol.AGENT_SKILLS,
        "test_skills_cli.py",
        "refused",
        (
            Run("install", "test_a_page_installs_its_skill_byte_for_byte_and_nothing_else"),
            Run("install a collection", "test_an_index_of_several_installs_all_of_them"),
            Run("install again", "test_installing_again_after_a_rebuild_leaves_the_new_files_only"),
            Run("withdrawn", "test_by_its_name_what_is_withdrawn_is_refused"),
            Run("changed archive", "test_a_tampered_archive_is_refused_and_nothing_else_is_installed"),
        ),
    ),
    Client(
        "skills",
        ("1.7.4",),
        Pin("skills", "skills-{version}/package.json"),
        "npx skills add HUB/OWNER/skills/SLUG --skill SLUG; npx skills update",
        Protocol.AGENT_SKILLS,
        "test_skills_cli.py",
        "refused",
        (
            Run("install", "test_a_page_installs_its_skill_byte_for_byte_and_nothing_else"),
            Run("update", "test_a_new_version_is_installed"),
            Run("withdrawn", "test_by_its_name_what_is_withdrawn_is_refused"),
            Run("changed archive", "test_a_tampered_new_version_leaves_the_old_one"),
        ),
        extended=True,
    ),
    Client(
        "hermes-agent",
        ("0.19.0",),
        Pin("hermes-agent", "hermes/requirements.txt"),
        "hermes skills install well-known:HUB/.well-known/skills/SLUG",
        Protocol.WELL_KNOWN_SKILLS,
        "test_hermes.py",
        "noticed by the server, not by it",
        (
            Run("search", "test_search_lists_what_the_index_holds"),
            Run("install", "test_texts_arrive_byte_for_byte"),
            Run("update", "test_update_after_a_rebuild"),
            Run("check", "test_check_tells_a_new_version_from_none"),
            Run("withdrawn", "test_what_the_index_does_not_hold_is_refused"),
            Run("changed file", "test_a_tampered_file_is_noticed_by_the_server"),
        ),
    ),
    Client(
        "Claude Code",
        ("2.1.197",),
        Pin("@anthropic-ai/claude-code", "claude-code-{version}/package.json"),
        "claude plugin marketplace add HUB/claude/marketplace.json; claude plugin install SLUG@NAME",
        Protocol.CLAUDE_CODE,
        "test_claude_code.py",
        "refused",
        (
            Run("install, update, shared name", "test_the_whole_story"),
            Run("hooks, servers, agents", "test_hooks_servers_agents_and_commands_are_loaded"),
            Run("install a collection", "test_a_collection_is_one_plugin_and_grows"),
            Run("withdrawn", "test_what_is_withdrawn_is_not_found"),
            Run("changed archive", "test_a_tarball_that_was_changed_is_refused_again_and_again"),
        ),
    ),
    Client(
        "npm",
        (),
        None,
        "npm install @OWNER/SLUG --registry=HUB/npm",
        Protocol.CLAUDE_CODE,
        "test_claude_code.py",
        "refused",
        (Run("install, pin, pack, changed archive", "test_npm_installs_pins_warns_and_checks"),),
    ),
    Client(
        "apm-cli",
        ("0.35.0",),
        Pin("apm-cli", "apm/requirements.txt"),
        "apm.yml: registries: {hub: {url: HUB}}; apm install",
        Protocol.APM,
        "test_apm.py",
        "refused",
        (
            Run("install", "test_install_leaves_the_source_byte_for_byte"),
            Run("update", "test_outdated_and_update_after_a_rebuild"),
            Run("install what was locked", "test_a_lock_file_gives_the_old_version_after_a_rebuild"),
            Run("withdrawn", "test_what_is_withdrawn_is_not_installed"),
            Run("changed archive", "test_a_tampered_archive_is_refused_and_nothing_is_installed"),
        ),
    ),
    Client(
        "Gemini CLI",
        ("0.61.0",),
        Pin("@google/gemini-cli", "gemini-{version}/package.json"),
        "gemini skills install SLUG-VERSION.skill",
        Protocol.SKILL_ARCHIVES,
        "test_gemini.py",
        "not noticed",
        (
            Run("install", "test_a_downloaded_archive_is_installed_byte_for_byte"),
            Run("install again", "test_installing_the_next_archive_after_a_rebuild"),
            Run("changed archive", "test_a_tampered_archive_is_installed_as_it_is"),
        ),
        extended=True,
    ),
    Client(
        "agentskills-http",
        ("0.7.0",),
        Pin("agentskills-http", "agentskills-http/requirements.txt"),
        'HTTPStaticFileSkillProvider("HUB/agentskills")',
        Protocol.AGENTSKILLS_HTTP,
        "test_agentskills.py",
        "noticed by the server, not by it",
        (
            Run("read", "test_the_tree_gives_every_file_byte_for_byte"),
            Run("changed file", "test_a_tampered_file_is_noticed_by_the_server"),
        ),
    ),
    Client(
        "agentskills (skills-ref)",
        ("0.1.1",),
        Pin("skills-ref", "skills-ref/requirements.txt"),
        "agentskills validate FOLDER",
        None,
        "test_agentskills.py",
        "",
        (Run("validate what was installed", "test_every_skill_archive_unpacks_to_a_valid_skill"),),
    ),
)
"""Every client, those of one protocol side by side."""

_HEAD = """\
# The installers that are run against a hub

Each is the released program, unmodified, in a home of its own, against a hub that `skillpress build` wrote and
`skillpress serve` answers for: packed at the root of a host, and exploded below a path. Files are compared with the
sources byte for byte. `make test` runs them; those marked *extended* are large or need Node 24: `make extended`.
`agentskills validate` passes what they installed. Their quirks: [incompatibilities.md](incompatibilities.md). What
works on which hosting: [hosting.md](hosting.md).

`HUB` is the hub's address. *A changed file*: what the program does where a byte is not the one that was published.

| client | version | how it is used | protocol | a changed file | what is run | tests in `tests/clients/` | run |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def page() -> str:
    """The whole of docs/clients.md. Written by this module; a test holds it."""
    rows = "".join(_row(client) for client in CLIENTS)
    spoken = {client.protocol for client in CLIENTS}
    unread = ", ".join(f"`{one}`" for one in Protocol if one not in spoken)
    return (
        f"{_HEAD}{rows}\nNo released program that a registry carries reads these by itself, so tests of ours hold "
        f"their documents: {unread}.\n\n<!-- Written by python -m tests.clients.matrix -->\n"
    )


def _row(client: Client) -> str:
    cells = (
        client.name,
        ", ".join(client.versions) or "that on PATH",
        f"`{client.command}`",
        f"`{client.protocol}`" if client.protocol else "",
        client.tampered,
        ", ".join(run.doing for run in client.runs),
        f"`{client.module}`",
        "extended" if client.extended else "default",
    )
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
