"""docs/clients.md and the matrix of clients: what they say is what is pinned and what is run."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.clients.matrix import CLIENTS, PAGE, Client, page
from tests.deps.install import HERE

TESTS = Path(__file__).parent / "clients"
ABOUT_ONE_CLIENT_LONGER = {"test_history.py", "test_life.py", "test_overlay.py", "test_skills_reading.py"}
"""More stories of clients that have a row."""


def client_id(client: Client) -> str:
    """How a row is called in the names of tests."""
    return "-".join((client.name, *client.versions))


every_client = pytest.mark.parametrize("client", CLIENTS, ids=client_id)


def test_the_page_is_what_the_matrix_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.clients.matrix"


@every_client
def test_versions_are_those_that_are_installed(client: Client) -> None:
    for version in client.versions:
        assert client.pin is not None
        text = (HERE / client.pin.file.format(version=version)).read_text()
        assert client.pin.holds(version, text), (
            f"{client.pin.file} does not pin {client.pin.package} {version}"
        )


@every_client
def test_every_test_exists(client: Client) -> None:
    tree = ast.parse((TESTS / client.module).read_text())
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert {run.test for run in client.runs} <= functions
    assert len({run.doing for run in client.runs}) == len(client.runs)


@every_client
def test_extended_is_what_the_tests_are_marked_as(client: Client) -> None:
    """A module is marked as a whole, or one version of a client in it is."""
    marks = re.findall(r"^.*mark\.extended.*$", (TESTS / client.module).read_text(), re.MULTILINE)
    whole = any(line.startswith("pytestmark") for line in marks)
    assert (whole or (bool(marks) and client.versions == ("1.7.4",))) == client.extended


def test_every_module_of_tests_of_clients_is_in_the_matrix() -> None:
    modules = {file.name for file in TESTS.glob("test_*.py")}
    assert modules == {client.module for client in CLIENTS} | ABOUT_ONE_CLIENT_LONGER


def test_what_is_said_of_changed_files_is_tried() -> None:
    for client in CLIENTS:
        tries = any("changed" in run.doing for run in client.runs)
        assert tries == bool(client.tampered), client.name
