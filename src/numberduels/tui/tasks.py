"""What the background process computes: records as text in, plain objects out. It does not import Textual."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from numberduels.analysis.hints import find_hint
from numberduels.analysis.review import Review, review_game
from numberduels.game import record
from numberduels.game.messages import Message
from numberduels.game.table import THREEFOLD, Table
from numberduels.play.kept_text import player_names
from numberduels.players import Player, make_player
from numberduels.solvers import DRAW, MAX_POSITIONS, Oracle, TooLarge, Worth
from numberduels.solvers.oracles import make_oracle

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
    """Whether a computer agrees to a draw: unless it can win, or if the position has come back often."""
    _, table, oracle = _position(text)
    try:
        return oracle.evaluate(table.state).value >= DRAW
    except TooLarge:
        _oracle.cache_clear()
        return table.times_reached >= THREEFOLD


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
