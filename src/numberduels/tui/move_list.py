"""MoveList: the moves of a game, and what each of them did."""

from __future__ import annotations

from textwrap import wrap

from rich.text import Text
from textual import events
from textual.app import ComposeResult

from numberduels.game.board_text import SYMBOLS
from numberduels.tui.live_game import LiveGame
from numberduels.tui.plain import PlainText, Scroll

UNBREAKABLE = "\N{NO-BREAK SPACE}"
NARROWEST = 16
"""Before the list has a width, and on absurdly narrow terminals, lines are broken for this one."""


class MoveList(Scroll):
    """The moves, of which one is marked. It scrolls to the end when there are more or fewer."""

    def __init__(self) -> None:
        super().__init__()
        self.text = PlainText(name="panel")
        self._game: LiveGame | None = None
        self._marked = 0
        self._shown = -1
        """How many moves are in the list."""

    def compose(self) -> ComposeResult:
        """One text for all moves."""
        yield self.text

    def show(self, game: LiveGame, marked: int) -> None:
        """List the moves of this game, and mark the one with this number."""
        grown = game.table.ply != self._shown
        self._game, self._marked, self._shown = game, marked, game.table.ply
        self._write(layout=grown)
        if grown:
            self.once_arranged(self.scroll_end, animate=False)

    def on_resize(self, _: events.Resize) -> None:
        """Break the lines for the new width."""
        self._write(layout=True)

    def _write(self, *, layout: bool) -> None:
        text = Text()
        width = max(self.scrollable_content_region.width, NARROWEST)
        for number, (seat, move, did) in enumerate(self._game.described_moves() if self._game else (), 1):
            mark = "▸" if number == self._marked else " "
            head = f"{mark}{number:>3}. {SYMBOLS[seat]} "
            lines = "\n".join(broken_lines(head, move, did, width))
            told = len(head) + len(move)
            text.append(lines[:told], "bold" if number == self._marked else "")
            text.append(f"{lines[told:]}\n", "dim")
        self.text.write(text if text else Text("No move yet."), layout=layout)


def broken_lines(head: str, move: str, did: str, width: int) -> list[str]:
    """A move and what it did, in lines of this width. All lines but the first begin below the move.

    >>> broken_lines("   1. ◆ ", "6", "leaves 1-5 and 7-10", 22)
    ['   1. ◆ 6  leaves 1-5', '        and 7-10']
    """
    told = f"{head}{move}".replace(" ", UNBREAKABLE)
    lines = wrap(f"{told}  {did}", width, subsequent_indent=" " * len(head), break_on_hyphens=False)
    return [line.replace(UNBREAKABLE, " ") for line in lines]
