"""Host files are read strictly: what a maintainer writes counts, or is an error that names file and key."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from generator.findings import CODES
from generator.judge.facts import FACTS
from generator.judge.model import Outcome
from generator.judge.profiles import ProfileError, load_profiles, parse_profile
from generator.judge.reads import CHOICES, MEANINGS, Reads

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
HOSTS = ROOT / "generator" / "judge" / "hosts"
GOOD = (HOSTS / "codex.toml").read_text(encoding="utf-8")
SOURCE_ONLY = {"claude-ai-api", "vscode-copilot", "nanobot", "skill-package-service"}

CHANGES = {
    # name: (what is replaced, by what, what the message names)
    "a key nobody knows": ('host = "codex"', 'hosts = "codex"', "hosts is unknown"),
    "no id": ('id = "codex/0.171.0"\n', "", "id is missing"),
    "evidence of another kind": ('evidence = "executed"', 'evidence = "rumour"', "evidence must be one of"),
    "a parameter nobody knows": ("depth = 6", "deepness = 6", "reads.deepness is unknown"),
    "an underscore in a parameter": ("name-max = 64", "name_max = 64", "reads.name_max is unknown"),
    "a parameter of the wrong type": ("depth = 6", 'depth = "6"', "reads.depth must be a whole number"),
    "true where a number belongs": ("depth = 6", "depth = true", "reads.depth must be a whole number"),
    "a choice that is none": ('encoding = "strict"', 'encoding = "latin-1"', "reads.encoding must be one of"),
    "a fence nobody knows": ('fence = "trimmed"', 'fence = "toml"', "reads.fence"),
    "a library nobody knows": ('yaml = "serde-yaml"', 'yaml = "toml"', "reads.yaml"),
    "a list that is none": (
        'unique-keys = ["name", "description", "metadata"]', 'unique-keys = "name"', "reads.unique-keys"
    ),
    "a parameter that names no fact": (
        'encoding = "strict"', 'encoding = "strict"\nwithheld = ["hidden-from-cats"]', "'hidden-from-cats' is no fact"
    ),
    "a fact nobody knows": ('fact = "fence-missing"', 'fact = "fence-gone"', "'fence-gone' is no fact"),
    "a fact twice": ('fact = "fence-missing"', 'fact = "fence-open"', "'fence-open' twice"),
    "an outcome nobody knows": ('outcome = "refuse"', 'outcome = "reject"', "the outcome of"),
    "an essential fact without an answer": (
        'fact = "frontmatter-not-mapping"', 'fact = "tools-not-list"', "'frontmatter-not-mapping'"
    ),
    "a placeholder of another fact": ("such as {part}", "such as {limit}", "not {limit}"),
    "an effect without a source": ('source = "Executed', 'sauce = "Executed', "effects.sauce is unknown"),
    "no TOML": ("[reads]", "[reads", "codex.toml"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), CHANGES.values(), ids=CHANGES)
def test_a_bad_host_file_is_named_with_the_key(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(ProfileError, match=re.escape(message)) as caught:
        parse_profile("codex.toml", GOOD.replace(old, new, 1))
    assert str(caught.value).startswith("codex.toml: ")


TABLES = {
    "a limit": (
        '[[limits]]\nkey = "x"\nvalue = "9"\nunit = "u"\nmeaning = "M."\n', "limits: value of x must be a whole number"
    ),
    "a tool": ('[[tools]]\nname = "x"\nowner = "o"\nalways = "yes"\n', "always of x must be true or false"),
    "a tool without an owner": ('[[tools]]\nname = "x"\n', "owner is missing"),
    "a capability": ('[[capabilities]]\nname = "x"\nlist = "l"\n', "tools of x must be a whole number"),
    "a power of an unknown kind": (
        '[[powers]]\nkind = "telepathy"\nuse = "runs"\nreason = "R."\nsource = "s"\n', "'telepathy' is no kind"
    ),
    "a power with an unknown use": (
        '[[powers]]\nkind = "hook"\nuse = "maybe"\nreason = "R."\nsource = "s"\n', "use of hook must be one of"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("table", "message"), TABLES.values(), ids=TABLES)
def test_the_other_tables_are_read_strictly_too(table: str, message: str) -> None:
    with pytest.raises(ProfileError, match=re.escape(message)):
        parse_profile("codex.toml", f"{GOOD}\n{table}")


def test_every_column_and_the_hosts_that_were_never_run_have_a_file() -> None:
    profiles = load_profiles()
    assert len(profiles) == len(list(HOSTS.glob("*.toml"))) == 19
    assert {profile.id for profile in profiles if profile.evidence != "executed"} == SOURCE_ONLY
    assert len({profile.id for profile in profiles}) == 19


@pytest.mark.parametrize("profile", load_profiles(), ids=lambda profile: profile.id)
def test_every_effect_is_one_plain_sentence_with_a_source(profile: object) -> None:
    from generator.judge.model import Profile

    assert isinstance(profile, Profile)
    for effect in profile.effects:
        assert (
            effect.reason[0].isupper()
            or effect.reason[0] == "{"
            or effect.reason.startswith(("npx", "quick", "skills", "nanobot"))
        ), effect
        assert effect.reason.endswith("."), effect
        assert effect.source.strip(), effect
        assert len(effect.reason) <= 160, effect


def test_every_fact_is_judged_by_some_host_and_has_codes_we_know() -> None:
    judged = {effect.fact for profile in load_profiles() for effect in profile.effects}
    assert sorted(set(FACTS) - judged) == []
    unknown = {code for info in FACTS.values() for code in info.codes if code not in CODES}
    assert unknown == set()


def test_a_host_that_compares_never_refuses_for_a_loss() -> None:
    for profile in load_profiles():
        for effect in profile.effects:
            if effect.fact.startswith("lost-"):
                assert profile.reads.compares, profile.id
                assert effect.outcome is Outcome.LOSS, (profile.id, effect.fact)


def test_every_reading_parameter_has_a_meaning_and_choices_hold_its_default() -> None:
    assert set(MEANINGS) == set(Reads.__dataclass_fields__)
    for key, choices in CHOICES.items():
        assert getattr(Reads(), key) in choices


def test_the_page_on_host_files_is_made_from_the_tables() -> None:
    spec = importlib.util.spec_from_file_location("make_hosts", DOCS / "make_hosts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = (DOCS / "hosts.md").read_text(encoding="utf-8")
    assert page == module.hosts_page(), "run: python docs/make_hosts.py > docs/hosts.md"
