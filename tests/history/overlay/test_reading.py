"""An overlay as it is written: what each kind means, and errors that name the place and the mend."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from generator.errors import ConfigError
from generator.history.overlay.model import (
    Archival,
    Categorisation,
    Deprecation,
    Feature,
    Overlay,
    Place,
    Quarantine,
    Rename,
    Review,
    SlugHolder,
    TagPin,
    Yank,
)
from generator.history.overlay.reading import KINDS, read_overlay_folder, read_overlay_text
from generator.model import Owner, Sha256, Slug, Version

HERE = Place("overlay/a.yml", 1, 1)
PDF = (Owner("acme"), Slug("pdf"))
DOC = (Owner("acme"), Slug("docx"))
DIGEST = "ab" * 32

FULL = f"""\
yank:
  acme/pdf@1.0.0: Deletes its input.
  "@acme/pdf@1.1.0": >
    Does so
    too.
deprecate:
  acme/docx:
    successor: acme/pdf
    reason: Merged.
  acme/old-one: Nobody needs it.
  acme/old-two:
  acme/old-three: {{}}
archive:
  acme/still: Finished.
  acme/silent:
quarantine:
  acme/bad: Reads keys.
  acme/pdf@2.0.0-beta.1: Being looked into.
rename:
  acme/former: acme/pdf
  gone/moved: acme/moved
feature:
  - acme/pdf
  - "@acme/docx"
tags:
  acme/pdf: {{latest: 1.2.0, beta: 2.0.0-beta.1}}
categories:
  acme/pdf: Documents
slugs:
  pdf: acme
reviews:
  - rule: reverse_shell
    sha256: {DIGEST.upper()}
    by: The security team
    reason: A sample in a lesson.
"""


def read(text: str) -> Overlay:
    return read_overlay_text(text.encode(), "overlay/a.yml")


def test_every_kind_is_read() -> None:
    def key(name: str) -> tuple[Owner, Slug]:
        return Owner("acme"), Slug(name)

    assert read(FULL) == Overlay(
        yank=(
            Yank(HERE, PDF, Version("1.0.0"), "Deletes its input."),
            Yank(HERE, PDF, Version("1.1.0"), "Does so too."),
        ),
        deprecate=(
            Deprecation(HERE, DOC, "Merged.", PDF),
            Deprecation(HERE, key("old-one"), "Nobody needs it.", None),
            Deprecation(HERE, key("old-two"), "", None),
            Deprecation(HERE, key("old-three"), "", None),
        ),
        archive=(Archival(HERE, key("still"), "Finished."), Archival(HERE, key("silent"), "")),
        quarantine=(
            Quarantine(HERE, key("bad"), None, "Reads keys."),
            Quarantine(HERE, PDF, Version("2.0.0-beta.1"), "Being looked into."),
        ),
        rename=(
            Rename(HERE, key("former"), PDF),
            Rename(HERE, (Owner("gone"), Slug("moved")), key("moved")),
        ),
        feature=(Feature(HERE, PDF), Feature(HERE, DOC)),
        tags=(TagPin(HERE, PDF, "latest", Version("1.2.0")), TagPin(HERE, PDF, "beta", Version("2.0.0-beta.1"))),
        categories=(Categorisation(HERE, PDF, "Documents"),),
        slugs=(SlugHolder(HERE, Slug("pdf"), Owner("acme")),),
        reviews=(Review(HERE, "reverse_shell", Sha256(DIGEST), "The security team", "A sample in a lesson."),),
    )  # fmt: skip


def test_the_example_has_every_kind() -> None:
    assert all(getattr(read(FULL), kind) for kind in KINDS)


def test_a_decision_knows_its_place() -> None:
    overlay = read(FULL)
    assert str(overlay.yank[1].place) == "overlay/a.yml, line 3, column 3"
    assert (
        overlay.tags[1].place.line
        == FULL.splitlines().index("  acme/pdf: {latest: 1.2.0, beta: 2.0.0-beta.1}") + 1
    )


@pytest.mark.parametrize(
    "text",
    ["", "# nothing\n", "yank:\nfeature:\nreviews:\n", "{}\n", "yank: {}\nreviews: []\n"],
    ids=["empty", "comment", "empty sections", "empty mapping", "empty collections"],
)
def test_nothing_decided(text: str) -> None:
    assert read(text) == Overlay()


WRONG = {
    "unknown kind": (
        "yanks:\n  acme/pdf@1.0.0: x\n",
        "line 1, column 1: yanks: unknown key. Did you mean 'yank'?",
    ),
    "no mapping": ("- yank\n", "line 1, column 1: overlay: expected `key: value` lines."),
    "section is a text": ("yank: acme/pdf\n", "line 1, column 7: yank: expected `key: value` lines."),
    "feature is no list": ("feature: acme/pdf\n", "line 1, column 10: feature: expected a list"),
    "no owner": ("yank:\n  pdf@1.0.0: x\n", "line 2, column 3: yank: 'pdf@1.0.0' names no owner. Write owner/slug."),
    "no version": ("yank:\n  acme/pdf: x\n", "line 2, column 3: yank: 'acme/pdf' names no version. Write acme/pdf@1."),
    "version where none belongs": (
        "deprecate:\n  acme/pdf@1.0.0: x\n",
        "'acme/pdf@1.0.0' names a version, but this is about the whole skill. Write acme/pdf.",
    ),
    "half a version": ("yank:\n  acme/pdf@1.0: x\n", "yank: '1.0' is not a whole version. Write 1.0.0."),
    "no version at all": ("yank:\n  acme/pdf@latest: x\n", "'latest' is not a version such as 1.2.3."),
    "bad slug": ("archive:\n  acme/PDF: x\n", "archive: slug 'PDF' must be 3-96 of a-z"),
    "bad owner": ("archive:\n  Acme/pdf: x\n", "archive: owner 'Acme' must be"),
    "owner of the hub": ("archive:\n  api/pdf: x\n", "owner 'api' is a path of the hub itself"),
    "empty owner": ("archive:\n  /pdf: x\n", "'/pdf' names no owner"),
    "no reason": ("yank:\n  acme/pdf@1.0.0:\n", "yank.acme/pdf@1.0.0: a reason must not be empty."),
    "null reason": ("yank:\n  acme/pdf@1.0.0: ~\n", "a reason must not be empty."),
    "reason is a list": ("yank:\n  acme/pdf@1.0.0: [a]\n", "yank.acme/pdf@1.0.0: expected a text."),
    "long reason": (f"yank:\n  acme/pdf@1.0.0: {'x' * 501}\n", "a reason has 500 characters at most, and this has 5"),
    "hidden character": ('yank:\n  acme/pdf@1.0.0: "a\u202eb"\n', "invisible character U+202E."),
    "unknown key of a deprecation": (
        "deprecate:\n  acme/pdf:\n    sucessor: acme/docx\n",
        "line 3, column 5: deprecate.acme/pdf.sucessor: unknown key. Did you mean 'successor'?",
    ),
    "successor without owner": (
        "deprecate:\n  acme/pdf: {successor: docx}\n",
        "deprecate.acme/pdf.successor: 'docx' names no owner. Write owner/slug.",
    ),
    "rename to nothing": ("rename:\n  acme/pdf:\n", "rename.acme/pdf: slug '' must be"),
    "tag like a version": ("tags:\n  acme/pdf: {v2: 1.0.0}\n", "tag 'v2' must be"),
    "tag in capitals": ("tags:\n  acme/pdf: {Beta: 1.0.0}\n", "line 2, column 14: tags.acme/pdf: tag 'Beta' must be"),
    "tag without version": ("tags:\n  acme/pdf: {beta: soon}\n", "tags.acme/pdf.beta: 'soon' is not a version"),
    "review without reason": (
        f"reviews:\n  - {{rule: secret, sha256: {DIGEST}, by: us}}\n",
        "line 2, column 5: reviews: a review needs `reason`: Why it is fine.",
    ),
    "review of no digest": (
        "reviews:\n  - {rule: secret, sha256: abc, by: us, reason: fine}\n",
        "reviews.sha256: 'abc' is not a sha256: 64 hexadecimal digits.",
    ),
    "review of no rule": (
        f"reviews:\n  - {{rule: Not A Rule, sha256: {DIGEST}, by: us, reason: fine}}\n",
        "reviews.rule: 'Not A Rule' is not the id of a rule",
    ),
    "the same key twice": ("yank:\n  acme/pdf@1.0.0: a\n  acme/pdf@1.0.0: b\n", "already written on line 2"),
    "no yaml": ("yank: [\n", "overlay/a.yml, line "),
    "anchor": ("yank: &a\n  acme/pdf@1.0.0: a\n", "Anchors (&) and aliases (*) are not accepted"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_names_file_line_key_and_mend(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert str(caught.value).startswith("overlay/a.yml, line ")
    assert message in str(caught.value)


def test_not_utf_8() -> None:
    with pytest.raises(ConfigError, match=r"overlay/a\.yml: not UTF-8 text"):
        read_overlay_text(b"yank: \xff", "overlay/a.yml")


def test_the_folder_is_read_by_file_name(tmp_path: Path) -> None:
    (tmp_path / "b.yml").write_text("feature: [acme/pdf]\n")
    (tmp_path / "a.yml").write_text("feature: [acme/docx]\n")
    (tmp_path / "README.md").write_text("# What lies here\n")
    (tmp_path / ".hidden.yml").write_text("nonsense: true\n")
    assert [one.feature[0].skill for one in read_overlay_folder(str(tmp_path))] == [DOC, PDF]
    assert read_overlay_folder(str(tmp_path / "nowhere")) == ()


FOLDERS = {
    "another ending": ("a.yaml", "overlay/a.yaml: overlay files end in .yml. Rename it."),
    "capital ending": ("a.YML", "overlay/a.YML: overlay files end in .yml. Rename it."),
}


@pytest.mark.parametrize(("name", "message"), FOLDERS.values(), ids=FOLDERS)
def test_no_file_is_left_out_in_silence(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / name).write_text("feature: []\n")
    with pytest.raises(ConfigError) as caught:
        read_overlay_folder(str(tmp_path))
    assert str(caught.value) == message


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.yml").mkdir()
    with pytest.raises(ConfigError, match=r"overlay/a\.yml: not a file\. Remove or rename it\."):
        read_overlay_folder(str(tmp_path))
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"overlay: cannot be read \(Not a directory\)"):
        read_overlay_folder(str(tmp_path / "file"))


def test_every_key_is_documented() -> None:
    page = (Path(__file__).parents[3] / "docs/overlay.md").read_text(encoding="utf-8")
    for kind in KINDS:
        assert f"\n| `{kind}` |" in page, kind
    example = page.partition("```yaml\noverlay:\n")[2].partition("```")[0]
    overlay = read(dedent(example))
    assert all(getattr(overlay, kind) for kind in KINDS)
