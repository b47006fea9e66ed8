"""What a hosting does to a hub, whoever asks: each kind of harm with a code, a reason and a mend."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from generator.model import Protocol
from generator.probe.asking import Asker, Heard
from generator.probe.clawhub import JSON, NOBODY, find_handoff, rows_of
from generator.probe.model import Sample, Trouble, Weight
from generator.read.sources.http.policy import REDIRECTS
from generator.search.index import INDEX_ROUTE
from generator.write.layout import archive_file
from generator.write.publish import WORK_FOLDER

ACTIVE: Final = frozenset(
    {
        "text/html", "application/xhtml+xml", "image/svg+xml", "text/xml", "application/xml", "text/javascript",
        "application/javascript", "text/css", "application/wasm", "application/pdf",
    }
)  # fmt: skip
"""Types that a browser acts on; a file of somebody's skill must not have one."""
_AGE: Final = re.compile(r"(?:s-maxage|max-age)\s*=\s*([0-9]{1,9})")
_DOTTED: Final = {
    Protocol.CLAWHUB: "/.well-known/clawhub.json",
    Protocol.AGENT_SKILLS: "/.well-known/agent-skills/index.json",
    Protocol.WELL_KNOWN_SKILLS: "/.well-known/skills/index.json",
}
"""A document in a dot folder that a hub has if it speaks the protocol."""
_LONGEST: Final = 3600
"""Seconds that a document which changes with every build may be kept."""


def find_troubles(asker: Asker, sample: Sample, root: Any) -> Iterator[Trouble]:
    """Everything that is wrong; ``root`` is the hub's root document as JSON, None where there is none."""
    speaks_clawhub = asker.protocols is None or Protocol.CLAWHUB in asker.protocols
    yield from _dot_folders(asker)
    yield from _not_found(asker)
    yield from _queries(asker, sample, asked=speaks_clawhub)
    if speaks_clawhub:
        yield from _post(asker, sample)
        yield from _redirects(asker)
        yield from _handoff(asker, sample)
    yield from _types(asker, sample)
    yield from _active(asker, sample)
    yield from _cors(asker)
    yield from _root(asker, root)
    yield from _archive(asker, sample)
    yield from _work_folder(asker)
    yield from _slashes(asker, sample)
    yield from _caches(asker)


def _dot_folders(asker: Asker) -> Iterator[Trouble]:
    path = next((_DOTTED[one] for one in _DOTTED if asker.protocols is None or one in asker.protocols), None)
    if path is None:
        return
    heard = asker.follow(path, JSON)
    if not isinstance(heard.json(), dict) or heard.status != 200:
        yield Trouble(
            "dot-folders", Weight.BROKEN,
            f"{path} {heard.tell()}: the host dropped the folders whose names start with a dot",
            "Publish them too: `include-hidden-files: true` for actions/upload-pages-artifact, a `.nojekyll` file, "
            "or the option of your upload that takes hidden files.",
            heard.url,
        )  # fmt: skip
        return
    parts = urlsplit(asker.base)
    if parts.path.strip("/") and path == _DOTTED[Protocol.CLAWHUB]:
        origin = f"{parts.scheme}://{parts.netloc}{path}"
        if asker.follow(origin, JSON).status != 200:
            yield Trouble(
                "discovery", Weight.NOTE,
                "programs look for /.well-known/clawhub.json at the root of the host, and there is none",
                "Copy the file there, or tell people to name the hub with --registry, which needs no discovery.",
                origin,
            )  # fmt: skip


def _not_found(asker: Asker) -> Iterator[Trouble]:
    address = f"/api/v1/skills/{NOBODY}"
    heard = asker.follow(address, JSON)
    if heard.status == 200:
        yield Trouble(
            "catch-all", Weight.BROKEN,
            f"{address} answers 200 although there is no such skill: the host has one page for everything, and "
            "DeepTutor then installs nothing (contract 0.12)",
            "Switch the fallback page of the host off (often called single-page application).", heard.url,
        )  # fmt: skip
    elif heard.status == 403:
        yield Trouble(
            "forbidden", Weight.LIMIT,
            f"{address} answers 403 instead of 404; `clawhub sync` stops there instead of going on",
            "Let the public list the bucket (s3:ListBucket): then what is missing is 404.", heard.url,
        )  # fmt: skip
    elif heard.status == 404 and ("html" in heard.type and heard.body.lstrip()[:1] == b"<"):
        yield Trouble(
            "html-not-found", Weight.LIMIT,
            f"{address} answers a page of HTML, which programs print as it is",
            "Let 404.html hold just the words `Skill not found`, as `build --hosting` writes it.", heard.url,
        )  # fmt: skip
    elif heard.status != 404:
        yield Trouble(
            "no-not-found", Weight.BROKEN, f"{address} {heard.tell()} instead of 404",
            "See the log of the server.", heard.url,
        )  # fmt: skip


def _queries(asker: Asker, sample: Sample, *, asked: bool) -> Iterator[Trouble]:
    wrong = asker.follow(f"/api/v1/download?{urlencode({'slug': NOBODY, 'version': '1.0.0'})}")
    if wrong.status == 200:
        yield Trouble(
            "wrong-skill", Weight.BROKEN,
            "/api/v1/download gives the same archive whatever is asked: installers install it under every name",
            "Remove that file from the host. Where the query cannot be looked at, there must be none.", wrong.url,
        )  # fmt: skip
        return
    query = urlencode({"slug": sample.slug, "ownerHandle": sample.owner, "version": sample.version})
    heard = asker.follow(f"/api/v1/download?{query}")
    if asked and heard.status != 200:
        yield Trouble(
            "no-queries", Weight.LIMIT,
            f"/api/v1/download?slug=... {heard.tell()}: the host does not look at queries, so the clawhub command "
            "(unless GitHub has the skill) and DeepTutor cannot install",
            "Use a host with rules or code (`build --hosting` nginx, caddy, netlify, cloudflare, vercel), or "
            "`skillpress serve`.", heard.url,
        )  # fmt: skip


def _post(asker: Asker, sample: Sample) -> Iterator[Trouble]:
    target = {"slug": sample.slug, "ownerHandle": sample.owner, "version": sample.version}
    heard = asker.post("/api/v1/skills/-/security-verdicts", {"items": [target]})
    if heard.status != 200:
        yield Trouble(
            "no-post", Weight.LIMIT,
            f"POST /api/v1/skills/-/security-verdicts {heard.tell()}, so OpenClaw installs nothing",
            "Use a host that runs code, or `skillpress serve`.", heard.url,
        )  # fmt: skip


def _handoff(asker: Asker, sample: Sample) -> Iterator[Trouble]:
    place = find_handoff(asker, sample)
    if place is not None:
        yield Trouble(
            "handoff", Weight.NOTE,
            f"clawhub and OpenClaw take {sample.owner}/{sample.slug} from GitHub, where {place} must stay",
            "Keep the repository public, and build again after its history was rewritten.",
        )  # fmt: skip


def _redirects(asker: Asker) -> Iterator[Trouble]:
    heard = asker.get("/api/v1/skills", JSON)
    if heard.status in REDIRECTS:
        yield Trouble(
            "redirects", Weight.LIMIT,
            f"/api/v1/skills {heard.tell()}; hermes-agent (as a ClawHub) and APM follow no redirect",
            "Let the host answer a folder without its slash, or use `build --hosting` for one that can.", heard.url,
        )  # fmt: skip


def _types(asker: Asker, sample: Sample) -> Iterator[Trouble]:
    wrong = []
    for address, wanted in (
        ("/api/v1/skills", (JSON,)),
        (sample.api, (JSON,)),
        (
            f"/{archive_file(sample.owner, sample.slug, sample.version)}",
            ("application/zip", "application/x-zip-compressed"),
        ),
        (INDEX_ROUTE, (JSON,)),
    ):
        heard = asker.follow(address, JSON) if wanted == (JSON,) else asker.follow(address)
        if heard.status == 200 and heard.type not in wanted:
            wrong.append(f"{address} as {heard.type or 'nothing'}")
    if wrong:
        yield Trouble(
            "types", Weight.NOTE,
            f"wrong types: {', '.join(wrong)}. No installer known minds, browsers and crawlers do",
            "Set the types where the host lets you; `build --hosting` writes them.",
        )  # fmt: skip


def _active(asker: Asker, sample: Sample) -> Iterator[Trouble]:
    """Raw files of a skill under a type that a browser acts on, on the hub's own origin."""
    for tree in ("/agentskills", "/.well-known/skills"):
        for path, _ in sample.files[:50]:
            heard = asker.follow(f"{tree}/{sample.slug}/{quote(path)}")
            sandboxed = "sandbox" in heard.headers.get("content-security-policy", "")
            if heard.status == 200 and heard.type in ACTIVE and not sandboxed:
                yield Trouble(
                    "active-files", Weight.BROKEN,
                    f"{tree}/{sample.slug}/{path} is served as {heard.type}: an author's file could act in the name "
                    "of this hub",
                    "Serve files below this folder as text/plain, with `Content-Security-Policy: sandbox`.", heard.url,
                )  # fmt: skip
                return


def _cors(asker: Asker) -> Iterator[Trouble]:
    heard = asker.follow("/hub.json", JSON)
    if heard.status == 200 and heard.headers.get("access-control-allow-origin") != "*":
        yield Trouble(
            "cors", Weight.NOTE,
            "pages of other sites may not read this hub (no Access-Control-Allow-Origin: *)",
            "Add the header where the host lets you; `build --hosting` writes it.", heard.url,
        )  # fmt: skip


def _root(asker: Asker, root: Any) -> Iterator[Trouble]:
    heard = asker.follow("/hub.json", JSON)
    if not isinstance(root, dict):
        yield Trouble(
            "no-root", Weight.BROKEN, f"/hub.json {heard.tell()}, or is no root document of a hub",
            "Publish the whole output folder of a build.", heard.url,
        )  # fmt: skip
        return
    if isinstance(root.get("url"), str) and root["url"].rstrip("/") != asker.base:
        yield Trouble(
            "address", Weight.BROKEN,
            f"the hub was built for {root['url']}: addresses in its documents lead there, not to {asker.base}",
            "Build it with --url set to where it really is (or probe that address).", heard.url,
        )  # fmt: skip
    documents = root.get("documents")
    stale = [
        path
        for path, digest in (documents.items() if isinstance(documents, dict) else ())
        if isinstance(path, str)
        and path.startswith("/")
        and not (path.startswith("/api/v1/") and _answers_by_code(asker))
        and not _has_digest(asker.follow(path, JSON), digest)
    ]
    if stale:
        yield Trouble(
            "stale", Weight.BROKEN,
            f"/hub.json promises other bytes of {', '.join(stale)} than the host gives: it serves files of "
            "different builds, or changes them on the way",
            "Upload all of one build, hub.json last, and clear the cache in front; switch off whatever rewrites, "
            "minifies or compresses files.", heard.url,
        )  # fmt: skip


def _answers_by_code(asker: Asker) -> bool:
    """Whether lists are made for each question, so that no file of the build is what they answer."""
    whole = rows_of(asker.follow("/api/v1/skills", JSON), "items")
    return len(whole) < 2 or len(rows_of(asker.follow("/api/v1/skills?limit=1", JSON), "items")) == 1


def _has_digest(heard: Heard, digest: object) -> bool:
    return heard.status == 200 and hashlib.sha256(heard.body).hexdigest() == digest


def _archive(asker: Asker, sample: Sample) -> Iterator[Trouble]:
    address = f"/{archive_file(sample.owner, sample.slug, sample.version)}"
    heard = asker.follow(address)
    if heard.status != 200:
        yield Trouble(
            "no-archive", Weight.BROKEN, f"{address} {heard.tell()}, and everybody downloads from there",
            "Publish the folder dl/ too. Where its files are large, look for limits of the host.", heard.url,
        )  # fmt: skip


def _work_folder(asker: Asker) -> Iterator[Trouble]:
    heard = asker.get(f"/{WORK_FOLDER}/memory.json")
    if heard.status == 200 and heard.json() is not None:
        yield Trouble(
            "work-folder", Weight.BROKEN,
            f"/{WORK_FOLDER}/ is public; archives under quarantine lie there",
            f"Leave the folder {WORK_FOLDER} out of what you publish.", heard.url,
        )  # fmt: skip


def _slashes(asker: Asker, sample: Sample) -> Iterator[Trouble]:
    plain = asker.follow(f"/npm/@{sample.owner}/{sample.slug}", JSON)
    encoded = asker.follow(f"/npm/@{sample.owner}%2f{sample.slug}", JSON)
    if plain.status == 200 and encoded.status != 200:
        yield Trouble(
            "encoded-slash", Weight.LIMIT,
            f"the host does not take %2f in an address for a slash ({encoded.tell()}), and npm asks so: Claude Code "
            "cannot install",
            "Use a host or a rule that decodes it; our configurations do.", encoded.url,
        )  # fmt: skip


def _caches(asker: Asker) -> Iterator[Trouble]:
    kept = [
        heard for path in ("/hub.json", "/api/v1/skills") if (heard := asker.follow(path, JSON)).status == 200
    ]
    for heard in kept:
        ages = [int(age) for age in _AGE.findall(heard.headers.get("cache-control", ""))]
        if max(ages, default=0) > _LONGEST:
            yield Trouble(
                "cached", Weight.NOTE, f"{_path(heard)} may be kept for {max(ages):,} seconds after the next build",
                "Set Cache-Control to a minute for everything but /dl/.", heard.url,
            )  # fmt: skip
            return


def _path(heard: Heard) -> str:
    return urlsplit(heard.url).path
