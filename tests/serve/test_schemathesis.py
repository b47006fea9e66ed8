"""Schemathesis asks a real server everything its own OpenAPI document describes, and whatever it can make up.

What it looks for: statuses, content types, headers and shapes that the document does not tell of, methods that are
answered though they are not described, and errors of the server.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import schemathesis

from tests.build.hubs import LittleHub
from tests.hubs import LiveHub, minimal_environment
from tests.write.rich_hub import LONG, build_rich_hub
from tests.write.test_schemas import closed

PROGRAM = Path(sys.executable).with_name("schemathesis")
SECONDS = 500
WORDS: Mapping[str, Sequence[str]] = {
    "slugs": (
        "pdf", "docx", "xlsx", "office", "gone", "held", "present", "former", "evil", "warned", "reviewed",
        "plugin", "active",
        "left", "shared", "twin", LONG, "PDF", "none-such",
    ),
    "owners": ("acme", "beta", "@acme", "nobody"),
    "versions": ("1.0.0", "1.1.0", "1.2.0", "9.9.9"),
    "tags": ("latest", "beta", "gamma"),
    "paths": ("SKILL.md", "skill.md", "assets/logo.png", "page.html", "references/说明.md", "none"),
    "questions": ("pdf", "文档", "ofice", "shows one thing"),
    "collections": ("papers", "bare", "none"),
}  # fmt: skip
PLACES = {
    "path.slug": "slugs", "query.slug": "slugs", "body.items[*].slug": "slugs",
    "path.owner": "owners", "query.owner": "owners", "query.ownerHandle": "owners",
    "body.items[*].ownerHandle": "owners",
    "path.version": "versions", "query.version": "versions", "body.items[*].version": "versions",
    "path.old": "versions", "path.new": "versions",
    "query.tag": "tags", "path.path": "paths", "query.path": "paths", "query.q": "questions", "query.prefix": "slugs",
    "path.hash": "hashes", "query.hash": "hashes", "path.name": "names",
}  # fmt: skip
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "allow_header_conformance",
)  # fmt: skip


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> LittleHub:
    return build_rich_hub(tmp_path_factory.mktemp("asked"), "packed")


@pytest.fixture(scope="module")
def live(rich: LittleHub) -> Iterator[LiveHub]:
    hub = LiveHub(rich.root)
    hub.start()
    yield hub
    hub.stop()


@pytest.fixture(scope="module")
def told(live: LiveHub) -> dict[str, Any]:
    """What the server says of itself, without room for keys that it does not name."""
    with urllib.request.urlopen(f"{live.url}/api/v1/openapi.json", timeout=10) as answer:
        document: dict[str, Any] = json.load(answer)
    components = document["components"]
    return {**document, "components": {**components, "schemas": closed(components["schemas"])}}


@pytest.fixture(scope="module")
def hashes(rich: LittleHub) -> list[str]:
    """The fingerprints of pdf."""
    answers = json.loads((rich.out / "packs/acme/pdf.json").read_bytes())["answers"]
    return [path.rpartition("/")[2] for path in answers if path.startswith("/api/v1/skills/pdf/resolve/")]


# --- every status, once ----------------------------------------------------------------------------

USUAL = {
    "slug": "pdf", "owner": "acme", "ownerHandle": "acme", "version": "1.2.0", "old": "1.1.0", "new": "1.2.0",
    "sequence": 1,
}  # fmt: skip
SKILL = ("/api/v1/skills/{slug}", "/api/v1/owners/{owner}/skills/{slug}")
VALUES: Mapping[str, Mapping[str, Any]] = {
    "/schemas/{name}.json": {"name": "hub.v1"},
    "/api/v1/packages/{name}": {"name": "pdf"},
    "/api/v1/packages/{name}/versions": {"name": "pdf"},
    "/api/v1/packages/{name}/versions/{version}": {"name": "pdf"},
    "/api/v1/packages/@{owner}/{slug}": {"slug": "twin"},
    "/api/v1/packages/@{owner}/{slug}/versions": {"slug": "twin"},
    "/api/v1/packages/@{owner}/{slug}/versions/{version}": {"slug": "twin", "version": "1.0.0"},
    "/api/v1/packages/{name}/file": {"name": "pdf", "path": "SKILL.md"},
    "/api/v1/packages/@{owner}/{slug}/file": {"slug": "twin", "path": "SKILL.md", "version": None},
    "/collections/{name}/.well-known/agent-skills/index.json": {"name": "papers"},
    "/ledger/collections/{name}.jsonl": {"name": "papers"},
    "/tree/{path}": {"path": "hub.json"},
}
"""What to ask for instead of the usual, to get an answer."""
OTHERS = {
    "slug": "none-such", "name": "none-such", "path": "none", "owner": "nobody", "sequence": 99, "version": "9.9.9",
    "hash": "0" * 64,
}  # fmt: skip
"""What there is not."""
MORE: tuple[tuple[str, Mapping[str, Any], int], ...] = (
    ("/api/v1/skills", {"sort": "none"}, 400),
    ("/api/v1/search", {"mode": "none"}, 400),
    ("/api/v1/trending", {"kind": "plugins"}, 400),
    ("/api/v1/packages", {"limit": "x"}, 400),
    ("/api/v1/packages/search", {"limit": "x"}, 400),
    ("/api/v1/packages/{name}/file", {"path": ""}, 400),
    ("/api/v1/packages/{name}/file", {"name": "evil", "version": "1.0.0"}, 403),
    ("/api/v1/packages/{name}/file", {"version": "1.0.0"}, 410),
    ("/api/v1/packages/@{owner}/{slug}/file", {"path": ""}, 400),
    ("/api/v1/packages/@{owner}/{slug}/file", {"slug": "evil", "version": "1.0.0"}, 403),
    ("/api/v1/packages/@{owner}/{slug}/file", {"slug": "pdf", "version": "1.0.0"}, 410),
    ("/api/v1/resolve", {"hash": "x"}, 400),
    ("/api/v1/resolve", {"slug": "twin", "ownerHandle": None}, 409),
    ("/api/v1/skills/resolve", {"hash": "x"}, 400),
    ("/api/v1/skills/resolve", {"slug": "twin", "ownerHandle": None}, 409),
    ("/api/v1/download", {"slug": " "}, 400),
    ("/api/v1/download", {"slug": "evil", "version": "1.0.0"}, 403),
    ("/api/v1/download", {"slug": "twin", "ownerHandle": None}, 409),
    ("/api/v1/download", {"slug": "gone", "version": None}, 410),
    *(
        (f"/dl/{{owner}}/{{slug}}-{{version}}.{kind}", {"version": "1.0.0"}, 410)
        for kind in ("zip", "skill", "tgz")
    ),
    ("/v1/packages/{owner}/{slug}/versions/{version}/download", {"slug": "evil", "version": "1.0.0"}, 403),
    ("/v1/packages/{owner}/{slug}/versions/{version}/download", {"version": "1.0.0"}, 410),
    ("/npm/@{owner}/{slug}", {"slug": "evil"}, 403),
    ("/npm/@{owner}/{slug}", {"slug": "held"}, 410),
    ("/v1/packages/{owner}/{slug}/versions", {"slug": "evil"}, 403),
    ("/v1/packages/{owner}/{slug}/versions", {"slug": "gone"}, 410),
    *(
        (f"{tree}/{{slug}}/{{path}}", {"slug": slug}, status)
        for tree in ("/.well-known/skills", "/agentskills")
        for slug, status in (("evil", 403), ("held", 410))
    ),
    *(
        (path.replace("SKILL", base), values, status)
        for base in SKILL
        for path, values, status in (
            ("SKILL/versions/{version}", {"version": "1.0.0"}, 410),
            ("SKILL/install", {"slug": "evil"}, 403),
            ("SKILL/install", {"slug": "held"}, 410),
            ("SKILL/resolve/{hash}", {"hash": "x"}, 400),
            ("SKILL/file", {"path": ""}, 400),
            ("SKILL/file", {"slug": "evil", "version": "1.0.0"}, 403),
            ("SKILL/file", {"version": "1.0.0"}, 410),
        )
    ),
)
UNASKED = {
    413: "A file of 10 MB, or a request of 256 kB.",
}
"""Statuses that nothing here asks for, and why."""


def requests_of(told: dict[str, Any], hashes: list[str]) -> Iterator[tuple[str, Mapping[str, Any], int]]:
    """For every operation a question that gets an answer, and for every other status one that gets that."""
    for path, methods in told["paths"].items():
        if "get" not in methods:
            continue
        usual = {**USUAL, "path": "SKILL.md", "hash": hashes[0], **VALUES.get(path, {})}
        yield path, usual, 200
        own = {
            one["name"]
            for one in methods["get"]["parameters"]
            if one.get("in") == "path" or one.get("required")
        }
        if "404" in methods["get"]["responses"] and own:
            yield path, {**usual, **OTHERS}, 404
        if "409" in methods["get"]["responses"] and "{slug}" in path:
            yield path, {**usual, "slug": "twin", "ownerHandle": None}, 409
    for path, values, status in MORE:
        yield path, {**USUAL, "path": "SKILL.md", "hash": hashes[0], **VALUES.get(path, {}), **values}, status


def ask(operation: Any, values: Mapping[str, Any], base: str, **headers: str) -> Any:
    """Ask, and let schemathesis hold the answer against the description."""
    described = operation.definition.raw["parameters"]
    names = {(one["in"], one["name"]) for one in described if "in" in one}
    case = operation.Case(
        path_parameters={name: values[name] for place, name in names if place == "path"},
        query={
            name: values[name]
            for place, name in names
            # Of two ways to say the same one is enough; limits and the like only where they are asked for.
            if place == "query" and name != "owner" and values.get(name) is not None
        },
        headers=headers,
    )
    response = case.call(base_url=base)
    case.validate_response(response)
    return response


def test_every_documented_status_is_really_answered(
    live: LiveHub, told: dict[str, Any], hashes: list[str]
) -> None:
    schema = schemathesis.openapi.from_dict(told)
    wrong, seen = [], set()
    for path, values, wanted in requests_of(told, hashes):
        operation = schema[path]["GET"]
        response = ask(operation, values, live.url)
        seen.add((path, response.status_code))
        if response.status_code != wanted:
            wrong.append(f"{path} {response.request.url}: {response.status_code} where {wanted} was wanted")
        statuses = told["paths"][path]["get"]["responses"]
        if wanted == 200 == response.status_code and "304" in statuses:
            again = ask(operation, values, live.url, **{"If-None-Match": response.headers["etag"][0]})
            seen.add((path, again.status_code))
        for part in ("bytes=0-9", "bytes=999999999-") if wanted == 200 and "206" in statuses else ():
            seen.add((path, ask(operation, values, live.url, Range=part).status_code))
    assert not wrong, "\n".join(wrong)
    described = {
        (path, int(status))
        for path, methods in told["paths"].items()
        for status in methods.get("get", {"responses": {}})["responses"]
    }
    always = {(path, 404) for path in told["paths"] if "{" not in path}
    unseen = {(path, status) for path, status in described - seen - always if status not in UNASKED}
    assert unseen == set()


# --- whatever can be made up -----------------------------------------------------------------------


def configure(hashes: list[str]) -> str:
    """Words that exist on the hub, for most of what schemathesis makes up."""
    words = {
        **WORDS,
        "hashes": (*hashes, "0" * 64),
        "names": (*WORDS["slugs"], *WORDS["collections"], "hub.v1", "check.v1"),
    }
    lines = [
        f"dictionaries.{name}.values = {json.dumps(values, ensure_ascii=False)}"
        for name, values in words.items()
    ]
    lines += ["[parameters]"]
    lines += [f'"{place}" = {{ dictionary = "{name}", probability = 0.7 }}' for place, name in PLACES.items()]
    return "\n".join(lines)


def test_a_real_server_answers_as_it_says(
    live: LiveHub, told: dict[str, Any], hashes: list[str], tmp_path: Path
) -> None:
    assert PROGRAM.exists(), f"{PROGRAM.name} is not installed beside {sys.executable}; run `make install`"
    (tmp_path / "schemathesis.toml").write_text(configure(hashes))
    (tmp_path / "openapi.json").write_text(json.dumps(told))
    done = subprocess.run(
        [
            PROGRAM, "run", "openapi.json", "--url", live.url, "--checks", ",".join(CHECKS),
            "--phases", "coverage,fuzzing", "--max-examples", "6", "--generation-deterministic",
            "--suppress-health-check", "all", "--continue-on-failure", "--no-color", "--warnings", "off",
        ],
        cwd=tmp_path,
        env=minimal_environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
