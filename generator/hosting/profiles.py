"""The hosts a hub can live on, as facts: what each does with files, queries, methods and headers.

Every fact has a source: a section of the contract (``contract/...``, measured there unless it says *not run*),
the host's own documentation (``docs: ...``, with the date it was looked up), or a test of this repository that
runs the real program (``tests/conformance``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from generator.errors import ConfigError
from generator.write.layout import Layout, Naming


class Queries(StrEnum):
    """What a host can do with a query string.

    NONE: it is ignored, so every question has one answer. RULES: it can choose a file by rules that are written
    at build time. CODE: our router runs there.
    """

    NONE = "none"
    RULES = "rules"
    CODE = "code"


class Kind(StrEnum):
    """What stands between a request and the files; hosts of one kind serve clients alike.

    SERVE: ``skillpress serve``. EDGE: ``router.js`` at the host. NGINX, CADDY: rules of that server. RULES:
    Netlify's redirect rules without its edge function. PAGES: a host of plain files that redirects folders.
    OBJECTS: an object store, where a name can be a document and a folder at once.
    """

    SERVE = "serve"
    EDGE = "edge"
    NGINX = "nginx"
    CADDY = "caddy"
    RULES = "rules"
    PAGES = "pages"
    OBJECTS = "objects"


@dataclass(frozen=True, slots=True)
class Hosting:
    """One host.

    ``redirects_folders``: a folder asked for without its slash is answered with a redirect, also below ``/api``.
    ``drops_dot_folders``: its usual way of publishing leaves ``.well-known`` out unless told otherwise.
    ``own_not_found``: it has one page of ours for every missing address (``404.html``), whatever was asked.
    Limits are None where none is known; ``max_total`` and ``max_file`` are in bytes. ``sources`` name where each
    fact comes from.
    """

    name: str
    title: str
    kind: Kind
    layout: Layout
    naming: Naming
    queries: Queries
    answers_post: bool
    runs_javascript: bool
    sets_headers: bool
    redirects_folders: bool
    drops_dot_folders: bool
    own_not_found: bool
    max_files: int | None = None
    max_files_paid: int | None = None
    max_file: int | None = None
    max_total: int | None = None
    sources: Mapping[str, str] = field(default_factory=dict)


_MIB = 2**20
_SERVED = "generator/serve, tests/serve and tests/conformance"
_CF_LIMITS = "docs: Cloudflare Workers limits (looked up 2026-11-30); performance.md 'Host limits'"

PLAIN = Hosting(
    name="plain", title="A folder behind `skillpress serve`", kind=Kind.SERVE,
    layout=Layout.PACKED, naming=Naming.INDEX_HTML,
    queries=Queries.CODE, answers_post=True, runs_javascript=False, sets_headers=True,
    redirects_folders=False, drops_dot_folders=False, own_not_found=False,
    sources={"everything": _SERVED},
)  # fmt: skip
NGINX = Hosting(
    name="nginx", title="nginx", kind=Kind.NGINX,
    layout=Layout.EXPLODED, naming=Naming.INDEX_JSON,
    queries=Queries.RULES, answers_post=False, runs_javascript=False, sets_headers=True,
    redirects_folders=False, drops_dot_folders=False, own_not_found=False,
    sources={
        "queries": "contract/clawhub.md 0.5, 7 (row E, run); tests/conformance with Debian's nginx 1.22.1",
        "answers_post": "contract/clawhub.md 7; an nginx without modules only passes a POST on or refuses it",
        "redirects_folders": "contract/clawhub.md 7 'Details': try_files avoids the redirect",
    },
)  # fmt: skip
CADDY = Hosting(
    name="caddy", title="Caddy", kind=Kind.CADDY,
    layout=Layout.EXPLODED, naming=Naming.INDEX_JSON,
    queries=Queries.RULES, answers_post=False, runs_javascript=False, sets_headers=True,
    redirects_folders=False, drops_dot_folders=False, own_not_found=False,
    sources={
        "queries": "contract/clawhub.md 7 (row F, run); tests/conformance with Debian's Caddy 2.6.2",
        "answers_post": "contract/clawhub.md 7",
    },
)  # fmt: skip
GITHUB_PAGES = Hosting(
    name="github-pages", title="GitHub Pages", kind=Kind.PAGES,
    layout=Layout.EXPLODED, naming=Naming.INDEX_HTML,
    queries=Queries.NONE, answers_post=False, runs_javascript=False, sets_headers=False,
    redirects_folders=True, drops_dot_folders=True, own_not_found=True,
    max_file=100 * _MIB, max_total=1024 * _MIB,
    sources={
        "queries": "contract/clawhub.md 0.4, 7 (row A)",
        "answers_post": "contract/clawhub.md 7 'Details': 405 (not run)",
        "redirects_folders": "contract/clawhub.md 7, contract/other-clients.md 0.7: 301 to the slash (not run)",
        "drops_dot_folders": "contract/other-clients.md 0.8: upload-pages-artifact needs include-hidden-files",
        "own_not_found": "contract/clawhub.md 0.13",
        "max_file": "docs: GitHub refuses a file over 100 MB in a repository (looked up 2026-11-30)",
        "max_total": "docs: GitHub Pages limits, 1 GB a site, 10 minutes a deployment (looked up 2026-11-30)",
    },
)  # fmt: skip
GITLAB_PAGES = Hosting(
    name="gitlab-pages", title="GitLab Pages", kind=Kind.PAGES,
    layout=Layout.EXPLODED, naming=Naming.INDEX_HTML,
    queries=Queries.NONE, answers_post=False, runs_javascript=False, sets_headers=False,
    redirects_folders=True, drops_dot_folders=False, own_not_found=True,
    sources={
        "queries": "docs: GitLab Pages serves static files (not run)",
        "redirects_folders": "docs: GitLab Pages, a folder without its slash is redirected (not run)",
        "drops_dot_folders": "docs: the artifact takes what `paths` or `publish` name, hidden files too (not run)",
        "own_not_found": "docs: GitLab Pages, custom error pages (404.html at the root)",
    },
)  # fmt: skip
CLOUDFLARE = Hosting(
    name="cloudflare", title="Cloudflare Workers and Pages", kind=Kind.EDGE,
    layout=Layout.PACKED, naming=Naming.INDEX_HTML,
    queries=Queries.CODE, answers_post=True, runs_javascript=True, sets_headers=True,
    redirects_folders=False, drops_dot_folders=False, own_not_found=False,
    max_files=20_000, max_files_paid=100_000, max_file=25 * _MIB,
    sources={
        "queries": "contract/clawhub.md 7 'Details': _redirects has no query matching, so a Worker",
        "max_files": _CF_LIMITS, "max_files_paid": _CF_LIMITS, "max_file": _CF_LIMITS,
    },
)  # fmt: skip
NETLIFY = Hosting(
    name="netlify", title="Netlify", kind=Kind.EDGE,
    layout=Layout.EXPLODED, naming=Naming.INDEX_HTML,
    queries=Queries.CODE, answers_post=True, runs_javascript=True, sets_headers=True,
    redirects_folders=False, drops_dot_folders=False, own_not_found=False,
    sources={
        "queries": "contract/clawhub.md 7 (row G); tests/conformance with npm netlify-redirector 0.5.0",
        "max_files": "docs: Netlify names no number of files; over 10,000 redirect rules it advises an edge "
        "function (looked up 2026-11-30)",
    },
)  # fmt: skip
VERCEL = Hosting(
    name="vercel", title="Vercel", kind=Kind.EDGE,
    layout=Layout.PACKED, naming=Naming.INDEX_HTML,
    queries=Queries.CODE, answers_post=True, runs_javascript=True, sets_headers=True,
    redirects_folders=False, drops_dot_folders=False, own_not_found=False,
    sources={
        "queries": "contract/clawhub.md 7 'Details' (not run)",
        "max_files": "docs: Vercel removed the limits of a deployment by its command (looked up 2026-11-30)",
    },
)  # fmt: skip
S3 = Hosting(
    name="s3", title="An S3-compatible store behind a CDN", kind=Kind.OBJECTS,
    layout=Layout.EXPLODED, naming=Naming.INDEX_HTML,
    queries=Queries.NONE, answers_post=False, runs_javascript=False, sets_headers=True,
    redirects_folders=False, drops_dot_folders=False, own_not_found=True,
    sources={
        "redirects_folders": "contract/clawhub.md 7 'Details': a key can be a document and a folder (not run)",
        "own_not_found": "contract/clawhub.md 7 'Details': without ListBucket a missing key is 403, as XML "
        "(not run)",
    },
)  # fmt: skip
CONTAINER = Hosting(
    name="container", title="A container image with `skillpress serve`", kind=Kind.SERVE,
    layout=Layout.PACKED, naming=Naming.INDEX_HTML,
    queries=Queries.CODE, answers_post=True, runs_javascript=False, sets_headers=True,
    redirects_folders=False, drops_dot_folders=False, own_not_found=False,
    sources={"everything": _SERVED},
)  # fmt: skip

HOSTINGS: Mapping[str, Hosting] = MappingProxyType(
    {
        one.name: one
        for one in (
            PLAIN,
            NGINX,
            CADDY,
            GITHUB_PAGES,
            GITLAB_PAGES,
            CLOUDFLARE,
            NETLIFY,
            VERCEL,
            S3,
            CONTAINER,
        )
    }
)
"""Every host by name, in the order they are shown."""


def find_hosting(name: str) -> Hosting:
    """The host of this name.

    Raises:
        ConfigError: there is none.
    """
    if name not in HOSTINGS:
        raise ConfigError(f"{name!r} is no hosting this version knows. Choose one of {', '.join(HOSTINGS)}.")
    return HOSTINGS[name]
