"""Choice: one of a few values in one line, changed by the arrow keys or by a click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from numberduels.tui.plain import Guarded

BACK, ON = "◂ ", " ▸"


class Value(NamedTuple):
    """One of the values: as it is kept, as it is called, and a few words about it."""

    key: str
    label: str
    about: str = ""


class Choice(Guarded, Widget, can_focus=True):
    """The chosen value between two arrows. Left and right, Enter and a click choose another one."""

    DEFAULT_CSS = """
    Choice { height: auto; width: 1fr; }
    Choice > .choice--label { color: $foreground; text-style: bold; }
    Choice > .choice--about { color: $text-muted; }
    Choice:focus > .choice--label { color: $background; background: $primary; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"choice--label", "choice--about"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Change", key_display="←→"),
        Binding("right", "step(1)", "Change", show=False),
        Binding("enter,space", "step(1)", "Change", show=False),
    ]

    class Changed(Message):
        """Another value was chosen by the player."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

        @property
        def control(self) -> Choice:
            """The widget."""
            return self.choice

    def __init__(self, values: Sequence[Value], value: str = "", *, name: str) -> None:
        """`name` is also the id."""
        super().__init__(id=name)
        self.values = tuple(values)
        self._place = 0
        self.set(value)

    @property
    def value(self) -> str:
        """The key of the chosen value."""
        return self.values[self._place].key

    def set(self, value: str) -> None:
        """Choose a value without telling anybody; an unknown one changes nothing."""
        keys = [each.key for each in self.values]
        if value in keys:
            self._place = keys.index(value)
            self.refresh(layout=True)

    def rename(self, values: Sequence[Value]) -> None:
        """Offer other values; the chosen key stays if it is among them."""
        chosen = self.value
        self.values, self._place = tuple(values), 0
        self.set(chosen)

    def action_step(self, step: int) -> None:
        """Choose the next value; after the last one comes the first."""
        self._place = (self._place + step) % len(self.values)
        self.refresh(layout=True)
        self.post_message(self.Changed(self))

    def on_click(self, event: events.Click) -> None:
        """The left arrow goes back, everything else on."""
        self.focus()
        self.action_step(-1 if event.y == 0 and event.x < len(BACK) else 1)

    def _text(self) -> Text:
        value = self.values[self._place]
        label = self.get_component_rich_style("choice--label")
        about = self.get_component_rich_style("choice--about")
        text = Text.assemble((f"{BACK}{value.label}{ON}", label), end="")
        return text.append(f"  {value.about}", about) if value.about else text

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the words take."""
        return max(len(self._text().wrap(self.app.console, max(width, 1))), 1)

    def render(self) -> Text:
        """The value between its arrows, and the words about it."""
        return self._text()
