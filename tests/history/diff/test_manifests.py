"""Manifest fields that differ, in words."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from generator.history.diff.manifests import compare_manifests
from generator.model import (
    Hook,
    InstallSpec,
    Manifest,
    McpServer,
    Requirements,
    Subagent,
    Taxonomy,
)

PLAIN = Manifest(name="demo", display_name="Demo", description="Shows one thing.")
SERVER = McpServer("s", ".mcp.json", "npx", ("-y", "x"), None, ("KEY",))

CASES: dict[str, tuple[object, object, object]] = {
    # field: the new value, how before and after read
    "name": ("other", "demo", "other"),
    "display_name": ("Other", "Demo", "Other"),
    "description": ("Other.", "Shows one thing.", "Other."),
    "slug": ("x-y", None, "x-y"),
    "version": ("2.0.0", None, "2.0.0"),
    "version_from": ("SKILL.md", None, "SKILL.md"),
    "license": ("MIT", None, "MIT"),
    "license_text": ("MIT licence", None, "MIT licence"),
    "author": ("A", None, "A"),
    "homepage": ("https://a.example", None, "https://a.example"),
    "emoji": ("x", None, "x"),
    "topics": (("a", "b"), None, ("a", "b")),
    "category": ("tools", None, "tools"),
    "allowed_tools": ((), None, ()),
    "os": (("linux",), None, ("linux",)),
    "install": ((InstallSpec("brew", "jq", os=("darwin",)),), None, ("brew jq on darwin",)),
    "always": (True, False, True),
    "compatibility": ("any", None, "any"),
    "hooks": ((Hook("Stop", "run", "h.json", "Bash"),), None, ("Stop (Bash): run [h.json]",)),
    "mcp_servers": ((SERVER,), None, ("s: npx -y x with KEY [.mcp.json]",)),
    "subagents": ((Subagent("a", "agents/a.md", tools=()),), None, ("a: no tools [agents/a.md]",)),
}


@pytest.mark.parametrize("field", CASES)
def test_each_field(field: str) -> None:
    value, before, after = CASES[field]
    new = replace(PLAIN, **{field: value})  # type: ignore[arg-type]
    (there,) = compare_manifests(PLAIN, new)
    (back,) = compare_manifests(new, PLAIN)
    assert (there.field, there.before, there.after) == (field, before, after)
    assert (back.field, back.before, back.after) == (field, after, before)


def test_no_field_is_forgotten() -> None:
    assert {*CASES, "requires", "taxonomy"} == {field.name for field in fields(Manifest)}


def test_groups_by_their_parts() -> None:
    new = replace(PLAIN, requires=Requirements(env=("A",), bins=("jq",)), taxonomy=Taxonomy(track="x"))
    assert [(one.field, one.after) for one in compare_manifests(PLAIN, new)] == [
        ("taxonomy.track", "x"), ("requires.bins", ("jq",)), ("requires.env", ("A",)),
    ]  # fmt: skip


def test_equal_and_unreadable() -> None:
    assert compare_manifests(PLAIN, PLAIN) == ()
    assert compare_manifests(None, None) == ()
    assert {one.field for one in compare_manifests(None, PLAIN)} == {
        "name", "display_name", "description", "always",
    }  # fmt: skip
