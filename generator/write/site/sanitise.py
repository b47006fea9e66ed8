"""The boundary between authors' HTML and our pages: an allow-list, and a limit on nesting."""

from __future__ import annotations

import re

import nh3

MAX_NESTING = 1_000
"""Elements inside each other. The sanitiser's time grows with the square of the depth."""

LINK_REL = "noopener noreferrer nofollow ugc"

_TAGS = (
    "a abbr b blockquote br caption code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i "
    "img input ins kbd li mark ol p pre q s samp small span strike strong sub summary sup table tbody td tfoot "
    "th thead tr u ul var"
)
_ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "code": {"class"},
    "img": {"alt", "src", "title"},
    "input": {"checked", "type"},
    "ol": {"start"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"},
}
_LANGUAGE = re.compile(r"language-[A-Za-z0-9_+#.-]{1,40}")
_NUMBER = re.compile(r"[0-9]{1,3}")
_VALUES = {
    "align": re.compile("left|center|right"),
    "checked": re.compile(""),
    "colspan": _NUMBER,
    "rowspan": _NUMBER,
    "start": re.compile(r"[0-9]{1,9}"),
    "type": re.compile("checkbox"),
}
_OPEN_OR_CLOSE = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
_FLAT_TAGS = "area br col embed hr img input link meta p li td th tr dt dd option source wbr"
_NEVER_DEEP = frozenset(_FLAT_TAGS.split())


def _filter_attribute(_tag: str, name: str, value: str) -> str | None:
    if name == "class":
        languages = [word for word in value.split() if _LANGUAGE.fullmatch(word)]
        return languages[0] if languages else None
    allowed = _VALUES.get(name)
    return value if allowed is None or allowed.fullmatch(value) else None


_CLEANER = nh3.Cleaner(
    tags=set(_TAGS.split()),
    clean_content_tags={
        "iframe",
        "math",
        "noscript",
        "object",
        "script",
        "style",
        "svg",
        "template",
        "title",
    },
    attributes=_ATTRIBUTES,
    attribute_filter=_filter_attribute,
    strip_comments=True,
    link_rel=LINK_REL,
    url_schemes={"http", "https", "mailto"},
)


def sanitise_html(html: str) -> str | None:
    """``html`` with only what the allow-list holds, balanced; None where it nests too deeply to be worth it."""
    return None if _nests_too_deeply(html) else _CLEANER.clean(html)


def _nests_too_deeply(html: str) -> bool:
    if html.count("<") <= MAX_NESTING:
        return False
    depth = 0
    for match in _OPEN_OR_CLOSE.finditer(html):
        closes, tag = match.groups()
        if tag.lower() in _NEVER_DEEP:
            continue
        depth = max(depth - 1, 0) if closes else depth + 1
        if depth > MAX_NESTING:
            return True
    return False
