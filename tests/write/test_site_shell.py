"""The shell: built the same everywhere, kept between builds, and closed to foreign scripts."""

from __future__ import annotations

import base64
import hashlib
import os
import pickle
import re
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from generator.errors import SkillpressError
from generator.write.site.csp import add_policy, read_theme_scripts
from generator.write.site.shell import CATALOG_SLOTS, LIST_SLOTS, SKILL_SLOTS, Shell, build_shell, hub_id
from generator.write.site.shell_cache import load_shell, obtain_shell, shell_key, store_shell
from generator.write.site.stamp import fill_known, split_stamp
from tests.write.site_samples import HUB
from tests.write.site_shell import SITE, sample_shell


def page_bytes(shell: Shell) -> list[tuple[str, bytes]]:
    """Every page with its slots marked."""
    return [
        ("skill", b"@".join(shell.skill.constants)),
        ("publisher", b"@".join(shell.publisher.constants)),
        *((path, b"@".join(stamp.constants)) for path, stamp in shell.pages),
    ]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A copy of our site's sources, to be changed."""
    copy = tmp_path / "site"
    copy.mkdir()
    shutil.copy(SITE / "mkdocs.yml", copy / "mkdocs.yml")
    shutil.copytree(SITE / "site_src", copy / "site_src")
    return copy


def test_two_builds_in_other_places_are_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    again = build_shell(SITE, HUB, tmp_path / "elsewhere" / "deep")
    assert again == sample_shell()


def test_no_path_of_the_machine_is_inside(tmp_path: Path) -> None:
    shell = build_shell(SITE, HUB, tmp_path)
    everything = b"".join([page for _, page in page_bytes(shell)] + [data for _, data in shell.files])
    for path in (str(tmp_path), str(SITE), os.path.expanduser("~") + "/"):
        assert path.encode() not in everything


def test_the_shell_has_exactly_the_slots_that_are_filled() -> None:
    shell = sample_shell()
    assert set(shell.skill.slots) == set(SKILL_SLOTS)
    assert set(shell.publisher.slots) == set(LIST_SLOTS)
    assert {slot for _, stamp in shell.pages for slot in stamp.slots} == set(CATALOG_SLOTS)


def test_nothing_of_mkdocs_own_search_or_clock_is_kept() -> None:
    names = [path for path, _ in sample_shell().files]
    assert not [n for n in names if re.search(r"sitemap|lunr|workers|\.map$|search_index", n)]
    assert not [path for path, _ in sample_shell().pages if "_owner" in path]
    assert "/404.html" in dict(sample_shell().pages)


def test_nothing_is_loaded_from_elsewhere() -> None:
    for name, page in page_bytes(sample_shell()):
        loaded = re.findall(
            rb'<(?:script|img|link rel="(?:stylesheet|icon)")[^>]*(?:src|href)="([^"]*)"', page
        )
        assert loaded
        assert not [url for url in loaded if b"//" in url], name
    styles = b"".join(data for path, data in sample_shell().files if path.endswith("skillpress.css"))
    assert b"@import" not in styles
    assert b"url(" not in styles


def test_the_policy_comes_first_and_its_hashes_are_those_of_the_inline_scripts() -> None:
    for name, page in page_bytes(sample_shell()):
        head = page.decode().split("<head>", 1)[1]
        assert head.startswith(
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        ), name
        allowed = set(re.findall(r"'sha256-([^']+)'", head.split(">", 1)[0]))
        inline = re.findall(r"<script>(.*?)</script>", page.decode(), re.DOTALL)
        assert inline
        assert allowed == {
            base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in inline
        }


def test_no_page_has_inline_styles_or_handlers() -> None:
    for name, page in page_bytes(sample_shell()):
        assert not re.findall(rb"<[^>]+\s(?:style|on[a-z]+)\s*=", page), name
        assert b"<style" not in page, name


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("<script>alert(1)</script>", "inline script"),
        ("<script>__md_scope=new URL('.',location);alert(1)</script>", "inline script"),
        ("<SCRIPT>alert(1)</SCRIPT>", "inline script"),
        ("<script src=https://cdn.example/x.js></script>", "another origin"),
        ("<script src='//cdn.example/x.js'></script>", "another origin"),
    ],
)
def test_a_foreign_script_stops_the_build(site: Path, tmp_path: Path, script: str, words: str) -> None:
    with open(site / "site_src/docs/trust.md", "a", encoding="utf-8") as page:
        page.write(f"\n\n<div>{script}</div>\n")
    with pytest.raises(SkillpressError, match=words) as error:
        build_shell(site, HUB, tmp_path / "work")
    assert "trust/index.html" in str(error.value)


def test_a_theme_script_with_another_base_is_known_and_with_code_in_it_is_not(tmp_path: Path) -> None:
    (tmp_path / "base.html").write_text('<script>x=new URL("{{ base }}",location)</script>', encoding="utf-8")
    known = read_theme_scripts(tmp_path)
    add_policy('<head></head><script>x=new URL("../..",location)</script>', "p", known)
    with pytest.raises(SkillpressError):
        add_policy('<head></head><script>x=new URL("");alert("",location)</script>', "p", known)


def test_an_unknown_word_is_named(site: Path, tmp_path: Path) -> None:
    with open(site / "site_src/docs/trust.md", "a", encoding="utf-8") as page:
        page.write("\nSKILLPRESS_HUB_NAM\n")
    with pytest.raises(SkillpressError, match=r"SKILLPRESS_HUB_NAM\b.*SKILLPRESS_HUB_NAME"):
        build_shell(site, HUB, tmp_path / "work")


def test_a_missing_site_and_a_broken_configuration_are_explained(site: Path, tmp_path: Path) -> None:
    with pytest.raises(SkillpressError, match="missing"):
        build_shell(tmp_path / "nowhere", HUB, tmp_path / "work1")
    (site / "mkdocs.yml").write_text("site_name: [", encoding="utf-8")
    with pytest.raises(SkillpressError, match="cannot be built"):
        build_shell(site, HUB, tmp_path / "work2")


def test_the_hub_s_values_are_escaped_everywhere(tmp_path: Path) -> None:
    hub = replace(
        HUB,
        name='</title><script>alert(1)</script>"',
        description="\"><img src=x onerror='alert(1)'>{{ 7*7 }}",
    )
    for _, page in page_bytes(build_shell(SITE, hub, tmp_path)):
        assert b"<script>alert(1)" not in page
        assert b"<img src=x" not in page
        assert b"{{ 7*7 }}" in page


def test_a_base_path_reaches_the_404_page_and_the_canonical_links() -> None:
    pages = dict(page_bytes(sample_shell()))
    assert b'href="/shelf/assets/skillpress.css' in pages["/404.html"]
    assert b'href="/shelf/browse/"' in pages["/404.html"]
    assert b'<link rel="canonical" href="https://hub.example/shelf/use/">' in pages["/use/"]
    assert b'href="../../../assets/skillpress.css' in pages["skill"]
    assert b"hub.invalid" not in b"".join(pages.values())
    assert b"SKILLPRESS_" not in b"".join(pages.values())


def test_a_base_path_that_needs_escaping_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SkillpressError, match="base path"):
        build_shell(SITE, replace(HUB, url='https://hub.example/"x'), tmp_path)


def test_blank_lines_in_code_of_hand_pages_survive() -> None:
    assert re.search(rb"skillpress|clawhub", dict(page_bytes(sample_shell()))["/use/"])
    use = dict(page_bytes(sample_shell()))["/use/"]
    assert b"\n</span><span" in use or b"\n\n" in use


@pytest.mark.parametrize(("name", "expected"), [("My Hub!", "my-hub"), ("技能", "hub"), ("--A--", "a")])
def test_hub_id(name: str, expected: str) -> None:
    assert hub_id(replace(HUB, name=name)) == expected


def test_the_key_follows_every_input(site: Path) -> None:
    keys = {shell_key(site, HUB)}
    assert shell_key(SITE, HUB) in keys
    keys.add(shell_key(site, replace(HUB, name="x")))
    keys.add(shell_key(site, replace(HUB, description="x")))
    keys.add(shell_key(site, replace(HUB, url="https://x.example")))
    with open(site / "site_src/docs/assets/skillpress.css", "a", encoding="utf-8") as style:
        style.write(" ")
    keys.add(shell_key(site, HUB))
    (site / "site_src/docs/new.md").write_text("# New", encoding="utf-8")
    keys.add(shell_key(site, HUB))
    with open(site / "mkdocs.yml", "a", encoding="utf-8") as config:
        config.write("# x\n")
    keys.add(shell_key(site, HUB))
    assert len(keys) == 7


def test_a_kept_shell_is_the_same_and_a_damaged_one_is_none(tmp_path: Path) -> None:
    store_shell(tmp_path, "old", sample_shell())
    store_shell(tmp_path, "key", sample_shell())
    assert load_shell(tmp_path, "key") == sample_shell()
    assert [p.name for p in tmp_path.iterdir()] == ["shell-key.json"]
    (tmp_path / "shell-key.json").write_bytes(b'{"skill": 1}')
    assert load_shell(tmp_path, "key") is None
    assert load_shell(tmp_path / "nowhere", "key") is None


def test_an_unchanged_shell_costs_little_and_no_mkdocs(tmp_path: Path) -> None:
    obtain_shell(SITE, HUB, tmp_path)
    program = (
        "import sys, time\nfrom pathlib import Path\n"
        "from generator.write.site.shell_cache import obtain_shell\nfrom tests.write.site_samples import HUB\n"
        f"site, cache = Path({str(SITE)!r}), Path({str(tmp_path)!r})\n"
        "obtain_shell(site, HUB, cache)\nstart = time.process_time()\nobtain_shell(site, HUB, cache)\n"
        "print(time.process_time() - start, 'mkdocs' in sys.modules)\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", program], cwd=SITE, capture_output=True, text=True, check=True
    )
    seconds, imported = out.stdout.split()
    assert imported == "False"
    assert float(seconds) < 0.05  # 3 ms on an idle machine


def test_building_prints_nothing(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path\nfrom generator.write.site.shell import build_shell\n"
        "from tests.write.site_samples import HUB\n"
        f"build_shell(Path({str(SITE)!r}), HUB, Path({str(tmp_path)!r}))\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", program], cwd=SITE, capture_output=True, text=True, check=True
    )
    assert (out.stdout, out.stderr) == ("", "")


def test_a_shell_travels_between_processes() -> None:
    assert pickle.loads(pickle.dumps(sample_shell())) == sample_shell()


def test_a_value_that_looks_like_a_slot_stays_text() -> None:
    stamp = split_stamp(b"<p>SKILLPRESS_TITLE|SKILLPRESS_CONTENT</p>")
    filled = stamp.fill({"TITLE": b"SKILLPRESS_CONTENT", "CONTENT": b"x"})
    assert filled == b"<p>SKILLPRESS_CONTENT|x</p>"
    with pytest.raises(KeyError):
        stamp.fill({"TITLE": b"x"})
    assert fill_known(b"SKILLPRESS_HUB_NAME SKILLPRESS_TITLE", {"HUB_NAME": b"h"}) == b"h SKILLPRESS_TITLE"


def test_stamping_is_fast() -> None:
    values = dict.fromkeys(SKILL_SLOTS, b"x" * 4000)
    start = time.process_time()
    for _ in range(500):
        sample_shell().skill.fill(values)
    assert time.process_time() - start < 0.5
