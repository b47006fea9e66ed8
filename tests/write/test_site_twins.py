"""Our pages as Markdown: what an agent reads says the same, and an author's text means nothing in it."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from generator.model import Route
from generator.write.site.twins import markdown_of, page_twin
from tests.write.site_samples import make_catalog, make_listing
from tests.write.site_shell import make_hub_pages

CASES = {
    "a paragraph": ("<p>One\n  two.</p><p>Three.</p>", "One two.\n\nThree."),
    "headings": ("<h1>A</h1><p>b</p><h3>C</h3><p>d</p>", "# A\n\nb\n\n### C\n\nd"),
    "a list": ("<p>x</p><ul><li>a</li><li>b</li></ul><p>y</p>", "x\n\n- a\n- b\n\ny"),
    "an ordered list": ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
    "a list in a list": ("<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>", "- a\n  - b\n  - c\n- d"),
    "a list in an ordered list": ("<ol><li>a<ul><li>b</li></ul></li></ol>", "1. a\n   - b"),
    "paragraphs in a list": ("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n- c"),
    "code in a list": ("<ul><li>a<pre><code>x\ny</code></pre></li></ul>", "- a\n\n  ```\n  x\n  y\n  ```"),
    "terms": ("<dl><div><dt>A</dt><dd>b</dd></div><dt>C</dt><dd><code>d</code></dd></dl>", "- A: b\n- C: `d`"),
    "a term with a paragraph": ("<dl><dt>A</dt><dd>b<p>c</p></dd></dl>", "- A: b\n\n  c"),
    "a table": (
        "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ),
    "a table with pipes": (
        "<table><tr><th>a|b</th></tr><tr><td><code>x|y</code></td></tr></table>",
        "| a\\|b |\n| --- |\n| `x\\|y` |",
    ),
    "a table after a text": ("<div>x<table><tr><td>a</td></tr></table></div>", "x\n\n| a |\n| --- |"),
    "blocks in a cell are one line": (
        "<table><tr><td><p>a</p><ul><li>b</li><li>c</li></ul><pre>d\ne</pre></td></tr></table><p>after</p>",
        "| a b c `d e` |\n| --- |\n\nafter",
    ),
    "a block of code": ("<pre><code>a  b\n  &lt;c&gt;\n</code></pre>", "```\na  b\n  <c>\n```"),
    "a block of code with fences": ("<pre><code>```\nx\n````\n</code></pre>", "`````\n```\nx\n````\n`````"),
    "code": ("<p>Use <code>a b</code>.</p>", "Use `a b`."),
    "code with a backtick": ("<p><code>a`b</code></p>", "``a`b``"),
    "code with backticks at its ends": ("<p><code>`a``</code></p>", "``` `a`` ```"),
    "code in colours": ("<p><code><span>a</span><span>b</span></code></p>", "`ab`"),
    "code without text": ("<p>a<code></code>b</p>", "ab"),
    "a link": ('<p><a href="../x/">the x</a></p>', "[the x](../x/)"),
    "a link with parentheses": ('<p><a href="a(b).md">c</a></p>', "[c](a%28b%29.md)"),
    "a link with a space and a bracket": ('<p><a href="a b&gt;">c]</a></p>', "[c\\]](a%20b%3E)"),
    "a link around code": ('<p><a href="x"><code>y</code></a></p>', "[`y`](x)"),
    "a link without text": ('<p>a<a href="x"></a></p>', "a"),
    "two links that a style sheet sets apart": ('<nav><a href="a">b</a><a href="c">d</a></nav>', "[b](a) [d](c)"),
    "emphasis": ("<p>a <strong>b </strong><em>c</em> d</p>", "a **b** *c* d"),
    "emphasis without text": ("<p>a<strong> </strong>b</p>", "ab"),
    "spans and breaks": ("<p><span>a</span><span>b</span><br>c</p>", "a b c"),
    "hidden parts": (
        '<p>a<svg><text>x</text></svg><button>Copy</button><span aria-hidden="true">✓</span></p><p hidden>b</p>'
        '<form><input name="q"><p>c</p></form><h2>D<a class="headerlink" href="#d">¶</a></h2><script>e</script>',
        "a\n\n## D",
    ),
    "an unclosed part does not hide the rest": ("<form><p>a</form><p>b</p>", "b"),
    "details": ("<details><summary>More</summary><p>a</p></details>", "More\n\na"),
    "nothing": ("", ""),
}  # fmt: skip


@pytest.mark.parametrize(("html", "markdown"), CASES.values(), ids=CASES.keys())
def test_html_becomes_markdown(html: str, markdown: str) -> None:
    assert markdown_of(html) == markdown


TEXTS = [
    "# no heading", "## no heading", "- no item", "+ no item", "* no item", "1. no item", "12) no item",
    "~~~", "```", "---", "===", "> no quotation", "[x](javascript:alert)", "![x](y)", "<script>x</script>", "<https://a.example>",
    "*a* _b_ **c** `d`", "a\\", "&lt;b&gt; &#42;a&#42; &copy;", "| a |", "[a]: b", "\\# a", "a  \nb", "-", "1.",
]  # fmt: skip
PLACES = {
    "a paragraph": "<p>{}</p><p>after</p>",
    "an item": "<ul><li>{}</li></ul><p>after</p>",
    "a card": "<ul><li><a href='x'>a</a><p>{}</p></li></ul><p>after</p>",
    "a heading": "<h2>{}</h2><p>after</p>",
    "a link": '<p><a href="x">{}</a></p><p>after</p>',
    "a cell": "<table><tr><th>{0}</th></tr><tr><td>{0}</td></tr></table><p>after</p>",
    "a term": "<dl><dt>{0}</dt><dd>{0}</dd></dl><p>after</p>",
}
PARSER = MarkdownIt("commonmark").enable("table")


def read_text(markdown: str) -> tuple[list[str], str]:
    """The tags that CommonMark makes, and the text."""
    tags: list[str] = []
    text: list[str] = []
    for token in PARSER.parse(markdown):
        if token.type == "inline":
            for part in token.children or []:
                if part.type in ("text", "softbreak"):
                    text.append(part.content or " ")
                else:
                    tags.append(part.type)
            text.append("\n")
        elif token.nesting >= 0:
            tags.append(token.type)
    return tags, "".join(text)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", TEXTS)
def test_an_author_s_text_is_only_text(text: str, place: str) -> None:
    html = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    markdown = markdown_of(PLACES[place].format(html))
    plain = markdown_of(PLACES[place].format("word"))
    tags, read = read_text(markdown)
    assert tags == read_text(plain)[0], markdown
    wanted = read_text(plain)[1].replace("word", " ".join(text.split()))
    assert [" ".join(line.split()) for line in read.splitlines()] == [
        " ".join(line.split()) for line in wanted.splitlines()
    ], markdown


def test_only_pages_with_an_article_have_a_twin() -> None:
    page = Route("/x/", b"<body><nav>no</nav><article class=a><p>yes</p></article></body>", "text/html")
    twin = page_twin(page)
    assert twin is not None
    assert (twin.path, twin.body, twin.media_type) == (
        "/x/index.md",
        b"yes\n",
        "text/markdown; charset=utf-8",
    )
    assert page_twin(Route("/404.html", page.body, "text/html")) is None
    assert page_twin(Route("/x/", b"<p>none</p>", "text/html")) is None


def test_the_twins_of_our_pages_read_well() -> None:
    listings = (make_listing(), make_listing("odd-one", description="# <b>*x*</b> | ~~~ `y` [z](w)"))
    catalog = make_catalog(0)
    twins = {
        twin.path: twin.body.decode()
        for page in make_hub_pages(type(catalog)(catalog.hub, listings, ()))
        if page.path.endswith("/") and (twin := page_twin(page)) is not None
    }
    assert "\n| [npx skills](#npx-skills) | Works |\n" in twins["/use/index.md"]
    assert "\n- **Microsoft APM** (Plain files): It follows no redirect" in twins["/clients/index.md"]
    assert "\n| OpenClaw | works | works | no | no | no | no | no |\n" in twins["/clients/index.md"]
    assert r"\# \<b\>\*x\*\</b\> | ~~~ \`y\` \[z\](w)" in twins["/browse/index.md"]
    for path, text in twins.items():
        assert text.startswith(("# ", "[", "2 skills")), path
        assert "SKILLPRESS" not in text, path
        tags, _ = read_text(text)
        assert "html_block" not in tags, path
        assert "html_inline" not in tags, path
