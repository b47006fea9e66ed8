"""The programs that read plain files, each with the files it reads (contract/other-clients.md A, B).

A client yields no step where the hub does not offer what it reads: a protocol may be switched off.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from generator.probe.archives import check_tarball, check_zip
from generator.probe.asking import Asker, Heard, join
from generator.probe.clawhub import JSON, rows_of
from generator.probe.model import Sample, Step
from generator.search.index import INDEX_ROUTE

_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_DIGEST = re.compile(r"sha256:[a-f0-9]{64}")


def ask_skills_cli(asker: Asker, sample: Sample) -> Iterator[Step]:
    """``npx skills`` 1.5.18 and 1.7.4: the index below the skill's own page, then what it names."""
    scoped = asker.follow(f"/{sample.owner}/skills/{sample.slug}/.well-known/agent-skills/index.json", JSON)
    root = asker.follow("/.well-known/agent-skills/index.json", JSON)
    if is_absent(asker, scoped) and is_absent(asker, root):
        return
    yield _index_entry("install", scoped, asker, sample)
    entries = rows_of(root, "skills")
    readable = _schema_of(root) == _SCHEMA and all(_is_entry(one) for one in entries)
    said = (
        ""
        if readable
        else f"{root.url} {root.tell()}" + (", but not as an index" if root.status == 200 else "")
    )
    yield Step("whole hub", readable, said, essential=False)


def ask_hermes(asker: Asker, sample: Sample) -> Iterator[Step]:
    """hermes-agent 0.19.0 and playbooks: the older index, and every file on its own."""
    heard = asker.follow("/.well-known/skills/index.json", JSON)
    if is_absent(asker, heard):
        return
    entries = rows_of(heard, "skills")
    bad = [one for one in entries if not _is_old_entry(one)]
    wrong = heard.tell() if heard.status != 200 else "one entry is not valid, which voids the whole index"
    right = heard.status == 200 and bool(entries) and not bad
    yield Step("index", right, "" if right else f"{heard.url}: {wrong}")
    entry = next((one for one in entries if one.get("name") == sample.slug), None)
    if right and entry is not None:
        yield _raw_files("install", f"/.well-known/skills/{sample.slug}", list(entry["files"]), asker, sample)
    elif right:
        yield Step(
            "sample",
            False,
            f"{sample.slug} is not in the index (a file or its name bars it)",
            essential=False,
        )


def ask_claude_code(asker: Asker, sample: Sample) -> Iterator[Step]:
    """Claude Code 2.1.197: a marketplace by URL, whose plugins npm fetches."""
    heard = asker.follow("/claude/marketplace.json", JSON)
    if is_absent(asker, heard):
        return
    plugins = rows_of(heard, "plugins")
    yield Step("marketplace", bool(plugins), "" if plugins else f"{heard.url} {heard.tell()}")
    package = f"@{sample.owner}/{sample.slug}"
    source = next((one for one in map(_source, plugins) if one.get("package") == package), None)
    if source is None:
        if plugins:
            yield Step("sample", False, f"{package} is not in the marketplace", essential=False)
        return
    registry = source.get("registry") if isinstance(source.get("registry"), str) else f"{asker.base}/npm"
    yield from _npm(asker, sample, package, str(registry))
    host = urlsplit(asker.base)
    if host.scheme == "http" and not _is_loopback(host.hostname or ""):
        said = "newer versions (2.1.332) refuse an http registry: serve the hub over https"
        yield Step("https", False, said, essential=False)


def ask_apm(asker: Asker, sample: Sample) -> Iterator[Step]:
    """Microsoft's ``apm`` 0.35.0, which follows no redirect and wants https but on this machine."""
    address = f"/v1/packages/{sample.owner}/{sample.slug}/versions"
    heard = asker.get(address, JSON)
    if is_absent(asker, heard):
        return
    host = urlsplit(asker.base)
    safe = host.scheme == "https" or _is_loopback(host.hostname or "")
    yield Step(
        "https", safe, "" if safe else "it takes http only from its own machine: serve the hub over https"
    )
    rows = {str(row.get("version")): row for row in rows_of(heard, "versions")}
    row = rows.get(sample.version)
    full = row is not None and all(isinstance(row.get(key), str) for key in ("digest", "published_at"))
    said = (
        f"{address} {heard.tell()}, and it follows no redirect"
        if heard.status != 200
        else f"{address} lacks it"
    )
    yield Step("versions", full, "" if full else said)
    got = asker.get(f"{address}/{quote(sample.version)}/download")
    wrong = got.tell() if got.status != 200 else check_zip(got.body, sample)
    if (
        not wrong
        and row is not None
        and row.get("digest") != f"sha256:{hashlib.sha256(got.body).hexdigest()}"
    ):
        wrong = "has other bytes than the list of versions says"
    yield Step("install", not wrong, wrong and f"{address}/{sample.version}/download {wrong}")


def ask_qwenpaw(asker: Asker, sample: Sample) -> Iterator[Step]:
    """QwenPaw and CoPaw: one JSON document with the text of every file."""
    heard = asker.follow(f"/bundles/{sample.owner}/{sample.slug}.json", JSON)
    if is_absent(asker, heard):
        return
    if heard.status == 404:
        said = f"{sample.slug} has no bundle (a file of it is no text, or it is too large)"
        yield Step("sample", False, said, essential=False)
        return
    document = heard.json()
    files = document.get("files") if isinstance(document, dict) else None
    if heard.status != 200 or not isinstance(files, dict) or not isinstance(document.get("name"), str):
        yield Step("install", False, f"{heard.url} {heard.tell()}, but is no bundle")
        return
    promised = dict(sample.files)
    other = sorted(
        path
        for path, text in files.items()
        if not isinstance(text, str) or promised.get(path) != hashlib.sha256(text.encode()).hexdigest()
    )
    whole = "SKILL.md" in files and not other
    yield Step(
        "install",
        whole,
        "" if whole else f"{heard.url} holds other bytes of {', '.join(other) or 'SKILL.md'}",
    )


def ask_agentskills_http(asker: Asker, sample: Sample) -> Iterator[Step]:
    """``agentskills-http`` 0.7.0: a tree of files with an index in each folder."""
    root = asker.follow("/agentskills/index.json", JSON)
    if is_absent(asker, root):
        return
    document = root.json()
    names = document.get("skills") if isinstance(document, dict) else None
    right = root.status == 200 and isinstance(names, list) and all(isinstance(one, str) for one in names)
    yield Step("index", right, "" if right else f"{root.url} {root.tell()}, and is no index")
    if not right or not isinstance(names, list):
        return
    if sample.slug not in names:
        yield Step(
            "sample", False, f"{sample.slug} is not in the index (a file of it bars it)", essential=False
        )
        return
    heard = asker.follow(f"/agentskills/{sample.slug}/index.json", JSON)
    inner = heard.json()
    files = inner.get("files") if isinstance(inner, dict) else None
    if heard.status != 200 or not isinstance(files, list):
        yield Step("install", False, f"{heard.url} {heard.tell()}, and is no index")
        return
    yield _raw_files(
        "install",
        f"/agentskills/{sample.slug}",
        [one for one in files if isinstance(one, str)],
        asker,
        sample,
    )


def ask_skill_archives(asker: Asker, sample: Sample) -> Iterator[Step]:
    """Gemini CLI, DeerFlow and the Claude apps: a ``.skill`` file that somebody downloads."""
    heard = asker.follow(f"/dl/{sample.owner}/{sample.slug}-{sample.version}.skill")
    if is_absent(asker, heard):
        return
    wrong = heard.tell() if heard.status != 200 else check_zip(heard.body, sample, f"{sample.slug}/")
    yield Step("download", not wrong, wrong and f"{heard.url}: {wrong}")


def ask_people(asker: Asker, sample: Sample) -> Iterator[Step]:
    """People with a browser: the pages, their search, and an archive with the right bytes."""
    home = asker.follow("/", "text/html")
    yield _page("home page", home)
    page = asker.follow(f"/{sample.owner}/skills/{sample.slug}/", "text/html")
    yield _page("page of a skill", page, sample.slug)
    index = asker.follow(INDEX_ROUTE, JSON)
    found = index.status == 200 and index.json() is not None
    yield Step("search", found, "" if found else f"{index.url} {index.tell()}", essential=False)
    wrong = check_zip(sample.archive, sample) if sample.archive else "the archive cannot be downloaded"
    yield Step("download", not wrong, wrong)


def is_absent(asker: Asker, heard: Heard) -> bool:
    """Whether the hub does not offer this at all. Where its root document names what it speaks, this is spoken. Where
    dot folders are lost, nobody can say so."""
    if asker.protocols is not None or heard.status not in (403, 404):
        return False
    return "/.well-known/" not in heard.url or asker.follow("/.well-known/clawhub.json", JSON).status == 200


def _page(name: str, heard: Heard, word: str = "") -> Step:
    right = heard.status == 200 and heard.type == "text/html" and word.encode() in heard.body
    said = f"{heard.url} {heard.tell()}" + (f" as {heard.type or 'no type'}" if heard.status == 200 else "")
    return Step(name, right, "" if right else said)


def _schema_of(heard: Heard) -> Any:
    document = heard.json() if heard.status == 200 else None
    return document.get("$schema") if isinstance(document, dict) else None


def _is_entry(entry: Mapping[str, Any]) -> bool:
    text = all(isinstance(entry.get(key), str) for key in ("name", "type", "description", "url", "digest"))
    return (
        text
        and _NAME.fullmatch(entry["name"]) is not None
        and len(entry["name"]) <= 64
        and 1 <= len(entry["description"]) <= 1024
        and entry["type"] in ("skill-md", "archive")
        and _DIGEST.fullmatch(entry["digest"]) is not None
    )


def _is_old_entry(entry: Mapping[str, Any]) -> bool:
    files = entry.get("files")
    return (
        isinstance(entry.get("name"), str)
        and _NAME.fullmatch(entry["name"]) is not None
        and bool(entry.get("description"))
        and isinstance(files, list)
        and "SKILL.md" in files
        and all(isinstance(one, str) and ".." not in one and not one.startswith("/") for one in files)
    )


def _index_entry(name: str, index: Heard, asker: Asker, sample: Sample) -> Step:
    """One entry of an index: what it names must have the digest, and be the skill."""
    entries = rows_of(index, "skills")
    if _schema_of(index) != _SCHEMA or not entries:
        what = index.tell() if index.status != 200 else "is no index of version 0.2.0"
        return Step(name, False, f"{index.url} {what}")
    entry = entries[0]
    if not _is_entry(entry):
        return Step(name, False, f"{index.url}: the entry is not valid")
    got = asker.follow(join(index.url, entry["url"]))
    if got.status != 200:
        return Step(name, False, f"{got.url} {got.tell()}")
    digest = f"sha256:{hashlib.sha256(got.body).hexdigest()}"
    if digest != entry["digest"]:
        return Step(name, False, f"{got.url} has other bytes than the index says")
    wrong = check_zip(got.body, sample) if entry["type"] == "archive" else ""
    return Step(name, not wrong, wrong and f"{got.url}: {wrong}")


def _raw_files(name: str, folder: str, paths: list[str], asker: Asker, sample: Sample) -> Step:
    """Every file of a raw tree, with the bytes that the hub's documents promise."""
    promised = dict(sample.files)
    if set(paths) - set(promised) or "SKILL.md" not in paths:
        return Step(name, False, f"{folder}/ lists other files than the skill has")
    for path in paths:
        heard = asker.follow(f"{folder}/{quote(path)}")
        if heard.status != 200:
            return Step(name, False, f"{heard.url} {heard.tell()}")
        if hashlib.sha256(heard.body).hexdigest() != promised[path]:
            return Step(name, False, f"{heard.url} has other bytes than the hub's documents say")
    return Step(name, True)


def _source(plugin: Mapping[str, Any]) -> Mapping[str, Any]:
    source = plugin.get("source")
    return source if isinstance(source, dict) and source.get("source") == "npm" else {}


def _npm(asker: Asker, sample: Sample, package: str, registry: str) -> Iterator[Step]:
    """What npm does with a package of a scope: the slash in its name comes as ``%2f``."""
    heard = asker.follow(f"{registry.rstrip('/')}/{package.replace('/', '%2f')}", JSON)
    document = heard.json()
    versions = document.get("versions") if isinstance(document, dict) else None
    release = versions.get(sample.version) if isinstance(versions, dict) else None
    dist = release.get("dist") if isinstance(release, dict) else None
    if heard.status != 200 or not isinstance(dist, dict) or not isinstance(dist.get("tarball"), str):
        yield Step("package", False, f"{heard.url} {heard.tell()}, and is no package with {sample.version}")
        return
    yield Step("package", True)
    got = asker.follow(dist["tarball"])
    digest = base64.b64encode(hashlib.sha512(got.body).digest()).decode()
    if got.status != 200:
        yield Step("install", False, f"{got.url} {got.tell()}")
    elif dist.get("integrity") != f"sha512-{digest}":
        yield Step("install", False, f"{got.url} has other bytes than the package's integrity says")
    else:
        wrong = check_tarball(got.body, sample)
        yield Step("install", not wrong, wrong and f"{got.url}: {wrong}")


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")
