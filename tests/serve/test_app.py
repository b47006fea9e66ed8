"""The application over HTTP, on the sample hub in both layouts."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette

from generator.model import PackageFile, ScanVerdict
from generator.serve.app import create_app
from generator.write.layout import Layout
from tests.golden.samples import PNG, package, sample, write_hub
from tests.serve.client import Got, ask
from tests.serve.conftest import Hubs

DEMO = "/api/v1/skills/demo"
FINGERPRINT = sample().skill.releases[1].hashes.fingerprint
ARCHIVE = sample().archives[sample().skill.releases[1].version]

QUERIES = [
    "/api/v1/skills",
    "/api/v1/skills?limit=2",
    "/api/v1/skills?limit=2&cursor=2",
    "/api/v1/skills?prefix=w",
    "/api/v1/skills?sort=name",
    "/api/v1/skills?sort=createdAt&limit=50",
    "/api/v1/skills?nonSuspiciousOnly=true",
    "/api/v1/skills?sort=nothing",
    "/api/v1/search?q=pdf",
    "/api/v1/search?q=" + quote("图表"),
    "/api/v1/search?q=",
    "/api/v1/search?q=demo&mode=exact",
    "/api/v1/trending?kind=skills&limit=2",
    f"/api/v1/resolve?slug=demo&hash={FINGERPRINT}",
    f"/api/v1/resolve?slug=demo&hash={'0' * 64}",
    "/api/v1/resolve?slug=demo&hash=1",
    f"/api/v1/resolve?slug=twins&hash={FINGERPRINT}&ownerHandle=beta",
    f"/api/v1/resolve?slug=twins&hash={FINGERPRINT}",
    "/api/v1/download?slug=demo",
    "/api/v1/download?slug=demo&tag=latest",
    "/api/v1/download?slug=demo&version=1.0.0",
    "/api/v1/download?slug=demo&version=9.9.9",
    "/api/v1/download?slug=nothing",
    "/api/v1/download?slug=twins",
    "/api/v1/download?slug=twins&owner=beta",
    "/api/v1/download?slug=blocked",
    "/api/v1/download?slug=blocked&version=1.0.0",
    f"{DEMO}?ownerHandle=acme",
    f"{DEMO}?ownerHandle=beta",
    f"{DEMO}/verify?version=1.0.0",
    f"{DEMO}/verify?tag=latest",
    f"{DEMO}/verify?version=9.9.9",
    f"{DEMO}/scan?version=1.0.0",
    f"{DEMO}/card?version=1.0.0",
    f"{DEMO}/file?path=SKILL.md&version=1.0.0",
    f"{DEMO}/file?path=skill.MD",
    f"{DEMO}/file?path=nothing",
    "/api/v1/skills/twins/versions",
    "/api/v1/skills/twins/versions?ownerHandle=beta",
    "/api/v1/skills/blocked/install",
    "/api/v1/skills/blocked/file?path=SKILL.md",
    "/api/v1/nothing",
    "/acme/skills/demo",
    "/nothing",
]


@pytest.mark.parametrize("target", QUERIES)
def test_both_layouts_answer_alike(app: Starlette, exploded_app: Starlette, target: str) -> None:
    def seen(got: Got) -> tuple[object, ...]:
        return got.status, got.body, got.headers.get("content-type"), got.headers.get("cache-control")

    assert seen(ask(app, target)) == seen(ask(exploded_app, target))


def test_every_route_is_served_with_its_status_type_and_bytes(hubs: Hubs, app: Starlette) -> None:
    answered_by_query = {"/api/v1/skills", "/api/v1/search", "/api/v1/trending"}
    for route in hubs.routes:
        if route.path not in answered_by_query:
            got = ask(app, quote(route.path))
            assert (got.status, got.body) == (route.status, route.body), route.path
            assert got.headers["content-type"].split(";")[0] == route.media_type.split(";")[0]


def test_the_full_list_over_http_is_the_document(hubs: Hubs, app: Starlette) -> None:
    [route] = [one for one in hubs.routes if one.path == "/api/v1/skills"]
    assert ask(app, "/api/v1/skills?limit=200").body == route.body


def test_pages_of_the_list_together_are_the_list(app: Starlette) -> None:
    slugs: list[str] = []
    cursor = ""
    while True:
        page = ask(app, f"/api/v1/skills?limit=3{cursor}").json()
        slugs += [row["slug"] for row in page["items"]]
        if page["nextCursor"] is None:
            break
        cursor = f"&cursor={page['nextCursor']}"
    assert slugs == ["excel-charts", "blocked", "demo", "twins", "twins", "unsure", "warned"]


def test_a_cursor_past_the_end_is_an_empty_page(app: Starlette) -> None:
    assert ask(app, "/api/v1/skills?cursor=999").json() == {"items": [], "nextCursor": None}


def test_search_ranks_and_scores(app: Starlette) -> None:
    results = ask(app, "/api/v1/search?q=pdf").json()["results"]
    assert [row["slug"] for row in results] == ["warned", "excel-charts"]
    assert results[0]["score"] > results[1]["score"] > 0
    assert ask(app, "/api/v1/search?q=pdf&limit=1").json()["results"] == results[:1]
    assert [r["slug"] for r in ask(app, "/api/v1/search?q=" + quote("表格")).json()["results"]] == [
        "excel-charts"
    ]


@pytest.mark.parametrize(
    ("target", "status", "text"),
    [
        ("/api/v1/skills/nothing", 404, "Skill not found"),
        ("/api/v1/download?slug=nothing", 404, "Skill not found"),
        (f"{DEMO}/versions/9.9.9", 404, "Version not found"),
        ("/api/v1/download?slug=demo&version=9.9.9", 404, "Version not found"),
        (f"{DEMO}/verify?version=9.9.9", 404, "Version not found"),
        ("/api/v1/resolve?slug=demo&hash=1", 400, "Invalid hash"),
        (f"{DEMO}/file?path=nothing", 404, "File not found"),
        ("/api/v1/packages?limit=many", 400, "Invalid limit"),
        ("/api/v1/packages?cursor=x", 400, "Invalid cursor"),
        ("/api/v1/packages/nothing", 404, "Package not found"),
        ("/api/v1/packages/demo/versions/9.9.9", 404, "Version not found"),
        ("/api/v1/packages/demo/else", 404, "Package not found"),
        ("/nothing", 404, "Not found"),
    ],
)
def test_refusals_are_plain_text_that_clients_print(
    app: Starlette, target: str, status: int, text: str
) -> None:
    got = ask(
        app, target, headers={"accept": "application/json, text/html;q=0.1"} if "/api" in target else {}
    )
    assert (got.status, got.text) == (status, text)
    assert got.headers["content-type"] == "text/plain; charset=utf-8"
    assert got.headers["cache-control"] == "no-store"


def test_a_browser_gets_the_sites_own_404_page(app: Starlette) -> None:
    got = ask(app, "/nothing/here", headers={"accept": "text/html"})
    assert got.status == 404
    assert got.headers["content-type"] == "text/html; charset=utf-8"
    assert "No such page" in got.text


def test_an_ambiguous_slug_is_a_409_document_on_every_way(app: Starlette) -> None:
    for target in (
        "/api/v1/skills/twins", "/api/v1/skills/twins/verify", "/api/v1/skills/twins/file?path=SKILL.md",
        "/api/v1/download?slug=twins", f"/api/v1/resolve?slug=twins&hash={FINGERPRINT}",
    ):  # fmt: skip
        got = ask(app, target)
        assert got.status == 409
        assert got.json()["code"] == "AMBIGUOUS_SKILL_SLUG"
        assert ask(app, target + ("&" if "?" in target else "?") + "ownerHandle=beta").status == 200


def test_download_is_the_archive_named_after_the_version(app: Starlette) -> None:
    got = ask(app, "/api/v1/download?slug=demo&version=1.0.0")
    assert got.body == ARCHIVE
    assert got.headers["content-type"] == "application/zip"
    assert got.headers["content-disposition"] == 'attachment; filename="demo-1.0.0.zip"'
    latest = ask(app, "/api/v1/download?slug=demo")
    assert latest.headers["content-disposition"] == 'attachment; filename="demo-1.1.0.zip"'
    with zipfile.ZipFile(io.BytesIO(latest.body)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            file.path: file.data for file in package("1.1.0", "demo", "Follow them *well*.")
        }


def test_a_blocked_version_is_refused_and_an_older_clean_one_is_not(app: Starlette) -> None:
    got = ask(app, "/api/v1/download?slug=blocked")
    assert got.status == 403
    assert got.headers["content-type"].startswith("text/plain")
    assert ask(app, "/dl/acme/blocked-1.1.0.zip").status == 404
    assert ask(app, "/api/v1/skills/blocked/file?path=SKILL.md").status == 403
    assert ask(app, "/api/v1/download?slug=blocked&version=1.0.0").status == 200
    assert ask(app, "/api/v1/skills/blocked/install").json()["status"] == 403


@pytest.mark.parametrize("entry", package("1.0.0"), ids=lambda entry: str(entry.path))
def test_a_file_is_cut_out_of_the_archive(app: Starlette, entry: PackageFile) -> None:
    got = ask(app, f"{DEMO}/file?path={quote(entry.path)}&version=1.0.0")
    assert got.status == 200
    assert got.body == entry.data
    assert got.headers["etag"] == f'"{entry.sha256}"'
    assert got.headers["x-content-sha256"] == sha256(entry.data).hexdigest()
    assert got.headers["content-disposition"] == "attachment"
    assert got.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in got.headers["content-security-policy"]


def test_a_file_is_found_in_another_case_but_the_exact_one_wins(app: Starlette) -> None:
    assert ask(app, f"{DEMO}/file?path=skill.md").body == ask(app, f"{DEMO}/file?path=SKILL.md").body
    assert ask(app, f"{DEMO}/file?path=assets/logo.png").headers["content-type"] == "image/png"
    assert ask(app, f"{DEMO}/file?path=scripts/run.sh").headers["content-type"] == "text/plain; charset=utf-8"


def test_a_file_over_10_mb_is_a_413(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_hub(tmp_path, Layout.PACKED, (sample(),))
    monkeypatch.setattr("generator.serve.answers.FILE_MAX", len(PNG) - 1)
    app = create_app(tmp_path)
    assert ask(app, f"{DEMO}/file?path=assets/logo.png").status == 413


def test_an_archive_that_was_tampered_with_gives_no_file(tmp_path: Path) -> None:
    write_hub(tmp_path, Layout.PACKED, (sample(),))
    archive = tmp_path / "dl/acme/demo-1.0.0.zip"
    archive.write_bytes(archive.read_bytes().replace(b"echo 1.0.0", b"echo 6.6.6"))
    got = ask(create_app(tmp_path), f"{DEMO}/file?path=scripts/run.sh&version=1.0.0")
    assert got.status == 500
    assert b"6.6.6" not in got.body


def post(app: Starlette, document: object) -> Got:
    target = "/api/v1/skills/-/security-verdicts"
    return ask(
        app, target, "POST", headers={"content-type": "application/json"}, body=json.dumps(document).encode()
    )


def test_verdicts_echo_the_request_and_answer_in_its_order(app: Starlette) -> None:
    items = [
        {"slug": "warned", "version": "1.1.0"},
        {"slug": "demo", "ownerHandle": "acme", "version": "1.1.0"},
        {"slug": "demo", "version": "9.9.9"},
        {"slug": "twins", "version": "1.0.0"},
        {"slug": "twins", "ownerHandle": "beta", "version": "1.0.0"},
    ]
    got = post(app, {"items": items})
    assert got.status == 200
    document = got.json()
    assert document["schema"] == "clawhub.skill.security-verdicts.v1"
    answered = document["items"]
    for asked, item in zip(items, answered, strict=True):
        assert (item["requestedSlug"], item["requestedVersion"]) == (asked["slug"], asked["version"])
        assert item.get("requestedOwnerHandle") == asked.get("ownerHandle")
    assert [item["ok"] for item in answered] == [False, True, False, False, True]
    assert answered[1]["decision"] == "pass"
    assert (answered[1]["slug"], answered[1]["version"], answered[1]["publisherHandle"]) == (
        "demo",
        "1.1.0",
        "acme",
    )
    assert answered[1]["overview"]
    assert answered[1]["security"]["status"] == "clean"
    assert "error" not in answered[1]
    assert answered[2]["error"]["code"] == "version.not_found"
    assert answered[3]["error"]["code"] == "AMBIGUOUS_SKILL_SLUG"
    assert answered[4]["publisherHandle"] == "beta"


def test_a_body_that_is_too_large_is_a_413(app: Starlette) -> None:
    assert post(app, {"items": "a" * 300_000}).status == 413


def test_what_changes_something_is_a_405_text(app: Starlette) -> None:
    for method, target in (
        ("POST", "/api/v1/stars/demo"),
        ("POST", "/api/cli/telemetry/install"),
        ("PUT", "/"),
    ):
        got = ask(app, target, method)
        assert got.status == 405
        assert got.headers["content-type"].startswith("text/plain")
        assert "GET" in got.headers["allow"]


def test_head_has_the_headers_of_get_and_no_body(app: Starlette) -> None:
    for target in (DEMO, "/dl/acme/demo-1.0.0.zip", "/", f"{DEMO}/file?path=SKILL.md"):
        got, head = ask(app, target), ask(app, target, "HEAD")
        assert head.body == b""
        assert head.status == 200
        assert head.headers == got.headers


@pytest.mark.parametrize("target", [DEMO, "/dl/acme/demo-1.0.0.zip", "/", f"{DEMO}/file?path=SKILL.md"])
def test_etag_gives_304(app: Starlette, target: str) -> None:
    etag = ask(app, target).headers["etag"]
    assert etag.startswith('"')
    for value in (etag, f"W/{etag}", f'"other", {etag}', "*", etag.strip('"')):
        got = ask(app, target, headers={"if-none-match": value})
        assert (got.status, got.body) == (304, b"")
        assert got.headers["etag"] == etag
    assert ask(app, target, headers={"if-none-match": '"other"'}).status == 200


SIZE = len(ARCHIVE)


@pytest.mark.parametrize(
    ("header", "status", "start", "end"),
    [
        ("bytes=0-9", 206, 0, 10),
        ("bytes=10-", 206, 10, SIZE),
        ("bytes=-10", 206, SIZE - 10, SIZE),
        (f"bytes=-{SIZE * 2}", 206, 0, SIZE),
        (f"bytes=5-{SIZE * 2}", 206, 5, SIZE),
        (f"bytes={SIZE}-", 416, 0, 0),
        ("bytes=-0", 416, 0, 0),
        ("bytes=0-1,5-6", 200, 0, SIZE),
        ("bytes=9-5", 200, 0, SIZE),
        ("bytes=-", 200, 0, SIZE),
        ("bytes=a-b", 200, 0, SIZE),
        ("items=0-1", 200, 0, SIZE),
        ("bytes=" + "9" * 30 + "-", 200, 0, SIZE),
    ],
)
def test_ranges_of_an_archive(app: Starlette, header: str, status: int, start: int, end: int) -> None:
    got = ask(app, "/dl/acme/demo-1.0.0.zip", headers={"range": header})
    assert got.status == status
    assert got.body == ARCHIVE[start:end]
    assert got.headers["accept-ranges"] == "bytes"
    if status == 206:
        assert got.headers["content-range"] == f"bytes {start}-{end - 1}/{SIZE}"
        assert got.headers["content-length"] == str(end - start)
    if status == 416:
        assert got.headers["content-range"] == f"bytes */{SIZE}"


def test_a_range_of_another_archive_is_the_whole_new_one(app: Starlette) -> None:
    got = ask(app, "/dl/acme/demo-1.0.0.zip", headers={"range": "bytes=0-9", "if-range": '"old"'})
    assert (got.status, got.body) == (200, ARCHIVE)


def test_archives_may_be_kept_for_ever_and_documents_may_not(app: Starlette) -> None:
    assert "immutable" in ask(app, "/dl/acme/demo-1.0.0.zip").headers["cache-control"]
    assert "must-revalidate" in ask(app, DEMO).headers["cache-control"]
    assert "immutable" not in ask(app, "/api/v1/download?slug=demo").headers["cache-control"]


def test_large_texts_are_compressed_and_archives_are_not(app: Starlette) -> None:
    accepts = {"accept-encoding": "gzip, deflate"}
    for target in (DEMO, "/browse/"):
        plain, packed = ask(app, target), ask(app, target, headers=accepts)
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
        assert gzip.decompress(packed.body) == plain.body
        assert packed.headers["content-length"] == str(len(packed.body))
        again = ask(app, target, headers={**accepts, "if-none-match": packed.headers["etag"]})
        assert again.status == 304
    assert "content-encoding" not in ask(app, "/dl/acme/demo-1.0.0.zip", headers=accepts).headers
    assert "content-encoding" not in ask(app, "/api/v1/skills/demo/resolve", headers=accepts).headers
    assert "content-encoding" not in ask(app, DEMO, headers={"accept-encoding": "gzip;q=0"}).headers


def test_anyone_may_read_from_a_browser(app: Starlette) -> None:
    assert ask(app, DEMO).headers["access-control-allow-origin"] == "*"
    assert ask(app, "/api/v1/skills/nothing").headers["access-control-allow-origin"] == "*"
    got = ask(app, "/api/v1/skills/-/security-verdicts", "OPTIONS", headers={"origin": "https://example.org"})
    assert got.status == 204
    assert "POST" in got.headers["access-control-allow-methods"]
    assert "access-control-allow-credentials" not in got.headers


def test_security_headers(app: Starlette) -> None:
    page = ask(app, "/acme/skills/demo/")
    assert page.headers["content-security-policy"] == "frame-ancestors 'none'"
    for target in ("/acme/skills/demo/", DEMO, "/assets/site.css", "/nothing", "/dl/acme/demo-1.0.0.zip"):
        got = ask(app, target)
        assert got.headers["x-content-type-options"] == "nosniff"
        assert got.headers["referrer-policy"]


def test_texts_name_their_charset(app: Starlette) -> None:
    for target, media_type in (
        ("/", "text/html; charset=utf-8"),
        ("/assets/site.css", "text/css; charset=utf-8"),
        (f"{DEMO}/card", "text/markdown; charset=utf-8"),
        (DEMO, "application/json"),
    ):
        assert ask(app, target).headers["content-type"] == media_type


def test_a_page_without_its_slash_is_redirected(app: Starlette) -> None:
    got = ask(app, "/acme/skills/demo?x=1")
    assert (got.status, got.headers["location"]) == (301, "/acme/skills/demo/?x=1")
    assert ask(app, "//example.org/browse").status == 404


def test_a_hub_under_a_base_path(hubs: Hubs) -> None:
    app = create_app(hubs.packed, base_path="/hub/")
    assert ask(app, "/hub/api/v1/skills/demo").json()["skill"]["slug"] == "demo"
    assert ask(app, "/hub/").status == 200
    assert ask(app, "/hub/acme/skills/demo").headers["location"] == "/hub/acme/skills/demo/"
    assert (ask(app, "/hub").status, ask(app, "/hub").headers["location"]) == (301, "/hub/")
    assert (ask(app, "/").status, ask(app, "/").headers["location"]) == (301, "/hub/")
    for outside in ("/api/v1/skills/demo", "/hubs/api/v1/skills", "/hubapi/v1/skills"):
        assert ask(app, outside).status == 404
    for name in ("clawhub", "clawdhub"):
        found = ask(app, f"/.well-known/{name}.json")
        assert (found.status, found.body) == (200, ask(app, f"/hub/.well-known/{name}.json").body)


def test_an_archive_has_one_etag_in_both_layouts(hubs: Hubs) -> None:
    tags = {
        ask(create_app(root), "/dl/acme/demo-1.0.0.zip").headers["etag"]
        for root in (hubs.packed, hubs.exploded)
    }
    assert len(tags) == 1


def test_a_range_beyond_the_end_is_not_kept_by_caches(hubs: Hubs) -> None:
    got = ask(create_app(hubs.packed), "/dl/acme/demo-1.0.0.zip", headers={"range": "bytes=999999999-"})
    assert (got.status, got.headers["cache-control"]) == (416, "no-store")


def test_a_verdict_on_an_ambiguous_slug_names_the_owners(hubs: Hubs) -> None:
    body = json.dumps({"items": [{"slug": "twins", "version": "1.0.0"}]}).encode()
    got = ask(create_app(hubs.packed), "/api/v1/skills/-/security-verdicts", "POST", body=body)
    (item,) = got.json()["items"]
    assert (item["ok"], item["error"]["code"]) == (False, "AMBIGUOUS_SKILL_SLUG")
    assert "@alpha/twins" in item["error"]["message"] or "@beta/twins" in item["error"]["message"]


NASTY_TARGETS = [
    "/%2e%2e/router.json",
    "/..%2f..%2fetc/passwd",
    "/assets/%2e%2e/%2e%2e/etc/passwd",
    "/%5c..%5cetc%5cpasswd",
    "/etc%00/passwd",
    "//etc/passwd",
    "/%2fetc/passwd",
    "/.git/config",
    "/%2egit/config",
    "/dl/../router.json",
    "/api/v1/skills/%2e%2e/%2e%2e/hub.json",
    "/api/v1/skills/demo%2f..%2fdemo",
    "/api/v1/skills/demo%00",
    "/api/v1/skills/demo/versions/..%2f..%2fdemo",
    "/api/v1/download?slug=..&version=../x",
    "/api/v1/download?slug=demo&version=../../router",
    "/api/v1/download?slug=demo&ownerHandle=../acme",
    "/api/v1/download?slug=%2e%2e%2fx",
    "/api/v1/skills/demo/file?path=../../../hub.json",
    "/api/v1/skills/demo/file?path=/etc/passwd",
    "/api/v1/skills/demo/file?path=SKILL.md%00.png",
    "/packs/acme/demo.json",
    "/%ff%fe",
]


@pytest.mark.parametrize("target", NASTY_TARGETS)
def test_nasty_requests_get_nothing(app: Starlette, exploded_app: Starlette, target: str) -> None:
    for one in (app, exploded_app):
        got = ask(one, target)
        assert got.status in (400, 404)
        assert got.headers["content-type"].startswith("text/plain")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(
    path=st.lists(
        st.sampled_from(["api", "v1", "skills", "owners", "acme", "demo", "twins", "file", "download", "resolve",
                         "versions", "1.0.0", "..", "%2e", "%00", "%ff", "", "dl", "search"])
        | st.text(max_size=5).map(lambda text: quote(text.encode("utf-8", "replace"))),
        max_size=7,
    ),
    query=st.text(alphabet="slugqversionpathlimit=&%0aF-1.é/", max_size=40),
    method=st.sampled_from(["GET", "HEAD", "POST", "DELETE"]),
)  # fmt: skip
def test_no_request_is_an_error_of_the_server(
    app: Starlette, path: list[str], query: str, method: str
) -> None:
    got = ask(app, "/" + "/".join(path) + "?" + quote(query, safe="=&%"), method)
    assert got.status < 500


def test_a_build_beside_a_running_server_is_served(tmp_path: Path) -> None:
    write_hub(tmp_path, Layout.PACKED, (sample(),))
    app = create_app(tmp_path)
    assert [row["slug"] for row in ask(app, "/api/v1/skills").json()["items"]] == ["demo"]
    write_hub(
        tmp_path, Layout.PACKED, (sample(verdict=ScanVerdict.BLOCK), sample("other", display_name="Other"))
    )
    assert [row["slug"] for row in ask(app, "/api/v1/skills").json()["items"]] == ["demo", "other"]
    assert ask(app, "/api/v1/download?slug=demo").status == 403
    assert ask(app, "/api/v1/search?q=other").json()["results"][0]["slug"] == "other"
