"""Series of games: who is ahead, what giving up costs, and that the text of a series reads back."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_records import record_of
from numberduels.game.contract import OTHER, Seat
from numberduels.game.record import BadRecord, Record
from numberduels.game.registry import spec_of
from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.play.series import Series, margin_of, read, write

NAMES = ("Ann", "Bob")


def random_end(game: Any, state: Any, rng: Random) -> Any:
    while not game.outcome(state):
        state = game.play(state, rng.choice(game.moves(state)))
    return state


@given(st.integers(0, 10**9), st.integers(0, 9))
def test_giving_up_is_never_better_than_playing_on(seed: int, plies: int) -> None:
    rng = Random(seed)
    game: Any = NumberSnatch(top=rng.randint(10, 60))
    game = game.with_start(game.start(rng))
    table: Table[Any, Any] = Table(game, game.start(rng))
    for _ in range(plies):
        table.play(rng.choice(table.moves))
    resigned: Seat = table.turn
    margin = margin_of(record_of(game, table.played, resigned=resigned))
    for _ in range(5):
        ours, theirs = game.scores(random_end(game, table.state, rng))
        played_on = (ours - theirs) if resigned == 0 else (theirs - ours)
        assert (margin if resigned == 0 else -margin) <= played_on


def series(**more: Any) -> Series:
    return replace(Series(spec_of(RangeWar(size=5)), RangeWar(size=5), NAMES, seed="s", rounds=2), **more)


def test_the_standing_counts_players_and_not_seats() -> None:
    won = record_of(RangeWar(size=5), (1,))
    games = (
        replace(won, names=NAMES),
        replace(won, names=NAMES[::-1]),
        replace(won, names=NAMES),
        record_of(RangeWar(size=5), (5,), names=NAMES[::-1], resigned=1),
    )
    assert series().standing.wins == (0, 0) and not series().over
    assert [series(played=games[:n]).standing.wins for n in range(1, 5)] == [(1, 0), (1, 1), (2, 1), (2, 2)]
    assert series(played=games).over and series(played=games).standing.ahead == 0


def test_points_are_those_of_players_and_not_of_seats() -> None:
    game = NumberSnatch(numbers=(3, 5, 8))
    match = Series(spec_of(game), game, NAMES, seed="s", rounds=1)
    first, second = (record_of(game, (8, 5, 3), names=names) for names in (NAMES, NAMES[::-1]))  # 11 to 5
    assert replace(match, played=(first,)).standing.margin == 6
    assert replace(match, played=(first, second)).standing.margin == 0


def test_a_change_of_seats_changes_who_has_won() -> None:
    # Ann begins with 2, Bob takes her seat: the win of seat 0 is his.
    game = record_of(RangeWar(size=4), (2, 1, 3), names=NAMES[::-1], swapped=True)
    assert replace(series(), game=RangeWar(size=4), swap=True, played=(game,)).standing.wins == (0, 1)


def test_a_best_of_series_ends_when_nobody_can_catch_up() -> None:
    best = series(rounds=0, best_of=5)
    won = record_of(RangeWar(size=5), (1,), names=NAMES)
    lost = record_of(RangeWar(size=5), (2,), names=NAMES[::-1], resigned=0)
    assert not replace(best, played=(won, lost)).over
    assert replace(best, played=(won, lost, won)).over
    assert replace(best, played=(won, lost, won)).standing.wins == (3, 0)


def test_a_best_of_series_goes_on_while_somebody_can_draw_level() -> None:
    tied = record_of(NumberCollision(size=3), (), names=NAMES[::-1], agreed=True)
    lost = record_of(NumberCollision(size=3), (Place(1, 1),), names=NAMES, resigned=1)
    best = Series(spec_of(NumberCollision()), NumberCollision(size=3), NAMES, ("human", "human"), best_of=3)
    assert replace(best, played=(lost, tied)).standing.wins == (1, 0)
    assert not replace(best, played=(lost, tied)).over


def test_nobody_changes_seats_in_a_match_without_the_pie_rule() -> None:
    game = record_of(RangeWar(size=5), (2, 1, 3), names=NAMES[::-1], swapped=True)
    with pytest.raises(BadRecord, match="game 1: nobody may change seats in this match"):
        read(write(series(played=(game,))))


def test_a_game_between_computers_that_never_ends_counts_as_played() -> None:
    game = NumberCollision(size=3)
    table: Table[Any, Any] = Table(game, game.start(Random(1)))
    while not table.exceeds_ply_limit:  # place a number and remove it again, for ever
        table.play(Place(1, 1 + table.ply % 2))
    record = record_of(game, table.played, names=NAMES)
    endless = Series(spec_of(game), game, NAMES, ("random", "random"), rounds=1, played=(record,))
    assert endless.current is None and endless.standing.wins == (0, 0)
    assert replace(endless, seats=("human", "random")).current == record


@st.composite
def any_series(draw: st.DrawFn) -> Series:
    rng = Random(draw(st.integers(0, 10**9)))
    game: Any = draw(st.sampled_from([RangeWar(), NumberSnatch(size=4), NumberSnatch(numbers=(2, 5, 8))]))
    rounds, best_of = draw(st.sampled_from([(1, 0), (3, 0), (0, 3), (0, 5)]))
    found = Series(
        spec_of(game),
        game,
        draw(st.sampled_from([NAMES, ('a"', "b\\\\")])),
        seats=draw(st.sampled_from([("human", "greedy"), ('process:x "y"', "human")])),
        seed=draw(st.sampled_from(["", "7", "[Game "])),
        rounds=rounds,
        best_of=best_of,
        first=draw(st.sampled_from([0, 1])),
        swap=draw(st.booleans()),
        friendly=draw(st.booleans()),
    )
    for _ in range(draw(st.integers(0, found.total))):
        if found.over or found.current:
            break
        found = replace(found, played=(*found.played, played(found, rng, draw(st.booleans()))))
    return found


def played(found: Series, rng: Random, stop: bool) -> Record:
    """The next game of a series, played at random, perhaps not to its end."""
    scheduled_game = found.scheduled_game(len(found.played))
    table: Table[Any, Any] = Table(scheduled_game.game, scheduled_game.game.start(rng))
    while not table.outcome and not (stop and table.ply == 2):
        table.play(rng.choice(table.moves))
    swapped = rng.choice([True, False]) if found.swap else None
    first = OTHER[scheduled_game.first] if swapped else scheduled_game.first
    return record_of(
        scheduled_game.game,
        table.played,
        names=(found.names[first], found.names[OTHER[first]]),
        swapped=swapped,
        resigned=table.turn if not table.outcome and rng.random() < 0.5 else None,
    )


@given(any_series())
def test_what_is_written_reads_back(found: Series) -> None:
    text = write(found)
    assert read(text) == found
    assert read("\ufeff" + text.replace("\n", "\r\n")) == found


@given(any_series(), st.data())
def test_a_spoilt_text_is_a_series_or_refused(found: Series, data: st.DataObject) -> None:
    text = write(found)
    at = data.draw(st.integers(0, len(text)))
    piece = data.draw(st.sampled_from(["", "\n", "[", '"]', "[Game ", "\x1b", "9", "1-0"]))
    try:
        again = read(text[:at] + piece + text[at + data.draw(st.integers(0, 3)) :])
    except BadRecord as fault:
        assert str(fault).isprintable()
    else:
        assert read(write(again)) == again


def test_a_text_without_bounds_is_refused() -> None:
    with pytest.raises(BadRecord, match="at most 10,000,000"):
        read("[" * 10_000_001)
