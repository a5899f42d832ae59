"""Responses to errors, as JSON and as pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from numberduels.web.store.base import Event, Unavailable
from numberduels.web.store.sqlite import SqliteStore
from tables import table

from .in_process import in_process, unlimited


@table("path, kind", [("/api/duels", "application/json"), ("/new", "text/html")])
def test_an_unavailable_store_is_503_and_says_when_to_retry(
    path: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> Event:
        raise Unavailable("the disk is full")

    monkeypatch.setattr(SqliteStore, "append", fail)
    with in_process(unlimited(tmp_path / "duels.sqlite")) as server:
        answer = server.visitor().post(path, data={"game": "range-war", "mode": "here"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert answer.headers["content-type"].startswith(kind)
    assert "Nothing is lost" in answer.text
