"""The floor: the least any hub must do with the same bytes. Read, sha256, stored zip, write one file a skill.

``python -m benchmarks.floor SOURCE OUT`` prints what it took as JSON.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import time
from hashlib import sha256
from zlib import crc32

_HEADER = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")


def main(source: str, out: str) -> None:
    """Do it, and print ``{"wall", "cpu", "skills", "files"}``."""
    os.makedirs(out)
    wall, cpu = time.perf_counter(), time.process_time()
    skills = files = 0
    for group in sorted(os.listdir(source)):
        for name in sorted(os.listdir(f"{source}/{group}")):
            data, count = zip_folder(f"{source}/{group}/{name}")
            descriptor = os.open(f"{out}/{name}.zip", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            os.write(descriptor, data)
            os.close(descriptor)
            skills += 1
            files += count
    spent = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    print(json.dumps({**spent, "skills": skills, "files": files}))


def zip_folder(folder: str) -> tuple[bytes, int]:
    """A stored zip of everything below ``folder``, and the number of files; hashes each on the way."""
    body: list[bytes] = []
    central: list[bytes] = []
    at = 0
    for path in sorted(_walk(folder, "")):
        descriptor = os.open(f"{folder}/{path}", os.O_RDONLY)
        data = os.read(descriptor, os.fstat(descriptor).st_size + 1)
        os.close(descriptor)
        sha256(data).hexdigest()
        name, size, checksum = path.encode(), len(data), crc32(data)
        body += (_HEADER.pack(b"PK\3\4", 20, 0, 0, 0, 33, checksum, size, size, len(name), 0), name, data)
        central += (
            _CENTRAL.pack(
                b"PK\1\2", 788, 20, 0, 0, 0, 33, checksum, size, size, len(name), 0, 0, 0, 0, 0, at
            ),
            name,
        )
        at += _HEADER.size + len(name) + size
    directory = b"".join(central)
    count = len(central) // 2
    return b"".join(
        (*body, directory, _END.pack(b"PK\5\6", 0, 0, count, count, len(directory), at, 0))
    ), count


def _walk(folder: str, inside: str) -> list[str]:
    paths: list[str] = []
    with os.scandir(f"{folder}/{inside}") as entries:
        for entry in entries:
            path = f"{inside}/{entry.name}" if inside else entry.name
            if entry.is_dir(follow_symlinks=False):
                paths += _walk(folder, path)
            else:
                paths.append(path)
    return paths


if __name__ == "__main__":
    main(*sys.argv[1:])
