"""The documentation says what the code does."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from pathlib import Path

import click
import jsonschema  # type: ignore[import-untyped]
import pytest
from click.testing import CliRunner

from generator.build.summary import Flagged, NotPublished, PublishedLine, Summary, summary_document
from generator.cli import cli
from generator.config import KEYS, POLICY_KEYS
from generator.findings import CODES
from generator.judge.profiles import load_profiles
from generator.model import Catalog, Finding, Hub, Severity
from generator.sources import SOURCE_KEYS
from generator.write.protocols import clawhub
from generator.write.protocols.openapi import openapi_document

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


@pytest.mark.parametrize("key", [*KEYS, *SOURCE_KEYS, *POLICY_KEYS])
def test_every_key_of_hub_yml_is_documented(key: str) -> None:
    assert f"\n| `{key}` |" in (DOCS / "configuration.md").read_text()


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


ABOVE = {
    "read": {"check", "judge", "history", "write", "verify", "mirror", "build", "serve", "cli", "config"},
    "judge": {"check", "history", "write", "verify", "mirror", "build", "serve", "cli", "config"},
    "history": {"check", "write", "verify", "mirror", "build", "serve", "cli", "config"},
    "write": {"check", "verify", "mirror", "build", "serve", "cli", "config"},
    "verify": {"check", "mirror", "build", "serve", "cli", "config"},
    "mirror": {"check", "verify", "build", "serve", "cli", "config"},
    "serve": {"check", "build", "cli", "config"},
    "check": {"history", "write", "build", "serve", "cli"},
    "build": {"cli", "serve", "check"},
}


@pytest.mark.parametrize("layer", list(ABOVE))
def test_no_layer_imports_a_higher_one(layer: str) -> None:
    for module in (ROOT / "generator" / layer).rglob("*.py"):
        for imported in re.findall(r"^\s*(?:from|import) generator\.(\w+)", module.read_text(), re.MULTILINE):
            assert imported not in ABOVE[layer], f"{module.relative_to(ROOT)} imports generator.{imported}"


def test_every_endpoint_is_documented() -> None:
    page = (DOCS / "api.md").read_text()
    for path in openapi_document(Hub("Hub", "A hub.", "https://hub.example"))["paths"]:
        assert f"/api/v1{path}`" in page or f"/api/v1{path} " in page, path


def test_every_route_of_a_hub_is_documented(tmp_path: Path) -> None:
    page = (DOCS / "api.md").read_text()
    catalog = Catalog(Hub("Hub", "A hub.", "https://hub.example"), (), ())
    for route in clawhub.hub_routes(catalog):
        assert f"{route.path}`" in page, route.path
