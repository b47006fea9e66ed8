"""The texts that a skill's page shows below its files, and the scripts it tells of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from generator.model import FileEntry, PackageFile, PackagePath, PublishedSkill
from generator.write.site.texts import MAX_SHOWN, MAX_TEXT, MAX_TEXTS, choose_texts
from tests.write.page_reader import read_page
from tests.write.site_samples import digest, judge_folder, make_skill
from tests.write.site_shell import make_page


def make_holding(contents: Mapping[str, bytes], body: str = "text") -> PublishedSkill:
    """A skill whose files besides ``SKILL.md`` hold ``contents``; none is executable."""
    skill = make_skill(body, files=("SKILL.md",))
    files = [
        *skill.folder.package.files,
        *(
            PackageFile(PackagePath(path), data, digest(f"{path}{len(data)}"))
            for path, data in contents.items()
        ),
    ]
    entries = tuple(
        FileEntry(file.path, len(file.data), file.sha256, "text/plain", file.executable, 30) for file in files
    )
    folder = replace(skill.folder, package=replace(skill.folder.package, files=tuple(files)))
    release = replace(skill.latest, files=entries)
    return replace(skill, folder=folder, releases=(release,), judgement=judge_folder(folder, "demo"))


def words_of(skill: PublishedSkill) -> str:
    return read_page(make_page(skill).body).words()


def test_scripts_are_told_without_an_executable_bit() -> None:
    words = words_of(make_holding({"scripts/x.py": b"print(1)", "notes.md": b"n"}))
    assert "Script when its instructions say so scripts/x.py" in words
    assert "It brings no" not in words
    many = words_of(make_holding({f"s/{number:02}.sh": b"" for number in range(25)}))
    assert "Scripts when its instructions say so s/00.sh" in many
    assert "s/19.sh and 5 more" in many


def test_a_text_is_shown_inert_and_its_name_and_links_lead_to_it() -> None:
    hostile = "</code></pre></details><script>alert(1)</script>\u202e\x1b & 'x'".encode()
    skill = make_holding({"scripts/a.sh": hostile, "b.md": "教案".encode()}, "See [it](scripts/a.sh).")
    page = make_page(skill).body
    facts = read_page(page)
    assert facts.unclosed == []
    assert "alert(1)</script>" in facts.words()
    assert "<U+202E><U+001B> & 'x'" in facts.words()
    assert "教案" in facts.words()
    assert b"<script>alert" not in page
    assert facts.links().count("#text-2") == 2  # its row, and the link in the instructions
    assert {"source", "text-2", "text-3"} <= set(facts.ids())
    assert "#source" in facts.links()


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"", False),
        (b"x", True),
        (b"x" * MAX_TEXT, True),
        (b"x" * (MAX_TEXT + 1), False),
        (b"\xff\xfe", False),
    ],
    ids=["empty", "small", "at the limit", "over the limit", "not UTF-8"],
)
def test_what_counts_as_a_text_to_show(data: bytes, shown: bool) -> None:
    assert ("a.txt" in choose_texts(make_holding({"a.txt": data}))) == shown


def test_scripts_come_before_other_texts_and_all_have_a_bound() -> None:
    texts = {f"a/{number:02}.md": b"x" for number in range(30)} | {"z/last.py": b"x"}
    chosen = choose_texts(make_holding(texts))
    assert len(chosen) == MAX_TEXTS
    assert list(chosen) == [*(f"a/{number:02}.md" for number in range(MAX_TEXTS - 1)), "z/last.py"]
    swelling = choose_texts(make_holding({f"{number}.txt": b"<" * 9_000 for number in range(9)}))
    assert 0 < sum(len(text.html) for text in swelling.values()) <= MAX_SHOWN


def test_other_bytes_than_the_release_s_are_not_shown_as_its_text() -> None:
    skill = make_holding({"a.txt": b"released"})
    files = tuple(
        replace(file, data=b"changed!", sha256=digest("changed")) if file.path == "a.txt" else file
        for file in skill.folder.package.files
    )
    changed = replace(skill, folder=replace(skill.folder, package=replace(skill.folder.package, files=files)))
    assert choose_texts(changed) == {}


def test_skill_md_is_shown_with_the_instructions_only() -> None:
    assert choose_texts(make_skill(files=("SKILL.md",))) == {}
