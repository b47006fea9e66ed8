"""What the scanners of DeerFlow's installer and Hermes' guard say about common, mostly harmless patterns.

They disagree with each other and with this hub's own scan; an author should know before an installation fails
at somebody else's. Hermes blocks community skills for every pattern it calls high or critical, DeerFlow for
every critical one. Patterns are ours, written after what those rules look for; they look for the pattern's
core, not for every spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from generator.findings import finding
from generator.judge.model import Subject
from generator.judge.rules.ground import file_path
from generator.model import Finding, PackageFile
from generator.read.nodes import place_of

_MOST_BYTES: Final = 512 * 1024
"""Bytes of one skill that are looked at, so that no skill takes more than a second or so."""
_TEXTS: Final = frozenset((
    "md", "txt", "py", "sh", "bash", "js", "ts", "rb", "yaml", "yml", "json", "toml", "cfg", "ini", "conf", "html",
    "css", "xml", "tex", "r", "jl", "pl", "php",
))  # fmt: skip
_GUARDED: Final = r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One thing scanners look for.

    ``words`` are lower-case bytes, one of which must be in a file for ``regex`` to be tried; ``suffixes`` limits
    it to such files (empty: all texts), and ``also`` asks for a second pattern in the same file.
    """

    words: tuple[bytes, ...]
    regex: re.Pattern[str]
    says: str
    fix: str
    suffixes: tuple[str, ...] = ()
    also: re.Pattern[str] | None = None


def _find(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_PATTERNS: Final = (
    _Pattern(
        (b"os.environ", b"import environ"),
        _find(r"os\.environ\b|from os import (?:\w+, ?)*environ"),
        "DeerFlow's installer refuses a Python file that reads os.environ and also uses the network "
        "(python-env-dump-exfil), and Hermes' guard blocks os.environ (python_os_environ)",
        "Take the value as an argument, or read it in one file and use the network in another",
        ("py",),
        _find(
            r"\b(?:requests|httpx|session|client)\.(?:get|post|put|patch|delete|request|head)\s*\(|\burlopen\s*\("
            r"|\burlretrieve\s*\(|\baiohttp\.|\bsocket\.(?:create_connection|socket)\s*\("
        ),
    ),
    _Pattern(
        (b"getenv", b"environ"),
        _find(rf"os\.(?:getenv|environ\s*\.get)\s*\(\s*[^)\n]{{0,80}}{_GUARDED}|os\.environ\[[^\]\n]{{0,80}}{_GUARDED}"),
        "Hermes' guard blocks code that reads a variable named like a secret (python_getenv_secret)",
        "Let the host hand the secret over (required-secrets, or an argument)",
    ),
    _Pattern(
        (b"curl", b"wget"),
        _find(rf"\b(?:curl|wget)[ \t][^\n]{{0,160}}\$\{{?\w*(?:{_GUARDED}|API)"),
        "Hermes' guard blocks a curl or wget line that holds a secret's variable (env_exfil_curl)",
        "Put the request into a script that reads the secret itself, or describe it in words",
    ),
    _Pattern(
        (b"curl", b"wget"),
        _find(r"\b(?:curl|wget)\b[^\n|;]{0,160}\|[ \t]*(?:sudo[ \t]+)?(?:ba|z)?sh\b"),
        "Hermes' guard blocks, and DeerFlow's installer marks, what is downloaded and run in one step "
        "(curl_pipe_shell)",
        "Download the file, let the reader check it, and run it as a second step",
    ),
    _Pattern(
        (b"shell", b"os.system", b"os.popen"),
        _find(r"\bos\.(?:system|popen)\s*\(|\bsubprocess\.\w+\([^)]{0,200}?shell\s*=\s*True"),
        "DeerFlow's installer refuses Python that starts a shell (python-shell-exec); Hermes' guard blocks "
        "os.system and "
        "os.popen",
        "Call the program with a list of arguments: subprocess.run([...])",
        ("py",),
    ),
    _Pattern(
        (b"eval(", b"exec(", b"eval (", b"exec ("),
        re.compile(r"(?<![\w.])(?:eval|exec)\s*\("),
        "DeerFlow's installer refuses Python that evaluates text as code (python-dynamic-exec)",
        "Use ast.literal_eval, json.loads or a table of functions",
        ("py",),
    ),
    _Pattern(
        (b"agents.md", b"claude.md", b".cursorrules", b".clinerules"),
        _find(r"AGENTS\.md|CLAUDE\.md|\.cursorrules|\.clinerules"),
        "Hermes' guard blocks every mention of an agent's own instruction file (agent_config_mod)",
        "Say 'the project's instructions for agents' without naming the file",
    ),
    _Pattern(
        (b"sudo",),
        _find(r"\bsudo\b"),
        "Hermes' guard blocks every mention of sudo (sudo_usage)",
        "Say that the command needs the rights of an administrator",
    ),
    _Pattern(
        (b"~/.", b"$home/."),
        _find(r"(?:~|\$HOME)/\.(?:ssh|aws|kube|docker|gnupg)"),
        "Hermes' guard blocks, and DeerFlow's installer marks, paths where keys are kept (ssh_dir_access and the like)",
        "Name the setting in words, or let a program find its own configuration",
    ),
    _Pattern(
        (b"cat ", b"cat\t"),
        _find(r"\bcat[ \t]+(?!>)[^\n]{0,80}(?:\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc)"),
        "Hermes' guard blocks a command that prints a file of secrets (read_secrets_file)",
        "Ask the agent to check that the variable is set, without printing it",
    ),
    _Pattern(
        (b"169.254.169.254", b"metadata.google.internal"),
        _find(r"169\.254\.169\.254|metadata\.google\.internal"),
        "DeerFlow's installer refuses every mention of a cloud's metadata service (network-cloud-metadata)",
        "Name the service in words",
    ),
    _Pattern(
        (b"/etc/passwd", b"/etc/shadow"),
        _find(r"/etc/(?:passwd|shadow)"),
        "Hermes' guard blocks, and DeerFlow's installer marks, every mention of the system's password files",
        "Use another file as the example",
    ),
    _Pattern(
        (b"0.0.0.0:", b"ngrok", b"cloudflared", b"localtunnel"),
        _find(r"\b0\.0\.0\.0:\d+|\b(?:ngrok|cloudflared|localtunnel)\b"),
        "Hermes' guard blocks servers open to the network and tunnels (bind_all_interfaces, tunnel_service)",
        "Listen on 127.0.0.1",
    ),
    _Pattern(
        (b"process.env[",),
        _find(r"\bprocess\.env\["),
        "Hermes' guard blocks process.env[...] (node_process_env)",
        "Write process.env.NAME, which it lets pass",
    ),
    _Pattern(
        (b"rm -", b"rm\t"),
        _find(r"\brm[ \t]+-rf[ \t]+/"),
        "Hermes' guard blocks rm -rf with an absolute path (destructive_root_rm)",
        "Delete by a path relative to the project",
    ),
    _Pattern(
        (b"instructions",),
        _find(
            r"\b(?:ignore|disregard)[ \t]+(?:\w+[ \t]+){0,4}?(?:previous|all|above|prior|your|any)[ \t]+"
            r"(?:\w+[ \t]+){0,3}?instructions"
        ),
        "Hermes' guard blocks, and DeerFlow's installer marks, words that tell a model to ignore its instructions",
        "Describe such a text in place of quoting it",
    ),
)  # fmt: skip


_INVISIBLE: Final = re.compile(b"\xe2(?:\x80[\x8b-\x8d\xaa-\xae]|\x81[\xa0\xa2-\xa4\xa6-\xa9])")
"""U+200B-200D, U+202A-202E, U+2060, U+2062-2064 and U+2066-2069, as UTF-8."""


def find(subject: Subject) -> Iterator[Finding]:
    """For each pattern its first place in the skill."""
    told = [False] * len(_PATTERNS)
    invisible = False
    left = _MOST_BYTES
    for file in subject.skill.package.files:
        suffix = file.path.rpartition(".")[2].lower()
        if suffix not in _TEXTS or file.size > left:
            continue
        left -= file.size
        yield from _find_in_file(subject, file, suffix, told)
        if not invisible and not file.data.isascii() and (found := _INVISIBLE.search(file.data)) is not None:
            invisible = True
            at = len(file.data[: found.start()].decode("utf-8", "replace"))
            char = found[0].decode("utf-8")
            yield _tell(
                subject, file, file.data.decode("utf-8", "replace"), at, char,
                f"Hermes' guard blocks the invisible character U+{ord(char):04X} anywhere, inside an emoji too",
                "Delete the character; retyping the line is the easiest way",
            )  # fmt: skip


def _find_in_file(subject: Subject, file: PackageFile, suffix: str, told: list[bool]) -> Iterator[Finding]:
    low = file.data.lower()
    text: str | None = None
    for number, pattern in enumerate(_PATTERNS):
        if told[number] or (pattern.suffixes and suffix not in pattern.suffixes):
            continue
        for word in pattern.words:
            if word in low:
                break
        else:
            continue
        text = file.data.decode("utf-8", "replace") if text is None else text
        found = pattern.regex.search(text)
        if found is None or (pattern.also is not None and pattern.also.search(text) is None):
            continue
        told[number] = True
        yield _tell(subject, file, text, found.start(), found[0], pattern.says, pattern.fix)


def _tell(
    subject: Subject, file: PackageFile, text: str, at: int, found: str, message: str, fix: str
) -> Finding:
    line, column = place_of(text, at)
    path = file_path(subject, file.path)
    return finding("scanner-conflict", path, message, fix, line, column, found)
