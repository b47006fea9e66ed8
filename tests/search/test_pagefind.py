"""Full text through the real Pagefind program; and programs that are none."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path

import pytest

from benchmarks.search_labelled import ROOT
from generator.search.pagefind import (
    PagefindError,
    Record,
    find_program,
    full_text_files,
    language_of,
    record_of,
)
from tests.deps.install import DEPS
from tests.search.samples import make_listing

ASKER = ROOT / "benchmarks" / "search_pagefind.mjs"
BIN = DEPS / "pagefind" / "node_modules" / ".bin"


@pytest.fixture(scope="session")
def program(monkeypatch_session: pytest.MonkeyPatch) -> str:
    """The program as an operator has it: npm's command on PATH."""
    assert (BIN / "pagefind").exists(), "not installed: pagefind; run `make deps`"
    monkeypatch_session.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    return find_program()


@pytest.fixture(scope="session")
def monkeypatch_session() -> object:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


RECORDS = [
    record_of(make_listing("pdf", display_name="PDF", topics=("documents",)), "Merge and split with qpdf.\n" * 50),
    record_of(make_listing("fanyi", display_name="签证翻译", description="将签证申请文件翻译成英文，并创建双语文档")),
    record_of(make_listing("tdd", display_name="テスト駆動開発", description="テストを先に書いてから実装する手法です")),
    record_of(make_listing("odd", description="lone \ud800 surrogate, a, comma and \"quotes\"")),
]  # fmt: skip


def ask(folder: Path, files: dict[str, bytes], questions: list[str]) -> list[list[str]]:
    """What Pagefind's own script finds in the files."""
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    done = subprocess.run(
        ["node", ASKER, folder],
        input="".join(json.dumps(one) + "\n" for one in questions),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()][: len(questions)]


def test_the_body_of_a_skill_is_found_in_every_language(program: str, tmp_path: Path) -> None:
    files = full_text_files(program, RECORDS)
    assert ask(tmp_path, files, ["qpdf", "翻译", "双语文档", "実装", "surrogate"]) == [
        ["/acme/skills/pdf/"], ["/acme/skills/fanyi/"], ["/acme/skills/fanyi/"], ["/acme/skills/tdd/"],
        ["/acme/skills/odd/"],
    ]  # fmt: skip


def test_the_same_records_give_the_same_files(program: str) -> None:
    files = full_text_files(program, RECORDS)
    assert full_text_files(program, RECORDS) == files
    assert list(files) == sorted(files)
    entry = json.loads(files["pagefind-entry.json"])
    assert sorted(entry["languages"]) == ["en", "ja", "zh"]
    assert not [path for path in files if "-ui" in path or path.startswith("/") or ".." in path]


def test_no_records_are_no_error(program: str) -> None:
    assert "pagefind-entry.json" in full_text_files(program, [])


def test_fragments_can_be_bundled(program: str) -> None:
    records = [Record(f"/{number}/", "en", f"words of number {number}") for number in range(40)]
    many = full_text_files(program, records)
    few = full_text_files(program, records, max_fragments=5)
    assert sum(path.startswith("fragment/") for path in many) == 40
    assert sum(path.startswith("fragment/") for path in few) <= 5


LANGUAGES = {
    "English": ("Reads documents", "en"),
    "little Chinese": ("Reads 文档 well", "en"),
    "Chinese": ("将签证申请文件翻译成英文文档", "zh"),
    "kana among Han": ("新機能の作成、バグの修正に使用してください", "ja"),
    "Korean": ("쿼리 최적화를 위한 패턴과 모범 사례", "ko"),
}


@pytest.mark.parametrize(("text", "language"), LANGUAGES.values(), ids=LANGUAGES)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language


def _says(*payloads: object) -> str:
    """A program that says this, whatever it is asked."""
    said = "".join(
        base64.b64encode(json.dumps({"message_id": place, "payload": payload}).encode()).decode() + ","
        for place, payload in enumerate(payloads, start=1)
    )
    return f"#!/bin/sh\nprintf %s '{said}'\ncat >/dev/null\n"


BROKEN = {
    "ends at once": ("#!/bin/sh\nexit 3\n", "ended before it answered NewIndex"),
    "ends in the middle": ("#!/bin/sh\nprintf abc\n", "ended before it answered NewIndex"),
    "no base64": ("#!/bin/sh\nprintf 'hello?,'\ncat >/dev/null\n", "does not speak as version 1.6.0 does"),
    "no JSON": ("#!/bin/sh\nprintf 'aGVsbG8=,'\ncat >/dev/null\n", "does not speak as version 1.6.0 does"),
    "no object": ("#!/bin/sh\nprintf 'WzFd,'\ncat >/dev/null\n", "NewIndex was refused"),
    "a payload that is none": (_says("x"), "NewIndex was refused"),
    "refuses": (_says({"type": "Error", "message": "Too old"}), "NewIndex was refused, request 1: Too old"),
    "another answer": (_says({"type": "DeleteIndex"}), "answered 'DeleteIndex'"),
    "no index": (_says({"type": "NewIndex"}), "an answer without 'index_id'"),
    "no files": (
        _says({"type": "NewIndex", "index_id": 0}, {"type": "IndexedFile"}, {"type": "GetFiles", "files": 3}),
        "an answer without",
    ),
    "hangs": ("#!/bin/sh\nexec sleep 60\n", "ended before it answered NewIndex"),
    "cannot be started": ("#!/does/not/exist\n", "cannot be started"),
}  # fmt: skip


@pytest.mark.parametrize(("script", "said"), BROKEN.values(), ids=BROKEN)
def test_a_program_that_does_something_else_is_an_error_that_says_so(
    tmp_path: Path, script: str, said: str
) -> None:
    program = tmp_path / "pagefind"
    program.write_text(script)
    program.chmod(0o755)
    with pytest.raises(PagefindError, match=said):
        full_text_files(str(program), [Record("/a/", "en", "words")], timeout=2)


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PagefindError, match="is not on PATH"):
        find_program()
