"""TaskScreen: what lessons and puzzles share: a board with sentences around it, and buttons below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from numberduels.tui.base import DuelScreen
from numberduels.tui.plain import PlainButton, PlainText, Row, ScrollPanel


class TaskScreen(DuelScreen):
    """A screen with a task on a board. Its body has `page` with `turn` and `message` in it."""

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

    def __init__(self, heading: str) -> None:
        super().__init__(heading)
        self.page = ScrollPanel(id="table")
        """What the arrow keys scroll where the board does not use them."""
        self.turn = PlainText(name="turn")
        self.message = PlainText(name="message")
        self.offered = {
            name: PlainButton(label, name=name, action=name.replace("-", "_"), compact=True)
            for name, label in self.BUTTONS.items()
        }
        """The buttons."""
        self._new_message = False
        """Whether the player has not scrolled since the last message."""

    def on_mount(self) -> None:
        """Follow changes of the layout."""
        self.watch(self.page, "virtual_size", self._layout_changed, init=False)

    def _layout_changed(self) -> None:
        """The keys tell whether there is more to scroll, and a new message is shown."""
        self.once_arranged(self.refresh_bindings)
        if self._new_message:
            self.once_arranged(self._show_message)

    def buttons(self) -> ComposeResult:
        """The row of buttons."""
        yield Row(*self.offered.values(), id="buttons")

    def offer(self, names: Sequence[str]) -> None:
        """Show these buttons only. The first one gets the focus, so that Enter presses it."""
        for name, button in self.offered.items():
            button.display = name in names
        self.focus_on(self.offered[names[0]] if names else None)
        self.refresh_bindings()

    def say(self, turn: str, *lines: str, style: str = "") -> None:
        """The line above the board, and sentences below it."""
        self.turn.write(turn)
        self.message.set_classes(style)
        self.message.write("\n".join(map(str, lines)))
        self.message.display = self._new_message = bool(lines)
        if lines:
            self.once_arranged(self._show_message)

    def _show_message(self) -> None:
        """Scroll to the message; to its beginning if it is long."""
        long = 2 * self.message.size.height > self.page.size.height
        self.message.scroll_visible(animate=False, top=long)

    @property
    def scrolled(self) -> ScrollPanel:
        """What the keys scroll now."""
        return self.page

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
