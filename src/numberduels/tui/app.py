"""DuelApp: the full-screen table. It knows the screens by name and keeps what they share."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib import import_module
from types import FrameType
from typing import Any, ClassVar

from textual.app import App, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.theme import Theme

from numberduels.engine.pool import EnginePool
from numberduels.game.files import data_folder
from numberduels.play.settings import Settings, load_settings, update_settings
from numberduels.tui.base import DuelScreen
from numberduels.tui.keys import HELP, KeyQueue
from numberduels.tui.widgets import Guarded, TextField

HANG_UP = 1
"""The number of SIGHUP, also where there is none."""

SCREENS = {
    "home": "home:HomeScreen",
    "new-game": "new_game:NewGameScreen",
    "play": "play:PlayScreen",
    "games": "saved_games:SavedGamesScreen",
    "review": "review:ReviewScreen",
    "puzzles": "puzzles:PuzzlesScreen",
    "puzzle": "puzzle:PuzzleScreen",
    "learn": "learn:LearnScreen",
    "lesson": "lesson:LessonScreen",
    "statistics": "text_pages:StatisticsScreen",
    "settings": "settings:SettingsScreen",
    "rules": "text_pages:RulesScreen",
    "keys": "keys:KeysScreen",
}
"""Every screen: its module in this package, imported when it is first shown, and its class."""

DARK = Theme(
    name="table-dark",
    primary="#6cb6ff",
    secondary="#b392f0",
    accent="#ffb86c",
    warning="#f9c74f",
    error="#ff7b72",
    success="#7ee787",
    foreground="#e6edf3",
    background="#0d1117",
    surface="#161b22",
    panel="#21262d",
    dark=True,
)
LIGHT = Theme(
    name="table-light",
    primary="#0550ae",
    secondary="#6639ba",
    accent="#953800",
    warning="#7d4e00",
    error="#a40e26",
    success="#116329",
    foreground="#1f2328",
    background="#ffffff",
    surface="#f6f8fa",
    panel="#eaeef2",
    dark=False,
)


def _engine() -> EnginePool:
    """One worker without limits; a question that is not of interest any more is not computed any further."""
    return EnginePool(1, None, None, patience=None, tasks="", quiet=True, kill_cancelled=True)


class DuelApp(Guarded, App[int]):
    """The app. `engine` computes in another process; `settings` are those of the player."""

    TITLE = "Number Duels"
    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True),
        Binding("f1,question_mark", "help", "All keys", key_display="?"),
    ]

    def __init__(self, first_screen: Screen[Any] | None = None, engine: EnginePool | None = None) -> None:
        """`first_screen` replaces home, and `engine` the background process, in tests and pictures."""
        super().__init__(driver_class=_driver())
        self.animation_level = "none"  # nothing moves while nobody does anything
        self._first_screen = first_screen
        self.settings: Settings = load_settings()
        self.engine = engine or _engine()
        self.keys = KeyQueue(super().post_message, lambda: (self, *self._registry))
        self.faults: list[Exception] = []
        """What has gone wrong, oldest first."""
        self._broken = False
        """Whether the screen will be replaced by a new home screen."""
        self._new_home: Screen[Any] | None = None
        """A home screen that has not been painted yet."""
        self.notes: list[str] = []
        """What could not be saved when it was too late to show it; printed after the app has ended."""

    def on_mount(self) -> None:
        """Choose the colours and show the first screen."""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.use_theme(self.settings.theme)
        # The screen is clear when the app comes back after Ctrl-Z: all of it must be painted.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self.push_screen(self._first_screen or self._make("home"))

    async def on_unmount(self) -> None:
        """End the background process."""
        self.keys.close()
        await self.engine.close()

    def post_message(self, message: Message) -> bool:
        """Take a message; keys wait until those before them are handled."""
        if self.keys.takes(message) and self._running and not self._closing:
            self.keys.put(message)
            return True
        return super().post_message(message)

    def notify(self, message: str, **named: Any) -> None:
        """Show a notice. It is no markup."""
        super().notify(message, **(named | {"markup": False}))

    # Faults

    def report(self, error: Exception) -> str:
        """Log a fault, save the games, and say so in one line, which is returned."""
        self.faults.append(error)
        logged = log_fault(error)
        line = f"Something went wrong ({type(error).__name__})."
        line += f" Details are in {fault_log_path()}." if logged else ""
        for screen in self.screen_stack:
            if isinstance(screen, DuelScreen):
                screen.save()
        if self._running and not self._exit and line not in [each.message for each in self._notifications]:
            self.notify(line, severity="error")
        return line

    def _handle_exception(self, error: Exception) -> None:
        """A part of the screen has ended: show home instead; end the app if that is broken, too."""
        line = self.report(error)
        if not self._running or self._exit:
            self._return_code = 1
            self.notes.append(line)
        elif self._new_home and self.screen is self._new_home:
            self.end(1, line)
        elif not self._broken:
            self._broken = True
            self.call_later(self._show_home_again)

    async def _show_home_again(self) -> None:
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        self._new_home = self._make("home")
        self._broken = False
        await self.push_screen(self._new_home)
        self._new_home.call_after_refresh(self._home_is_shown)

    def _home_is_shown(self) -> None:
        self._new_home = None

    def end(self, status: int, note: str = "") -> None:
        """End the app with this exit status; the note is printed after it."""
        if note:
            self.notes.append(note)
        self.exit(status, return_code=status)

    def terminal_closed(self) -> None:
        """End the app, whose terminal is gone."""
        self.end(128 + HANG_UP)

    # Screens and settings

    def use_theme(self, theme: str) -> None:
        """Change the colours: dark, light, or auto, which follows the terminal where it says what it has."""
        light = theme == "light" or (theme == "auto" and _light_terminal())
        self.theme = LIGHT.name if light else DARK.name

    def show(self, screen: str, *arguments: Any, **named: Any) -> None:
        """Open a screen on top of the present one; its arguments are those of its class."""
        self.push_screen(self._make(screen, *arguments, **named))

    def show_instead(self, screen: str, *arguments: Any, **named: Any) -> None:
        """Open a screen in place of the present one."""
        self.switch_screen(self._make(screen, *arguments, **named))

    def _make(self, screen: str, *arguments: Any, **named: Any) -> Screen[Any]:
        module, _, name = SCREENS[screen].partition(":")
        found: Screen[Any] = getattr(import_module(f"numberduels.tui.{module}"), name)(*arguments, **named)
        return found

    def change_settings(self, **changes: Any) -> bool:
        """Change some settings; False, and once a notice, if they cannot be saved."""
        notes: list[str] = []
        self.settings = update_settings(notes, **changes)
        for note in notes:
            self.notify(note, severity="warning")
        return load_settings() == self.settings

    def action_suspend_process(self) -> None:
        """Give the terminal back to the shell until it continues the app.

        Textual would start again inside a signal handler, wherever that interrupts the app.
        """
        if hasattr(signal, "SIGSTOP"):  # Windows has none
            with suppress(SuspendNotSupported), self.suspend():
                os.kill(os.getpid(), signal.SIGSTOP)

    def get_key_display(self, binding: Binding) -> str:
        """A key as the last line shows it; a question mark would be typed into a field with the focus."""
        typing = isinstance(self.focused, TextField)
        return "F1" if typing and binding.action == HELP else super().get_key_display(binding)

    def action_help(self) -> None:
        """Show all keys of this screen."""
        if not isinstance(self.screen, ModalScreen):
            self.push_screen(self._make("keys", self.screen.active_bindings))


def _driver() -> type[Driver] | None:
    """Our own driver, where Textual's is the one that it replaces."""
    if sys.platform == "win32" or not (sys.__stdin__ and sys.__stderr__):
        return None
    from numberduels.tui.terminal import TerminalDriver

    return TerminalDriver


def _light_terminal() -> bool:
    """Whether COLORFGBG says that the terminal has a light background.

    >>> os.environ["COLORFGBG"] = "0;15"
    >>> _light_terminal()
    True
    >>> del os.environ["COLORFGBG"]
    """
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return background in ("7", "15")


def run_app() -> int:
    """Run the app until the player leaves; returns the exit status, 1 if something could not be saved."""
    app = DuelApp()
    try:
        with _ending(app):
            status = app.run() or 0
    finally:
        for note in app.notes:
            print(note, file=sys.stderr)
    return status or app.return_code or int(bool(app.notes))


@contextmanager
def _ending(app: DuelApp) -> Iterator[None]:
    """The first SIGTERM or SIGHUP ends the app in good order; the next one does what it did before.

    An exception that is raised by a signal handler would be lost if it came at a bad moment.
    """
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    taken = [number for number in numbers if before[number] is not signal.SIG_IGN]

    def restore() -> None:
        for number in taken:
            signal.signal(number, before[number])

    def end(number: int, _frame: FrameType | None) -> None:
        restore()
        if app._loop is None:
            signal.raise_signal(number)
        else:
            app._loop.call_soon_threadsafe(app.end, 128 + number)

    for number in taken:
        signal.signal(number, end)
    try:
        yield
    finally:
        restore()


LARGEST = 1_000_000
"""Bytes from which on the file begins again."""


def fault_log_path() -> str:
    """The file of the faults."""
    return os.path.join(data_folder(), "errors.log")


def log_fault(error: BaseException) -> bool:
    """Write a fault with its traceback to the file; False if that is impossible."""
    path = fault_log_path()
    text = "".join(traceback.format_exception(error))
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        grown = os.path.exists(path) and os.path.getsize(path) > LARGEST
        with open(path, "w" if grown else "a", encoding="utf-8", errors="replace") as file:
            file.write(f"{datetime.now().isoformat(timespec='seconds')}\n{text}\n")
    except OSError:
        return False
    return True
