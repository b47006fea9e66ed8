"""A mirror ends byte for byte equal to its hub, in few requests, whatever happens on the way."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from generator.errors import SkillpressError
from generator.history.ledger import append_release, head_of, write_ledger
from generator.mirror.remote import MirrorError
from generator.mirror.run import ATTEMPTS, UNFINISHED, MirrorReport, Way, mirror
from generator.model import Archive, Release, ScanVerdict, TimeMs
from generator.read.sources.http.transport import HttpTransport, Response
from generator.write.protocols.changefeed import advance
from generator.write.protocols.changes import KEPT, mark_of
from tests.hubs import read_tree
from tests.mirror.hubs import FILES, PATIENCE, URL, FolderTransport, PlainHub, first_hub
from tests.samples import make_release


@pytest.fixture
def hub(tmp_path: Path) -> PlainHub:
    return first_hub(tmp_path / "hub")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy"


def run(
    hub: PlainHub, copy: Path, *, check: bool = False, raw: bool = False, back: bool = False
) -> MirrorReport:
    """Mirror, and check that the folder is equal now."""
    report = mirror(
        URL, str(copy), FolderTransport(hub.root, raw), check=check, allow_rollback=back, policy=PATIENCE
    )
    assert read_tree(copy, without={".skillpress"}) == hub.files()
    assert not (copy / UNFINISHED).exists()
    return report


@pytest.mark.parametrize("raw", [False, True])
def test_a_new_mirror(hub: PlainHub, copy: Path, raw: bool) -> None:
    report = run(hub, copy, raw=raw)
    assert (report.way, report.sequence, report.fetched, report.whole) == (Way.COMPARED, 1, len(FILES), True)


def test_a_mirror_that_is_current_asks_once(hub: PlainHub, copy: Path) -> None:
    run(hub, copy)
    report = run(hub, copy)
    assert (report.way, report.requests, report.fetched) == (Way.CURRENT, 1, 0)


def test_an_update_takes_a_few_requests(hub: PlainHub, copy: Path) -> None:
    run(hub, copy)
    hub.versions.append("1.1.0")
    hub.build({"dl/lab/demo-skill-1.1.0.zip": b"PK new", "lab/skills/demo-skill/index.html": b"new page"})
    report = run(hub, copy)
    assert (report.way, report.sequence, report.fetched) == (Way.CHANGES, 2, 2)
    assert report.requests == 3 + 2, "root, index, one change, two files"


def test_several_builds_behind(hub: PlainHub, copy: Path) -> None:
    run(hub, copy)
    for number in range(5):
        hub.build({"index.html": b"%d" % number, f"new{number}.html": b"x"})
    hub.build({"new0.html": None, "robots.txt": b"User-agent: *"})
    report = run(hub, copy)
    assert (report.way, report.sequence) == (Way.CHANGES, 7)
    assert (report.fetched, report.removed) == (6, 0), "what came and went in between is never fetched"


def test_removed_files_and_their_folders_go(hub: PlainHub, copy: Path) -> None:
    run(hub, copy)
    hub.build({"lab/skills/demo-skill/index.html": None, "api/v1/skills/demo-skill/index.html": None})
    assert run(hub, copy).removed == 2
    assert not (copy / "lab").exists()
    assert (copy / "api/v1/skills").is_dir()


def test_a_file_becomes_a_folder_and_back(hub: PlainHub, copy: Path) -> None:
    run(hub, copy)
    hub.build({"robots.txt": None})
    hub.build({"robots.txt/index.html": b"x"})
    run(hub, copy)
    hub.build({"robots.txt/index.html": None})
    (hub.root / "robots.txt").rmdir()
    hub.build({"robots.txt": b"y"})
    run(hub, copy)


def test_only_the_root_document_differs(hub: PlainHub, copy: Path) -> None:
    run(hub, copy)
    root = json.loads((hub.root / "hub.json").read_bytes())
    (hub.root / "hub.json").write_bytes(json.dumps({**root, "generator": "skillpress 9"}).encode())
    assert run(hub, copy).fetched == 0


def test_further_behind_than_the_changes_that_are_kept(hub: PlainHub, copy: Path) -> None:
    run(hub, copy)
    for number in range(KEPT + 1):
        hub.build({"index.html": b"%d" % number})
    report = run(hub, copy)
    assert (report.way, report.fetched) == (Way.COMPARED, 1)


def test_a_hub_that_was_built_anew(hub: PlainHub, copy: Path) -> None:
    hub.build({"index.html": b"2"})
    hub.build({"extra.html": b"3"})
    run(hub, copy)
    hub.build({"extra.html": None})
    hub.rebuild_from_nothing()
    report = run(hub, copy, back=True)
    assert (report.way, report.sequence, report.removed) == (Way.COMPARED, 1, 1)


DAMAGE = {
    "a file edited": {"index.html": b"evil"},
    "a file missing": {"dl/lab/demo-skill-1.0.0.zip": None},
    "a file more": {"lab/extra.html": b"x"},
    "the feed's state edited": {"changes/state.json": b"{}"},
    "the feed's index missing": {"changes/index.json": None},
    "a change missing": {"changes/1.json": None},
    "a change more": {"changes/9.json": b"x"},
    "the root document missing": {"hub.json": None},
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_mirror_is_mended_by_a_check(hub: PlainHub, copy: Path, name: str) -> None:
    run(hub, copy)
    for path, data in DAMAGE[name].items():
        if data is None:
            (copy / path).unlink()
        else:
            (copy / path).write_bytes(data)
    assert run(hub, copy, check=True).way is Way.COMPARED


def test_links_in_a_mirror_are_not_followed(hub: PlainHub, copy: Path, tmp_path: Path) -> None:
    run(hub, copy)
    outside = tmp_path / "outside.html"
    outside.write_bytes(FILES["index.html"])
    (copy / "index.html").unlink()
    (copy / "index.html").symlink_to(outside)
    run(hub, copy, check=True)
    assert not (copy / "index.html").is_symlink()
    assert outside.read_bytes() == FILES["index.html"]


def test_what_is_hidden_at_the_top_is_left_alone(hub: PlainHub, copy: Path) -> None:
    run(hub, copy)
    (copy / ".git").mkdir()
    (copy / ".git/config").write_bytes(b"x")
    mirror(URL, str(copy), FolderTransport(hub.root), check=True, policy=PATIENCE)
    assert (copy / ".git/config").read_bytes() == b"x"


# --- on the way ------------------------------------------------------------------------------------


class KilledError(Exception):
    """Stands for the end of the process."""


def test_killed_at_any_request_it_goes_on_and_what_was_there_still_answers(
    hub: PlainHub, tmp_path: Path
) -> None:
    hub.versions.append("1.1.0")
    changed = {
        "dl/lab/demo-skill-1.1.0.zip": b"PK new",
        "index.html": b"new",
        "new/page.html": b"x",
        "robots.txt": None,
    }
    old = hub.files()
    for number in range(1, 9):
        site = PlainHub(tmp_path / f"hub{number}", list(hub.versions[:1]))
        for path, data in old.items():
            (site.root / path).parent.mkdir(parents=True, exist_ok=True)
            (site.root / path).write_bytes(data)
        copy = tmp_path / f"copy{number}"
        run(site, copy)
        site.versions.append("1.1.0")
        site.build(changed)
        count = iter(range(1, 1000))

        def kill(_: str, count: Iterator[int] = count, number: int = number) -> Response | None:
            if next(count) == number:
                raise KilledError
            return None

        with contextlib.suppress(KilledError):
            mirror(URL, str(copy), FolderTransport(site.root, before=kill), policy=PATIENCE)
        if (copy / UNFINISHED).exists():
            assert (copy / "hub.json").read_bytes() == old["hub.json"]
            assert (copy / "dl/lab/demo-skill-1.0.0.zip").read_bytes() == FILES["dl/lab/demo-skill-1.0.0.zip"]
        run(site, copy)


def test_what_a_killed_mirror_left_is_not_fetched_again(hub: PlainHub, copy: Path) -> None:
    def kill(path: str) -> Response | None:
        if path == "router.json":
            raise KilledError
        return None

    with pytest.raises(KilledError):
        mirror(URL, str(copy), FolderTransport(hub.root, before=kill), policy=PATIENCE)
    assert not (copy / "hub.json").exists()
    assert run(hub, copy).fetched == 1


def test_a_killed_mirror_does_not_trust_what_its_feed_says(hub: PlainHub, copy: Path) -> None:
    """What it had fetched may be undone by the hub before it goes on."""
    run(hub, copy)
    hub.build({"index.html": b"2", "brief.html": b"x", "router.json": b"{2}"})

    def kill(path: str) -> Response | None:
        if path == "router.json":
            raise KilledError
        return None

    with pytest.raises(KilledError):
        mirror(URL, str(copy), FolderTransport(hub.root, before=kill), policy=PATIENCE)
    assert (copy / "brief.html").exists()
    hub.build({"index.html": FILES["index.html"], "brief.html": None})
    run(hub, copy)


def test_a_build_ends_while_it_is_mirrored(hub: PlainHub, copy: Path) -> None:
    run(hub, copy)
    hub.build({"index.html": b"2", "router.json": b"{2}"})
    done: list[str] = []

    def rebuild(path: str) -> Response | None:
        if path == "index.html" and not done:
            done.append(path)
            hub.build({"index.html": b"3"})
        return None

    mirror(URL, str(copy), FolderTransport(hub.root, before=rebuild), policy=PATIENCE)
    assert read_tree(copy, without={".skillpress"}) == hub.files()


# --- hubs that do not keep their word --------------------------------------------------------------

LIES = {
    "an archive of other bytes": ("dl/lab/demo-skill-1.0.0.zip", Response(200, {}, b"PK evil")),
    "an archive that is longer": ("dl/lab/demo-skill-1.0.0.zip", Response(200, {}, b"PK\0\1" + b"x" * 99)),
    "an archive that is gone": ("dl/lab/demo-skill-1.0.0.zip", Response(410, {}, b"Quarantined")),
    "a page instead of the index": ("changes/index.json", Response(200, {}, b"<html>")),
    "another state": ("changes/state.json", Response(200, {}, b'{"schema":"skillpress.state.v1"}')),
    "a change that is not the index's": ("changes/1.json", Response(200, {}, b"{}")),
    "an error of the server": ("router.json", Response(500, {}, b"")),
    "a body that breaks off": ("router.json", Response(200, {}, b"{", complete=False)),
}


@pytest.mark.parametrize("name", LIES)
def test_a_file_that_is_not_as_promised(hub: PlainHub, copy: Path, name: str) -> None:
    where, answer = LIES[name]
    asked = FolderTransport(
        hub.root, before=lambda path: answer if path.removeprefix("tree/") == where else None
    )
    with pytest.raises(MirrorError) as error:
        mirror(URL, str(copy), asked, policy=PATIENCE)
    assert where in str(error.value)
    assert asked.asked.count("hub.json") <= ATTEMPTS
    assert not (copy / "hub.json").exists(), "nothing calls this a hub yet"
    if (copy / where).exists():
        assert (copy / where).read_bytes() == hub.files()[where]
    run(hub, copy)


ROOTS = {
    "nothing": Response(404, {}, b"Not found"),
    "a page": Response(200, {}, b"<html>"),
    "a list": Response(200, {}, b"[]"),
    "deep": Response(200, {}, b"[" * 100_000),
    "another schema": Response(200, {}, b'{"schema":"skillpress.hub.v9"}'),
    "no documents": Response(200, {}, b'{"schema":"skillpress.hub.v1"}'),
    "documents of another shape": Response(200, {}, b'{"schema":"skillpress.hub.v1","documents":[]}'),
    "a promise outside": Response(
        200, {}, b'{"schema":"skillpress.hub.v1","documents":{"/../../x":"%b"}}' % (b"0" * 64)
    ),
}


@pytest.mark.parametrize("name", ROOTS)
def test_root_documents_that_are_none(hub: PlainHub, copy: Path, name: str) -> None:
    asked = FolderTransport(hub.root, before=lambda path: ROOTS[name] if path == "hub.json" else None)
    with pytest.raises(MirrorError):
        mirror(URL, str(copy), asked, policy=PATIENCE)
    assert [path for path in copy.rglob("*") if path.is_file() and ".skillpress" not in path.parts] == []


def test_a_feed_that_names_files_outside(tmp_path: Path, copy: Path) -> None:
    _, routes, _ = advance(None, {"../outside": mark_of(b"evil")}, (), {}, TimeMs(0))
    answers = {route.path[1:]: Response(200, {}, route.body) for route in routes}
    digest = mark_of(routes[-1].body).sha256
    root = {"schema": "skillpress.hub.v1", "url": URL, "documents": {"/changes/index.json": digest}}
    answers["hub.json"] = Response(200, {}, json.dumps(root).encode())
    answers["../outside"] = Response(200, {}, b"evil")
    with pytest.raises(MirrorError, match="no hub can have"):
        mirror(URL, str(copy), FolderTransport(tmp_path, before=answers.get), policy=PATIENCE)
    assert not (tmp_path / "outside").exists()


def test_a_folder_that_holds_another_hub(hub: PlainHub, copy: Path) -> None:
    run(hub, copy)
    root = json.loads((copy / "hub.json").read_bytes())
    (copy / "hub.json").write_bytes(json.dumps({**root, "url": "https://other.example"}).encode())
    with pytest.raises(MirrorError, match=r"holds the hub https://other\.example"):
        mirror(URL, str(copy), FolderTransport(hub.root), policy=PATIENCE)


def test_a_folder_that_holds_other_things(hub: PlainHub, copy: Path) -> None:
    copy.mkdir()
    (copy / "thesis.txt").write_bytes(b"x")
    with pytest.raises(SkillpressError):
        mirror(URL, str(copy), FolderTransport(hub.root), policy=PATIENCE)
    assert (copy / "thesis.txt").read_bytes() == b"x"


# --- hubs without a feed ---------------------------------------------------------------------------


def released(version: str, zipped: bytes, **changes: ScanVerdict) -> Release:
    return replace(make_release(version, **changes), archive=Archive(mark_of(zipped).sha256, len(zipped)))


def old_hub(root: Path, **changes: bytes) -> PlainHub:
    """A hub as a Skillpress without change feeds built it; ``changes`` replace the bytes of its ledger."""
    hub = PlainHub(root)
    ledger = write_ledger((released("1.0.0", b"PK one"), released("1.1.0", b"", verdict=ScanVerdict.BLOCK)))
    heads = {"lab/demo-skill": head_of(ledger)}
    index = json.dumps({"schema": "skillpress.ledgers.v1", "heads": heads}).encode()
    hub.build({
        **FILES, "ledger/index.json": index, "ledger/lab/demo-skill.jsonl": changes.get("ledger", ledger),
        "dl/lab/demo-skill-1.0.0.zip": changes.get("archive", b"PK one"),
    }, feed=False)  # fmt: skip
    body = json.loads((root / "hub.json").read_bytes())
    body["documents"]["/ledger/index.json"] = mark_of(index).sha256
    (root / "hub.json").write_bytes(json.dumps(body).encode())
    return hub


def test_what_cannot_be_built_anew_is_kept(tmp_path: Path, copy: Path) -> None:
    hub = old_hub(tmp_path / "hub")
    for fetched in (5 - 1, 0):
        report = mirror(URL, str(copy), FolderTransport(hub.root), policy=PATIENCE)
        assert (report.way, report.whole, report.missing, report.fetched) == (
            Way.PROMISES,
            False,
            (),
            fetched,
        )
    kept = read_tree(copy, without={".skillpress"})
    assert set(kept) == {
        "hub.json", "router.json", "ledger/index.json", "ledger/lab/demo-skill.jsonl", "dl/lab/demo-skill-1.0.0.zip",
    }  # fmt: skip
    assert kept == {path: data for path, data in hub.files().items() if path in kept}


def test_an_archive_that_is_not_the_ledgers(tmp_path: Path, copy: Path) -> None:
    hub = old_hub(tmp_path / "hub", archive=b"PK evil")
    report = mirror(URL, str(copy), FolderTransport(hub.root), policy=PATIENCE)
    assert report.missing == ("dl/lab/demo-skill-1.0.0.zip",)
    assert not (copy / "dl").exists()


LEDGERS = {
    "another one": write_ledger((released("1.0.0", b"PK evil"),)),
    "cut off": write_ledger((released("1.0.0", b"PK one"),))[:-5],
    "no ledger": b"<html>",
    "empty": b"",
}


@pytest.mark.parametrize("name", LEDGERS)
def test_a_ledger_that_is_not_the_indexs(tmp_path: Path, copy: Path, name: str) -> None:
    hub = old_hub(tmp_path / "hub", ledger=LEDGERS[name])
    with pytest.raises(MirrorError, match=r"ledger/lab/demo-skill\.jsonl"):
        mirror(URL, str(copy), FolderTransport(hub.root), policy=PATIENCE)
    assert not (copy / "ledger/lab/demo-skill.jsonl").exists()


def test_a_ledger_that_has_grown_since(tmp_path: Path, copy: Path) -> None:
    hub = old_hub(tmp_path / "hub")
    path = hub.root / "ledger/lab/demo-skill.jsonl"
    path.write_bytes(append_release(path.read_bytes(), released("1.2.0", b"PK two")))
    report = mirror(URL, str(copy), FolderTransport(hub.root), policy=PATIENCE)
    assert report.missing == ("dl/lab/demo-skill-1.2.0.zip",)


# --- over HTTP -------------------------------------------------------------------------------------


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """A host of files that says nothing on the terminal."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        return


@contextlib.contextmanager
def served(root: Path) -> Iterator[str]:
    handler = functools.partial(QuietHandler, directory=str(root))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def test_over_http(hub: PlainHub, copy: Path) -> None:
    with served(hub.root) as url:
        transport = HttpTransport(url)
        first = mirror(url, str(copy), transport, policy=PATIENCE)
        assert read_tree(copy, without={".skillpress"}) == hub.files()
        hub.build({"index.html": b"new", "robots.txt": None})
        second = mirror(f"{url}/", str(copy), transport, policy=PATIENCE)
        assert read_tree(copy, without={".skillpress"}) == hub.files()
        third = mirror(url, str(copy), transport, policy=PATIENCE)
    assert [report.way for report in (first, second, third)] == [Way.COMPARED, Way.CHANGES, Way.CURRENT]
    assert [second.requests, third.requests] == [4, 1]


def test_nobody_answers(copy: Path, tmp_path: Path) -> None:
    with served(tmp_path) as url:
        pass
    with pytest.raises(MirrorError, match="cannot be reached"):
        mirror(url, str(copy), HttpTransport(url), policy=PATIENCE)
