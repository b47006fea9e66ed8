"""The installer of test dependencies: what it refuses, and what its lock files hold."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
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


@pytest.mark.parametrize("version", install.CLAWHUB_VERSIONS)
def test_lock_files_pin_by_digest_and_name_no_registry(version: str) -> None:
    lock = json.loads((install.HERE / f"clawhub-{version}" / "package-lock.json").read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert packages["node_modules/clawhub"]["version"] == version
    for name, entry in packages.items():
        assert "resolved" not in entry, name
        assert entry["integrity"].startswith("sha512-"), name


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


def test_what_is_missing_fails_a_test_and_never_skips_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "missing", lambda group: (f"{group}-1",))
    with pytest.raises(pytest.fail.Exception, match="clients-1; run `make test`"):
        require("clients")
