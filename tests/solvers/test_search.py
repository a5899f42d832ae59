"""Depth-first search: a tie is better than a loss and worse than a win."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from numberduels.game.contract import Outcome, Seat
from numberduels.solvers import DRAW, LOSS, WIN, DepthFirstSearch
from numberduels.solvers.oracle import TooLarge

Node = tuple[Seat, str]


AFTER = {"l": "11", "t": "10", "d": "tt", "a": "lt", "b": "dl", "c": "ab"}


class Tree:
    """A game whose moves are written down: each letter names a position, and the digits are its ends."""

    def start(self, rng: Random) -> Node:
        return 0, "c"

    def turn(self, state: Node) -> Seat:
        return state[0]

    def moves(self, state: Node) -> Sequence[str]:
        return tuple(dict.fromkeys(AFTER.get(state[1], "")))

    def play(self, state: Node, move: str) -> Node:
        return (0 if state[0] else 1), move

    def outcome(self, state: Node) -> Outcome | None:
        if state[1] not in "01":
            return None
        return Outcome(None, "tied") if state[1] == "0" else Outcome(state[0], "the player to move has won")


def value(name: str) -> int:
    return DepthFirstSearch(Tree()).evaluate((0, name)).value


def test_who_can_tie_does_not_lose_and_who_can_only_tie_does_not_win() -> None:
    """By hand: 1 is won and 0 tied by the player to move; a move to a value gives its negative."""
    assert [value(name) for name in "10"] == [WIN, DRAW]
    assert value("l") == LOSS  # both moves win for the other
    assert value("t") == value("d") == DRAW  # a loss or a tie, then only a tie
    assert value("a") == WIN  # to l, where the other has lost
    assert value("b") == WIN
    assert value("c") == LOSS


def test_more_positions_than_allowed_are_too_many() -> None:
    with pytest.raises(TooLarge):
        DepthFirstSearch(Tree(), 3).evaluate((0, "c"))
