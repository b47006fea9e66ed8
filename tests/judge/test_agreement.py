"""The judge says of every recorded probe what the host's own program did with it; the table is printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.judge.agreement import Agreement, compare_record, read_record, subjects_of
from generator.judge.profiles import load_profiles

MORE = Path(__file__).with_name("more_probes.json")


def print_table(agreement: Agreement) -> str:
    """The agreement a host, then every cell that differs."""
    width = max(len(host) for host in agreement.hosts)
    rows = [
        f"{host:<{width}}  {good:>3} of {all_}"
        for host in agreement.hosts
        for good, all_ in [agreement.share(host)]
    ]
    rows += [
        f"{cell.probe} on {cell.host}: recorded {cell.recorded} ({cell.note}), computed {cell.computed} ({cell.reason})"
        for cell in agreement.differing
    ]
    return "\n".join(rows)


def test_every_recorded_verdict_is_computed(record_property: Callable[[str, object], None]) -> None:
    agreement = compare_record(read_record(), load_profiles())
    table = print_table(agreement)
    record_property("printed", f"Agreement with the record of probes\n{table}")
    assert len(agreement.hosts) == 15
    assert len(agreement.probes) == 85
    assert len(agreement.cells) == 1251
    assert not agreement.differing, table


def test_further_probes_agree_as_well() -> None:
    agreement = compare_record(json.loads(MORE.read_text(encoding="utf-8")), load_profiles())
    table = print_table(agreement)
    print(f"\n{table}")  # noqa: T201  # the table is this test's second purpose
    assert len(agreement.probes) >= 100
    assert not agreement.differing, table


def test_a_folder_that_is_a_link_is_never_read() -> None:
    files = {"SKILL.md": {"text": "---\nname: linked\ndescription: d\n---\n"}}
    probe = {
        "folder": "linked",
        "files": files,
        "setup": "The folder is a symbolic link to a valid one outside",
    }
    (subject,) = subjects_of({"probes": [probe]})
    assert subject.place.folder_link
    assert not subject.skill.package.files


def test_a_difference_is_noticed() -> None:
    record = json.loads(json.dumps(read_record()))
    probe = next(probe for probe in record["probes"] if probe["id"] == "p01-minimal")
    probe["verdicts"]["codex/0.171.0"]["verdict"] = "crash"
    differing = compare_record(record, load_profiles()).differing
    assert [(cell.probe, cell.host) for cell in differing] == [("p01-minimal", "codex/0.171.0")]


@pytest.mark.parametrize("key", ["host", "label", "version", "evidence", "checked"])
def test_every_recorded_column_has_a_profile_that_says_where_it_comes_from(key: str) -> None:
    profiles = {profile.id: profile for profile in load_profiles()}
    for host in read_record()["hosts"]:
        assert getattr(profiles[host], key)
