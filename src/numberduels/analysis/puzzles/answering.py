"""How a player answers a puzzle: with its move, or with what one game against itself suggests."""

from __future__ import annotations

from random import Random
from typing import Any

from numberduels.analysis.puzzles.model import Puzzle
from numberduels.analysis.puzzles.move_kinds import OnlyMove
from numberduels.analysis.puzzles.position_kind import A_AND_B
from numberduels.game.contract import Seat
from numberduels.game.table import Table
from numberduels.players.player import Player

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
