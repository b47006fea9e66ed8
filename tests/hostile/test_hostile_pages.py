"""Hostile front matter, file names and findings: the page keeps its structure, the text is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.judge.model import (
    ContextCost,
    FileCost,
    Judgement,
    Power,
    PowerAnswer,
    PowerKind,
    PowerUse,
)
from generator.judge.profiles import load_profiles
from generator.model import (
    Finding,
    Hook,
    InstallSpec,
    Manifest,
    McpServer,
    Outcome,
    Protocol,
    PublishedSkill,
    Rejected,
    Requirements,
    ScanHit,
    ScanReport,
    ScanVerdict,
    Severity,
    Subagent,
    Taxonomy,
    Verdict,
)
from generator.write.protocols.clawhub import hub_routes, skill_answers
from tests.write.page_reader import read_page
from tests.write.site_samples import make_catalog, make_listing, make_skill
from tests.write.site_shell import make_hub_pages, make_page

TEXTS = {
    "closes the title": "</title><script>alert(1)</script>",
    "closes an attribute": '"><script>alert(1)</script>',
    "adds a handler": '" onmouseover="alert(1)" x="',
    "single quotes": "' onfocus='alert(1)' autofocus='",
    "template": "{{ 7 * 7 }}{% include '/etc/passwd' %}{# x #}",
    "slot": "SKILLPRESS_CONTENT SKILLPRESS_TITLE",
    "comment": "<!-- --!><img src=x onerror=alert(1)>",
    "closes the page": "</body></html><h1>Verified by the hub</h1>",
    "service": "port to <service>",
    "entities": "&lt;script&gt; &#60;script&#62;",
    "surrogate": "a\ud800b <b>",
}
BENIGN = "plain words"


def make_skill_of(text: str) -> PublishedSkill:
    """A skill whose every free text is ``text``."""
    listing = make_listing(
        display_name=text, name=text, description=text, topics=(text,), license=text, homepage=text, emoji=text,
        category=text, os=(text,), changelog=text,
    )  # fmt: skip
    manifest = Manifest(
        name=text, display_name=text, description=text, license=text, license_text=text, author=text, homepage=text,
        emoji=text, topics=(text,), category=text, allowed_tools=(text,), os=(text,), compatibility=text,
        taxonomy=Taxonomy(text, text, (text,), (text,), (text,), (text,)),
        requires=Requirements((text,), (text,), (text,), (text,), (text,)),
        install=(InstallSpec(text, text, text, (text,), (text,)),),
        hooks=(Hook(text, text, text, text),),
        mcp_servers=(McpServer(text, text, text, (text,), None, (text,)), McpServer(text, text, None, (), text, ())),
        subagents=(Subagent(text, text, text, (text,)),),
    )  # fmt: skip
    scan = ScanReport(
        text,
        text,
        ScanVerdict.ERROR,
        1,
        (ScanHit(text, ScanVerdict.WARN, text, 1, text, text),),
        (text,),
        text,
    )
    finding = Finding(text, Severity.WARNING, text, text, text, 1, 1, (text,))
    skill = make_skill(
        "[x](nothing.md)", listing, manifest, ("SKILL.md", text.replace("/", "_")), (finding,), scan
    )
    release = replace(skill.latest, changelog=text, license=text, description=text)
    # Whether a file's name fits into an address decides whether one client is shown; that is not what is tested here.
    hub = replace(
        skill.hub, protocols=tuple(one for one in Protocol if one is not Protocol.WELL_KNOWN_SKILLS)
    )
    return replace(skill, hub=hub, releases=(release,), judgement=judgement_of(text, finding))


def judgement_of(text: str, finding: Finding) -> Judgement:
    """What the judge may say, with ``text`` wherever it quotes a skill."""
    hosts = [profile.id for profile in load_profiles()]
    outcomes = (Outcome.LOAD, Outcome.LOSS, Outcome.REFUSE, Outcome.CRASH)
    verdicts = tuple(
        Verdict(host, None, outcomes[number % 4], text, (text,) if number % 3 else (), text, text)
        for number, host in enumerate(hosts)
    )
    answers = tuple(PowerAnswer(host, use, text) for host, use in zip(hosts, PowerUse, strict=False))
    powers = tuple(Power(kind, text, text, text, 1, answers, text) for kind in PowerKind)
    return Judgement((finding,), verdicts, powers, ContextCost(10, 20, (FileCost(text, 5),)))


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_a_hostile_skill_has_the_structure_of_a_plain_one(text: str) -> None:
    plain = read_page(make_page(make_skill_of(BENIGN)).body)
    hostile = read_page(make_page(make_skill_of(text)).body)
    assert hostile.structure() == plain.structure()
    assert hostile.unclosed == []
    assert hostile.title.startswith(text[:4].encode("utf-8", "replace").decode().strip())
    assert not [link for link in hostile.links() if link.lower().startswith(("javascript:", "data:", "<"))]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_hostile_lists_have_the_structure_of_plain_ones(text: str) -> None:
    def pages(value: str) -> dict[str, object]:
        finding = Finding(value, Severity.ERROR, value, value, value, 1, 1)
        catalog = replace(
            make_catalog(0),
            listings=(make_skill_of(value).listing,),
            rejected=(Rejected(value, value, value, (finding,)),),
        )
        return {
            route.path: read_page(route.body).structure()
            for route in make_hub_pages(catalog)
            if route.media_type.startswith("text/html")
        }

    assert pages(text) == pages(BENIGN)


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", " javascript:x"]
)
def test_a_homepage_that_is_no_web_address_is_no_link(address: str) -> None:
    page = make_page(make_skill(listing=make_listing(homepage=address))).body
    assert b"Homepage" not in page
    assert b"avascript:" not in page.lower()


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_no_document_holds_markup_whatever_a_host_serves_it_as(text: str) -> None:
    """Exploded documents are called index.html: a plain file host may serve them as pages."""
    skill = make_skill_of(text)
    catalog = replace(make_catalog(0), listings=(skill.listing,))
    for route in (*skill_answers(skill), *hub_routes(catalog)):
        if route.media_type.startswith("application/json"):
            assert b"<" not in route.body, route.path
