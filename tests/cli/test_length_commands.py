"""`duel solve --goal length` and `duel sweep --goal length`, run as a user would."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest

from numberduels.analysis.game_length import LengthSearch
from numberduels.cli import solve
from numberduels.game.contract import Game

from .running import duel, refused

SVG = "{http://www.w3.org/2000/svg}"


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


def test_the_lengths_as_data() -> None:
    ran = duel("solve", "restricted-removal", "--size", "10", "--goal", "length", "--json", "--after", "7")
    data = json.loads(ran.out)
    assert (data["goal"], data["played"], data["options"]) == ("length", 1, {"size": 10})
    assert data["lengths"] == {  # 7 is related to nothing else, so the rest is what it was without it
        "long": {"at_least": 4, "at_most": 4, "best": ["6"]},
        "short": {"at_least": 3, "at_most": 3, "best": ["2", "3"]},
    }


def test_a_game_of_another_kind_is_refused() -> None:
    refused(duel("solve", "range-war", "--goal", "length"), "do nothing but exclude each other")


def test_options_about_the_winner_are_refused() -> None:
    command = ["restricted-removal", "--goal", "length"]
    refused(duel("solve", *command, "--swap"), "leave out --swap")
    refused(duel("solve", "restricted-removal", "--goal", "fun"), "--goal", "winner", "length")


def test_a_position_beyond_reach_is_refused_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "MAX_LENGTH_POSITIONS", 3)
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


def test_a_size_far_beyond_reach_is_refused_at_once() -> None:
    ran = duel("solve", "restricted-removal", "--size", "300", "--goal", "length")
    refused(ran, "there are 299 moves, and at most 200 are tried")
