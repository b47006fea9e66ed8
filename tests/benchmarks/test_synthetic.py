"""Synthetic skills are what the measures rest on: sizes of real ones, the same everywhere."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from benchmarks.synthetic import MAX_FILES, MAX_SKILL_MD, Skill, generate, make_skill

COUNT = 1_500
BLOCK = re.compile(rb"^```\w+\n.*?^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def skills() -> list[Skill]:
    return [make_skill(number) for number in range(COUNT)]


def test_sizes_of_skill_md_are_those_of_real_skills(skills: list[Skill]) -> None:
    sizes = sorted(len(skill.files[0][1]) for skill in skills)
    assert 3_400 <= sizes[COUNT // 2] <= 4_800
    assert 9_500 <= sizes[COUNT * 9 // 10] <= 13_000
    assert 25_000 < sizes[-1] <= MAX_SKILL_MD + 4_096


def test_packages_have_the_files_of_real_ones(skills: list[Skill]) -> None:
    counts = sorted(len(skill.files) for skill in skills)
    assert counts[COUNT // 2] == 1
    assert 4.5 <= sum(counts) / COUNT <= 6
    assert counts[COUNT * 99 // 100] >= 30, "the tail with tens of files is missing"
    assert counts[-1] <= MAX_FILES
    size = sum(len(data) for skill in skills for _, data in skill.files) / COUNT
    assert 22_000 <= size <= 31_000


def test_code_blocks_are_as_many_and_as_different_as_real_ones(skills: list[Skill]) -> None:
    blocks = Counter(block for skill in skills for block in BLOCK.findall(skill.files[0][1]))
    assert 5.5 <= blocks.total() / COUNT <= 7.5
    assert 0.88 <= len(blocks) / blocks.total() <= 0.96, (
        "a cache by text would gain more, or less, than on real skills"
    )


def test_a_few_skills_are_barred_suspicious_or_chinese(skills: list[Skill]) -> None:
    assert 0.005 <= sum(skill.barred for skill in skills) / COUNT <= 0.02
    assert 0.015 <= sum(skill.suspicious for skill in skills) / COUNT <= 0.05
    assert 0.03 <= sum("，" in skill.files[0][1].decode() for skill in skills) / COUNT <= 0.1


def test_links_lead_to_files_of_the_same_skill(skills: list[Skill]) -> None:
    linked = 0
    for skill in skills:
        paths = {path for path, _ in skill.files}
        for target in re.findall(rb"\]\(((?:references|scripts)/[^)]*)\)", skill.files[0][1]):
            linked += target.decode() in paths
    assert linked > COUNT / 2


def test_the_same_numbers_give_the_same_bytes_on_any_machine() -> None:
    digest = sha256()
    for number in range(60):
        for path, data in make_skill(number).files:
            digest.update(f"{path} {len(data)}\n".encode() + data)
    assert digest.hexdigest() == "5d80205dad92098a89dc19d4986b53b714eab01952a024f6d9c8ee9bbfc0697a"


def test_another_seed_gives_other_skills() -> None:
    assert make_skill(3, seed=1) != make_skill(3, seed=2)


def test_fewer_skills_are_the_first_of_more(tmp_path: Path) -> None:
    few, many = generate(str(tmp_path / "few"), 20), generate(str(tmp_path / "many"), 120)
    assert (few.skills, many.skills) == (20, 120)
    inside = {
        path.relative_to(tmp_path / "few"): path.read_bytes() for path in (tmp_path / "few").rglob("*.*")
    }
    assert len(inside) == few.files
    assert sum(map(len, inside.values())) == few.size
    assert all((tmp_path / "many" / path).read_bytes() == data for path, data in inside.items())
    assert sum(1 for _ in (tmp_path / "many").rglob("SKILL.md")) == 120
