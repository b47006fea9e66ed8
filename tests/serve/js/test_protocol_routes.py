"""What the routes of the protocols answer, written out: where it lies is :mod:`generator.serve.places`' matter."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from generator.serve.app import create_app
from generator.write.layout import Layout
from tests.golden.samples import package, sample, write_hub
from tests.serve.client import ask
from tests.serve.js.hubs import Pair
from tests.serve.js.programs import Node

LATEST = {str(one.path): one.data for one in package("1.1.0", "demo", "Follow them *well*.")}
FIRST_ARCHIVE, LATEST_ARCHIVE = sample().archives.values()
LAYOUTS = ("packed", "exploded")
MISSING = "/.well-known/agent-skills/missing.json"

FOUND_AT: dict[str, str] = {
    "/acme/skills/demo/.well-known/agent-skills/index.json": "",
    "/acme/skills/old/.well-known/agent-skills/index.json": "/acme/skills/demo/.well-known/agent-skills/index.json",
    "/acme/skills/nothing/.well-known/agent-skills/index.json": MISSING,
    "/collections/nothing/.well-known/agent-skills/index.json": MISSING,
    "/collections/office/.well-known/agent-skills/index.json": "",
    "/acme/.well-known/agent-skills/index.json": "",
    "/npm/@acme%2fdemo": "/npm/@acme/demo",
    "/npm/@acme/demo": "",
    "/npm/@hub%2Foffice": "/npm/@hub/office",
    "/npm/@acme%2fold": "/npm/@acme/demo",
    "/v1/packages/acme/demo/versions": "",
    "/v1/packages/acme/old/versions": "/v1/packages/acme/demo/versions",
    "/bundles/acme/demo.json": "",
    "/bundles/demo.json": "",
    "/bundles/old.json": "/bundles/demo.json",
    "/agentskills/demo/index.json": "",
    "/.well-known/skills/index.json": "",
    "/api/v1/skill/list": "",
}
"""Which document answers a request; empty: the one at that very address."""


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("target", FOUND_AT)
def test_a_document_is_found(node: Node, wide: Pair, layout: str, target: str) -> None:
    got = node.ask(getattr(wide, layout), target)
    assert (got.status, got.json()) == (200, {"at": FOUND_AT[target] or target})
    assert got.headers["content-type"] == "application/json"
    assert "must-revalidate" in got.headers["cache-control"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("base", ["/.well-known/skills", "/agentskills"])
@pytest.mark.parametrize("path", LATEST)
def test_a_raw_file_is_cut_out_of_the_latest_archive(
    node: Node, wide: Pair, layout: str, base: str, path: str
) -> None:
    got = node.ask(getattr(wide, layout), f"{base}/demo/{path}")
    assert (got.status, got.body) == (200, LATEST[path])
    assert got.headers["content-type"] in ("text/plain; charset=utf-8", "image/png")
    assert got.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert got.headers["x-content-type-options"] == "nosniff"
    assert got.headers["etag"] == f'"{sha256(LATEST[path]).hexdigest()}"'


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("demo/skill.md", 404),
        ("demo/nothing", 404),
        ("nothing/SKILL.md", 404),
        ("twins/SKILL.md", 409),
        ("blocked/SKILL.md", 403),
    ],
)
def test_a_raw_file_that_is_not_given_out(
    node: Node, wide: Pair, layout: str, path: str, status: int
) -> None:
    for base in ("/.well-known/skills", "/agentskills"):
        assert node.ask(getattr(wide, layout), f"{base}/{path}").status == status


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_archive_for_apm_comes_without_a_redirect(node: Node, wide: Pair, layout: str) -> None:
    root = getattr(wide, layout)
    for owner_slug, version, archive in (
        ("acme/demo", "1.0.0", FIRST_ARCHIVE),
        ("acme/demo", "1.1.0", LATEST_ARCHIVE),
        ("acme/old", "1.0.0", FIRST_ARCHIVE),
    ):
        got = node.ask(root, f"/v1/packages/{owner_slug}/versions/{version}/download")
        assert (got.status, got.body, got.headers["content-type"]) == (200, archive, "application/zip")
    for owner_slug, version, status in (
        ("acme/demo", "9.9.9", 404),
        ("beta/demo", "1.0.0", 404),
        ("acme/blocked", "1.1.0", 403),
    ):
        got = node.ask(root, f"/v1/packages/{owner_slug}/versions/{version}/download")
        assert (got.status, got.headers["content-type"]) == (status, "text/plain; charset=utf-8")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_withdrawn_says_so_everywhere(node: Node, ruled: Pair, layout: str) -> None:
    root = getattr(ruled, layout)
    for target, reason in (
        ("/v1/packages/acme/one-held/versions/1.1.0/download", "Being looked into."),
        ("/dl/acme/one-held-1.1.0.zip", "Being looked into."),
        ("/dl/acme/one-held-1.1.0.tgz", "Being looked into."),
        ("/dl/acme/one-held-1.1.0.skill", "Being looked into."),
        ("/.well-known/skills/all-held/SKILL.md", "Sends the environment to a server."),
        ("/agentskills/all-yanked/SKILL.md", "Never worked."),
    ):
        got = node.ask(root, f"/skills{target}")
        assert (got.status, reason in got.text) == (410, True), target
    pinned = node.ask(root, "/skills/v1/packages/acme/half-yanked/versions/1.1.0/download")
    assert (pinned.status, pinned.headers["content-type"]) == (200, "application/zip")
    chosen = node.ask(root, "/skills/agentskills/half-yanked/SKILL.md")
    assert b"Edition 1.0.0" in chosen.body


@pytest.mark.parametrize(
    ("name", "media_type"), [("demo-1.0.0.skill", "application/zip"), ("demo-1.0.0.tgz", "application/gzip")]
)
def test_derived_archives_may_be_kept_for_ever(node: Node, wide: Pair, name: str, media_type: str) -> None:
    for root in (wide.packed, wide.exploded):
        got = node.ask(root, f"/dl/acme/{name}")
        assert (got.status, got.headers["content-type"]) == (200, media_type)
        assert "immutable" in got.headers["cache-control"]
        assert got.headers["accept-ranges"] == "bytes"


@pytest.mark.parametrize(
    ("name", "data", "target"),
    [
        ("router.json", None, "/"),
        ("router.json", b"", "/"),
        ("router.json", b'{"schema":"skillpress.router.v9"}', "/"),
        ("router.json", b"[]", "/api/v1/skills"),
        ("packs/acme/demo.json", b"{", "/api/v1/skills/demo"),
        ("packs/acme/demo.json", b'{"answers":null}', "/api/v1/skills/demo"),
        ("api/v1/trending/index.html", b"[]", "/api/v1/trending"),
    ],
)
def test_a_damaged_hub_is_a_plain_500(
    node: Node, tmp_path: Path, name: str, data: bytes | None, target: str
) -> None:
    write_hub(tmp_path, Layout.PACKED)
    (tmp_path / name).unlink()
    if data is not None:
        (tmp_path / name).write_bytes(data)
    got = node.ask(tmp_path, target)
    assert (got.status, got.text) == (500, "This hub cannot be read just now.")
    assert got.headers["cache-control"] == "no-store"
    assert got.headers["content-type"] == "text/plain; charset=utf-8"


def test_an_archive_that_was_tampered_with_gives_no_file(node: Node, tmp_path: Path) -> None:
    write_hub(tmp_path, Layout.PACKED, (sample(),))
    archive = tmp_path / "dl/acme/demo-1.1.0.zip"
    archive.write_bytes(archive.read_bytes().replace(b"echo 1.1.0", b"echo 6.6.6"))
    for target in ("/api/v1/skills/demo/file?path=scripts/run.sh", "/agentskills/demo/scripts/run.sh"):
        got = node.ask(tmp_path, target)
        assert (got.status, b"6.6.6" in got.body) == (500, False)


def _promise(root: Path) -> None:
    """A root document that names what it belongs to, as a build writes it."""
    names = {"/router.json": "router.json", "/api/v1/search": "api/v1/search/index.html"}
    documents = {route: sha256((root / file).read_bytes()).hexdigest() for route, file in names.items()}
    (root / "hub.json").write_text(json.dumps({"documents": documents}))


def test_two_deployments_are_never_mixed(node: Node, tmp_path: Path) -> None:
    def slugs() -> list[str]:
        return [row["slug"] for row in node.ask(tmp_path, "/api/v1/skills?limit=9").json()["items"]]

    write_hub(tmp_path, Layout.PACKED, (sample(),))
    _promise(tmp_path)
    assert slugs() == ["demo"]
    assert node.ask(tmp_path, "/api/v1/skills/demo").status == 200
    # The files of the next deployment arrive; its root document comes last.
    write_hub(tmp_path, Layout.PACKED, (sample("other", display_name="Other"),))
    first = {"documents": {"/router.json": "0" * 64}}
    (tmp_path / "hub.json").write_text(json.dumps(first))
    assert slugs() == ["demo"]
    assert node.ask(tmp_path, "/api/v1/skills/other").status == 404
    _promise(tmp_path)
    assert slugs() == ["other"]
    assert node.ask(tmp_path, "/api/v1/skills/demo").status == 404
    assert node.ask(tmp_path, "/api/v1/skills/other").status == 200


@pytest.mark.parametrize("data", [None, b"{}", b"[", b'{"schema":"skillpress.search.v9"}'])
@pytest.mark.parametrize("target", ["skills?limit=1", "search?q=a", "packages", "packages/search?q=a"])
def test_without_a_search_index_both_say_how_to_mend_it(
    node: Node, tmp_path: Path, data: bytes | None, target: str
) -> None:
    write_hub(tmp_path, Layout.PACKED)
    index = tmp_path / "search/index.json"
    index.unlink()
    if data is not None:
        index.write_bytes(data)
    for got in (node.ask(tmp_path, f"/api/v1/{target}"), ask(create_app(tmp_path), f"/api/v1/{target}")):
        assert (got.status, "skillpress build" in got.text) == (500, True)


def test_what_was_read_is_kept_until_the_next_deployment(node: Node, tmp_path: Path) -> None:
    write_hub(tmp_path, Layout.PACKED)
    _promise(tmp_path)
    pack, archive = "packs/acme/demo.json", "dl/acme/demo-1.1.0.zip"
    steps = [
        ("/api/v1/skills/demo", None, ["hub.json", "router.json", pack]),
        ("/api/v1/skills/demo/verify", None, ["hub.json"]),
        ("/agentskills/demo/SKILL.md", None, ["hub.json", archive]),
        ("/api/v1/search?q=pdf", None, ["hub.json", "search/index.json"]),
        ("/api/v1/skills?limit=1", None, ["hub.json"]),
        ("/api/v1/skills/nothing", None, ["hub.json"]),
        ("/api/v1/skills/demo", "first", ["hub.json"]),
        ("/api/v1/skills/demo", "first", []),
        ("/api/v1/search?q=pdf", "first", []),
        ("/api/v1/skills/demo", "second", ["hub.json"]),
        ("/api/v1/skills/demo", "second", []),
    ]
    for target, deployment, expected in steps:
        node.ask(tmp_path, target, deployment=deployment)
        assert node.read == expected, (target, deployment)
    write_hub(tmp_path, Layout.PACKED, (sample("other", display_name="Other"),))
    _promise(tmp_path)
    assert node.ask(tmp_path, "/api/v1/skills/demo", deployment="third").status == 404
    assert node.read[:2] == ["hub.json", "router.json"]


def test_packs_that_are_kept_have_a_bound(node: Node, tmp_path: Path) -> None:
    write_hub(tmp_path, Layout.PACKED)
    names = ["demo", "warned", "blocked"]
    for name in names:
        pack = tmp_path / f"packs/acme/{name}.json"
        pack.write_bytes(pack.read_bytes()[:-1] + b',"filler":"' + b"x" * 4_000_000 + b'"}')
    for name, again in (
        (names[0], True),
        (names[1], True),
        (names[0], False),
        (names[2], True),
        (names[1], True),
    ):
        assert node.ask(tmp_path, f"/api/v1/skills/{name}").status == 200
        assert (f"packs/acme/{name}.json" in node.read) == again
