"""Who and what a skill is: name, description, license, author, homepage, emoji.

The limits on name and description are those of the Agent Skills specification (name: 64 characters of
``a-z``, ``0-9`` and single hyphens; description: 1,024 characters, counted in code points).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from generator.read.fields import Notes, Place, Spelled, first_text, fold, look_up, text_of, wrong_type
from generator.read.licenses import to_spdx
from generator.read.nodes import (
    LINE_BREAK,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    kind_of,
    place_inside,
)
from generator.read.yamladvice import quoted

MAX_NAME: Final = 64
MAX_DESCRIPTION: Final = 1024
_MAX_EMOJI: Final = 16
_MAX_URL: Final = 2048

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_URL: Final = re.compile(r"https?://[^\s<>\"'\\^`{|}]+", re.IGNORECASE)
_MARKUP: Final = re.compile("[<>\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_SPECIAL_WORDS: Final = {
    "ai": "AI",
    "api": "API",
    "aws": "AWS",
    "cli": "CLI",
    "css": "CSS",
    "csv": "CSV",
    "docx": "DOCX",
    "gcp": "GCP",
    "github": "GitHub",
    "html": "HTML",
    "http": "HTTP",
    "json": "JSON",
    "llm": "LLM",
    "mcp": "MCP",
    "ocr": "OCR",
    "pdf": "PDF",
    "pptx": "PPTX",
    "rag": "RAG",
    "sdk": "SDK",
    "seo": "SEO",
    "sql": "SQL",
    "svg": "SVG",
    "ui": "UI",
    "url": "URL",
    "ux": "UX",
    "xlsx": "XLSX",
    "xml": "XML",
    "yaml": "YAML",
}


def read_name(notes: Notes, front: Place, folder: str) -> str | None:
    """The front matter's ``name``, stripped; None where it is missing."""
    name = _single(notes, front, "name")
    folder_name = folder.rpartition("/")[2]
    node = front.root.index.get("name")
    if name is None:
        message = f"The front matter has no name{_other_case(front, 'name')}"
        fix = f"Write name: {folder_name}" if folder_name else "Write name: with a short word for the skill."
        notes.add("name-missing", front.path, node or front.root, message, fix)
        return None
    if len(name) > MAX_NAME or not _NAME.fullmatch(name):
        rule = f"portable names are up to {MAX_NAME} a-z, 0-9 and single hyphens"
        message = f"The name {name[:80]!r} {_why_no_name(name)}; {rule}"
        portable = _portable(name)
        fix = f"Write name: {portable}" if portable else "Use lower-case words joined by hyphens."
        notes.add("name-invalid-format", front.path, node, message, fix)
    if folder_name and folder_name != name:
        message = f"The name is {name[:80]!r} and the folder {folder_name[:80]!r}"
        fix = f"Give both the same spelling, for instance name: {folder_name[:80]}"
        notes.add("name-directory-mismatch", front.path, node, message, fix)
    return name


def _why_no_name(name: str) -> str:
    """What keeps a name from being portable, as the rest of a sentence."""
    if len(name) > MAX_NAME:
        return f"has {len(name)} characters"
    if (odd := re.search("[^a-z0-9-]", name)) is not None:
        return f"contains {'a blank' if odd[0].isspace() else repr(odd[0])}"
    return "has a hyphen too many"


def _portable(name: str) -> str:
    """A portable name as close as can be; empty where nothing is left of it."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub("[^a-z0-9]+", "-", plain).strip("-")[:MAX_NAME].rstrip("-")


def read_description(notes: Notes, front: Place, text: str) -> str:
    """The front matter's ``description`` on one line; "" (with a finding that bars) where there is none.

    ``text`` is the front matter as written, to see where a comment cut the description off.
    """
    node = front.root.index.get("description")
    description = _single(notes, front, "description")
    if description is None or not _visible(description):
        what = "The description is empty" if node is not None else "The front matter has no description"
        message = f"{what}{_other_case(front, 'description')}"
        fix = "Write description: with what the skill does and when to use it."
        notes.add("description-empty", front.path, node or front.root, message, fix)
        return ""
    if len(description) > MAX_DESCRIPTION:
        message = f"The description has {len(description):,} characters; the specification allows 1,024"
        over = len(description) - MAX_DESCRIPTION
        fix = f"Shorten it by {over:,} characters; move details into the body."
        notes.add("description-too-long", front.path, node, message, fix)
    if (found := _MARKUP.search(description)) is not None and isinstance(node, ScalarNode):
        shown = found[0] if found[0] in "<>" else f"the invisible character U+{ord(found[0]):04X}"
        message = f"The description contains {shown}; some hosts refuse it (claude.ai upload) or change it"
        fix = (
            "Use plain words." if found[0] in "<>" else "Delete the character; retyping the line is easiest."
        )
        tag = re.match("<[^<>]{0,60}>", description[found.start() :])
        place = place_inside(text, node, found[0], 2)
        written = tag[0] if tag is not None else found[0]
        notes.add_at("description-markup-or-invisible", front.path, place, written, message, fix)
    if isinstance(node, ScalarNode) and node.style == "plain" and "#" in text:
        _tell_comment(notes, front, node, text)
    return description


def _tell_comment(notes: Notes, front: Place, node: ScalarNode, text: str) -> None:
    lines = LINE_BREAK.split(text)
    # The front matter's first line is line 2 of the file.
    line = lines[node.line - 2] if 0 <= node.line - 2 < len(lines) else ""
    rest = line[node.column - 1 :]
    if (cut := re.search(r"[ \t]#", rest)) is not None:
        lost = rest[cut.start() + 1 :].rstrip()
        message = f"Everything from {lost[:40]!r} on is a comment and lost"
        fix = f"Put the value in double quotes: description: {quoted(rest.rstrip())[:300]}"
        place = (node.line, node.column + cut.start() + 1)
        notes.add_at("yaml-comment-truncation", front.path, place, lost, message, fix)


def prettify(name: str) -> str:
    """A title made of a name: ``pdf-tools`` -> ``PDF Tools``; names with their own look are kept."""
    if not re.fullmatch(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*", name):
        return name
    words = re.split(r"[-_.]", name)
    return " ".join(_SPECIAL_WORDS.get(word) or word.capitalize() for word in words)


def read_license(notes: Notes, places: Sequence[Place]) -> tuple[str | None, str | None]:
    """SPDX expression (None where unknown), and the author's own words."""
    found = first_text(notes, places, ("license", "licence"), _license_text, lambda t: to_spdx(t) or t)
    if found is None:
        return None, None
    text, spelled = found
    spdx = to_spdx(text)
    if spdx is None:
        message = f"{text[:60]!r} is not a license identifier we know"
        fix = "Write an SPDX identifier such as MIT or Apache-2.0."
        notes.add("license-unknown", spelled.place.path, spelled.node, message, fix)
    return spdx, text


def _license_text(notes: Notes, spelled: Spelled) -> str | None:
    # package.json's old form: {type: MIT, url: ...}.
    inner = _inner(spelled, ("name", "type", "id"))
    return text_of(notes, inner)


def read_author(notes: Notes, places: Sequence[Place]) -> str | None:
    """The author as a text, a mapping with ``name``, or a list of either."""
    found = first_text(notes, places, ("author", "authors"), _author_text, str.casefold)
    return found[0] if found else None


def _author_text(notes: Notes, spelled: Spelled) -> str | None:
    nodes: Sequence[Node] = spelled.node.items if isinstance(spelled.node, SequenceNode) else (spelled.node,)
    texts = (text_of(notes, _inner(Spelled(spelled.place, spelled.key, node), ("name",))) for node in nodes)
    return ", ".join(text for text in texts if text) or None


def read_homepage(notes: Notes, places: Sequence[Place]) -> str | None:
    """An http or https address; anything else is no link."""
    found = first_text(notes, places, ("homepage", "website"), _http_url, lambda url: url.rstrip("/"))
    return found[0] if found else None


def _http_url(notes: Notes, spelled: Spelled) -> str | None:
    url = text_of(notes, spelled)
    if url is None:
        return None
    try:
        good = len(url) <= _MAX_URL and _URL.fullmatch(url) is not None and bool(urlsplit(url).hostname)
    except ValueError:
        good = False
    if good and _visible(url) and not any(unicodedata.category(c) in ("Cf", "Cc") for c in url):
        return url
    message = f"{spelled.label} is not an http or https address: {url[:60]!r}"
    notes.add(
        "homepage-not-http", spelled.place.path, spelled.node, message, "Write a full https:// address."
    )
    return None


def read_emoji(notes: Notes, places: Sequence[Place]) -> str | None:
    """A short symbol for the skill."""
    found = first_text(notes, places, ("emoji",), _emoji_text)
    return found[0] if found else None


def _emoji_text(notes: Notes, spelled: Spelled) -> str | None:
    text = text_of(notes, spelled)
    if text is not None and len(text) > _MAX_EMOJI:
        wrong_type(notes, spelled, "one emoji")
        return None
    return text


def _single(notes: Notes, front: Place, key: str) -> str | None:
    found = look_up((front,), (key,))
    if not found:
        return None
    if isinstance(found[0].node, ScalarNode):
        return fold(found[0].node.value) or None
    message = f"{key} holds {kind_of(found[0].node)} where text belongs"
    notes.add("field-wrong-type", front.path, found[0].node, message, f"Write {key} as text.")
    return None


def _inner(spelled: Spelled, keys: Sequence[str]) -> Spelled:
    """The field itself, or its part under one of ``keys`` where it is a mapping."""
    node = spelled.node
    if isinstance(node, MappingNode):
        for key in keys:
            if key in node.index:
                return Spelled(spelled.place, spelled.key, node.index[key])
    return spelled


def _other_case(front: Place, key: str) -> str:
    other = next((k.value for k, _ in front.root.entries if k.value != key and k.value.lower() == key), None)
    return f", but a key {other}; keys are lower-case" if other else ""


def _visible(text: str) -> bool:
    return any(not c.isspace() and unicodedata.category(c) not in ("Cf", "Cc") for c in text)
