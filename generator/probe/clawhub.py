"""The programs that read the ClawHub API, each with the questions it asks (contract/clawhub.md 1, 6, 8)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

from generator.probe.archives import check_zip
from generator.probe.asking import Asker, Heard
from generator.probe.model import Sample, Step
from generator.write.layout import archive_file

NOBODY: Final = "zq-no-skill-has-this-name-zq"
"""A slug that no hub has."""
JSON: Final = "application/json"


def ask_clawhub(asker: Asker, sample: Sample) -> Iterator[Step]:
    """``clawhub`` 0.23.3, which names the owner once it knows it."""
    yield from _search(asker, sample)
    yield _has_rows(
        "explore", asker.follow("/api/v1/skills?limit=25&sort=createdAt", JSON), "items", essential=False
    )
    owner = {"ownerHandle": sample.owner}
    if is_handed_off(asker, sample):
        # It then installs and updates through /install alone, and has no other question for a version.
        yield Step("install", True)
    else:
        yield _detail(asker, sample, owner)
        yield _download("install", asker, sample, owner | {"version": sample.version})
        yield _resolve(asker, sample, owner)
    yield _pinned(asker, sample, owner)
    yield _never_wrong(asker)
    yield from _verify(asker, sample)
    yield _file(asker, sample)


def ask_old_clawhub(asker: Asker, sample: Sample) -> Iterator[Step]:
    """``clawhub`` 0.8.0 and 0.20.0, which never name an owner; PicoClaw and its kin ask alike."""
    yield _detail(asker, sample, {})
    yield _download("install", asker, sample, {"version": sample.version})
    yield _pinned(asker, sample, {})
    yield _never_wrong(asker)
    yield _resolve(asker, sample, {})


def ask_deeptutor(asker: Asker, sample: Sample) -> Iterator[Step]:
    """DeepTutor's hub client."""
    found = asker.follow(f"/api/v1/search?{urlencode({'q': sample.slug, 'limit': '10'})}")
    yield _has_rows("search", found, "results", essential=False)
    yield _has_rows(
        "catalog", asker.follow("/api/v1/skills?limit=50&sort=createdAt"), "items", essential=False
    )
    heard = asker.follow(f"/api/v1/skills/{sample.slug}/verify?tag=latest")
    document = heard.json()
    # A 404 is "unknown", which installs; any other document than ok:true refuses (contract/clawhub.md 0.12).
    told = heard.status == 200 and isinstance(document, dict)
    refused = told and document.get("ok") is not True
    said = "the answer to its question for a verdict does not say ok, so it refuses to install"
    yield Step("verdict", not refused, said if refused else "")
    yield Step(
        "verdict known", told, "" if told else f"{heard.url} {heard.tell()}: it warns", essential=False
    )
    yield _download("install", asker, sample, {"tag": "latest"})
    yield _never_wrong(asker, {"tag": "latest"})
    yield _detail(asker, sample, {})


def ask_openclaw(asker: Asker, sample: Sample) -> Iterator[Step]:
    """OpenClaw 2026.9.6, which asks for a verdict before it installs an archive, and fails closed."""
    heard = asker.follow(f"/api/v1/search?{urlencode({'q': sample.slug})}", JSON)
    rows = [row for row in rows_of(heard, "results") if row.get("slug") == sample.slug]
    shown = any(row.get("source") == "clawhub" and isinstance(row.get("ownerHandle"), str) for row in rows)
    yield Step("search", shown, "" if shown else f"{heard.url} has no row it shows", essential=False)
    yield _has_rows(
        "trending", asker.follow("/api/v1/trending?kind=skills&limit=20", JSON), "items", essential=False
    )
    yield from _openclaw_install(asker, sample)
    yield from _verify(asker, sample)


def ask_hermes_clawhub(asker: Asker, sample: Sample) -> Iterator[Step]:
    """hermes-agent's ClawHub source, which follows no redirect (contract/other-clients.md 0.7)."""
    yield _has_rows("list", asker.get("/api/v1/skills?limit=200&cursor=", JSON), "items", essential=False)
    heard = asker.get(f"/api/v1/skills/{sample.slug}", JSON)
    document = heard.json()
    known = (
        heard.status == 200 and isinstance(document, dict) and isinstance(document.get("latestVersion"), dict)
    )
    yield Step("detail", known, "" if known else f"{heard.url} {heard.tell()}, and it follows no redirect")
    heard = asker.get(_download_address(sample, {"version": sample.version}))
    yield _archive("install", heard, sample)


def find_handoff(asker: Asker, sample: Sample) -> str | None:
    """The place on GitHub that installers are sent to for the skill, as an address; None where they are not."""
    heard = asker.follow(
        f"/api/v1/skills/{sample.slug}/install?{urlencode({'ownerHandle': sample.owner})}", JSON
    )
    document = heard.json()
    if heard.status != 200 or not isinstance(document, dict) or document.get("ok") is not True:
        return None
    place = document.get("github")
    if document.get("installKind") != "github" or not isinstance(place, dict):
        return None
    words = [place.get(key) for key in ("repo", "commit", "path", "contentHash", "sourceUrl")]
    return (
        f"{place['repo']}@{place['commit']}"
        if all(isinstance(word, str) and word for word in words)
        else None
    )


def is_handed_off(asker: Asker, sample: Sample) -> bool:
    """Whether ``clawhub`` 0.19.1 and later take the skill from GitHub: only where the detail names no version."""
    asked = f"/api/v1/skills/{sample.slug}?{urlencode({'ownerHandle': sample.owner})}"
    document = asker.follow(asked, JSON).json()
    silent = isinstance(document, dict) and document.get("latestVersion", "") is None
    return silent and find_handoff(asker, sample) is not None


def rows_of(heard: Heard, key: str) -> list[Mapping[str, Any]]:
    """The rows of a list in a document; empty where it is none."""
    document = heard.json() if heard.status == 200 else None
    rows = document.get(key) if isinstance(document, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _has_rows(name: str, heard: Heard, key: str, *, essential: bool) -> Step:
    passed = bool(rows_of(heard, key))
    said = (
        "" if passed else f"{heard.url} {heard.tell()}" + (", but is no list" if heard.status == 200 else "")
    )
    return Step(name, passed, said, essential)


def _search(asker: Asker, sample: Sample) -> Iterator[Step]:
    heard = asker.follow(f"/api/v1/search?{urlencode({'q': sample.slug, 'limit': '25'})}", JSON)
    found = any(row.get("slug") == sample.slug for row in rows_of(heard, "results"))
    yield Step("search", found, "" if found else f"{heard.url} does not find {sample.slug}", essential=False)
    other = asker.follow(f"/api/v1/search?{urlencode({'q': NOBODY, 'limit': '25'})}", JSON)
    chosen = other.status == 200 and not rows_of(other, "results")
    said = "" if chosen else "a search gives every skill, whatever is asked"
    yield Step("search chooses", chosen, said, essential=False)


def _detail(asker: Asker, sample: Sample, query: Mapping[str, str]) -> Step:
    asked = f"?{urlencode(query)}" if query else ""
    heard = asker.follow(f"/api/v1/skills/{sample.slug}{asked}", JSON)
    document = heard.json()
    if heard.status != 200 or not isinstance(document, dict):
        return Step("inspect", False, f"{heard.url} {heard.tell()}")
    latest, skill = document.get("latestVersion"), document.get("skill")
    if latest is None and find_handoff(asker, sample) is not None:
        return Step(
            "inspect", False, f"{heard.url} names no version but GitHub, which this command does not know"
        )
    right = (
        isinstance(skill, dict)
        and skill.get("slug") == sample.slug
        and isinstance(latest, dict)
        and latest.get("version") == sample.version
        and "owner" in document
    )
    return Step("inspect", right, "" if right else f"{heard.url} is not about {sample.slug} {sample.version}")


def _download_address(sample: Sample, query: Mapping[str, str]) -> str:
    return f"/api/v1/download?{urlencode({'slug': sample.slug, **query})}"


def _download(name: str, asker: Asker, sample: Sample, query: Mapping[str, str]) -> Step:
    return _archive(name, asker.follow(_download_address(sample, query)), sample)


def _archive(name: str, heard: Heard, sample: Sample) -> Step:
    if heard.status != 200:
        return Step(name, False, f"/api/v1/download?slug={sample.slug} {heard.tell()}")
    wrong = check_zip(heard.body, sample)
    return Step(name, not wrong, wrong and f"{heard.url}: {wrong}")


def _pinned(asker: Asker, sample: Sample, query: Mapping[str, str]) -> Step:
    """The oldest version by its number."""
    version = sample.versions[-1]
    asked = f"?{urlencode(query)}" if query else ""
    described = asker.follow(f"/api/v1/skills/{sample.slug}/versions/{quote(version)}{asked}", JSON)
    heard = asker.follow(_download_address(sample, {**query, "version": version}))
    plain = asker.follow(f"/{archive_file(sample.owner, sample.slug, version)}")
    if plain.status != 200:
        return Step("install --version", True)  # withdrawn or blocked: there is nothing to compare with
    right = described.status == 200 and heard.status == 200 and heard.body == plain.body
    said = f"{heard.url} {heard.tell()}" if heard.status != 200 else f"{heard.url} is not version {version}"
    return Step("install --version", right, "" if right else said, essential=False)


def _never_wrong(asker: Asker, query: Mapping[str, str] | None = None) -> Step:
    heard = asker.follow(f"/api/v1/download?{urlencode({'slug': NOBODY, **(query or {'version': '1.0.0'})})}")
    wrong = heard.status == 200
    said = "/api/v1/download gives an archive for a skill that is not there: it would install as any other"
    return Step("never another skill", not wrong, said if wrong else "")


def _resolve(asker: Asker, sample: Sample, query: Mapping[str, str]) -> Step:
    asked = urlencode({"slug": sample.slug, **query, "hash": sample.fingerprint or "0" * 64})
    heard = asker.follow(f"/api/v1/resolve?{asked}", JSON)
    document = heard.json()
    latest = document.get("latestVersion") if isinstance(document, dict) else None
    right = (
        heard.status == 200
        and isinstance(document, dict)
        and document.get("slug") == sample.slug
        and isinstance(latest, dict)
        and latest.get("version") == sample.version
    )
    said = (
        f"/api/v1/resolve {heard.tell()}"
        if heard.status != 200
        else "/api/v1/resolve answers for another skill"
    )
    return Step("update", right, "" if right else said, essential=False)


def _verify(asker: Asker, sample: Sample) -> Iterator[Step]:
    owner = urlencode({"ownerHandle": sample.owner})
    for name, version, asked in (
        ("verify", sample.version, owner),
        ("verify --version", sample.versions[-1], f"{owner}&{urlencode({'version': sample.versions[-1]})}"),
    ):
        heard = asker.follow(f"/api/v1/skills/{sample.slug}/verify?{asked}", JSON)
        document = heard.json() if heard.status == 200 else None
        right = isinstance(document, dict) and document.get("version") == version
        said = f"{heard.url} {heard.tell()}" if heard.status != 200 else f"{heard.url} is not about {version}"
        yield Step(name, right, "" if right else said, essential=False)


def _file(asker: Asker, sample: Sample) -> Step:
    path, digest = sample.files[0]
    asked = urlencode({"path": path, "version": sample.version, "ownerHandle": sample.owner})
    heard = asker.follow(f"/api/v1/skills/{sample.slug}/file?{asked}")
    right = heard.status == 200 and hashlib.sha256(heard.body).hexdigest() == digest
    said = f"/api/v1/skills/{sample.slug}/file {heard.tell()}" + (
        " with other bytes" if heard.status == 200 else ""
    )
    return Step("inspect --file", right, "" if right else said, essential=False)


def _openclaw_install(asker: Asker, sample: Sample) -> Iterator[Step]:
    if find_handoff(asker, sample) is not None:
        yield Step("install", True)
        return
    owner = urlencode({"ownerHandle": sample.owner})
    heard = asker.follow(f"/api/v1/skills/{sample.slug}/install?{owner}", JSON)
    document = heard.json()
    kind = document.get("installKind") if isinstance(document, dict) and document.get("ok") is True else None
    archive = document.get("archive") if kind == "archive" and isinstance(document, dict) else None
    address = archive.get("downloadUrl") if isinstance(archive, dict) else None
    if not isinstance(address, str):
        yield Step("install", False, f"{heard.url} {heard.tell()}, and does not say where the archive is")
        return
    yield _verdict(asker, sample)
    got = asker.follow(address)
    wrong = check_zip(got.body, sample) if got.status == 200 else got.tell()
    yield Step("install", not wrong, wrong and f"{address}: {wrong}")


def _verdict(asker: Asker, sample: Sample) -> Step:
    target = {"slug": sample.slug, "ownerHandle": sample.owner, "version": sample.version}
    heard = asker.post("/api/v1/skills/-/security-verdicts", {"items": [target]})
    items = rows_of(heard, "items")
    if heard.status != 200 or len(items) != 1:
        said = f"POST /api/v1/skills/-/security-verdicts {heard.tell()}, and it installs nothing without a verdict"
        return Step("verdict", False, said)
    item = items[0]
    echoed = item.get("requestedSlug") == sample.slug and item.get("requestedVersion") == sample.version
    right = echoed and item.get("slug") == sample.slug and item.get("publisherHandle") == sample.owner
    full = all(isinstance(item.get(key), str) and item[key] for key in ("overview", "securityAuditUrl"))
    said = "the verdict is about something else" if not right else "the verdict lacks what it needs"
    return Step("verdict", right and full, "" if right and full else said)
