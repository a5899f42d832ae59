"""What the table adds to what the background process can compute: a position is given by its record.

Functions of `analysis` and `play` are asked directly. This module does not import Textual.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from numberduels.analysis.lessons import Mistake, judge_move
from numberduels.analysis.review import Review, review_game
from numberduels.analysis.solution import find_hint
from numberduels.game import record
from numberduels.game.messages import Message
from numberduels.play import live_game
from numberduels.play.live_text import player_names
from numberduels.players import Player, make_player
from numberduels.solvers import MAX_POSITIONS, Oracle, TooLarge, Worth, make_oracle

VALUE_POSITIONS = 200_000
"""The most positions to solve for the values of all moves."""


def choose_move(text: str, kind: str) -> str:
    """The move of a computer player in the position of a record; the same as `duel play` with its seed.

    >>> choose_move('[Game "range-war"]\\n[Seed "7"]\\n\\n1. 6 *', "perfect")
    '5'
    """
    read = record.read(text)
    table, player = read.table(), _player(kind, read.game)
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
    read = record.read(text)
    try:
        worths = _oracle(read.game, VALUE_POSITIONS).evaluate_moves(read.table().state)
    except TooLarge as fault:
        _oracle.cache_clear()
        raise ValueError(f"This position is too large to solve: {fault}.") from None
    notation = read.spec.text_for(read.game).format_move
    return {notation(move): worth for move, worth in worths.items()}


@lru_cache(4)
def _oracle(game: Any, most_positions: int) -> Oracle[Any, Any]:
    return make_oracle(game, most_positions)


def accepts_draw(text: str) -> bool:
    """Whether a computer agrees to a draw in the position of a record."""
    return live_game.accepts_draw(record.read(text).table(), VALUE_POSITIONS)


def review(text: str) -> Review:
    """The review of a record; it calls players without a name as the screens do."""
    read = record.read(text)
    return review_game(replace(read, names=player_names(read.seats, read.names)), MAX_POSITIONS)


def judge(text: str, move: str) -> Mistake | None:
    """The mistake that a move is in the position of a record; None if it is none.

    >>> found = judge('[Game "range-war"]\\n[Size "9"]\\n\\n1. 5 4 *', "7")
    >>> found.better, str(found.refutation[0])
    (6, 'After 7 they answer 6 and win.')
    """
    read = record.read(text)
    parsed = read.spec.text_for(read.game).parse_move(move)
    return judge_move(_oracle(read.game, MAX_POSITIONS), read.table().state, parsed)
