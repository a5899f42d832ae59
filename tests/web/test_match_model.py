"""The match model: events build a match, commands produce events."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberduels.game import registry
from numberduels.game.contract import Seat
from numberduels.play.series import Standing
from numberduels.web.errors import UserError, status_of
from numberduels.web.match import commands, seating
from numberduels.web.match.events import COMPUTER, HUMAN, OPEN, NewEvent, SeatInfo, created_data
from numberduels.web.match.model import Match
from numberduels.web.match.seating import hash_secret
from numberduels.web.match.state import state_of
from numberduels.web.store.base import Event
from ours import OURS
from tables import table

ANN, BOB = (
    SeatInfo(HUMAN, "Ann", key=hash_secret("Ann's secret")),
    SeatInfo(HUMAN, "Bob", key=hash_secret("Bob's secret")),
)
MACHINE = SeatInfo(COMPUTER, level="perfect")
INVITATION = hash_secret("come and play")
BOTH: tuple[Seat, ...] = (0, 1)


def state_data(match: Match) -> dict[str, Any]:
    """The state as JSON has it."""
    data: dict[str, Any] = msgspec.to_builtins(state_of(match))
    return data


class Playing:
    """A duel, and the events that made it, which have been written and read."""

    def __init__(
        self,
        one: SeatInfo,
        other: SeatInfo,
        game: str = "summation-duel",
        clock: str = "none",
        best_of: int = 1,
        **options: str,
    ) -> None:
        self.now = 1.5
        texts = options or ({"size": "6", "target": "15"} if game == "summation-duel" else {})
        made = registry.spec(game).make(texts)
        data = created_data(made, (one, other), INVITATION, clock=clock, best_of=best_of)
        self.events = [_written(Event(1, self.now, "created", data))]
        self.match = Match.from_events("canonical", self.events)

    def __call__(self, command: NewEvent) -> NewEvent:
        kind, data = command
        self.events.append(_written(Event(self.match.version + 1, self.now, kind, data)))
        self.match.apply(self.events[-1])
        return command

    def play(self, *moves: int | str) -> None:
        for move in moves:
            self(commands.move(self.match, (self.match.table.turn,), str(move)))

    @property
    def state(self) -> dict[str, Any]:
        return state_data(self.match)


def _written(event: Event) -> Event:
    return event._replace(data=json.loads(json.dumps(event.data)))


def two() -> Playing:
    return Playing(ANN, BOB)


def hot_seat() -> Playing:
    return Playing(ANN, SeatInfo(HUMAN, "Bob", key=ANN.key))


def refusal(command: Callable[[], Any]) -> tuple[str, int]:
    with pytest.raises(UserError) as caught:
        command()
    assert str(caught.value).endswith(".")
    return caught.value.key, status_of(caught.value)


# Sitting down


def test_a_match_waits_until_the_invited_friend_joins() -> None:
    game = Playing(ANN, SeatInfo(OPEN))
    assert (game.state["status"], game.state["turn"], game.state["legal"]) == ("waiting", None, [])
    for uninvited in (hash_secret("let me in"), ""):
        command = partial(seating.join, game.match, "Eve", "eve", uninvited)
        assert refusal(command) == ("uninvited", 403)
    game(seating.join(game.match, "Bob", BOB.key, INVITATION))
    assert (game.state["status"], game.state["turn"]) == ("playing", 1)
    assert [each["name"] for each in game.state["players"]] == ["Ann", "Bob"]
    assert (game.match.seats_of(ANN.key), game.match.seats_of(BOB.key)) == ((0,), (1,))
    assert refusal(lambda: seating.join(game.match, "Eve", "eve", INVITATION)) == ("taken", 409)
    assert Playing(SeatInfo(HUMAN), MACHINE).match.seats_of("") == (), "no key opens no seat"


# Moving


def test_a_move_is_for_whoever_s_turn_it_is() -> None:
    game = two()
    assert refusal(lambda: commands.move(game.match, (1,), "6")) == ("not_your_turn", 409)
    assert refusal(lambda: commands.move(game.match, (), "6")) == ("stranger", 403)
    game.play(6)
    assert refusal(lambda: commands.move(game.match, (0,), "5")) == ("not_your_turn", 409)


def test_a_move_for_an_earlier_position_is_stale() -> None:
    game = hot_seat()
    game.play(6)
    assert refusal(lambda: commands.move(game.match, BOTH, "5", 0)) == ("stale", 409)
    assert commands.move(game.match, BOTH, "5", 1) == ("moved", {"seat": 1, "move": "5"})


@table("text", ["7", "0", "6", "", "x", "6 6", "9" * 5_000, "\ud800", "\0"])
def test_a_move_that_the_rules_refuse_is_refused_in_the_book_s_words(text: str) -> None:
    game = two()
    game.play(6)
    assert refusal(lambda: commands.move(game.match, (1,), text)) == ("illegal", 409)
    assert game.state["version"] == 2


def test_a_move_is_kept_as_records_write_it() -> None:
    assert commands.move(two().match, (0,), " 06 ") == ("moved", {"seat": 0, "move": "6"})


@table(
    "command",
    ["move", "undo", "ask_takeback", "answer_takeback", "resign", "offer_draw", "answer_draw", "claim"],
)
def test_nothing_happens_in_a_game_that_waits_or_is_over(command: str) -> None:
    rest = {"move": ("6",), "answer_takeback": (True,), "answer_draw": (True,), "claim": (9e9,)}.get(
        command, ()
    )
    waiting, over = Playing(ANN, SeatInfo(OPEN)), two()
    over(commands.resign(over.match, (0,)))
    assert refusal(lambda: getattr(commands, command)(waiting.match, (0,), *rest)) == ("waiting", 409)
    assert refusal(lambda: getattr(commands, command)(over.match, (0,), *rest)) == ("over", 409)
    assert refusal(lambda: getattr(commands, command)(two().match, (), *rest)) == ("stranger", 403)


def test_a_game_that_need_not_end_is_broken_off_after_a_thousand_moves() -> None:
    game = Playing(ANN, BOB, "number-collision", size="3", values="2")
    for _ in range(500):
        game.play("1@1", "1@2")
        if game.match.table.ply == 998:
            assert game.state["status"] == "playing"
    assert (game.state["status"], game.state["winner"], game.state["why"]) == ("over", None, None)
    assert refusal(lambda: commands.move(game.match, (0,), "1@1")) == ("over", 409)


# Taking back


def test_a_takeback_is_asked_for_and_answered_where_people_play_apart() -> None:
    game = two()
    game.play(6, 3)
    assert refusal(lambda: commands.undo(game.match, (0,))) == ("ask", 403)
    game(commands.ask_takeback(game.match, (0,)))
    assert game.state["takeback_asked_by"] == 1
    assert refusal(lambda: commands.ask_takeback(game.match, (1,))) == ("asked", 409)
    assert commands.answer_takeback(game.match, (1,), True) == ("undone", {"to": 0})
    game(commands.answer_takeback(game.match, (1,), False))
    assert (game.state["moves"], game.match.takeback_declined_to) == (["6", "3"], 0)
    assert refusal(lambda: commands.answer_takeback(game.match, (1,), True)) == ("unasked", 409)
    alone = hot_seat()
    alone.play(6)
    assert commands.ask_takeback(alone.match, BOTH) == ("undone", {"to": 0})


def test_a_draw_is_offered_and_answered() -> None:
    game = Playing(ANN, BOB, "number-collision")
    assert game(commands.offer_draw(game.match, (0,)))[0] == "offered" and game.state["draw_offered_by"] == 1
    assert commands.answer_draw(game.match, (1,), True)[0] == "agreed"
    assert commands.offer_draw(game.match, (1,))[0] == "agreed"
    game(commands.answer_draw(game.match, (1,), False))
    assert (game.match.draw_declined_to, game.state["status"]) == (0, "playing")
    game.play("1@1")
    assert game.match.draw_declined_to is None
    assert refusal(lambda: commands.offer_draw(game.match, (0,))) == ("offered", 409)
    game(commands.offer_draw(game.match, (1,)))
    game(commands.answer_draw(game.match, (0,), True))
    assert (game.state["status"], game.state["why"], game.state["winner"]) == ("over", "agreed", None)


def test_undo_during_the_computer_s_turn_takes_back_one_move() -> None:
    game = Playing(MACHINE, ANN)
    game.play(6, 3)
    assert game.match.engine_level == "perfect"
    game(commands.undo(game.match, (1,)))
    assert game.state["moves"] == ["6"]
    assert game.match.engine_level == ""


# The end, and the next game


def test_a_rematch_swaps_the_seats() -> None:
    game = Playing(ANN, BOB, size="7", target="20")
    assert refusal(lambda: commands.rematch_data(game.match, (0,))) == ("going_on", 409)
    game(commands.resign(game.match, (0,)))
    assert refusal(lambda: commands.rematch_data(game.match, ())) == ("stranger", 403)
    data = commands.rematch_data(game.match, (1,))
    new = Match.from_events("next", [Event(1, 0.0, "created", data)])
    assert (new.rematch_of, new.status, new.game) == ("canonical", "playing", game.match.game)
    assert [seat_info.name for seat_info in new.seat_infos] == ["Bob", "Ann"]
    assert (new.seats_of(ANN.key), new.seats_of(BOB.key)) == ((1,), (0,))
    game(commands.set_rematch(game.match, "next"))
    assert game.state["rematch"] == "next"
    assert refusal(lambda: commands.set_rematch(game.match, "another")) == ("rematched", 409)


def test_a_rematch_is_dealt_anew() -> None:
    game = Playing(ANN, BOB, "number-snatch", size="10", top="1000")
    game(commands.resign(game.match, (0,)))
    created = Event(1, 0.0, "created", commands.rematch_data(game.match, (0,)))
    new = state_data(Match("next", created))["options"]
    old = game.state["options"]
    assert (new["size"], new["top"]) == (old["size"], old["top"]) == (10, 1000)
    assert new["numbers"] != old["numbers"]


def test_the_second_of_two_games_has_the_same_numbers_and_the_points_are_added() -> None:
    """Ann has 8 + 3 against 5 and leads by 6; then Bob has 5 + 3 against 8, which changes nothing."""
    numbers = registry.spec("number-snatch").build({"numbers": (3, 5, 8)})
    created = Event(1, 0.0, "created", created_data(numbers, (ANN, BOB), games=2))
    first = Match("first", created)
    assert first.is_first_of_two and first.total_lead is None
    for seq, (seat, move) in enumerate(((0, "8"), (1, "5"), (0, "3")), 2):
        first.apply(Event(seq, 0.0, "moved", {"seat": seat, "move": move}))
    second = Match("second", Event(1, 0.0, "created", commands.rematch_data(first, (0,))))
    assert second.game == first.game and second.lead == -6 and second.total_lead is None
    assert [seat_info.name for seat_info in second.seat_infos] == ["Bob", "Ann"]
    for seq, (seat, move) in enumerate(((0, "5"), (1, "8"), (0, "3")), 2):
        second.apply(Event(seq, 0.0, "moved", {"seat": seat, "move": move}))
    assert not second.is_first_of_two and second.total_lead == -6
    assert first.winner is None and first.standing.games == 0, "nobody has won after the first game"
    assert second.winner == 1 and second.standing == Standing(1, (0, 1), None)
    tied = Match("tied", Event(1, 0.0, "created", commands.rematch_data(first, (0,))))
    for seq, (seat, move) in enumerate(((0, "8"), (1, "5"), (0, "3")), 2):
        tied.apply(Event(seq, 0.0, "moved", {"seat": seat, "move": move}))
    assert tied.outcome and (tied.outcome.winner, tied.winner) == (0, None), "the sum decides, not this game"
    third = Match("third", Event(1, 0.0, "created", commands.rematch_data(second, (0,))))
    assert third.is_first_of_two


def resigned(match: Match, loser: str) -> Match:
    """The match after the player of this name has resigned it."""
    seat: Seat = 1 if match.names.index(loser) else 0
    match.apply(Event(match.version + 1, 0.0, *commands.resign(match, (seat,))))
    return match


def rematch(match: Match) -> Match:
    return Match("next", Event(1, 0.0, "created", commands.rematch_data(match, (0,))))


def score(match: Match) -> dict[str, int]:
    return dict(zip(match.names, match.standing.wins, strict=True))


def test_rematches_keep_the_score_of_the_players_who_swap_seats() -> None:
    match = Playing(ANN, BOB).match
    for loser, ann, bob in [("Bob", 1, 0), ("Bob", 2, 0), ("Ann", 2, 1)]:
        resigned(match, loser)
        assert score(match) == {"Ann": ann, "Bob": bob}
        match = rematch(match)
        assert score(match) == {"Ann": ann, "Bob": bob}, "and it is not counted twice"
    assert match.standing.games == 3 and not match.is_series_over


def test_a_series_ends_when_nobody_can_catch_up_and_the_next_begins_at_nothing() -> None:
    match = resigned(Playing(ANN, BOB, best_of=3).match, "Bob")
    assert not match.is_series_over
    match = resigned(rematch(match), "Bob")
    assert match.is_series_over and score(match) == {"Ann": 2, "Bob": 0}
    again = rematch(match)
    assert (again.best_of, again.standing) == (3, Standing(0, (0, 0), None))


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


# What is told


def test_values_are_shown_against_the_computer_and_after_the_end_only() -> None:
    game = two()
    against_computer = Playing(ANN, MACHINE).match
    assert against_computer.may_see_values((0,)) and not against_computer.may_see_values(())
    assert not game.match.may_see_values((0,)) and not hot_seat().match.may_see_values((0, 1))
    game(commands.resign(game.match, (0,)))
    assert game.match.may_see_values(()) and game.match.may_see_values((1,))


# Any sequence of wishes at all

KEYS = {ANN.key, BOB.key, INVITATION, hash_secret("link"), hash_secret("phone")}
SEATINGS: list[tuple[SeatInfo, SeatInfo]] = [
    (ANN, BOB),
    (ANN, MACHINE),
    (MACHINE, ANN),
    (ANN, SeatInfo(HUMAN, key=ANN.key)),
    (SeatInfo(OPEN), BOB),
]
WISHES: list[Callable[[Match, tuple[Seat, ...], Random], NewEvent]] = [
    lambda match, seats, rng: commands.move(match, seats, rng.choice(state_data(match)["legal"] or ["1"])),
    lambda match, _, rng: commands.move(
        match, (match.table.turn,), rng.choice(state_data(match)["legal"] or ["1"])
    ),
    lambda match, seats, rng: commands.move(match, seats, rng.choice(["1", "2@2", "x"]), rng.randrange(4)),
    lambda match, seats, _: commands.undo(match, seats),
    lambda match, seats, _: commands.ask_takeback(match, seats),
    lambda match, seats, rng: commands.answer_takeback(match, seats, rng.random() < 0.5),
    lambda match, seats, rng: commands.resign(match, seats if rng.random() < 0.1 else ()),
    lambda match, _, rng: seating.join(match, "Eve", hash_secret("Eve's"), rng.choice([INVITATION, ""])),
    lambda match, _, rng: commands.set_rematch(match, str(rng.random())),
    lambda match, seats, _: commands.offer_draw(match, seats),
    lambda match, seats, rng: commands.answer_draw(match, seats, rng.random() < 0.3),
    lambda match, seats, rng: commands.claim(match, seats, rng.choice([0.0, 1e9])),
    lambda match, seats, rng: seating.cancel(match, seats if rng.random() < 0.1 else ()),
    lambda match, seats, _: seating.make_device_link(match, seats, hash_secret("link")),
    lambda match, _, rng: seating.use_device_link(
        match, hash_secret("link"), hash_secret("phone"), rng.choice([0.0, 1e9])
    ),
    lambda match, _, rng: seating.remove_devices(match, rng.choice([ANN.key, hash_secret("phone")])),
]


@given(
    st.sampled_from(OURS),
    st.sampled_from(SEATINGS),
    st.lists(st.tuples(st.sampled_from(WISHES), st.sampled_from([(0,), (1,), (0, 1), ()])), max_size=40),
    st.randoms(use_true_random=False),
)
def test_a_match_is_rebuilt_from_its_stored_events(
    game: str,
    seating: tuple[SeatInfo, SeatInfo],
    wishes: list[tuple[Any, tuple[Seat, ...]]],
    rng: Random,
) -> None:
    playing = Playing(*seating, game=game, clock=rng.choice(["none", "minute"]))
    for command, seats in wishes:
        before = playing.state
        try:
            playing(command(playing.match, seats, rng))
        except UserError as refused:
            assert status_of(refused) in (403, 409, 422)
            assert playing.state == before
        told = json.dumps(playing.state)
        assert not any(key in told for key in KEYS)
    again = Match.from_events("canonical", playing.events)
    assert state_data(again) == playing.state
    assert again.seat_infos == playing.match.seat_infos
    assert again.version == len(playing.events)
    # And from anywhere on the way, as a server does that missed some of it.
    part = rng.randrange(1, len(playing.events) + 1)
    late = Match.from_events("canonical", playing.events[:part])
    for event in playing.events[part:]:
        late.apply(event)
    assert state_data(late) == playing.state
