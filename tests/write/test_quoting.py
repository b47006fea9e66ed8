"""What is written by hand for speed says the same as the slow way."""

import json
import re

import markupsafe
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.jsondata import dump_bytes
from generator.model import Cache, Route
from generator.write.layout import PACK_SCHEMA, pack
from generator.write.protocols.clawhub_card import _ESCAPES, escape_markdown
from generator.write.quoting import quote_text
from generator.write.site import view

TEXTS = st.text(st.characters(codec="utf-8")) | st.text(
    st.sampled_from('a"\\\n\t\r\b\x00\x1f\x7f\u2028é\U0001f9ed')
)
MARKED = st.text(st.characters(codec="utf-8")) | st.text(
    st.sampled_from("ab \\`*_{}[]()<>#+-.!|~&:@$^=\"'\u202e\x07\n")
)


@given(TEXTS)
def test_a_quoted_text_is_what_json_writes(text):
    assert quote_text(text.encode()) == dump_bytes(text)[1:-1]
    assert json.loads(b'"' + quote_text(text.encode()) + b'"') == text


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(UnicodeDecodeError):
        quote_text(b"a\xff")


@given(st.lists(st.tuples(TEXTS, TEXTS, st.sampled_from(Cache), st.sampled_from([200, 403, 409]))))
def test_a_pack_is_what_json_writes(answers):
    routes = tuple(
        Route(f"/{path}", body.encode(), "text/plain", cache, status) for path, body, cache, status in answers
    )
    document = {
        "schema": PACK_SCHEMA,
        "answers": {
            route.path: {
                "type": route.media_type,
                "cache": str(route.cache),
                "status": route.status,
                "body": route.body.decode(),
            }
            for route in routes
        },
    }
    assert pack(routes) == dump_bytes(document)


@given(MARKED)
def test_html_is_escaped_as_our_templates_do(text):
    assert view.escape_html(text) == str(markupsafe.escape(text))


@given(
    st.text(st.characters())
    | st.text(st.sampled_from("ab\n\t\r \x00\x1f\x7f\xa0\xad\u200b\u202e\ufeff\U000e0041é\ud800"))
)
def test_what_hides_is_shown_whatever_stands_beside_it(text):
    expected = "".join(f"<U+{ord(char):04X}>" if re.fullmatch(view._HIDDEN, char) else char for char in text)
    assert view.show_hidden(text) == expected


@given(MARKED)
def test_every_mark_of_markdown_is_escaped(text):
    assert escape_markdown(text) == " ".join(text.split()).translate(_ESCAPES)
