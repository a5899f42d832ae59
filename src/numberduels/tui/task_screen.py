"""TaskScreen: what lessons and puzzles share: a board with sentences around it, and buttons below."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Button, Static

from numberduels.tui.base import DuelScreen, ScrollPanel
from numberduels.tui.engine import EngineError


class TaskScreen(DuelScreen):
    """A screen with a task on a board. Its body has a scroll `#table` with `#turn` and `#message` in it."""

    DEFAULT_CSS = """
    TaskScreen #table { width: 1fr; height: 1fr; padding: 0 1; }
    TaskScreen #table { scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    TaskScreen #table Static { height: auto; }
    TaskScreen #turn { text-style: bold; margin-bottom: 1; }
    TaskScreen #message { margin-top: 1; max-width: 90; }
    TaskScreen #message.bad-news { border-left: thick $error; padding-left: 1; color: $foreground; }
    TaskScreen #message.good-news { border-left: thick $success; padding-left: 1; color: $foreground; }
    TaskScreen.-low #turn { margin-bottom: 0; }
    TaskScreen.-low #message { margin-top: 0; }
    TaskScreen #buttons { height: auto; padding: 0 1; }
    TaskScreen #buttons Button { margin-right: 1; min-width: 8; }
    """
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown", "page(1)", "Scroll", key_display="PgDn"),
        Binding("pageup", "page(-1)", "Scroll", show=False),
        Binding("down", "scroll_by(1)", "Scroll", show=False),
        Binding("up", "scroll_by(-1)", "Scroll", show=False),
    ]
    BUTTONS: ClassVar[dict[str, str]] = {}
    """Every button with its label. A button has the name of its action."""

    _new_message = False
    """Whether the player has not scrolled since the last message."""

    def on_mount(self) -> None:
        """Follow changes of the layout."""
        for each in self.query(ScrollPanel):
            self.watch(each, "virtual_size", self._layout_changed, init=False)

    def _layout_changed(self) -> None:
        """The keys tell whether there is more to scroll, and a new message is shown."""
        self.call_after_refresh(self.refresh_bindings)
        if self._new_message:
            self.call_after_refresh(self._show_message)

    def buttons(self) -> ComposeResult:
        """The row of buttons."""
        with Horizontal(id="buttons"):
            for name, label in self.BUTTONS.items():
                yield Button(label, id=name, compact=True, action=f"screen.{name.replace('-', '_')}")

    def offer(self, names: Iterable[str]) -> None:
        """Show these buttons only. The first one gets the focus, so that Enter presses it."""
        offered = list(names)
        for name in self.BUTTONS:
            self.query_one(f"#{name}").display = name in offered
        if offered:
            self.query_one(f"#{offered[0]}").focus()
        else:
            self.set_focus(None)
        self.refresh_bindings()

    def say(self, turn: str, *lines: str, style: str = "") -> None:
        """The line above the board, and sentences below it."""
        self.query_one("#turn", Static).update(turn)
        message = self.query_one("#message", Static)
        message.set_classes(style)
        message.update(Content("\n").join(lines))
        message.display = self._new_message = bool(lines)
        if lines:
            self.call_after_refresh(self._show_message)

    def _show_message(self) -> None:
        """Scroll to the message; to its beginning if it is long."""
        message = self.query_one("#message", Static)
        long = 2 * message.size.height > self.scrolled.size.height
        message.scroll_visible(animate=False, top=long)

    @property
    def scrolled(self) -> ScrollPanel:
        """What the arrow keys scroll where the board does not use them."""
        return self.query_one("#table", ScrollPanel)

    def action_scroll_by(self, rows: int) -> None:
        """Scroll by rows."""
        self._new_message = False
        self.scrolled.scroll_relative(y=rows, animate=False)

    def action_page(self, direction: int) -> None:
        """Scroll by a page."""
        self.action_scroll_by(direction * max(self.scrolled.size.height - 2, 1))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Scrolling is only shown if there is something to scroll."""
        return action != "page" or self.scrolled.max_scroll_y > 0

    def ask(self, work: Coroutine[Any, Any, None]) -> None:
        """Run this while the screen stays awake; leaving the screen cancels it."""
        self.run_worker(self._answered(work), exclusive=True)

    async def _answered(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except EngineError as fault:
            self.failed(str(fault))

    def failed(self, reason: str) -> None:
        """The background process gave no answer: say why."""
        self.notify(reason, severity="warning")
