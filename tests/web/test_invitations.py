"""Invitations that are taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.web.errors import UserError
from numberduels.web.match import commands, seating
from numberduels.web.match.events import HUMAN, OPEN, SeatInfo, created_data

from .in_process import InProcessServer, in_process, unlimited
from .test_match_model import ANN, BOB, INVITATION, Playing, refusal, two
from .test_match_service import Memory, matches, run


def test_nobody_joins_after_the_invitation_was_taken_back() -> None:
    game = Playing(ANN, SeatInfo(OPEN))
    game(seating.cancel(game.match, (0,)))
    assert {name: game.state[name] for name in ("status", "winner", "why", "turn")} == {
        "status": "over",
        "winner": None,
        "why": "cancelled",
        "turn": None,
    }
    assert refusal(lambda: seating.join(game.match, "Bob", BOB.key, INVITATION)) == ("cancelled", 409)
    assert refusal(lambda: commands.rematch_data(game.match, (0,))) == ("cancelled", 409)
    assert game.match.standing.games == 0


def test_only_whoever_waits_takes_an_invitation_back() -> None:
    game = Playing(ANN, SeatInfo(OPEN))
    assert refusal(lambda: seating.cancel(game.match, ())) == ("stranger", 403)
    assert refusal(lambda: seating.cancel(two().match, (0,))) == ("not_waiting", 409)
    game(seating.cancel(game.match, (0,)))
    assert refusal(lambda: seating.cancel(game.match, (0,))) == ("not_waiting", 409)


def test_of_joining_and_taking_back_at_once_exactly_one_happens() -> None:
    async def work() -> None:
        store = Memory(shared=True)
        here, there = matches(store), matches(store)
        seats = (SeatInfo(HUMAN, key="ann"), SeatInfo(OPEN))
        match = await here.create(created_data(SummationDuel(), seats, INVITATION))
        await there.get(match.id)
        ended = await asyncio.gather(
            here.execute(match.id, lambda match: seating.cancel(match, (0,))),
            there.execute(match.id, lambda match: seating.join(match, "Bob", "bob", INVITATION)),
            return_exceptions=True,
        )
        kinds = [event.kind for event in store.logs[match.id]]
        refused = [each.key for each in ended if isinstance(each, UserError)]
        assert (kinds[1:], refused) in ((["cancelled"], ["cancelled"]), (["joined"], ["not_waiting"]))

    run(work())


@pytest.fixture
def server(tmp_path: Path) -> Iterator[InProcessServer]:
    with in_process(unlimited(tmp_path / "duels.sqlite")) as running:
        yield running


def test_an_invitation_is_taken_back_by_a_form(server: InProcessServer) -> None:
    ann, bob = server.visitor(), server.visitor()
    place = ann.post("/new", data={"game": "range-war", "mode": "friend"}).headers["location"]
    link = ann.cookies.get(f"invitation_{place.removeprefix('/g/')}", path=place)
    assert f"{place}/cancel" in ann.get(place).text and f"{place}/cancel" not in bob.get(place).text
    assert ann.post(f"{place}/cancel").status_code == 303
    page = ann.get(place).text
    assert "This invitation was taken back." in page and f"{place}/rematch" not in page
    assert "join?key" not in page
    late = bob.get(f"{place}/join", params={"key": link})
    assert late.status_code == 409 and "This invitation was taken back." in late.text
    assert bob.post(f"{place}/join", data={"invitation": link}).status_code == 409
