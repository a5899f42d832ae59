"""DuelScreen: what all screens of the table share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, ParamSpec, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from numberduels.tui.engine import Engine, EngineError
from numberduels.tui.keys_footer import KeysFooter

if TYPE_CHECKING:
    from numberduels.tui.app import DuelApp

P = ParamSpec("P")
R = TypeVar("R")

NARROW = 70
"""Below this many columns a screen shows one panel at a time."""


class ScrollPanel(VerticalScroll, can_focus=False, inherit_bindings=False):
    """A part that scrolls with the mouse and with the keys of the screen, which the footer shows."""


class DuelScreen(Screen[None]):
    """A screen with a heading, a body and the keys at the bottom. Escape goes back.

    Subclasses implement `body`, and set `heading` when it changes. On a narrow terminal the screen has the
    class `-narrow`, and on a low one `-low`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-wide")]  # noqa: RUF012  # Textual's own attribute
    VERTICAL_BREAKPOINTS = [(0, "-low"), (22, "-high")]  # noqa: RUF012

    heading_text = "Number Duels"

    def compose(self) -> ComposeResult:
        """The heading, the body, and the keys."""
        yield Static(self.heading_text, id="heading", markup=False)
        yield from self.body()
        yield KeysFooter()

    def body(self) -> ComposeResult:
        """The widgets between the heading and the keys."""
        yield Static("")

    def set_heading(self, text: str) -> None:
        """Change the first line."""
        self.heading_text = text
        self.query_one("#heading", Static).update(text)

    @property
    def duel(self) -> DuelApp:
        """The app, with its own type."""
        from numberduels.tui.app import DuelApp

        assert isinstance(self.app, DuelApp)
        return self.app

    @property
    def engine(self) -> Engine:
        """The background process of the app."""
        return self.duel.engine

    async def compute(self, function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R | None:
        """The result of a call in the background process; None if there is none, and a notice says why."""
        try:
            return await self.engine.run(function, *arguments, **named)
        except EngineError as fault:
            self.notify(str(fault), severity="warning")
            return None

    def action_back(self) -> None:
        """Close this screen."""
        self.dismiss()
