"""Markdown made to be slow: every body is done in seconds, whatever it holds."""

from __future__ import annotations

import time

import pytest

from generator.write.site.commonmark import make_markdown_it
from generator.write.site.highlight import MAX_BLOCK
from generator.write.site.links import LinkResolver
from generator.write.site.markdown import MAX_RENDERED, render_markdown
from tests.hostile.live import find_live

N = 50_000
SLOW = {
    "backticks": "`" * N,
    "growing backticks": " ".join("`" * n for n in range(1, 700)),
    "open brackets": "[" * N,
    "open links": "[a](" * 20_000,
    "images in links": "![[]()" * 20_000,
    "quotes in quotes": ">" * N,
    "spaced quotes": "> " * N,
    "lists in lists": "".join("  " * n + "- a\n" for n in range(700)),
    "lists on a line": "- " * 20_000,
    "emphasis": "*a " * N,
    "strong emphasis": "**a " * N,
    "stars": "*" * N,
    "underscores": "_a" * N,
    "open divs": "<div>" * 100_000,
    "open bold": "<b>" * N,
    "open paragraphs": "<p><b><i>" * 30_000,
    "open comments": "<!--" * 100_000,
    "less-than": "<" * 300_000,
    "ampersands": "&" * 300_000,
    "newlines": "\n" * 500_000,
    "wide table": "|" + "a|" * 3000 + "\n|" + "-|" * 3000 + "\n" + ("|" + "a|" * 3000 + "\n") * 20,
    "long table": "a|" * 20_000 + "\n" + "-|" * 20_000 + "\n" + "x\n" * 3000,
    "tables in tables": "<table><tr><td>" * 20_000,
    "references": "".join(f"[a{n}]: b\n" for n in range(20_000)) + "[a1]" * 20_000,
    "footnotes": "".join(f"[^{n}]: x [^{n + 1}]\n\n" for n in range(9000)),
    "equal headings": "# a\n" * 60_000,
    "headings in headings": "<h1><div>x" * 900,
    "broken links": "".join(f"[a](m{n}.md)" for n in range(30_000)),
    "fragments": "[a](#b)" * 30_000,
    "one long code block": "```js\n" + "/" * 400_000 + "\n```",
    "many code blocks": "```js\n" + "/(" * 9_000 + "\n```\n" + "```python\n" + '"' * 19_000 + "\n```\n" * 2,
    "many small code blocks": "".join(f"```ts\nconst a{n} = /[/\\]]+/g;\n```\n" for n in range(12_000)),
    "formatting across blocks": "<i><b><u><a>" * 10_000,
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW.keys())
def test_a_slow_body_is_done_in_three_seconds(text: str) -> None:
    start = time.process_time()
    rendered = render_markdown(text, LinkResolver())
    assert time.process_time() - start < 3
    assert find_live(rendered.html) == []


def test_many_links_into_many_files_are_looked_up_not_searched() -> None:
    links = LinkResolver({f"references/{n}/a.md": f"file-{n}" for n in range(1000)})
    start = time.process_time()
    render_markdown("".join(f"[a](z{n}) " for n in range(40_000)), links)
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    "name", ["backticks", "open brackets", "quotes in quotes", "lists in lists", "open divs"]
)
def test_the_fallback_is_bounded_too(name: str) -> None:
    start = time.process_time()
    render_markdown(SLOW[name][:20_000], LinkResolver(), make_markdown_it())
    assert time.process_time() - start < 3


def test_a_body_that_nests_too_deeply_is_shown_as_text() -> None:
    html = render_markdown("<div>" * 2_000 + "hello <b>", LinkResolver()).html
    assert html.startswith('<pre class="sp-plain">&lt;div&gt;')
    assert find_live(html) == []


def test_a_body_that_is_too_long_is_cut_at_a_line_and_says_so() -> None:
    rendered = render_markdown("word\n" * (MAX_RENDERED // 5 + 10), LinkResolver())
    assert rendered.cut
    assert rendered.html.rstrip().endswith("word</p>")
    assert not render_markdown("word", LinkResolver()).cut


def test_a_long_code_block_stays_plain() -> None:
    html = render_markdown("```python\n" + "x = 1\n" * (MAX_BLOCK // 6 + 1) + "```", LinkResolver()).html
    assert "<span" not in html
    assert "x = 1" in html


SLOW_BLOCKS = {
    "csharp": "a\n",
    "hcl": "a",
    "terraform": "a",
    "cpp": "\n",
    "java": "\n",
    "md": "\n",
    "make": "a",
    "ini": "= ",
    "lua": "<a ",
    "python": "a",
    "bash": "$(",
    "css": "-",
}


@pytest.mark.parametrize(("language", "unit"), SLOW_BLOCKS.items(), ids=SLOW_BLOCKS)
@pytest.mark.parametrize("block", [1_499, 4_999, 19_999])
def test_a_page_of_blocks_that_a_lexer_is_slow_on(language: str, unit: str, block: int) -> None:
    fence = f"```{language}\nx{block}" + (unit * block)[: block - 10] + "\n```\n\n"
    body = fence * (100_000 // block)
    started = time.process_time()
    render_markdown(body, LinkResolver())
    assert time.process_time() - started < 3
