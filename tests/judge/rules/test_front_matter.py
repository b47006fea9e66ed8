"""Rules about the front matter: each case says what is found, and exactly where."""

from __future__ import annotations

import datetime

import pytest
import yaml

from generator.judge.model import Place
from generator.judge.rules.nearest import nearest
from generator.judge.rules.yaml_forms import type_of
from tests.judge.rules.making import codes, found, skill_md, spot, subject

# (front matter lines after name and description on lines 2 and 3, code, [(line, column, text)...])
CASES: dict[str, tuple[tuple[str, ...], str, list[tuple[int, int, str]]]] = {
    "flow list": (("license: MIT", "tags: [a, b]"), "yaml-flow-style", [(5, 7, "[a, b]")]),
    "flow mapping": (("metadata: {a: {b: c}}",), "yaml-flow-style", [(4, 11, "{a: {b: c}}")]),
    "empty flow list": (("tags: []",), "yaml-flow-style", [(4, 7, "[]")]),
    "brackets in text": (('title: "[a]"', "note: see [a]"), "yaml-flow-style", []),
    "flow in a block list": (("x:", "  - [a]"), "yaml-flow-style", [(5, 5, "[a]")]),
    "number for compatibility": (("compatibility: 3.11",), "yaml-implicit-type", [(4, 16, "3.11")]),
    "quoted number": (('compatibility: "3.11"',), "yaml-implicit-type", []),
    "equals sign": (("x: =",), "yaml-implicit-type", [(4, 4, "=")]),
    "no such day": (("updated: 2026-02-30",), "yaml-invalid-timestamp", [(4, 10, "2026-02-30")]),
    "no such day in a list": (("x:", "  - 2025-13-01"), "yaml-invalid-timestamp", [(5, 5, "2025-13-01")]),
    "no such day as a key": (("2026-00-10: x",), "yaml-invalid-timestamp", [(4, 1, "2026-00-10")]),
    "no such time": (("at: 2026-02-28 25:00:00",), "yaml-invalid-timestamp", [(4, 5, "2026-02-28 25:00:00")]),
    "leap day": (("at: 2024-02-29",), "yaml-invalid-timestamp", []),
    "no leap day": (("at: 2100-02-29",), "yaml-invalid-timestamp", [(4, 5, "2100-02-29")]),
    "quoted bad day": (("at: '2026-02-30'",), "yaml-invalid-timestamp", []),
    "bad day in a sentence": (("at: on 2026-02-30",), "yaml-invalid-timestamp", []),
    "hex without digits": (("x: 0x_",), "yaml-invalid-number", [(4, 4, "0x_")]),
    "endless number": ((f"x: {'1' * 4301}",), "yaml-invalid-number", [(4, 4, "1" * 120)]),
    "long number": ((f"x: {'1' * 4300}",), "yaml-invalid-number", []),
    "key nobody reads": (("origin: ECC",), "unknown-frontmatter-key", [(4, 1, "origin")]),
    "two keys": (("origin: a", "zzz: b"), "unknown-frontmatter-key", [(4, 1, "origin"), (5, 1, "zzz")]),
    "key some host reads": (("tags:", "  - a"), "unknown-frontmatter-key", [(4, 1, "tags")]),
    "keys of the specification": (
        ("license: MIT", "compatibility: any", "metadata:", "  a: b", "allowed-tools: Read"),
        "unknown-frontmatter-key", []),
    "capital key": (("License: MIT",), "key-wrong-case", [(4, 1, "License")]),
    "underscore key": (("allowed_tools: Read",), "key-wrong-case", [(4, 1, "allowed_tools")]),
    "camel key": (("allowedTools: Read",), "key-wrong-case", [(4, 1, "allowedTools")]),
    "second spelling beside the first": (
        ("license: MIT", "License: MIT"), "unknown-frontmatter-key", [(5, 1, "License")]),
    "number in metadata": (("metadata:", "  version: 1.10"), "metadata-value-not-text", [(5, 12, "1.10")]),
    "yes in metadata": (("metadata:", "  a: b", "  c: yes"), "metadata-value-not-text", [(6, 6, "yes")]),
    "list in metadata": (("metadata:", "  a:", "    - b"), "metadata-value-not-text", [(6, 5, "- b")]),
    "vendor in metadata": (("metadata:", "  openclaw:", "    emoji: x"), "metadata-value-not-text", []),
    "long compatibility": ((f"compatibility: {'x' * 501}",), "compatibility-too-long", [(4, 16, "x" * 120)]),
    "fitting compatibility": ((f"compatibility: {'中' * 500}",), "compatibility-too-long", []),
    "quoted flag": (('disable-model-invocation: "yes"',), "flag-not-boolean", [(4, 27, '"yes"')]),
    "yes flag": (("user-invocable: no",), "flag-not-boolean", [(4, 17, "no")]),
    "true flag": (("disable-model-invocation: true",), "flag-not-boolean", []),
    "empty flag": (("disable-model-invocation:",), "flag-not-boolean", []),
    "autonomous secrets": (('secrets-autonomous: "no"',), "gate-wrong-type", [(4, 21, '"no"')]),
    "secrets in a text": (("required-secrets: API_KEY",), "gate-wrong-type", [(4, 19, "API_KEY")]),
    "secrets in a mapping": (("required-secrets:", "  a: b"), "gate-wrong-type", [(5, 3, "a: b")]),
    "secrets in a list": (("required-secrets:", "  - A", "  - name: B", "    optional: true"), "gate-wrong-type", []),
    "secret with a blank": (
        ("required-secrets:", "  - A", "  - my key"), "required-secret-ignored", [(6, 5, "my key")]),
    "secret without a name": (
        ("required-secrets:", "  - optional: true"), "required-secret-ignored", [(5, 5, "optional: true")]),
    "hidden from the model": (("disable-model-invocation: true",), "invocation-disabled", [(4, 27, "true")]),
    "hidden from people": (("user-invocable: false",), "invocation-disabled", [(4, 17, "false")]),
    "shown to both": (("disable-model-invocation: false", "user-invocable: true"), "invocation-disabled", []),
    "internal": (("metadata:", "  internal: true"), "invocation-disabled", [(5, 13, "true")]),
    "paths": (("paths:", "  - '*.ts'"), "invocation-conditional", [(5, 3, "- '*.ts'")]),
    "one system": (("os:", "  - linux"), "platform-gate", [(5, 3, "- linux")]),
    "one platform": (("platforms: [macos]",), "platform-gate", [(4, 12, "[macos]")]),
    "all systems": (("os: [linux, darwin, win32]",), "platform-gate", []),
    "surroundings": (("environments: [docker]",), "platform-gate", [(4, 15, "[docker]")]),
    "shell": (("shell: zsh",), "field-value-unknown", [(4, 8, "zsh")]),
    "context": (("context: [fork]",), "field-value-unknown", [(4, 10, "[fork]")]),
    "known context": (("context: fork", "shell: bash"), "field-value-unknown", []),
    "always": (("always: true",), "always-in-every-turn", [(4, 9, "true")]),
    "always of a vendor": (
        ("metadata:", "  openclaw:", "    always: true"), "always-in-every-turn", [(6, 13, "true")]),
    "not always": (("always: false",), "always-in-every-turn", []),
    "sandbox": (("requires:", "  sandbox: docker"), "sandbox-unknown", [(5, 12, "docker")]),
    "sandboxes": (("requires:", "  sandbox: true"), "sandbox-unknown", []),
    "tags in a text": (("tags: tool, office",), "tag-dropped", [(4, 7, "tool, office")]),
    "bad tags": (('tags: [ok, "Foo/Bar", "-x"]',), "tag-dropped", [(4, 12, '"Foo/Bar"')]),
    "good tags": (("tags: [ok, Office Tools, a_b-c]",), "tag-dropped", []),
    "Chinese tag": (("tags:", "  - 写作"), "tag-dropped", [(5, 5, "写作")]),
    "install": (
        ("metadata:", "  openclaw:", "    install:", "      - kind: apt", "        package: jq"),
        "install-kind-unknown", [(7, 15, "apt")]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_is_found_where_it_stands(case: str) -> None:
    lines, code, spots = CASES[case]
    notes = found(subject(skill_md(*lines)), code)
    assert [spot(note) for note in notes] == spots
    for note in notes:
        assert note.path == "demo/SKILL.md"
        assert note.message[0].isupper()
        assert note.fix[0].isupper()


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_move_a_finding(newline: str) -> None:
    text = skill_md("license: MIT", "origin: ECC").replace("\n", newline)
    assert spot(found(subject(text), "unknown-frontmatter-key")[0]) == (5, 1, "origin")


NAMES = {
    "memory": ["The command /memory"],
    "help": ["keeps for itself", "The command /help"],
    "claude-notes": ["contains 'claude'"],
    "my-anthropic-notes": ["contains 'anthropic'"],
    "openclaw-notes": ["uses 'openclaw'"],
    "notes-official": ["uses 'official'"],
    "qm": ["shorter than the 3 characters"],
    "publish": ["keeps for itself"],
    "officials": [],
    "memory-notes": [],
    "demo": [],
}


@pytest.mark.parametrize("name", NAMES)
def test_reserved_names(name: str) -> None:
    text = skill_md().replace("name: demo", f"name: {name}")
    notes = found(subject(text, place=Place(name)), "name-reserved-or-protected")
    assert len(notes) == len(NAMES[name])
    for note, words in zip(
        sorted(notes, key=lambda n: n.message.startswith("The command")), NAMES[name], strict=True
    ):
        assert words in note.message
        assert spot(note) == (2, 7, name)


def test_a_reserved_folder_has_no_line() -> None:
    notes = found(subject(place=Place("publish")), "name-reserved-or-protected")
    assert [spot(note) for note in notes] == [(None, None, "publish")]


@pytest.mark.parametrize(
    ("written", "text"),
    [('" demo "', '" demo "'), ("'demo '", "'demo '"), ("|\n  demo", "|"), ('"demo\\n"', '"demo\\n"')],
)
def test_padded_names(written: str, text: str) -> None:
    one = subject(skill_md().replace("name: demo", f"name: {written}"))
    assert [spot(note) for note in found(one, "name-padded")] == [(2, 7, text)]


@pytest.mark.parametrize(
    "written",
    ["yes", "No", "ON", "123", "0x1F", "0o17", "-1", "1.5", "1e3", "12:30", ".inf", ".NaN", "2026-01-05"],
)
def test_descriptions_that_are_no_texts(written: str) -> None:
    one = subject(f"---\nname: demo\ndescription: {written}\n---\n\nDo it.\n")
    assert [spot(note) for note in found(one, "yaml-implicit-type")] == [(3, 14, written)]


@pytest.mark.parametrize(
    "written",
    ["'yes'", "yes please", "1.2.3", "12 things", "y", "2026-01-05 to 2026-01-06", "-", "+", ".", "1-2"],
)
def test_descriptions_that_are_texts(written: str) -> None:
    one = subject(f"---\nname: demo\ndescription: {written}\n---\n\nDo it.\n")
    assert found(one, "yaml-implicit-type") == []


@pytest.mark.parametrize(
    "value",
    [
        "yes",
        "on",
        "True",
        "007",
        "0b1",
        "1_000",
        "0x_f",
        "+12",
        "1:30",
        "1:30.5",
        ".5",
        "1.",
        "6.02e+23",
        "-.inf",
        "2026-01-05",
        "2026-1-5 1:02:03",
        "2026-01-05T01:02:03Z",
        "text",
        "1.2.3",
        "0o7x",
        "12-30",
        "+",
        "--",
        "1,5",
    ],
)
def test_whatever_pyyaml_takes_for_another_type_is_told(value: str) -> None:
    loaded = yaml.safe_load(f"x: {value}")["x"]
    if not isinstance(loaded, str):
        assert type_of(value) is not None
    else:
        assert type_of(value) is None
    assert not isinstance(loaded, datetime.date) or type_of(value) == "a date"


def test_the_listing_cut_counts_when_to_use() -> None:
    def cut(description: int, when: int) -> bool:
        text = (
            f"---\nname: demo\ndescription: {'d' * description}\nwhen_to_use: {'w' * when}\n---\n\nDo it.\n"
        )
        return "description-over-listing-cut" in codes(subject(text))

    assert not cut(1000, 536)
    assert cut(1000, 537)
    assert cut(1537, 1)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("descripton", "description"),
        ("desciption", "description"),
        ("lisence", "license"),
        ("Metadata_", "metadata"),
        ("origin", None),
        ("", None),
        ("x" * 100, None),
        ("nmae", "name"),
        ("mane", None),
    ],
)
def test_the_nearest_word(word: str, expected: str | None) -> None:
    assert nearest(word, ("name", "description", "license", "metadata")) == expected


def test_a_misspelt_key_is_named() -> None:
    note = found(subject(skill_md("lisence: MIT")), "unknown-frontmatter-key")[0]
    assert "write license:" in note.fix


def test_moving_a_key_quotes_what_would_change_its_type() -> None:
    note = found(subject(skill_md("build: 1.10")), "unknown-frontmatter-key")[0]
    assert '`  build: "1.10"`' in note.fix
