"""Full text search with the Pagefind program, where the operator has installed it.

Spoken to through its service pipe (``pagefind --service``, read from npm's ``pagefind`` 1.6.0, ``lib/service.js`` and
``types/internal.d.ts``): each message is JSON in base64 and ends with a comma; a request is ``{message_id, payload:
{type, ...}}``, its answer has the same ``message_id`` and a payload of a ``type``, ``Error`` with a ``message``
where it failed. Its Python package is not used: it waits 0.1 s for every record.

Records of one language make one index. Chinese, Japanese and Korean need the extended program (``pagefind_extended``;
npm has only that one), or words in them are not found. A page reads English and merges the others, with
``pagefind.mergeIndex(base + "./", {language: "zh"})`` for each language of ``pagefind-entry.json``: without the ``./``
Pagefind takes it for the index that it reads already.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Final

from generator.errors import SkillpressError
from generator.jsondata import dump_bytes
from generator.model import Listing

FOLDER: Final = "/search/pagefind"
"""Where the files lie below the hub's base."""
MAX_FRAGMENTS: Final = 2_000
"""Files of results a language, at most: hosts count files."""
PROGRAMS: Final = ("pagefind_extended", "pagefind")
TIMEOUT: Final = 1_800.0
"""Seconds for everything, at most."""

_CHUNK = 1 << 16
_UNUSED = (
    "pagefind-ui",
    "pagefind-modular-ui",
    "pagefind-component-ui",
    "pagefind-highlight",
    "pagefind-playground",
)
_SPACELESS_MIN = 10
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")),
)


class PagefindError(SkillpressError):
    """The Pagefind program is not there, or does not do what it should."""


@dataclass(frozen=True, slots=True)
class Record:
    """One skill as Pagefind indexes it. ``url`` is what a result leads to, relative to the hub's base."""

    url: str
    language: str
    content: str
    meta: Mapping[str, str] = field(default_factory=dict)
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def find_program() -> str:
    """The Pagefind program on PATH, the extended one first.

    Raises:
        PagefindError: there is none.
    """
    found = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if found is None:
        raise PagefindError(
            "search.full_text: the program pagefind is not on PATH. Install it (npm: pagefind 1.6.0; PyPI: "
            "pagefind[extended]), or leave search.full_text out."
        )
    return found


def record_of(listing: Listing, body: str = "") -> Record:
    """A skill with its names, topics, summary, and the text of its ``SKILL.md`` where one is given."""
    names = dict.fromkeys((listing.display_name, listing.name, listing.slug))
    texts = (*names, *listing.topics, listing.description, body)
    content = "\n".join(text for text in texts if text)
    return Record(
        url=f"/{listing.owner}/skills/{listing.slug}/",
        language=language_of(content),
        content=content,
        meta={"title": listing.display_name, "owner": listing.owner, "slug": listing.slug},
        filters={"owner": (listing.owner,), "topic": listing.topics, "verdict": (listing.verdict.value,)},
    )


def language_of(text: str) -> str:
    """``ja``, ``ko`` or ``zh`` for a text with more than ten characters of it (kana, Hangul, Han; in this order),
    ``en`` otherwise: a stemmer for a wrong language does little harm, cut up Chinese is not found."""
    for language, script in _SCRIPTS:
        if sum(1 for _ in script.finditer(text)) > _SPACELESS_MIN:
            return language
    return "en"


def full_text_files(
    program: str, records: Iterable[Record], *, max_fragments: int = MAX_FRAGMENTS, timeout: float = TIMEOUT
) -> dict[str, bytes]:
    """What Pagefind writes for these records: paths below its folder, sorted, and their bytes. The same records in the
    same order give the same files. Its ready-made pages and styles are left out.

    Raises:
        PagefindError: the program cannot be started, refuses a record, ends early or takes longer than ``timeout``
            seconds.
    """
    try:
        process = subprocess.Popen(
            [program, "--service"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError as error:
        raise PagefindError(f"{program}: cannot be started ({error.strerror}). Install it again.") from None
    timer = threading.Timer(timeout, process.kill)
    timer.start()
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        service = _Service(program, process.stdin, _messages(process.stdout))
        index = service.ask("NewIndex", "NewIndex", config={"max_fragments": max_fragments})["index_id"]
        for record in records:
            service.ask("AddRecord", "IndexedFile", index_id=index, **_plain(record))
        files = service.ask("GetFiles", "GetFiles", index_id=index)["files"]
        return dict(sorted(
            (file["path"], base64.b64decode(file["content"]))
            for file in files
            if not file["path"].startswith(_UNUSED)
        ))  # fmt: skip
    except (KeyError, TypeError) as error:
        raise PagefindError(f"{program}: an answer without {error}. Use version 1.6.0.") from None
    finally:
        timer.cancel()
        process.kill()
        process.communicate()


@dataclass(slots=True)
class _Service:
    """The program's two pipes. One request at a time: its answer is awaited, so neither pipe can fill up."""

    program: str
    requests: IO[bytes]
    answers: Iterator[bytes]
    sent: int = 0

    def ask(self, what: str, wanted: str, **payload: object) -> dict[str, Any]:
        """The payload of the answer to one request."""
        self.sent += 1
        message = dump_bytes({"message_id": self.sent, "payload": {"type": what, **payload}})
        try:
            self.requests.write(base64.b64encode(message) + b",")
            self.requests.flush()
            answer = json.loads(base64.b64decode(next(self.answers)))
        except (OSError, StopIteration):
            raise PagefindError(
                f"{self.program}: ended before it answered {what}, request {self.sent}. Run it by itself to see why."
            ) from None
        except ValueError:
            raise PagefindError(
                f"{self.program}: does not speak as version 1.6.0 does. Install that."
            ) from None
        given = answer.get("payload") if isinstance(answer, dict) else None
        if not isinstance(given, dict):
            given = {}
        if given.get("type") != wanted or answer.get("message_id") != self.sent:
            said = given.get("message", f"answered {given.get('type')!r}")
            raise PagefindError(f"{self.program}: {what} was refused, request {self.sent}: {said}")
        return given


def _plain(record: Record) -> dict[str, object]:
    return {
        "url": record.url,
        "content": record.content,
        "language": record.language,
        "meta": dict(record.meta),
        "filters": {name: list(values) for name, values in record.filters.items() if values},
    }


def _messages(stream: IO[bytes]) -> Iterator[bytes]:
    """The messages of a stream, each up to its comma."""
    waiting: list[bytes] = []
    while chunk := stream.read1(_CHUNK):  # type: ignore[attr-defined]  # a BufferedReader
        *ends, rest = chunk.split(b",")
        for end in ends:
            yield b"".join((*waiting, end))
            waiting = []
        waiting.append(rest)
