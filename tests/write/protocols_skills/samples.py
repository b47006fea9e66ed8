"""One small hub with a skill of every kind that some index must leave out, or say something about."""

from __future__ import annotations

from generator.history.overlay.model import Archived, Deprecated, Ruling, Withdrawal
from generator.model import Version
from tests.write.protocols_skills.making import Made, make, manifest

PNG = b"\x89PNG\r\n\x1a\n\0\1\2"
LONG = "a-name-that-is-a-slug-but-is-longer-than-sixty-four-characters-by-a-bit"
YANKED = Ruling(yanked=(Withdrawal(Version("1.0.0"), "Loses the last line"),))
QUARANTINED = Ruling(quarantined=(Withdrawal(None, "Reported: sends files away"),))
RETIRED = Ruling(deprecated=Deprecated("Use pdf-forms"), archived=Archived(""))


def hub() -> dict[str, Made]:
    """The skills by ``owner/slug``, in the catalog's order (slug, owner)."""
    plain = {"SKILL.md": manifest("field-notes"), "references/说明.md": "# 说明\n".encode()}
    tools = {
        "SKILL.md": manifest("pdf-tools", "Reads and fills PDF files <fast>."),
        "assets/logo.png": PNG,
        "references/FORMS.md": b"# Forms\r\n",
        "scripts/extract.py": b"print('x')\n",
        "scripts/lib/deep.py": b"",
    }
    made = [
        make("acme/field-notes", {"1.0.0": {"SKILL.md": manifest("field-notes", "Old.")}, "1.1.0": plain}),
        make("beta/pdf-tools", {"2.0.1": tools}),
        make("acme/old-tool", {"SKILL.md": manifest("old-tool")}, ruling=RETIRED),
        make("acme/with-page", {"SKILL.md": manifest("with-page"), "assets/form.html": b"<script></script>"}),
        make("acme/with-php", {"SKILL.md": manifest("with-php"), "templates/form.php": b"<?php\n"}),
        make("acme/with-dots", {"SKILL.md": manifest("with-dots"), "references/a..b.md": b""}),
        make("acme/with-index", {"SKILL.md": manifest("with-index"), "index.json": b"{}"}),
        make("beta/nameless", {"SKILL.md": b"---\ndescription: No name at all.\n---\n"}),
        make(f"beta/{LONG}", {"SKILL.md": manifest(LONG)}),
        make("acme/blocked", {"SKILL.md": manifest("blocked")}, blocked=["1.0.0"]),
        make("acme/yanked", {"SKILL.md": manifest("yanked")}, ruling=YANKED),
        make("acme/locked-away", {"SKILL.md": manifest("locked-away")}, ruling=QUARANTINED),
        make("acme/twins", {"SKILL.md": manifest("twins", "Ours.")}, holds_slug=False),
        make("beta/twins", {"SKILL.md": manifest("twins", "Theirs.")}, holds_slug=False),
        make("gone/alone", {"SKILL.md": manifest("alone")}, blocked=["1.0.0"]),
    ]
    made.sort(key=lambda one: (one.skill.listing.slug, one.skill.listing.owner))
    return {f"{one.skill.listing.owner}/{one.skill.listing.slug}": one for one in made}


COLLECTIONS = {
    "office": ["beta/pdf-tools", "acme/field-notes", "acme/blocked"],
    "pairs": ["acme/twins", "beta/twins", "acme/field-notes"],
    "nothing": ["acme/blocked", "acme/no-such"],
}
