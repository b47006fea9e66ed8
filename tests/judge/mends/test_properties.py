"""Whatever an author wrote: mending never makes a skill worse, never raises, and comes to an end."""

from __future__ import annotations

import random
import re
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.findings import CODES
from generator.hidden import without_hidden
from generator.judge.mends import apply, finder_for, mend_package, propose
from generator.judge.mends.hosts import Hosts
from generator.judge.model import Outcome, Place, Subject
from generator.judge.profiles import load_profiles
from generator.judge.verdicts import judge_package
from generator.model import Finding, Package, Severity
from generator.read.manifest import read_skill
from generator.read.package import manifest_file
from tests.judge.mends.kinds import draw_skill_md
from tests.judge.mends.samples import bare
from tests.judge.mends.test_mends import CASES, LEFT_ALONE
from tests.read.helpers import as_bytes, package
from tests.read.test_probes import PROBES, content

HOSTS: tuple[frozenset[str], ...] = (
    frozenset(),
    frozenset({"deeptutor/list", "deerflow"}),
    frozenset({"agentskills", "anthropic"}),
    frozenset({"codex"}),
)
SMALL = [
    (p["id"], as_bytes(content(p["files"]["SKILL.md"])))
    for p in PROBES
    if "SKILL.md" in p["files"] and "symlink" not in p["files"]["SKILL.md"]
]
SEEDS = [
    *(data for _, data in SMALL if len(data) < 2_000),
    *(as_bytes(before) for _, before, _ in CASES.values()),
    *(as_bytes(text) for text in LEFT_ALONE.values()),
]
PIECES = [
    b": ", b" #", b"#", b"\t", b"\n", b"\r\n", b"\r", b"---\n", b"...\n", b"\xef\xbb\xbf", b"\x00", b"\xff", b'"', b"'",
    b"[", b"]", b"{", b"}", b",", b"- ", b"&a ", b"*a", b"!t ", b"|\n  ", b">-\n  ", b"\xe2\x80\x8b", b"  ", b"a: b\n",
    b"metadata:\n  x: 1\n", b"tags: [a, b]\n", b"always: 'no'\n", b"version: 1\n", b"Description: x\n", b"? ", b"\\",
    b"\xe4\xb8\xad", b"os: macos\n", b"requires: {bins: git}\n", b"allowed-tools: Read, Write\n", b"\xe2\x80\xa8",
]  # fmt: skip


def mutate(data: bytes, seed: int) -> bytes:
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, min(len(data), 300))
        end = min(len(data), at + rng.choice((0, 0, 0, 1, 2, 5, 12)))
        data = data[:at] + rng.choice(PIECES) + data[end:]
    return data


def errors(findings: tuple[Finding, ...]) -> Counter[str]:
    return Counter(f.code for f in findings if CODES[f.code].severity is Severity.ERROR)


def check(data: bytes, hosts: frozenset[str]) -> None:
    made = package({"SKILL.md": data}, "demo")
    find = finder_for(hosts)
    subject = Subject(read_skill(made), Place("demo"))
    before = tuple(find(subject))

    # Each mend alone: its edits are all that changes.
    for mend in propose(subject, before, hosts):
        pieces, at = [], 0
        for edit in sorted(mend.edits, key=lambda e: (e.start, e.end)):
            assert at <= edit.start <= edit.end <= len(data)
            pieces += [data[at : edit.start], edit.replacement]
            at = edit.end
        assert apply(data, [mend]) == b"".join([*pieces, data[at:]])

    mended = mend_package(made, hosts)
    after = manifest_file(mended.after)
    assert after is not None
    again = mend_package(mended.after, hosts)
    assert again.applied == ()
    assert again.after == mended.after
    if mended.applied == ():
        assert after.data == data
        return
    new = read_skill(mended.after)
    if subject.skill.front is not None:
        # Where the front matter could be read, nothing may become an error that was none.
        assert not errors(mended.findings) - errors(before)
        assert new.manifest is not None
        assert subject.skill.manifest is not None
        old = subject.skill.manifest
        # Invisible characters aside the name and the description are as meant; a description may get back what
        # a number sign had cut off.
        assert without_hidden(new.manifest.name or "").startswith(without_hidden(old.name or ""))
        assert without_hidden(new.manifest.description).startswith(without_hidden(old.description))
    for one in mended.applied:
        assert one.code in CODES


@pytest.mark.parametrize("hosts", HOSTS, ids=lambda h: "-".join(sorted(h)) or "all")
@pytest.mark.parametrize(("name", "data"), SMALL, ids=[name for name, _ in SMALL])
def test_every_probe(name: str, data: bytes, hosts: frozenset[str]) -> None:
    check(data, hosts)


@pytest.mark.parametrize("seed", range(len(SEEDS)))
def test_mutated_probes(seed: int) -> None:
    for round_ in range(8):
        check(mutate(SEEDS[seed], seed * 1000 + round_), HOSTS[round_ % len(HOSTS)])


_RANK = {Outcome.LOAD: 0, Outcome.LOSS: 1, Outcome.REFUSE: 2, Outcome.CRASH: 3}


def outcomes(made: Package, hosts: frozenset[str]) -> dict[str, int]:
    asked = Hosts.of(hosts)
    profiles = [profile for profile in load_profiles() if asked.any_of(profile.host)]
    verdicts = judge_package(Subject(read_skill(made), Place("demo")), profiles)
    return {verdict.host: _RANK[verdict.outcome] for verdict in verdicts}


@pytest.mark.parametrize("hosts", HOSTS, ids=lambda h: "-".join(sorted(h)) or "all")
@pytest.mark.parametrize("data", SEEDS)
def test_no_host_takes_a_mended_skill_worse(data: bytes, hosts: frozenset[str]) -> None:
    made = package({"SKILL.md": data}, "demo")
    mended = mend_package(made, hosts)
    if mended.applied:
        before, after = outcomes(made, hosts), outcomes(mended.after, hosts)
        assert {host for host in before if after[host] > before[host]} == set()


FAMILIES = sorted({profile.host for profile in load_profiles()})
COMMENT = re.compile(rb"(?m)^[ ]*(#.*?)$")


def comments(data: bytes) -> list[bytes]:
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"# Body")[0]
    return sorted(COMMENT.findall(lines.replace(b"\x00", b"")))


@pytest.mark.parametrize("seed", range(24))
def test_front_matter_of_every_kind(seed: int) -> None:
    """For any choice of hosts: none does worse, comments stay, and nothing is left to mend."""
    rng = random.Random(seed)
    for _ in range(10):
        data = draw_skill_md(rng)
        hosts = frozenset(rng.sample(FAMILIES, rng.choice((0, 0, 1, 1, 2, 3))))
        check(data, hosts)
        made = package({"SKILL.md": data}, "demo")
        mended = mend_package(made, hosts)
        if mended.applied:
            before, after = outcomes(made, hosts), outcomes(mended.after, hosts)
            assert {host for host in before if after[host] > before[host]} == set(), data
            file = manifest_file(mended.after)
            assert file is not None
            assert comments(file.data) == comments(data), data


WORSE_IF_READ = {
    "a fence that is not the end": (
        "---\nname: demo\ndescription: Does one thing. Use when testing.\n ---\n x: y\n---\n", frozenset({"codex"}),
    ),
    "a gate that nobody could read": ("\n---\nname: demo\nplatforms: @at\ndescription: Does one thing.\n---\nx\n",
                                      frozenset({"hermes"})),
    "a number that stops the whole list": ("\r---\rdescription: 0x_\r#c80\rname: demo\r? cx:  No\r---\r", frozenset()),
}  # fmt: skip


@pytest.mark.parametrize(("text", "hosts"), WORSE_IF_READ.values(), ids=WORSE_IF_READ)
def test_what_a_host_would_take_worse_is_refused(text: str, hosts: frozenset[str]) -> None:
    made = package({"SKILL.md": text.encode()}, "demo")
    mended = mend_package(made, hosts)
    before, after = outcomes(made, hosts), outcomes(mended.after, hosts)
    assert {host for host in before if after[host] > before[host]} == set()
    assert any("would take it worse" in refusal.reason for refusal in mended.refused)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(SEEDS), st.integers(0, 2**32), st.sampled_from(HOSTS))
def test_mutations_of_any_seed(data: bytes, seed: int, hosts: frozenset[str]) -> None:
    check(mutate(data, seed), hosts)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.booleans())
def test_any_bytes(data: bytes, fenced: bool) -> None:
    check(b"---\n" + data + b"\n---\n" if fenced else data, frozenset())


def test_time_on_a_skill_with_much_to_mend() -> None:
    lines = [f"Key{n}: value {n}" for n in range(150)]
    data = bare("name: demo", "description: Does one thing.", *lines)
    started = time.process_time()
    mended = mend_package(package({"SKILL.md": data}, "demo"))
    assert len(mended.applied) == 150
    assert time.process_time() - started < 10
