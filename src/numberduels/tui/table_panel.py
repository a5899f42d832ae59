"""TablePanel: the players above and below the board, what is said about the game, and its end."""

from __future__ import annotations

from textwrap import wrap

from rich.text import Text
from textual import events
from textual.app import ComposeResult

from numberduels.game.board_text import SYMBOLS, explain_signs
from numberduels.game.contract import OTHER, Seat
from numberduels.game.formatting import capitalised
from numberduels.play.live_game import LiveGame
from numberduels.play.live_text import result_text, turn_text
from numberduels.tui.board_view import BoardView
from numberduels.tui.widgets import Column, PlainButton, PlainText, Row, Scroll, ScrollPanel, TextField


def seat_text(game: LiveGame, seat: Seat, *, turn: bool) -> str:
    """The line of a seat: a mark if it is to move, its sign, its name and its points."""
    scores = f"  {game.scores[seat]} points" if game.scores else ""
    return f"{'▶' if turn else ' '} {SYMBOLS[seat]} {capitalised(game.label(seat))}{scores}"


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


class EndingPanel(Column):
    """The result, and buttons for what the screen can do next."""

    DEFAULT_CSS = """
    EndingPanel { height: auto; border: round $success; padding: 0 1; }
    EndingPanel #choices { height: auto; }
    EndingPanel #choices Button { margin: 0 1 0 0; min-width: 12; height: 1; border: none; }
    EndingPanel #result { text-style: bold; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.result = PlainText(name="result")
        self.decided = PlainText(name="decided")
        self.rematch = PlainButton("Rematch (n)", name="rematch", action="rematch", variant="success")
        self.review = PlainButton("Review (w)", name="review", action="review")
        self.other = PlainButton("", name="next-opponent", action="next_opponent")

    def compose(self) -> ComposeResult:
        """Sentences, and the buttons below them."""
        yield self.result
        yield self.decided
        yield Row(self.rematch, self.review, self.other, id="choices")

    def show(self, game: LiveGame, decided: str) -> None:
        """Tell the result of this game, which is over, and where it was decided."""
        lines = [result_text(game)]
        if match := game.match_result:
            lines.append(match)
        self.result.write("\n".join(lines))
        self.decided.write(decided)
        following = game.next_game() is not None
        self.rematch.label = "Next game (n)" if following else "Rematch (n)"
        self.other.display = bool(game.next_opponent)
        self.other.label = f"Play {game.next_opponent} (o)"


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
