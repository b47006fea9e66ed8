"""What a hub promises or sends must not fill the memory of a mirror, whatever it says of sizes."""

from __future__ import annotations

import errno
import io
import json
import tracemalloc
from pathlib import Path

import pytest

from generator.errors import PublishError
from generator.mirror.remote import MOST_FILE, MOST_STATE, MirrorError, MovedError, Remote
from generator.mirror.run import mirror
from generator.read.sources.http.transport import HttpTransport, Sink
from generator.write.publish import open_output
from tests.mirror.hubs import PATIENCE, URL, FolderTransport, first_hub
from tests.mirror.test_mirror import served
from tests.read.sources.scripted import Reply, Scripted
from tests.read.sources.scripted import served as scripted
from tests.samples import sha256

MIB = 2**20


@pytest.mark.parametrize("size", [10**15, MOST_FILE + 1])
def test_a_promise_that_no_file_keeps_is_refused_before_anything_is_fetched(
    tmp_path: Path, size: int
) -> None:
    hub, copy = first_hub(tmp_path / "hub"), tmp_path / "copy"
    state = hub.root / "changes/state.json"
    body = state.read_bytes().replace(b'"robots.txt":["' + sha256(b"").encode() + b'",0]',
                                      f'"robots.txt":["{sha256(b"")}",{size}]'.encode())  # fmt: skip
    assert body != state.read_bytes()
    promise(hub.root, body)
    transport = FolderTransport(hub.root)
    with pytest.raises(MirrorError, match=rf"promises {size:,} bytes of robots\.txt"):
        mirror(URL, str(copy), transport, policy=PATIENCE)
    assert transport.asked == ["hub.json", "changes/index.json", "changes/state.json"]


def test_a_state_that_is_larger_than_any_is_refused(tmp_path: Path) -> None:
    hub, copy = first_hub(tmp_path / "hub"), tmp_path / "copy"
    promise(hub.root, (hub.root / "changes/state.json").read_bytes(), MOST_STATE + 1)
    with pytest.raises(MirrorError, match=r"changes/state\.json"):
        mirror(URL, str(copy), FolderTransport(hub.root), policy=PATIENCE)


def promise(root: Path, state: bytes, size: int | None = None) -> None:
    """Make the hub promise another state."""
    (root / "changes/state.json").write_bytes(state)
    index = json.loads((root / "changes/index.json").read_bytes())
    index["state"] = {"sha256": sha256(state), "size": len(state) if size is None else size}
    body = json.dumps(index).encode()
    (root / "changes/index.json").write_bytes(body)
    top = json.loads((root / "hub.json").read_bytes())
    top["documents"]["/changes/index.json"] = sha256(body)
    (root / "hub.json").write_bytes(json.dumps(top).encode())


def test_a_large_file_is_never_whole_in_memory(tmp_path: Path) -> None:
    hub, copy = first_hub(tmp_path / "hub"), tmp_path / "copy"
    big = b"0123456789abcdef" * (4 * MIB)
    hub.build({"dl/lab/big-1.0.0.zip": big})
    with served(hub.root) as url:
        tracemalloc.start()
        try:
            mirror(url, str(copy), HttpTransport(url), policy=PATIENCE)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert (copy / "dl/lab/big-1.0.0.zip").read_bytes() == big
    assert peak < len(big) / 4, f"{peak:,} bytes were held at once"


def test_a_body_without_end_stops_at_what_was_promised(tmp_path: Path) -> None:
    endless = Reply(raw=b"HTTP/1.1 200 X\r\n\r\n" + b"x" * (2 * MIB))
    with (
        scripted(Scripted({"/file": endless, "/tree/file": endless})) as hub,
        open_output(str(tmp_path)) as out,
    ):
        remote = Remote(hub.url, HttpTransport(hub.url), PATIENCE)
        with pytest.raises(MovedError, match="over 1,000 bytes"), out.receive("file") as opened:
            remote.save("file", sha256(b"x"), 1000, Sink(opened))
        assert not (tmp_path / "file").exists()
        assert list((tmp_path / ".skillpress/tmp").iterdir()) == []


class FullDisk(io.BytesIO):
    def write(self, data: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_not_taken_for_a_silent_hub(tmp_path: Path) -> None:
    hub = first_hub(tmp_path / "hub")
    with served(hub.root) as url:
        remote = Remote(url, HttpTransport(url), PATIENCE)
        with pytest.raises(PublishError, match=r"^index\.html: the disk is full"):
            remote.save("index.html", sha256(b""), 1000, Sink(FullDisk()))
