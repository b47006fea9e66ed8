"""From a plan to an answer, out of the tree: picking, lists, search, files and verdicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, assert_never

from generator.jsondata import dump_bytes, load_json
from generator.model import Cache, Listing
from generator.search.entries import expand
from generator.search.index import INDEX_ROUTE, SearchIndexError, read_index
from generator.search.lists import ListOptions, list_skills
from generator.search.ranking import Options, search
from generator.search.vocabulary import SearchIndex
from generator.serve.media import JSON, TEXT, inert_type
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
    VerdictTarget,
)
from generator.serve.router import API, GONE, VERSION_NOT_FOUND
from generator.serve.tree import Answer, FileSlice, Stamp, Tree
from generator.write.protocols.clawhub_packages import package_item

FILE_MAX = 10 * 1024 * 1024
"""Bytes of a file that ``/file`` gives out; ClawHub's limit."""
_NO_INDEX = "The search index of this hub cannot be read. Its operator can mend that: skillpress build."
_BLOCKED = "Blocked: the security scan of this hub found this version malicious, so it is not served."


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with the headers only this one has."""

    answer: Answer
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Answerer:
    """Carries out plans on one tree, and keeps the search index until a build changes it."""

    tree: Tree
    _search: tuple[Stamp | None, SearchIndex] | None = None

    def answer(self, plan: Plan) -> Reply:
        """The answer of a plan."""
        match plan:
            case Pick():
                return self._pick(plan)
            case PickTagged():
                version = self._tagged(plan.base, plan.tag)
                routes = (f"{plan.base}/versions/{version}/{plan.document}",) if version else ()
                return self._pick(Pick(routes, VERSION_NOT_FOUND))
            case Redirect():
                raise AssertionError("a redirect is the application's")
            case Say():
                return say(plan.status, plan.text, {"Allow": plan.allow} if plan.allow else None)
            case Download():
                return self._download(plan)
            case ReadFile():
                return self._file(plan)
            case ListSkills():
                return self._list(plan)
            case SearchSkills():
                return self._find(plan)
            case ShowTrending():
                return self._trending(plan)
            case Verdicts():
                return self._verdicts(plan)
        assert_never(plan)

    def _pick(self, plan: Pick) -> Reply:
        for route in plan.routes:
            answer = self.tree.read(route)
            if answer is not None:
                return Reply(answer)
        return say(404, plan.missing)

    def _document(self, route: str) -> Any:
        answer = self.tree.read(route)
        return None if answer is None else load_json(answer.data())

    def _tagged(self, base: str, tag: Tag) -> str | None:
        """The version that a tag stands for."""
        detail = self._document(base) or {}
        version = detail.get("distTags", {}).get(tag.name)
        return version if isinstance(version, str) else None

    def _version(self, base: str, version: str | Tag | None) -> dict[str, Any] | Reply | None:
        """The version's document, the latest where none was asked for; or the refusal of one withdrawn."""
        if version is None:
            resolved = self._document(f"{base}/resolve")
            if resolved is None:
                return None
            if resolved["latestVersion"] is None:
                install = self._document(f"{base}/install")
                return say(install["status"], install["message"]) if install and not install["ok"] else None
            version = resolved["latestVersion"]["version"]
        elif isinstance(version, Tag):
            version = self._tagged(base, version)
            if version is None:
                return None
        answer = self.tree.read(f"{base}/versions/{version}")
        if answer is None or answer.status == GONE:
            return Reply(answer) if answer is not None else None
        document: dict[str, Any] = load_json(answer.data())["version"]
        return document

    def _archive(self, plan: Download | ReadFile) -> tuple[dict[str, Any], Answer] | Reply:
        release = self._version(plan.base, plan.version)
        if release is None or isinstance(release, Reply):
            return release or say(404, VERSION_NOT_FOUND)
        if release["security"]["status"] == "malicious":
            return say(403, _BLOCKED)
        answer = self.tree.read(f"/dl/{plan.owner}/{plan.slug}-{release['version']}.zip")
        return say(404, VERSION_NOT_FOUND) if answer is None else (release, answer)

    def _download(self, plan: Download) -> Reply:
        found = self._archive(plan)
        if isinstance(found, Reply):
            return found
        release, archive = found
        name = f"{plan.slug}-{release['version']}.zip"
        answer = Answer(200, archive.body, archive.media_type, Cache.REVALIDATE, archive.etag)
        return Reply(answer, {"Content-Disposition": f'attachment; filename="{name}"'})

    def _file(self, plan: ReadFile) -> Reply:
        found = self._archive(plan)
        if isinstance(found, Reply):
            return found
        release, archive = found
        files = release["files"]
        entry = next((f for f in files if f["path"] == plan.path), None)
        if entry is None and not plan.exact:
            entry = next((f for f in files if f["path"].casefold() == plan.path.casefold()), None)
        if entry is None:
            return say(404, "File not found")
        if entry["size"] > FILE_MAX:
            return say(413, "File exceeds 10 MB")
        assert isinstance(archive.body, FileSlice)
        body = FileSlice(archive.body.path, entry["offset"], entry["size"]).read()
        if sha256(body).hexdigest() != entry["sha256"]:
            return say(500, "The archive on this server does not hold the file its index names")
        answer = Answer(200, body, inert_type(entry["contentType"]), Cache.REVALIDATE, f'"{entry["sha256"]}"')
        return Reply(
            answer,
            {
                "Content-Disposition": "attachment",
                "Content-Security-Policy": "default-src 'none'; sandbox",
                "X-Content-SHA256": entry["sha256"],
                "X-Content-Size": str(entry["size"]),
            },
        )

    def _index(self) -> SearchIndex | None:
        """The search index as of the last build, None where it cannot be read."""
        stamp = self.tree.stamp(INDEX_ROUTE)
        if self._search is None or stamp != self._search[0]:
            try:
                index = SearchIndex.of(read_index(self._data))
            except SearchIndexError:
                return None
            self._search = (stamp, index)
        return self._search[1]

    def _data(self, route: str) -> bytes | None:
        answer = self.tree.read(route)
        return None if answer is None else answer.data()

    def _list(self, plan: ListSkills) -> Reply:
        index = self._index()
        if index is None:
            return say(500, _NO_INDEX)
        if not plan.limit:
            return _json({"items": [], "nextCursor": None})
        page = list_skills(
            index,
            ListOptions(
                order=plan.order, limit=plan.limit, offset=plan.offset, prefix=plan.prefix, owner=plan.owner,
                clean_only=plan.clean_only,
            ),
        )  # fmt: skip
        cursor = None if page.following is None else str(page.following)
        rows = [self._row(index, entry, packages=plan.packages) for entry in page.entries]
        return _json({"items": rows, "nextCursor": cursor})

    def _row(self, index: SearchIndex, entry: Listing, *, packages: bool) -> Any:
        row = expand(entry, index.data.hub)
        return package_item(row, holds_slug=entry.holds_slug) if packages else row

    def _find(self, plan: SearchSkills) -> Reply:
        index = self._index()
        if index is None:
            return say(500, _NO_INDEX)
        options = Options(limit=plan.limit, exact=plan.exact, owner=plan.owner, clean_only=plan.clean_only)
        found = search(index, plan.question, options) if plan.limit else []
        results = [
            {"score": one.score, "package": self._row(index, one.entry, packages=True)}
            if plan.packages
            else {**self._row(index, one.entry, packages=False), "score": one.score}
            for one in found
        ]
        return _json({"results": results})

    def _trending(self, plan: ShowTrending) -> Reply:
        document = self._document(f"{API}/trending")
        if document is None:
            return say(404, "Not found")
        return _json({**document, "items": document["items"][: plan.limit]})

    def _verdicts(self, plan: Verdicts) -> Reply:
        items = [
            self._verdict(target, route) for target, route in zip(plan.targets, plan.routes, strict=True)
        ]
        return _json({"schema": "clawhub.skill.security-verdicts.v1", "items": items})

    def _verdict(self, target: VerdictTarget, route: str | None) -> dict[str, Any]:
        asked = {"requestedSlug": target.slug, "requestedVersion": target.version}
        if target.owner is not None:
            asked["requestedOwnerHandle"] = target.owner
        item = self._document(route) if route else None
        if item is not None:
            if self.tree.index.is_former(target.owner, target.slug):
                # A client that knows the former address compares what it gets with what it asked for.
                item = {
                    **item,
                    "slug": target.slug,
                    "publisherHandle": target.owner or item["publisherHandle"],
                }
            return {**asked, **item}
        owners = self.tree.index.slugs.get(target.slug, ())
        if target.owner is None and len(owners) > 1 and self.tree.index.holder(target.slug) is None:
            names = ", ".join(f"@{owner}/{target.slug}" for owner in owners)
            error = {"code": "AMBIGUOUS_SKILL_SLUG", "message": f"{target.slug} is on this hub as {names}"}
            return {**asked, "ok": False, "decision": "fail", "reasons": ["skill.ambiguous"], "error": error}
        error = {"code": "version.not_found", "message": f"{target.slug} {target.version} is not on this hub"}
        return {**asked, "ok": False, "decision": "fail", "reasons": ["version.not_found"], "error": error}


def say(status: int, text: str, headers: dict[str, str] | None = None) -> Reply:
    """A plain text answer."""
    body = text.encode()
    answer = Answer(status, body, TEXT, Cache.REVALIDATE, "")
    return Reply(answer, headers or {})


def _json(document: object) -> Reply:
    body = dump_bytes(document)
    return Reply(Answer(200, body, JSON, Cache.REVALIDATE, f'"{sha256(body).hexdigest()[:32]}"'))
