"""The router: a table of requests and what they mean, and that nothing anybody asks makes it fail."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.serve.plans import (
    Download,
    ListSkills,
    Pick,
    PickTagged,
    Plan,
    ReadFile,
    Say,
    SearchSkills,
    ShowTrending,
    Tag,
    Verdicts,
    VerdictTarget,
)
from generator.serve.router import Request, SlugIndex, plan

INDEX = SlugIndex(
    {"demo": ("acme",), "twins": ("acme", "beta"), "held": ("gamma", "acme")}, {"/api/v1/skills/twins": 409}
)
A = "a" * 64
DEMO, TWINS, BETA = "/api/v1/skills/demo", "/api/v1/skills/twins", "/api/v1/owners/beta/skills/twins"
NO_SKILL, NO_VERSION = Say(404, "Skill not found"), Say(404, "Version not found")


def ask(target: str, method: str = "GET", body: bytes = b"") -> Plan:
    path, _, query = target.partition("?")
    return plan(Request(method, path, dict(parse_qsl(query, keep_blank_values=True)), body), INDEX)


CASES: dict[str, Plan] = {
    # one skill
    "/api/v1/skills/demo": Pick((DEMO,), "Skill not found"),
    "/api/v1/skills/demo/": Pick((DEMO,), "Skill not found"),
    "/api/v1/skills/Demo": Pick((DEMO,), "Skill not found"),
    "/api/v1/skills/nothing": NO_SKILL,
    "/api/v1/skills/nothing/verify": NO_SKILL,
    "/api/v1/skills/..": NO_SKILL,
    "/api/v1/skills/-": NO_SKILL,
    "/api/v1/skills/export": NO_SKILL,
    "/api/v1/skills/demo?ownerHandle=acme": Pick((DEMO,), "Skill not found"),
    "/api/v1/skills/demo?ownerHandle=@Acme": Pick((DEMO,), "Skill not found"),
    "/api/v1/skills/demo?owner=acme": Pick((DEMO,), "Skill not found"),
    "/api/v1/skills/demo?ownerHandle=beta": NO_SKILL,
    "/api/v1/skills/demo?ownerHandle=": Pick((DEMO,), "Skill not found"),
    "/api/v1/owners/acme/skills/demo": Pick((DEMO,), "Skill not found"),
    "/api/v1/owners/beta/skills/demo": NO_SKILL,
    # two owners
    "/api/v1/skills/twins": Pick((TWINS,), "Skill not found"),
    "/api/v1/skills/twins/verify": Pick((TWINS,), "Skill not found"),
    "/api/v1/skills/twins/versions/1.0.0": Pick((TWINS,), "Skill not found"),
    "/api/v1/download?slug=twins": Pick((TWINS,), "Skill not found"),
    f"/api/v1/resolve?slug=twins&hash={A}": Pick((TWINS,), "Skill not found"),
    "/api/v1/skills/twins?ownerHandle=beta": Pick((BETA,), "Skill not found"),
    "/api/v1/skills/twins/install?ownerHandle=beta": Pick((f"{BETA}/install",), "Not found"),
    "/api/v1/owners/beta/skills/twins/versions": Pick((f"{BETA}/versions",), "Not found"),
    # a slug that an overlay gave to one of its owners
    "/api/v1/skills/held": Pick(("/api/v1/skills/held",), "Skill not found"),
    "/api/v1/skills/held?ownerHandle=gamma": Pick(("/api/v1/skills/held",), "Skill not found"),
    "/api/v1/skills/held?ownerHandle=acme": Pick(("/api/v1/owners/acme/skills/held",), "Skill not found"),
    # below a skill
    "/api/v1/skills/demo/versions?limit=25": Pick((f"{DEMO}/versions",), "Not found"),
    "/api/v1/skills/demo/versions/1.0.0": Pick((f"{DEMO}/versions/1.0.0",), "Version not found"),
    "/api/v1/skills/demo/versions/1.0.0/verify": Pick((f"{DEMO}/versions/1.0.0/verify",), "Version not found"),
    "/api/v1/skills/demo/versions/1.0.0/nothing": NO_VERSION,
    "/api/v1/skills/demo/versions/a b": NO_VERSION,
    "/api/v1/skills/demo/nothing": Say(404, "Not found"),
    "/api/v1/skills/demo/verify": Pick((f"{DEMO}/verify",), "Version not found"),
    "/api/v1/skills/demo/verify?tag=latest": Pick((f"{DEMO}/verify",), "Version not found"),
    "/api/v1/skills/demo/verify?tag=beta": PickTagged(DEMO, Tag("beta"), "verify"),
    "/api/v1/skills/demo/verify?tag=.": NO_VERSION,
    "/api/v1/download?slug=demo&tag=beta": Download("acme", "demo", DEMO, Tag("beta")),
    "/api/v1/skills/demo/verify?version=1.0.0": Pick((f"{DEMO}/versions/1.0.0/verify",), "Version not found"),
    "/api/v1/skills/demo/scan?version=1.0.0": Pick((f"{DEMO}/versions/1.0.0/scan",), "Version not found"),
    "/api/v1/skills/demo/card?version=1.0.0": Pick((f"{DEMO}/versions/1.0.0/card",), "Version not found"),
    "/api/v1/skills/demo/card?version=../x": NO_VERSION,
    "/api/v1/skills/demo/card?version=1.0.0%2F..": NO_VERSION,
    # resolve
    f"/api/v1/resolve?slug=demo&hash={A}": Pick((f"{DEMO}/resolve/{A}", f"{DEMO}/resolve"), "Skill not found"),
    f"/api/v1/resolve?slug=demo&hash={A.upper()}": Pick(
        (f"{DEMO}/resolve/{A}", f"{DEMO}/resolve"), "Skill not found"
    ),
    f"/api/v1/skills/resolve?slug=demo&hash={A}": Pick(
        (f"{DEMO}/resolve/{A}", f"{DEMO}/resolve"), "Skill not found"
    ),
    f"/api/v1/skills/demo/resolve/{A}": Pick((f"{DEMO}/resolve/{A}", f"{DEMO}/resolve"), "Skill not found"),
    "/api/v1/skills/demo/resolve": Pick((f"{DEMO}/resolve",), "Not found"),
    "/api/v1/skills/demo/resolve/xyz": Say(400, "Invalid hash"),
    "/api/v1/resolve?slug=demo&hash=xyz": Say(400, "Invalid hash"),
    f"/api/v1/resolve?slug=demo&hash={A}a": Say(400, "Invalid hash"),
    "/api/v1/resolve?slug=demo": Say(400, "Invalid hash"),
    f"/api/v1/resolve?hash={A}": Say(400, "Missing slug"),
    f"/api/v1/resolve?slug=nothing&hash={A}": NO_SKILL,
    # download
    "/api/v1/download?slug=demo": Download("acme", "demo", DEMO, None),
    "/api/v1/download?slug=DEMO&tag=latest": Download("acme", "demo", DEMO, None),
    "/api/v1/download?slug=demo&version=1.0.0": Download("acme", "demo", DEMO, "1.0.0"),
    "/api/v1/download?slug=twins&owner=beta": Download("beta", "twins", BETA, None),
    "/api/v1/download?slug=twins&ownerHandle=@beta&version=1.0.0": Download("beta", "twins", BETA, "1.0.0"),
    "/api/v1/download?slug=demo&version=../x": NO_VERSION,
    "/api/v1/download?slug=../x": NO_SKILL,
    "/api/v1/download?slug=..&version=../x": NO_SKILL,
    "/api/v1/download": Say(400, "Missing slug"),
    # file
    "/api/v1/skills/demo/file?path=SKILL.md": ReadFile("acme", "demo", DEMO, None, "SKILL.md"),
    "/api/v1/skills/demo/file?path=a/b&version=1.0.0": ReadFile("acme", "demo", DEMO, "1.0.0", "a/b"),
    "/api/v1/skills/demo/file": Say(400, "Missing path"),
    # lists
    "/api/v1/skills": ListSkills("updated", 25),
    "/api/v1/skills?limit=50&sort=createdAt": ListSkills("created", 50),
    "/api/v1/skills?limit=0": ListSkills("updated", 1),
    "/api/v1/skills?limit=-5": ListSkills("updated", 1),
    "/api/v1/skills?limit=100000": ListSkills("updated", 200),
    "/api/v1/skills?limit=many": Say(400, "Invalid limit"),
    "/api/v1/skills?limit=²": Say(400, "Invalid limit"),
    "/api/v1/skills?sort=random": Say(400, "Invalid sort"),
    "/api/v1/skills?sort=downloads": ListSkills("updated", 25),
    "/api/v1/skills?cursor=25": ListSkills("updated", 25, offset=25),
    "/api/v1/skills?cursor=x": Say(400, "Invalid cursor"),
    "/api/v1/skills?prefix=de&nonSuspiciousOnly=true": ListSkills("updated", 25, prefix="de", clean_only=True),
    "/api/v1/search?q=pdf": SearchSkills("pdf", 25),
    "/api/v1/search?q=pdf&mode=exact&limit=3": SearchSkills("pdf", 3, exact=True),
    "/api/v1/search?q=pdf&mode=semantic": Say(400, "Invalid mode"),
    "/api/v1/search": SearchSkills("", 25),
    "/api/v1/trending?kind=skills&limit=5": ShowTrending(5),
    "/api/v1/trending": ShowTrending(20),
    "/api/v1/trending?limit=1000": ShowTrending(100),
    "/api/v1/trending?kind=plugins": Say(400, "Unsupported trending kind"),
    "/api/v1/openapi.json": Pick(("/api/v1/openapi.json",), "Not found"),
    # the rest
    "/api/v1/packages": ListSkills("updated", 25, packages=True),
    "/api/v1/packages?family=skill&limit=500&cursor=40": ListSkills("updated", 100, 40, packages=True),
    "/api/v1/packages?family=code-plugin": ListSkills("updated", 0, packages=True),
    "/api/v1/packages?isOfficial=true": ListSkills("updated", 0, packages=True),
    "/api/v1/packages/search?q=pdf&limit=3": SearchSkills("pdf", 3, packages=True),
    "/api/v1/packages/search?q=pdf&family=claw": SearchSkills("pdf", 0, packages=True),
    "/api/v1/plugins": Pick(("/api/v1/plugins",), "Not found"),
    "/api/v2/skills": Say(404, "Not found"),
    "/api/nothing/": Say(404, "Not found"),
    # the site may have a page about the API
    "/api/": Pick(("/api/",), "Not found"),
    "/": Pick(("/",), "Not found"),
    "/acme/skills/demo/": Pick(("/acme/skills/demo/",), "Not found"),
}  # fmt: skip


@pytest.mark.parametrize(("target", "expected"), CASES.items(), ids=CASES.keys())
def test_get(target: str, expected: Plan) -> None:
    assert ask(target) == expected
    assert ask(target, "HEAD") == expected


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("POST", "/api/v1/stars/demo"),
        ("DELETE", "/api/v1/stars/demo"),
        ("POST", "/api/cli/telemetry/install"),
        ("POST", "/api/v1/skills"),
        ("PUT", "/api/v1/skills/demo"),
        ("PATCH", "/"),
        ("GET", "/api/v1/skills/-/security-verdicts"),
    ],
)
def test_what_changes_something_is_refused_in_plain_text(method: str, target: str) -> None:
    refused = ask(target, method)
    assert isinstance(refused, Say)
    assert refused.status == 405
    assert refused.allow
    assert "<" not in refused.text


def verdicts(document: object) -> Plan:
    return ask("/api/v1/skills/-/security-verdicts", "POST", json.dumps(document).encode())


def test_verdicts_are_looked_up_one_by_one() -> None:
    asked = {
        "items": [
            {"slug": "demo", "version": "1.0.0"},
            {"slug": "twins", "version": "1.0.0", "ownerHandle": "beta"},
            {"slug": "twins", "version": "1.0.0"},
            {"slug": "nothing", "version": "1.0.0", "ownerHandle": None},
            {"slug": "demo", "version": "../x"},
        ]
    }
    assert verdicts(asked) == Verdicts(
        (
            VerdictTarget("demo", "1.0.0", None),
            VerdictTarget("twins", "1.0.0", "beta"),
            VerdictTarget("twins", "1.0.0", None),
            VerdictTarget("nothing", "1.0.0", None),
            VerdictTarget("demo", "../x", None),
        ),
        (
            f"{DEMO}/versions/1.0.0/security-verdict",
            f"{BETA}/versions/1.0.0/security-verdict",
            None,
            None,
            None,
        ),
    )


GOOD = {"slug": "demo", "version": "1.0.0"}
BAD_BODIES: dict[str, object] = {
    "no items": {},
    "a list": [GOOD],
    "empty": {"items": []},
    "too many": {"items": [GOOD] * 101},
    "not objects": {"items": ["demo"]},
    "no version": {"items": [{"slug": "demo"}]},
    "version not a text": {"items": [{"slug": "demo", "version": 1}]},
    "empty slug": {"items": [{"slug": "", "version": "1.0.0"}]},
    "owner not a text": {"items": [{**GOOD, "ownerHandle": {}}]},
    "huge slug": {"items": [{**GOOD, "slug": "a" * 10_000}]},
}


@pytest.mark.parametrize("document", BAD_BODIES.values(), ids=BAD_BODIES.keys())
def test_a_verdict_request_that_cannot_be_read_is_a_400(document: object) -> None:
    refused = verdicts(document)
    assert isinstance(refused, Say)
    assert refused.status == 400


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"items": NaN}'],
    ids=["empty", "cut", "bytes", "deep", "nan"],
)
def test_a_body_that_is_no_json_is_a_400(body: bytes) -> None:
    refused = ask("/api/v1/skills/-/security-verdicts", "POST", body)
    assert isinstance(refused, Say)
    assert refused.status == 400


def test_a_hundred_verdicts_are_not_too_many() -> None:
    assert isinstance(verdicts({"items": [GOOD] * 100}), Verdicts)


WORDS = st.sampled_from(
    ["", "api", "v1", "skills", "owners", "acme", "demo", "twins", "versions", "1.0.0", "verify", "file", "resolve",
     "download", "search", "-", "..", "security-verdicts", A]
) | st.text(max_size=8)  # fmt: skip
NAMES = st.sampled_from(
    [
        "slug",
        "hash",
        "version",
        "tag",
        "ownerHandle",
        "owner",
        "path",
        "limit",
        "cursor",
        "sort",
        "q",
        "mode",
        "kind",
    ]
)


@given(
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "BREW"]),
    segments=st.lists(WORDS, max_size=8),
    query=st.dictionaries(NAMES, WORDS, max_size=5),
    body=st.binary(max_size=64),
)
def test_nothing_anybody_asks_makes_it_fail(
    method: str, segments: list[str], query: dict[str, str], body: bytes
) -> None:
    for prefix in ("/", "/api/v1/"):
        found = plan(Request(method, prefix + "/".join(segments), query, body), INDEX)
        if isinstance(found, Say):
            assert 400 <= found.status < 500
        if isinstance(found, Download | ReadFile):
            assert found.slug in INDEX.slugs
            assert found.owner in INDEX.slugs[found.slug]
        if isinstance(found, Pick) and prefix == "/api/v1/":
            assert all(".." not in route.split("/") for route in found.routes)
