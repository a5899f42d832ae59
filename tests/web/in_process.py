"""The server in the process of the test: no port, no worker processes, a clock that tests set."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from numberduels.engine import pool, tasks
from numberduels.web.http.app import make_app
from numberduels.web.settings import ServerSettings

FIVE = ["range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision"]
"""Our games, whatever else is installed."""


def unlimited(store: str | Path, **more: Any) -> ServerSettings:
    """ServerSettings under which one address may do anything."""
    return ServerSettings(store=str(store), **more).for_people(10**9)


class Clock:
    """Stands still until it is set, unless it goes on by steps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.step = 0.0
        """Seconds by which it goes on by itself whenever it is looked at."""

    def __call__(self) -> float:
        self.now += self.step
        return self.now


class WallClock:
    """The time of day, which tests can advance."""

    def __init__(self) -> None:
        self.advance = 0.0

    def __call__(self) -> float:
        return time.time() + self.advance


class DirectPool:
    """An engine pool that runs tasks at once, in this process; `trouble` may raise instead."""

    seconds = 3.0

    def __init__(self, trouble: Callable[[str], None] = lambda _: None) -> None:
        self.trouble = trouble
        self.asked: Counter[str] = Counter()
        """How often each task was thought about."""
        self.clients: list[str] = []

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def run(self, task: str, *arguments: Any, client: str = "", seconds: float | None = None) -> Any:
        self.asked[task] += 1
        self.clients.append(client)
        self.trouble(task)
        try:
            return tasks.TASKS[task](*arguments)
        except ValueError as fault:
            raise pool.EngineRejected(str(fault)) from None


def raising(fault: Exception) -> Callable[[str], None]:
    """Trouble of this kind, whatever is asked."""

    def trouble(_: str) -> None:
        raise fault

    return trouble


class InProcessServer:
    """A server that runs in the test."""

    def __init__(self, settings: ServerSettings) -> None:
        self.clock = Clock()
        self.wall_clock = WallClock()
        self.move_pool, self.question_pool = DirectPool(), DirectPool()
        pools: Any = iter((self.move_pool, self.question_pool))
        self.app: Any = make_app(
            settings,
            clock=self.clock,
            wall_clock=self.wall_clock,
            engine_pool=lambda _: next(pools),
        )
        self.client = TestClient(self.app)

    def visitor(self, address: str = "10.0.0.1", *, follow: bool = False, **more: Any) -> TestClient:
        """Somebody at this address, with cookies of their own, who may follow links by themselves."""
        visitor = TestClient(self.app, client=(address, 50_000), follow_redirects=follow, **more)
        visitor.portal = self.client.portal  # in the loop in which the server lives
        return visitor


@contextmanager
def in_process(settings: ServerSettings) -> Iterator[InProcessServer]:
    server = InProcessServer(settings)
    with server.client:
        yield server


# What visitors do on pages


def begin(visitor: TestClient, game: str = "range-war", mode: str = "here", **fields: str) -> str:
    """The address of a new game."""
    answer = visitor.post("/new", data={"game": game, "mode": mode, **fields}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def offered(page: str) -> list[str]:
    """The moves that a page offers, as its forms would send them."""
    places = [unescape(each) for each in re.findall(r'name="move"[^>]*?value="([^"]*)"', page)]
    hand = [unescape(each) for each in re.findall(r'name="number" value="([^"]*)"', page)]
    return [number + place for number in hand for place in places] if hand else places


def move_fields(move: str) -> dict[str, str]:
    """The fields with which a form sends a move: a number and a place are sent apart."""
    number, at, rest = move.partition("@")
    return {"number": number, "move": at + rest} if at else {"move": move}


def hidden_fields(page: str) -> dict[str, str]:
    """The hidden fields of a page."""
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page)
    return {unescape(name): unescape(text) for name, text in found}


def join(one: TestClient, other: TestClient, place: str, name: str = "Bob") -> None:
    """The other follows the invitation of the one, and sits down."""
    other.post(f"{place}/join", data={"invitation": invitation_key(one, place), "name": name})


def invitation_key(visitor: TestClient, place: str) -> str:
    """The secret of the invitation, which the page shows to whoever made the game."""
    found = re.search(r"/join\?key=([\w-]+)", visitor.get(place).text)
    assert found
    return found[1]
