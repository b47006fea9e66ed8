"""The order ClawHub sorts paths in before it hashes them: ICU's root collation.

Every client and the server sort with JavaScript's ``a.localeCompare(b)`` (clawhub 0.3-0.23), which
under ``LANG=C`` or en-US is the CLDR root collation. No light library gives that order in Python: PyICU
has no wheels, and pyuca follows DUCET, which places punctuation and symbols elsewhere. So the order stands here
as a table, proven against Node by ``tests/write/test_collation.py``.

*Printable ASCII* is exact: primary weights over the whole path first, then lower case before upper case,
the first difference deciding.

*Outside ASCII* it is an approximation that is always deterministic: characters are decomposed (NFKD);
the base letters decide first, then the accents, then case and compatibility forms; other scripts follow Latin
in code point order (with Cyrillic's own alphabet), punctuation comes before symbols, currency, digits and
letters. Agreement with Node 20 (ICU 78.2) on 5,000 random pairs of names of up to four such characters: letters
of Latin-1 and Latin Extended-A 99.9 %, Greek, Cyrillic and Hangul 100 %, kana 99.9 %, Han 99.8 %, Latin-1 with all
its symbols 98.6 %. The test asserts floors just under these.
A user whose own locale reorders letters (Swedish, Czech, Chinese...) computes yet another order; no hub can
match all of them, and clients since 0.15 compare with the fingerprint they stored at install time.

Where ICU calls two different paths equal (NFC against NFD spellings), code points decide here; JavaScript
would keep the order the directory was read in.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

CollationKey = tuple[str, str, str, str]
"""Primary weights, accents, case and compatibility, then the path itself."""

# Private markers stand for "a character of this class that is not in the table"; its code point follows.
_WHITE, _PUNCTUATION, _SYMBOL, _CURRENCY, _LETTER = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
_ORDER: Final = (
    " " + _WHITE + "_-,;:!?.'\"()[]{}@*/\\&#%" + _PUNCTUATION + "`^+<=>|~" + _SYMBOL + "$" + _CURRENCY
    + "0123456789" + "abcdefghiıjklmnŋopqĸrstŧuvwxyzþ" + _LETTER
)  # fmt: skip
_RANKS: Final = {char: chr(1 + rank) for rank, char in enumerate(_ORDER)}
_ASCII_PRIMARY: Final = str.maketrans(
    {chr(code): _RANKS[chr(code).lower()] for code in range(0x20, 0x7F)},
)

# Letters that Unicode does not decompose but ICU weighs as others: (base letters, accent).
_STROKE: Final = "\u0338"
_LIGATURE: Final = "\uffff"
_EXPANSIONS: Final[dict[str, tuple[str, str]]] = {
    "æ": ("ae", _LIGATURE), "œ": ("oe", _LIGATURE), "ß": ("ss", ""), "ø": ("o", _STROKE), "đ": ("d", _STROKE),
    "ð": ("d", _LIGATURE), "ħ": ("h", _STROKE), "ł": ("l", _STROKE), "ς": ("σ", ""),
}  # fmt: skip
_CYRILLIC: Final = "абвгдђеєжзѕиійјклљмнњопрстћуфхцчџшщъыьэюя"
_CYRILLIC_PRIMARY: Final = {char: _RANKS[_LETTER] + chr(0x400 + rank) for rank, char in enumerate(_CYRILLIC)}
_CYRILLIC_VARIANTS: Final = {"ґ": ("г", _STROKE)}
_SMALL_KANA: Final = dict(zip("ぁぃぅぇぉっゃゅょゎゕゖ", "あいうえおつやゆよわかけ", strict=True))
# й is a letter of its own in the root collation, not и with an accent.
_SHORT_I: Final = (("и\u0306", "й"), ("И\u0306", "Й"))
# Combining marks in the order of their secondary weights; marks not listed follow by code point.
_MARKS: Final = (
    "\u034f\u0332\u0313\u0343\u0314\u0301\u0341\u0300\u0340\u0306\u0302\u030c\u030a\u0342\u0308\u0344\u030b"
    "\u0303\u0307\u0338\u0327\u0328\u0304"
)
_COMMON: Final = "\x01"
_MARK_WEIGHTS: Final = {mark: chr(2 + rank) for rank, mark in enumerate(_MARKS)} | {_LIGATURE: _LIGATURE}


def collation_key(path: str) -> CollationKey:
    """The sort key that orders ``path`` among others as ``localeCompare`` does in en-US or C.

    Keys of printable ASCII paths are exact; see the module's text for all others.
    """
    if path.isascii() and path.isprintable():
        # swapcase() turns lower case into the smaller code points: lower case before upper case.
        return path.translate(_ASCII_PRIMARY), "", path.swapcase(), path
    return _full_key(path)


def _full_key(path: str) -> CollationKey:
    decomposed = unicodedata.normalize("NFD", path)
    for pair, letter in _SHORT_I:
        decomposed = decomposed.replace(pair, letter)
    primary, secondary, tertiary = [], [], []
    for char in decomposed:
        one, two, three = _weights(char)
        primary.append(one)
        secondary.append(two)
        tertiary.append(three)
    # Trailing common weights go, so that an unaccented path has the same "" as the ASCII keys.
    return "".join(primary), "".join(secondary).rstrip(_COMMON), "".join(tertiary), path


@lru_cache(maxsize=4096)
def _weights(char: str) -> tuple[str, str, str]:
    """Primary, secondary and tertiary weights of one character of an NFD string."""
    if char.isascii():
        if not char.isprintable():
            return (_RANKS[" "], _COMMON, " ") if char.isspace() else ("", "", "")
        return _RANKS[char.lower()], _COMMON, char.swapcase()
    category = unicodedata.category(char)
    if category[0] == "M":
        return "", _MARK_WEIGHTS.get(char) or chr(0x100 + ord(char) % 0xF000), ""
    if category in ("Cc", "Cf"):
        return "", "", ""
    lower = char.lower()
    base, accent = _CYRILLIC_VARIANTS.get(lower) or _EXPANSIONS.get(lower) or ("", "")
    compatible = bool(base)
    if not base:
        base = char if lower in _CYRILLIC_PRIMARY else unicodedata.normalize("NFKD", char)
        compatible = base != char
        if not compatible and unicodedata.digit(char, None) is not None:
            base, compatible = str(unicodedata.digit(char)), True
    if "\u30a1" <= base <= "\u30f6":
        base, compatible = chr(ord(base) - 0x60), True
    if base in _SMALL_KANA:
        base, compatible = _SMALL_KANA[base], True
    case = chr(0x200 + 2 * compatible + (char != lower))
    marks = [m for m in base if unicodedata.category(m)[0] == "M"]
    letters = [c for c in base if c not in marks]
    accents = "".join(_MARK_WEIGHTS.get(m) or chr(0x100 + ord(m)) for m in marks)
    accents += _MARK_WEIGHTS.get(accent, "")
    tertiary = case * len(letters) if compatible else ("0" if char == lower else "1")
    return "".join(map(_primary, letters)), (_COMMON + accents) + _COMMON * (len(letters) - 1), tertiary


def _primary(char: str) -> str:
    lower = char.lower()
    known = _RANKS.get(lower) or _CYRILLIC_PRIMARY.get(lower)
    if known:
        return known
    category = unicodedata.category(char)
    if category[0] == "Z":
        return _RANKS[_WHITE] + char
    if category[0] == "P":
        return _RANKS[_PUNCTUATION] + char
    if category == "Sc":
        return _RANKS[_CURRENCY] + char
    if category[0] == "S":
        return _RANKS[_SYMBOL] + char
    return _RANKS[_LETTER] + lower
