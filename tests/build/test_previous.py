"""What was published before is carried forward: from another copy of the hub, and from committed ledgers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.build.previous import PreviousError
from generator.verify.places import open_place
from generator.verify.run import verify
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text
from tests.verify.test_verify import served

LATER = FIRST_TIME + 1000


def release(hub: LittleHub, version: str, now: int = FIRST_TIME) -> None:
    hub.put("skills/pdf", {"SKILL.md": skill_text("pdf", version=version), "a.txt": version})
    hub.build(now)


def fresh_copy(hub: LittleHub, root: Path) -> LittleHub:
    """The sources as they are now on a machine that has never built the hub."""
    shutil.copytree(hub.root / "skills", root / "skills")
    return LittleHub(root, layout=hub.layout)


@pytest.mark.parametrize("layout", ["packed", "exploded"])
def test_a_fresh_machine_ends_with_the_same_hub(tmp_path: Path, layout: str) -> None:
    old = LittleHub(tmp_path / "old", layout=layout)
    release(old, "1.0.0")
    release(old, "1.1.0", LATER)
    new = fresh_copy(old, tmp_path / "new")
    new.build(LATER + 5, previous=str(old.out))
    assert new.files() == old.files()
    assert (new.out / "dl/local/pdf-1.0.0.zip").is_file()
    assert verify(open_place(str(new.out))).failures == ()


def test_the_last_hub_may_be_a_url(tmp_path: Path) -> None:
    old = LittleHub(tmp_path / "old", layout="exploded")
    release(old, "1.0.0")
    release(old, "1.1.0", LATER)
    new = fresh_copy(old, tmp_path / "new")
    with served(old.out) as url:
        new.build(LATER + 5, previous=url)
        assert new.files() == old.files()
        again = new.build(LATER + 9, previous=url)
    assert again.files_written == 0


def test_a_version_that_only_the_last_hub_knows_cannot_be_changed(tmp_path: Path) -> None:
    old = LittleHub(tmp_path / "old")
    release(old, "1.0.0")
    new = fresh_copy(old, tmp_path / "new")
    new.put("skills/pdf", {"SKILL.md": skill_text("pdf", version="1.0.0"), "a.txt": "edited"})
    summary = new.build(LATER, previous=str(old.out))
    (refused,) = summary.not_published
    assert refused.codes == ("version-changed",)
    assert "Changed a.txt" in refused.reason
    assert summary.retained == 1


def _edit(path: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda out: (out / path).write_bytes(change((out / path).read_bytes())) and None


DAMAGES = {
    # name: what is wrong with the last hub, words of the error
    "a ledger gone": (lambda out: (out / "ledger/local/pdf.jsonl").unlink(), "pdf.jsonl: missing"),
    "a ledger cut": (
        _edit("ledger/local/pdf.jsonl", lambda data: data[: data.index(b"\n") + 1]), "does not end with the line"
    ),
    "a ledger edited": (
        _edit("ledger/local/pdf.jsonl", lambda data: data.replace(b"1.0.0", b"1.0.9", 1)), "line 2"
    ),
    "the index edited": (_edit("ledger/index.json", lambda data: data + b" "), "not what hub.json promises"),
    "an archive changed": (_edit("dl/local/pdf-1.0.0.zip", lambda data: data + b"x"), "other bytes than its ledger"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_last_hub_stops_the_build(tmp_path: Path, name: str) -> None:
    damage, words = DAMAGES[name]
    old = LittleHub(tmp_path / "old")
    release(old, "1.0.0")
    release(old, "1.1.0", LATER)
    damage(old.out)
    new = fresh_copy(old, tmp_path / "new")
    with pytest.raises(PreviousError, match=words):
        new.build(LATER, previous=str(old.out))
    assert not (new.out / "hub.json").exists()


def test_two_histories_of_one_skill_are_not_merged(tmp_path: Path) -> None:
    one, other = LittleHub(tmp_path / "one"), LittleHub(tmp_path / "other")
    release(one, "1.0.0")
    release(other, "1.0.0", LATER)
    before = one.files(work=True)
    with pytest.raises(PreviousError, match=r"ledger/local/pdf\.jsonl, line 1: .* tell different histories"):
        one.build(LATER, previous=str(other.out))
    assert one.files(work=True) == before


def test_an_archive_that_nobody_has_is_told_and_its_number_stays_taken(tmp_path: Path) -> None:
    old = LittleHub(tmp_path / "old")
    release(old, "1.0.0")
    release(old, "1.1.0", LATER)
    (old.out / "dl/local/pdf-1.0.0.zip").unlink()
    new = fresh_copy(old, tmp_path / "new")
    summary = new.build(LATER, previous=str(old.out))
    assert "archive-missing" in {found.code for found in summary.source_findings}
    new.put("skills/pdf", {"SKILL.md": skill_text("pdf", version="1.0.0"), "a.txt": "again, and other"})
    assert new.build(LATER).not_published[0].codes == ("version-changed",)


# --- committed ledgers -----------------------------------------------------------------------------


def committed(root: Path) -> LittleHub:
    root.mkdir(parents=True, exist_ok=True)
    (root / "hub.yml").write_text("ledger: history\nlayout: packed\nsources: [skills]\n")
    return LittleHub(root, paths=(), config=str(root / "hub.yml"))


def test_ledgers_are_kept_in_a_folder_and_read_back_from_it(tmp_path: Path) -> None:
    hub = committed(tmp_path / "hub")
    release(hub, "1.0.0")
    kept = hub.root / "history/local/pdf.jsonl"
    assert kept.read_bytes() == (hub.out / "ledger/local/pdf.jsonl").read_bytes()
    assert [path.name for path in (hub.root / "history").iterdir()] == ["local"]
    shutil.rmtree(hub.out)
    hub.put("skills/pdf", {"SKILL.md": skill_text("pdf", version="1.0.0"), "a.txt": "edited"})
    summary = hub.build(LATER)
    assert summary.not_published[0].codes == ("version-changed",)


def test_a_committed_ledger_that_was_edited_stops_the_build(tmp_path: Path) -> None:
    hub = committed(tmp_path / "hub")
    release(hub, "1.0.0")
    kept = hub.root / "history/local/pdf.jsonl"
    kept.write_bytes(kept.read_bytes().replace(b"1.0.0", b"1.0.9"))
    with pytest.raises(PreviousError, match="tell different histories"):
        hub.build(LATER)
