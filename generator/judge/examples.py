"""What every host does with the example of a finding code: the shortest answer to "does it matter to me?".

A code's page shows it. The verdicts are computed from our own examples, so they change only with our code:
the site reads them from ``hosts/examples.json``, which a test keeps current.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Final

from generator.findings import CODES
from generator.judge.model import Place, Profile, Subject
from generator.judge.verdicts import judge_package
from generator.model import Outcome, Package, PackageFile, PackagePath, Sha256, Verdict
from generator.read.manifest import read_skill
from generator.read.package import examine_paths

_HEAD: Final = ("name: demo", "description: Does one thing. Use when testing.")
_FOLDER: Final = "demo"

Told = tuple[str, Outcome, str]
"""A host's id, its outcome, its reason."""


def example_files(code: str) -> Mapping[str, bytes] | None:
    """The files of the skill that a code's example stands for, by path; None where a text cannot show it."""
    info = CODES[code]
    if not info.example:
        return None
    plain = complete("license: MIT").encode()
    if info.example_in == "paths":
        paths = info.example.split("\n")
        if code == "skill-md-missing-exact-name":
            return {paths[0]: plain}
        unsafe, _ = examine_paths(_FOLDER, paths)
        return {"SKILL.md": plain, **{path: b"" for path in paths if path not in unsafe}}
    if info.example_in:
        return {"SKILL.md": plain, info.example_in: info.example.encode("utf-8", "surrogatepass")}
    return {"SKILL.md": complete(info.example).encode("utf-8", "surrogatepass")}


def complete(text: str) -> str:
    """The whole ``SKILL.md`` that an example's front matter lines stand for."""
    if "---" in text or text.startswith("#"):
        return text
    keys = {line.partition(":")[0] for line in text.split("\n")}
    head = [line for line in _HEAD if line.partition(":")[0] not in keys]
    return "\n".join(["---", *head, text, "---", "", "Do it.", ""])


def judge_example(code: str, profiles: Sequence[Profile]) -> tuple[Verdict, ...]:
    """Every host's verdict on the example of a code; empty where there is none."""
    files = example_files(code)
    if files is None:
        return ()
    package = Package(
        "example", _FOLDER,
        tuple(
            PackageFile(PackagePath(path), data, Sha256(hashlib.sha256(data).hexdigest()))
            for path, data in sorted(files.items())
        ),
    )  # fmt: skip
    return judge_package(Subject(read_skill(package), Place(_FOLDER)), profiles)


def examples_text(profiles: Sequence[Profile]) -> str:
    """The file ``hosts/examples.json``: for each code with an example, what each host that minds it does."""
    told = {
        code: [
            [verdict.host, verdict.outcome.value, verdict.reason]
            for verdict in judge_example(code, profiles)
            if verdict.outcome is not Outcome.LOAD or code in verdict.codes
        ]
        for code in sorted(CODES)
        if CODES[code].example
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


@cache
def read_examples() -> Mapping[str, tuple[Told, ...]]:
    """What ``hosts/examples.json`` says, by code; read once a process."""
    text = (resources.files("generator.judge") / "hosts" / "examples.json").read_text(encoding="utf-8")
    return {
        code: tuple((host, Outcome(outcome), reason) for host, outcome, reason in rows)
        for code, rows in json.loads(text).items()
    }
