"""What players may do in a game, for every front: takebacks, draws, resigning, and when it is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from numberduels.game import registry
from numberduels.game.contract import Seat
from numberduels.game.record import read, write
from numberduels.game.table import replay
from numberduels.play.game_in_progress import GameInProgress, NotAllowed


class Apart(GameInProgress):
    """Two people at two screens, who have to ask each other."""

    single_person = False


def two(game: str = "number-collision", kind: type[GameInProgress] = Apart, other: str = "human") -> Any:
    spec = registry.spec(game)
    return kind(spec, replay(spec.make()), ("Ann", "Bob"), ("human", other))


def refused(command: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(NotAllowed, match=r"\.$") as caught:
        command(*arguments)
    return caught.value.key


def test_a_takeback_leads_to_the_last_move_of_whoever_asks() -> None:
    game = two("range-war")
    assert refused(game.check_takeback, (0,)) == "nothing"
    game.play("6")
    game.play("3")
    assert [game.undo_ply(seats) for seats in ((0,), (1,), (0, 1))] == [0, 1, 1]
    assert game.undo_to(1) == [3] and game.undo_ply((0,)) == 0 and refused(game.undo_ply, (1,)) == "nothing"


def test_people_apart_take_back_by_consent_and_others_at_once() -> None:
    game, alone = two("range-war"), two("range-war", GameInProgress)
    for each in (game, alone):
        each.play("6")
    assert alone.check_undo((0,)) == 0 and refused(game.check_undo, (0,)) == "ask"
    game.check_takeback((0,))
    game.takeback_asked_by = 0
    assert refused(game.check_takeback, (1,)) == "nothing" and refused(game.check_takeback, (0,)) == "asked"
    assert refused(game.check_takeback_answer, (0,)) == "unasked" and game.check_takeback_answer((1,)) == 0


@pytest.mark.parametrize("event", ["move", "undo", "resign", "agree"])
def test_what_happens_next_ends_every_question(event: str) -> None:
    game = two()
    game.play("1@1")
    game.offer_draw(0)
    game.takeback_asked_by = 0
    happening: dict[str, Callable[[], object]] = {
        "move": lambda: game.play("2@3"),
        "undo": lambda: game.undo_to(0),
        "resign": lambda: game.resign((1,)),
        "agree": game.agree_draw,
    }
    happening[event]()
    assert (game.takeback_asked_by, game.draw_offered_by) == (None, None)
    assert refused(game.check_draw_answer, (1,)) == "unoffered"


def test_one_s_own_move_does_not_take_a_draw_offer_back() -> None:
    game = two()
    game.offer_draw(0)
    game.play("1@1")
    assert game.draw_offered_by == 0


def test_a_draw_needs_both_and_an_offer_in_return_is_an_agreement() -> None:
    game = two()
    assert game.check_draw_offer((0,)) is False
    game.offer_draw(0)
    assert refused(game.check_draw_answer, (0,)) == "unoffered"
    game.check_draw_answer((1,))
    assert game.check_draw_offer((1,)) is True
    game.agree_draw()
    assert (game.over, game.winner, game.outcome.why) == (True, None, "agreed")
    assert read(write(game.record())) == game.record()


def test_a_draw_is_offered_once_before_each_move_of_one_s_own() -> None:
    game = two()
    game.offer_draw(0)
    for move in ("", "1@1"):
        if move:
            game.play(move)
        assert refused(game.check_draw_offer, (0,)) == "offered"
        game.draw_offered_by = None  # declined
        assert refused(game.check_draw_offer, (0,)) == "offered"
    game.play("2@3")
    assert game.check_draw_offer((0,)) is False
    game.offer_draw(0)
    game.undo_to(0)
    assert refused(game.check_draw_offer, (0,)) == "offered", "taking back moves gives no second offer"
    game.play("1@1")
    game.play("2@3")
    assert game.check_draw_offer((0,)) is False, "moves count from where the takeback led to"


def test_whom_to_ask_for_a_draw() -> None:
    assert refused(two("range-war").check_draw_offer, (0,)) == "no_draw"
    assert two(kind=GameInProgress).check_draw_offer((0, 1)) is True, "nobody: both sit at this screen"
    game = two(kind=GameInProgress, other="casual")
    assert game.check_draw_offer((0,)) is False
    game.play("1@1")
    assert refused(game.check_draw_offer, (0,)) == "not_your_turn"


@pytest.mark.parametrize(
    ("seats", "moves", "resigned"),
    [((0,), 0, 0), ((0,), 1, 0), ((1,), 0, 1), ((0, 1), 0, 0), ((0, 1), 1, 1)],
)
def test_of_the_seats_of_a_player_the_one_to_move_resigns(
    seats: tuple[Seat, ...], moves: int, resigned: Seat
) -> None:
    game = two("range-war")
    for move in ["6"][:moves]:
        game.play(move)
    game.resign(seats)
    assert (game.resigned, game.winner, game.outcome.why) == (resigned, 1 - resigned, "resigned")
    assert read(write(game.record())) == game.record()


def test_a_game_lost_on_time_says_so_and_can_be_recorded() -> None:
    game = two("range-war")
    game.play("6")
    game.resign((1,), timed_out=True)
    assert (game.winner, game.outcome.why) == (0, "time")
    assert read(write(game.record())) == game.record()
    game.undo_to(0)
    assert not game.over and not game.record().timed_out


def test_a_game_of_the_same_size_is_dealt_anew() -> None:
    spec = registry.spec("number-snatch")
    game = Apart(spec, replay(spec.build({"numbers": (3, 5, 8)})), ("", ""), ("human", "human"))
    assert (game.redealt().size, game.redealt().numbers) == (3, ())
