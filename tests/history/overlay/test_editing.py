"""Commands change an overlay as a careful person would: one entry, and not a byte of anything else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import ConfigError
from generator.history.overlay.editing import (
    Decision,
    OverlayFile,
    decided_skills,
    hub_file,
    list_decisions,
    make_decision,
    read_overlay_file,
    take_back,
)
from generator.history.overlay.model import Overlay, SkillKey
from generator.history.overlay.refs import parse_skill_or_release
from generator.history.overlay.yamltext import UneditableError, drop_entry, put_entry
from generator.history.overlay.yamlwriting import write_scalar
from generator.model import Owner, Slug

YANK = Decision("yank", parse_skill_or_release("acme/pdf@1.0.0"), "Bad.")


def decision(kind: str, ref: str, value: str | dict[str, str] = "Bad.") -> Decision:
    return Decision(kind, parse_skill_or_release(ref), value)


def make(text: str, one: Decision) -> str:
    """What becomes of a hub.yml."""
    file = hub_file("hub.yml", text.encode())
    changed = make_decision([file], one, in_folder=False)
    return (changed[0] if changed else file).data.decode()


def undo(text: str, kind: str, ref: str) -> str:
    file = hub_file("hub.yml", text.encode())
    changed = take_back([file], kind, parse_skill_or_release(ref))
    return (changed[0] if changed else file).data.decode()


MADE = {
    "no file": ("", YANK, "overlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\n"),
    "comments only": ("# My hub\n", YANK, "# My hub\noverlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\n"),
    "no overlay": (
        "name: Hub  # ours\nsources:\n- skills\n# - more\n", YANK,
        "name: Hub  # ours\nsources:\n- skills\n# - more\noverlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\n",
    ),
    "no newline at the end": ("name: Hub", YANK, "name: Hub\noverlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\n"),
    "line ends of Windows": (
        "name: Hub\r\nurl: https://x.example\r\n", YANK,
        "name: Hub\r\nurl: https://x.example\r\noverlay:\r\n  yank:\r\n    acme/pdf@1.0.0: Bad.\r\n",
    ),
    "byte order mark": ("\ufeffname: Hub\n", YANK, "\ufeffname: Hub\noverlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\n"),
    "document marks": (
        "---\nname: Hub\n...\n", YANK, "---\nname: Hub\noverlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\n...\n",
    ),
    "empty overlay": (
        "overlay:  # decisions\nname: Hub\n", YANK,
        "overlay:  # decisions\n  yank:\n    acme/pdf@1.0.0: Bad.\nname: Hub\n",
    ),
    "overlay in braces": ("overlay: {}  # none\n", YANK, "overlay:  # none\n  yank:\n    acme/pdf@1.0.0: Bad.\n"),
    "null overlay": ("overlay: ~\n", YANK, "overlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\n"),
    "empty section": (
        "overlay:\n    yank:\n    # soon\n    feature: [acme/pdf]\n", YANK,
        "overlay:\n    yank:\n        acme/pdf@1.0.0: Bad.\n    # soon\n    feature: [acme/pdf]\n",
    ),
    "another section": (
        "overlay:\n   feature:\n   - acme/pdf\n   # end\nname: Hub\n", YANK,
        "overlay:\n   feature:\n   - acme/pdf\n   yank:\n     acme/pdf@1.0.0: Bad.\n   # end\nname: Hub\n",
    ),
    "another entry": (
        "overlay:\n  yank:\n    acme/a-a@1.0.0: A.  # ticket\n\n  archive:\n    acme/b-b:\n", YANK,
        "overlay:\n  yank:\n    acme/a-a@1.0.0: A.  # ticket\n    acme/pdf@1.0.0: Bad.\n\n  archive:\n    acme/b-b:\n",
    ),
    "after a folded reason": (
        "overlay:\n  yank:\n    acme/a-a@1.0.0: >\n      A.\n      B.\n\n  # x\n", YANK,
        "overlay:\n  yank:\n    acme/a-a@1.0.0: >\n      A.\n      B.\n    acme/pdf@1.0.0: Bad.\n\n  # x\n",
    ),
    "after a reason on two lines": (
        'overlay:\n  yank:\n    acme/a-a@1.0.0: "A.\n      B."\n', YANK,
        'overlay:\n  yank:\n    acme/a-a@1.0.0: "A.\n      B."\n    acme/pdf@1.0.0: Bad.\n',
    ),
    "section in braces": (
        "overlay:\n  yank: {acme/a-a@1.0.0: A.}  # x\n", YANK,
        "overlay:\n  yank: {acme/pdf@1.0.0: Bad., acme/a-a@1.0.0: A.}  # x\n",
    ),
    "everything in braces": (
        "{name: Hub, overlay: {yank: {}}}\n", YANK, "{name: Hub, overlay: {yank: {acme/pdf@1.0.0: Bad.}}}\n",
    ),
    "braces without overlay": (
        "{name: Hub}\n", YANK, "{overlay: {yank: {acme/pdf@1.0.0: Bad.}}, name: Hub}\n",
    ),
    "another reason": (
        "overlay:\n  yank:\n    '@acme/pdf@1.0.0': Old.  # ticket\n", YANK,
        "overlay:\n  yank:\n    '@acme/pdf@1.0.0': Bad.  # ticket\n",
    ),
    "another reason in place of lines": (
        "overlay:\n  yank:\n    acme/pdf@1.0.0: |  # why\n      Old.\n      Really.\n  # end\n", YANK,
        "overlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\n  # end\n",
    ),
    "a reason in quotes": (
        "overlay:\n  yank: {acme/pdf@1.0.0: 'Old.'}\n", YANK, "overlay:\n  yank: {acme/pdf@1.0.0: Bad.}\n",
    ),
    "the same reason, written otherwise": (
        "overlay:\n  yank: {acme/pdf@1.0.0: 'Bad.'}\n", YANK, "overlay:\n  yank: {acme/pdf@1.0.0: 'Bad.'}\n",
    ),
    "nothing to do": ("overlay:\n  yank: {acme/pdf@1.0.0: Bad.}\n", YANK, "overlay:\n  yank: {acme/pdf@1.0.0: Bad.}\n"),
    "words that need quotes": (
        "", decision("yank", "acme/pdf@1.0.0", 'See: "x" # y'),
        'overlay:\n  yank:\n    acme/pdf@1.0.0: "See: \\"x\\" # y"\n',
    ),
    "words in Chinese": (
        "", decision("quarantine", "acme/pdf", "含有恶意代码"),
        'overlay:\n  quarantine:\n    acme/pdf: "含有恶意代码"\n',
    ),
    "comma in braces": (
        "overlay: {yank: {acme/a-a@1.0.0: A.}}\n", decision("yank", "acme/pdf@1.0.0", "Bad, very."),
        'overlay: {yank: {acme/pdf@1.0.0: "Bad, very.", acme/a-a@1.0.0: A.}}\n',
    ),
    "comma in braces, in place of another": (
        "overlay: {yank: {acme/pdf@1.0.0: A.}}\n", decision("yank", "acme/pdf@1.0.0", "Bad, very."),
        'overlay: {yank: {acme/pdf@1.0.0: "Bad, very."}}\n',
    ),
    "deprecated, no more": ("", decision("deprecate", "acme/pdf", {}), "overlay:\n  deprecate:\n    acme/pdf: {}\n"),
    "deprecated with both": (
        "", decision("deprecate", "acme/pdf", {"successor": "acme/doc", "reason": "Merged."}),
        "overlay:\n  deprecate:\n    acme/pdf:\n      successor: acme/doc\n      reason: Merged.\n",
    ),
    "successor beside a reason": (
        "overlay:\n  deprecate:\n    acme/pdf: Old.  # x\n",
        decision("deprecate", "acme/pdf", {"successor": "acme/doc"}),
        "overlay:\n  deprecate:\n    acme/pdf: {reason: Old., successor: acme/doc}  # x\n",
    ),
    "successor into a mapping": (
        "overlay:\n  deprecate:\n    acme/pdf:\n      # why\n      reason: Old.  # x\n    acme/z-z:\n",
        decision("deprecate", "acme/pdf", {"successor": "acme/doc", "reason": "New."}),
        "overlay:\n  deprecate:\n    acme/pdf:\n      # why\n      reason: New.  # x\n      successor: acme/doc\n"
        "    acme/z-z:\n",
    ),
    "reason of a bare deprecation": (
        "overlay:\n  deprecate:\n    acme/pdf:  # x\n", decision("deprecate", "acme/pdf", {"reason": "Old."}),
        "overlay:\n  deprecate:\n    acme/pdf: Old.  # x\n",
    ),
    "deprecated again without words": (
        "overlay:\n  deprecate:\n    acme/pdf: Old.\n", decision("deprecate", "acme/pdf", {}),
        "overlay:\n  deprecate:\n    acme/pdf: Old.\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "one", "after"), MADE.values(), ids=MADE)
def test_a_decision_is_written(before: str, one: Decision, after: str) -> None:
    assert make(before, one) == after


UNDONE = {
    "the only one": ("overlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\n", ""),
    "in a file with more": ("name: Hub\noverlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\nurl: x\n", "name: Hub\nurl: x\n"),
    "the only one of its kind": (
        "overlay:\n  yank:\n    acme/pdf@1.0.0: Bad.\n  archive:\n    acme/a-a: x\n",
        "overlay:\n  archive:\n    acme/a-a: x\n",
    ),
    "one of two": (
        "overlay:\n  yank:\n    # first\n    acme/pdf@1.0.0: Bad.  # gone\n    # second\n    acme/a-a@1.0.0: x\n",
        "overlay:\n  yank:\n    # first\n    # second\n    acme/a-a@1.0.0: x\n",
    ),
    "a comment keeps its section": (
        "overlay:\n  # versions that broke\n  yank:  # see the wiki\n    acme/pdf@1.0.0: Bad.\n",
        "overlay:\n  # versions that broke\n  yank:  # see the wiki\n",
    ),
    "a comment inside": (
        "overlay:\n  yank:\n    # note\n    acme/pdf@1.0.0: Bad.\n", "overlay:\n  yank:\n    # note\n",
    ),
    "lines of a folded reason": (
        "overlay:\n  yank:\n    acme/pdf@1.0.0: >-\n      Bad.\n\n      Very.\n\n    acme/a-a@1.0.0: x\n",
        "overlay:\n  yank:\n\n    acme/a-a@1.0.0: x\n",
    ),
    "in braces, first": (
        "overlay: {yank: {acme/pdf@1.0.0: Bad., acme/a-a@1.0.0: x}}\n", "overlay: {yank: {acme/a-a@1.0.0: x}}\n",
    ),
    "in braces, last": (
        "overlay: {yank: {acme/a-a@1.0.0: x, acme/pdf@1.0.0: Bad.}}\n", "overlay: {yank: {acme/a-a@1.0.0: x}}\n",
    ),
    "in braces, only": ("overlay: {yank: {acme/pdf@1.0.0: Bad.}}\n", "overlay: {yank: {}}\n"),
    "quoted key": ('overlay:\n  yank:\n    "@acme/pdf@1.0.0": Bad.\n    acme/a-a@1.0.0: x\n',
                   "overlay:\n  yank:\n    acme/a-a@1.0.0: x\n"),
    "no newline at the end": ("name: Hub\noverlay:\n  yank:\n    acme/pdf@1.0.0: Bad.", "name: Hub\n"),
    "line ends of Windows": (
        "overlay:\r\n  yank:\r\n    acme/pdf@1.0.0: Bad.\r\n    acme/a-a@1.0.0: x\r\n",
        "overlay:\r\n  yank:\r\n    acme/a-a@1.0.0: x\r\n",
    ),
    "not there": ("overlay:\n  yank:\n    acme/a-a@1.0.0: x\n", "overlay:\n  yank:\n    acme/a-a@1.0.0: x\n"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after"), UNDONE.values(), ids=UNDONE)
def test_a_decision_is_taken_back(before: str, after: str) -> None:
    assert undo(before, "yank", "acme/pdf@1.0.0") == after


def test_a_whole_mapping_is_taken_back() -> None:
    text = "overlay:\n  deprecate:\n    acme/pdf:\n      reason: x\n      # inside\n      successor: acme/b-b\n# end\n"
    assert undo(text, "deprecate", "acme/pdf") == "# end\n"


HARD = {
    "key of its own line": "overlay:\n  ? yank\n  :\n    ? acme/pdf@1.0.0\n    : Old.\n",
    "text of blank lines without an end": "name: |+\n  Hub\n\noverlay:\n  yank:\n    acme/a-a@1.0.0: |\n      x",
}


@pytest.mark.parametrize("before", HARD.values(), ids=HARD)
def test_a_layout_that_is_not_understood_is_changed_rightly_or_not_at_all(before: str) -> None:
    for change in (lambda: make(before, YANK), lambda: undo(before, "yank", "acme/pdf@1.0.0")):
        try:
            after = change()
        except ConfigError as error:
            assert "laid out so that a program cannot change it safely" in str(error)  # noqa: PT017
            assert "Edit it by hand: overlay: yank: acme/pdf@1.0.0" in str(error)  # noqa: PT017
        else:
            assert read_overlay_file(hub_file("hub.yml", after.encode()))


def test_a_change_that_would_change_another_entry_is_refused() -> None:
    with pytest.raises(UneditableError, match="another entry would change"):
        put_entry("a: |\n  text", ("b",), "x")  # a newline behind the text would become part of it
    with pytest.raises(UneditableError, match="does not start its line"):
        drop_entry("? a\n: b\n", ("a",))
    with pytest.raises(UneditableError, match="no mapping to write into"):
        put_entry("a: text\n", ("a", "b"), "x")


def test_a_broken_file_is_not_touched() -> None:
    for text in ("overlay:\n  yanks: {}\n", "overlay: [\n", "- a\n", "overlay:\n  yank: {pdf@1.0.0: x}\n"):
        with pytest.raises(ConfigError, match=r"hub\.yml, line "):
            make(text, YANK)


def test_a_decision_that_contradicts_another_is_not_written() -> None:
    text = "overlay:\n  deprecate:\n    acme/a-a: {successor: acme/b-b}\n"
    with pytest.raises(ConfigError, match="lead in a circle"):
        make(text, decision("deprecate", "acme/b-b", {"successor": "acme/a-a"}))
    text = "overlay:\n  rename: {acme/old: acme/pdf}\n  yank:\n    acme/old@1.0.0: Otherwise.\n"
    with pytest.raises(ConfigError, match="decided otherwise"):
        make(text, YANK)


# --- several files ---------------------------------------------------------------------------------


def files(**texts: str) -> list[OverlayFile]:
    return [hub_file("hub.yml", texts.pop("hub", "").encode())] + [
        OverlayFile(f"overlay/{name}.yml", text.encode()) for name, text in sorted(texts.items())
    ]


CHOSEN: dict[str, tuple[dict[str, str], bool, list[str]]] = {
    "nothing anywhere": ({}, False, ["hub.yml"]),
    "an empty folder": ({}, True, ["overlay/decisions.yml"]),
    "a folder with files": ({"a": "feature: [acme/pdf]\n", "b": ""}, True, ["overlay/a.yml"]),
    "a folder with empty files": ({"a": "# later\n", "b": ""}, True, ["overlay/a.yml"]),
    "where its kind is": (
        {"hub": "overlay: {feature: [acme/pdf]}\n", "a": "archive: {acme/x-x: }\n", "b": "yank: {acme/x-x@1.0.0: x}\n"},
        True, ["overlay/b.yml"],
    ),
    "hub.yml before the folder": ({"hub": "overlay: {feature: [acme/pdf]}\n", "a": "archive: {acme/x-x: }\n"}, True,
                                  ["hub.yml"]),
    "where it stands": (
        {"hub": "overlay: {yank: {acme/x-x@1.0.0: x}}\n", "a": "yank: {acme/pdf@1.0.0: Old.}\n"}, True,
        ["overlay/a.yml"],
    ),
    "wherever it stands": (
        {"hub": "overlay: {yank: {acme/pdf@1.0.0: Old.}}\n", "a": "yank: {acme/pdf@1.0.0: Old.}\n"}, True,
        ["hub.yml", "overlay/a.yml"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("texts", "in_folder", "names"), CHOSEN.values(), ids=CHOSEN)
def test_which_file_a_decision_goes_to(texts: dict[str, str], in_folder: bool, names: list[str]) -> None:
    changed = make_decision(files(**texts), YANK, in_folder=in_folder)
    assert [file.name for file in changed] == names
    assert all(read_overlay_file(file).yank for file in changed)


def test_a_decision_is_taken_back_wherever_it_stands_even_where_files_disagree() -> None:
    both = files(
        hub="overlay: {yank: {acme/pdf@1.0.0: One.}}\n", a="yank: {acme/pdf@1.0.0: Two.}\n", b="yank: {}\n"
    )
    changed = take_back(both, "yank", YANK.subject)
    assert [file.name for file in changed] == ["hub.yml", "overlay/a.yml"]
    assert not any(read_overlay_file(file).yank for file in changed)


def test_what_is_decided_about_a_skill() -> None:
    held = files(
        hub="overlay: {yank: {acme/pdf@1.0.0: x}, quarantine: {acme/pdf: x, acme/doc: x}}\n",
        a="deprecate: {acme/pdf: }\n",
    )
    key: SkillKey = (Owner("acme"), Slug("pdf"))
    assert list_decisions(held, key) == (
        ("yank", (key, "1.0.0")),
        ("quarantine", (key, None)),
        ("deprecate", (key, None)),
    )
    assert {"/".join(one) for one in decided_skills(held)} == {"acme/pdf", "acme/doc"}


# --- properties ------------------------------------------------------------------------------------

REFS = ("acme/pdf", "acme/doc", "zeta/pdf")
REASONS = st.sampled_from(
    ["Bad.", "a: b", "x # y", "no", "null", "1.0", "-", "'q'", '"', "含: 有", "a, [b]", "@x", "a\\b"]
)
COMMENTS = st.sampled_from(["", "", "# c", " # deep", "#"])


@st.composite
def hubs(draw: st.DrawFn) -> str:
    """A hub.yml in any of many layouts."""
    step = draw(st.integers(1, 4))
    lines = [draw(COMMENTS), "name: Hub  # ours", draw(COMMENTS)]
    sections: list[str] = []
    for kind in draw(st.permutations(["yank", "quarantine", "deprecate", "archive"])):
        if draw(st.booleans()):
            continue
        refs = draw(st.lists(st.sampled_from(REFS), unique=True, max_size=2))
        entries = [(f"{ref}@1.0.0" if kind == "yank" else ref, draw(REASONS)) for ref in refs]
        indent = " " * step
        if draw(st.booleans()):
            inside = ", ".join(
                f"{write_scalar(key)}: {write_scalar(reason, flow=True)}" for key, reason in entries
            )
            sections.append(f"{indent}{kind}: {{{inside}}}{draw(st.sampled_from(['', '  # f']))}")
            continue
        sections.append(f"{indent}{kind}:{draw(st.sampled_from(['', '  # b']))}")
        for key, reason in entries:
            sections.append(draw(COMMENTS))
            style = draw(st.sampled_from(["plain", "folded", "mapping"]))
            if style == "folded" and reason.strip():
                sections += [f"{indent * 2}{write_scalar(key)}: >-", f"{indent * 3}{reason}"]
            elif style == "mapping" and kind == "deprecate":
                sections += [f"{indent * 2}{key}:", f"{indent * 3}reason: {write_scalar(reason)}  # m"]
            else:
                sections.append(
                    f"{indent * 2}'{key}': {write_scalar(reason)}{draw(st.sampled_from(['', ' # e']))}"
                )
        sections.append(draw(COMMENTS))
    if sections:
        lines += ["overlay:", *sections]
    if draw(st.booleans()):
        lines += ["sources:", "- skills", draw(COMMENTS)]
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + newline.join(lines) + draw(st.sampled_from(["", newline]))


def by_subject(overlay: Overlay) -> dict[str, dict[object, object]]:
    return {
        kind.name: {(one.skill, getattr(one, "version", None)): one for one in getattr(overlay, kind.name)}
        for kind in fields(Overlay)
    }


def overlay_of(text: str) -> Overlay:
    return read_overlay_file(hub_file("hub.yml", text.encode()))


def lines_of(text: str) -> list[str]:
    return re.split("\r?\n", text)


def only_the_entry_differs(before: str, after: str, ref: str) -> None:
    """One run of lines differs, and what it held before was the entry, or a key that leads to it."""
    old, new = lines_of(before), lines_of(after)
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    for line in old:
        assert not line.lstrip().startswith("#"), line
        leads = re.match(r" *(?:overlay|yank|quarantine|deprecate):", line)
        inside = re.match(r" +(?![^ ]*/)", line)
        assert ref in line or leads or inside or not line, line


@settings(max_examples=150, deadline=None)
@given(hubs(), st.sampled_from(["yank", "quarantine", "deprecate"]), st.sampled_from(REFS), REASONS)
def test_what_is_written_is_what_was_meant(before: str, kind: str, ref: str, reason: str) -> None:
    value: str | dict[str, str] = {"reason": reason} if kind == "deprecate" else reason
    one = decision(kind, f"{ref}@1.0.0" if kind == "yank" else ref, value)
    after = make(before, one)
    expected = by_subject(overlay_of(before))
    now = by_subject(overlay_of(after))
    written = now[kind][one.subject]
    assert getattr(written, "reason") == reason  # noqa: B009
    expected[kind][one.subject] = written
    assert now == expected
    only_the_entry_differs(before, after, ref)
    assert "\r\n" not in before or not re.search("(?<!\r)\n", after)
    assert after.startswith("\ufeff") == before.startswith("\ufeff")
    again = make(after, one)
    assert again == after

    undone = undo(after, kind, f"{ref}@1.0.0" if kind == "yank" else ref)
    del expected[kind][one.subject]
    assert by_subject(overlay_of(undone)) == expected
    only_the_entry_differs(after, undone, ref)


@settings(max_examples=100, deadline=None)
@given(hubs(), st.sampled_from(["yank", "quarantine", "deprecate"]))
def test_a_new_decision_taken_back_leaves_the_file_as_it_was(before: str, kind: str) -> None:
    value: str | dict[str, str] = {"successor": "acme/doc"} if kind == "deprecate" else "Bad."
    ref = "new/one@1.0.0" if kind == "yank" else "new/one"
    undone = undo(make(before, decision(kind, ref, value)), kind, ref)
    assert _meaningless_gone(undone) == _meaningless_gone(before)


_EMPTY = r" *(?:overlay|yank|quarantine|deprecate):(?: \{\})?( +#.*)?"


def _meaningless_gone(text: str) -> Sequence[str]:
    """The lines without keys that hold nothing, whether or not the last one has an end."""
    lines = lines_of(text)
    return [line for line in lines[: len(lines) - (not lines[-1])] if not re.fullmatch(_EMPTY, line)]


@given(st.text(max_size=60))
def test_a_scalar_is_read_back_as_it_was(text: str) -> None:
    from generator.read.yamlnodes import YamlProblem, parse_yaml

    try:
        node = parse_yaml(f"a: {write_scalar(text)}\n")
    except YamlProblem:
        assert not text.isprintable()
        return
    assert node is not None
    assert node.get("a").value == text  # type: ignore[union-attr]
