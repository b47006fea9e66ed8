"""Packages to scan, made in memory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256

from generator.judge.scan import RuleSet, load_rules, scan_package
from generator.model import Package, PackageFile, PackagePath, ScanReport, Sha256


@cache
def own_rules() -> RuleSet:
    return load_rules()


def make_package(files: Mapping[str, bytes]) -> Package:
    made = [PackageFile(PackagePath(p), d, Sha256(sha256(d).hexdigest())) for p, d in sorted(files.items())]
    return Package("skills", "demo", tuple(made))


def scan(package: Package) -> ScanReport:
    return scan_package(package, own_rules())


def scan_text(path: str, text: str) -> ScanReport:
    return scan(make_package({path: text.encode("utf-8")}))
