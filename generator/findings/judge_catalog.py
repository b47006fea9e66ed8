"""What the judge finds between the files of a skill and between skills."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.findings.info import CodeInfo
from generator.model import Severity

_WARNING: Final = Severity.WARNING
_INFO: Final = Severity.INFO

CODES: Final[Mapping[str, CodeInfo]] = {
    "link-broken": CodeInfo(
        _WARNING,
        "A link leads to a file that is not there",
        "An agent that follows the link finds nothing, and the site shows it as plain text.",
        "Correct the path, or add the file to the skill's folder.",
        "judge",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [the forms](references/forms.md).",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [the skill](SKILL.md).",
    ),
    "link-case-mismatch": CodeInfo(
        _WARNING,
        "A link differs from its file by case only",
        "It works on macOS and Windows and is broken on Linux, where most agents run.",
        "Write the path exactly as the file is called.",
        "judge",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](skill.md).",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](SKILL.md).",
    ),
    "link-absolute": CodeInfo(
        _WARNING,
        "A link is an absolute path",
        "It names a place on the author's machine (or the root of a web site), which readers do not have.",
        "Write the path relative to SKILL.md.",
        "judge",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](/srv/skills/demo/SKILL.md).",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](SKILL.md).",
    ),
    "link-backslash": CodeInfo(
        _WARNING,
        "A link is written with backslashes",
        "Only Windows takes a backslash for a separator of folders; elsewhere the link is broken.",
        "Write the path with forward slashes.",
        "judge",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](docs\\SKILL.md).",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](./SKILL.md).",
    ),
    "link-leaves-skill": CodeInfo(
        _WARNING,
        "A link leads out of the skill's folder",
        "Only the folder itself is installed, so nothing is there once somebody installs the skill.",
        "Copy the file into the skill's folder, or link to its web address.",
        "judge",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](../../docs/style.md).",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](https://example.com/style).",
    ),
    "link-to-sibling-skill": CodeInfo(
        _INFO,
        "A link leads to another skill",
        "It only works where that skill is installed beside this one, under the same folder name.",
        "Name the other skill in words as well, so that a reader can install it.",
        "judge",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nSee [tables](../tables/SKILL.md).",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nSee the skill tables.",
    ),
    "link-sibling-missing": CodeInfo(
        _WARNING,
        "A link leads to a skill that is not here",
        "No skill of the same source lies in the folder that the link names, so it works for nobody.",
        "Correct the folder's name, or remove the link.",
        "judge",
    ),
    "link-to-left-out": CodeInfo(
        _WARNING,
        "A link leads to something that is never published",
        "Names that start with a dot, node_modules and caches are left out of a package.",
        "Rename the file, or move it out of the hidden folder.",
        "judge",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](.notes/style.md).",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](SKILL.md).",
    ),
    "link-scheme": CodeInfo(
        _WARNING,
        "A link has a scheme that is not followed",
        "Only http, https and mailto links work everywhere; the site shows any other as plain text.",
        "Link to a file of the skill or to an https:// address.",
        "judge",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](mdc:style.md).",
        "---\nname: demo\ndescription: Does one thing.\n---\n\nRead [this](https://example.com/style).",
    ),
    "mention-missing-file": CodeInfo(
        _INFO,
        "The text names a file that is not in the skill",
        "The skill has that folder but not that file, so an agent told to read or run it finds nothing.",
        "Correct the path, or add the file.",
        "judge",
    ),
    "name-collision-in-registry": CodeInfo(
        _WARNING,
        "Several skills have one name",
        "Of skills with one front matter name OpenCode, Gemini CLI and DeerFlow keep the last they scan, "
        "Hermes, VS Code and the skills CLI the first, OpenClaw the one of the highest source; Codex keeps all, "
        "and Claude Code and DeepTutor go by the folder.",
        "Give the skill a name of its own, for instance with your project's name in front.",
        "judge",
    ),
    "mcp-server-collision": CodeInfo(
        _WARNING,
        "Several skills bring different MCP servers under one name",
        "A host that keeps one server a name starts one of them for both skills.",
        "Rename the server, for instance with the skill's name in front.",
        "judge",
    ),
    "name-contains-autoload-name": CodeInfo(
        _INFO,
        "The name contains the name of a skill that is always loaded",
        "The skill-package service compares by part of the name: asking for the longer one suppresses the other.",
        "Choose a name that does not contain the other.",
        "judge",
    ),
    "folder-case-collision": CodeInfo(
        _WARNING,
        "Folders of two skills differ by case or Unicode form only",
        "Installed side by side on macOS or Windows they are one folder, and one skill overwrites the other.",
        "Rename one of the two folders.",
        "judge",
    ),
}
