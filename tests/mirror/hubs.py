"""A hub of plain files with a change feed, and ways to fetch from it."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from generator.model import Archive, TimeMs, Version
from generator.read.sources.http.policy import Policy
from generator.read.sources.http.transport import MOST_BYTES, Response, Sink, TransportError
from generator.write.protocols.changefeed import advance, open_feed
from generator.write.protocols.changes import INDEX_FILE, STATE_FILE, mark_of
from generator.write.protocols.events import ReleaseStanding, SkillStanding
from tests.hubs import read_tree
from tests.samples import sha256

URL = "https://hub.example/shelf"
PATIENCE = Policy(attempts=2, first_wait=0, longest_wait=0)
"""Tests wait for nobody."""

FILES: Mapping[str, bytes] = {
    "index.html": b"<h1>Hub</h1>",
    "router.json": b"{}",
    "robots.txt": b"",
    ".well-known/clawhub.json": b"{}",
    "api/v1/skills/index.html": b'{"items":[]}',
    "api/v1/skills/demo-skill/index.html": b'{"skill":1}',
    "dl/lab/demo-skill-1.0.0.zip": b"PK\0\1",
    "ledger/index.json": b'{"heads":{}}',
    "ledger/lab/demo-skill.jsonl": b"{}\n",
    "lab/skills/demo-skill/index.html": b"page",
}


@dataclass(slots=True)
class PlainHub:
    """The output folder of builds that write what they are told."""

    root: Path
    versions: list[str] = field(default_factory=lambda: ["1.0.0"])

    def build(self, changed: Mapping[str, bytes | None], *, feed: bool = True) -> None:
        """Write and remove files, then the feed and the root document, as a build does."""
        for path, data in changed.items():
            target = self.root / path
            if data is None:
                target.unlink()
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
        documents = {}
        if feed:
            self._write_feed(changed)
            documents = {f"/{INDEX_FILE}": sha256((self.root / INDEX_FILE).read_bytes())}
        root = {
            "schema": "skillpress.hub.v1", "url": URL, "naming": "index.html",
            "documents": {**documents, "/router.json": sha256((self.root / "router.json").read_bytes())},
        }  # fmt: skip
        (self.root / "hub.json").write_bytes(json.dumps(root).encode())

    def _write_feed(self, changed: Mapping[str, bytes | None]) -> None:
        index = self.root / INDEX_FILE
        before = None
        if index.exists():
            before = open_feed(index.read_bytes(), (self.root / STATE_FILE).read_bytes(), lambda _: None)
        releases = tuple(
            ReleaseStanding(Version(one), TimeMs(1), sha256(one.encode()), Archive(sha256(b"zip"), 4))
            for one in self.versions
        )
        _, routes, dropped = advance(
            before,
            {path: mark_of(data) for path, data in changed.items() if data is not None},
            [path for path, data in changed.items() if data is None],
            {"lab/demo-skill": SkillStanding(releases, Version(self.versions[-1]))},
            TimeMs(1),
        )
        for route in routes:
            target = self.root / route.path[1:]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(route.body)
        for path in dropped:
            (self.root / path).unlink()

    def rebuild_from_nothing(self) -> None:
        """What happens where the output was lost and built again: the feed starts anew."""
        shutil.rmtree(self.root / "changes")
        self.build({path: data for path, data in self.files().items() if path != "hub.json"})

    def files(self) -> dict[str, bytes]:
        """Every file of the hub."""
        return read_tree(self.root)


def first_hub(root: Path) -> PlainHub:
    """A hub after its first build."""
    hub = PlainHub(root)
    hub.build(FILES)
    return hub


@dataclass(slots=True)
class FolderTransport:
    """Answers from a folder as a host of files does; ``raw`` as our server: documents of the API, and storage,
    are at their path only below ``tree/``. ``before`` is called ahead of each answer and may change the hub."""

    root: Path
    raw: bool = False
    before: Callable[[str], Response | None] = lambda _: None
    asked: list[str] = field(default_factory=list)

    def get(
        self, url: str, headers: Mapping[str, str], *, most: int = MOST_BYTES, into: Sink | None = None
    ) -> Response:
        """The answer to a GET."""
        path = unquote(urlsplit(url).path).removeprefix("/shelf/")
        self.asked.append(path)
        if (said := self.before(path)) is not None:
            if into is not None and into.take(said.status, said.body):
                return replace(said, body=b"")
            return said
        if self.raw and path.startswith("tree/"):
            path = path.removeprefix("tree/")
        elif self.raw and path.startswith("api/v1/"):
            return Response(200, {}, b'{"made":"for this request"}')
        file = self.root / path
        if not file.is_file():
            return Response(404, {}, b"Not found")
        body = file.read_bytes()
        if len(body) > most:
            raise TransportError(f"the answer has over {most:,} bytes", again=False)
        etag = {"etag": f'"{hashlib.sha256(body).hexdigest()}"'}
        return Response(200, etag, b"" if into is not None and into.take(200, body) else body)
