"""Whatever a skill is made of, the rules end, find known codes only, and find the same twice."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.findings import CODES
from generator.judge.model import Place, Subject
from generator.judge.rules import RULES, find_all
from generator.read.manifest import read_skill
from tests.judge.rules.making import skill_md
from tests.judge.rules.probing import probe_files
from tests.read.helpers import Content, as_bytes, package

PIECES = [
    b"---\n", b"\n", b"\r", b"\t", b": ", b" #", b"- ", b"[", b"]", b"{", b"}", b'"', b"'", b"|\n", b">-\n", b"&a ",
    b"*a",
    b"!x ", b"\x00", b"\xff", b"\xef\xbb\xbf", b"=", b"2026-02-30", b"0x_", b"1:99", b"yes", b"name: ",
    b"description: ",
    b"metadata:\n  ", b"requires:\n  bins: ", b"hooks:\n  PreToolUse: ", b"mcpServers: ", b"required-secrets: ",
    b"tags: ",
    b"scripts/", b"!`x`", b"```\n", b"sudo ", b"os.environ", b"\xe2\x80\x8b", b"\xed\xa0\x80", b"always: true\n",
]  # fmt: skip


TEXTS = [as_bytes(text) for files in probe_files().values() for text in files.values() if len(text) < 5_000]
mutated = st.builds(
    lambda text, changes: _mutate(text, changes),
    st.sampled_from(TEXTS),
    st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 12), st.sampled_from(PIECES) | st.binary(max_size=4)),
        max_size=5,
    ),
)
places = st.builds(
    Place,
    st.sampled_from(["demo", ".demo", "a/b", "node_modules/x", "Claude", "x"]),
    st.none() | st.just("a"),
    st.booleans(),
    st.booleans(),
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["./a", "PreToolUse", "stdio"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "hooks",
                    "name",
                    "mcpServers",
                    "agents",
                    "type",
                    "env",
                    "command",
                    "url",
                    "PreToolUse",
                    "PreSave",
                ]
            )
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def _mutate(text: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for at, cut, piece in changes:
        text = text[:at] + piece + text[at + cut :]
    return text


def check(files: dict[str, Content], place: Place) -> None:
    subject = Subject(read_skill(package(files, place.folder)), place)
    notes = find_all(subject)
    assert notes == find_all(subject)
    for note in notes:
        assert note.code in CODES
        assert note.message
        assert note.fix
        assert (note.line is None) == (note.column is None)
        assert (note.line or 1) >= 1
        assert (note.column or 1) >= 1
        assert len(note.text) <= 120
        assert "\n" not in note.text


def test_the_table_names_every_family_once() -> None:
    assert len({find.__module__ for find in RULES}) == len(RULES) > 10


def test_every_probe() -> None:
    for text in TEXTS:
        check({"SKILL.md": text}, Place("demo"))


@settings(max_examples=400, deadline=None)
@given(mutated, places)
def test_mutated_probes(text: bytes, place: Place) -> None:
    check({"SKILL.md": text}, place)


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=300), st.sampled_from(["SKILL.md", "skill.md", "agents/a.md", "agents/openai.yaml"])
)
def test_random_bytes(data: bytes, path: str) -> None:
    check({"SKILL.md": skill_md(), path: data}, Place("demo"))
    check({path: b"---\n" + data + b"\n---\n" + data}, Place("demo"))


@settings(max_examples=200, deadline=None)
@given(
    json_values,
    st.sampled_from([".claude-plugin/plugin.json", "hooks/hooks.json", ".mcp.json", "skill.yaml"]),
)
def test_side_files_of_any_shape(value: object, path: str) -> None:
    check({"SKILL.md": skill_md(), path: json.dumps(value)}, Place("demo"))


@settings(max_examples=200, deadline=None)
@given(
    json_values,
    st.sampled_from(["hooks", "mcpServers", "metadata", "requires", "tags", "always", "os", "paths", "env"]),
)
def test_front_matter_of_any_shape(value: object, key: str) -> None:
    check({"SKILL.md": skill_md(f"{key}: {json.dumps(value)}")}, Place("demo"))


@pytest.mark.parametrize(
    "piece",
    [
        "cat ",
        "curl $ ",
        "os.getenv(",
        "os.environ[",
        "subprocess.run(",
        "ignore all ",
        "!`x`\n```\n",
        "python scripts/-",
    ],
)
def test_a_text_made_to_be_slow_is_not(piece: str) -> None:
    body = piece * (10_000_000 // len(piece)) + " shell environ instructions"
    one = Subject(
        read_skill(package({"SKILL.md": skill_md(body=body), "scripts/a.py": body[:500_000]})), Place("demo")
    )
    before = time.process_time()
    find_all(one)
    assert time.process_time() - before < 10
