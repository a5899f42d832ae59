"""Table: a game in progress, with its moves, undo and replay."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, Generic

from numberduels.game.contract import Bounded, Game, IllegalMove, M, Outcome, S, Seat, has_fixed_start

PLY_LIMIT = 1_000
"""Computer players stop after this many moves in a game that may never end."""


THREEFOLD = 3
"""A position that stands so often, in a game that need not end, is a reason to agree on a draw."""


class Table(Generic[S, M]):
    """One game in progress.

    >>> from numberduels.games.summation_duel.rules import SummationDuel
    >>> table = Table(SummationDuel(size=4, target=6))
    >>> for number in (4, 2):
    ...     table.play(number)
    >>> table.outcome
    Outcome(winner=1, why='exact', scores=None)
    >>> table.undo()
    2
    >>> table.outcome is None
    True
    """

    def __init__(self, game: Game[S, M], start: S | None = None, moves: Iterable[M] = ()) -> None:
        """Start at this position (by default a new start of the game) and play these moves."""
        self.game = game
        self.start: S = game.start(Random()) if start is None else start
        self._steps: list[tuple[M, S]] = []  # pairs, so that Ctrl-C cannot separate a move from its state
        for move in moves:
            self.play(move)

    @property
    def state(self) -> S:
        """The position now."""
        return self._steps[-1][1] if self._steps else self.start

    @property
    def played(self) -> tuple[M, ...]:
        """The moves so far."""
        return tuple(move for move, _ in self._steps)

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self._steps)

    @property
    def turn(self) -> Seat:
        """The seat to move."""
        return self.game.turn(self.state)

    @property
    def moves(self) -> Sequence[M]:
        """The legal moves now."""
        return self.game.moves(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.game.outcome(self.state)

    @property
    def exceeds_ply_limit(self) -> bool:
        """Whether a game that may never end has reached the limit for computer players."""
        return self.ply >= PLY_LIMIT and not isinstance(self.game, Bounded)

    @property
    def times_reached(self) -> int:
        """How often the position now has stood in this game, this time included.

        >>> from numberduels.games.range_war.rules import RangeWar
        >>> Table(RangeWar(5), moves=(3, 2)).times_reached
        1
        """
        return 1 + sum(before == self.state for before, _, _ in self.steps())

    def play(self, move: M) -> None:
        """Make a move; IllegalMove changes nothing."""
        self._steps.append((move, self.game.play(self.state, move)))

    def play_text(self, text: str, parse_move: Callable[[str], M]) -> None:
        """Make the move that a text means; Unreadable and IllegalMove change nothing."""
        if self.outcome:
            raise IllegalMove("The game is over before it.")
        self.play(parse_move(text))

    def at(self, ply: int) -> Table[S, M]:
        """The table as it was after so many moves.

        >>> from numberduels.games.range_war.rules import RangeWar
        >>> Table(RangeWar(5), moves=(3, 2, 4)).at(2).played
        (3, 2)
        """
        earlier: Table[S, M] = Table(self.game, self.start)
        earlier._steps = self._steps[:ply]
        return earlier

    def undo(self) -> M:
        """Undo the last move and return it; IndexError if there is none."""
        move, _ = self._steps.pop()
        return move

    def steps(self) -> Iterator[tuple[S, M, S]]:
        """Every move with the position before and after it."""
        before = self.start
        for move, after in self._steps:
            yield before, move, after
            before = after


def deal(game: Any, rng: Random) -> Any:
    """The game with its start fixed: a random start is drawn, a fixed one is left as it is."""
    return game if has_fixed_start(game) else game.with_start(game.start(rng))


def replay(game: Any, moves: Iterable[Any] = ()) -> Table[Any, Any]:
    """A game with a fixed start after these moves; IllegalMove if the rules refuse one.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> replay(RangeWar(size=5), (3, 2)).moves
    (4, 5)
    """
    return Table(game, game.start(Random(0)), moves)
