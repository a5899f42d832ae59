"""TablePanel: the players above and below the board, what is said about the game, and its end."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult

from numberduels.game.contract import OTHER, Seat
from numberduels.tui.board_view import BoardView
from numberduels.tui.ending_panel import EndingPanel
from numberduels.tui.large_board import explain_signs
from numberduels.tui.live_game import LiveGame
from numberduels.tui.plain import PlainText, ScrollPanel, TextField
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
        self.upper = PlainText(name="upper", classes="seat")
        self.turn = PlainText(name="turn")
        self.view = BoardView()
        self.effect = PlainText(name="effect")
        self.typed = TextField(placeholder="a move, as you would type it", name="typed")
        self.ending = EndingPanel()
        self.message = PlainText(name="message", classes="-empty")
        self.legend = PlainText(name="legend")
        self.lower = PlainText(name="lower", classes="seat")

    def compose(self) -> ComposeResult:
        """Everything from top to bottom."""
        yield from (self.upper, self.turn, self.view, self.effect, self.typed)
        yield from (self.ending, self.message, self.legend, self.lower)

    def show(self, looking: int | None, decided: str) -> None:
        """Show the game as it stands, or after `looking` moves; `decided` says where it was decided."""
        game, past = self.game, looking is not None
        over = game.over and not past
        mine = not game.over and not past and not game.computer_to_move
        self.view.show(game.board(looking), playing=mine, labels=game.labels)
        self.set_class(over, "-over")
        self.turn.set_class(past, "-past")
        self._write(self.turn, turn_text(game, looking))
        self._show_seats(past)
        self.show_effect("")
        if over:
            self.ending.show(game, decided)
            self._show_ending()

    @property
    def typing(self) -> bool:
        """Whether a move is being typed."""
        return self.has_class("-typing")

    def on_resize(self, _: events.Resize) -> None:
        """Keep the end on the screen."""
        self._show_ending()

    def _show_ending(self) -> None:
        """Scroll to the end of the game with its buttons, once it is arranged."""
        if self.has_class("-over"):
            self.once_arranged(self.ending.scroll_visible, animate=False)

    def _show_seats(self, past: bool) -> None:
        """The opponent above, the player below; of two people the second is above."""
        game = self.game
        below: Seat = game.person or 0
        for place, seat in ((self.upper, OTHER[below]), (self.lower, below)):
            turn = not game.over and game.table.turn == seat and not past
            place.set_class(turn, "-turn")
            self._write(place, seat_text(game, seat, turn=turn))

    def show_effect(self, move: str) -> None:
        """Tell what a previewed move would do, and what the signs mean. No move is empty."""
        view = self.view
        effect = view.board.effects.get(move)
        text = f"{self.game.say_move(move)}: {effect.text}. Enter plays it." if effect else view.typed
        self._write(self.effect, text if view.playing else "")
        self._write(self.legend, "   ".join(explain_signs(view.board, move, self.game.labels)))

    def say(self, text: str) -> None:
        """Show a sentence below the board, or none."""
        self.message.set_class(not text, "-empty")
        self.message.write(text)
        if text:
            self.once_arranged(self.message.scroll_visible, animate=False)

    def _write(self, place: PlainText, text: str) -> None:
        """Change a text; the screen is arranged again only if its height changes."""
        width = max(self.size.width - 2, 1)
        rows = [-(-len(str(each)) // width) for each in (place.shown, text)]
        place.write(text, layout=rows[0] != rows[1])
