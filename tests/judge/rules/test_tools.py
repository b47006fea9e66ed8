"""``allowed-tools`` against the hosts: every code, where it points, whom it concerns; and that nothing raises."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.findings import CODES
from generator.judge.model import Place, Profile, Subject
from generator.judge.profiles import load_profiles
from generator.judge.rules.tools import find
from generator.model import Finding, Severity
from tests.read.helpers import front, read

SHAPE, FOREIGN, UNKNOWN, EMPTY, USELESS = (
    f"allowed-tools-{word}" for word in ("shape", "foreign-names", "unknown", "empty", "nothing-useful")
)
CLAUDE, DEERFLOW, INSTALL = "claude-code/2.1.332", "deerflow/load", "deerflow/install-validate"
SPEC = "agentskills/skills-ref validate"


def judge(*lines: str, profiles: tuple[Profile, ...] | None = None) -> list[Finding]:
    subject = Subject(read(front(*lines)), Place("demo"))
    return list(find(subject, load_profiles() if profiles is None else profiles))


def only(*labels: str) -> tuple[Profile, ...]:
    return tuple(profile for profile in load_profiles() if profile.host in labels)


Row = tuple[str, int, int, str, tuple[str, ...]]
CASES: dict[str, tuple[tuple[str, ...], list[Row]]] = {
    "no list": ((), []),
    "DeerFlow's own names": (("allowed-tools:", "  - bash", "  - web_search", "  - browser_click"), []),
    "names of both hosts": (
        ("allowed-tools:", "  - Bash", "  - bash"),
        [(FOREIGN, 5, 5, "Bash", (DEERFLOW,))],
    ),
    "a text with a limit": (
        ("allowed-tools: Bash(git:*) Read",),
        [
            (SHAPE, 4, 16, "Bash(git:*) Read", (INSTALL, DEERFLOW)),
            (FOREIGN, 4, 16, "Bash(git:*) Read", (DEERFLOW,)),
        ],
    ),
    "one foreign name among others": (
        ("allowed-tools: bash Read",),
        [
            (SHAPE, 4, 16, "bash Read", (INSTALL, DEERFLOW)),
            (FOREIGN, 4, 21, "Read", (DEERFLOW,)),
        ],
    ),
    "a list in brackets": (
        ("allowed-tools: [bash]",),
        [(SHAPE, 4, 16, "[bash]", (SPEC,))],
    ),
    "Claude's names in a block list": (
        ("allowed-tools:", "  - Read", "  - Write"),
        [
            (FOREIGN, 5, 5, "Read", (DEERFLOW,)),
            (FOREIGN, 6, 5, "Write", (DEERFLOW,)),
            (USELESS, 5, 5, "Read", (DEERFLOW,)),
        ],
    ),
    "only tools that are there anyway": (
        ("allowed-tools:", "  - read_file", "  - tool_search"),
        [(USELESS, 5, 5, "read_file", (DEERFLOW,))],
    ),
    "a limit makes a name of DeerFlow another": (
        ("allowed-tools:", "  - bash(git:*)", "  - ls"),
        [(FOREIGN, 5, 5, "bash(git:*)", (CLAUDE, DEERFLOW))],
    ),
    "a name of a host that does not act on the list": (
        ("allowed-tools:", "  - read", "  - bash"),
        [(FOREIGN, 5, 5, "read", (CLAUDE, DEERFLOW))],
    ),
    "a name nobody has": (
        ("allowed-tools:", "  - bash", "  - Graep"),
        [(UNKNOWN, 6, 5, "Graep", (CLAUDE, DEERFLOW))],
    ),
    "a name nobody has, twice": (
        ("allowed-tools:", "  - bash", "  - Graep", "  - Graep"),
        [(UNKNOWN, 6, 5, "Graep", (CLAUDE, DEERFLOW)), (UNKNOWN, 7, 5, "Graep", (CLAUDE, DEERFLOW))],
    ),
    "an empty list": (
        ("allowed-tools: []",),
        [(SHAPE, 4, 16, "[]", (SPEC,)), (EMPTY, 4, 16, "[]", (DEERFLOW,))],
    ),
    "nothing": (("allowed-tools:",), []),
    "an empty text": (('allowed-tools: ""',), [(SHAPE, 4, 16, "", (INSTALL, DEERFLOW))]),
    "a number": (("allowed-tools: 3",), [(SHAPE, 4, 16, "3", (CLAUDE, INSTALL, DEERFLOW))]),
    "a yes": (("allowed-tools: true",), [(SHAPE, 4, 16, "true", (CLAUDE, INSTALL, DEERFLOW))]),
    "a mapping": (
        ("allowed-tools:", "  bash: true"),
        [(SHAPE, 5, 3, "bash: true", (CLAUDE, INSTALL, DEERFLOW))],
    ),
    "a number in a list": (
        ("allowed-tools:", "  - bash", "  - 3"),
        [(SHAPE, 6, 5, "3", (INSTALL, DEERFLOW))],
    ),
    "an empty text in a list": (
        ("allowed-tools:", "  - bash", '  - ""'),
        [(SHAPE, 6, 5, "", (INSTALL, DEERFLOW))],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_findings(name: str) -> None:
    lines, expected = CASES[name]
    assert [(one.code, one.line, one.column, one.text, one.hosts) for one in judge(*lines)] == expected


WORDS = {
    "the nearest name of each host": (
        ("allowed-tools:", "  - Web_Serach", "  - bash"),
        UNKNOWN,
        ("WebSearch (Claude Code)", "web_search (DeerFlow)"),
    ),
    "no near name": (("allowed-tools:", "  - qqqq", "  - bash"), UNKNOWN, ("Correct the name",)),
    "whose name it is, and what to write": (
        ("allowed-tools:", "  - Write", "  - bash"),
        FOREIGN,
        ("DeerFlow has no tool called Write", "a tool of Claude Code", "write_file (DeerFlow)"),
    ),
    "the list ready to paste": (
        ("allowed-tools: Bash(git:*), Read",),
        SHAPE,
        ("DeerFlow refuses", '`  - "Bash(git:*)"`, `  - Read`'),
    ),
    "what is left": (
        ("allowed-tools: []",),
        EMPTY,
        ("read_file, describe_skill, review_skill_package, tool_search",),
    ),
    "left for every active skill": (
        ("allowed-tools:", "  - Write"),
        USELESS,
        ("read_file, describe_skill, review_skill_package, tool_search", "every skill that is active"),
    ),
}


MILDER = {"the list ready to paste"}
"""A text, as the specification has it: one host's refusal of it is no error."""


@pytest.mark.parametrize("name", WORDS)
def test_messages_and_fixes(name: str) -> None:
    lines, code, words = WORDS[name]
    one = next(one for one in judge(*lines) if one.code == code)
    for word in words:
        assert word in f"{one.message} {one.fix}"
    assert one.message[0].isupper()
    assert one.fix[0].isupper()
    assert one.severity is (Severity.WARNING if name in MILDER else CODES[code].severity)
    assert one.path == "demo/SKILL.md"


ASKED = {
    "codex alone does not read the list": (("codex",), []),
    "claude takes a text": (("claude-code",), [UNKNOWN]),
    "the specification takes a text": (("agentskills",), []),
    "deerflow takes none": (("deerflow",), [SHAPE, UNKNOWN, UNKNOWN]),
    "deerflow beside claude": (("deerflow", "claude-code"), [SHAPE, UNKNOWN, FOREIGN]),
    "no host": ((), []),
}


@pytest.mark.parametrize("name", ASKED)
def test_only_the_hosts_that_were_asked_about_matter(name: str) -> None:
    labels, expected = ASKED[name]
    found = judge("allowed-tools: Read Graep", profiles=only(*labels))
    assert [one.code for one in found] == expected


@pytest.mark.parametrize("code", [SHAPE, FOREIGN, UNKNOWN, EMPTY, USELESS])
def test_examples_show_their_code_and_mended_ones_do_not(code: str) -> None:
    info = CODES[code]
    assert code in {one.code for one in judge(*info.example.split("\n"))}
    assert code not in {one.code for one in judge(*info.mended.split("\n"))}


def test_a_long_list_says_no_more_and_takes_no_time() -> None:
    started = time.perf_counter()
    found = judge(f"allowed-tools: {' '.join(f'Tool{number:04}x' for number in range(3000))}")
    assert time.perf_counter() - started < 1
    assert [one.code for one in found] == [SHAPE] + [UNKNOWN] * 20


# --- nothing raises ------------------------------------------------------------------------------------

PROBES = json.loads((Path(__file__).parents[3] / "generator/judge/hosts/probes.json").read_text())["probes"]
TEXTS = [
    file["text"]
    for probe in PROBES
    for path, file in (probe["files"] or {}).items()
    if path.endswith("SKILL.md") and file and "text" in file
]


@given(st.text(alphabet=st.sampled_from("allowed-tos: \n[]{},()*-\"'RéadBsh中\t#|>&"), max_size=80))
def test_any_value_is_judged(value: str) -> None:
    for text in (front(f"allowed-tools: {value}"), f"---\n{value}\n---\n"):
        for one in find(Subject(read(text), Place("demo")), load_profiles()):
            assert one.line is not None
            assert one.line >= 1
            assert (one.column or 1) >= 1


@given(
    st.sampled_from(TEXTS),
    st.integers(0, 400),
    st.sampled_from(["\nallowed-tools: [a", "\x00", "(", ": ", "\n- "]),
)
def test_mutated_probes_are_judged(text: str, at: int, what: str) -> None:
    list(find(Subject(read(text[:at] + what + text[at:]), Place("demo")), load_profiles()))


@given(st.binary(max_size=200))
def test_any_bytes_are_judged(data: bytes) -> None:
    list(find(Subject(read(data), Place("demo")), load_profiles()))
