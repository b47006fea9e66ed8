"""What search finds and what it costs: recall on real skills, bytes, requests and milliseconds on synthetic ones.

``python -m benchmarks.search``; Pagefind is compared where ``.testdeps/pagefind`` is installed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.search_labelled import (
    ROOT,
    Labelled,
    Recall,
    collections_catalog,
    measure_recall,
    read_labelled,
)
from benchmarks.synthetic import make_skill
from generator.model import (
    Catalog,
    Hub,
    Listing,
    Owner,
    Package,
    PackageFile,
    PackagePath,
    ScanVerdict,
    Sha256,
    Slug,
    TimeMs,
    Version,
)
from generator.read.guarded import read_guarded
from generator.search.index import INDEX_ROUTE, NAMES_ROUTE, read_index, search_routes
from generator.search.pagefind import full_text_files, record_of
from generator.search.ranking import Options, search
from generator.search.vocabulary import SearchIndex

PAGEFIND = ROOT / ".testdeps" / "pagefind" / "node_modules" / "@pagefind"
SIZES = (1_000, 10_000, 50_000)
SHOWN = 25
_DRIVER = ROOT / "tests" / "search" / "driver.mjs"
_ASKER = Path(__file__).with_name("search_pagefind.mjs")


@dataclass(frozen=True, slots=True)
class Compared:
    """The recall of both engines on the labelled questions; Pagefind's is None where it is not installed."""

    skills: int
    ours: Recall
    pagefind: Recall | None


@dataclass(frozen=True, slots=True)
class Cost:
    """One size of hub. Bytes are of all documents (``brotli`` None where no library is there); ``first`` is what a
    browser has before it shows names. Milliseconds are CPU time: of one question, the index being loaded;
    ``load`` of reading it."""

    skills: int
    requests: int
    raw: int
    zipped: int
    brotli: int | None
    first_zipped: int
    load_python: float
    python: float
    load_node: float
    node: float


def compare() -> Compared:
    """Ask the labelled questions."""
    catalog = collections_catalog()
    asked = read_labelled()
    index = _index({route.path: route.body for route in search_routes(catalog, ())})

    def ask(question: str) -> list[str]:
        return [f"{one.entry.owner}/{one.entry.slug}" for one in search(index, question, Options(limit=5))]

    program = next(iter(sorted(PAGEFIND.glob("*/bin/pagefind_extended"))), None)
    theirs = None if program is None else _ask_pagefind(str(program), catalog, asked)
    return Compared(len(catalog.listings), measure_recall(asked, ask), theirs)


def measure(skills: int, questions: Sequence[str]) -> Cost:
    """Build and ask the index of synthetic skills."""
    documents = {route.path: route.body for route in search_routes(synthetic_catalog(skills), ())}
    started = time.process_time()
    index = _index(documents)
    load = time.process_time() - started
    for question in questions:  # the vocabulary for typing errors is made once
        search(index, question, Options(limit=SHOWN))
    started = time.process_time()
    for question in questions:
        search(index, question, Options(limit=SHOWN))
    python = (time.process_time() - started) / len(questions)
    load_node, node = _time_node(documents, questions)
    first = [
        body
        for route, body in documents.items()
        if len(documents) == 1 or route in (INDEX_ROUTE, NAMES_ROUTE)
    ]
    return Cost(
        skills=skills,
        requests=len(documents),
        raw=sum(map(len, documents.values())),
        zipped=sum(len(gzip.compress(body, 6, mtime=0)) for body in documents.values()),
        brotli=_brotli(documents),
        first_zipped=sum(len(gzip.compress(body, 6, mtime=0)) for body in first),
        load_python=load * 1e3,
        python=python * 1e3,
        load_node=load_node,
        node=node,
    )


def synthetic_catalog(skills: int) -> Catalog:
    """The skills of :mod:`benchmarks.synthetic` as a hub would list them, one that cannot be read left out."""
    found = (_listing(number) for number in range(skills))
    ordered = sorted((one for one in found if one is not None), key=lambda one: (one.slug, one.owner))
    return Catalog(Hub("Synthetic", "", "https://hub.example"), tuple(ordered), ())


def table_lines(compared: Compared, costs: Sequence[Cost]) -> list[str]:
    """The report for people."""
    asked = compared.ours.asked
    theirs = compared.pagefind
    lines = [
        f"Search: recall@5 of {len(asked)} labelled questions over {compared.skills} real skills",
        f"{'kind':<14} {'asked':>6} {'ours':>7} {'Pagefind':>9}",
    ]
    for kind in dict.fromkeys(one.kind for one in asked):
        other = "-" if theirs is None else f"{theirs.of_kind(kind):.3f}"
        count = sum(one.kind == kind for one in asked)
        lines.append(f"{kind:<14} {count:>6} {compared.ours.of_kind(kind):>7.3f} {other:>9}")
    other = "-" if theirs is None else f"{theirs.mean:.3f}"
    lines.append(f"{'all':<14} {len(asked):>6} {compared.ours.mean:>7.3f} {other:>9}")
    lines += [f"not among the first five: {one.query}" for one in compared.ours.missed]
    lines += [
        "",
        f"{'skills':>7} {'requests':>9} {'raw kB':>8} {'gzip kB':>8} {'brotli kB':>10} {'names gzip kB':>14} "
        f"{'load ms py':>11} {'ms py':>7} {'load ms js':>11} {'ms js':>7}",
    ]
    for cost in costs:
        brotli = "-" if cost.brotli is None else f"{cost.brotli / 1e3:.0f}"
        lines.append(
            f"{cost.skills:>7,} {cost.requests:>9} {cost.raw / 1e3:>8.0f} {cost.zipped / 1e3:>8.0f} {brotli:>10} "
            f"{cost.first_zipped / 1e3:>14.0f} {cost.load_python:>11.0f} {cost.python:>7.2f} {cost.load_node:>11.0f} "
            f"{cost.node:>7.2f}"
        )
    return [*lines, "(requests once a visit, a further question asks nothing; milliseconds are CPU time)"]


def report(sizes: Sequence[int]) -> list[str]:
    """Recall beside Pagefind's, and what an index of each size costs."""
    compared = compare()
    questions = [one.query for one in compared.ours.asked]
    return table_lines(compared, [measure(size, questions) for size in sizes])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; 1 where Pagefind finds more."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="1,000 synthetic skills only")
    options = parser.parse_args(arguments)
    compared = compare()
    questions = [one.query for one in compared.ours.asked]
    costs = [measure(size, questions) for size in (SIZES[:1] if options.quick else SIZES)]
    print("\n".join(table_lines(compared, costs)))
    return 1 if compared.pagefind is not None and compared.pagefind.mean > compared.ours.mean else 0


def _index(documents: Mapping[str, bytes]) -> SearchIndex:
    return SearchIndex.of(read_index(documents.get))


def _listing(number: int) -> Listing | None:
    made = make_skill(number)
    path, data = made.files[0]
    package = Package("synthetic", made.slug, (PackageFile(PackagePath(path), data, Sha256("0" * 64)),))
    manifest = read_guarded(package, ()).manifest
    if manifest is None:
        return None
    return Listing(
        owner=Owner(f"team-{number % 97}"),
        slug=Slug(made.slug),
        name=manifest.name or made.slug,
        display_name=manifest.display_name,
        description=manifest.description,
        version=Version(manifest.version or "1.0.0"),
        created_at=TimeMs(1_760_000_000_000 + number // 50 * 1_000),
        updated_at=TimeMs(1_760_000_000_000 + number // 20 * 1_000),
        holds_slug=True,
        verdict=ScanVerdict.WARN if made.suspicious else ScanVerdict.ALLOW,
        license=manifest.license,
        emoji=manifest.emoji,
        topics=manifest.topics,
        category=manifest.category,
        setup=manifest.requires.env,
        file_count=len(made.files),
        size=sum(len(data) for _, data in made.files),
        findings=number % 4,
        outcomes=("l" * 19, "lllpllllllllrllllll", "lplllllllllllllllll")[number % 3],
    )


def _time_node(documents: Mapping[str, bytes], questions: Sequence[str]) -> tuple[float, float]:
    """CPU milliseconds of reading the index with the first question, and of one question after it."""
    process = subprocess.Popen(
        ["node", _DRIVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def ask(**request: object) -> float:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        return float(json.loads(process.stdout.readline())["answer"])

    texts = {route: body.decode() for route, body in documents.items()}
    load = ask(ask="timeOpen", documents=texts, question=questions[0])
    ask(ask="time", questions=questions, repeat=1)
    spent = ask(ask="time", questions=questions, repeat=3)
    process.stdin.close()
    process.wait()
    return load, spent


def _brotli(documents: Mapping[str, bytes]) -> int | None:
    """Node has brotli where Python has none."""
    script = (
        "const z=require('zlib');const d=require('fs').readFileSync(0);"
        "process.stdout.write(String(z.brotliCompressSync(d,{params:{[z.constants.BROTLI_PARAM_QUALITY]:5}}).length))"
    )
    sizes = []
    for body in documents.values():
        done = subprocess.run(["node", "-e", script], input=body, capture_output=True, check=False)
        if done.returncode:
            return None
        sizes.append(int(done.stdout))
    return sum(sizes)


def _ask_pagefind(program: str, catalog: Catalog, asked: Sequence[Labelled]) -> Recall:
    """The same skills and texts as ours, in Pagefind's own script."""
    files = full_text_files(program, [record_of(one) for one in catalog.listings])
    with tempfile.TemporaryDirectory(prefix="skillpress-pagefind-") as folder:
        for path, data in files.items():
            target = f"{folder}/{path}"
            os.makedirs(os.path.dirname(target), exist_ok=True)
            Path(target).write_bytes(data)
        done = subprocess.run(
            ["node", _ASKER, folder],
            input="".join(json.dumps(one.query) + "\n" for one in asked),
            capture_output=True,
            text=True,
            check=True,
        )
    answers = [json.loads(line) for line in done.stdout.splitlines()][: len(asked)]
    found = {
        one.query: [address.strip("/").replace("/skills/", "/") for address in addresses]
        for one, addresses in zip(asked, answers, strict=True)
    }
    return measure_recall(asked, lambda question: found[question])


if __name__ == "__main__":
    sys.exit(main())
