"""Draw offers: in games that need not end, by agreement of both players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from numberduels.engine.pool import EngineError
from numberduels.game.record import read, write
from numberduels.web.match import commands
from numberduels.web.match.events import HUMAN, SeatInfo
from tables import table

from .in_process import InProcessServer, in_process, raising, unlimited
from .test_match_model import ANN, BOB, MACHINE, Playing, hot_seat, refusal


def endless(one: SeatInfo = ANN, other: SeatInfo = BOB, repetition: str = "allowed") -> Playing:
    return Playing(one, other, "number-collision", size="5", values="3", repetition=repetition)


def test_a_draw_needs_the_consent_of_both() -> None:
    game = endless()
    game(commands.offer_draw(game.match, (0,)))
    assert (game.state["status"], game.state["draw_offered_by"]) == ("playing", 1)
    assert refusal(lambda: commands.answer_draw(game.match, (0,), True)) == ("unoffered", 409)
    game(commands.answer_draw(game.match, (1,), True))
    assert {name: game.state[name] for name in ("status", "winner", "why", "draw_offered_by")} == {
        "status": "over",
        "winner": None,
        "why": "agreed",
        "draw_offered_by": None,
    }
    assert game.match.record().agreed and read(write(game.match.record())) == game.match.record()


def test_who_offers_a_draw_in_return_accepts() -> None:
    game = endless()
    game(commands.offer_draw(game.match, (0,)))
    assert game(commands.offer_draw(game.match, (1,)))[0] == "agreed"


def test_a_draw_that_is_declined_is_told_and_the_game_goes_on() -> None:
    game = endless()
    game(commands.offer_draw(game.match, (0,)))
    game(commands.answer_draw(game.match, (1,), False))
    assert game.match.draw_declined_to == 0 and game.state["status"] == "playing"
    game.play("1@1")
    assert game.match.draw_declined_to is None


def test_a_draw_is_offered_once_before_each_move() -> None:
    game = endless()
    game(commands.offer_draw(game.match, (0,)))
    assert refusal(lambda: commands.offer_draw(game.match, (0,))) == ("offered", 409)
    game(commands.answer_draw(game.match, (1,), False))
    assert refusal(lambda: commands.offer_draw(game.match, (0,))) == ("offered", 409)
    game.play("1@1")
    assert refusal(lambda: commands.offer_draw(game.match, (0,))) == ("offered", 409)
    game.play("2@3")
    game(commands.offer_draw(game.match, (0,)))


def test_a_move_of_the_other_player_declines_and_one_s_own_does_not() -> None:
    game = endless()
    game(commands.offer_draw(game.match, (0,)))
    game.play("1@1")
    assert game.match.draw_offered_by == 0
    game.play("2@3")
    assert game.match.draw_offered_by is None
    assert refusal(lambda: commands.answer_draw(game.match, (1,), True)) == ("unoffered", 409)


def test_an_offer_is_gone_after_a_takeback_and_cannot_be_repeated_by_it() -> None:
    game = endless()
    game.play("1@1")
    game(commands.offer_draw(game.match, (0,)))
    game(commands.ask_takeback(game.match, (0,)))
    game(commands.answer_takeback(game.match, (1,), True))
    assert game.match.draw_offered_by is None
    assert refusal(lambda: commands.offer_draw(game.match, (0,))) == ("offered", 409)
    game.play("1@1", "2@3")
    game(commands.offer_draw(game.match, (0,)))  # the moves since the takeback count, not those before it


@table("game", [Playing(ANN, BOB), Playing(ANN, BOB, "range-war"), endless(repetition="forbidden")])
def test_a_game_that_always_ends_has_no_draw_offers(game: Playing) -> None:
    assert refusal(lambda: commands.offer_draw(game.match, (0,))) == ("no_draw", 409)


def test_on_one_screen_a_draw_is_agreed_at_once() -> None:
    game = endless(ANN, SeatInfo(HUMAN, key=ANN.key))
    assert game(commands.offer_draw(game.match, (0, 1)))[0] == "agreed"
    assert refusal(lambda: commands.offer_draw(hot_seat().match, (0, 1))) == ("no_draw", 409)


def test_the_computer_is_offered_a_draw_on_one_s_own_turn() -> None:
    game = endless(ANN, MACHINE)
    game(commands.move(game.match, (0,), "1@1"))
    assert refusal(lambda: commands.offer_draw(game.match, (0,))) == ("not_your_turn", 409)


# Pages and the API


@pytest.fixture
def server(tmp_path: Path) -> Iterator[InProcessServer]:
    with in_process(unlimited(tmp_path / "duels.sqlite")) as running:
        yield running


OPTIONS = {"game": "number-collision", "options": {"size": 4, "values": 2}}


def test_the_computer_accepts_a_draw_that_it_cannot_win(server: InProcessServer) -> None:
    client = server.visitor()
    made = client.post("/api/duels", json=OPTIONS | {"mode": "computer"}).json()
    token = {"authorization": f"Bearer {made['token']}"}
    state = client.post(f"/api/duels/{made['id']}/offer", headers=token).json()
    assert (state["status"], state["why"]) == ("over", "agreed"), "the empty line is a draw"


def test_a_computer_that_has_no_answer_declines(server: InProcessServer) -> None:
    client = server.visitor()
    made = client.post("/api/duels", json=OPTIONS | {"mode": "computer"}).json()
    token = {"authorization": f"Bearer {made['token']}"}
    server.question_pool.trouble = raising(EngineError())
    state = client.post(f"/api/duels/{made['id']}/offer", headers=token).json()
    assert (state["status"], state["draw_offered_by"]) == ("playing", None)


def test_two_people_agree_on_a_draw_by_forms_alone(server: InProcessServer) -> None:
    ann, bob = server.visitor(), server.visitor()
    fields = {"game": "number-collision", "mode": "friend", "seat": "1"}
    place = ann.post("/new", data=fields).headers["location"]
    link = ann.cookies.get(f"invitation_{place.removeprefix('/g/')}", path=place)
    bob.post(f"{place}/join", data={"invitation": link})
    assert f"{place}/offer" in ann.get(place).text and f"{place}/accept-draw" not in bob.get(place).text
    ann.post(f"{place}/offer")
    assert "You have offered a draw." in ann.get(place).text and f"{place}/offer" not in ann.get(place).text
    assert f"{place}/accept-draw" in bob.get(place).text
    assert bob.post(f"{place}/accept-draw").status_code == 303
    for visitor in (ann, bob):
        assert "The players agreed on a draw." in visitor.get(place).text
