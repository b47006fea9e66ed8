"""Rules about the text below the front matter."""

from __future__ import annotations

import pytest

from tests.judge.rules.making import found, skill_md, spot, subject

CASES: dict[str, tuple[str, str, list[tuple[int, int, str]]]] = {
    "nothing": ("", "body-empty", [(4, 1, "---")]),
    "blanks": (" \n\t\n", "body-empty", [(4, 1, "---")]),
    "a word": ("x", "body-empty", []),
    "bell": ("Do\x07 it.", "body-control-char", [(6, 3, "\x07")]),
    "NUL on a later line": ("A\nB\x00", "body-control-char", [(7, 2, "\x00")]),
    "delete": ("\x7f", "body-control-char", [(6, 1, "\x7f")]),
    "tab": ("\tx", "body-control-char", []),
    "dynamic context": ("Now: !`git status`.", "dynamic-context", [(6, 6, "!`git status`")]),
    "dynamic context at a line's start": ("A\n!`date`\n!`id`", "dynamic-context", [(7, 1, "!`date`")]),
    "exclamation before code": ("Great!`x`", "dynamic-context", []),
    "dynamic context in a fence": ("```\n!`date`\n```\n", "dynamic-context", [(7, 1, "!`date`")]),
    "a block of dynamic context": ("A\n```!\ndate\n```\n", "dynamic-context", [(7, 1, "```!")]),
    "dynamic context after lone carriage returns": ("A\rB !`date`\r", "dynamic-context", [(7, 3, "!`date`")]),
    "dynamic context of both kinds": ("A !`date` ```!\nx\n```", "dynamic-context", [(6, 3, "!`date`")]),
    "dynamic context behind a fence": ("```\nx\n```\n!`date`", "dynamic-context", [(9, 1, "!`date`")]),
    "python": ("Run `python3 scripts/a.py x`.", "script-path-relative", [(6, 14, "scripts/a.py")]),
    "uv": ("uv run python scripts/a.py", "script-path-relative", [(6, 15, "scripts/a.py")]),
    "dot slash": ("`./scripts/a.sh`", "script-path-relative", [(6, 4, "scripts/a.sh")]),
    "bash on a later line": ("x\n\n    bash scripts/a.sh", "script-path-relative", [(8, 10, "scripts/a.sh")]),
    "mounted": ("- ./scripts/init.sql:/docker-entrypoint-initdb.d/init.sql", "script-path-relative", []),
    "only named": ("See scripts/a.py.", "script-path-relative", []),
    "absolute": ("python /opt/scripts/a.py", "script-path-relative", []),
    "by a variable": ("python $HOME/scripts/a.py", "script-path-relative", []),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_is_found_where_it_stands(case: str) -> None:
    body, code, spots = CASES[case]
    text = skill_md(body=body) if body.strip() else skill_md(body="").rstrip("\n") + "\n" + body
    assert [spot(note) for note in found(subject(text), code)] == spots


def test_front_matter_that_cannot_be_read_hides_no_body() -> None:
    one = subject("---\nname: demo\ndescription: a: b\n---\n\nDo\x07 it.\n")
    assert [spot(note) for note in found(one, "body-control-char")] == [(6, 3, "\x07")]
