"""Facts, limits and configurations of hosts, without a server."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pytest
import yaml

from generator.errors import ConfigError
from generator.hosting.configure import ConfigFile, ServerSettings, Where, configure
from generator.hosting.facts import HubFacts, SkillFact, hub_facts
from generator.hosting.headers import RULES
from generator.hosting.limits import check_limits
from generator.hosting.netlify import redirect_rules
from generator.hosting.objects import object_key
from generator.hosting.profiles import CLOUDFLARE, GITHUB_PAGES, HOSTINGS, PLAIN, Hosting, find_hosting
from generator.hosting.programs import CLOUDFLARE as WORKER
from generator.hosting.programs import FOLDER, NETLIFY, VERCEL, program_files
from generator.model import (
    Catalog,
    Hub,
    Listing,
    Owner,
    RouteStatus,
    ScanVerdict,
    Severity,
    Slug,
    Stance,
    TimeMs,
    Version,
    VersionTag,
)
from generator.write.layout import Layout, Naming
from generator.write.root import Moves
from tests.conformance.objects_server import stored, upload

FACTS = HubFacts(
    name="The hub",
    host="hub.example",
    base="/skills",
    layout=Layout.EXPLODED,
    naming=Naming.INDEX_HTML,
    skills=(
        SkillFact("acme", "alpha", True, "1.1.0", (("beta", "2.0.0-b.1"),)),
        SkillFact("acme", "shared", False, "1.0.0"),
        SkillFact("bolt", "gone", True, None),
        SkillFact("bolt", "shared", False, "3.0.0"),
    ),
    shared=("shared",),
    moved=(("old/alpha", "acme/alpha"),),
    moved_slugs=(("aleph", "acme/alpha"),),
    statuses=(RouteStatus("/api/v1/skills/gone/install", 410), RouteStatus("/api/v1/skills/shared", 409)),
)


@pytest.mark.parametrize("hosting", HOSTINGS.values(), ids=HOSTINGS)
def test_every_fact_has_a_source(hosting: Hosting) -> None:
    assert hosting.sources
    known = {field.name for field in fields(Hosting)} | {"everything"}
    assert set(hosting.sources) <= known
    for name in ("max_files", "max_file", "max_total"):
        if getattr(hosting, name) is not None:
            assert name in hosting.sources


def test_an_unknown_hosting_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="cloudflare"):
        find_hosting("geocities")


@pytest.mark.parametrize(
    ("hosting", "layout", "files", "wanted"),
    [
        (PLAIN, Layout.PACKED, [("a", 10**12)], []),
        (CLOUDFLARE, Layout.PACKED, [("a", 1)] * 16_000, []),
        (CLOUDFLARE, Layout.PACKED, [("a", 1)] * 16_001, [(Severity.WARNING, "near")]),
        (CLOUDFLARE, Layout.PACKED, [("a", 1)] * 20_001, [(Severity.WARNING, "free plan")]),
        (CLOUDFLARE, Layout.EXPLODED, [("a", 1)] * 100_001, [(Severity.ERROR, "100,001 files")]),
        (CLOUDFLARE, Layout.PACKED, [("dl/a/b.zip", 25 * 2**20)], []),
        (CLOUDFLARE, Layout.PACKED, [("dl/a/b.zip", 25 * 2**20 + 1)], [(Severity.ERROR, "dl/a/b.zip")]),
        (CLOUDFLARE, Layout.PACKED, [(f"{n}", 2**30) for n in range(7)], [(Severity.ERROR, "")] * 6),
        (GITHUB_PAGES, Layout.EXPLODED, [("a", 90 * 2**20)] * 12, [(Severity.ERROR, "bytes are more")]),
        (GITHUB_PAGES, Layout.EXPLODED, [("a", 90 * 2**20)] * 10, [(Severity.WARNING, "near")]),
    ],
)
def test_limits(
    hosting: Hosting, layout: Layout, files: list[tuple[str, int]], wanted: list[tuple[Severity, str]]
) -> None:
    found = check_limits(files, hosting, layout)
    assert [one.severity for one in found] == [severity for severity, _ in wanted]
    for one, (_, words) in zip(found, wanted, strict=True):
        assert words in one.message
        assert one.fix[0].isupper()
    if hosting is CLOUDFLARE and layout is Layout.EXPLODED:
        assert "--layout packed" in found[0].fix


@pytest.mark.parametrize("name", HOSTINGS)
def test_a_configuration_is_the_same_every_time_and_names_no_machine(name: str) -> None:
    made = configure(HOSTINGS[name], FACTS)
    assert made == configure(HOSTINGS[name], FACTS)
    paths = [(file.where, file.path) for file in made]
    assert len(paths) == len(set(paths))
    for file in made:
        assert not file.path.startswith(("/", ".."))
        if not file.path.startswith(f"{FOLDER}/"):
            assert str(Path(__file__).parents[2]).encode() not in file.data


def _file(name: str, path: str, facts: HubFacts = FACTS) -> ConfigFile:
    return next(file for file in configure(HOSTINGS[name], facts) if file.path == path)


def test_nothing_that_says_things_about_the_machine_goes_into_the_tree() -> None:
    in_tree = {
        file.path
        for name in HOSTINGS
        for file in configure(HOSTINGS[name], FACTS)
        if file.where is Where.TREE
    }
    assert in_tree == {
        ".nojekyll",
        "404.html",
        "_headers",
        "_redirects",
        "skill-not-found.txt",
        ".assetsignore",
    }


def test_nginx_uses_no_argument_that_a_map_has_not_proven() -> None:
    """``try_files /dl/$arg_slug/$arg_version.zip`` read files outside the root (contract/clawhub.md 7)."""
    text = _file("nginx", "nginx/hub.conf").data.decode()
    server = text[text.index("server {") :]
    assert "$arg_" not in server
    for line in text[: text.index("server {")].splitlines():
        if "$arg_" in line:
            assert line.startswith("map $arg_"), line
            # A value is passed on only where an expression matched it, or to a map that has one.
            assert '"~^' in line or "$sp_handle" in line, line


def test_caddy_uses_no_argument_that_a_map_has_not_proven() -> None:
    text = _file("caddy", "caddy/Caddyfile").data.decode()
    for line in text.splitlines():
        if "{query." in line:
            assert line.strip().startswith("map * {query.") or "{query.owner" in line, line


def test_the_worker_sees_every_request_and_the_notes_of_the_build_stay_at_home() -> None:
    text = _file("cloudflare", "wrangler.jsonc").data.decode()
    settings = json.loads("\n".join(line for line in text.splitlines() if not line.startswith("//")))
    assert settings["assets"]["run_worker_first"] is True
    assert settings["main"] in {file.path for file in configure(HOSTINGS["cloudflare"], FACTS)}
    assert _file("cloudflare", ".assetsignore").data == b".skillpress\n"
    for name, wanted in (("The hub", "the-hub"), ("技能", "hub"), ('"; x', "x")):
        text = _file("cloudflare", "wrangler.jsonc", replace(FACTS, name=name)).data.decode()
        assert f'"name": "{wanted}"' in text


def test_netlify_and_vercel_files_parse() -> None:
    toml = tomllib.loads(_file("netlify", "netlify.toml").data.decode())
    assert toml["build"]["publish"] == "public"
    assert toml["build"]["command"] == "rm -rf public/.skillpress"
    assert _file("vercel", ".vercelignore").data == b"public/.skillpress\n"
    vercel = json.loads(_file("vercel", "vercel.json").data)
    assert vercel["outputDirectory"] == "public"
    assert {rule["source"] for rule in vercel["headers"]} == {f"/skills{rule.prefix}(.*)" for rule in RULES}


def test_no_address_gets_a_header_twice() -> None:
    """Netlify and Cloudflare join the values of two rules with a comma."""
    for rule in RULES:
        for other in RULES:
            if rule is not other and rule.prefix.startswith(other.prefix):
                assert not {name for name, _ in rule.headers} & {name for name, _ in other.headers}


def test_netlify_rules_are_few_and_in_order() -> None:
    rules = list(redirect_rules(FACTS))
    assert rules[-1].startswith("/skills/api/* ")
    generic = next(
        at for at, rule in enumerate(rules) if "slug=:slug ownerHandle=:owner version=:version" in rule
    )
    own = next(at for at, rule in enumerate(rules) if "slug=alpha version=:version" in rule)
    assert generic < own
    many = replace(FACTS, skills=tuple(SkillFact("acme", f"s{n}", True, "1.0.0") for n in range(1000)))
    assert len(list(redirect_rules(many))) < 4100
    assert not [rule for rule in rules if "slug=gone tag=" in rule], "nothing is offered of it"


@pytest.mark.parametrize("entry", [WORKER, NETLIFY, VERCEL])
def test_a_program_is_whole(entry: str, tmp_path: Path) -> None:
    """Every module it imports is there: Node loads it from a folder that holds nothing else."""
    for path, data in program_files(entry).items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    (tmp_path / "package.json").write_text('{"type":"module"}')
    script = f'const m = await import("./{FOLDER}/{entry}"); console.log(typeof m.default);'
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in ("function", "object")


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("api/v1/skills/index.html", "api/v1/skills"),
        ("api/v1/skills/alpha/versions/1.0.0/index.html", "api/v1/skills/alpha/versions/1.0.0"),
        ("api/v1/openapi.json", "api/v1/openapi.json"),
        ("api/index.html", "api/index.html"),
        ("acme/skills/alpha/index.html", "acme/skills/alpha/index.html"),
        ("v1/packages/acme/alpha/versions/index.html", "v1/packages/acme/alpha/versions"),
        ("npm/@acme/alpha", "npm/@acme/alpha"),
    ],
)
def test_object_keys(path: str, key: str) -> None:
    assert object_key(path, "index.html") == key


def test_the_upload_script_puts_every_file_where_its_key_says(tmp_path: Path) -> None:
    tree, store = tmp_path / "public", tmp_path / "store"
    paths = (
        "index.html", "hub.json", "404.html", "api/index.html", "api/v1/openapi.json", "api/v1/skills/index.html",
        "api/v1/skills/a b/card/index.html", "dl/acme/a-2-1.0.0-rc.1.zip", "dl/acme/alpha-1.0.0.skill",
        "dl/acme/alpha-1.0.0.tgz", "feeds/hub.xml", "agentskills/alpha/SKILL.md", "agentskills/alpha/index.json",
        "agentskills/alpha/assets/dot.png", "agentskills/alpha/page.html", ".well-known/skills/index.json",
        ".well-known/clawhub.json", ".skillpress/memory.json", "npm/@acme/alpha",
        "v1/packages/acme/a-2/versions/index.html", "acme/skills/alpha/.well-known/agent-skills/index.json",
    )  # fmt: skip
    for path in paths:
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(path)
    script = tmp_path / "upload-s3.sh"
    script.write_bytes(_file("s3", "upload-s3.sh", replace(FACTS, base="")).data)
    upload(script, tree, store)
    objects = stored(store)
    wanted = {object_key(path, "index.html"): path for path in paths if not path.startswith(".skillpress/")}
    wanted["v1/packages/acme/a-2/versions/1.0.0-rc.1/download"] = "dl/acme/a-2-1.0.0-rc.1.zip"
    assert {key: Path(entry["file"]).read_text() for key, entry in objects.items()} == wanted
    assert list(objects)[-1] == "hub.json"
    kinds = {
        "api/v1/skills": "application/json", "api/v1/skills/a b/card": "text/markdown; charset=utf-8",
        "agentskills/alpha/page.html": "text/plain; charset=utf-8", "agentskills/alpha/assets/dot.png": "image/png",
        "agentskills/alpha/index.json": "application/json", "dl/acme/alpha-1.0.0.tgz": "application/gzip",
        "npm/@acme/alpha": "application/json", "feeds/hub.xml": "application/atom+xml; charset=utf-8",
    }  # fmt: skip
    assert {key: objects[key]["type"] for key in kinds} == kinds
    assert "immutable" in objects["dl/acme/alpha-1.0.0.skill"]["cache"]
    assert "immutable" not in objects["index.html"]["cache"]


def test_the_container_recipe_serves_the_hub_and_leaves_the_notes_out() -> None:
    files = {file.path: file.data.decode() for file in configure(HOSTINGS["container"], FACTS)}
    command = re.search(r"^CMD (\[.*\])$", files["Containerfile"], re.MULTILINE)
    assert command is not None
    assert yaml.safe_load(command[1])[:3] == ["skillpress", "serve", "/srv/hub"]
    assert files[".containerignore"] == "public/.skillpress\n"


def _listing(
    owner: str, slug: str, *, holds: bool, stance: Stance | None = None, blocked: bool = False
) -> Listing:
    return Listing(
        owner=Owner(owner), slug=Slug(slug), name=slug, display_name=slug, description="d", version=Version("1.1.0"),
        created_at=TimeMs(1), updated_at=TimeMs(1), holds_slug=holds,
        verdict=ScanVerdict.BLOCK if blocked else ScanVerdict.ALLOW, stance=stance or Stance(),
        statuses=(RouteStatus(f"/api/v1/skills/{slug}/install", 403),) if blocked else (),
    )  # fmt: skip


def test_facts_come_from_the_catalog() -> None:
    tagged = Stance(tags=(VersionTag("beta", Version("2.0.0-b.1")),))
    listings = (
        _listing("acme", "alpha", holds=True, stance=tagged),
        _listing("acme", "bad", holds=True, blocked=True),
        _listing("bolt", "gone", holds=True, stance=Stance(withdrawn=True)),
        _listing("acme", "shared", holds=False),
        _listing("bolt", "shared", holds=False),
    )
    hub = Hub("The hub", "d", "https://hub.example/skills")
    key = (Owner("acme"), Slug("alpha"))
    moves = Moves((((Owner("old"), Slug("alpha")), key),), {Slug("aleph"): key})
    found = hub_facts(
        Catalog(hub, listings, ()), Layout.EXPLODED, Naming.INDEX_HTML, {"/api/v1/skills/shared": 409}, moves
    )
    assert (found.name, found.host, found.base) == ("The hub", "hub.example", "/skills")
    assert found.skills == (
        SkillFact("acme", "alpha", True, "1.1.0", (("beta", "2.0.0-b.1"),)),
        SkillFact("acme", "bad", True, None),
        SkillFact("bolt", "gone", True, None),
        SkillFact("acme", "shared", False, "1.1.0"),
        SkillFact("bolt", "shared", False, "1.1.0"),
    )
    assert found.shared == ("shared",)
    assert found.moved == (("old/alpha", "acme/alpha"),)
    assert found.moved_slugs == (("aleph", "acme/alpha"),)
    assert {one.path: one.status for one in found.statuses} == {
        "/api/v1/skills/bad/install": 403,
        "/api/v1/skills/shared": 409,
    }


def test_settings_reach_the_configuration() -> None:
    said = ServerSettings(root="/data/my hub", listen="8080", configuration="/data/nginx")
    text = next(
        f.data.decode() for f in configure(HOSTINGS["nginx"], FACTS, said) if f.path == "nginx/hub.conf"
    )
    assert 'root "/data/my hub";' in text
    assert "listen 8080;" in text
    assert '"/data/nginx/hub-skills.map"' in text
