"""``skillpress search`` over a folder and over HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli.search import command
from generator.errors import SkillpressError
from generator.jsondata import dump_bytes
from generator.model import Deprecation, ScanVerdict, Stance
from generator.write.protocols.clawhub_rows import list_row
from tests.search.samples import HUB, documents_of, make_listing

LISTINGS = [
    make_listing("pdf", description="Reads PDF files", topics=("documents",)),
    make_listing("pdf-forms", description="Fills forms\nand \x1b[31mmore", topics=("documents", "forms")),
    make_listing(
        "pdf-old", owner="beta", description="x" * 300, verdict=ScanVerdict.WARN,
        stance=Stance(withdrawn=True, deprecated=Deprecation("Old")),
    ),
]  # fmt: skip


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


@pytest.fixture(scope="module", params=["folder", "url"])
def hub(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A hub of nothing but its index, on disk and served."""
    root: Path = tmp_path_factory.mktemp("hub")
    (root / "hub.json").write_text('{"naming": "index.html"}')
    for route, body in documents_of(LISTINGS, split_above=1, chunk=2).items():
        (root / route[1:]).parent.mkdir(exist_ok=True)
        (root / route[1:]).write_bytes(body)
    if request.param == "folder":
        yield str(root)
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def run(hub: str, *arguments: str) -> Result:
    return CliRunner().invoke(command, [*arguments, "--hub", hub])


def test_lines(hub: str) -> None:
    done = run(hub, "pdf")
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "@acme/pdf 1.0.0  Reads PDF files",
        "@acme/pdf-forms 1.0.0  Fills forms and \\x1b[31mmore",
        f"@beta/pdf-old 1.0.0 [yanked, deprecated, scan: warn]  {'x' * 159}…",
    ]


@pytest.mark.parametrize(
    ("asked", "slugs"),
    [
        (["pdf", "forms"], ["pdf-forms", "pdf", "pdf-old"]),
        (["pdf", "owner:beta"], ["pdf-old"]),
        (["-owner:acme"], ["pdf-old"]),
        (["pdf", "-tag:forms", "tag:documents"], ["pdf"]),
        (["-host:codex", "-verdict:allow"], []),
        (["--", "pdf", "-verdict:warn"], ["pdf", "pdf-forms"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)  # fmt: skip
def test_filters_are_no_options(hub: str, asked: list[str], slugs: list[str]) -> None:
    done = CliRunner().invoke(command, ["--hub", hub, "--json", *asked])
    assert [row["slug"] for row in json.loads(done.output)["results"]] == slugs
    assert done.exit_code == (0 if slugs else 1)


def test_a_limit_says_how_many_more(hub: str) -> None:
    assert run(hub, "pdf", "--limit", "1").output.splitlines()[1:] == ["... and 2 more; --limit shows them"]
    document = json.loads(run(hub, "pdf", "--limit", "1", "--json").output)
    assert (document["total"], len(document["results"])) == (3, 1)


def test_json_has_the_rows_of_the_api(hub: str) -> None:
    document = json.loads(run(hub, "pdf", "--json").output)
    assert document["schema"] == "skillpress.search-results.v1"
    assert dump_bytes(document["results"][0]) == dump_bytes({**list_row(LISTINGS[0], HUB), "score": 6000})


def test_nothing_found_is_said(hub: str) -> None:
    done = run(hub, "kitchen")
    assert (done.exit_code, done.output) == (1, "No skill of this hub answers that. Try fewer words.\n")


def test_no_hub_and_no_index_are_errors_that_say_so(tmp_path: Path) -> None:
    assert isinstance(run(str(tmp_path), "pdf").exception, SkillpressError)
    (tmp_path / "hub.json").write_text('{"naming": "index.html"}')
    error = run(str(tmp_path), "pdf").exception
    assert isinstance(error, SkillpressError)
    assert "/search/index.json: there is no such document" in str(error)
