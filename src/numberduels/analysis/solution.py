"""solve(): the exact value of a position, by the theory of its game or by search; and hints at the table.

>>> import numberduels
>>> game = numberduels.make("range-war", size=10)
>>> solution = solve(game)
>>> solution.winner, solution.best
(0, [1, 2, 3, 4, 5])
>>> solve(game, game.play(solution.state, 6)).value
'win'
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from numberduels.game import options, registry
from numberduels.game.contract import OTHER, Game, M, ProgressCallback, S, Seat, has_fixed_start
from numberduels.game.messages import Message
from numberduels.players.search import GreedyPlayer, MctsPlayer
from numberduels.solvers import MAX_POSITIONS, Oracle, TooLarge, Worth, make_oracle
from numberduels.solvers.choose import strongest_moves
from numberduels.solvers.oracle import DRAW, WIN, select_best

QUICK = 100_000
"""The most positions to search while the player waits."""

FEW = 60
"""With more legal moves, Monte Carlo tree search would take too long."""

TRIES = 1_000
"""Games that are played out to find a move where nothing is proven."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution of one position."""

    game: Game[Any, Any]
    state: Any
    worth: Worth
    moves: dict[Any, Worth]
    """Each move with its worth to the player who makes it."""
    method: str
    positions: int
    seconds: float

    @property
    def to_move(self) -> Seat:
        """The seat to move."""
        seat: Seat = self.game.turn(self.state)
        return seat

    @property
    def value(self) -> str:
        """win, loss or draw, for the player to move."""
        return self.worth.value_name

    @property
    def winner(self) -> Seat | None:
        """The seat that wins with best play; None for a draw."""
        if self.worth.value == DRAW:
            return None
        return self.to_move if self.worth.value == WIN else OTHER[self.to_move]

    @property
    def best(self) -> list[Any]:
        """The best moves: they keep the value, and in a game of points the margin."""
        return select_best(self.moves)

    def report(self) -> dict[str, Any]:
        """The solution as plain data, with moves as in records and players 1 and 2."""
        game_text = registry.spec_of(self.game).text_for(self.game)
        return {
            "game": registry.spec_of(self.game).name,
            "options": {
                each.name: getattr(self.game, each.name) for each in options.declared(type(self.game))
            },
            "to_move": self.to_move + 1,
            "winner": None if self.winner is None else self.winner + 1,
            "value": self.value,
            "best": [game_text.format_move(move) for move in self.best],
            "moves": [
                {"move": game_text.format_move(move)} | worth.to_dict() for move, worth in self.moves.items()
            ],
            "method": self.method,
            "positions": self.positions,
            "seconds": round(self.seconds, 3),
        }


def fairest(choices: dict[Any, Worth]) -> list[Any]:
    """The moves that favour either side the least. With the pie rule they are the best first moves."""
    least = min(map(bias, choices.values()), default=0)
    return [move for move, worth in choices.items() if bias(worth) == least]


def bias(worth: Worth) -> int:
    """How much a move favours either side."""
    return abs(worth.value if worth.margin is None else worth.margin)


def solve(
    game: Game[Any, Any],
    state: Any = None,
    *,
    max_positions: int = MAX_POSITIONS,
    progress: ProgressCallback | None = None,
    oracle: Oracle[Any, Any] | None = None,
    moves: bool = True,
    nimbers: bool = False,
) -> Solution:
    """Solve a position, by default the start; TooLarge if that needs too many positions.

    A game with a random start needs a state, or a start fixed by `with_start`. `oracle` reuses earlier
    results. Without `moves` only the position itself is solved, which can be much faster. With `nimbers` its
    nimber is computed even if that takes longer than who wins.
    """
    search = SolutionSearch(
        game, state, max_positions=max_positions, oracle=oracle, moves=moves, nimbers=nimbers
    )
    return search.run(progress)


class SolutionSearch:
    """Solves a position; if that is interrupted, what was found by then is kept.

    The arguments are those of `solve`.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        state: Any = None,
        *,
        max_positions: int = MAX_POSITIONS,
        oracle: Oracle[Any, Any] | None = None,
        moves: bool = True,
        nimbers: bool = False,
    ) -> None:
        if state is None:
            if not has_fixed_start(game):
                raise ValueError(
                    "the numbers are not dealt yet: give a state, or fix the deal by `with_start`"
                )
            state = game.start(Random(0))
        self.game, self.state = game, state
        self.oracle = oracle or make_oracle(game, max_positions)
        self.worth: Worth | None = None
        """The worth of the position, as soon as it is known."""
        self.moves: dict[Any, Worth] = {}
        """The moves that are judged so far."""
        self._with_moves, self._with_nimbers = moves, nimbers

    def run(self, progress: ProgressCallback | None = None) -> Solution:
        """Solve the position; TooLarge if that needs too many positions."""
        began = time.perf_counter()
        oracle = self.oracle
        oracle.progress = progress
        known = oracle.evaluate_start(self.state)
        self.worth = known[0] if known else oracle.evaluate(self.state)
        method = oracle.method
        if not known and self._with_nimbers and self.worth.nimber is None:
            self.worth = self.worth._replace(nimber=oracle.nimber(self.state))
        if self._with_moves:
            for move, each in known[1].items() if known else oracle.iterate_moves(self.state):
                self.moves[move] = each
        return replace(self.solution(self.worth), method=method, seconds=time.perf_counter() - began)

    def solution(self, worth: Worth) -> Solution:
        """The solution with this worth and the moves that are judged so far."""
        return Solution(
            self.game, self.state, worth, self.moves, self.oracle.method, self.oracle.positions, 0.0
        )

    def partial_report(self) -> dict[str, Any]:
        """What is known so far as plain data: the report of a solution, without what is not known."""
        report = self.solution(self.worth or Worth(DRAW)).report()
        if self.worth is None:
            report |= {"winner": None, "value": None, "best": []}
        elif len(self.moves) < len(self.game.moves(self.state)):
            report["best"] = []
        unjudged = len(self.game.moves(self.state)) - len(self.moves)
        return report | {"partial": True, "unjudged": unjudged, "seconds": None}


def find_hint(game: Game[S, M], state: S, rng: Random) -> tuple[M, Message]:
    """A move to make, and why: proven where the rest of the game is known."""
    oracle = make_oracle(game, QUICK)
    try:
        move: M = rng.choice(strongest_moves(oracle, state))
        return move, oracle.why(state, move)
    except TooLarge:
        if len(game.moves(state)) > FEW:
            return GreedyPlayer().choose(game, state, rng), Message("It looks good, but that is not proven.")
        return MctsPlayer(TRIES).choose(game, state, rng), Message(
            "It did best when the rest of the game was tried out {tries} times. That is no proof.",
            tries=str(TRIES),
        )
