"""Schemathesis asks a real server everything its own OpenAPI document describes, and whatever it can make up.

What it looks for: statuses, content types, headers and shapes that the document does not tell of, methods that are
answered though they are not described, and errors of the server.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.build.hubs import LittleHub
from tests.hubs import LiveHub, minimal_environment
from tests.write.rich_hub import LONG, build_rich_hub

PROGRAM = Path(sys.executable).with_name("schemathesis")
SECONDS = 240
WORDS: Mapping[str, Sequence[str]] = {
    "slugs": (
        "pdf", "docx", "xlsx", "office", "gone", "held", "present", "former", "evil", "warned", "reviewed", "plugin",
        "left", "shared", "twin", LONG, "PDF", "none-such",
    ),
    "owners": ("acme", "beta", "@acme", "nobody"),
    "versions": ("1.0.0", "1.1.0", "1.2.0", "9.9.9"),
    "tags": ("latest", "beta", "gamma"),
    "paths": ("SKILL.md", "skill.md", "assets/logo.png", "assets/page.html", "references/说明.md", "none"),
    "questions": ("pdf", "文档", "ofice", "shows one thing"),
    "collections": ("papers", "bare", "none"),
    "numbers": ("1", "2", "3", "99"),
}  # fmt: skip
PLACES = {
    "path.slug": "slugs", "query.slug": "slugs", "body.items.*.slug": "slugs",
    "path.owner": "owners", "query.owner": "owners", "query.ownerHandle": "owners", "body.items.*.ownerHandle": "owners",
    "path.version": "versions", "query.version": "versions", "body.items.*.version": "versions",
    "path.old": "versions", "path.new": "versions",
    "query.tag": "tags", "path.path": "paths", "query.path": "paths", "query.q": "questions", "query.prefix": "slugs",
    "path.hash": "hashes", "query.hash": "hashes", "path.name": "names", "path.sequence": "numbers",
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


def configure(hub: LittleHub) -> str:
    """Words that exist on the hub, for half of what schemathesis makes up."""
    resolve = (hub.out / "packs/acme/pdf.json").read_text()
    hashes = [key.rpartition("/")[2] for key in json.loads(resolve)["answers"] if "/resolve/" in key]
    words = {
        **WORDS,
        "hashes": (*hashes, "0" * 64),
        "names": (*WORDS["slugs"], *WORDS["collections"], "hub.v1", "check.v1"),
    }
    lines = [f"dictionaries.{name}.values = {json.dumps(values, ensure_ascii=False)}" for name, values in words.items()]
    lines += ["[parameters]"]
    lines += [f'"{place}" = {{ dictionary = "{name}", probability = 0.7 }}' for place, name in PLACES.items()]
    return "\n".join(lines)


def test_a_real_server_answers_as_it_says(live: LiveHub, rich: LittleHub, tmp_path: Path) -> None:
    assert PROGRAM.exists(), f"{PROGRAM.name} is not installed beside {sys.executable}; run `make install`"
    (tmp_path / "schemathesis.toml").write_text(configure(rich))
    done = subprocess.run(
        [
            PROGRAM, "run", f"{live.url}/api/v1/openapi.json", "--url", live.url, "--checks", ",".join(CHECKS),
            "--phases", "examples,coverage,fuzzing", "--max-examples", "20", "--seed", "1",
            "--generation-deterministic", "--generation-database", "none", "--suppress-health-check", "all",
            "--continue-on-failure", "--no-color", "--report", "ndjson",
            "--report-ndjson-path", str(tmp_path / "events.ndjson"), "--warnings", "off",
        ],
        cwd=tmp_path,
        env=minimal_environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
