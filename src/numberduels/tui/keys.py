"""KeysScreen: all keys of a screen, the screen's own first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import ModalScreen
from textual.widget import Widget

from numberduels.tui.widgets import Guarded, PlainText, Scroll

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
        """A line for each action: those that the last line shows come first; scrolling is left out.

        Where the last line has one word for several keys, the tooltip says what this key does.
        """
        keys: dict[str, list[str]] = {}
        for shown in (True, False):
            for active in self._active:
                binding = active.binding
                if binding.show == shown and active.enabled and _own(active):
                    keys.setdefault(binding.tooltip or binding.description, []).append(key_name(binding.key))
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


AT_ONCE = ("ctrl+c", "ctrl+q", "ctrl+z")
"""Keys that wait for nothing."""

PATIENCE = 20.0
"""Seconds after which the next key is handed over although something is still being done."""


class KeyQueue:
    """The keys that wait. `parts` are all message pumps of the app."""

    def __init__(
        self, hand_over: Callable[[Message], object], parts: Callable[[], Iterable[MessagePump]]
    ) -> None:
        self._hand_over = hand_over
        self._parts = parts
        self._waiting: list[Message] = []
        self._task: asyncio.Task[None] | None = None

    @staticmethod
    def takes(message: Message) -> bool:
        """Whether this is a key or pasted text, fresh from the terminal, that has to wait for its turn."""
        if isinstance(message, events.Key):
            return not message.is_forwarded and message.key not in AT_ONCE
        return isinstance(message, events.Paste) and not message.is_forwarded

    def put(self, message: Message) -> None:
        """Add a key."""
        self._waiting.append(message)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._deliver())

    def close(self) -> None:
        """Forget the keys that wait."""
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()

    async def empty(self) -> None:
        """Wait until every key is handled, and all that it caused."""
        while self._waiting or (self._task is not None and not self._task.done()):
            await asyncio.sleep(0)
        await self.quiet()

    async def _deliver(self) -> None:
        while self._waiting:
            self._hand_over(self._waiting.pop(0))
            await self.quiet()

    async def quiet(self) -> None:
        """Wait until all parts have handled their messages. What the engine computes is not waited for."""
        loop = asyncio.get_running_loop()
        start, pause = loop.time(), 0.0
        while any(map(_busy, list(self._parts()))):
            await asyncio.sleep(pause)
            waited = loop.time() - start
            pause = 0.0 if waited < 0.05 else 0.005
            if waited > PATIENCE:
                return


def _busy(part: MessagePump) -> bool:
    """Whether a part is being mounted, or has a message that is not yet handled."""
    if part._closing or part._closed or (part._task is not None and part._task.done()):
        return False
    if not part._running:
        return part._task is not None  # it starts, or has ended
    queue: Any = part._message_queue
    waits = bool(queue.ready_event._waiters)
    return not (queue.empty() and waits) or bool(part._next_callbacks)
