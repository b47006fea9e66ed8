"""Installers are sent to GitHub only where the archive that it makes of the commit is the very skill.

The oracle is ``git archive``, which GitHub's own archives are made with.
"""

from __future__ import annotations

import io
import json
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from generator.build.handoff import make_handoff
from generator.errors import ConfigError
from generator.model import Sha256
from generator.read.sources.git.github import GitHubPlace, find_github
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text
from tests.read.git.repos import ENVIRONMENT, Odd, Recorder, git, write_object
from tests.read.helpers import Content

PUBLIC = "https://github.com/team/skills"
SKILL: Mapping[str, Content | Odd | None] = {
    "skills/alpha/SKILL.md": skill_text("alpha"), "skills/alpha/references/notes.md": "# Notes\n",
    "skills/alpha/scripts/run.py": Odd("100755", "print(1)\n"), "README.md": "# Ours\n",
}  # fmt: skip
"""A repository whose only skill is ``alpha``."""
DAY_MS = 86_400_000


@pytest.mark.parametrize(
    ("address", "repository"),
    [
        ("https://github.com/team/skills", "team/skills"),
        ("https://github.com/team/skills/", "team/skills"),
        ("https://github.com/team/skills.git", "team/skills"),
        ("https://github.com/Team-1/my.skills_2", "Team-1/my.skills_2"),
        ("https://github.com/team/.git", None),
        ("https://github.com/team/..", None),
        ("https://github.com/team/.", None),
        ("https://github.com/team", None),
        ("https://github.com/team/skills/tree/main", None),
        ("https://github.com/team/skills?x=1", None),
        ("https://github.com/team/skills\n", None),
        ("https://github.com/-team/skills", None),
        ("https://token@github.com/team/skills", None),
        ("https://user:token@github.com/team/skills", None),
        ("https://github.com:8443/team/skills", None),
        ("https://github.com.example.org/team/skills", None),
        ("https://github.example.org/team/skills", None),
        ("https://www.github.com/team/skills", None),
        ("https://gitlab.com/team/skills", None),
        ("http://github.com/team/skills", None),
        ("file:///github.com/team/skills", None),
        ("git@github.com:team/skills", None),
        ("/srv/github.com/team/skills", None),
        ("", None),
    ],
)
def test_only_a_plain_address_of_github_is_one(address: str, repository: str | None) -> None:
    found = find_github(address, "/skills/")
    assert (found.repository if found else None) == repository
    assert found is None or found.folder == "skills"


@pytest.mark.parametrize(
    ("inside", "folder", "commit", "path"),
    [
        ("", "alpha", "a" * 40, "alpha"),
        ("skills", "alpha", "a" * 40, "skills/alpha"),
        ("skills", "", "a" * 40, "skills"),
        ("", "", "a" * 40, None),
        ("", "alpha", "a" * 64, None),
        ("", "alpha", "a" * 12, None),
        ("", "alpha", "", None),
        ("", "技能", "a" * 40, None),
        ("", "a?b", "a" * 40, None),
        ("", "a%2fb", "a" * 40, None),
    ],
)
def test_what_a_client_would_refuse_is_no_handoff(
    inside: str, folder: str, commit: str, path: str | None
) -> None:
    made = make_handoff(GitHubPlace("team/skills", inside), folder, commit, Sha256("0" * 64))
    assert (made.path if made else None) == path


def _hub(root: Path, *, more: str = "", hosting: str = "github-pages", public: str = PUBLIC) -> LittleHub:
    root.mkdir(parents=True, exist_ok=True)
    said = f", public: {public}" if public else ""
    (root / "hub.yml").write_text(
        f"hosting: {hosting}\nowner: acme\nsources:\n  - {{type: git, path: repository{said}{more}}}\n"
    )
    layout = "exploded" if hosting in ("github-pages", "nginx") else "packed"
    naming = "index.json" if hosting == "nginx" else "index.html"
    return LittleHub(root, paths=(), layout=layout, naming=naming)


def _answer(hub: LittleHub, about: str) -> Any:
    return json.loads((hub.out / f"api/v1/skills/{about}/index.html").read_bytes())


def _handed(hub: LittleHub, slug: str = "alpha") -> Mapping[str, str] | None:
    """Where installers are sent to for a skill; None where they are not."""
    answer, detail = _answer(hub, f"{slug}/install"), _answer(hub, slug)
    handed = answer.get("github")
    assert (detail["latestVersion"] is None) is (handed is not None)
    return handed if isinstance(handed, dict) else None


def _archived(repository: Path, commit: str, path: str) -> dict[str, bytes]:
    """What GitHub's archive of a commit has below a path."""
    data = git_bytes(repository, "archive", "--format=zip", "--prefix=top/", commit)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        start = f"top/{path}/"
        return {
            one.filename.removeprefix(start): archive.read(one)
            for one in archive.infolist()
            if one.filename.startswith(start) and not one.is_dir()
        }


def git_bytes(repository: Path, *arguments: str) -> bytes:
    """What git prints, as bytes."""
    return subprocess.run(
        ["git", *arguments], cwd=repository, env=ENVIRONMENT, capture_output=True, check=True
    ).stdout


def _published(hub: LittleHub, slug: str = "alpha") -> dict[str, bytes]:
    """The files of the archive that the hub gives out."""
    with zipfile.ZipFile(next(iter(sorted(hub.out.glob(f"dl/acme/{slug}-*.zip"))))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


CASES: Mapping[str, tuple[Mapping[str, Content | Odd | None], bool]] = {
    "as it is": ({}, True),
    "attributes that change nothing": ({".gitattributes": "*.png binary\n*.md diff=markdown\n"}, True),
    "attributes of another folder": ({"docs/.gitattributes": "* export-ignore\n"}, True),
    "a hidden file": ({"skills/alpha/.env": "TOKEN=1\n"}, False),
    "a hidden folder": ({"skills/alpha/.github/run.sh": "rm -rf /\n"}, False),
    "a file that is left out": ({"skills/alpha/.DS_Store": "x"}, False),
    "a dependency's folder": ({"skills/alpha/node_modules/a/index.js": "1"}, False),
    "another skill inside": ({"skills/alpha/inner/SKILL.md": skill_text("inner")}, True),
    "a symbolic link": ({"skills/alpha/link.md": Odd("120000", "references/notes.md")}, False),
    "a link that leads out": ({"skills/alpha/link.md": Odd("120000", "../../README.md")}, False),
    "a submodule": ({"skills/alpha/module": Odd("160000", "1" * 40)}, False),
    "export-ignore at the root": ({".gitattributes": "skills/alpha/scripts export-ignore\n"}, False),
    "export-ignore between": ({"skills/.gitattributes": "*.py export-ignore\n"}, False),
    "export-ignore inside": ({"skills/alpha/.gitattributes": "*.py export-ignore\n"}, False),
    "export-subst": ({".gitattributes": "*.md export-subst\n", "skills/alpha/V.md": "$Format:%H$\n"}, False),
    "line ends": ({".gitattributes": "*.md text eol=crlf\n"}, False),
    "another encoding": ({".gitattributes": "*.md working-tree-encoding=UTF-16\n"}, False),
    "idents": ({".gitattributes": "*.md ident\n", "skills/alpha/V.md": "$Id$\n"}, False),
    "a filter": ({".gitattributes": "*.py filter=lfs diff=lfs merge=lfs -text\n"}, False),
    "a macro": ({".gitattributes": "[attr]private export-ignore\n*.py private\n"}, False),
    "the older word for line ends": ({".gitattributes": "*.md crlf\n"}, False),
    "attributes behind a link": ({".gitattributes": Odd("120000", "attributes"), "attributes": "* eol=crlf\n"}, False),
    "attributes that are a folder": ({".gitattributes/x": "1"}, False),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_skill_is_handed_off_only_where_github_has_the_very_same_files(case: str, tmp_path: Path) -> None:
    more, wanted = CASES[case]
    recorder = Recorder()
    recorder.commit({**SKILL, **more})
    commit = recorder.write(tmp_path / "repository")[1]
    hub = _hub(tmp_path)
    hub.build()
    handed = _handed(hub)
    assert (handed is not None) is wanted
    if handed is not None:
        assert (handed["repo"], handed["commit"], handed["path"]) == ("team/skills", commit, "skills/alpha")
        assert handed["sourceUrl"] == f"{PUBLIC}/tree/{commit}/skills/alpha"
        assert _archived(tmp_path / "repository", commit, "skills/alpha") == _published(hub)


def test_a_repository_that_is_one_skill_is_not_handed_off(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit({"SKILL.md": skill_text("alpha")})
    recorder.write(tmp_path / "repository")
    hub = _hub(tmp_path)
    hub.build()
    assert _handed(hub, next(iter(hub.out.glob("dl/acme/*.zip"))).name.split("-1")[0]) is None


def test_the_folder_of_a_source_is_part_of_the_path(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit(SKILL)
    recorder.write(tmp_path / "repository")
    hub = _hub(tmp_path, more=", folder: skills")
    hub.build()
    handed = _handed(hub)
    assert handed is not None
    assert handed["path"] == "skills/alpha"


@pytest.mark.parametrize("hosting", ["plain", "cloudflare"])
def test_where_the_host_answers_everything_nobody_is_sent_away(hosting: str, tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit(SKILL)
    recorder.write(tmp_path / "repository")
    hub = _hub(tmp_path, hosting=hosting)
    hub.build()
    answers = json.loads((hub.out / "packs/acme/alpha.json").read_bytes())["answers"]
    install = json.loads(answers["/api/v1/skills/alpha/install"]["body"])
    assert install["installKind"] == "archive"
    assert json.loads(answers["/api/v1/skills/alpha"]["body"])["latestVersion"]["version"] == "1.0.0"


def test_where_queries_choose_files_only_openclaw_is_sent_away(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit(SKILL)
    recorder.write(tmp_path / "repository")
    hub = _hub(tmp_path, hosting="nginx")
    hub.build()
    about = hub.out / "api/v1/skills/alpha"
    assert json.loads((about / "install/index.json").read_bytes())["installKind"] == "github"
    assert json.loads((about / "index.json").read_bytes())["latestVersion"]["version"] == "1.0.0"


def test_a_repository_of_this_machine_is_public_only_where_the_operator_says_so(tmp_path: Path) -> None:
    """Whatever its remotes say: a clone of a private repository has one too."""
    recorder = Recorder()
    recorder.commit(SKILL)
    recorder.write(tmp_path / "repository")
    git(tmp_path / "repository", "remote", "add", "origin", f"{PUBLIC}.git")
    hub = _hub(tmp_path, public="")
    hub.build()
    assert _handed(hub) is None
    hub = _hub(tmp_path)
    hub.build(FIRST_TIME + DAY_MS)
    assert _handed(hub) is not None, "said later, it holds for skills that did not change"
    hub = _hub(tmp_path, public="")
    hub.build(FIRST_TIME + 2 * DAY_MS)
    assert _handed(hub) is None


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("{type: git, path: r, public: https://gitlab.com/a/b}", "not a repository on GitHub"),
        ("{type: git, path: r, public: https://token@github.com/a/b}", "not a repository on GitHub"),
        ("{type: git, url: https://github.com/a/b, public: https://github.com/a/b}", "Remove `public`"),
        ("{type: folder, path: r, public: https://github.com/a/b}", "has no such key"),
        ("{type: archive, path: r, public: https://github.com/a/b}", "has no such key"),
    ],
)
def test_public_is_a_key_of_local_repositories_alone(source: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "hub.yml").write_text(f"sources:\n  - {source}\n")
    with pytest.raises(ConfigError, match=words):
        LittleHub(tmp_path, paths=()).build()


def test_a_later_commit_that_hides_a_file_ends_the_handoff_and_one_that_removes_it_begins_it(
    tmp_path: Path,
) -> None:
    recorder = Recorder()
    recorder.commit(SKILL)
    recorder.commit({"skills/alpha/.env": "TOKEN=1\n", "skills/alpha/SKILL.md": skill_text("alpha", version="1.1.0")},
                    parent=1)  # fmt: skip
    recorder.commit({"skills/alpha/.env": None, "skills/alpha/SKILL.md": skill_text("alpha", version="1.2.0")},
                    parent=2)  # fmt: skip
    commits = recorder.write(tmp_path / "repository")
    found = []
    for number, commit in enumerate(commits[1:]):
        git(tmp_path / "repository", "update-ref", "refs/heads/main", commit)
        hub = _hub(tmp_path)
        hub.build(FIRST_TIME + number * DAY_MS)
        handed = _handed(hub)
        found.append(handed["commit"] if handed else None)
    assert found == [commits[1], None, commits[3]]


def test_a_file_that_is_hidden_without_another_change_never_goes_along(tmp_path: Path) -> None:
    """The package is the same, so nothing is published anew: what is told must still be the commit without it."""
    recorder = Recorder()
    recorder.commit(SKILL)
    recorder.commit({"skills/alpha/.env": "TOKEN=1\n"}, parent=1)
    commits = recorder.write(tmp_path / "repository")
    hub = _hub(tmp_path)
    for number, commit in enumerate(commits[1:]):
        git(tmp_path / "repository", "update-ref", "refs/heads/main", commit)
        hub.build(FIRST_TIME + number * DAY_MS)
        if (handed := _handed(hub)) is not None:
            assert _archived(tmp_path / "repository", handed["commit"], handed["path"]) == _published(hub)


def test_a_tree_that_names_a_file_twice_is_not_handed_off(tmp_path: Path) -> None:
    """Only hand-made objects can: which of the two an archive ends with is the unpacker's choice."""
    repository = tmp_path / "repository"
    recorder = Recorder()
    recorder.commit(SKILL)
    recorder.write(repository)
    first = write_object(repository, "blob", skill_text("alpha").encode())
    second = write_object(repository, "blob", skill_text("alpha", body="# Other\n").encode())
    entry = b"".join(b"100644 SKILL.md\0" + bytes.fromhex(one) for one in (first, second))
    alpha = write_object(repository, "tree", entry)
    skills = write_object(repository, "tree", b"40000 alpha\0" + bytes.fromhex(alpha))
    root = write_object(repository, "tree", b"40000 skills\0" + bytes.fromhex(skills))
    commit = git(repository, "commit-tree", root, "-m", "Twice")
    git(repository, "update-ref", "refs/heads/main", commit)
    hub = _hub(tmp_path)
    hub.build()
    if (hub.out / "api/v1/skills/alpha").exists():
        assert _handed(hub) is None


def test_what_is_withdrawn_is_not_handed_off(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.commit(SKILL)
    recorder.commit({"skills/alpha/SKILL.md": skill_text("alpha", version="1.1.0")}, parent=1)
    commits = recorder.write(tmp_path / "repository")
    for number, (commit, overlay) in enumerate((
        (commits[1], ""),
        (commits[2], "overlay:\n  yank:\n    acme/alpha@1.1.0: Deletes its input.\n"),
        (commits[2], "overlay:\n  quarantine:\n    acme/alpha: Sends secrets away.\n"),
    )):  # fmt: skip
        git(tmp_path / "repository", "update-ref", "refs/heads/main", commit)
        hub = _hub(tmp_path)
        with (tmp_path / "hub.yml").open("a") as file:
            file.write(overlay)
        hub.build(FIRST_TIME + number * DAY_MS)
        answer = _answer(hub, "alpha/install")
        handed = answer.get("github")
        if handed is not None:
            assert handed["commit"] == commits[1], overlay
        assert number == 0 or answer.get("installKind") != "github", overlay
