"""What in a piece of HTML could act: the test's own reading of it, independent of the sanitiser."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_ACTIVE = (
    "applet audio base button canvas dialog embed fieldset form frame frameset iframe input link math "
    "meta noscript object option param plaintext portal script select source style svg template textarea "
    "title track video xmp"
)
ACTIVE_TAGS = frozenset(_ACTIVE.split())
SAFE_ATTRIBUTES = frozenset(
    (
        "alt",
        "align",
        "aria-label",
        "class",
        "colspan",
        "href",
        "id",
        "rel",
        "role",
        "rowspan",
        "start",
        "title",
    )
)
OUR_CLASSES = re.compile(r"highlight|sp-(?:h[1-6]|task|scroll|unlinked|image|plain)|[a-z][a-z0-9]{0,2}")
SAFE_URL = re.compile(r"(?:https?://|mailto:|#|\.\./)", re.IGNORECASE)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.live: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag in ACTIVE_TAGS:
            self.live.append(f"<{tag}>")
        for name, value in attrs:
            if name not in SAFE_ATTRIBUTES:
                self.live.append(f"<{tag} {name}>")
            elif name == "href" and not SAFE_URL.match(re.sub(r"[\x00-\x20]", "", value or "")):
                self.live.append(f"<{tag} href={value}>")
            elif name == "class" and not OUR_CLASSES.fullmatch(value or ""):
                self.live.append(f"<{tag} class={value}>")
            elif name == "id" and not (value or "").startswith("s-"):
                self.live.append(f"<{tag} id={value}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_comment(self, data: str) -> None:
        self.live.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.live.append(f"<!{decl}>")

    def handle_pi(self, data: str) -> None:
        self.live.append(f"<?{data}>")


def find_live(html: str) -> list[str]:
    """Everything in rendered Markdown that is not plain content."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.live
