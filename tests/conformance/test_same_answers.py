"""nginx and Caddy answer every question just as our own server does, but for what rules cannot do."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Callable

import pytest

from tests.conformance.conftest import Running, ask
from tests.conformance.servers import server_params

FINGERPRINT = "{fingerprint}"
QUESTIONS = (
    "/", "/acme", "/acme/", "/acme/skills/alpha", "/acme/skills/alpha/", "/api/", "/browse/",
    "/.well-known/clawhub.json", "/.well-known/clawdhub.json", "/hub.json", "/router.json", "/search/index.json",
    "/feeds/hub.xml", "/ledger/index.json", "/ledger/acme/alpha.jsonl", "/nothing", "/nothing/", "/acme/skills/none/",
    "/dl/acme/alpha-1.0.0.zip", "/dl/acme/alpha-1.1.0.zip", "/dl/acme/alpha-9.9.9.zip", "/dl/bolt/alpha-1.0.0.zip",
    "/.skillpress/memory.json", "/.git/config", "/acme/.hidden", "/%2e%2e/secret", "/..%2fsecret",
    "/api/v1/openapi.json", "/api/v1/none", "/api/v2/skills", "/api/v1/skills/none", "/api/v1/skills/Alpha%00",
    "/api/v1/skills/alpha", "/api/v1/skills/alpha?ownerHandle=acme", "/api/v1/skills/alpha?ownerHandle=%40acme",
    "/api/v1/skills/alpha?owner=acme", "/api/v1/skills/alpha?ownerHandle=bolt", "/api/v1/skills/alpha?ownerHandle=..",
    "/api/v1/skills/alpha?ownerHandle=acme%2F..", "/api/v1/skills/alpha?ownerHandle=",
    "/api/v1/skills/shared", "/api/v1/skills/shared/versions", "/api/v1/skills/shared?ownerHandle=acme",
    "/api/v1/skills/shared?ownerHandle=bolt", "/api/v1/skills/shared/versions/1.0.0?ownerHandle=bolt",
    "/api/v1/owners/bolt/skills/shared", "/api/v1/owners/acme/skills/alpha", "/api/v1/owners/bolt/skills/alpha",
    "/api/v1/owners/none/skills/alpha", "/api/v1/owners/bolt/skills/shared/versions/1.0.0/verify",
    "/api/v1/skills/alpha/versions", "/api/v1/skills/alpha/versions/1.0.0", "/api/v1/skills/alpha/versions/9.9.9",
    "/api/v1/skills/alpha/versions/1.0.0/verify",
    "/api/v1/skills/alpha/versions/1.0.0/card", "/api/v1/skills/alpha/versions/1.0.0/scan",
    "/api/v1/skills/alpha/install", "/api/v1/skills/alpha/install?ownerHandle=acme&forceInstall=1",
    "/api/v1/skills/alpha/moderation", "/api/v1/skills/alpha/card", "/api/v1/skills/alpha/scan",
    "/api/v1/skills/alpha/verify", "/api/v1/skills/alpha/verify?version=1.0.0",
    "/api/v1/skills/alpha/verify?tag=latest",
    "/api/v1/skills/alpha/verify?tag=none", "/api/v1/skills/alpha/verify?version=9.9.9",
    "/api/v1/skills/alpha/card?version=1.0.0", "/api/v1/skills/alpha/verify?version=1.0.0%2F..%2F1.1.0",
    "/api/v1/skills/alpha/verify?ownerHandle=bolt", "/api/v1/skills/shared/verify?ownerHandle=bolt&version=1.0.0",
    "/api/v1/skills/shared/verify", "/api/v1/skills/alpha/none",
    "/api/v1/download", "/api/v1/download?slug=", "/api/v1/download?slug=alpha",
    "/api/v1/download?slug=alpha&version=1.0.0",
    "/api/v1/download?slug=alpha&tag=latest", "/api/v1/download?slug=alpha&tag=none",
    "/api/v1/download?slug=alpha&version=9.9.9", "/api/v1/download?slug=alpha&version=1.0.0&tag=latest",
    "/api/v1/download?slug=alpha&ownerHandle=acme&version=1.1.0", "/api/v1/download?slug=alpha&ownerHandle=bolt",
    "/api/v1/download?slug=alpha&owner=acme", "/api/v1/download?slug=shared",
    "/api/v1/download?slug=shared&version=1.0.0",
    "/api/v1/download?slug=shared&ownerHandle=bolt", "/api/v1/download?slug=shared&ownerHandle=acme&version=1.0.0",
    "/api/v1/download?slug=none&version=1.0.0", "/api/v1/download?slug=..&version=..%2Fx",
    "/api/v1/download?slug=..&version=../../hub.yml", "/api/v1/download?slug=%2e%2e&ownerHandle=..&version=1",
    "/api/v1/download?slug=alpha%00&version=1.0.0", "/api/v1/download?slug=alpha&version=1.0.0%0d%0aX-A:b",
    "/api/v1/resolve", "/api/v1/resolve?slug=alpha", "/api/v1/resolve?slug=alpha&hash=zz",
    f"/api/v1/resolve?slug=alpha&hash={FINGERPRINT}", f"/api/v1/skills/resolve?slug=alpha&hash={FINGERPRINT}",
    f"/api/v1/resolve?slug=alpha&hash={'0' * 64}", f"/api/v1/resolve?slug=none&hash={'0' * 64}",
    f"/api/v1/resolve?slug=alpha&ownerHandle=bolt&hash={'0' * 64}", f"/api/v1/resolve?slug=shared&hash={'0' * 64}",
    f"/api/v1/resolve?slug=shared&ownerHandle=bolt&hash={'0' * 64}",
)  # fmt: skip
OTHERS = ("beta", "gone", "pulled", "former", "fresh", "left", "alpha-kit", "common")
ABOUT = (
    "/api/v1/skills/{slug}?ownerHandle={owner}", "/api/v1/skills/{slug}/versions?ownerHandle={owner}",
    "/api/v1/skills/{slug}/versions/1.0.0?ownerHandle={owner}", "/api/v1/skills/{slug}/install?ownerHandle={owner}",
    "/api/v1/skills/{slug}/verify?ownerHandle={owner}",
    "/api/v1/skills/{slug}/verify?ownerHandle={owner}&version=1.0.0",
    "/api/v1/download?slug={slug}&ownerHandle={owner}&version=1.0.0",
    "/api/v1/download?slug={slug}&ownerHandle={owner}&tag=latest",
    f"/api/v1/resolve?slug={{slug}}&ownerHandle={{owner}}&hash={'0' * 64}",
)  # fmt: skip
PLACES = ("/{owner}/skills/{slug}", "/{owner}/skills/{slug}/", "/dl/{owner}/{slug}-1.0.0.zip")
QUESTIONS += (
    *(about.format(slug=slug, owner=owner) for slug in OTHERS for owner in ("", "acme", "bolt") for about in ABOUT),
    *(place.format(slug=slug, owner=owner) for slug in OTHERS for owner in ("acme", "bolt") for place in PLACES),
    "/api/v1/download?slug=alpha&tag=first", "/api/v1/skills/alpha/verify?tag=first",
    "/api/v1/download?slug=beta&tag=first",
)  # fmt: skip
"""What was withdrawn, renamed, or belongs to one of two owners."""
TYPES = ("/", "/hub.json", "/search/index.json", "/feeds/hub.xml", "/api/v1/skills/alpha", "/api/v1/skills/alpha/card",
         "/dl/acme/alpha-1.0.0.zip", "/api/v1/download?slug=alpha", "/api/v1/skills/shared", "/api/v1/skills/none",
         "/acme/skills/alpha/", "/api/v1/skills/alpha/versions/1.0.0/card")  # fmt: skip
BUILT = ("/hub.json", "/router.json", "/ledger/index.json", "/feeds/hub.xml", "/search/index.json")
"""Documents with digests of documents that hold the hub's address, or with what depends on the hosting."""
HEADERS = ("access-control-allow-origin", "x-content-type-options", "referrer-policy", "x-frame-options")
RAW_FILES = (
    ("SKILL.md", "text/plain"), ("scripts/run.py", "text/plain"), ("assets/dot.png", "image/png"),
    ("references/page.html", "text/plain"), ("references/picture.svg", "text/plain"), ("LICENSE", "text/plain"),
)  # fmt: skip
"""Files of a skill, and the type each must have whatever it holds."""


@pytest.fixture(params=server_params("nginx", "nginx-root", "caddy", "caddy-root"))
def server(request: pytest.FixtureRequest, running: Callable[[str], Running]) -> Running:
    """A server of rules."""
    return running(request.param)


@pytest.fixture
def ours(running: Callable[[str], Running]) -> Running:
    """Our own server."""
    return running("serve-exploded")


@pytest.fixture(scope="module")
def answers(running: Callable[[str], Running]) -> dict[str, tuple[int, str, bytes]]:
    """What our own server answers to every question."""
    ours = running("serve-exploded")
    document = ours.place.tree / "api/v1/skills/alpha/versions/1.0.0/verify/index.html"
    fingerprint = json.loads(document.read_bytes())["artifact"]["sourceFingerprint"]
    asked = [question.replace(FINGERPRINT, fingerprint) for question in QUESTIONS]
    return {question: _told(ours, question) for question in asked}


def test_every_question_is_answered_as_our_own_server_answers(
    server: Running, answers: dict[str, tuple[int, str, bytes]]
) -> None:
    found = {question: _told(server, question) for question in answers}
    assert {question: told for question, told in found.items() if told != answers[question]} == {}


def _told(running: Running, question: str) -> tuple[int, str, bytes]:
    """Status, where a redirect leads, and what is said, without what differs between the hubs of two addresses."""
    status, headers, body = ask(running, question)
    where = headers.get("location", "").removeprefix(running.place.base)
    if status in (301, 308):
        return status, where, b""
    if status in (400, 404):
        # Refusals have other words here and there, and a path that leads outside is 400 for some; never HTML.
        assert headers["content-type"].startswith("text/plain") or status == 400, (question, body)
        return 404 if question.startswith(("/.", "/%", "/api/v1/skills/A")) else status, "", b""
    if status == 410 and question.startswith("/api/v1/download") and "tag=latest" in question:
        return status, "", b""  # rules give the whole document, our server its message
    text = body.replace(running.place.url.encode(), b"URL")
    if question in BUILT:
        return status, "", b""
    if title := re.search(rb"<title>[^<]*</title>", text):
        return status, "", title[0]  # what a page says of clients is another thing for each hosting
    return status, "", re.sub(rb'"size":[0-9]+|[0-9a-f]{64}', b"", text) if "verify" in question else text


def test_types_and_headers_are_those_of_our_own_server(server: Running, ours: Running) -> None:
    for question in TYPES:
        _, headers, _ = ask(server, question)
        _, wanted, _ = ask(ours, question)
        assert headers["content-type"].lower() == wanted["content-type"].lower(), question
        for name in HEADERS:
            assert headers.get(name) == wanted.get(name), (question, name)


def test_only_what_never_changes_is_kept_for_good(server: Running) -> None:
    for question, kept in (
        ("/dl/acme/alpha-1.0.0.zip", "immutable"),
        ("/api/v1/download?slug=alpha&tag=latest", "must-revalidate"),
        ("/api/v1/skills/alpha", "must-revalidate"),
        ("/api/v1/skills/none", "no-store"),
        ("/api/v1/skills/shared", "must-revalidate" if server.name.startswith("caddy") else "no-store"),
        ("/", "must-revalidate"),
    ):
        _, headers, _ = ask(server, question)
        assert kept in headers.get("cache-control", ""), (question, headers)


def test_changes_are_refused_in_words(server: Running) -> None:
    for question in ("/api/v1/skills/-/security-verdicts", "/api/v1/skills", "/", "/api/v1/stars/alpha"):
        for method in ("POST", "PUT", "DELETE"):
            status, headers, body = ask(server, question, method, b"{}")
            assert status == 405, question
            assert headers["content-type"].startswith("text/plain")
            assert body.startswith(b"This hub is made of files")
            assert "GET" in headers["allow"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("/api/v1/skills/none", b"Skill not found"),
        ("/api/v1/download?slug=none&version=1.0.0", b"Skill not found"),
        (f"/api/v1/resolve?slug=none&hash={'0' * 64}", b"Skill not found"),
        ("/api/v1/download?slug=alpha&version=9.9.9", b"Version not found"),
        ("/api/v1/skills/alpha/versions/9.9.9", b"Version not found"),
        ("/api/v1/download", b"Missing slug"),
        ("/api/v1/resolve?slug=alpha&hash=zz", b"Invalid hash"),
    ],
)
def test_refusals_have_the_words_that_clients_look_for(question: str, words: bytes, server: Running) -> None:
    assert ask(server, question)[2] == words


def test_a_raw_file_is_inert(server: Running) -> None:
    for tree in ("/agentskills/alpha", "/.well-known/skills/alpha"):
        for path, kind in RAW_FILES:
            target = server.place.tree / f"{tree[1:]}/{path}"
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                target.write_bytes(b"<script>alert(1)</script>")
            status, headers, _ = ask(server, f"{tree}/{path}")
            assert (status, headers["content-type"].partition(";")[0]) == (200, kind), path
            assert "sandbox" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"


def test_a_page_gets_compressed_and_an_archive_does_not(server: Running) -> None:
    for question, wanted in (("/", "gzip"), ("/dl/acme/alpha-1.1.0.zip", None)):
        connection = http.client.HTTPConnection("127.0.0.1", server.place.port, timeout=30)
        connection.request("GET", f"{server.place.base}{question}", headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        assert answer.getheader("Content-Encoding") == wanted
        assert answer.getheader("ETag")
