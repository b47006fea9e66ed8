"""Context cost: estimates against measured counts, and the limits a skill passes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.judge.cost import context_cost, estimate_tokens, limits_passed
from generator.judge.model import Profile
from generator.judge.profiles import load_profiles
from generator.model import SkillFolder
from generator.read.manifest import read_skill
from tests.read.helpers import front, package, read

ENGLISH = (
    "Answer a question that needs many sources with a report whose every claim can be checked. Use when the user "
    "asks for research, a comparison or a literature survey, and wants to see where each sentence comes from.\n"
)
CHINESE = "这个技能会检查学生的文章，在保持作者风格的同时提出修改建议，并用简单的语言解释每一个错误。"
JAPANESE = "このスキルは学生の文章を確認し、著者の文体を保ちながら修正案を提示し、誤りを説明します。"
KOREAN = "이 스킬은 학생의 글을 검토하고 저자의 문체를 유지하면서 수정안을 제시하며 각 오류를 쉬운 말로 설명합니다."
CODE = 'def read(path):\n    with open(path) as file:\n        return [line.split(",") for line in file]\n'
RUSSIAN = "Этот навык проверяет текст студента и предлагает исправления, сохраняя авторский стиль."

# What o200k_base, cl100k_base and Anthropic's published tokenizer count (gpt-tokenizer 4.0.0,
# @anthropic-ai/tokenizer 0.0.4): the least and the most of the three.
MEASURED = {
    "english": (ENGLISH * 10, 420, 430),
    "chinese": (CHINESE * 10, 270, 390),
    "japanese": (JAPANESE * 10, 351, 450),
    "korean": (KOREAN * 10, 330, 660),
    "russian": (RUSSIAN * 10, 200, 430),
    "mixed": ((ENGLISH + CHINESE) * 5, 345, 410),
    "code": (CODE * 10, 240, 270),
}


@pytest.mark.parametrize("name", MEASURED)
def test_an_estimate_lies_near_what_tokenizers_count(name: str) -> None:
    text, least, most = MEASURED[name]
    assert least * 0.7 <= estimate_tokens(text) <= most * 1.3


EXACT = {
    "": 0,
    "a": 1,
    "abcd": 1,
    "abcde": 2,
    "中": 1,
    "中文" * 10: 22,
    "🔥": 2,
    "é": 1,
    "\ud800": 1,
    "\x00": 1,
}


@pytest.mark.parametrize("text", EXACT)
def test_small_texts(text: str) -> None:
    assert estimate_tokens(text) == EXACT[text]


def test_a_long_text_is_reckoned_from_its_beginning() -> None:
    whole = estimate_tokens(CHINESE * 4_000)
    assert whole == pytest.approx(estimate_tokens(CHINESE) * 4_000, rel=0.02)


@given(st.text(), st.text())
def test_more_text_never_costs_less(first: str, second: str) -> None:
    assert estimate_tokens(first) <= estimate_tokens(first + second)


def test_a_body_of_ten_kilobytes_takes_no_time() -> None:
    for text in (ENGLISH * 50, CHINESE * 75, RUSSIAN * 65, (ENGLISH + CHINESE) * 30):
        best = min(_seconds(text) for _ in range(20))
        assert best < 0.0008, (len(text.encode()), best)  # 0.2 ms, with room for a busy machine


def _seconds(text: str) -> float:
    started = time.perf_counter()
    estimate_tokens(text)
    return time.perf_counter() - started


def test_three_levels() -> None:
    skill = read_skill(
        package(
            {
                "SKILL.md": front("license: MIT") + "word " * 400,
                "scripts/run.py": "print(1)\n" * 10,
                "references/zh.md": "中文" * 50,
                "assets/logo.png": b"\x89PNG\r\n\x1a\n\x00\x01",
                "assets/latin1.txt": b"caf\xe9",
                "assets/empty.txt": b"",
            }
        )
    )
    cost = context_cost(skill)
    assert cost.line == estimate_tokens("demo: Does one thing.")
    assert cost.body == estimate_tokens(skill.body) > 400
    assert {file.path: file.tokens for file in cost.files} == {
        "assets/empty.txt": 0,
        "assets/latin1.txt": None,
        "assets/logo.png": None,
        "references/zh.md": 110,
        "scripts/run.py": 23,
    }


def test_a_file_is_text_even_where_the_part_that_is_looked_at_ends_inside_a_character() -> None:
    data = ("x" + "中" * 100_000).encode()
    skill = read_skill(package({"SKILL.md": front(), "references/long.md": data}))
    assert context_cost(skill).files[0].tokens == pytest.approx(110_000, rel=0.02)


@pytest.mark.parametrize("text", ["# no front matter", "---\na: [\n---\n", ""])
def test_what_cannot_be_read_costs_its_folder_name(text: str) -> None:
    assert context_cost(read(text)).line == 1


# --- limits --------------------------------------------------------------------------------------------


def host(label: str) -> Profile:
    return next(profile for profile in load_profiles() if profile.id == label)


def described(length: int, *lines: str) -> SkillFolder:
    return read(
        "\n".join(["---", "name: demo", f"description: {'d' * length}", *lines, "---", "", "Body", ""])
    )


LIMITS: dict[str, tuple[str, SkillFolder, list[tuple[str, int]]]] = {
    "claude at its listing cut": ("claude-code/2.1.332", described(1536), []),
    "claude over its listing cut": (
        "claude-code/2.1.332",
        described(1537),
        [("listing-line-characters", 1537)],
    ),
    "claude, when_to_use counts": (
        "claude-code/2.1.332",
        described(1500, f"when_to_use: {'w' * 40}"),
        [("listing-line-characters", 1543)],
    ),
    "hermes at its prefix": ("hermes/0.19.0", read(front(f"notes: {'n' * 3900}")), []),
    "hermes over its prefix": (
        "hermes/0.19.0",
        read(front(f"notes: {'n' * 4000}")),
        [("front-matter-characters", 4057)],
    ),
    "hermes description": ("hermes/0.19.0", described(1025), [("description-characters", 1025)]),
    "deeptutor at its read cut": ("deeptutor/list", read(front() + "x" * (100_000 - len(front()))), []),
    "deeptutor over its read cut": (
        "deeptutor/list",
        read(front() + "中" * (100_001 - len(front()))),
        [("read-characters", 100_001)],
    ),
    "openclaw bytes": (
        "openclaw/2026.9.6",
        read(front() + "中" * 90_000),
        [("skill-md-bytes", len(front()) + 270_000)],
    ),
    "deeptutor import": (
        "deeptutor/hub-import",
        read_skill(package({"SKILL.md": front(), "assets/big.csv": b"1" * 1_000_001})),
        [("file-bytes", 1_000_001)],
    ),
    "no limit of its own": ("opencode/1.18.33", described(5000), []),
    "no front matter": ("hermes/0.19.0", read("# nothing"), []),
}


@pytest.mark.parametrize("name", LIMITS)
def test_which_limits_a_skill_passes(name: str) -> None:
    label, skill, expected = LIMITS[name]
    assert [(one.limit.key, one.measured) for one in limits_passed(skill, host(label))] == expected


FIGURES = {
    ("claude-code/2.1.332", "listing-line-characters"): 1536,
    ("openclaw/2026.9.6", "catalog-skills"): 150,
    ("openclaw/2026.9.6", "catalog-characters"): 18000,
    ("deeptutor/list", "read-characters"): 100_000,
    ("hermes/0.19.0", "front-matter-characters"): 4000,
}


@pytest.mark.parametrize(("label", "key"), FIGURES)
def test_figures_of_the_hosts(label: str, key: str) -> None:
    assert host(label).limit(key) == FIGURES[label, key]


def test_every_limit_has_a_key_that_is_measured_or_is_the_catalog() -> None:
    full = read_skill(package({"SKILL.md": front("compatibility: any")}))
    for profile in load_profiles():
        for limit in profile.limits:
            if limit.key.startswith("catalog-"):
                continue
            tight = Profile(
                **{**_fields(profile), "limits": (type(limit)(limit.key, -1, limit.unit, limit.meaning),)}
            )
            assert limits_passed(full, tight), (profile.id, limit.key)


def _fields(profile: Profile) -> dict[str, object]:
    return {name: getattr(profile, name) for name in Profile.__slots__}
