"""Archives become skills, and several archives of one skill its versions."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from generator.build.packed import split_version
from generator.build.summary import Summary
from generator.verify.places import open_place
from generator.verify.run import verify
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text
from tests.build.test_sources import configured, ledger


def pack(path: Path, files: Mapping[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in files.items():
                archive.writestr(zipfile.ZipInfo(name), text)
        return
    with tarfile.open(path, "w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))


def skill(
    version: str | None = None, *, inside: str = "", body: str = "Words.\n", meta: Any = None
) -> dict[str, str]:
    files = {f"{inside}SKILL.md": skill_text("pdf", version=version, body=body)}
    return files | ({} if meta is None else {f"{inside}_meta.json": json.dumps(meta)})


def built(tmp_path: Path, archives: Mapping[str, Mapping[str, str]]) -> tuple[LittleHub, Summary]:
    for name, files in archives.items():
        pack(tmp_path / "hub/packed" / name, files)
    hub = configured(tmp_path / "hub", "  - {type: archive, path: packed}")
    return hub, hub.build()


def releases(hub: LittleHub) -> dict[str, list[str]]:
    paths = sorted((hub.out / "ledger/acme").glob("*.jsonl"))
    return {path.stem: [str(one.version) for one in ledger(hub, f"acme/{path.stem}")] for path in paths}


SETS = {
    # name: archives, versions by slug in the order of the ledger
    "stated in the files": (
        {"pdf-1.1.0.zip": skill("1.1.0"), "pdf-1.0.0.zip": skill("1.0.0"), "pdf-1.10.0.zip": skill("1.10.0")},
        {"pdf": ["1.0.0", "1.1.0", "1.10.0"]},
    ),
    "stated by the names of the archives": (
        {"pdf-1.0.0.zip": skill(body="one\n"), "pdf-v1.1.0.tar.gz": skill(body="two\n")},
        {"pdf": ["1.0.0", "1.1.0"]},
    ),
    "stated by the folder inside, as code hosts pack": (
        {"a.zip": skill(inside="pdf-1.0.0/"), "b.zip": skill(inside="pdf-1.1.0/", body="two\n")},
        {"pdf": ["1.0.0", "1.1.0"]},
    ),
    "the files are believed before the name": ({"pdf-9.9.9.zip": skill("1.0.0")}, {"pdf": ["1.0.0"]}),
    "in a folder of the skill's name": (
        {"x-1.0.0.zip": skill("1.0.0", inside="pdf/"), "y-1.1.0.zip": skill("1.1.0", inside="pdf/")},
        {"pdf": ["1.0.0", "1.1.0"]},
    ),
    "a pre-release is before its release": (
        {"pdf-1.0.0.zip": skill(body="b\n"), "pdf-1.0.0-rc.1.zip": skill(body="a\n")},
        {"pdf": ["1.0.0-rc.1", "1.0.0"]},
    ),
    "stated by the registry": (
        {"one.zip": skill(meta={"owner": "bob", "slug": "pdf", "latest": {"version": "2.0.0"}}),
         "two.zip": skill(body="two\n", meta={"owner": "bob", "slug": "pdf", "latest": {"version": "2.1.0"}})},
        {"pdf": ["2.0.0", "2.1.0"]},
    ),
    "one without a version in its name": (
        {"pdf.zip": skill("1.0.0"), "pdf-1.1.0.zip": skill("1.1.0")}, {"pdf": ["1.0.0", "1.1.0"]},
    ),
    "two skills": (
        {"pdf-1.0.0.zip": skill("1.0.0"), "docx-1.0.0.zip": skill("1.0.0"), "docx-1.1.0.zip": skill("1.1.0")},
        {"docx": ["1.0.0", "1.1.0"], "pdf": ["1.0.0"]},
    ),
    "a version of a bundle is not that of its skills": (
        {"all-3.0.0.zip": {**skill(inside="pdf/"), **skill(inside="docx/")}}, {"docx": ["1.0.0"], "pdf": ["1.0.0"]},
    ),
    "in another folder": (
        {"a/pdf-1.0.0.zip": skill("1.0.0"), "a/pdf-1.1.0.zip": skill("1.1.0")}, {"pdf": ["1.0.0", "1.1.0"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_several_archives_of_one_skill_are_its_versions(tmp_path: Path, name: str) -> None:
    archives, expected = SETS[name]
    hub, summary = built(tmp_path, archives)
    assert summary.not_published == ()
    assert releases(hub) == expected
    assert hub.build(FIRST_TIME + 5).files_written == 0
    assert verify(open_place(str(hub.out))).failures == ()


def test_a_later_archive_is_a_later_version_and_one_that_goes_takes_nothing_away(tmp_path: Path) -> None:
    hub, _ = built(tmp_path, {"pdf-1.0.0.zip": skill("1.0.0"), "pdf-1.1.0.zip": skill("1.1.0")})
    before = ledger(hub, "acme/pdf")
    pack(hub.root / "packed/pdf-1.2.0.zip", skill("1.2.0"))
    (hub.root / "packed/pdf-1.0.0.zip").unlink()
    summary = hub.build(FIRST_TIME + 5)
    after = ledger(hub, "acme/pdf")
    assert (after[:2], [one.version for one in after]) == (before, ["1.0.0", "1.1.0", "1.2.0"])
    assert (summary.skills, summary.retained) == (1, 0)
    for version in ("1.0.0", "1.1.0", "1.2.0"):
        assert (hub.out / f"dl/acme/pdf-{version}.zip").is_file()


CLASHES = {
    # name: archives, versions by slug, places that are not published with their codes
    "one version twice": (
        {"pdf-1.0.0.zip": skill("1.0.0"), "pdf_1.0.0.zip": skill("1.0.0", body="other\n")},
        {"pdf": ["1.0.0"]}, [("pdf_1.0.0", ("slug-collision",))],
    ),
    "no versions": (
        {"a.zip": skill(inside="pdf/"), "b.zip": skill(inside="pdf/", body="other\n")},
        {"pdf": ["1.0.0"]}, [("b/pdf", ("slug-collision",))],
    ),
    "in two folders": (
        {"a/pdf-1.0.0.zip": skill("1.0.0"), "b/pdf-1.1.0.zip": skill("1.1.0")},
        {"pdf": ["1.0.0"]}, [("b/pdf", ("slug-collision",))],
    ),
    "the newest is broken": (
        {"pdf-1.0.0.zip": skill("1.0.0"), "pdf-1.1.0.zip": {"SKILL.md": "no front matter\n"}},
        {"pdf": ["1.0.0"]}, [("pdf-1.1.0", ("frontmatter-missing",))],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASHES)
def test_what_is_no_version_of_another_is_told(tmp_path: Path, name: str) -> None:
    archives, expected, refused = CLASHES[name]
    hub, summary = built(tmp_path, archives)
    assert releases(hub) == expected
    assert [(one.folder, one.codes) for one in summary.not_published] == refused


def test_what_a_registry_declared_is_honoured(tmp_path: Path) -> None:
    newer = {
        "owner": "bob", "slug": "skill-manager", "displayName": "Manager",
        "latest": {"version": "1.1.0", "publishedAt": 1_600_000_200_000, "commit": "abc"},
        "history": [{"version": "1.0.0", "publishedAt": 1_600_000_100_000, "commit": "def"}],
    }  # fmt: skip
    hub, summary = built(tmp_path, {"one.zip": skill("1.0.0"), "b.zip": skill(meta=newer)})
    # Without a declaration of its own one.zip is another skill: nothing says that it is the manager.
    assert releases(hub) == {"one": ["1.0.0"], "skill-manager": ["1.1.0"]}
    (release,) = ledger(hub, "acme/skill-manager")
    assert release.first_seen == 1_600_000_200_000
    shutil.rmtree(tmp_path / "hub")
    older = {**newer, "latest": {"version": "1.0.0"}, "history": []}
    hub, summary = built(tmp_path, {"a.zip": skill(body="x\n", meta=older), "b.zip": skill(meta=newer)})
    # The owner is the operator's: whoever packs an archive could write any name there.
    assert summary.not_published == ()
    assert [(one.version, one.first_seen) for one in ledger(hub, "acme/skill-manager")] == [
        ("1.0.0", 1_600_000_100_000), ("1.1.0", 1_600_000_200_000),
    ]  # fmt: skip


def test_a_time_that_nobody_states_is_the_builds(tmp_path: Path) -> None:
    hub, _ = built(tmp_path, {"pdf-1.0.0.zip": skill("1.0.0"), "pdf-1.1.0.zip": skill("1.1.0")})
    assert [one.first_seen for one in ledger(hub, "acme/pdf")] == [FIRST_TIME, FIRST_TIME]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pdf-1.2.3", ("pdf", "1.2.3")),
        ("pdf-v1.2.3", ("pdf", "1.2.3")),
        ("pdf@1.2.3", ("pdf", "1.2.3")),
        ("pdf_1.2.3", ("pdf", "1.2.3")),
        ("pdf-1.0.0-rc.1", ("pdf", "1.0.0-rc.1")),
        ("my-pdf-2-tool-1.2.3", ("my-pdf-2-tool", "1.2.3")),
        ("pdf", ("pdf", None)),
        ("pdf-2", ("pdf-2", None)),
        ("pdf-1.2", ("pdf-1.2", None)),
        ("pdf-2024.01.15", ("pdf-2024.01.15", None)),
        ("1.2.3", ("1.2.3", None)),
        ("-1.2.3", ("-1.2.3", None)),
        ("", ("", None)),
    ],
)
def test_a_version_behind_a_name(name: str, expected: tuple[str, str | None]) -> None:
    assert split_version(name) == expected


REFUSED = {
    # name: the bytes of an archive, code
    "no archive": (b"hello", "archive-unreadable"),
    "cut off": (None, "archive-unreadable"),
    "without a skill": ({"README.md": "x"}, "archive-without-skill"),
    "a name that leads out": ({"../SKILL.md": "x"}, "path-dot-segment"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_archive_is_not_published_and_the_others_are(tmp_path: Path, name: str) -> None:
    content, code = REFUSED[name]
    place = tmp_path / "hub/packed/bad.zip"
    pack(place, content if isinstance(content, dict) else skill("1.0.0"))
    if not isinstance(content, dict):
        place.write_bytes(content if content is not None else place.read_bytes()[:-30])
    hub, summary = built(tmp_path, {"pdf-1.0.0.zip": skill("1.0.0")})
    assert releases(hub) == {"pdf": ["1.0.0"]}
    assert [(one.folder.partition("/")[0], one.codes) for one in summary.not_published][:1] in (
        [("bad", (code,))], [("..", (code,))],
    )  # fmt: skip
    assert "packed/" in summary.not_published[0].reason
