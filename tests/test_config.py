"""hub.yml and options: what they become, and what their errors name."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.config import DEFAULT_OWNER, DEFAULT_URL, Options, load_config, parse_url
from generator.errors import ConfigError
from generator.hosting.profiles import HOSTINGS
from generator.model import Protocol
from generator.write.layout import Layout, Naming

FULL = """\
name: Example hub
description: Skills of the example team.
url: https://hub.example/skills/
owner: example
out: dist
layout: packed
naming: index.json
sources:
  - skills
  - path: vendor
    owner: vendor
    include: ["tools/*", docs]
policy:
  max_files: 10
  max_file_bytes: 1000
  max_package_bytes: 5000
"""


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    for name in ("skills", "vendor"):
        (tmp_path / name).mkdir()
    return tmp_path


def test_every_key(hub: Path) -> None:
    (hub / "hub.yml").write_text(FULL)
    config = load_config(Options(), hub)
    assert config.hub.name == "Example hub"
    assert config.hub.url == "https://hub.example/skills"
    assert config.hub.api == "https://hub.example/skills/api/v1"
    assert config.out == hub / "dist"
    assert (config.layout, config.naming) == (Layout.PACKED, Naming.INDEX_JSON)
    assert [(s.label, s.owner, s.include) for s in config.sources] == [
        ("skills", "example", ()),
        ("vendor", "vendor", ("tools/*", "docs")),
    ]
    assert (config.limits.max_files, config.limits.max_file_bytes, config.limits.max_package_bytes) == (
        10,
        1000,
        5000,
    )


def test_defaults_without_hub_yml(hub: Path) -> None:
    config = load_config(Options(paths=("skills", "vendor")), hub)
    assert config.hub.url == DEFAULT_URL
    assert config.out == hub / "public"
    assert [(source.label, source.owner) for source in config.sources] == [
        ("skills", DEFAULT_OWNER),
        ("vendor", DEFAULT_OWNER),
    ]
    assert config.layout is Layout.EXPLODED


def test_options_win_over_hub_yml(hub: Path) -> None:
    (hub / "hub.yml").write_text(FULL)
    config = load_config(
        Options(("vendor",), None, "elsewhere", "http://127.0.0.1:9/x/", "acme", "exploded", "index.html"),
        hub,
    )
    assert config.hub.url == "http://127.0.0.1:9/x"
    assert config.out == hub / "elsewhere"
    assert [(source.label, source.owner) for source in config.sources] == [("vendor", "acme")]
    assert (config.layout, config.naming) == (Layout.EXPLODED, Naming.INDEX_HTML)


def test_byte_order_mark_and_windows_lines(hub: Path) -> None:
    (hub / "hub.yml").write_bytes(b"\xef\xbb\xbfname: Hub\r\nsources:\r\n  - skills\r\n")
    assert load_config(Options(), hub).hub.name == "Hub"


def test_no_machine_path_becomes_a_label(hub: Path) -> None:
    config = load_config(Options(paths=(str(hub / "skills"), "../" + hub.name + "/vendor")), hub)
    assert [source.label for source in config.sources] == ["skills", "vendor"]


WRONG = {
    "misspelt key": ("nmae: x\n", r"hub\.yml, line 1, column 1: nmae: unknown key\. Did you mean 'name'\?"),
    "misspelt source key": (
        "sources:\n  - path: skills\n    onwer: x\n",
        r"line 3, column 5: sources\.onwer: unknown key\. Did you mean 'owner'\?",
    ),
    "misspelt policy key": (
        "policy:\n  max_file: 3\n",
        r"line 2, column 3: policy\.max_file: unknown key\. Did you mean 'max_files'\?",
    ),
    "a key like no other": (
        "zzz: 1\n",
        r"line 1, column 1: zzz: unknown key\. Valid keys: name, description, url",
    ),
    "wrong layout": (
        "layout: packt\n",
        r"line 1, column 9: layout: 'packt' is not one of exploded, packed\. Did you mean 'packed'\?",
    ),
    "url without scheme": ("url: hub.example\n", r"line 1, column 6: url: .*not an http or https URL"),
    "url with query": ("url: https://hub.example/?a=1\n", r"line 1, column 6: url: .*query"),
    "url with password": ("url: https://u:p@hub.example\n", r"line 1, column 6: url: .*password"),
    "bad owner": ("owner: The Team\n", r"line 1, column 8: owner: owner 'The Team' must be"),
    "owner that is a path of the hub": (
        "owner: api\n",
        r"line 1, column 8: owner: owner 'api' is a path of the hub",
    ),
    "sources not a list": ("sources: skills\n", r"line 1, column 10: sources: expected a list"),
    "source without path": (
        "sources:\n  - owner: x\n",
        r"line 2, column 5: sources: a source needs a `path`",
    ),
    "empty text": ("name: ''\n", r"line 1, column 7: name: expected a text"),
    "a list for a text": ("name: [a]\n", r"line 1, column 7: name: expected a text"),
    "limit not a number": (
        "policy:\n  max_files: many\n",
        r"line 2, column 14: policy\.max_files: 'many' is not a whole",
    ),
    "limit of nothing": (
        "policy:\n  max_files: 0\n",
        r"line 2, column 14: policy\.max_files: '0' is not a whole",
    ),
    "not a mapping": ("- a\n", r"line 1, column 1: hub\.yml: expected `key: value` lines"),
    "yaml error": ("name: 'x\n", r"hub\.yml, line 1"),
    "tab": ("sources:\n\t- skills\n", r"hub\.yml, line 2"),
    "duplicate key": ("name: a\nname: b\n", r"hub\.yml, line 2"),
    "protocol that is none": (
        "protocols: {claude: no}\n",
        r"line 1, column 13: protocols\.claude: unknown key\. Did you mean 'claude_code'\?",
    ),
    "protocol neither on nor off": ("protocols: {apm: maybe}\n", r"protocols\.apm: 'maybe' is not yes or no"),
    "hosting that is none": (
        "hosting: nginxx\n",
        r"hosting: 'nginxx' is not one of .*Did you mean 'nginx'\?",
    ),
    "collection with a bad name": (
        "collections: {Office Work: {skills: [a]}}\n",
        r"collections\.Office Work: a collection is named by",
    ),
    "collection without skills": (
        "collections: {x: {title: X}}\n",
        r"collections\.x: a collection needs `skills`",
    ),
    "collection of everything": ("collections: {x: {skills: '*'}}\n", r"collections\.x\.skills: '\*' is not"),
    "collection that is a list": ("collections: {x: [a]}\n", r"collections\.x: expected `title`"),
    "alias": ("name: &a x\ndescription: *a\n", r"hub\.yml, line 1"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_errors_name_file_line_key_and_mend(hub: Path, text: str, message: str) -> None:
    (hub / "hub.yml").write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_config(Options(paths=("skills",)), hub)


def test_not_utf8(hub: Path) -> None:
    (hub / "hub.yml").write_bytes(b"name: caf\xe9\n")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(Options(), hub)


REFUSED = {
    "layout that does not fit the host": (
        Options(("skills",), layout="exploded", hosting="cloudflare"),
        "--layout exploded does not fit --hosting cloudflare, which needs packed",
    ),
    "unknown host": (Options(("skills",), hosting="floppy"), "'floppy' is no hosting this version knows"),
    "nothing to build": (Options(), "nothing to build"),
    "missing folder": (Options(paths=("nowhere",)), r"nowhere: no such folder"),
    "missing file": (Options(config="other.yml"), r"other\.yml: no such file"),
    "the same folder twice": (Options(paths=("skills", "skills")), "listed twice"),
    "output around the source": (Options(paths=("skills",), out="."), "inside the output folder"),
    "bad --url": (Options(paths=("skills",), url="ftp://x"), "--url"),
    "bad --owner": (Options(paths=("skills",), owner="A B"), "--owner"),
}


@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(hub: Path, options: Options, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(options, hub)


@pytest.mark.parametrize(
    "text",
    [
        "https://a/..",
        "https://a//b",
        "https://a:99999",
        "https://a:0",
        "https://a b",
        'https://a"b',
        "https://a\\b",
        "https://a#x",
        "//a",
        "",
        "https://",
    ],
)
def test_bad_urls(text: str) -> None:
    with pytest.raises(ValueError, match=r"URL|must not|character|port|segment"):
        parse_url(text)


# --- protocols, collections, hosting ------------------------------------------------------------------


def test_all_protocols_are_on_where_nothing_is_said(hub: Path) -> None:
    (hub / "hub.yml").write_text("sources: [skills]\n")
    assert load_config(Options(), hub).hub.protocols == tuple(Protocol)


def test_a_protocol_is_switched_off(hub: Path) -> None:
    (hub / "hub.yml").write_text(
        "sources: [skills]\nprotocols: {apm: no, bundles: yes, claude_code: false}\n"
    )
    off = set(Protocol) - set(load_config(Options(), hub).hub.protocols)
    assert off == {Protocol.APM, Protocol.CLAUDE_CODE}


def test_collections_are_read(hub: Path) -> None:
    (hub / "hub.yml").write_text(
        "sources: [skills]\ncollections:\n  office-work: {title: Office work, description: Daily., skills: [a/b, c]}\n"
        "  all: {skills: 'a/*'}\n"
    )
    office, every = load_config(Options(), hub).hub.collections
    assert (office.name, office.title, office.description) == ("office-work", "Office work", "Daily.")
    assert office.members == ("a/b", "c")
    assert (every.title, every.members) == ("all", ("a/*",))


@pytest.mark.parametrize("name", list(HOSTINGS))
def test_a_host_decides_layout_and_naming(hub: Path, name: str) -> None:
    host = HOSTINGS[name]
    (hub / "hub.yml").write_text(f"sources: [skills]\nlayout: packed\nhosting: {name}\n")
    config = load_config(Options(), hub)
    assert (config.layout, config.naming) == (host.layout, host.naming)
    assert config.hub.hosting == host.title
    assert config.hub.abilities.answers_posts == host.answers_post
    assert config.hub.abilities.sets_headers == host.sets_headers
    assert load_config(Options(hosting=name), hub).hub == config.hub


@pytest.mark.parametrize(("layout", "headers"), [("exploded", False), ("packed", True)])
def test_without_a_host_files_may_lie_anywhere(hub: Path, layout: str, headers: bool) -> None:
    hub_facts = load_config(Options(("skills",), layout=layout), hub).hub
    assert (hub_facts.hosting, hub_facts.abilities.sets_headers) == ("", headers)
    assert hub_facts.abilities.routes_queries
    assert {one.level for one in hub_facts.clients} == {"works"}


def test_a_protocol_that_is_off_is_not_claimed_for_its_clients(hub: Path) -> None:
    (hub / "hub.yml").write_text("sources: [skills]\nprotocols: {apm: no}\n")
    clients = {one.name: one for one in load_config(Options(), hub).hub.clients}
    assert (clients["apm"].level, clients["skills"].level) == ("absent", "works")
    assert "switched off" in clients["apm"].reason
