"""A hub is built from folders, git repositories, archives and other hubs alike."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from generator.errors import ConfigError, SourceError
from generator.history.ledger import read_ledger
from generator.model import Release
from generator.search.index import read_index
from generator.verify.places import open_place
from generator.verify.run import verify
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text
from tests.verify.test_verify import served

DAY = 86_400


def configured(root: Path, sources: str, *, layout: str = "packed", more: str = "") -> LittleHub:
    root.mkdir(parents=True, exist_ok=True)
    (root / "hub.yml").write_text(f"layout: {layout}\nowner: acme\n{more}sources:\n{sources}\n")
    return LittleHub(root, paths=(), layout=layout, config=str(root / "hub.yml"))


def ledger(hub: LittleHub, key: str) -> tuple[Release, ...]:
    path = hub.out / f"ledger/{key}.jsonl"
    return read_ledger(path.read_bytes(), str(path))


class Repository:
    """A repository made with the real git, each commit a day after the one before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commits = 0
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        when = f"{1_600_000_000 + self.commits * DAY} +0000"
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when,
        }  # fmt: skip
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit(self, message: str, **files: str) -> str:
        self.commits += 1
        for name, text in files.items():
            path = self.folder / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            (path.parent / ("SKILL.md" if path.name == "SKILL" else path.name)).write_text(text)
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", message)
        return self.git("rev-parse", "HEAD")


def versions(repository: Repository, name: str = "pdf") -> list[str]:
    return [
        repository.commit(
            message, **{f"skills__{name}__SKILL": skill_text(name, version=version, body=f"{message}\n")}
        )
        for message, version in (
            ("First words", "1.0.0"),
            ("Still the first", "1.0.0"),
            ("Second edition", "1.1.0"),
        )
    ]


# --- git -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["packed", "exploded"])
def test_todays_skills_of_a_repository(tmp_path: Path, layout: str) -> None:
    repository = Repository(tmp_path / "repo")
    commits = versions(repository)
    hub = configured(tmp_path / "hub", "  - {type: git, path: ../repo, folder: skills}", layout=layout)
    summary = hub.build()
    assert [(one.owner, one.slug, one.version) for one in summary.published] == [("acme", "pdf", "1.1.0")]
    (release,) = ledger(hub, "acme/pdf")
    assert (release.commit, release.folder) == (commits[-1], "pdf")
    assert hub.build(FIRST_TIME + 5).files_written == 0
    assert verify(open_place(str(hub.out))).failures == ()


def test_every_version_a_repository_ever_had(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    commits = versions(repository)
    hub = configured(tmp_path / "hub", "  - {type: git, path: ../repo, folder: skills, history: yes}")
    hub.build()
    first, second = ledger(hub, "acme/pdf")
    # The first commit that introduces a version defines its bytes.
    assert (first.version, first.commit) == ("1.0.0", commits[0])
    assert (second.version, second.commit) == ("1.1.0", commits[2])
    assert first.first_seen == (1_600_000_000 + DAY) * 1000
    assert "Second edition" in second.changelog
    assert (hub.out / "dl/acme/pdf-1.0.0.zip").is_file()
    assert verify(open_place(str(hub.out))).releases == 2
    page = (hub.out / "pages/acme/pdf.html").read_text()
    assert "Second edition" in page


def test_a_version_once_published_is_not_changed_by_a_rewritten_history(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    versions(repository)
    hub = configured(tmp_path / "hub", "  - {type: git, path: ../repo, folder: skills, history: yes}")
    hub.build()
    before = ledger(hub, "acme/pdf")
    shutil.rmtree(tmp_path / "repo")
    other = Repository(tmp_path / "repo")
    other.commit("Another past", skills__pdf__SKILL=skill_text("pdf", version="1.0.0", body="Other words\n"))
    other.commit("And now", skills__pdf__SKILL=skill_text("pdf", version="2.0.0", body="New words\n"))
    hub.build(FIRST_TIME + 5)
    after = ledger(hub, "acme/pdf")
    assert after[:2] == before
    assert [release.version for release in after] == ["1.0.0", "1.1.0", "2.0.0"]


REUSES = {
    # name: the policy, versions and bodies of the ledger in their order
    "refused": ("error", [("1.0.0", "First words"), ("1.1.0", "Second edition")]),
    "counted on": (
        "bump", [("1.0.0", "First words"), ("1.1.0", "Second edition"), ("1.1.1", "And again without a number")]
    ),
}  # fmt: skip


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", REUSES)
def test_a_number_that_was_used_again_in_the_repository(tmp_path: Path, name: str, jobs: int) -> None:
    policy, expected = REUSES[name]
    repository = Repository(tmp_path / "repo")
    versions(repository)
    text = skill_text("pdf", version="1.1.0", body="And again without a number\n")
    repository.commit("Reused", skills__pdf__SKILL=text)
    hub = configured(
        tmp_path / "hub", "  - {type: git, path: ../repo, folder: skills, history: yes}",
        more=f"policy: {{on_changed_version: {policy}}}\n",
    )  # fmt: skip
    summary = hub.build(jobs=jobs)
    assert summary.not_published == ()
    assert [found.code for found in summary.source_findings] == ["git-version-reused"]
    assert bodies(hub, "acme/pdf") == expected
    assert (summary.skills, summary.retained) == (1, 0)
    assert hub.build(FIRST_TIME + 5, jobs=jobs).files_written == 0
    # A new number ends it, and nothing of what was published has changed.
    repository.commit("New", skills__pdf__SKILL=skill_text("pdf", version="1.2.0", body="Raised\n"))
    hub.build(FIRST_TIME + 9, jobs=jobs)
    assert bodies(hub, "acme/pdf") == [*expected, ("1.2.0", "Raised")]
    assert verify(open_place(str(hub.out))).failures == ()


def bodies(hub: LittleHub, key: str) -> list[tuple[str, str]]:
    """Versions in the order of the ledger, and the last line of each one's SKILL.md."""
    found = []
    for release in ledger(hub, key):
        with zipfile.ZipFile(hub.out / f"dl/{key}-{release.version}.zip") as archive:
            found.append((str(release.version), archive.read("SKILL.md").decode().splitlines()[-1]))
    return found


def test_versions_come_from_tags_and_else_from_the_ledger(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    tagged, counted = skill_text("pdf", version=None), skill_text("docx", version=None)
    repository.commit("one", skills__pdf__SKILL=tagged, skills__docx__SKILL=counted)
    repository.git("tag", "pdf-v2.0.0")
    repository.commit("two", skills__pdf__SKILL=f"{tagged}more\n", skills__docx__SKILL=f"{counted}more\n")
    repository.git("tag", "pdf@2.1.0")
    hub = configured(tmp_path / "hub", "  - {type: git, path: ../repo, folder: skills, history: yes}")
    hub.build()
    assert [one.version for one in ledger(hub, "acme/pdf")] == ["2.0.0", "2.1.0"]
    assert [one.version for one in ledger(hub, "acme/docx")] == ["1.0.0", "1.0.1"]
    repository.commit("three", skills__docx__SKILL=f"{counted}even more\n")
    hub.build(FIRST_TIME + 5)
    assert [one.version for one in ledger(hub, "acme/docx")] == ["1.0.0", "1.0.1", "1.0.2"]


def test_a_ref_is_built_whatever_is_checked_out(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    versions(repository)
    repository.git("tag", "release", "HEAD~1")
    hub = configured(tmp_path / "hub", "  - {type: git, path: ../repo, folder: skills, ref: release}")
    hub.build()
    assert ledger(hub, "acme/pdf")[0].version == "1.0.0"


def test_nothing_of_the_repository_s_settings_runs(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    versions(repository)
    mark = tmp_path / "ran"
    config = repository.folder / ".git/config"
    config.write_text(
        f"{config.read_text()}[core]\n\tfsmonitor = touch {mark}\n\tsshCommand = touch {mark}\n"
    )
    hook = repository.folder / ".git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    configured(tmp_path / "hub", "  - {type: git, path: ../repo, folder: skills, history: yes}").build()
    assert not mark.exists()


def test_a_missing_ref_is_named(tmp_path: Path) -> None:
    versions(Repository(tmp_path / "repo"))
    hub = configured(tmp_path / "hub", "  - {type: git, path: ../repo, ref: mian}")
    with pytest.raises(SourceError, match="mian"):
        hub.build()
    assert not (hub.out / "hub.json").exists()


# --- archives and hubs -----------------------------------------------------------------------------


def test_skills_of_archives(tmp_path: Path) -> None:
    folder = tmp_path / "made/pdf"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(skill_text("pdf", version="1.2.0"))
    (folder / "a.txt").write_text("one")
    shutil.make_archive(str(tmp_path / "hub/packed/pdf"), "zip", tmp_path / "made", "pdf")
    shutil.make_archive(str(tmp_path / "hub/packed/docx"), "gztar", tmp_path / "made", "pdf")
    hub = configured(tmp_path / "hub", "  - {type: archive, path: packed/pdf.zip}\n")
    hub.build()
    (release,) = ledger(hub, "acme/pdf")
    assert (release.version, [file.path for file in release.files]) == ("1.2.0", ["SKILL.md", "a.txt"])
    plain = configured(tmp_path / "plain", "  - ../made")
    plain.build()
    assert ledger(plain, "acme/pdf")[0].hashes == release.hashes


@pytest.mark.parametrize("prefix", ["", "edu"])
def test_another_hub_with_all_its_versions(tmp_path: Path, prefix: str) -> None:
    served_from = tmp_path / "source/public"
    served_from.mkdir(parents=True)
    with served(served_from) as url:
        served_from.rmdir()
        source = LittleHub(tmp_path / "source", layout="exploded", owner="alice", url=url)
        for number, version in enumerate(("1.0.0", "1.1.0")):
            source.put("skills/pdf", {"SKILL.md": skill_text("pdf", version=version), "a.txt": version})
            source.build(FIRST_TIME + number * 1000)
        line = f"{{type: hub, url: '{url}', prefix: {prefix}}}" if prefix else f"{{type: hub, url: '{url}'}}"
        hub = configured(tmp_path / "hub", f"  - {line}")
        hub.build(FIRST_TIME + 9000)
    owner = f"{prefix}-alice" if prefix else "alice"
    mine, theirs = ledger(hub, f"{owner}/pdf"), ledger(source, "alice/pdf")
    assert [one.version for one in mine] == ["1.0.0", "1.1.0"]
    assert [one.hashes for one in mine] == [one.hashes for one in theirs]
    assert [one.archive for one in mine] == [one.archive for one in theirs]
    assert [one.first_seen for one in mine] == [one.first_seen for one in theirs]


# --- layers ----------------------------------------------------------------------------------------


def test_a_later_layer_shadows_a_skill_as_a_whole_and_the_report_says_so(tmp_path: Path) -> None:
    hub = configured(tmp_path / "hub", "  - common\n  - project")
    hub.put("common/pdf", {"SKILL.md": skill_text("pdf", version="1.0.0"), "only-common.txt": "x"})
    hub.put("common/docx", skill_text("docx"))
    hub.put("project/pdf", skill_text("pdf", version="1.5.0"))
    summary = hub.build()
    assert [(one.slug, one.folder, one.by) for one in summary.shadowed] == [
        ("pdf", "common/pdf", "project/pdf")
    ]
    assert summary.not_published == ()
    (release,) = ledger(hub, "acme/pdf")
    assert (release.version, release.source, [file.path for file in release.files]) == (
        "1.5.0",
        "project",
        ["SKILL.md"],
    )
    again = hub.build(FIRST_TIME + 5)
    assert (again.files_written, again.shadowed) == (0, summary.shadowed)


def test_a_source_that_gives_far_fewer_skills_stops_the_build(tmp_path: Path) -> None:
    hub = configured(tmp_path / "hub", "  - skills")
    for name in ("one", "two", "three", "four"):
        hub.put(f"skills/{name}", skill_text(name))
    hub.build()
    before = hub.files(work=True)
    for name in ("one", "two"):
        shutil.rmtree(hub.root / "skills" / name)
    with pytest.raises(Exception, match="source skills gives 2 of the 4 skill folders"):
        hub.build(FIRST_TIME + 5)
    assert hub.files(work=True) == before
    assert hub.build(FIRST_TIME + 5, allow_shrink=True).skills == 4


def test_content_changed_under_a_version_is_counted_on_where_the_policy_says_so(tmp_path: Path) -> None:
    hub = configured(tmp_path / "hub", "  - skills", more="policy: {on_changed_version: bump}\n")
    hub.put("skills/pdf", {"SKILL.md": skill_text("pdf", version="1.0.0"), "a.txt": "one"})
    hub.build()
    hub.put("skills/pdf", {"a.txt": "two"})
    summary = hub.build(FIRST_TIME + 5)
    assert [(one.version, one.new_release) for one in summary.published] == [("1.0.1", True)]
    assert hub.build(FIRST_TIME + 9).files_written == 0
    (listing,) = read_index(lambda route: (hub.out / route[1:]).read_bytes()).entries
    assert listing.version == "1.0.1"


MISTAKES = {
    # name: the source, words of the error
    "an unknown type": ("{type: svn, path: x}", "'svn' is not one of folder, git, archive, hub"),
    "a key of another type": ("{path: skills, ref: main}", "a source of type folder has no such key"),
    "a hub without an address": ("{type: hub}", "a hub needs a `url`"),
    "a repository with two places": ("{type: git, path: x, url: 'https://h.example/x'}", "Remove one of the two"),
    "history that is no yes": ("{type: git, path: x, history: maybe}", "'maybe' is not yes or no"),
    "an address that is none": ("{type: hub, url: hub.example}", "is not an address"),
    "no such archive": ("{type: archive, path: gone.zip}", "no such file or folder"),
    "no such repository": ("{type: git, path: gone}", "no such folder"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_source_that_cannot_be_meant_is_an_error_with_its_place(tmp_path: Path, name: str) -> None:
    source, words = MISTAKES[name]
    hub = configured(tmp_path / "hub", f"  - {source}")
    with pytest.raises(ConfigError, match=words) as error:
        hub.build()
    assert "hub.yml, line 4" in str(error.value)
