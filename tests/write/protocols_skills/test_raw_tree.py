"""Raw files of third parties: nothing acts, nothing is asked for under another address, nothing collides."""

from __future__ import annotations

import json

import pytest

from generator.serve.media import inert_type
from generator.write.mediatype import media_type
from generator.write.protocols.raw_tree import (
    fits_tree,
    is_active,
    is_hidden,
    is_served,
    is_unaddressed,
    raw_type,
)
from tests.write.protocols_skills.making import make, manifest, routes_of
from tests.write.protocols_skills.samples import LONG, hub

KINDS = {
    "SKILL.md": "",
    "scripts/run.py": "",
    "scripts/run.sh": "",
    "data/table.csv": "",
    "assets/logo.png": "",
    "LICENSE": "",
    ".gitignore": "hidden",
    ".claude-plugin/plugin.json": "hidden",
    "references/.draft.md": "hidden",
    "references/说明.md": "",
    "references/a b.md": "",
    "assets/page.html": "active",
    "assets/PAGE.HTM": "active",
    "assets/drawing.svg": "active",
    "lib/index.mjs": "active",
    "style.css": "active",
    "form.pdf": "active",
    "module.wasm": "active",
    "schema.xsd": "",
    "schema.xml": "active",
    "a.html.txt": "active",
    "form.php": "served",
    "form.php.txt": "served",
    "FORM.PhTml": "served",
    ".htaccess": "served",
    "assets/.HTACCESS": "served",
    "web.config": "served",
    "_headers": "served",
    ".user.ini": "served",
    "page.jsp": "served",
    "what?.md": "unaddressed",
    "c#.md": "unaddressed",
    "100%.md": "unaddressed",
    "a..b.md": "unaddressed",
    "references/ blank.md": "unaddressed",
    "blank /x.md": "unaddressed",
}


@pytest.mark.parametrize(("path", "kind"), KINDS.items())
def test_what_a_file_is_by_its_path(path: str, kind: str) -> None:
    assert is_active(path) == (kind == "active")
    assert is_served(path) == (kind == "served")
    assert is_unaddressed(path) == (kind == "unaddressed")
    assert is_hidden(path) == ("/." in f"/{path}")
    assert fits_tree((path,), headers=True) == (kind in ("", "active"))
    assert fits_tree((path,), headers=False) == (kind == "")


@pytest.mark.parametrize("path", KINDS)
def test_no_raw_file_has_a_type_that_acts(path: str) -> None:
    kind = raw_type(path)
    assert kind in ("text/plain; charset=utf-8", "application/octet-stream", "image/png")
    # The server gives files out of archives under the same types.
    assert kind == inert_type(media_type(path))


@pytest.mark.parametrize("headers", [True, False])
def test_no_raw_route_is_active_without_headers(headers: bool) -> None:
    routes = routes_of(list(hub().values()), headers=headers)
    raw = [path for path in routes if path.startswith(("/.well-known/skills/", "/agentskills/"))]
    assert not any(is_served(path) for path in raw)
    assert any(is_active(path) for path in raw) == headers
    for path in raw:
        if not path.endswith("/index.json"):
            assert routes[path].media_type == raw_type(path)


def test_the_tree_of_agentskills_http() -> None:
    routes = routes_of(list(hub().values()))
    names = json.loads(routes["/agentskills/index.json"].body)["skills"]
    assert names == [LONG, "field-notes", "nameless", "old-tool", "pdf-tools", "with-page"]
    assert json.loads(routes["/agentskills/pdf-tools/index.json"].body) == {
        "files": [
            "SKILL.md",
            "assets/logo.png",
            "references/FORMS.md",
            "scripts/extract.py",
            "scripts/lib/deep.py",
        ],
        "scripts": ["extract.py"],
        "references": ["FORMS.md"],
        "assets": ["logo.png"],
    }
    for name in names:
        for path in json.loads(routes[f"/agentskills/{name}/index.json"].body)["files"]:
            assert f"/agentskills/{name}/{path}" in routes


@pytest.mark.parametrize("path", ["index.json", "INDEX.JSON"])
def test_a_file_with_the_name_of_the_list_of_files_keeps_a_skill_out_of_that_tree(path: str) -> None:
    routes = routes_of([make("acme/tool", {"SKILL.md": manifest("tool"), path: b"{}"})])
    assert not any(route.startswith("/agentskills/tool/") for route in routes)
    assert f"/.well-known/skills/tool/{path}" in routes
