"""A game of ours as an environment that can be audited like the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any

from numberduels.game.adopted.simulator import Environment, Episode, NotChecked
from numberduels.game.contract import (
    FiniteMoves,
    HistoryDependent,
    IllegalMove,
    Observable,
    Scored,
    Seat,
    always_ends,
)
from numberduels.game.spec import GameSpec
from numberduels.game.table import PLY_LIMIT


class OwnEnvironment(Environment):
    """The rules of one of our games. An action is the index of a move among all moves."""

    def __init__(self, text: str, spec: GameSpec, game: Any) -> None:
        self.text, self.title, self.about = text, spec.title, spec.summary
        self.game = game
        self.game_text = spec.text_for(game)
        if not isinstance(game, FiniteMoves):
            raise NotChecked("the game has no all_moves, so its moves have no numbers")
        self.all_moves: tuple[Hashable, ...] = tuple(game.all_moves())
        self.action_of = {move: action for action, move in enumerate(self.all_moves)}
        self.num_actions = len(self.all_moves)
        self.max_plies = getattr(game, "max_plies", None)
        self.alternates = True
        self.ends = always_ends(game)

    def reset(self, seed: int) -> OwnEpisode:
        return OwnEpisode(self, self.game.start(Random(seed)))

    def move_text(self, action: int) -> str:
        return self.game_text.format_move(self.all_moves[action])


class OwnEpisode(Episode):
    """A position of one of our games; a game that need not end stops at the usual limit of moves."""

    def __init__(self, environment: OwnEnvironment, state: Any, history: tuple[int, ...] = ()) -> None:
        self.environment, self.state, self.history = environment, state, history

    @property
    def seat(self) -> Seat | None:
        game = self.environment.game
        over = game.outcome(self.state) is not None or self.truncated
        return None if over else game.turn(self.state)

    @property
    def truncated(self) -> bool:
        return (
            not self.environment.ends
            and len(self.history) >= PLY_LIMIT
            and self.environment.game.outcome(self.state) is None
        )

    def actions(self) -> Sequence[int]:
        if self.truncated:
            return ()
        return [self.environment.action_of[move] for move in self.environment.game.moves(self.state)]

    def returns(self) -> tuple[float, float]:
        outcome = self.environment.game.outcome(self.state)
        if outcome is None or outcome.winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if outcome.winner == 0 else (-1.0, 1.0)

    def step(self, action: int) -> None:
        self.state = self.environment.game.play(self.state, self.environment.all_moves[action])
        self.history = (*self.history, action)

    def try_illegal(self, action: int) -> str:
        if action >= self.environment.num_actions:
            return ""
        try:
            self.environment.game.play(self.state, self.environment.all_moves[action])
        except IllegalMove:
            return ""
        except Exception as fault:
            return f"raises {type(fault).__name__} instead of IllegalMove"
        return "was accepted"

    try_after_end = try_illegal

    def declared_winner(self) -> Seat | None:
        game = self.environment.game
        if not isinstance(game, Scored):
            raise NotChecked("the outcome is its only word on who won")
        first, second = game.scores(self.state)
        return game.tie_winner() if first == second else 0 if first > second else 1

    def copy(self) -> OwnEpisode:
        return OwnEpisode(self.environment, self.state, self.history)

    def key(self) -> Hashable | None:
        return self.state, self.truncated

    def observation(self, seat: Seat) -> Any:
        game = self.environment.game
        if not isinstance(game, Observable) or (isinstance(game, HistoryDependent) and game.history_matters):
            raise NotChecked("the environments observe the whole history")
        return tuple(game.observe(self.state))

    def space_fault(self) -> str:
        game = self.environment.game
        if not isinstance(game, Observable):
            raise NotChecked("the game declares no features")
        numbers, features = game.observe(self.state), game.features()
        if len(numbers) != len(features):
            return f"there are {len(numbers)} numbers for {len(features)} features"
        for number, feature in zip(numbers, features, strict=True):
            if not feature.low <= number <= feature.high:
                return f"{feature.name} is {number}, outside of {feature.low} to {feature.high}"
        return ""
