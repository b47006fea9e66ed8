"""The installer of test dependencies: what it refuses, and what its lock files hold."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from base64 import b64encode
from pathlib import Path

import pytest

from tests.conftest import require
from tests.deps import install


def _tarball(path: Path, members: dict[str, bytes], link: str | None = None) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        if link:
            member = tarfile.TarInfo(link)
            member.type = tarfile.SYMTYPE
            member.linkname = "/etc/passwd"
            archive.addfile(member)
    return path


@pytest.mark.parametrize(
    "name",
    ["package/../../escaped", "package//absolute", "package/a\\..\\b", "package/"],
    ids=["parent", "absolute", "backslash", "empty"],
)
def test_a_tarball_cannot_leave_its_folder(tmp_path: Path, name: str) -> None:
    tarball = _tarball(tmp_path / "x.tgz", {name: b"data"})
    with pytest.raises(install.InstallError, match="unsafe path"):
        install._unpack_npm(tarball, tmp_path / "out")
    assert not (tmp_path / "escaped").exists()


def test_links_in_a_tarball_are_left_out(tmp_path: Path) -> None:
    tarball = _tarball(tmp_path / "x.tgz", {"package/SKILL.md": b"text"}, link="package/link")
    install._unpack_npm(tarball, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["SKILL.md"]


def test_a_wheel_cannot_leave_its_folder(tmp_path: Path) -> None:
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("deeptutor/../../escaped.py", b"data")
    with pytest.raises(install.InstallError, match="unsafe path"):
        install._unpack_wheel(wheel, tmp_path / "out")


def test_a_tarball_with_other_bytes_is_refused(tmp_path: Path) -> None:
    tarball = tmp_path / "x.tgz"
    tarball.write_bytes(b"good")
    integrity = "sha512-" + b64encode(hashlib.sha512(b"good").digest()).decode()
    install._check_integrity(tarball, integrity)
    tarball.write_bytes(b"evil")
    with pytest.raises(install.InstallError, match="expected sha512-"):
        install._check_integrity(tarball, integrity)


def test_a_failed_installation_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "tool"
    with install._fresh_folder(target) as folder:
        (folder / "version").write_text("1")

    def fail() -> None:
        with install._fresh_folder(target) as folder:
            (folder / "version").write_text("2")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert (target / "version").read_text() == "1"
    assert [path.name for path in tmp_path.iterdir()] == ["tool"]


def test_a_finished_part_runs_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    finished = [part for part in install.parts() if part.is_done()]
    assert finished, "nothing is installed; run `make test`"

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError(f"ran {arguments}")

    monkeypatch.setattr(subprocess, "run", refuse)
    install.install(finished)


LOCKS = sorted(folder.parent.name for folder in install.HERE.glob("*/package-lock.json"))
REQUIREMENTS = sorted(
    file.relative_to(install.HERE).as_posix()
    for file in install.HERE.rglob("*.txt")
    if file.name != "deeptutor-client.txt"
)


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_pin_by_digest_and_name_no_registry(name: str) -> None:
    folder = install.HERE / name
    wanted = json.loads((folder / "package.json").read_text())["dependencies"]
    lock = json.loads((folder / "package-lock.json").read_text())
    packages = {path: entry for path, entry in lock["packages"].items() if path}
    for package, version in wanted.items():
        assert packages[f"node_modules/{package}"]["version"] == version
    for path, entry in packages.items():
        assert "resolved" not in entry, path
        # What comes inside another package has its digest with that one.
        assert entry.get("inBundle") or entry["integrity"].startswith("sha512-"), path


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_requirements_pin_by_digest(name: str) -> None:
    text = (install.HERE / name).read_text().replace("\\\n", " ")
    requirements = [line for line in text.splitlines() if not line.startswith("#")]
    assert requirements
    for requirement in requirements:
        assert re.match(r"\S+==\S+", requirement), requirement
        assert "--hash=sha256:" in requirement, requirement


def test_every_lock_file_is_of_a_part() -> None:
    assert set(LOCKS) <= {part.name for part in install.parts()}


def test_no_two_parts_share_a_name() -> None:
    names = [part.name for part in install.parts()]
    assert len(names) == len(set(names))


LISTED = {"all": ([], False), "extended": (["extended"], True)}


@pytest.mark.parametrize(("groups", "extended"), LISTED.values(), ids=LISTED)
def test_the_extended_part_is_only_installed_where_it_is_named(groups: list[str], extended: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.deps.install", "--list", *groups],
        cwd=install.HERE.parent.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ("extended: openclaw-2026.9.6" in done.stdout) == extended
    assert ("installers: apm" in done.stdout) != extended


def test_a_failure_of_any_part_is_told_without_a_traceback(tmp_path: Path) -> None:
    """Parts that other modules bring raise the error of the module that they import."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.deps.install", "edges"],
        cwd=_without_dependencies(tmp_path), capture_output=True, text=True, env={"PATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "tests/deps/install.py: npm is not on PATH. Install Node 20 or newer with npm.\n"


def _without_dependencies(folder: Path) -> Path:
    """A copy of what installs, below which nothing is installed."""
    shutil.copytree(install.HERE, folder / "tests" / "deps", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests" / "__init__.py").touch()
    return folder


def test_nothing_here_names_a_registry() -> None:
    for path in install.HERE.rglob("*"):
        if path.is_file() and path.suffix in {".json", ".txt", ".py"} and path != Path(__file__):
            # The only addresses in lock files say where to fund a package; none is one to download from.
            lines = [
                line
                for line in path.read_text().splitlines()
                if not re.search(r'^\s*("url": )?"https://', line)
            ]
            found = re.search(r"https?://|index-url|--registry", "\n".join(lines))
            assert found is None, f"{path.name}: {found and found.group()}"


@pytest.mark.parametrize(("group", "command"), [("clients", "make test"), ("extended", "make extended")])
def test_what_is_missing_fails_a_test_and_never_skips_it(
    monkeypatch: pytest.MonkeyPatch, group: str, command: str
) -> None:
    monkeypatch.setattr(install, "missing", lambda group: (f"{group}-1",))
    with pytest.raises(pytest.fail.Exception, match=f"{group}-1; run `{command}`"):
        require(group)
