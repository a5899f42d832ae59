"""SavedGamesScreen: every kept game and match, newest first; go on with it, review it or delete it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets.option_list import Option

from numberduels.game import record
from numberduels.game.board import board_of
from numberduels.game.board_text import SYMBOLS, draw_board, plain_text
from numberduels.game.formatting import capitalised, plural
from numberduels.game.record import UNFINISHED, Record
from numberduels.play.live_text import player_names
from numberduels.play.saved_games import SavedGame, SavedMatch, delete_game, in_one_line, opened, standing
from numberduels.play.setup import continue_saved
from numberduels.tui.base import ListScreen
from numberduels.tui.widgets import PlainList, PlainText

MOST = 200
"""The most games in the list."""


class ListedGame(NamedTuple):
    """A line of the list: what is kept, the game to look at, and its words."""

    saved: SavedGame | SavedMatch
    record: Record | None
    """The game, or the last game of a match; None if the match has none yet."""
    text: str
    part: bool = False
    """Whether it is one game of a match."""


class SavedGamesScreen(ListScreen):
    """A list of games, and the board of the one that is highlighted."""

    DEFAULT_CSS = """
    SavedGamesScreen #list { width: 1fr; }
    SavedGamesScreen #message { height: auto; padding: 0 1; color: $warning; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Continue or review", priority=True),
        Binding("w", "review", "Review"),
        Binding("x", "delete", "Delete"),
    ]

    def __init__(self) -> None:
        super().__init__("My games")
        self.entries: list[ListedGame] = []
        self.message = PlainText(name="message")
        self.message.display = False
        self._told_at: int | None = None
        """The line that the message is about."""
        self._deleting = False
        """Whether the message asks for the second press that deletes."""

    def body(self) -> ComposeResult:
        """The list and the details, and below them a message."""
        yield from super().body()
        yield self.message

    def _tell(self, text: str = "", *, deleting: bool = False) -> None:
        """Show a message about the highlighted line, or none."""
        self._told_at, self._deleting = self.list.highlighted, deleting
        self.message.write(text)
        self.message.display = bool(text)

    def on_screen_suspend(self) -> None:
        """Nothing is asked any more."""
        self._tell()

    def on_screen_resume(self) -> None:
        """Read the games, which may have changed."""
        saved = opened(MOST)
        self.entries = [entry for each in saved for entry in _entries(each)]
        place = min(self.list.highlighted or 0, len(self.entries) - 1)
        options = [Option(Text(each.text), id=str(number)) for number, each in enumerate(self.entries)]
        self.list.fill(options, str(place))
        self.list.border_title = f"{len(saved)} kept" if saved else "Nothing is kept yet"
        self._show()
        self.refresh_bindings()

    @property
    def chosen(self) -> ListedGame | None:
        """The highlighted line."""
        place = self.list.highlighted
        return None if place is None or place >= len(self.entries) else self.entries[place]

    @on(PlainList.OptionHighlighted)
    def _highlighted(self) -> None:
        if self.list.highlighted != self._told_at:  # the message may be newer than this event
            self._tell()
        self._show()

    def _show(self) -> None:
        chosen = self.chosen
        game = chosen.record if chosen else None
        text = chosen.text.strip() if chosen else "Games that you play are kept here."
        if game:
            table = game.table()
            board = board_of(game.game, table.state, table.played)
            board = board if game.result == UNFINISHED else board.finished()
            first, second = map(capitalised, player_names(game.seats, game.names))
            width = max(self.details.size.width - 4, 20)
            drawn = draw_board(board, width, effects=0, labels=(first, second), signs=SYMBOLS)
            text += f"\n\n{plain_text(drawn)}"
            text += f"\n\n{plural(len(game.moves), 'move')}"
        if chosen:
            text += f"\nIn line mode: duel review {chosen.saved.id}"
        self.about.write(text)

    def action_open(self) -> None:
        """Go on with an unfinished game or match; review a finished one, or a finished game of a match."""
        chosen = self.chosen
        if chosen is None:
            return
        over = bool(chosen.record and chosen.record.result != UNFINISHED)
        if chosen.saved.finished or (chosen.part and over):
            self.action_review()
            return
        try:
            self.open("play", continue_saved(chosen.saved))
        except ValueError as fault:
            self.notify(str(fault), severity="warning")

    def action_review(self) -> None:
        """Judge every move of the chosen game; of a match, of its last game."""
        chosen = self.chosen
        if chosen and chosen.record:
            self.open("review", record.write(chosen.record), chosen.saved.path)

    def action_delete(self) -> None:
        """Delete the chosen game or match, if the key is pressed twice."""
        if self.chosen is None:
            return
        saved = self.chosen.saved
        if not self._deleting:
            what = "game" if isinstance(saved, SavedGame) else "match with all its games"
            self._tell(f"Press x once more to delete this {what} for ever.", deleting=True)
            return
        told = f"Deleted: {in_one_line(saved)}"
        try:
            delete_game(saved.path)
        except (OSError, ValueError) as fault:
            told = f"It cannot be deleted: {fault}"
        self.on_screen_resume()
        self._tell(told)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without games there is nothing to open or delete."""
        return action not in ("open", "review", "delete") or bool(self.entries)


def _entries(saved: SavedGame | SavedMatch) -> Iterator[ListedGame]:
    """The line of a game or match, and below a match of several games a line for each of them."""
    if isinstance(saved, SavedGame):
        yield ListedGame(saved, saved.record, in_one_line(saved))
        return
    played = saved.series.played
    yield ListedGame(saved, played[-1] if played else None, in_one_line(saved))
    if len(played) > 1:
        for number, game in enumerate(played, 1):
            yield ListedGame(saved, game, f"   game {number}: {standing(game)}", part=True)
