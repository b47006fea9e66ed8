"""Every client's questions on every server, held against the published table."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import pytest

from generator.hosting.expectations import EXPECTED, REASONS, Level
from generator.hosting.profiles import HOSTINGS, Kind
from generator.probe.clients import CLIENTS
from generator.probe.model import Weight
from tests.conformance.conftest import Running, ask
from tests.conformance.servers import SERVERS, server_params

LIMITS = {
    Kind.SERVE: set(),
    Kind.EDGE: set(),
    Kind.NGINX: {"no-post"},
    Kind.CADDY: {"no-post"},
    Kind.RULES: {"no-post"},
    Kind.PAGES: {"no-post", "no-queries", "redirects"},
    Kind.OBJECTS: {"no-post", "no-queries"},
}
"""What each kind of host cannot do, as the probe finds it."""


@pytest.mark.parametrize("name", server_params())
def test_each_client_gets_as_far_as_the_table_says(
    name: str, running: Callable[[str], Running], record_property: Callable[[str, object], None]
) -> None:
    report = running(name).probe()
    found = {one.client: one.level for one in report.clients}
    record_property("printed", "\n".join(f"{client:<18} {level}" for client, level in found.items()))
    assert found == EXPECTED[SERVERS[name].kind], [
        (one.client, one.reasons) for one in report.clients if one.reasons
    ]


@pytest.mark.parametrize("name", server_params())
def test_nothing_is_broken_and_only_what_the_host_cannot_do_is_told(
    name: str, running: Callable[[str], Running]
) -> None:
    report = running(name).probe()
    server = SERVERS[name]
    assert [one for one in report.troubles if one.weight is Weight.BROKEN] == []
    assert {one.code for one in report.troubles if one.weight is Weight.LIMIT} == LIMITS[server.kind]
    assert report.ok


@pytest.mark.parametrize("name", server_params())
def test_a_shared_slug_is_never_answered_with_another_owners_skill(
    name: str, running: Callable[[str], Running]
) -> None:
    """Probed with its owner, ``shared`` is the right one or refused; the wrong bytes would be broken."""
    for owner in ("acme", "bolt"):
        report = running(name).probe(skill=f"{owner}/shared")
        steps = [step for one in report.clients for step in one.steps if not step.passed]
        assert not any("other files" in step.said or "other bytes" in step.said for step in steps), steps
        assert not any(one.weight is Weight.BROKEN for one in report.troubles), report.troubles


WITHHELD = ".skillpress/withheld/dl/bolt/gone"
PRYING = (
    f"/{WITHHELD}-1.0.0.zip", f"/dl/../{WITHHELD}-1.0.0.zip", f"/dl/%2e%2e/{WITHHELD}-1.0.0.zip",
    f"/api/v1/download?slug={quote(f'../../{WITHHELD}', safe='')}&ownerHandle=acme&version=1.0.0",
    f"/api/v1/download?slug=alpha&version={quote(f'x/../../../{WITHHELD}-1.0.0', safe='')}",
    f"/api/v1/download?slug=../../{WITHHELD}&version=1.0.0", "/api/v1/download?slug=gone&ownerHandle=../.skillpress",
    "/v1/packages/..%2f.skillpress%2fwithheld%2fdl%2fbolt/gone/versions/1.0.0/download",
    f"/agentskills/..%2f{WITHHELD}-1.0.0.zip", f"/npm/..%2f{WITHHELD}-1.0.0.zip",
    "/api/v1/download?slug=gone&version=1.0.0",
    "/dl/bolt/gone-1.0.0.zip", "/../hub.yml", "/%2e%2e/hub.yml", "/..%2fhub.yml",
)  # fmt: skip
"""Ways to ask for what the operator withdrew, or for what lies outside the published folder."""


@pytest.mark.parametrize("name", server_params())
def test_nothing_under_quarantine_and_nothing_outside_is_given_out(
    name: str, running: Callable[[str], Running]
) -> None:
    server = running(name)
    secret = next(server.place.tree.glob(f"{WITHHELD}-1.0.0.zip")).read_bytes()
    for question in PRYING:
        status, _, body = ask(server, question)
        assert body != secret, question
        assert b"overlay:" not in body, question
        assert status >= 300, question


def test_the_table_covers_every_client_and_kind_and_says_why() -> None:
    assert set(EXPECTED) == set(Kind)
    for kind, row in EXPECTED.items():
        assert set(row) == set(CLIENTS)
        less = {client for client, level in row.items() if level is not Level.WORKS}
        assert less == {client for one, client in REASONS if one is kind}, kind
    assert {one.kind for one in HOSTINGS.values()} <= set(Kind)
