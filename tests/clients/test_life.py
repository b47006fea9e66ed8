"""A hub lives through many builds, and after each one the real clawhub command has the right bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.clients.life_model import Step
from tests.clients.life_stage import Stage
from tests.clients.life_story import STEPS
from tests.conftest import MakeHub, require

pytestmark = [pytest.mark.client, pytest.mark.xdist_group("life")]

NAMES = [f"{number:02}-{step.name.replace(' ', '-')}" for number, step in enumerate(STEPS, 1)]


@dataclass(slots=True)
class Life:
    """The steps in their order, each done once; ``results`` are what was wrong after each."""

    stage: Stage
    results: list[list[str]] = field(default_factory=list)

    def reach(self, number: int) -> list[str]:
        """Live until step ``number`` is done; what was wrong after it, or after one before it."""
        while len(self.results) < number:
            step = STEPS[len(self.results)]
            before = next((NAMES[i] for i, wrong in enumerate(self.results) if wrong), None)
            if before is not None:
                return [f"not done, since something was wrong after step {before}"]
            try:
                self.results.append(self.stage.take(step))
            except BaseException as error:
                self.results.append([f"{type(error).__name__}: {error}"])
                raise
        return self.results[number - 1]


@pytest.fixture(scope="module")
def life(make_hub: MakeHub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Life]:
    """An empty hub folder, and a client that has nothing yet."""
    require("clients")
    stage = Stage(tmp_path_factory.mktemp("life"), make_hub("life-hub"))
    yield Life(stage)
    stage.live.stop()


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1), ids=NAMES)
def test_after_each_build_everybody_has_the_right_bytes(life: Life, number: int) -> None:
    wrong = life.reach(number)
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


# --- what is looked at can be seen to be wrong -----------------------------------------------------

Damage = Callable[[bytes], bytes | None]
LIST = "api/v1/skills/pdf/versions/index.html"
HUB_DAMAGES: dict[str, tuple[str, Damage, str]] = {
    # name: file of the hub, what it holds then (None: it is gone), what is said of it
    "an archive swapped": (
        "dl/acme/pdf-1.1.0.zip",
        lambda _: _other_archive(),
        "is not what it was at first",
    ),
    "an archive gone": ("dl/acme/pdf-1.0.0.zip", lambda _: None, "pdf-1.0.0.zip answers 404"),
    "a time moved": (LIST, lambda data: data.replace(b"00000,", b"00001,", 1), "was first seen at"),
    "a version hidden": (LIST, lambda data: data.replace(b'"1.0.0"', b'"0.1.0"'), "pdf@1.0.0 is not listed"),
    "a version invented": (LIST, lambda data: data.replace(b'"1.0.0"', b'"0.1.0"'), "pdf@0.1.0 is listed, w"),
    "a ledger cut": ("ledger/acme/pdf.jsonl", lambda data: data.partition(b"\n")[0], "not only appended to"),
    "a promise broken": ("ledger/index.json", lambda _: b"{}", "verify: exit 1"),
}
CLIENT_DAMAGES: dict[str, tuple[str, bytes, str]] = {
    # name: file of the client, what it holds then, what is said of it
    "an installed file changed": (
        "skills/pdf/SKILL.md",
        b"other",
        "installed skills/pdf is not what it should",
    ),
    "installed too much": ("skills/more/SKILL.md", b"more", "skills/more should not be installed"),
}


def _other_archive() -> bytes:
    with io.BytesIO() as made:
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr("SKILL.md", "Something else.")
        return made.getvalue()


@contextmanager
def _damaged(target: Path, after: bytes | None) -> Iterator[None]:
    """The file holds something else, and then what it held before."""
    before = target.read_bytes() if target.exists() else None
    assert before != after
    try:
        _write(target, after)
        yield
    finally:
        _write(target, before)


def _write(target: Path, data: bytes | None) -> None:
    if data is None:
        target.unlink()
        return
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(data)


@pytest.mark.parametrize(("path", "damage", "words"), HUB_DAMAGES.values(), ids=HUB_DAMAGES)
def test_what_is_wrong_with_a_hub_is_seen(life: Life, path: str, damage: Damage, words: str) -> None:
    assert life.reach(len(STEPS)) == life.stage.examine() == []
    target = life.stage.live.out / path
    with _damaged(target, damage(target.read_bytes())):
        wrong = life.stage.examine()
    assert [one for one in wrong if words in one], wrong


@pytest.mark.parametrize(("path", "data", "words"), CLIENT_DAMAGES.values(), ids=CLIENT_DAMAGES)
def test_what_is_wrong_with_an_installed_skill_is_seen(
    life: Life, path: str, data: bytes, words: str
) -> None:
    assert life.reach(len(STEPS)) == []
    with _damaged(life.stage.work / path, data):
        wrong = life.stage.use_client(Step("as it is"))
    assert [one for one in wrong if words in one], wrong
