"""Hubs that have every kind of route a router may meet, in both layouts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from generator.jsondata import dump_bytes
from generator.model import Route
from generator.write.layout import Layout, Naming, file_for, pack_file
from tests.golden.samples import Sample, samples, write_hub
from tests.hubs import DAY, EPOCH, run_build, write_tree

_JSON = "application/json"
_MARKDOWN = "text/markdown; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Pair:
    """One hub, packed and exploded."""

    packed: Path
    exploded: Path


def protocol_answers(one: Sample) -> tuple[Route, ...]:
    """Answers of a skill under the addresses of every protocol; what they hold does not matter to a router."""
    owner, slug = one.skill.listing.owner, one.skill.listing.slug
    paths = [
        f"/{owner}/skills/{slug}/.well-known/agent-skills/index.json",
        f"/npm/@{owner}/{slug}",
        f"/v1/packages/{owner}/{slug}/versions",
        f"/bundles/{owner}/{slug}.json",
    ]
    if one.skill.listing.holds_slug:
        paths += [f"/bundles/{slug}.json", f"/agentskills/{slug}/index.json"]
    page = Route(f"/{owner}/skills/{slug}/index.md", f"# {slug} 演示\n".encode(), _MARKDOWN)
    return (*(Route(path, dump_bytes({"at": path}), _JSON) for path in paths), page)


def hub_files() -> tuple[Route, ...]:
    """Documents of the protocols that belong to no single skill."""
    documents = (
        "/.well-known/agent-skills/index.json",
        "/.well-known/agent-skills/missing.json",
        "/acme/.well-known/agent-skills/index.json",
        "/collections/office/.well-known/agent-skills/index.json",
        "/.well-known/skills/index.json",
        "/agentskills/index.json",
        "/api/v1/skill/list",
        "/claude/marketplace.json",
        "/npm/@hub/office",
        "/schemas/check.v1.json",
    )
    return (
        *(Route(path, dump_bytes({"at": path}), _JSON) for path in documents),
        Route("/llms.txt", "# 演示\n".encode(), _TEXT),
        Route("/sitemap.xml", b"<urlset/>", "application/xml; charset=utf-8"),
        Route("/browse/index.md", b"# Browse\n", _MARKDOWN),
        Route("/acme/skills/demo/diff/1.0.0...1.1.0/", b"<p>diff</p>", "text/html; charset=utf-8"),
        Route("/dl/acme/demo-1.0.0.skill", b"PK a folder", "application/zip"),
        Route("/dl/acme/demo-1.0.0.tgz", b"\x1f\x8b a tarball", "application/gzip"),
    )


def write_wide_hub(root: Path, layout: Layout) -> None:
    """The sample hub with all protocols, and a skill that was renamed."""
    write_hub(root, layout)
    naming = Naming.INDEX_HTML
    for one in samples():
        answers = protocol_answers(one)
        if layout is Layout.EXPLODED:
            for route in answers:
                _write(root / file_for(route.path, naming), route.body)
            continue
        pack = root / pack_file(one.skill.listing.owner, one.skill.listing.slug)
        document = json.loads(pack.read_bytes())
        for route in answers:
            facts = {"type": route.media_type, "cache": str(route.cache), "status": route.status}
            document["answers"][route.path] = {**facts, "body": route.body.decode()}
        pack.write_bytes(dump_bytes(document))
    for route in hub_files():
        _write(root / file_for(route.path, naming), route.body)
    router = json.loads((root / "router.json").read_bytes())
    router["moved"] = {"acme/old": "acme/demo", "beta/gone": "acme/demo"}
    router["movedSlugs"] = {"old": "acme/demo"}
    (root / "router.json").write_bytes(dump_bytes(router))


OVERLAY = """\
yank:
  acme/half-yanked@1.1.0: Deletes its input.
  acme/all-yanked@1.0.0: Never worked.
  acme/all-yanked@1.1.0: Never worked.
quarantine:
  acme/one-held@1.1.0: Being looked into.
  acme/all-held: Sends the environment to a server.
rename:
  acme/old-name: acme/new-name
deprecate:
  acme/old-ways:
    successor: acme/half-yanked
    reason: Merged.
tags:
  acme/old-ways: {beta: 1.0.0}
slugs:
  shared: beta
"""
_NAMES = ("half-yanked", "all-yanked", "one-held", "all-held", "old-name", "old-ways", "shared", "both")


def build_ruled_hub(folder: Path, layout: Layout) -> Path:
    """A hub made by the real command, with decisions of an operator and slugs that two owners have."""
    options = ["--out", "public", "--url", "https://hub.example/skills", "--layout", layout.value]
    sources = "sources:\n  - {path: acme, owner: acme}\n  - {path: beta, owner: beta}\n"
    write_tree(folder, {"hub.yml": f"name: Ruled hub\n{sources}"})
    for number, version in enumerate(("1.0.0", "1.1.0")):
        for owner, names in (("acme", _NAMES), ("beta", ("shared", "both"))):
            for name in names:
                front = f"---\nname: {name}\ndescription: A skill named {name}.\nversion: {version}\n---\n"
                text = {"SKILL.md": f"{front}\nEdition {version} of {owner}.\n", "a/Data.json": "{}"}
                write_tree(folder / owner / name, text)
        if number == 1:
            write_tree(folder / "overlay", {"decisions.yml": OVERLAY})
        moment = {"SOURCE_DATE_EPOCH": str(EPOCH + number * DAY)}
        run_build(options, folder=folder, environment=moment).check()
    return folder / "public"


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
