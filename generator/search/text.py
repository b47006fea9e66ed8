"""Text as it is compared and split into words: the same in Python and in ``search.js``, code point by code point.

*Folding*: what is no letter, digit or mark (:mod:`generator.search.letters`) and not printable ASCII is a space;
then compatibility decomposition (NFKD, so full-width forms are plain), accents off, lower case, eleven letters that
have no decomposition replaced, canonical composition. It is not ``casefold``: JavaScript has none.

*Words* end at everything that is no letter, digit or mark, and where a script without spaces begins or ends. A word is
not split at its capitals: ``GitHub`` and ``PowerPoint`` are typed as one word, and slugs say where they have two.

*Units* are what is looked for: a word itself; of a script without spaces every two neighbouring characters, so that
no dictionary is needed; its only character where there is one.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import normalize

from generator.search.letters import SPACELESS, letter_class

_REPLACED = str.maketrans(
    {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "þ": "th",
        "ς": "σ",
    }
)  # fmt: skip
_ACCENTS = re.compile("[\u0300-\u036f]+")
_ASCII_BLANKS = re.compile(r"[^!-~]+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_SPACELESS = re.compile(f"[{SPACELESS}]")

_STOP_WORDS = """
a about all am an and any are as at be by can could do does for from get give have help how i if in into is it its let
like make me my need of on one or our out please should show so some that the their them then there these this to us
use using want was we what when where which who why will with would you your
怎么 如何 什么 帮我 我想 请帮 一个 一下
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Units of a question that say nothing about a skill; they count only where a question has no others."""

TYPO_MIN = 5
"""Letters a word needs before a typing error in it is forgiven."""
_STEM_MIN = 4
_ENDINGS = ("ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "s", "e", "y")


def fold(text: str) -> str:
    """Text as it is compared. Folding it again changes nothing."""
    if text.isascii():
        return _ASCII_BLANKS.sub(" ", text).strip(" ").lower()
    plain = normalize("NFKD", _blanks().sub(" ", text))
    plain = _ACCENTS.sub("", plain).lower().translate(_REPLACED)
    return _blanks().sub(" ", normalize("NFC", plain)).strip(" ")


def words(folded: str) -> list[str]:
    """The words of a folded text, in its order."""
    return _ASCII_WORD.findall(folded) if folded.isascii() else _words().findall(folded)


def is_spaceless(word: str) -> bool:
    """Whether a word is of a script that puts no spaces between words."""
    return not word.isascii() and _SPACELESS.match(word) is not None


def units(word: str) -> list[str]:
    """What is looked for where a question has this word."""
    if len(word) < 2 or not is_spaceless(word):
        return [word]
    return [word[place : place + 2] for place in range(len(word) - 1)]


def stem(word: str) -> str | None:
    """What an English word starts with in its other forms (``tests``, ``testing``: ``test``); None where it has no
    ending, or too little is left."""
    if not word.isascii() or word.endswith("ss"):
        return None
    ending = next((one for one in _ENDINGS if word.endswith(one)), None)
    if ending is None:
        return None
    left = word[: -len(ending)]
    if len(left) > _STEM_MIN and left[-1] == left[-2] and left[-1] not in "ls":
        left = left[:-1]
    return left if len(left) >= _STEM_MIN else None


def forgives(word: str) -> bool:
    """Whether a typing error in a word is forgiven: five letters or more that spell."""
    return len(word) >= TYPO_MIN and spells(word)


def spells(word: str) -> bool:
    """Whether a word can be misspelt: no digit in it, and not of a script without spaces."""
    return _plain_letters().fullmatch(word) is not None


def one_edit(typed: str, word: str) -> bool:
    """Whether one letter left out, added, replaced, or two neighbours exchanged make ``typed`` of ``word``."""
    longer = len(typed) - len(word)
    if not -1 <= longer <= 1 or typed == word:
        return False
    at = 0
    while at < len(typed) and at < len(word) and typed[at] == word[at]:
        at += 1
    if longer > 0:
        return typed[at + 1 :] == word[at:]
    if longer < 0:
        return typed[at:] == word[at + 1 :]
    if typed[at + 1 :] == word[at + 1 :]:
        return True
    return typed[at : at + 2] == word[at : at + 2][::-1] and typed[at + 2 :] == word[at + 2 :]


@cache
def _blanks() -> re.Pattern[str]:
    return re.compile(f"[^!-~{letter_class()}]+")


@cache
def _words() -> re.Pattern[str]:
    return re.compile(f"[{SPACELESS}]+|(?:(?![{SPACELESS}])[a-z0-9\u0080-\U0010ffff])+")


@cache
def _plain_letters() -> re.Pattern[str]:
    # Beyond the first plane JavaScript counts a letter as two.
    return re.compile(f"(?:(?![{SPACELESS}])[a-z\u0080-\uffff])+")
