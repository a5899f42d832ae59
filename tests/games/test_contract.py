"""Every game keeps the public contract, and the contract test notices games that do not."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import pytest

from numberduels.cli.session import COMMANDS
from numberduels.game import check_game as testing
from numberduels.game import registry
from numberduels.game.check_game import check_canonical, check_game
from numberduels.game.contract import Feature, IllegalMove, Outcome
from numberduels.game.spec import GameSpec
from numberduels.game.table import replay
from numberduels.games import template
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter, Pile
from numberduels.games.template.text import LastCounterText
from tables import table

GAMES: dict[str, list[Any]] = {
    "range-war": [RangeWar(size, way) for size in (1, 2, 3, 9, 30) for way in ("lower", "free")],
    "number-snatch": [
        NumberSnatch(size=1, top=1),
        NumberSnatch(size=3, top=5),
        NumberSnatch(size=25, top=40),
        NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17, 18, 20)),
        NumberSnatch(numbers=(2, 4)),
    ],
    "restricted-removal": [RestrictedRemoval(size) for size in (2, 3, 12, 60)],
    "summation-duel": [
        SummationDuel(1, 1),
        SummationDuel(10, 55),
        SummationDuel(10, 1),
        SummationDuel(30, 200),
    ],
    "number-collision": [
        NumberCollision(size, values, repetition)
        for size, values in ((1, 1), (2, 2), (3, 5), (6, 3))
        for repetition in ("allowed", "forbidden")
    ],
}


@table("name", GAMES)
def test_each_of_our_games_keeps_the_contract(name: str) -> None:
    check_game(registry.spec(name), *GAMES[name], walks=5)


@table(
    "game, numbers",
    [(RangeWar(9), 9), (NumberSnatch(size=9), 9), (RestrictedRemoval(9), 8), (SummationDuel(9, 40), 9)],
)
def test_a_game_is_at_most_as_long_as_there_are_numbers_to_take(game: Any, numbers: int) -> None:
    assert game.max_plies == numbers


@table(
    "game, moves, outcome",
    [
        (RangeWar(3), (2, 1, 3), Outcome(0, "stuck")),
        (NumberSnatch(numbers=(1, 2, 3)), (1, 2, 3), Outcome(1, "level", (3, 3))),
        (NumberSnatch(numbers=(3, 6)), (3, 6), Outcome(1, "points", (0, 9))),
        (RestrictedRemoval(3), (2, 3), Outcome(1, "last")),
        (SummationDuel(4, 6), (4, 2), Outcome(1, "exact")),
        (SummationDuel(4, 6), (4, 3), Outcome(0, "over")),
    ],
)
def test_an_outcome_says_why(game: Any, moves: tuple[int, ...], outcome: Outcome) -> None:
    assert replay(game, moves).outcome == outcome


def test_the_template_keeps_the_contract() -> None:
    check_game(template.spec, *(LastCounter(size) for size in (1, 2, 3, 50)))


def test_the_contract_knows_every_command_of_the_prompt() -> None:
    assert set(COMMANDS) == testing.COMMANDS


# Broken games are noticed


PLAY, MOVES = LastCounter.play, LastCounter.moves


def game_with(**methods: Any) -> type[Any]:
    """The game of the template with other methods; it shares the book."""
    return type("Broken", (LastCounter,), {"__module__": LastCounter.__module__, **methods})


def spec_with(game: type[Any]) -> GameSpec:
    return replace(template.spec, rules=game)


CALLS = count()
"""Remembering is the very fault of two games."""


def impure(game: Any, state: Pile, move: int) -> Pile:
    counters, turn = PLAY(game, state, move)
    return counters - next(CALLS) % 2 if counters > 2 else counters, turn


def refuse_without_a_sentence(game: Any, state: Pile, move: int) -> Pile:
    if move == 3:
        raise IllegalMove("no")
    return PLAY(game, state, move)


class Observed(LastCounter):
    def all_moves(self) -> tuple[int, ...]:
        return (1, 2)

    def features(self) -> list[Feature]:
        return [Feature("counters", 0, self.size), Feature("turn", 1, 2)]

    def observe(self, state: Pile) -> tuple[int, int]:
        return state[0], state[1] + 1


def update_no_turn(_game: Any, observation: memoryview, _mask: Any, _old: Pile, move: int, _: Pile) -> None:
    observation[0] -= move


def update_no_mask(game: Any, observation: memoryview, _mask: Any, _old: Pile, _: int, after: Pile) -> None:
    observation[0], observation[1] = game.observe(after)


def three(_: Any) -> tuple[int, ...]:
    return (1, 2, 3)


SCORES = {
    "scores": lambda *_: (1, 0),
    "without_scores": lambda _, state: state,
    "tie_winner": lambda _: None,
    "points_left": lambda *_: 0,
}


@table(
    "sentence, methods",
    [
        ("turns must alternate", {"play": lambda game, state, move: (PLAY(game, state, move)[0], state[1])}),
        ("empty if and only if the game is over", {"moves": lambda *given: MOVES(*given) or (1,)}),
        (
            "empty if and only if the game is over",
            {"moves": lambda game, state: MOVES(game, state) if state[0] != 1 else ()},
        ),
        ("play must be pure", {"play": impure}),
        (
            "not among the moves, and yet it can be played",
            {"all_moves": three, "play": lambda _, state, move: (max(0, state[0] - move), 1 - state[1])},
        ),
        ("all_moves must contain every legal move", {"all_moves": lambda _: (1,)}),
        (
            "the message of IllegalMove must be a sentence",
            {"all_moves": three, "play": refuse_without_a_sentence},
        ),
        ("moves must not repeat a move", {"moves": lambda *given: MOVES(*given) * 2}),
        ("fixed order", {"moves": lambda *given: MOVES(*given)[:: -1 if next(CALLS) % 2 else 1]}),
        ("seat 0 must begin", {"start": lambda game, _: (game.size, 1)}),
        ("not be over at its start", {"start": lambda *_: (0, 0)}),
        ("must offer with_start", {"start": lambda _, rng: (rng.randint(1, 10**6), 0)}),
        ("end within max_plies", {"max_plies": 3}),
        (
            "equivalent positions must have equally many moves",
            {"canonical": lambda _, state: (min(state[0], 1), 0)},
        ),
        ("needs without_scores, tie_winner and points_left", {"scores": SCORES["scores"]}),
        ("the outcome must have the scores", SCORES),
        (
            "components must have as many moves as the whole",
            {"components": lambda _, state: [(1, 0)] if state[0] else []},
        ),
    ],
)
def test_a_broken_game_is_noticed(sentence: str, methods: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_game(spec_with(game_with(**methods)))


@table(
    "update, what",
    [(update_no_turn, "what observe returns"), (update_no_mask, "the mask of the legal moves")],
)
def test_a_wrong_update_of_an_observation_is_noticed(update: Any, what: str) -> None:
    observed = {name: getattr(Observed, name) for name in ("all_moves", "features", "observe")}
    with pytest.raises(AssertionError, match=f"update_observation must lead to {what}"):
        check_game(spec_with(game_with(**observed, update_observation=update)))


@table("char", [" ", "\t", "\n", "\x1f", "\u00a0", "\u2003", ",", "[", "}", "\x00"])
def test_no_notation_has_what_lists_of_moves_are_split_at(char: str) -> None:
    class Odd(LastCounterText):
        def format_move(self, move: int) -> str:
            return f"4{char}x" if move == 4 else str(move)  # neither among the first nor among the last

        def parse_move(self, text: str) -> int:
            return int(text[0])

    with pytest.raises(AssertionError, match=re.escape(repr(f"4{char}x"))):
        many = game_with(moves=lambda _, state: tuple(range(1, state[0] + 1)))
        check_game(replace(spec_with(many), text=Odd))


@table(
    "methods",
    [
        {"format_move": lambda *_: "1"},
        {"parse_move": lambda *_: 1},
        {"format_move": lambda *_: "Undo", "parse_move": lambda *_: 1},  # like a command
        {"typed": lambda *_: "1"},
        {"announce": lambda *_: "taken"},  # half a line
        {"prompt": lambda *_: "Take 1 or 2:\n"},  # on a line of its own
        {"heading": lambda *_: "Your turn.\n"},  # asks nobody
    ],
)
def test_a_broken_text_is_noticed(methods: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        check_game(replace(template.spec, text=type("Broken", (LastCounterText,), methods)))


@table("change", [{"name": "Last Counter"}, {"title": ""}, {"summary": ""}])
def test_a_badly_named_spec_is_noticed(change: dict[str, str]) -> None:
    with pytest.raises(AssertionError):
        check_game(replace(template.spec, **change))  # type: ignore[arg-type]  # all three are texts


@dataclass(frozen=True, slots=True)
class WithAnUndeclaredOption(LastCounter):
    extra: int = 5


def test_options_that_do_not_survive_being_written_are_noticed() -> None:
    with pytest.raises(AssertionError, match="options must survive"):
        check_game(spec_with(WithAnUndeclaredOption), WithAnUndeclaredOption(extra=6))


# Folds


@table(
    "game",
    [
        NumberCollision(4, 3),
        NumberCollision(5, 2),
        NumberCollision(3, 2, "forbidden"),
        NumberCollision(2, 3, "forbidden"),
        RestrictedRemoval(12),
        RestrictedRemoval(17),
        RangeWar(6),
        LastCounter(9),
    ],
)
def test_twins_are_worth_the_same(game: Any) -> None:
    check_canonical(game)


TOO_MUCH = {"canonical": lambda _, state: (2 if state[0] == 3 else state[0], 0)}
"""Takes piles of three for piles of two: both have two moves, but only one of them is lost."""

TURN_FORGOTTEN = {
    "outcome": lambda _, state: None if state[0] else Outcome(winner=0, why="always seat 0"),
    "canonical": lambda _, state: (state[0], 0),
}
"""A game where the seat matters must not fold it away."""


@table("methods", [TOO_MUCH, TURN_FORGOTTEN])
def test_a_wrong_fold_is_noticed(methods: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="twin differ"):
        check_canonical(game_with(**methods)(7))
