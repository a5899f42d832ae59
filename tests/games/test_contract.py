"""Every game keeps the public contract, and the contract test notices games that do not."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from numberduels.cli.session import COMMANDS
from numberduels.game import check_game as testing
from numberduels.game import registry
from numberduels.game.check_game import check_canonical, check_game
from numberduels.game.contract import Feature, IllegalMove, Outcome, Seat
from numberduels.game.spec import GameSpec
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


def test_the_template_keeps_the_contract() -> None:
    check_game(template.spec, *(LastCounter(size) for size in (1, 2, 3, 50)))


def test_the_contract_knows_every_command_of_the_prompt() -> None:
    assert set(COMMANDS) == testing.COMMANDS


# Broken games are noticed


def spec_with(game: type[Any]) -> GameSpec:
    """The template's spec with another game in it, which shares its book."""
    game.__module__ = LastCounter.__module__
    return replace(template.spec, rules=game)


class NotAlternating(LastCounter):
    def play(self, state: Pile, move: int) -> Pile:
        return LastCounter.play(self, state, move)[0], state[1]


class MovesAfterTheEnd(LastCounter):
    def moves(self, state: Pile) -> tuple[int, ...]:
        return LastCounter.moves(self, state) or (1,)


class NoMovesBeforeTheEnd(LastCounter):
    def moves(self, state: Pile) -> tuple[int, ...]:
        return LastCounter.moves(self, state) if state[0] != 1 else ()


class Impure(LastCounter):
    plays: list[int] = []  # noqa: RUF012  # that every game shares it is the very fault

    def play(self, state: Pile, move: int) -> Pile:
        self.plays.append(move)
        counters, turn = LastCounter.play(self, state, move)
        return counters - len(self.plays) % 2 if counters > 2 else counters, turn


class TakesAnything(LastCounter):
    def all_moves(self) -> tuple[int, ...]:
        return (1, 2, 3)

    def play(self, state: Pile, move: int) -> Pile:
        return max(0, state[0] - move), 0 if state[1] else 1


class MoveOutsideItsAlphabet(LastCounter):
    def all_moves(self) -> tuple[int, ...]:
        return (1,)


class RefusesWithoutASentence(LastCounter):
    def all_moves(self) -> tuple[int, ...]:
        return (1, 2, 3)

    def play(self, state: Pile, move: int) -> Pile:
        if move == 3:
            raise IllegalMove("no")
        return LastCounter.play(self, state, move)


class OffersAMoveTwice(LastCounter):
    def moves(self, state: Pile) -> tuple[int, ...]:
        return LastCounter.moves(self, state) * 2


class ShufflesItsMoves(LastCounter):
    calls: list[int] = []  # noqa: RUF012  # remembering is the very fault

    def moves(self, state: Pile) -> tuple[int, ...]:
        self.calls.append(0)
        return LastCounter.moves(self, state)[:: 1 if len(self.calls) % 2 else -1]


class SecondSeatBegins(LastCounter):
    def start(self, rng: Random) -> Pile:
        return self.size, 1


class OverBeforeItBegins(LastCounter):
    def start(self, rng: Random) -> Pile:
        return 0, 0


class RandomStartNotFixed(LastCounter):
    def start(self, rng: Random) -> Pile:
        return rng.randint(1, 10**6), 0


class LongerThanMaxPlies(LastCounter):
    @property
    def max_plies(self) -> int:
        return 3


class TwinsWithOtherMoves(LastCounter):
    def canonical(self, state: Pile) -> Pile:
        return min(state[0], 1), 0


class ScoresForgotten(LastCounter):
    def scores(self, state: Pile) -> tuple[int, int]:
        return (1, 0)

    def without_scores(self, state: Pile) -> Pile:
        return state

    def tie_winner(self) -> None:
        return None

    def points_left(self, state: Pile) -> int:
        return 0


class ScoresWithoutTheRest(LastCounter):
    def scores(self, state: Pile) -> tuple[int, int]:
        return (1, 0)


class PartsWithFewerMoves(LastCounter):
    def components(self, state: Pile) -> list[Pile]:
        return [(1, 0)] if state[0] else []


class Observed(LastCounter):
    def all_moves(self) -> tuple[int, ...]:
        return (1, 2)

    def features(self) -> list[Feature]:
        return [Feature("counters", 0, self.size), Feature("turn", 1, 2)]

    def observe(self, state: Pile) -> tuple[int, int]:
        return state[0], state[1] + 1


class UpdatesNoTurn(Observed):
    def update_observation(
        self, observation: memoryview, mask: memoryview, before: Pile, move: int, after: Pile
    ) -> None:
        observation[0] -= move


class UpdatesNoMask(Observed):
    def update_observation(
        self, observation: memoryview, mask: memoryview, before: Pile, move: int, after: Pile
    ) -> None:
        observation[0], observation[1] = self.observe(after)


@table(
    "broken, sentence",
    [
        (UpdatesNoTurn, "update_observation must lead to what observe returns"),
        (UpdatesNoMask, "update_observation must lead to the mask of the legal moves"),
        (NotAlternating, "turns must alternate"),
        (MovesAfterTheEnd, "empty if and only if the game is over"),
        (NoMovesBeforeTheEnd, "empty if and only if the game is over"),
        (Impure, "play must be pure"),
        (TakesAnything, "not among the moves, and yet it can be played"),
        (MoveOutsideItsAlphabet, "all_moves must contain every legal move"),
        (RefusesWithoutASentence, "the message of IllegalMove must be a sentence"),
        (OffersAMoveTwice, "moves must not repeat a move"),
        (ShufflesItsMoves, "fixed order"),
        (SecondSeatBegins, "seat 0 must begin"),
        (OverBeforeItBegins, "not be over at its start"),
        (RandomStartNotFixed, "must offer with_start"),
        (LongerThanMaxPlies, "end within max_plies"),
        (TwinsWithOtherMoves, "equivalent positions must have equally many moves"),
        (ScoresWithoutTheRest, "needs without_scores, tie_winner and points_left"),
        (ScoresForgotten, "the outcome must have the scores"),
        (PartsWithFewerMoves, "components must have as many moves as the whole"),
    ],
)
def test_a_broken_game_is_noticed(broken: type[Any], sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_game(spec_with(broken))


class ManyAtOnce(LastCounter):
    def moves(self, state: Pile) -> tuple[int, ...]:
        return tuple(range(1, state[0] + 1))


@table("char", [" ", "\t", "\n", "\x1f", "\u00a0", "\u2003", ",", "[", "}", "\x00"])
def test_no_notation_has_what_lists_of_moves_are_split_at(char: str) -> None:
    class Odd(LastCounterText):
        def format_move(self, move: int) -> str:
            return f"4{char}x" if move == 4 else str(move)  # neither among the first nor among the last

        def parse_move(self, text: str) -> int:
            return int(text[0])

    with pytest.raises(AssertionError, match=re.escape(repr(f"4{char}x"))):
        check_game(replace(spec_with(ManyAtOnce), text=Odd))


class WrittenAlike(LastCounterText):
    def format_move(self, move: int) -> str:
        return "1"


class ReadsSomethingElse(LastCounterText):
    def parse_move(self, text: str) -> int:
        return 1


class LikeACommand(LastCounterText):
    def format_move(self, move: int) -> str:
        return "Undo"

    def parse_move(self, text: str) -> int:
        return 1


class TypesSomethingElse(LastCounterText):
    def typed(self, move: int) -> str:
        return "1"


class HalfALine(LastCounterText):
    def announce(self, before: Pile, move: int, after: Pile) -> str:
        return "taken"


class PromptOnALineOfItsOwn(LastCounterText):
    def prompt(self, state: Pile) -> str:
        return "Take 1 or 2:\n"


class AsksNobody(LastCounterText):
    def heading(self, state: Pile) -> str:
        return "Your turn.\n"


@table(
    "broken",
    [
        WrittenAlike,
        ReadsSomethingElse,
        LikeACommand,
        TypesSomethingElse,
        HalfALine,
        PromptOnALineOfItsOwn,
        AsksNobody,
    ],
)
def test_a_broken_text_is_noticed(broken: type[Any]) -> None:
    with pytest.raises(AssertionError):
        check_game(replace(template.spec, text=broken))


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


class FoldsTooMuch(LastCounter):
    """Takes piles of three for piles of two: both have two moves, but only one of them is lost."""

    def canonical(self, state: Pile) -> Pile:
        return (2, 0) if state[0] == 3 else (state[0], 0)


class ForgetsWhoseTurnItIs(LastCounter):
    """A game where the seat matters must not fold it away."""

    def outcome(self, state: Pile) -> Outcome | None:
        winner: Seat = 0
        return None if state[0] else Outcome(winner=winner, why="always seat 0")

    def canonical(self, state: Pile) -> Pile:
        return state[0], 0


@table("broken", [FoldsTooMuch, ForgetsWhoseTurnItIs])
def test_a_wrong_fold_is_noticed(broken: type[Any]) -> None:
    with pytest.raises(AssertionError, match="twin differ"):
        check_canonical(broken(7))
