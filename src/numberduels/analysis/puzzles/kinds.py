"""The kinds of puzzles. Each is written once, for all games.

| kind           | the question                                             |
|----------------|----------------------------------------------------------|
| only-move      | the only move that wins                                  |
| only-draw      | the only move that holds the draw                        |
| first-move     | the only first move that wins                            |
| highest-move   | the highest of several moves that win                    |
| lowest-move    | the lowest of several moves that win                     |
| which-position | in which of two positions the player to move wins        |
| winning-moves  | how many of the legal moves win                          |
| length         | how many more moves are made at best play                |
| margin         | by how many points the winner wins at best play          |
"""

from __future__ import annotations

from numberduels.analysis.puzzles.model import Puzzle
from numberduels.analysis.puzzles.move_kinds import FirstMove, HighestMove, LowestMove, OnlyDraw, OnlyMove
from numberduels.analysis.puzzles.number_kinds import Length, Margin, WinningMoves
from numberduels.analysis.puzzles.position_kind import WhichPosition

KINDS: dict[str, type[Puzzle]] = {
    each.kind: each
    for each in (
        OnlyMove,
        OnlyDraw,
        FirstMove,
        HighestMove,
        LowestMove,
        WhichPosition,
        WinningMoves,
        Length,
        Margin,
    )
}
"""Every kind by its name."""
