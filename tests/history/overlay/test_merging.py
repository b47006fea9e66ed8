"""Several overlay files as one."""

from __future__ import annotations

import pytest

from generator.errors import ConfigError
from generator.history.overlay.merging import merge_overlays, resolve_renames
from generator.history.overlay.model import Overlay
from generator.history.overlay.reading import read_overlay_text
from generator.model import Owner, Slug


def merge(*texts: str) -> Overlay:
    return merge_overlays(
        read_overlay_text(text.encode(), f"{'abc'[number]}.yml") for number, text in enumerate(texts)
    )


def test_decisions_of_all_files_in_their_order() -> None:
    merged = merge("feature: [acme/one]\narchive: {acme/one: Done.}\n", "feature: [acme/two, acme/one]\n")
    assert ["/".join(one.skill) for one in merged.feature] == ["acme/one", "acme/two"]
    assert len(merged.archive) == 1
    assert merge_overlays(()) == Overlay()


SAME = {
    "two files": ("yank: {acme/pdf@1.0.0: Bad.}", "yank: {'@acme/pdf@1.0.0': Bad.}"),
    "under a former address": (
        "rename: {acme/old: acme/new}\nyank: {acme/old@1.0.0: Bad.}", "yank: {acme/new@1.0.0: Bad.}",
    ),
    "reviews": tuple(
        f"reviews: [{{rule: secret, sha256: {digest * 32}, by: us, reason: fine}}]" for digest in ("ab", "AB")
    ),
}  # fmt: skip


@pytest.mark.parametrize("texts", SAME.values(), ids=SAME)
def test_the_same_decision_twice_is_one(texts: tuple[str, str]) -> None:
    merged = merge(*texts)
    assert len(merged.yank) + len(merged.reviews) == 1


DISAGREE = {
    "reasons": (
        "yank: {acme/pdf@1.0.0: Bad.}", "yank: {acme/pdf@1.0.0: Worse.}",
        "b.yml, line 1, column 8: yank: acme/pdf@1.0.0 is decided otherwise in a.yml, line 1, column 8. "
        "Keep one of the two.",
    ),
    "under a former address": (
        "rename: {acme/old: acme/new}\nyank: {acme/old@1.0.0: Bad.}", "yank: {acme/new@1.0.0: Worse.}",
        "yank: acme/new@1.0.0 is decided otherwise in a.yml, line 2",
    ),
    "targets": ("rename: {acme/a-a: acme/b-b}", "rename: {acme/a-a: acme/c-c}", "rename: acme/a-a is decided"),
    "successors": (
        "deprecate: {acme/pdf: {successor: acme/a-a}}", "deprecate: {acme/pdf: {successor: acme/b-b}}",
        "deprecate: acme/pdf is decided otherwise",
    ),
    "tags": ("tags: {acme/pdf: {latest: 1.0.0}}", "tags: {acme/pdf: {latest: 1.1.0}}", "tags: acme/pdf latest is"),
    "slugs": ("slugs: {pdf: acme}", "slugs: {pdf: other}", "slugs: pdf is decided otherwise"),
    "categories": ("categories: {acme/pdf: A}", "categories: {acme/pdf: B}", "categories: acme/pdf is decided"),
    "reviews": (
        f"reviews: [{{rule: secret, sha256: {'ab' * 32}, by: us, reason: fine}}]",
        f"reviews: [{{rule: secret, sha256: {'ab' * 32}, by: them, reason: fine}}]",
        "reviews: secret in abab",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("first", "second", "message"), DISAGREE.values(), ids=DISAGREE)
def test_files_that_disagree_name_both_places(first: str, second: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        merge(first, second)
    assert message in str(caught.value)


def test_a_yank_and_a_quarantine_of_one_version_do_not_disagree() -> None:
    merged = merge("yank: {acme/pdf@1.0.0: Bad.}\nquarantine: {acme/pdf@1.0.0: Worse., acme/pdf: All.}")
    assert (len(merged.yank), len(merged.quarantine)) == (1, 2)


LOOPS = {
    "onto itself": ("rename: {acme/a-a: acme/a-a}", "rename: these lead in a circle: acme/a-a -> acme/a-a"),
    "two": ("rename: {acme/a-a: acme/b-b, acme/b-b: acme/a-a}", "acme/a-a -> acme/b-b -> acme/a-a"),
    "into a circle": (
        "rename: {acme/x-x: acme/a-a, acme/a-a: acme/b-b, acme/b-b: acme/a-a}", "acme/a-a -> acme/b-b -> acme/a-a",
    ),
    "successor of itself": ("deprecate: {acme/a-a: {successor: acme/a-a}}", "deprecate: these lead in a circle"),
    "successors": (
        "deprecate: {acme/a-a: {successor: acme/b-b}, acme/b-b: {successor: acme/a-a}}", "deprecate: these lead",
    ),
    "successor under its former address": (
        "rename: {acme/old: acme/new}\ndeprecate: {acme/new: {successor: acme/old}}", "deprecate: these lead",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), LOOPS.values(), ids=LOOPS)
def test_circles(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        merge(text)
    assert str(caught.value).startswith("a.yml, line ")
    assert message in str(caught.value)


def test_renames_are_followed_to_their_end() -> None:
    merged = merge("rename: {acme/a-a: acme/b-b, acme/b-b: beta/c-c, acme/z-z: beta/c-c}")
    end = (Owner("beta"), Slug("c-c"))
    assert list(resolve_renames(merged.rename).values()) == [end, end, end]
