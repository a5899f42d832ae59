"""Two thousand live games with clocks and online players, beside a bare handler with one insert."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from statistics import median, quantiles

from benchmarks.wire import Line, Watcher, watch
from numberduels.web.settings import VARIABLE, ServerSettings

TITLE = "Web: live games with watchers"
GAMES = 2_000
HANDS = 64
"""Connections that make the moves."""
SECONDS = 8.0
ROUNDS = 3
CONNECTION = "numberduels.web.http.connections:Connection"
"""What `duel serve` gives to uvicorn."""


@contextmanager
def served(app: str, http: str = "auto", **environment: str) -> Iterator[tuple[int, int]]:
    """A server of its own process: its port, and its number."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", app, "--factory", "--port", str(port), "--log-level", "error"]
    command += ["--http", http, "--ws", "none"]
    with subprocess.Popen(command, env=os.environ | environment) as process:
        try:
            for _ in range(200):
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.05)
            yield port, process.pid
        finally:
            process.terminate()


def settings(store: str) -> dict[str, str]:
    """The server without the limits that are for strangers."""
    free = ServerSettings(store=store, thinkers=1, streams=10**6).for_people(10**9)
    return {VARIABLE: json.dumps(asdict(free))}


def resident(process: int) -> int:
    """Bytes of memory that a process has."""
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def bare(port: int, seconds: float) -> float:
    """Inserts a second."""
    done = 0
    end = time.perf_counter() + seconds

    async def hand() -> None:
        nonlocal done
        line = await Line(port).open()
        while time.perf_counter() < end:
            status, _ = await line.post("/insert", {"move": "5", "ply": 3})
            assert status == 200
            done += 1
        line.close()

    began = time.perf_counter()
    await asyncio.gather(*(hand() for _ in range(HANDS)))
    return done / (time.perf_counter() - began)


class Crowd:
    """Many games with a clock, each with a player who is online by a stream."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.games: list[tuple[str, tuple[str, str]]] = []
        """The id of each game, and the tokens of its players."""
        self.watchers: list[Watcher] = []
        self.sent: dict[tuple[str, int], float] = {}
        self.delays: list[float] = []

    async def gather(self, count: int) -> None:
        """Make the games and let the watchers come."""

        async def hand(share: int) -> None:
            line = await Line(self.port).open()
            for _ in range(share):
                await self.begin(line)
            line.close()

        await asyncio.gather(*(hand(count // HANDS + (number < count % HANDS)) for number in range(HANDS)))

    async def begin(self, line: Line) -> None:
        """One more game."""
        options = {"size": 20, "target": 200}
        fields = {"game": "summation-duel", "mode": "friend", "clock": "day", "options": options}
        status, made = await line.post("/api/duels", fields)
        assert status == 201, made
        name = made["id"]
        status, joined = await line.post(f"/api/duels/{name}/join", {"invitation": made["invitation"]})
        assert status == 200, joined

        def arrived(version: int, now: float) -> None:
            sent = self.sent.pop((name, version), None)
            if sent is not None:
                self.delays.append(now - sent)

        self.watchers.append(await watch(self.port, f"/api/duels/{name}/stream", arrived, made["token"]))
        self.games.append((name, (made["token"], joined["token"])))

    async def play(self, seconds: float) -> float:
        """Moves a second, all hands going from game to game."""
        done = 0
        end = time.perf_counter() + seconds
        state = dict.fromkeys((name for name, _ in self.games), (2, 1))

        async def hand(first: int) -> None:
            nonlocal done
            line = await Line(self.port).open()
            mine = self.games[first::HANDS]
            while mine and time.perf_counter() < end:
                for name, tokens in list(mine):
                    version, move = state[name]
                    ply = version - 2
                    self.sent[name, version + 1] = time.perf_counter()
                    status, told = await line.post(
                        f"/api/duels/{name}/move", {"move": move, "ply": ply}, tokens[ply % 2]
                    )
                    assert status == 200, told
                    done += 1
                    if told["status"] == "over":
                        mine.remove((name, tokens))
                    else:
                        state[name] = told["version"], told["legal"][0]
                    if time.perf_counter() >= end:
                        break
            line.close()

        began = time.perf_counter()
        await asyncio.gather(*(hand(number) for number in range(HANDS)))
        return done / (time.perf_counter() - began)


async def crowded(port: int, process: int) -> tuple[float, list[float], float]:
    """Moves a second, the delays until watchers knew, and bytes for each game with its watcher."""
    crowd = Crowd(port)
    await crowd.gather(HANDS)  # what is loaded at the first use is no game's burden
    before = resident(process)
    await crowd.gather(GAMES - HANDS)
    memory = (resident(process) - before) / (GAMES - HANDS)
    rate = await crowd.play(SECONDS)
    await asyncio.sleep(0.5)
    delays = crowd.delays
    assert not crowd.sent, f"{len(crowd.sent)} moves were never told"
    for watcher in crowd.watchers:
        watcher.transport.close()
    return rate, delays, memory


def measured(store: str) -> tuple[float, float, float, float, float]:
    """One round: the limit, the rate, two delays and the memory."""
    with tempfile.TemporaryDirectory() as folder:
        bare_place, place = (store or os.path.join(folder, name) for name in ("bare.sqlite", "duels.sqlite"))
        with served("benchmarks.bare_insert:create", BARE_STORE=bare_place) as (port, _):
            limit = asyncio.run(bare(port, SECONDS))
        with served("numberduels.web.http.app:create_app", CONNECTION, **settings(place)) as (port, process):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
                assert answer.status == 200
            rate, delays, memory = asyncio.run(crowded(port, process))
    cuts = quantiles(delays, n=100)
    return limit, rate, cuts[49], cuts[98], memory


def table() -> Iterator[str]:
    """What one server carries on each store."""
    yield (
        "| store | bare inserts a second | moves a second | ratio"
        " | told after (median, 99th percentile) | memory of a game and its watcher |"
    )
    yield "|---|---|---|---|---|---|"
    stores = {"SQLite": ""}
    if place := os.environ.get("BENCH_POSTGRESQL", ""):
        stores["PostgreSQL"] = place
    for name, store in stores.items():
        rounds = [measured(store) for _ in range(ROUNDS)]
        limit, rate, middle, late, memory = (median(column) for column in zip(*rounds, strict=True))
        ratio = median(one[1] / one[0] for one in rounds)
        yield (
            f"| {name} | {limit:,.0f} | {rate:,.0f} | {ratio:.2f}"
            f" | {1000 * middle:.1f} ms, {1000 * late:.1f} ms | {memory / 1024:.1f} kB |"
        )
