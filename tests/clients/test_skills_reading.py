"""Which ``SKILL.md`` the real ``skills`` 1.5.18 reads, against what the build finds, over all probes of the judge.

One index with every probe's file as an artifact of its own; the command lists those it reads.
"""

from __future__ import annotations

import json
import re
import subprocess
import threading
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from generator.judge.agreement import read_record, subjects_of
from generator.model import Slug
from generator.write.protocols.agent_skills import FOLDER, SCHEMA
from generator.write.protocols.indexes import MANIFEST, UNREADABLE
from generator.write.protocols.protocol_findings import find_problems
from tests.deps import clients
from tests.deps.install import missing
from tests.hubs import minimal_environment
from tests.write.protocols_skills.making import folder_of

pytestmark = pytest.mark.client

HAND_MADE = [
    b"---\nname: a\ndescription: b\n---",
    b"---\nname: a\ndescription: b\n---trailing\n",
    b"---\r\nname: a\r\ndescription: b\r\n---\r\n",
    b"\xef\xbb\xbf---\nname: a\ndescription: b\n---\n",
    b"--- \nname: a\ndescription: b\n---\n",
    b"---\nname: a\ndescription: b\n --- \n",
    b"---\nname: 1.0\ndescription: b\n---\n",
    b"---\nname: 2026-01-01\ndescription: b\n---\n",
    b"---\nname: ~\ndescription: b\n---\n",
    b"---\nname: yes\ndescription: no\n---\n",
    b"---\nname: a\ndescription: b: c\n---\n",
    b"---\nname: a\ndescription: >\n  b\n  c\n---\n",
    b"---\nname: a\nname: b\ndescription: c\n---\n",
    b"---\nname: &x a\ndescription: *x\n---\n",
    b"---\nname: ''\ndescription: ''\n---\n",
    b"---\nname: a\ndescription: \xff\n---\n",
    b"---\n---\n",
    b"\n---\nname: a\ndescription: b\n---\n",
]


def test_the_build_finds_what_the_command_does_not_read(tmp_path: Path) -> None:
    gone = missing("installers")
    assert not gone, f"not installed: {', '.join(gone)}; run `make test`"
    folders = [subject.skill for subject in subjects_of(read_record())]
    folders += [folder_of("hand-made", {MANIFEST: text}) for text in HAND_MADE]
    texts: dict[str, bytes] = {}
    expected: set[str] = set()
    for number, folder in enumerate(folders):
        file = folder.package.file(MANIFEST)
        if file is None:
            continue
        name = f"probe-{number:03}"
        texts[name] = file.data
        if UNREADABLE.isdisjoint(one.code for one in find_problems(folder, Slug(name))):
            expected.add(name)
    assert len(texts) > 90
    assert 10 < len(expected) < len(texts) - 10
    listed = _list(texts, tmp_path)
    wrong = {name: texts[name][:200] for name in listed ^ expected}
    assert not wrong, wrong


def _list(texts: dict[str, bytes], home: Path) -> set[str]:
    entries = [
        {
            "name": name,
            "type": "skill-md",
            "description": "A probe.",
            "url": f"{name}.md",
            "digest": f"sha256:{sha256(data).hexdigest()}",
        }
        for name, data in texts.items()
    ]
    answers = {f"{FOLDER}/{name}.md": data for name, data in texts.items()}
    answers[f"{FOLDER}/index.json"] = json.dumps({"$schema": SCHEMA, "skills": entries}).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = answers.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 256  # the command asks for everything at once

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        done = subprocess.run(
            ["node", str(clients.skills_program("1.5.18")), "add", f"http://127.0.0.1:{server.server_port}", "--list"],
            cwd=home, env=minimal_environment(home, DISABLE_TELEMETRY="1", CI="1", NO_COLOR="1"),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
    finally:
        server.shutdown()
        server.server_close()
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return set(re.findall(r"probe-\d{3}", done.stdout))
