"""What the newest clawhub command gets of skills that an operator has decided about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clients.conftest import Clawhub, SampleHub
from tests.conftest import MakeHub, require
from tests.hubs import DAY, EPOCH, read_tree, write_tree

pytestmark = [pytest.mark.client, pytest.mark.xdist_group("overlay")]

NAMES = ("half-yanked", "all-yanked", "one-held", "all-held", "old-name", "old-ways")
OVERLAY = """\
yank:
  acme/half-yanked@1.1.0: Deletes its input.
  acme/all-yanked@1.0.0: Never worked.
  acme/all-yanked@1.1.0: Never worked.
quarantine:
  acme/one-held@1.1.0: Being looked into.
  acme/all-held: Sends the environment to a server.
rename:
  acme/old-name: acme/new-name
deprecate:
  acme/old-ways:
    successor: acme/half-yanked
    reason: Merged.
"""


def _skill(name: str, version: str) -> dict[str, str | bytes]:
    front = f"---\nname: {name}\ndescription: A skill named {name}.\nversion: {version}\n---\n"
    return {"SKILL.md": f"{front}\nThe edition {version}.\n"}


@pytest.fixture(scope="module")
def hub(make_hub: MakeHub) -> SampleHub:
    """Two versions of each skill; then the decisions."""
    require("clients")
    live = make_hub("overlay")
    source = live.folder / "skills"
    editions: list[dict[str, dict[str, bytes]]] = []
    for number, version in enumerate(("1.0.0", "1.1.0")):
        for name in NAMES:
            write_tree(source / name, _skill(name, version))
        live.build("skills", "--owner", "acme", epoch=EPOCH + number * DAY).check()
        editions.append({f"acme/{name}": read_tree(source / name) for name in NAMES})
    live.start()
    write_tree(live.folder / "overlay", {"decisions.yml": OVERLAY})
    live.build("skills", "--owner", "acme", epoch=EPOCH + 2 * DAY).check()
    return SampleHub(live=live, first=editions[0], second=editions[1], early={})


@pytest.fixture
def clawhub(hub: SampleHub, tmp_path: Path) -> Clawhub:
    """The newest command in a fresh home."""
    return Clawhub("0.23.3", hub, tmp_path / "home", tmp_path / "work")


@pytest.mark.parametrize("name", ["half-yanked", "one-held"])
def test_what_is_withdrawn_is_not_chosen(clawhub: Clawhub, name: str) -> None:
    clawhub.read("install", name)
    assert clawhub.installed(name) == clawhub.hub.first[f"acme/{name}"]


def test_a_yanked_version_is_installed_by_who_pins_it_and_not_downgraded(clawhub: Clawhub) -> None:
    clawhub.read("install", "half-yanked", "--version", "1.1.0")
    clawhub.read("update", "--all")
    assert clawhub.installed("half-yanked") == clawhub.hub.second["acme/half-yanked"]


REFUSED = {
    "all yanked": (("install", "all-yanked"), "1.1.0 is yanked: Never worked."),
    "a quarantined version": (("install", "one-held", "--version", "1.1.0"), "Being looked into."),
    "a quarantined skill": (("install", "all-held"), "Sends the environment to a server."),
    "a version of it": (("install", "all-held", "--version", "1.0.0"), "Sends the environment to a server."),
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_what_nobody_gets_is_refused_with_the_reason(
    clawhub: Clawhub, arguments: tuple[str, ...], message: str
) -> None:
    assert message in clawhub.refuse(*arguments)
    assert not (clawhub.skills / arguments[1] / "SKILL.md").exists()


def test_a_former_name_installs_and_updates_the_present_skill(clawhub: Clawhub) -> None:
    clawhub.read("install", "old-name", "--version", "1.0.0")
    assert clawhub.installed("old-name") == clawhub.hub.first["acme/old-name"]
    clawhub.read("update", "--all")
    assert clawhub.installed("old-name") == clawhub.hub.second["acme/old-name"]


def test_a_deprecated_skill_is_installed_and_says_what_to_use(clawhub: Clawhub) -> None:
    assert "Use acme/half-yanked instead" in clawhub.read("search", "old-ways") + clawhub.read(
        "inspect", "old-ways"
    )
    clawhub.read("install", "old-ways")
    assert clawhub.installed("old-ways") == clawhub.hub.second["acme/old-ways"]


def test_verification_fails_what_is_held(clawhub: Clawhub) -> None:
    assert clawhub.run("skill", "verify", "all-held").returncode == 1
    assert clawhub.run("skill", "verify", "one-held", "--version", "1.1.0").returncode == 1
    assert clawhub.read_json("skill", "verify", "one-held")["version"] == "1.0.0"
