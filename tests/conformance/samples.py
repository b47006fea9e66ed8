"""The hub that every server serves, built for its hosting."""

from __future__ import annotations

from pathlib import Path

from generator.hosting.profiles import find_hosting
from tests.build.hubs import FIRST_TIME, LittleHub, skill_text

DAY_MS = 86_400_000
OLD, NEW = "1.0.0", "1.1.0"
SOURCES = """\
name: Conformance
sources:
  - path: a
    owner: acme
  - path: b
    owner: bolt
overlay:
  quarantine:
    bolt/gone: Sends secrets away.
    bolt/beta@1.0.0: Being looked into.
  yank:
    bolt/pulled@1.0.0: Deletes its input.
  rename:
    bolt/former: bolt/fresh
    bolt/left: acme/alpha-kit
  tags:
    acme/alpha: {first: 1.0.0}
  slugs:
    common: acme
"""
SKILLS = (
    ("a", "alpha"), ("a", "shared"), ("a", "common"), ("a", "alpha-kit"), ("b", "beta"), ("b", "shared"),
    ("b", "common"), ("b", "gone"), ("b", "pulled"), ("b", "former"),
)  # fmt: skip
PAGE = ("a", "pages")
"""A skill with a file that a browser acts on: served inert where headers can be set, else in no tree of raw files."""


def build_hub(
    root: Path, url: str, hosting: str | None, *, protocols: str = "", layout: str = "exploded"
) -> LittleHub:
    """Two versions of ``acme/alpha`` and ``bolt/beta``, slugs of two owners (``shared`` is nobody's, ``common``
    acme's), and what the operator withdrew or renamed; for a hosting, or for ``serve`` in a layout where None.
    ``protocols`` are lines of ``hub.yml`` below that key."""
    root.mkdir(parents=True, exist_ok=True)
    more = f"protocols:\n{protocols}" if protocols else ""
    if hosting is None:
        (root / "hub.yml").write_text(SOURCES + more)
        hub = LittleHub(root, paths=(), layout=layout, url=url)
    else:
        host = find_hosting(hosting)
        (root / "hub.yml").write_text(f"hosting: {hosting}\n{SOURCES}{more}")
        hub = LittleHub(root, paths=(), layout=host.layout.value, naming=host.naming.value, url=url)
    for folder, name in SKILLS:
        text = skill_text(name, description=f"Shows what {folder} does. Use it in tests.", version=OLD)
        files: dict[str, str | bytes] = {"SKILL.md": text, "references/notes.md": f"# Notes of {folder}\n"}
        files["scripts/run.py"] = "print(1)\n"
        if name != "alpha":
            # A bundle for QwenPaw holds texts only, and it is alpha that the clients ask for.
            files["assets/dot.png"] = b"\x89PNG\r\n\x1a\n\x00"
        hub.put(f"{folder}/{name}", files)
    hub.put("/".join(PAGE), {"SKILL.md": skill_text(PAGE[1]), "references/page.html": "<script>1</script>\n"})
    hub.build()
    hub.put("a/alpha", skill_text("alpha", version=NEW, body="# Anew\n\nDo the new thing.\n"))
    hub.put("b/beta", skill_text("beta", version=NEW))
    hub.build(FIRST_TIME + DAY_MS)
    return hub
