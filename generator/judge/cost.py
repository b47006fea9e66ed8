"""What a skill costs in context: estimated tokens of the three levels of progressive loading, and which of a
host's limits it passes.

The estimate knows no vocabulary, only scripts. Measured once against three tokenizers (o200k_base, cl100k_base
and Anthropic's published one) on 2,022 Markdown files of public collections, 751 of them mostly Chinese,
Japanese or Korean: for every tokenizer half of the English files come out within 9 % and nine of ten within
29 %; of the CJK files half within 17 % and nine of ten within 30 %.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from generator.judge.model import ContextCost, FileCost, Limit, Profile
from generator.model import SkillFolder
from generator.read.nodes import ScalarNode
from generator.read.package import manifest_file

_ASCII: Final = bytes(range(128))
_ASCII_PER_TOKEN: Final = 4
_CJK: Final = re.compile("[\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]+")
_EMOJI: Final = re.compile("[\u2600-\u27bf\U00010000-\U0001ffff]+")
_CJK_TOKENS: Final = 1.1
_EMOJI_TOKENS: Final = 2.0
_OTHER_TOKENS: Final = 0.6
_SAMPLE: Final = 64 * 1024
"""Characters of one text that are looked at; a longer one is reckoned from them."""


def estimate_tokens(text: str) -> int:
    """About how many tokens a model needs for ``text``; 0 only for the empty text.

    ASCII counts 4 characters a token, CJK 1.1 tokens a character, emoji 2, every other script 0.6 (measured:
    o200k_base 0.3-0.4, cl100k_base 0.4-1.2, Anthropic 0.5-1.3).
    """
    if not text:
        return 0
    if text.isascii():
        return -(-len(text) // _ASCII_PER_TOKEN)
    if len(text) > _SAMPLE:
        return round(estimate_tokens(text[:_SAMPLE]) * len(text) / _SAMPLE)
    data = text.encode("utf-8", "surrogatepass")
    foreign = data.translate(None, _ASCII)
    rest = foreign.decode("utf-8", "surrogatepass")
    cjk = sum(map(len, _CJK.findall(rest)))
    emoji = sum(map(len, _EMOJI.findall(rest)))
    tokens = (
        (len(data) - len(foreign)) / _ASCII_PER_TOKEN
        + cjk * _CJK_TOKENS
        + emoji * _EMOJI_TOKENS
        + (len(rest) - cjk - emoji) * _OTHER_TOKENS
    )
    return max(1, round(tokens))


def context_cost(skill: SkillFolder) -> ContextCost:
    """The three levels: the catalog line (name and description), the body, each other file of the package."""
    own = manifest_file(skill.package)
    files = tuple(
        FileCost(file.path, _file_tokens(file.data)) for file in skill.package.files if file is not own
    )
    return ContextCost(estimate_tokens(_catalog_line(skill)), estimate_tokens(skill.body), files)


def _catalog_line(skill: SkillFolder) -> str:
    folder = skill.package.folder.rpartition("/")[2]
    if skill.manifest is None:
        return folder
    return f"{skill.manifest.name or folder}: {skill.manifest.description}"


def _file_tokens(data: bytes) -> int | None:
    """Tokens of a support file; None where it is no UTF-8 text."""
    head = data[: 4 * _SAMPLE]
    if b"\0" in head:
        return None
    if head.isascii():
        return -(-len(data) // _ASCII_PER_TOKEN)
    try:
        text = head.decode()
    except UnicodeDecodeError as error:
        if error.start < len(head) - 4 or len(head) == len(data):
            return None
        text = head[: error.start].decode()
    return round(estimate_tokens(text) * (len(data) / len(head)))


# --- limits ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PassedLimit:
    """A limit of a host that a skill passes: ``measured`` is the skill's figure, in the limit's unit."""

    limit: Limit
    measured: int


def limits_passed(skill: SkillFolder, profile: Profile) -> tuple[PassedLimit, ...]:
    """The limits of one host that one skill passes by itself, in the order of the host's file.

    Limits over a whole catalog (keys that start with ``catalog-``) are not among them; see
    :mod:`generator.judge.prompts`.
    """
    passed = []
    for limit in profile.limits:
        measured = _measure(skill, limit.key)
        if measured is not None and measured > limit.value:
            passed.append(PassedLimit(limit, measured))
    return tuple(passed)


def _measure(skill: SkillFolder, key: str) -> int | None:
    """The skill's figure for a limit's key; None where the key says nothing about a single skill."""
    manifest, package = skill.manifest, skill.package
    if key == "package-files":
        return len(package.files)
    if key == "package-bytes":
        return package.size
    if key == "file-bytes":
        return max((file.size for file in package.files), default=0)
    own = manifest_file(package)
    if own is None:
        return None
    if key == "skill-md-bytes":
        return own.size
    if key == "read-characters":
        return len(own.data.decode("utf-8", "replace"))
    if key == "front-matter-characters":
        # Both fences and their line ends stand within the part that is read.
        return len(skill.front_text) + 9 if skill.front is not None else None
    if manifest is None:
        return None
    if key == "name-characters":
        return len(manifest.name or "")
    if key == "description-characters":
        return len(manifest.description)
    if key == "listing-line-characters":
        when = text_of(skill, "when_to_use")
        return len(manifest.description) + (len(when) + len(" - ") if when else 0)
    if key == "compatibility-characters":
        return len(manifest.compatibility or "")
    return None


def text_of(skill: SkillFolder, key: str) -> str:
    """The text under a top-level key of the front matter; empty where there is none."""
    node = skill.front.get(key) if skill.front is not None else None
    return node.value if isinstance(node, ScalarNode) and not node.is_null else ""
