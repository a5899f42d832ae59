"""No test inherits the games that another one has allowed."""

from __future__ import annotations

import pytest

from numberduels.game import adopted


@pytest.fixture(autouse=True)
def nothing_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(adopted.ALLOWED, "")
