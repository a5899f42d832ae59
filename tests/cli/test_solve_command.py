"""`duel solve`, run as a user would."""

from __future__ import annotations

import json
import re
import signal
from typing import Any

import pytest

from numberduels.analysis.game_length import LengthSearch
from numberduels.cli import solve
from numberduels.game.contract import Game
from tables import table

from .running import duel, refused

KEYS = ["game", "options", "to_move", "winner", "value", "best", "moves", "method", "positions", "seconds"]
BOOK_LIST = "2,5,7,10,12,13,15,17,18,20"
CASES: list[tuple[list[str], str, str]] = [
    (["range-war"], "Player 1 is to move, and Player 1 wins in 1 move.", "Best: 1, 2, 3, 4, 5"),
    (["number-snatch", "--numbers", BOOK_LIST], "Player 1 wins by 11.", "Best: 20"),
    (["restricted-removal", "--nimbers"], "The nimber of the position is 3.", "Best: 6"),
    (["restricted-removal", "--size", "20", "--nimbers"], "Player 2 wins.", "\n  loss, leaves nimber 2  5\n"),
    (["summation-duel", "--target", "42"], "Player 1 wins in", "Best: 6"),
    (["number-collision"], "with best play nobody wins.", "and 10 more"),
]


def solved(*arguments: str) -> dict[str, Any]:
    ran = duel("solve", *arguments, "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("\n") == 1
    report: dict[str, Any] = json.loads(ran.out)
    assert list(report) == KEYS
    return report


@table("arguments, verdict, best", CASES)
def test_the_book_games_in_words(arguments: list[str], verdict: str, best: str) -> None:
    ran = duel("solve", *arguments)
    assert (ran.status, ran.err) == (0, "")
    assert verdict in ran.out
    assert best in ran.out
    assert re.search(r"^By [^\n]+: (?:1 position|[\d,]+ positions) in \d+\.\d\d s\.$", ran.out, re.M)


@table(
    "arguments, winner, value, best",
    [
        (["range-war"], 1, "win", ["1", "2", "3", "4", "5"]),
        (["range-war", "--opening", "free"], 2, "loss", [str(n) for n in range(1, 11)]),
        (["number-snatch", "--numbers", BOOK_LIST], 1, "win", ["20"]),
        (["summation-duel", "--target", "44"], 2, "loss", [str(n) for n in range(1, 11)]),
        (["number-collision", "--size", "3", "--values", "1"], None, "draw", ["1@1", "1@2", "1@3"]),
    ],
)
def test_the_games_for_machines(
    arguments: list[str], winner: int | None, value: str, best: list[str] | None
) -> None:
    report = solved(*arguments)
    assert (report["game"], report["to_move"]) == (arguments[0], 1)
    assert (report["winner"], report["value"]) == (winner, value)
    assert best is None or report["best"] == best


def test_after_some_moves_of_range_war() -> None:
    report = solved("range-war", "--after", "6 4 9")
    assert (report["to_move"], report["winner"], report["best"]) == (2, 2, ["5", "7", "8"])
    assert [each["move"] for each in report["moves"]] == ["1", "2", "3", "5", "7", "8"]
    assert [each["remoteness"] for each in report["moves"]] == [2, 4, 6, 7, 5, 3]
    assert solved("range-war", "--after", "6,4,9")["best"] == report["best"]


def test_after_the_last_move_the_game_is_over() -> None:
    ran = duel("solve", "range-war", "--after", "1")
    assert ran.status == 0
    assert "The game is over: a loss for Player 2." in ran.out
    assert "Best" not in ran.out
    report = solved("range-war", "--after", "1")
    assert (report["winner"], report["best"], report["moves"]) == (1, [], [])


@table(
    "game, moves, phrases",
    [
        ("range-war", "6 4 3", ("move 3 ('3')", "Number 3 is not higher than 4.")),
        ("range-war", "6 x", ("move 2 ('x')", "not a whole number")),
        ("range-war", "1 2", ("move 2", "The game is over before it.")),
        ("range-war", "\x1b[2J", ("move 1", "\\x1b")),
        ("range-war", "9" * 5_000, ("move 1", "...")),
        ("number-collision", "1@99", ("move 1", "no position 99")),
    ],
)
def test_moves_that_cannot_be_are_refused(game: str, moves: str, phrases: tuple[str, ...]) -> None:
    refused(duel("solve", game, "--after", moves), "--after", *phrases)


def test_numbers_are_dealt_by_the_seed() -> None:
    one, again, other = (solved("number-snatch", "--seed", seed) for seed in ("a", "a", "b"))
    assert one["options"] == again["options"] != other["options"]
    assert one["best"] == again["best"]


@table(
    "arguments, phrases",
    [
        (["restricted-removal", "--size", "300"], ("272 numbers hang together", "up to 150")),
        (["restricted-removal", "--size", "200", "--winner"], ("up to 150 are within reach of `duel",)),
        (
            ["summation-duel", "--size", "60", "--target", "915"],
            ("positions, and a table would take", "size 33"),
        ),
    ],
)
def test_beyond_reach_is_said_in_one_line(
    arguments: list[str], phrases: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve, "MAX_POSITIONS", 20_000)
    refused(duel("solve", *arguments), "this position is beyond reach: ", *phrases)


@table("arguments", [[], ["range-war", "--size", ""], ["range-war", "--target", "5"], ["range-war", "extra"]])
def test_what_cannot_be_asked_is_refused(arguments: list[str]) -> None:
    refused(duel("solve", *arguments))


def test_many_moves_that_are_all_best_are_listed_once() -> None:
    out = duel("solve", "number-collision", "--size", "6", "--repetition", "forbidden").out
    assert "Best: all 30 moves\n  loss             1@1, 2@1, " in out
    few = duel("solve", "number-collision", "--size", "2", "--repetition", "forbidden").out
    assert "Best: 1@1, 2@1, 3@1, 4@1, 5@1, 1@2, 2@2, 3@2, 4@2, 5@2\n" in few


def test_with_the_pie_rule_the_second_player_takes_the_better_seat() -> None:
    game = ("number-snatch", "--numbers", "1,2,4", "--swap")
    assert "With the pie rule the second player wins, by " in duel("solve", *game).out
    swap = json.loads(duel("solve", *game, "--json").out)["swap"]
    assert (swap["winner"], swap["best"]) == (2, ["1", "4"]) and swap["margin"] == 3
    refused(duel("solve", *game, "--winner"), "--swap is about what each first move is worth")


# How long the game lasts


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
