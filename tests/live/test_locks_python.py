"""The lock files of the hosts that PyPI carries: nothing floats, and a host is the file it was."""

from __future__ import annotations

import re

import pytest

from tests.live.python_hosts import HERE, PARTS

HOSTS = tuple(part.group for part in PARTS)
PIN = re.compile(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.+]*")


@pytest.mark.parametrize("host", HOSTS)
def test_the_wheel_of_a_host_is_locked_by_its_digest(host: str) -> None:
    lines = (HERE / "locks" / f"{host}.txt").read_text(encoding="utf-8").split("\n")
    pin, digest, end = lines
    assert PIN.fullmatch(pin.removesuffix(" \\")), pin
    assert re.fullmatch(r" {4}--hash=sha256:[0-9a-f]{64}", digest), digest
    assert end == ""


@pytest.mark.parametrize("host", HOSTS)
def test_what_a_host_imports_is_locked_to_one_version(host: str) -> None:
    lines = (HERE / "locks" / f"{host}-imports.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert pins, "what a host imports is never empty"
    assert [pin for pin in pins if not PIN.fullmatch(pin)] == []
