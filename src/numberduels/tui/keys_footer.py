"""KeysFooter: the last line of a screen, with its most important keys."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.widget import Widget

from numberduels.tui.plain import Guarded

HELP = "help"
"""The action that shows all keys. It is always in the line."""


class FooterKey(NamedTuple):
    """A key of the line: where it begins, how it is pressed, what it is called, and what it does."""

    x: int
    key: str
    shown: str
    about: str

    @property
    def width(self) -> int:
        """The columns: the key between two spaces, and what it does before one."""
        return cell_len(self.shown) + 2 + cell_len(self.about) + 1


class KeysFooter(Guarded, Widget):
    """As many keys as there is room for, each in full, and at the right the key that shows all of them."""

    DEFAULT_CSS = """
    KeysFooter { dock: bottom; height: 1; background: $panel; color: $foreground; }
    KeysFooter > .footer--key { color: $footer-key-foreground; text-style: bold; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"footer--key"}

    def on_mount(self) -> None:
        """Follow the keys of the screen."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    def keys(self, width: int) -> list[FooterKey]:
        """The keys in their order; one that does not fit is left out."""
        found: dict[str, FooterKey] = {}
        for _, binding, enabled, _ in self.screen.active_bindings.values():
            if binding.show and enabled:
                shown = self.app.get_key_display(binding)
                found.setdefault(binding.action, FooterKey(0, binding.key, shown, binding.description))
        all_keys = found.pop(HELP, None)
        room, keys, x = width - (all_keys.width if all_keys else 0), [], 0
        for key in found.values():
            if x + key.width <= room:
                keys.append(key._replace(x=x))
                x += key.width
        return [*keys, all_keys._replace(x=room)] if all_keys else keys

    def render(self) -> Text:
        """The line."""
        text = Text(no_wrap=True, end="", overflow="crop")
        for key in self.keys(self.size.width):
            text.append(" " * (key.x - text.cell_len))
            text.append(f" {key.shown} ", self.get_component_rich_style("footer--key"))
            text.append(f"{key.about} ")
        return text

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A click on a key presses it."""
        for key in self.keys(self.size.width):
            if key.x <= event.x < key.x + key.width:
                self.app.simulate_key(key.key)
