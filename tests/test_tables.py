"""A table is one test that runs every row and names the one that failed."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import pytest

from tables import table


def test_every_row_is_run_with_every_row_of_the_other_table() -> None:
    seen = []

    @table("letter", "ab")
    @table("number, word", [(1, "one"), (2, "two")])
    def body(tmp: str, letter: str, number: int, word: str) -> None:
        seen.append((tmp, letter, number, word))

    assert list(inspect.signature(body).parameters) == ["tmp"]
    body(tmp="x")
    assert seen == [("x", "a", 1, "one"), ("x", "a", 2, "two"), ("x", "b", 1, "one"), ("x", "b", 2, "two")]


def test_a_row_meets_nothing_that_another_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEFT_BY_A_ROW", raising=False)
    monkeypatch.setenv("NUMBERDUELS_HOME", "home")
    homes = []

    @table("number", [1, 2])
    def body(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "LEFT_BY_A_ROW" not in os.environ and not list(tmp_path.iterdir())
        monkeypatch.setenv("LEFT_BY_A_ROW", str(number))
        (tmp_path / "left").touch()
        homes.append(os.environ["NUMBERDUELS_HOME"])

    body(tmp_path=tmp_path, monkeypatch=monkeypatch)
    assert homes == ["home 1", "home 2"] and os.environ["NUMBERDUELS_HOME"] == "home"


def test_a_failure_names_its_row() -> None:
    @table("letter", "ab")
    @table("number", [1, 2, 3])
    def body(letter: str, number: int) -> None:
        assert (letter, number) != ("b", 2)

    with pytest.raises(AssertionError) as caught:
        body()
    assert caught.value.__notes__ == ["row 2 of number: 2", "row 2 of letter: 'b'"]


def test_an_empty_table_fails() -> None:
    @table("number", [])
    def body(number: int) -> None:
        raise NotImplementedError

    with pytest.raises(AssertionError, match="the table of number is empty"):
        body()
