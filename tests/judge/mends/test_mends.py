"""What is mended in bytes, what is left alone, and that nothing else of a file changes."""

from __future__ import annotations

import pytest

from generator.judge.mends import MENDED_CODES, Mended, mend_package
from generator.judge.model import Place
from tests.judge.mends.samples import HEAD, bare, skill_of
from tests.read.helpers import Content, as_bytes, package

ALL: frozenset[str] = frozenset()


def mend(skill_md: Content, hosts: frozenset[str] = ALL, name: str = "SKILL.md") -> Mended:
    return mend_package(package({name: skill_md}, "demo"), hosts)


def text_after(mended: Mended) -> str:
    file = mended.after.file("SKILL.md")
    assert file is not None
    return file.data.decode("utf-8", "surrogateescape")


def front(*lines: str) -> str:
    return bare(HEAD, *lines)


CASES: dict[str, tuple[str, str, str]] = {
    # name: (code, before, after)
    "byte order mark": ("frontmatter-bom", "\ufeff" + front(), front()),
    "blanks after the opening fence": ("frontmatter-line-shape", front().replace("---\n", "--- \t\n", 1), front()),
    "blanks after the closing fence": ("frontmatter-line-shape", front().replace("\n---\n", "\n---  \n"), front()),
    "dots for a fence": ("frontmatter-line-shape", front().replace("\n---\n", "\n...\n"), front()),
    "lone carriage returns": ("frontmatter-line-shape", front().replace("\n", "\r"), front()),
    "an indented closing fence": ("frontmatter-unterminated", front().replace("\n---\n", "\n ---\n"), front()),
    "empty lines at the start": ("frontmatter-not-on-first-line", "\n \n" + front(), front()),
    "an indented opening fence": ("frontmatter-not-on-first-line", "  " + front(), front()),
    "a colon in a value": (
        "yaml-unquoted-colon",
        bare("name: demo", "description: Use when: asked  ", "# note"),
        bare("name: demo", 'description: "Use when: asked"  ', "# note"),
    ),
    "a colon and quotes in a value": (
        "yaml-unquoted-colon",
        bare("name: demo", 'description: Say "hi": now'),
        bare("name: demo", "description: 'Say \"hi\": now'"),
    ),
    "a colon and both quotes": (
        "yaml-unquoted-colon",
        bare("name: demo", "description: Don't say \"hi\": now"),
        bare("name: demo", 'description: "Don\'t say \\"hi\\": now"'),
    ),
    "a colon in the first of several lines": (
        "yaml-unquoted-colon",
        bare("name: demo", "description: Use when: asked", "  or told", "license: MIT"),
        bare("name: demo", "description: >-", "  Use when: asked", "  or told", "license: MIT"),
    ),
    "a colon in a later line": (
        "yaml-unquoted-colon",
        bare("name: demo", "description: Use it", "  when: asked", "license: MIT"),
        bare("name: demo", "description: >-", "  Use it", "  when: asked", "license: MIT"),
    ),
    "a colon below metadata": (
        "yaml-unquoted-colon",
        front("metadata:", "  note: see: there # not here"),
        front("metadata:", '  note: "see: there # not here"'),
    ),
    "two values with colons": (
        "yaml-unquoted-colon",
        bare("name: demo", "description: Use when: asked", "license: see: there"),
        bare("name: demo", 'description: "Use when: asked"', 'license: "see: there"'),
    ),
    "an at sign": (
        "yaml-indicator-start",
        bare("name: demo", "description: @scope helper"),
        bare("name: demo", 'description: "@scope helper"'),
    ),
    "text after brackets": (
        "yaml-indicator-start",
        bare("name: demo", "description: [Beta] helper"),
        bare("name: demo", 'description: "[Beta] helper"'),
    ),
    "text after a quoted word": (
        "yaml-indicator-start",
        bare("name: demo", 'description: "Foo" and more'),
        bare("name: demo", "description: '\"Foo\" and more'"),
    ),
    "two brackets": (
        "yaml-bracketed-argument-hint",
        front("argument-hint: [file] [mode]"),
        front('argument-hint: "[file] [mode]"'),
    ),
    "a number sign in a description": (
        "yaml-comment-truncation",
        bare("name: demo", "description: Track issue #42 and more  "),
        bare("name: demo", 'description: "Track issue #42 and more"  '),
    ),
    "a number for a name": (
        "yaml-implicit-type",
        bare("name: 123 # short", "description: Does one thing."),
        bare('name: "123" # short', "description: Does one thing."),
    ),
    "a yes for a description": (
        "yaml-implicit-type",
        bare("name: demo", "description: yes"),
        bare("name: demo", 'description: "yes"'),
    ),
    "a day that is none": (
        "yaml-invalid-timestamp",
        front("metadata:", "  updated: 2026-02-30  # soon"),
        front("metadata:", '  updated: "2026-02-30"  # soon'),
    ),
    "a tab for indentation": (
        "yaml-stray-syntax",
        front("metadata:", "\tauthor: me", "\tnote: a\tb"),
        front("metadata:", "  author: me", "  note: a\tb"),
    ),
    "a control character": (
        "encoding-not-utf8-or-control-char",
        bare("name: demo", "description: Do\x00es one\x07 thing."),
        bare("name: demo", "description: Does one thing."),
    ),
    "zero width characters": (
        "description-markup-or-invisible",
        bare("name: demo", "description: Does\u200b one\u202e thing."),
        bare("name: demo", "description: Does one thing."),
    ),
    "a hidden character elsewhere": (
        "text-hidden-character",
        front("license: MIT\u200b"),
        front("license: MIT"),
    ),
    "a hidden character, and another in a comment": (
        "text-hidden-character",
        front("# a\u200bb", "license: MIT\u200b"),
        front("# a\u200bb", "license: MIT"),
    ),
    "the same line twice": (
        "yaml-duplicate-key",
        front("license: MIT", "# why", "license: MIT"),
        front("license: MIT", "# why"),
    ),
    "capitals in keys": (
        "key-wrong-case",
        bare("Name: demo", "Description: Does one thing."),
        bare("name: demo", "description: Does one thing."),
    ),
    "underscores in a key": (
        "key-wrong-case",
        front("allowed_tools:", "  - read_file"),
        front("allowed-tools:", "  - read_file"),
    ),
    "blanks around a name": (
        "name-padded",
        bare('name: " demo "', "description: Does one thing."),
        bare("name: demo", "description: Does one thing."),
    ),
    "a text for a gate": (
        "gate-wrong-type",
        front("requires:", "  bins: git  # needed", "  env:", "    - HOME"),
        front("requires:", "  bins:  # needed", "    - git", "  env:", "    - HOME"),
    ),
    "two in a text for a gate": (
        "gate-wrong-type",
        front("requires:", "  bins: git, node"),
        front("requires:", "  bins:", "    - git", "    - node"),
    ),
    "a text for a gate in brackets": (
        "gate-wrong-type",
        front('metadata: {"openclaw": {"requires": {"bins": "git"}}}'),
        front('metadata: {"openclaw": {"requires": {"bins": ["git"]}}}'),
    ),
    "a quoted false": ("gate-wrong-type", front('always: "false" # never'), front("always: false # never")),
    "a quoted flag": (
        "flag-not-boolean",
        front('disable-model-invocation: "yes"'),
        front("disable-model-invocation: true"),
    ),
    "a text for tags": ("tag-dropped", front("tags: tool, office"), front("tags:", "  - tool", "  - office")),
    "secrets in a text": (
        "gate-wrong-type",
        front("required-secrets: API_KEY"),
        front("required-secrets:", "  - API_KEY"),
    ),
    "a vendor nobody reads": (
        "vendor-metadata-namespace",
        front("metadata:", "  moltbot:", "    emoji: x"),
        front("metadata:", "  openclaw:", "    emoji: x"),
    ),
    "a vendor nobody reads in JSON": (
        "vendor-metadata-namespace",
        front('metadata: {"clawdhub": {"emoji": "x"}}'),
        front('metadata: {"openclaw": {"emoji": "x"}}'),
    ),
    "a system nobody matches": (
        "os-unknown",
        front("metadata:", "  openclaw:", "    os:", "      - macos", '      - "windows"', "      - linux"),
        front("metadata:", "  openclaw:", "    os:", "      - darwin", '      - "win32"', "      - linux"),
    ),
    "unknown keys": (
        "unknown-frontmatter-key",
        bare("name: demo", "version: 1.0 # first", "# about me", "author: me", "description: Does one thing."),
        bare("name: demo", "# about me", "description: Does one thing.", "metadata:", '  version: "1.0" # first',
             "  author: me"),
    ),
    "an unknown key beside metadata": (
        "unknown-frontmatter-key",
        front("team: us", "metadata:", "    author: me", "license: MIT"),
        front("metadata:", "    author: me", "    team: us", "license: MIT"),
    ),
    "an unknown key of several lines": (
        "unknown-frontmatter-key",
        front("notes: |", "  one", "", "    two", "license: MIT"),
        front("license: MIT", "metadata:", "  notes: |", "    one", "", "      two"),
    ),
    "a list in brackets": (
        "yaml-flow-style",
        front("tags: [tool, 'a, b', \"c ] d\"] # all"),
        front("tags: # all", "  - tool", "  - 'a, b'", '  - "c ] d"'),
    ),
    "tools in a text": (
        "allowed-tools-shape",
        front("allowed-tools: Bash(git add:*) Read # two"),
        front("allowed-tools: # two", "  - Bash(git add:*)", "  - Read"),
    ),
    "tools in brackets": (
        "allowed-tools-shape",
        front("allowed-tools: [Read, Write]"),
        front("allowed-tools:", "  - Read", "  - Write"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("code", "before", "after"), CASES.values(), ids=CASES)
def test_a_mend_and_nothing_else(code: str, before: str, after: str) -> None:
    mended = mend(before)
    assert text_after(mended) == after
    assert code in {one.code for one in mended.applied}
    assert not {one.code for one in mended.findings} & {code}
    assert all(m.description[0].isupper() for m in mended.applied)
    assert [(old, new) for old, _, new, _ in mended.changes()] == [("SKILL.md", "SKILL.md")]


@pytest.mark.parametrize(
    ("before", "after"),
    [(b, a) for name, (_, b, a) in CASES.items() if name != "lone carriage returns"],
    ids=[name for name in CASES if name != "lone carriage returns"],
)
def test_line_ends_stay_as_they_are(before: str, after: str) -> None:
    assert text_after(mend(before.replace("\n", "\r\n"))) == after.replace("\n", "\r\n")


@pytest.mark.parametrize(("before", "after"), [(b, a) for _, b, a in CASES.values()], ids=CASES)
def test_mending_the_mended_changes_nothing(before: str, after: str) -> None:
    again = mend(after)
    assert again.applied == ()
    assert again.changes() == ()
    assert text_after(again) == after


def test_every_code_with_a_mend_has_a_case() -> None:
    covered = {code for code, _, _ in CASES.values()}
    elsewhere = {"skill-md-missing-exact-name", "yaml-invalid-number", "metadata-value-not-text"}
    assert covered | elsewhere == MENDED_CODES


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        ("metadata-value-not-text", "  version: 1.10", '  version: "1.10"'),
        ("yaml-invalid-number", "  number: 0x_", '  number: "0x_"'),
    ],
)
def test_values_below_metadata(code: str, before: str, after: str) -> None:
    mended = mend(front("metadata:", before))
    assert text_after(mended) == front("metadata:", after)
    assert code in {one.code for one in mended.applied}


LEFT_ALONE = {
    "a comment before the front matter": "<!-- licence -->\n" + front(),
    "no front matter": "# Title\n",
    "never closed": front().replace("\n---\n", "\n"),
    "four dashes": "-" + front(),
    "a comment after a description": bare("name: demo", "description: Does one thing # today"),
    "another value under the same key": front("license: MIT", "license: Apache-2.0"),
    "the same key with parts": front("metadata:", "  a: x", "metadata:", "  a: x"),
    "an open quote": bare("name: demo", 'description: "never closed'),
    "an anchor": front("license: &a MIT"),
    "a tag": front("license: !foo MIT"),
    "dashes in a value": bare("name: demo", "description: one --- two"),
    "an angle bracket": bare("name: demo", "description: for <service>"),
    "a list for a description": bare("name: demo", "description: [a, b]"),
    "a name in capitals": bare("name: Demo", "description: Does one thing."),
    "an unknown key with a list": front("foo:", "  - a"),
    "an unknown key with nothing": front("foo:"),
    "JSON below metadata": front('metadata: {"openclaw": {"emoji": "x"}}'),
    "a key that decides where it stands": front("slug: other-demo"),
    "a vendor beside openclaw": front(
        "metadata:", "  openclaw:", "    emoji: x", "  moltbot:", "    emoji: y"
    ),
    "a key that is indented too far": bare("name: demo", "description: Does one thing.", "  license: MIT"),
    "a pair in the place of metadata": front("metadata: author: me"),
    "text after metadata in brackets": front("metadata: {a: b} c"),
    "a quoted text of two lines in brackets": front('tags: [tool, "a', ' b"]'),
    "a list under a key in capitals": bare("name: demo", "Description:", "  - a"),
    "an end of a line that only YAML 1.1 knows": front("# a\u2028foo: b", 'always: "false"'),
    "one of two mistakes in the YAML": bare("name: demo", "description: Use when: asked", "license: &a MIT"),
    "a joiner in an emoji": bare("name: demo", "description: For 👩\u200d💻 people."),
}


@pytest.mark.parametrize("before", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_what_needs_its_author_stays(before: str) -> None:
    mended = mend(before)
    assert text_after(mended) == before
    assert mended.applied == ()


@pytest.mark.parametrize(
    "data",
    [
        b"---\nname: demo\ndescription: caf\xe9\n---\n",
        b"---\nname: demo\ndescription: Does one thing.\n---\ncaf\xe9\n",
    ],
    ids=["front matter", "body"],
)
def test_an_unknown_encoding_stays(data: bytes) -> None:
    assert mend(data).changes() == ()


def test_bytes_that_are_not_utf8_stay_where_the_front_matter_is_mended() -> None:
    data = as_bytes(front('always: "false"')) + b"caf\xe9\n"
    mended = mend(data)
    assert mended.changes() == (("SKILL.md", data, "SKILL.md", data.replace(b'"false"', b"false")),)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_wide_encodings(encoding: str, mark: str) -> None:
    if encoding == "utf-32" and not mark:
        mark = ""  # Python writes the mark itself
    text = bare("name: demo", "description: 中文 and more.")
    mended = mend((mark + text if encoding.endswith(("le", "be")) else text).encode(encoding))
    assert text_after(mended) == text
    assert mended.findings == ()


@pytest.mark.parametrize("name", ["skill.md", "Skill.md", "SKILL.MD"])
def test_the_file_gets_its_name(name: str) -> None:
    mended = mend(front('always: "false"'), name=name)
    assert mended.renames == ((name, "SKILL.md"),)
    assert mended.changes() == (
        (name, as_bytes(front('always: "false"')), "SKILL.md", as_bytes(front("always: false"))),
    )


def test_two_names_stay() -> None:
    mended = mend_package(package({"SKILL.md": front(), "skill.md": front()}, "demo"))
    assert mended.renames == ()


def test_other_files_stay() -> None:
    files: dict[str, Content] = {
        "SKILL.md": "\ufeff" + front(),
        "a.md": "\ufeff" + front(),
        "b.bin": b"\x00\xff",
    }
    mended = mend_package(package(files, "demo"))
    assert [change[0] for change in mended.changes()] == ["SKILL.md"]


def test_a_link_in_the_place_of_the_file_is_never_mended() -> None:
    place = Place("demo", manifest_link=True)
    assert mend_package(package({"SKILL.md": "\ufeff" + front()}, "demo"), place=place).applied == ()


def test_a_package_without_a_manifest() -> None:
    assert mend_package(package({"a.md": "x"}, "demo")).changes() == ()


MOVED = front("metadata:", '  version: "1.0"')
HOSTED = {
    "nobody strict was asked for": (("codex", "opencode"), front("version: 1.0"), front("version: 1.0")),
    "the reference validator": (("agentskills/skills-ref validate",), front("version: 1.0"), MOVED),
    "DeerFlow knows version": (("deerflow",), front("version: 1.0"), front("version: 1.0")),
    "DeepTutor reads tags": (
        ("deeptutor", "agentskills"),
        front("tags:", "  - tool"),
        front("tags:", "  - tool"),
    ),
    "a flag cannot become a text": (("agentskills",), front("always: true"), front("always: true")),
    "a quoted flag is unquoted": (("agentskills",), front('always: "true"'), front("always: true")),
    "DeepTutor reads always": (
        ("agentskills", "deeptutor/list"),
        front("always: true"),
        front("always: true"),
    ),
    "always stays for all": ((), front("always: true"), front("always: true")),
    "Claude Code reads model": (("claude-code", "anthropic"), front("model: opus"), front("model: opus")),
    "nobody asked for reads model": (
        ("anthropic",),
        front("model: opus"),
        front("metadata:", "  model: opus"),
    ),
    "a text of tools for DeerFlow": (
        ("deerflow/load",),
        front("allowed-tools: bash, read_file"),
        front("allowed-tools:", "  - bash", "  - read_file"),
    ),
    "a text of tools for the specification": (
        ("agentskills",),
        front("allowed-tools: Bash(git:*) Read"),
        front("allowed-tools: Bash(git:*) Read"),
    ),
    "brackets around tools for the specification": (
        ("agentskills",),
        front("allowed-tools: [Bash(git:*), Read] # two"),
        front("allowed-tools: Bash(git:*) Read # two"),
    ),
    "a list of tools for the specification": (
        ("agentskills",),
        front("allowed-tools:", "  - Bash(git:*)", "  - Read", "license: MIT"),
        front("allowed-tools:", "  - Bash(git:*)", "  - Read", "license: MIT"),
    ),
    "brackets stay where nobody minds": (("codex",), front("tags: [a, b]"), front("tags: [a, b]")),
}


@pytest.mark.parametrize(("hosts", "before", "after"), HOSTED.values(), ids=HOSTED)
def test_mends_for_certain_hosts(hosts: tuple[str, ...], before: str, after: str) -> None:
    assert text_after(mend(before, frozenset(hosts))) == after


def test_a_mend_that_does_not_help_is_refused_with_the_reason() -> None:
    # Quoted, the flag below metadata would be a text where a yes or no belongs.
    mended = mend(front("metadata:", "  always: true"))
    assert text_after(mended) == front("metadata:", "  always: true")
    assert [(r.mend.code, r.reason) for r in mended.refused] == [
        ("metadata-value-not-text", "it would cause gate-wrong-type")
    ]


def test_a_finding_that_stays_refuses_its_mend() -> None:
    always_wrong = skill_of(front('always: "false"')).findings

    mended = mend_package(
        package({"SKILL.md": front('always: "false"')}, "demo"), find=lambda _: always_wrong
    )
    assert mended.changes() == ()
    assert [r.reason for r in mended.refused] == ["the finding stays"]


def test_many_keys_are_moved() -> None:
    lines = [f"key{n}: value" for n in range(60)]
    mended = mend(front(*lines))
    assert text_after(mended) == front("metadata:", *(f"  {line}" for line in lines))
