"""Hashes of content, against golden vectors made with the clients' own published code."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.model import PackageFile, PackagePath, Sha256
from generator.write.fingerprint import (
    compute_hashes,
    fingerprint,
    folder_hash,
    installed_files,
    published_files,
    text_files_0_8,
    text_files_0_20,
    tree_hash,
)

VECTORS = json.loads((Path(__file__).parent / "data" / "fingerprint-vectors.json").read_text("utf-8"))
CASES = {vector["id"]: vector for vector in VECTORS["vectors"]}
LISTING = VECTORS["listing_vector"]


def make_file(path: str, data: bytes | str = b"x", *, executable: bool = False) -> PackageFile:
    raw = data.encode("utf-8") if isinstance(data, str) else data
    return PackageFile(PackagePath(path), raw, Sha256(sha256(raw).hexdigest()), executable)


def files_of(vector: dict) -> list[PackageFile]:
    return [
        make_file(path, bytes.fromhex(c["hex"]) if "hex" in c else c["text"])
        for path, c in vector["files"].items()
    ]


def fingerprint_of(files: list[PackageFile]) -> str:
    return fingerprint([(file.path, file.sha256) for file in files])


@pytest.mark.parametrize("case", CASES)
def test_fingerprint_is_the_clients(case):
    vector = CASES[case]
    rows = list(vector["file_sha256"].items())
    assert fingerprint(rows) == vector["fingerprint"]
    assert fingerprint(reversed(rows)) == vector["fingerprint"]


@pytest.mark.parametrize("case", CASES)
def test_all_hashes_of_a_vector(case):
    vector, files = CASES[case], files_of(CASES[case])
    assert {f.path: f.sha256 for f in files} == vector["file_sha256"]
    hashes = compute_hashes(files)
    assert hashes.fingerprint == vector["fingerprint"]
    assert hashes.folder == folder_hash(files) == vector["github_folder_content_hash"]
    # An update by an old client finds its version.
    known = {hashes.fingerprint, *hashes.aliases}
    assert vector["cli_0_20_0_disk"]["fingerprint"] in known
    assert vector["cli_0_5_0_disk"]["fingerprint"] in known


@pytest.mark.parametrize("case", CASES)
def test_what_old_clients_list(case):
    vector, files = CASES[case], files_of(CASES[case])
    assert sorted(f.path for f in text_files_0_20(files)) == sorted(vector["cli_0_20_0_disk"]["files"])
    assert sorted(f.path for f in text_files_0_8(files)) == sorted(vector["cli_0_5_0_disk"]["files"])


@pytest.mark.parametrize(
    ("list_files", "golden"), [(installed_files, "install_update"), (published_files, "publish_sync")]
)
def test_what_the_client_of_today_lists(list_files, golden):
    listed = list_files(files_of(LISTING))
    assert sorted(f.path for f in listed) == sorted(LISTING[golden]["listed"])
    assert fingerprint_of(listed) == LISTING[golden]["fingerprint"]


def test_listings_that_differ_become_aliases():
    hashes = compute_hashes(files_of(LISTING))
    for golden in ("install_update", "publish_sync"):
        assert LISTING[golden]["fingerprint"] in hashes.aliases
    assert list(hashes.aliases) == sorted(set(hashes.aliases))
    assert hashes.fingerprint not in hashes.aliases


def test_a_skill_that_every_client_lists_alike_has_no_alias():
    assert compute_hashes([make_file("SKILL.md"), make_file("scripts/run.py")]).aliases == ()


def test_suffixless_and_binary_files_are_aliased_for_old_clients():
    files = [make_file("SKILL.md"), make_file("LICENSE", "MIT"), make_file("logo.png", b"\x89PNG\0")]
    hashes = compute_hashes(files)
    assert fingerprint_of(files[:1]) in hashes.aliases  # 0.3-0.8
    assert fingerprint_of(files[:2]) in hashes.aliases  # 0.20
    assert len(hashes.aliases) == 2


def test_a_shipped_meta_file_is_aliased():
    vector = CASES["03-meta-json"]
    meta = vector["files"]["_meta.json"]["text"].encode()
    without = [file for file in files_of(vector) if file.path != "_meta.json"]
    assert vector["fingerprint"] in compute_hashes(without, meta=meta).aliases
    assert compute_hashes(without).aliases == ()
    assert compute_hashes(without, meta=meta).fingerprint == CASES["02-case-order"]["fingerprint"]


@pytest.mark.parametrize(
    ("rules", "gone"),
    [
        ("*.log", {"a.LOG", "sub/b.log"}),
        ("sub/", {"sub/b.log", "sub/c.md"}),
        ("/c.md", set()),
        ("*\n!SKILL.md\n!a.log", {"sub/b.log", "sub/c.md"}),
        ("# *.md\r\n\r\nSUB/c.md\r\n", {"sub/c.md"}),
        ("", set()),
    ],
    ids=["suffix", "folder", "anchored", "negated", "comment and case", "empty"],
)
def test_ignore_files_of_the_root_count(rules, gone):
    files = [make_file(path) for path in ("SKILL.md", "a.LOG", "sub/b.log", "sub/c.md")]
    listed = installed_files([*files, make_file(".gitignore", rules)])
    assert {file.path for file in files} - {file.path for file in listed} == gone


def test_ignore_files_of_folders_do_not_count():
    files = [make_file("SKILL.md"), make_file("sub/.gitignore", "*"), make_file("sub/a.md")]
    assert [file.path for file in installed_files(files)] == ["SKILL.md", "sub/a.md"]


def test_tree_hash_is_what_its_text_says():
    files = [
        make_file("b.md", "two"),
        make_file("B.md", "three"),
        make_file("run.sh", "one", executable=True),
    ]
    lines = (
        f"100644 {sha256(b'three').hexdigest()} 5 B.md\n"
        f"100644 {sha256(b'two').hexdigest()} 3 b.md\n"
        f"100755 {sha256(b'one').hexdigest()} 3 run.sh\n"
    )
    assert tree_hash(files) == sha256(lines.encode()).hexdigest()


PATHS = st.lists(
    st.text("aAbB.-_/é漢 ", min_size=1, max_size=6).filter(lambda path: path.strip("/") == path),
    unique=True,
    max_size=6,
)


@given(PATHS, st.randoms(use_true_random=False))
def test_hashes_do_not_depend_on_the_order_of_files(paths, chance):
    files = [make_file(path, path) for path in paths]
    shuffled = list(files)
    chance.shuffle(shuffled)
    assert compute_hashes(files) == compute_hashes(shuffled)


@given(PATHS.filter(bool), st.data())
def test_any_changed_byte_changes_every_hash(paths, data):
    files = [make_file(path, path) for path in paths]
    at = data.draw(st.integers(0, len(files) - 1))
    changed = [*files[:at], make_file(files[at].path, files[at].data + b"!"), *files[at + 1 :]]
    before, after = compute_hashes(files), compute_hashes(changed)
    assert before.fingerprint != after.fingerprint
    assert before.folder != after.folder
    assert before.tree != after.tree
