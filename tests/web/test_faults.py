"""Fault injection: servers are killed, cut off from their database, run out of disk space, and stopped."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import socket
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import pytest

from postgresql import Server as Database

from .serving import PATIENCE, Line, Server, Watcher, serving, wait_until

pytestmark = pytest.mark.long

SIZES: list[dict[str, Any]] = [
    {"game": "range-war", "options": {"size": 14}},
    {"game": "number-snatch", "options": {"size": 8}},
    {"game": "restricted-removal", "options": {"size": 14}},
    {"game": "summation-duel", "options": {"size": 12, "target": 50}},
    {"game": "number-collision", "options": {"size": 5, "values": 3, "repetition": "forbidden"}},
]


class Bot:
    """Plays both seats of one game, whatever happens to the server, and remembers what was acknowledged."""

    def __init__(self, port: int, number: int, pause: float = 0.0) -> None:
        self.line = Line(port)
        self.rng = Random(number)
        self.setting = SIZES[number % len(SIZES)] | {"mode": "here"}
        self.pause = pause
        self.place = ""
        self.acknowledged: list[str] = []
        self.refusals: set[tuple[int, str]] = set()

    async def sit_down(self) -> str:
        made = (await self.line.patiently("POST", "/api/duels", self.setting)).json()
        self.place, self.line.token = f"/api/duels/{made['id']}", made["token"]
        return str(made["id"])

    async def play(self) -> dict[str, Any]:
        """Play to the end; the state then."""
        state = await self.look()
        while state["status"] == "playing":
            move = {"move": self.rng.choice(state["legal"]), "ply": state["ply"]}
            with suppress(OSError, EOFError):
                answer = await self.line.ask("POST", f"{self.place}/move", move)
                if answer.status == 200:
                    state = self.seen(answer.json())
                    self.acknowledged = state["moves"]
                    await asyncio.sleep(self.pause * self.rng.random())
                    continue
                self.refusals.add((answer.status, answer.json()["key"]))
            state = await self.look()
        self.line.close()
        return state

    async def look(self) -> dict[str, Any]:
        return self.seen((await self.line.patiently("GET", self.place)).json())

    def seen(self, state: dict[str, Any]) -> dict[str, Any]:
        """See that everything acknowledged is there, and at most the one move beyond it that was in doubt."""
        count = len(self.acknowledged)
        assert state["moves"][:count] == self.acknowledged, "an acknowledged move is lost"
        assert len(state["moves"]) <= count + 1
        self.acknowledged = state["moves"]
        return state


class Crowd:
    """Many bots at play, and watchers of some of their games."""

    def __init__(self, server: Server, games: int, pause: float = 0.0) -> None:
        self.bots = [Bot(server.port, number, pause) for number in range(games)]
        self.watchers: list[Watcher] = []
        self.tasks: list[asyncio.Task[dict[str, Any]]] = []
        self.ends: list[dict[str, Any]] = []

    @property
    def moves(self) -> int:
        return sum(len(bot.acknowledged) for bot in self.bots)

    @property
    def refusals(self) -> set[tuple[int, str]]:
        return {each for bot in self.bots for each in bot.refusals}

    async def until(self, moves: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while self.moves < moves:
                await asyncio.sleep(0.01)
                for task in self.tasks:
                    if task.done():
                        task.result()  # a bot that failed tells why

    @asynccontextmanager
    async def playing(self, every: int = 4) -> AsyncIterator[None]:
        """While it lasts things may happen to the server; then all play to the end, and all is looked at."""
        games = [await bot.sit_down() for bot in self.bots]
        self.watchers = [Watcher(self.bots[0].line.port, game) for game in games[::every]]
        watching = [asyncio.create_task(watcher.watch()) for watcher in self.watchers]
        playing = self.tasks = [asyncio.create_task(bot.play()) for bot in self.bots]
        try:
            yield
            assert any(not task.done() for task in playing), "it happened in the middle of their games"
            async with asyncio.timeout(2 * PATIENCE):
                self.ends = await asyncio.gather(*playing)
                await asyncio.gather(*watching)
        finally:
            for task in [*playing, *watching]:
                task.cancel()
            await asyncio.gather(*playing, *watching, return_exceptions=True)
        for bot, end in zip(self.bots, self.ends, strict=True):
            assert end["status"] == "over"
            assert end["moves"] == bot.acknowledged
        for watcher, end in zip(self.watchers, self.ends[::every], strict=True):
            assert watcher.state == end, "a watcher did not catch up"
            assert watcher.versions == sorted(watcher.versions), "nothing is told out of order"

    def all_there(self, server: Server) -> None:
        """See that the server has every game as it ended."""
        for bot, end in zip(self.bots, self.ends, strict=True):
            status, text = server.get(bot.place, bot.line.headers)
            assert (status, json.loads(text)) == (200, end)


# Killed


def test_a_killed_server_has_lost_nothing(tmp_path: Path) -> None:
    async def run(server: Server) -> None:
        crowd = Crowd(server, 100)
        async with crowd.playing():
            for moves in (100, 300):
                await crowd.until(moves)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
        assert crowd.refusals <= {(409, "stale")}
        assert all(watcher.connections > 1 for watcher in crowd.watchers[:10])
        await asyncio.to_thread(crowd.all_there, server)
        server.kill()
        server.start()
        await asyncio.to_thread(crowd.all_there, server)

    with serving(tmp_path) as server:
        asyncio.run(run(server))
        assert all(line["level"] in ("info", "warning") for line in server.log_lines())


def test_one_worker_of_two_is_killed_and_then_both(tmp_path: Path, postgres: Database) -> None:
    async def run(server: Server) -> None:
        before = await asyncio.to_thread(server.workers, 2)
        crowd = Crowd(server, 60)
        async with crowd.playing():
            await crowd.until(60)
            os.kill(min(before), signal.SIGKILL)
            await crowd.until(180)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        assert crowd.refusals <= {(409, "stale")}
        await asyncio.to_thread(crowd.all_there, server)

    with serving(tmp_path, postgres.fresh(), "--workers", "2") as server:
        server.workers(2)
        asyncio.run(run(server))


def test_workers_do_not_outlive_the_process_that_looks_after_them(tmp_path: Path, postgres: Database) -> None:
    def answers() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", server.port)) == 0

    with serving(tmp_path, postgres.fresh(), "--workers", "2") as server:
        server.workers(2)
        assert server.process is not None
        server.process.kill()
        server.process.wait()
        wait_until(lambda: not answers())
        server.start()


# The computer


def children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def against_the_computer(visitor: httpx.Client) -> str:
    data = {"game": "range-war", "level": "perfect", "options": {"size": 12}}
    made = visitor.post("/api/duels", json=data).json()
    visitor.headers["authorization"] = f"Bearer {made['token']}"
    return f"/api/duels/{made['id']}"


def test_the_computer_moves_after_a_restart_during_its_turn(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.visitor() as visitor:
        place = against_the_computer(visitor)
        assert server.process is not None
        for child in children(server.process.pid):
            os.kill(child, signal.SIGSTOP)  # so that it thinks for long
        assert visitor.post(f"{place}/move", json={"move": 6}).json()["turn"] == 2
        server.kill()
        server.start()
        visitor.close()
        with server.visitor() as somebody_else:
            wait_until(lambda: somebody_else.get(place).json()["ply"] == 2)


# The database is away


def test_the_database_is_away_for_a_while(tmp_path: Path, postgres: Database) -> None:
    async def run(server: Server) -> None:
        crowd = Crowd(server, 40, pause=0.5)
        before = await asyncio.to_thread(server.workers, 2)
        async with crowd.playing(every=2):
            await crowd.until(60)
            await asyncio.to_thread(postgres.stop)
            await asyncio.to_thread(_told_clearly, server, crowd)
            os.kill(min(before), signal.SIGKILL)
            await asyncio.to_thread(wait_until, lambda: _looks_in_vain(server, before))
            assert server.process is not None and server.process.poll() is None
            await asyncio.to_thread(postgres.start)
        assert (503, "away") in crowd.refusals
        assert crowd.refusals <= {(503, "away"), (409, "stale")}
        await asyncio.to_thread(crowd.all_there, server)
        await asyncio.to_thread(server.workers, 2)

    with serving(tmp_path, postgres.fresh(), "--workers", "2") as server:
        server.workers(2)
        try:
            asyncio.run(run(server))
        finally:
            if postgres.process is None:
                postgres.start()
        lines = server.log_lines()
        assert any(line.get("event") == "store away" for line in lines)


def _looks_in_vain(server: Server, before: set[int]) -> bool:
    """Whether a worker that was started meanwhile has found no database."""
    lines = [line for line in server.log_lines() if line.get("event") == "store away"]
    return any(line["worker"] not in before for line in lines)


def _told_clearly(server: Server, crowd: Crowd) -> None:
    """See that a page, a bot and a host are told what the matter is."""
    bot = crowd.bots[0]
    page = bot.place.replace("/api/duels", "/g")
    headers = bot.line.headers | {"authorization": f"Bearer {bot.line.token}"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=PATIENCE) as visitor:
        with ThreadPoolExecutor() as pool:
            told = pool.submit(visitor.post, f"{bot.place}/move", json={"move": "1"})
            shown = pool.submit(visitor.post, f"{page}/move")
            health = pool.submit(visitor.get, "/healthz")
            assert visitor.get("/").status_code == 200
        _away(told.result(), shown.result())
        assert health.result().status_code == 503


def _away(told: httpx.Response, shown: httpx.Response) -> None:
    """See that a bot and a page say what the matter is, and nothing else."""
    assert (told.status_code, told.json()["key"], told.headers["retry-after"]) == (503, "away", "2")
    assert (shown.status_code, shown.headers["content-type"]) == (503, "text/html; charset=utf-8")
    for text in (told.text, shown.text):
        assert "Nothing is lost" in text
        assert "Traceback" not in text
        assert "postgres" not in text.lower()
        assert "sqlite" not in text.lower()


def test_the_disk_is_full_for_a_while(tmp_path: Path) -> None:
    async def run(server: Server) -> None:
        crowd = Crowd(server, 40, pause=0.05)
        assert server.process is not None
        process = server.process.pid
        async with crowd.playing():
            await crowd.until(60)
            full = Path(f"{server.store}-wal").stat().st_size
            resource.prlimit(process, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
            await asyncio.to_thread(_told_that_it_is_full, server, crowd)
            resource.prlimit(process, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        await asyncio.to_thread(server.until_well)
        assert (503, "away") in crowd.refusals
        assert crowd.refusals <= {(503, "away"), (409, "stale")}
        await asyncio.to_thread(crowd.all_there, server)
        server.kill()
        server.start()
        await asyncio.to_thread(crowd.all_there, server)

    with serving(tmp_path) as server:
        asyncio.run(run(server))
        assert any(line.get("event") == "store away" for line in server.log_lines())


def _told_that_it_is_full(server: Server, crowd: Crowd) -> None:
    bot = crowd.bots[0]
    with server.visitor() as visitor:
        wait_until(lambda: visitor.post("/api/duels", json=bot.setting).status_code == 503)
        _away(visitor.post("/api/duels", json=bot.setting), visitor.post("/new", data={"game": "range-war"}))
        assert visitor.get(bot.place).status_code == 200, "looking is still possible"
        wait_until(lambda: not server.well())
        health = visitor.get("/healthz")
        assert (health.status_code, health.json()) == (503, {"status": "the store cannot be read or written"})


# Told to end


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_on_sigterm_streams_end_with_bye(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    place, options = "", []
    if kind == "postgresql":
        place, options = request.getfixturevalue("postgres").fresh(), ["--workers", "2"]

    async def run(server: Server) -> None:
        bots = [Bot(server.port, number) for number in range(20)]
        watchers = [Watcher(server.port, await bot.sit_down()) for bot in bots]
        tasks = [asyncio.create_task(watcher.watch()) for watcher in watchers]
        async with asyncio.timeout(PATIENCE):
            while not all(watcher.versions for watcher in watchers):
                await asyncio.sleep(0.02)
        assert await asyncio.to_thread(server.stop) == 0
        assert [watcher.byes for watcher in watchers] == [1] * 20
        await asyncio.to_thread(server.start)
        await asyncio.gather(*(bot.play() for bot in bots))
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*tasks)

    with serving(tmp_path, place, *options) as server:
        asyncio.run(run(server))


# For hosts


def test_the_server_counts_what_it_does(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        with server.visitor() as visitor:
            place = against_the_computer(visitor)
            visitor.post(f"{place}/move", json={"move": 6})
            visitor.get(f"{place}/nothing")
            visitor.request("PROPFIND", place)
            with visitor.stream("GET", f"{place}/stream"):
                wait_until(lambda: server.metrics()["numberduels_streams"] == 1)
        wait_until(lambda: server.metrics()["numberduels_streams"] == 0)
        wait_until(lambda: server.metrics()["numberduels_moves_total"] == 2)  # the computer's is one, too
        counts = server.metrics()
        assert counts["numberduels_games_total"] == 1
        assert counts["numberduels_duels_in_memory"] == 1
        name = "numberduels_requests_total"
        assert counts[f'{name}{{method="POST",route="/api/duels",status="201"}}'] == 1
        assert counts[f'{name}{{method="POST",route="/api/duels/{{duel}}/move",status="200"}}'] == 1
        assert not any(place.rsplit("/", 1)[1] in label for label in counts), "ids are nobody's business"
        buckets = [value for label, value in counts.items() if "seconds_bucket" in label]
        assert buckets == sorted(buckets)
        assert buckets[-1] == counts["numberduels_request_seconds_count"]
