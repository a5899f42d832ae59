"""Fixtures of the web tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from web.browsers import chromium, hosted, visit
from web.in_process import InProcessServer, in_process, unlimited

__all__ = ["chromium", "hosted", "visit"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    """A server in this process, shared by the tests of a module."""
    with in_process(unlimited(tmp_path_factory.mktemp("web") / "duels.sqlite")) as running:
        yield running


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[InProcessServer]:
    """A server in this process that nobody has asked anything yet, with a clock of its own."""
    with in_process(unlimited(tmp_path / "duels.sqlite")) as running:
        yield running


@pytest.fixture
def visitor(server: InProcessServer) -> TestClient:
    """A new browser at that server."""
    return server.visitor()
