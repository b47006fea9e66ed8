"""Catalogs as hosts print them. What is expected here was printed by the released programs for the same skills."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.judge.model import Profile
from generator.judge.profiles import load_profiles
from generator.judge.prompts import (
    CatalogEntry,
    find_location,
    render_available_skills,
    render_manifest,
)


def host(label: str) -> Profile:
    return next(profile for profile in load_profiles() if label in (profile.id, profile.host))


def entry(name: str, description: str, folder: str = "", **more: object) -> CatalogEntry:
    folder = folder or name
    return CatalogEntry(name, description, f"skills/{folder}/SKILL.md", folder, **more)  # type: ignore[arg-type]


MARKUP = entry("demo", """Shows <b> & "x" 'y'.""")
SECOND = entry("alpha", "Second.")

PRINTED = {
    None: """\
<available_skills>
<skill>
<name>
demo
</name>
<description>
Shows &lt;b&gt; &amp; &quot;x&quot; &#x27;y&#x27;.
</description>
<location>
skills/demo/SKILL.md
</location>
</skill>
<skill>
<name>
alpha
</name>
<description>
Second.
</description>
<location>
skills/alpha/SKILL.md
</location>
</skill>
</available_skills>""",
    "claude-code": """\
- demo: Shows &lt;b&gt; & "x" 'y'.
- alpha: Second.""",
    "codex": """\
- demo: Shows <b> & "x" 'y'. (file: skills/demo/SKILL.md)
- alpha: Second. (file: skills/alpha/SKILL.md)""",
    "deerflow/load": """\
<available_skills>
    <skill>
        <name>demo</name>
        <description>Shows &lt;b&gt; &amp; "x" 'y'. [built-in]</description>
        <location>skills/demo/SKILL.md</location>
    </skill>
    <skill>
        <name>alpha</name>
        <description>Second. [built-in]</description>
        <location>skills/alpha/SKILL.md</location>
    </skill>
</available_skills>""",
    "gemini-cli": """\
<available_skills>
  <skill>
    <name>demo</name>
    <description>Shows <b> & "x" 'y'.</description>
    <location>skills/demo/SKILL.md</location>
  </skill>
  <skill>
    <name>alpha</name>
    <description>Second.</description>
    <location>skills/alpha/SKILL.md</location>
  </skill>
</available_skills>""",
    "opencode": """\
<available_skills>
  <skill>
    <name>alpha</name>
    <description>Second.</description>
    <location>skills/alpha/SKILL.md</location>
  </skill>
  <skill>
    <name>demo</name>
    <description>Shows <b> & "x" 'y'.</description>
    <location>skills/demo/SKILL.md</location>
  </skill>
</available_skills>""",
    "openclaw": """\
<available_skills>
  <skill>
    <name>alpha</name>
    <description>Second.</description>
    <location>skills/alpha/SKILL.md</location>
  </skill>
  <skill>
    <name>demo</name>
    <description>Shows &lt;b&gt; &amp; &quot;x&quot; &apos;y&apos;.</description>
    <location>skills/demo/SKILL.md</location>
  </skill>
</available_skills>""",
    "hermes/0.19.0": """\
<available_skills>
  general:
    - alpha: Second.
    - demo: Shows <b> & "x" 'y'.
</available_skills>""",
}


@pytest.mark.parametrize("label", PRINTED)
def test_each_host_writes_and_escapes_in_its_own_way(label: str | None) -> None:
    printed = render_available_skills([MARKUP, SECOND], host(label) if label else None)
    assert printed.text == PRINTED[label]
    assert printed.cut == ()


@pytest.mark.parametrize("label", PRINTED)
def test_no_skills_at_all(label: str | None) -> None:
    text = render_available_skills([], host(label) if label else None).text
    assert text == ("" if label else "<available_skills>\n</available_skills>")


def test_claude_code_shows_a_name_that_differs_from_the_folder_and_when_to_use() -> None:
    one = entry("multi", "second", written_name="othername", when_to_use="when testing")
    two = entry("spaced", "third", written_name="other name")
    text = render_available_skills([one, two], host("claude-code")).text
    assert text == "- multi (othername): second - when testing\n- spaced: third"


def test_hermes_lists_by_the_folder_around_a_skill() -> None:
    skills = [entry("b", "B.", "office/b"), entry("a", "", "office/a"), entry("c", "C.")]
    assert render_available_skills(skills, host("hermes/0.19.0")).text == (
        "<available_skills>\n  general:\n    - c: C.\n  office:\n    - a\n    - b: B.\n</available_skills>"
    )


def test_where_a_host_sees_the_file() -> None:
    assert find_location("office/pdf", "skills/office/pdf/SKILL.md") == "skills/office/pdf/SKILL.md"
    assert (
        find_location("pdf", "skills/pdf/SKILL.md", host("deerflow/load"))
        == "/mnt/skills/public/pdf/SKILL.md"
    )


# --- DeepTutor -----------------------------------------------------------------------------------------


def test_deeptutor_lines() -> None:
    printed = render_manifest(
        [MARKUP, entry("bare", ""), entry("loud", "Always.", always=True), entry("demo", "Twin.", "x/demo")]
    )
    assert printed.text == "- **demo** — Shows <b> & \"x\" 'y'.\n- **bare** — bare"
    assert printed.cut == (
        "loud: Not listed, since always: true puts its whole body into every turn",
        "x/demo: Not listed, since another skill is called demo",
    )


# --- OpenClaw's budget ---------------------------------------------------------------------------------


def crowd(count: int) -> list[CatalogEntry]:
    return [
        CatalogEntry(
            f"skill-{(number * 7) % count:03}",
            f'Number {number} does "x" & <y> for it\'s own sake. ' + "word " * (number % 40),
            f"s{number}/SKILL.md",
            f"s{number}",
        )
        for number in range(count)
    ]


# Skills and characters of the list, as openclaw 2026.9.6 prints it for the same skills.
CROWDS = {
    65: (65, 17573, ""),
    80: (80, 17548, "All descriptions are shortened to 80 characters"),
    120: (120, 17258, "All descriptions are shortened to 20 characters"),
    150: (150, 12978, "All descriptions are left out"),
    151: (150, 12979, "All descriptions are left out"),
}


@pytest.mark.parametrize("count", CROWDS)
def test_openclaw_fits_a_crowd_into_its_budget(count: int) -> None:
    skills, characters, said = CROWDS[count]
    printed = render_available_skills(crowd(count), host("openclaw"))
    assert (printed.text.count("<skill>"), len(printed.text)) == (skills, characters)
    assert (printed.cut[0] if printed.cut else "").startswith(said)
    assert len(printed.cut) == bool(said) + count - skills


def test_openclaw_leaves_out_what_does_not_fit_even_bare() -> None:
    long_names = [entry(f"{'n' * 200}{number:03}", "Text.") for number in range(100)]
    printed = render_available_skills(long_names, host("openclaw"))
    listed = printed.text.count("<skill>")
    assert 0 < listed < 100
    assert len(printed.text) <= 18_000
    assert sum("Left out" in line for line in printed.cut) == 100 - listed


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=20), st.booleans()), max_size=4))
def test_any_texts_are_printed(rows: list[tuple[str, str, bool]]) -> None:
    entries = [entry(name, description, always=always) for name, description, always in rows]
    for label in PRINTED:
        printed = render_available_skills(entries, host(label) if label else None)
        assert printed.tokens >= 0
    render_manifest(entries)
