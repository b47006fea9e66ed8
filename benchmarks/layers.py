"""What each layer of a real build costs: the build itself, in one process, with a clock at each layer's door.

``python -m benchmarks.layers SOURCE OUT`` builds once and prints CPU seconds and memory of each layer as JSON.
The clock is exclusive: a layer that calls another one stops paying while that one works.
"""

from __future__ import annotations

import functools
import importlib
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

REST = "everything between"
DOORS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("walk, read, hash", (
        "generator.read.sources.folder:find_skill_folders", "generator.read.sources.folder:read_package",
        "generator.write.fingerprint:tree_hash",
    )),
    ("front matter, manifest", ("generator.read.manifest:read_skill", "generator.judge.identity:identify")),
    ("scan", ("generator.judge.scan.scanner:scan_package",)),
    ("judge: rules", ("generator.judge.judgement:judge_skill",)),
    ("judge: hosts", ("generator.judge.verdicts:judge_package",)),
    ("judge: between skills", (
        "generator.judge.rules.collisions:find_collisions", "generator.judge.neighbourhood:member_of",
    )),
    ("fingerprints, archive", (
        "generator.write.fingerprint:compute_hashes", "generator.write.archive:pack_archive",
        "generator.build.assembly:assemble_release",
    )),
    ("decision, ledger", (
        "generator.history.decision:decide", "generator.history.ledger:read_ledger",
        "generator.history.ledger:append_release",
    )),
    ("answers of the API", ("generator.write.protocols.clawhub_skill:skill_answers",)),
    ("page: template, stamp", ("generator.write.site.pages:skill_page",)),
    ("page: Markdown", ("generator.write.site.markdown:render_markdown",)),
    ("page: sanitise", ("generator.write.site.sanitise:sanitise_html",)),
    ("page: links, headings", ("generator.write.site.rewrite:rewrite_html",)),
    ("page: highlight", ("generator.write.site.highlight:highlight_code",)),
    ("layout, write", ("generator.write.layout:lay_out_skill", "generator.write.publish:Publisher.write")),
    ("lists of the hub", (
        "generator.write.routes:hub_routes", "generator.write.root:router_document",
        "generator.write.root:root_document",
    )),
    ("memory of the build", (
        "generator.build.memory:load_memory", "generator.build.memory:load_details",
        "generator.build.memory:store_memory", "generator.build.memory:measure_tree",
        "generator.build.recipe:recipe_of",
    )),
    ("page shell (mkdocs)", ("generator.build.shells:ShellJob.result",)),
    ("rules of the scan", ("generator.judge.scan.rules:load_rules",)),
    ("files of the hosts", ("generator.judge.profiles:load_profiles",)),
)  # fmt: skip
"""Each layer with its functions, as ``module:name`` where they are defined."""
CONSTANT = frozenset({"page shell (mkdocs)", "rules of the scan", "files of the hosts"})
"""Layers that cost the same whatever the number of skills."""


class Clock:
    """Charges CPU time, and growth of the peak of resident memory, to the layer at work."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = dict.fromkeys([*(layer for layer, _ in DOORS), REST], 0.0)
        self.peaks: dict[str, int] = dict.fromkeys(self.seconds, 0)
        self.raised: dict[str, int] = dict.fromkeys(self.seconds, 0)
        self._layer = REST
        self._since = time.process_time()
        self._peak = _peak()

    def enter(self, layer: str) -> str:
        """Charge the layer that worked until now; answer its name."""
        now, peak, before = time.process_time(), _peak(), self._layer
        self.seconds[before] += now - self._since
        self.raised[before] += peak - self._peak
        self.peaks[before] = peak
        self._layer, self._since, self._peak = layer, now, peak
        return before


def hang_doors(clock: Clock) -> None:
    """Put ``clock`` before every function of :data:`DOORS`, wherever it was imported, for the life of this process."""
    for layer, places in DOORS:
        for place in places:
            holder, name = find_door(place)
            original = getattr(holder, name)
            timed = _timed(original, layer, clock)
            setattr(holder, name, timed)
            for module in [one for key, one in sys.modules.items() if key.startswith("generator.")]:
                if getattr(module, name, None) is original:
                    setattr(module, name, timed)


def find_door(place: str) -> tuple[Any, str]:
    """The object that holds a function of :data:`DOORS`, and its name there; AttributeError where it is not."""
    module, _, path = place.partition(":")
    holder: Any = importlib.import_module(module)
    *outer, name = path.split(".")
    for part in outer:
        holder = getattr(holder, part)
    getattr(holder, name)
    return holder, name


def _timed(function: Callable[..., Any], layer: str, clock: Clock) -> Callable[..., Any]:
    @functools.wraps(function)
    def timed(*arguments: Any, **named: Any) -> Any:
        before = clock.enter(layer)
        try:
            return function(*arguments, **named)
        finally:
            clock.enter(before)

    return timed


def _peak() -> int:
    # Not ru_maxrss: it begins with the size of the process that started this one.
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(source: str, out: str) -> None:
    """Build ``source`` into ``out`` (packed, one process) and print the layers."""
    from generator.build.run import build
    from generator.config import Options, load_config
    from generator.model import TimeMs

    # Before the doors are hung, so that no import is charged to a layer.
    for _, places in DOORS:
        for place in places:
            find_door(place)
    config = load_config(Options(paths=(source,), out=out, owner="bench", layout="packed"), Path(source))
    clock = Clock()
    hang_doors(clock)
    summary = build(
        config, now=TimeMs(1_700_000_000_000), jobs=1, progress=lambda _stage, _done, _total: None
    )
    clock.enter(REST)
    print(json.dumps({
        "skills": summary.folders, "seconds": clock.seconds, "peaks": clock.peaks, "raised": clock.raised,
    }))  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
