"""DuelScreen: what all screens of the table share, and how they let the engine compute.

A screen holds its parts as attributes from the beginning. Each part shows the value that it was given last.
It may be given one at any time: before it is on the screen, while it is, and after the screen was left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets.option_list import Option

from numberduels.engine.pool import EngineCrashed, EngineError, WorkerDied
from numberduels.tui.keys import KeysFooter
from numberduels.tui.widgets import Guarded, PlainButton, PlainList, PlainText, Row, ScrollPanel

if TYPE_CHECKING:
    from numberduels.tui.app import DuelApp


R = TypeVar("R")

NARROW = 70
"""Below this many columns a screen shows one panel at a time."""


class DuelScreen(Guarded, Screen[None]):
    """A screen with a heading, a body and the keys at the bottom. Escape goes back.

    Subclasses implement `body`. On a narrow terminal the screen has the class `-narrow`, on a low one `-low`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-wide")]  # noqa: RUF012  # Textual's own attribute
    VERTICAL_BREAKPOINTS = [(0, "-low"), (22, "-high")]  # noqa: RUF012

    def __init__(self, heading: str = "Number Duels", classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self.heading = PlainText(heading, name="heading")
        self._questions: dict[str, asyncio.Task[None]] = {}

    def compose(self) -> ComposeResult:
        """The heading, the body, and the keys."""
        yield self.heading
        yield from self.body()
        yield KeysFooter()

    def body(self) -> ComposeResult:
        """The widgets between the heading and the keys."""
        yield from ()

    @property
    def duel(self) -> DuelApp:
        """The app, with its own type."""
        return cast("DuelApp", self.app)

    # What the engine computes

    def ask(
        self,
        slot: str,
        function: Callable[..., R],
        *arguments: Any,
        then: Callable[[R], None],
        pause: float = 0.0,
    ) -> None:
        """Let the engine compute; `then` gets the answer, and `no_answer` the reason if there is none.

        A slot has one question: another one replaces it. An answer is dropped if the screen was left, or if
        `identity` is no longer what it was. It comes after `pause` seconds at the earliest.
        """
        self.forget(slot)
        self._questions[slot] = asyncio.create_task(
            self._answer(slot, self.identity(slot), function, arguments, then, pause)
        )

    async def _answer(
        self,
        slot: str,
        identity: object,
        function: Callable[..., R],
        arguments: tuple[Any, ...],
        then: Callable[[R], None],
        pause: float,
    ) -> None:
        await asyncio.sleep(0)  # the question is in its slot, however tasks are started
        asked = asyncio.current_task()
        earliest = asyncio.get_running_loop().time() + pause
        reason, answer = "", None
        try:
            answer = await self.duel.engine.run(function, *arguments)
            if (wait := earliest - asyncio.get_running_loop().time()) > 0:
                await asyncio.sleep(wait)
        except Exception as error:
            is_bug = isinstance(error, EngineCrashed) and not isinstance(error, WorkerDied)
            expected = isinstance(error, EngineError) and not is_bug
            reason = str(error) if expected else self.duel.report(error)
        await self.duel.keys.quiet()  # an answer comes between two keys
        if self._questions.get(slot) is not asked:
            return
        del self._questions[slot]
        if self.left or self.identity(slot) != identity:
            return
        try:
            if reason:
                self.no_answer(slot, reason)
            else:
                then(answer)  # type: ignore[arg-type]
        except Exception as error:
            self.duel.report(error)

    def identity(self, slot: str) -> object:
        """What a question is about, apart from this screen: a position, an attempt."""
        return None

    def no_answer(self, slot: str, reason: str) -> None:
        """The engine gave no answer: say why."""
        self.notify(reason, severity="warning")

    def asking(self, slot: str) -> bool:
        """Whether an answer is waited for."""
        return slot in self._questions

    def forget(self, *slots: str) -> None:
        """The answers to these questions are not wanted any more; without slots, none is."""
        for slot in slots or tuple(self._questions):
            if question := self._questions.pop(slot, None):
                question.cancel()

    def on_unmount(self) -> None:
        """Nobody waits for answers any more."""
        self.forget()

    # Other screens

    @property
    def left(self) -> bool:
        """Whether the player has gone back from this screen."""
        return self not in self.app.screen_stack

    @property
    def in_front(self) -> bool:
        """Whether the player sees this screen. Only then it may open another one, or close."""
        return not self.left and self.app.screen is self

    def open(self, screen: str, *arguments: Any, **named: Any) -> None:
        """Open a screen on top of this one."""
        if self.in_front:
            self.duel.show(screen, *arguments, **named)

    def open_instead(self, screen: str, *arguments: Any, **named: Any) -> None:
        """Open a screen in place of this one."""
        if self.in_front:
            self.duel.show_instead(screen, *arguments, **named)

    def leave(self) -> None:
        """Close this screen, and stop what is computed for it."""
        if self.in_front:
            self.forget()
            self.dismiss()

    def action_back(self) -> None:
        """Close this screen."""
        self.leave()

    def focus_on(self, part: Widget | None) -> None:
        """This part gets the keys."""
        if self.is_running and not self.left:
            self.set_focus(part, scroll_visible=False)

    def save(self) -> None:
        """Save what is not saved yet, if something has gone wrong."""


class ListScreen(DuelScreen):
    """A list of what can be opened, and on a wide terminal what is said about the highlighted line."""

    DEFAULT_CSS = """
    ListScreen #list { width: 44; height: 1fr; border: round $foreground 30%; background: $background; }
    ListScreen #list:focus { border: round $primary; }
    ListScreen #list > .option-list--option-disabled { color: $primary; }
    ListScreen #details { width: 1fr; height: 1fr; }
    ListScreen #details Static { height: auto; margin-bottom: 1; }
    ListScreen.-narrow #list { width: 1fr; }
    ListScreen.-narrow #details { display: none; }
    """

    def __init__(self, heading: str, about: str = "") -> None:
        super().__init__(heading)
        self.list = PlainList(name="list")
        self.title_line = PlainText(name="title")
        self.about = PlainText(about, name="about")
        self.details = ScrollPanel(self.title_line, self.about, id="details", classes="panel")

    def body(self) -> ComposeResult:
        """The list, and the details beside it."""
        yield Row(self.list, self.details)

    def on_mount(self) -> None:
        """The list has the keys."""
        self.focus_on(self.list)

    def no_answer(self, slot: str, reason: str) -> None:
        """Say why; the list is fetched again when the screen is opened again."""
        self.about.write(reason)
        super().no_answer(slot, reason)

    def tell(self, title: str, *lines: str) -> None:
        """Say this about the highlighted line."""
        self.title_line.write(Content.styled(title, "bold"))
        self.about.write("\n\n".join(lines))


def list_heading(text: str) -> Option:
    """A line of a list that cannot be chosen."""
    return Option(Content.styled(text, "bold"), disabled=True)


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
