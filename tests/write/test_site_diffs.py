"""The page of a difference: right, escaped, bounded, and the JSON document beside it."""

from __future__ import annotations

import json
import posixpath
from urllib.parse import urlsplit

import pytest

from generator.history.diff.skills import SkillDiff, compare_skills
from generator.model import Owner, SkillFolder, Slug, Version
from generator.write.site.diffs import MAX_FILES, MAX_SHOWN, DiffPlace, diff_content, diff_routes
from generator.write.site.stamp import split_stamp
from tests.history.diff.folders import make_folder
from tests.write.page_reader import read_page
from tests.write.site_samples import HUB

PLACE = DiffPlace(HUB, Owner("lab"), Slug("demo-skill"), "Demo <skill>")
STAMP = split_stamp(
    b"<!doctype html><html><head><title>SKILLPRESS_TITLE</title>"
    b'<meta name="description" content="SKILLPRESS_DESCRIPTION"><link rel="canonical" href="SKILLPRESS_CANONICAL">'
    b"</head><body>SKILLPRESS_CONTENT</body></html>"
)
HOSTILE_NAME = "scripts/<img src=x onerror=alert(1)>\u202e'\"&.py"
HOSTILE_TEXT = "</code></pre><script>alert(1)</script> SKILLPRESS_TITLE \u202e\x1b[31m\n"


def compare(old: SkillFolder, new: SkillFolder) -> SkillDiff:
    return compare_skills(Version("1.0.0"), old, Version("1.1.0-rc.1"), new)


FULL = compare(
    make_folder({"a.md": "one\ntwo\n", "gone.md": "x\n", "b.png": b"\0", "old/name.md": "text\n"}),
    make_folder(
        {
            "a.md": "one\n2\n",
            HOSTILE_NAME: HOSTILE_TEXT,
            "b.png": b"\0\1",
            "new/name.md": "text\n",
            "run": "#!",
        },
        front="version: 1.1.0-rc.1\nallowed-tools: [Bash]\ntags: ['<b>']\n",
        executable=("run",),
    ),
)


def test_the_page_is_whole_and_nothing_of_an_author_is_markup() -> None:
    page, _ = diff_routes(STAMP, PLACE, FULL)
    facts = read_page(page.body)
    assert facts.unclosed == []
    allowed = {
        "html", "head", "title", "meta", "link", "body", "header", "nav", "a", "h1", "h2", "p", "ul", "li", "span",
        "section", "div", "table", "thead", "tbody", "tr", "th", "td", "strong", "em", "code", "small", "br",
        "details", "summary", "pre",
    }  # fmt: skip
    assert {tag for tag, _ in facts.tags} <= allowed
    assert {name for _, attributes in facts.tags for name in attributes} <= {
        "class", "id", "href", "rel", "name", "content", "open", "aria-label", "aria-labelledby",
    }  # fmt: skip
    text = page.body.decode()
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "SKILLPRESS_TITLE" in facts.words(), "an author's word is no slot"
    assert "Demo <skill>" in facts.title


def test_every_link_leads_where_it_should() -> None:
    page, document = diff_routes(STAMP, PLACE, FULL)
    assert page.path == "/lab/skills/demo-skill/diff/1.0.0...1.1.0-rc.1/"
    assert document.path == "/lab/skills/demo-skill/diff/1.0.0...1.1.0-rc.1.json"
    targets = {
        posixpath.normpath(posixpath.join(page.path, urlsplit(link).path))
        for link in read_page(page.body).links()
        if not urlsplit(link).scheme
    }
    assert targets == {"/browse", "/lab", "/lab/skills/demo-skill", document.path}


def test_what_can_act_comes_first() -> None:
    words = read_page(diff_routes(STAMP, PLACE, FULL)[0].body).words()
    places = [words.index(part) for part in ("What it can do now", "What it says of itself", "Files Changed")]
    assert places == sorted(places)
    assert "New Tools all tools" not in words
    for part in (
        "New Script",
        "New Executable run",
        "Changed Tools all tools",
        "Renamed old/name.md to new/name.md",
    ):
        assert part in words, part


def test_lines_are_marked() -> None:
    content = diff_content(PLACE, FULL)
    assert '<span class="sp-diff__gone">-two</span>' in content
    assert '<span class="sp-diff__new">+2</span>' in content
    assert '<span class="sp-diff__same"> one</span>' in content


def test_the_document_holds_all_of_it() -> None:
    _, route = diff_routes(STAMP, PLACE, FULL)
    document = json.loads(route.body)
    assert (document["schema"], document["owner"], document["old"]) == ("skillpress.diff.v1", "lab", "1.0.0")
    by_path = {(one.get("new") or one["old"])["path"]: one for one in document["files"]}
    assert by_path["b.png"]["unshown"] == "binary"
    assert by_path[HOSTILE_NAME]["text"]["added"] == 1
    assert {one["kind"] for one in document["powers"]["changes"]} >= {"script", "executable", "allowed-tools"}
    assert route.body == diff_routes(STAMP, PLACE, FULL)[1].body


def test_nothing_differs() -> None:
    folder = make_folder()
    words = read_page(diff_routes(STAMP, PLACE, compare(folder, folder))[0].body).words()
    assert "Every file is the same." in words
    assert "Nothing that can act or be reached differs." in words


@pytest.mark.parametrize("line", ["<&>'\"\n" * 150, "a" * 399 + "\n"])
def test_the_page_is_bounded_and_programs_keep_their_room(line: str) -> None:
    files: dict[str, bytes | str] = {f"a{number:04}.md": line * 12 for number in range(MAX_FILES + 50)}
    diff = compare(make_folder(), make_folder({**files, "z.sh": "curl https://a.example\n"}))
    content = diff_content(PLACE, diff)
    assert len(content) < 2 * MAX_SHOWN
    assert content.count("<details") == MAX_FILES
    assert "51 files more are in the JSON document" in content
    assert "<code>z.sh</code> <span" in content


def test_a_program_is_shown_however_much_else_there_is() -> None:
    files: dict[str, bytes | str] = {f"a{number:04}.md": "<<<<<<<<<<<<\n" * 50 for number in range(200)}
    diff = compare(make_folder(), make_folder({**files, "z.sh": "curl https://a.example\n"}))
    assert '<span class="sp-diff__new">+curl https://a.example</span>' in diff_content(PLACE, diff)
