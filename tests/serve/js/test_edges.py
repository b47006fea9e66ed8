"""The edges in the programs their hosts run: workerd for Cloudflare, Deno for Netlify, Vercel and itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from generator.serve.app import create_app
from generator.write.layout import Layout
from tests.deps import edges
from tests.golden.samples import write_hub
from tests.serve.client import Got, ask
from tests.serve.js.hubs import Pair
from tests.serve.js.programs import EDGES, Edge, Node
from tests.serve.js.requests import BASICS, PROTOCOLS, RULED, RULED_PROTOCOLS, Asked

NAMES = ("cloudflare_worker", "netlify_edge", "vercel_edge", "deno_serve")
_CARRIED = {"date", "server", "connection", "keep-alive", "transfer-encoding", "content-length"}
"""Headers that belong to a connection and not to an answer."""


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    if not edges.part().is_done():
        pytest.fail("workerd and Deno are not installed; run `python -m tests.deps.edges`", pytrace=False)


def test_every_edge_is_tested() -> None:
    assert {file.stem for file in EDGES.glob("*.js")} == {*NAMES, "web"}


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    """The name of an edge."""
    assert isinstance(request.param, str)
    return request.param


@pytest.fixture(scope="module")
def expected(node: Node) -> Callable[[Path, Sequence[Asked], str], Sequence[Got]]:
    """What the Python server answers to a table, of what is left of its targets at an edge; asked once."""
    known: dict[Path, list[Got]] = {}

    def give(root: Path, requests: Sequence[Asked], base: str) -> Sequence[Got]:
        if root not in known:
            app = create_app(root, base_path=base)
            targets = node.normal([one.target for one in requests])
            known[root] = [
                ask(app, target, one.method, headers=one.headers, body=one.body)
                for one, target in zip(requests, targets, strict=True)
            ]
        return known[root]

    return give


Expected = Callable[[Path, Sequence[Asked], str], Sequence[Got]]
SAMPLE = (*BASICS, *PROTOCOLS)


def test_the_sample_hub(expected: Expected, wide: Pair, name: str) -> None:
    _compare(name, wide.packed, SAMPLE, expected(wide.packed, SAMPLE, ""))


@pytest.mark.parametrize("edge", ["cloudflare_worker", "netlify_edge"])
def test_the_sample_hub_exploded(expected: Expected, wide: Pair, edge: str) -> None:
    _compare(edge, wide.exploded, SAMPLE, expected(wide.exploded, SAMPLE, ""))


def test_a_hub_below_a_path_with_an_operators_decisions(expected: Expected, ruled: Pair, name: str) -> None:
    table = (*RULED, *RULED_PROTOCOLS)
    _compare(name, ruled.packed, table, expected(ruled.packed, table, "/skills"))


def test_an_error_of_the_host_is_no_missing_skill_and_passes(tmp_path: Path) -> None:
    write_hub(tmp_path, Layout.PACKED)
    edge = Edge.start("netlify_edge", tmp_path)
    try:
        assert edge.ask("/api/v1/skills/demo").status == 200
        (tmp_path / ".broken").touch()
        assert edge.ask("/api/v1/skills/demo/verify").status == 200, "its pack is known"
        got = edge.ask("/api/v1/skills/warned")
        assert (got.status, got.text) == (500, "This hub cannot be read just now.")
        (tmp_path / ".broken").unlink()
        assert edge.ask("/api/v1/skills/warned").status == 200
    finally:
        edge.stop()


def _compare(name: str, root: Path, requests: Sequence[Asked], answers: Sequence[Got]) -> None:
    wrong = []
    edge = Edge.start(name, root)
    try:
        for one, expected in zip(requests, answers, strict=True):
            got = edge.ask(one.target, one.method, headers=one.headers, body=one.body)
            if _seen(got) != _seen(expected):
                wrong.append(f"{one}\n  python: {_seen(expected)}\n  edge:   {_seen(got)}")
    finally:
        edge.stop()
    assert not wrong, f"{len(wrong)} of {len(requests)}\n" + "\n".join(wrong)


def _seen(got: Got) -> tuple[int, dict[str, str], bytes]:
    return got.status, {key: value for key, value in got.headers.items() if key not in _CARRIED}, got.body
