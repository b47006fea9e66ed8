"""The hub's own skills: they load everywhere their purpose allows, name only what exists, and their scripts work."""

from __future__ import annotations

import ast
import csv
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

SKILLS = Path(__file__).resolve().parent.parent / "skills"
FOLDERS = sorted(path.parent for path in SKILLS.glob("*/SKILL.md"))
SCRIPTS = sorted(path for path in SKILLS.glob("*/*/*.py") if path.name != "hook_input.py")
PYTHON_FILES = sorted(SKILLS.rglob("*.py"))
SIDE_FOLDERS = ("scripts", "references", "templates", "assets", "agents", "hooks")
TEXT_SUFFIXES = {".md", ".py", ".json", ".yaml", ".csv"}

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)
SIDE_FILE = re.compile(rf"(?<![\w/.-])(?:{'|'.join(SIDE_FOLDERS)})/[\w./-]*\w")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SEMVER = re.compile(r"\d+\.\d+\.\d+")

# Which front matter keys each family of hosts accepts beyond the portable ones, and which skill is made for it.
PORTABLE_KEYS = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
DEEPTUTOR_KEYS = {"version", "tags", "requires"}
TAXONOMY_KEYS = {"track", "language", "domains", "stages", "forms", "audiences"}
EXTRA_KEYS = {
    "docx": DEEPTUTOR_KEYS,
    "pdf": DEEPTUTOR_KEYS,
    "pptx": DEEPTUTOR_KEYS,
    "xlsx": DEEPTUTOR_KEYS,
    "chinese-essay-coach": {"version", "tags"} | TAXONOMY_KEYS,
    "lesson-planner": {"version", "tags"} | TAXONOMY_KEYS,
}
# Tokens of DeepTutor 1.5.11, deeptutor/services/skill/taxonomy.py.
TAXONOMY = {
    "track": {"academics", "companions", "skills-interests", "educators"},
    "language": {"zh", "en", "ja", "other"},
    "domains": {"lang-lit.chinese", "general.writing", "general"},
    "stages": {"preschool", "primary", "junior-high", "senior-high", "university", "adult"},
    "forms": {"tutor", "practice", "feedback", "assessment", "planning", "companion", "tool", "reference"},
    "audiences": {"learner", "teacher", "parent"},
}


def split_front_matter(folder: Path) -> tuple[str, str]:
    text = (folder / "SKILL.md").read_text(encoding="utf-8")
    match = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    assert match, f"{folder.name}: no front matter between two lines that are exactly ---"
    return match.group(1), text[match.end() :]


def front_matter(folder: Path) -> dict[str, Any]:
    loaded = yaml.safe_load(split_front_matter(folder)[0])
    assert isinstance(loaded, dict)
    return loaded


def run(
    script: str, *arguments: str, cwd: Path, stdin: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run one script of a skill as a host would: by absolute path, from another folder."""
    return subprocess.run(
        [sys.executable, str(SKILLS / script), *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8", **(env or {})},
        check=False,
    )


every_skill = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)


def test_there_are_enough_skills() -> None:
    assert len(FOLDERS) >= 12
    required = {"docx", "pdf", "pptx", "xlsx", "skill-creator", "deep-research", "spreadsheet-analysis"}
    assert required <= {folder.name for folder in FOLDERS}


# --- front matter ----------------------------------------------------------------------------------


@every_skill
def test_name_fits_every_host(folder: Path) -> None:
    name = front_matter(folder)["name"]
    assert name == folder.name
    assert NAME.fullmatch(name)
    assert 3 <= len(name) <= 64


@every_skill
def test_description_fits_every_host(folder: Path) -> None:
    description = front_matter(folder)["description"]
    assert isinstance(description, str)
    assert 100 <= len(description) <= 1024
    assert not set(description) & set("<>\n")
    assert not INVISIBLE.search(description)
    # English says "Use when"/"Use after"; the Chinese one says it in both languages.
    assert re.search(r"\b[Uu]se (?:when|after|this)\b", description)


@every_skill
def test_front_matter_survives_strict_readers(folder: Path) -> None:
    block, _ = split_front_matter(folder)
    assert len(block) < 3900, "one host reads only the first 4,000 characters"
    assert "---" not in block
    assert "\t" not in block
    for line in block.splitlines():
        value = line.strip().removeprefix("- ").partition(":")[2].strip() if ":" in line else ""
        scalar = (
            line.strip().removeprefix("- ") if line.strip().startswith("- ") and ": " not in line else value
        )
        assert scalar == "" or re.fullmatch(r'"(?:[^"\\]|\\.)*"', scalar), f"not a quoted scalar: {line}"


@every_skill
def test_keys_are_portable_or_wanted(folder: Path) -> None:
    assert set(front_matter(folder)) <= PORTABLE_KEYS | EXTRA_KEYS.get(folder.name, set())


@every_skill
def test_version_and_license_are_stated(folder: Path) -> None:
    front = front_matter(folder)
    versions = [front.get("version"), (front.get("metadata") or {}).get("version")]
    if (folder / "skill.yaml").exists():
        versions.append(yaml.safe_load((folder / "skill.yaml").read_text(encoding="utf-8"))["version"])
    if (folder / ".claude-plugin/plugin.json").exists():
        versions.append(
            json.loads((folder / ".claude-plugin/plugin.json").read_text(encoding="utf-8"))["version"]
        )
    stated = [version for version in versions if version is not None]
    assert len(stated) == 1, "one place says the version"
    assert SEMVER.fullmatch(stated[0])
    assert front["license"] in {"Apache-2.0", "MIT", "MIT-0", "CC-BY-4.0", "CC0-1.0"}


@every_skill
def test_requirements_are_lists(folder: Path) -> None:
    front = front_matter(folder)
    vendor = (front.get("metadata") or {}).get("openclaw") or {}
    for requires in (front.get("requires") or {}, vendor.get("requires") or {}):
        for key in ("bins", "anyBins", "env"):
            value = requires.get(key, [])
            assert isinstance(value, list)
            assert all(isinstance(item, str) and item for item in value)
    for spec in vendor.get("install", []):
        assert spec["kind"] in {"brew", "node", "go", "uv"}
        assert spec.get("formula") or spec.get("package") or spec.get("module")


@every_skill
def test_taxonomy_uses_known_tokens(folder: Path) -> None:
    front = front_matter(folder)
    for key, known in TAXONOMY.items():
        value = front.get(key)
        if value is not None:
            assert set([value] if isinstance(value, str) else value) <= known, key
    for tag in front.get("tags", []):
        assert re.fullmatch(r"[a-z0-9][a-z0-9\- _]{0,31}", tag)


def test_office_skills_have_deeptutors_shape() -> None:
    for name in ("docx", "pdf", "pptx", "xlsx"):
        front = front_matter(SKILLS / name)
        assert front["tags"] == ["tool", "office"]
        assert front["requires"]["sandbox"] == "shell"


def test_the_formats_are_exercised() -> None:
    """Together the skills hold every kind of side file and spelling that the build has to read."""
    fronts = {folder.name: front_matter(folder) for folder in FOLDERS}
    tools = [front["allowed-tools"] for front in fronts.values() if "allowed-tools" in front]
    assert any(isinstance(value, str) for value in tools)
    assert any(isinstance(value, list) for value in tools)
    assert any(re.search("[\u4e00-\u9fff]", front["description"]) for front in fronts.values())
    assert len({front["license"] for front in fronts.values()}) >= 4
    assert list(SKILLS.glob("*/agents/*.md"))
    assert list(SKILLS.glob("*/skill.yaml"))
    assert list(SKILLS.glob("*/.claude-plugin/plugin.json"))


# --- files -----------------------------------------------------------------------------------------


@every_skill
def test_package_stays_in_the_portable_budget(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert len(files) <= 50
    assert sum(path.stat().st_size for path in files) <= 1_048_576
    for path in files:
        relative = path.relative_to(folder)
        assert not path.is_symlink()
        assert path.suffix in TEXT_SUFFIXES, relative
        assert path.stat().st_size <= 262_144
        hidden = [part for part in relative.parts if part.startswith(".") and part != ".claude-plugin"]
        assert not hidden, relative
        if path.name.lower() == "skill.md":
            assert relative == Path("SKILL.md")
        text = path.read_text(encoding="utf-8")
        assert "\r" not in text
        assert not INVISIBLE.search(text), relative


@every_skill
def test_body_has_a_readable_length(folder: Path) -> None:
    _, body = split_front_matter(folder)
    assert 30 <= len(body.splitlines()) < 400
    assert body.lstrip().startswith("# ")
    assert body.count("```") % 2 == 0


@every_skill
def test_every_mentioned_file_exists(folder: Path) -> None:
    for document in [path for path in folder.rglob("*.md") if path.name != "skill-template.md"]:
        text = document.read_text(encoding="utf-8")
        for target in LINK.findall(text):
            assert not target.startswith(("http:", "https:", "/")), f"{document.name}: {target}"
            assert (document.parent / target).is_file(), f"{document.name}: dead link {target}"
        if document.name == "SKILL.md":
            for mentioned in SIDE_FILE.findall(text.replace("SKILL_DIR/", " ")):
                assert (folder / mentioned).exists(), f"mentions {mentioned}"


@every_skill
def test_code_in_the_text_is_well_formed(folder: Path) -> None:
    for document in [path for path in folder.rglob("*.md") if path.name != "skill-template.md"]:
        text = document.read_text(encoding="utf-8")
        for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
            ast.parse(block)
        for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL):
            json.loads(block)


def commands(folder: Path) -> list[list[str]]:
    """Every command of the body that runs a script of the skill, as words."""
    _, body = split_front_matter(folder)
    lines = "\n".join(re.findall(r"```bash\n(.*?)```", body, re.DOTALL)).replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True) for line in lines if "SKILL_DIR/" in line]


@every_skill
def test_commands_in_the_body_use_options_that_exist(folder: Path, tmp_path: Path) -> None:
    found = commands(folder)
    assert bool(found) == (folder / "scripts").is_dir()
    helps: dict[str, str] = {}
    for words in found:
        assert words[0] == "python3"
        script = words[1].removeprefix("SKILL_DIR/")
        if script not in helps:
            helps[script] = run(f"{folder.name}/{script}", "--help", cwd=tmp_path).stdout
        known = helps[script]
        if words[2].isalpha() and f"{words[2]} " in known:
            key = f"{script} {words[2]}"
            if key not in helps:
                helps[key] = run(f"{folder.name}/{script}", words[2], "--help", cwd=tmp_path).stdout
            known = helps[key]
        for word in words[2:]:
            assert not word.startswith("--") or re.search(rf"{word}\b", known), f"{script} has no {word}"


@every_skill
def test_every_support_file_is_mentioned_in_the_body(folder: Path) -> None:
    _, body = split_front_matter(folder)
    for name in SIDE_FOLDERS:
        for path in (folder / name).glob("*"):
            if path.is_file() and path.name != "hook_input.py":
                assert f"{name}/{path.name}" in body or path.name in body, f"{path.name} is never mentioned"


@every_skill
def test_nothing_that_a_security_scan_should_stop(folder: Path) -> None:
    # Parts joined at run time, so that this file does not read like what it forbids.
    forbidden = (
        "rm " + "-rf",
        "os." + "system",
        "shell" + "=True",
        "ev" + "al(",
        "ex" + "ec(",
        "base64",
        "urllib",
        "requests",
    )
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not [word for word in forbidden if word in text], path.name
    for path in folder.rglob("*.md"):
        assert not re.search(r"(?:curl|wget)\b.{0,200}\|\s*(?:ba|z)?sh\b", path.read_text(encoding="utf-8"))


# --- scripts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda p: f"{p.parts[-3]}/{p.name}")
def test_module_level_imports_are_stdlib_or_neighbours(path: Path) -> None:
    neighbours = {"hook_input", "notes_store"}
    for node in ast.parse(path.read_text(encoding="utf-8"), path.name, feature_version=(3, 9)).body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            top = name.partition(".")[0]
            assert top in sys.stdlib_module_names or top in neighbours, name


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: f"{p.parts[-3]}/{p.name}")
def test_script_explains_itself(path: Path, tmp_path: Path) -> None:
    done = run(str(path.relative_to(SKILLS)), "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage:")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "script",
    [
        "docx/scripts/docx_inspect.py",
        "pptx/scripts/pptx_dump.py",
        "xlsx/scripts/xlsx_inspect.py",
        "xlsx/scripts/xlsx_check.py",
    ],
)
def test_office_script_names_what_is_wrong(script: str, tmp_path: Path) -> None:
    """Without the library the script says how to get it, with it that the file is no such document."""
    (tmp_path / "broken.bin").write_bytes(b"no document")
    done = run(script, "broken.bin", cwd=tmp_path)
    assert done.returncode == 2
    assert "cannot open broken.bin" in done.stderr or "pip install" in done.stderr
    assert "Traceback" not in done.stderr


# --- skill-creator ---------------------------------------------------------------------------------


def test_scaffold_makes_a_skill_that_passes_the_rules(tmp_path: Path) -> None:
    description = 'Sort tickets: "late" ones first, {{title}} as it is. Use when the user pastes tickets.'
    done = run(
        "skill-creator/scripts/new_skill.py", "ticket-triage", "--description", description,
        "--license", "MIT-0", "--parent", "made", "--dirs", "scripts,references", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "made" / "ticket-triage"
    front = front_matter(folder)
    assert front["name"] == "ticket-triage"
    assert front["description"] == description
    assert front["license"] == "MIT-0"
    assert "# Ticket triage" in split_front_matter(folder)[1]
    assert {path.name for path in folder.iterdir()} == {"SKILL.md", "scripts", "references"}
    again = run(
        "skill-creator/scripts/new_skill.py",
        "ticket-triage",
        "--description",
        description,
        "--parent",
        "made",
        cwd=tmp_path,
    )
    assert again.returncode == 2
    assert "exists" in again.stderr


@pytest.mark.parametrize(
    ("name", "description", "word"),
    [
        ("Ticket_Triage", "Fine.", "lower-case"),
        ("two--dashes", "Fine.", "single hyphens"),
        ("ab", "Fine.", "3 to 64"),
        ("memory", "Fine.", "command of a host"),
        ("my-claude-tool", "Fine.", "refuses"),
        ("../escape", "Fine.", "lower-case"),
        ("fine-name", "", "empty"),
        ("fine-name", "x" * 1025, "1024"),
        ("fine-name", "Converts <div> tags", "angle brackets"),
        ("fine-name", "one --- two", "three hyphens"),
        ("fine-name", "first\nsecond", "line break"),
        ("fine-name", "zero\u200bwidth", "invisible"),
    ],
)
def test_scaffold_refuses(name: str, description: str, word: str, tmp_path: Path) -> None:
    done = run("skill-creator/scripts/new_skill.py", name, "--description", description, cwd=tmp_path)
    assert done.returncode == 3
    assert word in done.stderr
    assert not list(tmp_path.iterdir())


# --- deep-research ---------------------------------------------------------------------------------

LOG_HEAD = "id,title,publisher,published,url,opened,kind,grade,supports\n"


def check_research(tmp_path: Path, findings: str, log: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "report.md").write_text(
        f"# Q\n\n## Findings\n\n{findings}\n\n## Sources\n\n[S9] x\n", encoding="utf-8"
    )
    (tmp_path / "sources.csv").write_text(LOG_HEAD + log, encoding="utf-8")
    return run("deep-research/scripts/check_report.py", "report.md", "sources.csv", cwd=tmp_path)


def test_research_report_in_order(tmp_path: Path) -> None:
    done = check_research(
        tmp_path,
        "### 1. The limit\n\nThe limit is 50 MB [S1].\n\nConfidence: medium.\n\nFrom this follows a split.",
        'S1,Docs,Vendor,2026-01,page 3,2026-05-04,primary,B,"50 MB, p. 3"\n',
    )
    assert done.returncode == 0, done.stdout
    assert "1 sources, 0 findings" in done.stdout


@pytest.mark.parametrize(
    ("findings", "log", "message"),
    [
        ("A [S1].", "", "S1 is cited but not in the source log"),
        (
            "A [S1].",
            "S1,T,P,,u,2026-05-04,primary,A,q\nS2,T,P,,u,2026-05-04,primary,A,q\n",
            "S2 is never cited",
        ),
        ("No mark here.", "", "report line 5: a finding without a source mark"),
        ("A [S1].", "S1,T,P,,u,2026-05-04,primary,D,q\n", "grade D"),
        ("A [S1].", "S1,T,P,,u,2026-13-04,primary,A,q\n", "is not a date"),
        ("A [S1].", "S1,T,P,,u,2026-05-04,rumour,A,q\n", "none of primary"),
        ("A [S1].", "S1,T,P,,u,2026-05-04,primary,A,\n", "empty: supports"),
        ("A [S1].", "S1,T,P,,u,2026-05-04,primary,A,q,r\n", "more cells than columns"),
        ("A [S1].", "S1,T,P,,u,2026-05-04,primary,A,q\nS1,T,P,,u,2026-05-04,primary,A,q\n", "used twice"),
        ("Replace this line. [S1]", "S1,T,P,,u,2026-05-04,primary,A,q\n", "template is still there"),
    ],
    ids=[
        "unlogged",
        "unused",
        "unmarked",
        "grade-d",
        "date",
        "kind",
        "missing",
        "too-many-cells",
        "twice",
        "template",
    ],
)
def test_research_report_with_a_gap(findings: str, log: str, message: str, tmp_path: Path) -> None:
    done = check_research(tmp_path, findings, log)
    assert done.returncode == 1
    assert message in done.stdout


def test_research_templates_fit_the_checker(tmp_path: Path) -> None:
    assert (SKILLS / "deep-research/templates/source-log.csv").read_text(encoding="utf-8") == LOG_HEAD


# --- spreadsheet-analysis --------------------------------------------------------------------------


def profile(tmp_path: Path, data: bytes, *arguments: str, name: str = "t.csv") -> dict[str, Any]:
    (tmp_path / name).write_bytes(data)
    done = run("spreadsheet-analysis/scripts/profile_table.py", name, "--json", *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)
    assert isinstance(loaded, dict)
    return loaded


def test_profile_of_a_clean_table(tmp_path: Path) -> None:
    rows = "".join(f"2026-01-{day:02},{day},k{day % 3},0{day:04}\n" for day in range(1, 21))
    found = profile(tmp_path, ("date,amount,kind,zip\n" + rows).encode())
    assert found["rows"] == 20
    assert found["warnings"] == []
    by_name = {column["name"]: column for column in found["columns"]}
    assert {name: column["kind"] for name, column in by_name.items()} == {
        "date": "date", "amount": "number", "kind": "text", "zip": "text",
    }  # fmt: skip
    assert by_name["amount"]["sum"] == 210
    assert by_name["amount"]["median"] == 10.5
    assert by_name["date"]["min"].startswith("2026-01-01")
    assert by_name["kind"]["distinct"] == 3


def test_profile_warns_of_dirt(tmp_path: Path) -> None:
    data = '日期;地区;金额\n2026-01-02;North;"1,200.50"\n2026-01-03;north ;900\n2026-01-03;north ;900\n合计;;3000\n'
    found = profile(tmp_path, data.encode("gb18030"))
    assert found["source"]["encoding"] == "gb18030"
    assert found["source"]["delimiter"] == ";"
    assert any("exact copies" in warning for warning in found["warnings"])
    assert any("looks like a total" in warning for warning in found["warnings"])
    region, amount = found["columns"][1], found["columns"][2]
    assert any("spaces around" in warning for warning in region["warnings"])
    assert any("capital letters" in warning for warning in region["warnings"])
    assert any("numbers kept as text" in warning for warning in amount["warnings"])


def test_profile_sees_outliers(tmp_path: Path) -> None:
    values = [10, 11, 12, 10, 11, 12, 10, 11, 12, 9000]
    found = profile(tmp_path, ("n,x\n" + "".join(f"{v},1\n" for v in values)).encode())
    assert any("far outside" in warning for warning in found["columns"][0]["warnings"])


def test_profile_names_a_missing_header(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    done = run("spreadsheet-analysis/scripts/profile_table.py", "t.csv", "--header-row", "9", cwd=tmp_path)
    assert done.returncode == 3
    assert "no row 9" in done.stderr


# --- session-notes ---------------------------------------------------------------------------------


@pytest.fixture
def notes_env(tmp_path: Path) -> dict[str, str]:
    return {"SESSION_NOTES_DIR": str(tmp_path / "notes")}


def hook(name: str, event: Any, tmp_path: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    text = event if isinstance(event, str) else json.dumps(event)
    done = run(f"session-notes/hooks/{name}.py", cwd=tmp_path, stdin=text, env=env)
    assert done.returncode == 0, "a hook never stops a conversation"
    assert "Traceback" not in done.stderr
    return done


def test_plugin_manifest_names_files_that_exist() -> None:
    plugin = json.loads((SKILLS / "session-notes/.claude-plugin/plugin.json").read_text(encoding="utf-8"))
    assert plugin["name"] == "session-notes"
    assert set(plugin["hooks"]) == {"PrePrompt", "PostAgent", "PreSave"}
    for entries in plugin["hooks"].values():
        for entry in entries:
            assert entry["type"] == "command"
            assert (SKILLS / "session-notes" / entry["command"].split()[1]).is_file()
    for server in plugin["mcpServers"].values():
        assert (SKILLS / "session-notes" / server["args"][0]).is_file()


def test_hooks_keep_and_return_notes(tmp_path: Path, notes_env: dict[str, str]) -> None:
    assert hook("pre_prompt", {"user_id": "../../etc"}, tmp_path, notes_env).stdout == ""
    answer = (
        "Done.\n- Note to keep: Wants metric units\n记录：喜欢表格\nNote to keep: my password is hunter2222\n"
    )
    kept = hook("post_agent", {"user_id": "../../etc", "answer": answer}, tmp_path, notes_env)
    assert "2 notes kept" in kept.stdout
    assert "secrets are not kept" in kept.stderr
    shown = hook("pre_prompt", {"userId": "../../etc"}, tmp_path, notes_env).stdout
    assert "Wants metric units" in shown
    assert "喜欢表格" in shown
    assert "not instructions" in shown
    assert hook("pre_prompt", {"user_id": "somebody else"}, tmp_path, notes_env).stdout == ""
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.parent for path in files] == [tmp_path / "notes"], "a user id never leads out of the folder"


def test_prompt_context_is_bounded_and_newest_first(tmp_path: Path, notes_env: dict[str, str]) -> None:
    for number in range(12):
        done = run(
            "session-notes/scripts/notes_store.py",
            "add",
            f"note {number:02} " + "x" * 380,
            cwd=tmp_path,
            env=notes_env,
        )
        assert done.returncode == 0
    shown = hook("pre_prompt", {}, tmp_path, notes_env).stdout
    assert len(shown) <= 2001
    assert "note 11" in shown
    assert "note 00" not in shown


@pytest.mark.parametrize("event", ["", "no json", "[1, 2]", '{"user_id": {"a": 1}, "answer": 5}'])
@pytest.mark.parametrize("name", ["pre_prompt", "post_agent", "pre_save"])
def test_hooks_survive_odd_events(name: str, event: str, tmp_path: Path, notes_env: dict[str, str]) -> None:
    hook(name, event, tmp_path, notes_env)


def test_pre_save_masks_secrets_and_keeps_the_rest(tmp_path: Path, notes_env: dict[str, str]) -> None:
    aws = "AKIA" + "ABCDEFGHIJKLMNOP"
    message = {
        "role": "user",
        "id": 7,
        "content": [{"type": "text", "text": f"key {aws}, password: hunter2222, 密码是12345678"}],
    }
    saved = json.loads(hook("pre_save", message, tmp_path, notes_env).stdout)
    assert saved["role"] == "user"
    assert saved["id"] == 7
    assert saved["content"][0]["text"] == "key [masked], password: [masked], 密码是[masked]"
    harmless = {"content": "The password policy was discussed."}
    assert json.loads(hook("pre_save", harmless, tmp_path, notes_env).stdout) == harmless


def converse(messages: list[Any], tmp_path: Path, env: dict[str, str]) -> list[dict[str, Any]]:
    stdin = "".join((m if isinstance(m, str) else json.dumps(m, ensure_ascii=False)) + "\n" for m in messages)
    done = run("session-notes/scripts/notes_server.py", cwd=tmp_path, stdin=stdin, env=env)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_mcp_server_conversation(tmp_path: Path, notes_env: dict[str, str]) -> None:
    answers = converse(
        [
            {
                "jsonrpc": "2.0",
                "id": 0,
                "method": "initialize",
                "params": {"protocolVersion": "2024-11-05", "capabilities": {}},
            },
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": "list", "method": "tools/list"},
            call(2, "note_add", text="Prefers short answers"),
            call(3, "note_add", text="下次会议在周三"),
            call(4, "note_search", words="周三"),
            call(5, "note_list"),
            {"jsonrpc": "2.0", "id": 6, "method": "ping"},
        ],
        tmp_path,
        notes_env,
    )
    assert [answer["id"] for answer in answers] == [0, "list", 2, 3, 4, 5, 6], "a notification gets no answer"
    assert all(answer["jsonrpc"] == "2.0" and "error" not in answer for answer in answers)
    assert answers[0]["result"]["protocolVersion"] == "2024-11-05"
    assert "tools" in answers[0]["result"]["capabilities"]
    tools = {tool["name"]: tool for tool in answers[1]["result"]["tools"]}
    assert set(tools) == {"note_add", "note_list", "note_search", "note_forget"}
    assert tools["note_add"]["inputSchema"]["required"] == ["text"]
    assert "下次会议在周三" in answers[4]["result"]["content"][0]["text"]
    listed = answers[5]["result"]["content"][0]["text"].splitlines()
    assert len(listed) == 2

    note_id = listed[0].split()[0]
    answers = converse(
        [call(1, "note_forget", id=note_id), call(2, "note_list"), call(3, "note_forget", id=note_id)],
        tmp_path,
        notes_env,
    )
    assert "Prefers short answers" in answers[0]["result"]["content"][0]["text"]
    assert "Prefers" not in answers[1]["result"]["content"][0]["text"]
    assert answers[2]["result"]["isError"] is True


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("not json", -32700),
        ("[]", -32600),
        ({"jsonrpc": "2.0", "id": 1}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "resources/list"}, -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": [1]}, -32602),
        (call(1, "no_such_tool"), -32602),
        (call(1, "note_add"), -32602),
        (call(1, "note_add", text=5), -32602),
        (call(1, "note_list", user="other"), -32602),
    ],
    ids=[
        "syntax",
        "batch",
        "no-method",
        "unknown-method",
        "params",
        "unknown-tool",
        "missing",
        "type",
        "extra",
    ],
)
def test_mcp_server_errors(message: Any, code: int, tmp_path: Path, notes_env: dict[str, str]) -> None:
    (answer,) = converse([message], tmp_path, notes_env)
    assert answer["error"]["code"] == code


# --- code-review-panel -----------------------------------------------------------------------------


def test_subagents_have_distinct_names_equal_to_their_files() -> None:
    names = []
    for path in sorted(SKILLS.glob("*/agents/*.md")):
        block = path.read_text(encoding="utf-8").split("---\n")[1]
        front = yaml.safe_load(block)
        assert front["name"] == path.stem
        assert front["description"]
        names.append(front["name"])
    assert len(names) == 3
    assert len(set(names)) == 3


# --- release-notes ---------------------------------------------------------------------------------

GIT_LOG = """\
abc1234\t2026-05-01\tLin\tfeat(export)!: drop the <old> format
abc1235\t2026-05-01\tMo\tfix: keep leading zeros
abc1236 (HEAD -> main, tag: v1) fix: keep leading zeros
Merge branch 'main' of example
chore: tidy
security: check the [size](x) of uploads
feat: search in Chinese
Rework everything
"""


def test_changelog_sorts_folds_and_escapes(tmp_path: Path) -> None:
    done = run(
        "release-notes/scripts/changelog.py",
        "--version",
        "2.0.0",
        "--date",
        "2026-05-04",
        cwd=tmp_path,
        stdin=GIT_LOG,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "## 2.0.0 (2026-05-04)\n"
        "\n### Before you upgrade\n\n- **export:** drop the \\<old\\> format (abc1234)\n"
        "\n### Security\n\n- check the \\[size\\](x) of uploads\n"
        "\n### New\n\n- search in Chinese\n"
        "\n### Repaired\n\n- keep leading zeros (abc1235, abc1236)\n"
        "\n### Not sorted\n\n- Rework everything\n"
    )
    assert "7 commits, 1 chores left out, proposed step: major" in done.stderr


@pytest.mark.parametrize(
    ("log", "step"),
    [
        ("fix: a\n", "patch"),
        ("feat: a\nfix: b\n", "minor"),
        ("fix!: a\n", "major"),
        ("Text with BREAKING CHANGE\n", "major"),
    ],
)
def test_changelog_proposes_the_step(log: str, step: str, tmp_path: Path) -> None:
    done = run("release-notes/scripts/changelog.py", "--format", "json", cwd=tmp_path, stdin=log)
    assert json.loads(done.stdout)["step"] == step


@pytest.mark.parametrize(
    ("arguments", "stdin", "code"),
    [
        ((), "", 3),
        (("--version", "five"), "fix: a", 3),
        (("--date", "today"), "fix: a", 3),
        (("none.txt",), "", 2),
    ],
    ids=["empty", "version", "date", "no-file"],
)
def test_changelog_refuses(arguments: tuple[str, ...], stdin: str, code: int, tmp_path: Path) -> None:
    assert run("release-notes/scripts/changelog.py", *arguments, cwd=tmp_path, stdin=stdin).returncode == code


# --- lesson-planner --------------------------------------------------------------------------------


def test_lesson_template_passes_its_own_check(tmp_path: Path) -> None:
    template = str(SKILLS / "lesson-planner/templates/lesson-plan.md")
    done = run("lesson-planner/scripts/check_plan.py", template, "--minutes", "45", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("| 12 | New", "| 20 | New", "53 minutes; the lesson has 45"),
        ("add two fractions", "understand fractions", "nobody can see"),
        ("exit question: 1/2 + 1/3", "", "no evidence"),
        ("| copy and label the strip |", "|  |", "pupils have nothing to do"),
        ("| show boards after each sum |", "|  |", "23 minutes without a check"),
        ("| O1 | exit question |", "| O1 |  |", "the last phase has no check"),
        ("| 10 | Own practice", "| ten | Own practice", "not a number of minutes"),
    ],
)
def test_lesson_check_finds(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = (SKILLS / "lesson-planner/templates/lesson-plan.md").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "plan.md").write_text(text.replace(old, new), encoding="utf-8")
    done = run("lesson-planner/scripts/check_plan.py", "plan.md", "--minutes", "45", cwd=tmp_path)
    assert done.returncode == 1
    assert message in done.stdout


# --- incident-postmortem ---------------------------------------------------------------------------


def test_timeline_merges_zones(tmp_path: Path) -> None:
    (tmp_path / "alerts.txt").write_text("[2026-05-04T10:12:03Z] pager | <b>\nnot dated\n", encoding="utf-8")
    (tmp_path / "chat.txt").write_text(
        "2026-05-04 12:14 looking\n2026-05-04 15:00:30,123 +0200 all clear\n", encoding="utf-8"
    )
    done = run("incident-postmortem/scripts/timeline.py", "alerts.txt", "chat.txt:+02:00", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2:] == [
        "| 2026-05-04 10:12:03 | alerts.txt:1 | pager \\| \\<b\\> |",
        "| 2026-05-04 10:14:00 | chat.txt:1 | looking |",
        "|  |  | (nothing recorded for 166 minutes) |",
        "| 2026-05-04 13:00:30 | chat.txt:2 | all clear |",
    ]
    assert "not dated: alerts.txt, line 2" in done.stderr


def test_timeline_refuses_to_guess_a_zone(tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_text("2026-05-04 12:14 looking\n", encoding="utf-8")
    done = run("incident-postmortem/scripts/timeline.py", "chat.txt", cwd=tmp_path)
    assert done.returncode == 3
    assert "without a zone" in done.stderr
    assert (
        run("incident-postmortem/scripts/timeline.py", "chat.txt", "--assume-utc", cwd=tmp_path).returncode
        == 0
    )


# --- data-cleaning ---------------------------------------------------------------------------------

RECIPE = {
    "steps": [
        {"do": "trim", "columns": ["*"]},
        {"do": "empty", "columns": ["country"], "values": ["n/a"]},
        {"do": "case", "columns": ["email"], "to": "lower"},
        {"do": "map", "columns": ["country"], "values": {"Germany": "DE"}},
        {"do": "number", "columns": ["amount"], "decimal": ","},
        {"do": "date", "columns": ["joined"], "formats": ["%d.%m.%Y"]},
        {"do": "require", "columns": ["email"]},
        {"do": "duplicates", "columns": ["email"]},
    ]
}
RAW = (
    "email,country,amount,joined,zip\n"
    ' A@x.example ,Germany,"1.234,50 €",03.02.2026,01234\n'
    "a@x.example,DE,7,2026-02-04,1\n"
    ",DE,abc,31.02.2026,2\n"
    'b@x.example,n/a,"(5,25)",04.02.2026,3\n'
)


def clean(tmp_path: Path, recipe: Any, *arguments: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "raw.csv").write_text(RAW, encoding="utf-8")
    (tmp_path / "recipe.json").write_text(json.dumps(recipe), encoding="utf-8")
    outputs = ("--out", "clean.csv", "--log", "log.csv", "--rejects", "rejects.csv")
    return run(
        "data-cleaning/scripts/clean_table.py", "raw.csv", "recipe.json", *outputs, *arguments, cwd=tmp_path
    )


def test_cleaning_logs_and_loses_nothing(tmp_path: Path) -> None:
    done = clean(tmp_path, RECIPE)
    assert done.returncode == 0, done.stderr
    assert "rows: 4 in, 2 out, 2 rejected" in done.stdout
    assert (tmp_path / "raw.csv").read_text(encoding="utf-8") == RAW
    with open(tmp_path / "clean.csv", encoding="utf-8", newline="") as stream:
        assert list(csv.reader(stream))[1:] == [
            ["a@x.example", "DE", "1234.50", "2026-02-03", "01234"],
            ["b@x.example", "", "-5.25", "2026-02-04", "3"],
        ]
    log = (tmp_path / "log.csv").read_text(encoding="utf-8")
    assert "5 number,4,amount,abc,,failed" in log
    assert "6 date,4,joined,31.02.2026,,failed" in log
    assert '"3","8' not in log
    rejects = (tmp_path / "rejects.csv").read_text(encoding="utf-8")
    assert "empty: email" in rejects
    assert "same email as row 2" in rejects


def test_cleaning_dry_run_writes_nothing(tmp_path: Path) -> None:
    done = clean(tmp_path, RECIPE, "--dry-run")
    assert "(dry run)" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"raw.csv", "recipe.json"}


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"do": "guess", "columns": ["*"]}, "do must be one of"),
        ({"do": "trim", "columns": ["nope"]}, "no column nope"),
        ({"do": "trim", "columns": ["*"], "extra": 1}, "knows no extra"),
        ({"do": "number", "columns": ["amount"], "decimal": ";"}, "decimal must be"),
        ({"do": "date", "columns": ["joined"], "formats": ["%d/%m/%Y", "%m/%d/%Y"]}, "cannot be told apart"),
        ({"do": "case", "columns": ["email"], "to": "loud"}, "lower, upper or title"),
    ],
)
def test_cleaning_refuses_a_wrong_recipe(step: dict[str, Any], message: str, tmp_path: Path) -> None:
    done = clean(tmp_path, {"steps": [step]})
    assert done.returncode == 3
    assert message in done.stderr
    assert not (tmp_path / "clean.csv").exists()


# --- office documents, where their libraries are installed -----------------------------------------


def test_docx_template_is_filled_over_split_runs(tmp_path: Path) -> None:
    docx = importlib.import_module("docx")
    document = docx.Document()
    document.add_heading("Contract", 1)
    paragraph = document.add_paragraph("Dear ")
    paragraph.add_run("{{na").bold = True
    paragraph.add_run("me}}, on {{date}}.")
    document.add_table(rows=1, cols=1).cell(0, 0).text = "{{ name }}"
    document.sections[0].header.paragraphs[0].text = "As of {{date}}"
    document.save(tmp_path / "in.docx")
    (tmp_path / "data.json").write_text('{"name": "林"}', encoding="utf-8")
    missing = run("docx/scripts/docx_fill.py", "in.docx", "data.json", "out.docx", cwd=tmp_path)
    assert missing.returncode == 3
    assert "date" in missing.stderr
    (tmp_path / "data.json").write_text('{"name": "林", "date": "2026-05-04"}', encoding="utf-8")
    done = run("docx/scripts/docx_fill.py", "in.docx", "data.json", "out.docx", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "4 placeholders filled" in done.stdout
    text = run("docx/scripts/docx_inspect.py", "out.docx", "--text", cwd=tmp_path).stdout
    assert text.splitlines() == [
        "Contract",
        "Dear 林, on 2026-05-04.",
        "林",
        "[header/footer] As of 2026-05-04",
    ]


def test_pptx_outline_survives_the_round_trip(tmp_path: Path) -> None:
    outline = (
        "# Title\n- Who\n\n## Point one\n- a\n  - b\nNotes: say it\n\n## Table\n| x | y |\n| 1 | 2 |\n\n"
    )
    (tmp_path / "o.md").write_text(outline, encoding="utf-8")
    assert run("pptx/scripts/pptx_build.py", "o.md", "d.pptx", cwd=tmp_path).returncode == 0
    assert run("pptx/scripts/pptx_dump.py", "d.pptx", "--outline", cwd=tmp_path).stdout == outline
    check = run("pptx/scripts/pptx_dump.py", "d.pptx", "--check", cwd=tmp_path)
    assert check.returncode == 0, check.stdout


@pytest.mark.parametrize(
    ("outline", "message"),
    [
        ("text first\n", "line 1"),
        ("# a\n### b\n", "line 2"),
        ("## a\n| x | y |\n| 1 |\n", "line 3"),
        ("## a\n- b\n| x |\n", "line 1"),
    ],
)
def test_pptx_outline_mistakes_name_the_line(outline: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "o.md").write_text(outline, encoding="utf-8")
    done = run("pptx/scripts/pptx_build.py", "o.md", "d.pptx", cwd=tmp_path)
    assert done.returncode == 3
    assert message in done.stderr


def test_xlsx_check_finds_each_kind_of_mistake(tmp_path: Path) -> None:
    openpyxl = importlib.import_module("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ("n", "p", "c"),
        (1, 2, "=A2*B2"),
        (2, 3, "=A3*B2"),
        ("3", 3, "=A4*B4"),
        (4, 4, "=Gone!A1"),
        ("#N/A", "007", "=#REF!+1"),
    ):
        sheet.append(row)
    book.save(tmp_path / "b.xlsx")
    done = run("xlsx/scripts/xlsx_check.py", "b.xlsx", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    for expected in (
        "Sheet!C3: the formula differs",
        "Sheet!A4: a number kept as text",
        "no sheet named 'Gone'",
        "Sheet!A6: #N/A",
        "deleted cell",
    ):
        assert expected in done.stdout
    assert "B6" not in done.stdout, "a leading zero says: an identifier"


def test_pdf_pages_and_forms(tmp_path: Path) -> None:
    canvas = importlib.import_module("reportlab.pdfgen.canvas")
    for name, pages in (("a.pdf", 2), ("b.pdf", 1)):
        sheet = canvas.Canvas(str(tmp_path / name))
        for number in range(pages):
            sheet.drawString(90, 700, f"File {name} with some words on page {number + 1}")
            sheet.showPage()
        sheet.save()
    merged = run("pdf/scripts/pdf_pages.py", "merge", "a.pdf", "b.pdf", "--out", "m.pdf", cwd=tmp_path)
    assert "3 pages" in merged.stdout, merged.stderr
    text = run("pdf/scripts/pdf_pages.py", "text", "m.pdf", "--pages", "3", cwd=tmp_path).stdout
    assert "File b.pdf" in text
    assert run("pdf/scripts/pdf_pages.py", "merge", "a.pdf", "--out", "m.pdf", cwd=tmp_path).returncode == 2
    assert (
        run(
            "pdf/scripts/pdf_pages.py", "extract", "m.pdf", "--pages", "4", "--out", "x.pdf", cwd=tmp_path
        ).returncode
        == 3
    )

    form = canvas.Canvas(str(tmp_path / "f.pdf"))
    form.acroForm.textfield(name="name", x=100, y=700, width=200, height=20)
    form.drawString(90, 750, "Form")
    form.acroForm.checkbox(name="ok", x=100, y=650)
    form.save()
    (tmp_path / "d.json").write_text('{"name": "Lin", "ok": true}', encoding="utf-8")
    assert run("pdf/scripts/pdf_form.py", "fill", "f.pdf", "d.json", "g.pdf", cwd=tmp_path).returncode == 0
    fields = json.loads(run("pdf/scripts/pdf_form.py", "fields", "g.pdf", "--json", cwd=tmp_path).stdout)
    assert fields["name"]["value"] == "Lin"
    assert fields["ok"]["value"] == "/Yes"
    (tmp_path / "d.json").write_text('{"nam": "Lin"}', encoding="utf-8")
    wrong = run("pdf/scripts/pdf_form.py", "fill", "f.pdf", "d.json", "h.pdf", cwd=tmp_path)
    assert wrong.returncode == 3
    assert not (tmp_path / "h.pdf").exists()
