"""A build for a host: its files lie where they belong, the operator's own are kept, and its limits are told."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from generator.build.summary import Summary
from generator.errors import ConfigError
from generator.hosting.profiles import HOSTINGS, find_hosting
from generator.write.publish import WORK_FOLDER
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text
from tests.hubs import run_build

DAY_MS = 86_400_000
_MIB = 2**20
_EDGE = "edge/serve/router.js"
WRITTEN: Mapping[str, tuple[set[str], set[str]]] = {
    "plain": (set(), set()),
    "nginx": (set(), {"nginx/hub.conf", "Containerfile.nginx", ".containerignore"}),
    "caddy": (set(), {"caddy/Caddyfile"}),
    "github-pages": ({".nojekyll", "404.html"}, set()),
    "gitlab-pages": ({"404.html"}, set()),
    "cloudflare": ({".assetsignore"}, {"wrangler.jsonc", "edge/hosting/edges/cloudflare_worker.js", _EDGE}),
    "netlify": ({"_headers", "_redirects", "skill-not-found.txt"},
                {"netlify.toml", "netlify/edge-functions/hub.js", "edge/hosting/edges/netlify_edge.js", _EDGE}),
    "vercel": (set(), {"vercel.json", ".vercelignore", "middleware.js", "edge/hosting/edges/vercel_edge.js", _EDGE}),
    "s3": ({"404.html"}, {"upload-s3.sh"}),
    "container": (set(), {"Containerfile", ".containerignore"}),
}  # fmt: skip
"""Files of the published folder that a host needs, and some of those beside it."""
TREE_FILES = set().union(*(tree for tree, _ in WRITTEN.values())) - {"404.html"}
"""Names that only a hosting writes."""


def _hub(root: Path, hosting: str | None) -> LittleHub:
    root.mkdir(parents=True, exist_ok=True)
    (root / "hub.yml").write_text((f"hosting: {hosting}\n" if hosting else "") + "sources: [skills]\n")
    host = find_hosting(hosting) if hosting else None
    layout, naming = (host.layout.value, host.naming.value) if host else ("exploded", "index.html")
    return LittleHub(root, paths=(), layout=layout, naming=naming)


def _beside(hub: LittleHub) -> dict[str, str]:
    """Every file beside the published folder that a build wrote."""
    return {
        path.relative_to(hub.root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(hub.root.rglob("*"))
        if path.is_file()
        and not path.is_relative_to(hub.out)
        and path.relative_to(hub.root).parts[0] not in ("skills", "hub.yml")
    }


def _codes(summary: Summary) -> list[str]:
    return [one.code for one in summary.source_findings if one.code.startswith("hosting-")]


@pytest.mark.parametrize("hosting", HOSTINGS)
def test_each_host_gets_its_files_and_no_other(hosting: str, tmp_path: Path) -> None:
    hub = _hub(tmp_path, hosting)
    hub.put("skills/alpha", skill_text("alpha"))
    summary = hub.build()
    tree, beside = WRITTEN[hosting]
    assert (TREE_FILES | {"404.html"}) & set(hub.files()) >= tree
    assert TREE_FILES & set(hub.files()) == tree - {"404.html"}
    assert ((hub.out / "404.html").read_bytes() == b"Skill not found") is ("404.html" in tree)
    assert beside <= set(_beside(hub))
    assert bool(beside) is bool(_beside(hub))
    host = find_hosting(hosting)
    assert json.loads((hub.out / "hub.json").read_bytes())["hosting"] == host.title
    assert (hub.out / "packs").exists() is (host.layout.value == "packed")
    assert _codes(summary) == []


@pytest.mark.parametrize("hosting", HOSTINGS)
def test_an_unchanged_build_writes_nothing_and_two_hubs_are_alike(hosting: str, tmp_path: Path) -> None:
    hubs = [_hub(tmp_path / name, hosting) for name in ("one", "two")]
    for hub in hubs:
        hub.put("skills/alpha", skill_text("alpha"))
        hub.build()
    assert hubs[0].files() == hubs[1].files()
    assert _beside(hubs[0]) == _beside(hubs[1])
    before = {path: os.stat(hubs[0].root / path).st_mtime_ns for path in _beside(hubs[0])}
    stamps = hubs[0].stamps()
    again = hubs[0].build(FIRST_TIME + DAY_MS)
    assert again.files_written == 0
    assert {path: os.stat(hubs[0].root / path).st_mtime_ns for path in _beside(hubs[0])} == before
    assert hubs[0].stamps() == stamps


def test_nothing_of_a_host_stays_in_the_tree_after_a_switch_to_another(tmp_path: Path) -> None:
    names = ["netlify", "github-pages", "cloudflare", "s3", "nginx", "gitlab-pages", None]
    for number, name in enumerate(names):
        hub = _hub(tmp_path / "switched", name)
        hub.put("skills/alpha", skill_text("alpha"))
        hub.build(FIRST_TIME + number * DAY_MS)
        fresh = _hub(tmp_path / f"fresh-{number}", name)
        fresh.put("skills/alpha", skill_text("alpha"))
        fresh.build(FIRST_TIME)
        told = ("hub.json", "changes/")
        left = {path for path in hub.files() if not path.startswith(told)}
        assert left == {path for path in fresh.files() if not path.startswith(told)}, name


def test_a_file_that_the_operator_changed_stays_theirs(tmp_path: Path) -> None:
    hub = _hub(tmp_path, "netlify")
    hub.put("skills/alpha", skill_text("alpha"))
    hub.build()
    mine = tmp_path / "netlify.toml"
    ours = mine.read_bytes()
    mine.write_bytes(b"# mine\n")
    hub.put("skills/beta", skill_text("beta"))
    summary = hub.build(FIRST_TIME + DAY_MS)
    assert mine.read_bytes() == b"# mine\n"
    kept = [one for one in summary.source_findings if one.code == "hosting-file-kept"]
    assert [one.path for one in kept] == ["netlify.toml"]
    assert (hub.out / WORK_FOLDER / "hosting/netlify.toml").read_bytes() == ours
    # As it was again, it is ours again: another build may change it.
    mine.write_bytes(ours)
    hub.put("skills/gamma", skill_text("gamma"))
    assert _codes(hub.build(FIRST_TIME + 2 * DAY_MS)) == []
    assert mine.read_bytes() == ours


@pytest.mark.parametrize("kind", ["file", "folder", "link", "dangling"])
def test_what_was_there_before_the_first_build_is_left_alone(kind: str, tmp_path: Path) -> None:
    hub = _hub(tmp_path, "vercel")
    hub.put("skills/alpha", skill_text("alpha"))
    there, elsewhere = tmp_path / "vercel.json", tmp_path / "skills" / "elsewhere.json"
    elsewhere.write_bytes(b"{}")
    match kind:
        case "file":
            there.write_bytes(b"{}")
        case "folder":
            there.mkdir()
        case "link":
            there.symlink_to(elsewhere)
        case "dangling":
            there.symlink_to(tmp_path / "skills" / "nothing.json")
    assert _codes(hub.build()) == ["hosting-file-kept"]
    assert elsewhere.read_bytes() == b"{}"
    assert not (tmp_path / "skills" / "nothing.json").exists()
    assert there.is_symlink() is (kind in ("link", "dangling"))
    assert (hub.out / WORK_FOLDER / "hosting/vercel.json").is_file()


def test_a_file_that_was_removed_comes_back_with_the_next_change(tmp_path: Path) -> None:
    hub = _hub(tmp_path, "vercel")
    hub.put("skills/alpha", skill_text("alpha"))
    hub.build()
    before = _beside(hub)
    (tmp_path / "vercel.json").unlink()
    hub.put("skills/beta", skill_text("beta"))
    assert _codes(hub.build(FIRST_TIME + DAY_MS)) == []
    assert _beside(hub) == before


def test_a_limit_that_is_passed_is_told_each_time_and_ends_with_1(tmp_path: Path) -> None:
    """Files of 25 MiB and more Cloudflare does not take: every build says so, also one that changes nothing."""
    (tmp_path / "hub.yml").write_text(
        "hosting: cloudflare\nsources: [skills]\n"
        f"policy: {{max_file_bytes: {30 * _MIB}, max_package_bytes: {40 * _MIB}}}\n"
    )
    folder = tmp_path / "skills" / "large"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(skill_text("large"))
    with (folder / "data.bin").open("wb") as file:
        file.truncate(26 * _MIB)
    first = run_build(["--url", "https://hub.example"], folder=tmp_path)
    again = run_build(["--url", "https://hub.example"], folder=tmp_path)
    for done in (first, again):
        assert done.code == 1, done.stderr
        assert "hosting-limit-passed" in done.stdout
        assert "dl/local/large-1.0.0.zip" in done.stdout
    assert again.summary["counts"]["filesWritten"] == 0
    on_disk = run_build(["--hosting", "plain"], folder=tmp_path)
    assert on_disk.code == 0
    assert "hosting-limit" not in on_disk.stdout


@pytest.mark.parametrize(
    ("option", "words"),
    [(("--layout", "packed"), "needs exploded"), (("--naming", "index.html"), "needs index.json")],
)
def test_a_layout_that_does_not_fit_is_refused(option: tuple[str, str], words: str, tmp_path: Path) -> None:
    hub = _hub(tmp_path, "nginx")
    hub.put("skills/alpha", skill_text("alpha"))
    done = run_build(option, folder=tmp_path)
    assert done.code != 0
    assert words in done.stderr
    assert not hub.out.exists()


def test_an_unknown_hosting_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hub.yml").write_text("hosting: nginxx\nsources: [skills]\n")
    (tmp_path / "skills").mkdir()
    with pytest.raises(ConfigError, match=r"hub.yml, line 1, .*nginx"):
        LittleHub(tmp_path, paths=()).build()
