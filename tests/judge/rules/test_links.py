"""Links: which of them work for a reader who installs the skill, and that only real links are judged."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from generator.findings import CODES
from generator.judge.model import Place, Subject
from generator.judge.rules import links
from generator.judge.rules.markup import Masks, find_destinations
from generator.model import Finding
from generator.read.manifest import read_skill
from generator.read.package import Limits
from generator.read.sources.folder import find_skill_folders, read_package
from tests.conftest import require
from tests.deps.install import COLLECTIONS, NpmCollection
from tests.read.helpers import Content, package

FRONT = "---\nname: demo\ndescription: Does one thing.\n---\n"
FILES: dict[str, Content] = {
    "references/Forms.md": "x",
    "references/a b.md": "x",
    "references/e%20f.md": "x",
    "references/notes (old).md": "x",
    "references/中文.md": "x",
    "scripts/run.py": "x",
    "scripts/lib/tool.py": "x",
    "logo.png": "x",
}


def subject(body: str, folder: str = "skills/demo", files: dict[str, Content] | None = None) -> Subject:
    found = package({**(FILES if files is None else files), "SKILL.md": FRONT + body}, folder)
    return Subject(read_skill(found), Place(folder.rpartition("/")[2] or "demo"))


def find(body: str, folder: str = "skills/demo") -> list[Finding]:
    return list(links.find(subject(body, folder)))


@pytest.mark.parametrize(
    "body",
    [
        "[run](scripts/run.py)",
        "[run](./scripts/run.py)",
        "[run](scripts/run.py#L10)",
        "[run](scripts/run.py?raw=true)",
        "[run](scripts/run.py:12)",
        '[run](scripts/run.py "with a title")',
        "[run](<scripts/run.py>)",
        "[folder](scripts)",
        "[folder](scripts/)",
        "[folder](./)",
        "[deep](scripts/../scripts/lib/tool.py)",
        "[blank](references/a%20b.md)",
        "[blank](<references/a b.md>)",
        "[percent](references/e%20f.md)",
        "[percent](references/e%2520f.md)",
        "[round](<references/notes (old).md>)",
        "[round](references/notes%20\\(old\\).md)",
        "[cjk](references/中文.md) [cjk](references/%E4%B8%AD%E6%96%87.md)",
        "![image](logo.png)",
        "[![image](logo.png)](scripts/run.py)",
        "[text][ref]\n\n[ref]: scripts/run.py",
        "[web](https://example.com/a/b) [mail](mailto:a@example.com) [web](//example.com) [web](HTTP://example.com)",
        "[anchor](#usage) [empty]() [query](?x=1)",
        "[not a link] (nowhere.md)",
        "\\[not a link](nowhere.md)",
        "`[code](nowhere.md)`",
        "``[code](nowhere.md) ` ``",
        "two lines of `code that\nspans [them](nowhere.md)` here",
        "```\n[code](nowhere.md)\n```",
        "~~~md\n[code](nowhere.md)\n```\n[code](nowhere.md)\n~~~",
        "- item\n\n  ```\n  [code](nowhere.md)\n  ```",
        "> ```\n> [code](nowhere.md)\n> ```",
        "text\n\n    [code](nowhere.md)\n",
        "<!-- [comment](nowhere.md) -->",
        "<!--\n[comment](nowhere.md)\n-->",
        "[text]({{ url }}) [text](${PATH}/x.md) [text](<path>) [text](url) [text](path) [text](...) [x](docs/*.md)",
        "[^1]: nowhere.md",
        "Run `python scripts/run.py` and `scripts/lib/tool.py --help`.",
        "Write `src/main.py` and `config/app.yml` in the user's project.",
        "Run `scripts/*.py` or `scripts/<name>.py` or `other/scripts/run.sh` or `~/scripts/run.sh`.",
        "In words scripts/missing.py may be anything.",
        "assets/ is not a folder of this skill: `assets/missing.png`.",
    ],
)
def test_nothing_is_said_of(body: str) -> None:
    assert find(body) == []


@pytest.mark.parametrize(
    ("body", "code", "place", "text", "said"),
    [
        ("See [a](nowhere.md).", "link-broken", (5, 9), "nowhere.md", "Add the file"),
        ("a\n\n- b [x](docs/run.py)", "link-broken", (7, 9), "docs/run.py", "Write scripts/run.py"),
        ("![i](img/none.png)", "link-broken", (5, 6), "img/none.png", "Add the file"),
        ("[a][r]\n\n[r]: none.md", "link-broken", (7, 6), "none.md", "Add the file"),
        ("中文 [a](nowhere.md)", "link-broken", (5, 8), "nowhere.md", "Add the file"),
        ("a\r\n\r\n[a](nowhere.md)", "link-broken", (7, 5), "nowhere.md", "Add the file"),
        ("a\r\r[a](nowhere.md)", "link-broken", (7, 5), "nowhere.md", "Add the file"),
        ("[![a](logo.png)](nowhere.md)", "link-broken", (5, 18), "nowhere.md", "Add the file"),
        ("| a | b |\n|--|--|\n| [x](nowhere.md) | ` |", "link-broken", (7, 7), "nowhere.md", "Add the file"),
        ("an ` tick [a](nowhere.md)", "link-broken", (5, 15), "nowhere.md", "Add the file"),
        ("- a\n\n    [a](nowhere.md)", "link-broken", (7, 9), "nowhere.md", "Add the file"),
        ("```\ncode\n```\n[a](nowhere.md)", "link-broken", (8, 5), "nowhere.md", "Add the file"),
        ("[a](references/forms.md)", "link-case-mismatch", (5, 5), "references/forms.md", "references/Forms.md"),
        ("[a](References/)", "link-case-mismatch", (5, 5), "References/", "Write references"),
        ("[a](skill.md)", "link-case-mismatch", (5, 5), "skill.md", "Write SKILL.md"),
        ("`SCRIPTS` and `scripts/RUN.py`", "link-case-mismatch", (5, 16), "scripts/RUN.py", "scripts/run.py"),
        ("[a](/home/me/x.md)", "link-absolute", (5, 5), "/home/me/x.md", "relative"),
        ("[a](/opt/x/scripts/run.py)", "link-absolute", (5, 5), "/opt/x/scripts/run.py", "Write scripts/run.py"),
        ("[a](C:\\me\\x.md)", "link-absolute", (5, 5), "C:\\me\\x.md", "relative"),
        ("[a](c:/me/x.md)", "link-absolute", (5, 5), "c:/me/x.md", "relative"),
        ("[a](~/x.md)", "link-absolute", (5, 5), "~/x.md", "relative"),
        ("[a](file:///etc/hosts)", "link-absolute", (5, 5), "file:///etc/hosts", "relative"),
        ("[a](scripts\\run.py)", "link-backslash", (5, 5), "scripts\\run.py", "Write scripts/run.py"),
        ("[a](..\\other\\x.md)", "link-backslash", (5, 5), "..\\other\\x.md", "Write ../other/x.md"),
        ("[a](../../docs/x.md)", "link-leaves-skill", (5, 5), "../../docs/x.md", "Copy"),
        ("[a](../../../../../x.md)", "link-leaves-skill", (5, 5), "../../../../../x.md", "Copy"),
        ("[a](../shared/x.md)", "link-leaves-skill", (5, 5), "../shared/x.md", "Copy"),
        ("[a](../demo/scripts/run.py)", "link-leaves-skill", (5, 5), "../demo/scripts/run.py", "scripts/run.py"),
        ("[a](../pdf/SKILL.md)", "link-to-sibling-skill", (5, 5), "../pdf/SKILL.md", "the skill pdf"),
        ("[a](../pdf/)", "link-to-sibling-skill", (5, 5), "../pdf/", "the skill pdf"),
        ("[a](../../other/pdf/SKILL.md#x)", "link-to-sibling-skill", (5, 5), "../../other/pdf/SKILL.md#x", "pdf"),
        ("[a](.github/x.md)", "link-to-left-out", (5, 5), ".github/x.md", "dot"),
        ("[a](node_modules/x/y.js)", "link-to-left-out", (5, 5), "node_modules/x/y.js", "elsewhere"),
        ("[a](javascript:alert(1))", "link-scheme", (5, 5), "javascript:alert(1)", "https"),
        ("[a](mdc:rules/x.md)", "link-scheme", (5, 5), "mdc:rules/x.md", "https"),
        ("Run `scripts/none.py`.", "mention-missing-file", (5, 6), "scripts/none.py", "Add the file"),
        ("```\npython scripts/tool.py\n```", "mention-missing-file", (6, 8), "scripts/tool.py", "scripts/lib/tool.py"),
    ],
)  # fmt: skip
def test_what_is_found(body: str, code: str, place: tuple[int, int], text: str, said: str) -> None:
    found = find(body)
    assert [f.code for f in found] == [code]
    assert (found[0].line, found[0].column) == place
    assert found[0].text == text
    assert said in found[0].fix
    assert found[0].path == "skills/demo/SKILL.md"


def test_a_skill_that_is_the_root_of_its_source() -> None:
    assert [f.code for f in find("[a](../x/SKILL.md) [b](../../y.md)", "")] == [
        "link-to-sibling-skill",
        "link-leaves-skill",
    ]


def test_findings_are_bounded_and_in_order() -> None:
    found = find("".join(f"[a](none-{n}.md)\n" for n in range(500)))
    assert [f.line for f in found] == list(range(5, 55))


def test_a_wrong_case_manifest_is_named_as_it_is() -> None:
    made = package({"skill.md": FRONT + "[a](nowhere.md)"}, "demo")
    found = list(links.find(Subject(read_skill(made), Place("demo"))))
    assert [f.path for f in found] == ["demo/skill.md"]


def test_sibling_links_for_the_catalog() -> None:
    body = "[a](../pdf/SKILL.md) `[b](../docx/SKILL.md)` [c](../../docs/x.md)\n[d](../../more/x/SKILL.md)"
    found = links.find_sibling_links(subject(body))
    assert [(link.folder, link.line, link.column) for link in found] == [
        ("skills/pdf", 5, 5),
        ("more/x", 6, 5),
    ]


HOSTILE = {
    "blanks": "](a" + " " * 300_000,
    "brackets": "](" * 100_000,
    "links in one paragraph": "[a](b.md)\n" * 50_000,
    "code spans": "`[a](b.md)` " * 50_000,
    "runs of ticks": "".join("`" * (n % 300 + 1) + " [a](b) " for n in range(4_000)),
    "open brackets": "[" * 200_000 + "](x.md)",
    "definitions": "[a]: x.md\n" * 50_000,
    "comments": "<!-- [a](b.md) -->\n" * 30_000,
    "angles": "](<" * 100_000,
    "titles": '](a "' * 60_000,
    "backslashes": "\\" * 200_000 + "](a.md)",
    "mentions": "`scripts/" + "a/" * 100_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_hostile_bodies_take_no_time(body: str) -> None:
    made = subject(body)
    started = time.process_time()
    list(links.find(made))
    links.find_sibling_links(made)
    assert time.process_time() - started < 3


@given(st.text(st.sampled_from("[]()<>`\\!#:./ab \n\t-|\"'~"), max_size=200))
def test_no_text_raises(body: str) -> None:
    for note in find(body):
        assert note.code in CODES


# --- against a real Markdown parser ----------------------------------------------------------------


def hrefs(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "link_open" and token.info != "auto":
            yield str(token.attrs["href"])
        elif token.type == "image":
            yield str(token.attrs["src"])
        yield from hrefs(token.children or [])


def as_read(url: str) -> str:
    return unquote(unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", url)))


def by_markdown_it(text: str) -> set[str]:
    env: dict[str, dict[str, dict[str, str]]] = {}
    tokens = MarkdownIt("commonmark").enable("table").parse(text, env)
    defined = env.get("references", {}).values()
    return {as_read(url) for url in hrefs(tokens)} | {as_read(d["href"]) for d in defined}


def by_us(text: str) -> set[str]:
    masks = Masks(text)
    return {as_read(d.raw) for d in find_destinations(text) if not masks.hide(d.start)}


@pytest.mark.parametrize(
    "text",
    [
        "[a](b) [c](<d e>) [f](g 'h') [i](j(k)l) [m](\n n\n)",
        "[a [nested] b](c)",
        "a](b)",
        "[a\n\nb](c)",
        "text\n[a]: b",
        "[a]: b\n[c]: d\n\n[e]:\n  f",
        "# [a](b)\n#92](c)",
        "1. [a](b)\n2. `x\n3. [c](d) y`",
        "| a | b |\n|--|--|\n| `x` [b](c) | ` |",
        "***[a](b)*** ~~[c](d)~~",
        "\\`[a](b)\\`",
        "`a\\` [b](c) `",
        "text <!-- a --> [b](c)",
        "````\n```\n[a](b)\n```\n````\n[c](d)",
        '[a](b "c" d)',
        "[a](b c)",
    ],
)
def test_what_is_a_link_says_markdown_it(text: str) -> None:
    assert by_us(text) == by_markdown_it(text)


@pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda c: str(c.name))
def test_links_of_public_collections_are_those_of_markdown_it(collection: NpmCollection) -> None:
    require("collections")
    root = str(collection.folder)
    compared = 0
    for folder in find_skill_folders(root).folders:
        found, _ = read_package(root, "source", folder, Limits())
        for file in found.files if found is not None else ():
            if file.path.endswith(".md"):
                text = file.data.decode("utf-8", "replace").replace("\r\n", "\n")
                wanted = by_markdown_it(text)
                assert by_us(text) == wanted, os.path.join(folder, file.path)
                compared += len(wanted)
    assert compared > 20
