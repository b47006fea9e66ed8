"""``search.js`` in one long-lived Node process, asked by lines of JSON."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).with_name("driver.mjs")


@dataclass(slots=True)
class NodeSearch:
    """The process. Ends with :meth:`close`."""

    _process: subprocess.Popen[str]

    @classmethod
    def start(cls) -> NodeSearch:
        """Start Node; an assertion error says what to install where there is none."""
        program = shutil.which("node")
        assert program is not None, "node is not on PATH; install Node 20 or newer"
        return cls(
            subprocess.Popen(
                [program, DRIVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
            )
        )

    def ask(self, what: str, **request: Any) -> Any:
        """The answer to one request; RuntimeError with what ``search.js`` threw."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"ask": what, **request}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"{DRIVER.name} ended"
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["answer"]

    def close(self) -> None:
        """End the process: it ends with its input."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)
