"""The facts of a hub, read from what a build left on disk."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

from generator.hosting.facts import HubFacts, SkillFact
from generator.model import RouteStatus
from generator.write.layout import Layout, Naming


def read_facts(tree: Path, url: str) -> HubFacts:
    """What :func:`generator.hosting.facts.hub_facts` gives for the same hub."""
    router = json.loads((tree / "router.json").read_bytes())
    layout, naming = Layout(router["layout"]), Naming(router["naming"])
    rows = json.loads((tree / "api/v1/skills" / naming.value).read_bytes())["items"]
    latest = {(row["ownerHandle"], row["slug"]): row for row in rows}
    skills = []
    for slug, owners in router["slugs"].items():
        shared = router["statuses"].get(f"/api/v1/skills/{slug}") == 409
        for place, owner in enumerate(owners):
            row = latest.get((owner, slug), {})
            offered = (row.get("latestVersion") or {}).get("version")
            tags = tuple((name, version) for name, version in row.get("tags", {}).items() if name != "latest")
            skills.append(SkillFact(owner, slug, place == 0 and not shared, offered, tags))
    held = {one.slug for one in skills if one.holds_slug}
    parts = urlsplit(url)
    return HubFacts(
        name="Conformance",
        host=parts.hostname or "",
        base=parts.path.rstrip("/"),
        layout=layout,
        naming=naming,
        skills=tuple(skills),
        shared=tuple(sorted({one.slug for one in skills} - held)),
        moved=tuple(router.get("moved", {}).items()),
        moved_slugs=tuple(router.get("movedSlugs", {}).items()),
        statuses=tuple(RouteStatus(path, status) for path, status in sorted(router["statuses"].items())),
    )
