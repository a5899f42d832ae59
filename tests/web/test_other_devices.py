"""Links that take a seat along to another device: once, for a while, and for nobody else."""

from __future__ import annotations

import asyncio
import re
from html import unescape

from starlette.testclient import TestClient

from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.web.errors import UserError
from numberduels.web.match import commands, seating
from numberduels.web.match.events import HUMAN, SeatInfo, created_data
from numberduels.web.match.model import Match
from numberduels.web.match.seating import DEVICE_LINK_SECONDS, MAX_DEVICE_LINKS, hash_secret

from .in_process import InProcessServer
from .test_match_model import ANN, BOB, INVITATION, Playing, hot_seat, refusal, two
from .test_match_service import Memory, matches

LINK, PHONE = hash_secret("the link"), hash_secret("Ann's phone")


def carried(game: Playing | None = None) -> Playing:
    """A game in which Ann also plays on her phone."""
    game = game or two()
    game(seating.make_device_link(game.match, game.match.seats_of(ANN.key), LINK))
    game(seating.use_device_link(game.match, LINK, PHONE, game.now))
    return game


def test_both_devices_play_for_the_seat() -> None:
    game = carried()
    assert game.match.seats_of(PHONE) == game.match.seats_of(ANN.key) == (0,)
    assert game.match.keys == {ANN.key, PHONE, BOB.key}
    assert Match.from_events("canonical", game.events).seats_of(PHONE) == (0,)
    assert game.match.last_kind == "carried", "which is not told as if somebody had sat down"


def test_in_a_game_at_one_screen_both_seats_come_along() -> None:
    assert carried(hot_seat()).match.seats_of(PHONE) == (0, 1)


def test_a_link_works_for_a_while() -> None:
    game = two()
    game(seating.make_device_link(game.match, (0,), LINK))
    late = 1.5 + DEVICE_LINK_SECONDS
    for token in ("", "x", hash_secret("guessed"), INVITATION):
        assert refusal(lambda token=token: seating.use_device_link(game.match, token, PHONE, 2.0)) == (  # type: ignore[misc]
            "no_link",
            403,
        )
    assert refusal(lambda: seating.use_device_link(game.match, LINK, PHONE, late)) == ("no_link", 403)
    game(seating.use_device_link(game.match, LINK, PHONE, 1.4 + DEVICE_LINK_SECONDS))


def test_a_new_link_makes_the_old_one_void() -> None:
    game = two()
    game(seating.make_device_link(game.match, (0,), LINK))
    game(seating.make_device_link(game.match, (0,), hash_secret("another")))
    assert refusal(lambda: seating.use_device_link(game.match, LINK, PHONE, 2.0)) == ("no_link", 403)
    game(seating.make_device_link(game.match, (1,), hash_secret("Bob's")))
    game(seating.use_device_link(game.match, hash_secret("another"), PHONE, 2.0))


def test_the_opponent_cannot_use_the_link_and_spectators_cannot_make_one() -> None:
    game = two()
    game(seating.make_device_link(game.match, (0,), LINK))
    assert refusal(lambda: seating.use_device_link(game.match, LINK, BOB.key, 2.0)) == ("seated", 409)
    assert refusal(lambda: seating.make_device_link(game.match, (), LINK)) == ("stranger", 403)


def test_a_stolen_seat_is_taken_back_by_whoever_sat_down_first_and_by_nobody_else() -> None:
    game = carried()
    assert refusal(lambda: seating.remove_devices(game.match, PHONE)) == ("not_owner", 403)
    assert refusal(lambda: seating.remove_devices(game.match, "nobody")) == ("stranger", 403)
    assert (seating.other_devices(game.match, ANN.key), seating.other_devices(game.match, PHONE)) == (1, 0)
    game(seating.make_device_link(game.match, (0,), LINK))
    game(seating.remove_devices(game.match, ANN.key))
    assert game.match.seats_of(PHONE) == () and game.match.seats_of(BOB.key) == (1,)
    assert refusal(lambda: seating.use_device_link(game.match, LINK, PHONE, game.now)) == ("no_link", 403)
    assert seating.other_devices(game.match, ANN.key) == 0


def test_links_do_not_fill_the_log() -> None:
    game = two()
    for number in range(MAX_DEVICE_LINKS):
        game(seating.make_device_link(game.match, (0,), hash_secret(str(number))))
    assert refusal(lambda: seating.make_device_link(game.match, (0,), LINK)) == ("many_links", 409)


def test_a_seat_is_taken_back_only_from_another_device_or_an_open_link() -> None:
    game = two()
    assert refusal(lambda: seating.remove_devices(game.match, ANN.key)) == ("no_device", 409)
    game(seating.make_device_link(game.match, (0,), LINK))
    assert refusal(lambda: seating.remove_devices(game.match, BOB.key)) == ("no_device", 409)
    game(seating.remove_devices(game.match, ANN.key))
    assert refusal(lambda: seating.remove_devices(game.match, ANN.key)) == ("no_device", 409)


async def test_of_ten_devices_that_race_for_one_link_one_gets_the_seat_and_rematches_keep_it() -> None:
    store = Memory(shared=True)
    places = [matches(store) for _ in range(2)]
    seats = (SeatInfo(HUMAN, key="ann"), SeatInfo(HUMAN, key="bob"))
    match = await places[0].create(created_data(SummationDuel(), seats))
    await places[0].execute(match.id, lambda match: seating.make_device_link(match, (0,), LINK))
    tries = [
        places[number % 2].execute(
            match.id,
            lambda match, key=f"device {number}": seating.use_device_link(match, LINK, key, 0.0),  # type: ignore[misc]
        )
        for number in range(10)
    ]
    ended = await asyncio.gather(*tries, return_exceptions=True)
    assert [each.key for each in ended if isinstance(each, UserError)] == ["no_link"] * 9
    match = await places[0].get(match.id)
    ((device, seats_of_device),) = match.device_seats.items()
    assert seats_of_device == (0,)
    await places[0].execute(match.id, lambda match: commands.resign(match, (1,)))
    rematch = await places[1].rematch(match.id, "bob")
    assert rematch.seats_of(device) == rematch.seats_of("ann") == (1,)
    read = Match.from_events(rematch.id, await store.read(rematch.id))
    assert read.seats_of(device) == (1,)
    assert [event.kind for event in store.logs[rematch.id]] == ["created", "joined"]


# Pages and the API


def begin(visitor: TestClient, mode: str = "here") -> str:
    return str(visitor.post("/new", data={"game": "range-war", "mode": mode}).headers["location"])


def link_of(visitor: TestClient, place: str) -> str:
    found = re.search(r'value="http://testserver(/carry/[^"]+)"', visitor.post(f"{place}/carry").text)
    assert found
    return unescape(found[1])


def test_a_seat_is_taken_along_by_forms_alone(fresh: InProcessServer) -> None:
    desk, phone = fresh.visitor(), fresh.visitor()
    place = begin(desk)
    link = link_of(desk, place)
    assert link not in desk.get(place).text, "it is shown once"
    for _ in range(2):  # a messenger shows a preview first
        page = phone.get(link)
        assert page.status_code == 200 and "Play here" in page.text
        assert page.headers["x-robots-tag"] == "noindex" and "set-cookie" not in page.headers
    assert phone.post(link).headers["location"] == place
    assert phone.post(f"{place}/move", data={"move": "6"}).status_code == 303
    assert phone.get(link).headers["location"] == place
    assert f"{place}/reclaim" in desk.get(place).text and f"{place}/reclaim" not in phone.get(place).text
    assert [each["id"] for each in phone.get("/api/me/duels").json()["duels"]] == [place.removeprefix("/g/")]


def test_a_link_that_was_used_or_is_too_old_says_so(fresh: InProcessServer) -> None:
    desk, phone, thief = fresh.visitor(), fresh.visitor(), fresh.visitor()
    place = begin(desk)
    used = link_of(desk, place)
    phone.post(used)
    late = link_of(desk, place)
    fresh.wall_clock.advance = DEVICE_LINK_SECONDS
    for link in (used, late, "/carry/nothing-x", "/carry/nothing", f"/carry/{place.removeprefix('/g/')}-"):
        for answer in (thief.get(link), thief.post(link)):
            assert answer.status_code == 403 and "This link cannot be used" in answer.text
    assert thief.post(f"{place}/move", data={"move": "6"}).status_code == 403
    assert desk.post(f"{place}/reclaim").status_code == 303
    assert phone.post(f"{place}/move", data={"move": "6"}).status_code == 403
    assert phone.get("/api/me/duels").status_code == 401, "nothing is left of the seat"


def test_a_bot_takes_its_seat_along(fresh: InProcessServer) -> None:
    bot, other = fresh.visitor(), fresh.visitor()
    made = bot.post("/api/duels", json={"game": "range-war", "mode": "here"}).json()
    token = {"authorization": f"Bearer {made['token']}"}
    lent = bot.post(f"/api/duels/{made['id']}/carry", headers=token).json()
    assert lent["seconds"] == DEVICE_LINK_SECONDS
    joined = other.post("/api/carry", json={"link": lent["link"]}).json()
    assert (joined["id"], joined["seat"]) == (made["id"], 1) and joined["token"] != made["token"]
    again = other.post("/api/carry", json={"link": lent["link"]})
    assert (again.status_code, again.json()["key"]) == (403, "no_link")
