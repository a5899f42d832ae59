"""A game as a dataset shows it: prompts, moves and reasons, in its own words or in the disguise."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from numberduels.game.formatting import plural
from numberduels.game.notation import format_game
from numberduels.players.conversation import Conversation
from numberduels.players.external import ExternalSettings
from numberduels.solvers import DRAW, WIN, Oracle


class ShownGame:
    """One game with a fixed start, as the prompts of a dataset show it."""

    def __init__(self, game: Any, settings: ExternalSettings) -> None:
        """ValueError if a disguise is asked for and the game has none."""
        self.conversation = Conversation(game, settings)
        self.game = game
        self.name = self.conversation.spec.name
        self.rules = format_game(game)
        """The game with all its options, and its deal, as the commands read it."""
        self._disguise = self.conversation.disguise
        self._text = self.conversation.spec.text_for(game)

    def question(self, state: Any, played: Sequence[Hashable], drawn: int = 0) -> list[dict[str, str]]:
        """The messages that ask a model for a move; the first `drawn` moves were drawn by lot."""
        return [
            {"role": each["role"], "content": each["content"]}
            for each in self.conversation.question(state, played, drawn)
        ]

    def record_move(self, move: Any) -> str:
        """A move in the game's own notation."""
        return self._text.format_move(move)

    def move(self, move: Any) -> str:
        """A move as a model answers it."""
        text = self.record_move(move)
        return self._disguise.scale(text) if self._disguise else text

    def points(self, points: int | None) -> int | None:
        """Points as a model counts them."""
        return points * self._disguise.factor if self._disguise and points is not None else points

    def reason(self, oracle: Oracle[Any, Any], state: Any, move: Any) -> str:
        """Why the move is good: the game's own explanation; in the disguise, what can be said of any game."""
        return self._general_reason(oracle, state, move) if self._disguise else str(oracle.why(state, move))

    def _general_reason(self, oracle: Oracle[Any, Any], state: Any, move: Any) -> str:
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
