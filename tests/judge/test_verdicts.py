"""Verdicts by kind: where a skill lies, what its file is, what is lost, what it is called, who keeps a name.

Whether they are true is the business of test_agreement; here is what the record has no probe for, and that
nothing an author writes breaks the judge.
"""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.findings import CODES
from generator.judge.agreement import read_record, subjects_of
from generator.judge.facts import FACTS
from generator.judge.matching import read_intent
from generator.judge.model import Outcome, Place, Subject, Verdict
from generator.judge.profiles import load_profiles
from generator.judge.verdicts import judge_package, settle_names
from generator.model import Package, PackageFile, PackagePath, Sha256
from generator.read.manifest import read_skill

PROFILES = load_profiles()
GOOD = "---\nname: {name}\ndescription: Does one thing. Use when testing.\n---\n\n# Body\n\nDo the thing.\n"
BOTH = "name: probe\ndescription: d\n"
RECORD = read_record()


def make_subject(text: str | bytes | None, folder: str = "probe", **place: object) -> Subject:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    files = () if data is None else (make_file("SKILL.md", data),)
    return Subject(read_skill(Package("tests", folder, files)), Place(folder, **place))  # type: ignore[arg-type]


def make_file(path: str, data: bytes) -> PackageFile:
    return PackageFile(PackagePath(path), data, Sha256(hashlib.sha256(data).hexdigest()))


def outcomes(subject: Subject, hosts: str) -> dict[str, str]:
    """The outcomes of the hosts whose ids start with one of the words."""
    return {
        word: str(verdict.outcome)
        for word in hosts.split()
        for verdict in judge_package(subject, PROFILES)
        if verdict.host.startswith(word)
    }


PLACES: dict[str, tuple[str, dict[str, object], str, str]] = {
    # name: (folder below the folder of skills, what else is so, hosts that load it, hosts that do not)
    "directly below": ("pdf", {}, "codex claude-code gemini deeptutor/list vscode nanobot", ""),
    "grouped": (
        "office/pdf", {}, "codex openclaw opencode hermes/0 agentskills",
        "claude-code gemini deeptutor/list vscode nanobot vercel",
    ),
    "six levels down": ("a/b/c/d/e/pdf", {}, "codex openclaw", ""),
    "seven levels down": ("a/b/c/d/e/f/pdf", {}, "opencode hermes/0", "codex openclaw"),
    "hidden above": (".claude/pdf", {}, "opencode hermes/0", "codex openclaw"),
    "in a folder Hermes leaves out": (".github/pdf", {}, "opencode", "hermes/0"),
    "in node_modules": ("node_modules/pdf", {}, "codex opencode", "hermes/0 openclaw gemini"),
    "nested": ("pdf/examples/inner", {"inside": "pdf"}, "codex hermes/0", "openclaw deerflow/load nanobot"),
    "nested among references": ("pdf/references/inner", {"inside": "pdf"}, "codex", "hermes/0"),
    "upper case": ("PDF", {}, "deeptutor/hub codex", "deeptutor/list"),
    "blanks in odd places": ("x: y", {}, "codex", "claude-code deeptutor/list"),
    "a hard link": ("pdf", {"hard_link": True}, "codex", "openclaw"),
}  # fmt: skip


@pytest.mark.parametrize(("folder", "place", "load", "refuse"), PLACES.values(), ids=PLACES)
def test_where_a_skill_lies(folder: str, place: dict[str, object], load: str, refuse: str) -> None:
    subject = make_subject(GOOD.format(name=json.dumps(folder.rpartition("/")[2])), folder, **place)
    expected = dict.fromkeys(load.split(), "load") | dict.fromkeys(refuse.split(), "refuse")
    assert outcomes(subject, f"{load} {refuse}") == expected


def test_a_link_is_never_read_and_hosts_that_follow_it_say_so() -> None:
    subject = make_subject(None, "pdf", manifest_link=True)
    verdicts = {verdict.host: verdict for verdict in judge_package(subject, PROFILES)}
    assert verdicts["codex/0.171.0"].outcome is Outcome.REFUSE
    followed = verdicts["claude-code/2.1.332"]
    assert followed.outcome is Outcome.LOAD
    assert "not examined" in followed.reason
    assert followed.seen is None
    assert followed.name == "pdf"


def test_a_folder_that_is_a_link_is_never_read_and_hosts_that_follow_it_say_so() -> None:
    subject = make_subject(None, "pdf", folder_link=True)
    loading = "codex claude-code opencode gemini hermes/0 deeptutor deerflow agentskills clawhub anthropic"
    refusing = "openclaw vercel claude-ai-api skill-package-service"
    expected = dict.fromkeys(loading.split(), "load") | dict.fromkeys(refusing.split(), "refuse")
    assert outcomes(subject, f"{loading} {refusing}") == expected
    for verdict in judge_package(subject, PROFILES):
        assert verdict.seen is None
        assert verdict.outcome is Outcome.REFUSE or "not examined" in verdict.reason


def test_a_folder_name_that_takes_the_place_of_a_name_may_be_too_long() -> None:
    for text, outcome in (("description: d", "refuse"), ("name: short\ndescription: d", "load")):
        subject = make_subject(f"---\n{text}\n---\n\nBody\n", "n" * 65)
        assert outcomes(subject, "codex") == {"codex": outcome}


def test_a_folder_without_a_skill_is_refused_by_all() -> None:
    verdicts = judge_package(make_subject(None), PROFILES)
    assert {verdict.outcome for verdict in verdicts} == {Outcome.REFUSE}
    assert {verdict.codes for verdict in verdicts} == {("frontmatter-missing",)}


REASONS: dict[str, tuple[str, str, str, str, str]] = {
    # name: (lines of the front matter or a whole file, host, outcome, first code, words of the reason)
    "a colon": ("name: probe\ndescription: Use when: x", "deerflow/load", "refuse", "yaml-unquoted-colon", "line 3"),
    "a comment": ("name: probe\ndescription: Track #42", "codex", "loss", "yaml-comment-truncation", "#42"),
    "dashes in a value": (
        "name: probe\ndescription: one --- two", "claude-code", "loss", "frontmatter-contains-triple-dash", "--- two"
    ),
    "no name": ("description: d", "gemini", "refuse", "name-missing", "without a name"),
    "no name, folder used": ("description: d", "codex", "load", "name-missing", "probe"),
    "a number as the name": ("name: 12\ndescription: d", "hermes/0", "refuse", "yaml-implicit-type", "a number"),
    "a long name": (f"name: {'n' * 65}\ndescription: d", "codex", "refuse", "name-invalid-format", "65"),
    "an unknown key": (f"{BOTH}foo: 1", "anthropic", "refuse", "unknown-frontmatter-key", "foo"),
    "tools as a text": (f"{BOTH}allowed-tools: Read", "deerflow/load", "refuse", "allowed-tools-shape", "text"),
    "a gate read by letters": (
        f"{BOTH}requires:\n  bins: git", "deeptutor/list", "load", "gate-wrong-type", "letter by letter"
    ),
    "always as a text": (f'{BOTH}always: "false"', "deeptutor/list", "load", "gate-wrong-type", "every turn"),
    "a date that is none": (
        f"{BOTH}u: 2026-02-30", "deeptutor/list", "crash", "yaml-invalid-timestamp", "line 4"
    ),
    "a long description": (
        f"name: probe\ndescription: {'x' * 1100}", "hermes/0", "loss", "description-too-long", "1,100"
    ),
    "hidden from the model": (
        f"{BOTH}disable-model-invocation: true", "claude-code", "load", "invocation-disabled", "slash"
    ),
    "hidden from everybody": (
        f"{BOTH}disable-model-invocation: true\nuser-invocable: false", "claude-code", "refuse",
        "invocation-disabled", "nobody",
    ),
    "nothing is lost of what no model sees": (
        "name: probe\ndescription: a # b\ndisable-model-invocation: true", "claude-code", "load",
        "invocation-disabled", "slash",
    ),
    "nothing is lost of what waits": (
        "name: probe\ndescription: a # b\npaths: src/**, '*.py'", "claude-code", "load",
        "invocation-conditional", "touched",
    ),
    "a path that stands for everything": (
        "name: probe\ndescription: a # b\npaths: ['**', '/**']", "claude-code", "loss",
        "yaml-comment-truncation", "# b",
    ),
    "emoji count twice in JavaScript": (
        f"name: probe\ndescription: {chr(0x1F600) * 769}", "claude-code", "loss", "description-too-long", "1,538"
    ),
    "emoji count once in Python": (
        f"name: probe\ndescription: {chr(0x1F600) * 1025}", "hermes/0", "loss", "description-too-long", "1,025"
    ),
    "what follows the description counts": (
        f"name: probe\ndescription: {'a' * 1000}\nwhen_to_use: {'b' * 600}", "claude-code", "loss",
        "description-too-long", "1,603",
    ),
    "metadata: null": (f"{BOTH}metadata: null", "codex", "refuse", "metadata-not-mapping", "nothing"),
    "a short description twice": (
        f"{BOTH}metadata:\n  short-description: a\n  short-description: b", "codex", "refuse",
        "yaml-duplicate-key", "short-description",
    ),
    "no end of the front matter": (f"---\n{BOTH}", "openclaw", "refuse", "frontmatter-unterminated", "end"),
    "a reserved name": (
        "name: claude-tools\ndescription: d", "claude-ai-api", "refuse", "name-reserved-or-protected", "claude"
    ),
    "a slash name of DeerFlow": (
        "name: memory\ndescription: d", "deerflow/load", "load", "name-reserved-or-protected", "/memory"
    ),
    "a front matter that is run": (
        "---js\nmodule.exports = {}\n---\n\nb\n", "opencode", "loss", "frontmatter-program", "RUNS"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "host", "outcome", "code", "words"), REASONS.values(), ids=REASONS)
def test_a_reason_names_what_it_is_about(text: str, host: str, outcome: str, code: str, words: str) -> None:
    whole = text if text.startswith("---") else f"---\n{text}\n---\n\nb\n"
    verdict = next(v for v in judge_package(make_subject(whole), PROFILES) if v.host.startswith(host))
    assert verdict.outcome == outcome, verdict
    assert verdict.codes[0] == code, verdict
    assert words in verdict.reason


NAMES = {
    "Claude Code uses the folder": ("claude-code", "other", "probe"),
    "Codex uses the name": ("codex", "other", "other"),
    "Codex makes one line of it": ("codex", '"a  b"', "a b"),
    "Gemini replaces what a file name cannot hold": ("gemini", '"a:b/c"', "a-b-c"),
    "Hermes cuts it": ("hermes/0", "n" * 70, "n" * 64),
    "DeepTutor imports a slug": ("deeptutor/hub", "My Skill_1", "my-skill-1"),
    "DeepTutor lists the folder": ("deeptutor/list", "other", "probe"),
    "OpenClaw stringifies a number": ("openclaw", "12", "12"),
    "VS Code uses the folder": ("vscode", "other", "probe"),
}


@pytest.mark.parametrize(("host", "name", "expected"), NAMES.values(), ids=NAMES)
def test_what_a_host_calls_a_skill(host: str, name: str, expected: str) -> None:
    subject = make_subject(f"---\nname: {name}\ndescription: d\n---\n\nb\n")
    verdict = next(v for v in judge_package(subject, PROFILES) if v.host.startswith(host))
    assert verdict.name == expected


MEANT = {
    # name: (lines of the front matter, what the author meant)
    "plain": ("description: a b", "a b"),
    "quoted": ('description: "a: b"', "a: b"),
    "quoted with an escape": ('description: "a\\u00e9"', "aé"),
    "single quotes": ("description: 'it''s'", "it's"),
    "a comment is meant": ("description: a #b", "a #b"),
    "a comment behind quotes is not": ('description: "a" # b', "a"),
    "two lines": ("description: a\n  b", "a b"),
    "two lines with a colon": ("description: a\n  b: c", "a b: c"),
    "folded": ("description: >-\n  a\n  b", "a b"),
    "literal": ("description: |\n  a\n  b", "a b"),
    "a bracket that is closed": ("description: [a, b]", None),
    "a bracket followed by text": ("description: [a] b", "[a] b"),
    "a list": ("description:\n  - a", None),
    "a mapping": ("description:\n  a: b", None),
    "nothing": ("description:", None),
    "null": ("description: null", None),
    "blanks": ('description: "  "', None),
    "only a comment": ("description: # a", None),
    "a quote and more": ('description: "a" b', '"a" b'),
    "an anchor that is used": ("description: &d a\nx: *d", "a"),
    "an ampersand": ("description: &a b", "&a b"),
    "an alias": ("x: &d a\ndescription: *d", "a"),
    "emphasis": ("description: *a* b", "*a* b"),
    "a tag of YAML": ("description: !!str 42", "42"),
    "another case of the key": ("Description: a", "a"),
    "a quoted key": ('"description": a', "a"),
    "no blank behind the colon": ("description:a", "a"),
    "missing": ("name: x", None),
    "an issue's number first": ("description: #1 tool", "#1 tool"),
    "a surrogate pair": ('description: "\\uD83D\\uDE80 go"', "\U0001f680 go"),
    "a pattern in quotes": ('description: "\\d+ of C:\\Users"', "\\d+ of C:\\Users"),
    "an apostrophe in single quotes": ("description: 'It's here'", "It's here"),
    "everything indented": ("  name: x\n  description: a b", "a b"),
    "one blank too many": ("name: x\n description: a b", "a b"),
    "a hard blank behind the colon": ("description:\u00a0a b", "a b"),
    "an indented key of another": ("metadata:\n  description: a", None),
}


@pytest.mark.parametrize(("lines", "meant"), MEANT.values(), ids=MEANT)
def test_what_an_author_meant(lines: str, meant: str | None) -> None:
    intent = read_intent(f"---\n{lines}\n---\n\nBody\n".encode())
    assert (None if intent.text is None else " ".join(intent.text.split())) == meant


def test_what_an_author_meant_in_a_broken_file() -> None:
    assert read_intent(b"\xef\xbb\xbf\n\n---\r\ndescription: a\xff b\r\n").text == "a b"
    assert read_intent(b"description: no fence").text is None
    assert read_intent(b"---\ndescription: a\ndescription: b\n---\n").ambiguous


def collection(*members: tuple[str, str, str]) -> tuple[tuple[Verdict, ...], ...]:
    subjects = [
        make_subject(f"---\nname: {name}\ndescription: {description}\n---\n\nb\n", folder)
        for folder, name, description in members
    ]
    return settle_names(subjects, [judge_package(subject, PROFILES) for subject in subjects], PROFILES)


KEEPERS = {
    "hermes/0.19.0": ("load", "loss"),
    "opencode/1.18.33": ("load", "load"),
    "gemini-cli-core/0.61.0": ("load", "load"),
    "deerflow/load": ("load", "load"),
    "vscode-copilot": ("load", "load"),
    "codex/0.171.0": ("load", "load"),
    "claude-code/2.1.332": ("load", "load"),
    "vercel-skills/1.4.5 add --list": ("load", "load"),
    "anthropic/quick_validate": ("load", "load"),
}


@pytest.mark.parametrize(("host", "expected"), KEEPERS.items(), ids=KEEPERS)
@pytest.mark.parametrize("turned", [False, True], ids=["in order", "turned"])
def test_who_keeps_a_name(host: str, expected: tuple[str, str], turned: bool) -> None:
    members = [("a", "pdf", "first copy"), ("b", "pdf", "second copy")]
    rows = collection(*(members[::-1] if turned else members))
    column = [profile.id for profile in PROFILES].index(host)
    seen = tuple(str(row[column].outcome) for row in rows)
    assert (seen[::-1] if turned else seen) == expected


def test_who_loses_a_name_is_told_to_whom() -> None:
    column = [profile.id for profile in PROFILES].index("vscode-copilot")
    kept, lost = (row[column] for row in collection(("a", "pdf", "x"), ("b", "pdf", "y")))
    assert kept.outcome is Outcome.LOAD
    # VS Code goes by the folder, and these differ.
    assert lost.outcome is Outcome.LOAD
    column = [profile.id for profile in PROFILES].index("hermes/0.19.0")
    kept, lost = (row[column] for row in collection(("a", "pdf", "x"), ("b", "pdf", "y")))
    assert "which is a" in lost.reason
    assert lost.codes[0] == "name-collision-in-registry"
    assert (kept.name, kept.seen) == (lost.name, lost.seen) == ("pdf", "x")


DEEPER = {
    "nothing directly below": (("office/pdf", "office/doc"), ("load", "load")),
    "one directly below": (("pdf", "office/doc"), ("load", "refuse")),
    "a folder of skills inside": (("skills/pdf", "office/doc"), ("load", "refuse")),
    "below five levels": (("1/2/3/4/5/pdf", "1/2/3/4/doc"), ("refuse", "load")),
    "in a folder that is left out": (("dist/pdf", "office/doc"), ("refuse", "load")),
}


@pytest.mark.parametrize(("folders", "expected"), DEEPER.values(), ids=DEEPER)
def test_a_host_that_finds_nothing_looks_deeper(folders: tuple[str, str], expected: tuple[str, str]) -> None:
    column = [profile.id for profile in PROFILES].index("vercel-skills/1.4.5 add --list")
    rows = collection(*((folder, f"n{index}", "d") for index, folder in enumerate(folders)))
    assert tuple(str(row[column].outcome) for row in rows) == expected


def test_of_two_equal_skills_none_is_lost() -> None:
    column = [profile.id for profile in PROFILES].index("hermes/0.19.0")
    rows = collection(("a", "pdf", "x"), ("b", "pdf", "x"))
    assert [str(row[column].outcome) for row in rows] == ["load", "load"]


def test_a_skill_that_is_refused_takes_no_name() -> None:
    column = [profile.id for profile in PROFILES].index("hermes/0.19.0")
    rows = collection(("a", "pdf", "true"), ("b", "pdf", "y"))
    assert [str(row[column].outcome) for row in rows] == ["refuse", "load"]


def test_every_verdict_of_every_probe_is_complete() -> None:
    for subject in subjects_of(RECORD):
        for verdict in judge_package(subject, PROFILES):
            assert_complete(verdict)


def assert_complete(verdict: Verdict) -> None:
    assert verdict.reason
    assert verdict.reason.isprintable(), verdict
    assert len(verdict.reason) < 500
    assert all(code in CODES for code in verdict.codes), verdict
    assert len(set(verdict.codes)) == len(verdict.codes)
    if verdict.outcome in (Outcome.REFUSE, Outcome.CRASH):
        assert verdict.codes, verdict
        assert verdict.name is None
        assert verdict.seen is None
    if verdict.outcome is Outcome.LOSS:
        assert verdict.codes, verdict
    json.dumps([verdict.name, verdict.seen, verdict.reason]).encode("utf-8")


ALPHABET = "-\n\r\t :#'\"[]{}|>&*!%@`,?~<.\\ab0é\x00\x85\ufeff\u2028\ud800"
VALUES = st.text(alphabet=st.sampled_from(ALPHABET), max_size=60)
FILES = VALUES.map(lambda text: f"---\nname: x\ndescription: {text}\n---\n".encode("utf-8", "surrogatepass"))


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=200), FILES))
def test_any_bytes_get_a_verdict_of_every_host(data: bytes) -> None:
    verdicts = judge_package(make_subject(data), PROFILES)
    assert [verdict.host for verdict in verdicts] == [profile.id for profile in PROFILES]
    for verdict in verdicts:
        assert_complete(verdict)


PROBES = [
    subject.skill.package.files[0].data
    for subject in subjects_of(RECORD)
    if subject.skill.package.files and subject.skill.package.files[0].size < 4_000
]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PROBES), st.integers(0, 4_000), st.integers(0, 8), st.binary(max_size=6))
def test_a_mutated_probe_gets_a_verdict_of_every_host(data: bytes, at: int, length: int, put: bytes) -> None:
    at %= len(data) + 1
    for verdict in judge_package(make_subject(data[:at] + put + data[at + length :]), PROFILES):
        assert_complete(verdict)


HUGE = {
    "one line": b"---\nname: x\ndescription: " + b"a: " * 400_000,
    "many keys": b"---\n" + b"".join(b"k%d: v\n" % n for n in range(9_000)) + b"---\n",
    "many descriptions": b"---\n" + b"description: a\n" * 5_000 + b"---\n",
    "newlines": b"---" + b"\n" * 2_000_000,
    "brackets": b"---\ndescription: " + b"[" * 60_000 + b"\n---\n",
    "brackets in brackets": b"---\nx: " + b"[" * 700 + b"a" + b"]" * 700 + b"\ny: {z: [a\n---\n",
    "mappings in mappings": b"---\nx: " + b"{a: " * 700 + b"}" * 700 + b"\n: b\n---\n",
    "quotes": b'---\ndescription: "' + b'\\"' * 60_000 + b"\n---\n",
    "blanks in a value": b"---\ndescription: a" + b" " * 120_000 + b"#\n---\n",
    "anchors": b"---\n"
    + b"".join(b"k%d: &a%d x\n" % (n, n) for n in range(3_000))
    + b"description: *a9\n---\n",
}


@pytest.mark.parametrize("data", HUGE.values(), ids=HUGE)
def test_no_file_makes_the_judge_slow(data: bytes) -> None:
    subject = make_subject(data)
    start = time.process_time()
    judge_package(subject, PROFILES)
    assert time.process_time() - start < 8.0


def test_an_ordinary_skill_costs_little() -> None:
    path = Path(__file__).resolve().parents[2] / "skills"
    files = sorted(path.glob("**/SKILL.md"))
    subjects = [make_subject(file.read_bytes(), file.parent.name) for file in files]
    assert subjects
    best = min(_seconds(subjects) for _ in range(5)) / len(subjects)
    assert best < 0.004, f"{best * 1000:.2f} ms a skill"


def _seconds(subjects: list[Subject]) -> float:
    start = time.process_time()
    for subject in subjects:
        judge_package(subject, PROFILES)
    return time.process_time() - start


def test_judging_twice_gives_the_same() -> None:
    subjects = subjects_of(RECORD)[:20]
    assert [judge_package(one, PROFILES) for one in subjects] == [
        judge_package(one, PROFILES) for one in subjects
    ]


def test_the_table_of_facts_is_made_of_sentences() -> None:
    for fact, info in FACTS.items():
        assert info.meaning.endswith("."), fact
        assert info.codes, fact
