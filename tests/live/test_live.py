"""The released hosts do today what the record says they did; and the suite's own parts tell the truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.live import install
from tests.live.__main__ import RECORD, ask, ask_record, available, differences, updated
from tests.live.hosts import HostError
from tests.live.model import LOAD, LOSS, REFUSE, Observed, Probe, listed
from tests.live.place import found_below, place, read_record

LOCKS = Path(__file__).resolve().parent / "locks"


@pytest.mark.live
@pytest.mark.parametrize("host", available())
def test_a_released_host_does_what_is_recorded(host: str) -> None:
    groups = {host.replace("_", "-"), "node"} if host == "openclaw" else {host.replace("_", "-")}
    gone = [part.name for part in install.parts() if part.group in groups and not part.is_done()]
    assert not gone, f"not installed: {', '.join(gone)}; run `python -m tests.live.install`"
    record = read_record(RECORD)
    columns = ask_record([host], record)
    compared = sum(column in entry["verdicts"] for column in columns for entry in record["probes"])
    assert compared > 70 * len(columns)
    lines = differences(record, columns)
    assert not lines, "\n".join(
        [f"{host}: {len(lines)} of {compared} verdicts differ. Where the host is right: --write", *lines]
    )


@pytest.mark.parametrize(
    ("intended", "shown", "verdict"),
    [
        ("Does it.", "Does it.", LOAD),
        ("Does it.", " Does\n it. ", LOAD),
        ("Does it.", "Does", LOSS),
        ("Does it.", None, LOSS),
        (None, "Title", LOSS),
        (None, "", LOSS),
        ("xxxx…(9)", "xxxxxxxxx", LOAD),
        ("xxxx…(9)", "xxxxxxxx", LOSS),
        ("xxxx…(9)", "yxxxxxxxx", LOSS),
        ("zero\u200bwidth", "zero width", LOSS),
    ],
)
def test_what_is_shown_is_compared_with_what_was_intended(
    intended: str | None, shown: str | None, verdict: str
) -> None:
    assert listed(Probe("p", intended), "p", shown).verdict == verdict


def _record(**more: Any) -> dict[str, Any]:
    files = {"SKILL.md": {"text": "---\nname: p\n---\n"}}
    entry = {"folder": "p", "intended_description": "ok", "files": files, "verdicts": {}, **more}
    return {"hosts": [], "probes": [entry]}


@pytest.mark.parametrize(
    ("more", "path", "content"),
    [
        ({"files": {"a/SKILL.md": {"text": "é\r"}}}, "p/a/SKILL.md", "é\r".encode()),
        ({"files": {"SKILL.md": {"base64": "//4="}}}, "p/SKILL.md", b"\xff\xfe"),
        (
            {"files": {"SKILL.md": {"head": "h", "repeat": "x ", "times": 3, "tail": "t"}}},
            "p/SKILL.md",
            b"hx x x t",
        ),
        ({"beside": {"q": {"SKILL.md": {"text": "q"}}}}, "q/SKILL.md", b"q"),
    ],
    ids=["text", "bytes", "repeated", "beside"],
)
def test_a_probe_is_placed(tmp_path: Path, more: dict[str, Any], path: str, content: bytes) -> None:
    assert place(_record(**more), tmp_path / "probes") == (Probe("p", "ok"),)
    assert (tmp_path / "probes" / path).read_bytes() == content


def test_a_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    place(_record(files={"SKILL.md": {"symlink": True}}), tmp_path / "probes")
    link = tmp_path / "probes" / "p" / "SKILL.md"
    assert link.is_symlink()
    assert not link.resolve().is_relative_to(tmp_path / "probes")
    assert "description: ok" in link.read_text()


def test_a_hard_link_is_one_file_under_two_names(tmp_path: Path) -> None:
    place(_record(setup="SKILL.md is a hard link to a valid file"), tmp_path / "probes")
    assert (tmp_path / "probes" / "p" / "SKILL.md").stat().st_nlink == 2


def test_folders_are_found_by_their_skill_file_in_any_case(tmp_path: Path) -> None:
    for name in ("b/SKILL.md", "a/c/skill.md", "d/README.md"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    assert found_below(tmp_path) == (Probe("a/c", None), Probe("b", None))


@pytest.mark.parametrize(
    ("recorded", "seen", "expected"),
    [
        ({"verdict": LOAD, "note": None}, Observed(LOAD, "x"), []),
        ({"verdict": LOAD, "note": None}, Observed(REFUSE, "no"), ["c | p | load (-) -> refuse (no)"]),
        ({"verdict": LOSS, "note": "n"}, None, ["c | p | loss (n) -> not run"]),
        (None, Observed(REFUSE), []),
    ],
    ids=["same verdict", "other verdict", "not run", "not recorded"],
)
def test_a_difference_is_told(
    recorded: dict[str, Any] | None, seen: Observed | None, expected: list[str]
) -> None:
    record = _record(verdicts={} if recorded is None else {"c": recorded})
    assert differences(record, {"c": {} if seen is None else {"p": seen}}) == expected


def test_a_record_is_updated_where_the_verdict_changed() -> None:
    record = _record(
        verdicts={"c": {"verdict": LOAD, "note": "kept"}, "d": {"verdict": LOAD, "note": "gone"}}
    )
    columns = {"c": {"p": Observed(LOAD, "new")}, "d": {"p": Observed(REFUSE, "why")}}
    assert updated(record, columns)["probes"][0]["verdicts"] == {
        "c": {"verdict": LOAD, "note": "kept"},
        "d": {"verdict": REFUSE, "note": "why"},
    }
    assert updated(record, columns)["hosts"] == ["c", "d"]


@pytest.mark.parametrize("opening", ["---js", "--- javascript", "\ufeff---JS", "---\t js \r"])
def test_front_matter_that_a_host_would_run_reaches_none(tmp_path: Path, opening: str) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "SKILL.md").write_text(f"{opening}\n{{}}\n---\n", encoding="utf-8")
    with pytest.raises(HostError, match="is a program"):
        ask([], tmp_path, found_below(tmp_path))


@pytest.mark.parametrize(
    "lock", sorted(LOCKS.glob("npm-*/package-lock.json")), ids=lambda path: path.parent.name
)
def test_a_lock_file_holds_digests_and_no_addresses(lock: Path) -> None:
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert not name or "integrity" in package or package.get("inBundle"), name
