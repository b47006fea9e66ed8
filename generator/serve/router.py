"""Which ready answer a request wants: a pure function from a request to a plan.

Nothing here reads a file or knows HTTP beyond method, path and query, so that the same decisions can be made
at an edge. The rules and the texts of refusals follow ClawHub's server (HTTP API v1, 2026-08-06).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.serve.places import Kind, claim_of, present_path
from generator.serve.plans import (
    Download,
    ListSkills,
    Pick,
    PickTagged,
    Plan,
    ReadFile,
    Redirect,
    Say,
    SearchSkills,
    ShowTrending,
    Tag,
    Verdicts,
)
from generator.serve.verdict_request import parse_verdicts
from generator.write.protocols.clawhub_packages import package_name

API = "/api/v1"
SKILL_NOT_FOUND = "Skill not found"
VERSION_NOT_FOUND = "Version not found"
LIST_LIMIT, LIST_LIMIT_MAX = 25, 200
TRENDING_LIMIT, TRENDING_LIMIT_MAX = 20, 100

SORTS = {
    "": "updated",
    "updated": "updated",
    "recommended": "updated",
    "default": "updated",
    "createdat": "created",
    "created-at": "created",
    "created": "created",
    "newest": "created",
    "name": "name",
    # Nothing is counted on a static hub, so these are all ties, and ties go by the last release.
    "downloads": "updated",
    "stars": "updated",
    "rating": "updated",
    "installs": "updated",
    "installscurrent": "updated",
    "installsalltime": "updated",
    "installs-current": "updated",
    "installs-all-time": "updated",
    "trending": "updated",
}
"""Every word ClawHub's list takes for ``sort``, and the order this hub gives for it."""

_SLUG = re.compile(r"[a-z0-9-]{1,96}")
_VERSION = re.compile(r"[0-9A-Za-z.-]{1,128}")
_TAG = re.compile(r"[a-z][a-z0-9._-]{0,31}")
_HASH = re.compile(r"[0-9a-fA-F]{64}")
_NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_CURSOR = re.compile(r"[0-9]{1,9}", re.ASCII)
_JUDGED = frozenset({"verify", "scan", "card", "security-verdict"})
_ONCE = frozenset({"versions", "install", "moderation"})
_PAGE = re.compile(r"/([a-z0-9_-]+)/skills/([a-z0-9-]+)/?")
_ARCHIVE = re.compile(r"(/dl/([a-z0-9_-]+)/([a-z0-9-]+)-([0-9]+\.[0-9A-Za-z.-]+))\.(?:zip|skill|tgz)")
_PACKAGE = re.compile(r"(?:@([a-z0-9_-]+)/)?([a-z0-9-]+)(?:/file|/versions(?:/[0-9A-Za-z.-]+)?)?")
_INDEX_OF_A_PAGE = "/.well-known/agent-skills/index.json"
_INDEX_OF_NO_PAGE = "/.well-known/agent-skills/missing.json"
"""What ``skills`` 1.5.18 gets for a page there is not: with a 404 it would install the whole hub."""
_PAGES_OF_THE_API = ("/api/", "/api/index.md")
PACKAGE_NOT_FOUND = "Package not found"
PACKAGES_MAX = 100
GONE = 410
"""The status of what the operator withdrew."""
_READ_ONLY = "This hub is made of files and takes no changes."


@dataclass(frozen=True, slots=True)
class SlugIndex:
    """Which owners have which slug, and which routes do not answer with 200 (from ``router.json``).

    ``moved`` gives the present ``owner/slug`` of a former one, ``moved_slugs`` of a slug that only a former one has.
    ``clawhub`` is false where the operator switched the ClawHub API off.
    """

    slugs: Mapping[str, tuple[str, ...]]
    statuses: Mapping[str, int]
    moved: Mapping[str, str] = field(default_factory=dict)
    moved_slugs: Mapping[str, str] = field(default_factory=dict)
    clawhub: bool = True

    def holder(self, slug: str) -> str | None:
        """The owner a bare slug means: the first one, unless the slug's own route is a 409."""
        owners = self.slugs.get(slug)
        if not owners or self.statuses.get(f"{API}/skills/{slug}") == 409:
            return None
        return owners[0]

    def is_former(self, owner: str | None, slug: str) -> bool:
        """Whether a skill that is found under this address has another one by now."""
        if owner is None:
            return slug not in self.slugs and slug in self.moved_slugs
        return owner not in self.slugs.get(slug, ()) and f"{owner}/{slug}" in self.moved

    def base(self, owner: str, slug: str) -> str:
        """The route that the answers of a skill lie under."""
        return f"{API}/skills/{slug}" if owner == self.holder(slug) else f"{API}/owners/{owner}/skills/{slug}"


@dataclass(frozen=True, slots=True)
class Request:
    """A request as far as routing goes. ``path`` is decoded and below the hub's base."""

    method: str
    path: str
    query: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class _Skill:
    """One skill that was found: its owner and the route its answers lie under."""

    owner: str
    slug: str
    base: str


def plan(request: Request, index: SlugIndex) -> Plan:
    """What to answer. Never raises, whatever was asked."""
    path = request.path
    if not path.startswith("/api/") or path in _PAGES_OF_THE_API:
        if request.method not in ("GET", "HEAD"):
            return Say(405, "Method not allowed", allow="GET, HEAD, OPTIONS")
        return _plain(path, index)
    parts = tuple(path.rstrip("/").split("/")[1:])
    if not index.clawhub and parts != ("api", "v1", "skill", "list"):
        return Say(404, "Not found")
    if request.method == "POST" and parts == ("api", "v1", "skills", "-", "security-verdicts"):
        return _verdicts(request.body, index)
    if request.method not in ("GET", "HEAD"):
        return Say(405, _READ_ONLY, allow="GET, HEAD, OPTIONS")
    match parts[2:] if parts[:2] == ("api", "v1") else ():
        case ("skills",):
            return _list(request.query)
        case ("search",):
            return _search(request.query)
        case ("trending",):
            return _trending(request.query)
        case ("resolve",) | ("skills", "resolve"):
            return _resolve(request.query, index)
        case ("download",):
            return _download(request.query, index)
        case ("openapi.json",) | ("skill", "list") | ("plugins",) | ("code-plugins",) | ("bundle-plugins",):
            return Pick(("/" + "/".join(parts),), "Not found")
        case ("packages", *rest):
            return _packages(tuple(rest), request.query, index)
        case ("skills", "-", "security-verdicts"):
            return Say(405, "Ask with POST", allow="POST, OPTIONS")
        case ("skills", slug, *rest):
            return _about_skill(_owner(request.query), slug, tuple(rest), request.query, index)
        case ("owners", owner, "skills", slug, *rest):
            return _about_skill(owner, slug, tuple(rest), request.query, index)
    return Say(404, "Not found")


def _plain(path: str, index: SlugIndex) -> Plan:
    """A page or a file. The page of a former address leads to the present one; a raw file and APM's download come out
    of archives; an archive that is not given out any more says why."""
    if (page := _PAGE.fullmatch(path)) and (present := index.moved.get(f"{page[1]}/{page[2]}")):
        owner, _, slug = present.partition("/")
        return Redirect(f"/{owner}/skills/{slug}/")
    claim = claim_of(path)
    if claim is not None and claim.kind in (Kind.SLICE, Kind.ARCHIVE):
        skill = _locate(claim.owner, claim.slug, index)
        if not isinstance(skill, _Skill):
            return skill
        if claim.kind is Kind.SLICE:
            return ReadFile(skill.owner, skill.slug, skill.base, None, claim.rest, exact=True)
        return Download(skill.owner, skill.slug, skill.base, claim.rest)
    if (archive := _ARCHIVE.fullmatch(path)) and index.statuses.get(f"{archive[1]}.zip") == GONE:
        skill = _locate(archive[2], archive[3], index)
        if isinstance(skill, _Skill):
            return Pick((f"{skill.base}/versions/{archive[4]}",), "Not found")
    route = present_path(path, index) or path
    return Pick((route, _INDEX_OF_NO_PAGE) if path.endswith(_INDEX_OF_A_PAGE) else (route,), "Not found")


def _packages(rest: tuple[str, ...], query: Mapping[str, str], index: SlugIndex) -> Plan:
    """Skills as ClawHub's packages; other families have none here."""
    if not rest or rest == ("search",):
        limit = _limit(query, LIST_LIMIT, PACKAGES_MAX)
        if isinstance(limit, Say):
            return limit
        cursor = query.get("cursor", "")
        if cursor and not _CURSOR.fullmatch(cursor):
            return Say(400, "Invalid cursor")
        if query.get("family", "skill") != "skill" or _yes(query.get("isOfficial", "")):
            limit = 0
        if rest:
            return SearchSkills(query.get("q", ""), limit, packages=True)
        return ListSkills("updated", limit, int(cursor or "0"), packages=True)
    named = _PACKAGE.fullmatch("/".join(rest))
    if named is None:
        return Say(404, PACKAGE_NOT_FOUND)
    skill = _locate(named[1], named[2], index)
    if not isinstance(skill, _Skill):
        return Say(404, PACKAGE_NOT_FOUND)
    inner = "/".join(rest)[named.end(2) :]
    if inner == "/file":
        return _file(skill, query)
    name = package_name(skill.owner, skill.slug, holds_slug=skill.owner == index.holder(skill.slug))
    return Pick((f"{API}/packages/{name}{inner}",), PACKAGE_NOT_FOUND if not inner else VERSION_NOT_FOUND)


def _owner(query: Mapping[str, str]) -> str | None:
    """The owner asked for: ``ownerHandle`` (CLI, OpenClaw) or ``owner`` (older ones), with or without @."""
    return query.get("ownerHandle") or query.get("owner") or None


def _locate(owner: str | None, slug: str, index: SlugIndex) -> _Skill | Plan:
    """The skill a slug means, or the refusal. The server lower-cases both, so this does too."""
    slug = slug.strip().lower()
    owners = index.slugs.get(slug, ()) if _SLUG.fullmatch(slug) else ()
    if owner is None:
        if not owners:
            return _follow(index.moved_slugs.get(slug), index)
        holder = index.holder(slug)
        bare = f"{API}/skills/{slug}"
        return _Skill(holder, slug, bare) if holder else Pick((bare,), SKILL_NOT_FOUND)
    wanted = owner.strip().removeprefix("@").lower()
    if wanted not in owners:
        return _follow(index.moved.get(f"{wanted}/{slug}"), index)
    return _Skill(wanted, slug, index.base(wanted, slug))


def _follow(present: str | None, index: SlugIndex) -> _Skill | Plan:
    """The skill at the present address of a former one."""
    if present is None:
        return Say(404, SKILL_NOT_FOUND)
    owner, _, slug = present.partition("/")
    return _Skill(owner, slug, index.base(owner, slug))


def _version(query: Mapping[str, str]) -> str | Tag | Say | None:
    """The version asked for, None for the latest, or a tag that stands for one."""
    version = query.get("version", "").strip()
    if version:
        return version if _VERSION.fullmatch(version) else Say(404, VERSION_NOT_FOUND)
    tag = query.get("tag", "").strip()
    if tag in ("", "latest"):
        return None
    return Tag(tag) if _TAG.fullmatch(tag) else Say(404, VERSION_NOT_FOUND)


def _about_skill(
    owner: str | None, slug: str, rest: tuple[str, ...], query: Mapping[str, str], index: SlugIndex
) -> Plan:
    skill = _locate(owner, slug, index)
    if not isinstance(skill, _Skill):
        return skill
    match rest:
        case ():
            return Pick((skill.base,), SKILL_NOT_FOUND)
        case (one,) if one in _ONCE:
            return Pick((f"{skill.base}/{one}",), "Not found")
        case (one,) if one in _JUDGED:
            version = _version(query)
            if isinstance(version, Say):
                return version
            if isinstance(version, Tag):
                return PickTagged(skill.base, version, one)
            at = f"{skill.base}/versions/{version}" if version else skill.base
            return Pick((f"{at}/{one}",), VERSION_NOT_FOUND)
        case ("file",):
            return _file(skill, query)
        case ("resolve",):
            return Pick((f"{skill.base}/resolve",), "Not found")
        case ("resolve", fingerprint):
            return _match(skill, fingerprint)
        case ("versions", version) if _VERSION.fullmatch(version):
            return Pick((f"{skill.base}/versions/{version}",), VERSION_NOT_FOUND)
        case ("versions", version, one) if one in _JUDGED and _VERSION.fullmatch(version):
            return Pick((f"{skill.base}/versions/{version}/{one}",), VERSION_NOT_FOUND)
    return Say(404, VERSION_NOT_FOUND if rest[0] == "versions" else "Not found")


def _resolve(query: Mapping[str, str], index: SlugIndex) -> Plan:
    slug = query.get("slug", "")
    if not slug.strip():
        return Say(400, "Missing slug")
    if not _HASH.fullmatch(query.get("hash", "")):
        return Say(400, "Invalid hash")
    skill = _locate(_owner(query), slug, index)
    return _match(skill, query["hash"]) if isinstance(skill, _Skill) else skill


def _match(skill: _Skill, fingerprint: str) -> Plan:
    if not _HASH.fullmatch(fingerprint):
        return Say(400, "Invalid hash")
    known = f"{skill.base}/resolve/{fingerprint.lower()}"
    return Pick((known, f"{skill.base}/resolve"), SKILL_NOT_FOUND)


def _download(query: Mapping[str, str], index: SlugIndex) -> Plan:
    slug = query.get("slug", "")
    if not slug.strip():
        return Say(400, "Missing slug")
    skill = _locate(_owner(query), slug, index)
    if not isinstance(skill, _Skill):
        return skill
    version = _version(query)
    return version if isinstance(version, Say) else Download(skill.owner, skill.slug, skill.base, version)


def _file(skill: _Skill, query: Mapping[str, str]) -> Plan:
    version, path = _version(query), query.get("path", "")
    if not path:
        return Say(400, "Missing path")
    if isinstance(version, Say):
        return version
    return ReadFile(skill.owner, skill.slug, skill.base, version, path)


def _limit(query: Mapping[str, str], usual: int, most: int) -> int | Say:
    """A limit, brought into its range; only what is no number is refused."""
    text = query.get("limit", "").strip()
    if not text:
        return usual
    if not _NUMBER.fullmatch(text):
        return Say(400, "Invalid limit")
    return max(1, min(int(text), most))


def _yes(text: str) -> bool:
    return text.lower() in ("1", "true", "yes")


def _list(query: Mapping[str, str]) -> Plan:
    order = SORTS.get(query.get("sort", "").strip().lower())
    limit = _limit(query, LIST_LIMIT, LIST_LIMIT_MAX)
    cursor = query.get("cursor", "")
    if order is None:
        return Say(400, "Invalid sort")
    if isinstance(limit, Say):
        return limit
    if cursor and not _CURSOR.fullmatch(cursor):
        return Say(400, "Invalid cursor")
    return ListSkills(
        order=order,
        limit=limit,
        offset=int(cursor or "0"),
        prefix=query.get("prefix", "").strip(),
        owner=(_owner(query) or "").removeprefix("@").lower(),
        clean_only=_yes(query.get("nonSuspiciousOnly", "")),
    )


def _search(query: Mapping[str, str]) -> Plan:
    mode = query.get("mode", "")
    if mode not in ("", "exact"):
        return Say(400, "Invalid mode")
    limit = _limit(query, LIST_LIMIT, LIST_LIMIT_MAX)
    if isinstance(limit, Say):
        return limit
    return SearchSkills(
        question=query.get("q", ""),
        limit=limit,
        exact=mode == "exact",
        owner=(_owner(query) or "").removeprefix("@").lower(),
        clean_only=_yes(query.get("nonSuspiciousOnly", "")),
    )


def _trending(query: Mapping[str, str]) -> Plan:
    if query.get("kind", "").strip() not in ("", "skills"):
        return Say(400, "Unsupported trending kind")
    limit = _limit(query, TRENDING_LIMIT, TRENDING_LIMIT_MAX)
    return limit if isinstance(limit, Say) else ShowTrending(limit)


def _verdicts(body: bytes, index: SlugIndex) -> Plan:
    targets = parse_verdicts(body)
    if isinstance(targets, Say):
        return targets
    routes: list[str | None] = []
    for target in targets:
        skill = _locate(target.owner, target.slug, index)
        found = isinstance(skill, _Skill) and _VERSION.fullmatch(target.version)
        base = skill.base if isinstance(skill, _Skill) else ""
        routes.append(f"{base}/versions/{target.version}/security-verdict" if found else None)
    return Verdicts(targets, tuple(routes))
