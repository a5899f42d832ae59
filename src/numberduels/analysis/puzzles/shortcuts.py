"""What a puzzle must withstand: shortcuts, and a search of limited depth, which gives it its level.

Shortcuts are ways to answer without looking ahead. No puzzle may fall to one of them.

A shortcut that always gives the same answer must not give the right one. `greedy`, which chooses at random
among the moves that do not lose at once, may be right in at most CHANCE of SEEDS seeds, or a quarter more
often than blind chance, if that is more. Where a move is asked for, its answer is the move that it would
make; other questions it answers by playing against itself (`answer_by`). With only two legal moves, every
answer is the lowest or the highest; there only `greedy` counts.

In a question between two positions a shortcut that is always wrong would be as good as one that is always
right. So no shortcut may prefer one of them: both offer the same number of moves, and every recipe of the
game says the same about both, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from random import Random
from typing import Any

from numberduels.analysis.puzzles.model import (
    AnyTable,
    MoveRecipe,
    Puzzle,
    PuzzlePlan,
)
from numberduels.analysis.puzzles.move_puzzles import A_AND_B, OnlyMove, WhichPosition
from numberduels.game.contract import Bounded, Scored, Seat, Symmetric, always_ends
from numberduels.game.table import Table
from numberduels.players.player import Player
from numberduels.players.search import GreedyPlayer
from numberduels.solvers import DRAW, LOSS, WIN, TooLarge
from numberduels.solvers.general import lead

LONGEST = 100
"""The most moves of a game of a player against itself."""


def answer_by(player: Player, puzzle: Puzzle, rng: Random) -> str:
    """The answer of a player that is prepared for the game; empty if it has none.

    A question about its own best move it answers with its move. Otherwise it plays one game against itself
    from each position in question and believes the result.
    """
    table = puzzle.table
    if isinstance(puzzle, OnlyMove):
        return puzzle.game_text.format_move(player.choose(puzzle.game, puzzle.state, rng))
    if puzzle.kind == "which-position":
        wins = [self_play(player, each, rng)[0] == each.turn for each in puzzle.tables]
        return rng.choice(A_AND_B) if wins[0] == wins[1] else A_AND_B[wins[1]]
    if puzzle.kind == "length":
        return str(self_play(player, table, rng)[1])
    if puzzle.kind == "margin":
        return str(self_play(player, table, rng)[2])
    winning = []
    for move in table.moves:
        after: Table[Any, Any] = Table(puzzle.game, table.start, (*table.played, move))
        if self_play(player, after, rng)[0] == table.turn:
            winning.append(move)
    if puzzle.kind == "winning-moves":
        return str(len(winning))
    chosen = (max if puzzle.kind == "highest-move" else min)(winning, default=None)
    return "" if chosen is None else puzzle.game_text.format_move(chosen)


def self_play(player: Player, table: Table[Any, Any], rng: Random) -> tuple[Seat | None, int, int]:
    """The winner, the number of moves and the margin of a game that the player plays against itself."""
    game, state, plies = table.game, table.state, 0
    while not (outcome := game.outcome(state)) and plies < LONGEST:
        state = game.play(state, player.choose(game, state, rng))
        plies += 1
    first, second = outcome.scores if outcome and outcome.scores else (0, 0)
    return outcome.winner if outcome else None, plies, abs(first - second)


CHANCE = 0.4
"""The largest share of seeds in which `greedy` may be right."""

SEEDS = 20
"""How many seeds are tried."""


def smallest(table: AnyTable) -> Hashable | None:
    """The lowest number."""
    return min(_numbers(table), default=None)


def largest(table: AnyTable) -> Hashable | None:
    """The highest number."""
    return max(_numbers(table), default=None)


def nearest(table: AnyTable) -> Hashable | None:
    """The number nearest to the last one."""
    last = table.played[-1] if table.played else None
    if type(last) is not int:
        return None
    return min(_numbers(table), key=lambda number: (abs(number - last), number), default=None)


def farthest(table: AnyTable) -> Hashable | None:
    """The number farthest from the last one."""
    last = table.played[-1] if table.played else None
    if type(last) is not int:
        return None
    return max(_numbers(table), key=lambda number: (abs(number - last), number), default=None)


def middle(table: AnyTable) -> Hashable | None:
    """The middle one of an odd count of numbers."""
    numbers = sorted(_numbers(table))
    return numbers[len(numbers) // 2] if len(numbers) % 2 else None


def _numbers(table: AnyTable) -> list[int]:
    """The legal moves if they are numbers, else nothing."""
    moves = table.moves
    return list(moves) if all(type(move) is int for move in moves) else []


GENERAL: Mapping[str, MoveRecipe] = {
    "smallest": smallest,
    "largest": largest,
    "nearest": nearest,
    "farthest": farthest,
    "middle": middle,
}
"""The shortcuts to a move of every game."""


def shortcut_answers(puzzle: Puzzle, plan: PuzzlePlan | None) -> dict[str, str]:
    """The answer of each shortcut that always gives the same one; those that give none are left out."""
    if isinstance(puzzle, WhichPosition):
        return _judged(puzzle, plan)
    if puzzle.asks_for == "number":
        return _guessed(puzzle, plan)
    recipes = dict(plan.move_recipes) if plan else {}
    if len(puzzle.table.moves) > 2:
        recipes = {**GENERAL, **recipes}
    format_move = puzzle.game_text.format_move
    found = {name: recipe(puzzle.table) for name, recipe in recipes.items()}
    return {name: format_move(move) for name, move in found.items() if move is not None}


def _judged(puzzle: Puzzle, plan: PuzzlePlan | None) -> dict[str, str]:
    """By recipe, the position that it prefers."""
    found = {}
    one, other = puzzle.tables
    if len(one.moves) != len(other.moves):
        found["more moves"] = A_AND_B[len(one.moves) < len(other.moves)]
        found["fewer moves"] = A_AND_B[len(one.moves) > len(other.moves)]
    for name, recipe in (plan.value_recipes if plan else {}).items():
        values = [recipe(table) for table in puzzle.tables]
        if values[0] == values[1]:
            continue  # it says the same about both
        won = values[0] == WIN or values[1] == LOSS
        found[name] = A_AND_B[not won]
    return found


def _guessed(puzzle: Puzzle, plan: PuzzlePlan | None) -> dict[str, str]:
    """By recipe, the number that it guesses."""
    table = puzzle.table
    found: dict[str, int | None] = {"legal moves": len(table.moves)}
    if isinstance(table.game, Bounded):
        found["all that is left"] = table.game.max_plies - table.ply
    for name, recipe in (plan.number_recipes if plan else {}).items():
        found[name] = recipe(table)
    return {name: str(number) for name, number in found.items() if number is not None}


def greedy_share(puzzle: Puzzle) -> float:
    """The share of seeds in which `greedy` gives the right answer: its move, or what self-play suggests."""
    player, right = GreedyPlayer(), 0
    for seed in range(SEEDS):
        rng = Random(seed)
        if puzzle.asks_for == "move":
            move = player.choose(puzzle.game, puzzle.state, rng)
            right += puzzle.game_text.format_move(move) == puzzle.answer
        else:
            right += answer_by(player, puzzle, rng) == puzzle.answer
    return right / SEEDS


def falls_to(puzzle: Puzzle, plan: PuzzlePlan | None) -> str:
    """The name of a shortcut that solves the puzzle; empty if there is none."""
    return falls_to_recipe(puzzle, plan) or ("greedy" if falls_to_greedy(puzzle) else "")


def falls_to_recipe(puzzle: Puzzle, plan: PuzzlePlan | None) -> str:
    """The name of a shortcut that always gives the same answer, the right one; empty if there is none."""
    for name, answer in shortcut_answers(puzzle, plan).items():
        if answer == puzzle.answer or isinstance(puzzle, WhichPosition):
            return name
    return ""


def falls_to_greedy(puzzle: Puzzle) -> bool:
    """Whether `greedy` is right more often than the rule allows."""
    return greedy_share(puzzle) > max(CHANCE, 1.25 / len(puzzle.answers))


# The search of limited depth

MAX_POSITIONS = 60_000
"""The most positions of one search."""


class LimitedSearch:
    """Searches one game to any depth; what was seen is remembered.

    In a game that must end, best play is computed once and says what every depth sees. If that takes too many
    positions, and in other games, each depth is searched by itself.

    >>> from random import Random
    >>> from numberduels.games.summation_duel.rules import SummationDuel
    >>> game = SummationDuel(size=10, target=20)
    >>> search, start = LimitedSearch(game), game.start(Random(0))
    >>> [search.value(start, plies) for plies in (2, 4, 6)]
    [0, 0, 1]
    """

    def __init__(
        self,
        game: Any,
        max_positions: int = MAX_POSITIONS,
        twin: Callable[[Any], Any] | None = None,
    ) -> None:
        """`twin` maps positions that are worth the same to one key; by default the game's own."""
        self.game = game
        self.max_positions = max_positions
        self.positions = 0
        self.scored = isinstance(game, Scored)
        self._must_end = always_ends(game)
        self._seen: dict[tuple[Any, int], int] = {}
        self._ends: dict[Any, tuple[int, int]] = {}
        if twin is None:
            twin = game.canonical if isinstance(game, Symmetric) else lambda state: state
        self._twin = twin

    def value(self, state: Any, plies: int) -> int:
        """What a search of so many plies sees for the player to move: WIN, LOSS, or 0 if neither.

        In a game of points, it sees WIN for a lead and LOSS for being behind. TooLarge beyond the limit.
        """
        if self.scored:
            margin = self.margin(state, plies)
            return WIN if margin > 0 else LOSS if margin < 0 else DRAW
        return self._value(state, plies)

    def margin(self, state: Any, plies: int) -> int:
        """In a game of points, the lead of the player to move after so many plies of best play."""
        return lead(self.game, state) + self._gain(self.game.without_scores(state), plies)

    def _value(self, state: Any, plies: int) -> int:
        if self._must_end:
            # A search sees a win or a loss if and only if best play ends the game within its depth.
            try:
                value, end = self._best_end(state)
                return value if end <= plies else DRAW
            except TooLarge:
                self._must_end = False
        key = self._twin(state), plies
        found = self._seen.get(key)
        if found is None:
            self._count()
            found = self._seen[key] = self._look(state, plies)
        return found

    def _best_end(self, state: Any) -> tuple[int, int]:
        """The value of a position, and the plies to the end if the winner hurries and the loser delays."""
        key = self._twin(state)
        found = self._ends.get(key)
        if found is None:
            self._count()
            game = self.game
            outcome = game.outcome(state)
            if outcome is not None:
                won = 0 if outcome.winner is None else WIN if outcome.winner == game.turn(state) else LOSS
                found = won, 0
            else:
                after = [self._best_end(game.play(state, move)) for move in game.moves(state)]
                value = -min(after)[0]
                plies = [end for worth, end in after if -worth == value]
                found = value, 1 + (min(plies) if value == WIN else max(plies))
            self._ends[key] = found
        return found

    def _look(self, state: Any, plies: int) -> int:
        game = self.game
        outcome = game.outcome(state)
        if outcome is not None:
            if outcome.winner is None:
                return DRAW
            return WIN if outcome.winner == game.turn(state) else LOSS
        if not plies:
            return DRAW
        best = LOSS
        for move in game.moves(state):
            best = max(best, -self._value(game.play(state, move), plies - 1))
            if best == WIN:
                break
        return best

    def _gain(self, twin: Any, plies: int) -> int:
        """The points that the player to move gains within so many plies, from a position without scores."""
        if not plies:
            return 0
        key = self._twin(twin), plies
        found = self._seen.get(key)
        if found is None:
            self._count()
            game = self.game
            ahead = lead(game, twin)
            gains = []
            for move in game.moves(twin):
                after = game.play(twin, move)
                gains.append(-lead(game, after) - self._gain(game.without_scores(after), plies - 1))
            found = self._seen[key] = max(gains, default=ahead) - ahead
        return found

    def _count(self) -> None:
        self.positions += 1
        if self.positions > self.max_positions * (1 if self._must_end else 2):
            raise TooLarge(f"there are more than {self.max_positions:,} positions")
