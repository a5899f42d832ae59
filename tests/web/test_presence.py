"""Presence: who is online, with several tabs and several processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.web.match import commands, seating
from numberduels.web.match.events import HUMAN, OPEN, SeatInfo, created_data
from numberduels.web.match.service import MatchService
from numberduels.web.match.subscriptions import EXPIRY, MAX_KEYS, Presence
from tables import table

from .in_process import Clock
from .test_match_service import Memory, matches


async def until(done: Callable[[], bool]) -> None:
    while not done():
        await asyncio.sleep(0.005)


class Network:
    """Processes that tell each other who is online, until the line is cut."""

    def __init__(self, count: int) -> None:
        self.clock = Clock()
        self.cut = False
        self.messages = 0
        self.changes: list[tuple[int, str, bool]] = []
        self.processes = [Presence(self.send, grace=0.0, clock=self.clock) for _ in range(count)]
        for number, each in enumerate(self.processes):
            each.on_change = lambda key, number=number, each=each: self.changes.append(  # type: ignore[misc]
                (number, key, each.is_online(key))
            )

    def send(self, text: str) -> None:
        self.messages += 1
        if not self.cut:
            for each in self.processes:
                each.receive(json.loads(text))

    def online(self, key: str) -> list[bool]:
        return [each.is_online(key) for each in self.processes]


async def test_closing_one_of_two_tabs_keeps_a_visitor_online() -> None:
    network = Network(1)
    (here,) = network.processes
    here.enter("ann")
    here.enter("ann")
    here.leave("ann")
    await asyncio.sleep(0.001)  # a timer that comes after those of the visitor
    assert here.is_online("ann") and network.changes == [(0, "ann", True)]
    here.leave("ann")
    await until(lambda: not here.is_online("ann"))
    assert network.changes == [(0, "ann", True), (0, "ann", False)]


async def test_a_page_that_is_loaded_again_is_never_away() -> None:
    changes: list[str] = []
    here = Presence(grace=3600.0)
    here.on_change = changes.append
    for _ in range(50):
        here.enter("ann")
        here.leave("ann")
        assert here.is_online("ann")
    assert changes == ["ann"], "whoever reloads again and again is told once"
    here.enter("ann")


async def test_every_process_knows_who_is_online_in_another_one() -> None:
    network = Network(2)
    network.processes[0].enter("ann")
    await until(lambda: network.online("ann") == [True, True])
    network.processes[1].enter("ann")  # a tab at the other process
    await until(lambda: network.messages == 2)
    network.processes[0].leave("ann")
    await until(lambda: not network.processes[0]._leaving)
    assert network.online("ann") == [True, True]
    network.processes[1].leave("ann")
    await until(lambda: network.online("ann") == [False, False])
    assert [change for change in network.changes if change[2]] == [(0, "ann", True), (1, "ann", True)]


async def test_a_process_that_starts_asks_who_is_online() -> None:
    network = Network(1)
    network.processes[0].enter("ann")
    late = Presence(network.send)
    network.processes.append(late)
    late.ask()
    assert late.is_online("ann")


async def test_visitors_of_a_process_that_was_killed_are_forgotten() -> None:
    network = Network(2)
    network.processes[0].enter("ann")
    await until(lambda: network.online("ann") == [True, True])
    survivor = network.processes[1]
    network.clock.now += EXPIRY - 1
    survivor.repeat()
    assert survivor.is_online("ann")
    network.processes[0].repeat()  # which mentions her again
    network.clock.now += EXPIRY - 1
    survivor.repeat()
    assert survivor.is_online("ann")
    network.clock.now += 1
    survivor.repeat()
    assert not survivor.is_online("ann") and network.changes[-1] == (1, "ann", False)


async def test_many_visitors_are_told_in_few_messages_that_the_database_can_carry() -> None:
    sent: list[str] = []
    here = Presence(sent.append)
    keys = [f"{number:040x}" for number in range(3 * MAX_KEYS)]
    for key in keys:
        here.enter(key)
    await until(lambda: len(sent) == 3)
    assert max(map(len, sent)) < 7_900
    assert [key for text in sent for key in json.loads(text)["keys"]] == keys


@table(
    "message",
    [
        {},
        {"from": 3, "keys": ["ann"]},
        {"from": "x", "keys": "ann"},
        {"from": "x", "online": True, "keys": [[]]},
    ],
)
def test_a_message_that_makes_no_sense_is_ignored(message: dict[str, object]) -> None:
    here = Presence()
    here.receive(message)
    assert not here.is_online("ann") and not here._elsewhere


# Of the players of a match


class Shared(Memory):
    """A store whose processes also hear each other's messages."""

    def broadcast(self, message: str) -> None:
        for listener in self.message_listeners:
            asyncio.get_running_loop().call_soon(listener, message)


def place(store: Memory) -> MatchService:
    return matches(store, presence=Presence(store.broadcast, grace=0.0))


def data(*seats: SeatInfo) -> dict[str, object]:
    return created_data(SummationDuel(), seats, "invited")


ANN, BOB = SeatInfo(HUMAN, "Ann", key="ann"), SeatInfo(HUMAN, "Bob", key="bob")


@table("workers", [1, 2])
async def test_subscribers_of_a_match_are_told_when_a_player_comes_and_goes(workers: int) -> None:
    store = Shared(shared=workers > 1)
    places = [place(store) for _ in range(workers)]
    here, there = places[0], places[-1]
    match = await here.create(data(ANN, BOB))
    other = await here.create(data(ANN, SeatInfo(HUMAN, key="eve")))
    stream, quiet = (here.subscriptions.open(each.id, "somebody") for each in (match, other))
    for each in (match, other):
        here.subscriptions.index_players(each)
    there.presence.enter("bob")
    assert await stream.next(60) == [match] and here.online(match) == (False, True)
    there.presence.leave("bob")
    assert await stream.next(60) == [match] and here.online(match) == (False, False)
    assert await quiet.next(0) == [], "Bob does not play there"


@table("workers", [1, 2])
async def test_a_visitor_s_subscription_follows_matches_that_begin_later(workers: int) -> None:
    store = Shared(shared=workers > 1)
    places = [place(store) for _ in range(workers)]
    here, there = places[0], places[-1]
    stream = here.subscriptions.open_for_visitor("bob", "somebody")
    match = await there.create(data(ANN, SeatInfo(OPEN)))
    await there.execute(match.id, lambda match: seating.join(match, "Bob", "bob", "invited"))
    (told,) = await stream.next(60)
    assert told.id == match.id and stream.match_ids == {match.id}
    await there.execute(match.id, lambda match: commands.move(match, (0,), "5"))
    (told,) = await stream.next(60)
    assert told.moves == ["5"]
    await there.execute(match.id, lambda match: commands.resign(match, (0,)))
    await stream.next(60)
    again = await there.rematch(match.id, "bob")
    seen: set[str] = set()
    while again.id not in seen:
        seen |= {each.id for each in await stream.next(60)}
    here.subscriptions.end(stream)
    assert here.subscriptions.match_ids() == [] and here.subscriptions.count == 0
    assert not here.subscriptions._keys and not here.subscriptions._matches_of


@table("text", ["", "[]", "3", '{"match": 3}', '{"match": "x", "seated": 4}', "{"])
async def test_a_message_of_another_program_is_ignored(text: str) -> None:
    here = place(Shared(shared=True))
    here.subscriptions.open_for_visitor("bob", "somebody")
    here._on_message(text)
    here._on_message('{"match": "nothing", "seated": ["bob"]}')
    await until(lambda: not here._tasks)
