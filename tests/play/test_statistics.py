"""Statistics: counted by hand from a few records, and the accuracy that a review gives."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import NoReturn

import pytest

from game_records import record_of
from numberduels.analysis import review
from numberduels.game import files, registry
from numberduels.game.record import Record, write
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.play import series, statistics
from numberduels.play.puzzles import PuzzleResult
from numberduels.play.statistics import (
    CACHE,
    CSV_COLUMNS,
    SEATS,
    Tally,
    accuracy_over_time,
    csv_rows,
    played_games,
    tally,
)
from tables import table


def keep(game: Record, age: int = 0) -> None:
    path = files.new_path(game.spec.name)
    files.write_text(path, write(game))
    os.utime(path, (1_000_000 - age, 1_000_000 - age))


def against(kind: str, *moves: int, seat: int = 0, **rest: object) -> Record:
    """A game of Range War of size 10 in which a person sat here."""
    seats = ("human", kind) if seat == 0 else (kind, "human")
    return record_of(RangeWar(), moves, seats=seats, **rest)


@pytest.fixture
def season() -> None:
    keep_season()


def keep_season() -> None:
    """Six games; 1 wins Range War at once, and after 6 it is 5 that wins."""
    keep(against("casual", 1, date="2026.11.14"), 60)  # won
    keep(against("casual", 6, 5, 7, 4, date="2026.11.15"), 50)  # unfinished
    keep(against("casual", 6, resigned=0, date="2026.11.15"), 40)  # lost
    keep(against("perfect", 1, seat=1, date="2026.11.16"), 30)  # lost
    keep(record_of(RangeWar(), (1,), date="2026.11.16"), 20)  # two people
    keep(record_of(RangeWar(), (1,), seats=("random", "greedy")), 10)  # no person at all


@pytest.mark.usefixtures("season")
def test_games_are_counted_by_opponent_and_seat() -> None:
    games = played_games()
    assert tally(games, lambda each: each.opponent) == {
        "casual": Tally(3, won=1, lost=1, unfinished=1),
        "perfect": Tally(1, lost=1),
        "human": Tally(1),
    }
    assert tally(games, lambda each: "" if each.seat is None else SEATS[each.seat]) == {
        "moving first": Tally(3, won=1, lost=1, unfinished=1),
        "moving second": Tally(1, lost=1),
        "": Tally(1),
    }
    assert tally(games, lambda each: each.game) == {"range-war": Tally(5, won=1, lost=2, unfinished=1)}


@table("seat", [0, 1])
def test_who_sits_opposite_and_resigns_has_lost(seat: int) -> None:
    keep(against("casual", 6, seat=seat, resigned=1 - seat))
    keep(against("casual", 6, seat=seat, resigned=seat))
    assert tally(played_games(), lambda each: each.opponent) == {"casual": Tally(2, won=1, lost=1)}


@pytest.mark.usefixtures("season")
def test_accuracy_is_that_of_the_review_by_day() -> None:
    # 1 was right where 6 to 10 lose; 6 threw the win away; who had no choice is not judged.
    assert accuracy_over_time(played_games()) == [("2026-11-14", 100), ("2026-11-15", 0)]
    assert [each.accuracy for each in played_games()] == [100, None, 0, None, None]


@pytest.mark.usefixtures("season")
def test_the_second_time_nothing_is_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = played_games()

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("judged again")

    monkeypatch.setattr(review, "review_game", refuse)
    assert played_games() == first


@pytest.mark.usefixtures("season")
def test_figures_of_another_method_are_not_used(own_home: Path) -> None:
    right = played_games()
    path = own_home / CACHE
    lines = [
        json.loads(line) | {"figures": [0, 9, 0, 9], "method": "0/9"}
        for line in path.read_text().splitlines()
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert played_games() == right


@pytest.mark.usefixtures("season")
def test_of_very_many_games_the_newest_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "JUDGED_GAMES", 2)  # of three with one person and an end
    assert [each.accuracy for each in played_games()] == [None, None, 0, None, None]


@table("figures", [[9, 1, 0, 0], [0, 1], "x", [True, 1, 0, 0], [0, 1, 2, 1], None, [-1, 0, 0, 0]])
def test_a_damaged_cache_is_computed_anew(figures: object, own_home: Path) -> None:
    keep_season()
    right = played_games()
    path = own_home / CACHE
    lines = [json.loads(line) | {"figures": figures} for line in path.read_text().splitlines()]
    path.write_text("rubbish\n" + "".join(f"{json.dumps(line)}\n" for line in lines))
    assert played_games() == right


@pytest.mark.usefixtures("season")
def test_a_cache_that_cannot_be_written_does_no_harm(own_home: Path) -> None:
    (own_home / CACHE).mkdir()
    assert [each.accuracy for each in played_games()] == [100, None, 0, None, None]


def test_progress_is_reported_while_games_are_judged() -> None:
    for number in (1, 2, 3):
        keep(against("casual", number, resigned=1) if number > 1 else against("casual", 1), number)
    seen: list[tuple[int, int]] = []
    played_games(progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 3), (1, 3), (2, 3)]
    assert all(each.accuracy is None for each in played_games(judged=False))


def test_a_game_too_large_to_solve_has_no_accuracy() -> None:
    game = NumberCollision(size=1_000, values=20)
    keep(record_of(game, game.all_moves()[:1], seats=("human", "casual"), resigned=0))
    (played,) = played_games()
    assert played.result == "lost" and played.accuracy is None


def test_the_games_of_a_match_count() -> None:
    spec = registry.spec("range-war")
    begun = series.Series(spec, spec.make(), ("you", "casual"), ("human", "casual"), rounds=1)
    games = (
        against("casual", 1, names=("you", "casual")),
        against("casual", 6, 5, 7, seat=1, names=("casual", "you")),
    )
    path = files.new_path("range-war", "matches")
    files.write_text(path, series.write(replace(begun, played=games)))
    assert [(each.seat, each.result) for each in played_games()] == [(0, "won"), (1, "unfinished")]


def test_rows_for_a_spreadsheet_hold_games_and_puzzles() -> None:
    keep(record_of(SummationDuel(4, 6), (4, 2), seats=("human", "casual"), date="2026.11.16"))
    puzzle = PuzzleResult(date(2026, 11, 16), "range-war", 2, "7", daily=True, solved=True, tries=2)
    head, game, solved = csv_rows(played_games(judged=False), [puzzle])
    assert tuple(head) == CSV_COLUMNS
    row = dict(zip(head, game, strict=True))
    assert row | {"options": "size=4 target=6", "seat": "1", "result": "lost", "moves": "2"} == row
    row = dict(zip(head, solved, strict=True))
    assert row | {"kind": "puzzle", "day": "2026-11-16", "result": "solved", "tries": "2"} == row
