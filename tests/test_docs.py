"""The documentation says what the code does."""

from __future__ import annotations

import html
import importlib.util
import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import click
import jsonschema  # type: ignore[import-untyped]
import pytest
from click.testing import CliRunner

from generator.build.summary import Flagged, NotPublished, PublishedLine, Summary, summary_document
from generator.cli import cli
from generator.collecting import COLLECTION_KEYS
from generator.config import KEYS, POLICY_KEYS, PROTOCOL_KEYS, SEARCH_KEYS
from generator.findings import CODES
from generator.hosting.expectations import EXPECTED, TITLES, Level
from generator.hosting.profiles import HOSTINGS, Kind
from generator.judge.profiles import load_profiles
from generator.model import ClientSupport, Finding, Hub, Protocol, Severity
from generator.sources import SOURCE_KEYS
from generator.write.protocols.openapi import openapi_document
from generator.write.protocols.schemas import schema_routes
from tests.build.hubs import LittleHub, skill_text

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def commands() -> dict[str, click.Command]:
    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


@pytest.mark.parametrize("name", list(commands()))
def test_every_command_and_option_is_documented(name: str) -> None:
    page = (DOCS / "cli.md").read_text()
    section = page.partition(f"## skillpress {name}\n")[2].partition("\n## ")[0]
    assert section, f"no section for {name}"
    for parameter in commands()[name].params:
        if isinstance(parameter, click.Option):
            assert f"`{parameter.opts[0]}" in section, parameter.opts[0]


def test_no_option_is_documented_that_does_not_exist() -> None:
    known = {opt for command in commands().values() for parameter in command.params for opt in parameter.opts}
    written = set(re.findall(r"`(--[a-z-]+)", (DOCS / "cli.md").read_text()))
    assert written - known == set()


def section(page: str, heading: str) -> str:
    """The text below a heading of the second level."""
    found = (DOCS / page).read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert found, f"{page} has no section {heading}"
    return found


@pytest.mark.parametrize("key", [*KEYS, *SOURCE_KEYS, *POLICY_KEYS])
def test_every_key_of_hub_yml_is_documented(key: str) -> None:
    assert f"\n| `{key}` |" in (DOCS / "configuration.md").read_text()


@pytest.mark.parametrize(
    ("heading", "keys"),
    [("Protocols", PROTOCOL_KEYS), ("Collections", COLLECTION_KEYS), ("Search", SEARCH_KEYS)],
)
def test_the_keys_of_a_section_are_documented_there_and_no_others(
    heading: str, keys: Mapping[str, str]
) -> None:
    written = re.findall(r"^\| `(\w+)` \|", section("configuration.md", heading), re.MULTILINE)
    assert written == [str(key) for key in keys]


def test_every_protocol_is_explained() -> None:
    page = (DOCS / "protocols.md").read_text()
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [protocol.value for protocol in Protocol]


@pytest.mark.parametrize("name", HOSTINGS)
def test_every_hosting_is_documented(name: str) -> None:
    host = HOSTINGS[name]
    (row,) = re.findall(rf"^\| `{name}` \| (.*)$", section("hosting.md", "The hosts"), re.MULTILINE)
    assert row.startswith(host.layout.value)
    for limit in (host.max_files, host.max_files_paid):
        assert limit is None or f"{limit:,}" in row
    assert f"`{name}`" in (DOCS / "configuration.md").read_text()


def test_the_table_of_clients_and_hosts_is_the_one_that_is_tested() -> None:
    columns = (Kind.SERVE, Kind.EDGE, Kind.NGINX, Kind.CADDY, Kind.RULES, Kind.PAGES, Kind.OBJECTS)
    words = {Level.WORKS: "yes", Level.PART: "in part", Level.FAILS: "no"}
    for client, title in TITLES.items():
        row = " | ".join(words[EXPECTED[kind][client]] for kind in columns)
        assert f"\n| {title} | {row} |\n" in section("hosting.md", "What works where")


def test_every_finding_is_documented() -> None:
    spec = importlib.util.spec_from_file_location("make_findings", DOCS / "make_findings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DOCS / "findings.md").read_text() == module.findings_page(), "run: python docs/make_findings.py"


def test_the_tables_the_site_publishes_are_what_is_computed_now() -> None:
    spec = importlib.util.spec_from_file_location("make_tables", DOCS / "make_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for path, text in module.tables().items():
        assert path.read_text() == text, "run: python docs/make_tables.py"


def test_the_build_summary_has_the_documented_shape() -> None:
    page = (DOCS / "cli.md").read_text()
    documented = json.loads(page.partition("```json\n")[2].partition("```")[0])
    summary = Summary(
        "Example hub", 4, 3, (PublishedLine("example", "pdf", "1.0.0", True, "allow", 0),), 0, 0,
        (NotPublished("skills", "broken", ("c",), "r"),),
        (Finding("symlink-skipped", Severity.INFO, "link", "m", "f"),),
        (Flagged("example", "pdf", "1.0.0", "warn"),), 1, 61,
        hosting="GitHub Pages", clients=(ClientSupport("apm", "Microsoft APM", "fails", "r"),),
    )  # fmt: skip
    made = summary_document(summary, 0.412)

    def shape(value: object) -> object:
        if isinstance(value, dict):
            return {key: shape(item) for key, item in value.items()}
        return [shape(item) for item in value[:1]] if isinstance(value, list) else type(value).__name__

    assert shape(documented) == shape(made)


def test_the_json_of_a_check_has_the_documented_shape(tmp_path: Path) -> None:
    section = (DOCS / "cli.md").read_text().partition("## skillpress check\n")[2].partition("\n## ")[0]
    documented = json.loads(section.partition("```json\n")[2].partition("```")[0])
    schema = json.loads((ROOT / "generator/check/schemas/check.schema.json").read_text())
    jsonschema.validate(documented, schema)
    folder = tmp_path / "pdf"
    folder.mkdir()
    (folder / "SKILL.md").write_text("---\nname: pdf\ndescription: Use when: x\n---\nDo it.\n")
    answer = CliRunner().invoke(cli, ["check", str(folder), "--host", "deerflow/load", "--format", "json"])
    made = json.loads(answer.stdout)
    assert made.keys() == documented.keys()
    assert made["summary"].keys() == documented["summary"].keys()
    for ours, theirs in zip(made["skills"], documented["skills"], strict=True):
        assert ours.keys() == theirs.keys()
        assert ours["findings"][0].keys() == theirs["findings"][0].keys()
        (host,) = ours["hosts"]
        assert ours["hosts"][host].keys() == theirs["hosts"][host].keys()


def test_examples_of_commands_name_what_exists() -> None:
    families = {profile.host for profile in load_profiles()}
    columns = {profile.id for profile in load_profiles()}
    pages = (ROOT / "README.md", *DOCS.glob("*.md"), *(ROOT / "site_src/docs").rglob("*.md"))
    text = "\n".join(page.read_text() for page in pages)
    hosts = {name for names in re.findall(r"--host ([a-z][a-z0-9,./-]*)", text) for name in names.split(",")}
    assert hosts
    assert hosts - families - columns - {"127.0.0.1"} == set()
    assert {code for code in re.findall(r"skillpress explain ([a-z-]+)", text) if "-" in code} <= CODES.keys()
    assert set(re.findall(r'\.hosts\["([^"]+)"\]', text)) <= columns


def test_a_maintainer_of_a_host_finds_what_a_file_may_say() -> None:
    page = (DOCS / "hosts.md").read_text()
    for word in ("reads", "effects", "limits", "tools", "capabilities", "powers"):
        assert f"[{word}]" in page
    for file in (ROOT / "generator/judge/hosts").glob("*.toml"):
        assert "docs/hosts.md" in file.read_text().partition("\n")[0], (
            f"{file.name} says where it is explained"
        )


def test_links_between_the_documents_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")):
        # Examples of broken links stand in fenced blocks.
        text = re.sub(r"^(```+)[^\n]*\n.*?^\1$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#]+)", text):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_decision_is_listed() -> None:
    index = (DOCS / "decisions/README.md").read_text()
    for page in (DOCS / "decisions").glob("0*.md"):
        assert f"({page.name})" in index


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    page = (DOCS / "decisions/0009-dependencies.md").read_text()
    for requirement in project["dependencies"]:
        name = re.split(r"[<>=;\[ ]", requirement)[0]
        assert name in page, name


_TOP = {"check", "build", "serve", "probe", "cli", "config"}
ABOVE = {
    "read": {
        *_TOP,
        "judge",
        "history",
        "search",
        "hosting",
        "write",
        "verify",
        "mirror",
        "collecting",
        "sources",
    },
    "judge": {*_TOP, "history", "search", "hosting", "write", "verify", "mirror", "collecting", "sources"},
    "history": {*_TOP, "search", "hosting", "write", "verify", "mirror", "collecting", "sources"},
    "search": {*_TOP, "hosting", "verify", "mirror", "sources"},
    "hosting": {*_TOP, "search", "verify", "mirror", "sources"},
    "write": {*_TOP, "verify", "mirror", "sources"},
    "mirror": {*_TOP, "search", "hosting", "verify", "collecting", "sources"},
    "verify": {*_TOP, "search", "hosting", "collecting", "sources"},
    "probe": {*_TOP - {"probe"}, "verify", "mirror", "collecting", "sources"},
    "serve": {*_TOP - {"serve"}, "hosting", "verify", "mirror", "collecting", "sources"},
    "check": {*_TOP - {"check", "config"}, "history", "write", "search", "hosting", "verify", "mirror"},
    "build": {"cli", "serve", "check", "probe"},
    "sources": {*_TOP, "judge", "history", "search", "hosting", "write", "verify", "mirror", "collecting"},
    "collecting": {*_TOP, "history", "search", "hosting", "write", "verify", "mirror", "sources"},
    "config": {*_TOP - {"config"}, "search", "verify", "mirror"},
}
"""What a package or module of ``generator`` may not import; ``search``, ``hosting``, ``write`` stand side by side."""


@pytest.mark.parametrize("layer", list(ABOVE))
def test_no_layer_imports_a_higher_one(layer: str) -> None:
    single = ROOT / "generator" / f"{layer}.py"
    modules = [single] if single.exists() else list((ROOT / "generator" / layer).rglob("*.py"))
    assert modules
    for module in modules:
        for imported in re.findall(r"^\s*(?:from|import) generator\.(\w+)", module.read_text(), re.MULTILINE):
            assert imported not in ABOVE[layer], f"{module.relative_to(ROOT)} imports generator.{imported}"


def documented_routes() -> list[re.Pattern[str]]:
    """Every address that docs/api.md names, and docs/feeds.md, to which it leads: braces stand for one segment,
    ``{path}`` for several."""
    pages = "".join((DOCS / page).read_text() for page in ("api.md", "feeds.md"))
    pieces = {"{path}": ".+", "{+path}": ".+"}
    return [
        re.compile(
            "".join(pieces.get(part, "[^/]+") if part[:1] == "{" else re.escape(part) for part in parts)
        )
        for text in re.findall(r"`(?:GET |POST )?(/[^`\s]+)`", pages)
        for parts in [re.split(r"(\{[^}]*\})", text)]
    ]


def is_documented(path: str, known: list[re.Pattern[str]]) -> bool:
    # Below an owner everything is as below the bare slug, and the page says so.
    bare = re.sub(r"^/api/v1/owners/[^/]+/", "/api/v1/", path)
    return any(one.fullmatch(path) or one.fullmatch(bare) for one in known)


def test_every_endpoint_is_documented() -> None:
    page = (DOCS / "api.md").read_text()
    for path in openapi_document(Hub("Hub", "A hub.", "https://hub.example"))["paths"]:
        assert f"{re.sub('^/api/v1/owners/{owner}/', '/api/v1/', path)}`" in page, path


def test_every_document_with_a_schema_is_documented() -> None:
    known = documented_routes()
    index = json.loads(schema_routes()[0].body)
    undocumented = {
        path
        for row in index["documents"]
        if not is_documented(path := row["path"].replace("{+path}", "{path}"), known)
    }
    assert undocumented == {"/packs/{owner}/{slug}.json"}
    assert "| `packs/{owner}/{slug}.json`" in (DOCS / "architecture.md").read_text()


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> LittleHub:
    """An exploded hub that has a bit of everything: two versions, a shared slug, a collection."""
    root = tmp_path_factory.mktemp("documented")
    made = LittleHub(root, paths=(), layout="exploded", config=str(root / "hub.yml"))
    for path in ("skills/pdf", "skills/notes", "others/notes"):
        made.put(path, {"SKILL.md": skill_text(path.rpartition("/")[2]), "references/a.md": "# A\n"})
    (root / "hub.yml").write_text(
        "sources:\n  - {path: skills, owner: acme}\n  - {path: others, owner: bolt}\n"
        "collections: {all: {title: All of it, skills: [pdf]}}\n"
    )
    made.build()
    made.put("skills/pdf", {"SKILL.md": skill_text("pdf", version="1.1.0"), "references/a.md": "# A\n"})
    made.build()
    return made


def test_every_route_of_a_hub_is_documented(hub: LittleHub) -> None:
    known = documented_routes()
    routes = {
        "/"
        + re.sub(r"^((?:api/v1|v1/packages)/.+)/index\.html$", r"\1", path.relative_to(hub.out).as_posix())
        for path in hub.out.rglob("*")
        if path.is_file() and not path.relative_to(hub.out).as_posix().startswith((".skillpress/", "assets/"))
    }
    documents = {route for route in routes if not route.endswith((".html", "/index.md"))}
    assert len(documents) > 60
    assert sorted(route for route in documents if not is_documented(route, known)) == []
    pages = routes - documents
    assert {f"{page.removesuffix('.html')}.md" for page in pages if page.endswith("/index.html")} <= pages


def without_config(text: str) -> list[str]:
    """The lines of a text that run ``clawhub`` before anything in it has set a settings file of its own."""
    head, set_, _ = text.partition("CLAWHUB_CONFIG_PATH=")
    return [line for line in (head if set_ else text).splitlines() if re.search(r"npx clawhub\b", line)]


def test_commands_keep_the_token_of_another_hub(hub: LittleHub) -> None:
    """``clawhub`` sends a stored token to any registry: each block of commands names a settings file first."""
    blocks: list[tuple[str, str]] = []
    for page in (ROOT / "README.md", *DOCS.rglob("*.md"), *hub.out.rglob("*.md")):
        text = page.read_text()
        blocks += [
            (page.name, one[1])
            for one in re.findall(r"^(`{3,})[^\n]*\n(.*?)^\1", text, re.DOTALL | re.MULTILINE)
        ]
        # What is mentioned in a sentence counts with its section; a heading in a block is a comment.
        told = re.sub(r"^# ", "", text, flags=re.MULTILINE)
        blocks += [(page.name, one) for one in re.split(r"^##+ ", told, flags=re.MULTILINE)]
    for page in hub.out.rglob("*.html"):
        found = re.findall(r"<pre\b.*?</pre>", page.read_text(), re.DOTALL)
        blocks += [(page.name, html.unescape(re.sub(r"<[^>]*>", "", one))) for one in found]
    assert sum("npx clawhub" in text for _, text in blocks) > 10
    assert [(name, lines) for name, text in blocks if (lines := without_config(text))] == []


def test_every_test_that_the_list_of_quirks_names_exists() -> None:
    named = re.findall(r"`(test_\w+)`", (DOCS / "incompatibilities.md").read_text())
    code = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 30
    assert [name for name in named if not re.search(rf"^ *def {name}\(", code, re.MULTILINE)] == []
