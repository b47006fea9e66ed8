"""Where routes lie."""

from __future__ import annotations

import json

import pytest

from generator.model import Owner, Route, SkillRoutes, Slug
from generator.write.layout import Layout, Naming, archive_file, file_for, lay_out_skill

FILES = {
    "home": ("/", "index.html"),
    "page": ("/acme/skills/pdf/", "acme/skills/pdf/index.html"),
    "list": ("/api/v1/skills", "api/v1/skills/@"),
    "detail": ("/api/v1/skills/pdf", "api/v1/skills/pdf/@"),
    "version with dots": ("/api/v1/skills/pdf/versions/1.0.0", "api/v1/skills/pdf/versions/1.0.0/@"),
    "version that looks like a file": (
        "/api/v1/skills/pdf/versions/1.0.0-rc.json",
        "api/v1/skills/pdf/versions/1.0.0-rc.json/@",
    ),
    "description of the API": ("/api/v1/openapi.json", "api/v1/openapi.json"),
    "discovery": ("/.well-known/clawhub.json", ".well-known/clawhub.json"),
    "asset": ("/assets/site.css", "assets/site.css"),
}


@pytest.mark.parametrize("naming", list(Naming))
@pytest.mark.parametrize(("route", "file"), FILES.values(), ids=FILES)
def test_exploded_file(route: str, file: str, naming: Naming) -> None:
    assert file_for(route, naming) == file.replace("@", naming.value)


def routes() -> SkillRoutes:
    def route(path: str, body: str, status: int = 200) -> Route:
        return Route(path, body.encode(), "application/json", status=status)

    return SkillRoutes(
        Owner("acme"), Slug("pdf"),
        page=route("/acme/skills/pdf/", "<p>"),
        answers=(route("/api/v1/skills/pdf", '{"a":"é"}'), route("/api/v1/skills/pdf/install", "no", 403)),
        ledger=route("/ledger/acme/pdf.jsonl", "{}\n"),
        archives=(route("/dl/acme/pdf-1.0.0.zip", "PK"),),
    )  # fmt: skip


def test_packed_is_four_files_ledger_first_page_last() -> None:
    files = lay_out_skill(routes(), Layout.PACKED, Naming.INDEX_HTML)
    assert [file.path for file in files] == [
        "ledger/acme/pdf.jsonl",
        "dl/acme/pdf-1.0.0.zip",
        "packs/acme/pdf.json",
        "pages/acme/pdf.html",
    ]
    pack = json.loads(files[2].data)
    assert pack["answers"]["/api/v1/skills/pdf"]["body"] == '{"a":"é"}'
    assert pack["answers"]["/api/v1/skills/pdf/install"]["status"] == 403


def test_exploded_is_a_file_a_route() -> None:
    files = lay_out_skill(routes(), Layout.EXPLODED, Naming.INDEX_JSON)
    assert [file.path for file in files] == [
        "ledger/acme/pdf.jsonl",
        "dl/acme/pdf-1.0.0.zip",
        "api/v1/skills/pdf/install/index.json",
        "api/v1/skills/pdf/index.json",
        "acme/skills/pdf/index.html",
    ]


def test_no_two_releases_share_an_archive_name() -> None:
    names = {
        archive_file("o", slug, version)
        for slug in ("a", "a-1")
        for version in ("1.0.0", "1.0.0-1.0.0", "0.0.0")
    }
    assert len(names) == 6
