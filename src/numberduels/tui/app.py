"""DuelApp: the full-screen table. It knows the screens by name and keeps what they share."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, ClassVar

from textual.app import App, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen
from textual.theme import Theme

from numberduels.profile.settings import Settings, load_settings, update_settings
from numberduels.tui.engine import Engine

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
    "statistics": "statistics:StatisticsScreen",
    "settings": "settings:SettingsScreen",
    "rules": "rules:RulesScreen",
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


class DuelApp(App[int]):
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

    def __init__(self, first_screen: Screen[Any] | None = None) -> None:
        """`first_screen` replaces the home screen, for tests and pictures."""
        super().__init__()
        self._first_screen = first_screen
        self.settings: Settings = load_settings()
        self.engine = Engine()
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
        await self.engine.close()

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

    def action_help(self) -> None:
        """Show all keys of this screen."""
        if not isinstance(self.screen, ModalScreen):
            self.push_screen(self._make("keys", self.screen.active_bindings))


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
        status = app.run() or 0
    finally:
        for note in app.notes:
            print(note, file=sys.stderr)
    return status or int(bool(app.notes))
