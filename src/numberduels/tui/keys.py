"""KeysScreen: all keys of a screen, the screen's own first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.screen import ModalScreen

from numberduels.tui.plain import Guarded, PlainText, Scroll

NAMES = {
    "comma": ",",
    "full_stop": ".",
    "question_mark": "?",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "pageup": "Page up",
    "pagedown": "Page down",
    "escape": "Esc",
}
"""The keys whose names people know differently. Of the others the first letter is made large."""


def key_name(key: str) -> str:
    """A key as it is written on a keyboard.

    >>> [key_name(each) for each in ("left", "pageup", "ctrl+c", "f1", "home", "h", "N")]
    ['←', 'Page up', 'Ctrl+C', 'F1', 'Home', 'h', 'N']
    """
    *held, key = key.split("+")
    name = NAMES.get(key, key.capitalize() if held or len(key) > 1 else key)
    return "+".join([*(each.capitalize() for each in held), name])


class KeysScreen(Guarded, ModalScreen[None]):
    """A list of keys over the screen that they belong to. Any of the keys below closes it."""

    DEFAULT_CSS = """
    KeysScreen { align: center middle; }
    KeysScreen Scroll { width: 60; max-width: 100%; height: auto; max-height: 90%;
        border: round $primary; background: $surface; padding: 0 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,question_mark,enter,q", "close", "Close", show=False)
    ]

    def __init__(self, bindings: Mapping[str, ActiveBinding]) -> None:
        super().__init__()
        self._active = list(bindings.values())

    def compose(self) -> ComposeResult:
        """The keys in two columns."""
        with Scroll() as panel:
            panel.border_title = "Keys (Esc closes)"
            text = PlainText()
            text.update(self._list())
            yield text

    def _list(self) -> Table:
        """A line for each action: those that the last line shows come first; scrolling is left out."""
        keys: dict[str, list[str]] = {}
        for shown in (True, False):
            for active in self._active:
                binding = active.binding
                if binding.show == shown and active.enabled and _own(active):
                    keys.setdefault(binding.description, []).append(key_name(binding.key))
        found = Table.grid(padding=(0, 2, 0, 0))
        found.add_column(no_wrap=True)
        for about, each in keys.items():
            found.add_row(Text(_joined(list(dict.fromkeys(each)))), Text(about))
        return found

    def action_close(self) -> None:
        """Close the list."""
        if self.app.screen is self:
            self.dismiss()


def _joined(keys: list[str]) -> str:
    """The keys of one action.

    >>> _joined([",", "Page up"]), _joined(["←", "→", "↑", "↓"])
    (', or Page up', '← → ↑ ↓')
    """
    return " ".join(keys) if len(keys) > 2 else " or ".join(keys)


def _own(active: ActiveBinding) -> bool:
    """Whether one of our classes declares the key; Textual's own are about scrolling and focus."""
    binding = active.binding
    kinds = type(active.node).__mro__
    ours = [kind for kind in kinds if kind.__module__.startswith("numberduels")]
    declared = [each for kind in ours for each in kind.__dict__.get("BINDINGS", ())]
    return any(isinstance(each, Binding) and each.action == binding.action for each in declared)
