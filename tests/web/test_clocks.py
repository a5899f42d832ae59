"""Clocks: a deadline for each move, and the claim of whoever waited for it."""

from __future__ import annotations

import asyncio

from numberduels.game.contract import Seat
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.web.errors import UserError
from numberduels.web.match import commands, seating
from numberduels.web.match.events import HUMAN, OPEN, SeatInfo, created_data
from numberduels.web.match.model import Match
from numberduels.web.match.service import MatchService
from numberduels.web.store.base import Event
from tables import table

from . import in_process
from .in_process import InProcessServer
from .test_match_model import ANN, BOB, INVITATION, Playing, refusal
from .test_match_service import Memory, matches

MINUTE, DAY = 60.0, 86_400.0


def timed(clock: str = "minute") -> Playing:
    return Playing(ANN, BOB, clock=clock)


@table("clock, seconds", [("minute", MINUTE), ("day", DAY)])
def test_each_move_has_its_time_from_the_move_before(clock: str, seconds: float) -> None:
    game = timed(clock)
    assert game.match.deadline == 1.5 + seconds
    game.now = 40.0
    game.play(6)
    assert game.match.deadline == 40.0 + seconds


def test_the_time_of_the_first_move_begins_when_the_friend_sits_down() -> None:
    game = Playing(ANN, SeatInfo(OPEN), clock="minute")
    assert game.match.deadline is None
    game.now = 1_000.0
    game(seating.join(game.match, "Bob", BOB.key, INVITATION))
    assert game.match.deadline == 1_060.0


def test_a_takeback_gives_the_whole_time_again_and_a_question_gives_none() -> None:
    game = timed()
    game.play(6)
    game.now = 30.0
    game(commands.ask_takeback(game.match, (0,)))
    assert game.match.deadline == 1.5 + MINUTE
    game(commands.answer_takeback(game.match, (1,), True))
    assert game.match.deadline == 30.0 + MINUTE


def test_the_game_is_claimed_after_the_deadline_and_not_before() -> None:
    game = timed()
    assert refusal(lambda: commands.claim(game.match, (1,), 61.4)) == ("in_time", 409)
    assert game(commands.claim(game.match, (1,), 61.5)) == ("claimed", {"seat": 0})
    assert {name: game.state[name] for name in ("status", "winner", "why", "deadline", "legal")} == {
        "status": "over",
        "winner": 2,
        "why": "time",
        "deadline": None,
        "legal": [],
    }
    assert commands.rematch_data(game.match, (0,))["clock"] == "minute"


def test_nobody_claims_their_own_time_or_a_game_without_a_clock() -> None:
    assert refusal(lambda: commands.claim(timed().match, (0,), DAY)) == ("own_time", 409)
    assert refusal(lambda: commands.claim(Playing(ANN, BOB).match, (1,), DAY)) == ("no_clock", 409)
    assert refusal(lambda: commands.claim(timed().match, (), DAY)) == ("stranger", 403)


def rematch_of(game: Playing, seat: Seat) -> Playing:
    """The rematch that this seat starts, a minute after the end; the seats are swapped in it."""
    game(commands.resign(game.match, (0,)))
    data = commands.rematch_data(game.match, (seat,))
    rematch = Playing(ANN, BOB)
    rematch.now = game.now + MINUTE
    rematch.events = [Event(1, rematch.now, "created", data)]
    rematch.match = Match.from_events("next", rematch.events)
    return rematch


def test_the_clock_of_a_rematch_starts_for_each_player_with_their_first_visit_or_move() -> None:
    """Bob is to move. Ann, who asks for the rematch, cannot win it while he reads the old result."""
    game = rematch_of(timed(), 0)
    assert game.match.rematch_by == 1 and game.match.deadline is None
    game.now += DAY
    assert refusal(lambda: commands.claim(game.match, (1,), game.now)) == ("in_time", 409)
    game(commands.visit(game.match, (1,)))
    assert game.match.deadline is None, "it is not Ann's turn"
    game(commands.visit(game.match, (0,)))
    assert game.match.deadline == game.now + MINUTE
    assert refusal(lambda: commands.visit(game.match, (0,))) == ("stale", 409)
    later = game.now + 30.0
    game.now = later
    game.play(6)
    assert game.match.deadline == later + MINUTE
    assert Match.from_events("next", game.events).deadline == later + MINUTE


def test_the_visit_of_the_opponent_does_not_restart_the_clock() -> None:
    game = rematch_of(timed(), 0)
    game(commands.visit(game.match, (0,)))
    due = game.now + MINUTE
    game.now += 30.0
    game(commands.visit(game.match, (1,)))
    assert game.match.deadline == due


def test_a_move_made_before_the_opponent_has_come_does_not_start_their_clock() -> None:
    game = rematch_of(timed(), 1)
    game.play(6)
    assert game.match.deadline is None
    game.now += DAY
    game(commands.visit(game.match, (1,)))
    assert game.match.deadline == game.now + MINUTE


# The race of move and claim


async def a_timed_match(place: MatchService) -> Match:
    seats = (SeatInfo(HUMAN, key="ann"), SeatInfo(HUMAN, key="bob"))
    return await place.create(created_data(SummationDuel(), seats, clock="minute"))


@table("move_first", [True, False])
async def test_of_a_move_and_a_claim_at_the_second_of_the_deadline_exactly_one_counts(
    move_first: bool,
) -> None:
    now = 100.0
    store = Memory(shared=True, clock=lambda: now)
    here, there = (matches(store, clock=lambda: now) for _ in range(2))
    match = await a_timed_match(here)
    await there.get(match.id)
    now += MINUTE
    tries = [
        here.execute(match.id, lambda match: commands.move(match, (0,), "5")),
        there.execute(match.id, lambda match: commands.claim(match, (1,), there.now())),
    ]
    ended = await asyncio.gather(*(tries if move_first else tries[::-1]), return_exceptions=True)
    refused = [each.key for each in ended if isinstance(each, UserError)]
    kinds = [event.kind for event in store.logs[match.id]]
    if kinds[1] == "moved":
        assert refused == ["own_time"], "after the move it is the turn of whoever claimed"
    else:
        assert kinds[1] == "claimed" and refused[0] in ("stale", "over")
    assert len(kinds) == 2 and len(refused) == 1


async def test_a_move_is_not_stale_because_of_a_question_that_was_stored_first() -> None:
    store = Memory(shared=True)
    here, there = matches(store), matches(store)
    match = await a_timed_match(here)
    await here.execute(match.id, lambda match: commands.move(match, (0,), "5"))
    await there.get(match.id)
    await here.execute(match.id, lambda match: commands.ask_takeback(match, (0,)))
    moved = await there.execute(match.id, lambda match: commands.move(match, (1,), "6"))
    assert moved.moves == ["5", "6"]


# Pages and the API


def begin(fresh: InProcessServer, clock: str) -> tuple[str, dict[str, str], dict[str, str]]:
    """A game of two bots with this clock: its id, and the headers of both."""
    client = fresh.visitor()
    made = client.post("/api/duels", json={"game": "range-war", "mode": "friend", "clock": clock}).json()
    joined = client.post(
        f"/api/duels/{made['id']}/join", json={"invitation": made["invitation"]}, headers=bearer("b" * 20)
    ).json()
    return made["id"], bearer(made["token"]), bearer(joined["token"])


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_a_page_offers_the_claim_to_whoever_waits_and_only_then(fresh: InProcessServer) -> None:
    ann, bob, eve = fresh.visitor(), fresh.visitor(), fresh.visitor()
    place = in_process.begin(ann, mode="friend", clock="minute", name="Ann", seat="1")
    in_process.join(ann, bob, place)
    for visitor in (ann, bob, eve):
        page = visitor.get(place).text
        assert "data-deadline" in page and f"{place}/claim" not in page
    fresh.wall_clock.advance = MINUTE
    offered = [f"{place}/claim" in visitor.get(place).text for visitor in (ann, bob, eve)]
    assert offered == [False, True, False]
    assert bob.post(f"{place}/claim").status_code == 303
    assert "Player 1 exceeded the time." in eve.get(place).text
    assert "You win!" in bob.get(place).text and "data-deadline" not in bob.get(place).text
    assert "Ann exceeded the time." in eve.get(f"{place}/review").text


@table("mode", ["computer", "here"])
def test_only_a_game_with_a_friend_has_a_clock(fresh: InProcessServer, mode: str) -> None:
    made = fresh.visitor().post("/api/duels", json={"game": "range-war", "mode": mode, "clock": "day"})
    assert made.json()["state"]["clock"] == "none"


def test_pages_and_bots_visit_a_rematch_and_lists_of_games_do_not(fresh: InProcessServer) -> None:
    match_id, first, second = begin(fresh, "minute")
    client = fresh.visitor()
    client.post(f"/api/duels/{match_id}/resign", headers=first)
    rematch = client.post(f"/api/duels/{match_id}/rematch", headers=first).json()["id"]
    assert client.get("/api/me/duels", headers=second).json()["duels"][0]["deadline"] is None
    assert (
        "The clock starts when Player 1 opens this game." in client.get(f"/g/{rematch}", headers=first).text
    )
    early = client.post(f"/api/duels/{rematch}/claim", headers=first)
    assert early.json()["key"] == "in_time" and early.json()["state"]["deadline"] is None
    seen = client.get(f"/api/duels/{rematch}", headers=second).json()
    assert seen["deadline"] and client.get(f"/api/duels/{rematch}", headers=second).json() == seen
    fresh.wall_clock.advance = MINUTE
    assert client.post(f"/api/duels/{rematch}/claim", headers=first).json()["why"] == "time"
