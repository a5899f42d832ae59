"""TablePanel: the players above and below the board, what is said about the game, and its end."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.widgets import Input, Static

from numberduels.core import OTHER, Seat
from numberduels.tui.base import ScrollPanel
from numberduels.tui.board_view import BoardView
from numberduels.tui.ending_panel import EndingPanel
from numberduels.tui.large_board import explain_signs
from numberduels.tui.live_game import LiveGame
from numberduels.tui.play_text import seat_text, turn_text


class TablePanel(ScrollPanel):
    """One game, now or earlier. The class `-over` is for its end, `-typing` for a typed move."""

    DEFAULT_CSS = """
    TablePanel { width: 2fr; padding: 0 1; }
    TablePanel .seat { height: 1; }
    TablePanel .seat.-turn { background: $primary 30%; text-style: bold; }
    TablePanel #turn { height: auto; text-style: bold; }
    TablePanel #turn.-past { color: $accent; }
    TablePanel #effect { height: auto; min-height: 1; color: $success; }
    TablePanel #legend { height: auto; color: $text-muted; }
    TablePanel #message { height: auto; margin: 1 0 0 0; }
    TablePanel #message.-empty { display: none; }
    TablePanel #typed { display: none; height: 3; }
    TablePanel.-typing #typed { display: block; }
    TablePanel EndingPanel { display: none; }
    TablePanel.-over EndingPanel { display: block; }
    TablePanel.-over #effect, TablePanel.-over #turn { display: none; }
    """

    def __init__(self, game: LiveGame) -> None:
        super().__init__()
        self.game = game
        self._written: dict[str, str] = {}
        """What stands in each text that changes often."""

    def compose(self) -> ComposeResult:
        """Everything from top to bottom."""
        yield Static("", id="upper", classes="seat", markup=False)
        yield Static("", id="turn", markup=False)
        yield BoardView()
        yield Static("", id="effect", markup=False)
        yield Input(placeholder="a move, as you would type it", id="typed")
        yield EndingPanel()
        yield Static("", id="message", classes="-empty", markup=False)
        yield Static("", id="legend", markup=False)
        yield Static("", id="lower", classes="seat", markup=False)

    def show(self, looking: int | None) -> None:
        """Show the game as it stands, or after `looking` moves."""
        game, past = self.game, looking is not None
        over = game.over and not past
        mine = not game.over and not past and not game.computer_to_move
        self.query_one(BoardView).show(game.board(looking), playing=mine, labels=game.labels)
        self.set_class(over, "-over")
        self.query_one("#turn", Static).set_class(past, "-past")
        self._write("#turn", turn_text(game, looking))
        self._show_seats(past)
        self.show_effect("")
        if over:
            self.query_one(EndingPanel).show(game)
            self._show_ending()

    def tell_decision(self, text: str) -> None:
        """Tell where the game, which is over, was decided."""
        self.query_one(EndingPanel).tell_decision(text)
        self._show_ending()

    def on_resize(self, _: events.Resize) -> None:
        """Keep the end on the screen."""
        self._show_ending()

    def _show_ending(self) -> None:
        """Scroll to the end of the game with its buttons, once it is arranged."""
        if self.has_class("-over"):
            self.call_after_refresh(self.query_one(EndingPanel).scroll_visible, animate=False)

    def _show_seats(self, past: bool) -> None:
        """The opponent above, the player below; of two people the second is above."""
        game = self.game
        below: Seat = game.person or 0
        for place, seat in (("#upper", OTHER[below]), ("#lower", below)):
            turn = not game.over and game.table.turn == seat and not past
            self.query_one(place, Static).set_class(turn, "-turn")
            self._write(place, seat_text(game, seat, turn=turn))

    def show_effect(self, move: str) -> None:
        """Tell what a previewed move would do, and what the signs mean. No move is empty."""
        view = self.query_one(BoardView)
        effect = view.board.effects.get(move)
        text = f"{self.game.say_move(move)}: {effect.text}. Enter plays it." if effect else view.typed
        self._write("#effect", text if view.playing else "")
        self._write("#legend", "   ".join(explain_signs(view.board, move, self.game.labels)))

    def say(self, text: str) -> None:
        """Show a sentence below the board, or none."""
        message = self.query_one("#message", Static)
        message.set_class(not text, "-empty")
        message.update(text)
        if text:
            self.call_after_refresh(message.scroll_visible, animate=False)

    def _write(self, place: str, text: str) -> None:
        """Change a text if it is another one; the screen is arranged again only if its height changes."""
        before = self._written.get(place, "")
        if text != before:
            self._written[place] = text
            width = max(self.size.width - 2, 1)
            rows = [-(-len(each) // width) for each in (before, text)]
            self.query_one(place, Static).update(text, layout=rows[0] != rows[1])
