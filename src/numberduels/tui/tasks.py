"""What the background process computes: records as text in, plain objects out. It does not import Textual."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from random import Random
from typing import Any

from numberduels.analysis.hints import find_hint
from numberduels.analysis.lessons import Lesson, judge_move, lessons_of
from numberduels.analysis.puzzles import Puzzle, daily_puzzle, find_puzzle, puzzle_levels
from numberduels.analysis.review import Review, review_game
from numberduels.game import files, record, registry
from numberduels.game.formatting import csv_text
from numberduels.game.messages import Message
from numberduels.game.options import BadOption
from numberduels.game.table import Table
from numberduels.play import live_game
from numberduels.play.lessons import lesson_after
from numberduels.play.live_game import player_names
from numberduels.play.puzzles import read_results
from numberduels.play.statistics import csv_rows, played_games
from numberduels.players import Player, make_player
from numberduels.solvers import MAX_POSITIONS, WIN, Oracle, TooLarge, Worth, make_oracle

VALUE_POSITIONS = 200_000
"""The most positions to solve for the values of all moves."""


def choose_move(text: str, kind: str) -> str:
    """The move of a computer player in the position of a record; the same as `duel play` with its seed.

    >>> choose_move('[Game "range-war"]\\n[Seed "7"]\\n\\n1. 6 *', "perfect")
    '5'
    """
    read = record.read(text)
    table = read.table()
    player = _player(kind, read.game)
    player.set_history(table.played)
    move = player.choose(read.game, table.state, Random(f"{read.seed} move {table.ply}"))
    return read.spec.text_for(read.game).format_move(move)


@lru_cache(4)
def _player(kind: str, game: Any) -> Player:
    player = make_player(kind)
    player.prepare(game, game.start(Random(0)))
    return player


def hint(text: str) -> tuple[str, Message]:
    """A good move in the position of a record, as in records, and why."""
    read = record.read(text)
    table = read.table()
    move, why = find_hint(read.game, table.state, Random(f"{read.seed} hint {table.ply}"))
    return read.spec.text_for(read.game).format_move(move), why


def move_values(text: str) -> dict[str, Worth]:
    """The worth of each legal move in the position of a record; ValueError if it is too large to solve."""
    read, table, oracle = _position(text)
    try:
        worths = oracle.evaluate_moves(table.state)
    except TooLarge as fault:
        _oracle.cache_clear()
        raise ValueError(f"This position is too large to solve: {fault}.") from None
    notation = read.spec.text_for(read.game).format_move
    return {notation(move): worth for move, worth in worths.items()}


def accepts_draw(text: str) -> bool:
    """Whether a computer agrees to a draw in the position of a record."""
    return live_game.accepts_draw(record.read(text).table(), VALUE_POSITIONS)


def review(text: str) -> Review:
    """The review of a record; it calls players without a name as the screens do."""
    read = record.read(text)
    return review_game(replace(read, names=player_names(read.seats, read.names)), MAX_POSITIONS)


def _position(text: str) -> tuple[record.Record, Table[Any, Any], Oracle[Any, Any]]:
    read = record.read(text)
    return read, read.table(), _oracle(read.game)


@lru_cache(2)
def _oracle(game: Any) -> Oracle[Any, Any]:
    return make_oracle(game, VALUE_POSITIONS)


@dataclass(frozen=True, slots=True)
class Stopped:
    """A move that loses a win or a draw, with moves as records write them."""

    move: str
    lost_win: bool
    """Whether a win is gone; otherwise a draw."""
    better: str
    why: Message
    """Why the better move is better."""
    refutation: tuple[Message, ...]
    """What happens after the mistake."""


def all_lessons() -> dict[str, tuple[Lesson, ...]]:
    """The lessons of every installed game, by its name."""
    return {spec.name: lessons_of(spec) for spec in registry.specs()}


def following_lesson(game: str, key: str) -> Lesson | None:
    """The lesson of a game after the one with this key."""
    return lesson_after(registry.spec(game), key)


def judge(text: str, move: str) -> Stopped | None:
    """The mistake that a move is in the position of a record; None if it is none.

    >>> found = judge('[Game "range-war"]\\n[Size "9"]\\n\\n1. 5 4 *', "7")
    >>> found.better, str(found.refutation[0])
    ('6', 'After 7 they answer 6 and win.')
    """
    read = record.read(text)
    notation = read.spec.text_for(read.game)
    found = judge_move(_lesson_oracle(read.game), read.table().state, notation.parse_move(move))
    if not found:
        return None
    better = notation.format_move(found.better)
    return Stopped(move, found.lost == WIN, better, found.why, found.refutation)


@lru_cache(2)
def _lesson_oracle(game: Any) -> Oracle[Any, Any]:
    return make_oracle(game)


def offered_puzzles(day: date) -> tuple[dict[str, tuple[int, ...]], list[Puzzle]]:
    """The levels of every game by its name, and the puzzles of this day."""
    return {spec.name: puzzle_levels(spec) for spec in registry.specs()}, puzzles_of_the_day(day)


def puzzles_of_the_day(day: date) -> list[Puzzle]:
    """The puzzle of every game that has one of this day."""
    return [puzzle for spec in registry.specs() if (puzzle := daily_puzzle(spec, day))]


def find(game: str, level: int, seed: str) -> Puzzle:
    """The puzzle of this level and seed; NoPuzzle, which is a ValueError, if there is none."""
    return find_puzzle(registry.spec(game), level, seed)


def solution(game: str, level: int, seed: str) -> list[str]:
    """The right answer, and why."""
    return find(game, level, seed).solution_lines()


def refutation(game: str, level: int, seed: str, answer: str) -> list[str]:
    """Why this answer is wrong."""
    return find(game, level, seed).refutation_lines(answer)


def option_fault(game: str, texts: Mapping[str, str]) -> tuple[str, str] | None:
    """What is wrong with the player's own sizes: the option and a sentence; None if nothing is.

    Options that are not given are the book's. The option is empty if several do not fit together.

    >>> option_fault("range-war", {"size": "0"})
    ('size', 'size must be a whole number from 1 to 10000, not 0')
    """
    try:
        registry.spec(game).make(dict(texts))
    except BadOption as fault:
        return fault.name, str(fault)
    except ValueError as fault:
        return "", str(fault)
    return None


def export(path: str) -> str:
    """Write every game and every puzzle into a new CSV file; returns its path. ValueError says why not."""
    path = files.absolute_path(path.strip())
    if os.path.lexists(path):
        raise ValueError(f"{path} exists already. Choose another name.")
    try:
        files.write_text(path, csv_text(csv_rows(played_games(), read_results())))
    except OSError as fault:
        raise ValueError(f"The file cannot be written: {fault.strerror or fault}.") from None
    return path
