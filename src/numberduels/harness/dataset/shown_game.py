"""A game as a dataset shows it: prompts, moves and reasons, in its own words or in the disguise."""

from __future__ import annotations

from typing import Any

from numberduels.game.formatting import plural
from numberduels.game.registry import format_game
from numberduels.players.conversation import Conversation
from numberduels.players.external import ExternalSettings
from numberduels.solvers import DRAW, WIN, Oracle


class ShownGame(Conversation):
    """One game with a fixed start, as the prompts of a dataset show it."""

    def __init__(self, game: Any, settings: ExternalSettings) -> None:
        """ValueError if a disguise is asked for and the game has none."""
        super().__init__(game, settings)
        self.option_text = format_game(game)
        """The game with all its options, and its deal, as the commands read it."""
        self.record_move = self.spec.text_for(game).format_move
        """A move in the game's own notation."""

    def points(self, points: int | None) -> int | None:
        """Points as a model counts them."""
        return points * self.disguise.factor if self.disguise and points is not None else points

    def reason(self, oracle: Oracle[Any, Any], state: Any, move: Any) -> str:
        """Why the move is good: the game's own explanation; in the disguise, what can be said of any game."""
        if not self.disguise:
            return str(oracle.why(state, move))
        worth = oracle.evaluate_move(state, move)
        best, moves = len(oracle.best_moves(state)), len(self.game.moves(state))
        if worth.margin is None:
            end = f", and the game ends after {plural(worth.remoteness, 'move')}" if worth.remoteness else ""
            does = "wins" if worth.value == WIN else "holds the draw" if worth.value == DRAW else "loses"
            said = f"It {does} against any answer{end}."
        else:
            margin = self.points(abs(worth.margin)) or 0
            side = "ahead" if worth.margin > 0 else "behind"
            where = f"{margin} {side}" if margin else "level"
            said = f"With best play from here you end {where}."
        if best == 1:
            return f"{said} No other move is as good."
        return f"{said} {best} of {moves} moves are as good."
