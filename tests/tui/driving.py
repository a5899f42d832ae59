"""Start the app without a terminal, press its keys and read its screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, ParamSpec

from textual.pilot import Pilot
from textual.screen import Screen

from numberduels.tui.app import DuelApp

P = ParamSpec("P")

PATIENCE = 3_000
"""Looks at a condition before a test gives up: a minute, for machines with much other work."""


def in_app(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test that is a coroutine."""

    @wraps(test)
    def run(*arguments: P.args, **named: P.kwargs) -> None:
        asyncio.run(test(*arguments, **named))

    return run


@asynccontextmanager
async def started(
    screen: Screen[Any] | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Pilot[int]]:
    """The app with this first screen, by default home, on a terminal of this size."""
    app = DuelApp(screen)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        yield pilot


def screen_text(pilot: Pilot[int]) -> str:
    """What stands on the screen, without colours."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


async def until(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    """Let the app work until the condition holds; AssertionError shows the screen if it never does."""
    for _ in range(PATIENCE):
        if condition():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"it never happened; the screen shows:\n{screen_text(pilot)}")
