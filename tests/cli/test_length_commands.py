"""`duel solve --goal length` and `duel sweep --goal length`, run as a user would."""

from __future__ import annotations

import csv
import json
import signal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from numberduels.analysis.game_length import LengthSearch
from numberduels.cli import lengths
from numberduels.game.contract import Game
from tables import table

from .running import duel, refused

SVG = "{http://www.w3.org/2000/svg}"

LONG = [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 11, 11, 11, 12, 13, 13]
SHORT = [1, 2, 2, 3, 3, 4, 4, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 8, 8, 8, 8, 9, 9, 10, 10, 10, 10, 11, 11]
"""The lengths at sizes 2 to 30, from a minimax over every position (tools/game_length_check.py)."""


def test_the_length_with_either_player_first() -> None:
    ran = duel("solve", "restricted-removal", "--size", "10", "--goal", "length")
    assert (ran.status, ran.err) == (0, "")
    told = ran.out.splitlines()[3:]
    assert told[:-1] == [
        "One player wants a long game, the other one a short game.",
        "If the player to move wants a long game: 5 moves from here.",
        "  best: 6",
        "If the player to move wants a short game: 4 moves from here.",
        "  best: 2, 3",
    ]
    assert told[-1].startswith("By null windows on the graph of conflicts: ")


def test_the_length_after_some_moves_counts_them_too() -> None:
    ran = duel("solve", "restricted-removal", "--size", "10", "--goal", "length", "--after", "6")
    assert "wants a short game: 4 moves from here, 5 moves in all." in ran.out


def test_without_the_moves_only_the_lengths_are_told() -> None:
    ran = duel("solve", "restricted-removal", "--size", "10", "--goal", "length", "--winner")
    assert "5 moves from here" in ran.out and "best" not in ran.out


def test_a_finished_game_has_no_move_left() -> None:
    ran = duel("solve", "restricted-removal", "--size", "3", "--goal", "length", "--after", "2 3")
    assert ran.out.count("0 moves from here, 2 moves in all.") == 2


def test_the_lengths_as_data() -> None:
    ran = duel("solve", "restricted-removal", "--size", "10", "--goal", "length", "--json", "--after", "7")
    data = json.loads(ran.out)
    assert (data["goal"], data["played"], data["options"]) == ("length", 1, {"size": 10})
    assert data["lengths"] == {  # 7 is related to nothing else, so the rest is what it was without it
        "long": {"at_least": 4, "at_most": 4, "best": ["6"]},
        "short": {"at_least": 3, "at_most": 3, "best": ["2", "3"]},
    }


@table("command", [["solve"], ["sweep", "--size", "2..4"]])
def test_a_game_of_another_kind_is_refused(command: list[str]) -> None:
    refused(
        duel(command[0], "range-war", "--goal", "length", *command[1:]), "do nothing but exclude each other"
    )


def test_options_about_the_winner_are_refused() -> None:
    command = ["restricted-removal", "--goal", "length"]
    refused(duel("solve", *command, "--swap"), "leave out --swap")
    refused(duel("sweep", *command, "--size", "2..4", "--nimbers"), "leave out --nimbers")
    refused(duel("solve", "restricted-removal", "--goal", "fun"), "--goal", "winner", "length")


def test_a_position_beyond_reach_is_refused_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lengths, "MAX_POSITIONS", 3)
    ran = duel("solve", "restricted-removal", "--size", "40", "--goal", "length")
    refused(
        ran, "beyond reach: there are more than 3 positions; so far: ", " to 20 moves if the player to move"
    )


def interrupt(*_: object) -> None:
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_prints_the_bounds_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = LengthSearch.solve

    def solve_and_stop(
        self: LengthSearch, game: Game[Any, Any], state: Any = None, *, moves: bool = True
    ) -> Any:
        self.lengths.progress = interrupt
        return plain(self, game, state, moves=moves)

    monkeypatch.setattr(LengthSearch, "solve", solve_and_stop)
    ran = duel("solve", "restricted-removal", "--size", "40", "--goal", "length")
    assert ran.status == 130
    assert "to 20 moves from here." in ran.out
    assert "The search was stopped; these are the bounds so far." in ran.out


def test_a_row_for_each_size() -> None:
    ran = duel("sweep", "restricted-removal", "--size", "2..30", "--goal", "length")
    assert (ran.status, ran.err) == (0, "")
    rows = [line.split() for line in ran.out.splitlines()[1:]]
    assert [int(row[0]) for row in rows] == list(range(2, 31))
    assert [int(row[1]) for row in rows] == LONG
    assert [int(row[2]) for row in rows] == SHORT


def test_the_files_of_a_sweep(tmp_path: Path) -> None:
    table, picture = tmp_path / "table.csv", tmp_path / "picture.svg"
    command = ["sweep", "restricted-removal", "--size", "2..12", "--goal", "length"]
    assert duel(*command, "--out", str(table), "--out", str(picture)).status == 0
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [int(row["long_begins"]) for row in rows] == LONG[:11]
    assert [int(row["short_begins"]) for row in rows] == SHORT[:11]
    drawn = ElementTree.parse(picture).getroot()
    assert drawn.findtext(f"{SVG}title") == "Restricted Removal: how long the game lasts at each size"
    assert "9: 5" in (drawn.findtext(f"{SVG}desc") or "")
    assert len(list(drawn.iter(f"{SVG}rect"))) == 1 + 2 * 11
    refused(duel(*command, "--out", str(table)), "exists already", "--force")


def test_a_sweep_says_which_sizes_have_no_game_and_where_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lengths, "MAX_POSITIONS", 12)
    ran = duel("sweep", "restricted-removal", "--size", "1..40", "--goal", "length")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[1].startswith("     1 no game: size must be")
    assert "beyond reach: there are more than 12 positions; so far: " in ran.out
    assert lines[-1].endswith("The sweep ends here.")


def test_a_size_far_beyond_reach_is_refused_at_once() -> None:
    ran = duel("solve", "restricted-removal", "--size", "300", "--goal", "length")
    refused(ran, "there are 299 moves, and at most 200 are tried")
    ran = duel("sweep", "restricted-removal", "--size", "299..9999", "--goal", "length")
    assert (ran.status, len(ran.out.splitlines())) == (0, 2)
    assert ran.out.splitlines()[1].startswith("   299 beyond reach: there are 298 moves")


def test_a_sweep_that_is_stopped_keeps_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, plain = tmp_path / "table.csv", LengthSearch.solve

    def solve_until_20(self: LengthSearch, game: Any, state: Any = None, *, moves: bool = True) -> Any:
        if game.size == 20:
            interrupt()
        return plain(self, game, state, moves=moves)

    monkeypatch.setattr(LengthSearch, "solve", solve_until_20)
    command = ["sweep", "restricted-removal", "--size", "2..30", "--goal", "length", "--out", str(table)]
    ran = duel(*command)
    assert ran.status == 130
    assert ran.out.splitlines()[-1].startswith("    20 stopped; so far: ")
    assert len(table.read_text(encoding="utf-8").splitlines()) == 1 + 18
