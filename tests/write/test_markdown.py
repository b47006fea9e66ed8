"""What authors' Markdown becomes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.write.site.commonmark import make_markdown_it, make_pyromark
from generator.write.site.highlight import highlight_code
from generator.write.site.links import LinkResolver
from generator.write.site.markdown import render_markdown
from generator.write.site.rewrite import TocEntry
from tests.hostile.live import find_live

LINKS = LinkResolver(
    anchors={"SKILL.md": "file-1", "scripts/run me.py": "file-2", "references/表.md": "file-3"},
    folder="office/review",
    neighbours={"office/charts": "lab/charts", "office/review": "lab/review", "other": "ann/other"},
)

TARGETS = {
    "own file": ("scripts/run me.py", "#file-2"),
    "own file, escaped": ("scripts/run%20me.py", "#file-2"),
    "own file, dotted": ("./scripts/../scripts/run%20me.py", "#file-2"),
    "own file, with fragment": ("SKILL.md#steps", "#file-1"),
    "own file, Chinese": ("references/%E8%A1%A8.md", "#file-3"),
    "own folder": ("references/", "#files"),
    "own folder, no slash": ("scripts", "#files"),
    "sibling": ("../charts/SKILL.md", "../../../lab/skills/charts/"),
    "sibling's folder": ("../charts/", "../../../lab/skills/charts/"),
    "sibling's file": ("../charts/references/a.md", "../../../lab/skills/charts/"),
    "cousin": ("../../other/SKILL.md", "../../../ann/skills/other/"),
    "web": ("https://a.example/b?c=d#e", "https://a.example/b?c=d#e"),
    "mail": ("mailto:a@b.example", "mailto:a@b.example"),
    "no scheme": ("//a.example/b", "https://a.example/b"),
    "wrong case": ("skill.md", None),
    "unknown file": ("nothing.md", None),
    "unknown sibling": ("../nothing/SKILL.md", None),
    "out of the source": ("../../../../etc/passwd", None),
    "itself from outside": ("../review/nothing.md", None),
    "absolute path": ("/etc/passwd", None),
    "script": ("javascript:alert(1)", None),
    "script with a tab": ("java\tscript:alert(1)", None),
    "data": ("data:text/html,x", None),
    "backslash": ("\\\\a.example", None),
    "empty": ("", None),
    "query only": ("?x", None),
}


@pytest.mark.parametrize(("target", "expected"), TARGETS.values(), ids=TARGETS.keys())
def test_where_links_lead(target: str, expected: str | None) -> None:
    assert LINKS.resolve(target) == expected


def test_broken_links_are_text_and_listed_once() -> None:
    rendered = render_markdown("[a](x.md) [b](x.md) [c](#none) ![d](y.png)", LINKS)
    assert rendered.broken_links == ("x.md", "y.png", "#none")
    assert "<a" not in rendered.html
    assert "[image: d]" in rendered.html


def test_headings_get_ids_and_a_table_of_contents() -> None:
    rendered = render_markdown("# One *two*\n## 中文 标题\n## 中文 标题\n### !!!\n[up](#one-two)", LINKS)
    assert rendered.toc == (
        TocEntry(1, "s-one-two", "One two"),
        TocEntry(2, "s-中文-标题", "中文 标题"),
        TocEntry(2, "s-中文-标题-1", "中文 标题"),
        TocEntry(3, "s-section", "!!!"),
    )
    assert '<h3 class="sp-h1" id="s-one-two">One <em>two</em></h3>' in rendered.html
    assert '<a href="#s-one-two">up</a>' in rendered.html


def test_ids_stay_unique_where_titles_imitate_numbers() -> None:
    toc = render_markdown("# a\n# a-1\n# a\n# a", LINKS).toc
    assert len({entry.id for entry in toc}) == 4


def test_a_table_scrolls_in_its_own_box_and_keeps_its_alignment() -> None:
    html = render_markdown("| a | b |\n| - | :-: |\n| 1 | 2 |", LINKS).html
    assert html.startswith('<div class="sp-scroll"><table>')
    assert '<td align="center">2</td>' in html
    assert html.rstrip().endswith("</table></div>")


def test_alignment_in_shown_code_is_left_alone() -> None:
    code = '<td style="text-align: left">'
    assert "style=" in render_markdown(f"```text\n{code}\n```", LINKS).html


def test_tasks_are_glyphs_not_inputs() -> None:
    html = render_markdown("- [x] a\n- [ ] b", LINKS).html
    assert "<input" not in html
    assert html.index("☑") < html.index("☐")


def test_code_is_coloured_and_unknown_languages_are_not() -> None:
    assert '<span class="k">for</span>' in render_markdown("```python\nfor x in y: pass\n```", LINKS).html
    plain = render_markdown("```mermaid\ngraph TD\n```", LINKS).html
    assert '<div class="highlight"><pre><code>graph TD' in plain


@pytest.mark.parametrize("language", ["bash", "json", "python", "yaml", "html", "console", "YML", "sh"])
def test_colours_change_no_character(language: str) -> None:
    from html import unescape
    from re import sub

    code = "  a: \"b\" <c> & $x # d\n\n\tdef f(): 'é'\n$ ls | x\n"
    html = highlight_code(language, code)
    assert html is not None
    assert unescape(sub(r"</?span[^>]*>", "", html)) == code


def test_footnotes_are_not_broken_links() -> None:
    rendered = render_markdown("a[^1]\n\n[^1]: note", LINKS)
    assert rendered.broken_links == ()
    assert "note" in rendered.html


@pytest.mark.parametrize(
    "text",
    [
        "# a\n\ntext\n- a\n- b\n\n1. c\n",
        "| a | b |\n| - | - |\n| 1 | 2 |",
        "> quote\n\n```python\nx = 1\n```",
        "~~gone~~ **bold** [x](SKILL.md)",
        "教案 **设计**",
    ],
)
def test_both_renderers_agree(text: str) -> None:
    def words(html: str) -> str:
        return html.replace("\n", "")

    ours, fallback = (render_markdown(text, LINKS, make()) for make in (make_pyromark, make_markdown_it))
    assert words(ours.html).replace("<del>", "<s>").replace("</del>", "</s>") == words(fallback.html)
    assert ours.toc == fallback.toc


_PIECES = st.sampled_from(
    [
        "<script>", "</script>", "<img src=x onerror=", '"', "'", "<a href=", "javascript:", ">", "<", "](", "[", "`",
        "```html\n", "\n\n", "# ", "| a |\n| - |\n", "&#106;", "<svg>", "<style>", "<h2 ", "</h2>", "<!--", "-->",
        "<pre><code class=", "language-x", "- [x] ", "[^1]", "onload=", "style=", "\\", "=", " ", "![", ")", "</a>",
        "<table><td>", "<math>", "<input checked ", 'title="', "#", "<details>", "\x00", "中",
    ]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(_PIECES, st.text(max_size=6)), max_size=40).map("".join))
def test_no_text_ever_yields_something_live(text: str) -> None:
    rendered = render_markdown(text, LINKS)
    assert find_live(rendered.html) == []
    assert len({entry.id for entry in rendered.toc}) == len(rendered.toc)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(_PIECES, st.text(max_size=6)), max_size=30).map("".join))
def test_no_text_ever_yields_something_live_with_the_fallback(text: str) -> None:
    assert find_live(render_markdown(text, LINKS, make_markdown_it()).html) == []
