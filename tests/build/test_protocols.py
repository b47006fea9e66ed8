"""What a build writes for each protocol: switched off it leaves nothing behind, withheld it gives nothing out."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from generator.errors import SkillpressError
from generator.model import Protocol
from generator.write.protocols.npm_tarball import digest_tarball
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text

# What a protocol writes for the skill `pdf` of `acme` in the exploded layout, and what tells that all of it is there.
PLACES: dict[Protocol, tuple[str, ...]] = {
    Protocol.CLAWHUB: ("api/v1/skills/pdf/index.html", "api/v1/packages/pdf/index.html", "api/v1/skills/index.html"),
    Protocol.AGENT_SKILLS: (
        ".well-known/agent-skills/index.json",
        "acme/.well-known/agent-skills/index.json",
        "acme/skills/pdf/.well-known/agent-skills/index.json",
        "collections/all/.well-known/agent-skills/index.json",
    ),
    Protocol.WELL_KNOWN_SKILLS: (".well-known/skills/index.json", ".well-known/skills/pdf/references/a.md"),
    Protocol.CLAUDE_CODE: (
        "claude/marketplace.json", "npm/@acme/pdf", "dl/acme/pdf-1.0.0.tgz", "dl/collections/all-1.0.0.tgz",
    ),
    Protocol.APM: ("v1/packages/acme/pdf/versions/index.html",),
    Protocol.BUNDLES: ("bundles/pdf.json", "bundles/acme/pdf.json"),
    Protocol.SKILL_ARCHIVES: ("dl/acme/pdf-1.0.0.skill",),
    Protocol.AGENTSKILLS_HTTP: ("agentskills/index.json", "agentskills/pdf/index.json", "agentskills/pdf/SKILL.md"),
    Protocol.SKILL_SERVICE: ("api/v1/skill/list/index.html",),
    Protocol.AGENT_PAGES: ("llms.txt", "llms-full.txt", "index.md", "acme/index.md", "acme/skills/pdf/index.md"),
}  # fmt: skip


def make(root: Path, layout: str = "exploded") -> LittleHub:
    """A hub with one skill that has a support file and a program, in one collection."""
    hub = LittleHub(root, paths=(), layout=layout, config=str(root / "hub.yml"))
    hub.put(
        "skills/pdf",
        {"SKILL.md": skill_text("pdf"), "references/a.md": "# A\n", "scripts/run.sh": "echo 1\n"},
    )
    configure(hub)
    return hub


def configure(hub: LittleHub, more: str = "") -> None:
    (hub.root / "hub.yml").write_text(
        "owner: acme\nsources: [skills]\ncollections: {all: {title: All of it, skills: [pdf]}}\n" + more
    )


def read(hub: LittleHub, path: str) -> Any:
    return json.loads((hub.out / path).read_bytes())


def test_every_protocol_is_in_the_table() -> None:
    assert PLACES.keys() == set(Protocol)


@pytest.mark.parametrize("protocol", list(Protocol))
def test_a_protocol_that_is_switched_off_leaves_nothing_behind(tmp_path: Path, protocol: Protocol) -> None:
    hub = make(tmp_path)
    hub.build()
    every = hub.content().keys()
    assert every >= {*PLACES[protocol]}
    configure(hub, f"protocols: {{{protocol}: no}}\n")
    hub.build()
    left = hub.files().keys()
    assert left & {*PLACES[protocol]} == set()
    others = {path for one, paths in PLACES.items() if one is not protocol for path in paths}
    assert left >= others
    # Pages and feeds stay whatever is switched off.
    assert left >= {"index.html", "acme/skills/pdf/index.html", "dl/acme/pdf-1.0.0.zip", "feeds/hub.xml"}
    assert protocol not in read(hub, "hub.json")["protocols"]
    configure(hub)
    hub.build()
    assert hub.content().keys() == every


def test_the_packed_layout_has_the_same_archives_and_no_raw_files(tmp_path: Path) -> None:
    hub = make(tmp_path, "packed")
    hub.build()
    files = hub.files().keys()
    assert files >= {"dl/acme/pdf-1.0.0.skill", "dl/acme/pdf-1.0.0.tgz", "bundles/acme/pdf.json"}
    assert not [
        path for path in files if path.startswith((".well-known/skills/pdf", "agentskills/pdf", "npm/@acme"))
    ]
    answers = read(hub, "packs/acme/pdf.json")["answers"]
    assert answers.keys() >= {
        "/npm/@acme/pdf", "/v1/packages/acme/pdf/versions", "/agentskills/pdf/index.json",
        "/acme/skills/pdf/index.md", "/acme/skills/pdf/.well-known/agent-skills/index.json", "/api/v1/packages/pdf",
    }  # fmt: skip


def test_from_one_layout_to_the_other_nothing_is_left(tmp_path: Path) -> None:
    once = make(tmp_path / "once", "packed")
    once.build()
    twice = make(tmp_path / "twice", "exploded")
    twice.build()
    LittleHub(twice.root, (), "packed", config=twice.config).build()
    assert once.content() == twice.content()


@pytest.mark.parametrize("layout", ["packed", "exploded"])
def test_what_is_made_of_an_archive_goes_and_comes_with_it(tmp_path: Path, layout: str) -> None:
    hub = make(tmp_path, layout)
    hub.build()
    made = {path: digest for path, digest in hub.files().items() if path.startswith("dl/acme/")}
    assert {path.rpartition(".")[2] for path in made} == {"zip", "skill", "tgz"}
    configure(hub, "overlay: {quarantine: {acme/pdf: under examination}}\n")
    hub.build(FIRST_TIME + 1)
    files = hub.files().keys()
    assert not [path for path in files if path.startswith(("dl/acme/", "bundles/", ".well-known/skills/pdf"))]
    configure(hub)
    hub.build(FIRST_TIME + 2)
    assert {path: digest for path, digest in hub.files().items() if path.startswith("dl/acme/")} == made


@pytest.mark.parametrize(
    "path", ["dl/acme/pdf-1.0.0.skill", "dl/acme/pdf-1.0.0.tgz", "bundles/acme/pdf.json"]
)
def test_what_is_made_of_an_archive_is_made_again(tmp_path: Path, path: str) -> None:
    hub = make(tmp_path)
    hub.build()
    before = hub.files()[path]
    (hub.out / path).write_bytes(b"damaged")
    hub.build()
    assert hub.files()[path] == before
    (hub.out / path).unlink()
    hub.build()
    assert hub.files()[path] == before


def test_an_older_version_keeps_its_archives(tmp_path: Path) -> None:
    hub = make(tmp_path)
    hub.build()
    before = {path: digest for path, digest in hub.files().items() if path.startswith("dl/acme/pdf-1.0.0.")}
    hub.put("skills/pdf", skill_text("pdf", version="1.1.0"))
    hub.build(FIRST_TIME + 1)
    after = hub.files()
    assert {path: digest for path, digest in after.items() if path.startswith("dl/acme/pdf-1.0.0.")} == before
    packument = read(hub, "npm/@acme/pdf")
    assert list(packument["versions"]) == ["1.0.0", "1.1.0"]
    for version, facts in packument["versions"].items():
        tarball = (hub.out / f"dl/acme/pdf-{version}.tgz").read_bytes()
        assert facts["dist"]["integrity"] == digest_tarball(tarball).integrity
    with zipfile.ZipFile(BytesIO((hub.out / "dl/acme/pdf-1.0.0.skill").read_bytes())) as archive:
        assert sorted(archive.namelist()) == ["pdf/SKILL.md", "pdf/references/a.md", "pdf/scripts/run.sh"]


def test_a_renamed_file_leaves_the_raw_trees(tmp_path: Path) -> None:
    hub = make(tmp_path)
    hub.build()
    (hub.root / "skills/pdf/references/a.md").rename(hub.root / "skills/pdf/references/b.md")
    hub.put("skills/pdf", skill_text("pdf", version="1.1.0"))
    hub.build(FIRST_TIME + 1)
    files = hub.files().keys()
    for tree in (".well-known/skills/pdf/", "agentskills/pdf/"):
        assert f"{tree}references/b.md" in files
        assert f"{tree}references/a.md" not in files


def test_a_skill_that_loses_its_slug_leaves_what_bare_slugs_name(tmp_path: Path) -> None:
    hub = make(tmp_path)
    hub.build()
    hub.put("others/pdf", skill_text("pdf"))
    (hub.root / "hub.yml").write_text("owner: acme\nsources: [skills, {path: others, owner: beta}]\n")
    hub.build(FIRST_TIME + 1)
    files = hub.files().keys()
    gone = {"bundles/pdf.json", ".well-known/skills/pdf/SKILL.md", "agentskills/pdf/SKILL.md"}
    assert not files & gone
    assert files >= {"bundles/acme/pdf.json", "bundles/beta/pdf.json", "npm/@beta/pdf"}
    assert [one["name"] for one in read(hub, "claude/marketplace.json")["plugins"]] == [
        "acme--pdf",
        "beta--pdf",
    ]
    assert read(hub, ".well-known/skills/index.json")["skills"] == []


ACTIVE = {"html": "page.html", "svg": "logo.svg", "js": "tool.js", "pdf": "form.pdf"}


@pytest.mark.parametrize("name", ACTIVE.values(), ids=ACTIVE)
def test_a_file_that_could_act_is_in_no_raw_tree_of_a_host_without_headers(tmp_path: Path, name: str) -> None:
    hub = make(tmp_path)
    hub.put("skills/pdf", {name: "plain words"})
    hub.build()
    assert not [path for path in hub.files() if path.endswith(name) and not path.startswith("dl/")]
    assert read(hub, ".well-known/skills/index.json")["skills"] == []
    page = (hub.out / "acme/skills/pdf/index.html").read_text()
    assert "raw-tree-active-file" in page
    headers = LittleHub(hub.root, (), "packed", config=hub.config)
    headers.build()
    assert [one["name"] for one in read(headers, ".well-known/skills/index.json")["skills"]] == ["pdf"]


# --- collections -------------------------------------------------------------------------------------


def versions(hub: LittleHub) -> list[str]:
    lines = (hub.out / "ledger/collections/all.jsonl").read_bytes().splitlines()
    return [json.loads(line)["bundle"]["version"] for line in lines]


@pytest.mark.parametrize("layout", ["packed", "exploded"])
def test_a_collection_is_counted_on_with_every_change(tmp_path: Path, layout: str) -> None:
    hub = make(tmp_path, layout)
    hub.build()
    assert versions(hub) == ["1.0.0"]
    hub.build(FIRST_TIME + 1)
    assert versions(hub) == ["1.0.0"]
    hub.put("skills/pdf", skill_text("pdf", version="1.1.0"))
    hub.build(FIRST_TIME + 2)
    assert versions(hub) == ["1.0.0", "1.0.1"]
    hub.put("skills/docx", skill_text("docx"))
    configure(hub)
    text = (hub.root / "hub.yml").read_text().replace("[pdf]", "[pdf, acme/docx]")
    (hub.root / "hub.yml").write_text(text)
    hub.build(FIRST_TIME + 3)
    assert versions(hub) == ["1.0.0", "1.0.1", "1.0.2"]
    files = hub.files().keys()
    assert {path for path in files if path.startswith("dl/collections/")} == {"dl/collections/all-1.0.2.tgz"}
    plugins = {one["name"]: one for one in read(hub, "claude/marketplace.json")["plugins"]}
    assert plugins["collections--all"]["version"] == "1.0.2"
    entries = read(hub, "collections/all/.well-known/agent-skills/index.json")["skills"]
    assert [one["name"] for one in entries] == ["docx", "pdf"] or [one["name"] for one in entries] == [
        "pdf",
        "docx",
    ]


def test_a_collection_that_was_removed_keeps_its_numbers(tmp_path: Path) -> None:
    hub = make(tmp_path)
    hub.build()
    (hub.root / "hub.yml").write_text("owner: acme\nsources: [skills]\n")
    hub.build(FIRST_TIME + 1)
    assert "collections/all/index.html" not in hub.files()
    assert "dl/collections/all-1.0.0.tgz" not in hub.files()
    hub.put("skills/pdf", skill_text("pdf", version="1.1.0"))
    configure(hub)
    hub.build(FIRST_TIME + 2)
    assert versions(hub) == ["1.0.0", "1.0.1"]


def test_a_lost_ledger_of_a_collection_stops_the_build(tmp_path: Path) -> None:
    hub = make(tmp_path)
    hub.build()
    (hub.out / "ledger/collections/all.jsonl").unlink()
    hub.put("skills/pdf", skill_text("pdf", version="1.1.0"))
    with pytest.raises(SkillpressError, match=r"ledger/collections/all\.jsonl"):
        hub.build(FIRST_TIME + 1)


def test_a_member_that_is_not_there_is_told(tmp_path: Path) -> None:
    hub = make(tmp_path)
    text = (hub.root / "hub.yml").read_text().replace("[pdf]", "[pdf, nobody/nothing, 'acme/*']")
    (hub.root / "hub.yml").write_text(text)
    summary = hub.build()
    assert [(note.code, note.path) for note in summary.source_findings] == [
        ("collection-member-unknown", "all")
    ]
    assert "nobody/nothing" in summary.source_findings[0].message
    again = hub.build(FIRST_TIME + 1)
    assert again.files_written == 0
    assert [note.code for note in again.source_findings] == ["collection-member-unknown"]


@pytest.mark.parametrize("layout", ["packed", "exploded"])
def test_a_second_machine_counts_collections_on(tmp_path: Path, layout: str) -> None:
    first = make(tmp_path / "first", layout)
    first.build()
    second = make(tmp_path / "second", layout)
    second.build(FIRST_TIME + 1, previous=str(first.out))
    assert versions(second) == ["1.0.0"]
    second.put("skills/pdf", skill_text("pdf", version="1.1.0"))
    second.build(FIRST_TIME + 2)
    assert versions(second) == ["1.0.0", "1.0.1"]
