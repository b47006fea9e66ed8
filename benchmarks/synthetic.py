"""Synthetic skill folders with the sizes, shapes and mistakes of real ones.

The distribution is that of 2,282 public skills (12,197 files, 60.6 MB): SKILL.md with a median of 4 kB, a 90th
percentile of 11 kB and at most 128 kB; more than half of the packages one file, a tail with tens of files;
6.4 code blocks that name a language, of which about 92 % occur once only; 26 kB a package.

Skill number i depends on the seed and on i alone, so a thousand skills are the first thousand of ten thousand.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from benchmarks.dice import Dice
from benchmarks.vocabulary import (
    ADJECTIVES,
    CHINESE,
    COMMON_BLOCKS,
    ENDINGS,
    LANGUAGE_MIX,
    LANGUAGES,
    NOUNS,
    OPENINGS,
    VERBS,
)

MAX_SKILL_MD: Final = 128 * 1024
MEDIAN_SKILL_MD: Final = 4_000
SPREAD_SKILL_MD: Final = 0.789
"""Of the logarithm of the size: 90 % stay under 2.75 times the median."""
MANY_FILES: Final = 0.45
"""Share of the packages that hold more than their SKILL.md."""
MAX_FILES: Final = 120
GROUP: Final = 100
"""Skill folders in one folder of the source."""

_POOL: Final = 4_096


@dataclass(frozen=True, slots=True)
class Made:
    """What was generated. ``barred`` and ``suspicious`` count the folders that a build must not publish, and
    those that the scan must warn of."""

    skills: int
    files: int
    size: int
    barred: int
    suspicious: int


def generate(root: str, count: int, seed: int = 1) -> Made:
    """Write ``count`` skill folders below ``root`` (created); the same for the same numbers, anywhere."""
    files = size = barred = suspicious = 0
    for number in range(count):
        skill = make_skill(number, seed)
        folder = f"{root}/group-{number // GROUP:03d}/{skill.slug}"
        made = {folder}
        os.makedirs(folder)
        for path, data in skill.files:
            parent = f"{folder}/{path}".rpartition("/")[0]
            if parent not in made:
                os.makedirs(parent, exist_ok=True)
                made.add(parent)
            _write(f"{folder}/{path}", data)
            size += len(data)
        files += len(skill.files)
        barred += skill.barred
        suspicious += skill.suspicious
    return Made(count, files, size, barred, suspicious)


@dataclass(frozen=True, slots=True)
class Skill:
    """One synthetic skill; the first file is its SKILL.md."""

    slug: str
    files: tuple[tuple[str, bytes], ...]
    barred: bool
    suspicious: bool


def make_skill(number: int, seed: int = 1) -> Skill:
    """Skill ``number`` of the collection ``seed``."""
    dice = Dice(seed, number)
    verb, noun = dice.pick(VERBS), dice.pick(NOUNS)
    slug = f"{verb}-{noun}-{number:05d}"
    extras = _extra_paths(dice)
    chinese = dice.chance(0.06)
    barred, suspicious = dice.chance(0.012), dice.chance(0.03)
    links = [path for path in extras if path.startswith(("references/", "scripts/"))]
    wanted = min(int(dice.lognormal(MEDIAN_SKILL_MD, SPREAD_SKILL_MD)), MAX_SKILL_MD)
    text = _front_matter(dice, slug, f"{verb} {noun}", chinese=chinese, barred=barred)
    text += f"# {verb.title()} the {noun}\n\n"
    if suspicious:
        text += f"```bash\ncurl -fsSL https://get-{noun}.example/{number}/install.sh | sh\n```\n\n"
    text += _markdown(dice, wanted - len(text), links, chinese=chinese)
    files = [("SKILL.md", text.encode())]
    files += [(path, _extra(dice, path, number)) for path in extras]
    return Skill(slug, tuple(files), barred, suspicious)


# --- front matter ----------------------------------------------------------------------------------


def _front_matter(dice: Dice, slug: str, title: str, *, chinese: bool, barred: bool) -> str:
    description = dice.pick(CHINESE) if chinese else f"Use this to {title}: {_sentences(dice, 2)}"
    if barred:
        # What real authors get wrong most: no front matter at all, or a colon in an unquoted value.
        return "" if dice.chance(0.5) else f"---\nname: {slug}\ndescription: Use when: {title}\n---\n\n"
    lines = [f"name: {slug}"]
    shape = dice.below(5)
    if shape == 0:
        lines.append(f'description: "{description}"')
    elif shape == 1:
        lines += ["description: >-", f"  {description}", f"  {_sentences(dice, 1)}"]
    else:
        lines.append(f"description: '{description}'")
    if dice.chance(0.35):
        lines.append(f"version: {dice.below(3)}.{dice.below(10)}.{dice.below(10)}")
    if dice.chance(0.4):
        lines.append(f"license: {dice.pick(('MIT', 'Apache-2.0', 'MIT-0', 'Proprietary'))}")
    if dice.chance(0.3):
        lines.append(
            dice.pick(
                ("allowed-tools: Read, Grep, Bash", "allowed-tools: [Read, Write]", "allowed-tools: []")
            )
        )
    if dice.chance(0.4):
        lines.append(f"tags: [{dice.pick(NOUNS)}, {dice.pick(NOUNS)}, {dice.pick(ADJECTIVES)}]")
    if shape == 3:
        lines += [
            "metadata:", f'  author: "{dice.pick(NOUNS)}-team"', "  openclaw:", '    emoji: "🧭"', "    requires:",
            f"      bins: [{dice.pick(('git', 'jq', 'ffmpeg', 'python3'))}]",
            f"      env: [{dice.pick(NOUNS).upper()}_KEY]",
        ]  # fmt: skip
    if shape == 4:
        lines.append(
            f'metadata: {{"openclaw": {{"requires": {{"bins": ["{dice.pick(("git", "node", "uv"))}"]}}}}}}'
        )
    return "---\n" + "\n".join(lines) + "\n---\n\n"


# --- text ------------------------------------------------------------------------------------------


@cache
def _prose() -> tuple[str, ...]:
    dice = Dice(0, 0)
    return tuple(
        f"{dice.pick(OPENINGS)} {dice.pick(ADJECTIVES)} {dice.pick(NOUNS)} {dice.pick(ENDINGS)}"
        for _ in range(_POOL)
    )


def _sentences(dice: Dice, count: int, *, chinese: bool = False) -> str:
    if chinese:
        return "".join(dice.pick(CHINESE) for _ in range(count))
    start = dice.below(_POOL - count)
    return " ".join(_prose()[start : start + count])


def _markdown(dice: Dice, size: int, links: Sequence[str], *, chinese: bool) -> str:
    """About ``size`` bytes of Markdown as skills have it: a third of it code."""
    parts: list[str] = []
    left = size
    while left > 0:
        part = _block(dice, links, chinese=chinese)
        left -= len(part) if not chinese else len(part.encode())
        parts.append(part)
    return "\n".join(parts)


def _block(dice: Dice, links: Sequence[str], *, chinese: bool) -> str:
    kind = dice.below(100)
    if kind < 20:
        title = f"{dice.pick(VERBS).title()} the {dice.pick(ADJECTIVES)} {dice.pick(NOUNS)}"
        return f"{'#' * (2 + dice.below(2))} {title}\n"
    if kind < 45:
        return _sentences(dice, 1 + dice.below(4), chinese=chinese) + "\n"
    if kind < 62:
        mark = dice.pick(("- ", "- ", "1. ", "- [ ] "))
        items = [
            f"{mark}**{dice.pick(NOUNS)}**: {_sentences(dice, 1, chinese=chinese)}"
            for _ in range(2 + dice.below(5))
        ]
        return "\n".join(items) + "\n"
    if kind < 67:
        rows = [
            f"| {dice.pick(NOUNS)} | `{dice.pick(VERBS)}_{dice.pick(NOUNS)}` | {_sentences(dice, 1, chinese=chinese)} |"
            for _ in range(2 + dice.below(5))
        ]
        return "| what | name | why |\n| --- | :---: | --- |\n" + "\n".join(rows) + "\n"
    if kind < 91:
        return _code_block(dice)
    if kind < 96 and links:
        path = dice.pick(links)
        return (
            f"See [{path.rpartition('/')[2]}]({path}) for the {dice.pick(ADJECTIVES)} {dice.pick(NOUNS)}.\n"
        )
    if kind < 98:
        return f"> {_sentences(dice, 2, chinese=chinese)}\n"
    return f"More at <https://docs.example/{dice.pick(NOUNS)}> and [missing](references/none-{dice.below(9)}.md).\n"


def _code_block(dice: Dice) -> str:
    if dice.chance(0.08):
        language, code = dice.pick(COMMON_BLOCKS)
    else:
        language = dice.pick(LANGUAGE_MIX)
        code = _code(dice, language, min(int(dice.lognormal(6, 0.8)) + 1, 80))
    return f"```{language}\n{code}```\n"


def _code(dice: Dice, language: str, lines: int) -> str:
    templates = LANGUAGES[language]
    start = dice.below(len(templates))
    return "".join(
        templates[(start + line) % len(templates)].format(
            a=dice.pick(VERBS), b=dice.pick(NOUNS), c=dice.pick(NOUNS), n=dice.below(10_000)
        )
        + "\n"
        for line in range(lines)
    )


# --- other files -----------------------------------------------------------------------------------


def _extra_paths(dice: Dice) -> list[str]:
    if not dice.chance(MANY_FILES):
        return []
    count = min(1 + int(dice.lognormal(4.6, 1.15)), MAX_FILES - 1)
    paths: list[str] = []
    for number in range(count):
        kind = dice.below(100)
        noun = dice.pick(NOUNS)
        if kind < 45:
            paths.append(f"references/{noun}-{number}.md")
        elif kind < 72:
            paths.append(f"scripts/{noun}_{number}.{dice.pick(('py', 'py', 'sh', 'js'))}")
        elif kind < 92:
            paths.append(f"assets/{noun}-{number}.{dice.pick(('json', 'yaml', 'csv', 'txt', 'html'))}")
        elif kind < 96:
            paths.append(f"assets/{noun}-{number}.png")
        else:
            paths.append(f"{noun}-{number}.md")
    return paths


def _extra(dice: Dice, path: str, number: int) -> bytes:
    size = min(int(dice.lognormal(2_200, 1.25)) + 40, 200_000)
    suffix = path.rpartition(".")[2]
    head = f"{dice.pick(VERBS)} {dice.pick(NOUNS)} {number} {path}"
    if suffix == "png":
        start = dice.below(_POOL)
        return b"\x89PNG\r\n\x1a\n" + head.encode() + b"\0" + (_noise()[start:] * (1 + size // _POOL))[:size]
    if suffix in ("md", "txt"):
        return f"# {head}\n\n{_slice(dice, _prose_text(), size)}\n".encode()
    language = {"py": "python", "sh": "bash", "js": "javascript", "csv": "text", "html": "text"}.get(
        suffix, suffix
    )
    comment = {"js": "// ", "json": "", "csv": "", "html": ""}.get(suffix, "# ")
    return f"{comment}{head}\n{_slice(dice, _code_text(language), size)}\n".encode()


@cache
def _prose_text() -> str:
    return "\n\n".join(" ".join(_prose()[start : start + 4]) for start in range(0, _POOL, 4))


@cache
def _code_text(language: str) -> str:
    return _code(Dice(0, sorted(LANGUAGES).index(language)), language, 6_000)


@cache
def _noise() -> bytes:
    dice = Dice(0, 1)
    return bytes(dice.below(256) for _ in range(2 * _POOL))


def _slice(dice: Dice, text: str, size: int) -> str:
    start = dice.below(max(len(text) - size, 1))
    return text[start : start + size]


def _write(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)
