"""Anything that chooses a move, by name.

>>> find("greedy").name
'greedy'
>>> find("mcts:200").name
'mcts:200'
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from numberduels.players.player import Player
from numberduels.text import read_number, short

__all__ = ["KINDS", "Player", "find"]

KINDS = {
    "random": ("simple:RandomPlayer", "any legal move"),
    "greedy": ("simple:GreedyPlayer", "wins at once if it can, hands over no win at once"),
    "beginner": ("levels:LevelPlayer", "sees the best move on one turn in four"),
    "casual": ("levels:LevelPlayer", "sees it on every other turn"),
    "skilled": ("levels:LevelPlayer", "sees it on three turns in four"),
    "expert": ("levels:LevelPlayer", "seldom overlooks it"),
    "mcts": ("mcts:MctsPlayer", "plays many games in its head; mcts:N plays N of them"),
    "perfect": ("perfect:PerfectPlayer", "never lets a win or a draw slip"),
}
"""Every kind of computer player: where it lives (nothing is loaded before it is asked for), what it does."""


def find(text: str) -> Player:
    """The player that a text such as `greedy` or `mcts:400` names; ValueError says what would be right."""
    kind, colon, detail = text.partition(":")
    if kind not in KINDS or (colon and kind != "mcts"):
        raise ValueError(
            f"there is no player {short(text)}; choose human, {', '.join(KINDS)} or mcts:ITERATIONS"
        )
    module, _, name = KINDS[kind][0].partition(":")
    make: Callable[..., Player] = getattr(import_module(f"numberduels.players.{module}"), name)
    if module == "levels":
        return make(kind)
    if not colon:
        return make()
    try:
        return make(read_number(detail))
    except ValueError:
        raise ValueError(
            f"mcts takes iterations from 1 to 10000000, such as mcts:400, not {short(detail)}"
        ) from None
