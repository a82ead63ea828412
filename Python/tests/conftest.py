"""Where tests find the repository."""

from __future__ import annotations

import os

import pytest
from documents import REPOSITORY


@pytest.fixture(autouse=True)
def in_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples name files of the repository."""
    monkeypatch.chdir(REPOSITORY)


@pytest.fixture
def arcdump() -> str:
    """The tool in Swift, which another reader is made with."""
    path = os.environ.get("ARCDUMP", "")
    if not os.access(path, os.X_OK):
        pytest.skip("ARCDUMP names no arcdump")
    return path
