"""Start the app without a terminal, press its keys, hand over the answers of its engine, read its screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen

from numberduels.engine.pool import EngineError, EnginePool
from numberduels.tui.app import DuelApp
from numberduels.tui.base import DuelScreen

P = ParamSpec("P")
R = TypeVar("R")

PATIENCE = 10_000
"""Looks at a condition before a test gives up: minutes, for machines with much other work."""
QUICK_LOOKS = 200
"""After so many looks the test waits longer before it looks again, and leaves the processor to others."""

DRAWN = str.maketrans(dict.fromkeys("│║─╭╮╰╯┃▁▂▃▄▅▆▇█", " "))
"""Frames and scroll bars."""


class HandedEngine(EnginePool):
    """An engine that computes in this process, and answers when the test says so.

    By default it answers at once. After `hold()` the answers wait for `hand_over()`. With `refuse` it gives
    that as the reason why there is no answer.
    """

    def __init__(self) -> None:
        super().__init__()
        self.held = False
        self.refuse = ""
        self.asked: list[str] = []
        """The names of the functions that were called."""
        self._waiting: list[asyncio.Future[None]] = []

    async def run(self, task: Any, *arguments: Any, client: str = "", seconds: float | None = None) -> Any:
        self.asked.append(task.__name__)
        if self.held:
            told = asyncio.get_running_loop().create_future()
            self._waiting.append(told)
            await told
        if self.refuse:
            raise EngineError(self.refuse)
        try:
            return task(*arguments)
        except (ValueError, MemoryError) as fault:
            raise EngineError(str(fault)) from None

    def hold(self) -> None:
        """Answer late from now on, or never."""
        self.held = True

    @property
    def unanswered(self) -> int:
        """How many questions wait for an answer."""
        return sum(not each.done() for each in self._waiting)

    def hand_over(self) -> None:
        """Answer everything that was asked, and from now on at once."""
        self.held = False
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():
                each.set_result(None)

    async def close(self) -> None:
        """Nothing has to be ended."""


def in_app(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test that is a coroutine."""

    @wraps(test)
    def run(*arguments: P.args, **named: P.kwargs) -> None:
        asyncio.run(test(*arguments, **named))

    return run


@asynccontextmanager
async def started(
    screen: Screen[Any] | None = None,
    size: tuple[int, int] = (80, 24),
    *,
    engine: EnginePool | None = None,
    faults: Iterable[type[Exception]] = (),
) -> AsyncIterator[Pilot[int]]:
    """The app with this first screen, by default home, and this size; only `faults` may occur."""
    app = DuelApp(screen, engine or HandedEngine())
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        yield pilot
        await settled(pilot)
    for error in app.faults:
        if not isinstance(error, tuple(faults)):
            raise error


def duel(pilot: Pilot[int]) -> DuelApp:
    """The app, with its own type."""
    assert isinstance(pilot.app, DuelApp)
    return pilot.app


def engine_of(pilot: Pilot[int]) -> HandedEngine:
    """The engine, whose answers are handed over by the test."""
    engine = duel(pilot).engine
    assert isinstance(engine, HandedEngine)
    return engine


def type_keys(pilot: Pilot[int], *keys: str) -> None:
    """Press keys as fast as a terminal can send them."""
    for key in keys:
        name = _character_to_key(key) if len(key) == 1 else key
        duel(pilot).post_message(events.Key(name, key if len(key) == 1 else None))


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys as fast as a terminal can send them, and wait until they are handled."""
    type_keys(pilot, *keys)
    await settled(pilot)


async def settled(pilot: Pilot[int]) -> None:
    """Wait until all keys are handled, all answers that are not held back have come, and all is painted."""
    app = duel(pilot)
    for look in range(PATIENCE):
        expected = _expected(app)
        await app.keys.empty()
        if not (expected or _expected(app)) and not await painted(app):
            return
        await asyncio.sleep(0.02 if look > QUICK_LOOKS else 0.001 if expected else 0)
    raise AssertionError(f"it never settles; the screen shows:\n{screen_text(pilot)}")


async def painted(app: DuelApp) -> bool:
    """Paint what has changed, without waiting for the next frame; whether anything had changed."""
    if app._exit or not app.screen_stack:
        return False
    screen = app.screen
    changed = (
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    )
    if changed:
        screen.call_next(screen._on_timer_update)
        await app.keys.quiet()
    return bool(changed)


def _expected(app: DuelApp) -> bool:
    """Whether an answer is on its way."""
    if not isinstance(app.engine, HandedEngine):
        return False
    questions = sum(len(each._questions) for each in app.screen_stack if isinstance(each, DuelScreen))
    return questions > app.engine.unanswered


def screen_text(pilot: Pilot[int]) -> str:
    """What stands on the screen, without colours."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def words(pilot: Pilot[int]) -> str:
    """What is on the screen, in one line and without frames and scroll bars."""
    return " ".join(screen_text(pilot).translate(DRAWN).split())


async def until(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    """Let the app work until the condition holds; AssertionError shows the screen if it never does."""
    for look in range(PATIENCE):
        if condition():
            return
        await settled(pilot)
        await asyncio.sleep(0.02 if look > QUICK_LOOKS else 0.001)
    raise AssertionError(f"it never happened; the screen shows:\n{screen_text(pilot)}")
