"""The widgets that all screens are made of. They show text as it is, and survive faults in their handlers.

Names, files, records and messages of games may hold square brackets. Textual reads them as markup, and ends
the app if they are none. Screens therefore use these classes and not those of Textual.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rich.text import Text
from textual import events
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option


class Guarded(MessagePump):
    """A part of the app whose handlers may fail: the fault is reported, and the next message is handled."""

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            if isinstance(message, events.Compose | events.Mount):
                raise  # without its parts it cannot go on: the app replaces the screen
            self.app.report(error)  # type: ignore[attr-defined]

    def render_str(self, text_content: str | Content) -> Content:
        """The text of a border title, which is no markup."""
        return text_content if isinstance(text_content, Content) else Content(text_content)

    def once_arranged(self, callback: Callable[..., object], **named: Any) -> None:
        """Call this when the screen is arranged again; never, if this is not on a screen."""
        if self.is_running:
            self.call_after_refresh(callback, **named)


class PlainText(Guarded, Static):
    """A text, which may be changed at any time."""

    def __init__(self, text: str = "", *, name: str | None = None, classes: str | None = None) -> None:
        """`name` is its id."""
        super().__init__(text, markup=False, id=name, classes=classes)
        self.shown: str | Text | Content = text

    def write(self, text: str | Text | Content, *, layout: bool = True) -> None:
        """Show another text."""
        if text != self.shown:
            self.shown = text
            self.update(text, layout=layout)


class PlainList(Guarded, OptionList):
    """A list of lines, one of which is highlighted."""

    def __init__(self, *, name: str | None = None) -> None:
        """`name` is its id."""
        super().__init__(markup=False, id=name)

    def fill(self, options: Iterable[Option], highlighted: str | None = None) -> None:
        """Show these lines, and highlight the one with this id, if there is one."""
        self.clear_options()
        self.add_options(options)
        self.highlight(highlighted)

    def highlight(self, name: str | None) -> None:
        """Highlight the line with this id, if there is one."""
        places = {option.id: place for place, option in enumerate(self.options)}
        if name is not None and name in places:
            self.highlighted = places[name]

    def _move_page(self, direction: Any) -> None:
        if (self.highlighted or 0) in self._index_to_line:  # it is arranged, and not hidden
            super()._move_page(direction)

    @property
    def highlighted_id(self) -> str:
        """The id of the highlighted line; empty if there is none."""
        option = self.highlighted_option
        return (option.id or "") if option else ""


class PlainButton(Guarded, Button):
    """A button, which needs no time to be pressed."""

    def __init__(self, label: str, *, name: str, action: str = "", **named: Any) -> None:
        """`name` is its id; `action` is one of the screen."""
        super().__init__(Content(label), id=name, action=f"screen.{action}" if action else None, **named)
        self.active_effect_duration = 0

    def validate_label(self, label: Any) -> Content:
        """A label is no markup."""
        return label if isinstance(label, Content) else Content(str(label))


class TextField(Guarded, Input):
    """A line to type in. Its cursor does not blink, so that nothing happens while nobody types."""

    def __init__(self, value: str = "", placeholder: str = "", *, name: str, **named: Any) -> None:
        """`name` is its id."""
        super().__init__(value, placeholder, id=name, **named)
        self.cursor_blink = False


class Row(Guarded, Horizontal):
    """Parts beside each other."""


class Column(Guarded, Vertical):
    """Parts below each other."""


class Box(Guarded, Container):
    """Parts that the style arranges."""


class Scroll(Guarded, VerticalScroll):
    """Parts below each other, which scroll."""


class ScrollPanel(Scroll, can_focus=False, inherit_bindings=False):
    """Parts that scroll with the mouse and with the keys of the screen, which the footer shows."""
