"""A skill that follows the Agent Skills specification to the letter passes, whatever single hosts make of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.check.model import FailOn
from generator.check.run import Request, run_check
from generator.model import Severity
from tests.check.places import put, skill_text

CONFORMING = {
    "the least": {},
    "the example of the specification": {
        "license": "Apache-2.0", "metadata": {"author": "example-org", "version": "1.0"},
    },
    "a license in words": {"license": "Proprietary. LICENSE.txt has complete terms"},
    "compatibility at its limit": {"compatibility": "x" * 500},
    "tools": {"allowed-tools": "Bash(git:*) Bash(jq:*) Read"},
    "one tool": {"allowed-tools": "Read"},
    "no tool": {"allowed-tools": ""},
    "a tool nobody has": {"allowed-tools": "Frobnicate"},
    "metadata that means something elsewhere": {
        "metadata": {"os": "solaris", "version": "latest", "tags": "x, y", "slug": "Not A Slug", "homepage": "none"},
    },
}  # fmt: skip
"""Front matter beside name and description."""

FILES = {
    "support files": ("scripts/extract.py", "references/REFERENCE.md", "assets/template.docx"),
    "data": ("assets/table.dat", "assets/model.bin", "assets/more.zip"),
    "files at the top": ("package.json", "LICENSE.txt", "requirements.txt", "src/a.py"),
    "a name that a hub keeps": ("references/skill-card.md",),
}

NAMES = ("a", "7", "x" * 64, "search", "api", "help", "claude-helper", "true", "a-1-b")


def errors(folder: Path) -> list[str]:
    report = run_check(Request((str(folder),), fail_on=FailOn.ERROR)).report
    found = [one.code for one in report.findings() if one.severity is Severity.ERROR]
    assert report.failed() is bool(found)
    return found


def conforming(name: str, description: str, more: dict[str, object], body: str = "Do it.") -> str:
    front = {"name": name, "description": description, **more}
    return f"---\n{yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=100_000)}---\n\n{body}\n"


@pytest.mark.parametrize("more", CONFORMING.values(), ids=CONFORMING)
def test_front_matter(tmp_path: Path, more: dict[str, object]) -> None:
    put(tmp_path / "pdf-tools", conforming("pdf-tools", "Reads PDF files. Use when one must be read.", more))
    assert errors(tmp_path / "pdf-tools") == []


@pytest.mark.parametrize("paths", FILES.values(), ids=FILES)
def test_files(tmp_path: Path, paths: tuple[str, ...]) -> None:
    put(tmp_path / "pdf-tools", skill_text("pdf-tools"))
    for path in paths:
        (tmp_path / "pdf-tools" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pdf-tools" / path).write_bytes(b"x\n")
    assert errors(tmp_path / "pdf-tools") == []


@pytest.mark.parametrize("name", NAMES)
def test_names(tmp_path: Path, name: str) -> None:
    put(tmp_path / name, conforming(name, "Does one thing. Use when testing.", {}))
    assert errors(tmp_path / name) == []


BODIES = {
    "none": "",
    "rules": "a\n\n---\n\nb",
    "five hundred lines": "line\n" * 499,
    "a link": "[x](https://a.b/c)",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_bodies(tmp_path: Path, body: str) -> None:
    put(tmp_path / "pdf-tools", conforming("pdf-tools", "Does one thing. Use when testing.", {}, body))
    assert errors(tmp_path / "pdf-tools") == []


WORDS = st.text(
    st.characters(exclude_categories=("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")), min_size=1, max_size=80
)


@settings(max_examples=60, deadline=None)
@given(WORDS.filter(lambda text: bool(text.strip())), st.dictionaries(WORDS, WORDS, max_size=2))
def test_any_description_and_metadata_in_correct_yaml(
    tmp_path_factory: pytest.TempPathFactory, description: str, metadata: dict[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("spec") / "pdf-tools"
    put(
        folder,
        conforming("pdf-tools", f"Use when: {description}", {"metadata": metadata} if metadata else {}),
    )
    assert errors(folder) == []


def test_a_named_host_that_refuses_a_text_of_tools_still_counts(tmp_path: Path) -> None:
    put(tmp_path / "pdf-tools", conforming("pdf-tools", "Does one thing.", {"allowed-tools": "Read"}))
    assert run_check(Request((str(tmp_path),), ("deerflow",))).report.failed()
    assert not run_check(Request((str(tmp_path),), ("claude-code",))).report.failed()
