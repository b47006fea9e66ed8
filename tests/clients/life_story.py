"""The life of a hub, step by step: what people do, and what must come of it."""

from __future__ import annotations

from tests.clients.life_model import Edition, Step, edition
from tests.hubs import DAY

COMMON = "{path: common, owner: acme}"
REPOSITORY = "{type: git, path: repo, folder: skills, history: yes, owner: team}"
MANY = "{path: many, owner: lots}"
GUILD = "{path: guild, owner: guild}"
PROJECT = "{path: project, owner: acme}"
SOURCES = (COMMON, REPOSITORY, MANY, GUILD, PROJECT)

FIRST_COMMIT = 1_600_000_000 + DAY
"""The repository of the tests commits once a day from then on."""
RENAMES = "rename:\n  acme/old-name: acme/new-name\n  acme/slides: guild/slides\n"
YANKS = "yank:\n  acme/fax@1.0.0: Too old.\n  acme/fax@1.1.0: Too old.\n"
SCRIPT: dict[str, str | bytes] = {
    "scripts/run.sh": "#!/bin/sh\necho run\n",
    "assets/über.bin": bytes(range(256)),
}

PDF_10 = edition("pdf", "1.0.0", "The first edition.", SCRIPT)
PDF_11 = edition("pdf", "1.1.0", "The second edition.", SCRIPT)
PDF_11_EDITED = edition("pdf", "1.1.0", "The second edition, edited in place.", SCRIPT)
PDF_12 = edition("pdf", "1.2.0", "The second edition, edited in place.")
PDF_RC = edition("pdf", "2.0.0-rc.1", "A candidate.", SCRIPT)
PDF_13 = edition("pdf", "1.3.0", "After the one that was yanked.", SCRIPT)
PDF_14 = edition("pdf", "1.4.0", "Published by a build that was killed.", {"b.md": "b\n"})
PDF_14_EDITED = edition("pdf", "1.4.0", "Edited in place again.", {"b.md": "b\n"})
PDF_111 = edition("pdf", "1.1.1", "A mend for those who stay with 1.1.")
PDF_20 = edition("pdf", "2.0.0", "At last.", SCRIPT)
NOTES_A, NOTES_B, NOTES_C = (edition("notes", None, f"Notes {words}.") for words in ("one", "two", "three"))
NEAR_10, NEAR_110, NEAR_2 = (edition("near", number, f"As {number}.") for number in ("1.0", "1.10", "v2"))
LETTERS = edition("letters", "1.0.0", "Letters.", {"gone.md": "Only in the first.\n"})
LETTERS_EDITED = edition("letters", "1.0.0", "Letters, written anew.")
LETTERS_11 = edition("letters", "1.1.0", "Letters, written anew.")
DRAFT_10, DRAFT_11 = (edition("old-name", number, f"Drafts {number}.") for number in ("1.0.0", "1.1.0"))
SLIDES_10, SLIDES_11 = (edition("slides", number, f"Slides {number}.") for number in ("1.0.0", "1.1.0"))
FAX_10, FAX_11 = (edition("fax", number, f"Fax {number}.") for number in ("1.0.0", "1.1.0"))
SHEETS_10, SHEETS_11 = (edition("sheets", number, f"Sheets {number}.") for number in ("1.0.0", "1.1.0"))
LINT_10 = edition("lint", "1.0.0", "Lint for everybody.")
LINT_30 = edition("lint", "3.0.0", "Lint for this project.")
JOURNAL = tuple(
    edition("journal", number, f"Journal {number}.", committed=FIRST_COMMIT + day * DAY)
    for day, number in enumerate(("1.0.0", "1.1.0", "1.2.0", "2.0.0"))
)
BULK = {f"bulk-{number:02}": number for number in range(24)}


def bulk(version: str) -> dict[str, Edition]:
    """Many skills that nobody installs, so that a build takes its time."""
    return {
        name: edition(name, version, f"{name} {version}.", {"a.md": "a\n" * n}) for name, n in BULK.items()
    }


def in_many(version: str) -> dict[str, Edition | None]:
    """Their folders."""
    return {f"many/{name}": made for name, made in bulk(version).items()}


def as_lots(version: str) -> dict[str, Edition]:
    """Their releases."""
    return {f"lots/{name}@{version}": made for name, made in bulk(version).items()}


FIRST = {
    "pdf": PDF_10, "notes": NOTES_A, "near": NEAR_10, "letters": LETTERS, "old-name": DRAFT_10,
    "slides": SLIDES_10, "fax": FAX_10, "sheets": SHEETS_10, "lint": LINT_10,
}  # fmt: skip
KILLED = {"acme/pdf@1.4.0": PDF_14, **as_lots("1.1.0")}

STEPS = (
    Step(
        "the first skills",
        puts={**{f"common/{name}": made for name, made in FIRST.items()}, **in_many("1.0.0")},
        act=(
            lambda stage: stage.configure(COMMON, MANY),
            lambda stage: stage.decide("decisions", "# What the operator decided by command\n"),
        ),
        fresh={**{f"acme/{name}@1.0.0": made for name, made in FIRST.items()}, **as_lots("1.0.0")},
        installs={name: f"acme/{name}@1.0.0" for name in FIRST},
    ),
    Step(
        "a repository with a past",
        act=(
            lambda stage: stage.configure(*SOURCES[:3]),
            lambda stage: stage.commit("journal", *JOURNAL[:2]),
        ),
        fresh={"team/journal@1.0.0": JOURNAL[0], "team/journal@1.1.0": JOURNAL[1]},
        installs={"journal": "team/journal@1.1.0"},
        newcomers={"journal --version 1.0.0": "team/journal@1.0.0"},
    ),
    Step(
        "new versions: stated, nearly stated and not stated",
        puts={"common/pdf": PDF_11, "common/near": NEAR_110, "common/notes": NOTES_B},
        fresh={"acme/pdf@1.1.0": PDF_11, "acme/near@1.10.0": NEAR_110, "acme/notes@1.0.1": NOTES_B},
        updates={"pdf": "acme/pdf@1.1.0", "near": "acme/near@1.10.0", "notes": "acme/notes@1.0.1"},
    ),
    Step(
        "changed bytes under an old number",
        puts={"common/pdf": PDF_11_EDITED},
        refused={"common/pdf": "version-changed"},
        newcomers={"pdf": "acme/pdf@1.1.0"},
    ),
    Step(
        "the same bytes under a number of their own",
        puts={"common/pdf": PDF_12},
        fresh={"acme/pdf@1.2.0": PDF_12},
        updates={"pdf": "acme/pdf@1.2.0"},
    ),
    Step(
        "a pre-release",
        puts={"common/pdf": PDF_RC},
        fresh={"acme/pdf@2.0.0-rc.1": PDF_RC},
        newcomers={"pdf": "acme/pdf@1.2.0", "pdf --version 2.0.0-rc.1": "acme/pdf@2.0.0-rc.1"},
    ),
    Step(
        "two skills deleted",
        puts={"common/notes": None, "common/letters": None},
        newcomers={"notes": "acme/notes@1.0.1"},
    ),
    Step(
        "they return, one with a number that is taken",
        puts={"common/notes": NOTES_C, "common/letters": LETTERS_EDITED},
        fresh={"acme/notes@1.0.2": NOTES_C},
        refused={"common/letters": "version-changed"},
        updates={"notes": "acme/notes@1.0.2"},
    ),
    Step(
        "and with one that is free; a commit",
        puts={"common/letters": LETTERS_11, "common/sheets": SHEETS_11},
        act=(lambda stage: stage.commit("journal", JOURNAL[2]),),
        fresh={
            "acme/letters@1.1.0": LETTERS_11,
            "acme/sheets@1.1.0": SHEETS_11,
            "team/journal@1.2.0": JOURNAL[2],
        },
        updates={
            "letters": "acme/letters@1.1.0",
            "sheets": "acme/sheets@1.1.0",
            "journal": "team/journal@1.2.0",
        },
    ),
    Step(
        "a yank",
        act=(lambda stage: stage.command("yank", "acme/pdf@1.2.0", "--reason", "Deletes its input."),),
        newcomers={"pdf": "acme/pdf@1.1.0", "pdf --version 1.2.0": "acme/pdf@1.2.0"},
    ),
    Step(
        "the yank undone",
        act=(lambda stage: stage.command("undo", "acme/pdf@1.2.0"),),
        newcomers={"pdf": "acme/pdf@1.2.0"},
    ),
    Step(
        "yanked again; a quarantine",
        act=(
            lambda stage: stage.command("yank", "acme/pdf@1.2.0", "--reason", "It does delete its input."),
            lambda stage: stage.command("quarantine", "acme/sheets@1.1.0", "--reason", "Being looked into."),
        ),
        withheld=("acme/sheets@1.1.0",),
        newcomers={"sheets": "acme/sheets@1.0.0", "sheets --version 1.1.0": "Being looked into."},
    ),
    Step(
        "a version after the yanked one",
        puts={"common/pdf": PDF_13},
        fresh={"acme/pdf@1.3.0": PDF_13},
        updates={"pdf": "acme/pdf@1.3.0"},
    ),
    Step(
        "a new name",
        puts={"common/old-name": DRAFT_11},
        act=(lambda stage: stage.decide("by-hand", "rename: {acme/old-name: acme/new-name}\n"),),
        moved={"acme/old-name": "acme/new-name"},
        fresh={"acme/new-name@1.1.0": DRAFT_11},
        updates={"old-name": "acme/new-name@1.1.0"},
        newcomers={"new-name": "acme/new-name@1.1.0", "old-name --version 1.0.0": "acme/new-name@1.0.0"},
    ),
    Step(
        "another owner",
        puts={"common/slides": None, "guild/slides": SLIDES_11},
        act=(
            lambda stage: stage.configure(*SOURCES[:4]),
            lambda stage: stage.decide("by-hand", RENAMES),
        ),
        moved={"acme/slides": "guild/slides"},
        fresh={"guild/slides@1.1.0": SLIDES_11},
        updates={"slides": "guild/slides@1.1.0"},
        newcomers={"@acme/slides": "guild/slides@1.1.0"},
    ),
    Step(
        "deprecated, and mended once more",
        puts={"common/fax": FAX_11},
        act=(lambda stage: stage.command("deprecate", "acme/fax", "--successor", "acme/pdf"),),
        fresh={"acme/fax@1.1.0": FAX_11},
        updates={"fax": "acme/fax@1.1.0"},
    ),
    Step(
        "a source is lost",
        act=(lambda stage: (stage.live.folder / "common").rename(stage.live.folder / "lost"),),
        stopped="common: no such folder",
    ),
    Step(
        "it is back",
        act=(lambda stage: (stage.live.folder / "lost").rename(stage.live.folder / "common"),),
        quiet=True,
    ),
    Step(
        "half of it goes, and nobody said so",
        puts={f"common/{name}": None for name in ("notes", "near", "letters", "fax")},
        stopped="source common gives 4 of the 8",
    ),
    Step(
        "it is meant",
        arguments=("--allow-shrink",),
        newcomers={"near": "acme/near@1.10.0"},
    ),
    Step(
        "killed when the build begins to write",
        puts={"common/pdf": PDF_14, **in_many("1.1.0")},
        build=lambda stage: stage.build_killed(".skillpress/memory.json"),
        coming=KILLED,
        updates={"pdf": "acme/pdf@1.4.0"},
    ),
    Step(
        "killed in the middle",
        build=lambda stage: stage.build_killed("dl/lots/bulk-11-1.1.0.zip"),
        coming=KILLED,
        updates={"pdf": "acme/pdf@1.4.0"},
    ),
    Step(
        "killed while it writes the lists",
        build=lambda stage: stage.build_killed("api/v1/skills/index.html"),
        coming=KILLED,
        updates={"pdf": "acme/pdf@1.4.0"},
    ),
    Step("the build after", fresh=KILLED, updates={"pdf": "acme/pdf@1.4.0"}),
    Step(
        "changed bytes under an old number, and the hub counts on",
        puts={"common/pdf": PDF_14_EDITED},
        act=(lambda stage: stage.configure(*SOURCES[:4], policy="bump"),),
        fresh={"acme/pdf@1.4.1": PDF_14_EDITED},
        updates={"pdf": "acme/pdf@1.4.1"},
    ),
    Step(
        "a backport",
        puts={"common/pdf": PDF_111},
        act=(lambda stage: stage.configure(*SOURCES[:4]),),
        fresh={"acme/pdf@1.1.1": PDF_111},
        newcomers={"pdf": "acme/pdf@1.4.1", "pdf --version 1.1.1": "acme/pdf@1.1.1"},
    ),
    Step(
        "what was a candidate; a layer in front",
        puts={"common/pdf": PDF_20, "project/lint": LINT_30},
        act=(lambda stage: stage.configure(*SOURCES),),
        fresh={"acme/pdf@2.0.0": PDF_20, "acme/lint@3.0.0": LINT_30},
        shadowed=("common/lint",),
        updates={"pdf": "acme/pdf@2.0.0", "lint": "acme/lint@3.0.0"},
    ),
    Step(
        "a second machine goes on from the URL of the first",
        build=lambda stage: stage.build_elsewhere(),
        shadowed=("common/lint",),
        newcomers={"letters": "acme/letters@1.1.0", "letters --version 1.0.0": "acme/letters@1.0.0"},
    ),
    Step(
        "new versions on the second machine",
        puts={"common/near": NEAR_2},
        act=(lambda stage: stage.commit("journal", JOURNAL[3]),),
        fresh={"acme/near@2.0.0": NEAR_2, "team/journal@2.0.0": JOURNAL[3]},
        shadowed=("common/lint",),
        updates={"near": "acme/near@2.0.0", "journal": "team/journal@2.0.0"},
    ),
    Step(
        "the layer goes; the quarantine ends",
        act=(
            lambda stage: stage.configure(*SOURCES[:4]),
            lambda stage: stage.command("undo", "acme/sheets@1.1.0"),
        ),
        given=("acme/sheets@1.1.0",),
        newcomers={"lint": "acme/lint@3.0.0", "sheets": "acme/sheets@1.1.0"},
    ),
    Step(
        "every route a file",
        act=(lambda stage: setattr(stage.live, "layout", "exploded"),),
        newcomers={"pdf": "acme/pdf@2.0.0"},
    ),
    Step(
        "all versions yanked",
        act=(lambda stage: stage.decide("by-hand", f"{RENAMES}{YANKS}"),),
        newcomers={"fax": "Too old.", "fax --version 1.0.0": "acme/fax@1.0.0"},
    ),
    Step("nothing new", quiet=True),
)
