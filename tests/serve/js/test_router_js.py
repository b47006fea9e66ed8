"""``router.js`` under real Node answers as the Python server does: status, headers and bytes, in both layouts."""

from __future__ import annotations

import json
from pathlib import Path
from unicodedata import ucd_3_2_0
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette

from generator.jsondata import dump_bytes
from generator.serve.app import create_app
from generator.write.layout import Layout
from tests.golden.samples import write_hub
from tests.serve.client import Got, ask
from tests.serve.js.hubs import Pair
from tests.serve.js.programs import Node
from tests.serve.js.requests import BASICS, PROTOCOLS, RULED, RULED_PROTOCOLS, Asked

LAYOUTS = ("packed", "exploded")


@pytest.mark.parametrize("table", [[*BASICS, *PROTOCOLS], [*RULED, *RULED_PROTOCOLS]])
def test_a_table_is_long_and_has_nothing_twice(table: list[Asked]) -> None:
    assert len(table) >= 150
    assert len({repr(one) for one in table}) == len(table)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_sample_hub(node: Node, wide: Pair, layout: str) -> None:
    _compare(node, getattr(wide, layout), [*BASICS, *PROTOCOLS])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_hub_below_a_path_with_an_operators_decisions(node: Node, ruled: Pair, layout: str) -> None:
    _compare(node, getattr(ruled, layout), [*RULED, *RULED_PROTOCOLS], base="/skills")


def _compare(node: Node, root: Path, requests: list[Asked], base: str = "") -> None:
    app = create_app(root, base_path=base)
    wrong = []
    for one in requests:
        expected = ask(app, one.target, one.method, headers=one.headers, body=one.body)
        got = node.ask(root, one.target, one.method, headers=one.headers, body=one.body)
        assert expected.status < 500
        if _seen(got) != _seen(expected):
            wrong.append(f"{one}\n  python: {_seen(expected)}\n  node:   {_seen(got)}")
    assert not wrong, f"{len(wrong)} of {len(requests)}\n" + "\n".join(wrong)


def _seen(got: Got) -> tuple[int, dict[str, str], bytes]:
    return got.status, got.headers, got.body


def test_limits_of_long_lists(node: Node, tmp_path: Path) -> None:
    write_hub(tmp_path, Layout.PACKED)
    for name, key, count in (("search", "results", 230), ("trending", "items", 130)):
        file = tmp_path / f"api/v1/{name}/index.html"
        document = json.loads(file.read_bytes())
        rows = document[key]
        document[key] = [
            {**rows[at % len(rows)], "slug": f"s{at}", "updatedAt": at % 7} for at in range(count)
        ]
        file.write_bytes(dump_bytes(document))
    app = create_app(tmp_path)
    for target in ("skills", "skills?limit=999", "skills?limit=200&cursor=200", "trending", "trending?limit=999",
                   "search?q=pdf", "search?q=pdf&limit=999", "skills?sort=name&limit=120"):  # fmt: skip
        expected = ask(app, f"/api/v1/{target}")
        assert _seen(node.ask(tmp_path, f"/api/v1/{target}")) == _seen(expected), target


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_etag_of_one_is_known_to_the_other(node: Node, wide: Pair, layout: str) -> None:
    root = getattr(wide, layout)
    for target in (
        "/api/v1/skills/demo",
        "/dl/acme/demo-1.0.0.zip",
        "/",
        "/api/v1/skills/demo/file?path=SKILL.md",
    ):
        etag = ask(create_app(root), target).headers["etag"]
        for value in (etag, f"W/{etag}", f'"other", {etag}', etag.strip('"')):
            got = node.ask(root, target, headers={"if-none-match": value})
            assert (got.status, got.body, got.headers["etag"]) == (304, b"", etag)


@pytest.fixture(scope="module")
def apps(wide: Pair) -> dict[str, Starlette]:
    """The Python servers of the sample hub."""
    return {layout: create_app(getattr(wide, layout)) for layout in LAYOUTS}


PIECES = ["api", "v1", "skills", "owners", "acme", "beta", "demo", "twins", "old", "file", "download", "resolve",
          "versions", "1.0.0", "..", "%2e", "%00", "%ff", "", "dl", "search", "npm", "@acme", "@acme%2fdemo", "bundles",
          "demo.json", "agentskills", ".well-known", "agent-skills", "index.json", "index.html", "SKILL.md", "tree",
          "packages", "diff", "__proto__", "constructor", "packs", "%EF%BB%BF", "verify", "card"]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(
    path=st.lists(
        st.sampled_from(PIECES) | st.text(max_size=5).map(lambda text: quote(text.encode("utf-8", "replace"))),
        max_size=8,
    ),
    query=st.lists(
        st.tuples(
            st.sampled_from(["slug", "q", "version", "tag", "path", "limit", "cursor", "sort", "prefix", "owner",
                             "ownerHandle", "mode", "hash", "__proto__", "constructor", ""]),
            st.sampled_from(["demo", "twins", "acme", "@beta", "1.0.0", "latest", "SKILL.md", "2", "-1", "name"])
            | st.text(max_size=6),
        ),
        max_size=4,
    ),
    method=st.sampled_from(["GET", "GET", "GET", "HEAD", "POST", "DELETE", "OPTIONS"]),
    accept=st.sampled_from(["", "text/html"]),
    layout=st.sampled_from(LAYOUTS),
)  # fmt: skip
def test_any_request(
    node: Node,
    wide: Pair,
    apps: dict[str, Starlette],
    path: list[str],
    query: list[tuple[str, str]],
    method: str,
    accept: str,
    layout: str,
) -> None:
    asked = "&".join(f"{name}={quote(value.encode('utf-8', 'replace'))}" for name, value in query)
    target = "/" + "/".join(path) + (f"?{asked}" if asked else "")
    root = getattr(wide, layout)
    expected = ask(apps[layout], target, method, headers={"accept": accept})
    assert _seen(node.ask(root, target, method, headers={"accept": accept})) == _seen(expected), target


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
@given(st.text(alphabet="%&=+;#0aAfF2E-_.~!'()*slugq ", max_size=40))
def test_any_query_string(node: Node, wide: Pair, apps: dict[str, Starlette], text: str) -> None:
    target = f"/api/v1/download?slug=demo&{text.replace(' ', '+').replace('#', '%23')}&version=1.0.0"
    assert _seen(node.ask(wide.packed, target)) == _seen(ask(apps["packed"], target))
    bare = target.replace("&version=1.0.0", "").replace("slug=demo&", "")
    assert _seen(node.ask(wide.packed, bare)) == _seen(ask(apps["packed"], bare))


def test_texts_are_folded_and_stripped_as_in_python(node: Node) -> None:
    # Letters that both know, whatever Unicode they are of; then newer ones by example.
    letters = [one for one in map(chr, range(0x20000)) if ucd_3_2_0.category(one) not in ("Cn", "Cs")]
    letters += ["ΟΔΟΣ", "Straße", "İstanbul", "ǅ", "ᏸᎠꭰ", "ﬀ", "ᾳ", "ẞ", "ᲀ", "\u0587"]
    told = node.texts(letters)
    assert [one for one, (folded, _) in zip(letters, told, strict=True) if folded != one.casefold()] == []
    framed = [f"{one}x{one}" for one in letters]
    told = node.texts(framed)
    assert [one for one, (_, stripped) in zip(framed, told, strict=True) if stripped != one.strip()] == []
