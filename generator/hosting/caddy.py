"""The configuration of Caddy: the same rules as nginx's, out of an exploded hub.

Caddy decodes arguments before it matches them, and keeps file paths below its root (contract/clawhub.md 7); they
are proven by regular expressions all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from generator.hosting.addresses import (
    WITHDRAWN,
    moved_pages,
    others,
    resolve_addresses,
    resolve_latest,
    resolve_tags,
)
from generator.hosting.facts import HubFacts
from generator.hosting.texts import (
    COMMON_HEADERS,
    NO_FILE,
    NO_VERDICTS,
    NO_VERSION,
    NOT_FOUND,
    PAGE_POLICY,
    PAGE_TYPES,
    RAW_PICTURES,
    RAW_POLICY,
    RAW_TREES,
    READ_ONLY,
    STATUS_CODES,
)
from generator.model import Cache

CONFIG = "Caddyfile"
SKILLS, OTHERS, LATEST, TAGS = "hub-skills.caddy", "hub-others.caddy", "hub-latest.caddy", "hub-tags.caddy"
STATUSES = "hub-statuses.caddy"
_NO_SLUG, _BAD_HASH, _POST = "Missing slug", "Invalid hash", "Ask with POST"
_SAID = (NO_VERDICTS, READ_ONLY, _POST, _BAD_HASH, NOT_FOUND, NO_FILE, _NO_SLUG)
_OWNER, _SLUG, _VERSION = "[a-z0-9_-]+", "[a-z0-9-]+", "[0-9A-Za-z.-]+"


def caddy_files(facts: HubFacts, root: str, address: str) -> dict[str, bytes]:
    """The files of the configuration, to lie in one folder.

    ``root`` is the published folder on the server, ``address`` what the site is called (a host name gets a
    certificate). After each build the tables change, so Caddy has to reload.
    """
    return {
        CONFIG: _config(facts, root, address).encode(),
        SKILLS: _table(resolve_addresses(facts)),
        OTHERS: _table(others(facts)),
        LATEST: _table(resolve_latest(facts)),
        TAGS: _table(resolve_tags(facts)),
        STATUSES: _table((one.path, str(one.status)) for one in facts.statuses),
    }


def _table(rows: Iterable[tuple[str, str]]) -> bytes:
    # An imported file may not be empty.
    return "".join(("# what is published\n", *(f'"{key}" "{value}"\n' for key, value in rows))).encode()


def _block(head: str, *body: str) -> list[str]:
    return [f"{head} {{", *(f"\t{line}" for line in body), "}"]


def _handle(matcher: str, *body: str) -> list[str]:
    """What matches is answered here. A route inside keeps the order of its lines, which Caddy sorts otherwise."""
    return _block(f"handle {matcher}", *_block("route", *body))


def _map(source: str, target: str, *rows: str) -> list[str]:
    return _block(f"map * {source} {{{target}}}", *rows)


def _config(facts: HubFacts, root: str, address: str) -> str:
    naming = str(facts.naming)
    lines = [
        "# Written by `skillpress build --hosting caddy`. Run `caddy reload` after each build: the tables beside",
        "# it say what is published. Caddy reads tables slowly (15 s and 400 MB for 50,000 skills): put a large hub",
        "# behind nginx, or let Caddy pass requests on to `skillpress serve` (reverse_proxy).",
        *_block(
            address,
            f'root * "{root}"',
            "encode gzip",
            *_block("route", *_prelude(facts), *_tables(), *_answers(naming), *_files(facts, naming)),
            *_errors(),
        ),
        "",
    ]
    return "\n".join(lines)


def _prelude(facts: HubFacts) -> list[str]:
    lines = _block(
        "header",
        *(f'{name} "{value}"' for name, value in COMMON_HEADERS),
        'Access-Control-Allow-Methods "GET, HEAD, OPTIONS"',
        'Access-Control-Allow-Headers "Accept, Authorization, Content-Type, If-None-Match, Range"',
        f'Cache-Control "{Cache.REVALIDATE}"',
    )
    if facts.base:
        lines += [f"redir {facts.base} {facts.base}/ permanent", f"uri strip_prefix {facts.base}"]
    lines += [
        "@options method OPTIONS",
        "respond @options 204",
        "@write not method GET HEAD",
        'header @write Allow "GET, HEAD, OPTIONS"',
        *_block("@verdicts", "path /api/v1/skills/-/security-verdicts", "not method GET HEAD"),
        f'error @verdicts "{NO_VERDICTS}" 405',
        f'error @write "{READ_ONLY}" 405',
        f'error /api/v1/skills/-/security-verdicts "{_POST}" 405',
        "@control path_regexp [[:cntrl:]]",
        'error @control "Not found" 404',
        *_block("@hidden", "path */.*", "not path */.well-known/*"),
        'error @hidden "Not found" 404',
        f'header /dl/* Cache-Control "{Cache.IMMUTABLE}"',
        f"@raw path {' '.join(f'{tree}*' for tree in RAW_TREES)}",
        f'header @raw Content-Security-Policy "{RAW_POLICY}"',
    ]
    for number, (old, present) in enumerate(moved_pages(facts)):
        lines += [f"@moved{number} path {old} {old[:-1]}", f"redir @moved{number} {facts.base}{present} 308"]
    return lines


def _tables() -> list[str]:
    """Every argument is proven before anything uses it; what does not fit becomes ``-``, which is no name."""
    empty, nothing = '"" ""', 'default "-"'
    return [
        *_map("{query.slug}", "sp_slug", empty, '~^([a-z0-9-]{1,96})$ "${1}"', nothing),
        *_map("{query.ownerHandle}", "sp_handle", '"" "{query.owner}"', 'default "{query.ownerHandle}"'),
        *_map("{sp_handle}", "sp_owner", empty, f'~^@?({_OWNER})$ "${{1}}"', nothing),
        *_map("{query.version}", "sp_asked", empty, f'~^({_VERSION})$ "${{1}}"', nothing),
        *_map("{query.tag}", "sp_tag", empty, 'latest ""', '~^([a-z][a-z0-9._-]{0,31})$ "${1}"', nothing),
        *_map("{query.hash}", "sp_hash", '~^([0-9a-fA-F]{64})$ "${1}"', nothing),
        f"@by_owner path_regexp named ^/api/v1/owners/({_OWNER})/skills/({_SLUG})(/.*)?$",
        'vars @by_owner sp_key "{re.named.1}/{re.named.2}"',
        'vars @by_owner sp_rest "{re.named.3}"',
        f"@by_slug path_regexp named ^/api/v1/skills/({_SLUG})(/.*)?$",
        'vars @by_slug sp_key "{sp_owner}/{re.named.1}"',
        'vars @by_slug sp_rest "{re.named.2}"',
        f"@archive path_regexp archive ^/dl/({_OWNER})/({_SLUG})-([0-9]+\\.{_VERSION})\\.zip$",
        'vars @archive sp_key "{re.archive.1}/{re.archive.2}"',
        "@by_query path /api/v1/download /api/v1/resolve /api/v1/skills/resolve",
        'vars @by_query sp_key "{sp_owner}/{sp_slug}"',
        'vars @by_query sp_rest ""',
        *_map("{vars.sp_key}", "sp_skill", f"import {SKILLS}", nothing),
        *_map("{sp_skill}", "sp_base", f"import {OTHERS}", '~^[^/]+/(.+)$ "/api/v1/skills/${1}"', nothing),
        *_map("{sp_skill}", "sp_latest", f"import {LATEST}", nothing),
        *_map('"{sp_skill} {sp_tag}"', "sp_tagged", f"import {TAGS}", nothing),
        *_map("{sp_tag}", "sp_by_tag", '"" "{sp_latest}"', 'default "{sp_tagged}"'),
        *_map("{sp_asked}", "sp_version", '"" "{sp_by_tag}"', 'default "{sp_asked}"'),
        *_map('"{sp_asked}{sp_tag}"', "sp_at", '"" "{sp_base}"', 'default "{sp_base}/versions/{sp_version}"'),
    ]


def _answers(naming: str) -> list[str]:
    """The questions of the ClawHub API."""
    download = _handle(
        "@download",
        f"@withdrawn vars {{sp_version}} {WITHDRAWN}",
        *_document("@withdrawn", "{sp_base}/install", naming),
        *_gone("{sp_base}/versions/{sp_version}", "/dl/{sp_skill}-{sp_version}.zip", naming),
        "header Content-Type application/zip",
        f'header Cache-Control "{Cache.REVALIDATE}"',
        "rewrite * /dl/{sp_skill}-{sp_version}.zip",
        "file_server",
    )
    resolve = _handle(
        "@resolve",
        "@bad_hash vars {sp_hash} -",
        f'error @bad_hash "{_BAD_HASH}" 400',
        "header Content-Type application/json",
        f"try_files {{sp_base}}/resolve/{{sp_hash}}/{naming} {{sp_base}}/resolve/{naming}",
        "file_server",
    )
    about = _handle(
        "@about",
        "@unknown vars {sp_skill} -",
        f'error @unknown "{NOT_FOUND}" 404',
        "@several vars_regexp {sp_skill} ^\\?/",
        *_handle(
            "@several",
            "header Content-Type application/json",
            f"rewrite * {{sp_base}}/{naming}",
            *_block("file_server", "status 409"),
        ),
        "@download path /api/v1/download",
        *download,
        "@resolve path /api/v1/resolve /api/v1/skills/resolve",
        *resolve,
        "@one_file vars {vars.sp_rest} /file",
        f'error @one_file "{NO_FILE}" 404',
        "@judged vars_regexp judged {vars.sp_rest} ^/(verify|scan|card|security-verdict)$",
        *_document("@judged", "{sp_at}/{re.judged.1}", naming),
        *_document("*", "{sp_base}{vars.sp_rest}", naming),
    )
    return [
        *_block(
            "@no_slug", "path /api/v1/download /api/v1/resolve /api/v1/skills/resolve", 'vars {sp_slug} ""'
        ),
        f'error @no_slug "{_NO_SLUG}" 400',
        *_block("@about", "path /api/*", "vars_regexp {vars.sp_key} /"),
        *about,
        *_handle("/api/", "rewrite * /api/index.html", "file_server"),
        *_handle("/api/v1/openapi.json", "header Content-Type application/json", "file_server"),
        *_handle(
            "/api/*", "header Content-Type application/json", f"rewrite * {{path}}/{naming}", "file_server"
        ),
    ]


def _gone(document: str, archive: str, naming: str) -> list[str]:
    """Say in plain text why an archive was withdrawn: the document of its version does."""
    return [
        *_map(f'"{archive}"', "sp_archive_status", f"import {STATUSES}", 'default "200"'),
        "@withheld vars {sp_archive_status} 410",
        *_handle(
            "@withheld",
            'header Content-Type "text/plain; charset=utf-8"',
            f"rewrite * {document}/{naming}",
            *_block("file_server", "status 410"),
        ),
    ]


def _document(matcher: str, document: str, naming: str) -> list[str]:
    """Serve a document of a skill with its own status."""
    served = [
        *_block(
            "@withdrawn_version", "vars {sp_status} 410", "vars_regexp {vars.sp_document} /versions/[^/]+$"
        ),
        'header @withdrawn_version Content-Type "text/plain; charset=utf-8"',
    ]
    for status in STATUS_CODES:
        served += [
            f"@status{status} vars {{sp_status}} {status}",
            *_handle(f"@status{status}", *_block("file_server", f"status {status}")),
        ]
    return _handle(
        matcher,
        f'vars sp_document "{document}"',
        *_map("{vars.sp_document}", "sp_status", f"import {STATUSES}", 'default "200"'),
        "@card vars_regexp {vars.sp_document} /card$",
        "header Content-Type application/json",
        'header @card Content-Type "text/markdown; charset=utf-8"',
        f"rewrite * {{vars.sp_document}}/{naming}",
        *served,
        "file_server",
    )


def _files(facts: HubFacts, naming: str) -> list[str]:
    """Pages, archives and everything else that is a file of its own."""
    below = "^/(?:agentskills|\\.well-known/skills)/"
    types: list[str] = []
    for suffix, kind in PAGE_TYPES.items():
        charset = "; charset=utf-8" if kind.startswith("text/") or suffix == "xml" else ""
        types += [f'header *.{suffix} Content-Type "{kind}{charset}"']
    return [
        f"@apm path_regexp apm ^/v1/packages/({_OWNER})/({_SLUG})/versions/({_VERSION})/download$",
        *_handle(
            "@apm",
            "header Content-Type application/zip",
            "rewrite * /dl/{re.apm.1}/{re.apm.2}-{re.apm.3}.zip",
            "file_server",
        ),
        "@packages path /v1/packages/* /npm/*",
        *_handle(
            "@packages",
            "header Content-Type application/json",
            "try_files {path} {path}/index.json {path}/index.html",
            "file_server",
        ),
        *_handle(
            "@raw",
            f"@no_picture not path_regexp \\.(?:{'|'.join(RAW_PICTURES)})$",
            'header @no_picture Content-Type "text/plain; charset=utf-8"',
            f"@index path_regexp {below}(?:[^/]+/)?index\\.json$",
            "header @index Content-Type application/json",
            "file_server",
        ),
        *_handle(
            "@archive",
            *_gone("{sp_base}/versions/{re.archive.3}", "{path}", naming),
            "header Content-Type application/zip",
            "file_server",
        ),
        *types,
        'header /feeds/* Content-Type "application/atom+xml; charset=utf-8"',
        *_block("@folder", "not path */", "file {path}/index.html"),
        f"redir @folder {facts.base}{{path}}/ permanent",
        "@page path */ *.html",
        f'header @page Content-Security-Policy "{PAGE_POLICY}"',
        "header @page X-Frame-Options DENY",
        "file_server",
    ]


def _errors() -> list[str]:
    """Every refusal in plain text: its own words, or those that clients look for."""
    return _block(
        "handle_errors",
        *_block("header", 'Content-Type "text/plain; charset=utf-8"', "Cache-Control no-store"),
        # Only our own words: those of Caddy can name folders of the machine.
        f"@said vars_regexp {{http.error.message}} `^(?:{'|'.join(map(re.escape, _SAID))})$`",
        'respond @said "{http.error.message}" {http.error.status_code}',
        "@gone path */dl/* */versions/* */api/v1/download",
        f'respond @gone "{NO_VERSION}" {{http.error.status_code}}',
        "@api path */api/* */v1/packages/*",
        f'respond @api "{NOT_FOUND}" {{http.error.status_code}}',
        'respond "Not found" {http.error.status_code}',
    )
