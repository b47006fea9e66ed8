"""The pages that say how to use the hub: what each client can do here, and its set-up, a block a client.

A client that the hub's host cannot serve, or whose protocol is switched off, has one sentence in place of commands that
would fail.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from generator.model import (
    Archive,
    Catalog,
    ClientSupport,
    Hub,
    Listing,
    Owner,
    PackagePath,
    Protocol,
    ScanVerdict,
    Sha256,
    Slug,
    TimeMs,
    Version,
)
from generator.write.protocols.claude_code_names import marketplace_name
from generator.write.protocols.indexes import Indexed
from generator.write.site.install import CLAWHUB, SKILLS, InstallWay, find_way
from generator.write.site.shell import hub_id
from generator.write.site.support import client_table, code_block, mark_up
from generator.write.site.view import escape_html

_TRIED: Final = 200
"""Skills that are looked at for one that a client can install."""
_NOBODY: Final = Listing(
    Owner("owner"), Slug("skill"), "skill", "Skill", "", Version("1.0.0"), TimeMs(0), TimeMs(0), True,
    ScanVerdict.ALLOW, archive=Archive(Sha256("the-sha256-on-its-page"), 0), paths=(PackagePath("SKILL.md"),),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Ground:
    """What the blocks speak of: the hub, how far clients get, and the skills to take an example from."""

    hub: Hub
    support: Mapping[str, ClientSupport]
    offered: Sequence[Listing]

    def example(self, client: str) -> InstallWay | None:
        """The command for the first skill that the client can install from here; a made-up one in an empty hub."""
        for one in self.offered[:_TRIED] or (_NOBODY,):
            if one.archive is None:
                continue
            way = find_way(client, self.hub, Indexed(one, one.archive, one.paths))
            if way is not None:
                return way
        return None


def use_blocks(catalog: Catalog, offered: Sequence[Listing]) -> Mapping[str, str]:
    """What fills the slots of the page about installing; ``offered`` are the skills to name, the best first."""
    ground = _Ground(catalog.hub, {one.name: one for one in catalog.hub.clients}, offered)
    blocks = {f"USE_{name}": "".join(make(ground)) for name, make in _SECTIONS.items()}
    return {**blocks, "CLIENTS": client_table(catalog.hub), "START": _start(ground)}


def _say(*sentences: str) -> str:
    return f"<p>{' '.join(mark_up(one) for one in sentences)}</p>\n"


def _note(text: str) -> str:
    return f'<p class="sp-note">{mark_up(text)}</p>\n'


def _section(
    ground: _Ground, clients: Sequence[str], body: Callable[[InstallWay], Iterable[str]]
) -> Iterator[str]:
    """The body where the first of the clients can install something, after what any of them lacks."""
    known = [ground.support[client] for client in clients if client in ground.support]
    if known and known[0].level == "absent":
        yield _note(f"{known[0].title} finds nothing here: {known[0].reason}.")
        return
    lacking = [one for one in known if one.level in ("part", "fails")]
    way = ground.example(clients[0])
    for one in lacking:
        if one is not known[0] and one.reason in known[0].reason:
            continue  # said already
        does = "cannot install from this hub:" if one.level == "fails" else "installs from this hub, but"
        yield _note(f"{one.title} {does} {one.reason}.")
    if way is not None:
        yield from body(way)
    elif not lacking:
        yield _note("No skill of this hub is in a form that this client takes. Each skill's page says why.")


def _use_skills(ground: _Ground) -> Iterator[str]:
    def body(way: InstallWay) -> Iterator[str]:
        yield _say(
            "It needs Node.js and no installation of its own, and asks which of your agents to install for."
        )
        yield code_block(way.commands)
        yield _say(
            "Keep `--skill` in the command: where version 1.5.18 finds nothing at an address, it goes on to all skills "
            "of the hub. Version 1.7.4 does not, and needs Node.js 22.20."
        )

    return _section(ground, ["skills"], body)


def _use_claude_code(ground: _Ground) -> Iterator[str]:
    hub = ground.hub
    name = marketplace_name(hub)

    def body(way: InstallWay) -> Iterator[str]:
        yield _say("Add the hub as a marketplace once; then each skill, and each collection, is a plugin.")
        yield code_block(way.commands)
        yield code_block(f"claude plugin marketplace update {name}    # look for new versions")
        yield _say(
            "A plugin brings the hooks, MCP servers, subagents and commands of its skill with it, which a copied "
            "folder does not switch on: the skill's page says what they run. Packages are fetched with `npm`, which "
            "must be installed, and checked against a SHA-512."
        )
        if hub.url.startswith("http://"):
            yield _say("Claude Code 2.1.332 takes packages over https only, and this hub's address is http.")

    return _section(ground, ["claude-code"], body)


def _use_clawhub(ground: _Ground) -> Iterator[str]:
    hub = ground.hub

    def body(way: InstallWay) -> Iterator[str]:
        reference = way.commands.rpartition(" ")[2]
        yield _say("It needs no installation of its own. It is made for Node.js 22; 20 works with warnings.")
        yield code_block(
            f'export CLAWHUB_CONFIG_PATH="$HOME/.config/clawhub-{hub_id(hub)}.json"\n'
            f"export CLAWHUB_REGISTRY={shlex.quote(hub.url)}\n\n"
            f'npx {CLAWHUB} search "spreadsheet"\n'
            f"npx {CLAWHUB} install {reference}\n"
            f"npx {CLAWHUB} update --all"
        )
        yield _say(
            "The settings file of its own is there because `clawhub` sends the token it has stored to whichever "
            "registry it talks to. This hub needs no token."
        )
        yield _say(
            f"Where two publishers use the same name, put the publisher in front: `npx {CLAWHUB} install "
            "@publisher/skill`. The client checks nothing of an archive; the SHA-256 is on each skill's page."
        )

    return _section(ground, ["clawhub", "clawhub-old"], body)


def _use_deeptutor(ground: _Ground) -> Iterator[str]:
    def body(way: InstallWay) -> Iterator[str]:
        yield _say("Add the hub to `settings/skill_hubs.json`, and keep the entries you have:")
        yield code_block(json.dumps(json.loads(way.setup), indent=2, ensure_ascii=False))
        yield _say("Then install. The word before the colon is this hub's name in that file:")
        yield code_block(way.commands)
        yield _say(
            "Where two publishers use the same name, put the publisher before it: "
            f"`deeptutor skill install {hub_id(ground.hub)}:publisher/skill`."
        )

    return _section(ground, ["deeptutor"], body)


def _use_openclaw(ground: _Ground) -> Iterator[str]:
    def body(way: InstallWay) -> Iterator[str]:
        yield code_block(
            f"export OPENCLAW_CLAWHUB_URL={shlex.quote(ground.hub.url)}\n"
            "openclaw skills search spreadsheet\n"
            f"openclaw skills install {way.commands.rpartition(' ')[2]}"
        )
        yield _say(
            "It asks for the scan's verdict before it installs, and does not check the archive's hash."
        )

    return _section(ground, ["openclaw"], body)


def _use_hermes(ground: _Ground) -> Iterator[str]:
    def body(way: InstallWay) -> Iterator[str]:
        yield code_block(
            f"hermes skills search --source well-known {shlex.quote(ground.hub.url)}\n{way.commands}"
        )
        yield _say(
            "It fetches the files one by one, reads every one as text, so that a picture or a program arrives changed, "
            "and has no digests to compare. It keeps the list of skills for an hour."
        )

    yield from _section(ground, ["hermes"], body)
    other = ground.support.get("hermes-clawhub")
    if other is not None and other.level == "fails":
        yield _say(f"As a client of a ClawHub it cannot install from here: {other.reason}.")


def _use_apm(ground: _Ground) -> Iterator[str]:
    def body(way: InstallWay) -> Iterator[str]:
        yield _say("Registries are behind an experimental flag in version 0.35.0. In `apm.yml`:")
        yield code_block(way.setup)
        yield _say("Then, for Claude Code or another target:")
        yield code_block(way.commands)
        yield _say("It takes a range of versions, keeps a lock file, and checks a SHA-256.")

    return _section(ground, ["apm"], body)


def _use_qwenpaw(ground: _Ground) -> Iterator[str]:
    def body(way: InstallWay) -> Iterator[str]:
        yield code_block(way.commands)
        yield _say("A bundle carries texts only: a skill with any other file has none, and its page says so.")

    return _section(ground, ["qwenpaw"], body)


def _use_skill_files(ground: _Ground) -> Iterator[str]:
    def body(way: InstallWay) -> Iterator[str]:
        yield _say("A `.skill` file is an archive with the skill's folder in it. For Gemini CLI:")
        yield code_block(way.commands)
        yield _say(
            "DeerFlow and the Claude apps take the same file by upload. DeerFlow refuses front matter with keys that "
            "it does not know: see which agents load the skill on its page."
        )

    return _section(ground, ["skill-archives"], body)


def _use_agentskills_http(ground: _Ground) -> Iterator[str]:
    support = ground.support.get("agentskills-http")
    if support is not None and support.level == "absent":
        yield _note(f"{support.title} finds nothing here: {support.reason}.")
        return
    yield _say("A Python library that reads skills where they lie. Its base here is:")
    yield code_block(
        "from agentskills_http import HTTPStaticFileSkillProvider\n\n"
        f"base = {json.dumps(f'{ground.hub.url}/agentskills')}\n"
        "provider = HTTPStaticFileSkillProvider(base, skill_manifest=True, file_manifest=True)\n"
        "async with provider:\n"
        "    print(await provider.discover())"
    )
    yield _say("Files arrive as they are, one by one and without digests.")


def _use_download(ground: _Ground) -> Iterator[str]:
    way = ground.example("people")
    yield _say(
        "A skill is a folder with a `SKILL.md`. Download the archive, compare it with the SHA-256 on the skill's page, "
        "and unpack it where your agent looks for skills."
    )
    if way is not None:
        yield code_block(way.commands)


def _use_agent_pages(ground: _Ground) -> Iterator[str]:
    if not ground.hub.speaks(Protocol.AGENT_PAGES):
        yield _note("This hub has switched off its pages for agents.")
        return
    yield _say("An agent needs no client to look around. Tell it to read:")
    yield code_block(f"{ground.hub.url}/llms.txt")
    yield (
        '<p>It leads to every skill. <a href="../llms-full.txt">llms-full.txt</a> holds the texts themselves, and '
        "every page has a twin in Markdown: add <code>index.md</code> to its address.</p>\n"
    )


_SECTIONS: Final[Mapping[str, Callable[[_Ground], Iterator[str]]]] = MappingProxyType({
    "AGENTSKILLS_HTTP": _use_agentskills_http,
    "AGENT_PAGES": _use_agent_pages,
    "APM": _use_apm,
    "CLAUDE_CODE": _use_claude_code,
    "CLAWHUB": _use_clawhub,
    "DEEPTUTOR": _use_deeptutor,
    "DOWNLOAD": _use_download,
    "HERMES": _use_hermes,
    "OPENCLAW": _use_openclaw,
    "QWENPAW": _use_qwenpaw,
    "SKILLS": _use_skills,
    "SKILL_FILES": _use_skill_files,
})  # fmt: skip


def _start(ground: _Ground) -> str:
    """The first commands that a visitor of the home page can type: of the first client that installs from here."""
    url = shlex.quote(ground.hub.url)
    clawhub = ground.support.get("clawhub")
    way = ground.example("clawhub")
    if way is not None and (clawhub is None or clawhub.level in ("works", "part")):
        return (
            f"{_remark('once: this hub, with settings of its own')}\n"
            f"{escape_html(f'export CLAWHUB_REGISTRY={url}')}\n"
            f"{escape_html(way.commands.partition(chr(10))[0])}\n\n"
            f"{_remark('then')}\n"
            f"npx {CLAWHUB} explore\n"
            f"npx {CLAWHUB} install {escape_html(way.commands.rpartition(' ')[2])}"
        )
    way = ground.example("skills") or ground.example("people")
    if way is None:
        return _remark("nothing can be installed yet")
    return f"{_remark('for most agents' if SKILLS in way.commands else 'for any agent')}\n{escape_html(way.commands)}"


def _remark(text: str) -> str:
    return f'<span class="c1"># {text}</span>'
