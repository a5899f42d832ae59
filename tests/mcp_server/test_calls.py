"""Calls: who is asked for what, and what becomes of the game if the answer comes late or never."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any

import pytest

from numberduels.cli.mcp import SECONDS, create_app_with_mcp
from numberduels.engine import pool
from numberduels.harness.mcp import calls as module
from numberduels.harness.mcp.calls import Calls, OpenGame, OpenGames
from numberduels.harness.mcp.tools import TASKS
from numberduels.web.http import app
from numberduels.web.settings import ServerSettings

STATE = b"state"
NEW = ("summation-duel:size=4:target=6", "none", "first", 1, 0, 3, "kept")


class InlineWorkers:
    """Runs each task at once, in this process, and counts them by client."""

    def __init__(self) -> None:
        self.clients: Counter[str] = Counter()

    async def __call__(self, task: str, *arguments: Any, client: str) -> Any:
        self.clients[client] += 1
        return TASKS[task](*arguments)


class HeldWorkers(InlineWorkers):
    """The same, but answers are handed over by the test."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, asyncio.Future[None]]] = []

    async def __call__(self, task: str, *arguments: Any, client: str) -> Any:
        handed = asyncio.get_running_loop().create_future()
        self.asked.append((task, handed))
        await handed
        return await super().__call__(task, *arguments, client=client)

    async def job(self, number: int) -> asyncio.Future[None]:
        """The job with this number, as soon as it was asked for."""
        async with asyncio.timeout(60):
            while len(self.asked) <= number:
                await asyncio.sleep(0)
        return self.asked[number][1]

    async def hand_over(self, number: int) -> None:
        """Let this job be done."""
        (await self.job(number)).set_result(None)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_everything_is_computed_by_workers_for_the_client_who_asks() -> None:
    async def work() -> None:
        workers = InlineWorkers()
        calls = Calls(workers)
        game = (await calls("ann", "new_game", *NEW)).game_id
        for task, *more in (
            ("position",),
            ("hint",),
            ("values",),
            ("move", "3", False),
            ("move", "So be it.\nMOVE: 1", False),
            ("review",),
        ):
            await calls("bob", task, game, *more)
        await calls("bob", "list_games")
        assert workers.clients == {"ann": 1, "bob": 7}

    run(work())


def test_two_moves_at_once_are_made_one_after_the_other() -> None:
    async def work() -> None:
        workers = HeldWorkers()
        calls = Calls(workers)
        begun = asyncio.create_task(calls("ann", "new_game", *NEW))
        await workers.hand_over(0)
        game = (await begun).game_id
        moves = [asyncio.create_task(calls("ann", "move", game, move, False)) for move in ("1", "2")]
        await workers.job(1)
        await asyncio.sleep(0)
        assert [task for task, _ in workers.asked] == ["new_game", "move"]
        await workers.hand_over(1)
        first = await moves[0]
        await workers.hand_over(2)
        assert first.position.moves == ["1"] and (await moves[1]).position.moves == ["1", "2"]

    run(work())


def test_a_move_that_has_no_answer_or_whose_client_leaves_is_not_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work() -> None:
        workers = HeldWorkers()
        calls = Calls(workers)
        begun = asyncio.create_task(calls("ann", "new_game", *NEW))
        await workers.hand_over(0)
        game = (await begun).game_id
        left = asyncio.create_task(calls("ann", "move", game, "1", False))
        await workers.job(1)
        with monkeypatch.context() as patch:
            patch.setattr(module, "BUSY_SECONDS", 0)
            with pytest.raises(ValueError, match="an earlier call for this game is still being computed"):
                await calls("ann", "move", game, "2", False)
        left.cancel()
        await asyncio.gather(left, return_exceptions=True)
        late = asyncio.create_task(calls("ann", "move", game, "1", False))
        (await workers.job(2)).set_exception(ValueError("That takes longer than 3 seconds"))
        with pytest.raises(ValueError, match="longer than 3 seconds"):
            await late
        shown = asyncio.create_task(calls("ann", "position", game))
        await workers.hand_over(3)
        assert (await shown).moves == []

    run(work())


def test_a_game_that_does_not_begin_takes_no_room_and_a_full_server_computes_nothing() -> None:
    async def work() -> None:
        workers = InlineWorkers()
        calls = Calls(workers, OpenGames(max_games=1))
        with pytest.raises(ValueError, match="there is no game called"):
            await calls("ann", "new_game", "chess", *NEW[1:])
        assert len(calls.games) == 0
        await calls("ann", "new_game", *NEW)
        with pytest.raises(ValueError, match="too many games"):
            await calls("bob", "new_game", *NEW)
        assert workers.clients["bob"] == 0
        with pytest.raises(LookupError, match="there is no game with this id"):
            await calls("bob", "position", "nonsense")

    run(work())


def add(games: OpenGames, client: str, state: bytes = STATE) -> OpenGame:
    return games.add(games.new_id(), client, state)


def kept(games: OpenGames, *some: OpenGame) -> list[bool]:
    """Which of these games are still there."""

    def there(game: OpenGame) -> bool:
        try:
            return games.find(game.id) is game
        except LookupError as fault:
            assert "there is no game with this id" in str(fault)
            return False

    return [there(each) for each in some]


def test_a_client_with_too_many_games_loses_the_one_not_used_for_longest() -> None:
    games = OpenGames(max_games_each=2)
    first, second, other = add(games, "a"), add(games, "a"), add(games, "b")
    games.find(first.id)
    third = add(games, "a")
    assert kept(games, first, second, third, other) == [True, False, True, True]


def test_a_client_whose_games_are_too_large_loses_the_one_not_used_for_longest() -> None:
    games = OpenGames(max_bytes_each=100)
    other, first, second = add(games, "b", b"x" * 99), add(games, "a", b"x" * 60), add(games, "a")
    games.change(second, b"x" * 60)
    assert kept(games, other, first, second) == [True, False, True]
    games.change(second, b"x" * 1000)
    assert kept(games, second) == [True], "the game that is being played stays"


def test_one_address_with_many_games_costs_no_other_address_a_game() -> None:
    games = OpenGames(max_games=100, max_games_each=10)
    early = [add(games, f"early {number}") for number in range(30)]
    for _ in range(1_000):
        add(games, "greedy")
    assert kept(games, *early) == [True] * 30
    assert len(games) == 40
    add(games, "late")


def test_when_the_server_is_full_a_new_client_is_refused_and_the_others_go_on() -> None:
    games = OpenGames(max_games=3)
    first, other, third = add(games, "a"), add(games, "a"), add(games, "b")
    with pytest.raises(ValueError, match="too many games in progress: try again later"):
        games.require_room("c")
    again = add(games, "a")
    assert kept(games, first, other, third, again) == [False, True, True, True]


def test_an_idle_game_is_forgotten() -> None:
    now = [0.0]
    games = OpenGames(max_games=2, idle_seconds=10, clock=lambda: now[0])
    idle, used = add(games, "a"), add(games, "a")
    now[0] = 9.0
    games.find(used.id)
    now[0] = 11.0
    games.require_room("b")
    assert kept(games, used, idle) == [True, False]


def test_the_server_s_tools_have_the_limits_of_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def endpoint(_: Calls, address: Any, hosts: Any) -> tuple[list[Any], None]:
        made.append((address(SimpleNamespace(scope={"client": ("2001:db8::1:2", 1)})), hosts))
        return [], None

    settings = ServerSettings(thinkers=3, memory=256, questions=5, hosts=("a.example",))
    monkeypatch.setenv("NUMBERDUELS_SERVE", "")  # which is put back
    settings.to_environment()
    # The package `mcp` need not be installed for this.
    monkeypatch.setitem(sys.modules, "numberduels.harness.mcp.server", SimpleNamespace(mcp_endpoint=endpoint))
    monkeypatch.setattr(app, "create_app", lambda _: None)
    monkeypatch.setattr(pool, "EnginePool", lambda *some, **more: made.append((some, more)))
    create_app_with_mcp()
    limits = ((3, SECONDS, 256 << 20), {"each": 5, "tasks": module.TASKS})
    assert made == [limits, ("2001:db8::/64", ("a.example",))]
