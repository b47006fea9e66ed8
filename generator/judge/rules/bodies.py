"""The text below the front matter: nothing there, invisible controls, commands that only one host runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from generator.findings import finding
from generator.judge.model import Subject
from generator.judge.powers import find_dynamic_context
from generator.judge.rules.ground import shown, skill_path, tell_body
from generator.model import Finding
from generator.read.nodes import place_of
from generator.read.package import manifest_file

_CONTROLS: Final = bytes(c for c in range(0x20) if c not in b"\t\n\r") + b"\x7f"
_RUNNER: Final = re.compile(
    r"(?:^|[\s`\"'(])(?:(?:uv run )?python3?|bash|sh|zsh|node|deno run|bun|ruby|perl|Rscript|source|\.)"
    r"[ \t]+[\"']?(?:\./)?$"
    r"|(?:^|[\s`\"'(])\./$"
)
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_SCRIPT: Final = re.compile(r"scripts/[\w./-]*\w")
_MOST_LOOKED_AT: Final = 50


def find(subject: Subject) -> Iterator[Finding]:
    """An empty body, control characters in it, dynamic context, and scripts run by relative paths."""
    file = manifest_file(subject.skill.package)
    if file is None:
        return
    body = subject.skill.body
    if subject.skill.front is not None and not body.strip():
        yield finding(
            "body-empty", skill_path(subject),
            "Nothing stands below the front matter: Hermes refuses to create such a skill, and an agent that reads it "
            "learns nothing",
            "Write below the closing --- what the agent is to do",
            max(1, subject.skill.body_line - 1), 1, "---",
        )  # fmt: skip
    if len(file.data.translate(None, _CONTROLS)) != len(file.data):
        yield from _find_control(subject, body)
    if "!`" in body or "```!" in body:
        yield from _find_dynamic(subject, body)
    if "scripts/" in body:
        yield from _find_relative_script(subject, body)


def _find_control(subject: Subject, body: str) -> Iterator[Finding]:
    at = next(
        (i for i, char in enumerate(body) if (char < " " and char not in "\t\n\r") or char == "\x7f"), None
    )
    if at is not None:
        yield tell_body(
            subject, "body-control-char", at, body[at],
            f"The text holds the control character U+{ord(body[at]):04X}, which terminals and hosts drop, show as "
            "a box or "
            "stop at",
            "Delete the character; retyping the line is the easiest way",
        )  # fmt: skip


def _find_dynamic(subject: Subject, body: str) -> Iterator[Finding]:
    found = find_dynamic_context(body)
    if not found:
        return
    command, line, column = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    written = _LINE_END.split(body)[line - 1][column - 1 :]
    text = f"!`{command}`" if written.startswith("!`") else "```!"
    yield finding(
        "dynamic-context", skill_path(subject),
        f"Claude Code runs {shown(command)}{more} before the model reads the skill and puts its output in place; every "
        "other host shows the command as text",
        "Ask the agent in words to run the command, so that other hosts do it too",
        subject.skill.body_line + line - 1, column, text,
    )  # fmt: skip


def _find_relative_script(subject: Subject, body: str) -> Iterator[Finding]:
    at = body.find("scripts/")
    for _ in range(_MOST_LOOKED_AT):
        if at < 0:
            return
        before = body[max(0, body.rfind("\n", 0, at) + 1, at - 40) : at]
        script = _SCRIPT.match(body, at)
        # What is mounted (`./scripts/init.sql:/docker-entrypoint.d`) is a file of the project.
        if script is not None and not body.startswith(":", script.end()) and _RUNNER.search(before):
            line, column = place_of(body, at)
            yield finding(
                "script-path-relative", skill_path(subject),
                f"The script {script[0][:80]} is run by a path that only works inside the skill's folder; the "
                "skill-package "
                "service runs "
                "scripts by absolute path, and other hosts start in the project",
                "Say that the path is relative to the skill's folder, and let the agent put the folder before it",
                subject.skill.body_line + line - 1, column, script[0],
            )  # fmt: skip
            return
        at = body.find("scripts/", at + 1)
