"""Claude Code: what it tells the model about the skills in the user's folder.

A server on this machine stands in for the model's API and keeps the request it gets; the program's own first
event names the commands, and its debug log counts what waits for a matching file.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.live.hosts import HostError, environment, output_of
from tests.live.install import CLAUDE
from tests.live.model import LOAD, REFUSE, Observed, Probe, listed

COLUMN = "claude-code/2.1.332"
_HEADING = "The following skills are available for use with the Skill tool:\n"
_CONDITIONAL = re.compile(r"\((?:\d+) unconditional, (\d+) conditional")
_SKIPPED = re.compile(r"\[skills\] skipping .*?/skills/(.+)/SKILL\.md: (.*)")


@dataclass(frozen=True, slots=True)
class _Session:
    """One run: commands it offers, (name, description) of each folder it lists to the model, how many skills
    wait for a file, and what its log says of those skipped."""

    commands: frozenset[str]
    listing: Mapping[str, tuple[str, str]]
    conditional: int
    skipped: Mapping[str, str]


def judge(root: Path, probes: Sequence[Probe], work: Path) -> dict[str, dict[str, Observed]]:
    """Load or loss for what is listed or is a command; a skill that waits for a matching file is loaded too."""
    session = _run(root, work / "all")
    observed = {}
    for number, probe in enumerate(probes):
        if probe.id in session.listing:
            observed[probe.id] = listed(probe, *session.listing[probe.id])
        elif probe.id in session.commands:
            observed[probe.id] = Observed(LOAD, "slash-command only (hidden from model)", probe.id)
        elif session.conditional and _waits(root, probe, work / f"one-{number}"):
            observed[probe.id] = Observed(LOAD, "conditional (paths:)", probe.id)
        else:
            observed[probe.id] = Observed(REFUSE, session.skipped.get(probe.id, "not listed"))
    return {COLUMN: observed}


def _waits(root: Path, probe: Probe, work: Path) -> bool:
    if "/" in probe.id or not (root / probe.id / "SKILL.md").is_file():
        return False
    alone = work / "alone"
    alone.mkdir(parents=True)
    (alone / probe.id).symlink_to(root / probe.id)
    return _run(alone, work).conditional == 1


def _run(skills: Path, work: Path) -> _Session:
    home, project, log = work / "home", work / "project", work / "debug.log"
    (home / ".claude").mkdir(parents=True)
    project.mkdir()
    (home / ".claude" / "skills").symlink_to(skills)
    with _stand_in() as (address, requests):
        environ = environment(
            home,
            ANTHROPIC_BASE_URL=address,
            ANTHROPIC_API_KEY="none",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_AUTOUPDATER="1",
            # Otherwise the list as a whole is cut to a share of the model's context.
            SLASH_COMMAND_TOOL_CHAR_BUDGET="1000000000",
        )
        options = ["-p", "Hello", "--output-format", "stream-json", "--verbose", "--debug-file", str(log)]
        printed = output_of([str(CLAUDE), *options], work=work, cwd=project, env=environ)
    commands = _commands(printed)
    text = log.read_text(encoding="utf-8", errors="replace")
    counts = _CONDITIONAL.findall(text)
    return _Session(
        commands=commands,
        listing=_listing(requests, commands | {folder.name for folder in skills.iterdir()}),
        conditional=int(counts[0]) if counts else 0,
        skipped=dict(_SKIPPED.findall(text)),
    )


def _commands(printed: str) -> frozenset[str]:
    for line in printed.splitlines():
        event = json.loads(line)
        if event.get("subtype") == "init":
            return frozenset(event["slash_commands"])
    raise HostError(f"claude printed no first event: {printed[:500]}")


def _listing(requests: Sequence[Mapping[str, Any]], names: frozenset[str]) -> dict[str, tuple[str, str]]:
    text = next((text for text in _texts(requests) if _HEADING in text), None)
    if text is None:
        raise HostError("claude sent the model no list of skills")
    # Descriptions may hold line breaks; a line opens an entry only where it names a known folder or command.
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    entry = re.compile(rf"^- ({known})(?: \((.*?)\))?: ?(.*)", re.MULTILINE)
    text = text.partition(_HEADING)[2]
    found = list(entry.finditer(text))
    ends = [following.start() - 1 for following in found[1:]] + [len(text)]
    return {
        match[1]: (match[2] or match[1], _unescaped(text[match.start(3) : end]))
        for match, end in zip(found, ends, strict=True)
    }


def _texts(requests: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for request in requests:
        for message in request["messages"]:
            content = message["content"]
            if isinstance(content, str):
                yield content
                continue
            yield from (block["text"] for block in content if block.get("type") == "text")


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">")


@contextmanager
def _stand_in() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server for the length of the block: its address, and the requests it gets."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self._answer(200, _stream())

        def do_GET(self) -> None:
            self._answer(404, b"")

        do_HEAD = do_GET  # noqa: N815  (the name that http.server looks for)

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing: the test run's output is no place for it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _stream() -> bytes:
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "none",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    ended = {"stop_reason": "end_turn", "stop_sequence": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
