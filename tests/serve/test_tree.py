"""The tree: both layouts give the same answers, nothing outside them is read, a new build is seen."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from generator.model import ScanVerdict
from generator.serve.media import media_type_of
from generator.serve.places import is_safe
from generator.serve.tree import FileSlice, Tree, TreeError
from generator.write.layout import Layout
from tests.golden.samples import sample, write_hub
from tests.serve.conftest import Hubs

NASTY = {
    "parent": "/../router.json",
    "parent inside": "/assets/../../secret",
    "parent at the end": "/assets/..",
    "dot": "/./hub.json",
    "empty segment": "/assets//site.css",
    "only slashes": "//",
    "absolute inside": "//etc/passwd",
    "backslash": "/assets\\site.css",
    "backslash parent": "/..\\..\\secret",
    "nul": "/hub.json\0.html",
    "newline": "/hub.json\n",
    "escape": "/\x1b[0m",
    "dot folder": "/.git/config",
    "dot file": "/assets/.htaccess",
    "dot folder below well-known": "/.well-known/.secret",
    "no slash": "hub.json",
    "empty": "",
    "long": "/" + "a" * 5000,
    "long segment": "/" + "b" * 300,
    "pack as stored": "/packs/acme/demo.json",
    "page as stored": "/pages/acme/demo.html",
    "document as stored": "/api/v1/skills/demo/index.html",
    "list as stored": "/api/v1/skills/index.html",
    "archive of the parent": "/dl/../dl/acme/demo-1.0.0.zip",
    "pack of the parent": "/api/v1/owners/../skills/demo",
    "a folder": "/assets",
}


@pytest.mark.parametrize("path", NASTY.values(), ids=NASTY.keys())
def test_nasty_paths_are_nothing(hubs: Hubs, path: str) -> None:
    for root in (hubs.packed, hubs.exploded):
        assert Tree.open(root).read(path) is None


@pytest.mark.parametrize(
    "path",
    ["/", "/assets/site.css", "/.well-known/clawhub.json", "/acme/skills/demo/", "/dl/a/b-1.0.0-rc.1.zip"],
)
def test_paths_of_a_hub_are_safe(path: str) -> None:
    assert is_safe(path)


def test_every_route_is_answered_alike_in_both_layouts(hubs: Hubs) -> None:
    packed, exploded = Tree.open(hubs.packed), Tree.open(hubs.exploded)
    assert len(hubs.routes) > 150
    for route in hubs.routes:
        first, second = packed.read(route.path), exploded.read(route.path)
        assert first is not None, route.path
        assert second is not None, route.path
        for answer in (first, second):
            assert answer.data() == route.body, route.path
            assert answer.status == route.status, route.path
            assert answer.media_type.split(";")[0] == route.media_type.split(";")[0], route.path
            assert answer.cache == route.cache, route.path
        assert first.media_type == second.media_type
        if not isinstance(first.body, FileSlice):
            assert first.etag == second.etag


def test_an_archive_is_a_slice_that_is_not_read_into_memory(hubs: Hubs) -> None:
    answer = Tree.open(hubs.packed).read("/dl/acme/demo-1.0.0.zip")
    assert answer is not None
    assert isinstance(answer.body, FileSlice)


def test_a_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    write_hub(tmp_path / "hub", Layout.PACKED, (sample(),))
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "hub/assets/link.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "hub/assets/folder").symlink_to(tmp_path)
    tree = Tree.open(tmp_path / "hub")
    assert tree.read("/assets/link.txt") is None
    assert tree.read("/assets/folder/secret.txt") is None
    assert tree.read("/assets/site.css") is not None


@pytest.mark.parametrize("layout", list(Layout))
def test_a_build_beside_a_running_server_is_seen(tmp_path: Path, layout: Layout) -> None:
    write_hub(tmp_path, layout, (sample(),))
    tree = Tree.open(tmp_path)
    before = tree.read("/api/v1/skills/demo/verify")
    assert before is not None
    assert json.loads(before.data())["ok"] is True
    assert "twins" not in tree.index.slugs
    write_hub(
        tmp_path, layout, (sample(verdict=ScanVerdict.WARN), sample("twins", "beta", display_name="Twins"))
    )
    after = tree.read("/api/v1/skills/demo/verify")
    assert after is not None
    assert json.loads(after.data())["ok"] is False
    assert tree.index.slugs["twins"] == ("beta",)
    assert tree.read("/api/v1/skills/twins") is not None


def test_a_half_written_index_keeps_the_old_one_in_use(tmp_path: Path) -> None:
    write_hub(tmp_path, Layout.PACKED, (sample(),))
    tree = Tree.open(tmp_path)
    (tmp_path / "router.json").write_text('{"schema": "skillpress.rou')
    assert tree.index.slugs == {"demo": ("acme",)}
    write_hub(tmp_path, Layout.PACKED, (sample("other"),))
    assert tree.index.slugs == {"other": ("acme",)}


def test_only_so_many_packs_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.serve.tree.PACKS_KEPT", 1)
    write_hub(tmp_path, Layout.PACKED, (sample(), sample("other")))
    tree = Tree.open(tmp_path)
    for slug in ("demo", "other", "demo"):
        answer = tree.read(f"/api/v1/skills/{slug}/resolve")
        assert answer is not None
        assert json.loads(answer.data())["slug"] == slug
    assert list(tree._packs) == ["packs/acme/demo.json"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "run `skillpress build` first"),
        ("{", "cannot be read"),
        ('{"schema": "skillpress.router.v9"}', "another version"),
        ('{"schema": "skillpress.router.v1", "slugs": []}', "cannot be read"),
        ("[]", "cannot be read"),
    ],
    ids=["missing", "not json", "newer", "wrong shape", "a list"],
)
def test_a_folder_that_is_no_hub_is_an_error_in_words(
    tmp_path: Path, content: str | None, message: str
) -> None:
    if content is not None:
        (tmp_path / "router.json").write_text(content)
    with pytest.raises(TreeError, match=message):
        Tree.open(tmp_path)


def test_a_file_that_vanishes_is_nothing(tmp_path: Path) -> None:
    write_hub(tmp_path, Layout.PACKED, (sample(),))
    tree = Tree.open(tmp_path)
    assert tree.read("/api/v1/skills/demo") is not None
    os.unlink(tmp_path / "packs/acme/demo.json")
    assert tree.read("/api/v1/skills/demo") is None


def test_every_file_lies_below_tree_as_it_is(hubs: Hubs) -> None:
    for root in (hubs.packed, hubs.exploded):
        tree = Tree.open(root)
        files = [path for path in root.rglob("*") if path.is_file()]
        assert len(files) > 5
        for path in files:
            answer = tree.read(f"/tree/{path.relative_to(root).as_posix()}")
            assert answer is not None, path
            assert (answer.status, answer.data()) == (200, path.read_bytes())
            assert answer.media_type == "application/octet-stream", "an author's page does not act here"


RAW = {
    "parent": "/tree/../router.json",
    "parent inside": "/tree/api/../../secret",
    "absolute": "/tree//etc/passwd",
    "work folder": "/tree/.skillpress/memory.json",
    "dot file": "/tree/api/.htaccess",
    "dot folder below well-known": "/tree/.well-known/.secret",
    "backslash": "/tree/..\\secret",
    "nul": "/tree/hub.json\0",
    "a folder": "/tree/api",
    "a folder with a slash": "/tree/api/",
    "itself": "/tree/",
    "nothing there": "/tree/none.json",
}


@pytest.mark.parametrize("path", RAW.values(), ids=RAW.keys())
def test_nasty_paths_below_tree_are_nothing(hubs: Hubs, path: str) -> None:
    for root in (hubs.packed, hubs.exploded):
        assert Tree.open(root).read(path) is None


def test_a_link_out_of_the_hub_is_not_followed_below_tree(tmp_path: Path) -> None:
    write_hub(tmp_path / "hub", Layout.PACKED)
    (tmp_path / "secret").write_text("x")
    (tmp_path / "hub/link.txt").symlink_to(tmp_path / "secret")
    assert Tree.open(tmp_path / "hub").read("/tree/link.txt") is None


def test_feeds_are_atom() -> None:
    assert media_type_of("/feeds/skills/acme/demo.xml") == "application/atom+xml; charset=utf-8"
    assert media_type_of("/sitemap.xml") == "application/xml; charset=utf-8"
