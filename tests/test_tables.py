"""A table is one test that runs every row and names the one that failed."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import SimpleNamespace

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


@pytest.fixture
def patched() -> SimpleNamespace:
    return SimpleNamespace(value="as it was")


@table("letter", "ab")
@table("number", [1, 2])
def test_each_row_has_its_own_folder_and_patches(
    letter: str, number: int, patched: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert patched.value == "as it was" and not list(tmp_path.iterdir())
    monkeypatch.setattr(patched, "value", number)
    (tmp_path / "file").write_text(letter)
