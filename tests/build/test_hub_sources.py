"""Another hub is asked for little, and downloaded once: what came is kept, and proven again before it is used."""

from __future__ import annotations

import functools
import http.server
import pickle
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from generator.build.federating import gather_hub
from generator.build.shelf import open_shelf
from generator.errors import SourceError
from generator.model import Owner, Sha256
from generator.read.package import Limits
from generator.read.sources.http.fetching import Remembered
from generator.sources import HubSource
from generator.verify.places import open_place
from generator.verify.run import verify
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text
from tests.build.test_sources import configured, ledger

SKILLS = ("docx", "pdf", "xlsx")
LATER = FIRST_TIME + 100_000
Answer = tuple[int, dict[str, str]]


@dataclass
class Served:
    """A hub on a plain file host that notes every request; ``faults`` are answers given once in place of the file."""

    root: Path
    url: str = ""
    asked: list[str] = field(default_factory=list)
    faults: dict[str, Answer] = field(default_factory=dict)

    def taken(self) -> list[str]:
        """The requests since the last call."""
        found, self.asked = self.asked, []
        return found


@contextmanager
def serving(root: Path) -> Iterator[Served]:
    state = Served(root)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing."""

        def do_GET(self) -> None:
            state.asked.append(self.path)
            fault = state.faults.pop(self.path, None)
            if fault is None:
                super().do_GET()
                return
            self.send_response(fault[0])
            for name, value in fault[1].items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

    handler = functools.partial(Handler, directory=str(root / "public"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        state.url = f"http://127.0.0.1:{server.server_address[1]}"
        yield state
        server.shutdown()


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path / "remote") as state:
        for number, version in enumerate(("1.0.0", "1.1.0")):
            publish(state, version, FIRST_TIME + number * 1000)
        state.taken()
        yield state


def publish(state: Served, version: str, now: int, names: tuple[str, ...] = SKILLS) -> None:
    hub = LittleHub(state.root, layout="exploded", owner="alice", url=state.url)
    for name in names:
        hub.put(
            f"skills/{name}", {"SKILL.md": skill_text(name, version=version), "a.txt": f"{version}\n" * 99}
        )
    hub.build(now)


def mirror(tmp_path: Path, state: Served) -> LittleHub:
    return configured(tmp_path / "mine", f"  - {{type: hub, url: '{state.url}'}}")


def downloads(asked: list[str]) -> list[str]:
    return sorted(path.removeprefix("/dl/alice/") for path in asked if path.startswith("/dl/"))


def test_an_unchanged_hub_is_asked_two_things(tmp_path: Path, remote: Served) -> None:
    hub = mirror(tmp_path, remote)
    assert hub.build(LATER).skills == 3
    assert len(downloads(remote.taken())) == 6
    before = hub.files()
    assert hub.build(LATER + 5).files_written == 0
    assert remote.taken() == ["/.well-known/clawhub.json", "/hub.json"]
    assert hub.files() == before
    assert verify(open_place(str(hub.out))).failures == ()


def test_only_what_is_new_is_downloaded(tmp_path: Path, remote: Served) -> None:
    hub = mirror(tmp_path, remote)
    hub.build(LATER)
    publish(remote, "1.2.0", FIRST_TIME + 9000, ("pdf",))
    remote.taken()
    hub.build(LATER + 5)
    asked = remote.taken()
    assert downloads(asked) == ["pdf-1.2.0.zip"]
    assert [path for path in asked if path.startswith("/ledger/")] == [
        "/ledger/index.json", "/ledger/alice/pdf.jsonl",
    ]  # fmt: skip
    assert [one.version for one in ledger(hub, "alice/pdf")] == ["1.0.0", "1.1.0", "1.2.0"]


def shelf_of(hub: LittleHub) -> Path:
    (found,) = (hub.out / ".skillpress/hubs").iterdir()
    return found


def each(folder: str, change: Callable[[Path], object]) -> Callable[[Path], None]:
    def apply(shelf: Path) -> None:
        for path in sorted((shelf / folder).iterdir()):
            change(path)

    return apply


DAMAGES = {
    # name: what happens to the kept files, downloads of the next build
    "archives are cut off": (each("archives", lambda path: path.write_bytes(path.read_bytes()[:-1])), 6),
    "archives are changed": (each("archives", lambda path: path.write_bytes(path.read_bytes()[::-1])), 6),
    "archives are folders": (each("archives", lambda path: (path.unlink(), path.mkdir(), path.rmdir())), 6),
    "documents are changed": (each("documents", lambda path: path.write_bytes(path.read_bytes() + b"x")), 0),
    "documents are empty": (each("documents", lambda path: path.write_bytes(b"")), 0),
    "the state is no JSON": (lambda shelf: (shelf / "state.json").write_bytes(b"{"), 0),
    "the state is a list": (lambda shelf: (shelf / "state.json").write_bytes(b"[]"), 0),
    "everything is gone": (shutil.rmtree, 6),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_what_is_kept_is_never_trusted(tmp_path: Path, remote: Served, name: str) -> None:
    damage, count = DAMAGES[name]
    hub = mirror(tmp_path, remote)
    hub.build(LATER)
    before = hub.files()
    damage(shelf_of(hub))
    remote.taken()
    assert hub.build(LATER + 5).files_written == 0
    assert len(downloads(remote.taken())) == count
    assert hub.files() == before


def test_an_archive_that_did_not_come_is_fetched_by_the_next_build_and_no_other(
    tmp_path: Path, remote: Served
) -> None:
    remote.faults["/dl/alice/pdf-1.1.0.zip"] = (404, {})
    hub = mirror(tmp_path, remote)
    summary = hub.build(LATER)
    assert [one.code for one in summary.source_findings] == ["hub-answer-missing"]
    assert [one.version for one in ledger(hub, "alice/pdf")] == ["1.0.0"]
    remote.taken()
    assert hub.build(LATER + 5).source_findings == ()
    assert downloads(remote.taken()) == ["pdf-1.1.0.zip"]
    assert [one.version for one in ledger(hub, "alice/pdf")] == ["1.0.0", "1.1.0"]


def test_a_hub_that_asks_to_come_back_later_is_waited_for(tmp_path: Path, remote: Served) -> None:
    remote.faults["/dl/alice/pdf-1.1.0.zip"] = (429, {"Retry-After": "1"})
    hub = mirror(tmp_path, remote)
    assert hub.build(LATER).source_findings == ()
    assert downloads(remote.taken()).count("pdf-1.1.0.zip") == 2


def test_what_came_before_a_build_was_stopped_is_not_fetched_again(tmp_path: Path, remote: Served) -> None:
    hub = mirror(tmp_path, remote)
    hub.build(LATER)
    # As a build leaves it that was killed while it read: archives, no state, no output.
    shelf = shelf_of(hub)
    shutil.move(shelf, tmp_path / "kept")
    shutil.rmtree(hub.out)
    shutil.copytree(tmp_path / "kept", shelf)
    (shelf / "state.json").unlink()
    gone = min((shelf / "archives").iterdir())
    gone.unlink()
    remote.taken()
    hub.build(LATER)
    assert len(downloads(remote.taken())) == 1


def test_what_no_release_needs_is_removed(tmp_path: Path, remote: Served) -> None:
    hub = mirror(tmp_path, remote)
    hub.build(LATER)
    archives = shelf_of(hub) / "archives"
    before = {path.name for path in archives.iterdir()}
    (archives / ("0" * 64)).write_bytes(b"old")
    hub.build(LATER + 5)
    assert {path.name for path in archives.iterdir()} == before
    assert len(before) == 6


def test_packages_are_not_held_in_memory(tmp_path: Path, remote: Served) -> None:
    gathered = gather_hub(HubSource(remote.url, remote.url, ""), str(tmp_path), Limits())
    assert len(gathered.folders) == 3
    held = len(pickle.dumps(gathered.reader))
    package, notes = gathered.reader.read("alice/pdf", Limits())
    assert package is not None
    assert notes == ()
    assert not any(file.data in pickle.dumps(gathered.reader) for file in package.files)
    assert held < 20_000
    # The file may vanish between two steps of a build.
    for path in tmp_path.glob("hubs/*/archives/*"):
        path.unlink()
    package, (note,) = gathered.reader.read("alice/pdf", Limits())
    assert package is None
    assert "has vanished" in note.message


@pytest.mark.parametrize("part", ["", "archives", "documents"])
def test_a_symbolic_link_in_the_way_is_not_followed(tmp_path: Path, part: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    place = tmp_path / "shelf" / part if part else tmp_path / "shelf"
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SourceError, match="symbolic link"):
        open_shelf(str(tmp_path / "shelf"))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_document_is_only_its_own_address(tmp_path: Path) -> None:
    shelf = open_shelf(str(tmp_path / "shelf"))
    known = Remembered(b"body\nwith\0bytes", '"1"', "yesterday")
    shelf["https://hub.example/a"] = known
    assert shelf.get("https://hub.example/a") == known
    assert shelf.get("https://hub.example/b") is None
    (one,) = (tmp_path / "shelf/documents").iterdir()
    shelf["https://hub.example/b"] = Remembered(b"other")
    other = next(path for path in (tmp_path / "shelf/documents").iterdir() if path != one)
    shutil.copy(one, other)
    assert shelf.get("https://hub.example/b") is None


def test_other_files_under_a_version_that_came_before_are_told(tmp_path: Path) -> None:
    shelf = open_shelf(str(tmp_path / "shelf"))
    key = (Owner("alice"), "pdf", "1.0.0")
    first, other = Sha256("1" * 64), Sha256("2" * 64)
    assert shelf.give(*key, first, "content")  # type: ignore[arg-type]
    assert shelf.give(*key, other, "content"), "another packing of the same files is no change"  # type: ignore[arg-type]
    assert not shelf.give(*key, first, "other content")  # type: ignore[arg-type]
    shelf.store()
    again = open_shelf(str(tmp_path / "shelf"))
    assert again.receipts == shelf.receipts
    assert again.taken(*key) == first  # type: ignore[arg-type]
    assert not again.give(*key, other, "other content")  # type: ignore[arg-type]
