"""Repositories fetched over https: from git's own http-backend behind a server of ours, with a certificate of ours."""

from __future__ import annotations

import http.server
import os
import random
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from generator.errors import SourceError
from generator.read.package import Limits
from generator.read.sources.git import process as git_process
from generator.read.sources.git import remote
from generator.read.sources.git.history import read_history
from generator.read.sources.git.objects import Objects
from generator.read.sources.git.remote import parse_address
from generator.read.sources.git.repository import open_repository
from generator.read.sources.git.tree import find_skills, read_package
from tests.read.git.repos import ENVIRONMENT, Recorder, git, read_all
from tests.read.helpers import GOOD


@dataclass
class Host:
    """A running https server over the repositories below ``root``. ``asked`` are the requests it got."""

    root: Path
    port: int = 0
    asked: list[str] = field(default_factory=list)
    redirect_to: str = ""

    def url(self, name: str = "r.git") -> str:
        return f"https://127.0.0.1:{self.port}/{name}"


class _Handler(http.server.BaseHTTPRequestHandler):
    host: Host

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length")
        body = self.rfile.read(int(length)) if length else self._chunks()
        self._answer(body)

    def _chunks(self) -> bytes:
        body = b""
        while size := int(self.rfile.readline().strip(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _answer(self, body: bytes) -> None:
        self.host.asked.append(self.path)
        path, _, query = self.path.partition("?")
        if path.startswith("/private"):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if path.startswith("/moved"):
            self.send_response(302)
            self.send_header("Location", self.host.redirect_to + self.path.removeprefix("/moved"))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        done = subprocess.run(
            ["git", "http-backend"],
            input=body,
            capture_output=True,
            check=False,
            env={
                **ENVIRONMENT,
                "GIT_PROJECT_ROOT": str(self.host.root), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
                "QUERY_STRING": query, "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            },
        )  # fmt: skip
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
        status = next((value for name, value in fields if name == "Status"), "200 OK")
        self.send_response(int(status.split()[0]))
        for name, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing is written."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificate")
    done = subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=127.0.0.1",
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(folder / "key"), "-out", str(folder / "cert"),
        ],
        capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"Install openssl: {done.stderr.decode()}"
    return folder


@pytest.fixture
def host(tmp_path: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    host = Host(tmp_path / "served")
    host.root.mkdir()
    handler = type("Handler", (_Handler,), {"host": host})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert", certificate / "key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    host.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate / "cert"))
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    yield host
    server.shutdown()
    server.server_close()


def publish(host: Host, recorder: Recorder, *options: str, name: str = "r.git") -> list[str]:
    """Put a repository onto the server (again)."""
    root = host.root / name
    ids = recorder.write(root, "--bare", *options)
    git(root, "config", "uploadpack.allowAnySHA1InWant", "true")
    return ids


def three() -> Recorder:
    recorder = Recorder()
    for number in range(3):
        text = GOOD.replace("description", f"version: 1.{number}.0\ndescription")
        recorder.commit({"a/SKILL.md": text, "a/x": f"{number}" * 5000}, f"Release {number}")
    recorder.commit({"b/SKILL.md": GOOD}, branch="next", parent=3)
    recorder.tag("a-skill-v1.2.0", 3, annotated=True)
    recorder.tag("v0.1.0", 1)
    return recorder


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)])
def test_without_history_one_commit_is_fetched(options: tuple[str, ...], host: Host, tmp_path: Path) -> None:
    ids = publish(host, three(), *options)
    repository = open_repository(host.url(), str(tmp_path / "cache"))
    with Objects(repository) as objects:
        scan = find_skills(objects)
        package, _ = read_package(objects, scan.trees["a"], "s", "a", Limits())
    assert scan.commit == ids[3]
    assert package is not None
    assert package.files[1].data == b"2" * 5000
    assert repository.shallow
    bare = next((tmp_path / "cache").glob("r-*.git"))
    assert git(bare, "rev-list", "--all").split() == [ids[3]]
    # The tag that stands on it comes with it, others do not.
    assert [ref.name for ref in repository.refs if ref.name.startswith("refs/tags/")] == [
        "refs/tags/a-skill-v1.2.0"
    ]


def test_with_history_everything_the_ref_descends_from(host: Host, tmp_path: Path) -> None:
    recorder = three()
    publish(host, recorder)
    cache = str(tmp_path / "cache")

    def versions() -> list[tuple[str | None, tuple[str, ...]]]:
        with Objects(open_repository(host.url(), cache, history=True)) as objects:
            found = read_history(objects, find_skills(objects))
        return [(v.version, v.changelog) for v in found.skills["a"]]

    expected = [(f"1.{number}.0", (f"Release {number}",)) for number in range(3)]
    assert versions() == expected
    # One more commit, one tag moved and one removed: what was fetched is brought up to date.
    text = GOOD.replace("description", "version: 2.0.0\ndescription")
    recorder.commit({"a/SKILL.md": text}, "Release 2", branch="main", parent=3)
    publish(host, recorder)
    git(host.root / "r.git", "tag", "-d", "v0.1.0")
    git(host.root / "r.git", "tag", "-f", "a-skill-v1.2.0", "main~3")
    asked = len(host.asked)
    assert versions() == [*expected, ("2.0.0", ("Release 2",))]
    assert len(host.asked) > asked
    repository = open_repository(host.url(), cache, history=True)
    assert {ref.name for ref in repository.refs} == {"refs/skillpress/start", "refs/tags/a-skill-v1.2.0"}


@pytest.mark.parametrize("ref", ["next", "refs/heads/next", "v0.1.0", "a-skill-v1.2.0", "id"])
@pytest.mark.parametrize("history", [False, True])
def test_a_branch_a_tag_or_a_commit(ref: str, history: bool, host: Host, tmp_path: Path) -> None:
    ids = publish(host, three())
    mark = {"v0.1.0": 1, "a-skill-v1.2.0": 3, "id": 2}.get(ref, 4)
    wanted = ids[2] if ref == "id" else ref
    repository = open_repository(host.url(), str(tmp_path / "c"), ref=wanted, history=history)
    with Objects(repository) as objects:
        assert find_skills(objects).commit == ids[mark]


def test_a_branch_that_was_rewritten(host: Host, tmp_path: Path) -> None:
    publish(host, three())
    for history in (False, True):
        open_repository(host.url(), str(tmp_path / "c"), history=history)
    other = Recorder()
    other.commit({"c/SKILL.md": GOOD}, "Rewritten")
    publish(host, other)
    for history in (False, True):
        with Objects(open_repository(host.url(), str(tmp_path / "c"), history=history)) as objects:
            assert find_skills(objects).folders == ("c",)


def test_errors_say_what_to_do(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(host, three())
    cache = tmp_path / "c"
    cases = {
        (host.url(), "nxet"): "no branch, tag or commit nxet; there is next",
        (host.url("no.git"), None): "cannot be fetched: .*not found",
        (host.url("private.git"), None): "Only public repositories are read",
        ("https://127.0.0.1:1/r.git", None): "cannot be reached .*Check the address and the network",
        ("https://no-such-host.invalid/r.git", None): "cannot be reached .*Check the address and the network",
    }
    for (url, ref), words in cases.items():
        with pytest.raises(SourceError, match=words):
            read_all(url, cache, ref=ref)
    monkeypatch.delenv("GIT_SSL_CAINFO")
    with pytest.raises(SourceError, match=r"cannot be fetched: .*certificate"):
        read_all(host.url(), cache)


def test_redirects_only_to_https(host: Host, tmp_path: Path) -> None:
    publish(host, three())
    host.redirect_to = f"https://127.0.0.1:{host.port}"
    assert list(read_all(host.url("moved/r.git"), tmp_path / "c")[0]) == ["a"]
    for target in ("http://127.0.0.1:1", f"file://{host.root}", host.url("moved")):
        host.redirect_to = target
        with pytest.raises(SourceError, match=r"cannot be (?:fetched|reached)"):
            read_all(host.url("moved/r.git"), tmp_path / "c2")
    assert len(host.asked) < 60


def test_objects_that_git_fsck_refuses_do_not_come_in(host: Host, tmp_path: Path) -> None:
    publish(host, three())
    root = host.root / "r.git"
    blob = bytes.fromhex(git(root, "rev-parse", "main:a/SKILL.md"))
    tree = git(root, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", data=b"100644 ..\0" + blob)
    text = f"tree {tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n"
    commit = git(root, "hash-object", "-t", "commit", "-w", "--stdin", data=text.encode())
    git(root, "update-ref", "refs/heads/main", commit)
    with pytest.raises(SourceError, match=r"cannot be fetched: .*hasDotdot"):
        read_all(host.url(), tmp_path / "c")


def test_a_fetch_is_bounded(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    recorder.commit({"a/SKILL.md": GOOD, "a/noise": random.Random(1).randbytes(300_000)})
    publish(host, recorder)
    assert list(read_all(host.url(), tmp_path / "c")[0]) == ["a"]
    monkeypatch.setattr(git_process, "MOST_FETCHED", 100_000)
    with pytest.raises(SourceError, match="bytes to fetch, which is the limit"):
        read_all(host.url(), tmp_path / "c2")


def test_an_empty_repository(host: Host, tmp_path: Path) -> None:
    (host.root / "r.git").mkdir()
    git(host.root / "r.git", "init", "-q", "--bare", "-b", "main")
    with pytest.raises(SourceError, match="has no commit yet"):
        read_all(host.url(), tmp_path / "c")


def test_two_builds_do_not_fetch_into_one_cache_at_once(host: Host, tmp_path: Path) -> None:
    publish(host, three())
    address = parse_address(host.url())
    with (
        remote._locked(f"{tmp_path}/x.lock", address.url),
        pytest.raises(SourceError, match="Another build"),
        remote._locked(f"{tmp_path}/x.lock", address.url),
    ):
        pytest.fail("The lock was given twice.")


def test_nothing_is_left_running(host: Host, tmp_path: Path) -> None:
    publish(host, three())
    before = set(git_children())
    read_all(host.url(), tmp_path / "c")
    # The host's own git is a child of this process too, and may take a moment to end.
    deadline = time.monotonic() + 20
    while (left := set(git_children()) - before) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


def git_children() -> list[str]:
    """The git processes that are children of this one, by name and number."""
    names = []
    for child in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split():
        try:
            names.append(f"{Path(f'/proc/{child}/comm').read_text().strip()} {child}")
        except OSError:
            continue  # it has just ended
    return [name for name in names if name.startswith("git")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("https://user:secret@example.org/a/b", "carries a user or password"),
        ("https://token@example.org/a/b", "carries a user or password"),
        ("https://example.org", "Write https://host/owner/repository"),
        ("https://example.org/", "Write https://host/owner/repository"),
        ("https:///a/b", "Write https://host/owner/repository"),
        ("https://example.org/a/../b", "Write https://host/owner/repository"),
        ("https://example.org/a?x=1", "Write https://host/owner/repository"),
        ("https://example.org/a#b", "Write https://host/owner/repository"),
        ("https://example.org/a b", "Write https://host/owner/repository"),
        ("https://example.org/a\n", "Write https://host/owner/repository"),
        ("https://example.org:99999/a", "Write https://host/owner/repository"),
        ("https://[::1/a", "Write https://host/owner/repository"),
        ("http://example.org/a", "Write https://host/owner/repository"),
    ],
)
def test_addresses_that_are_refused(text: str, words: str) -> None:
    with pytest.raises(SourceError, match=words) as caught:
        parse_address(text)
    assert "secret" not in str(caught.value)
    assert "token" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [("https://example.org/o/My.Skills.git", "my-skills"), ("https://example.org/o/r/", "r"),
     ("https://example.org/o/%E4%B8%AD", "e4-b8-ad"), ("https://example.org:8443/~o/.git", "repository")],
)  # fmt: skip
def test_addresses(text: str, name: str) -> None:
    assert parse_address(text).name == name
