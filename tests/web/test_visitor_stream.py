"""The streams of a real server: of one match with its players, and of all matches of a visitor."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from postgresql import Server as Database

from .serving import PATIENCE, Message, Server, events, serving, somebody

ANN, BOB = "ann" * 6, "bob" * 6


class Stream:
    """An open stream, and what it has told."""

    def __init__(self, messages: AsyncIterator[Message]) -> None:
        self.messages = messages
        self.told: list[Message] = []

    async def until(self, event: str, **data: Any) -> Message:
        """The next event of this name with this data."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await anext(self.messages)
                self.told.append(message)
                if message.event == event and (not data or data.items() <= message.data.items()):
                    return message


@asynccontextmanager
async def stream(server: Server, path: str, token: str = "", **headers: str) -> AsyncIterator[Stream]:
    sent = somebody() | headers | ({"authorization": f"Bearer {token}"} if token else {})
    async with aclosing(events(server.port, path, headers=sent)) as messages:
        yield Stream(messages)


def seated(server: Server, one: str, other: str, **fields: Any) -> str:
    """The id of a game between the holders of two tokens."""
    with server.visitor() as bot:
        bot.headers["authorization"] = f"Bearer {one}"
        made = bot.post("/api/duels", json={"game": "summation-duel", "mode": "friend"} | fields).json()
        bot.headers["authorization"] = f"Bearer {other}"
        bot.post(f"/api/duels/{made['id']}/join", json={"invitation": made["invitation"], "name": "Bob"})
        return str(made["id"])


def post(server: Server, path: str, token: str, **fields: Any) -> dict[str, Any]:
    with server.visitor(authorization=f"Bearer {token}") as bot:
        answer: dict[str, Any] = bot.post(path, json=fields).json()
        return answer


def run(work: Any) -> None:
    asyncio.run(asyncio.wait_for(work, PATIENCE))


@pytest.mark.long
def test_one_stream_tells_of_all_games_of_a_visitor(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        run(_tells_of_all_games(server))


async def _tells_of_all_games(server: Server) -> None:
    token, other = "f" * 16, "g" * 16
    first = seated(server, other, token)
    seated(server, "h" * 16, "i" * 16)  # of other people
    async with stream(server, "/me/events", token) as mine:
        games = (await mine.until("games")).data
        assert [(each["id"], each["your_turn"], each["online"]) for each in games] == [
            (first, False, [False, True])
        ]
        await asyncio.to_thread(post, server, f"/api/duels/{first}/move", other, move="3")
        told = (await mine.until("version")).data
        assert (told["id"], told["version"], told["your_turn"], told["seats"]) == (first, 3, True, [2])
        assert told["last"] == {"kind": "moved", "player": 1}
        second = await asyncio.to_thread(seated, server, token, other)
        assert (await mine.until("version", id=second)).data["status"] == "waiting"
        assert (await mine.until("version", id=second, status="playing")).data["players"][1]["name"] == "Bob"
        await asyncio.to_thread(post, server, f"/api/duels/{first}/resign", other)
        told = (await mine.until("version", id=first)).data
        assert (told["status"], told["winner"], told["why"]) == ("over", 2, "resigned")
        again = await asyncio.to_thread(post, server, f"/api/duels/{first}/rematch", other)
        assert (await mine.until("version", id=again["id"])).data["rematch_of"] == first
    async with stream(server, "/me/events", token) as mine:
        assert {each["id"] for each in (await mine.until("games")).data} == {second, again["id"]}


@pytest.mark.long
def test_workers_tell_each_other_who_is_online_and_who_sits_down(tmp_path: Path, postgres: Database) -> None:
    async def streams_of_workers(server: Server) -> list[float]:
        _, text = await asyncio.to_thread(server.get, "/metrics")
        return [float(each) for each in re.findall(r'streams{pid="\d+"} ([\d.]+)', text)]

    async def work(server: Server) -> None:
        match = await asyncio.to_thread(seated, server, ANN, BOB)
        async with asyncio.TaskGroup() as group:
            pages: list[Stream] = []
            done = asyncio.Event()

            async def keep() -> None:
                async with stream(server, "/me/events", ANN) as page:
                    await page.until("games")
                    pages.append(page)
                    await done.wait()

            while min(await streams_of_workers(server)) < 1:
                before = len(pages)
                group.create_task(keep())
                while len(pages) == before:
                    await asyncio.sleep(0.01)
            async with stream(server, f"/g/{match}/events", BOB) as bob:
                await bob.until("presence", player=1, online=True)
                for page in pages:
                    await page.until("presence", match=match, player=2, online=True)
            second = await asyncio.to_thread(seated, server, BOB, ANN)
            for page in pages:
                await page.until("version", id=second, status="playing")
            done.set()

    with serving(tmp_path, postgres.fresh(), "--workers", "2") as server:
        server.workers(2)
        run(work(server))
