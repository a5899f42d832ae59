"""MoveList: the moves of a game, and what each of them did."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from numberduels.board_text import SYMBOLS
from numberduels.tui.live_game import LiveGame


class MoveList(VerticalScroll):
    """The moves, of which one is marked. It scrolls to the end when there are more or fewer."""

    _shown = -1
    """How many moves are in the list."""

    def compose(self) -> ComposeResult:
        """One text for all moves."""
        yield Static("", id="panel", markup=False)

    def show(self, game: LiveGame, marked: int) -> None:
        """List the moves of this game, and mark the one with this number."""
        text = Text()
        for number, (seat, move, did) in enumerate(game.described_moves(), 1):
            mark = "▸" if number == marked else " "
            style = "bold" if number == marked else ""
            text.append(f"{mark}{number:>3}. {SYMBOLS[seat]} {move}", style)
            text.append(f"  {did}\n", "dim")
        grown = game.table.ply != self._shown
        self._shown = game.table.ply
        self.query_one("#panel", Static).update(text if text else Text("No move yet."), layout=grown)
        if grown:
            self.call_after_refresh(self.scroll_end, animate=False)
