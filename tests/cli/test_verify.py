"""The ``verify`` command: what it prints, what it ends with."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_commands import put, run


def test_verify_ends_with_what_it_found(tmp_path: Path) -> None:
    put(tmp_path / "skills", "pdf")
    assert run("build", "skills", "--quiet", cwd=tmp_path).returncode == 0
    done = run("verify", "public", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "everything is as promised" in done.stdout
    (archive,) = (tmp_path / "public/dl/local").glob("*.zip")
    archive.write_bytes(archive.read_bytes() + b"x")
    broken = run("verify", "public", cwd=tmp_path)
    assert broken.returncode == 1
    assert f"changed  dl/local/{archive.name} has other bytes" in broken.stdout
    document = json.loads(run("verify", "public", "--json", cwd=tmp_path).stdout)
    assert (document["schema"], document["ok"]) == ("skillpress.verify.v1", False)
    assert document["counts"]["failures"] == len(document["failures"]) == 1
    missing = run("verify", "nowhere", cwd=tmp_path)
    assert missing.returncode == 3
    assert "no hub is there" in missing.stderr
