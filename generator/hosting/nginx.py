"""The configuration of nginx: rules that choose a file for each question, out of an exploded hub.

Two things must hold whatever is asked. No argument reaches a path before a ``map`` has proven it
(contract/clawhub.md 7: ``slug=..`` read a file outside the root), and no question is answered with another skill:
which owner and version a bare slug means is looked up in tables that the build writes.
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
    READ_ONLY,
    STATUS_CODES,
)
from generator.model import Cache

CONFIG = "hub.conf"
SKILLS, OTHERS, LATEST, TAGS = "hub-skills.map", "hub-others.map", "hub-latest.map", "hub-tags.map"
STATUSES, PAGES = "hub-statuses.map", "hub-moved.map"

_SAID = (
    (404, NOT_FOUND), (404, NO_VERSION), (400, "Missing slug"), (400, "Invalid hash"), (404, NO_FILE),
)  # fmt: skip
"""Refusals in plain text, whatever the type of the answer would have been."""
_OWNER, _SLUG = "[a-z0-9_-]+", "[a-z0-9-]+"


def nginx_files(facts: HubFacts, root: str, listen: str, folder: str) -> dict[str, bytes]:
    """The files of the configuration, to lie in one folder that the ``http`` block includes from.

    ``root`` is the published folder on the server, ``folder`` where these files lie. After each build the tables
    change, so nginx has to reload.
    """
    return {
        CONFIG: _config(facts, root, listen, folder).encode(),
        SKILLS: _table(resolve_addresses(facts)),
        OTHERS: _table(others(facts)),
        LATEST: _table(resolve_latest(facts)),
        TAGS: _table(resolve_tags(facts)),
        STATUSES: _table((one.path, str(one.status)) for one in facts.statuses),
        PAGES: _table(row for old, now in moved_pages(facts) for row in ((old, now), (old[:-1], now))),
    }


def _table(rows: Iterable[tuple[str, str]]) -> bytes:
    return "".join(f'"{key}" "{value}";\n' for key, value in rows).encode()


def _config(facts: HubFacts, root: str, listen: str, folder: str) -> str:
    longest = max((len(one.owner) + len(one.slug) for one in facts.skills), default=0)
    return "\n".join(
        (
            "# Written by `skillpress build --hosting nginx`. Include it in the http block of nginx.conf, and run",
            "# `nginx -t && nginx -s reload` after each build: the .map files beside it say what is published.",
            *_maps(len(facts.skills), longest, folder),
            *_server(facts, root, listen),
            "",
        )
    )


def _maps(skills: int, longest: int, folder: str) -> list[str]:
    """Every argument is proven before anything uses it; what does not fit becomes ``-``, which is no name."""
    buckets = 256 if longest < 90 else 512
    return [
        f"map_hash_bucket_size {buckets};",
        f"map_hash_max_size {max(2048, 8 * skills)};",
        'map $arg_slug $sp_slug { default "-"; "" ""; "~^[a-z0-9-]{1,96}$" $arg_slug; }',
        'map $arg_ownerHandle $sp_handle { default $arg_ownerHandle; "" $arg_owner; }',
        f'map $sp_handle $sp_owner {{ default "-"; "" ""; "~^(?:@|%40)?(?<sp_o>{_OWNER})$" $sp_o; }}',
        'map $arg_version $sp_asked { default "-"; "" ""; "~^[0-9A-Za-z.-]{1,128}$" $arg_version; }',
        'map $arg_tag $sp_tag { default "-"; "" ""; latest ""; "~^[a-z][a-z0-9._-]{0,31}$" $arg_tag; }',
        'map $arg_hash $sp_hash { default ""; "~^[0-9a-fA-F]{64}$" $arg_hash; }',
        f'map $sp_key $sp_skill {{ volatile; default ""; include "{folder}/{SKILLS}"; }}',
        "map $sp_skill $sp_base {",
        '    volatile; default "";',
        f'    include "{folder}/{OTHERS}";',
        '    "~^[^/]+/(?<sp_held>.+)$" /api/v1/skills/$sp_held;',
        "}",
        f'map $sp_skill $sp_latest {{ volatile; default "-"; include "{folder}/{LATEST}"; }}',
        f'map "$sp_skill $sp_tag" $sp_tagged {{ volatile; default "-"; include "{folder}/{TAGS}"; }}',
        'map $sp_tag $sp_by_tag { volatile; default $sp_tagged; "" $sp_latest; }',
        'map $sp_asked $sp_version { volatile; default $sp_asked; "" $sp_by_tag; }',
        'map "$sp_asked$sp_tag" $sp_at { volatile; default $sp_base/versions/$sp_version; "" $sp_base; }',
        f'map $sp_document $sp_status {{ volatile; default ""; include "{folder}/{STATUSES}"; }}',
        "# Why a version was withdrawn is told in plain text.",
        "map $sp_document $sp_answer { volatile; default /.answer; ~/versions/[^/]+$ /.text; }",
        f'map $uri $sp_moved {{ volatile; default ""; include "{folder}/{PAGES}"; }}',
        f'map $uri $sp_refusal {{ volatile; default "{READ_ONLY}"; ~/security-verdicts$ "{NO_VERDICTS}"; }}',
        'map $status $sp_allow { default ""; 405 "GET, HEAD, OPTIONS"; }',
        f'map $uri $sp_kept {{ volatile; default "{Cache.REVALIDATE}"; ~^/dl/ $sp_kept_archive; }}',
        "# The same archive is at /dl/ for good, and at /api/v1/download until the next release.",
        f'map $request_uri $sp_kept_archive {{ default "{Cache.REVALIDATE}"; ~/dl/ "{Cache.IMMUTABLE}"; }}',
        "map $status $sp_cache { default $sp_kept; ~^[45] no-store; }",
        "map $uri $sp_policy {",
        f'    volatile; default $sp_page_policy; ~^/(agentskills|\\.well-known/skills)/ "{RAW_POLICY}";',
        "}",
        f'map $sent_http_content_type $sp_page_policy {{ default ""; ~^text/html "{PAGE_POLICY}"; }}',
        'map $sent_http_content_type $sp_frames { default ""; ~^text/html DENY; }',
    ]


def _server(facts: HubFacts, root: str, listen: str) -> list[str]:
    base = facts.base
    lines = [
        "server {",
        f"    listen {listen};",
        f"    server_name {facts.host or '_'};",
        f'    root "{root}";',
        "    absolute_redirect off;",
        "    merge_slashes off;",
        "    charset utf-8;",
        "    charset_types text/css text/javascript text/plain text/markdown application/xml"
        " application/atom+xml;",
        "    default_type text/plain;",
        "    types {",
        *(f"        {kind} {suffix};" for suffix, kind in PAGE_TYPES.items()),
        "    }",
        "    gzip on;",
        "    gzip_vary on;",
        "    gzip_min_length 1000;",
        "    gzip_types application/json application/x-ndjson application/xml application/atom+xml text/css"
        " text/javascript text/plain text/markdown image/svg+xml;",
        *(f'    add_header {name} "{value}" always;' for name, value in COMMON_HEADERS),
        '    add_header Access-Control-Allow-Methods "GET, HEAD, OPTIONS" always;',
        '    add_header Access-Control-Allow-Headers "Accept, Authorization, Content-Type, If-None-Match, Range"'
        " always;",
        "    add_header Cache-Control $sp_cache always;",
        "    add_header Content-Security-Policy $sp_policy always;",
        "    add_header X-Frame-Options $sp_frames always;",
        "    add_header Allow $sp_allow always;",
        '    set $sp_key "";',
        '    set $sp_document "";',
        "    error_page 403 409 410 $sp_answer$sp_document;",
    ]
    if base:
        lines += [
            f"    if ($uri = {base}) {{ return 301 {base}/; }}",
            f"    rewrite ^{re.escape(base)}(/.*)$ $1;",
        ]
    lines += [
        "    if ($request_method = OPTIONS) { return 204; }",
        "    if ($request_method !~ ^(GET|HEAD)$) { return 405 $sp_refusal; }",
        f"    if ($sp_moved) {{ return 308 {base}$sp_moved; }}",
        *_files(base),
        *_answers(str(facts.naming)),
        "}",
    ]
    return lines


def _files(base: str) -> list[str]:
    """Pages, archives and everything else that is a file of its own."""
    pictures = " ".join(f"{kind} {suffix};" for suffix, kind in RAW_PICTURES.items())
    return [
        r"    location ~ /\.(?!well-known/) { types { } default_type text/plain; return 404 'Not found'; }",
        "    location / {",
        f"        if (-f $document_root$uri/index.html) {{ rewrite ^(.*[^/])$ {base}$1/ permanent; }}",
        "        try_files $uri $uri/index.html @nothing;",
        "    }",
        "    location ~ ^/feeds/.*\\.xml$ {",
        "        types { } default_type application/atom+xml;",
        "        try_files $uri @nothing;",
        "    }",
        f"    location ~ ^/dl/(?<sp_do>{_OWNER})/(?<sp_ds>{_SLUG})-(?<sp_dv>[0-9]+\\.[0-9A-Za-z.-]+)\\.zip$ {{",
        '        set $sp_key "$sp_do/$sp_ds";',
        "        set $sp_document $uri;",
        "        if ($sp_status = 410) { set $sp_document $sp_base/versions/$sp_dv; return 410; }",
        "        try_files $uri @no_version;",
        "    }",
        "    location /dl/ { try_files $uri @no_version; }",
        "    location ~ ^/(?:agentskills|\\.well-known/skills)/(?:[^/]+/)?index\\.json$ {",
        "        try_files $uri @nothing;",
        "    }",
        "    location ~ ^/(?:agentskills|\\.well-known/skills)/ {",
        f"        types {{ {pictures} }}",
        "        try_files $uri @nothing;",
        "    }",
        "    location ^~ /npm/ {",
        "        types { } default_type application/json;",
        "        try_files $uri $uri/index.json $uri/index.html @nothing;",
        "    }",
        f"    location ~ ^/v1/packages/{_OWNER}/{_SLUG}/versions$ {{",
        "        types { } default_type application/json;",
        "        try_files $uri/index.json $uri/index.html $uri @missing;",
        "    }",
        f"    location ~ ^/v1/packages/(?<sp_po>{_OWNER})/(?<sp_ps>{_SLUG})/versions/(?<sp_pv>[0-9A-Za-z.-]+)"
        "/download$ {",
        "        types { } default_type application/zip;",
        "        try_files /dl/$sp_po/$sp_ps-$sp_pv.zip @no_version;",
        "    }",
        *(
            f"    location @{name} {{ types {{ }} default_type text/plain; return 404 '{text}'; }}"
            for name, text in (("nothing", "Not found"), ("missing", NOT_FOUND), ("no_version", NO_VERSION))
        ),
    ]


def _answers(naming: str) -> list[str]:
    """The questions of the ClawHub API."""
    owned = f"/api/v1/owners/(?<sp_named_owner>{_OWNER})/skills/(?<sp_named>{_SLUG})"
    bare = f"/api/v1/skills/(?<sp_named>{_SLUG})"
    judged, card = "/(?<sp_doc>verify|scan|security-verdict)$", "/(?<sp_doc>card)$"
    by_owner, by_query = '"$sp_named_owner/$sp_named"', '"$sp_owner/$sp_named"'
    return [
        *(
            f"    location = /.say/{number} {{ internal; error_page 599 @nothing; return {status} '{text}'; }}"
            for number, (status, text) in enumerate(_SAID)
        ),
        "    location ^~ /.answer/ {",
        "        internal;",
        "        types { } default_type application/json;",
        f"        rewrite ^/\\.answer(/.*)$ $1/{naming} break;",
        "    }",
        "    location ^~ /.text/ {",
        "        internal;",
        "        types { } default_type text/plain;",
        f"        rewrite ^/\\.text(/.*)$ $1/{naming} break;",
        "    }",
        "    location = /api/v1/skills/-/security-verdicts { return 405 'Ask with POST'; }",
        "    location = /api/v1/download {",
        "        types { } default_type application/zip;",
        f'        if ($sp_slug = "") {{ {_say("Missing slug")} }}',
        '        set $sp_key "$sp_owner/$sp_slug";',
        *_known(),
        f"        if ($sp_version = {WITHDRAWN}) {{ rewrite ^ /.withdrawn last; }}",
        "        rewrite ^ /dl/$sp_skill-$sp_version.zip last;",
        "    }",
        "    location = /.withdrawn {",
        "        internal;",
        "        set $sp_document $sp_base/install;",
        *_statuses(),
        f"        {_say(NO_VERSION)}",
        "    }",
        "    location ~ ^/api/v1/(?:skills/)?resolve$ {",
        "        types { } default_type application/json;",
        f'        if ($sp_slug = "") {{ {_say("Missing slug")} }}',
        f'        if ($sp_hash = "") {{ {_say("Invalid hash")} }}',
        '        set $sp_key "$sp_owner/$sp_slug";',
        *_known(),
        f"        try_files $sp_base/resolve/$sp_hash/{naming} $sp_base/resolve/{naming} @missing;",
        "    }",
        *_document(f"^{owned}/file$", by_owner, None, naming),
        *_document(f"^{bare}/file$", by_query, None, naming),
        *_document(f"^{owned}{judged}", by_owner, "$sp_at/$sp_doc", naming),
        *_document(f"^{bare}{judged}", by_query, "$sp_at/$sp_doc", naming),
        *_document(f"^{owned}{card}", by_owner, "$sp_at/$sp_doc", naming, "text/markdown"),
        *_document(f"^{bare}{card}", by_query, "$sp_at/$sp_doc", naming, "text/markdown"),
        *_document(
            f"^{owned}(?<sp_version_rest>/versions/[^/]+/card)$",
            by_owner,
            "$sp_base$sp_version_rest",
            naming,
            "text/markdown",
        ),
        *_document(
            f"^{bare}(?<sp_version_rest>/versions/[^/]+/card)$",
            by_query,
            "$sp_base$sp_version_rest",
            naming,
            "text/markdown",
        ),
        *_document(
            f"^{owned}(?<sp_version_rest>/versions/.*)$", by_owner, "$sp_base$sp_version_rest", naming
        ),
        *_document(f"^{bare}(?<sp_version_rest>/versions/.*)$", by_query, "$sp_base$sp_version_rest", naming),
        *_document(f"^{owned}(?<sp_rest>/.*)?$", by_owner, "$sp_base$sp_rest", naming),
        *_document(f"^{bare}(?<sp_rest>/.*)?$", by_query, "$sp_base$sp_rest", naming),
        "    location = /api/ { try_files $uri/index.html @nothing; }",
        "    location = /api/v1/openapi.json { try_files $uri @nothing; }",
        "    location /api/ {",
        "        types { } default_type application/json;",
        f"        try_files $uri/{naming} @nothing;",
        "    }",
    ]


def _document(
    pattern: str, key: str, document: str | None, naming: str, kind: str = "application/json"
) -> list[str]:
    """A document of one skill; None is the question for a single file, which rules cannot answer."""
    lines = [
        f'    location ~ "{pattern}" {{',
        f"        types {{ }} default_type {kind};",
        f"        set $sp_key {key};",
    ]
    lines += _known()
    if document is None:
        return [*lines, f"        {_say(NO_FILE)}", "    }"]
    missing = "@missing" if document == "$sp_base$sp_rest" else "@no_version"
    return [
        *lines,
        f"        set $sp_document {document};",
        *_statuses(),
        f"        try_files $sp_document/{naming} {missing};",
        "    }",
    ]


def _known() -> list[str]:
    """Refuse a skill that is not there, and one that several owners have where none was named."""
    return [
        f'        if ($sp_skill = "") {{ {_say(NOT_FOUND)} }}',
        '        if ($sp_skill ~ "^\\?/") { set $sp_document $sp_base; }',
        '        if ($sp_skill ~ "^\\?/") { return 409; }',
    ]


def _statuses() -> list[str]:
    return [f"        if ($sp_status = {status}) {{ return {status}; }}" for status in STATUS_CODES]


def _say(text: str) -> str:
    """Send on to the place that says this."""
    number = next(number for number, (_, said) in enumerate(_SAID) if said == text)
    return f"rewrite ^ /.say/{number} last;"
