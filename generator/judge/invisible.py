"""Which characters of a text Claude Code takes for invisible, and replaces by a blank before it shows the text.

Facts of release 2.1.332, executed over every kind of such characters: a joiner or variation selector stays where
it belongs to an emoji that Unicode recommends, a zero width joiner or non-joiner where a script needs it.
"""

from __future__ import annotations

import re
from typing import Final

_HIDDEN: Final = (
    "\x00-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
# What a terminal takes for a command, with the characters the command takes along.
_ESCAPED: Final = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|[^\\[])|[\x90\x98\x9d-\x9f].*", re.DOTALL)

# Emoji that are shown as text unless U+FE0F follows.
_TEXT_EMOJI: Final = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u2328\u23cf\u23ed-\u23ef\u23f1\u23f2\u23f8-\u23fa"
    "\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb\u25fc\u2600-\u2604\u260e\u2611\u2618\u261d\u2620\u2622\u2623\u2626\u262a"
    "\u262e\u262f\u2638-\u263a\u2640\u2642\u265f\u2660\u2663\u2665\u2666\u2668\u267b\u267e\u2692\u2694-\u2697\u2699"
    "\u269b\u269c\u26a0\u26a7\u26b0\u26b1\u26c8\u26cf\u26d1\u26d3\u26e9\u26f0\u26f1\u26f4\u26f7-\u26f9\u2702\u2708"
    "\u2709\u270c\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2733\u2734\u2744\u2747\u2763\u2764\u27a1\u2934\u2935"
    "\u2b05-\u2b07\u3030\u303d\u3297\u3299\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f202\U0001f237\U0001f321"
    "\U0001f324-\U0001f32c\U0001f336\U0001f37d\U0001f396\U0001f397\U0001f399-\U0001f39b\U0001f39e\U0001f39f"
    "\U0001f3cb-\U0001f3ce\U0001f3d4-\U0001f3df\U0001f3f3\U0001f3f5\U0001f3f7\U0001f43f\U0001f441\U0001f4fd"
    "\U0001f549\U0001f54a\U0001f56f\U0001f570\U0001f573-\U0001f579\U0001f587\U0001f58a-\U0001f58d\U0001f590"
    "\U0001f5a5\U0001f5a8\U0001f5b1\U0001f5b2\U0001f5bc\U0001f5c2-\U0001f5c4\U0001f5d1-\U0001f5d3"
    "\U0001f5dc-\U0001f5de\U0001f5e1\U0001f5e3\U0001f5e8\U0001f5ef\U0001f5f3\U0001f5fa\U0001f6cb"
    "\U0001f6cd-\U0001f6cf\U0001f6e0-\U0001f6e5\U0001f6e9\U0001f6f0\U0001f6f3"
)
_SKIN: Final = "[\U0001f3fb-\U0001f3ff]"
# One emoji of a joined sequence, and what such sequences go on with.
_JOINING: Final = f"(?:[{_TEXT_EMOJI}]\ufe0f|[\U0001f300-\U0001faff])"
_JOINED: Final = (
    "(?:[\u2640\u2642\u27a1\u26a7\u2620\u2744\u2695\u2696\u2708\u2194\u2195\u2764\U0001f5e8\U0001f32b]\ufe0f"
    "|[\U0001f4a5\U0001f525\U0001fa79\U0001f7eb\U0001f7e9\U0001f308\u2b1b\U0001f9ba\U0001f33e\U0001f373\U0001f37c"
    "\U0001f393\U0001f3a4\U0001f3a8\U0001f3eb\U0001f3ed\U0001f466-\U0001f469\U0001f48b\U0001f4bb\U0001f4bc\U0001f527"
    "\U0001f52c\U0001f680\U0001f692\U0001f91d\U0001f9af-\U0001f9b3\U0001f9bc\U0001f9bd\U0001f4a8\U0001f4ab"
    f"\U0001f384\U0001f9d1\U0001f9d2\U0001fa70]){_SKIN}?"
)
_EMOJI: Final = (
    f"{_JOINING}{_SKIN}?(?:\u200d{_JOINED})+|[{_TEXT_EMOJI}]\ufe0f|[0-9#*]\ufe0f\u20e3"
    "|\U0001f3f4(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073))\U000e007f"
)
# Arabic letters that join on both sides, with marks; consonants behind the virama of some Indian scripts.
_ARABIC: Final = (
    "[\u0620\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf"
    "\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1\u06fa-\u06fc][\u064b-\u065f\u0670]*\u200c(?=[\u0620-\u064a\u066e-\u06d3])"
)
_INDIAN: Final = (
    "(?:\u094d[\u200c\u200d](?=[\u0904-\u0939\u0958-\u0961])|\u09cd[\u200c\u200d](?=[\u0985-\u09b9\u09dc-\u09e1])"
    "|\u0d4d[\u200c\u200d](?=[\u0d05-\u0d3a])|\u0dca\u200d(?=[\u0d9a-\u0dc6]))"
)
_SEEN_OR_HIDDEN: Final = re.compile(f"({_EMOJI}|{_ARABIC}|{_INDIAN})|[{_HIDDEN}]")
_ANY: Final = re.compile(f"[{_HIDDEN}]")


def replace_invisible(text: str) -> str:
    """The text with a blank in place of every character that Claude Code does not show."""
    if _ANY.search(text) is None:
        return text
    return _SEEN_OR_HIDDEN.sub(lambda found: found[1] or " ", _ESCAPED.sub("", text))
