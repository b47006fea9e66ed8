"""Coloured blocks: what is kept, and what the HTML looks like."""

from __future__ import annotations

import pytest

from generator.write.site import highlight
from generator.write.site.highlight import MAX_BLOCK, BlockCache, highlight_code


def test_neighbours_of_one_class_share_a_span() -> None:
    assert highlight_code("json", '{"a": 1}') == '{<span class="nt">"a"</span>: <span class="mi">1</span>}'
    assert highlight_code("python", '"a\\n" # <b>') == (
        '<span class="s2">"a</span><span class="se">\\n</span><span class="s2">"</span> '
        '<span class="c1"># &lt;b&gt;</span>'
    )


@pytest.mark.parametrize(
    ("language", "code"),
    [("mermaid", "a"), ("", "a"), ("python", "x" * (MAX_BLOCK + 1))],
    ids=["other", "none", "long"],
)
def test_what_stays_plain(language: str, code: str) -> None:
    assert highlight_code(language, code) is None


@pytest.fixture
def coloured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    calls: list[str] = []

    def colour(name: str, code: str) -> str:
        calls.append(f"{name} {code[:1]}")
        return code.upper()

    monkeypatch.setattr(highlight, "_highlight", colour)
    return calls


def test_a_block_is_coloured_once_a_language(coloured: list[str]) -> None:
    cache = BlockCache(10_000)
    assert [cache.highlight(name, "a") for name in ("go", "go", "c")] == ["A", "A", "A"]
    assert coloured == ["go a", "c a"]


def test_the_cache_keeps_what_was_used_last_within_its_size(coloured: list[str]) -> None:
    cache = BlockCache(5_000)
    for letter in "abac":  # each about 2,100 bytes with its HTML
        cache.highlight("go", letter * 1000)
        assert cache.size <= 5_000
    assert coloured == ["go a", "go b", "go c"]
    cache.highlight("go", "a" * 1000)
    assert coloured == ["go a", "go b", "go c"]
    cache.highlight("go", "b" * 1000)
    assert coloured == ["go a", "go b", "go c", "go b"]


def test_a_block_larger_than_the_cache_is_not_kept(coloured: list[str]) -> None:
    cache = BlockCache(1_000)
    assert cache.highlight("go", "a" * 2000) == "A" * 2000
    assert cache.size == 0
    cache.highlight("go", "a" * 2000)
    assert coloured == ["go a", "go a"]
