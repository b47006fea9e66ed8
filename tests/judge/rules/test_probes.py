"""Each recorded probe shows what it was made to show, and nothing that is not there."""

from __future__ import annotations

import pytest

from tests.judge.rules.probing import codes_of, probes

EXPECTED = {
    ".pa1-hidden": "name-directory-mismatch place-hidden",
    "grp/pa0-grouped": "place-too-deep",
    "node_modules/pa2-nm": "place-skipped place-too-deep",
    "p01-minimal": "",
    "p02-bom": "frontmatter-bom",
    "p03-crlf": "",
    "p04-cr-only": "frontmatter-line-shape",
    "p05-leading-blank": "frontmatter-not-on-first-line",
    "p06-leading-comment": "frontmatter-not-on-first-line",
    "p08-no-frontmatter": "frontmatter-missing",
    "p09-unterminated": "frontmatter-unterminated",
    "p11-four-dashes": "frontmatter-missing",
    "p13-dashes-in-value": "frontmatter-contains-triple-dash",
    "p14-colon-in-desc": "yaml-unquoted-colon",
    "p15-hash-in-desc": "yaml-comment-truncation",
    "p17-dup-desc": "yaml-duplicate-key",
    "p18-dup-unknown": "yaml-duplicate-key",
    "p20-desc-empty": "description-empty",
    "p22-desc-number": "yaml-implicit-type",
    "p23-desc-list": "description-empty field-wrong-type yaml-flow-style",
    "p24-desc-1024": "",
    "p25-desc-1025": "description-too-long",
    "p26-desc-1600": "description-over-listing-cut description-too-long",
    "p27-desc-angle": "description-markup-or-invisible",
    "p29-desc-folded": "",
    "p30-name-missing": "name-missing",
    "p31-name-number": "name-directory-mismatch yaml-implicit-type",
    "p32-name-upper": "name-directory-mismatch name-invalid-format",
    "p34-name-space": "name-directory-mismatch name-invalid-format",
    "p35-name-dot": "name-directory-mismatch name-invalid-format",
    "p36-name-65": "name-directory-mismatch name-invalid-format",
    "p37-name-mismatch": "name-directory-mismatch",
    "p38-double-hyphen": "name-directory-mismatch name-invalid-format",
    "p39-trailing-hyphen": "name-directory-mismatch name-invalid-format",
    "p40-name-colon": "name-directory-mismatch name-invalid-format",
    "p41-name-cjk": "name-directory-mismatch name-invalid-format",
    "p43-name-yes": "name-directory-mismatch yaml-implicit-type",
    "p45-version-top": "unknown-frontmatter-key",
    "p46-tools-string": "",
    "p47-tools-comma": "",
    "p50-tools-flow": "yaml-flow-style",
    "p53-meta-null": "",
    "p60-bins-string": "gate-wrong-type unknown-frontmatter-key",
    "p61-always-string-false": "gate-wrong-type unknown-frontmatter-key",
    "p62-tags-string": "tag-dropped unknown-frontmatter-key",
    "p63-tags-bad": "tag-dropped unknown-frontmatter-key yaml-flow-style",
    "p64-bad-date": "unknown-frontmatter-key yaml-invalid-timestamp",
    "p65-invalid-utf8": "encoding-not-utf8-or-control-char",
    "p66-nul": "body-control-char",
    "p67-nul-in-fm": "encoding-not-utf8-or-control-char",
    "p68-lowercase": "skill-md-missing-exact-name",
    "p69-titlecase": "skill-md-missing-exact-name",
    "p70-nested": "support-file-outside-folders",
    "p70-nested/examples/p70-inner": "nested-skill-md",
    "p71-nested-ref": "",
    "p72-big-300k": "package-budget skill-md-too-large",
    "p73-big-1100k": "package-budget skill-md-too-large",
    "p74-fm-5000": "skill-md-too-large unknown-frontmatter-key",
    "p75-empty-body": "body-empty",
    "p76-dmi-true": "invocation-disabled unknown-frontmatter-key",
    "p77-dmi-string": "flag-not-boolean invocation-disabled unknown-frontmatter-key",
    "p78-user-invocable-false": "invocation-disabled unknown-frontmatter-key",
    "p79-anchors": "yaml-anchor",
    "p80-pytag": "yaml-stray-syntax",
    "p81-unknown-tag": "yaml-stray-syntax",
    "p82-fm-list": "frontmatter-not-mapping",
    "p84-desc-at": "yaml-indicator-start",
    "p85-desc-star": "yaml-indicator-start",
    "p86-desc-bracket": "yaml-indicator-start",
    "p87-desc-quote-tail": "yaml-indicator-start",
    "p88-desc-backtick": "yaml-indicator-start",
    "p89-arg-hint-list": "yaml-bracketed-argument-hint",
    "p90-context-fork": "invocation-conditional unknown-frontmatter-key yaml-flow-style",
    "p92-os-darwin": "platform-gate yaml-flow-style",
    "p93-zero-width": "description-markup-or-invisible scanner-conflict",
    "p94-invalid-close-indent": "frontmatter-unterminated",
    "p95-body-hr": "",
    "p96-name-quoted-pad": "name-padded",
    "p97-key-case": "description-empty key-wrong-case name-missing",
    "p98-reqsec-string": "gate-wrong-type unknown-frontmatter-key",
    "pa5-hardlink": "link-or-unsafe-path",
    "pa6-dup-b": "name-directory-mismatch",
    "pa7-desc-long-multibyte": "",
    "pa8-plain-colon-url": "",
}
"""The codes of each probe. A nested ``SKILL.md`` is told by the walk through a real folder, not here."""

SUBJECTS = probes()


def test_every_probe_has_its_row() -> None:
    assert SUBJECTS.keys() == EXPECTED.keys()


@pytest.mark.parametrize("folder", EXPECTED)
def test_a_probe(folder: str) -> None:
    assert codes_of(SUBJECTS[folder]) == set(EXPECTED[folder].split())
