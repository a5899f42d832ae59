"""PositionView: a board, what the previewed move would do, and what the signs mean.

Lessons and puzzles show positions with it. It knows no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual import events
from textual.app import ComposeResult

from numberduels.game import registry
from numberduels.game.board import board_of
from numberduels.game.board_text import plain_text, wrap_parts
from numberduels.game.table import Table
from numberduels.tui.board_view import LABELS, BoardView
from numberduels.tui.large_board import explain_signs
from numberduels.tui.plain import Column, PlainText

HOW_TO_PLAY = "Arrow keys or the mouse choose, Enter plays."


class PositionView(Column):
    """A position. `labels` are the names of the players by seat."""

    DEFAULT_CSS = """
    PositionView { height: auto; }
    PositionView > Static { height: auto; }
    PositionView > .effect { color: $success; }
    PositionView > .legend { color: $text-muted; }
    """

    def __init__(
        self, labels: tuple[str, str] = LABELS, *, name: str = "position", most_rows: int = 0
    ) -> None:
        """`most_rows` limits the height of the board; 0 is the screen's half."""
        super().__init__(id=name)
        self.view = BoardView(most_rows=most_rows)
        self.view.can_focus = False
        self.effect = PlainText(classes="effect")
        self.legend = PlainText(classes="legend")
        self._labels = labels
        self._say: Mapping[str, str] = {}

    def compose(self) -> ComposeResult:
        """The board, the effect of the previewed move, and the signs."""
        yield self.view
        yield self.effect
        yield self.legend

    def show(
        self,
        table: Table[Any, Any],
        *,
        playing: bool = False,
        shown: str = "",
        marks: Mapping[str, str] | None = None,
    ) -> None:
        """Show another position. The other arguments are those of `BoardView.show`."""
        board = board_of(table.game, table.state, table.played)
        text = registry.spec_of(table.game).text_for(table.game)
        self._say = {move: text.typed(text.parse_move(move)) for move in board.effects}
        self.view.can_focus = playing
        self.view.show(board, playing=playing, shown=shown, marks=marks, labels=self._labels)
        self._update()

    def on_board_view_previewed(self) -> None:
        """Say what the move would do. The message goes on to the screen."""
        self._update()

    def on_resize(self, _: events.Resize) -> None:
        """Wrap the explanation of the signs again."""
        self._update()

    def _update(self) -> None:
        board, move = self.view.board, self.view.move
        effect = board.effects.get(move)
        if effect:
            text = f"{self._say.get(move, move)}: {effect.text}"
        else:
            text = HOW_TO_PLAY if self.view.playing and not move else ""
        signs = explain_signs(board, move, self._labels)
        legend = plain_text(wrap_parts(signs, self.size.width or 40, "legend"))
        for part, shown in ((self.effect, text), (self.legend, legend)):
            part.display = bool(shown)
            part.write(shown)
