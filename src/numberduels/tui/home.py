"""HomeScreen: where everything begins. One letter, a click or Enter opens each entry."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from numberduels.game.board import board_of
from numberduels.game.board_text import SYMBOLS, draw_board, plain_text
from numberduels.game.contract import HUMAN
from numberduels.game.formatting import plural
from numberduels.play.live_game import LiveGame
from numberduels.play.puzzles import PuzzleResult, puzzle_rating, read_results, streak
from numberduels.play.saved_games import (
    SavedGame,
    SavedMatch,
    opponent,
    unfinished,
)
from numberduels.play.settings import Settings
from numberduels.play.setup import continue_saved
from numberduels.players import COMPUTER, opponent_name
from numberduels.tui.base import DuelScreen
from numberduels.tui.widgets import Guarded, PlainText, Row, ScrollPanel

SHOWN = 3
"""The most unfinished games on the home screen."""


class Menu(Guarded, Widget, can_focus=True):
    """A list of entries, one of which is chosen."""

    DEFAULT_CSS = """
    Menu { height: auto; width: 1fr; }
    Menu > .menu--chosen { color: $background; background: $primary; text-style: bold; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"menu--chosen"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", "Go up and down", show=False),
        Binding("down", "step(1)", "Go up and down", show=False),
        Binding("enter", "choose", "Choose", show=False),
    ]
    chosen = reactive(0)
    entries: reactive[tuple[MenuEntry, ...]] = reactive((), layout=True)

    class Opened(Message):
        """An entry was chosen."""

        def __init__(self, entry: MenuEntry) -> None:
            super().__init__()
            self.entry = entry

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """A line for each entry."""
        return len(self.entries)

    def render(self) -> Text:
        """The entries, one in a line."""
        text = Text(no_wrap=True, end="")
        style = self.get_component_rich_style("menu--chosen")
        for place, entry in enumerate(self.entries):
            line = menu_line(entry, place == self.chosen, self.size.width)
            text.append("\n" if place else "")
            text.append(f"{line:<{self.size.width}}", style if place == self.chosen else "")
        return text

    def action_step(self, steps: int) -> None:
        """Go up or down, around the ends."""
        self.chosen = (self.chosen + steps) % max(len(self.entries), 1)

    def action_choose(self) -> None:
        """Open the chosen entry."""
        if self.chosen < len(self.entries):
            self.post_message(self.Opened(self.entries[self.chosen]))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The entry under the mouse is chosen."""
        if 0 <= event.y < len(self.entries):
            self.chosen = event.y

    def on_click(self, event: events.Click) -> None:
        """Open the entry under the mouse."""
        if 0 <= event.y < len(self.entries):
            self.chosen = event.y
            self.action_choose()


class UnfinishedGame(Guarded, Widget):
    """A game that can be continued, or nothing: a line, and its board in small. A click continues it."""

    DEFAULT_CSS = """
    UnfinishedGame { width: 1fr; height: auto; max-height: 10; border: round $foreground 30%; padding: 0 1; }
    UnfinishedGame { border-title-color: $foreground; border-title-style: bold; }
    UnfinishedGame:hover { border: round $primary; }
    """

    class Opened(Message):
        """The game was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.show(None)

    def show(self, game: LiveGame | None) -> None:
        """Show this game, or nothing."""
        self._game = game
        self.display = game is not None
        self.border_title = f"{self.number + 1}  {game.spec.title}" if game else ""
        self.refresh(layout=True)

    def render(self) -> Text:
        """Whose turn it is, and the board in small."""
        return self._drawn(max(self.size.width, 16))

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """As high as the board is."""
        return self._drawn(max(width, 16)).plain.count("\n") + 1

    def _drawn(self, width: int) -> Text:
        game = self._game
        if game is None:
            return Text()
        against = opponent(game.seats, game.names)
        to_move = game.label(game.table.turn)
        alone = "the computer's turn" if game.computer_to_move else "your turn"
        turn = f"{to_move} to move" if game.person is None else alone
        board = board_of(game.table.game, game.table.state, game.table.played)
        lines = draw_board(board, width, effects=0, legend=False, labels=game.labels, signs=SYMBOLS)
        return Text(f"{against}, {turn}\n{plain_text(lines)}", no_wrap=True)

    def on_click(self) -> None:
        """Continue this game."""
        self.post_message(self.Opened(self.number))


class HomeScreen(DuelScreen):
    """The menu, and the latest unfinished games with their boards in small."""

    DEFAULT_CSS = """
    HomeScreen #greeting { padding: 1 2 1 2; text-style: bold; }
    HomeScreen.-low #greeting { padding: 0 2; }
    HomeScreen #home { height: 1fr; }
    HomeScreen Menu { margin: 0 2; }
    HomeScreen #unfinished { height: auto; margin: 1 1 0 1; }
    HomeScreen.-narrow #unfinished { layout: vertical; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "go('new-game')", "Play"),
        Binding("c", "resume(0)", "Continue"),
        Binding("1", "resume(0)", "Continue the first game", show=False),
        Binding("2", "resume(1)", "Continue the second game", show=False),
        Binding("3", "resume(2)", "Continue the third game", show=False),
        Binding("t", "go('puzzles')", "Today's puzzles"),
        Binding("z", "more_puzzles", "More puzzles", show=False),
        Binding("l", "go('learn')", "Learn"),
        Binding("k", "go('games')", "My games", show=False),
        Binding("s", "go('statistics')", "Statistics", show=False),
        Binding("e", "go('settings')", "Settings", show=False),
        Binding("q", "leave", "Quit"),
        Binding("escape", "stay", "Back", show=False),
    ]

    def __init__(self, today: date | None = None) -> None:
        super().__init__(TITLE)
        self._today = today
        self.greeting = PlainText(name="greeting")
        self.menu = Menu()
        self.unfinished = [UnfinishedGame(number) for number in range(SHOWN)]
        self.games: list[LiveGame] = []
        """The unfinished games that are shown."""

    @property
    def today(self) -> date:
        """The day of today's puzzles."""
        return self._today or date.today()

    def body(self) -> ComposeResult:
        """The greeting, the menu, and the unfinished games."""
        with ScrollPanel(id="home"):
            yield self.greeting
            yield self.menu
            yield Row(*self.unfinished, id="unfinished")

    def on_mount(self) -> None:
        """The menu has the keys."""
        self.focus_on(self.menu)

    def on_screen_resume(self) -> None:
        """Show what has changed since this screen was left."""
        results = read_results()
        found = [each for each in map(_continued, unfinished()) if each is not None]
        self.games = found[:SHOWN]
        settings = self.duel.settings
        self.greeting.write(greeting(settings, results, self.today))
        self.menu.entries = tuple(entries(settings, len(found), results, self.today))
        for shown in self.unfinished:
            shown.show(self.games[shown.number] if shown.number < len(self.games) else None)

    @on(Menu.Opened)
    async def _opened(self, event: Menu.Opened) -> None:
        await self.run_action(event.entry.action)

    @on(UnfinishedGame.Opened)
    def _continue_clicked(self, event: UnfinishedGame.Opened) -> None:
        self.action_resume(event.number)

    def action_go(self, screen: str) -> None:
        """Open a screen."""
        self.open(screen)

    def action_resume(self, number: int) -> None:
        """Go on with an unfinished game."""
        if number < len(self.games):
            self.open("play", self.games[number])
        elif not self.games:
            self.notify("There is no unfinished game. p starts one.")

    def action_more_puzzles(self) -> None:
        """Any number of puzzles."""
        self.open("puzzles", endless=True)

    def action_stay(self) -> None:
        """Escape leaves other screens; here it must not end the program."""

    def action_leave(self) -> None:
        """Leave the app."""
        self.app.exit(0)


def _continued(saved: SavedGame | SavedMatch) -> LiveGame | None:
    try:
        return continue_saved(saved)
    except ValueError:
        return None  # a game of two computers, or a match that only line mode can play


TITLE = "Number Duels"


class MenuEntry(NamedTuple):
    """A line of the home menu: its key, what it does, a few words more, and the action of the screen."""

    key: str
    title: str
    about: str
    action: str


def entries(
    settings: Settings, unfinished: int, results: Sequence[PuzzleResult], today: date
) -> list[MenuEntry]:
    """The menu, with what is known about the player."""
    count = f"{unfinished} unfinished" if unfinished else "no unfinished game"
    rated = f"your rating {puzzle_rating(results)}" if results else "easy to hard"
    return [
        MenuEntry("p", "Play", f"against {_opponent(settings.opponent)}", "go('new-game')"),
        MenuEntry("c", "Continue", count, "resume(0)"),
        MenuEntry("t", "Today's puzzles", _daily(results, today), "go('puzzles')"),
        MenuEntry("z", "More puzzles", rated, "more_puzzles"),
        MenuEntry("l", "Learn", "a guided first game of each game", "go('learn')"),
        MenuEntry("k", "My games", "look at them again, review, delete", "go('games')"),
        MenuEntry("s", "Statistics", "how well you play", "go('statistics')"),
        MenuEntry("e", "Settings", "your name, colours, sizes", "go('settings')"),
        MenuEntry("q", "Quit", "", "leave"),
    ]


def greeting(settings: Settings, results: Sequence[PuzzleResult], today: date) -> str:
    """A greeting, with the streak of daily puzzles if there is one.

    >>> print(greeting(Settings(name="Ada"), [], date(2026, 11, 17)))
    Welcome, Ada.
    """
    hello = f"Welcome, {settings.name}." if settings.name else "Five number games for two players."
    days = streak(results, today)
    if not days:
        return hello
    if any(each.daily and each.solved and each.day == today for each in results):
        return f"{hello} Your streak: {plural(days, 'day')}."
    return f"{hello} Your streak: {plural(days, 'day')}. Solve a puzzle of today to keep it."


def _daily(results: Sequence[PuzzleResult], today: date) -> str:
    solved = {each.game for each in results if each.daily and each.solved and each.day == today}
    days = streak(results, today)
    parts = [f"{len(solved)} solved today" if solved else "new every day"]
    if days:
        parts.append(f"streak {plural(days, 'day')}")
    return ", ".join(parts)


def _opponent(kind: str) -> str:
    return opponent_name(kind) if kind == HUMAN else f"{COMPUTER}, {kind}"


def menu_line(entry: MenuEntry, chosen: bool, width: int) -> str:
    """One line of the menu.

    >>> menu_line(MenuEntry("p", "Play", "against a friend", ""), True, 40)
    '▸ p  Play              against a friend'
    """
    head = f"{'▸' if chosen else ' '} {entry.key}  {entry.title}"
    return (f"{head:<22} {entry.about}".rstrip())[:width] if width >= 40 else head[:width]
