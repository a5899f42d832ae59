"""`numberduels.solvers`: everything that is known about one position, as values and as plain data."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from numberduels.analysis.solution import SolutionSearch, solve
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from tables import table

KEYS = ["game", "options", "to_move", "winner", "value", "best", "moves", "method", "positions", "seconds"]
MOVE_KEYS = ["move", "value", "remoteness", "margin", "nimber"]
BOOK_LIST = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)
GAMES: dict[str, Any] = {
    "range-war": RangeWar(),
    "number-snatch": NumberSnatch(numbers=BOOK_LIST),
    "restricted-removal": RestrictedRemoval(),
    "summation-duel": SummationDuel(),
    "number-collision": NumberCollision(),
}
VALUES = {"win": 1, "draw": 0, "loss": -1}


@table("name", GAMES)
def test_the_report_has_exactly_its_keys(name: str) -> None:
    report = solve(GAMES[name]).report()
    assert list(report) == KEYS
    assert report["game"] == name
    assert report["to_move"] == 1
    assert all(list(move) == MOVE_KEYS for move in report["moves"])
    assert list(json.loads(json.dumps(report))) == KEYS
    assert report["positions"] > 0
    assert report["seconds"] >= 0


@table("name", GAMES)
def test_the_report_agrees_with_itself(name: str) -> None:
    game, rng = GAMES[name], Random(name)
    for _ in range(5):
        state = game.start(rng)
        for _ in range(6):
            report = solve(game, state).report()
            ranks = {
                move["move"]: VALUES[move["value"]] if move["margin"] is None else move["margin"]
                for move in report["moves"]
            }
            assert report["to_move"] == game.turn(state) + 1
            if not game.moves(state):
                assert report["best"] == report["moves"] == []
                break
            assert report["best"] == [move for move in ranks if ranks[move] == max(ranks.values())]
            best = [move["value"] for move in report["moves"] if move["move"] in report["best"]]
            assert set(best) == {report["value"]}
            winner = {"win": report["to_move"], "loss": 3 - report["to_move"], "draw": None}
            assert report["winner"] == winner[report["value"]]
            state = game.play(state, rng.choice(game.moves(state)))


def test_an_undealt_list_cannot_be_solved() -> None:
    with pytest.raises(ValueError, match="not dealt yet"):
        solve(NumberSnatch())
    game = NumberSnatch()
    state = game.start(Random(3))
    assert solve(game, state).worth == solve(game.with_start(state)).worth


@table(
    "game",
    [
        RestrictedRemoval(40),
        LastCounter(),
        NumberCollision(size=4, values=2, repetition="forbidden"),
        NumberCollision(size=6, values=1, repetition="forbidden"),
    ],
)
def test_a_search_tells_of_every_position_and_that_its_end_is_not_known(game: Any) -> None:
    seen: list[tuple[int, int]] = []
    found = solve(game, progress=lambda done, total: seen.append((done, total)), moves=False)
    assert {total for _, total in seen} == {0}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == found.positions


def test_an_interrupted_solution_keeps_the_moves_that_are_judged() -> None:
    search = SolutionSearch(RestrictedRemoval(62))

    def stop(*_: int) -> None:
        if len(search.moves) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(stop)
    whole = solve(RestrictedRemoval(62))
    assert search.worth == whole.worth
    assert search.moves == {move: whole.moves[move] for move in (2, 3, 4)}
    again = search.run()  # it goes on where it was
    assert (again.moves, again.worth) == (whole.moves, whole.worth)
