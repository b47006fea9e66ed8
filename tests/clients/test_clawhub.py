"""The unmodified clawhub command, three versions of it, against a served hub.

The facts these tests hold on to are what the released programs do: they leave a skill's files, a lock and an
origin note on disk. Files are compared with the source byte for byte.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import OTHERS, Clawhub, SampleHub, Shape, run_clawhub, shape_id
from tests.clients.installer_hub import StagedHub, swap_byte, tampered
from tests.clients.validating import check_valid
from tests.conftest import require
from tests.deps.install import CLAWHUB_VERSIONS
from tests.hubs import read_tree, write_tree

pytestmark = pytest.mark.client


def against(*shapes: Shape) -> pytest.MarkDecorator:
    """Run a test in these shapes only."""
    return pytest.mark.parametrize(
        "clawhub", shapes, indirect=True, ids=[shape_id(shape) for shape in shapes]
    )


NEWEST = against(("0.23.3", "packed", ""))
WITH_VERIFY = against(("0.23.3", "packed", ""), ("0.20.0", "packed", ""))
"""``skill verify``, and ``sync`` without a login, came after 0.8.0."""


@against(*OTHERS)
def test_the_whole_story_in_every_shape(early_clawhub: Clawhub) -> None:
    """Find, look, install, install an old version, update after a new build, verify, compare."""
    clawhub = early_clawhub
    first, second = (build["acme/field-notes"] for build in (clawhub.hub.first, clawhub.hub.second))
    assert "field-notes v1.1.0" in clawhub.read("search", "field notes")
    assert len(clawhub.read_json("explore", "--json")["items"]) == 5
    seen = clawhub.read_json("inspect", "field-notes", "--versions", "--files", "--json")
    assert [item["version"] for item in seen["versions"]] == ["1.1.0", "1.0.0"]
    assert {file["path"] for file in seen["version"]["files"]} == set(second)
    shown = clawhub.read("inspect", "field-notes", "--version", "1.0.0", "--file", "references/old.md")
    assert first["references/old.md"].decode() in shown
    assert clawhub.installed("field-notes") == first
    clawhub.read("update", "field-notes")
    assert clawhub.installed("field-notes") == second
    shutil.rmtree(clawhub.work)
    clawhub.read("install", "field-notes", "--version", "1.0.0")
    assert clawhub.installed("field-notes") == first
    clawhub.read("install", "zhongwen-biji")
    assert clawhub.installed("zhongwen-biji") == clawhub.hub.second["acme/zhongwen-biji"]
    assert "not found" in clawhub.refuse("install", "no-such-skill").lower()
    assert "malware" in clawhub.refuse("install", "odd-helper")
    said = clawhub.refuse("install", "shared-tool")
    if clawhub.number >= (0, 20):
        assert clawhub.read_json("skill", "verify", "field-notes")["ok"] is True
        assert "1.1.0" in clawhub.read("skill", "verify", "field-notes", "--card")
        compared = clawhub.read_json("sync", "--dry-run", "--all", "--json", "--root", str(clawhub.skills))
        assert sorted(row["slug"] for row in compared["alreadySynced"]) == ["field-notes", "zhongwen-biji"]
    if clawhub.number >= (0, 23):
        assert f"{clawhub.hub.live.url}/rival/skills/shared-tool" in said
        clawhub.read("install", "@rival/shared-tool")
        assert clawhub.installed("@rival/shared-tool") == clawhub.hub.second["rival/shared-tool"]


# --- finding ---------------------------------------------------------------------------------------


def test_search_finds_by_name_and_shows_the_latest_version(clawhub: Clawhub) -> None:
    rows = [line for line in clawhub.read("search", "field", "notes").splitlines() if "field-notes" in line]
    assert len(rows) == 1
    assert rows[0].startswith("field-notes v1.1.0" if clawhub.number >= (0, 8) else "field-notes")
    if clawhub.number >= (0, 23):
        assert "@acme" in rows[0]


def test_search_finds_chinese_text(clawhub: Clawhub) -> None:
    said = clawhub.read("search", "课堂笔记")
    assert "zhongwen-biji" in said
    assert "field-notes" not in said


def test_search_for_an_unknown_word_finds_nothing(clawhub: Clawhub) -> None:
    said = clawhub.read("search", "qqzzxx")
    assert "field-notes" not in said
    assert "shared-tool" not in said


def test_search_shows_both_owners_of_one_slug(clawhub: Clawhub) -> None:
    rows = [line for line in clawhub.read("search", "shared-tool").splitlines() if "shared-tool" in line]
    assert len(rows) == 2


def test_search_honours_the_limit(clawhub: Clawhub) -> None:
    rows = clawhub.read("search", "--limit", "1", "shared", "tool").splitlines()
    assert len([line for line in rows if "shared-tool" in line]) == 1


@NEWEST
def test_search_exact_and_by_prefix(clawhub: Clawhub) -> None:
    assert "field-notes" in clawhub.read("search", "--exact", "field-notes")
    assert "field-notes" not in clawhub.read("search", "--exact", "field")
    by_prefix = clawhub.read("search", "--prefix", "field-")
    assert "field-notes" in by_prefix
    assert "shared-tool" not in by_prefix


def test_explore_lists_every_skill_with_its_version(clawhub: Clawhub) -> None:
    items = clawhub.read_json("explore", "--json")["items"]
    found = sorted((item["slug"], item["latestVersion"]["version"]) for item in items)
    assert found == [
        ("field-notes", "1.1.0"),
        ("odd-helper", "1.0.0"),
        ("shared-tool", "1.0.0"),
        ("shared-tool", "3.2.1"),
        ("zhongwen-biji", "2.0.0"),
    ]
    assert "field-notes" in clawhub.read("explore", "--limit", "5")


def test_explore_honours_limit_and_sort(clawhub: Clawhub) -> None:
    newest = clawhub.read_json("explore", "--json", "--limit", "1")["items"]
    assert len(newest) == 1
    names = [item["slug"] for item in clawhub.read_json("explore", "--json", "--sort", "downloads")["items"]]
    assert len(names) == 5


# --- looking closer --------------------------------------------------------------------------------


def test_inspect_shows_versions_files_and_hashes(clawhub: Clawhub) -> None:
    seen = clawhub.read_json("inspect", "field-notes", "--versions", "--files", "--json")
    source = clawhub.hub.second["acme/field-notes"]
    assert seen["skill"]["slug"] == "field-notes"
    assert seen["owner"]["handle"] == "acme"
    assert seen["latestVersion"]["version"] == "1.1.0"
    assert [item["version"] for item in seen["versions"]] == ["1.1.0", "1.0.0"]
    assert {file["path"]: (file["size"], file["sha256"]) for file in seen["version"]["files"]} == {
        path: (len(data), hashlib.sha256(data).hexdigest()) for path, data in source.items()
    }


def test_inspect_of_an_old_version_shows_its_files(clawhub: Clawhub) -> None:
    seen = clawhub.read_json("inspect", "field-notes", "--version", "1.0.0", "--files", "--json")
    assert seen["version"]["version"] == "1.0.0"
    paths = {file["path"] for file in seen["version"]["files"]}
    assert paths == set(clawhub.hub.first["acme/field-notes"])


def test_inspect_by_tag(clawhub: Clawhub) -> None:
    seen = clawhub.read_json("inspect", "field-notes", "--tag", "latest", "--json")
    assert seen["version"]["version"] == "1.1.0"


def test_inspect_as_text_names_every_file(clawhub: Clawhub) -> None:
    said = clawhub.read("inspect", "field-notes", "--versions", "--files")
    assert "1.0.0" in said
    for path in clawhub.hub.second["acme/field-notes"]:
        assert path in said


@NEWEST
@pytest.mark.parametrize("path", ["SKILL.md", "scripts/check.py", "references/new file.md", "data/empty.txt"])
def test_inspect_prints_one_file_of_the_latest_version(clawhub: Clawhub, path: str) -> None:
    done = clawhub.run("inspect", "field-notes", "--file", path)
    assert done.returncode == 0, done.stderr.decode()
    content = clawhub.hub.second["acme/field-notes"][path]
    assert done.stdout == content


def test_inspect_prints_one_file_of_an_old_version(clawhub: Clawhub) -> None:
    path = "references/old.md"
    seen = clawhub.read_json("inspect", "field-notes", "--version", "1.0.0", "--file", path, "--json")
    assert seen["file"]["content"].encode() == clawhub.hub.first["acme/field-notes"][path]


@NEWEST
def test_inspect_prints_a_binary_and_a_chinese_named_file(clawhub: Clawhub) -> None:
    binary = clawhub.run("inspect", "field-notes", "--file", "assets/all-bytes.bin").stdout
    assert binary == clawhub.hub.second["acme/field-notes"]["assets/all-bytes.bin"]
    chinese = clawhub.run("inspect", "zhongwen-biji", "--file", "references/说明.md").stdout
    assert chinese == clawhub.hub.second["acme/zhongwen-biji"]["references/说明.md"]


@against(("0.23.3", "packed", ""), ("0.8.0", "packed", ""))
@pytest.mark.parametrize(
    "arguments",
    [
        ("inspect", "no-such-skill"),
        ("install", "no-such-skill"),
        ("install", "field-notes", "--version", "9.9.9"),
        ("inspect", "field-notes", "--version", "9.9.9"),
        ("inspect", "field-notes", "--file", "no/such/file.md"),
        ("inspect", "field-notes", "--file", "../../hub.json"),
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_what_does_not_exist_is_said_in_plain_words(clawhub: Clawhub, arguments: tuple[str, ...]) -> None:
    said = clawhub.refuse(*arguments)
    assert "not found" in said.lower()
    assert "<html" not in said.lower()
    assert not clawhub.skills.exists() or not any(clawhub.skills.iterdir())


# --- installing ------------------------------------------------------------------------------------


def test_install_leaves_the_source_byte_for_byte(clawhub: Clawhub) -> None:
    clawhub.read("install", "field-notes")
    assert clawhub.installed("field-notes") == clawhub.hub.second["acme/field-notes"]
    assert clawhub.lock()["field-notes"]["version"] == "1.1.0"
    origin = clawhub.origin("field-notes")
    assert origin["registry"].rstrip("/") == clawhub.hub.live.url
    assert (origin["slug"], origin["installedVersion"]) == ("field-notes", "1.1.0")
    if clawhub.number >= (0, 23):
        assert origin["ownerHandle"] == "acme"


def test_install_of_an_old_version_leaves_its_bytes(clawhub: Clawhub) -> None:
    clawhub.read("install", "field-notes", "--version", "1.0.0")
    assert clawhub.installed("field-notes") == clawhub.hub.first["acme/field-notes"]
    assert clawhub.lock()["field-notes"]["version"] == "1.0.0"


def test_install_with_chinese_file_names(clawhub: Clawhub) -> None:
    clawhub.read("install", "zhongwen-biji")
    assert clawhub.installed("zhongwen-biji") == clawhub.hub.second["acme/zhongwen-biji"]


def test_forced_install_replaces_what_is_there(clawhub: Clawhub) -> None:
    clawhub.read("install", "field-notes", "--version", "1.0.0")
    clawhub.read("install", "field-notes", "--force")
    installed = clawhub.installed("field-notes")
    for path, content in clawhub.hub.second["acme/field-notes"].items():
        assert installed[path] == content, path


def test_a_skill_that_the_scan_blocks_is_not_installed(clawhub: Clawhub) -> None:
    for arguments in (("install", "odd-helper"), ("install", "odd-helper", "--force")):
        said = clawhub.refuse(*arguments)
        assert "malware" in said
    assert not (clawhub.skills / "odd-helper").exists()


def test_a_tampered_archive_is_installed_as_it_is(clawhub: Clawhub) -> None:
    """It compares no digest: when this fails, clawhub has mended it."""
    with tampered(clawhub.hub.live.out / "dl" / "acme" / "field-notes-1.1.0.zip", swap_byte):
        clawhub.read("install", "field-notes")
    assert clawhub.installed("field-notes") != clawhub.hub.second["acme/field-notes"]


@pytest.mark.parametrize("version", CLAWHUB_VERSIONS)
def test_what_was_installed_is_a_valid_skill(installer_hub: StagedHub, tmp_path: Path, version: str) -> None:
    """On the hub of the other installers, whose skills have nothing in them that the specification lacks."""
    require("clients")
    done = run_clawhub(
        version,
        tmp_path / "home",
        tmp_path / "work",
        "--registry",
        installer_hub.url,
        "install",
        "field-notes",
    )
    assert done.returncode == 0, done.stderr.decode()
    folder = tmp_path / "work" / "skills" / "field-notes"
    assert read_tree(folder, without=[".clawhub"]) == installer_hub.files["acme/field-notes"]
    check_valid(folder)


def test_discovery_finds_the_api_from_the_site(clawhub: Clawhub) -> None:
    clawhub.read("install", "field-notes", site=True)
    assert clawhub.installed("field-notes") == clawhub.hub.second["acme/field-notes"]


# --- updating --------------------------------------------------------------------------------------


def test_update_after_a_new_build(early_clawhub: Clawhub) -> None:
    clawhub = early_clawhub
    assert clawhub.lock()["field-notes"]["version"] == "1.0.0"
    assert clawhub.installed("field-notes") == clawhub.hub.first["acme/field-notes"]
    clawhub.read("update", "field-notes")
    assert clawhub.lock()["field-notes"]["version"] == "1.1.0"
    assert clawhub.installed("field-notes") == clawhub.hub.second["acme/field-notes"]
    assert clawhub.origin("field-notes")["installedVersion"] == "1.1.0"


def test_update_of_all_changes_nothing_the_second_time(early_clawhub: Clawhub) -> None:
    clawhub = early_clawhub
    clawhub.read("update", "--all")
    assert clawhub.installed("field-notes") == clawhub.hub.second["acme/field-notes"]
    again = clawhub.run("update", "--all")
    assert again.returncode == 0
    # Versions before 0.23 say it on standard error.
    assert b"1.1.0" in again.stdout + again.stderr
    assert clawhub.installed("field-notes") == clawhub.hub.second["acme/field-notes"]


def test_update_keeps_what_the_user_changed(early_clawhub: Clawhub) -> None:
    clawhub = early_clawhub
    mine = clawhub.skills / "field-notes" / "references" / "format.md"
    mine.write_text("My own rules.\n")
    said = clawhub.run("update", "field-notes")
    assert b"local changes" in said.stdout + said.stderr
    assert mine.read_text() == "My own rules.\n"
    assert clawhub.lock()["field-notes"]["version"] == "1.0.0"
    clawhub.read("update", "field-notes", "--force")
    assert clawhub.installed("field-notes") == clawhub.hub.second["acme/field-notes"]


def test_update_to_a_named_version(early_clawhub: Clawhub) -> None:
    clawhub = early_clawhub
    clawhub.read("update", "field-notes", "--version", "1.1.0")
    assert clawhub.installed("field-notes") == clawhub.hub.second["acme/field-notes"]


def test_a_skill_copied_by_hand_is_recognised_by_its_content(early_clawhub: Clawhub) -> None:
    """Without the origin note, only the hub's own answer to the fingerprint can tell the version."""
    clawhub = early_clawhub
    shutil.rmtree(clawhub.skills / "field-notes" / ".clawhub")
    clawhub.read("update", "field-notes")
    assert clawhub.installed("field-notes") == clawhub.hub.second["acme/field-notes"]


# --- verifying and comparing -----------------------------------------------------------------------


@WITH_VERIFY
@pytest.mark.parametrize("version", ["1.1.0", "1.0.0"])
def test_verify_passes_and_names_the_version(clawhub: Clawhub, version: str) -> None:
    arguments = () if version == "1.1.0" else ("--version", version)
    answer = clawhub.read_json("skill", "verify", "field-notes", *arguments)
    assert (answer["ok"], answer["decision"], answer["version"]) == (True, "pass", version)
    assert (answer["slug"], answer["publisherHandle"]) == ("field-notes", "acme")


@WITH_VERIFY
def test_verify_prints_the_card(clawhub: Clawhub) -> None:
    said = clawhub.read("skill", "verify", "field-notes", "--card")
    assert "field-notes" in said
    assert "1.1.0" in said


@WITH_VERIFY
def test_verify_fails_what_the_scan_blocks(clawhub: Clawhub) -> None:
    done = clawhub.run("skill", "verify", "odd-helper")
    assert done.returncode == 1
    assert b'"ok": false' in done.stdout
    assert b'"decision": "fail"' in done.stdout


@WITH_VERIFY
def test_sync_tells_synced_changed_and_new_apart(clawhub: Clawhub) -> None:
    write_tree(clawhub.skills / "field-notes", clawhub.hub.second["acme/field-notes"])
    write_tree(clawhub.skills / "zhongwen-biji", {"SKILL.md": "---\nname: zhongwen-biji\n---\nchanged\n"})
    write_tree(clawhub.skills / "brand-new-skill", {"SKILL.md": "---\nname: brand-new-skill\n---\nnew\n"})
    answer = clawhub.read_json("sync", "--dry-run", "--all", "--json", "--root", str(clawhub.skills))
    assert [(row["slug"], row["version"]) for row in answer["alreadySynced"]] == [("field-notes", "1.1.0")]
    assert sorted(row["slug"] for row in answer["wouldPublish"]) == ["brand-new-skill", "zhongwen-biji"]


@WITH_VERIFY
def test_sync_recognises_an_old_version(clawhub: Clawhub) -> None:
    write_tree(clawhub.skills / "field-notes", clawhub.hub.first["acme/field-notes"])
    answer = clawhub.read_json("sync", "--dry-run", "--all", "--json", "--root", str(clawhub.skills))
    assert [(row["slug"], row["version"]) for row in answer["alreadySynced"]] == [("field-notes", "1.0.0")]


# --- one slug, two owners --------------------------------------------------------------------------


def test_an_ambiguous_slug_installs_nothing(clawhub: Clawhub) -> None:
    said = clawhub.refuse("install", "shared-tool")
    assert "acme" in said
    assert "rival" in said
    assert not (clawhub.skills / "shared-tool").exists()
    if clawhub.number >= (0, 23):
        assert "clawhub install @acme/shared-tool" in said
        assert f"{clawhub.hub.live.url}/rival/skills/shared-tool" in said


@NEWEST
class TestOwnerQualified:
    """``@owner/slug``, which only the newest line of the command sends."""

    @pytest.mark.parametrize("owner", ["acme", "rival"])
    def test_install(self, clawhub: Clawhub, owner: str) -> None:
        clawhub.read("install", f"@{owner}/shared-tool")
        name = f"@{owner}/shared-tool"
        assert clawhub.installed(name) == clawhub.hub.second[f"{owner}/shared-tool"]
        assert clawhub.lock()[name]["ownerHandle"] == owner

    def test_both_side_by_side_then_update_all(self, clawhub: Clawhub) -> None:
        for owner in ("acme", "rival"):
            clawhub.read("install", f"@{owner}/shared-tool")
        clawhub.read("update", "--all")
        for owner in ("acme", "rival"):
            assert clawhub.installed(f"@{owner}/shared-tool") == clawhub.hub.second[f"{owner}/shared-tool"]

    def test_inspect_and_verify(self, clawhub: Clawhub) -> None:
        seen: Any = clawhub.read_json("inspect", "@rival/shared-tool", "--files", "--versions", "--json")
        assert seen["owner"]["handle"] == "rival"
        assert seen["version"]["version"] == "3.2.1"
        answer = clawhub.read_json("skill", "verify", "@rival/shared-tool")
        assert (answer["ok"], answer["publisherHandle"], answer["version"]) == (True, "rival", "3.2.1")
        text = clawhub.read("inspect", "@acme/shared-tool", "--file", "SKILL.md")
        assert text.encode() == clawhub.hub.second["acme/shared-tool"]["SKILL.md"]

    def test_of_a_slug_with_one_owner(self, clawhub: Clawhub) -> None:
        clawhub.read("install", "@acme/field-notes")
        assert clawhub.installed("@acme/field-notes") == clawhub.hub.second["acme/field-notes"]

    def test_of_the_wrong_owner(self, clawhub: Clawhub) -> None:
        said = clawhub.refuse("install", "@rival/field-notes")
        assert "not found" in said.lower()
        assert not (clawhub.skills / "@rival" / "field-notes").exists()


# --- skills among packages -------------------------------------------------------------------------


@against(("0.23.3", "packed", ""), ("0.23.3", "exploded", "/hub"))
class TestPackages:
    """``clawhub package``: what of it reads. Skills are one family of packages beside plugins."""

    def test_explore_lists_every_skill(self, clawhub: Clawhub) -> None:
        for family in ((), ("--family", "skill")):
            items = clawhub.read_json("package", "explore", *family, "--json")["items"]
            assert sorted((item["name"], item["latestVersion"]) for item in items) == [
                ("@acme/shared-tool", "1.0.0"),
                ("@rival/shared-tool", "3.2.1"),
                ("field-notes", "1.1.0"),
                ("odd-helper", "1.0.0"),
                ("zhongwen-biji", "2.0.0"),
            ]
        assert "field-notes" in clawhub.read("package", "explore")

    def test_explore_of_plugins_finds_none(self, clawhub: Clawhub) -> None:
        assert clawhub.read_json("package", "explore", "--family", "code-plugin", "--json")["items"] == []

    def test_explore_with_words_searches(self, clawhub: Clawhub) -> None:
        found = clawhub.read_json("package", "explore", "field", "notes", "--json")["results"]
        assert found[0]["package"]["name"] == "field-notes"
        found = clawhub.read_json("package", "explore", "课堂笔记", "--json")["results"]
        assert [one["package"]["name"] for one in found] == ["zhongwen-biji"]

    @pytest.mark.parametrize(
        ("name", "key"), [("field-notes", "acme/field-notes"), ("@rival/shared-tool", "rival/shared-tool")]
    )
    def test_inspect_shows_versions_and_files(self, clawhub: Clawhub, name: str, key: str) -> None:
        seen = clawhub.read_json("package", "inspect", name, "--versions", "--files", "--json")
        source = clawhub.hub.second[key]
        assert (seen["package"]["name"], seen["package"]["family"]) == (name, "skill")
        assert seen["owner"]["handle"] == key.partition("/")[0]
        assert {one["path"]: one["sha256"] for one in seen["version"]["files"]} == {
            path: hashlib.sha256(data).hexdigest() for path, data in source.items()
        }
        latest = seen["package"]["latestVersion"]
        assert latest in [one["version"] for one in seen["versions"]]

    def test_inspect_of_an_old_version(self, clawhub: Clawhub) -> None:
        seen = clawhub.read_json(
            "package", "inspect", "field-notes", "--version", "1.0.0", "--files", "--json"
        )
        paths = {one["path"] for one in seen["version"]["files"]}
        assert paths == set(clawhub.hub.first["acme/field-notes"])

    def test_inspect_prints_a_file(self, clawhub: Clawhub) -> None:
        done = clawhub.run("package", "inspect", "field-notes", "--file", "references/format.md")
        assert clawhub.hub.second["acme/field-notes"]["references/format.md"] in done.stdout, done.stderr

    def test_what_is_no_package_is_not_found(self, clawhub: Clawhub) -> None:
        assert "not found" in clawhub.refuse("package", "inspect", "no-such-skill").lower()


# --- the server itself -----------------------------------------------------------------------------


def test_a_restarted_server_answers_the_same(
    sample_hubs: Callable[[str, str], SampleHub], tmp_path: Path
) -> None:
    """What the running server answers after a build, a new one answers too."""
    hub = sample_hubs("packed", "")
    said = run_clawhub(
        "0.23.3", tmp_path / "home", tmp_path / "work", "--registry", hub.live.url, "explore", "--json"
    )
    hub.live.stop()
    hub.live.start()
    again = run_clawhub(
        "0.23.3", tmp_path / "home", tmp_path / "work", "--registry", hub.live.url, "explore", "--json"
    )
    assert said.stdout == again.stdout
