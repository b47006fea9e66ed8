"""A hub as a build made it, mirrored from `skillpress serve` and from a host of plain files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from generator.mirror.run import MirrorReport, Way, mirror
from generator.read.sources.http.transport import HttpTransport
from generator.verify.places import open_place
from generator.verify.run import verify
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text
from tests.cli.test_commands import serving
from tests.hubs import read_tree
from tests.mirror.hubs import PATIENCE
from tests.verify.test_verify import served

Serve = Callable[[LittleHub], AbstractContextManager[str]]


@contextmanager
def by_our_server(hub: LittleHub) -> Iterator[str]:
    """`skillpress serve`, below the base path of the hub's URL."""
    with serving("public", "--no-build", cwd=hub.root) as address:
        yield f"{address}/shelf"


@contextmanager
def by_plain_host(hub: LittleHub) -> Iterator[str]:
    """A host that knows nothing but files."""
    with served(hub.out) as url:
        yield url


@pytest.mark.parametrize("layout", ["packed", "exploded"])
@pytest.mark.parametrize("naming", ["index.html", "index.json"])
@pytest.mark.parametrize("serve", [by_our_server, by_plain_host], ids=lambda serve: serve.__name__)
def test_a_mirror_follows_builds(tmp_path: Path, layout: str, naming: str, serve: Serve) -> None:
    hub = LittleHub(
        tmp_path / "hub", layout=layout, naming=naming, owner="acme", url="https://hub.example/shelf"
    )
    copy = tmp_path / "copy"

    def follow(url: str) -> MirrorReport:
        report = mirror(url, str(copy), HttpTransport(url), policy=PATIENCE)
        assert read_tree(copy, without={".skillpress"}) == read_tree(hub.out, without={".skillpress"})
        assert verify(open_place(str(copy))).failures == ()
        return report

    hub.put("skills/pdf", {"SKILL.md": skill_text("pdf"), "é ü.md": "x", "scripts/run.sh": "echo\n"})
    hub.put("skills/docx", skill_text("docx"))
    hub.build()
    with serve(hub) as url:
        assert follow(url).way is Way.COMPARED
        again = follow(url)
        assert (again.way, again.requests) == (Way.CURRENT, 1)
        hub.put("skills/pdf", skill_text("pdf", version="1.1.0", body="curl https://new.example/x\n"))
        hub.build(FIRST_TIME + 1)
        assert follow(url).way is Way.CHANGES
        assert (copy / "acme/skills/pdf/diff/1.0.0...1.1.0/index.html").is_file()
        shutil.rmtree(hub.root / "skills/docx")
        hub.put("skills/xlsx", skill_text("xlsx"))
        hub.build(FIRST_TIME + 2)
        report = follow(url)
        assert (report.way, report.sequence) == (Way.CHANGES, 3)


def test_archives_that_the_hub_holds_back_are_named(tmp_path: Path) -> None:
    hub = LittleHub(tmp_path / "hub", owner="acme")
    copy = tmp_path / "copy"
    for number, version in enumerate(("1.0.0", "1.1.0")):
        hub.put("skills/pdf", skill_text("pdf", version=version))
        hub.build(FIRST_TIME + number)
    (hub.root / "overlay").mkdir()
    decisions = hub.root / "overlay/decisions.yml"
    with by_plain_host(hub) as url:

        def follow(*, check: bool = False) -> MirrorReport:
            return mirror(url, str(copy), HttpTransport(url), policy=PATIENCE, check=check)

        assert follow().withheld == ()
        decisions.write_text("quarantine: {acme/pdf@1.0.0: Looks bad.}\n")
        hub.build(FIRST_TIME + 2)
        for report in (follow(), follow(), follow(check=True)):
            assert (report.withheld, report.whole) == (("dl/acme/pdf-1.0.0.zip",), True)
        assert not (copy / "dl/acme/pdf-1.0.0.zip").exists()
        decisions.write_text("{}\n")
        hub.build(FIRST_TIME + 3)
        assert follow().withheld == ()
