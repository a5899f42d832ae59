"""KeysFooter: the last line of a screen, with its most important keys."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

HELP = "help"
"""The action that shows all keys. It is always in the line."""


class KeysFooter(Footer):
    """As many keys as there is room for, each in full, and at the right the key that shows all of them."""

    DEFAULT_CSS = """
    KeysFooter FooterKey.-help { dock: right; }
    """

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)

    def compose(self) -> ComposeResult:
        """The keys in their order; one that does not fit is left out."""
        keys = [each for each in super().compose() if isinstance(each, FooterKey)]
        room = self.app.size.width
        for key in keys:
            if key.action == HELP:
                key.add_class("-help")
                room -= _width(key)
                yield key
        for key in keys:
            if key.action != HELP and _width(key) <= room:
                room -= _width(key)
                yield key

    async def on_resize(self, _: events.Resize) -> None:
        """Choose the keys for the new width."""
        await self.recompose()


def _width(key: FooterKey) -> int:
    """The columns that a key takes: itself between two spaces, and what it does before one."""
    return cell_len(key.key_display) + 2 + cell_len(key.description) + 1
