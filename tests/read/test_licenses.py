"""License texts -> SPDX expressions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.read.licenses import to_spdx


@pytest.mark.parametrize(
    ("text", "spdx"),
    [
        ("MIT", "MIT"),
        ("mit", "MIT"),
        (" MIT License ", "MIT"),
        ("MIT-0", "MIT-0"),
        ("Apache 2.0", "Apache-2.0"),
        ("Apache License, Version 2.0", "Apache-2.0"),
        ("BSD-3-Clause", "BSD-3-Clause"),
        ("GPL-3.0", "GPL-3.0-only"),
        ("GPL-3.0+", "GPL-3.0-or-later"),
        ("GPLv3+", "GPL-3.0-or-later"),
        ("gpl-3.0-or-later", "GPL-3.0-or-later"),
        ("Apache-2.0+", "Apache-2.0+"),
        ("CC BY 4.0", "CC-BY-4.0"),
        ("MIT OR Apache-2.0", "MIT OR Apache-2.0"),
        ("mit or apache-2.0", "MIT OR Apache-2.0"),
        ("MIT AND (ISC OR 0BSD)", "MIT AND (ISC OR 0BSD)"),
        ("GPL-2.0-only WITH Classpath-exception-2.0", "GPL-2.0-only WITH Classpath-exception-2.0"),
        ("(MIT)", "(MIT)"),
        ("", None),
        ("see LICENSE.txt", None),
        ("Proprietary. LICENSE.txt has complete terms", None),
        ("BSD", None),
        ("MIT OR", None),
        ("OR MIT", None),
        ("MIT Apache-2.0", None),
        ("MIT OR Foo", None),
        ("(MIT", None),
        ("MIT)", None),
        ("()", None),
        ("GPL-2.0-only WITH Nothing", None),
        ("MIT WITH", None),
        ("(" * 150, None),
        ("MIT OR " * 50 + "MIT", None),
        ("+", None),
    ],
)
def test_to_spdx(text: str, spdx: str | None) -> None:
    assert to_spdx(text) == spdx


@given(st.lists(st.sampled_from(["MIT", "(", ")", "AND", "or", "WITH", "GPL-3.0+", "x", " "]), max_size=12))
def test_an_expression_is_stable(words: list[str]) -> None:
    spdx = to_spdx(" ".join(words))
    if spdx is not None:
        assert to_spdx(spdx) == spdx
        assert spdx.count("(") == spdx.count(")")
